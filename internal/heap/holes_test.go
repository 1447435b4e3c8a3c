package heap

import (
	"math/rand/v2"
	"testing"
)

func TestUnitsShorter(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		s := units{rnd.Uint64() | rnd.Uint64(), rnd.Uint64() | rnd.Uint64()}
		n := 1 + rnd.UintN(20)
		var want units
		for u := uint(0); u < chunkUnits; {
			run := uint(0)
			for u+run < chunkUnits && s.has(u+run) {
				run++
			}
			if run > 0 && run < n {
				want = want.or(unitRange(u, run))
			}
			u += run + 1
		}
		if got := s.shorter(n); got != want {
			t.Fatalf("%x without runs of %d: %x, want %x", s, n, got, want)
		}
	}
}

// TestHolesAreFilled lets blocks of a table grow in steps beside a growing
// number of small blocks: what the table leaves behind must be used before fresh
// memory is.
func TestHolesAreFilled(t *testing.T) {
	a := newArena(t, 64<<20)
	var h Heap
	h.Init(a)
	sizes := []int{4096, 4608, 5120, 5632, 6144, 6656, 7168, 7680, 8192}
	type block struct {
		r    Ref
		step int
	}
	var tables []block
	for i := range 20000 {
		h.Alloc(48)
		if i%100 != 0 {
			continue
		}
		if i%800 == 0 {
			tables = append(tables, block{h.Alloc(sizes[0]), 0})
		}
		b := &tables[i/100%len(tables)]
		if b.step+1 < len(sizes) {
			n := h.Alloc(sizes[b.step+1])
			h.Free(b.r, sizes[b.step])
			b.r = n
			b.step++
		}
	}
	if share := float64(h.idle) / float64(h.Held()); share > 0.02 {
		t.Fatalf("%d of %d bytes are touched and free, %.1f %%", h.idle, h.Held(), share*100)
	}
}
