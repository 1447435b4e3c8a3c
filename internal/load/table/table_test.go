package table

import (
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	var tab Table
	tab.Head("server", "µs/op")
	tab.Row("redis-server", "7.78")
	tab.Row("floor", "12.01")
	var b strings.Builder
	if _, err := tab.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	want := "server        µs/op\n───────────────────\nredis-server   7.78\nfloor         12.01\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
	if tab.Len() != 2 {
		t.Errorf("%d rows", tab.Len())
	}
}

func TestNumbers(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1234: "-1,234", -123: "-123"} {
		if got := Count(n); got != want {
			t.Errorf("Count(%d) = %q, want %q", n, got, want)
		}
	}
	for us, want := range map[float64]string{0: "0", .25: "250 ns", 7.777: "7.78 µs", 99.94: "99.9 µs", 194_000: "194 ms", 12_345: "12.3 ms", 60e6: "60.0 s"} {
		if got := Micros(us); got != want {
			t.Errorf("Micros(%g) = %q, want %q", us, got, want)
		}
	}
}
