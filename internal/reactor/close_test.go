package reactor

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"runtime"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// reset closes nc so that the peer is told by a reset.
func reset(nc net.Conn) {
	_ = nc.(*net.TCPConn).SetLinger(0)
	_ = nc.Close()
}

func TestResetByPeer(t *testing.T) {
	onEngines(t, func(t *testing.T, o Options) {
		big := pattern(8 << 20)
		ready, closed := make(chan struct{}, 1), make(chan error, 1)
		h := &script{
			received: func(c *Conn, b []byte) {
				if b[0] == 'b' {
					c.Send(big)
				}
				ready <- struct{}{}
			},
			// Whichever of a send and a receive comes first is told of the reset;
			// the other finds a stream that has ended.
			eof:    func(*Conn) {},
			closed: func(_ *Conn, err error) { closed <- err },
		}
		o.Threads = 1
		g := start(t, o, same(h))
		defer g.Stop()
		addr := listen(t, g)
		for _, request := range []string{"idle", "big"} {
			nc := dial(t, addr)
			write(t, nc, []byte(request))
			await(t, ready, "the request")
			reset(nc)
			err := await(t, closed, "Closed")
			if runtime.GOOS == "linux" && !errors.Is(err, syscall.ECONNRESET) && !errors.Is(err, syscall.EPIPE) {
				t.Errorf("%s: closed with %v", request, err)
			}
			if n := g.Loops[0].Conns(); n != 0 {
				t.Errorf("%d connections left", n)
			}
		}
	})
}

// TestResetAfterEOF has a peer shut down its side and then be gone altogether:
// whoever goes on to send finds out.
func TestResetAfterEOF(t *testing.T) {
	onEngines(t, func(t *testing.T, o Options) {
		eof, closed := make(chan *Conn, 1), make(chan error, 1)
		h := &script{
			eof:    func(c *Conn) { eof <- c },
			sent:   func(c *Conn, b []byte) { c.Send(b) },
			closed: func(_ *Conn, err error) { closed <- err },
		}
		o.Threads = 1
		g := start(t, o, same(h))
		defer g.Stop()
		nc := dial(t, listen(t, g))
		_ = nc.(*net.TCPConn).CloseWrite()
		c := await(t, eof, "EOF")
		reset(nc)
		onLoop(t, g.Loops[0], func() { c.Send([]byte("reply")) })
		if err := await(t, closed, "Closed"); err == nil {
			t.Error("closed without an error")
		}
	})
}

// TestCloseWhileSending closes a connection whose peer does not read, and gets
// the buffer back.
func TestCloseWhileSending(t *testing.T) {
	onEngines(t, func(t *testing.T, o Options) {
		big := pattern(16 << 20)
		closed := make(chan error, 1)
		var conn *Conn
		h := &script{
			opened: func(c *Conn) {
				conn = c
				c.Send(big)
			},
			sent:   func(*Conn, []byte) { panic("all of it cannot be sent") },
			closed: func(_ *Conn, err error) { closed <- err },
		}
		o.Threads = 1
		g := start(t, o, same(h))
		defer g.Stop()
		nc := dial(t, listen(t, g))
		defer nc.Close()
		expect(t, nc, big[:100])
		onLoop(t, g.Loops[0], func() {
			conn.Close()
			conn.Close()
		})
		if err := await(t, closed, "Closed"); err != nil {
			t.Errorf("closed with %v", err)
		}
		clear(big) // it is ours again
		onLoop(t, g.Loops[0], func() {
			// All of these do nothing.
			conn.Close()
			conn.PauseRead()
			conn.ResumeRead()
			conn.SetKeepAlive(10)
			conn.Send([]byte("x"))
			_, _ = conn.LocalAddr(), conn.RemoteAddr()
		})
		if n, err := io.Copy(io.Discard, nc); n >= int64(len(big)) {
			t.Errorf("peer got %d bytes, %v", n, err)
		}
	})
}

// TestCloseFromEveryCallback closes where a handler may: the connection ends,
// once, and nothing is delivered after.
func TestCloseFromEveryCallback(t *testing.T) {
	onEngines(t, func(t *testing.T, o Options) {
		for _, where := range []string{"opened", "received", "sent", "eof", "sending", "paused"} {
			closed := make(chan error, 10)
			h := &script{closed: func(_ *Conn, err error) { closed <- err }}
			h.opened = func(c *Conn) {
				if where == "opened" {
					c.Close()
				}
			}
			h.received = func(c *Conn, b []byte) {
				switch where {
				case "received":
					c.Close()
				case "sent":
					c.Send([]byte("reply"))
				case "sending":
					c.SendQuiet([]byte("reply"))
					c.Close()
				case "paused":
					c.PauseRead()
					c.ResumeRead()
					c.PauseRead()
					c.Close()
				}
			}
			h.sent = func(c *Conn, _ []byte) { c.Close() }
			o.Threads = 1
			g := start(t, o, same(h))
			nc := dial(t, listen(t, g))
			_, err := nc.Write([]byte("request"))
			if err != nil && where != "opened" {
				t.Fatal(err)
			}
			if where == "eof" {
				_ = nc.(*net.TCPConn).CloseWrite()
			}
			if err := await(t, closed, "Closed after Close in "+where); err != nil {
				t.Errorf("%s: %v", where, err)
			}
			_, _ = io.Copy(io.Discard, nc)
			_ = nc.Close()
			g.Stop()
			if len(closed) != 0 {
				t.Errorf("%s: closed twice", where)
			}
		}
	})
}

// TestStaleCompletions opens and closes connections as fast as it can, from
// both sides, so that descriptors and slots are reused while completions of
// their former owners are on their way: every byte must reach the connection
// it was sent on.
func TestStaleCompletions(t *testing.T) {
	onEngines(t, func(t *testing.T, o Options) {
		rng := random(t)
		limits := make([]int, 64)
		for i := range limits {
			limits[i] = 1 + rng.IntN(40)
		}
		var wrong, opened, closed atomic.Int64
		type state struct {
			id   uint64
			n    int
			most int
			rest []byte
		}
		h := func(*Loop) Handler {
			return &script{
				opened: func(c *Conn) { c.Data = &state{most: limits[opened.Add(1)%64]} },
				received: func(c *Conn, b []byte) {
					s := c.Data.(*state)
					s.rest = append(s.rest, b...)
					for ; len(s.rest) >= 8; s.rest = s.rest[8:] {
						id := binary.LittleEndian.Uint64(s.rest)
						if s.n++; s.n == 1 {
							s.id = id
						} else if s.id != id {
							wrong.Add(1)
						}
					}
					if s.n >= s.most {
						if !c.Sending() {
							c.SendQuiet(binary.LittleEndian.AppendUint64(nil, s.id))
						}
						c.Close()
					}
				},
				closed: func(*Conn, error) { closed.Add(1) },
			}
		}
		g := start(t, o, h)
		defer g.Stop()
		addr := listen(t, g)
		rounds := 150
		if testing.Short() {
			rounds = 30
		}
		parallel(8, func(worker int) {
			for round := range rounds {
				nc, err := net.Dial("tcp", addr)
				if err != nil {
					t.Error(err)
					return
				}
				_ = nc.SetDeadline(time.Now().Add(patience))
				id := binary.LittleEndian.AppendUint64(nil, uint64(worker)<<32|uint64(round))
				for range 50 {
					if _, err := nc.Write(id); err != nil {
						break
					}
				}
				got := make([]byte, 8)
				if n, _ := io.ReadFull(nc, got); n == 8 && string(got) != string(id) {
					wrong.Add(1)
				}
				reset(nc)
			}
		})
		if n := wrong.Load(); n != 0 {
			t.Errorf("%d messages reached the wrong connection", n)
		}
		waitConns(t, g, 0)
		if opened.Load() != closed.Load() {
			t.Errorf("%d opened, %d closed", opened.Load(), closed.Load())
		}
	})
}

// waitConns waits until the group has n connections.
func waitConns(t testing.TB, g *Group, n int) {
	t.Helper()
	deadline := time.Now().Add(patience)
	for {
		sum := 0
		for _, l := range g.Loops {
			sum += l.Conns()
		}
		if sum == n {
			// Counted is not yet delivered: let every loop finish its turn.
			for _, l := range g.Loops {
				onLoop(t, l, func() {})
			}
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d connections, want %d", sum, n)
		}
		runtime.Gosched()
	}
}

// TestChurn connects and disconnects very often, in every way, and must leave
// nothing behind.
func TestChurn(t *testing.T) {
	onEngines(t, func(t *testing.T, o Options) {
		total := envInt("REACTOR_CHURN", 2000)
		if o.Engine == "portable" || o.uring != nil {
			total /= 10
		}
		if testing.Short() {
			total = 500
		}
		var opened, closed atomic.Int64
		g := start(t, o, func(*Loop) Handler {
			return &script{
				opened: func(*Conn) { opened.Add(1) },
				received: func(c *Conn, b []byte) {
					switch b[0] {
					case 'c':
						c.Close()
					case 'r':
						c.SendQuiet([]byte("reply"))
					}
				},
				closed: func(*Conn, error) { closed.Add(1) },
			}
		})
		defer g.Stop()
		addr := listen(t, g)
		fds := openFds()
		parallel(4, func(worker int) {
			buf := make([]byte, 16)
			for i := worker; i < total; i += 4 {
				nc, err := net.Dial("tcp", addr)
				if err != nil {
					t.Error(err)
					return
				}
				_ = nc.SetDeadline(time.Now().Add(patience))
				switch i % 4 {
				case 0: // gone at once
					reset(nc)
				case 1: // the server closes
					_, _ = nc.Write([]byte("c"))
					_, _ = nc.Read(buf)
					reset(nc)
				case 2: // a reply, then gone
					_, _ = nc.Write([]byte("r"))
					if n, err := nc.Read(buf); n != 5 {
						t.Errorf("reply %q, %v", buf[:n], err)
					}
					reset(nc)
				case 3: // an orderly end
					_ = nc.(*net.TCPConn).CloseWrite()
					_, _ = nc.Read(buf)
					_ = nc.Close()
				}
			}
		})
		waitConns(t, g, 0)
		if o, c := opened.Load(), closed.Load(); o != c {
			t.Errorf("%d opened, %d closed", o, c)
		}
		deadline := time.Now().Add(patience)
		for openFds() > fds && time.Now().Before(deadline) {
			onLoop(t, g.Loops[0], func() {}) // a turn submits what is staged
		}
		if n := openFds(); n > fds {
			t.Errorf("%d descriptors before, %d after", fds, n)
		}
		for _, l := range g.Loops {
			onLoop(t, l, func() {
				if l.table.n != 0 {
					t.Errorf("%d slots in use", l.table.n)
				}
			})
		}
	})
}

// TestBuffersRunOut has many more bytes arrive at once than a turn has room
// for.
func TestBuffersRunOut(t *testing.T) {
	onEngines(t, func(t *testing.T, o Options) {
		conns := 300
		if testing.Short() {
			conns = 100
		}
		o.Threads = 1
		o.ReceiveBytes = 64 << 10
		g := start(t, o, same(&echo{quiet: true}))
		defer g.Stop()
		addr := listen(t, g)
		all := make([]net.Conn, conns)
		for i := range all {
			all[i] = dial(t, addr)
			defer all[i].Close()
		}
		for round := range 3 {
			// The loop is held up until all have written.
			hold := make(chan struct{})
			g.Loops[0].Post(&Message{Deliver: func(*Loop, *Message) { <-hold }})
			message := pattern(2000 * (round + 1))
			for i, nc := range all {
				write(t, nc, append(id(i), message...))
			}
			close(hold)
			for i, nc := range all {
				expect(t, nc, append(id(i), message...))
			}
		}
		var n int64
		onLoop(t, g.Loops[0], func() { n = starved(g.Loops[0]) })
		if n == 0 {
			t.Error("buffers did not run out")
		} else {
			t.Log("times that a connection found no buffer:", n)
		}
	})
}

// TestPauseWhileStarved pauses and resumes at random while buffers run out.
func TestPauseWhileStarved(t *testing.T) {
	onEngines(t, func(t *testing.T, o Options) {
		rng := random(t)
		const conns, total = 40, 200 << 10
		message := pattern(total)
		done := make(chan struct{}, conns)
		var all []*Conn
		h := &script{}
		h.opened = func(c *Conn) {
			c.Data = new(int)
			all = append(all, c)
		}
		h.received = func(c *Conn, b []byte) {
			n := c.Data.(*int)
			if string(b) != string(message[*n:*n+len(b)]) {
				panic(fmt.Sprintf("wrong bytes at %d", *n))
			}
			*n += len(b)
			if *n == total {
				done <- struct{}{}
			}
		}
		h.turn = func() time.Duration {
			sleep := time.Duration(-1)
			for _, c := range all {
				switch {
				case *c.Data.(*int) == total:
				case rng.IntN(3) == 0:
					c.PauseRead()
				case rng.IntN(2) == 0:
					c.ResumeRead()
				}
				if c.Paused() {
					sleep = 0
				}
			}
			return sleep
		}
		o.Threads = 1
		o.ReceiveBytes = 64 << 10
		g := start(t, o, same(h))
		defer g.Stop()
		addr := listen(t, g)
		parallel(conns, func(int) {
			nc := dial(t, addr)
			defer nc.Close()
			write(t, nc, message)
			await(t, done, "all bytes")
		})
	})
}
