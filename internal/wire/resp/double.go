package resp

import (
	"math"
	"strconv"
	"unsafe"
)

// ParseDouble reads a double by the rules of C's strtod as Redis applies them:
// decimal or hexadecimal, "inf" and "infinity", nothing before or after, no
// overflow, and nothing that is not zero may become zero. NaN is refused.
func ParseDouble(b []byte) (f float64, ok bool) {
	var n numeral
	if !n.scan(b) {
		return 0, false
	}
	switch n.form {
	case numInf:
		return math.Inf(1 - 2*n.sign()), true
	case numNaN:
		return 0, false
	case numHex:
		f = hexDouble(&n)
	default:
		// The syntax has been checked, and Go reads decimals as C does. The
		// string lives for the call only.
		var err error
		if f, err = strconv.ParseFloat(unsafe.String(unsafe.SliceData(b), len(b)), 64); err != nil {
			return 0, false
		}
	}
	if math.IsInf(f, 0) || f == 0 && !n.zero {
		return 0, false
	}
	return f, true
}

// AppendDoubleText appends f as C's "%.17g" prints it; infinities are "inf"
// and "-inf", NaN is "nan".
func AppendDoubleText(dst []byte, f float64) []byte {
	if f == math.Trunc(f) && math.Abs(f) < 1e15 && (f != 0 || !math.Signbit(f)) {
		return strconv.AppendInt(dst, int64(f), 10)
	}
	switch {
	case f != f:
		return append(dst, "nan"...)
	case f > math.MaxFloat64:
		return append(dst, "inf"...)
	case f < -math.MaxFloat64:
		return append(dst, "-inf"...)
	}
	return strconv.AppendFloat(dst, f, 'g', 17, 64)
}
