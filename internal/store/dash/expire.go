package dash

import (
	"unsafe"

	"sherd/internal/heap"
)

// Deadlines are found by hints. A segment's header holds a time that no deadline
// in it precedes, and so does the table. Insertions lower a hint; deletions leave
// it, so it may be too early. A visit that finds nothing due raises the segment's
// hint to what it saw, and a whole pass of Expired raises the table's.

// sweep is the memory of a pass of Expired.
type sweep struct {
	at      uint64 // the cursor that continues the pass; 0: no pass is under way
	soonest int64  // the least hint met, or deadline set, since the pass began
}

// NextDeadline returns a time before which nothing in the table is due.
func (t *Table) NextDeadline() int64 {
	if t.volatile == 0 || t.soonest == 0 {
		return noDeadline
	}
	return t.soonest
}

// noteDeadline lowers the hints for a deadline just set in a segment.
func (t *Table) noteDeadline(base unsafe.Pointer, seg segWord, ms int64) {
	lowerHint(base, seg, ms)
	if t.soonest == 0 || ms < t.soonest || t.volatile == 1 {
		t.soonest = ms
	}
	if ms < t.sweep.soonest {
		t.sweep.soonest = ms
	}
}

func hintOf(base unsafe.Pointer, seg segWord) int64 {
	return int64(load64(header(seg.ptr(base), seg.n()), soonestOff))
}

func lowerHint(base unsafe.Pointer, seg segWord, ms int64) {
	hd := header(seg.ptr(base), seg.n())
	if ms < int64(load64(hd, soonestOff)) {
		store64(hd, soonestOff, uint64(ms))
	}
}

// Expired appends the entries of one segment whose deadline is at or before nowMs
// and returns where to go on; 0 ends the pass and starts one. Segments that have
// nothing due are passed over, some dozens in one call. An entry that is not
// deleted is found again by the next pass.
func (t *Table) Expired(h *heap.Heap, cursor uint64, nowMs int64, dst []Entry) ([]Entry, uint64) {
	const hops = 64
	if t.volatile == 0 {
		return dst, 0
	}
	base := h.Arena().Base()
	if cursor != t.sweep.at || cursor == 0 {
		t.sweep = sweep{soonest: noDeadline}
		if cursor != 0 {
			t.sweep.soonest = 0 // joined half-way: proves nothing
		}
	}
	for range hops {
		seg := t.segOf(base, cursorHash(cursor))
		if seg == 0 {
			cursor = 0
			break
		}
		found := false
		if hintOf(base, seg) <= nowMs {
			dst, found = dueIn(base, seg, nowMs, dst)
		}
		t.sweep.soonest = min(t.sweep.soonest, hintOf(base, seg))
		cursor = segmentEnd(seg, cursor)
		if found || cursor == 0 {
			break
		}
	}
	t.sweep.at = cursor
	if cursor == 0 && t.sweep.soonest > t.soonest {
		t.soonest = t.sweep.soonest
	}
	return dst, cursor
}

// ExpiredNear appends the due entries of the segment that a hash falls in: what to
// drop before an insertion for which Crowded holds.
func (t *Table) ExpiredNear(h *heap.Heap, hash uint64, nowMs int64, dst []Entry) []Entry {
	base := h.Arena().Base()
	if seg := t.segOf(base, hash); seg != 0 && hintOf(base, seg) <= nowMs {
		dst, _ = dueIn(base, seg, nowMs, dst)
	}
	return dst
}

// Crowded reports whether an insertion for a hash may make its segment grow.
func (t *Table) Crowded(h *heap.Heap, hash uint64) bool {
	base := h.Arena().Base()
	seg := t.segOf(base, hash)
	if seg == 0 {
		return false
	}
	n := seg.n()
	p := seg.ptr(base)
	homes := homesOf(n)
	if homes == 0 {
		return freeSlotFrom(p, headerSlots) < 0
	}
	i := homeOf(posOf(hash, fpOf(hash)), homes)
	b := bucketAt(p, i)
	return freeSlot(b) < 0 && (i+1 >= uintptr(homes) || freeSlot(bucketAt(b, 1)) < 0)
}

// dueIn appends the due entries of a segment. If there is none the segment's hint
// becomes exact.
func dueIn(base unsafe.Pointer, seg segWord, nowMs int64, dst []Entry) ([]Entry, bool) {
	soonest := int64(noDeadline)
	for w := walk(base, seg); w.next(); {
		if w.word&volatile == 0 {
			continue
		}
		ms := deadlineOf(refPtr(base, w.word), w.word)
		soonest = min(soonest, ms)
		if ms <= nowMs {
			dst = append(dst, Entry{base, w.slot, seg})
		}
	}
	store64(header(seg.ptr(base), seg.n()), soonestOff, uint64(soonest))
	return dst, soonest <= nowMs
}
