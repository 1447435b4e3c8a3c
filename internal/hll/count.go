package hll

import "math"

// histogram is how many registers have each rank.
type histogram [maxRank + 1]int

// Count estimates the cardinality of a string from its registers; false if it
// is corrupt.
func Count(b []byte) (uint64, bool) {
	var h histogram
	if Sparse(b) {
		if !h.addSparse(b) {
			return 0, false
		}
	} else {
		p := b[HeaderBytes:DenseBytes]
		for i := 0; i < Registers; i += 4 {
			r0, r1, r2, r3 := four(p, i)
			h[r0]++
			h[r1]++
			h[r2]++
			h[r3]++
		}
	}
	return h.estimate(), true
}

// CountRanks is Count of registers outside of a string.
func CountRanks(ranks *[Registers]uint8) uint64 {
	var h histogram
	for _, r := range ranks {
		h[r&maxRank]++
	}
	return h.estimate()
}

func (h *histogram) addSparse(b []byte) bool {
	registers := 0
	for at := HeaderBytes; at < len(b); {
		op, ok := readOpcode(b, at)
		if !ok {
			return false
		}
		h[op.rank] += op.run
		registers += op.run
		at += op.size
	}
	return registers == Registers
}

// estimate is the improved raw estimator of Otmar Ertl, "New cardinality
// estimation algorithms for HyperLogLog sketches", arXiv:1702.01284, algorithm
// 6. The conversions keep the compiler from fusing operations: all machines have
// to agree on the last bit.
func (h *histogram) estimate() uint64 {
	const m = float64(Registers)
	const alpha = 0.721347520444481703680 // 1/(2 ln 2)
	z := m * tau((m-float64(h[rankBits+1]))/m)
	for k := rankBits; k >= 1; k-- {
		z = (z + float64(h[k])) * 0.5
	}
	z += float64(m * sigma(float64(h[0])/m))
	return uint64(math.Round(alpha * m * m / z))
}

// sigma is x + Σ x^(2^k) 2^(k-1).
func sigma(x float64) float64 {
	if x == 1 {
		return math.Inf(1)
	}
	y, z := 1.0, x
	for {
		x *= x
		last := z
		z += float64(x * y)
		y += y
		if z == last {
			return z
		}
	}
}

// tau is (1 - x - Σ (1 - x^(2^-k))² 2^-k) / 3.
func tau(x float64) float64 {
	if x == 0 || x == 1 {
		return 0
	}
	y, z := 1.0, 1-x
	for {
		x = math.Sqrt(x)
		last := z
		y *= 0.5
		d := 1 - x
		z -= float64(float64(d*d) * y)
		if z == last {
			return z / 3
		}
	}
}
