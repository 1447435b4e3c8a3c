package floor

import (
	"bufio"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"sherd/internal/wire/resp"
)

func dial(t *testing.T, o Options) (net.Conn, *bufio.Reader) {
	t.Helper()
	o.Threads = 1
	s, err := Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	c, err := net.Dial("tcp", s.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	_ = c.SetDeadline(time.Now().Add(100 * time.Second))
	return c, bufio.NewReader(c)
}

func expect(t *testing.T, in io.Reader, want string) {
	t.Helper()
	got := make([]byte, len(want))
	if n, err := io.ReadFull(in, got); err != nil || string(got) != want {
		t.Fatalf("got %q (%v), want %q", got[:n], err, want)
	}
}

func request(args ...string) []byte { return resp.AppendCommandStrings(nil, args...) }

func TestAnswers(t *testing.T) {
	c, in := dial(t, Options{ValueBytes: 3})
	for _, e := range []struct{ command, want string }{
		{"GET k", "$3\r\nfff\r\n"},
		{"get k", "$3\r\nfff\r\n"},
		{"SET k v EX 10", "+OK\r\n"},
		{"PING", "+PONG\r\n"},
		{"INCR k", ":1\r\n"},
		{"MGET a b", "*2\r\n$3\r\nfff\r\n$3\r\nfff\r\n"},
		{"LRANGE k 0 -1", "*0\r\n"},
		{"NOSUCHCOMMAND", "-ERR unknown command\r\n"},
		{"AVERYLONGCOMMANDNAME", "-ERR unknown command\r\n"},
	} {
		if _, err := c.Write(request(strings.Fields(e.command)...)); err != nil {
			t.Fatal(err)
		}
		expect(t, in, e.want)
	}
}

func TestPipelineInPieces(t *testing.T) {
	c, in := dial(t, Options{})
	big := strings.Repeat("v", 300_000)
	var all []byte
	want := ""
	for range 5 {
		all = append(all, request("PING")...)
		all = append(all, request("SET", "k", big)...)
		all = append(all, "PING\r\n"...) // inline
		want += "+PONG\r\n+OK\r\n+PONG\r\n"
	}
	go func() {
		// A few bytes at a time around the heads, more within the values.
		for len(all) > 0 {
			n := min(7, len(all))
			if len(all) > 1000 && all[0] == 'v' && all[999] == 'v' {
				n = 1000
			}
			if _, err := c.Write(all[:n]); err != nil {
				return
			}
			all = all[n:]
		}
	}()
	expect(t, in, want)
}

func TestProtocolErrorCloses(t *testing.T) {
	c, in := dial(t, Options{})
	if _, err := c.Write([]byte("*1\r\n$x\r\n")); err != nil {
		t.Fatal(err)
	}
	rest, _ := io.ReadAll(in)
	if !strings.HasPrefix(string(rest), "-ERR Protocol error") {
		t.Errorf("got %q", rest)
	}
}

// A client that never reads must not make the server gather answers without
// end: the server stops reading, and the client's writes block.
func TestBackPressure(t *testing.T) {
	c, in := dial(t, Options{ValueBytes: 2000})
	batch := []byte(strings.Repeat(string(request("GET", "k")), 1000))
	sent := 0
	_ = c.SetWriteDeadline(time.Now().Add(300 * time.Millisecond))
	for ; sent < 1000; sent++ { // two gigabytes of answers
		if _, err := c.Write(batch); err != nil {
			break
		}
	}
	if sent == 1000 {
		t.Fatal("the server took everything")
	}
	// It goes on when the client reads. (A machine that is slow at the moment may
	// not have let five thousand requests through.)
	for range min(5000, sent*1000) {
		expect(t, in, "$2000\r\n")
		if _, err := in.Discard(2002); err != nil {
			t.Fatal(err)
		}
	}
}

func TestStall(t *testing.T) {
	const stall = 50 * time.Millisecond
	c, in := dial(t, Options{Stall: stall, Period: stall * 4 / 3})
	// Back-to-back requests for longer than a period must meet a stall.
	longest := time.Duration(0)
	for begun := time.Now(); time.Since(begun) < 3*stall; {
		at := time.Now()
		if _, err := c.Write(request("PING")); err != nil {
			t.Fatal(err)
		}
		expect(t, in, "+PONG\r\n")
		longest = max(longest, time.Since(at))
	}
	if longest < stall/2 {
		t.Errorf("the longest wait is %v, with stalls of %v", longest, stall)
	}
}
