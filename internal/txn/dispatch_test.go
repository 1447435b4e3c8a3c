package txn

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sherd/internal/clock"
	"sherd/internal/shard"
)

// BenchmarkDispatch compares two ways for a loop to reach a key that may be at
// home on another loop:
//
//	latch  take the slice's latch, wherever the slice is at home, and execute
//	hop    send what is foreign to its home loop in one message a turn, execute
//	       what comes from there, and wait for the answers
//
// Two threads write keys drawn uniformly (half of them foreign). Behind both
// stands what stands behind a command: a table, an allocation that is freed
// again (the value's size alternates), and a record appended to a log buffer.
// Threads spin while they wait, so a hop's wake-ups are left out, in its favour.
// Reported are nanoseconds of one thread per operation and, for one operation a
// turn, the turn's median and p99.
func BenchmarkDispatch(b *testing.B) {
	for _, perTurn := range []int{1, 16, 64} {
		for _, way := range []string{"latch", "hop"} {
			b.Run(fmt.Sprintf("%s/ops=%d", way, perTurn), func(b *testing.B) {
				d := newDispatch(b, perTurn)
				defer d.ks.Close()
				b.ResetTimer()
				var wg sync.WaitGroup
				began := time.Now()
				for i := range d.workers {
					wg.Go(func() {
						runtime.LockOSThread()
						if way == "latch" {
							d.workers[i].latch(b.N)
						} else {
							d.workers[i].hop(b.N)
						}
					})
				}
				wg.Wait()
				b.ReportMetric(float64(time.Since(began))/float64(b.N), "ns/op")
				d.workers[0].report(b)
			})
		}
	}
}

const dispatchKeys = 1 << 18

type dispatch struct {
	ks      *shard.Keyspace
	workers []*dispatcher
}

// dispatcher is one of the two threads.
type dispatcher struct {
	d       *dispatch
	id      int
	perTurn int
	rnd     *rand.Rand
	key     []byte
	value   [64]byte
	log     []byte
	turns   []int64 // ns, of one operation each

	out    request // to the other
	queue  atomic.Pointer[request]
	quit   atomic.Bool
	failed bool
}

// request is what one turn sends to the other loop.
type request struct {
	keys   []uint64
	served atomic.Bool
}

func newDispatch(tb testing.TB, perTurn int) *dispatch {
	ks, err := shard.New(shard.Options{Loops: 2, Databases: 1, Seed: 1, Clock: clock.New()})
	if err != nil {
		tb.Fatal(err)
	}
	d := &dispatch{ks: ks}
	for i := range 2 {
		d.workers = append(d.workers, &dispatcher{
			d: d, id: i, perTurn: perTurn, rnd: rand.New(rand.NewPCG(3, uint64(i))), log: make([]byte, 0, 1<<20),
		})
	}
	for k := range uint64(dispatchKeys) {
		d.workers[0].set(k)
	}
	return d
}

// write sets w.key; the caller may touch its slice.
func (w *dispatcher) write(hash uint64, s *shard.Slice) {
	size := 24 + int(w.rnd.Uint32()&1)*24
	if !w.d.ks.Table(0, s).Set(&s.Heap, hash, w.key, w.value[:size], 0) {
		w.failed = true
	}
	if len(w.log) > 1<<20-128 {
		w.log = w.log[:0]
	}
	w.log = append(append(w.log, w.key...), w.value[:size]...)
}

func (w *dispatcher) name(k uint64) {
	w.key = append(w.key[:0], "memtier-"...)
	for range 6 {
		w.key = append(w.key, 'a'+byte(k&15))
		k >>= 4
	}
}

func (w *dispatcher) set(k uint64) {
	w.name(k)
	hash, s := w.d.ks.Locate(w.key)
	for !s.Spin() {
	}
	w.write(hash, s)
	s.Release()
}

// latch executes n operations where they are.
func (w *dispatcher) latch(n int) {
	for done := 0; done < n; done += w.perTurn {
		began := time.Now()
		for range w.perTurn {
			w.set(w.rnd.Uint64N(dispatchKeys))
		}
		w.note(began)
	}
}

// hop executes n operations, each on the loop that is its home.
func (w *dispatcher) hop(n int) {
	other := w.d.workers[1-w.id]
	for done := 0; done < n; done += w.perTurn {
		began := time.Now()
		w.out.keys = w.out.keys[:0]
		for range w.perTurn {
			k := w.rnd.Uint64N(dispatchKeys)
			w.name(k)
			hash, s := w.d.ks.Locate(w.key)
			if int(s.Index)/shard.SlicesPerShard != w.id {
				w.out.keys = append(w.out.keys, k)
				continue
			}
			w.write(hash, s)
		}
		if len(w.out.keys) > 0 {
			w.out.served.Store(false)
			other.queue.Store(&w.out)
			for !w.out.served.Load() {
				w.serve()
			}
		}
		w.serve()
		w.note(began)
	}
	w.quit.Store(true)
	for !other.quit.Load() {
		w.serve()
	}
}

// serve executes what the other loop has sent.
func (w *dispatcher) serve() {
	r := w.queue.Load()
	if r == nil {
		return
	}
	w.queue.Store(nil)
	for _, k := range r.keys {
		w.name(k)
		hash, s := w.d.ks.Locate(w.key)
		w.write(hash, s)
	}
	r.served.Store(true)
}

func (w *dispatcher) note(began time.Time) {
	if w.perTurn == 1 && len(w.turns) < 1<<20 {
		w.turns = append(w.turns, int64(time.Since(began)))
	}
}

func (w *dispatcher) report(b *testing.B) {
	if w.failed {
		b.Fatal("out of memory")
	}
	if len(w.turns) < 100 {
		return
	}
	slices.Sort(w.turns)
	b.ReportMetric(float64(w.turns[len(w.turns)/2]), "p50-ns")
	b.ReportMetric(float64(w.turns[len(w.turns)*99/100]), "p99-ns")
}
