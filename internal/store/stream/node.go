package stream

import (
	"sherd/internal/heap"
	"sherd/internal/store/listpack"
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

// Flags of an entry.
const (
	flagDeleted = 1
	flagSame    = 2 // the fields are the master's
)

// maxNode bounds a node, as Redis bounds it.
const maxNode = 1 << 30

// A master is the beginning of a node: what all its entries share.
type master struct {
	live, deleted int64
	deletedAt     int // place of deleted
	fields        int
	fieldsAt      int // place of the first field
	firstAt       int // place of the first entry
}

// readMaster reads the counts only.
func readCounts(p []byte) (m master) {
	m.live, m.deletedAt = number(p, listpack.HeaderSize)
	var n int64
	m.deleted, m.fieldsAt = number(p, m.deletedAt)
	n, m.fieldsAt = number(p, m.fieldsAt)
	m.fields = int(n)
	return m
}

func readMaster(p []byte) master {
	m := readCounts(p)
	m.firstAt = skip(p, m.fieldsAt, m.fields+1) // and the terminator
	return m
}

// An entry as it lies in a node.
type entry struct {
	flags    int64
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
	e.flags, at = number(p, at)
	e.ms, at = number(p, at)
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

// end returns the place of what follows the entry.
func (e *entry) end(p []byte) int {
	n := e.fields
	if !e.same() {
		n *= 2
	}
	return skip(p, e.fieldsAt, n+1)
}

// entryBefore returns the place of the entry that ends at a place.
func entryBefore(p []byte, end int) int {
	at := listpack.Prev(p, end)
	n, _ := number(p, at)
	for range n {
		at = listpack.Prev(p, at)
	}
	return at
}

// setNumber writes another integer over the one at a place of a node, which may
// get longer or shorter by it, and returns by how much. False: it would have to
// grow beyond its block, and memory is exhausted.
func (s *Stream) setNumber(n *node, at int, v int64) (int, bool) {
	p := listpack.View(s.a, n.ref)
	_, next := number(p, at)
	grow := numberSize(v) - (next - at)
	if grow != 0 {
		total := len(p)
		if total+grow > n.room && !s.resize(n, total+grow) {
			return 0, false
		}
		p = s.a.Bytes(n.ref, max(total, total+grow))
		copy(p[next+grow:], p[next:total])
		listpack.SetHeader(p, total+grow, listpack.Len(p))
		p = p[:total+grow]
	}
	putNumber(p[at:], v)
	return grow, true
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
