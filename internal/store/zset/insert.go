package zset

// insert adds a member that is not in the set; false: out of memory, and the
// set is as it was.
func (t tree) insert(hash uint64, m []byte, score float64) bool {
	if len(m) <= maxInline {
		return t.place(hash, m, score, byte(len(m)), m, true)
	}
	ref := newLongMember(t.h, m)
	if ref == 0 {
		return false
	}
	slot := refSlot(ref)
	if !t.place(hash, m, score, outOfLine, slot[:], true) {
		freeLongMember(t.h, ref)
		return false
	}
	return true
}

// place puts an item where it belongs. index: its entry is made too, else the
// caller sees to it, with the leaf's id out of a lookup by path.
func (t tree) place(hash uint64, m []byte, score float64, length byte, slot []byte, index bool) bool {
	var p path
	for {
		t.descend(score, m, &p)
		l := t.leaf(p.id)
		n, w := l.items(), l.width()
		enc := encoding{l.base(), w}
		if !l.fits(score) || n == 0 {
			enc = l.encodingWith(score, p.at)
		}
		used := l.used() + n*(enc.width-w) + 2 + enc.width + len(slot)
		if n >= 2 && (n == maxItems || used > maxLeaf) {
			if !t.split(&p) {
				return false
			}
			continue
		}
		if used > l.room() {
			if l = t.resizeLeaf(p.id, used); l == nil {
				return false
			}
		}
		if index && !t.enter(hash, p.id) {
			return false
		}
		if enc.width != w || enc.base != l.base() {
			l.recode(enc)
		}
		l.insert(p.at, score, byte(hash), length, slot)
		t.add(&p, 1)
		if index {
			t.r.count++
		}
		return true
	}
}

// encodingWith is the narrowest encoding with one score more, at i.
func (l leaf) encodingWith(s float64, i int) encoding {
	var space [maxItems + 1]float64
	scores := l.scores(&space)
	scores = append(scores, 0)
	copy(scores[i+1:], scores[i:])
	scores[i] = s
	return encodingOf(scores)
}

// split divides the leaf at the end of a path in two, or, if a node above is
// full, that node; false: out of memory. The path is of no use afterwards.
func (t tree) split(p *path) bool {
	if ok, moved := t.clearWay(p); !ok || moved {
		return ok
	}
	l := t.leaf(p.id)
	n := l.items()
	k := l.middle()
	if edge := max(n/8, 1); p.at == n && t.atEdge(p, true) {
		k = n - edge // items come in ascending order: leave the leaf nearly full
	} else if p.at == 0 && t.atEdge(p, false) {
		k = edge
	}
	var space [maxItems + 1]float64
	right := encodingOf(l.scores(&space)[k:])
	size := leafHead + (n-k)*(2+right.width) + l.used() - l.slotAt(k)
	ref := newLeaf(t.h, size)
	if ref == 0 {
		return false
	}
	id := t.newID(ref)
	if id == 0 {
		t.h.Free(ref, leafAt(t.a, ref).room())
		return false
	}
	r := leafAt(t.a, ref)
	r.recode(right)
	r.append(l, k, n-k)
	l.remove(k, n-k)
	if left := encodingOf(l.scores(&space)); left.width < l.width() {
		l.recode(left)
	}
	t.resizeLeaf(p.id, l.used()) // should it fail, the larger block stays
	t.moved(r, p.id, id)
	b := branch{score: r.score(0), prefix: prefixOf(r.member(t.a, 0)), child: uint64(id), count: uint64(n - k)}
	up := &p.steps[t.r.height-1]
	parent := nodeAt(t.a, up.ref)
	parent.branches()[up.at].count -= b.count
	parent.insert(up.at+1, b)
	return true
}

// middle is the item before which about half of a leaf's bytes stand.
func (l leaf) middle() int {
	n := l.items()
	half := (l.used() - l.membersAt()) / 2
	sum, k := 0, 0
	for lengths := l.lengths(); k < n-1 && sum < half; k++ {
		sum += int(lengths[k] & slotMask)
	}
	return max(k, 1)
}

// atEdge tells whether a path leads to the last, or the first, leaf.
func (t tree) atEdge(p *path, last bool) bool {
	for lv := range int(t.r.height) {
		s := &p.steps[lv]
		if last && s.at != int(nodeAt(t.a, s.ref).n)-1 || !last && s.at != 0 {
			return false
		}
	}
	return true
}

// moved tells the index that all items of a leaf came from another one.
func (t tree) moved(l leaf, from, to uint32) {
	for i := range l.items() {
		t.retarget(t.hash(l.member(t.a, i)), from, to)
	}
}

// clearWay makes room for a branch in the node above the leaf, if need be by
// dividing full nodes on the way, from the top down, so that each finds room
// for its other half. moved: the path is of no use any more.
func (t tree) clearWay(p *path) (ok, moved bool) {
	height := int(t.r.height)
	if height == 0 {
		ref := newNode(t.h, 2)
		if ref == 0 {
			return false, false
		}
		nodeAt(t.a, ref).insert(0, branch{child: t.r.top, count: uint64(t.leaf(p.id).items())})
		t.r.top, t.r.height = uint64(ref), 1
		p.steps[0] = step{ref, 0}
		return true, false
	}
	for lv := range height {
		if n := nodeAt(t.a, p.steps[lv].ref); int(n.n) == maxFan {
			return t.splitNode(p, lv), true
		}
	}
	return t.roomIn(p, height-1), false
}

// roomIn makes sure that the block of a node, which is not full, has room for
// one branch more.
func (t tree) roomIn(p *path, lv int) bool {
	n := nodeAt(t.a, p.steps[lv].ref)
	if n.n < n.room {
		return true
	}
	ref := resizeNode(t.h, p.steps[lv].ref, int(n.n)+1)
	if ref == 0 {
		return false
	}
	t.link(p, lv, ref)
	return true
}

// splitNode divides a full node; the one above, if any, is not full.
func (t tree) splitNode(p *path, lv int) bool {
	full := p.steps[lv].ref
	n := nodeAt(t.a, full)
	k := maxFan / 2
	if lv == 0 && t.r.height == maxHeight || lv > 0 && !t.roomIn(p, lv-1) {
		return false
	}
	if t.atEdge(p, true) {
		k = maxFan - maxFan/8
	} else if t.atEdge(p, false) {
		k = maxFan / 8
	}
	right := newNode(t.h, maxFan-k)
	if right == 0 {
		return false
	}
	if lv == 0 {
		top := newNode(t.h, 2)
		if top == 0 {
			freeNode(t.h, right)
			return false
		}
		nodeAt(t.a, top).insert(0, branch{child: uint64(full), count: n.total()})
		t.r.top = uint64(top)
		t.r.height++
		copy(p.steps[1:], p.steps[:t.r.height-1])
		p.steps[0] = step{top, 0}
		lv = 1
	}
	r := nodeAt(t.a, right)
	r.n = uint16(maxFan - k)
	copy(r.branches(), n.branches()[k:])
	n.n = uint16(k)
	first := r.branches()[0]
	first.child, first.count = uint64(right), r.total()
	up := &p.steps[lv-1]
	parent := nodeAt(t.a, up.ref)
	parent.branches()[up.at].count -= first.count
	parent.insert(up.at+1, first)
	if ref := resizeNode(t.h, full, k); ref != 0 {
		t.link(p, lv, ref)
	}
	return true
}
