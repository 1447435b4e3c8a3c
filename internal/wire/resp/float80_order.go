package resp

import "math"

// MaxFloat80 is the largest finite number, C's LDBL_MAX.
var MaxFloat80 = Float80{mant: math.MaxUint64, exp: exp80Max}

// Neg is -x.
func (x Float80) Neg() Float80 {
	x.neg = !x.neg
	return x
}

// Cmp orders numbers: -1 when x is less than y, 0 when they are equal, 1 when x
// is greater. Neither may be NaN. Both zeros are equal.
func (x Float80) Cmp(y Float80) int {
	if x.isZero() && y.isZero() {
		return 0
	}
	switch sx, sy := x.signum(), y.signum(); {
	case sx < sy:
		return -1
	case sx > sy:
		return 1
	case sx < 0:
		return y.cmpAbs(x)
	}
	return x.cmpAbs(y)
}

func (x Float80) isZero() bool { return x.form == finite80 && x.mant == 0 }

func (x Float80) signum() int {
	switch {
	case x.isZero():
		return 0
	case x.neg:
		return -1
	}
	return 1
}

// cmpAbs compares magnitudes that are not zero. Mantissas are normalized except
// at the least exponent, so the exponents decide first.
func (x Float80) cmpAbs(y Float80) int {
	switch {
	case x.form != y.form:
		if x.form == inf80 {
			return 1
		}
		return -1
	case x.form == inf80:
		return 0
	case x.exp != y.exp:
		if x.exp > y.exp {
			return 1
		}
		return -1
	case x.mant > y.mant:
		return 1
	case x.mant < y.mant:
		return -1
	}
	return 0
}
