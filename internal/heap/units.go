package heap

import "math/bits"

// units is a set of the 128 units of a chunk.
type units struct{ lo, hi uint64 }

// unitRange returns the set {first, …, first+n-1}; first+n ≤ 128.
func unitRange(first, n uint) units {
	ones := units{^uint64(0), ^uint64(0)}
	return ones.shiftDown(128 - n).shiftUp(first)
}

func (s units) shiftDown(n uint) units {
	if n >= 64 {
		return units{s.hi >> (n - 64), 0}
	}
	return units{s.lo>>n | s.hi<<(64-n), s.hi >> n}
}

func (s units) shiftUp(n uint) units {
	if n >= 64 {
		return units{0, s.lo << (n - 64)}
	}
	return units{s.lo << n, s.hi<<n | s.lo>>(64-n)}
}

func (s units) and(t units) units     { return units{s.lo & t.lo, s.hi & t.hi} }
func (s units) or(t units) units      { return units{s.lo | t.lo, s.hi | t.hi} }
func (s units) without(t units) units { return units{s.lo &^ t.lo, s.hi &^ t.hi} }
func (s units) empty() bool           { return s.lo|s.hi == 0 }
func (s units) has(u uint) bool       { return s.shiftDown(u).lo&1 != 0 }
func (s units) count() int            { return bits.OnesCount64(s.lo) + bits.OnesCount64(s.hi) }

// first returns the lowest member; the set must not be empty.
func (s units) first() uint {
	if s.lo != 0 {
		return uint(bits.TrailingZeros64(s.lo))
	}
	return 64 + uint(bits.TrailingZeros64(s.hi))
}

// rest returns the set without its first member.
func (s units) rest() units { return s.without(unitRange(s.first(), 1)) }

// starts returns where runs of n consecutive members begin; n ≥ 1.
func (s units) starts(n uint) units {
	for n > 1 {
		half := n / 2
		s = s.and(s.shiftDown(half))
		n -= half
	}
	return s
}

// shorter returns the members that are in no run of n or more; 1 ≤ n ≤ 64.
func (s units) shorter(n uint) units {
	long := s.starts(n)
	for have := uint(1); have < n; {
		step := min(have, n-have)
		long = long.or(long.shiftUp(step))
		have += step
	}
	return s.without(long)
}

// longestLog returns ⌊log₂⌋ of the longest run's length, -1 for the empty set.
func (s units) longestLog() int {
	log := -1
	for !s.empty() {
		log++
		s = s.and(s.shiftDown(1 << log))
		if log == 6 {
			break
		}
	}
	return log
}

// longest returns the length of the longest run.
func (s units) longest() uint {
	n := uint(0)
	for log := s.longestLog(); log >= 0; log-- {
		for step := uint(1) << log; n+step <= 128 && !s.starts(n+step).empty(); {
			n += step
		}
	}
	return n
}
