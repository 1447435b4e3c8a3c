package heap

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"testing"

	"sherd/internal/invariants"
)

func newArena(tb testing.TB, reserve int64) *Arena {
	tb.Helper()
	a, err := NewArena(reserve)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { a.Close() })
	return a
}

// runAlone runs the calling test in a process of its own with env set.
func runAlone(t *testing.T, env string) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run", "^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), env+"=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

func TestClassSizes(t *testing.T) {
	for n := 1; n < 40000; n++ {
		s := ClassSize(n)
		if s < n || s%8 != 0 || ClassSize(s) != s {
			t.Fatalf("ClassSize(%d) = %d", n, s)
		}
		if n > 256 && n <= maxBlock && (s-n)*8 > n || n <= 256 && s-n > 7 {
			t.Fatalf("ClassSize(%d) = %d wastes too much", n, s)
		}
	}
	for _, n := range []int{48, 56, 4096, 4608, 5120, 5632, 6144, 6656, 7168, 7680, 8192, 9216, 32768, 36864} {
		if ClassSize(n) != n {
			t.Errorf("%d is no class: %d", n, ClassSize(n))
		}
	}
	for c := range classes {
		cl := &classes[c]
		waste := int(cl.units)*unitSize - int(cl.limit(uint(cl.units)))*int(cl.words)*8
		if waste*fitTight > int(cl.units)*unitSize {
			t.Errorf("a full span of %d-byte blocks wastes %d bytes of %d units", cl.words*8, waste, cl.units)
		}
		for k := uint(1); k <= spanUnits; k++ {
			for i := range cl.limit(k) {
				if got := uint32(i) * cl.words * cl.recip >> 16; got != uint32(i) {
					t.Fatalf("%d bytes: block %d is taken for %d", cl.words*8, i, got)
				}
			}
		}
	}
}

func TestUnits(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		var in [128]bool
		s := units{}
		for u := uint(0); u < 128; {
			n := min(1+uint(rnd.IntN(1<<rnd.IntN(8))), 128-u)
			if rnd.IntN(2) == 0 {
				s = s.or(unitRange(u, n))
				for i := range n {
					in[u+i] = true
				}
			}
			u += n
		}
		n := 1 + uint(rnd.IntN(64))
		first, longest, run, count := -1, uint(0), uint(0), 0
		for u, ok := range in {
			if s.has(uint(u)) != ok {
				t.Fatalf("%v: has %d", s, u)
			}
			if run++; !ok {
				run = 0
			} else {
				count++
			}
			if longest = max(longest, run); run == n && first < 0 {
				first = u + 1 - int(n)
			}
		}
		if s.count() != count || s.longest() != longest {
			t.Fatalf("%v: count %d, want %d; longest %d, want %d", s, s.count(), count, s.longest(), longest)
		}
		if st := s.starts(n); st.empty() != (first < 0) || first >= 0 && st.first() != uint(first) {
			t.Fatalf("%v: run of %d at %v, want %d", s, n, st, first)
		}
		log := -1
		for 1<<(log+1) <= longest && log < 6 {
			log++
		}
		if s.longestLog() != log {
			t.Fatalf("%v: longestLog %d, want %d", s, s.longestLog(), log)
		}
	}
}

func TestHugeBlock(t *testing.T) {
	a := newArena(t, 2<<30)
	var h Heap
	h.Init(a)
	const n = 512 << 20
	r := h.Alloc(n)
	if testingSmall(a) {
		if r != 0 {
			t.Fatal("a block larger than the arena")
		}
		return
	}
	p := a.Bytes(r, n)
	p[0], p[n-1] = 1, 2
	if r = h.Grow(r, n, n+100); r == 0 || a.Bytes(r, n)[n-1] != 2 || a.Bytes(r, n)[0] != 1 {
		t.Fatal("contents lost")
	}
	if h.Used() != n+bigStep || h.Held() != n+bigStep {
		t.Fatalf("used %d, held %d", h.Used(), h.Held())
	}
	if q := h.Grow(r, n+100, 100<<10); q != r {
		t.Fatal("a block moved to become smaller")
	}
	h.Free(r, 100<<10)
	for a.Trim(64<<20) > 0 {
	}
	if s := a.Stats(); s.Held != 0 || s.FreeDirty != 0 {
		t.Fatalf("%+v", s)
	}
	if !a.Readable(r, n) || a.Bytes(r, n)[0] != 0 {
		t.Fatal("memory given back must read as zeros")
	}
	if h.Alloc(1<<62) != 0 {
		t.Fatal("a block larger than any memory")
	}
}

// testingSmall says that arenas come from the Go heap, where they are small.
func testingSmall(a *Arena) bool { return a.limit < 1<<30 }

func TestExhaustionRecovers(t *testing.T) {
	const size = 1 << 20
	a := newArena(t, size)
	var h Heap
	h.Init(a)
	for _, n := range []int{16, 48, 3000, 4608, 20000, 70000} {
		for round := range 2 {
			var got []Ref
			for {
				r := h.Alloc(n)
				if r == 0 {
					break
				}
				got = append(got, r)
			}
			if h.Alloc(n) != 0 || h.Grow(got[0], n, 8<<20) != 0 {
				t.Fatal("memory out of nowhere")
			}
			if want := int64(len(got) * ClassSize(n)); h.Used() != want {
				t.Fatalf("%d bytes: used %d, want %d", n, h.Used(), want)
			}
			if share := float64(h.Used()) / size; share < 0.45 {
				t.Fatalf("round %d: %d blocks of %d bytes, only %.0f %% of the arena", round, len(got), n, share*100)
			}
			if err := h.Check(); err != nil {
				t.Fatal(err)
			}
			for _, r := range got {
				h.Free(r, n)
			}
			h.Trim()
			if h.Used() != 0 || h.Held() != 0 {
				t.Fatalf("used %d, held %d after all was freed", h.Used(), h.Held())
			}
		}
	}
}

func TestDetach(t *testing.T) {
	a := newArena(t, 64<<20)
	var h Heap
	h.Init(a)
	fill := func() {
		for i := range 20000 {
			h.Alloc(16 + i%200)
		}
		h.Alloc(1 << 20)
		h.Alloc(100 << 10)
	}
	fill()
	held := a.Stats().Held
	d := h.Detach()
	if h.Used() != 0 || h.Held() != 0 || a.Stats().Held != held {
		t.Fatal("a detached heap must be empty and its memory not yet free")
	}
	fill() // the heap is usable at once
	steps := 0
	for !d.Free(4) {
		steps++
	}
	if steps < 5 {
		t.Errorf("freed in %d steps", steps)
	}
	if !d.Free(1) {
		t.Error("nothing is left to free")
	}
	if got := a.Stats().Held; got != held {
		t.Errorf("arena holds %d bytes, want %d", got, held)
	}
	if err := h.Check(); err != nil {
		t.Fatal(err)
	}
}

func TestGrowInPlace(t *testing.T) {
	a := newArena(t, 64<<20)
	var h Heap
	h.Init(a)
	r := h.Alloc(2048)
	if q := h.Grow(r, 2048, 16<<10); q != r {
		t.Error("units behind the block are free, and it moved")
	}
	if q := h.Grow(r, 16<<10, 1024); q != r {
		t.Error("a block moved to become smaller")
	}
	big := h.Alloc(100 << 10)
	if q := h.Grow(big, 100<<10, 1<<20); q != big {
		t.Error("chunks behind the block are free, and it moved")
	}
	if err := h.Check(); err != nil {
		t.Fatal(err)
	}
}

func TestReadable(t *testing.T) {
	a := newArena(t, 16<<20)
	var h Heap
	h.Init(a)
	r := h.Alloc(100)
	for _, c := range []struct {
		r    Ref
		n    int
		want bool
	}{
		{r, 100, true},
		{0, 1, false},
		{r, -1, false},
		{r, 1 << 62, false},
		{^Ref(0), 8, false},
		{1 << 35, 8, false},
		{1 << 61, 8, false}, // ×8 wraps around to 0
		{Ref(a.Stats().Committed/8) - 1, 8, true},
		{Ref(a.Stats().Committed/8) - 1, 9, false},
	} {
		if got := a.Readable(c.r, c.n); got != c.want {
			t.Errorf("Readable(%#x, %d) = %v", c.r, c.n, got)
		}
	}
}

// TestConcurrentHeaps: heaps that share nothing but the arena, on goroutines that
// take, give, trim and hand whole heaps over.
func TestConcurrentHeaps(t *testing.T) {
	a := newArena(t, 64<<20)
	var wg sync.WaitGroup
	stop := make(chan struct{})
	gone := make(chan Detached, 16)
	for g := range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			rnd := rand.New(rand.NewPCG(uint64(g), 7))
			m := &model{t: fatal{t}, a: a}
			m.h.Init(a)
			for range 20 {
				for range rnd.IntN(100) {
					m.alloc(1 + modelSize(rnd.IntN(16), rnd.IntN(1<<16)))
				}
				for range rnd.IntN(len(m.blocks) + 1) {
					m.free(rnd.IntN(len(m.blocks)))
				}
				if m.h.PlanEvacuation(5, false) {
					m.move(1 << 30)
					m.h.FinishEvacuation()
				}
				switch rnd.IntN(8) {
				case 0:
					gone <- m.h.Detach()
					m.blocks, m.used = nil, 0
				case 1:
					m.h.Trim()
				}
				m.check()
			}
			gone <- m.h.Detach()
		}()
	}
	var back sync.WaitGroup
	back.Add(2)
	go func() {
		defer back.Done()
		for {
			a.Trim(300 << 10)
			runtime.Gosched()
			select {
			case <-stop:
				return
			default:
			}
		}
	}()
	go func() {
		defer back.Done()
		for d := range gone {
			for !d.Free(3) {
			}
		}
	}()
	wg.Wait()
	close(stop)
	close(gone)
	back.Wait()
	a.Trim(1 << 40)
	if s := a.Stats(); s.Held != 0 || s.FreeDirty != 0 {
		t.Errorf("%+v after all was given back", s)
	}
}

// fatal lets a goroutine fail a test.
type fatal struct{ *testing.T }

func (f fatal) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }

// TestInvariants: invariant builds catch what a production build would not notice.
func TestInvariants(t *testing.T) {
	if !invariants.Enabled {
		t.Skip("needs -tags invariants")
	}
	for _, c := range []struct {
		want string
		do   func(a *Arena, h *Heap)
	}{
		{"freed twice", func(_ *Arena, h *Heap) { r := h.Alloc(48); h.Alloc(48); h.Free(r, 48); h.Free(r, 48) }},
		{"but it has", func(_ *Arena, h *Heap) { h.Free(h.Alloc(48), 56) }},
		{"where no such block begins", func(_ *Arena, h *Heap) { h.Free(h.Alloc(48), 4096) }},
		{"but it has", func(_ *Arena, h *Heap) { h.Free(h.Alloc(4096), 4608) }},
		{"no such block", func(_ *Arena, h *Heap) { h.Free(h.Alloc(1<<20), 2<<20) }},
		{"no block of the heap", func(_ *Arena, h *Heap) { h.Free(h.Alloc(1<<20), 48) }},
		{"not where a block begins", func(_ *Arena, h *Heap) { h.Free(h.Alloc(48)+1, 48) }},
		{"after it was freed", func(a *Arena, h *Heap) {
			r := h.Alloc(48)
			h.Alloc(48)
			h.Free(r, 48)
			a.Bytes(r, 48)[20] = 1
			h.Alloc(48)
		}},
	} {
		a := newArena(t, 16<<20)
		var h Heap
		h.Init(a)
		func() {
			defer func() {
				if p := fmt.Sprint(recover()); !strings.Contains(p, c.want) {
					t.Errorf("got %q, want %q", p, c.want)
				}
			}()
			c.do(a, &h)
		}()
	}
}

func TestNewArenaFails(t *testing.T) {
	a := newArena(t, 1)
	var h Heap
	h.Init(a)
	if r := h.Alloc(8); r == 0 {
		t.Error("the smallest arena has no room")
	}
	if errors.Is(ErrReserve, nil) {
		t.Error("ErrReserve is nil")
	}
}
