package plot

import (
	"fmt"
	"math"
	"strings"

	"sherd/internal/load/table"
)

// axis maps values to 0 (its beginning) to 1 (its end).
type axis struct {
	low, high float64 // logarithms for a logarithmic one
	log       bool
	ticks     []tick
}

type tick struct {
	value float64
	label string
}

func (a *axis) place(v float64) float64 {
	if a.log {
		v = math.Log10(max(v, 1e-9))
	}
	return min(max((v-a.low)/(a.high-a.low), 0), 1)
}

// axes are chosen so that all points have a place.
func (c *Chart) axes() (x, y axis) {
	var xs, ys []float64
	for _, s := range c.series {
		for _, p := range s.points {
			if finite(p.X) && finite(p.Y) {
				xs, ys = append(xs, p.X), append(ys, p.Y)
			}
		}
	}
	if len(xs) == 0 {
		xs, ys = []float64{0, 1}, []float64{1, 2}
	}
	if c.percentiles {
		return percentileAxis(highest(xs)), decades(ys)
	}
	x = linear(highest(xs))
	x.ticks = nil
	for _, v := range xs { // a tick where something was measured
		x.ticks = append(x.ticks, tick{v, fmt.Sprintf("%g", v)})
	}
	return x, linear(highest(ys))
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

func highest(vs []float64) float64 {
	h := vs[0]
	for _, v := range vs {
		h = max(h, v)
	}
	return h
}

// percentileAxis runs from 0 nines to as many as there are.
func percentileAxis(nines float64) axis {
	a := axis{high: max(nines, 1)}
	for n := 0; float64(n) <= a.high; n++ {
		label := "0"
		switch {
		case n == 1:
			label = "90 %"
		case n == 2:
			label = "99 %"
		case n > 2:
			label = "99." + strings.Repeat("9", n-2) + " %"
		}
		a.ticks = append(a.ticks, tick{float64(n), label})
	}
	if half := math.Log10(2); a.high > half {
		a.ticks = append(a.ticks, tick{half, "50 %"})
	}
	return a
}

// decades is a logarithmic axis over whole powers of ten, in microseconds.
func decades(vs []float64) axis {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range vs {
		l := math.Log10(max(v, 1e-3))
		low, high = min(low, math.Floor(l)), max(high, math.Ceil(l))
	}
	if high <= low {
		high = low + 1
	}
	a := axis{low: low, high: high, log: true}
	for e := low; e <= high; e++ {
		for _, m := range []float64{1, 2, 5} {
			if v := m * math.Pow(10, e); v <= math.Pow(10, high)*1.0001 {
				a.ticks = append(a.ticks, tick{v, tickMicros(v)})
			}
		}
	}
	return a
}

// tickMicros labels 1, 2 or 5 times a power of ten without spare digits.
func tickMicros(us float64) string {
	switch {
	case us < 0.9999:
		return fmt.Sprintf("%.0f ns", us*1e3)
	case us < 999:
		return fmt.Sprintf("%.0f µs", us)
	case us < 999_000:
		return fmt.Sprintf("%.0f ms", us/1e3)
	}
	return fmt.Sprintf("%.0f s", us/1e6)
}

// linear runs from zero to a round number above high, in about five steps.
func linear(high float64) axis {
	if high <= 0 {
		high = 1
	}
	step := math.Pow(10, math.Floor(math.Log10(high)))
	switch n := high / step; {
	case n < 1.5:
		step /= 5
	case n < 3:
		step /= 2
	case n > 7:
		step *= 2
	}
	a := axis{high: math.Ceil(high/step*1.0001) * step}
	for i := 0; float64(i)*step <= a.high*1.0001; i++ {
		v := float64(i) * step
		label := fmt.Sprintf("%g", math.Round(v*1e6)/1e6)
		if v >= 10_000 {
			label = table.Count(int64(v))
		}
		a.ticks = append(a.ticks, tick{v, label})
	}
	return a
}
