package dash

import (
	"math/bits"
	"unsafe"

	"sherd/internal/heap"
	"sherd/internal/invariants"
)

// Shrink tends one segment: entries and bytes in memory that the heap wants empty
// move, a sparse segment gets smaller, and two sparse halves of what was one
// segment merge. It returns where to go on, 0 after the last segment, and how many
// blocks it moved. A whole pass after PlanEvacuation is what defragments a table.
func (t *Table) Shrink(h *heap.Heap, cursor uint64) (next uint64, moved int) {
	base := h.Arena().Base()
	if cursor == 0 {
		moved += t.moveDirectory(h)
	}
	hash := cursorHash(cursor)
	seg := t.segOf(base, hash)
	if seg == 0 {
		return 0, moved
	}
	seg, n := t.shrinkSegment(h, hash, seg)
	moved += n
	for w := walk(base, seg); w.next(); {
		moved += moveEntry(h, base, w)
	}
	next = segmentEnd(seg, cursor)
	if invariants.Enabled {
		t.mustBeSound(base, hash)
	}
	if next == 0 {
		t.flatten(h)
		if t.count == 0 {
			t.release(h)
		}
	}
	return next, moved
}

// shrinkSegment merges, shrinks or moves the segment itself.
func (t *Table) shrinkSegment(h *heap.Heap, hash uint64, seg segWord) (segWord, int) {
	base := h.Arena().Base()
	for seg.depth() > 0 {
		merged := t.merge(h, hash, seg)
		if merged == 0 {
			break
		}
		seg = merged
	}
	hd := header(seg.ptr(base), seg.n())
	n := fit(countOf(base, seg))
	if n*8 > seg.n()*7 {
		if !h.Evacuating(seg.ref()) && !chainEvacuating(h, base, hd) {
			return seg, 0
		}
		n = seg.n()
	}
	for ; n != 0 && n <= seg.n(); n = int(nextStep[n]) {
		to := t.newSegment(h, n, seg.depth())
		if to == 0 {
			break
		}
		if t.refill(h, to, seg, all) {
			t.setSeg(base, hash, to)
			t.freeSegment(h, seg)
			return to, 1
		}
		t.freeSegment(h, to)
	}
	return seg, 0
}

func chainEvacuating(h *heap.Heap, base, hd unsafe.Pointer) bool {
	for r := load64(hd, chainOff); r != 0; r = load64(refPtr(base, r), 0) {
		if h.Evacuating(heap.Ref(r)) {
			return true
		}
	}
	return false
}

// merge joins a segment with its other half if both together stay well below the
// size at which a segment splits; 0 if not.
func (t *Table) merge(h *heap.Heap, hash uint64, seg segWord) segWord {
	const most = maxBuckets * 5 / 8
	base := h.Arena().Base()
	depth := seg.depth()
	bit := uint64(1) << (64 - dirTop - depth)
	other := t.segOf(base, hash^bit)
	if other.depth() != depth {
		return 0
	}
	count := countOf(base, seg) + countOf(base, other)
	if count > fits(most) {
		return 0
	}
	for n := fit(count); n != 0 && n <= most; n = int(nextStep[n]) {
		to := t.newSegment(h, n, depth-1)
		if to == 0 {
			return 0
		}
		if !t.refill(h, to, seg, all) || !t.carryAll(h, to, other, walk(base, other), all) {
			t.freeSegment(h, to)
			continue
		}
		if depth == t.depth() {
			t.deep -= 2
		}
		t.setSeg(base, hash&^bit, to)
		t.freeSegment(h, seg)
		t.freeSegment(h, other)
		return to
	}
	return 0
}

// countOf counts the entries of a segment. No count is kept: that would be one more
// cache line for every insertion and deletion.
func countOf(base unsafe.Pointer, seg segWord) (count int) {
	b := seg.ptr(base)
	hd := header(b, seg.n())
	for ; ; b = bucketAt(b, 1) {
		count += bits.OnesCount64(occupied(b))
		if b == hd {
			break
		}
	}
	for r := load64(hd, chainOff); r != 0; {
		b := refPtr(base, r)
		count += bits.OnesCount64(occupied(b))
		r = load64(b, 0)
	}
	return count
}

// moveEntry moves the blocks of an entry that stand in memory to be emptied.
func moveEntry(h *heap.Heap, base unsafe.Pointer, w walker) (moved int) {
	word := w.word
	if r := heap.Ref(word & refMask); h.Evacuating(r) {
		n := max(blockSize(refPtr(base, word), word), 1)
		if to := moveBlock(h, r, n); to != 0 {
			word = word&^refMask | uint64(to)
			*(*uint64)(w.slot) = word
			moved++
		}
	}
	if word&general == 0 || word>>kindShift&kindMask != uint64(String) {
		return moved
	}
	p := refPtr(base, word)
	f := load8(p, flagsOff)
	if f&hasExtern == 0 {
		return moved
	}
	x := load64(p, externOff(f))
	if h.Evacuating(externRef(x)) {
		if to := moveBlock(h, externRef(x), externCap(x)); to != 0 {
			store64(p, externOff(f), makeExtern(to, externCap(x)))
			moved++
		}
	}
	return moved
}

// moveBlock moves a block of n bytes; 0 if there is no memory for it.
func moveBlock(h *heap.Heap, r heap.Ref, n int) heap.Ref {
	to := h.Alloc(n)
	if to != 0 {
		a := h.Arena()
		copy(a.Bytes(to, n), a.Bytes(r, n))
		h.Free(r, n)
	}
	return to
}

// moveDirectory moves the directory if it stands in memory to be emptied.
func (t *Table) moveDirectory(h *heap.Heap) int {
	r := segWord(t.root)
	if r.depth() == 0 || !h.Evacuating(r.ref()) {
		return 0
	}
	to := moveBlock(h, r.ref(), 8<<r.depth())
	if to == 0 {
		return 0
	}
	t.setRoot(makeSeg(to, 0, r.depth()))
	return 1
}
