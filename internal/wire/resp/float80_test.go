package resp

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"sherd/internal/testserver"
)

// exact is x as a big.Float of the mantissa's precision.
func exact(x Float80) *big.Float {
	f := new(big.Float).SetPrec(64).SetUint64(x.mant)
	f.SetMantExp(f, int(x.exp))
	if x.neg {
		f.Neg(f)
	}
	return f
}

// sameFloat80 says whether x is f rounded to 64 bits, within the normal range.
func sameFloat80(x Float80, f *big.Float) bool {
	switch {
	case f.Sign() == 0:
		return x.form == finite80 && x.mant == 0
	case f.MantExp(nil) > exp80Max+64:
		return x.form == inf80 && x.neg == f.Signbit()
	case x.form != finite80:
		return false
	}
	return exact(x).Cmp(f) == 0
}

// TestFloat80AgainstBig holds parsing and sums against math/big, whose floats
// of 64 bits of precision round alike in the normal range.
func TestFloat80AgainstBig(t *testing.T) {
	r := rand.New(rand.NewPCG(testserver.Seed(t), 4))
	var last Float80
	checked := 0
	for range 20000 {
		text := randomNumber(r)
		x, ok := ParseFloat([]byte(text))
		f, _, err := big.ParseFloat(text, 0, 64, big.ToNearestEven)
		if !ok || err != nil || f.IsInf() {
			continue
		}
		if f.Sign() != 0 && f.MantExp(nil) < exp80Min+64 {
			continue
		}
		checked++
		if !sameFloat80(x, f) {
			t.Fatalf("%q: %v, want %v", text, exact(x), f)
		}
		sum := new(big.Float).SetPrec(64).Add(exact(last), exact(x))
		if got := last.Add(x); !sameFloat80(got, sum) {
			t.Fatalf("%v + %v: %+v, want %v", exact(last), exact(x), got, sum)
		}
		if got, back := last.Add(x), x.Add(last); got != back {
			t.Fatalf("%v + %v: %+v one way, %+v the other", exact(last), exact(x), got, back)
		}
		last = x
	}
	if checked < 5000 {
		t.Fatalf("only %d numbers were of use", checked)
	}
}

// TestFloat80Text checks the printed form against exact decimals.
func TestFloat80Text(t *testing.T) {
	r := rand.New(rand.NewPCG(testserver.Seed(t), 5))
	for range 20000 {
		x := Float80{mant: r.Uint64() | 1<<63, exp: int32(r.IntN(260) - 190), neg: r.IntN(2) == 0}
		if r.IntN(4) == 0 { // few bits, so that ties occur
			x.mant = uint64(r.IntN(255)|1) << 56
			x.mant |= 1 << 63
		}
		want := exact(x).Text('f', decimals)
		for want[len(want)-1] == '0' {
			want = want[:len(want)-1]
		}
		if want[len(want)-1] == '.' {
			want = want[:len(want)-1]
		}
		if want == "-0" {
			want = "0"
		}
		if got := string(AppendFloat(nil, x)); got != want {
			t.Fatalf("%v: %s, want %s", exact(x).Text('p', 0), got, want)
		}
	}
}

// sumCases are sums that redis-server 7.0 gave.
var sumCases = []struct{ a, b, want string }{
	{"3.0e3", "1.1", "3001.10000000000000009"},
	{"10.5", "0.1", "10.6"},
	{"0.1", "0.2", "0.3"},
	{"5.0e3", "200", "5200"},
	{"1", "-1", "0"},
	{"-0", "0", "0"},
	{"-1e-20", "0", "0"},
	{"1e18", "0.1", "1000000000000000000.125"},
	{"1e19", "0.6", "10000000000000000001"},
	{"17179869184", "0.00000000000000001", "17179869184"},
	{"0.00000000000000001", "0.00000000000000001", "0.00000000000000002"},
	{"0.000000000000000005", "0", "0"},
	{"0.000000000000000006", "0", "0.00000000000000001"},
	{"0.999999999999999996", "0", "1"},
	{"1e30", "0", "1000000000000000000024696061952"},
	{"340282366920938463463374607431768211456", "-1", "340282366920938463463374607431768211456"},
	{"1e40", "0", "9999999999999999999783686092270256259072"},
	{"0x10", "0x.8p1", "17"},
	{"1.1e4932", "1.1e4932", "ERR increment would produce NaN or Infinity"},
	{"inf", "1", "ERR increment would produce NaN or Infinity"},
	{"inf", "-inf", "ERR increment would produce NaN or Infinity"},
	{"nan", "1", "ERR value is not a valid float"},
	{"1.2e4932", "1", "ERR value is not a valid float"},
	{"1e-5000", "1", "ERR value is not a valid float"},
	{" 1", "1", "ERR value is not a valid float"},
	{"1 ", "1", "ERR value is not a valid float"},
	{"", "1", "ERR value is not a valid float"},
}

func TestFloat80Sums(t *testing.T) {
	for _, c := range sumCases {
		if got, _ := incrByFloat(c.a, c.b); got != c.want {
			t.Errorf("%s + %s: %s, want %s", c.a, c.b, got, c.want)
		}
	}
}

func TestFloat80FromInt64(t *testing.T) {
	for _, n := range []int64{0, 1, -1, 12345, math.MaxInt64, math.MinInt64, math.MinInt64 + 1} {
		x := Float80FromInt64(n)
		if y, ok := ParseFloat(AppendFloat(nil, x)); !ok || x != y {
			t.Errorf("%d: %+v, parsed %+v", n, x, y)
		}
		if got, _ := ParseInt64(AppendFloat(nil, x)); got != n {
			t.Errorf("%d: printed %d", n, got)
		}
	}
}

// doubleCases are doubles as ZADD accepts them and ZSCORE prints them.
var doubleCases = []struct {
	in, want string // "" when refused
}{
	{"1", "1"},
	{"-1.50", "-1.5"},
	{"3.3", "3.2999999999999998"},
	{"0.1", "0.10000000000000001"},
	{"1e15", "1000000000000000"},
	{"123456789012345678", "1.2345678901234568e+17"},
	{"99999999999999999", "1e+17"},
	{"12345678901234567", "12345678901234568"},
	{"1e-5", "1.0000000000000001e-05"},
	{"0.0001", "0.0001"},
	{"1e300", "1.0000000000000001e+300"},
	{"5e-324", "4.9406564584124654e-324"},
	{"-0", "-0"},
	{"0x1.8p1", "3"},
	{"inf", "inf"},
	{"-Infinity", "-inf"},
	{"1e309", ""},
	{"1e-400", ""},
	{"nan", ""},
	{"", ""},
	{" 1", ""},
	{"1 ", ""},
	{"1x", ""},
	{"1_0", ""},
}

func TestDoubles(t *testing.T) {
	for _, c := range doubleCases {
		f, ok := ParseDouble([]byte(c.in))
		got := ""
		if ok {
			got = string(AppendDoubleText(nil, f))
		}
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.in, got, c.want)
		}
	}
	if got := string(AppendDoubleText(nil, math.NaN())); got != "nan" {
		t.Errorf("NaN prints %s", got)
	}
}

func TestNumbersAllocate(t *testing.T) {
	dst := make([]byte, 0, 256)
	for _, text := range []string{"3.3", "-1234567.891", "1e300", "1e-5", "17", "123456789012345678901234567890.12345678", "3402823669209384634633746074317682114.5"} {
		b := []byte(text)
		if n := testing.AllocsPerRun(50, func() {
			f, _ := ParseDouble(b)
			dst = AppendDouble(dst[:0], f, 2)
			dst = AppendDouble(dst, f, 3)
		}); n != 0 {
			t.Errorf("%s as a double: %v allocations", text, n)
		}
		if text == "1e300" {
			continue
		}
		if n := testing.AllocsPerRun(50, func() {
			x, _ := ParseFloat(b)
			dst = AppendFloat(dst[:0], x.Add(x))
		}); n != 0 {
			t.Errorf("%s as a long double: %v allocations", text, n)
		}
	}
}
