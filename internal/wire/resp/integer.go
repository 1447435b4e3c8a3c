package resp

import "math"

// ParseInt64 reads a whole number as strictly as Redis does: an optional
// minus, then digits without a leading zero, nothing else, in range.
func ParseInt64(b []byte) (n int64, ok bool) {
	if len(b) == 0 || len(b) > 20 {
		return 0, false
	}
	neg := b[0] == '-'
	if neg {
		b = b[1:]
		if len(b) == 0 || b[0] == '0' {
			return 0, false
		}
	}
	if b[0] == '0' {
		return 0, len(b) == 1
	}
	var u uint64
	if len(b) < 19 { // cannot overflow
		for _, c := range b {
			if c -= '0'; c > 9 {
				return 0, false
			}
			u = u*10 + uint64(c)
		}
	} else {
		for _, c := range b {
			if c -= '0'; c > 9 || u > (math.MaxUint64-uint64(c))/10 {
				return 0, false
			}
			u = u*10 + uint64(c)
		}
		if u > math.MaxInt64 {
			if !neg || u > math.MaxInt64+1 {
				return 0, false
			}
		}
	}
	if neg {
		return -int64(u), true
	}
	return int64(u), true
}
