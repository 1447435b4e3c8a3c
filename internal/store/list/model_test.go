package list

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sherd/internal/heap"
)

// stage is a test, or one of its generated runs.
type stage interface {
	Helper()
	Fatal(args ...any)
	Cleanup(f func())
}

func newHeap(tb stage, reserve int64) *heap.Heap {
	tb.Helper()
	a, err := heap.NewArena(reserve)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = a.Close() })
	h := new(heap.Heap)
	h.Init(a)
	return h
}

// model is a list beside a slice that does the same.
type model struct {
	h    *heap.Heap
	l    List
	m    []string
	fail func(string, ...any)
}

// element is the element of a number: small integers, large ones, short and long
// text, and now and then something that takes a node of its own.
func element(n int) string {
	switch n % 16 {
	case 0, 1:
		return strconv.Itoa(n / 16 % 7)
	case 2:
		return strconv.Itoa(n * 1234567)
	case 3:
		return strings.Repeat("w", n/16%300)
	case 4:
		switch n / 16 % 9 {
		case 0:
			return strings.Repeat("big", 1000+n%2000)
		case 1:
			return strings.Repeat("h", 8160+n/16%40)
		case 2:
			return strings.Repeat("m", 4000)
		}
	}
	return fmt.Sprintf("element:%08d", n%50)
}

func (m *model) check() {
	if err := Check(m.h.Arena(), m.l.Encoding(), m.l.Ref()); err != nil {
		m.fail("%v", err)
	}
	if m.l.Len() != len(m.m) {
		m.fail("%d elements, want %d", m.l.Len(), len(m.m))
	}
	if used, size := m.h.Used(), SizeBytes(m.h.Arena(), m.l.Encoding(), m.l.Ref()); used != size {
		m.fail("%d bytes are used, the list says %d", used, size)
	}
	var scratch [24]byte
	i := 0
	for it := m.l.Iter(0, false); it.Next(); i++ {
		if s := it.Bytes(&scratch); i >= len(m.m) || string(s) != m.m[i] {
			m.fail("element %d is %.40q", i, s)
		}
	}
	if i != len(m.m) {
		m.fail("%d elements met, want %d", i, len(m.m))
	}
}

func (m *model) push(tail bool, s string) {
	if !m.l.Push(tail, []byte(s)) {
		m.fail("out of memory")
	}
	if tail {
		m.m = append(m.m, s)
	} else {
		m.m = slices.Insert(m.m, 0, s)
	}
}

func TestModel(t *testing.T) { rapid.Check(t, property) }

func FuzzModel(f *testing.F) { f.Fuzz(rapid.MakeFuzz(property)) }

// property runs generated operations on a list and its model.
func property(r *rapid.T) {
	limit := rapid.SampledFrom([]int{-2, -2, -2, -1, -3, -4, -5, 1, 3, 128}).Draw(r, "limit")
	h := newHeap(r, 64<<20)
	l, _ := New(h, limit)
	m := &model{h: h, l: l, fail: func(f string, args ...any) { r.Helper(); r.Fatalf(f, args...) }}
	index := func(r *rapid.T) int {
		if len(m.m) == 0 {
			r.Skip()
		}
		return rapid.IntRange(0, len(m.m)-1).Draw(r, "index")
	}
	value := func(r *rapid.T) string { return element(rapid.IntRange(0, 1<<12).Draw(r, "element")) }
	most := rapid.SampledFrom([]int{10, 400, 4000}).Draw(r, "most")
	if limit > 0 {
		most = min(most, 400)
	}
	r.Repeat(map[string]func(*rapid.T){
		"push": func(r *rapid.T) {
			tail, n := rapid.Bool().Draw(r, "tail"), rapid.IntRange(1, most).Draw(r, "n")
			step := rapid.IntRange(0, 30).Draw(r, "step")
			first := rapid.IntRange(0, 1<<12).Draw(r, "first")
			bytes := 0
			for i := range n {
				bytes += len(element(first + i*step))
			}
			m.l.Expect(n, bytes)
			var front []string
			for i := range n {
				s := element(first + i*step)
				m.l.Push(tail, []byte(s))
				front = append(front, s)
			}
			if tail {
				m.m = append(m.m, front...)
			} else {
				slices.Reverse(front)
				m.m = append(front, m.m...)
			}
		},
		"queue": func(r *rapid.T) {
			tail := rapid.Bool().Draw(r, "tail")
			for i := range min(rapid.IntRange(0, most).Draw(r, "n"), len(m.m)) {
				m.push(tail, element(i*16+5))
				m.l.Drop(!tail, 1)
				if tail {
					m.m = m.m[1:]
				} else {
					m.m = m.m[:len(m.m)-1]
				}
			}
		},
		"drop": func(r *rapid.T) {
			tail, n := rapid.Bool().Draw(r, "tail"), rapid.IntRange(0, most).Draw(r, "n")
			m.l.Drop(tail, n)
			n = min(n, len(m.m))
			if tail {
				m.m = m.m[:len(m.m)-n]
			} else {
				m.m = m.m[n:]
			}
			m.l.Settle()
		},
		"set": func(r *rapid.T) {
			i, s := index(r), value(r)
			m.l.Expect(0, len(s))
			m.l.Set(i, []byte(s))
			m.m[i] = s
			m.l.Settle()
		},
		"insert": func(r *rapid.T) {
			i := index(r) + rapid.IntRange(0, 1).Draw(r, "after")
			for range rapid.IntRange(1, 60).Draw(r, "n") {
				s := value(r)
				m.l.Expect(1, len(s))
				m.l.Insert(i, []byte(s))
				m.m = slices.Insert(m.m, i, s)
			}
		},
		"sweep": func(r *rapid.T) {
			s := m.m[index(r)]
			n, back := rapid.SampledFrom([]int{1, 2, 10, 100, 1 << 30}).Draw(r, "n"), rapid.Bool().Draw(r, "back")
			w := NewSweep([]byte(s), n, back)
			for !m.l.Sweep(&w, rapid.SampledFrom([]int{1, 100, 5000}).Draw(r, "budget")) {
			}
			removed := 0
			keep := make([]string, 0, len(m.m))
			if back {
				slices.Reverse(m.m)
			}
			for _, e := range m.m {
				if e == s && removed < n {
					removed++
				} else {
					keep = append(keep, e)
				}
			}
			m.m = keep
			if back {
				slices.Reverse(m.m)
			}
			if w.Removed() != removed {
				m.fail("%d removed, want %d", w.Removed(), removed)
			}
			m.l.Settle()
		},
		"at": func(r *rapid.T) {
			i := index(r)
			var scratch [24]byte
			for k := range 50 {
				k = (i + k*37) % len(m.m)
				if s, ok := m.l.At(k, &scratch); !ok || string(s) != m.m[k] {
					m.fail("element %d is %.40q, %v, want %.40q", k, s, ok, m.m[k])
				}
			}
			for _, k := range []int{-1, len(m.m), 1 << 40} {
				if _, ok := m.l.At(k, &scratch); ok {
					m.fail("there is an element %d", k)
				}
			}
			k := i
			for it := m.l.Iter(i, true); it.Next(); k-- {
				if s := it.Bytes(&scratch); k < 0 || string(s) != m.m[k] {
					m.fail("backwards, element %d is %.40q", k, s)
				}
			}
			if k != -1 {
				m.fail("backwards, ended before element %d", k)
			}
		},
		"copy": func(*rapid.T) {
			ref, _ := Copy(h, h, m.l.Encoding(), m.l.Ref())
			old, enc := m.l.Ref(), m.l.Encoding()
			m.l = Open(h, enc, ref, limit)
			for old != 0 {
				old = Free(h, enc, old, 3)
			}
		},
		"": func(*rapid.T) { m.check() },
	})
	m.l.Free()
	if h.Used() != 0 {
		m.fail("%d bytes left", h.Used())
	}
	if err := h.Check(); err != nil {
		m.fail("%v", err)
	}
}
