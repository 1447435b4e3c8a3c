package zset

import (
	"math/bits"
	"slices"

	"github.com/zeebo/xxh3"
)

// segmentOf is the number of the segment that a hash belongs to.
func (t tree) segmentOf(hash uint64) uint32 {
	n := t.r.segments.count
	mask := uint32(1)<<bits.Len32(n-1) - 1
	if i := uint32(hash) & mask; i < n {
		return i
	}
	return uint32(hash) & (mask >> 1)
}

// depthOf is how many low bits of the hash decide that it is segment i's.
func (t tree) depthOf(i uint32) uint8 {
	n := t.r.segments.count
	depth := bits.Len32(n - 1)
	if depth > 0 && i|1<<(depth-1) >= n {
		depth--
	}
	return uint8(depth)
}

func (t tree) segment(i uint32) *segment { return segmentAt(t.a, *t.r.segments.at(t.a, i)) }

// spot is where a member is, or is not.
type spot struct {
	hash uint64
	id   uint32 // of the leaf; 0: the member is not in the set
	at   int    // within the leaf
}

// find looks a member up.
func (t tree) find(m []byte) spot {
	hash := t.hash(m)
	s := t.segment(t.segmentOf(hash))
	tag, hint := tagOf(hash), hintOf(hash, s.base)
	for i := s.seek(s.home(tag), tag); i >= 0; i = s.seek(i+1, tag) {
		e := s.slot(i)
		if e>>hintShift&hintMask != hint {
			continue
		}
		id := uint32(e & idMask)
		if at := t.leaf(id).find(t.a, byte(hash), m); at >= 0 {
			return spot{hash, id, at}
		}
	}
	return spot{hash: hash}
}

// entry finds the slot of an entry that must be there.
func (s *segment) entry(hash uint64, id uint32) int {
	tag := tagOf(hash)
	want := tag<<tagShift | hintOf(hash, s.base)<<hintShift | uint64(id)
	for i := s.seek(s.home(tag), tag); i >= 0; i = s.seek(i+1, tag) {
		if s.slot(i) == want {
			return i
		}
	}
	panic("zset: a member is not in the index")
}

// retarget changes the leaf of an entry.
func (t tree) retarget(hash uint64, from, to uint32) {
	s := t.segment(t.segmentOf(hash))
	i := s.entry(hash, from)
	s.setSlot(i, s.slot(i)&^idMask|uint64(to))
}

// enter adds an entry; false: out of memory, and nothing was changed.
func (t tree) enter(hash uint64, id uint32) bool {
	if n := t.r.segments.count; t.r.count >= uint64(n)*splitAt {
		t.splitSegment() // should it fail, the segments are only longer
	}
	i := t.segmentOf(hash)
	s := t.segment(i)
	if int(s.n+1)*100 > maxLoad*int(s.slots) {
		if s = t.resizeSegment(i, slotsFor(int(s.n)+1)); s == nil {
			return false
		}
	}
	for {
		e := tagOf(hash)<<tagShift | hintOf(hash, s.base)<<hintShift | uint64(id)
		if s.insert(e) {
			return true
		}
		if s = t.resizeSegment(i, int(s.slots)+int(s.slots)/8+8); s == nil {
			return false
		}
	}
}

// leave removes an entry.
func (t tree) leave(hash uint64, id uint32) {
	i := t.segmentOf(hash)
	s := t.segment(i)
	s.removeAt(s.entry(hash, id))
	if s.slots > 2*minSlots && int(s.slots) > sparseFactor*int(s.n) {
		t.resizeSegment(i, slotsFor(int(s.n)))
	}
	if n := t.r.segments.count; n > 1 && t.r.count < uint64(n)*joinAt {
		t.joinSegment()
	}
}

// roomy is scratch for the entries of a segment; more than it holds are rare.
type roomy [3 * perSegment]item

// resizeSegment rebuilds a segment with another number of slots; nil: out of
// memory, and it stands as it was.
func (t tree) resizeSegment(i uint32, slots int) *segment {
	if slots > 1<<15 {
		return nil
	}
	var space roomy
	w := t.r.segments.at(t.a, i)
	s := segmentAt(t.a, *w)
	ref := newSegment(t.h, slots, s.base, s.list(space[:0]))
	if ref == 0 {
		return nil
	}
	freeSegment(t.h, *w)
	*w = ref
	return segmentAt(t.a, ref)
}

// splitSegment adds a segment and moves entries of another one there.
func (t tree) splitSegment() bool {
	last := t.r.segments.count
	depth := uint8(bits.Len32(last) - 1)
	low := last &^ (1 << depth)
	if !t.r.segments.push(t.h, 0) {
		return false
	}
	w := t.r.segments.at(t.a, low)
	s := segmentAt(t.a, *w)
	var space, zeros, ones roomy
	base, entries := s.base, s.list(space[:0])
	if depth >= base+hintBits {
		base, entries = depth, t.rehash(entries, low, depth)
	}
	stay, move := zeros[:0], ones[:0]
	for _, e := range entries {
		if e>>(hintShift+depth-base)&1 == 0 {
			stay = append(stay, e)
		} else {
			move = append(move, e)
		}
	}
	a := newSegment(t.h, slotsFor(len(stay)), base, stay)
	b := newSegment(t.h, slotsFor(len(move)), base, move)
	if a == 0 || b == 0 {
		if a != 0 {
			freeSegment(t.h, a)
		}
		if b != 0 {
			freeSegment(t.h, b)
		}
		t.r.segments.pop(t.h)
		return false
	}
	freeSegment(t.h, *w)
	*w = a
	*t.r.segments.at(t.a, last) = b
	return true
}

// slotsFor is how many slots a segment gets that is made for n entries.
func slotsFor(n int) int { return n*100/newLoad + 1 }

// rehash makes the entries of a segment anew, with the hint from bit base on, by
// a look at the members.
func (t tree) rehash(entries []item, segment uint32, base uint8) []item {
	for i := range entries {
		entries[i] &= idMask
	}
	slices.Sort(entries)
	ids := slices.Compact(entries)
	var known [3 * perSegment]uint32
	list := known[:0]
	for _, id := range ids {
		list = append(list, uint32(id))
	}
	entries = entries[:0]
	mask := uint64(1)<<base - 1
	for _, id := range list {
		l := t.leaf(id)
		for i, print := range l.prints() {
			if (uint64(print)^uint64(segment))&mask&0xff != 0 {
				continue
			}
			hash := xxh3.HashSeed(l.member(t.a, i), t.r.seed)
			if hash&mask == uint64(segment) {
				entries = append(entries, tagOf(hash)<<tagShift|hintOf(hash, base)<<hintShift|uint64(id))
			}
		}
	}
	slices.Sort(entries)
	return entries
}

// joinSegment gives the last segment's entries to the one they came from.
func (t tree) joinSegment() {
	last := t.r.segments.count - 1
	depth := uint8(bits.Len32(last) - 1)
	low := last &^ (1 << depth)
	w := t.r.segments.at(t.a, low)
	s, gone := segmentAt(t.a, *w), t.segment(last)
	base := min(s.base, gone.base, depth)
	var space roomy
	entries := rebased(s, space[:0], uint64(low), base)
	entries = rebased(gone, entries, uint64(last), base)
	slices.Sort(entries)
	ref := newSegment(t.h, slotsFor(len(entries)), base, entries)
	if ref == 0 {
		return
	}
	freeSegment(t.h, *w)
	*w = ref
	freeSegment(t.h, *t.r.segments.at(t.a, last))
	t.r.segments.pop(t.h)
}

// rebased lists the entries of segment number i with their hints from an earlier
// bit on. The bits before the hint are those of the number.
func rebased(s *segment, to []item, i uint64, base uint8) []item {
	from := len(to)
	to = s.list(to)
	for j, e := range to[from:] {
		known := i | e>>hintShift&hintMask<<s.base
		to[from+j] = e&^(hintMask<<hintShift) | known>>base&hintMask<<hintShift
	}
	return to
}
