package resp

import (
	"bytes"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"sherd/internal/testserver"
)

// replyCases are replies and how they print; "" where they are malformed, "…"
// where they are cut off.
var replyCases = []struct{ in, want string }{
	{"+OK\r\n", "OK"},
	{"-ERR no\r\n", "-ERR no"},
	{":0\r\n", ":0"},
	{":12\r\n", ":12"},
	{":-12\r\n", ":-12"},
	{":9223372036854775807\r\n", ":9223372036854775807"},
	{":-9223372036854775808\r\n", ":-9223372036854775808"},
	{"$0\r\n\r\n", `""`},
	{"$3\r\na\rb\r\n", `"a\rb"`},
	{"$12\r\nabcdefghijkl\r\n", `"abcdefghijkl"`},
	{"$100\r\n" + strings.Repeat("x", 100) + "\r\n", `"` + strings.Repeat("x", 100) + `"`},
	{"$-1\r\n", "nil"},
	{"*-1\r\n", "nil*"},
	{"*0\r\n", "[]"},
	{"*2\r\n:1\r\n*2\r\n+a\r\n$1\r\nb\r\n", `[:1, [a, "b"]]`},
	{"_\r\n", "_"},
	{"#t\r\n", "#t"},
	{"#f\r\n", "#f"},
	{",1.5\r\n", ",1.5"},
	{",1e+20\r\n", ",1e+20"},
	{",inf\r\n", ",inf"},
	{",-inf\r\n", ",-inf"},
	{",nan\r\n", ",nan"},
	{",-nan\r\n", ",-nan"},
	{"(-3492890328409238509324850943850943825024385\r\n", "(-3492890328409238509324850943850943825024385"},
	{"!5\r\nERR x\r\n", `!"ERR x"`},
	{"=7\r\ntxt:a\nb\r\n", `=txt:"a\nb"`},
	{"%2\r\n+a\r\n:1\r\n+b\r\n_\r\n", "{a: :1, b: _}"},
	{"%0\r\n", "{}"},
	{"~2\r\n+a\r\n+b\r\n", "~[a, b]"},
	{">2\r\n+message\r\n$1\r\nx\r\n", `>[message, "x"]`},
	{"|1\r\n+ttl\r\n:10\r\n$1\r\nx\r\n", `|{ttl: :10} "x"`},
	{"|1\r\n+a\r\n*2\r\n:1\r\n:2\r\n*2\r\n|1\r\n+b\r\n:3\r\n:4\r\n:5\r\n", "|{a: [:1, :2]} [|{b: :3} :4, :5]"},
	{"|0\r\n:1\r\n", "|{} :1"},

	{"*2\r\n:1\r\n", "…"},
	{"$5\r\nabc", "…"},
	{"|1\r\n+a\r\n:1\r\n", "…"},
	{"+OK\r", "…"},
	{":1", "…"},

	{"\r\n", ""},
	{"x\r\n", ""},
	{"+a\rb\r\n", ""},
	{":\r\n", ""},
	{":1x\r\n", ""},
	{":01\r\n", ""},
	{":+1\r\n", ""},
	{":9223372036854775808\r\n", ""},
	{"$-2\r\n", ""},
	{"$x\r\n", ""},
	{"$3\r\nabcde\r\n", ""},
	{"$10\r\n0123456789abc", ""},
	{"$9223372036854775807\r\n", ""},
	{"*-2\r\n", ""},
	{"*9223372036854775807\r\n", ""},
	{"%-1\r\n", ""},
	{"=-1\r\n", ""},
	{"=3\r\ntxt\r\n", ""},
	{"=5\r\ntxtxa\r\n", ""},
	{"_x\r\n", ""},
	{"#x\r\n", ""},
	{",\r\n", ""},
	{",x\r\n", ""},
	{"(\r\n", ""},
	{"(-\r\n", ""},
	{"(1.5\r\n", ""},
}

func TestReplies(t *testing.T) {
	if n, kind, st := ReplyLen([]byte("+\r\n")); n != 3 || kind != KindSimple || st != OK {
		t.Errorf("an empty status: %d %c %d", n, kind, st)
	}
	for _, c := range replyCases {
		want, status := c.want, OK
		switch c.want {
		case "":
			status = Error
		case "…":
			status = Incomplete
		}
		buf := []byte(c.in + ":7\r\n")
		if status != OK {
			buf = buf[:len(c.in)]
		}
		n, kind, st := ReplyLen(buf)
		if st != status || st == OK && n != len(c.in) {
			t.Errorf("%q: %d bytes, status %d, want %d", c.in, n, st, status)
			continue
		}
		if sn, skind, sst := scanBytewise(buf); sn != n || skind != kind || sst != st {
			t.Errorf("%q, a byte at a time: %d %c %d, whole: %d %c %d", c.in, sn, skind, sst, n, kind, st)
		}
		v, n, err := Decode(buf)
		switch st {
		case OK:
			if err != nil || n != len(c.in) || v.String() != want || v.Kind != kind {
				t.Errorf("%q: %s (%c), %d, %v", c.in, v, v.Kind, n, err)
			}
		case Incomplete:
			if err != io.ErrUnexpectedEOF {
				t.Errorf("%q: %v", c.in, err)
			}
		case Error:
			if err != ErrReply {
				t.Errorf("%q: %v", c.in, err)
			}
		}
	}
}

// scanBytewise is ReplyLen for a reply that comes a byte at a time.
func scanBytewise(buf []byte) (n int, kind Kind, st Status) {
	var s Scanner
	for i := range len(buf) + 1 {
		if n, kind, st = s.Resume(buf[:i:i]); st != Incomplete {
			return n, kind, st
		}
	}
	return 0, 0, Incomplete
}

// TestScannerLinear: a reply of many elements in small pieces.
func TestScannerLinear(t *testing.T) {
	const count = 200_000
	buf := AppendArray(nil, count)
	for i := range count {
		buf = AppendBulkInt(buf, int64(i))
	}
	var s Scanner
	for size := 0; size < len(buf); size += 100 {
		if _, _, st := s.Resume(buf[:size]); st != Incomplete {
			t.Fatalf("status %d at %d of %d", st, size, len(buf))
		}
	}
	if n, kind, st := s.Resume(buf); n != len(buf) || kind != KindArray || st != OK {
		t.Fatalf("%d %c %d", n, kind, st)
	}
}

func TestReader(t *testing.T) {
	var stream []byte
	var want []string
	for _, c := range replyCases {
		if c.want != "" && c.want != "…" {
			stream = append(stream, c.in...)
			want = append(want, c.want)
		}
	}
	stream = append(stream, "$3\r\nab"...)
	for name, in := range map[string]io.Reader{"whole": bytes.NewReader(stream), "bytewise": iotest.OneByteReader(bytes.NewReader(stream))} {
		r := NewReader(in)
		var got []Value
		for range want {
			v, err := r.Read()
			if err != nil {
				t.Fatal(name, err)
			}
			got = append(got, v)
		}
		for i := range want {
			if got[i].String() != want[i] {
				t.Errorf("%s: %s, want %s", name, got[i], want[i])
			}
		}
		if _, err := r.Read(); err != io.ErrUnexpectedEOF {
			t.Errorf("%s: %v at the end of a cut stream", name, err)
		}
	}
	if _, err := NewReader(strings.NewReader("")).Read(); err != io.EOF {
		t.Errorf("%v at the end", err)
	}
	if _, err := NewReader(strings.NewReader("junk\r\n")).Read(); err != ErrReply {
		t.Errorf("%v for what is no reply", err)
	}
}

func TestDecodeDepth(t *testing.T) {
	deep := strings.Repeat("*1\r\n", 100_000) + ":1\r\n"
	if n, _, st := ReplyLen([]byte(deep)); n != len(deep) || st != OK {
		t.Errorf("%d, %d", n, st)
	}
	if _, _, err := Decode([]byte(deep)); err != ErrDepth {
		t.Errorf("%v", err)
	}
	if _, _, err := Decode([]byte(strings.Repeat("|0\r\n", 100_000) + ":1\r\n")); err != ErrDepth {
		t.Errorf("%v", err)
	}
}

// TestReaderAgainstTestserver: the two decoders, written apart, agree on what
// a real server replies in both protocol versions.
func TestReaderAgainstTestserver(t *testing.T) {
	s := testserver.Start(t, testserver.Options{Kind: testserver.Redis})
	for _, proto := range []string{"2", "3"} {
		c := s.Dial(t)
		for _, cmd := range []string{
			"HELLO " + proto, "PING", "SET k v", "GET k", "GET none", "DEL none", "FOO", "COMMAND DOCS get set", "COMMAND INFO get nosuch", "CONFIG GET max*", "INFO server",
			"ZADD z 1.5 a", "ZSCORE z a", "ZSCORE z b", "ZRANGE z 0 -1 WITHSCORES", "SADD s a", "SMEMBERS s", "HSET h f v", "HGETALL h", "SUBSCRIBE ch", "PING",
			"RESET", "DEBUG PROTOCOL attrib", "MEMORY DOCTOR", "LPOP none 1", "BLPOP none 0.01", "LOLWUT",
		} {
			reply := c.Do(t, strings.Fields(cmd)...)
			v, n, err := Decode(reply.Raw)
			if err != nil || n != len(reply.Raw) || v.String() != reply.String() {
				t.Errorf("%s:\n here %s, %v\nthere %s", cmd, v, err, reply)
			}
		}
	}
}

func FuzzReply(f *testing.F) {
	for _, c := range replyCases {
		f.Add([]byte(c.in))
	}
	r := rand.New(rand.NewPCG(2, 2))
	for range 100 {
		var b []byte
		for range 1 + r.IntN(6) {
			b = append(b, replyCases[r.IntN(len(replyCases))].in...)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, buf []byte) {
		if len(buf) > 4000 {
			return
		}
		n, kind, st := ReplyLen(buf)
		if sn, skind, sst := scanBytewise(buf); sn != n || skind != kind || sst != st {
			t.Fatalf("a byte at a time: %d %c %d, whole: %d %c %d", sn, skind, sst, n, kind, st)
		}
		v, dn, err := Decode(buf)
		if (err == nil || err == ErrDepth) != (st == OK) || err == nil && (dn != n || v.Kind != kind) {
			t.Fatalf("decoded %d bytes, %v; ReplyLen %d, %d", dn, err, n, st)
		}
		_ = v.String()
	})
}
