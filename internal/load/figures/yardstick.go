package figures

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"sherd/internal/load/proc"
)

// yardstick is how much more two threads can do than one on this machine when they
// have nothing in common, neither memory nor locks: the most that a server can gain.
// Virtual CPUs that share a core or a quota give less than 2.
func yardstick(cpus []int, d time.Duration) (float64, error) {
	one, err1 := spin(cpus, 1, d)
	two, err2 := spin(cpus, 2, d)
	return two / one, errors.Join(err1, err2)
}

// spin is how many rounds of arithmetic so many threads get done in d.
func spin(cpus []int, threads int, d time.Duration) (float64, error) {
	var rounds, sink atomic.Uint64
	var wg sync.WaitGroup
	errs := make([]error, threads)
	for t := range threads {
		wg.Go(func() {
			errs[t] = proc.OnCPUs(cpus, func() error {
				n, x := uint64(0), uint64(1)
				for end := time.Now().Add(d); time.Now().Before(end); n++ {
					for i := range uint64(10_000) {
						x = x*3 + i
					}
				}
				rounds.Add(n)
				sink.Add(x)
				return nil
			})
		})
	}
	wg.Wait()
	return float64(rounds.Load()), errors.Join(errs...)
}
