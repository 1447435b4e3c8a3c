package zset

import (
	"sherd/internal/heap"
	"sherd/internal/store/listpack"
)

// Free frees about budget blocks of a set and returns what is left of it; 0:
// nothing.
func Free(h *heap.Heap, enc uint8, ref heap.Ref, budget int) heap.Ref {
	if enc == Packed {
		listpack.Free(h, ref)
		return 0
	}
	t := openTree(h, ref)
	r := t.r
	for ; budget > 0 && r.segments.count > 0; budget-- {
		if w := *r.segments.at(t.a, r.segments.count-1); w != 0 {
			freeSegment(h, w)
		}
		r.segments.pop(h)
	}
	for ; budget > 0 && r.leaves.count > 0; budget-- {
		w := *r.leaves.at(t.a, r.leaves.count-1)
		if w != 0 && w&freeMark == 0 {
			l := leafAt(t.a, heap.Ref(w))
			for i, length := range l.lengths() {
				if length == outOfLine {
					freeLongMember(h, slotRef(l.slot(i)))
					budget--
				}
			}
			h.Free(heap.Ref(w), l.room())
		}
		r.leaves.pop(h)
	}
	for ; budget > 0 && r.height > 0; budget-- {
		t.freeLastNode()
	}
	if budget <= 0 {
		return ref
	}
	h.Free(ref, rootSize)
	return 0
}

// freeLastNode frees the last node that has no nodes below it. What the lowest
// nodes refer to is gone already.
func (t tree) freeLastNode() {
	ref := heap.Ref(t.r.top)
	var up *node
	for lv := 1; lv < int(t.r.height); lv++ {
		n := nodeAt(t.a, ref)
		if n.n == 0 {
			break
		}
		up = n
		ref = heap.Ref(n.branches()[n.n-1].child)
	}
	freeNode(t.h, ref)
	if up == nil {
		t.r.top, t.r.height = 0, 0
		return
	}
	up.n--
}

// Copy makes a copy of a set in another heap, or the same; false: out of memory,
// and nothing is left behind.
func Copy(to, from *heap.Heap, enc uint8, ref heap.Ref) (heap.Ref, bool) {
	if enc == Packed {
		c := listpack.Copy(to, from, ref)
		return c, c != 0
	}
	c, ok := StartCopy(to, from, ref)
	if !ok {
		return 0, false
	}
	for done := false; !done; {
		if done, ok = c.Step(1 << 20); !ok {
			for ref = c.Ref(); ref != 0; {
				ref = Free(to, Tree, ref, 1<<20)
			}
			return 0, false
		}
	}
	return c.Ref(), true
}

func (t tree) copySegment(from tree, i uint32) bool {
	size := from.segment(i).sizeBytes() + 2
	c := t.h.Alloc(size)
	if c == 0 {
		return false
	}
	copy(t.a.Bytes(c, size), from.a.Bytes(heap.Ref(*from.r.segments.at(from.a, i)), size))
	if !t.r.segments.push(t.h, uint64(c)) {
		t.h.Free(c, size)
		return false
	}
	return true
}

// copyLeaf copies a leaf and returns how many long members it has.
func (t tree) copyLeaf(from tree, id uint32) (long int, ok bool) {
	w := *from.r.leaves.at(from.a, id)
	if w == 0 || w&freeMark != 0 {
		return 0, t.r.leaves.push(t.h, w)
	}
	l := leafAt(from.a, heap.Ref(w))
	c := t.h.Alloc(l.room())
	if c == 0 {
		return 0, false
	}
	m := leaf(t.a.Bytes(c, l.room()))
	copy(m, l[:l.used()])
	if !t.r.leaves.push(t.h, uint64(c)) {
		t.h.Free(c, l.room())
		return 0, false
	}
	for i, length := range l.lengths() {
		if length != outOfLine {
			continue
		}
		ref := newLongMember(t.h, l.member(from.a, i))
		if ref == 0 {
			m.remove(i, m.items()-i) // only what was copied may be freed
			return long, false
		}
		slot := refSlot(ref)
		copy(m.slot(i), slot[:])
		long++
	}
	return long, true
}

func (t tree) copyNodes(from tree) bool {
	t.r.top = from.r.top
	if from.r.height == 0 {
		return true
	}
	ref := t.copyNode(from, heap.Ref(from.r.top))
	if ref == 0 {
		return false
	}
	t.r.top, t.r.height = uint64(ref), from.r.height
	return t.copyBelow(from, heap.Ref(from.r.top), ref, int(from.r.height)-1)
}

// copyNode copies a node without its branches.
func (t tree) copyNode(from tree, ref heap.Ref) heap.Ref {
	return newNode(t.h, max(int(nodeAt(from.a, ref).n), 1))
}

// copyBelow copies the branches of a node and all below them. At every moment
// the copy is a tree that can be freed.
func (t tree) copyBelow(from tree, ref, to heap.Ref, below int) bool {
	n, c := nodeAt(from.a, ref), nodeAt(t.a, to)
	for i, b := range n.branches() {
		if below == 0 {
			c.insert(i, b)
			continue
		}
		child := t.copyNode(from, heap.Ref(b.child))
		if child == 0 {
			return false
		}
		old := heap.Ref(b.child)
		b.child = uint64(child)
		c.insert(i, b)
		if !t.copyBelow(from, old, child, below-1) {
			return false
		}
	}
	return true
}

// SizeBytes is the memory of a set, in class sizes.
func SizeBytes(a *heap.Arena, enc uint8, ref heap.Ref) int64 {
	if enc == Packed {
		return int64(heap.ClassSize(listpack.Size(a, ref)))
	}
	t := tree{a: a, r: (*root)(a.Ptr(ref))}
	n := int64(heap.ClassSize(rootSize)) + t.r.leaves.sizeBytes() + t.r.segments.sizeBytes()
	for i := range t.r.segments.count {
		n += int64(heap.ClassSize(t.segment(i).sizeBytes() + 2))
	}
	for id := range t.r.leaves.count {
		w := *t.r.leaves.at(a, id)
		if w == 0 || w&freeMark != 0 {
			continue
		}
		l := leafAt(a, heap.Ref(w))
		n += int64(l.room())
		for i, length := range l.lengths() {
			if length == outOfLine {
				n += int64(heap.ClassSize(longHead + len(l.member(a, i))))
			}
		}
	}
	return n + t.nodeBytes(t.r.top, int(t.r.height))
}

func (t tree) nodeBytes(ref uint64, height int) int64 {
	if height == 0 {
		return 0
	}
	p := nodeAt(t.a, heap.Ref(ref))
	n := int64(heap.ClassSize(p.sizeBytes()))
	for _, b := range p.branches() {
		n += t.nodeBytes(b.child, height-1)
	}
	return n
}
