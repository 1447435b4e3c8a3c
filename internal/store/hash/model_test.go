package hash

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

// model is a hash beside a Go map.
type model struct {
	h    *heap.Heap
	enc  uint8
	ref  heap.Ref // 0: there is none
	now  int64
	lim  Limits
	m    map[string]thing // what is due may or may not be in it
	fail func(format string, args ...any)
}

func (m *model) past(v thing) bool { return v.ms != 0 && v.ms <= m.now }

func (m *model) there(field string) (thing, bool) {
	v, ok := m.m[field]
	return v, ok && !m.past(v)
}

func (m *model) open() Hash { return Open(m.h, m.enc, m.ref, m.now) }

// settle takes over where the hash is now.
func (m *model) settle(s *Hash) {
	if m.ref, m.enc = s.Ref(), s.Encoding(); s.Held() == 0 {
		s.Free()
		m.ref = 0
	}
}

func (m *model) put(field, value string, ms int64) bool {
	var s Hash
	if m.ref == 0 {
		var ok bool
		if s, ok = New(m.h, m.now); !ok {
			return false
		}
	} else {
		s = m.open()
	}
	old, has := m.there(field)
	created, ok := s.Put([]byte(field), []byte(value), ms, &m.lim)
	if ok {
		if created == has {
			m.fail("Put %q: %v", field, created)
		}
		if ms == KeepDeadline {
			ms = old.ms * b2i(has)
		}
		m.m[field] = thing{value, ms}
	}
	m.settle(&s)
	return ok
}

func b2i(v bool) int64 {
	if v {
		return 1
	}
	return 0
}

func (m *model) date(field string, ms int64) {
	if m.ref == 0 {
		return
	}
	s := m.open()
	var f Field
	v, has := m.there(field)
	if ok := s.Find([]byte(field), &f); ok != has {
		m.fail("Find %q: %v", field, ok)
	}
	if has && s.SetDeadline(&f, ms) {
		m.m[field] = thing{v.value, ms}
	}
	m.settle(&s)
}

func (m *model) del(field string) {
	if m.ref == 0 {
		return
	}
	s := m.open()
	_, has := m.there(field)
	if removed := s.Delete([]byte(field)); removed != has {
		m.fail("Delete %q: %v", field, removed)
	}
	delete(m.m, field)
	m.settle(&s)
}

func (m *model) expire(budget int) {
	if m.ref == 0 {
		return
	}
	s := m.open()
	held := s.Held()
	removed, next, more := s.Expire(budget)
	if s.Held() != held-removed {
		m.fail("%d expired of %d, %d are left", removed, held, s.Held())
	}
	due := 0
	for k, v := range m.m {
		var f Field
		switch found := s.find([]byte(k), &f); {
		case found && m.past(v):
			due++
		case !found && !m.past(v):
			m.fail("%q is gone", k)
		case !found:
			delete(m.m, k)
		case v.ms != 0 && (next == 0 || next > v.ms):
			m.fail("the next deadline is %d, that of %q %d", next, k, v.ms)
		}
	}
	if !more && due > 0 {
		m.fail("%d due fields are left", due)
	}
	m.settle(&s)
}

func (m *model) check() {
	left := 0
	for _, v := range m.m {
		if !m.past(v) {
			left++
		}
	}
	if m.ref == 0 {
		if left > 0 {
			m.fail("%d fields are lost", left)
		}
		return
	}
	if err := Check(m.h.Arena(), m.enc, m.ref); err != nil {
		m.fail("%v", err)
	}
	s := m.open()
	if s.Len() != left {
		m.fail("%d fields, want %d", s.Len(), left)
	}
	if size := SizeBytes(m.h.Arena(), m.enc, m.ref); size != m.h.Used() {
		m.fail("the hash says %d bytes, the heap %d", size, m.h.Used())
	}
	met := 0
	for it := s.Iter(); it.Next(); met++ {
		v, ok := m.there(string(it.Field()))
		if !ok || string(it.Value()) != v.value || it.DeadlineMs() != v.ms {
			m.fail("%q: %q until %d, want %v", it.Field(), it.Value(), it.DeadlineMs(), v)
		}
		var f Field
		if !s.Find(it.Field(), &f) || string(f.Value()) != v.value || f.DeadlineMs() != v.ms {
			m.fail("%q is not found", it.Field())
		}
	}
	if met != left {
		m.fail("the iterator met %d of %d", met, left)
	}
}

func (m *model) copy() {
	if m.ref == 0 {
		return
	}
	ref, ok := Copy(m.h, m.h, m.enc, m.ref)
	if !ok {
		m.fail("Copy")
	}
	for m.ref != 0 {
		m.ref = Free(m.h, m.enc, m.ref, 2)
	}
	m.ref = ref
}

func (m *model) free() {
	for m.ref != 0 {
		m.ref = Free(m.h, m.enc, m.ref, 3)
	}
	if m.h.Used() != 0 {
		m.fail("%d bytes are left", m.h.Used())
	}
}

func drawField(t *rapid.T) string {
	k := rapid.IntRange(0, 40).Draw(t, "field")
	if k == 40 {
		return strings.Repeat("f", rapid.IntRange(60, 70).Draw(t, "length"))
	}
	if k%2 == 0 {
		return fmt.Sprint(k)
	}
	return fmt.Sprint("f", k)
}

func drawValue(t *rapid.T) string {
	switch k := rapid.IntRange(0, 20).Draw(t, "value"); k {
	case 0:
		return strings.Repeat("v", rapid.IntRange(0, 200).Draw(t, "length"))
	default:
		return fmt.Sprint(k * k * k)
	}
}

func TestModel(t *testing.T) {
	h := newHeap(t, 64<<20)
	seen := map[uint8]bool{}
	rapid.Check(t, func(t *rapid.T) {
		m := &model{h: h, m: map[string]thing{}, fail: t.Fatalf, now: 1000}
		m.lim = Limits{
			Packed:      rapid.SampledFrom([]int64{0, 8, 20, 128}).Draw(t, "packed"),
			PackedBytes: rapid.SampledFrom([]int64{5, 64, 300}).Draw(t, "bytes"),
			Seed:        7,
		}
		dates := rapid.Bool().Draw(t, "dates")
		t.Repeat(map[string]func(*rapid.T){
			"put":  func(t *rapid.T) { m.put(drawField(t), drawValue(t), 0) },
			"keep": func(t *rapid.T) { m.put(drawField(t), drawValue(t), KeepDeadline) },
			"until": func(t *rapid.T) {
				if dates {
					m.put(drawField(t), drawValue(t), m.now+rapid.Int64Range(1, 50).Draw(t, "ms"))
				}
			},
			"date": func(t *rapid.T) {
				if dates {
					ms := rapid.Int64Range(0, 50).Draw(t, "ms")
					if ms > 0 {
						ms += m.now
					}
					m.date(drawField(t), ms)
				}
			},
			"del":    func(t *rapid.T) { m.del(drawField(t)) },
			"copy":   func(t *rapid.T) { m.copy() },
			"wait":   func(t *rapid.T) { m.now += rapid.Int64Range(0, 10).Draw(t, "ms") },
			"expire": func(t *rapid.T) { m.expire(rapid.IntRange(1, 5).Draw(t, "budget")) },
			"": func(t *rapid.T) {
				m.check()
				if m.ref != 0 {
					seen[m.enc] = true
				}
			},
		})
		m.free()
	})
	if len(seen) != 3 {
		t.Errorf("not all encodings were seen: %v", seen)
	}
}

// TestExhausted runs into the end of memory.
func TestExhausted(t *testing.T) {
	for _, lim := range []Limits{{Packed: 1 << 30, PackedBytes: 1 << 30}, {}} {
		h := newHeap(t, 512<<10)
		m := &model{h: h, now: 1, lim: lim, m: map[string]thing{}, fail: t.Fatalf}
		r := rand.New(rand.NewPCG(1, 2))
		failed := 0
		for range 3000 {
			value := strings.Repeat("v", r.IntN(1000))
			if !m.put(fmt.Sprint(r.IntN(1000)), value, int64(r.IntN(2)*100)) {
				if failed++; failed > 100 {
					break
				}
				for k := range m.m {
					m.del(k)
					break
				}
			}
		}
		m.check()
		if failed < 10 {
			t.Errorf("memory was exhausted only %d times", failed)
		}
		m.free()
	}
}

func TestRandom(t *testing.T) {
	h := newHeap(t, 64<<20)
	for _, lim := range []Limits{{Packed: 512, PackedBytes: 64}, {}} {
		m := &model{h: h, now: 100, lim: lim, m: map[string]thing{}, fail: t.Fatalf}
		for i := range 100 {
			m.put(fmt.Sprint(i), "v", 0)
		}
		m.put("gone", "v", 101)
		m.now = 200
		s := m.open()
		r := rand.New(rand.NewPCG(1, 2))
		drawn := map[string]int{}
		for range 50_000 {
			var it Iter
			if ok := s.Random(r.Uint64(), &it); ok == (string(it.Field()) == "gone") {
				t.Fatalf("%q was drawn: %v", it.Field(), ok)
			}
			drawn[string(it.Field())]++
		}
		for i := range 100 {
			if n := drawn[fmt.Sprint(i)]; n < 350 || n > 650 {
				t.Errorf("%s: %d was drawn %d times of 50,000", EncodingName(s.Encoding()), i, n)
			}
		}
		m.free()
	}
}

// FuzzHash does what the bytes say, beside a map.
func FuzzHash(f *testing.F) {
	f.Add([]byte("0a1b2c3d4e5f"))
	f.Fuzz(func(t *testing.T, program []byte) {
		h := newHeap(t, 64<<20)
		m := &model{h: h, now: 1, lim: Limits{Packed: 12, PackedBytes: 16}, m: map[string]thing{}, fail: t.Fatalf}
		for i := 0; i+1 < len(program); i += 2 {
			field := fmt.Sprint(program[i+1] % 32)
			switch n := program[i] >> 3; program[i] & 7 {
			case 0, 1:
				m.put(field, strings.Repeat("v", int(n)), 0)
			case 2:
				m.put(field, "v", m.now+int64(n)+1)
			case 3:
				m.put(field, "w", KeepDeadline)
			case 4:
				m.del(field)
			case 5:
				m.date(field, m.now+int64(n)+1)
			case 6:
				m.now += int64(n)
			default:
				m.expire(int(n) + 1)
			}
		}
		m.check()
		m.free()
	})
}
