package heap

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
)

// The machines these run on are shared, so beside the clock's time each benchmark
// reports the processor time of its thread, as cpu-ns/op.

func cpuBench(b *testing.B, perLoop int, f func()) {
	b.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	b.ResetTimer()
	start := threadTime()
	for range b.N {
		f()
	}
	b.ReportMetric(float64(threadTime()-start)/float64(b.N*perLoop), "cpu-ns/op")
	b.StopTimer()
}

func BenchmarkAllocFree(b *testing.B) {
	for _, n := range []struct {
		name string
		size int
	}{{"16", 16}, {"48", 48}, {"400", 400}, {"1024", 1024}, {"4608", 4608}, {"1MiB", 1 << 20}} {
		b.Run(n.name, func(b *testing.B) {
			a := newArena(b, 1<<30)
			var h Heap
			h.Init(a)
			for range 100 {
				h.Alloc(n.size)
			}
			cpuBench(b, 100, func() {
				for range 100 {
					h.Free(h.Alloc(n.size), n.size)
				}
			})
		})
	}
}

// BenchmarkChurn replaces random blocks of a heap with as many of the sizes from
// 40 to 71 bytes.
func BenchmarkChurn(b *testing.B) {
	for _, c := range []struct {
		name          string
		heaps, blocks int
	}{{"1x1000", 1, 1000}, {"512x2000", 512, 2000}, {"1x1000000", 1, 1000000}} {
		b.Run(c.name, func(b *testing.B) {
			a := newArena(b, 1<<30)
			rnd := rand.New(rand.NewPCG(1, 2))
			heaps := make([]Heap, c.heaps)
			blocks := make([][]Ref, c.heaps)
			for i := range heaps {
				heaps[i].Init(a)
				for range c.blocks {
					blocks[i] = append(blocks[i], heaps[i].Alloc(40+len(blocks[i])&31))
				}
			}
			cpuBench(b, 1000, func() {
				for range 1000 {
					x := rnd.Uint64()
					h := int(x>>32) & (c.heaps - 1)
					i := int(uint32(x)) % c.blocks
					heaps[h].Free(blocks[h][i], 40+i&31)
					blocks[h][i] = heaps[h].Alloc(40 + i&31)
				}
			})
		})
	}
}

// BenchmarkFill loads 512 heaps with 10,000 blocks of 48 bytes each, in random
// order, and reports what they take.
func BenchmarkFill(b *testing.B) {
	for range b.N {
		a := newArena(b, 8<<30)
		heaps := make([]Heap, 512)
		for i := range heaps {
			heaps[i].Init(a)
		}
		rnd := rand.New(rand.NewPCG(1, 2))
		runtime.LockOSThread()
		start := threadTime()
		for range 10000 * len(heaps) {
			h := &heaps[rnd.Uint32()&511]
			r := h.Alloc(48)
			*(*[6]uint64)(a.Ptr(r)) = [6]uint64{uint64(r)}
		}
		took := threadTime() - start
		runtime.UnlockOSThread()
		var used, held int64
		for i := range heaps {
			used += heaps[i].Used()
			held += heaps[i].Held()
		}
		b.ReportMetric(float64(took)/float64(used/48), "cpu-ns/block")
		b.ReportMetric(float64(held)/float64(used), "held/used")
		b.ReportMetric(float64(residentBytes(a))/float64(used/48), "resident-B/block")
		a.Close()
	}
}

// BenchmarkPlan plans the evacuation of a heap of 10,000 blocks after nine of ten
// were freed, and moves the rest.
func BenchmarkPlan(b *testing.B) {
	a := newArena(b, 1<<30)
	for range b.N {
		var h Heap
		h.Init(a)
		var kept []Ref
		rnd := rand.New(rand.NewPCG(1, 2))
		for range 10000 {
			kept = append(kept, h.Alloc(48))
		}
		for i := 0; i < len(kept); {
			if rnd.IntN(10) > 0 {
				h.Free(kept[i], 48)
				kept[i] = kept[len(kept)-1]
				kept = kept[:len(kept)-1]
				continue
			}
			i++
		}
		h.Trim()
		runtime.LockOSThread()
		start := threadTime()
		h.PlanEvacuation(10, false)
		planned := threadTime()
		for i, r := range kept {
			if h.Evacuating(r) {
				kept[i] = h.Alloc(48)
				copy(a.Bytes(kept[i], 48), a.Bytes(r, 48))
				h.Free(r, 48)
			}
		}
		h.FinishEvacuation()
		b.ReportMetric(float64(planned-start), "plan-cpu-ns")
		b.ReportMetric(float64(threadTime()-planned)/float64(len(kept)), "move-cpu-ns/block")
		runtime.UnlockOSThread()
		d := h.Detach()
		d.Free(1 << 20)
	}
}

// BenchmarkYardstick is a dependent multiply and add, five cycles or so: what the
// others are to be divided by where the machine's speed is not its own.
func BenchmarkYardstick(b *testing.B) {
	x := uint64(1)
	cpuBench(b, 1000, func() {
		for range 1000 {
			x = x*6364136223846793005 + 1
		}
	})
	sink = x
}

var sink uint64

// BenchmarkDensity reports what heaps of several populations and ranges of block
// sizes hold for each byte used.
func BenchmarkDensity(b *testing.B) {
	for _, blocks := range []int{2000, 10000, 50000} {
		for _, sizes := range [][2]int{{48, 48}, {40, 63}, {24, 103}, {64, 1023}} {
			b.Run(fmt.Sprintf("%dx%d-%d", blocks, sizes[0], sizes[1]), func(b *testing.B) {
				var used, held int64
				for range b.N {
					a := newArena(b, 1<<30)
					rnd := rand.New(rand.NewPCG(1, 2))
					for range 1 + 50000/blocks {
						var h Heap
						h.Init(a)
						for range blocks {
							h.Alloc(sizes[0] + rnd.IntN(sizes[1]-sizes[0]+1))
						}
						used, held = used+h.Used(), held+h.Held()
					}
					a.Close()
				}
				b.ReportMetric(float64(held)/float64(used), "held/used")
			})
		}
	}
}
