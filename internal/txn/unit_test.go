package txn

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sherd/internal/clock"
	"sherd/internal/reactor"
	"sherd/internal/shard"
)

// loops is two loops that only deliver messages.
func loops(t *testing.T) []*reactor.Loop {
	t.Helper()
	g, err := reactor.New(reactor.Options{
		Threads: 2, Engine: "portable",
		NewHandler: func(*reactor.Loop) reactor.Handler { return idle{} },
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.Stop)
	return g.Loops
}

type idle struct{}

func (idle) Opened(*reactor.Conn)           {}
func (idle) Received(*reactor.Conn, []byte) {}
func (idle) EOF(*reactor.Conn)              {}
func (idle) Sent(*reactor.Conn, []byte)     {}
func (idle) Closed(*reactor.Conn, error)    {}
func (idle) Turn() time.Duration            { return -1 }

func keyspace(t *testing.T) *shard.Keyspace {
	t.Helper()
	ks, err := shard.New(shard.Options{Loops: 2, Databases: 1, Seed: 1, Clock: clock.New()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ks.Close() })
	return ks
}

// TestUnitsExclude runs units over few slices in all orders on two loops and
// counts without protection: a lost count is a broken latch, a hang a lost
// wake-up or a circle of waits.
func TestUnitsExclude(t *testing.T) {
	ks, ls := keyspace(t), loops(t)
	const units, rounds, width = 6, 400, 4
	var counts [width]int
	var left sync.WaitGroup
	left.Add(units)
	for i := range units {
		loop := ls[i%2]
		u, round := new(Unit), 0
		var run func()
		work := func(u *Unit) {
			for _, s := range u.Slices() {
				counts[s.Index]++
			}
			u.Release()
			round++
			run()
		}
		u.Init(loop, work)
		run = func() {
			for round < rounds {
				u.Reset()
				for k := range 3 {
					u.Add(ks.Slice((i + k*(round+1)) % width))
				}
				if !u.Acquire() {
					return
				}
				for _, s := range u.Slices() {
					counts[s.Index]++
				}
				u.Release()
				round++
			}
			left.Done()
		}
		start := new(reactor.Message)
		start.Deliver = func(*reactor.Loop, *reactor.Message) { run() }
		loop.Post(start)
	}
	left.Wait()
	want := 0
	for i := range units {
		for round := range rounds {
			seen := map[int]bool{}
			for k := range 3 {
				seen[(i+k*(round+1))%width] = true
			}
			want += len(seen)
		}
	}
	got := 0
	for _, n := range counts {
		got += n
	}
	if got != want {
		t.Fatalf("%d effects, want %d", got, want)
	}
}

// TestAbandon gives a waiting unit up: it must leave no latch behind.
func TestAbandon(t *testing.T) {
	ks, ls := keyspace(t), loops(t)
	a, b := ks.Slice(3), ks.Slice(5)
	if !b.Try() {
		t.Fatal("a fresh slice is held")
	}
	var ran atomic.Bool
	done := make(chan struct{})
	m := new(reactor.Message)
	m.Deliver = func(*reactor.Loop, *reactor.Message) {
		u := new(Unit)
		u.Init(ls[0], func(*Unit) { ran.Store(true) })
		u.Reset()
		u.Add(b)
		u.Add(a)
		if u.Acquire() {
			t.Error("acquired a held slice")
		}
		if !a.Held() {
			t.Error("the first slice is not held while the second is waited for")
		}
		u.Abandon()
		if a.Held() {
			t.Error("abandoned, and still holds the first slice")
		}
		close(done)
	}
	ls[0].Post(m)
	<-done
	b.Release() // hands over to the abandoned unit
	for deadline := time.Now().Add(10 * time.Second); b.Held(); {
		if time.Now().After(deadline) {
			t.Fatal("the abandoned unit kept the slice it was granted")
		}
		time.Sleep(time.Millisecond)
	}
	if ran.Load() {
		t.Fatal("an abandoned unit ran")
	}
}
