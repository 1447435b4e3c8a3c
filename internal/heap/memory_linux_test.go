//go:build linux && !race

package heap

import (
	"math/rand/v2"
	"os"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// residentBytes asks the kernel how many bytes of the arena have memory behind them.
func residentBytes(a *Arena) int64 {
	size := int64(a.chunks.frontier.Load()) << chunkShift
	vec := make([]byte, size/int64(sysPage))
	if _, _, e := syscall.Syscall(unix.SYS_MINCORE, uintptr(a.base), uintptr(size), uintptr(unsafe.Pointer(&vec[0]))); e != 0 {
		panic(e)
	}
	n := int64(0)
	for _, b := range vec {
		n += int64(b & 1)
	}
	return n * int64(sysPage)
}

// TestTinyHeaps: a heap of two small objects and a table's first segment costs one
// page, so a server with hundreds of slices starts small.
func TestTinyHeaps(t *testing.T) {
	a := newArena(t, 1<<30)
	heaps := make([]Heap, 512)
	for i := range heaps {
		h := &heaps[i]
		h.Init(a)
		for _, n := range []int{48, 56, 128 << (i % 4)} {
			clear(a.Bytes(h.Alloc(n), n))
		}
	}
	per := residentBytes(a) / int64(len(heaps))
	t.Logf("%d bytes per heap", per)
	if per > 4096+512 {
		t.Errorf("%d bytes resident per heap of three blocks, want one page", per)
	}
}

// TestEvacuation frees a random 90 % of many heaps' blocks and moves the rest.
func TestEvacuation(t *testing.T) {
	for _, c := range []struct {
		name          string
		heaps, blocks int
		size          func(*rand.Rand) int
	}{
		{"one size", 32, 10000, func(*rand.Rand) int { return 48 }},
		{"small sizes", 32, 10000, func(r *rand.Rand) int { return 24 + r.IntN(80) }},
		{"all sizes", 8, 4000, func(r *rand.Rand) int { return 16 << r.IntN(8) * (4 + r.IntN(4)) / 4 }},
		{"one big heap", 1, 300000, func(r *rand.Rand) int { return 40 + r.IntN(32) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(1, 2))
			a := newArena(t, 1<<30)
			heaps := make([]Heap, c.heaps)
			blocks := make([][]modelBlock, c.heaps)
			for i := range heaps {
				heaps[i].Init(a)
			}
			for range c.blocks {
				for i := range heaps {
					n := c.size(rnd)
					b := modelBlock{heaps[i].Alloc(n), n, byte(rnd.Int())}
					fillBytes(a.Bytes(b.r, n), b.fill)
					blocks[i] = append(blocks[i], b)
				}
			}
			full := residentBytes(a)
			t.Logf("full: used %d, held ×%.4f, resident ×%.4f", sum(heaps, (*Heap).Used),
				ratio(sum(heaps, (*Heap).Held), sum(heaps, (*Heap).Used)), ratio(full, sum(heaps, (*Heap).Used)))
			for i := range heaps {
				kept := blocks[i][:0]
				for _, b := range blocks[i] {
					if rnd.IntN(10) == 0 {
						kept = append(kept, b)
					} else {
						heaps[i].Free(b.r, b.n)
					}
				}
				blocks[i] = kept
			}
			used := sum(heaps, (*Heap).Used)
			sparse := residentBytes(a)
			moved, rounds := 0, 0
			for i := range heaps {
				h := &heaps[i]
				for round := 0; round < 3 && h.PlanEvacuation(10, false); round++ {
					rounds++
					for j := range blocks[i] {
						b := &blocks[i][j]
						if !h.Evacuating(b.r) {
							continue
						}
						r := h.Alloc(b.n)
						copy(a.Bytes(r, b.n), a.Bytes(b.r, b.n))
						h.Free(b.r, b.n)
						b.r = r
						moved++
					}
					h.FinishEvacuation()
				}
				h.Trim()
				if err := h.Check(); err != nil {
					t.Fatal(err)
				}
				for _, b := range blocks[i] {
					if p := a.Bytes(b.r, b.n); p[0] != b.fill || p[b.n-1] != b.fill {
						t.Fatalf("block %#x lost its contents", b.r)
					}
				}
			}
			for a.Trim(1<<20) > 0 {
			}
			held, idle, now := sum(heaps, (*Heap).Held), sum(heaps, (*Heap).Idle), residentBytes(a)
			t.Logf("used %d; resident before ×%.2f, after ×%.3f; held ×%.3f, with idle ×%.3f; moved %d in %d rounds", used,
				ratio(sparse, used), ratio(now, used), ratio(held, used), ratio(held+idle, used), moved, rounds)
			if ratio(now, used) > 1.2 {
				t.Errorf("resident is %.3f times what is used, want at most 1.2", ratio(now, used))
			}
		})
	}
}

func sum(heaps []Heap, f func(*Heap) int64) (n int64) {
	for i := range heaps {
		n += f(&heaps[i])
	}
	return n
}

func ratio(a, b int64) float64 { return float64(a) / float64(b) }

func TestCloseUnmaps(t *testing.T) {
	maps := func() int {
		b, err := os.ReadFile("/proc/self/maps")
		if err != nil {
			t.Skip(err)
		}
		return strings.Count(string(b), "\n")
	}
	before := maps()
	arenas := make([]*Arena, 20)
	for i := range arenas {
		a, err := NewArena(0)
		if err != nil {
			t.Fatal(err)
		}
		var h Heap
		h.Init(a)
		h.Alloc(100 << 20)
		arenas[i] = a
	}
	if n := maps(); n < before+20 {
		t.Fatalf("%d mappings before and %d with 20 arenas", before, n)
	}
	for _, a := range arenas {
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if n := maps(); n > before+10 {
		t.Fatalf("%d mappings before and %d after the arenas were closed", before, n)
	}
}

// TestReservationFallsBack: with little address space the arena is smaller.
func TestReservationFallsBack(t *testing.T) {
	if os.Getenv("HEAP_TEST_SMALL") == "" {
		runAlone(t, "HEAP_TEST_SMALL")
		return
	}
	var used int64
	b, _ := os.ReadFile("/proc/self/statm")
	for _, c := range string(b) {
		if c == ' ' {
			break
		}
		used = used*10 + int64(c-'0')
	}
	limit := unix.Rlimit{Cur: uint64(used)*uint64(sysPage) + 3<<30, Max: unix.RLIM_INFINITY}
	if err := unix.Setrlimit(unix.RLIMIT_AS, &limit); err != nil {
		t.Skip(err)
	}
	a, err := NewArena(64 << 30)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if r := a.Stats().Reserved; r > 3<<30 || r < 1<<30 {
		t.Errorf("reserved %d bytes of at most 3 GiB", r)
	}
	var h Heap
	h.Init(a)
	if h.Alloc(100<<20) == 0 || h.Alloc(4<<30) != 0 {
		t.Error("100 MiB must fit, 4 GiB must not")
	}
}
