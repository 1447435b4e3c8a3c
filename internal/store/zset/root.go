package zset

import (
	"unsafe"

	"github.com/zeebo/xxh3"

	"sherd/internal/heap"
)

// root is the block that a large sorted set's Ref leads to. It stays where it is
// as long as the set lives.
type root struct {
	count    uint64 // items
	seed     uint64 // of the members' hash
	top      uint64 // the leaf's id, or with a height the Ref of a node
	height   uint32 // inner nodes between the root and a leaf
	freeID   uint32 // first of the list of free ids; 0: none
	leaves   vector // places by id; word 0 is unused
	segments vector // of the index

	// While the set is being freed:
	dying uint64 // 1: begun
}

const (
	rootSize  = int(unsafe.Sizeof(root{}))
	freeMark  = 1 << 63 // of a word of leaves: the rest is the next free id
	maxHeight = 12
)

// tree is a large sorted set at work.
type tree struct {
	h *heap.Heap
	a *heap.Arena
	r *root
}

func openTree(h *heap.Heap, ref heap.Ref) tree {
	a := h.Arena()
	return tree{h: h, a: a, r: (*root)(a.Ptr(ref))}
}

// newTree makes a large sorted set with one empty leaf, which the first insertion
// has to fill; 0: out of memory.
func newTree(h *heap.Heap, seed uint64) heap.Ref {
	ref := h.Alloc(rootSize)
	if ref == 0 {
		return 0
	}
	t := openTree(h, ref)
	*t.r = root{seed: seed}
	l := newLeaf(h, leafHead+256)
	s := newSegment(h, minSlots, 0, nil)
	if l != 0 && s != 0 && t.r.leaves.push(h, 0) && t.r.leaves.push(h, uint64(l)) && t.r.segments.push(h, s) {
		t.r.top = 1
		return ref
	}
	if l != 0 {
		h.Free(l, leafAt(t.a, l).room())
	}
	if s != 0 {
		freeSegment(h, s)
	}
	for t.r.leaves.count > 0 {
		t.r.leaves.pop(h)
	}
	h.Free(ref, rootSize)
	return 0
}

func (t tree) hash(m []byte) uint64 { return xxh3.HashSeed(m, t.r.seed) }

// leaf is the leaf with an id.
func (t tree) leaf(id uint32) leaf { return leafAt(t.a, heap.Ref(*t.r.leaves.at(t.a, id))) }

// newID registers a leaf; 0: out of memory.
func (t tree) newID(ref heap.Ref) uint32 {
	if id := t.r.freeID; id != 0 {
		w := t.r.leaves.at(t.a, id)
		t.r.freeID = uint32(*w &^ freeMark)
		*w = uint64(ref)
		return id
	}
	id := t.r.leaves.count
	if id > maxID || !t.r.leaves.push(t.h, uint64(ref)) {
		return 0
	}
	return id
}

// dropLeaf frees a leaf and its id.
func (t tree) dropLeaf(id uint32) {
	w := t.r.leaves.at(t.a, id)
	ref := heap.Ref(*w)
	t.h.Free(ref, leafAt(t.a, ref).room())
	*w = freeMark | uint64(t.r.freeID)
	t.r.freeID = id
}

// resizeLeaf gives a leaf room for used bytes, more or fewer than it has, and
// returns it; nil: out of memory.
func (t tree) resizeLeaf(id uint32, used int) leaf {
	w := t.r.leaves.at(t.a, id)
	l := leafAt(t.a, heap.Ref(*w))
	room := heap.ClassSize(used)
	if room == l.room() {
		return l
	}
	ref := t.h.Grow(heap.Ref(*w), l.room(), room)
	if ref == 0 {
		return nil
	}
	*w = uint64(ref)
	l = t.a.Bytes(ref, room)
	l[offRoom], l[offRoom+1] = byte(room), byte(room>>8)
	return l
}

// trimLeaf gives back what a leaf has no use for.
func (t tree) trimLeaf(id uint32) {
	l := t.leaf(id)
	if heap.ClassSize(l.used()+l.used()/8) < l.room() {
		t.resizeLeaf(id, l.used()) // should it fail, the larger block stays
	}
}
