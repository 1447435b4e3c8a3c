// Package stream keeps streams: entries in the order of their IDs, added at the
// end, read from anywhere, deleted here and there and trimmed from the front; and
// the groups of consumers that share them.
//
// # Terms
//
//	ID        a millisecond and a number within it
//	entry     an ID and pairs of fields and values
//	node      some entries in a row; as many as Limits allow
//	master    what a node begins with: the fields of its first entry
//	group     a name, the last ID delivered, its consumers and what is pending
//	pending   an entry that was delivered to a consumer and not acknowledged
//	released  a pending entry that was taken from its consumer, and is nobody's
//	order     a group's pending entries by the time of their delivery; see order.go
//	idem      what producers called the entries that they added; see idem.go
//	index     records by ID, in pages; used for nodes and for what is pending
//
// # Layout
//
//	root ──┬─ index of nodes ─ pages ─ node, node, …
//	       ├─ names of groups ─ group ─┬─ index of pending entries
//	       │                           ├─ names of consumers ─ consumer ─ index of its own
//	       │                           └─ order
//	       └─ idem ─ names of producers ─ producer ─ names of entries
//
//	root      │ length │ last ID │ first ID │ max deleted ID │ added │ index │ names │ idem │
//	group     │ last ID │ read │ index │ names │ order │ turn │ released │ flags │ name │
//	consumer  │ seen │ active │ index │ name │
//
// A node is what Redis has in a listpack, and with which its dumps carry it, less all
// that can be told from the rest:
//
//	head    │ bytes │ bytes as a listpack │ live │ deleted │        4 bytes each
//	master  │ n │ field 1 … field n │
//	entry   │ flags │ ms │ seq │ value 1 … value n │ length │          same fields
//	        │ flags │ ms │ seq │ n │ field │ value │ … │ length │     other fields
//	end     │ 0xFF │
//
// The elements are those of a listpack without the lengths behind them; the length at
// an entry's end is that of the whole entry, to be read backwards. ms and seq are less
// the ID that the node has in the index, that of its first entry. Flag 1 says that the
// entry is deleted, flag 2 that its fields are the master's. Where a node ends is
// decided by the bytes of its listpack, so that it ends where Redis' does.
//
// # Adding, deleting
//
// An entry goes into the last node, if that has neither as many bytes nor as many
// entries as Limits say; deleted ones count. A node grows by half and is cut to
// its length when the next one is begun, so only one of a stream has slack. Deleting
// marks; a node without a live entry is freed. Trimming frees nodes from the front
// and marks within the first one left.
//
// Nothing else refers to nodes, groups or consumers than their parents, and, by its
// Ref, a pending entry to its consumer. The root, groups and consumers never move.
//
// # Invariants
//
// Check tests them:
//   - IDs ascend over all nodes, deleted entries among them; none is greater than
//     the last ID;
//   - the counts in a node's head are those of its entries, and the lengths add up to the
//     root's; first ID is the first live entry's;
//   - a group has the pending entries of its consumers and those that were released,
//     and each of them exactly one; if it has an order, all are in it;
//   - a producer's labels are found by name, and are in the order in which they came.
//
// # Costs
//
// An entry with two integers of three digits under known fields takes 8 bytes, and a
// hundred of them share a record of 24 bytes and a block's slack, at most an eighth:
// 8.7 bytes in all, where Redis 7.0 takes 15.7; with two integers that grow to a
// million, 13.2, of which the numbers are 8. A listpack would be 6 more. A pending
// entry takes 64 bytes in full pages, and 32 more where the group keeps its order.
// Finding an ID takes two binary searches and half a node. What is long is done in
// steps: Trim, TrimRefs, Order, Clear, DropGroup, DropConsumer and Free take a budget,
// and Count and Rest tell beforehand how much there is.
package stream
