package set

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
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

// model is a set beside a Go map.
type model struct {
	h    *heap.Heap
	enc  uint8
	ref  heap.Ref // 0: there is none
	lim  Limits
	m    map[string]bool
	fail func(format string, args ...any)
}

func (m *model) add(member string) bool {
	var s Set
	ok := true
	if m.ref == 0 {
		s, ok = New(m.h, []byte(member), 1, &m.lim)
	} else {
		s = Open(m.h, m.enc, m.ref)
	}
	var added bool
	if ok {
		added, ok = s.Add([]byte(member), &m.lim)
		if !ok && s.Len() == 0 {
			s.Free()
			return false
		}
		m.ref, m.enc = s.Ref(), s.Encoding()
	}
	if ok {
		if added == m.m[member] {
			m.fail("Add %q: %v", member, added)
		}
		m.m[member] = true
	}
	return ok
}

func (m *model) del(member string) {
	if m.ref == 0 {
		return
	}
	s := Open(m.h, m.enc, m.ref)
	if removed := s.Remove([]byte(member)); removed != m.m[member] {
		m.fail("Remove %q: %v", member, removed)
	}
	delete(m.m, member)
	if m.ref = s.Ref(); s.Len() == 0 {
		s.Free()
		m.ref = 0
	}
}

func (m *model) check() {
	if m.ref == 0 {
		if len(m.m) > 0 {
			m.fail("%d members are lost", len(m.m))
		}
		return
	}
	if err := Check(m.h.Arena(), m.enc, m.ref); err != nil {
		m.fail("%v", err)
	}
	s := Open(m.h, m.enc, m.ref)
	if s.Len() != len(m.m) {
		m.fail("%d members, want %d", s.Len(), len(m.m))
	}
	if size := SizeBytes(m.h.Arena(), m.enc, m.ref); size != m.h.Used() {
		m.fail("the set says %d bytes, the heap %d", size, m.h.Used())
	}
	met := 0
	for it := s.Iter(); it.Next(); met++ {
		if !m.m[string(it.Bytes())] {
			m.fail("%q is no member", it.Bytes())
		}
		var p Probe
		if p.Reset(it.Bytes()); !s.Has(it.Bytes()) || !s.HasProbe(&p) {
			m.fail("%q is not found", it.Bytes())
		}
	}
	if met != len(m.m) {
		m.fail("the iterator met %d of %d", met, len(m.m))
	}
	for _, odd := range []string{"", "nobody", "-0", "007", "99999999999999999999"} {
		if s.Has([]byte(odd)) != m.m[odd] {
			m.fail("Has %q", odd)
		}
	}
}

func (m *model) copy() {
	if m.ref == 0 {
		return
	}
	before := m.h.Used()
	ref, ok := Copy(m.h, m.h, m.enc, m.ref)
	if !ok {
		if m.h.Used() != before {
			m.fail("a copy left %d bytes behind", m.h.Used()-before)
		}
		return
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

var integers = []int64{
	0, -1, 1, math.MaxInt16, math.MinInt16, math.MaxInt16 + 1, math.MinInt16 - 1,
	math.MaxInt32, math.MinInt32, math.MaxInt32 + 1, math.MinInt32 - 1, math.MaxInt64, math.MinInt64,
}

func drawMember(t *rapid.T, words bool) string {
	switch k := rapid.IntRange(0, 60).Draw(t, "member"); {
	case k < len(integers):
		return strconv.FormatInt(integers[k], 10)
	case k == 20 && words:
		return strings.Repeat("x", rapid.IntRange(0, 70).Draw(t, "length"))
	case k < 22 && words:
		return fmt.Sprint("w", rapid.IntRange(0, 30).Draw(t, "word"))
	default:
		return strconv.Itoa(rapid.IntRange(-40, 40).Draw(t, "number"))
	}
}

func TestModel(t *testing.T) {
	h := newHeap(t, 64<<20)
	seen := map[uint8]bool{}
	rapid.Check(t, func(t *rapid.T) {
		m := &model{h: h, m: map[string]bool{}, fail: t.Fatalf}
		m.lim = Limits{
			Ints:        rapid.SampledFrom([]int64{0, 10, 30, 512}).Draw(t, "ints"),
			Packed:      rapid.SampledFrom([]int64{0, 20, 40, 128}).Draw(t, "packed"),
			PackedBytes: rapid.SampledFrom([]int64{5, 64}).Draw(t, "bytes"),
			Seed:        7,
		}
		words := rapid.Bool().Draw(t, "words")
		t.Repeat(map[string]func(*rapid.T){
			"add":  func(t *rapid.T) { m.add(drawMember(t, words)) },
			"del":  func(t *rapid.T) { m.del(drawMember(t, words)) },
			"copy": func(t *rapid.T) { m.copy() },
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

// TestExhausted runs into the end of memory in every encoding.
func TestExhausted(t *testing.T) {
	for _, lim := range []Limits{{Ints: 1 << 30}, {Packed: 1 << 30, PackedBytes: 1 << 30}, {}} {
		h := newHeap(t, 512<<10)
		m := &model{h: h, lim: lim, m: map[string]bool{}, fail: t.Fatalf}
		r := rand.New(rand.NewPCG(1, 2))
		failed := 0
		for i := range 6000 {
			member := fmt.Sprint(r.IntN(1_000_000))
			if lim.Ints == 0 {
				member += strings.Repeat(" members are of some length here", 1+r.IntN(20))
			}
			switch {
			case !m.add(member):
				failed++
				fallthrough
			case i%8 == 0:
				for k := range m.m {
					m.del(k)
					break
				}
			}
			if i%2000 == 0 {
				m.check()
				m.copy()
			}
			if failed > 100 {
				break
			}
		}
		m.check()
		if lim.Ints == 0 && failed < 10 {
			t.Errorf("memory was exhausted only %d times", failed)
		}
		m.free()
	}
}

func TestRandom(t *testing.T) {
	h := newHeap(t, 64<<20)
	for _, lim := range []Limits{{Ints: 512}, {Packed: 512, PackedBytes: 64}, {}} {
		s, _ := New(h, []byte("1"), 1, &lim)
		for i := range 100 {
			s.Add([]byte(strconv.Itoa(i)), &lim)
		}
		r := rand.New(rand.NewPCG(1, 2))
		drawn := map[string]int{}
		for range 50_000 {
			var scratch [24]byte
			member, _, _ := s.Random(r.Uint64(), &scratch)
			drawn[string(member)]++
		}
		for i := range 100 {
			if n := drawn[strconv.Itoa(i)]; n < 350 || n > 650 {
				t.Errorf("%s: %d was drawn %d times of 50,000", EncodingName(s.Encoding()), i, n)
			}
		}
		s.Free()
	}
}

// TestEncodings follows a set through its forms.
func TestEncodings(t *testing.T) {
	h := newHeap(t, 64<<20)
	lim := Limits{Ints: 4, Packed: 4, PackedBytes: 8}
	for _, c := range []struct {
		members string
		size    int
		want    uint8
	}{
		{"1 2 3 4", 1, Ints},
		{"1 2 3 4 5", 1, Hashed},
		{"1 2 a", 1, Packed},
		{"1 2 3 4 a", 1, Hashed},
		{"1 2 ninebytes", 1, Hashed},
		{"123456789 a", 1, Hashed},
		{"a b c d", 1, Packed},
		{"a b c d e", 1, Hashed},
		{"a 1 b 2", 1, Packed},
		{"a ninebytes", 1, Hashed},
		{"1", 5, Hashed},
		{"a", 4, Packed},
	} {
		members := strings.Fields(c.members)
		s, _ := New(h, []byte(members[0]), c.size, &lim)
		for _, m := range members {
			if added, ok := s.Add([]byte(m), &lim); !added || !ok {
				t.Errorf("%s: %s is not added", c.members, m)
			}
		}
		if s.Encoding() != c.want {
			t.Errorf("%s: %s, want %s", c.members, EncodingName(s.Encoding()), EncodingName(c.want))
		}
		var got []string
		for it := s.Iter(); it.Next(); {
			got = append(got, string(it.Bytes()))
		}
		if slices.Sort(got); !slices.Equal(got, slices.Sorted(slices.Values(members))) {
			t.Errorf("%s: got %v", c.members, got)
		}
		s.Free()
	}
	if h.Used() != 0 {
		t.Errorf("%d bytes are left", h.Used())
	}
}

// FuzzSet does what the bytes say, beside a map.
func FuzzSet(f *testing.F) {
	f.Add([]byte("0a1b2c3d4e5f"))
	f.Fuzz(func(t *testing.T, program []byte) {
		h := newHeap(t, 64<<20)
		m := &model{h: h, lim: Limits{Ints: 8, Packed: 12, PackedBytes: 6}, m: map[string]bool{}, fail: t.Fatalf}
		for i := 0; i+1 < len(program); i += 2 {
			member := strconv.Itoa(int(int8(program[i+1])))
			if program[i]&2 != 0 {
				member = strings.Repeat(string(program[i+1:i+2]), int(program[i]>>4))
			}
			if program[i]&1 != 0 {
				m.del(member)
			} else {
				m.add(member)
			}
		}
		m.check()
		m.free()
	})
}
