package zset

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sherd/internal/heap"
)

// pair is a member of the model, which is a sorted slice.
type pair struct {
	member string
	score  float64
}

func (p pair) compare(q pair) int {
	switch {
	case p.score < q.score:
		return -1
	case p.score > q.score:
		return 1
	}
	return strings.Compare(p.member, q.member)
}

type model []pair

func (m model) at(member string) int {
	return slices.IndexFunc(m, func(p pair) bool { return p.member == member })
}

func (m *model) insert(p pair) {
	i := sort.Search(len(*m), func(i int) bool { return (*m)[i].compare(p) > 0 })
	*m = slices.Insert(*m, i, p)
}

func newHeap(tb testing.TB, bytes int64) *heap.Heap {
	tb.Helper()
	a, err := heap.NewArena(bytes)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = a.Close() })
	var h heap.Heap
	h.Init(a)
	return &h
}

// pairing is a set and its model.
type pairing struct {
	Set
	model
}

func (p *pairing) check() error {
	a := p.h.Arena()
	if err := Check(a, p.enc, p.ref); err != nil {
		return err
	}
	if err := p.h.Check(); err != nil {
		return err
	}
	if got := SizeBytes(a, p.enc, p.ref); got != p.h.Used() {
		return fmt.Errorf("SizeBytes says %d, the heap %d", got, p.h.Used())
	}
	if int(p.Len()) != len(p.model) {
		return fmt.Errorf("%d members, want %d", p.Len(), len(p.model))
	}
	it := p.Iter(0, false)
	for i, want := range p.model {
		if !it.Next() || string(it.Member()) != want.member || it.Score() != want.score {
			return fmt.Errorf("member %d: want %q %v", i, want.member, want.score)
		}
	}
	if it.Next() {
		return fmt.Errorf("more members than %d", len(p.model))
	}
	it = p.Iter(int64(len(p.model))-1, true)
	for i := len(p.model) - 1; i >= 0; i-- {
		want := p.model[i]
		if !it.Next() || string(it.Member()) != want.member || it.Score() != want.score {
			return fmt.Errorf("backwards, member %d: want %q %v", i, want.member, want.score)
		}
	}
	if it.Next() {
		return fmt.Errorf("backwards, more members than %d", len(p.model))
	}
	return nil
}

// put is ZADD of one pair; false: out of memory.
func (p *pairing) put(member string, score float64) bool {
	var at Spot
	m := []byte(member)
	old, ok := p.Find(m, &at)
	i := p.at(member)
	if ok != (i >= 0) || ok && old != p.model[i].score {
		panic(fmt.Sprintf("%q: found %v with %v, model %d", member, ok, old, i))
	}
	if !ok {
		if !p.Insert(m, score, &at) {
			return false
		}
		p.insert(pair{member, score})
		return true
	}
	if !p.Update(m, score, &at) {
		return false
	}
	if score != old {
		p.model = slices.Delete(p.model, i, i+1)
		p.insert(pair{member, score})
	}
	return true
}

func (p *pairing) delete(member string) {
	var at Spot
	m := []byte(member)
	if _, ok := p.Find(m, &at); ok {
		p.Remove(m, &at)
		i := p.at(member)
		p.model = slices.Delete(p.model, i, i+1)
	}
}

var someScores = []float64{
	0, math.Copysign(0, -1), 1, 2, 3, -1, 1.5, 255, 256, 65536, 1 << 32, 1 << 53, 1<<53 + 2, -1 << 53, 1e300,
	math.Inf(1), math.Inf(-1), math.MaxFloat64, math.SmallestNonzeroFloat64, 1e15, 1e17,
}

func scoreGen() *rapid.Generator[float64] {
	return rapid.OneOf(
		rapid.Map(rapid.IntRange(-5, 300), func(n int) float64 { return float64(n) }),
		rapid.SampledFrom(someScores),
		rapid.Float64(),
	)
}

func memberGen() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.StringMatching(`[ab]{0,3}`),
		rapid.Map(rapid.IntRange(0, 400), func(n int) string { return fmt.Sprintf("member:%08d", n) }),
		rapid.Map(rapid.IntRange(-50, 50), func(n int) string { return fmt.Sprint(n) }),
		rapid.Map(rapid.IntRange(0, 60), func(n int) string { return strings.Repeat("x", 4*n) }),
		rapid.SampledFrom([]string{"\x00", "\x00\x00", "a\x00", strings.Repeat("l", 127), strings.Repeat("l", 128), strings.Repeat("long", 500)}),
	)
}

// run does generated operations on a set and its model.
func run(r *rapid.T, p *pairing) {
	steps := 0
	batch := func(r *rapid.T) {
		n := rapid.IntRange(1, 120).Draw(r, "n")
		from := rapid.IntRange(0, 2000).Draw(r, "from")
		step := rapid.SampledFrom([]int{1, -1, 7}).Draw(r, "step")
		scale := rapid.SampledFrom([]float64{0, 1, 1000, 0.25, -1}).Draw(r, "scale")
		for i := range n {
			k := from + i*step
			p.put(fmt.Sprintf("member:%08d", k), float64(k)*scale)
		}
	}
	r.Repeat(map[string]func(*rapid.T){
		"add":   batch,
		"again": batch,
		"put": func(r *rapid.T) {
			p.put(memberGen().Draw(r, "member"), scoreGen().Draw(r, "score"))
		},
		"move": func(r *rapid.T) {
			if len(p.model) > 0 {
				i := rapid.IntRange(0, len(p.model)-1).Draw(r, "i")
				p.put(p.model[i].member, scoreGen().Draw(r, "score"))
			}
		},
		"remove": func(r *rapid.T) {
			for range rapid.IntRange(1, 40).Draw(r, "n") {
				if len(p.model) > 0 {
					p.delete(p.model[rapid.IntRange(0, len(p.model)-1).Draw(r, "i")].member)
				}
			}
			p.delete(memberGen().Draw(r, "member"))
		},
		"range": func(r *rapid.T) {
			from := rapid.IntRange(0, len(p.model)).Draw(r, "from")
			n := rapid.IntRange(0, len(p.model)-from).Draw(r, "n")
			if rapid.Bool().Draw(r, "all but one") {
				from, n = min(from, 1), max(len(p.model)-1, 0)
			}
			n = min(n, len(p.model)-from)
			p.RemoveRange(int64(from), int64(n))
			p.model = slices.Delete(p.model, from, from+n)
		},
		"unpack": func(*rapid.T) { p.Unpack() },
		"pack":   func(*rapid.T) { p.Pack() },
		"count": func(r *rapid.T) {
			s, eq := scoreGen().Draw(r, "score"), rapid.Bool().Draw(r, "orEqual")
			want := int64(0)
			for _, q := range p.model {
				if q.score < s || eq && q.score == s {
					want++
				}
			}
			if got := p.CountScore(s, eq); got != want {
				r.Fatalf("CountScore(%v, %v) = %d, want %d", s, eq, got, want)
			}
		},
		"rank": func(r *rapid.T) {
			if len(p.model) == 0 {
				return
			}
			i := rapid.IntRange(0, len(p.model)-1).Draw(r, "i")
			var at Spot
			m := []byte(p.model[i].member)
			if _, ok := p.Find(m, &at); !ok || p.Rank(m, &at) != int64(i) {
				r.Fatalf("rank of %q: %v %d, want %d", m, ok, p.Rank(m, &at), i)
			}
			it := p.Iter(int64(i), rapid.Bool().Draw(r, "reverse"))
			if !it.Next() || !bytes.Equal(it.Member(), m) {
				r.Fatalf("member %d is not %q", i, m)
			}
		},
		"scan": func(r *rapid.T) {
			// What is there throughout is seen, whatever else comes and goes.
			if p.enc != Tree {
				return
			}
			stay := map[string]bool{}
			for i, q := range p.model {
				if i%2 == 0 {
					stay[q.member] = true
				}
			}
			count := rapid.IntRange(1, 100).Draw(r, "count")
			disturb := rapid.SampledFrom([]int{0, 1, 2}).Draw(r, "disturb")
			var list []Item
			for cursor, i := uint64(0), 0; ; i++ {
				list, cursor = p.Scan(cursor, count, list[:0])
				for _, m := range list {
					if q := p.at(string(m.Member)); q < 0 || p.model[q].score != m.Score {
						r.Fatalf("%q was found with %v", m.Member, m.Score)
					}
					delete(stay, string(m.Member))
				}
				if cursor == 0 {
					break
				}
				if cursor>>53 != 0 {
					r.Fatalf("cursor %d", cursor)
				}
				switch {
				case i > 4:
				case disturb == 1:
					for j := range 80 {
						p.put(fmt.Sprintf("new:%d:%d", i, j), 1)
					}
				case disturb == 2:
					for j := len(p.model) - 1; j >= 0 && len(p.model) > 1; j -= 2 {
						if !stay[p.model[j].member] {
							p.delete(p.model[j].member)
						}
					}
				}
			}
			if len(stay) > 0 {
				r.Fatalf("%d members were not seen", len(stay))
			}
		},
		"copy": func(r *rapid.T) {
			before := p.h.Used()
			c, ok := Copy(p.h, p.h, p.enc, p.ref)
			if !ok {
				if p.h.Used() != before {
					r.Fatalf("a failed copy left %d bytes", p.h.Used()-before)
				}
				return
			}
			old := p.ref
			for old != 0 {
				old = Free(p.h, p.enc, old, rapid.IntRange(1, 50).Draw(r, "budget"))
			}
			p.ref = c
		},
		"": func(r *rapid.T) {
			// Everything is looked at now and then: it takes longer than what it checks.
			if steps++; steps%20 != 0 {
				return
			}
			if err := p.check(); err != nil {
				r.Fatal(err)
			}
		},
	})
	if err := p.check(); err != nil {
		r.Fatal(err)
	}
}

func (p *pairing) free() error {
	for p.ref != 0 {
		p.ref = Free(p.h, p.enc, p.ref, 7)
	}
	if p.h.Used() != 0 {
		return fmt.Errorf("%d bytes are left", p.h.Used())
	}
	return nil
}

func TestModel(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		a, err := heap.NewArena(64 << 20)
		if err != nil {
			r.Fatal(err)
		}
		defer a.Close()
		var h heap.Heap
		h.Init(a)
		var p pairing
		var ok bool
		limits := Limits{Entries: rapid.SampledFrom([]int{0, 8, 128}).Draw(r, "entries"), Bytes: 64}
		if p.Set, ok = New(&h, 1, 42, limits); !ok {
			r.Fatal("out of memory")
		}
		run(r, &p)
		if err := p.free(); err != nil {
			r.Fatal(err)
		}
	})
}

// TestExhausted runs operations in an arena that is too small: each that fails
// leaves the set as it was.
func TestExhausted(t *testing.T) {
	h := newHeap(t, 1<<20)
	var p pairing
	var ok bool
	if p.Set, ok = New(h, 1, 7, Limits{8, 64}); !ok {
		t.Fatal("out of memory at once")
	}
	failed := 0
	for i := range 60_000 {
		k := i * 7919 % 60_000
		if !p.put(fmt.Sprintf("member:%08d:%s", k, strings.Repeat("x", k%200)), float64(k%1000)/4) {
			if failed++; failed%100 == 1 {
				if err := p.check(); err != nil {
					t.Fatal(err)
				}
			}
			if _, ok := Copy(h, h, p.enc, p.ref); ok {
				t.Fatal("there was memory for a copy")
			}
			if failed == 300 {
				break
			}
			p.RemoveRange(int64(k%len(p.model)), 1)
			p.model = slices.Delete(p.model, k%len(p.model), k%len(p.model)+1)
			p.put(p.model[k%len(p.model)].member, float64(k))
		}
	}
	if failed == 0 {
		t.Fatal("memory was never exhausted")
	}
	if err := p.check(); err != nil {
		t.Fatal(err)
	}
	if err := p.free(); err != nil {
		t.Fatal(err)
	}
}

// FuzzOperations is the model test with bytes for choices.
func FuzzOperations(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(r *rapid.T) {
		a, err := heap.NewArena(64 << 20)
		if err != nil {
			r.Fatal(err)
		}
		defer a.Close()
		var h heap.Heap
		h.Init(a)
		var p pairing
		p.Set, _ = New(&h, 1, 42, Limits{8, 64})
		run(r, &p)
		if err := p.free(); err != nil {
			r.Fatal(err)
		}
	}))
}
