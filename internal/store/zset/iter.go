package zset

import (
	"sherd/internal/store/listpack"
)

// Iter walks through members in order, until the next change of the set.
//
//	for it := s.Iter(rank, false); it.Next(); {
//		it.Member(), it.Score()
//	}
type Iter struct {
	t       tree
	p       path
	l       leaf
	packed  []byte // nil: a large set
	from    int    // packed: place of the next member; -1: the walk is over
	item    int    // packed: place of the member; else its index in the leaf
	slot    int    // large: where the item's slot begins
	reverse bool
	begun   bool
	over    bool
	scratch [24]byte
}

// Iter begins a walk at a rank, towards higher or, with reverse, lower ones.
// Beyond the ends it has nothing to walk through.
func (s *Set) Iter(rank int64, reverse bool) (it Iter) {
	it.reverse = reverse
	if rank < 0 || rank >= s.Len() {
		it.over = true
		return it
	}
	if s.enc == Packed {
		it.packed = s.bytes()
		it.from = listpack.Seek(it.packed, int(2*rank))
		return it
	}
	it.t = s.tree()
	it.t.reach(rank, &it.p)
	it.enter()
	return it
}

// enter comes to the item of the path.
func (it *Iter) enter() {
	it.l = it.t.leaf(it.p.id)
	it.item = it.p.at
	it.slot = it.l.slotAt(it.item)
}

// Next comes to the next member; false: there is none.
func (it *Iter) Next() bool {
	if it.over {
		return false
	}
	if it.packed != nil {
		return it.nextPacked()
	}
	if !it.begun {
		it.begun = true
		return true
	}
	if it.reverse {
		if it.item > 0 {
			it.item--
			it.slot -= int(it.l.lengths()[it.item] & slotMask)
			return true
		}
		if it.t.previous(&it.p) {
			it.enter()
			return true
		}
		it.over = true
		return false
	}
	it.slot += int(it.l.lengths()[it.item] & slotMask)
	if it.item++; it.item < it.l.items() {
		return true
	}
	if it.t.next(&it.p) {
		it.enter()
		return true
	}
	it.over = true
	return false
}

func (it *Iter) nextPacked() bool {
	if it.from < 0 {
		return false
	}
	it.item = it.from
	if it.reverse {
		if it.from = listpack.Prev(it.packed, it.item); it.from >= 0 {
			it.from = listpack.Prev(it.packed, it.from)
		}
	} else {
		it.from = listpack.Next(it.packed, listpack.Next(it.packed, it.item))
	}
	return true
}

// Member is the member that Next came to. It is good until the next call of Next
// and the next change of the set.
func (it *Iter) Member() []byte {
	if it.packed != nil {
		return listpack.Get(it.packed, it.item, &it.scratch)
	}
	length := it.l.lengths()[it.item]
	slot := it.l[it.slot : it.slot+int(length&slotMask)]
	if length == outOfLine {
		return longMember(it.t.a, slotRef(slot))
	}
	return slot
}

// Lasting is Member if it is good until the next change of the set, as it is but
// for integers in small sets.
func (it *Iter) Lasting() (m []byte, ok bool) {
	if it.packed == nil {
		length := it.l.lengths()[it.item]
		slot := it.l[it.slot : it.slot+int(length&slotMask)]
		if length == outOfLine {
			return longMember(it.t.a, slotRef(slot)), true
		}
		return slot, true
	}
	if _, isInt := listpack.Int(it.packed, it.item); isInt {
		return nil, false
	}
	return listpack.Get(it.packed, it.item, nil), true
}

// Score is its score.
func (it *Iter) Score() float64 {
	if it.packed != nil {
		return packedScore(it.packed, listpack.After(it.packed, it.item))
	}
	return it.l.score(it.item)
}

// AppendScore appends the score as SCAN shows it: that of a small set as it is
// stored, else nothing.
func (it *Iter) AppendScore(b []byte) []byte {
	if it.packed == nil {
		return b
	}
	var scratch [24]byte
	return append(b, listpack.Get(it.packed, listpack.After(it.packed, it.item), &scratch)...)
}
