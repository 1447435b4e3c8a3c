package linhash

import (
	"math/bits"
	"unsafe"
)

// Iter walks the entries of a table, or of one bucket. The table must not change
// meanwhile. After Next has reported true it is the Entry.
type Iter struct {
	Entry
	t    Table
	end0 uint64 // bucket to stop before
	n    int    // entries of the bucket
	b    unsafe.Pointer
}

// Iter returns an iterator of all entries, those whose deadline has passed
// included.
func (t *Table) Iter() Iter {
	return Iter{Entry: Entry{base: t.base, bucket: ^uint64(0), i: -1}, t: *t, end0: t.root.buckets}
}

// bucketIter walks a bucket whose word need not be in the directory.
func (t *Table) bucketIter(w *bucketWord) Iter {
	it := Iter{Entry: Entry{base: t.base, i: -1}, t: *t}
	it.enter(*w)
	return it
}

func (it *Iter) enter(w bucketWord) {
	it.n, it.i = w.count(), -1
	it.b = w.ptr(it.base)
	it.p = unsafe.Add(it.b, w.size())
}

// Next moves to the next entry and reports whether there is one.
func (it *Iter) Next() bool {
	it.i++
	for it.i >= it.n {
		if it.bucket+1 >= it.end0 {
			return false
		}
		it.bucket++
		it.enter(*it.t.word(it.bucket))
		it.i = 0
	}
	it.kc, it.vc = codes(it.b, it.i, int(it.t.root.width))
	it.Entry.end = it.p
	it.p = unsafe.Add(it.p, -sizeOf(it.kc, it.vc))
	return true
}

// Scan returns the entries of the bucket at a cursor and the cursor of the next
// bucket; both ends of the walk are 0. A cursor is a place in the hashes, read from
// their lowest bit on, of 48 bits. An entry that is in the table during a whole
// walk is met at least once, however the table grows or shrinks.
func (t *Table) Scan(cursor uint64) (Iter, uint64) {
	place := cursor << 16
	bucket, depth := t.root.bucketOf(bits.Reverse64(place))
	it := Iter{Entry: Entry{base: t.base, bucket: bucket, i: -1}, t: *t}
	it.enter(*t.word(bucket))
	if depth == 0 {
		return it, 0
	}
	shift := 64 - depth
	return it, (place>>shift + 1) << shift >> 16
}

// Random draws an entry, all with the same chance, from random bits. The table must
// not be empty.
func (t *Table) Random(random uint64) Entry {
	for {
		bucket, slot := t.draw(random)
		if w := t.word(bucket); slot < w.count() {
			return t.entry(w, bucket, slot)
		}
		// The next bits: a step of splitmix64.
		random += 0x9e3779b97f4a7c15
		random = (random ^ random>>30) * 0xbf58476d1ce4e5b9
		random = (random ^ random>>27) * 0x94d049bb133111eb
		random ^= random >> 31
	}
}

// draw chooses a bucket and a slot that it may or may not have.
func (t *Table) draw(random uint64) (bucket uint64, slot int) {
	hi, lo := bits.Mul64(random, t.root.buckets)
	hi2, _ := bits.Mul64(lo, uint64(t.root.most))
	return hi, int(hi2)
}
