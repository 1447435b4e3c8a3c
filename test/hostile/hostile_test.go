// Package hostile sends a server what no well-meaning client sends, over
// sockets: the server must answer as Redis does or close the connection, keep
// its memory and descriptors, and serve everybody else meanwhile.
package hostile

import (
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"sherd/internal/testserver"
)

func TestMain(m *testing.M) { testserver.Main(m) }

// each runs a test over every engine, each with a server and a witness.
func each(t *testing.T, args []string, f func(t *testing.T, w *witness)) {
	for _, engine := range testserver.Engines() {
		name := engine
		if name == "" {
			name = string(testserver.Default())
		}
		t.Run(name, func(t *testing.T) {
			srv := testserver.Start(t, testserver.Options{Engine: engine, Args: args})
			w := &witness{Server: srv, c: srv.Dial(t)}
			w.c.Want(t, "OK", "SET", "witness", "intact")
			w.fds, w.rss = srv.FDs(t), srv.RSS(t)
			f(t, w)
			w.check(t)
		})
	}
}

// A witness is another client, whom nothing must touch.
type witness struct {
	*testserver.Server
	c   *testserver.Client
	fds int   // descriptors when the test began
	rss int64 // resident memory when the test began
}

// check asks for what the witness has stored; the answer must come soon.
func (w *witness) check(t *testing.T) {
	t.Helper()
	begin := time.Now()
	w.c.Want(t, `"intact"`, "GET", "witness")
	limit := 5 * time.Second
	if testBuild() == "-race" {
		limit = 30 * time.Second // some twenty times slower, and looked at for races only
	}
	d := time.Since(begin)
	t.Logf("waited %v", d)
	if d > limit {
		t.Errorf("another client waited %v", d)
	}
}

// settled waits until no client but the witness is left, and checks that the
// descriptors are back and that memory has grown by at most extra bytes.
func (w *witness) settled(t *testing.T, extra int64) {
	t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for {
		clients, fds := w.c.InfoInt(t, "clients", "connected_clients"), w.FDs(t)
		if clients == 1 && fds <= w.fds {
			break
		}
		if time.Now().After(deadline) {
			t.Errorf("%d clients and %d descriptors are left; there were 1 and %d", clients, fds, w.fds)
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	w.bounded(t, extra)
}

// bounded checks resident memory.
func (w *witness) bounded(t *testing.T, extra int64) {
	t.Helper()
	if strings.Contains(testBuild(), "-race") {
		return // the race detector's own memory is not the server's
	}
	if now := w.RSS(t); now > w.rss+extra {
		t.Errorf("resident memory grew from %d to %d KiB, by more than %d", w.rss>>10, now>>10, extra>>10)
	}
}

// dial opens a bare connection.
func (w *witness) dial(t *testing.T) net.Conn {
	t.Helper()
	c, err := net.DialTimeout("tcp", w.Addr(), 10*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestRandomBytes sends noise.
func TestRandomBytes(t *testing.T) {
	seed := testserver.Seed(t)
	each(t, nil, func(t *testing.T, w *witness) {
		r := rand.New(rand.NewPCG(seed, 0))
		for i := range 200 * testserver.Scale() {
			c := w.dial(t)
			b := make([]byte, 1+r.IntN(3000))
			for j := range b {
				b[j] = byte(r.Uint32())
				if r.IntN(4) == 0 {
					b[j] = "*$\r\n0123456789-"[r.IntN(15)]
				}
			}
			if i%3 == 0 {
				copy(b, "*1\r\n$")
			}
			_, _ = c.Write(b) // the server may have closed already
			if i%4 == 0 {     // and may wait for more
				_ = c.SetReadDeadline(time.Now().Add(5 * time.Millisecond))
				_, _ = c.Read(make([]byte, 100))
			}
			_ = c.Close()
			if i%50 == 0 {
				w.check(t)
			}
		}
		w.settled(t, 32<<20)
	})
}

// TestTruncated sends every prefix of a pipeline, and ends.
func TestTruncated(t *testing.T) {
	whole := "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$5\r\nvalue\r\n*2\r\n$3\r\nGET\r\n$1\r\nk\r\nPING hello\r\n*1\r\n$4\r\nPING\r\n"
	each(t, nil, func(t *testing.T, w *witness) {
		for i := range whole {
			c := w.dial(t)
			if _, err := c.Write([]byte(whole[:i])); err != nil {
				t.Fatal(err)
			}
			_ = c.Close()
		}
		w.settled(t, 16<<20)
	})
}

// TestHostileLengths announces what cannot be, or will never come.
func TestHostileLengths(t *testing.T) {
	each(t, nil, func(t *testing.T, w *witness) {
		for _, tc := range []struct{ send, want string }{
			{"*1\r\n$-1\r\n", "-ERR Protocol error: invalid bulk length"},
			{"*1\r\n$-9223372036854775808\r\n", "-ERR Protocol error: invalid bulk length"},
			{"*1\r\n$9223372036854775807\r\n", "-ERR Protocol error: invalid bulk length"},
			{"*1\r\n$9223372036854775808\r\n", "-ERR Protocol error: invalid bulk length"},
			{"*1\r\n$99999999999999999999999999\r\n", "-ERR Protocol error: invalid bulk length"},
			{"*1\r\n$2147483648\r\n", "-ERR Protocol error: invalid bulk length"},
			{"*1\r\n$ 3\r\nabc\r\n", "-ERR Protocol error: invalid bulk length"},
			{"*1\r\n$\r\n", "-ERR Protocol error: invalid bulk length"},
			{"*9223372036854775807\r\n", "-ERR Protocol error: invalid multibulk length"},
			{"*99999999999999999999\r\n", "-ERR Protocol error: invalid multibulk length"},
			{"*2147483648\r\n", "-ERR Protocol error: invalid multibulk length"},
			{"*+1\r\n", "-ERR Protocol error: invalid multibulk length"},
			{"*1x\r\n", "-ERR Protocol error: invalid multibulk length"},
			{"*1\r\n:1\r\n", "-ERR Protocol error: expected '$', got ':'"},
			{"*" + strings.Repeat("1", 70_000), "-ERR Protocol error: too big mbulk count string"},
			{"*1\r\n$" + strings.Repeat("1", 70_000), "-ERR Protocol error: too big bulk count string"},
			{strings.Repeat("a", 70_000), "-ERR Protocol error: too big inline request"},
			{"GET \"a\r\n", "-ERR Protocol error: unbalanced quotes in request"},
		} {
			c := &testserver.Client{Conn: w.dial(t), Timeout: 10 * time.Second}
			c.In = newReader(c.Conn)
			_, _ = c.Write([]byte(tc.send))
			v, err := c.Receive()
			if err != nil || v.String() != tc.want {
				t.Errorf("%.60q: %s, %v; want %s", tc.send, v, err, tc.want)
			}
			if !c.Closed(5 * time.Second) {
				t.Errorf("%.60q: the connection stays open", tc.send)
			}
			_ = c.Close()
		}
		w.settled(t, 16<<20)
	})
}

// TestAnnouncedAndNeverSent announces huge values and arrays, sends the
// beginning, and waits: what was only announced must take no memory.
func TestAnnouncedAndNeverSent(t *testing.T) {
	each(t, []string{"--proto-max-bulk-len", "4gb"}, func(t *testing.T, w *witness) {
		for _, send := range []string{
			"*2\r\n$4\r\nECHO\r\n$2147483648\r\nabc",
			"*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$536870912\r\nabc",
			"*1048576\r\n$3\r\nDEL\r\n$1\r\na\r\n",
		} {
			var conns []net.Conn
			for range 50 {
				c := w.dial(t)
				if _, err := c.Write([]byte(send)); err != nil {
					t.Fatal(err)
				}
				conns = append(conns, c)
			}
			w.check(t)
			extra := int64(64 << 20)
			if send[1] == '1' && w.Kind == testserver.Redis {
				extra = 1 << 30 // it reserves the argument vector, 8 MiB a client
			}
			w.bounded(t, extra)
			for _, c := range conns {
				_ = c.Close()
			}
		}
		w.settled(t, 64<<20)
	})
}

// TestNeverReads pipelines commands with big replies and reads none of them:
// the server stops reading or closes, and other clients go on.
func TestNeverReads(t *testing.T) {
	each(t, []string{"--client-output-buffer-limit", "normal 8mb 0 0"}, func(t *testing.T, w *witness) {
		w.c.Want(t, "OK", "SET", "big", strings.Repeat("x", 4000))
		pipeline := strings.Repeat("*2\r\n$3\r\nGET\r\n$3\r\nbig\r\n", 1000)
		var conns []net.Conn
		for range 4 {
			c := w.dial(t)
			conns = append(conns, c)
			sent := 0
			for sent < 1_000_000 { // 23 MB, more than the sockets hold
				_ = c.SetWriteDeadline(time.Now().Add(500 * time.Millisecond))
				if _, err := c.Write([]byte(pipeline)); err != nil {
					break // no longer read from, or closed
				}
				sent += 1000
			}
			if sent >= 1_000_000 {
				t.Errorf("%d commands were taken in whose replies nobody read", sent)
			}
			w.check(t)
		}
		w.bounded(t, 160<<20)
		for _, c := range conns {
			_ = c.Close()
		}
		w.settled(t, 160<<20)
	})
}

// TestByteAtATime sends a pipeline in pieces of one byte.
func TestByteAtATime(t *testing.T) {
	each(t, nil, func(t *testing.T, w *witness) {
		c := w.Dial(t)
		send := "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$12\r\nhello\r\nworld\r\n*2\r\n$3\r\nGET\r\n$1\r\nk\r\nECHO \"a b\"\r\n*1\r\n$6\r\nNOSUCH\r\nPING\r\n"
		for i := range len(send) {
			if _, err := c.Write([]byte{send[i]}); err != nil {
				t.Fatal(err)
			}
			if i%7 == 0 {
				time.Sleep(200 * time.Microsecond) // apart, so that the kernel does not join them
			}
		}
		for _, want := range []string{"OK", `"hello\r\nworld"`, `"a b"`, "-ERR unknown command 'NOSUCH', with args beginning with: ", "PONG"} {
			if v, err := c.Receive(); err != nil || v.String() != want {
				t.Errorf("%s, %v; want %s", v, err, want)
			}
		}
		_ = c.Close()
	})
}

// TestDeepPipeline sends a hundred thousand commands before it reads a reply.
func TestDeepPipeline(t *testing.T) {
	const depth = 100_000
	each(t, nil, func(t *testing.T, w *witness) {
		c := w.Dial(t)
		for i := range depth {
			c.Queue("INCRBY", "n", strconv.Itoa(i%3))
		}
		sent := make(chan error, 1)
		go func() { sent <- c.Flush() }()
		total := int64(0)
		for i := range depth {
			v, err := c.Receive()
			if err != nil {
				t.Fatal(err)
			}
			if total += int64(i % 3); v.Int() != total {
				t.Fatalf("reply %d is %s, want %d", i, v, total)
			}
		}
		if err := <-sent; err != nil {
			t.Error(err)
		}
		_ = c.Close()
		w.settled(t, 64<<20)
	})
}

// TestTurnsAreShared has one client send thousands of commands at once, each of
// which takes its while, and another ask how far they are: the one loop answers it
// in between.
func TestTurnsAreShared(t *testing.T) {
	const depth = 3000
	each(t, []string{"--threads", "1"}, func(t *testing.T, w *witness) {
		busy := w.Dial(t)
		w.c.Want(t, "OK", "SET", "big", strings.Repeat("x", 512<<10))
		for round, between := 0, 0; between == 0; round++ {
			if round == 50 {
				t.Fatal("the other client was never answered while the pipeline was worked off")
			}
			w.c.Want(t, "OK", "SET", "n", "0")
			for range depth {
				busy.Queue("BITCOUNT", "big")
				busy.Queue("INCR", "n")
			}
			sent := make(chan error, 1)
			go func() { sent <- busy.Flush() }()
			read := make(chan error, 1)
			go func() {
				for i := range depth {
					if _, err := busy.Receive(); err != nil {
						read <- err
						return
					}
					v, err := busy.Receive()
					if err == nil && v.Int() != int64(i+1) {
						err = fmt.Errorf("reply %d is %s", i, v)
					}
					if err != nil {
						read <- err
						return
					}
				}
				read <- nil
			}()
			for n := int64(0); n < depth; {
				var err error
				if n, err = strconv.ParseInt(strings.Trim(w.c.Do(t, "GET", "n").String(), `"`), 10, 64); err != nil {
					t.Fatal(err)
				}
				if n > 0 && n < depth {
					between++
				}
			}
			for _, c := range []chan error{sent, read} {
				if err := <-c; err != nil {
					t.Fatal(err)
				}
			}
		}
		if n := w.c.InfoInt(t, "stats", "turns_shared"); n == 0 {
			t.Error("no turn was shared")
		}
		_ = busy.Close()
	})
}

// TestManyArguments sends commands of a quarter of a million arguments; in long
// runs, of a million.
func TestManyArguments(t *testing.T) {
	n := 1 << 18
	if testserver.Scale() >= 10 {
		n = 1 << 20
	}
	each(t, nil, func(t *testing.T, w *witness) {
		args := make([]string, n)
		args[0] = "EXISTS"
		for i := 1; i < len(args); i++ {
			args[i] = "k" + strconv.Itoa(i%1000)
		}
		c := w.Dial(t)
		c.Want(t, "OK", "SET", "k7", "v")
		c.Want(t, ":"+strconv.Itoa((n-8)/1000+1), args...)
		_ = c.Close()
		w.settled(t, 256<<20)
	})
}

// TestPatternBomb asks for keys with a pattern that takes exponential time
// when it is matched naively.
func TestPatternBomb(t *testing.T) {
	each(t, nil, func(t *testing.T, w *witness) {
		c := w.Dial(t)
		c.Want(t, "OK", "SET", strings.Repeat("a", 200), "v")
		begin := time.Now()
		c.Want(t, "[]", "KEYS", strings.Repeat("a*", 60)+"b")
		c.Want(t, "[]", "KEYS", strings.Repeat("*[a-z]", 60)+"b")
		if v := c.Do(t, "KEYS", strings.Repeat("*", 50_000)+"b"); v.Kind != '*' {
			t.Errorf("a long pattern: %s", v)
		}
		if d := time.Since(begin); d > 5*time.Second {
			t.Errorf("three patterns took %v", d)
		}
		_ = c.Close()
	})
}

// TestOverflow walks over arguments that overflowed other servers.
func TestOverflow(t *testing.T) {
	const huge = "9223372036854775807"
	each(t, nil, func(t *testing.T, w *witness) {
		c := w.Dial(t)
		c.Want(t, "OK", "SET", "s", "value")
		for _, args := range [][]string{
			{"SETRANGE", "s", huge, "x"},
			{"SETRANGE", "s", "4294967295", "x"},
			{"SETBIT", "s", huge, "1"},
			{"SETBIT", "s", "4294967296", "1"},
			{"BITFIELD", "s", "SET", "u8", huge, "1"},
			{"BITFIELD", "s", "SET", "u8", "#" + huge, "1"},
			{"INCRBY", "s", huge},
			{"EXPIRE", "s", huge},
			{"SET", "s", "v", "EX", huge},
			{"GETEX", "s", "PX", huge},
			{"SELECT", huge},
			{"COPY", "s", "s2", "DB", huge},
			{"SCAN", "0", "COUNT", "-" + huge},
			{"LCS", "s", "s", "IDX", "MINMATCHLEN", huge + "0"},
		} {
			if v := c.Do(t, args...); !v.IsError() {
				t.Errorf("%q: %s", args, v)
			}
		}
		for _, args := range [][]string{
			{"GETRANGE", "s", "-" + huge, huge},
			{"GETRANGE", "s", huge, "-9223372036854775808"},
			{"BITCOUNT", "s", "-9223372036854775808", huge},
			{"BITPOS", "s", "1", "-9223372036854775808", huge, "BIT"},
			{"SCAN", "18446744073709551615"},
			{"SCAN", "0", "COUNT", huge},
			{"EXPIRE", "s", "-" + huge[:10]},
		} {
			if v := c.Do(t, args...); v.IsError() {
				t.Errorf("%q: %s", args, v)
			}
		}
		_ = c.Close()
		w.settled(t, 32<<20)
	})
}

// TestHugeValue stores, reads and drops a value of 512 MiB.
func TestHugeValue(t *testing.T) {
	if testserver.Scale() < 10 || strings.Contains(testBuild(), "-race") {
		t.Skip("only in long runs")
	}
	each(t, nil, func(t *testing.T, w *witness) {
		c := w.Dial(t)
		const size = 512 << 20
		if _, err := fmt.Fprintf(c, "*3\r\n$3\r\nSET\r\n$4\r\nhuge\r\n$%d\r\n", size); err != nil {
			t.Fatal(err)
		}
		chunk := []byte(strings.Repeat("0123456789abcdef", 1<<16))
		for sent := 0; sent < size; sent += len(chunk) {
			if _, err := c.Write(chunk); err != nil {
				t.Fatal(err)
			}
		}
		_, _ = c.Write([]byte("\r\n"))
		if v, err := c.Receive(); err != nil || v.String() != "OK" {
			t.Fatalf("%s, %v", v, err)
		}
		w.check(t)
		c.Want(t, ":"+strconv.Itoa(size), "STRLEN", "huge")
		c.Want(t, `"cdef"`, "GETRANGE", "huge", "-4", "-1")
		if v := c.Do(t, "GET", "huge"); len(v.Str) != size || string(v.Str[size-16:]) != "0123456789abcdef" {
			t.Errorf("GET gave %d bytes", len(v.Str))
		}
		c.Want(t, ":1", "DEL", "huge")
		_ = c.Close()
		w.settled(t, 1<<30) // what is given back, and when, has tests of its own
	})
}
