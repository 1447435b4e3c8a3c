// Package latency records latencies in HDR histograms: nanoseconds to ten
// minutes with three significant digits, so that a percentile is right to one
// part in a thousand wherever it lies.
package latency

import (
	"math"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

const (
	lowest  = 1
	highest = int64(10 * time.Minute)
	digits  = 3
)

// Hist is a histogram. It belongs to one goroutine at a time.
type Hist struct {
	h   *hdrhistogram.Histogram
	max int64 // exact, the histogram's own is rounded up
	min int64
}

// New returns an empty histogram.
func New() *Hist {
	return &Hist{h: hdrhistogram.New(lowest, highest, digits), min: math.MaxInt64}
}

// Record counts n requests that each took ns nanoseconds. What is out of range
// is recorded at the nearest end of it, never dropped.
func (h *Hist) Record(ns, n int64) {
	ns = min(max(ns, lowest), highest)
	h.max = max(h.max, ns)
	h.min = min(h.min, ns)
	_ = h.h.RecordValues(ns, n) // in range by the line above
}

// Merge adds what other has recorded.
func (h *Hist) Merge(other *Hist) {
	if other == nil || other.Count() == 0 {
		return
	}
	h.h.Merge(other.h)
	h.max = max(h.max, other.max)
	h.min = min(h.min, other.min)
}

// Reset forgets everything.
func (h *Hist) Reset() {
	h.h.Reset()
	h.max, h.min = 0, math.MaxInt64
}

// Count is how many requests were recorded.
func (h *Hist) Count() int64 { return h.h.TotalCount() }

// Quantile returns the latency that a share q (0 to 1) of the requests did not
// exceed; 0 when nothing was recorded.
func (h *Hist) Quantile(q float64) time.Duration {
	if h.Count() == 0 {
		return 0
	}
	return time.Duration(min(h.h.ValueAtQuantile(q*100), h.max))
}

// Summary is what is printed and kept of a histogram; times in microseconds.
type Summary struct {
	Count  int64   `json:"count"`
	Mean   float64 `json:"mean_us"`
	Min    float64 `json:"min_us"`
	P50    float64 `json:"p50_us"`
	P90    float64 `json:"p90_us"`
	P99    float64 `json:"p99_us"`
	P999   float64 `json:"p99_9_us"`
	P9999  float64 `json:"p99_99_us"`
	Max    float64 `json:"max_us"`
	Points []Point `json:"points,omitempty"`
}

// Point is one point of the curve of percentiles.
type Point struct {
	Quantile float64 `json:"q"`
	Micros   float64 `json:"us"`
}

// Summarize returns the summary, with the curve when asked.
func (h *Hist) Summarize(curve bool) Summary {
	if h.Count() == 0 {
		return Summary{}
	}
	us := func(q float64) float64 { return micros(h.Quantile(q)) }
	s := Summary{
		Count: h.Count(), Mean: h.h.Mean() / 1e3, Min: float64(h.min) / 1e3,
		P50: us(.5), P90: us(.9), P99: us(.99), P999: us(.999), P9999: us(.9999),
		Max: float64(h.max) / 1e3,
	}
	if curve {
		s.Points = h.curve()
	}
	return s
}

// curve samples the distribution evenly on the axis of 1/(1-q), on which the
// tail takes as much room as the middle, as far as the count supports.
func (h *Hist) curve() []Point {
	const perDecade = 12
	last := math.Log10(float64(h.Count()))
	points := []Point{{0, float64(h.min) / 1e3}}
	for i := 1; float64(i)/perDecade <= last; i++ {
		q := 1 - math.Pow(10, -float64(i)/perDecade)
		points = append(points, Point{q, micros(h.Quantile(q))})
	}
	return append(points, Point{1, float64(h.max) / 1e3})
}

func micros(d time.Duration) float64 { return float64(d) / 1e3 }
