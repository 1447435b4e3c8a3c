package set

import (
	"encoding/binary"
	"errors"
	"slices"
	"strconv"

	"sherd/internal/heap"
	"sherd/internal/store/linhash"
	"sherd/internal/store/listpack"
)

// A set is restored from the bytes of a small form, or member by member.

var errInts = errors.New("set: corrupt intset")

// Small returns the bytes of a set that is not a table, which stay as they are until
// its next change. Those of an intset that has slack say so in their first word.
func (s *Set) Small() []byte {
	if s.enc == Ints {
		return s.ints()
	}
	return s.packed()
}

// CleanInts returns the bytes of an intset as they are without slack.
func CleanInts(p []byte) []byte {
	if width := intsetWidth(p); binary.LittleEndian.Uint32(p) != uint32(width) {
		p = slices.Clone(p)
		setIntsetHead(p, width, intsetLen(p))
	}
	return p
}

// NewTable makes an empty set in its large form. False: out of memory.
func NewTable(h *heap.Heap, lim *Limits) (s Set, ok bool) {
	s = Set{h: h, enc: Hashed}
	if s.table, ok = linhash.New(h, false, lim.Seed); ok {
		s.ref = s.table.Ref()
	}
	return s, ok
}

// PutPacked makes a set of a listpack, which must be valid and have no member twice.
// False: out of memory.
func PutPacked(h *heap.Heap, p []byte) (Set, bool) {
	s := Set{h: h, enc: Packed, ref: listpack.Put(h, p)}
	return s, s.ref != 0
}

// PutInts makes a set of an intset, which must be valid. False: out of memory.
func PutInts(h *heap.Heap, p []byte) (Set, bool) {
	s := Set{h: h, enc: Ints, ref: h.Alloc(len(p))}
	if s.ref != 0 {
		copy(h.Arena().Bytes(s.ref, len(p)), p)
	}
	return s, s.ref != 0
}

// IntsLen returns how many integers an intset from outside has, if its length is
// right. Whether they ascend is for IntsAscend to say.
func IntsLen(p []byte) (int, error) {
	if len(p) < intsetHead {
		return 0, errInts
	}
	width := binary.LittleEndian.Uint32(p)
	if width != 2 && width != 4 && width != 8 {
		return 0, errInts
	}
	n := int64(binary.LittleEndian.Uint32(p[4:]))
	if int64(len(p)) != intsetHead+n*int64(width) {
		return 0, errInts
	}
	return int(n), nil
}

// IntsAscend tells whether those of an intset's integers that have an index from one
// on to before another are greater, each, than the one before.
func IntsAscend(p []byte, from, to int) bool {
	for i := max(from, 1); i < to; i++ {
		if intsetAt(p, i-1) >= intsetAt(p, i) {
			return false
		}
	}
	return true
}

// IntsAt returns an integer of an intset as text in scratch.
func IntsAt(p []byte, i int, scratch *[24]byte) []byte {
	return strconv.AppendInt(scratch[:0], intsetAt(p, i), 10)
}
