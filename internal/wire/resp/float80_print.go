package resp

import (
	"math/big"
	"math/bits"
	"strconv"
)

const (
	decimals = 17
	pow10dec = 100_000_000_000_000_000 // 10^decimals
	pow10_19 = 10_000_000_000_000_000_000
)

// AppendFloat appends x in the form Redis stores and replies after
// INCRBYFLOAT: C's "%.17Lf", without trailing zeros, and "0" for what rounds
// to zero. Below 2^128 it does not allocate when dst has room.
func AppendFloat(dst []byte, x Float80) []byte {
	if x.form != finite80 {
		switch {
		case x.form == nan80:
			return append(dst, "nan"...)
		case x.neg:
			return append(dst, "-inf"...)
		}
		return append(dst, "inf"...)
	}
	if x.exp > 0 {
		if x.neg {
			dst = append(dst, '-')
		}
		return appendBig(dst, x.mant, uint(x.exp))
	}
	whole, frac := x.split()
	if x.neg && whole|frac != 0 {
		dst = append(dst, '-')
	}
	dst = strconv.AppendUint(dst, whole, 10)
	if frac == 0 {
		return dst
	}
	var text [1 + decimals]byte
	n := 0
	for i := decimals; i > 0; i-- {
		digit := frac % 10
		frac /= 10
		text[i] = '0' + byte(digit)
		if n == 0 && digit != 0 {
			n = i + 1
		}
	}
	text[0] = '.'
	return append(dst, text[:n]...)
}

// split rounds a value with exp ≤ 0 to units of 10^-17, ties to even, and
// returns the whole part and those units.
func (x Float80) split() (whole, frac uint64) {
	shift := uint(-x.exp)
	part := x.mant
	if shift < 64 {
		whole = x.mant >> shift
		part = x.mant & (1<<shift - 1)
	}
	if shift >= 128 {
		return whole, 0 // below 2^-64 × 10^17 / 10^17: far less than half a unit
	}
	// part × 10^17 / 2^shift, exact in 128 bits.
	hi, lo := bits.Mul64(part, pow10dec)
	q, rest := lo, uint64(0) // quotient; remainder as a fraction of 2^64
	lost := false
	switch {
	case shift == 0:
		return whole, 0
	case shift < 64:
		q = hi<<(64-shift) | lo>>shift
		rest = lo << (64 - shift)
	case shift == 64:
		q, rest = hi, lo
	default:
		s := shift - 64
		q = hi >> s
		rest = hi<<(64-s) | lo>>s
		lost = lo<<(64-s) != 0
	}
	const half = 1 << 63
	if rest > half || rest == half && (lost || q&1 != 0) {
		if q++; q == pow10dec {
			return whole + 1, 0
		}
	}
	return whole, q
}

// appendBig appends mant × 2^exp, a whole number of up to 4,933 digits.
func appendBig(dst []byte, mant uint64, exp uint) []byte {
	if exp > 64 {
		n := new(big.Int).SetUint64(mant)
		return n.Lsh(n, exp).Append(dst, 10)
	}
	// 128 bits: up to 39 digits in three parts.
	hi, lo := mant>>(64-exp), mant<<exp
	q, low := bits.Div64(hi%pow10_19, lo, pow10_19)
	top, mid := bits.Div64(hi/pow10_19, q, pow10_19)
	if top > 0 {
		dst = strconv.AppendUint(dst, top, 10)
		dst = appendPadded(dst, mid)
	} else {
		dst = strconv.AppendUint(dst, mid, 10)
	}
	return appendPadded(dst, low)
}

// appendPadded appends u with 19 digits.
func appendPadded(dst []byte, u uint64) []byte {
	var text [19]byte
	for i := len(text) - 1; i >= 0; i-- {
		text[i] = '0' + byte(u%10)
		u /= 10
	}
	return append(dst, text[:]...)
}
