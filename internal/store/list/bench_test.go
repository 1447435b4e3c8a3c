package list

import (
	"fmt"
	"testing"
)

var benchSizes = []int{100, 10_000, 1_000_000}

// BenchmarkPushPop pushes an element and pops one at the same end, at the ends
// in turn.
func BenchmarkPushPop(b *testing.B) {
	for _, n := range benchSizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			l := fill(b, newHeap(b, 256<<20), n, true)
			s := []byte("element:12345678")
			for i := 0; b.Loop(); i++ {
				l.Push(i&64 == 0, s)
				l.Drop(i&64 == 0, 1)
			}
		})
	}
}

// BenchmarkPush grows a list from nothing to a million elements, again and again.
func BenchmarkPush(b *testing.B) {
	for _, tail := range []bool{true, false} {
		b.Run(map[bool]string{true: "tail", false: "head"}[tail], func(b *testing.B) {
			h := newHeap(b, 256<<20)
			s := []byte("element:12345678")
			l, _ := New(h, -2)
			for i := 0; b.Loop(); i++ {
				if i%1_000_000 == 999_999 {
					l.Drop(true, 1<<40)
				}
				l.Expect(1, len(s))
				l.Push(tail, s)
			}
		})
	}
}

// BenchmarkQueue pushes at the tail and pops at the head.
func BenchmarkQueue(b *testing.B) {
	for _, n := range benchSizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			l := fill(b, newHeap(b, 256<<20), n, true)
			s := []byte("element:12345678")
			var scratch [24]byte
			for b.Loop() {
				l.Push(true, s)
				if _, ok := l.At(0, &scratch); !ok {
					b.Fatal("empty")
				}
				l.Drop(false, 1)
			}
		})
	}
}

func BenchmarkAt(b *testing.B) {
	for _, n := range benchSizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			l := fill(b, newHeap(b, 256<<20), n, true)
			var scratch [24]byte
			x := uint32(1)
			for b.Loop() {
				x = x*1664525 + 1013904223
				l.At(int(uint64(x)*uint64(n)>>32), &scratch)
			}
		})
	}
}

// BenchmarkRange reads a hundred elements from the head.
func BenchmarkRange(b *testing.B) {
	l := fill(b, newHeap(b, 256<<20), 10_000, true)
	var scratch [24]byte
	for b.Loop() {
		n := 0
		for it := l.Iter(0, false); n < 100 && it.Next(); n++ {
			if len(it.Bytes(&scratch)) != 16 {
				b.Fatal("wrong")
			}
		}
	}
}

func BenchmarkInsertMiddle(b *testing.B) {
	l := fill(b, newHeap(b, 256<<20), 100_000, true)
	s := []byte("element:12345678")
	for b.Loop() {
		l.Insert(50_000, s)
		l.Drop(true, 1)
	}
}
