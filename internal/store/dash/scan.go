package dash

import (
	"math/bits"
	"unsafe"

	"sherd/internal/heap"
)

// Cursors. Those of Expired and Shrink are the first maxDepth directory bits of a
// segment's hashes. Those of ScanStep also say how deep the segment was and where
// in it the walk stands, because segments split and merge between two steps:
//
//	bits 14–36  the segment's prefix on top, then a one, then zeros
//	bits  0–13  positions below this one are done
//
// A segment is walked in the order of positions, which growing and shrinking keep.
// When it has split since, each half is walked from the position on; when it has
// merged, the merged one is walked from its start. So an entry may come twice, but
// one that is there from the first step to the last is never left out.

// ScanStep appends the entries of one home bucket and returns where to go on. A
// walk starts with cursor 0 and has ended when 0 is returned.
func (t *Table) ScanStep(h *heap.Heap, cursor uint64, dst []Entry) ([]Entry, uint64) {
	base := h.Arena().Base()
	place := cursor >> posBits & (1<<(maxDepth+1) - 1)
	pos := cursor & (1<<posBits - 1)
	was := 0 // depth of the segment that the cursor was made for
	if place != 0 {
		was = maxDepth - bits.TrailingZeros64(place)
	}
	prefix := place & (place - 1) >> 1 // without the marker: maxDepth bits
	hash := prefix << (64 - dirTop - maxDepth)
	seg := t.segOf(base, hash)
	if seg == 0 {
		return dst, 0
	}
	if seg.depth() < was {
		pos = 0
	}
	n := seg.n()
	homes := homesOf(n)
	i := homeOf(pos, homes)
	dst = appendHome(dst, base, seg, i, pos)
	// The first position of the next home.
	i++
	if uint64(i) < homes {
		pos = (uint64(i)<<posBits + homes - 1) / homes
	} else {
		next := segmentEnd(seg, prefix)
		if next == 0 {
			return dst, 0
		}
		prefix, pos = next, 0
	}
	prefix &= ^uint64(0) << (maxDepth - seg.depth())
	return dst, (prefix<<1|1<<(maxDepth-seg.depth()))<<posBits | pos
}

// cursorHash returns the least hash of the segment at a cursor.
func cursorHash(cursor uint64) uint64 {
	return cursor & (1<<maxDepth - 1) << (64 - dirTop - maxDepth)
}

// segmentEnd returns the cursor after the segment that a cursor lies in; 0 after
// the last.
func segmentEnd(seg segWord, cursor uint64) uint64 {
	width := uint64(1) << (maxDepth - seg.depth())
	return (cursor&^(width-1) + width) & (1<<maxDepth - 1)
}

// appendHome appends the entries whose home is bucket i and whose position is not
// below pos.
func appendHome(dst []Entry, base unsafe.Pointer, seg segWord, i uintptr, pos uint64) []Entry {
	p, n := seg.ptr(base), seg.n()
	homes := homesOf(n)
	b := bucketAt(p, i)
	dst = appendFrom(dst, base, seg, b, i, pos)
	if homes == 0 {
		return dst
	}
	if load8(b, nextOff) != 0 {
		dst = appendFrom(dst, base, seg, bucketAt(b, 1), i, pos)
	}
	if load8(b, stashOff) == 0 {
		return dst
	}
	hd := header(p, n)
	dst = appendFrom(dst, base, seg, hd, i, pos)
	for r := load64(hd, chainOff); r != 0; {
		cb := refPtr(base, r)
		dst = appendFrom(dst, base, seg, cb, i, pos)
		r = load64(cb, 0)
	}
	return dst
}

func appendFrom(dst []Entry, base unsafe.Pointer, seg segWord, b unsafe.Pointer, i uintptr, pos uint64) []Entry {
	homes := homesOf(seg.n())
	for set := occupied(b); set != 0; set = restSlots(set) {
		k := firstSlot(set)
		s := unsafe.Add(b, k*8)
		at := slotPos(*(*uint64)(s), fpAt(b, k))
		if at >= pos && homeOf(at, homes) == i {
			dst = append(dst, Entry{base, s, seg})
		}
	}
	return dst
}

// Random returns an entry chosen by r, near enough to uniformly: a segment by its
// share of the hashes, then a bucket, then one of its entries.
func (t *Table) Random(h *heap.Heap, r uint64) (Entry, bool) {
	if t.count == 0 {
		return Entry{}, false
	}
	base := h.Arena().Base()
	cursor := r & (1<<maxDepth - 1)
	r >>= maxDepth
	for {
		seg := t.segOf(base, cursorHash(cursor))
		p, n := seg.ptr(base), seg.n()
		// A slot by chance, as long as the chances are fair.
		for x, k := r, 0; k < 64; k++ {
			x = x*0x9e3779b97f4a7c15 + 0x632be59bd9b4e019
			slot := x >> 32 * uint64(n*bucketSlots) >> 32
			b := bucketAt(p, uintptr(slot/bucketSlots))
			if i := uintptr(slot % bucketSlots); load8(b, fpOff+i) != 0 {
				return Entry{base, unsafe.Add(b, i*8), seg}, true
			}
		}
		if count := countOf(base, seg); count > 0 {
			w := walk(base, seg)
			for skip := r % uint64(count); w.next() && skip > 0; skip-- {
			}
			return Entry{base, w.slot, seg}, true
		}
		cursor = segmentEnd(seg, cursor)
	}
}
