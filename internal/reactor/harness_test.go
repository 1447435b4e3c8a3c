package reactor

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"os"
	"runtime"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// patience is how long a test waits for what must happen. Nothing waits for it
// to pass.
const patience = 20 * time.Second

// engines are what every test runs on: the three, and io_uring as older kernels
// have it.
func engines() map[string]Options {
	all := map[string]Options{"portable": {Engine: "portable"}}
	if runtime.GOOS == "linux" {
		all["epoll"] = Options{Engine: "epoll", BriefWaits: true}
		addUringEngines(all)
	}
	return all
}

// onEngines runs a test on every engine and checks that it leaves nothing.
func onEngines(t *testing.T, test func(t *testing.T, o Options)) {
	t.Helper()
	for name, o := range engines() {
		t.Run(name, func(t *testing.T) {
			if _, err := New(Options{Engine: o.Engine, NewHandler: func(*Loop) Handler { return &script{} }}); err != nil {
				t.Skipf("the kernel refuses: %v", err)
			}
			fds := openFds()
			test(t, o)
			goleak.VerifyNone(t)
			deadline := time.Now().Add(patience)
			for openFds() > fds && time.Now().Before(deadline) {
				runtime.Gosched() // threads of ended loops give back theirs when they are gone
			}
			if n := openFds(); n > fds {
				t.Errorf("%d descriptors before, %d after", fds, n)
			}
		})
	}
}

func openFds() int {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return 0
	}
	return len(entries)
}

// script is a Handler made of functions. What is nil does nothing, except that
// the end of a stream closes.
type script struct {
	opened   func(*Conn)
	received func(*Conn, []byte)
	eof      func(*Conn)
	sent     func(*Conn, []byte)
	closed   func(*Conn, error)
	turn     func() time.Duration
}

func (s *script) Opened(c *Conn) {
	if s.opened != nil {
		s.opened(c)
	}
}

func (s *script) Received(c *Conn, b []byte) {
	if c.Closing() {
		panic("Received after Close")
	}
	if s.received != nil {
		s.received(c, b)
	}
}

func (s *script) EOF(c *Conn) {
	if s.eof == nil {
		c.Close()
		return
	}
	s.eof(c)
}

func (s *script) Sent(c *Conn, b []byte) {
	if c.Sending() || c.Closing() {
		panic("Sent while sending or closing")
	}
	if s.sent != nil {
		s.sent(c, b)
	}
}

func (s *script) Closed(c *Conn, err error) {
	if s.closed != nil {
		s.closed(c, err)
	}
}

func (s *script) Turn() time.Duration {
	if s.turn != nil {
		return s.turn()
	}
	return -1
}

// echo is a Handler that sends everything back, holding at most a bounded
// amount of what the peer does not take.
type echo struct {
	dirty []*echoConn
	quiet bool
}

type echoConn struct {
	c    *Conn
	out  []byte // to be sent
	busy []byte // being sent
	mark bool
	eof  bool
}

const echoMost = 256 << 10

func (e *echo) Opened(c *Conn) { c.Data = &echoConn{c: c} }

func (e *echo) Received(c *Conn, b []byte) {
	ec := c.Data.(*echoConn)
	ec.out = append(ec.out, b...)
	if len(ec.out) > echoMost {
		c.PauseRead()
	}
	e.touch(ec)
}

func (e *echo) EOF(c *Conn) {
	ec := c.Data.(*echoConn)
	ec.eof = true
	e.touch(ec)
}

func (e *echo) touch(ec *echoConn) {
	if !ec.mark {
		ec.mark = true
		e.dirty = append(e.dirty, ec)
	}
}

func (e *echo) Sent(c *Conn, b []byte) {
	ec := c.Data.(*echoConn)
	ec.busy = b[:0]
	e.touch(ec)
}

func (e *echo) Closed(*Conn, error) {}

func (e *echo) Turn() time.Duration {
	for _, ec := range e.dirty {
		ec.mark = false
		switch {
		case ec.c.Closing() || ec.c.Sending():
		case len(ec.out) > 0:
			out := ec.out
			ec.out = ec.busy
			ec.busy = nil
			if e.quiet && !ec.eof {
				ec.c.SendQuiet(out)
			} else {
				ec.c.Send(out)
			}
			ec.c.ResumeRead()
		case ec.eof:
			ec.c.Close()
		}
	}
	e.dirty = e.dirty[:0]
	return -1
}

// start runs a group with handlers made by make and stops it with the test.
func start(t testing.TB, o Options, handler func(l *Loop) Handler) *Group {
	t.Helper()
	o.NewHandler = handler
	if o.Threads == 0 {
		o.Threads = 2
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.NewTextHandler(testLog{t}, nil))
	}
	g, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Start(); err != nil {
		t.Fatal(err)
	}
	if g.Engine() != o.Engine {
		t.Fatalf("engine is %s, because %s", g.Engine(), g.Why())
	}
	return g
}

type testLog struct{ t testing.TB }

func (l testLog) Write(b []byte) (int, error) {
	l.t.Logf("%s", bytes.TrimSpace(b))
	return len(b), nil
}

// same makes all loops share one handler; for a group of one loop, or a handler
// that needs no lock.
func same(h Handler) func(*Loop) Handler { return func(*Loop) Handler { return h } }

func listen(t testing.TB, g *Group) string {
	t.Helper()
	ln, err := g.Listen("tcp", "127.0.0.1:0", 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	return ln.Addr().String()
}

func dial(t testing.TB, addr string) net.Conn {
	t.Helper()
	nc, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	if err := nc.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	return nc
}

func write(t testing.TB, nc net.Conn, b []byte) {
	t.Helper()
	if _, err := nc.Write(b); err != nil {
		t.Fatal(err)
	}
}

func expect(t testing.TB, nc net.Conn, want []byte) {
	t.Helper()
	got := make([]byte, len(want))
	if n, err := io.ReadFull(nc, got); err != nil {
		t.Fatalf("after %d of %d bytes: %v", n, len(want), err)
	}
	if !bytes.Equal(got, want) {
		t.Fatalf("got %.80q, want %.80q", got, want)
	}
}

func expectEOF(t testing.TB, nc net.Conn) {
	t.Helper()
	if n, err := nc.Read(make([]byte, 1)); n != 0 || !errors.Is(err, io.EOF) {
		t.Fatalf("read %d, %v, want the end", n, err)
	}
}

// await receives from ch, or fails.
func await[T any](t testing.TB, ch <-chan T, what string) T {
	t.Helper()
	select {
	case v := <-ch:
		return v
	case <-time.After(patience):
		buf := make([]byte, 1<<20)
		t.Fatalf("%s did not happen\n%s", what, buf[:runtime.Stack(buf, true)])
		panic("unreachable")
	}
}

// onLoop runs f on l's thread and waits for it.
func onLoop(t testing.TB, l *Loop, f func()) {
	t.Helper()
	done := make(chan struct{})
	l.Post(&Message{Deliver: func(*Loop, *Message) { f(); close(done) }})
	await(t, done, "a message")
}

// pattern is n bytes that are different everywhere.
func pattern(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i>>16) ^ byte(i>>8) ^ byte(i)
	}
	return b
}

// random is a generator whose seed is printed, and taken from REACTOR_SEED.
func random(t testing.TB) *rand.Rand {
	seed := uint64(envInt("REACTOR_SEED", int(rand.Uint32())))
	t.Logf("REACTOR_SEED=%d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

// parallel runs n functions at once and waits.
func parallel(n int, f func(i int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { f(i) })
	}
	wg.Wait()
}

func id(i int) []byte { return []byte(fmt.Sprintf("%08d", i)) }
