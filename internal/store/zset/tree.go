package zset

import (
	"bytes"

	"sherd/internal/heap"
)

// path is the way from the root to a place in a leaf.
type path struct {
	steps [maxHeight]step
	id    uint32 // of the leaf
	at    int    // item in it; may be the number of items
}

// step is a branch of an inner node.
type step struct {
	ref heap.Ref
	at  int
}

// descend finds the place of an item, which may not be there.
func (t tree) descend(score float64, m []byte, p *path) {
	w := target{score, m, prefixOf(m)}
	ref := t.r.top
	for lv := range int(t.r.height) {
		all := nodeAt(t.a, heap.Ref(ref)).branches()
		at := t.seek(all, &w, int(t.r.height)-lv-1)
		p.steps[lv] = step{heap.Ref(ref), at}
		ref = all[at].child
	}
	p.id = uint32(ref)
	p.at = t.leaf(p.id).lower(t.a, score, m, false)
}

// seek is the last branch whose bound is not behind the target; the first has
// none. below is the height of the children.
func (t tree) seek(all []branch, w *target, below int) int {
	lo, hi := 1, len(all)
	for lo < hi {
		mid := int(uint(lo+hi) / 2)
		c := all[mid].compare(w)
		if c == 0 {
			c = t.compareFirst(all[mid].child, below, w)
		}
		if c <= 0 {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo - 1
}

// compareFirst compares the first item below a child with the target.
func (t tree) compareFirst(child uint64, below int, w *target) int {
	for range below {
		child = nodeAt(t.a, heap.Ref(child)).branches()[0].child
	}
	l := t.leaf(uint32(child))
	if s := l.score(0); s != w.score {
		if s < w.score {
			return -1
		}
		return 1
	}
	return bytes.Compare(l.member(t.a, 0), w.member)
}

// rank is the number of items before a path's place.
func (t tree) rank(p *path) int64 {
	n := uint64(p.at)
	for lv := range int(t.r.height) {
		s := &p.steps[lv]
		for i := range nodeAt(t.a, s.ref).branches()[:s.at] {
			n += nodeAt(t.a, s.ref).branches()[i].count
		}
	}
	return int64(n)
}

// countScore is the number of items whose score is less than s, or with orEqual
// not greater.
func (t tree) countScore(s float64, orEqual bool) int64 {
	var n uint64
	ref := t.r.top
	for range int(t.r.height) {
		all := nodeAt(t.a, heap.Ref(ref)).branches()
		lo, hi := 1, len(all)
		for lo < hi {
			mid := int(uint(lo+hi) / 2)
			if v := all[mid].score; v < s || orEqual && v == s {
				lo = mid + 1
			} else {
				hi = mid
			}
		}
		for i := range lo - 1 {
			n += all[i].count
		}
		ref = all[lo-1].child
	}
	return int64(n) + int64(t.leaf(uint32(ref)).lowerScore(s, orEqual))
}

// countMember is the number of items whose member is less than m, or with
// orEqual not greater, in a set whose scores are all the same.
func (t tree) countMember(m []byte, orEqual bool) int64 {
	var p path
	t.first(&p)
	score := t.leaf(p.id).score(0)
	t.descend(score, m, &p)
	l := t.leaf(p.id)
	if orEqual {
		p.at = l.lower(t.a, score, m, true)
	}
	return t.rank(&p)
}

// first is the path to the first item.
func (t tree) first(p *path) {
	ref := t.r.top
	for lv := range int(t.r.height) {
		p.steps[lv] = step{heap.Ref(ref), 0}
		ref = nodeAt(t.a, heap.Ref(ref)).branches()[0].child
	}
	p.id, p.at = uint32(ref), 0
}

// reach is the path to the item of a rank, which must be less than the count.
func (t tree) reach(rank int64, p *path) {
	ref := t.r.top
	n := uint64(rank)
	for lv := range int(t.r.height) {
		all := nodeAt(t.a, heap.Ref(ref)).branches()
		at := 0
		for n >= all[at].count {
			n -= all[at].count
			at++
		}
		p.steps[lv] = step{heap.Ref(ref), at}
		ref = all[at].child
	}
	p.id, p.at = uint32(ref), int(n)
}

// next moves a path to the following leaf; false: there is none.
func (t tree) next(p *path) bool {
	for lv := int(t.r.height) - 1; lv >= 0; lv-- {
		s := &p.steps[lv]
		all := nodeAt(t.a, s.ref).branches()
		if s.at+1 == len(all) {
			continue
		}
		s.at++
		ref := all[s.at].child
		for lv++; lv < int(t.r.height); lv++ {
			p.steps[lv] = step{heap.Ref(ref), 0}
			ref = nodeAt(t.a, heap.Ref(ref)).branches()[0].child
		}
		p.id, p.at = uint32(ref), 0
		return true
	}
	return false
}

// previous moves a path to the last item of the leaf before; false: there is
// none.
func (t tree) previous(p *path) bool {
	for lv := int(t.r.height) - 1; lv >= 0; lv-- {
		s := &p.steps[lv]
		if s.at == 0 {
			continue
		}
		s.at--
		ref := nodeAt(t.a, s.ref).branches()[s.at].child
		for lv++; lv < int(t.r.height); lv++ {
			all := nodeAt(t.a, heap.Ref(ref)).branches()
			p.steps[lv] = step{heap.Ref(ref), len(all) - 1}
			ref = all[len(all)-1].child
		}
		p.id = uint32(ref)
		p.at = t.leaf(p.id).items() - 1
		return true
	}
	return false
}

// add counts n items more below every branch of a path.
func (t tree) add(p *path, n uint64) {
	for lv := range int(t.r.height) {
		s := &p.steps[lv]
		nodeAt(t.a, s.ref).branches()[s.at].count += n
	}
}

// link stores the place of the node at a level after it moved.
func (t tree) link(p *path, lv int, ref heap.Ref) {
	p.steps[lv].ref = ref
	if lv == 0 {
		t.r.top = uint64(ref)
		return
	}
	up := &p.steps[lv-1]
	nodeAt(t.a, up.ref).branches()[up.at].child = uint64(ref)
}
