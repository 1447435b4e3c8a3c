//go:build linux && !race

package heap

import (
	"fmt"
	"runtime"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// threadTime is the calling thread's processor time in nanoseconds.
func threadTime() int64 {
	var ts unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &ts)
	return ts.Nano()
}

// BenchmarkRandomRead reads random words of 256 MiB, one after the other and
// sixteen at a time, on ordinary and on huge pages.
func BenchmarkRandomRead(b *testing.B) {
	const size = 256 << 20
	for _, huge := range []bool{false, true} {
		a, err := OpenArena(Options{Reserve: 2 * size, HugePages: huge})
		if err != nil {
			b.Fatal(err)
		}
		defer a.Close()
		var h Heap
		h.Init(a)
		h.Alloc(hugeFrom)
		p := a.Ptr(h.Alloc(size))
		runtime.LockOSThread()
		start := threadTime()
		for i := 0; i < size; i += sysPage {
			*(*byte)(unsafe.Add(p, i)) = 1
		}
		fault := float64(threadTime()-start) / float64(size/sysPage)
		runtime.UnlockOSThread()
		word := func(x uint64) *uint64 { return (*uint64)(unsafe.Add(p, x&(size/64-1)*64)) }
		x := uint64(1)
		next := func() uint64 {
			x = x*6364136223846793005 + 1
			return x >> 30
		}
		b.Run(fmt.Sprintf("huge=%v/serial", huge), func(b *testing.B) {
			cpuBench(b, 1000, func() {
				for range 1000 {
					x += *word(next()) & 2
				}
			})
			b.ReportMetric(fault, "fault-cpu-ns/4KiB")
		})
		b.Run(fmt.Sprintf("huge=%v/overlapped", huge), func(b *testing.B) {
			cpuBench(b, 1024, func() {
				for range 64 {
					var at [16]*uint64
					for i := range at {
						at[i] = word(next())
					}
					for _, p := range at {
						sink += *p
					}
				}
			})
		})
	}
}

// BenchmarkPageFault compares touching fresh pages with asking for them ahead.
func BenchmarkPageFault(b *testing.B) {
	const size = 16 << 20
	a := newArena(b, 64<<20)
	var h Heap
	h.Init(a)
	p := a.Ptr(h.Alloc(size))
	for _, batch := range []int{0, 16 << 10, 2 << 20} {
		b.Run(fmt.Sprintf("ahead=%d", batch), func(b *testing.B) {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			took := int64(0)
			for range b.N {
				start := threadTime()
				for i := 0; i < size; i += max(batch, sysPage) {
					if batch == 0 {
						*(*byte)(unsafe.Add(p, i)) = 1
					} else if err := unix.Madvise(unsafe.Slice((*byte)(unsafe.Add(p, i)), batch), unix.MADV_POPULATE_WRITE); err != nil {
						b.Skip(err)
					}
				}
				took += threadTime() - start
				sysDiscard(p, size)
			}
			b.ReportMetric(float64(took)/float64(b.N*size/sysPage), "cpu-ns/page")
		})
	}
}
