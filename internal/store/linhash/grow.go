package linhash

import (
	"math/bits"
	"unsafe"

	"sherd/internal/heap"
)

// makeRoom splits a bucket if the table is loaded. It reports false when memory is
// exhausted.
func (t *Table) makeRoom() bool {
	r := t.root
	if r.count < r.buckets*loadCount && r.weight < r.buckets*loadWeight {
		return true
	}
	return t.split()
}

// slack tells whether a bucket is to be merged.
func (t *Table) slack() bool {
	r := t.root
	return r.buckets > 1 &&
		r.count*slackOf < r.buckets*loadCount*slackShare &&
		r.weight*slackOf < r.buckets*loadWeight*slackShare
}

// split makes one more bucket out of its sibling, whose hashes end in the same
// bits but for the highest.
func (t *Table) split() bool {
	bucket := t.root.buckets
	if !t.extend() {
		return false
	}
	bit := uint64(1) << (bits.Len64(bucket) - 1)
	from := bucket &^ bit
	w := t.word(from)
	low, high, ok := t.divide(*w, bit)
	if !ok {
		t.retract()
		return false
	}
	*w = low
	*t.word(bucket) = high
	if high&datedBucket != 0 {
		t.noteDeadline(bucket>>pageShift, t.record(from>>pageShift).dueMs)
	}
	return true
}

// divide makes two buckets out of one: the second of the entries whose hash has a
// bit set. False: out of memory, and the bucket is as it was.
func (t *Table) divide(w bucketWord, bit uint64) (low, high bucketWord, ok bool) {
	n, width := w.count(), int(t.root.width)
	var goes [(countMost + 63) / 64]uint64
	var sizes, counts [2]int
	it := t.bucketIter(&w)
	for it.Next() {
		side := 0
		if t.Hash(it.Key())&bit != 0 {
			side = 1
			goes[it.i/64] |= 1 << (it.i % 64)
		}
		counts[side]++
		sizes[side] += sizeOf(it.kc, it.vc)
	}
	switch {
	case counts[1] == 0:
		return w, 0, true
	case counts[0] == 0:
		return 0, w, true
	}
	var to [2]builder
	for side := range to {
		if !to[side].open(t, counts[side], sizes[side]) {
			if side == 1 {
				to[0].abandon(t)
			}
			return w, 0, false
		}
	}
	b := w.ptr(t.base)
	end := unsafe.Add(b, w.size())
	for i := range n {
		kc, vc := codes(b, i, width)
		end = unsafe.Add(end, -sizeOf(kc, vc))
		to[goes[i/64]>>(i%64)&1].add(load8(lane(b, i, width), 0), kc, vc, end)
	}
	t.h.Free(w.ref(), w.size())
	t.root.bytes -= uint64(w.size())
	return to[0].word, to[1].word, true
}

// merge gives the last bucket's entries to its sibling. It reports false when that
// is not possible, and the table is as good without.
func (t *Table) merge() bool {
	last := t.root.buckets - 1
	into := last &^ (1 << (bits.Len64(last) - 1))
	from, to := t.word(last), t.word(into)
	word, ok := t.join(*to, *from)
	if !ok {
		return false
	}
	*to = word
	if *from&datedBucket != 0 {
		if ms := t.record(last >> pageShift).dueMs; ms != 0 {
			t.noteDeadline(into>>pageShift, ms)
		}
	}
	t.retract()
	return true
}

// join makes one bucket out of two.
func (t *Table) join(x, y bucketWord) (bucketWord, bool) {
	if x == 0 || y == 0 {
		return x | y, true
	}
	width := int(t.root.width)
	n := x.count() + y.count()
	size := sizesBefore(x.ptr(t.base), x.count(), width) + sizesBefore(y.ptr(t.base), y.count(), width)
	var to builder
	if n > countMost || !to.open(t, n, size) {
		return 0, false
	}
	for _, w := range [...]bucketWord{x, y} {
		b := w.ptr(t.base)
		end := unsafe.Add(b, w.size())
		for i := range w.count() {
			kc, vc := codes(b, i, width)
			end = unsafe.Add(end, -sizeOf(kc, vc))
			to.add(load8(lane(b, i, width), 0), kc, vc, end)
		}
		t.h.Free(w.ref(), w.size())
		t.root.bytes -= uint64(w.size())
	}
	t.root.most = max(t.root.most, uint32(n))
	return to.word, true
}

// builder fills a bucket.
type builder struct {
	word  bucketWord
	b     unsafe.Pointer
	end   unsafe.Pointer
	i     int
	width int
}

// open allocates the block of n entries that take size bytes.
func (u *builder) open(t *Table, n, size int) bool {
	u.width = int(t.root.width)
	need := groups(n, u.width) + size
	fit := heap.ClassSize(need)
	if fit > sizeMost*8 {
		return false
	}
	r := t.h.Alloc(need)
	if r == 0 {
		return false
	}
	t.root.bytes += uint64(fit)
	u.word = bucketWord(0).placed(r, fit)
	u.b = refPtr(t.base, r)
	u.end = unsafe.Add(u.b, fit)
	return true
}

func (u *builder) abandon(t *Table) {
	t.h.Free(u.word.ref(), u.word.size())
	t.root.bytes -= uint64(u.word.size())
}

// add adds an entry whose bytes are at p.
func (u *builder) add(fp, kc, vc uint8, p unsafe.Pointer) {
	setLane(u.b, u.i, u.width, fp, kc, vc)
	n := sizeOf(kc, vc)
	u.end = unsafe.Add(u.end, -n)
	copy(bytesAt(u.end, n), bytesAt(p, n))
	u.i++
	u.word += oneEntry
	if kc&dated != 0 {
		u.word |= datedBucket
	}
}

// extend makes the directory one bucket longer; it is empty.
func (t *Table) extend() bool {
	r := t.root
	bucket := r.buckets
	page := bucket >> pageShift
	switch {
	case page == 0 && bucket == uint64(r.page0):
		if !t.sizePage0(r.page0 * 2) {
			return false
		}
	case bucket%pageLen == 0:
		if page == uint64(r.pages) && !t.sizeRoot(r.pages+r.pages/8+1) {
			return false
		}
		ref := t.h.Alloc(pageLen * 8)
		if ref == 0 {
			return false
		}
		t.root.bytes += pageLen * 8
		*t.record(page) = pageRecord{ref: ref}
	}
	t.root.buckets++
	*t.word(bucket) = 0
	return true
}

// retract takes the last bucket out of the directory.
func (t *Table) retract() {
	r := t.root
	r.buckets--
	switch {
	case r.buckets >= pageLen && r.buckets%pageLen == 0:
		p := t.record(r.buckets >> pageShift)
		t.h.Free(p.ref, pageLen*8)
		r.bytes -= pageLen * 8
		*p = pageRecord{}
		if n := uint32(r.buckets >> pageShift); r.pages > 2*n {
			t.sizeRoot(n)
		}
	case r.buckets < uint64(r.page0)/4 && r.page0 > pageLeast:
		t.sizePage0(r.page0 / 2)
	}
}

// sizePage0 gives the first page room for n buckets.
func (t *Table) sizePage0(n uint32) bool {
	p := t.record(0)
	ref := t.h.Grow(p.ref, int(t.root.page0)*8, int(n)*8)
	if ref == 0 {
		return false
	}
	p.ref = ref
	t.root.bytes += uint64(heap.ClassSize(int(n)*8) - heap.ClassSize(int(t.root.page0)*8))
	t.root.page0 = n
	return true
}

// sizeRoot gives the root room for n page records, or a few more.
func (t *Table) sizeRoot(n uint32) bool {
	had := rootSize + int(t.root.pages)*recordSize
	size := heap.ClassSize(rootSize + int(n)*recordSize)
	ref := t.h.Grow(t.ref, had, size)
	if ref == 0 {
		return false
	}
	t.ref, t.root = ref, (*root)(refPtr(t.base, ref))
	t.root.bytes += uint64(size - heap.ClassSize(had))
	t.root.pages = uint32((size - rootSize) / recordSize)
	return true
}
