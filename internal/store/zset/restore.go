package zset

import (
	"math"
	"strconv"
	"unsafe"

	"sherd/internal/heap"
	"sherd/internal/store/listpack"
)

// A sorted set is restored from the bytes of the small form, or member by member.

// Small returns the bytes of a small set, which stay as they are until its next
// change.
func (s *Set) Small() []byte { return s.bytes() }

// NewLarge makes an empty set in the large form; false: out of memory.
func NewLarge(h *heap.Heap, seed uint64, limits Limits) (Set, bool) {
	s := Set{h: h, limits: limits, seed: seed, enc: Tree, ref: newTree(h, seed)}
	return s, s.ref != 0
}

// PutPacked makes a set of a listpack, which must be valid, in order, and have no
// member twice; false: out of memory.
func PutPacked(h *heap.Heap, p []byte, seed uint64, limits Limits) (Set, bool) {
	s := Set{h: h, limits: limits, seed: seed, enc: Packed, ref: listpack.Put(h, p)}
	return s, s.ref != 0
}

// PackedScore reads the score at a place of a listpack from outside; false if there
// is none that is a number.
func PackedScore(p []byte, at int) (float64, bool) {
	if n, ok := listpack.Int(p, at); ok {
		return float64(n), true
	}
	b := listpack.Get(p, at, nil)
	if len(b) == 0 || len(b) > 64 {
		return 0, false
	}
	// The string lives for the call only.
	f, err := strconv.ParseFloat(unsafe.String(unsafe.SliceData(b), len(b)), 64)
	return f, err == nil && !math.IsNaN(f)
}

// Free frees a set that is empty, or was never stored.
func (s *Set) Free() {
	for ref := s.ref; ref != 0; {
		ref = Free(s.h, s.enc, ref, 1<<20)
	}
}
