package latency

import (
	"math"
	"testing"
	"time"
)

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if math.Abs(got-want) > tolerance*want {
		t.Errorf("%s = %g, want %g within %g", what, got, want, tolerance)
	}
}

func TestMergeEqualsRecordingTogether(t *testing.T) {
	together, parts := New(), []*Hist{New(), New(), New()}
	for i := int64(1); i <= 30_000; i++ {
		ns := i * i // spread over nine decades
		together.Record(ns, 1+i%3)
		parts[i%3].Record(ns, 1+i%3)
	}
	merged := New()
	for _, p := range parts {
		merged.Merge(p)
	}
	merged.Merge(New())
	merged.Merge(nil)
	if merged.Count() != together.Count() {
		t.Fatalf("count %d, want %d", merged.Count(), together.Count())
	}
	for _, q := range []float64{0, .1, .5, .9, .99, .999, .9999, 1} {
		if g, w := merged.Quantile(q), together.Quantile(q); g != w {
			t.Errorf("quantile %g: merged %v, together %v", q, g, w)
		}
	}
	a, b := merged.Summarize(true), together.Summarize(true)
	if a.Max != b.Max || a.Min != b.Min || len(a.Points) != len(b.Points) {
		t.Errorf("summaries differ: %+v, %+v", a, b)
	}
}

func TestQuantilesOfKnownDistribution(t *testing.T) {
	h := New()
	for i := int64(1); i <= 100_000; i++ {
		h.Record(i*1000, 1)
	}
	s := h.Summarize(true)
	near(t, "p50", s.P50, 50_000, .002)
	near(t, "p99", s.P99, 99_000, .002)
	near(t, "p99.99", s.P9999, 99_990, .002)
	near(t, "mean", s.Mean, 50_000.5, .002)
	if s.Max != 100_000 || s.Min != 1 {
		t.Errorf("min %g, max %g: want 1 and 100000 exactly", s.Min, s.Max)
	}
	for i := 1; i < len(s.Points); i++ {
		if s.Points[i].Micros < s.Points[i-1].Micros || s.Points[i].Quantile <= s.Points[i-1].Quantile {
			t.Fatalf("curve falls at point %d: %v", i, s.Points[i-1:i+1])
		}
	}
}

func TestOutOfRangeIsKept(t *testing.T) {
	h := New()
	h.Record(-5, 2)
	h.Record(int64(time.Hour), 3)
	if h.Count() != 5 {
		t.Fatalf("count %d, want 5", h.Count())
	}
	if got := h.Quantile(1); got != time.Duration(highest) {
		t.Errorf("max %v, want the end of the range", got)
	}
	h.Reset()
	if h.Count() != 0 || h.Quantile(.5) != 0 || h.Summarize(true).Count != 0 {
		t.Error("reset left something behind")
	}
}
