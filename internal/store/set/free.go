package set

import (
	"encoding/binary"
	"fmt"

	"sherd/internal/heap"
	"sherd/internal/store/linhash"
	"sherd/internal/store/listpack"
)

// Free frees about budget blocks of a set and returns what is left of it, to be
// freed later, 0 when nothing is.
func Free(h *heap.Heap, enc uint8, ref heap.Ref, budget int) heap.Ref {
	switch enc {
	case Ints:
		h.Free(ref, intsetSize(h.Arena().Bytes(ref, intsetHead)))
		return 0
	case Packed:
		listpack.Free(h, ref)
		return 0
	}
	return linhash.Free(h, ref, budget)
}

// freeAll frees a small form, or an empty set.
func (s *Set) freeAll() {
	for ref := s.ref; ref != 0; {
		ref = Free(s.h, s.enc, ref, 1<<20)
	}
}

// Free frees a set that is empty, or was never stored.
func (s *Set) Free() { s.freeAll() }

func freeTable(h *heap.Heap, ref heap.Ref) {
	for ref != 0 {
		ref = linhash.Free(h, ref, 1<<20)
	}
}

// Copy makes a copy of a set in another heap, or the same. False: out of memory,
// and nothing is left behind.
func Copy(to, from *heap.Heap, enc uint8, ref heap.Ref) (heap.Ref, bool) {
	switch enc {
	case Ints:
		p := intsetView(from.Arena(), ref)
		r := to.Alloc(len(p))
		if r != 0 {
			q := to.Arena().Bytes(r, len(p))
			copy(q, p)
			setIntsetHead(q, intsetWidth(p), intsetLen(p))
		}
		return r, r != 0
	case Packed:
		r := listpack.Copy(to, from, ref)
		return r, r != 0
	}
	return linhash.Copy(to, from, ref)
}

// SizeBytes returns the heap bytes of a set, in class sizes.
func SizeBytes(a *heap.Arena, enc uint8, ref heap.Ref) int64 {
	switch enc {
	case Ints:
		return int64(heap.ClassSize(intsetSize(a.Bytes(ref, intsetHead))))
	case Packed:
		return int64(heap.ClassSize(listpack.Size(a, ref)))
	}
	return linhash.SizeBytes(a, ref)
}

// Check walks a set and reports the first contradiction. It is for tests.
func Check(a *heap.Arena, enc uint8, ref heap.Ref) error {
	switch enc {
	case Ints:
		p := intsetView(a, ref)
		if w := intsetWidth(p); w != 2 && w != 4 && w != 8 {
			return fmt.Errorf("set: integers of %d bytes (%x)", w, binary.LittleEndian.Uint32(p))
		}
		for i := 1; i < intsetLen(p); i++ {
			if intsetAt(p, i-1) >= intsetAt(p, i) {
				return fmt.Errorf("set: %d stands before %d", intsetAt(p, i-1), intsetAt(p, i))
			}
		}
		return nil
	case Packed:
		return listpack.Validate(listpack.View(a, ref))
	case Hashed:
		return linhash.Check(a, ref)
	}
	return fmt.Errorf("set: encoding %d", enc)
}
