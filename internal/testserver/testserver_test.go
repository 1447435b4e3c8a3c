package testserver

import (
	"bufio"
	"strings"
	"testing"
)

func TestMain(m *testing.M) { Main(m) }

func TestReadReply(t *testing.T) {
	for _, tc := range []struct{ raw, want string }{
		{"+OK\r\n", `OK`},
		{"-ERR no\r\n", `-ERR no`},
		{":-7\r\n", `:-7`},
		{"$3\r\na\r\n\r\n", `"a\r\n"`},
		{"$0\r\n\r\n", `""`},
		{"$-1\r\n", `nil`},
		{"*-1\r\n", `nil*`},
		{"_\r\n", `_`},
		{"*2\r\n*1\r\n:1\r\n$1\r\nx\r\n", `[[:1], "x"]`},
		{"%1\r\n+a\r\n~1\r\n#t\r\n", `{a: ~[#t]}`},
		{">2\r\n+x\r\n,1.5\r\n", `>[x, ,1.5]`},
		{"=6\r\ntxt:hi\r\n", `=txt:"hi"`},
		{"*0\r\n", `[]`},
	} {
		v, err := ReadReply(bufio.NewReader(strings.NewReader(tc.raw + "rest")))
		if err != nil || v.String() != tc.want || string(v.Raw) != tc.raw {
			t.Errorf("%q: got %s (raw %q), %v; want %s", tc.raw, v, v.Raw, err, tc.want)
		}
		for i := range len(tc.raw) {
			if v, err := ReadReply(bufio.NewReader(strings.NewReader(tc.raw[:i]))); err == nil {
				t.Errorf("%q: cut short, read as %s", tc.raw[:i], v)
			}
		}
	}
	for _, raw := range []string{"x\r\n", ":1x\r\n", "$3\r\nabcd\r\n", "$-2\r\n", "+OK\n"} {
		if v, err := ReadReply(bufio.NewReader(strings.NewReader(raw))); err == nil {
			t.Errorf("%q: read as %s", raw, v)
		}
	}
	v, err := ReadReply(bufio.NewReader(strings.NewReader("*3\r\n:1\r\n*2\r\n+a\r\n$2\r\nbc\r\n_\r\n")))
	if err != nil || string(v.Elems[1].Raw) != "*2\r\n+a\r\n$2\r\nbc\r\n" || string(v.Elems[2].Raw) != "_\r\n" {
		t.Errorf("elements are located wrongly: %q, %v", v.Elems, err)
	}
}

func TestStart(t *testing.T) {
	for _, o := range []Options{{Unix: true}, {Kind: Redis}} {
		s := Start(t, o)
		c := s.Dial(t)
		c.Want(t, "PONG", "PING")
		c.Want(t, "OK", "SET", "k", "v")
		c.Want(t, `"v"`, "GET", "k")
		if s.FDs(t) < 3 || s.RSS(t) < 1<<20 {
			t.Errorf("%d descriptors, %d bytes resident", s.FDs(t), s.RSS(t))
		}
		if o.Unix {
			u, err := Connect("unix", s.Socket)
			if err != nil {
				t.Fatal(err)
			}
			u.Want(t, `"v"`, "GET", "k")
			_ = u.Close()
		}
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	}
}
