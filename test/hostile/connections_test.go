package hostile

import (
	"bufio"
	"net"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"sherd/internal/testserver"
)

func newReader(c net.Conn) *bufio.Reader { return bufio.NewReader(c) }

// testBuild is how the server under test was built.
func testBuild() string { return os.Getenv("SHERD_TEST_BUILD") }

// TestConnectStorm connects and disconnects in every manner: nothing is left
// behind. The full hundred thousand are for long runs.
func TestConnectStorm(t *testing.T) {
	each(t, nil, func(t *testing.T, w *witness) {
		n := min(100_000, 4000*testserver.Scale())
		if testing.Short() {
			n = 500
		}
		before := w.c.InfoInt(t, "stats", "total_connections_received")
		for i := range n {
			c := w.dial(t)
			switch i % 6 {
			case 0: // at once
			case 1:
				_, _ = c.Write([]byte("*2\r\n$3\r\nGE"))
			case 2:
				_, _ = c.Write([]byte("PING\r\n"))
				if _, err := c.Read(make([]byte, 16)); err != nil {
					t.Fatalf("connection %d: %v", i, err)
				}
			case 3: // a reset, with a reply under way
				_, _ = c.Write([]byte("PING\r\nINFO\r\n"))
				_ = c.(*net.TCPConn).SetLinger(0)
			case 4: // one half only
				_, _ = c.Write([]byte("PING\r\n"))
				_ = c.(*net.TCPConn).CloseWrite()
				_, _ = c.Read(make([]byte, 16))
			case 5:
				_, _ = c.Write([]byte("QUIT\r\n"))
				_, _ = c.Read(make([]byte, 16))
			}
			_ = c.Close()
			if i%1000 == 0 {
				w.check(t)
			}
		}
		w.settled(t, 32<<20)
		// A connection that was reset before it was accepted need not count.
		if got := w.c.InfoInt(t, "stats", "total_connections_received") - before; got > int64(n) || got < int64(n/2) {
			t.Errorf("total_connections_received grew by %d, want %d", got, n)
		}
	})
}

// TestMaxClients fills the server ten times over: who comes too late is told
// so, the others go on, and afterwards there is room again.
func TestMaxClients(t *testing.T) {
	const limit, late = 20, 10
	each(t, []string{"--maxclients", strconv.Itoa(limit)}, func(t *testing.T, w *witness) {
		for round := range 10 {
			var in []*testserver.Client
			for len(in) < limit-1 { // the witness is one
				c, err := testserver.Connect("tcp", w.Addr())
				if err != nil {
					t.Fatal(err)
				}
				c.Want(t, "PONG", "PING")
				in = append(in, c)
			}
			for range late {
				c, err := testserver.Connect("tcp", w.Addr())
				if err != nil {
					t.Fatal(err)
				}
				c.Timeout = 10 * time.Second
				if v, err := c.Receive(); err != nil || v.String() != "-ERR max number of clients reached" {
					t.Errorf("round %d: a client too many got %s, %v", round, v, err)
				}
				if !c.Closed(5 * time.Second) {
					t.Errorf("round %d: a client too many stays connected", round)
				}
				_ = c.Close()
			}
			for _, c := range in {
				c.Want(t, "PONG", "PING")
				_ = c.Close()
			}
			w.settled(t, 16<<20)
		}
		if got := w.c.InfoInt(t, "stats", "rejected_connections"); got != 10*late {
			t.Errorf("rejected_connections is %d, want %d", got, 10*late)
		}
	})
}

// TestIdleConnections measures what a connection costs that does nothing.
func TestIdleConnections(t *testing.T) {
	const n = 1000
	each(t, nil, func(t *testing.T, w *witness) {
		each1 := int64(2 << 10)
		if strings.HasSuffix(t.Name(), "/portable") {
			each1 = 16 << 10 // package net wants a goroutine and a buffer for each
		}
		var conns []*testserver.Client
		for range n {
			conns = append(conns, w.Dial(t))
		}
		for _, c := range conns {
			c.Want(t, "OK", "SET", "idle", strings.Repeat("x", 500))
		}
		w.check(t)
		if w.Kind == testserver.Sherd {
			w.bounded(t, n*each1+(4<<20)) // and the slack of the Go runtime
		}
		t.Logf("%d bytes each", (w.RSS(t)-w.rss)/n)
		for _, c := range conns {
			_ = c.Close()
		}
		w.settled(t, 32<<20)
	})
}

// TestTimeout expects an idle client to be closed, and an active one not.
func TestTimeout(t *testing.T) {
	each(t, []string{"--timeout", "1"}, func(t *testing.T, w *witness) {
		idle := w.Dial(t)
		idle.Want(t, "PONG", "PING")
		closed := make(chan bool, 1)
		go func() { closed <- idle.Closed(10 * time.Second) }()
		for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
			w.check(t)
			select {
			case ok := <-closed:
				if !ok {
					t.Error("an idle client stays connected")
				}
				return
			default:
			}
		}
		t.Error("an idle client stays connected")
	})
}
