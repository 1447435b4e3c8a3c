package keyspace

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// Format is a compiled key format: what stands before the number, the number's
// least width, and what stands after it.
type Format struct {
	Prefix, Suffix string
	Width          int // zero-padded to at least this many digits
}

// MaxDigits is how many digits the number of a key can have.
const MaxDigits = 20

// ParseFormat reads a printf format with exactly one verb, %d or %0Nd. A text
// without a verb gets the number appended.
func ParseFormat(s string) (Format, error) {
	i := strings.IndexByte(s, '%')
	if i < 0 {
		return Format{Prefix: s}, nil
	}
	f := Format{Prefix: s[:i]}
	rest := s[i+1:]
	j := strings.IndexByte(rest, 'd')
	if j < 0 || strings.IndexByte(rest[j+1:], '%') >= 0 {
		return Format{}, fmt.Errorf("key format %q: want one %%d or %%0Nd", s)
	}
	if verb := rest[:j]; verb != "" {
		n, err := strconv.ParseUint(strings.TrimPrefix(verb, "0"), 10, 8)
		if verb[0] != '0' || err != nil || n > MaxDigits {
			return Format{}, fmt.Errorf("key format %q: %%%sd is not %%d or %%0Nd with N up to %d", s, verb, MaxDigits)
		}
		f.Width = int(n)
	}
	f.Suffix = rest[j+1:]
	return f, nil
}

// Digits is how many digits n is written with.
func (f Format) Digits(n uint64) int { return max(Digits(n), f.Width) }

// Append appends the key of number n.
func (f Format) Append(dst []byte, n uint64) []byte {
	dst = append(dst, f.Prefix...)
	dst = AppendDigits(dst, n, f.Digits(n))
	return append(dst, f.Suffix...)
}

var pow10 = [MaxDigits]uint64{
	1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9,
	1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
}

// Digits is the number of decimal digits of n; 1 for 0.
func Digits(n uint64) int {
	// log10(2) is about 1233/4096; the table corrects the estimate.
	t := (bits.Len64(n|1) * 1233) >> 12
	if t < MaxDigits && n >= pow10[t] {
		t++
	}
	return max(t, 1)
}

const zeros = "00000000000000000000"

const digitPairs = "00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748495051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899"

// AppendDigits appends n in exactly width digits, which must be enough.
func AppendDigits(dst []byte, n uint64, width int) []byte {
	dst = append(dst, zeros[:width]...)
	PutDigits(dst[len(dst)-width:], n)
	return dst
}

// PutDigits writes n right-aligned over dst, which is full of zeros already or
// exactly as long as n.
func PutDigits(dst []byte, n uint64) {
	i := len(dst)
	for n >= 100 {
		pair := n % 100 * 2
		n /= 100
		i -= 2
		dst[i+1] = digitPairs[pair+1]
		dst[i] = digitPairs[pair]
	}
	if n >= 10 {
		dst[i-1] = digitPairs[n*2+1]
		dst[i-2] = digitPairs[n*2]
	} else if i > 0 {
		dst[i-1] = byte('0' + n)
	}
}
