package reactor

import (
	"bytes"
	"io"
	"net"
	"path/filepath"
	"testing"
	"time"
)

func TestEcho(t *testing.T) {
	onEngines(t, func(t *testing.T, o Options) {
		for _, quiet := range []bool{false, true} {
			g := start(t, o, func(*Loop) Handler { return &echo{quiet: quiet} })
			defer g.Stop()
			addr := listen(t, g)
			for range 4 {
				nc := dial(t, addr)
				defer nc.Close()
				for _, n := range []int{1, 7, 100, 4095, 4096, 4097, 16384, 65536, 70000} {
					message := pattern(n)
					write(t, nc, message)
					expect(t, nc, message)
				}
			}
		}
	})
}

func TestEchoUnix(t *testing.T) {
	onEngines(t, func(t *testing.T, o Options) {
		g := start(t, o, func(*Loop) Handler { return &echo{quiet: true} })
		defer g.Stop()
		path := filepath.Join(t.TempDir(), "s")
		if _, err := g.Listen("unix", path, 0, 0o700); err != nil {
			t.Fatal(err)
		}
		nc, err := net.Dial("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		defer nc.Close()
		for range 100 {
			write(t, nc, []byte("hello"))
			expect(t, nc, []byte("hello"))
		}
	})
}

func TestByteAtATime(t *testing.T) {
	onEngines(t, func(t *testing.T, o Options) {
		g := start(t, o, func(*Loop) Handler { return &echo{quiet: true} })
		defer g.Stop()
		nc := dial(t, listen(t, g))
		defer nc.Close()
		for _, c := range pattern(300) {
			write(t, nc, []byte{c})
			expect(t, nc, []byte{c})
		}
	})
}

// TestPipelined has many connections write much more than the server holds for
// them before they read, so that sends are cut short and reading is paused.
func TestPipelined(t *testing.T) {
	onEngines(t, func(t *testing.T, o Options) {
		g := start(t, o, func(*Loop) Handler { return &echo{quiet: true} })
		defer g.Stop()
		addr := listen(t, g)
		message := pattern(3 << 20)
		parallel(4, func(int) {
			nc, err := net.Dial("tcp", addr)
			if err != nil {
				t.Error(err)
				return
			}
			defer nc.Close()
			_ = nc.SetDeadline(time.Now().Add(patience))
			written := make(chan error, 1)
			go func() {
				_, err := nc.Write(message)
				if err == nil {
					err = nc.(*net.TCPConn).CloseWrite()
				}
				written <- err
			}()
			got, err := io.ReadAll(nc)
			if err != nil || !bytes.Equal(got, message) {
				t.Errorf("got %d bytes back, %v", len(got), err)
			}
			if err := <-written; err != nil {
				t.Error(err)
			}
		})
	})
}

// TestSlowReader sends much to a peer that does not read yet, while others are
// served.
func TestSlowReader(t *testing.T) {
	onEngines(t, func(t *testing.T, o Options) {
		big := pattern(8 << 20)
		sent := make(chan int, 10)
		h := &script{
			opened: func(c *Conn) {
				c.Data = false
			},
			received: func(c *Conn, b []byte) {
				if b[0] == 'b' {
					c.Send(big)
				} else {
					c.Send([]byte("small"))
				}
			},
			sent: func(_ *Conn, b []byte) { sent <- len(b) },
		}
		o.Threads = 1
		g := start(t, o, same(h))
		defer g.Stop()
		addr := listen(t, g)
		slow, quick := dial(t, addr), dial(t, addr)
		defer slow.Close()
		defer quick.Close()
		write(t, slow, []byte("b"))
		expect(t, slow, big[:1])
		for range 10 {
			write(t, quick, []byte("s"))
			expect(t, quick, []byte("small"))
			if n := await(t, sent, "Sent"); n != 5 {
				t.Fatalf("%d bytes sent before they were read", n)
			}
		}
		expect(t, slow, big[1:])
		if n := await(t, sent, "Sent"); n != len(big) {
			t.Fatalf("sent %d of %d", n, len(big))
		}
	})
}

// TestBackPressure has a peer send without end to a handler that has had
// enough.
func TestBackPressure(t *testing.T) {
	const enough, total = 100 << 10, 24 << 20
	onEngines(t, func(t *testing.T, o Options) {
		var conn *Conn
		got := 0
		message := pattern(total)
		full, done := make(chan struct{}, 1), make(chan struct{})
		h := &script{
			received: func(c *Conn, b []byte) {
				conn = c
				if !bytes.Equal(b, message[got:got+len(b)]) {
					panic("wrong bytes")
				}
				before := got
				got += len(b)
				if before < enough && got >= enough {
					c.PauseRead()
					full <- struct{}{}
				}
				if got == total {
					close(done)
				}
			},
		}
		o.Threads = 1
		g := start(t, o, same(h))
		defer g.Stop()
		nc := dial(t, listen(t, g))
		defer nc.Close()
		written := make(chan int)
		go func() {
			n, _ := nc.Write(message)
			written <- n
		}()
		await(t, full, "pause")
		// The writer fills the sockets' buffers and stops; meanwhile turns go by.
		_ = nc.SetWriteDeadline(time.Now().Add(100 * time.Millisecond))
		n := await(t, written, "timeout")
		if n == total {
			t.Fatal("everything was taken in spite of the pause")
		}
		onLoop(t, g.Loops[0], func() {
			if got > enough+1<<20+64<<10 {
				t.Errorf("%d bytes delivered in spite of the pause", got)
			}
			conn.ResumeRead()
		})
		_ = nc.SetWriteDeadline(time.Now().Add(patience))
		write(t, nc, message[n:])
		await(t, done, "the rest")
	})
}

func TestEOFThenReply(t *testing.T) {
	onEngines(t, func(t *testing.T, o Options) {
		reply := pattern(1 << 20)
		closed := make(chan error, 1)
		h := &script{
			eof:    func(c *Conn) { c.Send(reply) },
			sent:   func(c *Conn, _ []byte) { c.Close() },
			closed: func(_ *Conn, err error) { closed <- err },
		}
		o.Threads = 1
		g := start(t, o, same(h))
		defer g.Stop()
		nc := dial(t, listen(t, g))
		defer nc.Close()
		write(t, nc, []byte("request"))
		if err := nc.(*net.TCPConn).CloseWrite(); err != nil {
			t.Fatal(err)
		}
		expect(t, nc, reply)
		expectEOF(t, nc)
		if err := await(t, closed, "Closed"); err != nil {
			t.Errorf("closed with %v", err)
		}
	})
}

// TestBroadcast sends to more connections in one turn than a submission ring
// has entries, a little and then more than there is room for.
func TestBroadcast(t *testing.T) {
	onEngines(t, func(t *testing.T, o Options) {
		conns := uringRing + 50
		if o.Engine == "portable" || testing.Short() && o.Engine != "uring" {
			conns = 50
		}
		var all []*Conn
		sent := make(chan *Conn, conns)
		h := &script{
			opened: func(c *Conn) { all = append(all, c) },
			sent:   func(c *Conn, _ []byte) { sent <- c },
		}
		o.Threads = 1
		g := start(t, o, same(h))
		defer g.Stop()
		path := filepath.Join(t.TempDir(), "s")
		if _, err := g.Listen("unix", path, 1024, 0); err != nil {
			t.Fatal(err)
		}
		peers := make([]net.Conn, conns)
		for i := range peers {
			nc, err := net.Dial("unix", path)
			if err != nil {
				t.Fatal(err)
			}
			defer nc.Close()
			_ = nc.SetDeadline(time.Now().Add(patience))
			peers[i] = nc
		}
		waitConns(t, g, conns)
		for _, n := range []int{10, 300 << 10, 10} {
			message := pattern(n)
			onLoop(t, g.Loops[0], func() {
				for i, c := range all {
					if i%2 == 0 {
						c.SendQuiet(message)
					} else {
						c.Send(message)
					}
				}
			})
			parallel(8, func(worker int) {
				got := make([]byte, n)
				for i := worker; i < conns; i += 8 {
					if _, err := io.ReadFull(peers[i], got); err != nil || !bytes.Equal(got, message) {
						t.Errorf("peer %d: wrong bytes, %v", i, err)
					}
				}
			})
			seen := map[*Conn]bool{}
			onLoop(t, g.Loops[0], func() {}) // Sent of quiet sends comes with a turn
			for range conns {
				seen[await(t, sent, "Sent")] = true
			}
			if len(seen) != conns {
				t.Errorf("sent on %d connections of %d", len(seen), conns)
			}
		}
	})
}
