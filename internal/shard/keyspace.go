package shard

import (
	"bytes"
	"fmt"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/zeebo/xxh3"

	"sherd/internal/clock"
	"sherd/internal/heap"
	"sherd/internal/store/dash"
)

// SlicesPerShard is how finely a shard is divided. More slices make a latch
// conflict rarer and a snapshot's or sweep's step shorter, fewer make a small
// database smaller.
const SlicesPerShard = 64

// Slice is a part of the keyspace under one latch.
type Slice struct {
	Latch
	Index  uint32        // fixed
	Heap   heap.Heap     // owned by the latch's holder
	graves *graves       // what was emptied and is not freed yet; owned by the latch's holder
	fields []*fieldQueue // by database: hashes and sets with deadlines within; owned by the latch's holder
	_      [64]byte
}

// table keeps neighbouring slices' tables on cache lines of their own.
type table struct {
	dash.Table // owned by the slice's latch's holder
	_          [128 - unsafe.Sizeof(dash.Table{})%128]byte
}

// Keyspace is all databases of a server.
type Keyspace struct {
	Arena     *heap.Arena
	Clock     *clock.Clock
	Databases int // fixed
	Loops     int // fixed

	// Used is the sum of what all heaps handed out. Loops keep their own
	// difference and add it here once a turn, so it is exact whenever the loops
	// are between turns.
	Used atomic.Int64

	peak   peak
	seed   uint64
	slices []Slice
	tables []table  // by database, then slice: unused databases are never touched
	opened []opened // by database
	dirty  chan struct{}
}

// opened says whether a database has ever been used. Until then its tables are
// not touched, so that they take no memory.
type opened struct {
	once sync.Once
	yes  atomic.Bool
}

// Options sizes a keyspace.
type Options struct {
	Loops     int
	Databases int
	Seed      uint64 // of the hash; random in production
	Clock     *clock.Clock
	// ReserveBytes bounds the address space; 0 takes the heap's maximum.
	ReserveBytes int64
}

// New reserves the address space of a keyspace. Close gives it back.
func New(o Options) (*Keyspace, error) {
	if o.Loops < 1 || o.Databases < 1 {
		return nil, fmt.Errorf("shard: %d loops, %d databases", o.Loops, o.Databases)
	}
	if o.ReserveBytes == 0 {
		o.ReserveBytes = 256 << 30
	}
	arena, err := heap.NewArena(o.ReserveBytes)
	if err != nil {
		return nil, err
	}
	n := o.Loops * SlicesPerShard
	k := &Keyspace{
		Arena:     arena,
		Clock:     o.Clock,
		Databases: o.Databases,
		Loops:     o.Loops,
		seed:      o.Seed,
		slices:    make([]Slice, n),
		tables:    make([]table, n*o.Databases),
		opened:    make([]opened, o.Databases),
		dirty:     make(chan struct{}, 1),
	}
	for i := range k.slices {
		k.slices[i].Index = uint32(i)
		k.slices[i].Heap.Init(arena)
	}
	k.Open(0)
	return k, nil
}

// Open makes a database ready to be written to. It has to be called before a
// client selects the database, or a command reaches into it; database 0 is open
// from the start. It does nothing the second time.
func (k *Keyspace) Open(db int) {
	k.opened[db].once.Do(func() {
		for i := range k.slices {
			k.tables[db*len(k.slices)+i].Seed = k.seed
		}
		k.opened[db].yes.Store(true)
	})
}

// Close unmaps everything. No loop may run any more.
func (k *Keyspace) Close() error { return k.Arena.Close() }

// Locate hashes a key and finds its slice.
func (k *Keyspace) Locate(key []byte) (hash uint64, slice *Slice) {
	hash = xxh3.HashSeed(key, k.seed)
	place := hash
	if i := bytes.IndexByte(key, '{'); i >= 0 {
		if n := bytes.IndexByte(key[i+1:], '}'); n > 0 {
			place = xxh3.HashSeed(key[i+1:i+1+n], k.seed)
		}
	}
	return hash, &k.slices[(place>>32)*uint64(len(k.slices))>>32]
}

// IsOpen reports whether a database has ever been used; if not it is empty.
func (k *Keyspace) IsOpen(db int) bool { return k.opened[db].yes.Load() }

// Slices returns how many slices there are.
func (k *Keyspace) Slices() int { return len(k.slices) }

// Slice returns the i-th slice.
func (k *Keyspace) Slice(i int) *Slice { return &k.slices[i] }

// Home returns the slices [lo, hi) whose housekeeping is loop's.
func (k *Keyspace) Home(loop int) (lo, hi int) {
	return loop * SlicesPerShard, (loop + 1) * SlicesPerShard
}

// Table returns a slice's table of a database; its latch's holder may touch it.
func (k *Keyspace) Table(db int, s *Slice) *dash.Table {
	return &k.tables[db*len(k.slices)+int(s.Index)].Table
}

// Swap exchanges two databases' tables in one slice, under its latch.
func (k *Keyspace) Swap(a, b int, s *Slice) {
	x, y := k.Table(a, s), k.Table(b, s)
	*x, *y = *y, *x
	s.swapFields(a, b)
}
