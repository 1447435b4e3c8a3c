package resp

import (
	"math"
	"strconv"
	"testing"
)

// integerCases are spellings of integers, and what is none in Redis' eyes;
// TestIntegersAgainstRedis asks a real server.
var integerCases = []struct {
	in string
	n  int64
	ok bool
}{
	{"0", 0, true},
	{"7", 7, true},
	{"-7", -7, true},
	{"10", 10, true},
	{"1000000000000000000", 1e18, true},
	{"9223372036854775807", math.MaxInt64, true},
	{"-9223372036854775808", math.MinInt64, true},
	{"9223372036854775808", 0, false},
	{"-9223372036854775809", 0, false},
	{"9999999999999999999", 0, false},
	{"10000000000000000000", 0, false},
	{"18446744073709551616", 0, false},
	{"-18446744073709551616", 0, false},
	{"99999999999999999999", 0, false},
	{"100000000000000000000", 0, false},
	{"", 0, false},
	{"-", 0, false},
	{"-0", 0, false},
	{"+1", 0, false},
	{"00", 0, false},
	{"01", 0, false},
	{"-01", 0, false},
	{" 1", 0, false},
	{"1 ", 0, false},
	{"1\x00", 0, false},
	{"1.0", 0, false},
	{"1e3", 0, false},
	{"0x10", 0, false},
	{"--1", 0, false},
	{"1-", 0, false},
	{"/", 0, false},
	{":", 0, false},
}

func TestParseInt64(t *testing.T) {
	for _, c := range integerCases {
		if n, ok := ParseInt64([]byte(c.in)); n != c.n || ok != c.ok {
			t.Errorf("%q: %d, %v", c.in, n, ok)
		}
	}
}

// FuzzParseInt64 holds the parser against the standard library's, which also
// takes a plus and leading zeros.
func FuzzParseInt64(f *testing.F) {
	for _, c := range integerCases {
		f.Add([]byte(c.in))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		n, ok := ParseInt64(b)
		want, err := strconv.ParseInt(string(b), 10, 64)
		canonical := err == nil && strconv.FormatInt(want, 10) == string(b)
		if ok != canonical || ok && n != want {
			t.Fatalf("%q: %d, %v", b, n, ok)
		}
	})
}
