package metrics

import (
	"sync"
	"time"
)

// rate is the ticks' length, measured once over a few milliseconds the first
// time somebody asks for it and again, more exactly, the longer the process
// runs.
var rate struct {
	once  sync.Once
	ticks uint64
	at    time.Time
}

func init() {
	rate.ticks, rate.at = Ticks(), time.Now()
}

// NsPerTick returns the length of a tick in nanoseconds.
func NsPerTick() float64 {
	rate.once.Do(func() {
		for time.Since(rate.at) < 2*time.Millisecond {
		}
	})
	d := Ticks() - rate.ticks
	return float64(time.Since(rate.at)) / float64(d)
}

// Ns converts a duration in ticks to nanoseconds.
func Ns(ticks uint64) float64 { return float64(ticks) * NsPerTick() }
