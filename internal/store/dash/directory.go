package dash

import (
	"sync/atomic"
	"unsafe"

	"sherd/internal/heap"
)

// The directory of depth d is 1<<d segWords. A segment of depth l stands in
// 1<<(d-l) of them, one after the other; the directory's bits are the hash's from
// the highest down, so that segments lie in the order of their hashes. A table of
// one segment has no directory.

func dirEntry(base unsafe.Pointer, dir segWord, i uint64) segWord {
	return *(*segWord)(unsafe.Add(dir.ptr(base), uintptr(i)<<3))
}

func (t *Table) setRoot(r segWord) { atomic.StoreUint64(&t.root, uint64(r)) }

// depth returns the depth of the directory.
func (t *Table) depth() int { return segWord(t.root).depth() }

// setSeg puts seg, of the given depth, in all entries of the hash's prefix.
func (t *Table) setSeg(base unsafe.Pointer, hash uint64, seg segWord) {
	r, l := segWord(t.root), seg.depth()
	d := r.depth()
	if d == 0 {
		t.setRoot(seg)
		return
	}
	n := uint64(1) << (d - l)
	first := hash << dirTop >> (64 - d) &^ (n - 1)
	for i := first; i < first+n; i++ {
		store64(r.ptr(base), uintptr(i)<<3, uint64(seg))
	}
}

// deepen doubles the directory. False: out of memory.
func (t *Table) deepen(h *heap.Heap) bool {
	old := segWord(t.root)
	d := old.depth()
	size := 8 << (d + 1)
	ref := h.Alloc(size)
	if ref == 0 {
		return false
	}
	base := h.Arena().Base()
	p := h.Arena().Ptr(ref)
	for i := range uint64(1) << d {
		seg := old
		if d > 0 {
			seg = dirEntry(base, old, i)
		}
		store64(p, uintptr(i)<<4, uint64(seg))
		store64(p, uintptr(i)<<4+8, uint64(seg))
	}
	t.bytes += int64(heap.ClassSize(size))
	t.setRoot(makeSeg(ref, 0, d+1))
	if d > 0 {
		t.freeDirectory(h, old)
	}
	t.deep = 0
	return true
}

// flatten halves the directory while no segment needs its last bit.
func (t *Table) flatten(h *heap.Heap) {
	for t.deep == 0 && t.depth() > 0 {
		old := segWord(t.root)
		d := old.depth() - 1
		base := h.Arena().Base()
		if d == 0 {
			t.setRoot(dirEntry(base, old, 0))
			t.freeDirectory(h, old)
			t.deep = 1
			return
		}
		size := 8 << d
		ref := h.Alloc(size)
		if ref == 0 {
			return
		}
		p := h.Arena().Ptr(ref)
		for i := range uint64(1) << d {
			seg := dirEntry(base, old, i<<1)
			store64(p, uintptr(i)<<3, uint64(seg))
			if seg.depth() == d {
				t.deep++
			}
		}
		t.bytes += int64(heap.ClassSize(size))
		t.setRoot(makeSeg(ref, 0, d))
		t.freeDirectory(h, old)
	}
}

func (t *Table) freeDirectory(h *heap.Heap, dir segWord) {
	size := 8 << dir.depth()
	h.Free(dir.ref(), size)
	t.bytes -= int64(heap.ClassSize(size))
}
