package listpack

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sherd/internal/heap"
)

func newHeap(tb testing.TB, reserve int64) *heap.Heap {
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

// element draws strings around the bounds of the encoding, and integers.
func element(r *rapid.T) string {
	switch rapid.IntRange(0, 5).Draw(r, "kind") {
	case 0:
		return strconv.FormatInt(rapid.Int64().Draw(r, "int")>>rapid.IntRange(0, 63).Draw(r, "shift"), 10)
	case 1:
		n := rapid.SampledFrom([]int{0, 1, 62, 63, 64, 124, 125, 126, 127, 4093, 4095, 4096, 16377, 16378}).Draw(r, "size")
		return strings.Repeat("y", n)
	case 2:
		return rapid.SampledFrom([]string{"-0", "00", "+1", "9223372036854775808", "-9223372036854775808"}).Draw(r, "odd")
	}
	return rapid.StringN(0, 12, -1).Draw(r, "text")
}

func same(fail func(string, ...any), h *heap.Heap, ref heap.Ref, want []string) {
	p := View(h.Arena(), ref)
	if err := Validate(p); err != nil {
		fail("%v", err)
	}
	if Len(p) != len(want) {
		fail("%d elements, want %d", Len(p), len(want))
	}
	var scratch [24]byte
	i := 0
	for at := First(p); at >= 0; at = Next(p, at) {
		if g := Get(p, at, &scratch); string(g) != want[i] {
			fail("element %d is %q, want %q", i, g, want[i])
		}
		if v, ok := Int(p, at); ok != isShortest(want[i]) || ok && strconv.FormatInt(v, 10) != want[i] {
			fail("element %d, %q, as an integer: %d, %v", i, want[i], v, ok)
		}
		i++
	}
	if used := h.Used(); used != int64(heap.ClassSize(Size(h.Arena(), ref))) {
		fail("%d bytes used, the block has %d", used, Size(h.Arena(), ref))
	}
}

func isShortest(s string) bool {
	v, err := strconv.ParseInt(s, 10, 64)
	return err == nil && strconv.FormatInt(v, 10) == s
}

func TestModel(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		h := newHeap(t, 16<<20)
		ref := New(h)
		var model []string
		fail := func(f string, args ...any) { r.Helper(); r.Fatalf(f, args...) }
		place := func() (int, int) {
			i := rapid.IntRange(0, len(model)-1).Draw(r, "index")
			return i, Seek(View(h.Arena(), ref), i-len(model)*rapid.IntRange(0, 1).Draw(r, "from end"))
		}
		r.Repeat(map[string]func(*rapid.T){
			"append": func(r *rapid.T) {
				s := element(r)
				ref, _ = Append(h, ref, []byte(s))
				model = append(model, s)
			},
			"prepend": func(r *rapid.T) {
				s := element(r)
				ref, _ = Prepend(h, ref, []byte(s))
				model = slices.Insert(model, 0, s)
			},
			"insert": func(r *rapid.T) {
				if len(model) == 0 {
					r.Skip()
				}
				s := element(r)
				i, at := place()
				var ok bool
				if ref, at, ok = Insert(h, ref, at, []byte(s)); !ok || !Equal(View(h.Arena(), ref), at, []byte(s)) {
					fail("not inserted")
				}
				model = slices.Insert(model, i, s)
			},
			"replace": func(r *rapid.T) {
				if len(model) == 0 {
					r.Skip()
				}
				s := element(r)
				i, at := place()
				ref, _, _ = Replace(h, ref, at, []byte(s))
				model[i] = s
			},
			"delete": func(r *rapid.T) {
				if len(model) == 0 {
					r.Skip()
				}
				i, at := place()
				n := rapid.IntRange(0, 4).Draw(r, "n")
				var next int
				ref, next = Delete(h, ref, at, n)
				model = slices.Delete(model, i, min(len(model), i+n))
				p := View(h.Arena(), ref)
				if i < len(model) && next != Seek(p, i) || i == len(model) && next != End(p) {
					fail("wrong place behind what was deleted")
				}
			},
			"find": func(r *rapid.T) {
				s := element(r)
				if len(model) > 0 && rapid.Bool().Draw(r, "there") {
					s = rapid.SampledFrom(model).Draw(r, "s")
				}
				skip := rapid.IntRange(0, 2).Draw(r, "skip")
				want := -1
				p := View(h.Arena(), ref)
				for i := 0; i < len(model) && want < 0; i += skip + 1 {
					if model[i] == s {
						want = Seek(p, i)
					}
				}
				if at := Find(p, First(p), []byte(s), skip); at != want {
					fail("%q found at %d, want %d", s, at, want)
				}
			},
			"copy": func(*rapid.T) {
				c := Copy(h, h, ref)
				Free(h, ref)
				ref = c
			},
			"": func(*rapid.T) { same(fail, h, ref, model) },
		})
		Free(h, ref)
		if h.Used() != 0 {
			fail("%d bytes left", h.Used())
		}
	})
}

// TestMany goes beyond the number of elements that the header can tell, and back.
func TestMany(t *testing.T) {
	h := newHeap(t, 16<<20)
	ref := New(h)
	var want []string
	fail := func(f string, args ...any) { t.Helper(); t.Fatalf(f, args...) }
	p := Empty(nil)
	for i := range 65530 {
		want = append(want, strconv.Itoa(i%100))
		p = AppendValue(p, []byte(want[i]))
	}
	Free(h, ref)
	ref = Put(h, p)
	for i := range 12 {
		s := strconv.Itoa(i)
		want = append(want, s)
		ref, _ = Append(h, ref, []byte(s))
		same(fail, h, ref, want)
	}
	if p := View(h.Arena(), ref); Seek(p, 65540) != Seek(p, -2) || Seek(p, 65542) != -1 || Seek(p, -65543) != -1 {
		t.Fatal("indices beyond 65535 are wrong")
	}
	c := Copy(h, h, ref)
	Free(h, ref)
	ref = c
	for range 12 {
		ref, _ = Delete(h, ref, headerSize, 1)
		want = want[1:]
		same(fail, h, ref, want)
	}
	ref, _ = Delete(h, ref, headerSize, 1<<40)
	same(fail, h, ref, nil)
	if n := binary.LittleEndian.Uint16(View(h.Arena(), ref)[4:]); n != 0 {
		t.Fatalf("the header tells of %d elements", n)
	}
}

// TestExhausted fills the heap: what grows fails and changes nothing, what
// shrinks works.
func TestExhausted(t *testing.T) {
	h := newHeap(t, 1<<20)
	fail := func(f string, args ...any) { t.Helper(); t.Fatalf(f, args...) }
	ref := New(h)
	var want []string
	for i := range 40 {
		s := fmt.Sprintf("element %d", i)
		want = append(want, s)
		ref, _ = Append(h, ref, []byte(s))
	}
	for size := 32 << 10; size > 0; size /= 2 {
		for h.Alloc(size) != 0 {
		}
		for h.Alloc(size-size/4) != 0 {
		}
	}
	for size := range 100 { // every class
		for h.Alloc(size*8) != 0 {
		}
	}
	same := func() {
		t.Helper()
		p := View(h.Arena(), ref)
		if Validate(p) != nil || Len(p) != len(want) {
			t.Fatal("not what it was")
		}
		for i, s := range want {
			if !Equal(p, Seek(p, i), []byte(s)) {
				t.Fatalf("element %d is not %q", i, s)
			}
		}
	}
	refused := 0
	for range 60 {
		grown, ok := Append(h, ref, []byte("more"))
		if ok {
			ref = grown
			want = append(want, "more")
		} else {
			refused++
		}
		same()
	}
	if refused == 0 {
		fail("nothing was refused")
	}
	for len(want) > 3 {
		ref, _ = Delete(h, ref, headerSize, 1)
		want = want[1:]
		same()
		if err := h.Check(); err != nil {
			t.Fatal(err)
		}
	}
	Free(h, ref)
	if err := h.Check(); err != nil {
		t.Fatal(err)
	}
}

func TestParseInt(t *testing.T) {
	for _, s := range []string{"", "-", "0", "-0", "1", "-1", "01", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "99999999999999999999", "1a", "a", ":", "/", "-:", "--1", "18446744073709551616", "10000000000000000000"} {
		v, ok := ParseInt([]byte(s))
		if ok != isShortest(s) || ok && strconv.FormatInt(v, 10) != s {
			t.Errorf("%q: %d, %v", s, v, ok)
		}
	}
}
