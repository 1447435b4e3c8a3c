package linhash

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sherd/internal/heap"
)

func newHeap(tb testing.TB, bytes int64) *heap.Heap {
	tb.Helper()
	a, err := heap.NewArena(bytes)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = a.Close() })
	h := new(heap.Heap)
	h.Init(a)
	return h
}

type thing struct {
	value string
	ms    int64
}

// model is a table beside a Go map that does the same.
type model struct {
	h      *heap.Heap
	ref    heap.Ref
	values bool
	m      map[string]thing
	fail   func(format string, args ...any)
}

func newModel(h *heap.Heap, values bool, fail func(string, ...any)) *model {
	t, ok := New(h, values, 42)
	if !ok {
		fail("New")
	}
	return &model{h: h, ref: t.Ref(), values: values, m: map[string]thing{}, fail: fail}
}

// put inserts or changes a key. It reports false when memory is exhausted.
func (m *model) put(key, value string, ms int64) bool {
	t := Open(m.h, m.ref)
	hash := t.Hash([]byte(key))
	e, ok := t.Find(hash, []byte(key))
	old, has := m.m[key]
	if ok != has {
		m.fail("Find %q: %v, want %v", key, ok, has)
	}
	if !m.values {
		value = ""
	}
	switch {
	case !ok:
		ok = t.Insert(hash, []byte(key), []byte(value), ms)
		m.ref = t.Ref()
		if ok {
			m.m[key] = thing{value, ms}
		}
		return ok
	case m.values && ms%2 == 0:
		if ok = t.SetValue(e, []byte(value)); ok {
			m.m[key] = thing{value, old.ms}
		}
	default:
		if ok = t.SetDeadline(e, ms); ok {
			m.m[key] = thing{old.value, ms}
		}
	}
	m.ref = t.Ref()
	return ok
}

func (m *model) del(key string) {
	t := Open(m.h, m.ref)
	e, ok := t.Find(t.Hash([]byte(key)), []byte(key))
	if _, has := m.m[key]; ok != has {
		m.fail("Find %q: %v, want %v", key, ok, has)
	}
	if ok {
		t.Delete(e)
		delete(m.m, key)
	}
	m.ref = t.Ref()
}

func (m *model) expire(now int64, budget int) {
	t := Open(m.h, m.ref)
	want := 0
	for _, v := range m.m {
		if v.ms != 0 && v.ms <= now {
			want++
		}
	}
	if n := t.Overdue(now); n != want {
		m.fail("%d are overdue, want %d", n, want)
	}
	if next := t.NextDeadline(); want > 0 && (next == 0 || next > now) {
		m.fail("the next deadline is %d, now is %d, %d are due", next, now, want)
	}
	removed, more := t.Expire(now, budget)
	m.ref = t.Ref()
	if !more && removed != want || removed > want {
		m.fail("%d expired, want %d", removed, want)
	}
	for k, v := range m.m {
		if v.ms == 0 || v.ms > now {
			continue
		}
		if _, ok := t.Find(t.Hash([]byte(k)), []byte(k)); !ok {
			delete(m.m, k)
			removed--
		}
	}
	if removed != 0 {
		m.fail("%d more were removed than expired", removed)
	}
}

func (m *model) check() {
	if err := Check(m.h.Arena(), m.ref); err != nil {
		m.fail("%v", err)
	}
	t := Open(m.h, m.ref)
	if t.Len() != len(m.m) {
		m.fail("%d entries, want %d", t.Len(), len(m.m))
	}
	n := 0
	for it := t.Iter(); it.Next(); n++ {
		w, ok := m.m[string(it.Key())]
		if !ok || w.value != string(it.Value()) || w.ms != it.DeadlineMs() {
			m.fail("%q: %q until %d, want %v", it.Key(), it.Value(), it.DeadlineMs(), w)
		}
	}
	if n != len(m.m) {
		m.fail("the iterator met %d entries of %d", n, len(m.m))
	}
	for k, w := range m.m {
		if e, ok := t.Find(t.Hash([]byte(k)), []byte(k)); !ok || string(e.Value()) != w.value || e.DeadlineMs() != w.ms {
			m.fail("%q is not found", k)
		}
	}
}

func (m *model) free(budget int) {
	for ref := m.ref; ref != 0; {
		ref = Free(m.h, ref, budget)
	}
	if used := m.h.Used(); used != 0 {
		m.fail("%d bytes are left", used)
	}
}

// lengths lie at and around the bounds of what is stored in a bucket.
var lengths = []int{0, 1, 2, 7, 14, 15, 30, 62, 63, 64, 65, 126, 127, 128, 129, 300, 5000}

func drawKey(t *rapid.T) string {
	n := rapid.IntRange(0, 400).Draw(t, "key")
	k := fmt.Sprint("k", n)
	if n%7 == 0 {
		k += strings.Repeat("x", lengths[n%len(lengths)])
	}
	return k
}

func drawValue(t *rapid.T) string {
	n := lengths[rapid.IntRange(0, len(lengths)-1).Draw(t, "length")]
	return strings.Repeat(string(rune('a'+n%26)), n)
}

func TestModel(t *testing.T) {
	for _, values := range []bool{false, true} {
		t.Run(fmt.Sprint("values ", values), func(t *testing.T) {
			h := newHeap(t, 64<<20)
			rapid.Check(t, func(t *rapid.T) {
				m := newModel(h, values, t.Fatalf)
				var now int64
				steps := 0
				t.Repeat(map[string]func(*rapid.T){
					"put":  func(t *rapid.T) { m.put(drawKey(t), drawValue(t), 0) },
					"date": func(t *rapid.T) { m.put(drawKey(t), drawValue(t), now+rapid.Int64Range(0, 40).Draw(t, "ms")) },
					"del":  func(t *rapid.T) { m.del(drawKey(t)) },
					"fill": func(t *rapid.T) {
						from, n := rapid.IntRange(0, 4000).Draw(t, "from"), rapid.IntRange(1, 400).Draw(t, "n")
						ms := rapid.SampledFrom([]int64{0, 0, now + 7, now + 30}).Draw(t, "ms")
						for i := range n {
							m.put(fmt.Sprint(from+i), "v", ms)
						}
					},
					"drain": func(t *rapid.T) {
						n := rapid.IntRange(1, 400).Draw(t, "n")
						for k := range m.m {
							if n--; n < 0 {
								break
							}
							m.del(k)
						}
					},
					"expire": func(t *rapid.T) {
						now += rapid.Int64Range(0, 20).Draw(t, "step")
						m.expire(now, rapid.IntRange(1, 50).Draw(t, "budget"))
					},
					"copy": func(t *rapid.T) {
						ref, ok := Copy(h, h, m.ref)
						if !ok {
							t.Fatal("Copy")
						}
						for old := m.ref; old != 0; {
							old = Free(h, old, 3)
						}
						m.ref = ref
					},
					"": func(t *rapid.T) {
						if steps++; steps%16 == 0 || len(m.m) < 100 {
							m.check()
						}
					},
				})
				m.check()
				m.free(rapid.IntRange(1, 10).Draw(t, "budget"))
			})
		})
	}
}

// TestExhausted runs into the end of memory again and again.
func TestExhausted(t *testing.T) {
	h := newHeap(t, 1<<20)
	r := rand.New(rand.NewPCG(1, 2))
	m := newModel(h, true, t.Fatalf)
	failed := 0
	for i := range 60_000 {
		key := fmt.Sprint(r.IntN(8000))
		switch {
		case i/10_000%2 == 1 && r.IntN(3) > 0:
			m.del(key)
		case !m.put(key, strings.Repeat("v", lengths[r.IntN(len(lengths))]), int64(r.IntN(3))):
			failed++
		}
		if i%2000 == 0 {
			m.check()
			before := h.Used()
			if ref, ok := Copy(h, h, m.ref); ok {
				for ref != 0 {
					ref = Free(h, ref, 100)
				}
			}
			if h.Used() != before {
				t.Fatalf("a copy left %d bytes behind", h.Used()-before)
			}
		}
	}
	m.check()
	m.free(100)
	if failed < 100 {
		t.Errorf("memory was exhausted only %d times", failed)
	}
}

// TestScan walks a table while it grows and shrinks.
func TestScan(t *testing.T) {
	for seed := range uint64(6) {
		h := newHeap(t, 64<<20)
		r := rand.New(rand.NewPCG(seed, 3))
		m := newModel(h, false, t.Fatalf)
		for i := range 300 {
			m.put(fmt.Sprint("stays", i), "", 0)
		}
		met := map[string]bool{}
		for cursor, steps := uint64(0), 0; ; steps++ {
			table := Open(h, m.ref)
			it, next := table.Scan(cursor)
			for it.Next() {
				met[string(it.Key())] = true
			}
			if next == 0 {
				break
			}
			if next < cursor || next >= 1<<48 || steps > 10_000 {
				t.Fatalf("cursor %d follows %d", next, cursor)
			}
			cursor = next
			for range r.IntN(100) {
				if steps/8%2 == int(seed%2) {
					m.put(fmt.Sprint(r.IntN(5000)), "", 0)
				} else {
					m.del(fmt.Sprint(r.IntN(5000)))
				}
			}
		}
		for i := range 300 {
			if k := fmt.Sprint("stays", i); !met[k] {
				t.Fatalf("seed %d: %s was not met", seed, k)
			}
		}
		m.check()
	}
}

func TestRandom(t *testing.T) {
	h := newHeap(t, 64<<20)
	m := newModel(h, false, t.Fatalf)
	const keys, draws = 200, 100_000
	for i := range keys {
		m.put(fmt.Sprint(i), "", 0)
	}
	r := rand.New(rand.NewPCG(1, 2))
	seen := map[string]int{}
	table := Open(h, m.ref)
	for range draws {
		e := table.Random(r.Uint64())
		seen[string(e.Key())]++
	}
	for i := range keys {
		if n := seen[fmt.Sprint(i)]; n < draws/keys*3/4 || n > draws/keys*5/4 {
			t.Errorf("%d was drawn %d times of %d", i, n, draws)
		}
	}
}

// FuzzTable does what the bytes say, beside a map.
func FuzzTable(f *testing.F) {
	f.Add([]byte("0a1b2c3d4e5f"), true)
	f.Fuzz(func(t *testing.T, program []byte, values bool) {
		h := newHeap(t, 64<<20)
		m := newModel(h, values, t.Fatalf)
		now := int64(1)
		for i := 0; i+1 < len(program); i += 2 {
			key := fmt.Sprint(program[i+1])
			n := lengths[int(program[i]>>3)%len(lengths)]
			switch program[i] & 7 {
			case 0, 1, 2:
				m.put(key+strings.Repeat("k", n), "v", 0)
			case 3:
				m.put(key, strings.Repeat("v", n), 0)
			case 4:
				m.put(key, "v", now+int64(program[i]>>3))
			case 5:
				m.del(key)
			case 6:
				now += int64(program[i] >> 5)
				m.expire(now, 1+int(program[i]>>3))
			default:
				for k := range int(program[i] >> 2) {
					m.put(fmt.Sprint(key, ":", k), "v", now+int64(k%5))
				}
			}
		}
		m.check()
		m.free(3)
	})
}
