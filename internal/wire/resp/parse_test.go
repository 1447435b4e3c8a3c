package resp

import (
	"fmt"
	"strings"
	"testing"
)

// show prints the outcome of parsing one command.
func show(args [][]byte, n int, st Status, err *ProtocolError) string {
	switch st {
	case Incomplete:
		return "incomplete"
	case Error:
		return err.Error()
	}
	var b strings.Builder
	for _, a := range args {
		fmt.Fprintf(&b, "%q ", a)
	}
	fmt.Fprintf(&b, "(%d)", n)
	return b.String()
}

func TestSmoke(t *testing.T) {
	lim := DefaultLimits()
	for in, want := range map[string]string{
		"*1\r\n$4\r\nPING\r\n":              `"PING" (14)`,
		"*2\r\n$3\r\nGET\r\n$1\r\na\r\nxyz": `"GET" "a" (20)`,
		"PING\r\n":                          `"PING" (6)`,
		"set \"a b\" 'c'\n":                 `"set" "a b" "c" (14)`,
		"\r\n":                              `(2)`,
		"*0\r\n":                            `(4)`,
		"*-1\r\n":                           `(5)`,
		"*x\r\n":                            "ERR Protocol error: invalid multibulk length",
		"*1\r\nx\r\n":                       "ERR Protocol error: expected '$', got 'x'",
	} {
		if got := show(Parse([]byte(in), nil, &lim)); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
	for in, want := range map[string]string{"1.5": "1.5", "3.0e3": "3000", "10.5": "10.5", "0.1": "0.1", "1e20": "100000000000000000000"} {
		x, ok := ParseFloat([]byte(in))
		if got := string(AppendFloat(nil, x)); !ok || got != want {
			t.Errorf("%s: %s", in, got)
		}
	}
}
