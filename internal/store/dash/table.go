// Package dash is the table of keys: one Table per slice and database.
package dash

import (
	"unsafe"

	"github.com/zeebo/xxh3"

	"sherd/internal/heap"
)

// PeekSafe says whether Peek may be used: it relies on loads kept in order.
const PeekSafe = false

// MaxInline is the longest string value that is stored beside its key.
const MaxInline = 4096

// PeekStatus is the outcome of a Peek.
type PeekStatus uint8

// Outcomes of a Peek, valid only when the version has not changed meanwhile.
const (
	Retry PeekStatus = iota // look again under the latch
	Found
	Missing
)

// HashKey is the hash a table expects for a key; seed is the table's Seed.
func HashKey(seed uint64, key []byte) uint64 { return xxh3.HashSeed(key, seed) }

// Table maps keys to entries. The zero value is empty and holds no memory.
// It is guarded by its slice's latch.
type Table struct {
	Seed     uint64 // the seed of the hashes handed in; set before the first insert, then constant
	m        map[string]*record
	volatile int
}

type record struct {
	key, value []byte
	deadline   int64
	hash       uint64
	ref        heap.Ref
	kind       Kind
	encoding   uint8
	raw        bool
	hasClock   bool
	hasMemc    bool
	clock      uint32
	flags      uint32
	cas        uint64
}

// Entry is the place of an entry. It is valid until the next insertion or
// maintenance step of its table; Delete leaves the other entries where they are.
type Entry struct{ r *record }

func (e Entry) Key() []byte         { return e.r.key }
func (e Entry) Value() []byte       { return e.r.value }
func (e Entry) Kind() Kind          { return e.r.kind }
func (e Entry) Encoding() uint8     { return e.r.encoding }
func (e Entry) DeadlineMs() int64   { return e.r.deadline }
func (e Entry) Raw() bool           { return e.r.raw }
func (e Entry) Ref() heap.Ref       { return e.r.ref }
func (e Entry) SetRef(r heap.Ref)   { e.r.ref = r }
func (e Entry) SetEncoding(c uint8) { e.r.encoding = c }
func (e Entry) SizeBytes() int      { return heap.ClassSize(len(e.r.key) + len(e.r.value)) }

// Clock returns the access clock, if the entry has one.
func (e Entry) Clock() (uint32, bool) { return e.r.clock, e.r.hasClock }

// TouchClock sets the access clock in place; false if the entry has none.
func (e Entry) TouchClock(c uint32) bool {
	if e.r.hasClock {
		e.r.clock = c
	}
	return e.r.hasClock
}

// Memcached returns the memcached fields, if the entry has them.
func (e Entry) Memcached() (flags uint32, cas uint64, ok bool) {
	return e.r.flags, e.r.cas, e.r.hasMemc
}

func (t *Table) Find(h *heap.Heap, hash uint64, key []byte) (Entry, bool) {
	r := t.m[string(key)]
	return Entry{r}, r != nil
}

func (t *Table) insert(hash uint64, key []byte) *record {
	if t.m == nil {
		t.m = map[string]*record{}
	}
	r := t.m[string(key)]
	if r == nil {
		r = &record{key: append([]byte(nil), key...), hash: hash}
		t.m[string(key)] = r
	}
	return r
}

func (t *Table) deadline(r *record, ms int64) {
	if r.deadline != 0 {
		t.volatile--
	}
	if r.deadline = ms; ms != 0 {
		t.volatile++
	}
}

func (t *Table) Set(h *heap.Heap, hash uint64, key, value []byte, deadlineMs int64) bool {
	t.Replace(h, Entry{t.insert(hash, key)}, hash, value, deadlineMs)
	return true
}

func (t *Table) Replace(h *heap.Heap, e Entry, hash uint64, value []byte, deadlineMs int64) (Entry, bool) {
	r := e.r
	r.value = append([]byte(nil), value...)
	r.kind, r.encoding, r.raw, r.hasMemc = String, 0, false, false
	t.deadline(r, deadlineMs)
	return e, true
}

func (t *Table) Resize(h *heap.Heap, e Entry, hash uint64, newLen int) (Entry, []byte, bool) {
	v := make([]byte, newLen)
	copy(v, e.r.value)
	e.r.value, e.r.raw = v, true
	return e, v, true
}

func (t *Table) SetDeadline(h *heap.Heap, e Entry, hash uint64, ms int64) (Entry, bool) {
	t.deadline(e.r, ms)
	return e, true
}

func (t *Table) SetClock(h *heap.Heap, e Entry, hash uint64, clock uint32) (Entry, bool) {
	e.r.clock, e.r.hasClock = clock, true
	return e, true
}

func (t *Table) SetMemcached(h *heap.Heap, e Entry, hash uint64, flags uint32, cas uint64) (Entry, bool) {
	e.r.flags, e.r.cas, e.r.hasMemc = flags, cas, true
	return e, true
}

func (t *Table) InsertRef(h *heap.Heap, hash uint64, key []byte, kind Kind, encoding uint8, ref heap.Ref, deadlineMs int64) (Entry, bool) {
	r := t.insert(hash, key)
	r.kind, r.encoding, r.ref, r.value = kind, encoding, ref, nil
	t.deadline(r, deadlineMs)
	return Entry{r}, true
}

func (t *Table) Delete(h *heap.Heap, e Entry) {
	t.deadline(e.r, 0)
	delete(t.m, string(e.r.key))
}

// Moved is a value between two keys.
type Moved struct{ r *record }

// Kind returns the kind of the value.
func (m Moved) Kind() Kind { return m.r.kind }

// Encoding returns the encoding of the value.
func (m Moved) Encoding() uint8 { return m.r.encoding }

// DeadlineMs returns the deadline the value had.
func (m Moved) DeadlineMs() int64 { return m.r.deadline }

// Ref returns the container of the value.
func (m Moved) Ref() heap.Ref { return m.r.ref }

// SetRef replaces the container, after it was copied into another heap.
func (m *Moved) SetRef(r heap.Ref) { m.r.ref = r }

// Free drops a string value that is not inserted again.
func (m Moved) Free(from *heap.Heap) {}

// Take removes e and returns its value.
func (t *Table) Take(h *heap.Heap, e Entry) Moved {
	m := *e.r
	t.Delete(h, e)
	return Moved{&m}
}

// PutBack undoes a Take that nothing followed. It cannot fail.
func (t *Table) PutBack(h *heap.Heap, m Moved) Entry {
	r := t.insert(m.r.hash, m.r.key)
	d := m.r.deadline
	*r = *m.r
	r.deadline = 0
	t.deadline(r, d)
	return Entry{r}
}

// InsertMoved inserts a taken value, out of the heap from, under a key that must
// not exist. False: out of memory, m stands as it was.
func (t *Table) InsertMoved(h *heap.Heap, hash uint64, key []byte, m Moved, from *heap.Heap, deadlineMs int64) (Entry, bool) {
	r := t.insert(hash, key)
	k := r.key
	*r = *m.r
	r.key, r.hash, r.deadline = k, hash, 0
	t.deadline(r, deadlineMs)
	return Entry{r}, true
}

func (t *Table) Len() int      { return len(t.m) }
func (t *Table) Volatile() int { return t.volatile }

// TableBytes returns the heap bytes of the table itself, without its entries.
func (t *Table) TableBytes() int64 { return int64(len(t.m)) * 11 }

func (t *Table) ScanStep(h *heap.Heap, cursor uint64, dst []Entry) ([]Entry, uint64) {
	for _, r := range t.m {
		if r.hash&63 == cursor {
			dst = append(dst, Entry{r})
		}
	}
	return dst, (cursor + 1) & 63
}

func (t *Table) Expired(h *heap.Heap, cursor uint64, nowMs int64, dst []Entry) ([]Entry, uint64) {
	for _, r := range t.m {
		if r.deadline != 0 && r.deadline <= nowMs {
			dst = append(dst, Entry{r})
		}
	}
	return dst, 0
}

func (t *Table) NextDeadline() int64 {
	min := int64(1<<63 - 1)
	for _, r := range t.m {
		if r.deadline != 0 && r.deadline < min {
			min = r.deadline
		}
	}
	return min
}

func (t *Table) Shrink(h *heap.Heap, cursor uint64) (next uint64, moved int) { return 0, 0 }

func (t *Table) Random(h *heap.Heap, r uint64) (Entry, bool) {
	for _, r := range t.m {
		return Entry{r}, true
	}
	return Entry{}, false
}

func (t *Table) Detach() Table {
	d := *t
	*t = Table{Seed: t.Seed}
	return d
}

func (t *Table) FreeSome(h *heap.Heap, budget int) (done bool) {
	t.m = nil
	return true
}

// BucketAddr returns the address of the bucket that a hash falls in.
func (t *Table) BucketAddr(a *heap.Arena, hash uint64) unsafe.Pointer { return nil }

// CandidateAddr returns the address worth touching next.
func CandidateAddr(a *heap.Arena, bucket unsafe.Pointer, hash uint64) unsafe.Pointer { return nil }

func (t *Table) Peek(a *heap.Arena, hash uint64, key []byte) (value []byte, deadlineMs int64, kind Kind, status PeekStatus) {
	return nil, 0, 0, Retry
}
