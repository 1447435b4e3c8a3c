// Package keyspace decides which key a request names: a distribution draws a
// number from [Min, Min+Count), a format turns it into the key.
package keyspace

import (
	"fmt"
	"strings"
)

// Dist is how keys are drawn.
type Dist uint8

const (
	// Uniform draws every key with the same probability.
	Uniform Dist = iota
	// Zipf draws the i-th key with a probability proportional to 1/i^s.
	Zipf
	// Sequential walks the range; the walkers of one run share it out, so that
	// together they name every key once per round.
	Sequential
)

// ParseDist reads "uniform", "zipf", "zipf:S" or "sequential".
func ParseDist(s string) (Dist, float64, error) {
	name, arg, hasArg := strings.Cut(s, ":")
	exponent := DefaultExponent
	if hasArg {
		if name != "zipf" {
			return 0, 0, fmt.Errorf("key distribution %q takes no parameter", name)
		}
		if _, err := fmt.Sscanf(arg, "%g", &exponent); err != nil || exponent <= 0 || exponent > 10 {
			return 0, 0, fmt.Errorf("zipf exponent %q: want a number above 0, at most 10", arg)
		}
	}
	switch name {
	case "uniform", "random":
		return Uniform, 0, nil
	case "zipf":
		return Zipf, exponent, nil
	case "sequential", "seq":
		return Sequential, 0, nil
	}
	return 0, 0, fmt.Errorf("unknown key distribution %q: want uniform, zipf[:exponent] or sequential", s)
}

// DefaultExponent is YCSB's.
const DefaultExponent = 0.99

func (d Dist) String() string {
	return [...]string{"uniform", "zipf", "sequential"}[d]
}

// Spec says which keys a run names.
type Spec struct {
	Dist     Dist
	Exponent float64 // of Zipf
	Min      uint64  // the first key's number
	Count    uint64  // how many keys there are; at least 1
	Format   string  // a printf format with one verb: memtier-%d, key:%08d
}

// Walker draws keys. Each generator loop has its own; the zero value is not
// ready for use.
type Walker struct {
	dist   Dist
	rng    Rand
	min    uint64
	count  uint64
	next   uint64 // Sequential: the next offset
	stride uint64 // Sequential: how many walkers share the range
	zipf   *zipf
}

// NewWalker returns walker index of total, drawing from s.
func NewWalker(s Spec, seed uint64, index, total int) *Walker {
	w := &Walker{
		dist: s.Dist, min: s.Min, count: max(s.Count, 1),
		next: uint64(index), stride: uint64(max(total, 1)),
	}
	w.rng.Seed(seed, uint64(index))
	if s.Dist == Zipf {
		w.zipf = newZipf(w.count, s.Exponent)
	}
	if s.Dist == Sequential {
		w.next %= w.count
	}
	return w
}

// Next returns the number of the next key.
func (w *Walker) Next() uint64 {
	switch w.dist {
	case Uniform:
		return w.min + w.rng.Below(w.count)
	case Zipf:
		return w.min + w.zipf.draw(&w.rng) - 1
	default:
		n := w.next
		w.next += w.stride
		if w.next >= w.count {
			w.next %= w.count
		}
		return w.min + n
	}
}

// Rand is the walker's source of random numbers, for whoever needs another
// number for the same request.
func (w *Walker) Rand() *Rand { return &w.rng }
