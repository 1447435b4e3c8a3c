package hash

import (
	"sherd/internal/heap"
	"sherd/internal/store/linhash"
	"sherd/internal/store/listpack"
)

// A hash is restored from the bytes of a small form, or field by field.

// Small returns the bytes of a hash that is not a table, which stay as they are until
// its next change.
func (s *Hash) Small() []byte { return s.packed() }

// NewTable makes an empty hash in its large form. False: out of memory.
func NewTable(h *heap.Heap, nowMs int64, lim *Limits) (s Hash, ok bool) {
	s = Hash{h: h, enc: Hashed, nowMs: nowMs}
	if s.table, ok = linhash.New(h, true, lim.Seed); ok {
		s.ref = s.table.Ref()
	}
	return s, ok
}

// PutPacked makes a hash of a listpack in the form of an encoding, which is not
// Hashed. The listpack must be valid and have no field twice. False: out of memory.
func PutPacked(h *heap.Heap, enc uint8, p []byte, nowMs int64) (Hash, bool) {
	s := Hash{h: h, enc: enc, ref: listpack.Put(h, p), nowMs: nowMs}
	return s, s.ref != 0
}

// Deadlines returns the number of fields that have a deadline.
func (s *Hash) Deadlines() (n int) {
	switch s.enc {
	case Packed:
		return 0
	case Hashed:
		return s.table.Dated() - s.table.Overdue(s.nowMs)
	}
	for it := s.Iter(); it.Next(); {
		if it.DeadlineMs() != 0 {
			n++
		}
	}
	return n
}
