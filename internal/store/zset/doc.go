// Package zset keeps sorted sets: members with scores, in order of score and,
// where scores are equal, of the members' bytes.
//
// # Terms
//
//	item      a member and its score
//	leaf      a block of up to 64 items in order
//	id        the name of a leaf, which keeps it when its block moves
//	node      a block of up to 51 branches
//	branch    a child, the number of items below it, and a bound of them
//	path      the branches from the root to an item
//	index     what leads from a member's hash to its leaf
//	segment   a block of the index, of about 200 entries
//
// A small set is one listpack of member, score, member, score, …, the form that
// DUMP writes. It becomes large when it exceeds one of its limits, and stays so.
//
// # A large set
//
//	        root ── count, seed of the hash
//	         │ ╲____________________________________
//	     ┌───┴───┐                                  ╲
//	     │ node  │                        ids: 1 2 3 4 …     segments: 0 1 2 …
//	     └┬──┬──┬┘                             │ │ │ │                 │
//	  ┌───┘  │  └───┐                          ▼ ▼ ▼ ▼                 ▼
//	┌─┴──┐ ┌─┴──┐ ┌─┴──┐                      blocks of         tag, hint, id
//	│leaf│ │leaf│ │leaf│                      the leaves        tag, hint, id …
//	└────┘ └────┘ └────┘
//
// The leaves hold the members themselves, and nothing else does. Down the tree,
// a place is found by score and member or by rank; through the index, a member.
//
// # A leaf
//
//	0        1        2          4          6      8
//	┌────────┬────────┬──────────┬──────────┬──────┬────────────┐
//	│ items  │ width  │ room     │ used     │      │ base       │
//	├────────┴────────┴──────────┴──────────┴──────┴────────────┤
//	│ fingerprints: n × 1, the lowest byte of the member's hash │
//	│ lengths:      n × 1                                       │
//	│ scores:       n × width                                   │
//	│ members, one behind the other                             │
//	└───────────────────────────────────────────────────────────┘
//
// Scores that are whole numbers are kept as their distance from the base, in 0,
// 1, 2 or 4 bytes, whatever the farthest of the leaf needs; if one is no whole
// number, or is negative zero, or is too far, all are doubles. So they are found
// by bisection, and the scores of a large set, whose neighbours are near, take a
// byte. A member's place is the sum of the lengths before it, eight of which are
// added at a time. One longer than 127 bytes stands in a block of its own: its
// length byte is 0x88 and its 8 bytes in the leaf are the Ref.
//
// Block and content have nearly the same size: a leaf is resized from class to
// class as it grows. At 64 items or 1 KiB it is divided: in the middle, or, if
// items come in ascending or descending order, near the end at which they come. A
// leaf that has shrunk to a quarter joins a neighbour.
//
// # Nodes
//
// A branch's bound is a score and the first 16 bytes of a member. It is not
// behind any item below the branch, and no item of the branch before it is
// behind it. It was a first item's once and is left as it is when that goes.
// Where a descent meets a bound equal to what it looks for, the first item below
// decides. The first branch of a node is never compared: its bound is the node's
// own, further up.
//
// A full node is divided before a leaf below it is, from the root down, so that
// each change is complete in itself and may fail, when memory is exhausted,
// without anything to undo.
//
// # The index
//
// A linear hash table of segments. With n of them, 2^k ≤ n < 2^(k+1), a hash
// belongs to the segment of its low k+1 bits if there is one, else of its low k
// bits. A segment is added, by dividing one, for every 192 members, so the table
// grows by a piece at a time; segments differ in size, up to a factor of two, and
// their blocks with them.
//
//	 47      32 31  27 26          0
//	┌──────────┬──────┬────────────┐
//	│ tag      │ hint │ leaf's id  │  an entry: 6 bytes
//	└──────────┴──────┴────────────┘
//
// Entries stand in the order of their tags, the highest 16 bits of the hash, each
// at its home, tag × homes / 2^16, or behind it with no gap between; a search
// ends at a gap or a greater tag. 86 to 92 % of the slots are in use. The
// hint is the five bits of the hash from the segment's base on. They tell to which
// half an entry goes when the segment is divided; every fifth time they are used
// up, and the entries' members are hashed again.
//
// When items move to another leaf, their entries are told.
//
// # Invariants
//
// Check tests them:
//   - items are in order, throughout; the counts of all branches are right;
//   - bounds are as said above; no leaf of a set that is not empty is empty; the
//     root has two branches;
//   - every member is found through the index, which has no other entries.
//
// # Going away
//
// Free takes a set apart in steps: segments, leaves, nodes from the last to the
// first. Copy copies block by block; ids and hashes stay as they are.
//
// # Costs
//
// A member of 15 bytes with a whole score takes 28 bytes, however many there are:
// 19 to 20 in leaves, 7 in the index, 1 in nodes. ZSCORE touches a
// segment, the id, a leaf; ZRANK the nodes above it, too. Insertions of new
// members move 20 entries of the index to another leaf, and divide a segment, for
// every 20 and every 200 of them.
package zset
