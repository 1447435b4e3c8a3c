package gen

import (
	"math"
	"slices"
	"testing"
)

func TestEvenSchedulesInterleave(t *testing.T) {
	const start, perSecond, loops = 1_000_000, 20_000.0, 3
	var all []int64
	for i := range loops {
		s := NewSchedule(start, perSecond, i, loops, false, 1)
		for range 2000 {
			all = append(all, s.Due())
			s.Advance()
		}
	}
	slices.Sort(all)
	for i, at := range all {
		want := start + float64(i)*1e9/perSecond
		if math.Abs(float64(at)-want) > 1 {
			t.Fatalf("batch %d is due at %d, want %.0f", i, at, want)
		}
	}
}

func TestEvenScheduleDoesNotDrift(t *testing.T) {
	const perSecond = 333_333.3
	s := NewSchedule(0, perSecond, 0, 1, false, 1)
	s.k = perSecond * 3600 // an hour later
	if at := s.Due(); math.Abs(float64(at)-3600e9) > 10 {
		t.Errorf("after an hour's batches it is %d ns", at)
	}
}

func TestPoissonSchedule(t *testing.T) {
	const loops, n = 4, 50_000
	const perSecond = 100_000.0
	var all []int64
	for i := range loops {
		s := NewSchedule(0, perSecond, i, loops, true, 42)
		last := int64(0)
		for range n {
			if s.Due() < last {
				t.Fatal("the schedule goes back in time")
			}
			last = s.Due()
			all = append(all, last)
			s.Advance()
		}
	}
	slices.Sort(all)
	all = all[:loops*n*9/10] // all loops are still running then
	if rate := float64(len(all)) / (float64(all[len(all)-1]) / 1e9); math.Abs(rate/perSecond-1) > .02 {
		t.Errorf("rate %.0f, want %.0f", rate, perSecond)
	}
	// Gaps of a Poisson process are exponential: the share above the mean is 1/e.
	above := 0
	for i := 1; i < len(all); i++ {
		if float64(all[i]-all[i-1]) > 1e9/perSecond {
			above++
		}
	}
	if got := float64(above) / float64(len(all)); math.Abs(got-1/math.E) > .01 {
		t.Errorf("%.3f of the gaps are above the mean, want %.3f", got, 1/math.E)
	}
}

func TestShare(t *testing.T) {
	for _, c := range []struct{ count, total int }{{0, 3}, {1, 3}, {10, 3}, {12, 4}, {7, 1}} {
		sum := int64(0)
		for i := range c.total {
			n := share(int64(c.count), i, c.total)
			if n < int64(c.count/c.total) || n > int64(c.count/c.total+1) {
				t.Errorf("%+v: loop %d gets %d", c, i, n)
			}
			sum += n
		}
		if sum != int64(c.count) {
			t.Errorf("%+v: shares add up to %d", c, sum)
		}
	}
}
