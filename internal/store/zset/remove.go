package zset

import (
	"sherd/internal/heap"
)

// remove takes a member out.
func (t tree) remove(m []byte, s spot) {
	var p path
	t.descend(t.leaf(s.id).score(s.at), m, &p)
	t.cut(&p, 1, true)
}

// cut takes k items of a leaf out, from a path's place on; with index their
// entries go too and what they have out of line. The path is of no use
// afterwards.
func (t tree) cut(p *path, k int, index bool) {
	l := t.leaf(p.id)
	if index {
		// The count goes first: it tells how many segments are too many.
		t.r.count -= uint64(k)
		for i := p.at; i < p.at+k; i++ {
			m := l.member(t.a, i)
			t.leave(t.hash(m), p.id)
			if l.lengths()[i] == outOfLine {
				freeLongMember(t.h, slotRef(l.slot(i)))
			}
		}
	}
	l.remove(p.at, k)
	t.add(p, -uint64(k))
	t.mend(p)
}

// mend puts the tree in order after items of a leaf are gone.
func (t tree) mend(p *path) {
	l := t.leaf(p.id)
	lv := int(t.r.height) - 1
	switch n := l.items(); {
	case lv < 0:
		t.trimLeaf(p.id)
		return
	case n == 0:
		t.dropLeaf(p.id)
		t.dropBranch(p, lv)
	case l.used() < maxLeaf/4 && n <= maxItems/4:
		if !t.joinLeaf(p, lv) {
			t.trimLeaf(p.id)
			return
		}
	default:
		t.trimLeaf(p.id)
		return
	}
	t.mendNodes(p, lv)
}

// dropBranch removes the path's branch of the node at a level.
func (t tree) dropBranch(p *path, lv int) {
	s := &p.steps[lv]
	nodeAt(t.a, s.ref).remove(s.at)
}

// joinLeaf moves the items of a small leaf and a neighbour below the same node
// together, if they fit.
func (t tree) joinLeaf(p *path, lv int) bool {
	s := &p.steps[lv]
	all := nodeAt(t.a, s.ref).branches()
	at := s.at
	if at+1 == len(all) {
		at--
	}
	if at < 0 || at+1 == len(all) {
		return false
	}
	left, right := uint32(all[at].child), uint32(all[at+1].child)
	l, r := t.leaf(left), t.leaf(right)
	n := l.items() + r.items()
	var space [2*maxItems + 1]float64
	scores := space[:0]
	for i := range l.items() {
		scores = append(scores, l.score(i))
	}
	for i := range r.items() {
		scores = append(scores, r.score(i))
	}
	enc := encodingOf(scores)
	slots := l.used() - l.membersAt() + r.used() - r.membersAt()
	used := leafHead + n*(2+enc.width) + slots
	if n > maxItems*3/4 || used > maxLeaf*3/4 {
		return false
	}
	if used > l.room() {
		if l = t.resizeLeaf(left, used); l == nil {
			return false
		}
		r = t.leaf(right)
	}
	if enc.width != l.width() || enc.base != l.base() {
		l.recode(enc)
	}
	k := r.items()
	l.append(r, 0, k)
	t.movedFrom(l, n-k, right, left)
	all[at].count += all[at+1].count
	t.dropLeaf(right)
	nodeAt(t.a, s.ref).remove(at + 1)
	s.at = at
	t.trimLeaf(left)
	return true
}

// movedFrom tells the index that the items of a leaf from i on came from another
// one.
func (t tree) movedFrom(l leaf, i int, from, to uint32) {
	for ; i < l.items(); i++ {
		t.retarget(t.hash(l.member(t.a, i)), from, to)
	}
}

// mendNodes puts the nodes in order from a level up, the lowest of which lost a
// branch.
func (t tree) mendNodes(p *path, lv int) {
	for ; lv > 0; lv-- {
		s := &p.steps[lv]
		n := nodeAt(t.a, s.ref)
		switch {
		case n.n == 0:
			freeNode(t.h, s.ref)
			t.dropBranch(p, lv-1)
		case n.n < uint16(thinFan):
			if !t.joinNode(p, lv) {
				t.trimNode(p, lv)
				lv = 1 // those above are as they were
			}
		default:
			t.trimNode(p, lv)
			lv = 1
		}
	}
	for t.r.height > 0 {
		top := heap.Ref(t.r.top)
		n := nodeAt(t.a, top)
		if n.n != 1 {
			break
		}
		t.r.top = n.branches()[0].child
		t.r.height--
		freeNode(t.h, top)
	}
}

// trimNode gives back what a node has no use for.
func (t tree) trimNode(p *path, lv int) {
	n := nodeAt(t.a, p.steps[lv].ref)
	if int(n.room) > 2*int(n.n)+4 {
		if ref := resizeNode(t.h, p.steps[lv].ref, int(n.n)+1); ref != 0 {
			t.link(p, lv, ref)
		}
	}
}

// joinNode joins a thin node and a neighbour below the same node, if one node
// can hold the branches of both.
func (t tree) joinNode(p *path, lv int) bool {
	up := &p.steps[lv-1]
	all := nodeAt(t.a, up.ref).branches()
	at := up.at
	if at+1 == len(all) {
		at--
	}
	if at < 0 || at+1 == len(all) {
		return false
	}
	left, right := heap.Ref(all[at].child), heap.Ref(all[at+1].child)
	l, r := nodeAt(t.a, left), nodeAt(t.a, right)
	n := int(l.n) + int(r.n)
	if n > maxFan*3/4 {
		return false
	}
	if n > int(l.room) {
		if left = resizeNode(t.h, left, n); left == 0 {
			return false
		}
		all[at].child = uint64(left)
		l = nodeAt(t.a, left)
	}
	k := int(l.n)
	l.n = uint16(n)
	copy(l.branches()[k:], r.branches())
	// The first branch of a node has no bound of its own: it has its node's.
	b := &l.branches()[k]
	b.score, b.prefix = all[at+1].score, all[at+1].prefix
	all[at].count += all[at+1].count
	freeNode(t.h, right)
	nodeAt(t.a, up.ref).remove(at + 1)
	up.at = at
	return true
}

// update gives a member another score; false: out of memory, and it has the old.
func (t tree) update(m []byte, s spot, score float64) bool {
	l := t.leaf(s.id)
	old := l.score(s.at)
	if old == score {
		return true
	}
	if t.stays(l, s.at, m, score) {
		l.putScore(s.at, score)
		return true
	}
	length := l.lengths()[s.at]
	var space [maxInline]byte
	slot := space[:copy(space[:], l.slot(s.at))]
	if !t.place(s.hash, m, score, length, slot, false) {
		return false
	}
	// Now it is there twice, and the index has the old place. Where the new one
	// is has to be asked before the old goes, and the old's may be another now.
	var p, q path
	t.descend(score, m, &q)
	t.descend(old, m, &p)
	if p.id != q.id {
		t.retarget(s.hash, p.id, q.id)
	}
	t.cut(&p, 1, false)
	return true
}

// stays tells whether a score can be changed where it stands: between
// neighbours in its own leaf.
func (t tree) stays(l leaf, at int, m []byte, score float64) bool {
	if !l.fits(score) || at == 0 || at+1 == l.items() {
		return false
	}
	before, after := l.score(at-1), l.score(at+1)
	return before < score && score < after
}
