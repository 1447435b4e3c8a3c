package server

import (
	"fmt"
	"log/slog"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sherd/internal/clock"
	"sherd/internal/command"
	"sherd/internal/config"
	"sherd/internal/conn"
	"sherd/internal/reactor"
	"sherd/internal/shard"
	"sherd/internal/wire/resp"
)

// BenchmarkInProcess is the server without sockets: recorded requests are
// parsed, dispatched, executed and answered on loops that a Replay drives, each
// on a thread of its own. Keys are uniform over all slices, GET:SET is 10:1,
// values are 32 bytes, 50 connections a loop send 16 requests a turn. It prints
// operations per second; `sherd-bench figures --inprocess` reads the lines.
func BenchmarkInProcess(b *testing.B) {
	const keys = 1_000_000
	rigs := map[int]*rig{} // filled once, whatever the number of runs
	defer func() {
		for _, r := range rigs {
			r.close(b)
		}
	}()
	for _, threads := range []int{1, 2} {
		b.Run(fmt.Sprintf("threads=%d", threads), func(b *testing.B) {
			r := rigs[threads]
			if r == nil {
				r = newRig(b, threads, keys)
				rigs[threads] = r
			}
			b.ReportAllocs()
			b.ResetTimer()
			began := time.Now()
			var wg sync.WaitGroup
			var driving atomic.Int32
			driving.Store(int32(threads))
			for t := range threads {
				wg.Go(func() {
					runtime.LockOSThread()
					defer runtime.UnlockOSThread()
					r.drive(t, b.N)
					// What another loop waits for may have been handed to this one.
					for driving.Add(-1); driving.Load() > 0; {
						r.replays[t].Turn()
					}
				})
			}
			wg.Wait()
			ops := float64(b.N) * float64(threads)
			b.ReportMetric(ops/time.Since(began).Seconds(), "ops/s")
		})
	}
}

// rig is a keyspace with loops that are driven by hand.
type rig struct {
	ks      *shard.Keyspace
	replays []*reactor.Replay
	conns   [][]*reactor.Conn
	batches [][]byte // 4096 a loop: recorded requests of one connection and turn
}

const (
	rigConns    = 50
	rigPipeline = 16
)

func newRig(tb testing.TB, threads, keys int) *rig {
	tb.Helper()
	cfg, err := config.New()
	if err != nil {
		tb.Fatal(err)
	}
	s := &Server{cfg: cfg}
	s.shared = &conn.Shared{
		Table: command.Commands(), Config: cfg, Host: s, Log: slog.New(slog.DiscardHandler),
	}
	r := &rig{}
	for i := range threads {
		r.replays = append(r.replays, reactor.NewReplay(i, func(l *reactor.Loop) reactor.Handler {
			w := s.shared.NewWorker(l)
			s.shared.Workers = append(s.shared.Workers, w)
			return w
		}))
	}
	if r.ks, err = shard.New(shard.Options{Loops: threads, Databases: 16, Seed: 1, Clock: clock.New()}); err != nil {
		tb.Fatal(err)
	}
	s.ks = r.ks
	s.shared.Open(r.ks)
	value := make([]byte, 32)
	for i := range value {
		value[i] = 'x'
	}
	var fill []byte
	first := r.replays[0].Open()
	for k := range keys {
		fill = resp.AppendCommandStrings(fill, "SET", fmt.Sprintf("memtier-%d", k), string(value))
		if len(fill) > 8<<10 || k == keys-1 {
			r.replays[0].Receive(first, fill)
			r.replays[0].Turn()
			fill = fill[:0]
		}
	}
	for t := range threads {
		rnd := rand.New(rand.NewPCG(7, uint64(t)))
		var cs []*reactor.Conn
		for range rigConns {
			cs = append(cs, r.replays[t].Open())
		}
		r.conns = append(r.conns, cs)
		var batches [][]byte
		for range 4096 {
			var b []byte
			for range rigPipeline {
				key := fmt.Sprintf("memtier-%d", rnd.IntN(keys))
				if rnd.IntN(11) == 0 {
					b = resp.AppendCommandStrings(b, "SET", key, string(value))
				} else {
					b = resp.AppendCommandStrings(b, "GET", key)
				}
			}
			batches = append(batches, b)
		}
		r.batches = append(r.batches, batches...)
	}
	return r
}

// drive executes about n requests on loop t.
func (r *rig) drive(t, n int) {
	replay, cs := r.replays[t], r.conns[t]
	mine := r.batches[t*4096 : (t+1)*4096]
	next := 0
	for done := 0; done < n; {
		for _, c := range cs {
			if c.Paused() {
				continue
			}
			replay.Receive(c, mine[next&4095])
			next++
			done += rigPipeline
		}
		replay.Turn()
	}
}

func (r *rig) close(tb testing.TB) {
	tb.Helper()
	if err := r.ks.Close(); err != nil {
		tb.Error(err)
	}
}
