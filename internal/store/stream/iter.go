package stream

import (
	"math"

	"sherd/internal/heap"
	"sherd/internal/store/listpack"
)

// Iter goes over the entries between two IDs, both included, in either
// direction:
//
//	for it := s.Iter(from, to, false); it.Next(); {
//		… it.ID …
//		for it.NextField() { … it.Field(&scratch), it.Value(&scratch) … }
//	}
//
// It is valid until an entry is added or removed; groups may change.
type Iter struct {
	ID     ID
	Fields int // of the entry

	a        *heap.Arena
	last     ID // of the stream
	x        index
	spot     spot // of the node
	p        []byte
	base     ID
	master   master
	at       int // place of the next entry; or, in reverse, where it ends
	from, to ID
	reverse  bool
	open     bool // p is the node at spot
	done     bool

	entry              entry
	left               int
	fieldAt, valueAt   int // of the current field
	nextField, nextVal int // of those that follow
}

// Iter starts an iteration.
func (s *Stream) Iter(from, to ID, reverse bool) Iter {
	it := Iter{a: s.a, last: s.LastID(), x: s.nodes(), from: from, to: to, reverse: reverse}
	first := from
	if reverse {
		first = to
	}
	spot, ok := it.x.floor(s.a, first, nodeRecord)
	switch {
	case to.Less(from) || it.x.n == 0 || reverse && !ok:
		it.done = true
	case ok:
		it.spot = spot
	}
	return it
}

// Next goes to the next entry; false if there is none.
func (it *Iter) Next() bool {
	for !it.done {
		if !it.open {
			if !it.x.valid(it.spot) {
				break
			}
			r := it.x.at(it.a, it.spot, nodeRecord)
			it.base = getID(r, 0)
			if !it.reverse && it.to.Less(it.base) {
				break
			}
			it.p = viewNode(it.a, r)
			it.master = readMaster(it.p)
			it.at = it.master.firstAt
			if it.reverse {
				it.at = len(it.p) - 1 // before the end mark
			}
			it.open = true
		}
		if it.reverse && it.at <= it.master.firstAt || !it.reverse && it.p[it.at] == endMark {
			it.leave()
			continue
		}
		if it.reverse {
			it.at = entryBefore(it.p, it.at)
		}
		e := readEntry(it.p, it.at, &it.master)
		id := e.id(it.base)
		if it.reverse {
			if id.Less(it.from) {
				break
			}
			if it.to.Less(id) || e.deleted() {
				continue
			}
		} else {
			if it.to.Less(id) {
				break
			}
			if id.Less(it.from) || e.deleted() {
				it.at = e.end(it.p)
				continue
			}
		}
		it.ID, it.Fields, it.entry = id, e.fields, e
		it.left = e.fields
		it.nextField, it.nextVal = it.master.fieldsAt, e.fieldsAt
		if !e.same() {
			it.nextField = e.fieldsAt
		}
		if !it.reverse {
			it.at = e.end(it.p)
		}
		return true
	}
	it.done = true
	return false
}

// NextField goes to the entry's next field; false if there is none.
func (it *Iter) NextField() bool {
	if it.left == 0 {
		return false
	}
	it.left--
	it.fieldAt = it.nextField
	behind := skip(it.p, it.fieldAt, 1)
	if it.entry.same() {
		it.valueAt = it.nextVal
		it.nextField = behind
		it.nextVal = skip(it.p, it.valueAt, 1)
	} else {
		it.valueAt = behind
		it.nextField = skip(it.p, behind, 1)
	}
	return true
}

// Field returns the field's name, an integer as text in scratch.
func (it *Iter) Field(scratch *[24]byte) []byte { return listpack.Get(it.p, it.fieldAt, scratch) }

// Value returns the field's value, an integer as text in scratch.
func (it *Iter) Value(scratch *[24]byte) []byte { return listpack.Get(it.p, it.valueAt, scratch) }

// Rest counts the entries that are still to come, up to a limit. Nodes that lie
// within the range are not looked into. The iterator stays where it is.
func (it *Iter) Rest(most int64) (n int64) {
	c := *it
	n, _ = c.Count(most, math.MaxInt)
	return n
}

// Count is Rest in steps: it passes about steps nodes, or entries where a node has
// others too, and adds up how many entries there were. done tells whether it came to
// the end or to the limit. The iterator is good for nothing else after it.
func (it *Iter) Count(most int64, steps int) (n int64, done bool) {
	for ; n < most && !it.done; steps-- {
		if steps == 0 {
			return n, false
		}
		if !it.open && it.x.valid(it.spot) && it.whole() {
			n += liveIn(viewNode(it.a, it.x.at(it.a, it.spot, nodeRecord)))
			it.leave()
			continue
		}
		if !it.Next() {
			break
		}
		n++
		if !it.reverse && it.p[it.at] == endMark || it.reverse && it.at <= it.master.firstAt {
			it.leave()
		}
	}
	return min(n, most), true
}

// leave goes to the next node.
func (it *Iter) leave() {
	it.open = false
	if it.reverse {
		it.spot = it.x.prev(it.a, it.spot)
	} else {
		it.spot = it.x.next(it.a, it.spot)
	}
}

// whole tells whether all entries of the node at the spot lie in the range: its
// own ID does, and that of the node behind it.
func (it *Iter) whole() bool {
	if getID(it.x.at(it.a, it.spot, nodeRecord), 0).Less(it.from) {
		return false
	}
	next := it.x.next(it.a, it.spot)
	if !it.x.valid(next) {
		return !it.to.Less(it.last)
	}
	return !it.to.Less(getID(it.x.at(it.a, next, nodeRecord), 0))
}

// Has tells whether there is an entry with an ID.
func (s *Stream) Has(id ID) bool {
	it := s.Iter(id, id, false)
	return it.Next()
}
