// Package list keeps the lists.
//
// # Terms
//
//	small    a list that is one listpack: encoding "listpack"
//	large    a list that is a root, a directory and nodes: "quicklist"
//	node     a piece of a large list: a listpack in a block, or a plain element
//	plain    an element so large that it has a node of its own
//	frame    an eighth of a slab; the block of a node in a long list
//	slab     a chunk of the arena, which the list divides itself
//
// A small list becomes large when list-max-listpack-size is exceeded, by Redis'
// rule (Expect), and small again when its only node is half empty (Settle).
//
// # Layout
//
//	root:  │ elements │ first slot │ nodes │ slots │ slabs │ directory │ … │
//
//	directory, a ring in one block:
//	       │ node │ node │  0   │  …   │ node │ node │ sums │
//	                 ╰ last              ╰ first
//	sums:  the elements of every 64 slots
//
//	node's word:   │ elements 24 │ class 5 │ Ref 35 │
//
//	node's block:  │ offset:2 │ free │ listpack           │ free │
//	                                 ╰ at offset
//
//	slab:  │ next, prev, used frames: 64 bytes │ frame 8184 │ … ×8 │
//
// A node's listpack lies anywhere in its block, so it can grow and shrink at both
// ends without being moved: what is pushed at the head fills a block from its
// end. A list's nodes at the ends start small and grow with the list, to the size
// that list-max-listpack-size allows; so nodes are full but for the bytes that no
// element fits. From 32 nodes on, if it allows 8 KiB, which is the default, they
// are frames: a chunk has room for only seven blocks of 8 KiB beside its header,
// and for eight frames.
//
// # Finding
//
// An element is found by its index in the directory, which is contiguous: by
// sums first, then by nodes, from the nearer end; a million elements have 35
// sums. Then the listpack is walked, from the nearer end too.
//
// # Changes in the middle
//
// An insertion into a full node halves it; one between nodes goes into whichever
// has room. After a removal a node merges with a neighbour if both together leave
// a quarter free, so that splits and merges cannot alternate. What stands between
// a node and the nearer end of the directory is moved to open or shut a slot.
// A sweep (LREM) removes in one pass over each node, leaves holes in the
// directory until its end, and then repacks slabs if half the frames are free.
//
// # Invariants
//
// Tested by Check:
//   - no node is empty, and each has as many elements as its word says;
//   - slots out of use are zero, sums are right;
//   - a frame belongs to one node; a slab with a free frame is listed, and an
//     empty one does not exist.
//
// # Costs
//
// Pushes and pops at both ends: O(1), but for the directory's doubling. The
// element at an index: O(n/30,000) and a walk of at most half a node. A million
// elements of 16 bytes take 18.1 bytes each, 18 of which are the entry.
package list
