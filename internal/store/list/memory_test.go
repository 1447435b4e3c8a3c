package list

import (
	"fmt"
	"testing"

	"sherd/internal/heap"
)

// fill makes a list of n elements of 16 bytes, in the encoding they lead to.
func fill(tb testing.TB, h *heap.Heap, n int, tail bool) List {
	l, _ := New(h, -2)
	var s []byte
	for i := range n {
		s = fmt.Appendf(s[:0], "element:%08d", i)
		if !l.Expect(1, len(s)) || !l.Push(tail, s) {
			tb.Fatal("out of memory")
		}
	}
	return l
}

// TestBytesPerElement holds what a list takes of the heap, its bookkeeping
// included, to its bound, whichever end it grows at.
func TestBytesPerElement(t *testing.T) {
	for _, c := range []struct {
		elements int
		most     float64
	}{{100, 24}, {1000, 23}, {10_000, 23}, {100_000, 19}, {700_000, 18.4}, {1_000_000, 18.4}, {1_500_000, 18.4}} {
		for _, tail := range []bool{true, false} {
			if c.elements > 100_000 && tail == (c.elements == 1_000_000) {
				continue
			}
			h := newHeap(t, 256<<20)
			l := fill(t, h, c.elements, tail)
			held := float64(h.Held()) / float64(c.elements)
			t.Logf("%7d elements, tail %v: %.2f bytes of heap each, %.2f used", c.elements, tail, held, float64(h.Used())/float64(c.elements))
			if c.elements >= 1000 && held > c.most || float64(h.Used())/float64(c.elements) > c.most {
				t.Errorf("%d elements take %.2f bytes each, want at most %.2f", c.elements, held, c.most)
			}
			if err := Check(h.Arena(), l.Encoding(), l.Ref()); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestShrinks removes most of a long list and looks at what is left of it.
func TestShrinks(t *testing.T) {
	h := newHeap(t, 256<<20)
	l, _ := New(h, -2)
	for i := range 300_000 {
		s := fmt.Appendf(nil, "element:%08d", i%10/9)
		l.Expect(1, len(s))
		l.Push(true, s)
	}
	w := NewSweep([]byte("element:00000000"), 1<<40, false)
	for !l.Sweep(&w, 4096) {
	}
	if l.Len() != 30_000 {
		t.Fatalf("%d elements are left", l.Len())
	}
	if each := float64(h.Held()) / 30_000; each > 28 {
		t.Errorf("%.1f bytes for each element that is left", each)
	}
	if err := Check(h.Arena(), l.Encoding(), l.Ref()); err != nil {
		t.Error(err)
	}
	// A queue that is filled and drained in turns.
	for range 200_000 {
		l.Push(true, []byte("element:00000002"))
		l.Drop(false, 1)
	}
	if each := float64(h.Held()) / 30_000; each > 28 {
		t.Errorf("%.1f bytes for each element of a queue", each)
	}
	l.Drop(true, 29_990)
	l.Settle()
	if l.Encoding() != Packed || h.Used() > 256 {
		t.Errorf("ten elements are a %s of %d bytes", EncodingName(l.Encoding()), h.Used())
	}
}

// TestExhausted fills the heap: whatever fails leaves the list as it was.
func TestExhausted(t *testing.T) {
	for _, large := range []bool{false, true} {
		h := newHeap(t, 8<<20)
		n := 100
		if large {
			n = 100_000
		}
		l := fill(t, h, n, true)
		for size := 64 << 10; size >= 8; size = size * 7 / 8 {
			for h.Alloc(size) != 0 {
			}
		}
		big := make([]byte, 20_000)
		refused := 0
		for i := range 2000 {
			was := l.Len()
			ok := true
			switch i % 5 {
			case 0:
				ok = l.Push(true, []byte("some more text, which takes its room"))
			case 1:
				ok = l.Push(false, []byte("some more text, which takes its room"))
			case 2:
				ok = l.Insert(l.Len()/2, []byte("some more text, which takes its room"))
			case 3:
				ok = l.Set(l.Len()/3, big)
				was--
			case 4:
				ok = l.Insert(7, big)
			}
			if !ok {
				refused++
			}
			if want := was + 1; ok && l.Len() != want || !ok && i%5 != 3 && l.Len() != was {
				t.Fatalf("step %d, %v: %d elements, had %d", i, ok, l.Len(), was)
			}
			if i%100 == 0 {
				if err := Check(h.Arena(), l.Encoding(), l.Ref()); err != nil {
					t.Fatal(err)
				}
			}
		}
		if refused == 0 {
			t.Error("nothing was refused")
		}
		if _, ok := Copy(h, h, l.Encoding(), l.Ref()); ok && large {
			t.Error("a copy found room")
		}
		l.Free()
		if err := h.Check(); err != nil {
			t.Error(err)
		}
	}
}
