package dash

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
	"unsafe"

	"sherd/internal/heap"
	"sherd/internal/store/prefetch"
)

// fleet is the tables of a server: one per slice, each with a heap of its own.
type fleet struct {
	arena  *heap.Arena
	tables []Table
	heaps  []heap.Heap
}

const tables = 512

func newFleet(tb testing.TB, n int) *fleet {
	tb.Helper()
	a, err := heap.NewArena(8 << 30)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { a.Close() })
	f := &fleet{arena: a, tables: make([]Table, n), heaps: make([]heap.Heap, n)}
	for i := range f.heaps {
		f.heaps[i].Init(a)
	}
	return f
}

func benchKey(b *[24]byte, i uint64) []byte {
	return fmt.Appendf(b[:0], "memtier-%07d", i)
}

func (f *fleet) at(hash uint64) int { return int(hash >> 32 * uint64(len(f.tables)) >> 32) }

func (f *fleet) fill(tb testing.TB, from, to uint64) {
	var kb [24]byte
	var value [32]byte
	for i := from; i < to; i++ {
		key := benchKey(&kb, i)
		hash := HashKey(0, key)
		s := f.at(hash)
		binary.LittleEndian.PutUint64(value[:], i)
		if !f.tables[s].Set(&f.heaps[s], hash, key, value[:], 0) {
			tb.Fatal("out of memory")
		}
	}
}

func (f *fleet) overhead() (perKey float64, n int) {
	var bytes int64
	for i := range f.tables {
		bytes += f.tables[i].TableBytes()
		n += f.tables[i].Len()
	}
	return float64(bytes) / float64(n), n
}

// keySet is n keys of a fleet in random order, made before the clock runs.
type keySet struct {
	keys   [][]byte
	hashes []uint64
}

// draw replaces the keys of a set by others below max. They end up in the cache, as
// keys do that a client has just sent.
func (s *keySet) draw(r *rand.Rand, max uint64) {
	var kb [24]byte
	for j := range s.keys {
		s.keys[j] = append(s.keys[j][:0:len(s.keys[j])], benchKey(&kb, r.Uint64N(max))...)
		s.hashes[j] = HashKey(0, s.keys[j])
	}
}

func pick(max uint64, n int) keySet {
	r := rand.New(rand.NewPCG(7, 9))
	var s keySet
	buf := make([]byte, 0, 16*n)
	for range n {
		var kb [24]byte
		k := benchKey(&kb, r.Uint64N(max))
		buf = append(buf, k...)
		k = buf[len(buf)-len(k):]
		s.keys = append(s.keys, k)
		s.hashes = append(s.hashes, HashKey(0, k))
	}
	return s
}

// chunk is how many operations are timed together.
const chunk = 128

// timed runs op, which does chunk operations from the i-th on, until b.N are done.
// Beside the mean it reports the time of an operation in the fastest tenth of the
// chunks: on a machine that is shared, those that nobody interrupted.
// What prepare does, if it is not nil, is not timed.
func timed(b *testing.B, prepare, op func(i int)) {
	took := make([]time.Duration, 0, b.N/chunk+1)
	b.ResetTimer()
	for i := 0; i < b.N; i += chunk {
		if prepare != nil {
			prepare(i)
		}
		began := time.Now()
		op(i)
		took = append(took, time.Since(began))
	}
	b.StopTimer()
	report(b, took)
}

// report gives the time of an operation in the fastest tenth of the chunks, and in
// processor cycles, which mean the same on machines whose clocks do not.
func report(b *testing.B, took []time.Duration) {
	slices.Sort(took)
	ns := float64(took[len(took)/10].Nanoseconds()) / chunk
	b.ReportMetric(ns, "quiet-ns/op")
	b.ReportMetric(ns/cycle(), "cycles/op")
}

// cycle returns the nanoseconds of a processor cycle: a multiplication and an
// addition that wait for each other take four.
func cycle() float64 {
	const steps = 2000
	best := time.Hour
	x := uint64(steps)
	for range 200 {
		began := time.Now()
		for range steps {
			x = x*0x9e3779b97f4a7c15 + 1
		}
		best = min(best, time.Since(began))
	}
	if x == 0 {
		return 0
	}
	return float64(best.Nanoseconds()) / steps / 4
}

// warm is a table of 1000 keys and the keys of a chunk.
func warm(b *testing.B, from uint64) (*Table, *heap.Heap, keySet) {
	f := newFleet(b, 1)
	f.fill(b, from, from+1000)
	return &f.tables[0], &f.heaps[0], pick(1000, chunk)
}

// BenchmarkNothing is the part of the figures that is not the table's.
func BenchmarkNothing(b *testing.B) {
	s := pick(1000, chunk)
	sum := uint64(0)
	timed(b, nil, func(int) {
		for j, key := range s.keys {
			sum += s.hashes[j] + uint64(len(key))
		}
	})
	if sum == 1 {
		b.Fatal()
	}
}

func BenchmarkFindWarm(b *testing.B) {
	t, h, s := warm(b, 0)
	timed(b, nil, func(int) {
		for j, key := range s.keys {
			if _, ok := t.Find(h, s.hashes[j], key); !ok {
				b.Fatal("lost")
			}
		}
	})
}

func BenchmarkFindMissingWarm(b *testing.B) {
	t, h, s := warm(b, 1000)
	timed(b, nil, func(int) {
		for j, key := range s.keys {
			if _, ok := t.Find(h, s.hashes[j], key); ok {
				b.Fatal("found")
			}
		}
	})
}

func BenchmarkPeekWarm(b *testing.B) {
	if !PeekSafe {
		b.Skip("no Peek")
	}
	t, h, s := warm(b, 0)
	a := h.Arena()
	timed(b, nil, func(int) {
		for j, key := range s.keys {
			if _, _, _, st := t.Peek(a, s.hashes[j], key); st != Found {
				b.Fatal("lost")
			}
		}
	})
}

func BenchmarkSetInPlaceWarm(b *testing.B) {
	t, h, s := warm(b, 0)
	var v [32]byte
	timed(b, nil, func(int) {
		for j, key := range s.keys {
			t.Set(h, s.hashes[j], key, v[:], 0)
		}
	})
}

func BenchmarkSetOtherSizeWarm(b *testing.B) {
	t, h, s := warm(b, 0)
	var v [48]byte
	timed(b, nil, func(i int) {
		n := 32 + i/chunk&1*16
		for j, key := range s.keys {
			t.Set(h, s.hashes[j], key, v[:n], 0)
		}
	})
}

func BenchmarkDeleteInsertWarm(b *testing.B) {
	t, h, s := warm(b, 0)
	var v [32]byte
	timed(b, nil, func(int) {
		for j, key := range s.keys {
			e, _ := t.Find(h, s.hashes[j], key)
			t.Delete(h, e)
			t.Insert(h, s.hashes[j], key, v[:], 0)
		}
	})
}

// BenchmarkInsert is insertion into 512 tables from empty to b.N keys, growth
// included: run it with -benchtime 5000000x.
func BenchmarkInsert(b *testing.B) {
	f := newFleet(b, tables)
	var kb [24]byte
	var v [32]byte
	keys, hashes := make([][]byte, chunk), make([]uint64, chunk)
	timed(b, func(i int) {
		for j := range keys {
			keys[j] = append(keys[j][:0], benchKey(&kb, uint64(i+j))...)
			hashes[j] = HashKey(0, keys[j])
		}
	}, func(int) {
		for j, key := range keys {
			at := f.at(hashes[j])
			f.tables[at].Set(&f.heaps[at], hashes[j], key, v[:], 0)
		}
	})
	o, n := f.overhead()
	b.ReportMetric(o, "table-B/key")
	held := int64(0)
	for i := range f.heaps {
		held += f.heaps[i].Held()
	}
	b.ReportMetric(float64(held)/float64(n), "held-B/key")
}

// BenchmarkInsertOneTable is insertion into one table, without the misses of 512.
func BenchmarkInsertOneTable(b *testing.B) {
	f := newFleet(b, 1)
	t, h := &f.tables[0], &f.heaps[0]
	s := pick(1<<40, 1000*chunk)
	var v [32]byte
	timed(b, nil, func(i int) {
		i %= len(s.keys)
		if i == 0 {
			d := t.Detach()
			for !d.FreeSome(h, 1<<20) {
			}
		}
		for j := i; j < i+chunk; j++ {
			t.Set(h, s.hashes[j], s.keys[j], v[:], 0)
		}
	})
}

var big *fleet

const bigKeys = 5_000_000

// bigFleet is 5M keys in 512 tables, made once.
func bigFleet(b *testing.B) *fleet {
	if big == nil {
		a, err := heap.NewArena(8 << 30)
		if err != nil {
			b.Fatal(err)
		}
		big = &fleet{arena: a, tables: make([]Table, tables), heaps: make([]heap.Heap, tables)}
		for i := range big.heaps {
			big.heaps[i].Init(a)
		}
		big.fill(b, 0, bigKeys)
	}
	return big
}

// BenchmarkFind5M looks up random keys of 5M in 512 tables, one after the other.
func BenchmarkFind5M(b *testing.B) {
	f, s := bigFleet(b), pick(bigKeys, chunk)
	r := rand.New(rand.NewPCG(1, 1))
	timed(b, func(int) { s.draw(r, bigKeys) }, func(int) {
		for j, hash := range s.hashes {
			at := f.at(hash)
			if _, ok := f.tables[at].Find(&f.heaps[at], hash, s.keys[j]); !ok {
				b.Fatal("lost")
			}
		}
	})
}

// BenchmarkStaged5M does the same in turns of several keys whose memory is touched
// ahead, and copies the value out.
func BenchmarkStaged5M(b *testing.B) {
	for _, batch := range []int{1, 16, 32, 64} {
		b.Run(fmt.Sprint(batch), func(b *testing.B) {
			f, s := bigFleet(b), pick(bigKeys, chunk)
			r := rand.New(rand.NewPCG(1, uint64(batch)))
			timed(b, func(int) { s.draw(r, bigKeys) }, func(int) {
				for j := 0; j < chunk; j += batch {
					f.turn(b, s.keys[j:j+batch], s.hashes[j:j+batch])
				}
			})
		})
	}
}

// BenchmarkStagedWarm shows what the stages cost by themselves.
func BenchmarkStagedWarm(b *testing.B) {
	f := newFleet(b, 4)
	f.fill(b, 0, 4000)
	s := pick(4000, chunk)
	timed(b, nil, func(i int) {
		for j := 0; j < chunk; j += 32 {
			f.turn(b, s.keys[j:j+32], s.hashes[j:j+32])
		}
	})
}

// turn gets some keys the way a loop does.
func (f *fleet) turn(b *testing.B, keys [][]byte, hashes []uint64) {
	var ps [64]unsafe.Pointer
	var at [64]int
	var out [64]byte
	for j, hash := range hashes {
		at[j&63] = f.at(hash)
		ps[j&63] = f.tables[at[j&63]].BucketAddr(f.arena, hash)
	}
	prefetch.PrefetchPairs(ps[:len(hashes)], BucketSpan)
	for j, hash := range hashes {
		ps[j&63] = SlotAddr(f.arena, Candidate(ps[j&63], hash))
	}
	prefetch.PrefetchPairs(ps[:len(hashes)], EntrySpan)
	for j, hash := range hashes {
		sl := at[j&63]
		e, ok := f.tables[sl].Find(&f.heaps[sl], hash, keys[j])
		if !ok {
			b.Fatal("lost")
		}
		copy(out[:], e.Value())
	}
}

// BenchmarkSweep visits tables of 5000 volatile keys of which none is due, a whole
// table in one operation; then with all of them due, and deletes them, a key in one.
func BenchmarkSweep(b *testing.B) {
	f := newFleet(b, 1)
	t, h := &f.tables[0], &f.heaps[0]
	const keys = 5000
	var kb [24]byte
	fill := func() {
		for i := range uint64(keys) {
			key := benchKey(&kb, i)
			t.Set(h, HashKey(0, key), key, key, 1000)
		}
	}
	fill()
	dst := make([]Entry, 0, 1024)
	b.Run("nothing", func(b *testing.B) {
		timed(b, nil, func(int) {
			for range chunk {
				for cursor := uint64(0); ; {
					if dst, cursor = t.Expired(h, cursor, 999, dst[:0]); cursor == 0 {
						break
					}
				}
			}
		})
	})
	b.Run("all", func(b *testing.B) {
		for i := 0; i < b.N; i += keys {
			b.StopTimer()
			fill()
			b.StartTimer()
			for cursor := uint64(0); ; {
				dst, cursor = t.Expired(h, cursor, 1000, dst[:0])
				for _, e := range dst {
					t.Delete(h, e)
				}
				if cursor == 0 {
					break
				}
			}
		}
	})
}

// BenchmarkWalk is a whole SCAN, and a whole Shrink with nothing to do, of a table
// of 10,000 keys, per key.
func BenchmarkWalk(b *testing.B) {
	f := newFleet(b, 1)
	f.fill(b, 0, 10000)
	t, h := &f.tables[0], &f.heaps[0]
	dst := make([]Entry, 0, 1024)
	b.Run("scan", func(b *testing.B) {
		for i := 0; i < b.N; i += t.Len() {
			for cursor := uint64(0); ; {
				if dst, cursor = t.ScanStep(h, cursor, dst[:0]); cursor == 0 {
					break
				}
			}
		}
	})
	b.Run("shrink", func(b *testing.B) {
		for i := 0; i < b.N; i += t.Len() {
			for cursor := uint64(0); ; {
				if cursor, _ = t.Shrink(h, cursor); cursor == 0 {
					break
				}
			}
		}
	})
}
