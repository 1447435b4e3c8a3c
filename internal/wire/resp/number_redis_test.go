package resp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"sherd/internal/testserver"
)

// spellings are numbers, and what is none, at the edges of the syntax and of
// the ranges of double and long double.
var spellings = []string{
	"", "0", "-0", "+0", "0.0", "-0.0", "00", "01", ".", ".5", "5.", "-.5", "+.5", "-5.", "e5", "1e", "1e+", "1e-", "1e5", "1E5", "1e+5", "1e05",
	"1e5.5", "1.2.3", "--1", "+-1", " 1", "1 ", "\t1", "1\n", "1\x001", "\x00", "1_000", "1,5", "0x", "0x.", "0x1", "0X1P3", "0x1p", "0x.8", "0x1.8p1", "0xg", "0x1e5",
	"inf", "-inf", "+inf", "INF", "infinity", "-Infinity", "infinit", "infx", "nan", "-nan", "NaN", "nan()", "nan(12ab_)", "nan(", "nan(-)", "nanx",
	"1e308", "1e309", "-1e309", "1e400", "1e4932", "1.2e4932", "1e4933", "-1e4933", "1e-307", "1e-308", "1e-320", "1e-323", "1e-324", "1e-400", "1e-4930", "1e-4950", "1e-4951", "1e-4952", "-1e-4952",
	"0e99999999999", "1e99999999999999999999", "1e-99999999999999999999", "0x1p16383", "0x1p16384", "0x1p-16445", "0x1p-16446", "0x1p-16447", "0x1p-1074", "0x1p-1075", "0x1.8p-1075", "0x1p1023", "0x1p1024",
	"1.7976931348623157e308", "1.7976931348623159e308", "2.2250738585072011e-308", "4.9e-324", "2.4703282292062327e-324", "2.4703282292062328e-324",
	"9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616",
	"0x1fffffffffffffffff", "0x1fffffffffffffffffp-1", "0xffffffffffffffff8", "0xffffffffffffffff8000001", "0x10000000000000000800000", "0x10000000000000000800001", "0x1fffffffffffff8p-1074", "0x0000000000000000000000001p3",
}

// randomNumber writes a number in one of the ways people and programs do, or
// nearly so.
func randomNumber(r *rand.Rand) string {
	sign := []string{"", "", "", "-", "+"}[r.IntN(5)]
	digits := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = '0' + byte(r.IntN(10))
		}
		return string(b)
	}
	switch r.IntN(14) {
	case 0: // short decimals, where 0.1 + 0.2 lives
		return sign + strconv.Itoa(r.IntN(1000)) + "." + digits(1+r.IntN(3))
	case 1:
		return sign + digits(1+r.IntN(25)) + "." + digits(r.IntN(25))
	case 2:
		return fmt.Sprintf("%s%de%d", sign, r.IntN(1000), r.IntN(60)-30)
	case 3:
		return fmt.Sprintf("%s%s.%se%d", sign, digits(1), digits(1+r.IntN(20)), r.IntN(9900)-4950)
	case 4: // near the middle between two long doubles
		u := r.Uint64() | 1<<63
		return fmt.Sprintf("%s%d.%s", sign, u, []string{"5", "50000000000000000000000000001", "4999999999999999999999", "25", "75"}[r.IntN(5)])
	case 5: // the same, where a long double has bits behind the point
		whole := uint64(1)<<r.IntN(62) + uint64(r.IntN(1000))
		return sign + strconv.FormatUint(whole, 10) + "." + strings.TrimRight(strconv.FormatFloat(math.Ldexp(float64(r.IntN(1<<20)*2+1), -21-r.IntN(40)), 'f', -1, 64)[2:], "")
	case 6:
		return strconv.FormatFloat(math.Float64frombits(r.Uint64()), 'g', -1, 64)
	case 7:
		return sign + strconv.FormatInt(int64(r.Uint64())>>r.IntN(63), 10)
	case 8:
		return fmt.Sprintf("%s0x%x.%xp%d", sign, r.Uint64()>>r.IntN(64), r.Uint64(), r.IntN(200)-100)
	case 9:
		return spellings[r.IntN(len(spellings))]
	case 10: // damaged
		b := []byte(digits(3) + "." + digits(3) + "e1")
		b[r.IntN(len(b))] = " .eExX+-0_pnif\x00\x80"[r.IntN(16)]
		return string(b)
	case 11: // many digits
		return sign + digits(r.IntN(700)) + "." + digits(r.IntN(700)) + "e" + strconv.Itoa(r.IntN(100)-50)
	case 12: // cancels to few bits
		return sign + "1." + strings.Repeat("0", r.IntN(22)) + "1"
	}
	return sign + digits(1+r.IntN(19)) + []string{"", "e10", "e19", "e27", "e28", "e-17", "e-27", "e-28", "e4000"}[r.IntN(9)]
}

const batch = 200

// TestIncrByFloatAgainstRedis adds random pairs in a real server, and its last
// sum to a third number.
func TestIncrByFloatAgainstRedis(t *testing.T) {
	c := testserver.Start(t, testserver.Options{Kind: testserver.Redis}).Dial(t)
	r := rand.New(rand.NewPCG(testserver.Seed(t), 1))
	pairs := 2000 * testserver.Scale()
	if testing.Short() {
		pairs = 600
	}
	for round := range pairs / batch {
		var texts [batch][3]string
		for i := range texts {
			if round == 0 && i < len(sumCases) {
				texts[i] = [3]string{sumCases[i].a, sumCases[i].b, "1"}
			} else {
				texts[i] = [3]string{randomNumber(r), randomNumber(r), randomNumber(r)}
			}
			if round > 0 && r.IntN(8) == 0 { // so that the sum cancels
				texts[i][1] = "-" + strings.TrimLeft(texts[i][0], "+-")
			}
			c.Queue("SET", "k", texts[i][0])
			c.Queue("INCRBYFLOAT", "k", texts[i][1])
			c.Queue("INCRBYFLOAT", "k", texts[i][2])
		}
		if err := c.Flush(); err != nil {
			t.Fatal(err)
		}
		for _, s := range texts {
			value := s[0]
			for i := range 3 {
				reply, err := c.Receive()
				if err != nil {
					t.Fatal(err)
				}
				if i == 0 {
					continue
				}
				got, ok := incrByFloat(value, s[i])
				if got != reply.Text() {
					t.Errorf("%.200q + %.200q:\n here %.300s\nredis %.300s", value, s[i], got, reply.Text())
				}
				if ok {
					value = got
				}
			}
		}
	}
}

// incrByFloat is the reply of INCRBYFLOAT.
func incrByFloat(value, by string) (reply string, ok bool) {
	x, ok1 := ParseFloat([]byte(value))
	y, ok2 := ParseFloat([]byte(by))
	if !ok1 || !ok2 {
		return "ERR value is not a valid float", false
	}
	sum := x.Add(y)
	if sum.IsNaN() || sum.IsInf() {
		return "ERR increment would produce NaN or Infinity", false
	}
	return string(AppendFloat(nil, sum)), true
}

// TestDoublesAgainstRedis stores random scores in a real server and reads them
// back in both protocol versions.
func TestDoublesAgainstRedis(t *testing.T) {
	s := testserver.Start(t, testserver.Options{Kind: testserver.Redis})
	r := rand.New(rand.NewPCG(testserver.Seed(t), 2))
	texts := make([]string, 2000*testserver.Scale())
	for i := range texts {
		if texts[i] = randomNumber(r); i < len(doubleCases) {
			texts[i] = doubleCases[i].in
		}
	}
	for proto := 2; proto <= 3; proto++ {
		c := s.Dial(t)
		c.Do(t, "HELLO", strconv.Itoa(proto))
		for at := 0; at < len(texts); at += batch {
			for _, text := range texts[at : at+batch] {
				c.Queue("DEL", "z")
				c.Queue("ZADD", "z", text, "m")
				c.Queue("ZSCORE", "z", "m")
			}
			if err := c.Flush(); err != nil {
				t.Fatal(err)
			}
			for _, text := range texts[at : at+batch] {
				var replies [3]testserver.Reply
				for i := range replies {
					var err error
					if replies[i], err = c.Receive(); err != nil {
						t.Fatal(err)
					}
				}
				f, ok := ParseDouble([]byte(text))
				if ok == replies[1].IsError() {
					t.Errorf("%.200q: accepted here: %v, redis replies %s", text, ok, replies[1])
				}
				if ok {
					f += 0 // a small sorted set does not keep the sign of zero
					if got := AppendDouble(nil, f, proto); string(got) != string(replies[2].Raw) {
						t.Errorf("%.200q:\n here %q\nredis %q", text, got, replies[2].Raw)
					}
				}
			}
		}
	}
}

// TestIntegersAgainstRedis hands spellings of integers to INCRBY.
func TestIntegersAgainstRedis(t *testing.T) {
	c := testserver.Start(t, testserver.Options{Kind: testserver.Redis}).Dial(t)
	r := rand.New(rand.NewPCG(testserver.Seed(t), 3))
	check := func(text string) {
		t.Helper()
		c.Do(t, "DEL", "k")
		reply := c.Do(t, "INCRBY", "k", text)
		want := "-ERR value is not an integer or out of range"
		if n, ok := ParseInt64([]byte(text)); ok {
			want = ":" + strconv.FormatInt(n, 10)
		}
		if reply.String() != want {
			t.Errorf("%q: here %s, redis %s", text, want, reply)
		}
	}
	for _, c := range integerCases {
		check(c.in)
	}
	for range 300 {
		text := []byte(strconv.FormatInt(int64(r.Uint64())>>r.IntN(64), 10))
		if r.IntN(2) == 0 {
			text[r.IntN(len(text))] = "+-0 9x\x00"[r.IntN(7)]
		}
		check(string(text))
	}
}
