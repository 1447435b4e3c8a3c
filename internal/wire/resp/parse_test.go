package resp

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"sherd/internal/testserver"
)

// transcript is what a stream of requests amounts to: the commands, each as
// its quoted arguments, then "…" when more bytes are needed for the next one,
// or the error.
func transcript(stream []byte, lim *Limits) string {
	var b strings.Builder
	for len(stream) > 0 {
		args, n, st, err := Parse(stream, nil, lim)
		describe(&b, args, st, err)
		if st != OK {
			break
		}
		stream = stream[n:]
	}
	return strings.TrimSpace(b.String())
}

func describe(b *strings.Builder, args [][]byte, st Status, err *ProtocolError) {
	switch st {
	case Incomplete:
		b.WriteString("… ")
	case Error:
		b.WriteString("-" + err.Error())
	case OK:
		fmt.Fprintf(b, "%q ", args)
	}
}

// piecewise is transcript for a stream that arrives in the given pieces, read
// as a connection does it: Parse first, a Partial for what is cut.
func piecewise(t *testing.T, pieces [][]byte, lim *Limits) string {
	t.Helper()
	var (
		b       strings.Builder
		rest    []byte
		p       Partial
		args    [][]byte
		n       int
		st      = OK
		err     *ProtocolError
		partial bool
	)
	for _, piece := range pieces {
		if len(rest) < 1000 {
			rest = slices.Clip(rest) // the buffer moves
		}
		rest = append(rest, piece...)
		for len(rest) > 0 {
			if partial {
				args, n, st, err = p.Resume(rest, args[:0], lim)
			} else {
				args, n, st, err = Parse(rest, args[:0], lim)
			}
			if st == Error {
				describe(&b, args, st, err)
				return strings.TrimSpace(b.String())
			}
			partial = st == Incomplete
			if partial {
				if n != 0 || len(args) != 0 {
					t.Fatalf("an incomplete command consumed %d bytes and gave %d arguments", n, len(args))
				}
				if p.Pending() && p.Need() < 1 {
					t.Fatalf("an incomplete command needs %d bytes", p.Need())
				}
				break
			}
			describe(&b, args, st, err)
			rest = rest[n:]
		}
	}
	if len(rest) > 0 {
		b.WriteString("…")
	}
	return strings.TrimSpace(b.String())
}

// bytewise cuts a stream into bytes, but a long one's middle, which is all the
// same, into one piece.
func bytewise(stream []byte) (pieces [][]byte) {
	for i := 0; i < len(stream); i++ {
		if i == 1000 && len(stream) > 2000 {
			pieces = append(pieces, stream[i:len(stream)-1000])
			i = len(stream) - 1000
		}
		pieces = append(pieces, stream[i:i+1])
	}
	return pieces
}

const (
	badCount  = "-ERR Protocol error: invalid multibulk length"
	badLength = "-ERR Protocol error: invalid bulk length"
	badQuotes = "-ERR Protocol error: unbalanced quotes in request"
)

// requestCases are what redis-server 7.0 makes of streams; TestAgainstRedis
// asks it again.
var requestCases = []struct{ in, want string }{
	// The regular forms.
	{"*1\r\n$4\r\nzzzz\r\n", `["zzzz"]`},
	{"*2\r\n$2\r\nzz\r\n$15\r\nmemtier-1234567\r\n*1\r\n$1\r\nz\r\n", `["zz" "memtier-1234567"] ["z"]`},
	{"*2\r\n$2\r\nzz\r\n$0\r\n\r\n", `["zz" ""]`},
	{"*2\r\n$2\r\nzz\r\n$4\r\n\r\n*1\r\n", `["zz" "\r\n*1"]`},
	{"*1\r\n$100\r\n" + strings.Repeat("z", 100) + "\r\n", `["` + strings.Repeat("z", 100) + `"]`},
	{"*10\r\n" + strings.Repeat("$1\r\nz\r\n", 10), `["z" "z" "z" "z" "z" "z" "z" "z" "z" "z"]`},
	{"zz a b\r\n", `["zz" "a" "b"]`},
	{"zz a b\n", `["zz" "a" "b"]`},

	// Commands without arguments.
	{"*0\r\nzz\r\n", `[] ["zz"]`},
	{"*-1\r\nzz\r\n", `[] ["zz"]`},
	{"*-9223372036854775808\r\nzz\r\n", `[] ["zz"]`},
	{"\r\n\n \t\v\f\r\nzz\r\n", `[] [] [] ["zz"]`},
	{"\r\r\nzz\r\n", `[] ["zz"]`},

	// Counts.
	{"*\r\n", badCount},
	{"*-0\r\n", badCount},
	{"*+1\r\n", badCount},
	{"*01\r\n", badCount},
	{"* 1\r\n", badCount},
	{"*1 \r\n", badCount},
	{"*x\r\n", badCount},
	{"*1", "…"},
	{"*1\r", "…"},
	{"*x\r", "…"},
	{"*1048577\r\n$1\r\nz\r\n", "…"},
	{"*2147483647\r\n", "…"},
	{"*2147483648\r\n", badCount},
	{"*9223372036854775808\r\n", badCount},
	{"*-9223372036854775809\r\n", badCount},
	{"*99999999999999999999999999\r\n", badCount},

	// Lengths.
	{"*1\r\n$-1\r\n", badLength},
	{"*1\r\n$\r\n", badLength},
	{"*1\r\n$+1\r\n", badLength},
	{"*1\r\n$01\r\n", badLength},
	{"*1\r\n$00\r\n", badLength},
	{"*1\r\n$1 \r\n", badLength},
	{"*1\r\n$x\r\n", badLength},
	{"*1\r\n$1x\r\n", badLength},
	{"*1\r\n$10x\r\n", badLength},
	{"*1\r\n$536870912\r\n", "…"},
	{"*1\r\n$536870913\r\n", badLength},
	{"*1\r\n$12345678901234567890\r\n", badLength},
	{"*2\r\n$1\r\nz\r\n$-5\r\n", badLength},

	// Something else where '$' should be.
	{"*1\r\nx\r\n", "-ERR Protocol error: expected '$', got 'x'"},
	{"*1\r\nx", "…"},
	{"*1\r\n*1\r\n", "-ERR Protocol error: expected '$', got '*'"},
	{"*1\r\n\r\n", "-ERR Protocol error: expected '$', got ' '"},
	{"*1\r\n\n\r\n", "-ERR Protocol error: expected '$', got ' '"},
	{"*1\r\n\xff\r\n", "-ERR Protocol error: expected '$', got '\xff'"},
	{"*1\r\n$1\r\nz\r\n*1\r\n%1\r\n", `["z"] -ERR Protocol error: expected '$', got '%'`},

	// Bytes that are not looked at.
	{"*1\rX$2\rYzzAB*1\r\n$1\r\nz\r\n", `["zz"] ["z"]`},
	{"*1\n$1\r\n", badCount},

	// A zero byte hides the end of its line.
	{"*1\x00\r\n$1\r\nz\r\n", "…"},
	{"*1\r\n$1\x00\r\nz\r\n", "…"},
	{"*1\r\n\x00\r\n", "…"},
	{"z\x00z\r\nzz\r\n", "…"},
	{"\x00\r\n", "…"},
	{"*1\r\n$3\r\nz\x00z\r\n", `["z\x00z"]`},

	// Words of inline commands.
	{"zz a\rb\r\n", `["zz" "a" "b"]`},
	{"zz a\vb\fc\r\n", `["zz" "a\vb\fc"]`},
	{"\v\fzz\r\n", `["zz"]`},
	{"zz \"a b\" 'c d'\r\n", `["zz" "a b" "c d"]`},
	{"zz \"\" ''\r\n", `["zz" "" ""]`},
	{"zz a\"b c\" d'e f'\r\n", `["zz" "ab c" "de f"]`},
	{`zz "\x41\x7a\n\r\t\b\a\q\"\\\x4\xg1\'"` + "\r\n", `["zz" "Az\n\r\t\b\aq\"\\x4xg1'"]`},
	{`zz 'a\'b\n\\ '` + "\r\n", `["zz" "a'b\\n\\\\ "]`},
	{`zz 'a\\'` + "\r\n", badQuotes},
	{`zz a\ b` + "\r\n", `["zz" "a\\" "b"]`},
	{"zz \"a\"\vb\r\n", `["zz" "a" "b"]`},
	{"zz \"a\r\n", badQuotes},
	{"zz 'a\r\n", badQuotes},
	{"zz \"a\\\r\n", badQuotes},
	{"zz \"a\"b\r\n", badQuotes},
	{"zz 'a'b\r\n", badQuotes},
	{"zz 'a''b'\r\n", badQuotes},
	{"zz \"\r\n", badQuotes},

	// Lines that are too long.
	{"*" + strings.Repeat("0", 65535), "…"},
	{"*" + strings.Repeat("0", 65536), "-ERR Protocol error: too big mbulk count string"},
	{"*1\r\n$" + strings.Repeat("0", 65535), "…"},
	{"*1\r\n$" + strings.Repeat("0", 65536), "-ERR Protocol error: too big bulk count string"},
	{strings.Repeat("z", 65536), "…"},
	{strings.Repeat("z", 65537), "-ERR Protocol error: too big inline request"},
	{"\x00" + strings.Repeat("\r\n", 32768), "-ERR Protocol error: too big inline request"},
}

// preAuthCases are the same for a client that has yet to authenticate.
var preAuthCases = []struct{ in, want string }{
	{"*10\r\n" + strings.Repeat("$1\r\nz\r\n", 10), `["z" "z" "z" "z" "z" "z" "z" "z" "z" "z"]`},
	{"*11\r\n", "-ERR Protocol error: unauthenticated multibulk length"},
	{"*2147483648\r\n", badCount},
	{"*1\r\n$16384\r\n", "…"},
	{"*1\r\n$16385\r\n", "-ERR Protocol error: unauthenticated bulk length"},
	{"*1\r\n$536870913\r\n", badLength},
	{"zz a b c d e f g h i j k l\r\n", `["zz" "a" "b" "c" "d" "e" "f" "g" "h" "i" "j" "k" "l"]`},
}

func TestRequests(t *testing.T) {
	lim := DefaultLimits()
	for _, c := range requestCases {
		checkCuts(t, c.in, c.want, &lim)
	}
	lim = lim.BeforeAuth()
	for _, c := range preAuthCases {
		checkCuts(t, c.in, c.want, &lim)
	}
}

// checkCuts reads in whole, a byte at a time and cut in two, and wants the
// same every time.
func checkCuts(t *testing.T, in, want string, lim *Limits) {
	t.Helper()
	stream := []byte(in)
	if got := transcript(stream, lim); got != want {
		t.Errorf("%.60q: %.300s, want %.300s", in, got, want)
	}
	if got := piecewise(t, bytewise(stream), lim); got != want {
		t.Errorf("%.60q, a byte at a time: %.300s, want %.300s", in, got, want)
	}
	for i := 1; i < min(len(stream), 200); i++ {
		if got := piecewise(t, [][]byte{stream[:i], stream[i:]}, lim); got != want {
			t.Errorf("%.60q, cut at %d: %.300s, want %.300s", in, i, got, want)
		}
	}
}

// TestInlineBound: a line may be as long as the bound, however it arrives.
func TestInlineBound(t *testing.T) {
	lim := DefaultLimits()
	lim.MaxInline = 300
	for _, end := range []string{"\n", "\r\n"} {
		line := strings.Repeat("z", lim.MaxInline+1-len(end))
		checkCuts(t, line+end, `["`+line+`"]`, &lim)
		checkCuts(t, line+"z"+end, "-ERR Protocol error: too big inline request", &lim)
	}
}

// TestSmallLimits: the fast path and the other obey the same limits.
func TestSmallLimits(t *testing.T) {
	lim := Limits{MaxBulk: 5, MaxArgs: 2, MaxInline: 100}
	checkCuts(t, "*2\r\n$5\r\nzzzzz\r\n$1\r\nz\r\n", `["zzzzz" "z"]`, &lim)
	checkCuts(t, "*2\r\n$6\r\nzzzzzz\r\n$1\r\nz\r\n", badLength, &lim)
	checkCuts(t, "*3\r\n$1\r\nz\r\n$1\r\nz\r\n$1\r\nz\r\n", badCount, &lim)
	lim.PreAuthArgs, lim.PreAuthBulk = 1, 2
	checkCuts(t, "*2\r\n$1\r\nz\r\n$1\r\nz\r\n", "-ERR Protocol error: unauthenticated multibulk length", &lim)
	checkCuts(t, "*1\r\n$3\r\nzzz\r\n", "-ERR Protocol error: unauthenticated bulk length", &lim)
}

// TestArgsAlias: arguments are appended, alias the buffer and cannot grow into
// what follows them.
func TestArgsAlias(t *testing.T) {
	lim := DefaultLimits()
	for _, in := range []string{"*2\r\n$3\r\nGET\r\n$1\r\nk\r\n", "*2\r\n$3\rxGET\r\n$1\r\nk\r\n", "GET k\r\n"} {
		buf := []byte(in)
		args, n, st, _ := Parse(buf, [][]byte{[]byte("before")}, &lim)
		if st != OK || n != len(buf) || len(args) != 3 || string(args[0]) != "before" || string(args[1]) != "GET" || string(args[2]) != "k" {
			t.Fatalf("%q: %q, %d, %v", in, args, n, st)
		}
		for _, a := range args[1:] {
			at := bytes.Index(buf, a)
			if unsafe.SliceData(a) != &buf[at] || cap(a) != len(a) {
				t.Errorf("%q: the argument %q does not alias its bytes and no more", in, a)
			}
		}
	}
}

// TestManyArguments: a million arguments in pieces of 16 KiB and then a byte
// at a time near the end; the work is linear.
func TestManyArguments(t *testing.T) {
	count := 1 << 20
	if testing.Short() {
		count = 1 << 16
	}
	lim := DefaultLimits()
	buf := AppendArray(nil, count)
	for i := range count {
		buf = AppendBulkInt(buf, int64(i))
	}
	var p Partial
	size := 0
	for size < len(buf)-10 {
		size = min(size+16<<10, len(buf)-10)
		if _, _, st, _ := p.Resume(buf[:size], nil, &lim); st != Incomplete {
			t.Fatalf("at %d of %d: status %d", size, len(buf), st)
		}
	}
	for size++; size < len(buf); size++ {
		if _, _, st, _ := p.Resume(buf[:size], nil, &lim); st != Incomplete {
			t.Fatalf("at %d of %d: status %d", size, len(buf), st)
		}
	}
	args, n, st, _ := p.Resume(buf, make([][]byte, 0, count), &lim)
	if st != OK || n != len(buf) || len(args) != count {
		t.Fatalf("%d arguments, %d of %d bytes, status %d", len(args), n, len(buf), st)
	}
	for i, a := range args {
		if n, ok := ParseInt64(a); !ok || n != int64(i) {
			t.Fatalf("argument %d is %q", i, a)
		}
	}
}

// TestNeed: the hint is exact where it can be, and bounded by what was sent.
func TestNeed(t *testing.T) {
	lim := DefaultLimits()
	for _, c := range []struct {
		in   string
		need int
	}{
		{"*", 1},
		{"PING", 1},
		{"*2\r\n", 12},
		{"*2\r\n$", 11},
		{"*2\r\n$1000\r\n", 1002 + 6},
		{"*2\r\n$1000\r\nabc", 999 + 6},
		{"*2\r\n$1\r\na\r", 1 + 6},
		{"*1\r\n$100000000\r\n", 64 << 10},
		{"*1000000000\r\n", 64 << 10},
		{"*1\r\n$100000000\r\n" + strings.Repeat("x", 100_000), 100_016},
	} {
		var p Partial
		if _, _, st, _ := p.Resume([]byte(c.in), nil, &lim); st != Incomplete || p.Need() != c.need {
			t.Errorf("%.20q…: status %d, need %d, want %d", c.in, st, p.Need(), c.need)
		}
	}
	// The largest lengths that may be configured do not overflow.
	lim.MaxBulk = 1<<63 - 1
	var p Partial
	if _, _, st, _ := p.Resume([]byte("*2147483647\r\n$9223372036854775807\r\n"), nil, &lim); st == OK {
		t.Errorf("status %d", st)
	}
	if _, _, st, _ := Parse([]byte("*1\r\n$9223372036854775803\r\nabc"), nil, &lim); st == OK {
		t.Errorf("status %d", st)
	}
}

func TestParseAllocates(t *testing.T) {
	lim := DefaultLimits()
	args := make([][]byte, 0, 32)
	for _, in := range []string{"*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$100\r\n" + strings.Repeat("v", 100) + "\r\n", "SET k v\r\n", "*12\r\n" + strings.Repeat("$1\r\nz\r\n", 12), "*3\r\n$3\r\nSET"} {
		buf := []byte(in)
		if n := testing.AllocsPerRun(100, func() { args, _, _, _ = Parse(buf, args[:0], &lim) }); n != 0 {
			t.Errorf("%.20q: %v allocations", in, n)
		}
	}
}

// randomRequests makes a stream of requests, most of them well-formed, some
// damaged. No argument is the name of a command.
func randomRequests(r *rand.Rand) []byte {
	var b []byte
	for range 1 + r.IntN(4) {
		if r.IntN(3) == 0 {
			b = append(b, randomLine(r)...)
			continue
		}
		count := r.IntN(5)
		if r.IntN(8) == 0 {
			count = r.IntN(20)
		}
		b = AppendArray(b, count)
		for range count {
			size := r.IntN(20)
			if r.IntN(10) == 0 {
				size = r.IntN(300)
			}
			b = AppendBulk(b, randomWord(r, size))
		}
	}
	for r.IntN(2) == 0 {
		at := r.IntN(len(b))
		const alphabet = "*$-+0123456789\r\n\x00\"'\\ \t\vxz\xff"
		switch c := alphabet[r.IntN(len(alphabet))]; r.IntN(4) {
		case 0:
			b[at] = c
		case 1:
			b = slices.Insert(b, at, c)
		case 2:
			b = slices.Delete(b, at, min(at+1+r.IntN(3), len(b)))
		case 3:
			b = b[:at+1]
		}
		if len(b) == 0 {
			return []byte("z")
		}
	}
	return b
}

func randomWord(r *rand.Rand, size int) []byte {
	const alphabet = "zqx0*$\r\n -'\"\xc3"
	w := make([]byte, size)
	for i := range w {
		w[i] = alphabet[r.IntN(len(alphabet))]
	}
	return w
}

func randomLine(r *rand.Rand) []byte {
	parts := []string{"zz", "q", " ", "  ", "\t", "\v", "\r", `"`, `'`, `\`, `\x4a`, `\n`, `\"`, `\'`, `"z z"`, `'q q'`, `""`, "\xff", "$", "*"}
	b := []byte("z")
	for range r.IntN(10) {
		b = append(b, parts[r.IntN(len(parts))]...)
	}
	if r.IntN(2) == 0 {
		b = append(b, '\r')
	}
	return append(b, '\n')
}

// TestRandomCuts: random streams mean the same however they arrive.
func TestRandomCuts(t *testing.T) {
	r := rand.New(rand.NewPCG(testserver.Seed(t), 6))
	lims := []Limits{DefaultLimits(), DefaultLimits().BeforeAuth(), {MaxBulk: 200, MaxArgs: 12, MaxInline: 60}}
	for range 100 * testserver.Scale() {
		stream, lim := randomRequests(r), &lims[r.IntN(3)]
		checkCuts(t, string(stream), transcript(stream, lim), lim)
	}
}

func FuzzParse(f *testing.F) {
	for _, c := range requestCases {
		if len(c.in) < 1000 {
			f.Add([]byte(c.in), uint64(0))
		}
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		f.Add(randomRequests(r), r.Uint64())
	}
	small := Limits{MaxBulk: 200, MaxArgs: 12, MaxInline: 60}
	f.Fuzz(func(t *testing.T, stream []byte, seed uint64) {
		if len(stream) > 2000 {
			return
		}
		lims := []Limits{DefaultLimits(), DefaultLimits().BeforeAuth(), small}
		lim := &lims[seed%3]
		want := transcript(stream, lim)
		if got := piecewise(t, bytewise(stream), lim); got != want {
			t.Fatalf("a byte at a time: %s\nwhole: %s", got, want)
		}
		r := rand.New(rand.NewPCG(seed, 0))
		for range 3 {
			var pieces [][]byte
			for rest := stream; len(rest) > 0; {
				n := 1 + r.IntN(min(len(rest), 40))
				pieces = append(pieces, rest[:n])
				rest = rest[n:]
			}
			if got := piecewise(t, pieces, lim); got != want {
				t.Fatalf("pieces %q: %s\nwhole: %s", pieces, got, want)
			}
		}
		for at := 1; at < len(stream) && len(stream) < 120; at++ {
			if got := piecewise(t, [][]byte{stream[:at], stream[at:]}, lim); got != want {
				t.Fatalf("cut at %d: %s\nwhole: %s", at, got, want)
			}
		}
	})
}
