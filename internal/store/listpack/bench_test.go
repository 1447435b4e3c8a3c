package listpack

import (
	"fmt"
	"testing"
)

func BenchmarkAppend(b *testing.B) {
	h := newHeap(b, 64<<20)
	s := []byte("field:00000001")
	ref := New(h)
	for i := 0; b.Loop(); i++ {
		if i%20 == 19 {
			ref, _ = Delete(h, ref, headerSize, 100)
		}
		ref, _ = Append(h, ref, s)
	}
}

func BenchmarkFind(b *testing.B) {
	p := Empty(nil)
	for i := range 20 {
		p = AppendValue(AppendValue(p, fmt.Appendf(nil, "field:%d", i)), fmt.Appendf(nil, "value:%d", i))
	}
	s := []byte("field:19")
	for b.Loop() {
		if Find(p, First(p), s, 1) < 0 {
			b.Fatal("not found")
		}
	}
}

func BenchmarkSeek(b *testing.B) {
	p := Empty(nil)
	for i := range 450 {
		p = AppendValue(p, fmt.Appendf(nil, "element:%08d", i))
	}
	for b.Loop() {
		if Seek(p, 220) < 0 {
			b.Fatal("not found")
		}
	}
}
