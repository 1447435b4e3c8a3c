// Package metrics measures commands: how often, how long, in a histogram fine
// enough for percentiles true within a few per cent.
package metrics

import "math/bits"

// Timing is the account of one command on one loop. It is owned by the loop.
// Durations are in ticks of the cycle counter (see Ticks).
type Timing struct {
	Calls    int64
	Ticks    uint64
	Rejected int64
	Failed   int64
	hist     *[buckets]uint32 // nil until the first call is recorded
}

// The histogram is log-linear: 16 steps to each power of two, so a bucket's
// middle is within 3.2 % of any duration in it.
const (
	subBits = 4
	buckets = (64 - subBits + 1) << subBits
)

func bucketOf(ticks uint64) int {
	if ticks < 1<<subBits {
		return int(ticks)
	}
	shift := bits.Len64(ticks) - subBits - 1
	return shift<<subBits + int(ticks>>shift)
}

// middle returns a duration in the middle of a bucket.
func middle(b int) uint64 {
	if b < 2<<subBits {
		return uint64(b)
	}
	shift := b>>subBits - 1
	return (uint64(b&(1<<subBits-1)+1<<subBits)<<1 + 1) << shift >> 1
}

// Record accounts one call.
func (t *Timing) Record(ticks uint64, track bool) {
	t.Calls++
	t.Ticks += ticks
	if !track {
		return
	}
	if t.hist == nil {
		t.hist = new([buckets]uint32)
	}
	t.hist[bucketOf(ticks)]++
}

// RecordAll accounts n calls that took ticks together.
func (t *Timing) RecordAll(ticks uint64, n int, track bool) {
	if n == 1 {
		t.Record(ticks, track)
		return
	}
	t.Calls += int64(n)
	t.Ticks += ticks
	if !track {
		return
	}
	if t.hist == nil {
		t.hist = new([buckets]uint32)
	}
	t.hist[bucketOf(ticks/uint64(n))] += uint32(n)
}

// Add sums o into t.
func (t *Timing) Add(o *Timing) {
	t.Calls += o.Calls
	t.Ticks += o.Ticks
	t.Rejected += o.Rejected
	t.Failed += o.Failed
	if o.hist == nil {
		return
	}
	if t.hist == nil {
		t.hist = new([buckets]uint32)
	}
	for i, n := range o.hist {
		t.hist[i] += n
	}
}

// Tracked is the number of calls in the histogram.
func (t *Timing) Tracked() (n int64) {
	if t.hist != nil {
		for _, c := range t.hist {
			n += int64(c)
		}
	}
	return n
}

// Percentile returns the duration in ticks below which p per cent of the
// recorded calls lie.
func (t *Timing) Percentile(p float64) uint64 {
	total := t.Tracked()
	if total == 0 {
		return 0
	}
	want := int64(p/100*float64(total) + 0.999999)
	want = max(1, min(want, total))
	var seen int64
	for i, c := range t.hist {
		seen += int64(c)
		if seen >= want {
			return middle(i)
		}
	}
	return 0
}

// Each visits the histogram's occupied buckets in ascending order: the upper
// bound in ticks and the count.
func (t *Timing) Each(visit func(upper uint64, count int64)) {
	if t.hist == nil {
		return
	}
	for i, c := range t.hist {
		if c != 0 {
			visit(middle(i), int64(c))
		}
	}
}

// ResetHistogram forgets the recorded durations.
func (t *Timing) ResetHistogram() { t.hist = nil }
