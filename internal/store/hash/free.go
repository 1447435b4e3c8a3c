package hash

import (
	"fmt"

	"sherd/internal/heap"
	"sherd/internal/store/linhash"
	"sherd/internal/store/listpack"
)

// Free frees about budget blocks of a hash and returns what is left of it, to be
// freed later, 0 when nothing is.
func Free(h *heap.Heap, enc uint8, ref heap.Ref, budget int) heap.Ref {
	if enc == Hashed {
		return linhash.Free(h, ref, budget)
	}
	listpack.Free(h, ref)
	return 0
}

// Free frees a hash that is empty, or was never stored.
func (s *Hash) Free() {
	for ref := s.ref; ref != 0; {
		ref = Free(s.h, s.enc, ref, 1<<20)
	}
}

// Copy makes a copy of a hash in another heap, or the same. False: out of memory,
// and nothing is left behind.
func Copy(to, from *heap.Heap, enc uint8, ref heap.Ref) (heap.Ref, bool) {
	if enc == Hashed {
		return linhash.Copy(to, from, ref)
	}
	r := listpack.Copy(to, from, ref)
	return r, r != 0
}

// SizeBytes returns the heap bytes of a hash, in class sizes.
func SizeBytes(a *heap.Arena, enc uint8, ref heap.Ref) int64 {
	if enc == Hashed {
		return linhash.SizeBytes(a, ref)
	}
	return int64(heap.ClassSize(listpack.Size(a, ref)))
}

// Check walks a hash and reports the first contradiction. It is for tests.
func Check(a *heap.Arena, enc uint8, ref heap.Ref) error {
	if enc == Hashed {
		return linhash.Check(a, ref)
	}
	p := listpack.View(a, ref)
	if err := listpack.Validate(p); err != nil {
		return err
	}
	stride := 2
	if enc == Dated {
		stride = 3
	}
	if n := listpack.Len(p); n%stride != 0 {
		return fmt.Errorf("hash: %d elements in a listpack of %s", n, EncodingName(enc))
	}
	if enc == Packed {
		return nil
	}
	for at := listpack.Seek(p, 2); at >= 0; {
		if _, ok := listpack.Int(p, at); !ok {
			return fmt.Errorf("hash: a deadline is no integer")
		}
		for range stride {
			if at = listpack.Next(p, at); at < 0 {
				break
			}
		}
	}
	return nil
}
