package linhash

import (
	"unsafe"

	"sherd/internal/heap"
)

// Free frees about budget blocks of a table and returns what is left of it, to be
// freed later, 0 when nothing is. What was begun can only be gone on with.
func Free(h *heap.Heap, ref heap.Ref, budget int) heap.Ref {
	t := Open(h, ref)
	r := t.root
	for r.buckets > 0 && budget > 0 {
		w := t.word(r.buckets - 1)
		if *w != 0 {
			budget -= 1 + t.dropAllOutside(w)
			h.Free(w.ref(), w.size())
		}
		if r.buckets--; r.buckets >= pageLen && r.buckets%pageLen == 0 {
			h.Free(t.record(r.buckets>>pageShift).ref, pageLen*8)
		}
	}
	if r.buckets > 0 {
		return ref
	}
	h.Free(t.record(0).ref, int(r.page0)*8)
	h.Free(ref, rootSize+int(r.pages)*recordSize)
	return 0
}

// dropAllOutside frees what a bucket's entries have outside of it and returns how
// many blocks that was.
func (t *Table) dropAllOutside(w *bucketWord) (n int) {
	width := int(t.root.width)
	b := w.ptr(t.base)
	any := uint64(0)
	for g := 0; g < groups(w.count(), width); g += width {
		any |= load64(b, uintptr(g+keyCodes))
		if width == hashWidth {
			any |= load64(b, uintptr(g+valCodes))
		}
	}
	if any&(outside*everyByte) == 0 {
		return 0
	}
	for it := t.bucketIter(w); it.Next(); {
		if (it.kc|it.vc)&outside != 0 {
			t.dropOutside(&it.Entry)
			n++
		}
	}
	return n
}

// copyBucket fills a bucket, so far empty, with a copy of s'. False: out of memory,
// and it is empty, or complete but for entries it does not have.
func (t *Table) copyBucket(s *Table, bucket uint64) bool {
	w := *s.word(bucket)
	if w == 0 {
		return true
	}
	r := t.h.Alloc(w.size())
	if r == 0 {
		return false
	}
	t.root.bytes += uint64(w.size())
	b := refPtr(t.base, r)
	copy(bytesAt(b, w.size()), bytesAt(w.ptr(s.base), w.size()))
	*t.word(bucket) = w.placed(r, w.size())
	return t.copyOutside(t.word(bucket), s)
}

// copyOutside replaces the places in a bucket copied from s by copies of their own.
// When memory is exhausted it leaves the bucket empty.
func (t *Table) copyOutside(w *bucketWord, s *Table) bool {
	n := w.count()
	for it := t.bucketIter(w); it.Next(); {
		for part, code := range [...]uint8{it.kc, it.vc} {
			if code&outside == 0 {
				continue
			}
			p := unsafe.Add(it.p, int(it.kc&dated)>>3)
			if part == 1 {
				p = unsafe.Add(it.end, -int(it.vc&valSize))
			}
			r, size := placeAt(p)
			own := t.keep(bytesAt(refPtr(s.base, r), size))
			if own == 0 {
				t.undoCopy(w, it.i, part, n)
				return false
			}
			putPlace(p, own, size)
		}
	}
	return true
}

// undoCopy empties a bucket of which the first i entries, and part parts of the
// next, have places of their own.
func (t *Table) undoCopy(w *bucketWord, i, part, n int) {
	it := t.bucketIter(w)
	for k := 0; k <= i && it.Next(); k++ {
		if k == i {
			if it.vc = 0; part == 0 {
				it.kc &^= outside
			}
		}
		t.dropOutside(&it.Entry)
	}
	t.h.Free(w.ref(), w.size())
	t.root.bytes -= uint64(w.size())
	*w = 0
}
