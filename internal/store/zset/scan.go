package zset

import (
	"math/bits"

	"github.com/zeebo/xxh3"
)

// A cursor is a place in the order in which the index is walked through: segments
// by their numbers with the bits reversed, so that one that is divided is followed
// by its other half, and in a segment by tags.
//
//	 48                22 21    16 15      0
//	┌───────────────────┬────────┬─────────┐
//	│ reversed number   │ depth  │ tag     │
//	└───────────────────┴────────┴─────────┘
//
// The depth is the segment's when it was left. If it is less by then, the segment
// has taken in its other half, whose tags before the cursor's have not been seen:
// it is begun again.
const (
	placeBits  = 27
	placeShift = 22
	depthShift = 16
)

// Item is a member and its score.
type Item struct {
	Member []byte // good until the set's next change
	Score  float64
}

// Scan appends about count items of a large set, those at a cursor and after it,
// and returns the cursor of the next; both ends of the walk are 0. Who is a member
// from the first call to the last is seen; some may be seen twice.
func (s *Set) Scan(cursor uint64, count int, to []Item) ([]Item, uint64) {
	t := s.tree()
	place := uint32(cursor >> placeShift & (1<<placeBits - 1))
	depth := uint8(cursor >> depthShift & 63)
	tag := cursor & 0xffff
	for {
		i := t.segmentOf(uint64(bits.Reverse32(place << (32 - placeBits))))
		now := t.depthOf(i)
		begin := bits.Reverse32(i) >> (32 - placeBits)
		if now < depth || begin != place {
			tag = 0
		}
		var done bool
		if to, tag, done = t.scanSegment(i, tag, count, to); !done {
			return to, uint64(begin)<<placeShift | uint64(now)<<depthShift | tag
		}
		depth, tag = 0, 0
		place = begin + 1<<(placeBits-now)
		if place>>placeBits != 0 || now == 0 {
			return to, 0
		}
		if len(to) >= count {
			return to, uint64(place) << placeShift
		}
	}
}

// scanSegment appends the items of a segment from a tag on until there are count,
// and those of the last one's tag. It returns the next tag, or done.
func (t tree) scanSegment(i uint32, tag uint64, count int, to []Item) ([]Item, uint64, bool) {
	s := t.segment(i)
	mask := uint64(1)<<t.depthOf(i) - 1
	last := item(0)
	for j := s.home(tag); j < int(s.slots); j++ {
		e := s.slot(j)
		if e == 0 || e>>tagShift < tag || e == last {
			continue
		}
		if len(to) >= count && e>>tagShift != last>>tagShift {
			return to, e >> tagShift, false
		}
		last = e
		l := t.leaf(uint32(e & idMask))
		for k, print := range l.prints() {
			if (uint64(print)^uint64(i))&mask&0xff != 0 {
				continue
			}
			m := l.member(t.a, k)
			hash := xxh3.HashSeed(m, t.r.seed)
			if hash&mask == uint64(i) && tagOf(hash) == e>>tagShift && hintOf(hash, s.base) == e>>hintShift&hintMask {
				to = append(to, Item{m, l.score(k)})
			}
		}
	}
	return to, 0, true
}
