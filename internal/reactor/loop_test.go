package reactor

import (
	"net"
	"runtime"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"
)

// TestPost posts from many goroutines to loops that are busy and that sleep.
// Every message arrives, once, and those of one sender in order.
func TestPost(t *testing.T) {
	type numbered struct {
		Message
		sender, n int
	}
	onEngines(t, func(t *testing.T, o Options) {
		const senders = 8
		each := 2000
		if testing.Short() {
			each = 200
		}
		g := start(t, o, same(&script{}))
		defer g.Stop()
		for _, l := range g.Loops {
			var next [senders]int
			var arrived atomic.Int64
			done := make(chan struct{})
			parallel(senders, func(sender int) {
				for n := range each {
					m := &numbered{sender: sender, n: n}
					m.Deliver = func(on *Loop, got *Message) {
						if on != l || got != &m.Message || next[m.sender] != m.n {
							t.Errorf("message %d of %d, want %d", m.n, m.sender, next[m.sender])
						}
						next[m.sender]++
						if arrived.Add(1) == int64(senders*each) {
							close(done)
						}
					}
					l.Post(&m.Message)
				}
			})
			await(t, done, "all messages")
		}
	})
}

// TestPostWakes sends a message to and fro between two loops that have nothing
// else to do: every one must wake a loop that sleeps, or is about to.
func TestPostWakes(t *testing.T) {
	onEngines(t, func(t *testing.T, o Options) {
		trips := 2000
		if testing.Short() {
			trips = 200
		}
		g := start(t, o, same(&script{}))
		defer g.Stop()
		n := 0
		done := make(chan struct{})
		m := &Message{}
		m.Deliver = func(l *Loop, m *Message) {
			if n++; n == trips {
				close(done)
				return
			}
			g.Loops[1-l.ID].Post(m)
		}
		begin := time.Now()
		g.Loops[0].Post(m)
		await(t, done, "the last trip")
		t.Logf("%v a trip", time.Since(begin)/time.Duration(trips))
	})
}

// TestSleep checks that a loop comes back when its handler asked to, and not
// much more often.
func TestSleep(t *testing.T) {
	onEngines(t, func(t *testing.T, o Options) {
		const nap, naps = 5 * time.Millisecond, 20
		turns := make(chan struct{}, naps)
		h := &script{turn: func() time.Duration {
			select {
			case turns <- struct{}{}:
			default:
			}
			return nap
		}}
		o.Threads = 1
		g := start(t, o, same(h))
		defer g.Stop()
		begin := time.Now()
		for range naps {
			await(t, turns, "a turn")
		}
		// A signal may cut a sleep short, so not every one is as long.
		if d := time.Since(begin); d < naps*nap/2 {
			t.Errorf("%d naps of %v took %v", naps, nap, d)
		}
	})
}

// TestBusy checks that a handler that has work is called again at once, and
// that events still arrive.
func TestBusy(t *testing.T) {
	onEngines(t, func(t *testing.T, o Options) {
		for _, spin := range []bool{false, true} {
			var turns atomic.Int64
			e := &echo{quiet: true}
			h := &script{opened: e.Opened, received: e.Received, eof: e.EOF, sent: e.Sent}
			h.turn = func() time.Duration {
				e.Turn()
				turns.Add(1)
				if spin {
					return -1
				}
				return 0
			}
			o.Threads = 1
			o.Spin = spin
			g := start(t, o, same(h))
			nc := dial(t, listen(t, g))
			for range 10 {
				before := turns.Load()
				write(t, nc, []byte("x"))
				expect(t, nc, []byte("x"))
				for turns.Load() < before+100 {
					runtime.Gosched()
				}
			}
			_ = nc.Close()
			g.Stop()
		}
	})
}

// TestIdle checks that loops without work have no turns and take no CPU.
func TestIdle(t *testing.T) {
	type watched struct {
		g     *Group
		turns atomic.Int64
		nc    net.Conn
	}
	var all []*watched
	for name, o := range engines() {
		w := &watched{}
		o.Threads = 2
		e := &echo{}
		g := start(t, o, func(*Loop) Handler {
			return &script{opened: e.Opened, turn: func() time.Duration { w.turns.Add(1); return -1 }}
		})
		t.Logf("%s: %s %s", name, g.Engine(), g.Why())
		defer g.Stop()
		w.g, w.nc = g, dial(t, listen(t, g))
		defer w.nc.Close()
		waitConns(t, g, 1)
		all = append(all, w)
	}
	// What is under way is done when a message has gone through every loop and a
	// moment has passed.
	cpu := func() (sum time.Duration) {
		for _, w := range all {
			for _, l := range w.g.Loops {
				onLoop(t, l, func() { sum += threadCPU() })
			}
		}
		return sum
	}
	time.Sleep(100 * time.Millisecond)
	cpuBefore := cpu()
	turnsBefore := make([]int64, len(all))
	time.Sleep(50 * time.Millisecond)
	for i, w := range all {
		turnsBefore[i] = w.turns.Load()
	}
	time.Sleep(time.Second)
	for i, w := range all {
		if n := w.turns.Load() - turnsBefore[i]; n != 0 {
			t.Errorf("%s: %d turns while idle", w.g.Engine(), n)
		}
	}
	// Asking costs some too: a loop has to wake for it.
	if took := cpu() - cpuBefore; took > 50*time.Millisecond {
		t.Errorf("%d idle loops took %v of CPU in a second", 2*len(all), took)
	}
}

// TestSentComesWithoutSleep checks the difference between Send and SendQuiet.
func TestSentComesWithoutSleep(t *testing.T) {
	onEngines(t, func(t *testing.T, o Options) {
		sent, turned := make(chan string, 10), make(chan struct{}, 1000)
		var conn *Conn
		h := &script{
			opened: func(c *Conn) { conn = c },
			sent:   func(_ *Conn, b []byte) { sent <- string(b) },
			turn: func() time.Duration {
				select {
				case turned <- struct{}{}:
				default:
				}
				return -1
			},
		}
		o.Threads = 1
		g := start(t, o, same(h))
		defer g.Stop()
		nc := dial(t, listen(t, g))
		defer nc.Close()
		waitConns(t, g, 1)
		onLoop(t, g.Loops[0], func() { conn.Send([]byte("loud")) })
		expect(t, nc, []byte("loud"))
		if got := await(t, sent, "Sent"); got != "loud" {
			t.Errorf("sent %q", got)
		}
		onLoop(t, g.Loops[0], func() { conn.SendQuiet([]byte("quiet")) })
		expect(t, nc, []byte("quiet"))
		onLoop(t, g.Loops[0], func() {})
		onLoop(t, g.Loops[0], func() {})
		if got := await(t, sent, "Sent"); got != "quiet" {
			t.Errorf("sent %q", got)
		}
	})
}

// TestSteadyState checks that requests and replies allocate nothing.
func TestSteadyState(t *testing.T) {
	onEngines(t, func(t *testing.T, o Options) {
		o.Threads = 1
		g := start(t, o, func(l *Loop) Handler { return &floor{l: l} })
		defer g.Stop()
		nc := dial(t, listen(t, g))
		defer nc.Close()
		request := []byte("*2\r\n$3\r\nGET\r\n$3\r\nkey\r\n")
		reply := make([]byte, len(floorReply))
		trip := func() {
			_, _ = nc.Write(request)
			_, _ = nc.Read(reply)
		}
		for range 100 {
			trip()
		}
		const trips = 1000
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range trips {
			trip()
		}
		runtime.ReadMemStats(&after)
		if string(reply) != string(floorReply) {
			t.Fatalf("reply %q", reply)
		}
		if n := after.Mallocs - before.Mallocs; n > trips/20 {
			t.Errorf("%d allocations in %d requests", n, trips)
		}
	})
}

// TestConnSize keeps an idle connection small.
func TestConnSize(t *testing.T) {
	size := unsafe.Sizeof(Conn{}) + unsafe.Sizeof(slot{}) + unsafe.Sizeof(uint32(0))
	t.Logf("a connection takes %d bytes of the loop", size)
	if size > 256 {
		t.Errorf("more than 256")
	}
}
