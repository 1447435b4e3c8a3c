package resp

import (
	"math"
	"math/big"
	"math/bits"
)

// Float80 is the extended precision number of the x87 unit, C's long double on
// amd64, in which Redis computes INCRBYFLOAT and HINCRBYFLOAT: a 64-bit
// mantissa, rounding to nearest with ties to even.
//
// A finite value is mant × 2^exp. Its mantissa has the top bit set, except
// below the normal range, where exp is exp80Min. Zero has mant 0.
type Float80 struct {
	mant uint64
	exp  int32
	neg  bool
	form uint8
}

const (
	finite80 uint8 = iota
	inf80
	nan80
)

const (
	exp80Min = -16445 // 1 - 16383 - 63
	exp80Max = 16320  // 16383 - 63
)

// IsInf says whether x is an infinity.
func (x Float80) IsInf() bool { return x.form == inf80 }

// IsNaN says whether x is not a number.
func (x Float80) IsNaN() bool { return x.form == nan80 }

// Float80FromInt64 converts exactly.
func Float80FromInt64(n int64) Float80 {
	u := uint64(n)
	if n < 0 {
		u = -u
	}
	return round80(0, u, 0, false, n < 0)
}

// round80 is the Float80 nearest to (hi:lo + something below one unit, if
// sticky) × 2^exp.
func round80(hi, lo uint64, exp int, sticky, neg bool) Float80 {
	if hi == 0 {
		if lo == 0 {
			return Float80{neg: neg}
		}
		hi, lo = lo, 0
		exp -= 64
	}
	z := bits.LeadingZeros64(hi)
	hi, lo = hi<<z|lo>>(64-z), lo<<z
	exp += 64 - z // now the value is hi.lo × 2^exp with the point after hi
	if low := exp80Min - exp; low > 0 {
		var lost bool
		hi, lo, lost = shiftRight(hi, lo, low)
		sticky = sticky || lost
		exp = exp80Min
	}
	const half = 1 << 63
	if lo > half || lo == half && (sticky || hi&1 != 0) {
		if hi++; hi == 0 {
			hi = half
			exp++
		}
	}
	if exp > exp80Max {
		return Float80{form: inf80, neg: neg}
	}
	if hi == 0 {
		exp = 0
	}
	return Float80{mant: hi, exp: int32(exp), neg: neg}
}

// shiftRight shifts hi:lo and says whether bits that were set fell out.
func shiftRight(hi, lo uint64, n int) (uint64, uint64, bool) {
	switch {
	case n == 0:
		return hi, lo, false
	case n < 64:
		return hi >> n, hi<<(64-n) | lo>>n, lo<<(64-n) != 0
	case n < 128:
		n -= 64
		return 0, hi >> n, lo != 0 || hi<<(64-n) != 0
	}
	return 0, 0, hi|lo != 0
}

// Add is the sum rounded to nearest, ties to even.
func (x Float80) Add(y Float80) Float80 {
	if x.form|y.form != finite80 {
		switch {
		case x.form == nan80 || y.form == nan80 || x.form == y.form && x.neg != y.neg:
			return Float80{form: nan80}
		case x.form == inf80:
			return x
		}
		return y
	}
	switch {
	case y.mant == 0 && x.mant == 0:
		return Float80{neg: x.neg && y.neg}
	case y.mant == 0:
		return x
	case x.mant == 0:
		return y
	}
	if x.exp < y.exp || x.exp == y.exp && x.mant < y.mant {
		x, y = y, x
	}
	// x is the larger in magnitude; both as 128-bit integers × 2^(x.exp-64).
	hi, lo, sticky := shiftRight(y.mant, 0, int(x.exp-y.exp))
	exp := int(x.exp) - 64
	if x.neg == y.neg {
		sum, carry := bits.Add64(x.mant, hi, 0)
		if carry != 0 {
			sticky = sticky || lo&1 != 0
			return round80(1<<63|sum>>1, sum<<63|lo>>1, exp+1, sticky, x.neg)
		}
		return round80(sum, lo, exp, sticky, x.neg)
	}
	if sticky { // y is a little more than hi:lo: take one unit more, and be sticky upwards
		var c uint64
		lo, c = bits.Add64(lo, 1, 0)
		hi += c
	}
	lo, borrow := bits.Sub64(0, lo, 0)
	hi, _ = bits.Sub64(x.mant, hi, borrow)
	if hi|lo == 0 {
		return Float80{}
	}
	return round80(hi, lo, exp, sticky, x.neg)
}

// ParseFloat reads an extended precision number by the rules of C's strtold as
// Redis applies them; see ParseDouble. Infinity is accepted, NaN is not.
func ParseFloat(b []byte) (x Float80, ok bool) {
	var n numeral
	// Redis copies the text into a buffer of 5 KiB.
	if len(b) >= 5*1024 || !n.scan(b) {
		return Float80{}, false
	}
	switch n.form {
	case numInf:
		return Float80{form: inf80, neg: n.neg}, true
	case numNaN:
		return Float80{}, false
	case numHex:
		hi, lo, exp, sticky := n.hexBits()
		x = round80(hi, lo, exp, sticky, n.neg)
	default:
		x = decimal80(&n)
	}
	if x.form == inf80 || x.mant == 0 && !n.zero {
		return Float80{}, false
	}
	return x, true
}

// pow5 holds the powers of five that fit 64 bits.
var pow5 = func() (p [28]uint64) {
	p[0] = 1
	for i := 1; i < len(p); i++ {
		p[i] = p[i-1] * 5
	}
	return p
}()

// decimal80 rounds a decimal numeral. Up to 38 digits and small exponents are
// done in 128 bits, anything else with math/big.
func decimal80(n *numeral) Float80 {
	var hi, lo uint64
	exp, digits, point := n.exp, 0, false
	for _, c := range n.digits {
		if c == '.' {
			point = true
			continue
		}
		if point {
			exp--
		}
		if c == '0' && digits == 0 {
			continue
		}
		if digits++; digits > 38 {
			return bigDecimal80(n)
		}
		var mid, carry uint64
		mid, lo = bits.Mul64(lo, 10)
		lo, carry = bits.Add64(lo, uint64(c-'0'), 0)
		hi = hi*10 + mid + carry
	}
	switch {
	case digits == 0:
		return Float80{neg: n.neg}
	case exp == 0:
		return round80(hi, lo, 0, false, n.neg)
	case exp > 0 && exp < len(pow5) && hi == 0:
		hi, lo = bits.Mul64(lo, pow5[exp])
		return round80(hi, lo, exp, false, n.neg)
	case exp < 0 && -exp < len(pow5):
		return divPow5(hi, lo, -exp, n.neg)
	}
	return bigDecimal80(n)
}

// divPow5 is hi:lo / 10^k, rounded once.
func divPow5(hi, lo uint64, k int, neg bool) Float80 {
	d := pow5[k]
	zd := bits.LeadingZeros64(d)
	d <<= zd
	exp := zd - k
	if hi == 0 {
		hi, lo = lo, 0
		exp -= 64
	}
	z := bits.LeadingZeros64(hi)
	hi, lo = hi<<z|lo>>(64-z), lo<<z
	exp -= z
	// Three digits in base 2^64: the first is 0 or 1, the third holds the
	// bits that decide the rounding, with what remains as sticky.
	var q0 uint64
	if hi >= d {
		q0, hi = 1, hi-d
	}
	q1, rem := bits.Div64(hi, lo, d)
	q2, rem := bits.Div64(rem, 0, d)
	sticky := rem != 0
	if q0 != 0 {
		sticky = sticky || q2&1 != 0
		q1, q2 = 1<<63|q1>>1, q1<<63|q2>>1
		exp++
	}
	return round80(q1, q2, exp-64, sticky, neg)
}

// bigDecimal80 rounds any decimal numeral.
func bigDecimal80(n *numeral) Float80 {
	exp := n.exp
	digits := make([]byte, 0, len(n.digits))
	point := false
	for _, c := range n.digits {
		if c == '.' {
			point = true
			continue
		}
		if point {
			exp--
		}
		if c != '0' || len(digits) > 0 {
			digits = append(digits, c)
		}
	}
	// The largest finite number is below 10^4933, half the smallest above
	// 10^-4951.
	if magnitude := len(digits) + exp; magnitude > 4940 {
		return Float80{form: inf80, neg: n.neg}
	} else if magnitude < -4960 {
		return Float80{neg: n.neg}
	}
	num, _ := new(big.Int).SetString(string(digits), 10)
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(exp, -exp))), nil)
	shift := 0
	sticky := false
	if exp >= 0 {
		num.Mul(num, scale)
	} else {
		// At least 128 bits of quotient.
		shift = max(0, 129+scale.BitLen()-num.BitLen())
		num.Lsh(num, uint(shift))
		rem := new(big.Int)
		num.QuoRem(num, scale, rem)
		sticky = rem.Sign() != 0
	}
	drop := 0
	if over := num.BitLen() - 128; over > 0 {
		drop = over
		sticky = sticky || num.TrailingZeroBits() < uint(over)
		num.Rsh(num, uint(over))
	}
	lo := new(big.Int).And(num, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
	hi := num.Rsh(num, 64).Uint64()
	return round80(hi, lo, drop-shift, sticky, n.neg)
}
