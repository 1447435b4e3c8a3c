package reactor

import (
	"net"
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

// TestStopTheWorld has the collector stop loops that wait briefly, under load and
// while a loop is about to fall idle. A stop that has to wait for the next event
// would take as long as the clients are silent, which is for ever here.
func TestStopTheWorld(t *testing.T) {
	onEngines(t, func(t *testing.T, o Options) {
		o.Threads, o.BriefWaits = 1, true
		var turns atomic.Int64
		e := &echo{quiet: true}
		h := &script{opened: e.Opened, received: e.Received, eof: e.EOF, sent: e.Sent}
		h.turn = func() time.Duration { turns.Add(1); return e.Turn() }
		g := start(t, o, same(h))
		defer g.Stop()
		nc := dial(t, listen(t, g))
		defer nc.Close()
		rounds := 30
		if testing.Short() {
			rounds = 10
		}
		longest := time.Duration(0)
		for i := range rounds {
			pings := 1 + i%20 // the last of them leaves the loop in a brief wait
			for range pings {
				ping(t, nc)
			}
			began := time.Now()
			runtime.GC()
			longest = max(longest, time.Since(began))
		}
		t.Logf("longest collection %v", longest)
		if longest > patience {
			t.Errorf("a collection took %v", longest)
		}
	})
}

// TestBriefWaitEnds checks that a loop which had reason to wait briefly falls
// back to waiting long when nothing comes.
func TestBriefWaitEnds(t *testing.T) {
	onEngines(t, func(t *testing.T, o Options) {
		if o.Engine == "portable" {
			t.Skip("it does not wait in a system call")
		}
		o.Threads, o.BriefWaits = 1, true
		e := &echo{quiet: true}
		g := start(t, o, same(&script{opened: e.Opened, received: e.Received, eof: e.EOF, sent: e.Sent, turn: e.Turn}))
		defer g.Stop()
		nc := dial(t, listen(t, g))
		defer nc.Close()
		l := g.Loops[0]
		for deadline := time.Now().Add(patience); ; {
			// A loop that is pinged without a pause waits briefly sooner or later.
			brief := make(chan bool, 1)
			for range 10 {
				ping(t, nc)
			}
			m := &Message{Deliver: func(l *Loop, _ *Message) { brief <- l.brief }}
			l.Post(m)
			if await(t, brief, "the message") {
				break
			}
			if time.Now().After(deadline) {
				t.Fatal("it never waited briefly")
			}
		}
		// Nobody may look while it waits: the runtime's monitor has to end it.
		ended := false
		for deadline := time.Now().Add(patience); !ended && time.Now().Before(deadline); {
			time.Sleep(50 * time.Millisecond)
			brief := make(chan bool, 1)
			m := &Message{Deliver: func(l *Loop, _ *Message) { brief <- l.brief }}
			l.Post(m)
			ended = !await(t, brief, "the message")
		}
		if !ended {
			t.Error("it still waits briefly")
		}
	})
}

func ping(t *testing.T, nc net.Conn) {
	t.Helper()
	write(t, nc, []byte("x"))
	expect(t, nc, []byte("x"))
}
