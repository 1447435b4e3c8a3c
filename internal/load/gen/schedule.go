package gen

import (
	"math"

	"sherd/internal/load/keyspace"
)

// Schedule is when the batches of one loop are due, in nanoseconds of the
// run's clock. It never looks at what was answered: that is what makes the
// loop open. A schedule that is behind is caught up with, slot by slot.
type Schedule struct {
	start  float64
	every  float64 // mean distance of two batches of the whole run
	index  float64 // this loop's place among the loops
	stride float64 // how many loops there are
	k      float64 // batches so far

	rng *keyspace.Rand // nil: evenly spaced; else a Poisson process
	at  float64
}

// NewSchedule returns the schedule of loop index of total for a run that sends
// batches per second in all, starting at start. Evenly spaced schedules of
// several loops interleave; Poisson ones add up to a Poisson process.
func NewSchedule(start int64, batches float64, index, total int, poisson bool, seed uint64) *Schedule {
	s := &Schedule{start: float64(start), every: 1e9 / batches, index: float64(index), stride: float64(total)}
	if poisson {
		s.rng = new(keyspace.Rand)
		s.rng.Seed(^seed, uint64(index)) // another sequence than the keys'
		s.at = s.start
		s.draw()
	}
	return s
}

// Due is when the next batch is due.
func (s *Schedule) Due() int64 {
	if s.rng != nil {
		return int64(s.at)
	}
	// From the count, not by adding up: no drift over a run of hours.
	return int64(s.start + (s.k*s.stride+s.index)*s.every)
}

// Advance goes on to the batch after.
func (s *Schedule) Advance() {
	s.k++
	if s.rng != nil {
		s.draw()
	}
}

func (s *Schedule) draw() { s.at -= math.Log(s.rng.Float()) * s.every * s.stride }
