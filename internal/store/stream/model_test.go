package stream

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"sherd/internal/heap"
)

type modelEntry struct {
	id    ID
	pairs []string
}

type modelPending struct {
	id       ID
	consumer string // empty: nobody's
	ms, n    int64
	turn     uint64
}

func (p *modelPending) compare(o *modelPending) int {
	return cmp.Or(cmp.Compare(p.ms, o.ms), cmp.Compare(p.turn, o.turn))
}

// model is a stream of slices.
type model struct {
	entries []modelEntry
	last    ID
	added   int64
	groups  map[string][]modelPending // ascending
	turns   map[string]uint64
	who     map[string][]string // consumers, sorted
}

func newHeap(t testing.TB) *heap.Heap {
	t.Helper()
	a, err := heap.NewArena(1 << 32)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close() })
	h := new(heap.Heap)
	h.Init(a)
	return h
}

func (m *model) verify(t *rapid.T, s *Stream) {
	if err := Check(s.a, Nodes, s.ref); err != nil {
		t.Fatal(err)
	}
	if s.Len() != int64(len(m.entries)) || s.LastID() != m.last || s.Added() != m.added {
		t.Fatalf("length %d, last %v, added %d; want %d, %v, %d", s.Len(), s.LastID(), s.Added(), len(m.entries), m.last, m.added)
	}
	from := ID{uint64(rapid.IntRange(0, 30).Draw(t, "from")), uint64(rapid.IntRange(0, 3).Draw(t, "seq"))}
	to := ID{from.Ms + uint64(rapid.IntRange(0, 40).Draw(t, "span")), 2}
	for _, r := range [][2]ID{{{}, MaxID}, {from, to}} {
		m.verifyRange(t, s, r[0], r[1])
	}
	for name, want := range m.groups {
		g, ok := s.Group([]byte(name))
		if !ok {
			t.Fatalf("no group %s", name)
		}
		var got []modelPending
		for it := g.PendingFrom(ID{}, MaxID); it.Next(); {
			c := it.Consumer()
			got = append(got, modelPending{it.ID(), string(c.Name()), it.Time(), it.Times(), get64(it.r, pendingTurn)})
		}
		if !slices.Equal(got, want) {
			t.Fatalf("pending %v, want %v", got, want)
		}
		some := slices.DeleteFunc(slices.Clone(want), func(p modelPending) bool { return p.id.Less(from) || to.Less(p.id) })
		if it := g.PendingFrom(from, to); it.Rest() != len(some) {
			t.Fatalf("%d are pending from %v to %v, want %v", it.Rest(), from, to, some)
		}
		nacked := int64(0)
		for i := range want {
			if want[i].consumer == "" {
				nacked++
			}
		}
		if g.NackedCount() != nacked {
			t.Fatalf("%d are nobody's, want %d", g.NackedCount(), nacked)
		}
		for _, n := range m.who[name] {
			if _, ok := g.Consumer([]byte(n)); !ok {
				t.Fatalf("no consumer %s", n)
			}
		}
		if g.ConsumerCount() != len(m.who[name]) {
			t.Fatalf("%d consumers, want %v", g.ConsumerCount(), m.who[name])
		}
	}
}

func (m *model) verifyRange(t *rapid.T, s *Stream, from, to ID) {
	var want []modelEntry
	for _, e := range m.entries {
		if !e.id.Less(from) && !to.Less(e.id) {
			want = append(want, e)
		}
	}
	for _, reverse := range []bool{false, true} {
		if it := s.Iter(from, to, reverse); it.Rest(math.MaxInt64) != int64(len(want)) {
			t.Fatalf("Rest of %v to %v is %d, want %d", from, to, it.Rest(math.MaxInt64), len(want))
		}
		var got []modelEntry
		var a, b [24]byte
		it := s.Iter(from, to, reverse)
		for it.Next() {
			e := modelEntry{id: it.ID}
			for it.NextField() {
				e.pairs = append(e.pairs, string(it.Field(&a)), string(it.Value(&b)))
			}
			got = append(got, e)
			if left := it.Rest(5); left != min(5, int64(len(want)-len(got))) {
				t.Fatalf("Rest within is %d, want %d", left, len(want)-len(got))
			}
		}
		if reverse {
			slices.Reverse(got)
		}
		if !slices.EqualFunc(got, want, func(a, b modelEntry) bool { return a.id == b.id && slices.Equal(a.pairs, b.pairs) }) {
			t.Fatalf("from %v to %v, reverse %v:\n%v\nwant\n%v", from, to, reverse, got, want)
		}
	}
}

func TestModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, err := heap.NewArena(1 << 30)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = a.Close() }()
		h := new(heap.Heap)
		h.Init(a)
		s, _ := New(h)
		m := model{groups: map[string][]modelPending{}, who: map[string][]string{}, turns: map[string]uint64{}}
		limits := Limits{Bytes: int64(rapid.IntRange(0, 600).Draw(t, "bytes")), Entries: int64(rapid.IntRange(0, 12).Draw(t, "entries"))}
		anyID := func() ID {
			if len(m.entries) > 0 && rapid.IntRange(0, 4).Draw(t, "known") > 0 {
				return m.entries[rapid.IntRange(0, len(m.entries)-1).Draw(t, "entry")].id
			}
			return ID{uint64(rapid.IntRange(0, 60).Draw(t, "ms")), uint64(rapid.IntRange(0, 3).Draw(t, "seq"))}
		}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			switch rapid.IntRange(0, 11).Draw(t, "op") {
			case 0, 1, 2, 3:
				for range rapid.IntRange(1, 20).Draw(t, "n") {
					id := ID{m.last.Ms + uint64(rapid.IntRange(0, 2).Draw(t, "dms")), uint64(rapid.IntRange(0, 200).Draw(t, "dseq"))}
					if id.Ms == m.last.Ms {
						id.Seq += m.last.Seq + 1
					}
					pairs := []string{"sensor", strconv.Itoa(rapid.IntRange(-10, 100000).Draw(t, "v")), "value", "x"}
					if rapid.IntRange(0, 5).Draw(t, "other") == 0 {
						pairs = []string{"f" + strconv.Itoa(rapid.IntRange(0, 9).Draw(t, "f")), fmt.Sprint(id)}
					}
					args := make([][]byte, len(pairs))
					for i := range pairs {
						args[i] = []byte(pairs[i])
					}
					if !s.Append(id, args, limits) {
						t.Fatal("out of memory")
					}
					m.entries = append(m.entries, modelEntry{id, pairs})
					m.last = id
					m.added++
				}
			case 4:
				id := anyID()
				first := id == s.FirstID()
				found := s.Delete(id)
				at := slices.IndexFunc(m.entries, func(e modelEntry) bool { return e.id == id })
				if found != (at >= 0) {
					t.Fatalf("Delete(%v) = %v", id, found)
				}
				if found {
					s.Deleted(id, first)
					m.entries = slices.Delete(m.entries, at, at+1)
				}
			case 5:
				tr := Trim{ByID: rapid.Bool().Draw(t, "byID"), MinID: anyID(), MaxLen: int64(rapid.IntRange(0, 100).Draw(t, "len"))}
				tr.Approx = rapid.Bool().Draw(t, "approx")
				before := int64(len(m.entries))
				var n int64
				for done := false; !done; {
					n, done = s.Trim(&tr, 1, n)
				}
				want := max(before-tr.MaxLen, 0)
				if tr.ByID {
					want = int64(max(slices.IndexFunc(m.entries, func(e modelEntry) bool { return !e.id.Less(tr.MinID) }), 0))
					if before > 0 && m.entries[before-1].id.Less(tr.MinID) {
						want = before
					}
				}
				if n > want || !tr.Approx && n != want {
					t.Fatalf("Trim(%+v) of %d removed %d, want %d", tr, before, n, want)
				}
				m.entries = m.entries[n:]
			case 6, 7:
				name := rapid.SampledFrom([]string{"g", "h"}).Draw(t, "group")
				g, ok := s.Group([]byte(name))
				if !ok {
					g, _ = s.CreateGroup([]byte(name), ID{}, 0)
					m.groups[name] = nil
					m.turns[name] = 1
				}
				who := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "consumer")
				c, ok := g.Consumer([]byte(who))
				if !ok {
					c, _ = g.CreateConsumer([]byte(who), 1)
					m.who[name] = append(m.who[name], who)
				}
				for range rapid.IntRange(1, 60).Draw(t, "deliveries") {
					id := ID{uint64(rapid.IntRange(0, 300).Draw(t, "id")), 0}
					ms := int64(rapid.IntRange(5, 9).Draw(t, "time"))
					g.Deliver(id, &c, ms)
					p := modelPending{id, who, ms, 1, m.turns[name]}
					m.turns[name]++
					at, found := slices.BinarySearchFunc(m.groups[name], p, func(a, b modelPending) int { return a.id.Compare(b.id) })
					if !found {
						m.groups[name] = slices.Insert(m.groups[name], at, p)
					}
					m.groups[name][at] = p
				}
			case 8:
				for name, list := range m.groups {
					g, _ := s.Group([]byte(name))
					for i := len(list) - 1; i >= 0; i-- {
						if list[i].id.Ms%3 == 0 {
							if !g.Ack(list[i].id) || g.Ack(list[i].id) {
								t.Fatalf("Ack(%v)", list[i].id)
							}
							list = slices.Delete(list, i, i+1)
						}
					}
					m.groups[name] = list
				}
			case 10:
				for name, list := range m.groups {
					g, _ := s.Group([]byte(name))
					for i := range list {
						if p, _ := g.Pending(list[i].id); list[i].id.Ms%5 == 1 {
							p.Release()
							list[i].consumer, list[i].ms, list[i].turn = "", 0, m.turns[name]
							m.turns[name]++
						}
					}
					id := ID{uint64(rapid.IntRange(0, 300).Draw(t, "id")), 7}
					if _, ok := g.Pending(id); !ok {
						g.AddReleased(id, 3)
						p := modelPending{id, "", 0, 3, m.turns[name]}
						m.turns[name]++
						at, _ := slices.BinarySearchFunc(list, p, func(a, b modelPending) int { return a.id.Compare(b.id) })
						list = slices.Insert(list, at, p)
					}
					m.groups[name] = list
				}
			case 11:
				for name, list := range m.groups {
					g, _ := s.Group([]byte(name))
					c, ok := g.Consumer([]byte("a"))
					if !ok || rapid.Bool().Draw(t, "drop") {
						g.dropOrder()
						continue
					}
					for from, done := (ID{}), false; !done; {
						from, done, _ = g.Order(from, 3)
					}
					turn := g.Turn()
					byTime := make([]*modelPending, len(list))
					for i := range list {
						byTime[i] = &list[i]
					}
					slices.SortFunc(byTime, (*modelPending).compare)
					for i := 0; i < 10; i++ {
						p, ok := g.Oldest(7, turn)
						if ok != (i < len(byTime) && byTime[i].ms <= 7) {
							t.Fatalf("the oldest, %d: %v", i, ok)
						}
						if !ok {
							break
						}
						if p.ID() != byTime[i].id {
							t.Fatalf("the oldest, %d, is %v, want %v", i, p.ID(), byTime[i].id)
						}
						g.Reassign(&p, &c)
						p.SetTime(10)
						p.Again()
						byTime[i].consumer, byTime[i].ms, byTime[i].turn = "a", 10, m.turns[name]
						byTime[i].n++
						m.turns[name]++
					}
				}
			case 9:
				for name := range m.groups {
					g, _ := s.Group([]byte(name))
					if c, ok := g.Consumer([]byte("b")); ok {
						for !g.DropConsumer(&c, 3) {
						}
						m.groups[name] = slices.DeleteFunc(m.groups[name], func(p modelPending) bool { return p.consumer == "b" })
						m.who[name] = slices.DeleteFunc(m.who[name], func(n string) bool { return n == "b" })
					}
				}
			}
			m.verify(t, &s)
		}
		if used := h.Used(); SizeBytes(a, Nodes, s.ref) != used {
			t.Fatalf("SizeBytes is %d, used %d", SizeBytes(a, Nodes, s.ref), used)
		}
		ref, ok := Copy(h, h, Nodes, s.ref)
		if !ok {
			t.Fatal("Copy")
		}
		c := Open(h, ref)
		m.verify(t, &c)
		for r := s.ref; r != 0; r = Free(h, Nodes, r, 3) {
		}
		m.verify(t, &c)
		if g, ok := c.Group([]byte("g")); ok {
			for !c.DropGroup(&g, 2) {
			}
			delete(m.groups, "g")
			m.verify(t, &c)
		}
		for r := ref; r != 0; r = Free(h, Nodes, r, 1000) {
		}
		if h.Used() != 0 {
			t.Fatalf("%d bytes left", h.Used())
		}
	})
}
