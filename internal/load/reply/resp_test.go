package reply

import (
	"strings"
	"testing"
)

func TestRESPReplies(t *testing.T) {
	cases := []struct {
		text  string
		class Class
	}{
		{"+OK\r\n", Fine},
		{"$5\r\nhello\r\n", Fine},
		{"$0\r\n\r\n", Fine},
		{"$32\r\n" + strings.Repeat("x", 32) + "\r\n", Fine},
		{":-7\r\n", Fine},
		{"$-1\r\n", Null},
		{"*-1\r\n", Null},
		{"_\r\n", Null},
		{"-ERR no such key\r\n", Error},
		{"!5\r\nERR x\r\n", Error},
		{"*2\r\n$1\r\na\r\n$-1\r\n", Fine},
		{"%1\r\n+a\r\n*2\r\n:1\r\n:2\r\n", Fine},
		{"|1\r\n+ttl\r\n:3\r\n$2\r\nok\r\n", Fine},
	}
	all := ""
	for _, c := range cases {
		var r RESP
		// A byte at a time, and another reply's beginning behind it.
		for cut := range len(c.text) {
			if n, class := r.Next([]byte(c.text[:cut])); n != 0 || class == Broken {
				t.Fatalf("%q cut at %d: %d bytes of class %d", c.text, cut, n, class)
			}
		}
		if n, class := r.Next([]byte(c.text + "$3\r\nab")); n != len(c.text) || class != c.class {
			t.Errorf("%q: %d bytes of class %d, want %d of %d", c.text, n, class, len(c.text), c.class)
		}
		all += c.text
	}
	var r RESP
	for i, buf := 0, []byte(all); len(buf) > 0; i++ {
		n, class := r.Next(buf)
		if n != len(cases[i].text) || class != cases[i].class {
			t.Fatalf("reply %d: %d bytes of class %d", i, n, class)
		}
		buf = buf[n:]
	}
}

func TestRESPLongStringIsSkipped(t *testing.T) {
	var r RESP
	head := "$100000\r\n"
	if n, class := r.Next([]byte(head + "xyz")); n != len(head)+100000+2 || class != Fine {
		t.Errorf("%d bytes of class %d", n, class)
	}
}

func TestRESPBroken(t *testing.T) {
	for _, bad := range []string{"HTTP/1.1 400\r\n", "$x\r\n", "*1\r\nabc\r\n", "\r\n"} {
		var r RESP
		if _, class := r.Next([]byte(bad)); class != Broken {
			t.Errorf("%q was taken for a reply of class %d", bad, class)
		}
	}
}

func BenchmarkRESP(b *testing.B) {
	buf := []byte(strings.Repeat("$32\r\n"+strings.Repeat("x", 32)+"\r\n", 16))
	var r RESP
	for b.Loop() {
		for rest := buf; len(rest) > 0; {
			n, _ := r.Next(rest)
			rest = rest[n:]
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/16, "ns/reply")
}
