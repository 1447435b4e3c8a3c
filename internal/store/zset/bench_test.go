package zset

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"sherd/internal/heap"
)

func benchMember(b []byte, i int) []byte { return fmt.Appendf(b[:0], "member:%08d", i) }

// order is how the items of a filled set come.
type order int

const (
	ascending order = iota
	shuffled
)

// fill makes a set of n members with integer scores.
func fill(tb testing.TB, n int, how order) Set {
	tb.Helper()
	s, ok := New(newHeap(tb, 4<<30), 15, 42, Limits{128, 64})
	if !ok {
		tb.Fatal("out of memory")
	}
	var at Spot
	var mb [32]byte
	r := rand.New(rand.NewPCG(1, 2))
	perm := []int(nil)
	if how == shuffled {
		perm = r.Perm(n)
	}
	for i := range n {
		k := i
		if perm != nil {
			k = perm[i]
		}
		m := benchMember(mb[:], k)
		if _, ok := s.Find(m, &at); ok || !s.Insert(m, float64(k), &at) {
			tb.Fatal("cannot insert")
		}
	}
	return s
}

// TestBytesPerElement holds the memory of a set to what doc.go says. The sizes lie
// so that the index and the tables of ids are caught in different states;
// BenchmarkBytes has larger ones.
func TestBytesPerElement(t *testing.T) {
	for _, how := range []order{ascending, shuffled} {
		for _, n := range []int{14_000, 20_000, 30_000} {
			if b := bytesPerElement(t, n, how); b > 30 {
				t.Errorf("%d members in order %d: %.2f bytes each", n, how, b)
			}
		}
	}
}

func BenchmarkBytes(b *testing.B) {
	for _, how := range []order{ascending, shuffled} {
		for _, n := range []int{700_000, 1_000_000, 1_500_000} {
			b.Run(fmt.Sprintf("%d/%d", how, n), func(b *testing.B) {
				for b.Loop() {
					b.ReportMetric(bytesPerElement(b, n, how), "B/element")
				}
			})
		}
	}
}

func bytesPerElement(tb testing.TB, n int, how order) float64 {
	s := fill(tb, n, how)
	tr := s.tree()
	per := func(b int64) float64 { return float64(b) / float64(n) }
	leaves := int64(0)
	for id := uint32(1); id < tr.r.leaves.count; id++ {
		leaves += int64(tr.leaf(id).room())
	}
	index := tr.r.segments.sizeBytes()
	for i := range tr.r.segments.count {
		index += int64(heap.ClassSize(tr.segment(i).sizeBytes() + 2))
	}
	tb.Logf("%d members: %.2f bytes, %.2f of the heap's units: leaves %.2f, index %.2f, nodes %.2f, ids %.2f; %d leaves, height %d",
		n, per(s.h.Used()), per(s.h.Held()), per(leaves), per(index), per(tr.nodeBytes(tr.r.top, int(tr.r.height))),
		per(tr.r.leaves.sizeBytes()), tr.r.leaves.count-1, tr.r.height)
	return per(s.h.Used())
}

func BenchmarkAdd(b *testing.B) {
	for _, how := range []order{ascending, shuffled} {
		for _, n := range []int{10_000, 1_000_000} {
			b.Run(fmt.Sprintf("%d/%d", how, n), func(b *testing.B) {
				for b.Loop() {
					fill(b, n, how)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/add")
			})
		}
	}
}

func BenchmarkLarge(b *testing.B) {
	const n = 1_000_000
	s := fill(b, n, shuffled)
	r := rand.New(rand.NewPCG(1, 2))
	var at Spot
	var mb [32]byte
	draw := func() []byte { return benchMember(mb[:], r.IntN(n)) }
	b.Run("draw", func(b *testing.B) {
		for b.Loop() {
			draw()
		}
	})
	b.Run("score", func(b *testing.B) {
		for b.Loop() {
			if _, ok := s.Find(draw(), &at); !ok {
				b.Fatal()
			}
		}
	})
	b.Run("rank", func(b *testing.B) {
		for b.Loop() {
			m := draw()
			s.Find(m, &at)
			s.Rank(m, &at)
		}
	})
	b.Run("range10", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			it := s.Iter(r.Int64N(n-10), false)
			for range 10 {
				it.Next()
				_ = it.Member()
				_ = it.Score()
			}
		}
	})
	b.Run("count", func(b *testing.B) {
		for b.Loop() {
			s.CountScore(float64(r.IntN(n)), true)
		}
	})
	b.Run("update", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			m := draw()
			s.Find(m, &at)
			s.Update(m, float64(r.IntN(n)), &at)
		}
	})
	b.Run("popadd", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			it := s.Iter(0, false)
			it.Next()
			m := append(mb[:0], it.Member()...)
			s.RemoveRange(0, 1)
			s.Find(m, &at)
			s.Insert(m, float64(r.IntN(n)), &at)
		}
	})
}
