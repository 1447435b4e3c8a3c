package resp

import "testing"

func TestFloat80Order(t *testing.T) {
	ascending := []string{
		"-inf", "-1e4000", "-3", "-2.5", "-2.4999999999", "-1", "-1e-4940", "0", "1e-4945",
		"1e-4940", "0.1", "1", "2.4999999999", "2.5", "3", "9223372036854775807", "1e30", "1e4000", "inf",
	}
	parse := func(s string) Float80 {
		x, ok := ParseFloat([]byte(s))
		if !ok {
			t.Fatalf("%s is no number", s)
		}
		return x
	}
	for i, a := range ascending {
		for j, b := range ascending {
			want := 0
			if i < j {
				want = -1
			} else if i > j {
				want = 1
			}
			x, y := parse(a), parse(b)
			if got := x.Cmp(y); got != want {
				t.Errorf("%s against %s: %d, want %d", a, b, got, want)
			}
			if got := x.Neg().Cmp(y.Neg()); got != -want {
				t.Errorf("-(%s) against -(%s): %d, want %d", a, b, got, -want)
			}
		}
	}
	if parse("-0").Cmp(parse("0")) != 0 {
		t.Error("the zeros differ")
	}
	if x := MaxFloat80.Add(MaxFloat80); !x.IsInf() || MaxFloat80.IsInf() || MaxFloat80.Cmp(parse("1e4932")) != 1 {
		t.Error("MaxFloat80 is not the largest")
	}
}
