package geo

import "math"

// double is a number of about 106 bits: the sum of two, of which the second is
// less than half a unit in the last place of the first.
type double struct{ hi, lo float64 }

// sum is a + b without an error.
func sum(a, b float64) double {
	s := a + b
	t := s - a
	return double{s, (a - (s - t)) + (b - t)}
}

// product is a × b without an error.
func product(a, b float64) double {
	p := a * b
	return double{p, math.FMA(a, b, -p)}
}

func (x double) add(y double) double {
	s := sum(x.hi, y.hi)
	return sum(s.hi, s.lo+(x.lo+y.lo))
}

func (x double) mul(y double) double {
	p := product(x.hi, y.hi)
	return sum(p.hi, p.lo+(float64(x.hi*y.lo)+float64(x.lo*y.hi)))
}

// over is x / n for a small whole number.
func (x double) over(n float64) double {
	q := x.hi / n
	p := product(q, n)
	return sum(q, (x.hi-p.hi-p.lo+x.lo)/n)
}

// π/2 in three parts.
const (
	half1 = 1.5707963267948966
	half2 = 6.123233995736766e-17
	half3 = -1.4973849048591833e-33
)

// quadrant takes away the multiple of π/2 that is nearest to x, which is no
// farther from 0 than 2π.
func quadrant(x float64) (r double, k int) {
	if math.Abs(x) <= math.Pi/4 {
		return double{x, 0}, 0
	}
	n := math.RoundToEven(x / half1)
	r = sum(x, -n*half1).add(double{-n * half2, -n * half3})
	return r, int(n) & 3
}

// series is the sine's Taylor series, or with cos the cosine's, up to π/4.
func series(r double, cos bool) double {
	square := r.mul(r)
	square = double{-square.hi, -square.lo}
	term, n := r, 1.0
	if cos {
		term, n = double{1, 0}, 0
	}
	total := term
	for i := 0; i < 16 && term.hi != 0; i++ {
		term = term.mul(square).over((n + 1) * (n + 2))
		n += 2
		total = total.add(term)
	}
	return total
}

func sineOf(x float64, shift int) double {
	r, k := quadrant(x)
	k = (k + shift) & 3
	s := series(r, k&1 != 0)
	if k&2 != 0 {
		s = double{-s.hi, -s.lo}
	}
	return s
}

func sine(x float64) float64 {
	if x == 0 {
		return x
	}
	return sineOf(x, 0).hi
}

func cosine(x float64) float64 { return sineOf(x, 1).hi }

// arcsine improves Go's by a step of Newton's method.
func arcsine(y float64) float64 {
	a := math.Asin(y)
	c := cosine(a)
	if y == 0 || c == 0 || y >= 1 {
		return a
	}
	s := sineOf(a, 0)
	return a + ((y-s.hi)-s.lo)/c
}
