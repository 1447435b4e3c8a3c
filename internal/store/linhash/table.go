package linhash

import (
	"math/bits"
	"unsafe"

	"github.com/zeebo/xxh3"

	"sherd/internal/heap"
)

// Table is a table opened for one command: it stays on the stack, and Ref tells
// afterwards where the table is now. The latch of the heap's slice is held while it
// is used.
type Table struct {
	h    *heap.Heap
	base unsafe.Pointer
	root *root
	ref  heap.Ref
}

// root is a table's first block; the records of the directory's pages follow.
type root struct {
	count   uint64 // entries
	buckets uint64
	weight  uint64 // bytes of all entries in the buckets
	bytes   uint64 // of the heap, in class sizes, this block included
	seed    uint64 // of the hash
	dated   uint64 // entries with a deadline
	pages   uint32 // records that this block has room for
	page0   uint32 // buckets that the first page has room for
	most    uint32 // no bucket has more entries
	width   uint32 // of a group

	// The page that Expire is sweeping.
	sweepMs   int64  // earliest deadline met in it; 0: none
	sweepPage uint32 // plus one; 0: none is under way
	sweepAt   uint32 // bucket of the page to go on with
}

// pageRecord is a page of the directory.
type pageRecord struct {
	ref   heap.Ref // of its words
	dueMs int64    // no deadline in its buckets is earlier; 0: there is none
}

const (
	rootSize   = int(unsafe.Sizeof(root{}))
	recordSize = int(unsafe.Sizeof(pageRecord{}))

	pageShift = 9
	pageLen   = 1 << pageShift // buckets
	pageLeast = 4              // that the first page has room for at first

	loadCount  = 16  // entries per bucket, on average, beyond which one is split
	loadWeight = 400 // bytes of entries per bucket, likewise
	slackShare = 5   // one is merged where a fifth …
	slackOf    = 8   // … of eight of either would do: 5/8 of both
)

// New makes an empty table: a set, or with values a map. seed is the hash's.
// False: out of memory.
func New(h *heap.Heap, values bool, seed uint64) (Table, bool) {
	t := Table{h: h, base: h.Arena().Base()}
	if t.ref = h.Alloc(rootSize + recordSize); t.ref == 0 {
		return t, false
	}
	page := h.Alloc(pageLeast * 8)
	if page == 0 {
		h.Free(t.ref, rootSize+recordSize)
		return Table{}, false
	}
	t.root = (*root)(refPtr(t.base, t.ref))
	*t.root = root{buckets: 1, seed: seed, pages: 1, page0: pageLeast, width: setWidth}
	if values {
		t.root.width = hashWidth
	}
	t.root.bytes = uint64(heap.ClassSize(rootSize+recordSize) + pageLeast*8)
	*t.record(0) = pageRecord{ref: page}
	*t.word(0) = 0
	return t, true
}

// Open opens the table at ref.
func Open(h *heap.Heap, ref heap.Ref) Table {
	base := h.Arena().Base()
	return Table{h: h, base: base, root: (*root)(refPtr(base, ref)), ref: ref}
}

// view opens a table that is only read.
func view(a *heap.Arena, ref heap.Ref) Table {
	return Table{base: a.Base(), root: (*root)(refPtr(a.Base(), ref)), ref: ref}
}

// SizeBytes returns the heap bytes of the table at ref with all it holds.
func SizeBytes(a *heap.Arena, ref heap.Ref) int64 {
	t := view(a, ref)
	return int64(t.root.bytes)
}

// Ref returns where the table is. Insert, SetValue and Delete may move it.
func (t *Table) Ref() heap.Ref { return t.ref }

// Len returns the number of entries, those whose deadline has passed included.
func (t *Table) Len() int { return int(t.root.count) }

// Dated returns the number of entries with a deadline.
func (t *Table) Dated() int { return int(t.root.dated) }

// Hash returns the hash of a key in this table. Tables with one seed have one hash.
func (t *Table) Hash(key []byte) uint64 { return xxh3.HashSeed(key, t.root.seed) }

// Seed returns the seed of the table's hash.
func (t *Table) Seed() uint64 { return t.root.seed }

func fpOf(hash uint64) uint8 { return uint8(max(hash>>56, 1)) }

// record returns the record of a page.
func (t *Table) record(page uint64) *pageRecord {
	return (*pageRecord)(unsafe.Add(unsafe.Pointer(t.root), uintptr(rootSize)+uintptr(page)*uintptr(recordSize)))
}

// word returns the directory's word of a bucket.
func (t *Table) word(bucket uint64) *bucketWord {
	page := refPtr(t.base, t.record(bucket>>pageShift).ref)
	return (*bucketWord)(unsafe.Add(page, bucket%pageLen*8))
}

// bucketOf returns the bucket of a hash, and how many of the hash's bits it
// stands for.
func (r *root) bucketOf(hash uint64) (bucket uint64, depth int) {
	depth = bits.Len64(r.buckets) - 1
	bit := uint64(1) << depth
	bucket = hash & (bit - 1)
	if bucket < r.buckets-bit {
		bucket = hash & (bit<<1 - 1)
		depth++
	}
	return bucket, depth
}

// Find returns the entry of a key, given its hash.
func (t *Table) Find(hash uint64, key []byte) (Entry, bool) {
	bucket, _ := t.root.bucketOf(hash)
	w := t.word(bucket)
	word := *w
	if word == 0 {
		return Entry{}, false
	}
	b := word.ptr(t.base)
	width := int(t.root.width)
	fp := uint64(fpOf(hash)) * everyByte
	code := uint8(len(key))
	if len(key) > MostKey {
		code = outside | placeSize
	}
	g := b
	for first, n := 0, word.count(); first < n; first += groupLen {
		for m := zeros(load64(g, 0) ^ fp); m != 0; m &= m - 1 {
			k := firstByte(m)
			if load8(g, keyCodes+uintptr(k))&^dated != code {
				continue
			}
			e := t.entry(w, bucket, first+k)
			if string(e.Key()) == string(key) {
				return e, true
			}
		}
		g = unsafe.Add(g, width)
	}
	return Entry{}, false
}

// entry returns entry i of a bucket.
func (t *Table) entry(w *bucketWord, bucket uint64, i int) Entry {
	b, width := w.ptr(t.base), int(t.root.width)
	e := Entry{base: t.base, bucket: bucket, i: i}
	e.kc, e.vc = codes(b, i, width)
	e.end = unsafe.Add(b, w.size()-sizesBefore(b, i, width))
	e.p = unsafe.Add(e.end, -sizeOf(e.kc, e.vc))
	return e
}
