package reactor

import (
	"bytes"
	"errors"
	"log/slog"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"sherd/internal/reactor/uring"
)

// uringRing is the number of operations that one submission takes.
const uringRing = uringSQEntries

func addUringEngines(all map[string]Options) {
	all["uring"] = Options{Engine: "uring", BriefWaits: true}
	can, err := probed()
	if err != nil {
		return
	}
	// 6.1 to 6.11: buffers are used up by one receive each.
	plain := can
	plain.Incremental, plain.NoSQArray, plain.NoIowait = false, false, false
	all["uring-6.1"] = Options{Engine: "uring", BriefWaits: true, uring: &plain}
	// 5.19: nothing but buffer rings and multishot accept.
	all["uring-5.19"] = Options{Engine: "uring", uring: &uringFeatures{MultishotAccept: true}}
}

// starved counts how often a connection of l found no buffer.
func starved(l *Loop) (n int64) {
	switch e := l.engine.(type) {
	case *uringEngine:
		n = e.starved
	case *epollEngine:
		n = e.starved
	default:
		n = 1 // every connection has its own buffer
	}
	return n
}

// threadCPU is the CPU time that the calling thread has taken.
func threadCPU() time.Duration {
	var ru unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_THREAD, &ru); err != nil {
		return 0
	}
	return time.Duration(unix.TimevalToNsec(ru.Utime) + unix.TimevalToNsec(ru.Stime))
}

// checkOptions checks what an accepted connection should have inherited, and
// that 300 seconds of keep-alive were set.
func checkOptions(t *testing.T, c *Conn) {
	if c.Fd() < 0 {
		return
	}
	for name, want := range map[[2]int]int{
		{unix.IPPROTO_TCP, unix.TCP_NODELAY}:   1,
		{unix.SOL_SOCKET, unix.SO_KEEPALIVE}:   1,
		{unix.IPPROTO_TCP, unix.TCP_KEEPIDLE}:  300,
		{unix.IPPROTO_TCP, unix.TCP_KEEPINTVL}: 100,
		{unix.SOL_SOCKET, unix.SO_PROTOCOL}:    unix.IPPROTO_TCP,
	} {
		if got, err := unix.GetsockoptInt(c.Fd(), name[0], name[1]); err != nil || got != want {
			t.Errorf("option %v is %d, %v, want %d", name, got, err, want)
		}
	}
	if flags, err := unix.FcntlInt(uintptr(c.Fd()), unix.F_GETFD, 0); err != nil || flags&unix.FD_CLOEXEC == 0 {
		t.Errorf("descriptor is passed on to children: %v", err)
	}
}

// TestAcceptWithoutDescriptors runs the process out of descriptors. Accepting
// must go on when there are some again.
func TestAcceptWithoutDescriptors(t *testing.T) {
	onEngines(t, func(t *testing.T, o Options) {
		const conns = 5
		var limit unix.Rlimit
		if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
			t.Skip(err)
		}
		// The kernel looks at the limit when an accept is armed, so it is lowered
		// first and then used up.
		lowest, err := unix.Dup(0)
		if err != nil {
			t.Fatal(err)
		}
		_ = unix.Close(lowest)
		low := limit
		low.Cur = uint64(lowest + 50)
		if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &low); err != nil {
			t.Fatal(err)
		}
		defer func() { _ = unix.Setrlimit(unix.RLIMIT_NOFILE, &limit) }()

		warned := make(chan struct{}, 1)
		o.Logger = slog.New(slog.NewTextHandler(writerFunc(func(b []byte) {
			if bytes.Contains(b, []byte("cannot accept")) {
				select {
				case warned <- struct{}{}:
				default:
				}
			}
		}), nil))
		opened := make(chan *Conn, conns)
		g := start(t, o, same(&script{opened: func(c *Conn) { opened <- c }}))
		defer g.Stop()
		ln, err := g.Listen("tcp4", "127.0.0.1:0", 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		port := ln.Addr().(*net.TCPAddr).Port
		onLoop(t, g.Loops[0], func() {})

		var clients []int
		for range conns {
			fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer unix.Close(fd)
			clients = append(clients, fd)
		}
		var hoard []int
		for {
			fd, err := unix.Dup(0)
			if err != nil {
				break
			}
			hoard = append(hoard, fd)
		}
		for _, fd := range clients {
			if err := unix.Connect(fd, &unix.SockaddrInet4{Port: port, Addr: [4]byte{127, 0, 0, 1}}); err != nil {
				t.Fatal(err)
			}
		}
		await(t, warned, "the warning")
		if len(opened) != 0 {
			t.Error("accepted without descriptors")
		}
		for _, fd := range hoard {
			_ = unix.Close(fd)
		}
		for range conns {
			await(t, opened, "Opened")
		}
	})
}

type writerFunc func(b []byte)

func (f writerFunc) Write(b []byte) (int, error) {
	f(b)
	return len(b), nil
}

// TestFallback checks that auto goes to epoll where io_uring is forbidden, and
// says why, and that a wish for io_uring is an error there.
func TestFallback(t *testing.T) {
	was := probed
	defer func() { probed = was }()
	probed = func() (uringFeatures, error) { return uringFeatures{}, unix.EPERM }
	g, err := New(Options{NewHandler: same(&script{})})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Stop()
	if g.Engine() != "epoll" || !strings.Contains(g.Why(), unix.EPERM.Error()) {
		t.Errorf("engine %s, because %q", g.Engine(), g.Why())
	}
	if _, err := New(Options{Engine: "uring", NewHandler: same(&script{})}); !errors.Is(err, unix.EPERM) {
		t.Errorf("error %v", err)
	}
}

// TestFallbackAtStart has the probe succeed and the rings of the loops fail:
// auto must still end up on epoll.
func TestFallbackAtStart(t *testing.T) {
	if _, err := probed(); err != nil {
		t.Skip(err)
	}
	fds := openFds()
	var made atomic.Int32
	defer func(was func(uint32, uint32, uring.Features) (*uring.Ring, error)) { newRing = was }(newRing)
	newRing = func(sq, cq uint32, want uring.Features) (*uring.Ring, error) {
		if made.Add(1) == 2 {
			return nil, unix.ENOMEM
		}
		return uring.New(sq, cq, want)
	}
	g, err := New(Options{Threads: 3, NewHandler: func(*Loop) Handler { return &echo{} }})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Stop()
	addr := listen(t, g)
	if err := g.Start(); err != nil {
		t.Fatal(err)
	}
	if g.Engine() != "epoll" || !strings.Contains(g.Why(), unix.ENOMEM.Error()) {
		t.Errorf("engine %s, because %q", g.Engine(), g.Why())
	}
	nc := dial(t, addr)
	write(t, nc, []byte("x"))
	expect(t, nc, []byte("x"))
	_ = nc.Close()
	g.Stop()
	if n := openFds(); n > fds {
		t.Errorf("%d descriptors before, %d after", fds, n)
	}
}

func TestPin(t *testing.T) {
	cpus := usableCPUs()
	onEngines(t, func(t *testing.T, o Options) {
		if o.Engine == "portable" {
			t.Skip("its loops are not threads")
		}
		for _, pin := range []string{"", "auto", "off", "on"} {
			o.Pin = pin
			g := start(t, o, same(&script{}))
			for _, l := range g.Loops {
				onLoop(t, l, func() {
					want := len(cpus)
					if pin == "on" {
						want = 1
					}
					if got := usableCPUs(); len(got) != want || pin == "on" && got[0] != cpus[l.ID%len(cpus)] {
						t.Errorf("pin %q: loop %d runs on CPUs %v", pin, l.ID, got)
					}
				})
			}
			g.Stop()
		}
		if got := usableCPUs(); len(got) != len(cpus) {
			t.Errorf("the process is left with CPUs %v", got)
		}
	})
}
