package resp

import (
	"math"
	"math/bits"
)

// numeral is a floating point number as it is written, in C's syntax.
type numeral struct {
	digits []byte // the digits with at most one point among them
	exp    int    // the exponent as written, clamped to ±maxExp
	form   uint8
	neg    bool
	zero   bool // no digit but 0
}

const (
	numDecimal uint8 = iota // digits × 10^exp
	numHex                  // hexadecimal digits × 2^exp
	numInf
	numNaN
)

// maxExp bounds written exponents: beyond it every number is zero or infinite,
// however many digits it has.
const maxExp = 1 << 20

func (n *numeral) sign() int {
	if n.neg {
		return 1
	}
	return 0
}

// scan takes b apart and says whether all of it is one number.
func (n *numeral) scan(b []byte) bool {
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		n.neg = b[0] == '-'
		b = b[1:]
	}
	if len(b) == 0 {
		return false
	}
	if c := b[0] | 0x20; c == 'i' || c == 'n' {
		return n.scanWord(b)
	}
	if len(b) > 2 && b[0] == '0' && b[1]|0x20 == 'x' {
		n.form = numHex
		b = b[2:]
	}
	n.zero = true
	i, digits, point := 0, 0, false
	for ; i < len(b); i++ {
		c := b[i]
		if c == '.' && !point {
			point = true
			continue
		}
		if c-'0' > 9 && (n.form != numHex || hexValue(c) == 16) {
			break
		}
		digits++
		n.zero = n.zero && c == '0'
	}
	if digits == 0 {
		return false
	}
	n.digits, b = b[:i], b[i:]
	if len(b) == 0 {
		return true
	}
	mark := byte('e')
	if n.form == numHex {
		mark = 'p'
	}
	if b[0]|0x20 != mark {
		return false
	}
	return n.scanExp(b[1:])
}

func (n *numeral) scanExp(b []byte) bool {
	neg := false
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		neg = b[0] == '-'
		b = b[1:]
	}
	if len(b) == 0 {
		return false
	}
	for _, c := range b {
		if c -= '0'; c > 9 {
			return false
		}
		n.exp = min(n.exp*10+int(c), maxExp)
	}
	if neg {
		n.exp = -n.exp
	}
	return true
}

// scanWord reads the names of what is no number: inf, infinity, nan, nan(chars).
func (n *numeral) scanWord(b []byte) bool {
	if equalFold(b, "inf") || equalFold(b, "infinity") {
		n.form = numInf
		return true
	}
	n.form = numNaN
	if len(b) < 3 || !equalFold(b[:3], "nan") {
		return false
	}
	if b = b[3:]; len(b) == 0 {
		return true
	}
	if len(b) < 2 || b[0] != '(' || b[len(b)-1] != ')' {
		return false
	}
	for _, c := range b[1 : len(b)-1] {
		if c != '_' && c-'0' > 9 && (c|0x20)-'a' > 25 {
			return false
		}
	}
	return true
}

// equalFold compares b with a lower-case ASCII word.
func equalFold(b []byte, word string) bool {
	if len(b) != len(word) {
		return false
	}
	for i, c := range b {
		if c|0x20 != word[i] {
			return false
		}
	}
	return true
}

// hexBits gathers the digits of a hexadecimal numeral: the value is
// (hi:lo + something below one unit, if sticky) × 2^exp.
func (n *numeral) hexBits() (hi, lo uint64, exp int, sticky bool) {
	exp = n.exp
	point := false
	for _, c := range n.digits {
		if c == '.' {
			point = true
			continue
		}
		if hi>>60 == 0 {
			hi, lo = hi<<4|lo>>60, lo<<4|uint64(hexValue(c))
			if point {
				exp -= 4
			}
			continue
		}
		sticky = sticky || c != '0'
		if !point {
			exp += 4
		}
	}
	return hi, lo, exp, sticky
}

// hexDouble rounds a hexadecimal numeral to the nearest double, ties to even.
func hexDouble(n *numeral) float64 {
	hi, lo, exp, sticky := n.hexBits()
	if hi == 0 {
		hi, lo = lo, 0
		exp -= 64
	}
	if hi == 0 {
		return math.Copysign(0, float64(1-2*n.sign()))
	}
	z := bits.LeadingZeros64(hi)
	hi, lo = hi<<z|lo>>(64-z), lo<<z
	exp += 64 - z // the value is hi.lo × 2^exp
	// Keep 53 bits, fewer below the normal range.
	drop := max(11, min(-1074-exp, 65))
	m, rest, lost := shiftRight(hi, lo, drop)
	const half = 1 << 63
	if rest > half || rest == half && (lost || sticky || m&1 != 0) {
		m++
	}
	f := math.Ldexp(float64(m), exp+drop)
	if n.neg {
		f = -f
	}
	return f
}
