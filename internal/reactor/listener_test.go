package reactor

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

func TestPortTaken(t *testing.T) {
	onEngines(t, func(t *testing.T, o Options) {
		g, h := start(t, o, same(&script{})), start(t, o, same(&script{}))
		defer g.Stop()
		defer h.Stop()
		addr := listen(t, g)
		_, err := h.Listen("tcp", addr, 0, 0)
		if err == nil || runtime.GOOS != "windows" && !errors.Is(err, syscall.EADDRINUSE) {
			t.Fatalf("error %v", err)
		}
		if !strings.Contains(err.Error(), addr) {
			t.Errorf("%q does not name %s", err, addr)
		}
		for _, bad := range []string{"127.0.0.1:notaport", "127.0.0.1:99999", "nowhere.invalid:0"} {
			if _, err := h.Listen("tcp", bad, 0, 0); err == nil {
				t.Errorf("no error for %s", bad)
			}
		}
		if _, err := h.Listen("carrier-pigeon", addr, 0, 0); err == nil {
			t.Error("no error for a network that does not exist")
		}
	})
}

// TestListenBeforeStart connects before anything runs.
func TestListenBeforeStart(t *testing.T) {
	onEngines(t, func(t *testing.T, o Options) {
		o.Threads = 2
		o.NewHandler = func(*Loop) Handler { return &echo{} }
		g, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		defer g.Stop()
		nc := dial(t, listen(t, g))
		defer nc.Close()
		write(t, nc, []byte("early"))
		if err := g.Start(); err != nil {
			t.Fatal(err)
		}
		expect(t, nc, []byte("early"))
		if err := g.Start(); err == nil {
			t.Error("started twice")
		}
	})
}

// TestListenerClose closes a listener: its port is free at once, connections
// live on, other listeners as well.
func TestListenerClose(t *testing.T) {
	onEngines(t, func(t *testing.T, o Options) {
		g := start(t, o, func(*Loop) Handler { return &echo{} })
		defer g.Stop()
		other := listen(t, g)
		ln, err := g.Listen("tcp", "127.0.0.1:0", 16, 0)
		if err != nil {
			t.Fatal(err)
		}
		addr := ln.Addr().String()
		nc := dial(t, addr)
		defer nc.Close()
		write(t, nc, []byte("x"))
		expect(t, nc, []byte("x"))
		for range 3 {
			ln.Close()
			if refused, err := net.Dial("tcp", addr); err == nil {
				_ = refused.Close()
				t.Fatal("connected to a closed listener")
			}
			if ln, err = g.Listen("tcp", addr, 16, 0); err != nil {
				t.Fatal(err)
			}
		}
		ln.Close()
		ln.Close()
		write(t, nc, []byte("y"))
		expect(t, nc, []byte("y"))
		second := dial(t, other)
		defer second.Close()
		write(t, second, []byte("z"))
		expect(t, second, []byte("z"))
	})
}

func TestUnixSocket(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes are not Windows'")
	}
	onEngines(t, func(t *testing.T, o Options) {
		conns := make(chan *Conn, 10)
		g := start(t, o, same(&script{opened: func(c *Conn) { conns <- c }}))
		defer g.Stop()
		path := filepath.Join(t.TempDir(), "socket")
		mode := func() os.FileMode {
			fi, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			return fi.Mode().Perm()
		}
		ln, err := g.Listen("unix", path, 0, 0o770)
		if err != nil {
			t.Fatal(err)
		}
		if mode() != 0o770 {
			t.Errorf("mode %o", mode())
		}
		nc, err := net.Dial("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		c := await(t, conns, "Opened")
		onLoop(t, c.Loop(), func() {
			if !c.IsUnix() || c.RemoteAddr() != path || c.LocalAddr() != path {
				t.Errorf("unix %v, addresses %q %q", c.IsUnix(), c.RemoteAddr(), c.LocalAddr())
			}
		})
		_ = nc.Close()
		if _, err := g.Listen("unix", path, 0, 0o770); !errors.Is(err, syscall.EADDRINUSE) {
			t.Errorf("second listener: %v", err)
		}
		ln.Close()
		if _, err := os.Stat(path); !os.IsNotExist(err) {
			t.Errorf("the file is left behind: %v", err)
		}

		// The file of a server that is gone is replaced, anything else is not.
		dead, err := net.Listen("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		dead.(*net.UnixListener).SetUnlinkOnClose(false)
		_ = dead.Close()
		if ln, err = g.Listen("unix", path, 0, 0o700); err != nil {
			t.Fatal(err)
		}
		if mode() != 0o700 {
			t.Errorf("mode %o", mode())
		}
		ln.Close()
		if err := os.WriteFile(path, []byte("precious"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := g.Listen("unix", path, 0, 0o700); err == nil {
			t.Error("listens on a file")
		}
		if text, err := os.ReadFile(path); err != nil || string(text) != "precious" {
			t.Errorf("the file is %q, %v", text, err)
		}
	})
}

func TestAddresses(t *testing.T) {
	onEngines(t, func(t *testing.T, o Options) {
		conns := make(chan *Conn, 1)
		g := start(t, o, same(&script{opened: func(c *Conn) { conns <- c }}))
		defer g.Stop()
		for _, host := range []string{"127.0.0.1:0", "[::1]:0", ":0"} {
			ln, err := g.Listen("tcp", host, 0, 0)
			if err != nil {
				t.Logf("%s: %v", host, err)
				continue
			}
			to := ln.Addr().String()
			if host == ":0" {
				to = fmt.Sprintf("127.0.0.1:%d", ln.Addr().(*net.TCPAddr).Port)
			}
			nc := dial(t, to)
			c := await(t, conns, "Opened")
			onLoop(t, c.Loop(), func() {
				if got := c.RemoteAddr(); got != nc.LocalAddr().String() {
					t.Errorf("remote %q, want %q", got, nc.LocalAddr())
				}
				if got := c.LocalAddr(); got != nc.RemoteAddr().String() {
					t.Errorf("local %q, want %q", got, nc.RemoteAddr())
				}
				c.SetKeepAlive(300)
				checkOptions(t, c)
				c.SetKeepAlive(0)
			})
			_ = nc.Close()
		}
	})
}

// TestSpread checks that connections spread evenly.
func TestSpread(t *testing.T) {
	onEngines(t, func(t *testing.T, o Options) {
		o.Threads = 4
		var opened atomic.Int64
		g := start(t, o, same(&script{opened: func(*Conn) { opened.Add(1) }}))
		defer g.Stop()
		addr := listen(t, g)
		var all []net.Conn
		defer func() {
			for _, nc := range all {
				_ = nc.Close()
			}
		}()
		for _, n := range []int{8, 64, 1000} {
			if n > 64 && testing.Short() {
				continue
			}
			for len(all) < n {
				all = append(all, dial(t, addr))
			}
			waitConns(t, g, n)
			if got := int(opened.Load()); got != n {
				t.Errorf("%d opened of %d", got, n)
			}
			least, most := n, 0
			for _, l := range g.Loops {
				least, most = min(least, l.Conns()), max(most, l.Conns())
			}
			t.Logf("%d connections on %d loops: %d to %d", n, o.Threads, least, most)
			if most-least > 1 {
				t.Errorf("uneven")
			}
		}
		// Whoever has lost connections gets the next ones.
		n := len(all)
		for _, nc := range all[:30] {
			reset(nc)
		}
		waitConns(t, g, n-30)
		for range 30 {
			all = append(all, dial(t, addr))
		}
		waitConns(t, g, n)
		for _, l := range g.Loops {
			if got := l.Conns(); got != n/o.Threads {
				t.Errorf("loop %d has %d", l.ID, got)
			}
		}
	})
}

func TestDial(t *testing.T) {
	onEngines(t, func(t *testing.T, o Options) {
		server := start(t, o, func(*Loop) Handler { return &echo{quiet: true} })
		defer server.Stop()
		addr := listen(t, server)

		message := pattern(100 << 10)
		const conns = 20
		got := make(chan int, conns)
		h := func(*Loop) Handler {
			return &script{
				opened: func(c *Conn) { c.SendQuiet(message) },
				received: func(c *Conn, b []byte) {
					n := c.Data.(*int)
					if string(b) != string(message[*n:*n+len(b)]) {
						panic("wrong bytes")
					}
					if *n += len(b); *n == len(message) {
						c.Close()
						got <- *n
					}
				},
			}
		}
		g := start(t, o, h)
		defer g.Stop()
		dialled := make(chan error, conns)
		for i := range conns {
			l := g.Loops[i%2]
			g.Dial(l, "tcp", addr, new(int), func(c *Conn, err error) {
				if err == nil && c.Loop() != l {
					err = errors.New("on the wrong loop")
				}
				dialled <- err
			})
		}
		for range conns {
			if err := await(t, dialled, "Dial"); err != nil {
				t.Fatal(err)
			}
			await(t, got, "the echo")
		}
		waitConns(t, g, 0)

		refused := closedPort(t)
		g.Dial(g.Loops[0], "tcp", refused, nil, func(c *Conn, err error) {
			if c != nil {
				err = errors.New("connected")
			}
			dialled <- err
		})
		if err := await(t, dialled, "the refusal"); err == nil || runtime.GOOS != "windows" && !errors.Is(err, syscall.ECONNREFUSED) {
			t.Errorf("error %v", err)
		}
		// Dialling while the group stops ends one way or the other.
		for range 10 {
			g.Dial(g.Loops[1], "tcp", addr, new(int), func(_ *Conn, err error) { dialled <- err })
		}
		g.Stop()
		g.Dial(g.Loops[1], "tcp", addr, new(int), func(_ *Conn, err error) { dialled <- err })
		for range 11 {
			_ = await(t, dialled, "an answer")
		}
	})
}

// closedPort is an address that nobody listens on.
func closedPort(t *testing.T) string {
	port, err := freePort()
	if err != nil {
		t.Fatal(err)
	}
	return "127.0.0.1:" + port
}

// TestStop ends groups in every state, with every kind of thing in flight.
func TestStop(t *testing.T) {
	onEngines(t, func(t *testing.T, o Options) {
		o.NewHandler = same(&script{})
		idle, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := idle.Listen("tcp", "127.0.0.1:0", 0, 0); err != nil {
			t.Fatal(err)
		}
		idle.Stop()
		idle.Stop()
		if err := idle.Start(); err == nil {
			t.Error("started after Stop")
		}
		if _, err := idle.Listen("tcp", "127.0.0.1:0", 0, 0); !errors.Is(err, ErrStopped) {
			t.Errorf("listen after Stop: %v", err)
		}

		big := pattern(4 << 20)
		var opened, closed atomic.Int64
		h := func(*Loop) Handler {
			return &script{
				opened: func(c *Conn) { opened.Add(1) },
				received: func(c *Conn, b []byte) {
					switch b[0] {
					case 's':
						c.Send(big)
					case 'p':
						c.PauseRead()
					}
				},
				closed: func(_ *Conn, err error) {
					if !errors.Is(err, ErrStopped) {
						t.Errorf("closed with %v", err)
					}
					closed.Add(1)
				},
			}
		}
		// Several groups in one process.
		groups := []*Group{start(t, o, h), start(t, o, h), start(t, o, h)}
		var all []net.Conn
		for _, g := range groups {
			addr := listen(t, g)
			for _, request := range []string{"idle", "send", "pause", "send", "pause", "idle"} {
				nc := dial(t, addr)
				write(t, nc, []byte(request))
				if request == "send" {
					expect(t, nc, big[:10])
				}
				all = append(all, nc)
			}
			waitConns(t, g, 6)
		}
		stop := make(chan struct{})
		go func() {
			defer close(stop)
			parallel(6, func(i int) { groups[i%3].Stop() })
		}()
		await(t, stop, "Stop")
		if opened.Load() != 18 || closed.Load() != 18 {
			t.Errorf("%d opened, %d closed", opened.Load(), closed.Load())
		}
		groups[0].Loops[0].Post(&Message{Deliver: func(*Loop, *Message) { t.Error("delivered after Stop") }})
		for _, nc := range all {
			_ = nc.Close()
		}
	})
}

// TestStopWhileAccepting stops a group that is being connected to.
func TestStopWhileAccepting(t *testing.T) {
	onEngines(t, func(t *testing.T, o Options) {
		for range 5 {
			var opened, closed atomic.Int64
			o.Threads = 3
			g := start(t, o, same(&script{
				opened: func(*Conn) { opened.Add(1) },
				closed: func(*Conn, error) { closed.Add(1) },
			}))
			addr := listen(t, g)
			begun := make(chan struct{})
			quit := make(chan struct{})
			finished := make(chan struct{})
			go func() {
				defer close(finished)
				for i := 0; ; i++ {
					nc, err := net.DialTimeout("tcp", addr, time.Second)
					if err == nil {
						reset(nc)
					}
					if i == 20 {
						close(begun)
					}
					select {
					case <-quit:
						return
					default:
					}
				}
			}()
			await(t, begun, "connections")
			g.Stop()
			close(quit)
			await(t, finished, "the end")
			if o, c := opened.Load(), closed.Load(); o != c {
				t.Errorf("%d opened, %d closed", o, c)
			}
		}
	})
}

func TestOptions(t *testing.T) {
	h := same(&script{})
	for _, bad := range []Options{
		{},
		{NewHandler: h, Engine: "steam"},
		{NewHandler: h, Pin: "needle"},
	} {
		if _, err := New(bad); err == nil {
			t.Errorf("no error for %+v", bad)
		}
	}
	g, err := New(Options{NewHandler: h})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("auto: %d loops on %s %s", len(g.Loops), g.Engine(), g.Why())
	g.Stop()
}
