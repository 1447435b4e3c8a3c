package stream

import (
	"encoding/binary"

	"sherd/internal/heap"
)

// A node is some entries in a row; see the package's comment. Its record in the
// index is the ID of the first entry it was made for, and where it is.
type node struct {
	ref  heap.Ref
	room int // bytes of its block
}

// The room of a node stands above its Ref, in units of 8.
func (n node) word() uint64 { return uint64(n.ref) | uint64(n.room)>>3<<35 }

func nodeOf(w uint64) node { return node{heap.Ref(w & refMask), int(w >> 35 << 3)} }

// The head of a node, of four numbers.
const (
	nodeTotal   = 0  // bytes of the node
	nodePacked  = 4  // bytes that it takes as a listpack
	nodeLive    = 8  // entries
	nodeDeleted = 12 // entries that are marked as deleted
	nodeHead    = 16
)

// endMark stands behind the last entry of a node.
const endMark = 0xff

// Flags of an entry.
const (
	flagDeleted = 1
	flagSame    = 2 // the fields are the master's
)

// maxNode bounds a node's listpack, as Redis bounds it.
const maxNode = 1 << 30

// view returns the bytes of a node.
func (n node) view(a *heap.Arena) []byte {
	return a.Bytes(n.ref, int(binary.LittleEndian.Uint32(a.Bytes(n.ref, nodeHead))))
}

func liveIn(p []byte) int64    { return int64(get32(p, nodeLive)) }
func deletedIn(p []byte) int64 { return int64(get32(p, nodeDeleted)) }

// addCounts changes how many entries of a node are there and are deleted.
func addCounts(p []byte, live, deleted int64) {
	l, d := liveIn(p), deletedIn(p)
	grow := packedNumber(l+live) - packedNumber(l) + packedNumber(d+deleted) - packedNumber(d)
	put32(p, nodeLive, int(l+live))
	put32(p, nodeDeleted, int(d+deleted))
	put32(p, nodePacked, get32(p, nodePacked)+grow)
}

// A master is the beginning of a node: what all its entries share.
type master struct {
	fields   int
	fieldsAt int // place of the first field
	firstAt  int // place of the first entry
}

func readMaster(p []byte) (m master) {
	var n int64
	n, m.fieldsAt = number(p, nodeHead)
	m.fields = int(n)
	m.firstAt = skip(p, m.fieldsAt, m.fields)
	return m
}

// An entry as it lies in a node.
type entry struct {
	flags    byte
	ms, seq  int64 // less the node's
	fields   int
	fieldsAt int // of the first field, or of the first value if same
	at       int // its first element
}

func (e *entry) same() bool    { return e.flags&flagSame != 0 }
func (e *entry) deleted() bool { return e.flags&flagDeleted != 0 }

func (e *entry) id(base ID) ID { return ID{base.Ms + uint64(e.ms), base.Seq + uint64(e.seq)} }

// readEntry reads the entry at a place, but for its fields.
func readEntry(p []byte, at int, m *master) (e entry) {
	e.at = at
	e.flags = p[at]
	e.ms, at = number(p, at+1)
	e.seq, at = number(p, at)
	e.fields = m.fields
	if !e.same() {
		var n int64
		n, at = number(p, at)
		e.fields = int(n)
	}
	e.fieldsAt = at
	return e
}

// elements is how many fields and values the entry has of its own.
func (e *entry) elements() int {
	if e.same() {
		return e.fields
	}
	return 2 * e.fields
}

// end returns the place of what follows the entry.
func (e *entry) end(p []byte) int {
	at := skip(p, e.fieldsAt, e.elements())
	if n := at - e.at; n > 127 {
		return at + backSize(n)
	}
	return at + 1
}

// entryBefore returns the place of the entry that ends at a place.
func entryBefore(p []byte, end int) int {
	n, at := back(p, end)
	return at - n
}

// lastIn returns the ID of a node's last entry, which may be a deleted one.
func lastIn(p []byte, base ID) ID {
	m := master{} // only what comes before the fields is looked at
	e := readEntry(p, entryBefore(p, len(p)-1), &m)
	return e.id(base)
}

// resize moves a node to a block of so many bytes.
func (s *Stream) resize(n *node, size int) bool {
	size = heap.ClassSize(size)
	ref := s.h.Grow(n.ref, n.room, size)
	if ref == 0 {
		return false
	}
	n.ref, n.room = ref, size
	return true
}
