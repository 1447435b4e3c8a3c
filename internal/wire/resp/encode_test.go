package resp

import (
	"math"
	"testing"
)

func TestEncoders(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		name   string
		f      func(dst []byte, proto int) []byte
		v2, v3 string // v3 "": as v2
	}{
		{"simple", func(d []byte, _ int) []byte { return AppendSimple(d, "OK") }, "+OK\r\n", ""},
		{"error", func(d []byte, _ int) []byte { return AppendError(d, "ERR no") }, "-ERR no\r\n", ""},
		{"error with line breaks", func(d []byte, _ int) []byte { return AppendError(d, "ERR a\r\n+OK\r\n") }, "-ERR a  +OK  \r\n", ""},
		{"int", func(d []byte, _ int) []byte { return AppendInt(d, 0) }, ":0\r\n", ""},
		{"int of two digits", func(d []byte, _ int) []byte { return AppendInt(d, 42) }, ":42\r\n", ""},
		{"int of three digits", func(d []byte, _ int) []byte { return AppendInt(d, 100) }, ":100\r\n", ""},
		{"negative int", func(d []byte, _ int) []byte { return AppendInt(d, -1) }, ":-1\r\n", ""},
		{"least int", func(d []byte, _ int) []byte { return AppendInt(d, math.MinInt64) }, ":-9223372036854775808\r\n", ""},
		{"bulk", func(d []byte, _ int) []byte { return AppendBulk(d, []byte("a\r\nb")) }, "$4\r\na\r\nb\r\n", ""},
		{"empty bulk", func(d []byte, _ int) []byte { return AppendBulk(d, nil) }, "$0\r\n\r\n", ""},
		{"bulk string", func(d []byte, _ int) []byte { return AppendBulkString(d, "xxxxxxxxxxxx") }, "$12\r\nxxxxxxxxxxxx\r\n", ""},
		{"bulk int", func(d []byte, _ int) []byte { return AppendBulkInt(d, math.MinInt64) }, "$20\r\n-9223372036854775808\r\n", ""},
		{"bulk head", func(d []byte, _ int) []byte { return AppendBulkHead(d, 1000) }, "$1000\r\n", ""},
		{"null", AppendNull, "$-1\r\n", "_\r\n"},
		{"null array", AppendNullArray, "*-1\r\n", "_\r\n"},
		{"array", func(d []byte, _ int) []byte { return AppendArray(d, 3) }, "*3\r\n", ""},
		{"map", func(d []byte, p int) []byte { return AppendMap(d, 3, p) }, "*6\r\n", "%3\r\n"},
		{"set", func(d []byte, p int) []byte { return AppendSet(d, 3, p) }, "*3\r\n", "~3\r\n"},
		{"push", func(d []byte, p int) []byte { return AppendPush(d, 3, p) }, "*3\r\n", ">3\r\n"},
		{"attribute", func(d []byte, _ int) []byte { return AppendAttribute(d, 1) }, "|1\r\n", ""},
		{"true", func(d []byte, p int) []byte { return AppendBool(d, true, p) }, ":1\r\n", "#t\r\n"},
		{"false", func(d []byte, p int) []byte { return AppendBool(d, false, p) }, ":0\r\n", "#f\r\n"},
		{"double", func(d []byte, p int) []byte { return AppendDouble(d, 1.5, p) }, "$3\r\n1.5\r\n", ",1.5\r\n"},
		{"infinity", func(d []byte, p int) []byte { return AppendDouble(d, inf, p) }, "$3\r\ninf\r\n", ",inf\r\n"},
		{"negative infinity", func(d []byte, p int) []byte { return AppendDouble(d, -inf, p) }, "$4\r\n-inf\r\n", ",-inf\r\n"},
		{"big number", func(d []byte, p int) []byte { return AppendBigNumber(d, []byte("-123"), p) }, "$4\r\n-123\r\n", "(-123\r\n"},
		{"verbatim", func(d []byte, p int) []byte { return AppendVerbatim(d, "hi\n", "txt", p) }, "$3\r\nhi\n\r\n", "=7\r\ntxt:hi\n\r\n"},
		{"command", func(d []byte, _ int) []byte { return AppendCommand(d, []byte("GET"), []byte("k")) }, "*2\r\n$3\r\nGET\r\n$1\r\nk\r\n", ""},
		{"command of strings", func(d []byte, _ int) []byte { return AppendCommandStrings(d, "GET", "k") }, "*2\r\n$3\r\nGET\r\n$1\r\nk\r\n", ""},
	} {
		if c.v3 == "" {
			c.v3 = c.v2
		}
		for proto, want := range map[int]string{2: c.v2, 3: c.v3} {
			if got := string(c.f([]byte("before"), proto)); got != "before"+want {
				t.Errorf("%s, protocol %d: %q, want %q", c.name, proto, got, want)
			}
		}
		dst := make([]byte, 0, 128)
		if n := testing.AllocsPerRun(20, func() { dst = c.f(dst[:0], 2) }); n != 0 {
			t.Errorf("%s: %v allocations", c.name, n)
		}
	}
}
