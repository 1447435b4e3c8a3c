package keyspace

import "math"

// zipf draws ranks 1..n with probability proportional to 1/rank^s for any
// s > 0 (math/rand's needs s > 1), in constant time and memory, by
// rejection-inversion (W. Hörmann, G. Derflinger: Rejection-inversion to
// generate variates from monotone discrete distributions, 1996): invert the
// integral of the density, round to the nearest rank, accept where the hat is
// not above the bar. At least three of four draws are accepted.
type zipf struct {
	n        float64
	s        float64
	hX1, hN  float64 // H at 1.5 less the first bar, H at n + 0.5
	shortcut float64 // a rank this close to its x is accepted without a look
}

func newZipf(n uint64, s float64) *zipf {
	z := &zipf{n: float64(n), s: s}
	z.hX1 = z.integral(1.5) - 1
	z.hN = z.integral(z.n + 0.5)
	z.shortcut = 2 - z.inverse(z.integral(2.5)-z.density(2))
	return z
}

func (z *zipf) draw(r *Rand) uint64 {
	for {
		u := z.hN + r.Float()*(z.hX1-z.hN)
		x := z.inverse(u)
		k := min(max(math.Floor(x+0.5), 1), z.n)
		if k-x <= z.shortcut || u >= z.integral(k+0.5)-z.density(k) {
			return uint64(k)
		}
	}
}

// density is h(x) = x^-s.
func (z *zipf) density(x float64) float64 { return math.Exp(-z.s * math.Log(x)) }

// integral is H(x) = (x^(1-s) - 1) / (1-s), log(x) for s = 1.
func (z *zipf) integral(x float64) float64 {
	l := math.Log(x)
	return expm1OverX((1-z.s)*l) * l
}

// inverse of integral.
func (z *zipf) inverse(x float64) float64 {
	t := max(x*(1-z.s), -1) // rounding may step below the domain
	return math.Exp(log1pOverX(t) * x)
}

// expm1OverX is (e^x - 1)/x, also near 0.
func expm1OverX(x float64) float64 {
	if math.Abs(x) > 1e-8 {
		return math.Expm1(x) / x
	}
	return 1 + x/2*(1+x/3*(1+x/4))
}

// log1pOverX is log(1+x)/x, also near 0.
func log1pOverX(x float64) float64 {
	if math.Abs(x) > 1e-8 {
		return math.Log1p(x) / x
	}
	return 1 - x*(0.5-x*(1.0/3-x/4))
}
