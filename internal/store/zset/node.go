package zset

import (
	"encoding/binary"
	"unsafe"

	"sherd/internal/heap"
)

// branch is an entry of an inner node: a child, the number of items below it,
// and a lower bound of them. See doc.go.
type branch struct {
	score  float64
	prefix [2]uint64 // the first 16 bytes of a member
	child  uint64    // of the lowest nodes a leaf's id, else a node's Ref
	count  uint64    // items
}

// node is the header of an inner node; its branches follow.
type node struct {
	n    uint16 // branches
	room uint16 // branches that the block can hold
	_    uint32
}

const (
	nodeHead   = int(unsafe.Sizeof(node{}))
	branchSize = int(unsafe.Sizeof(branch{}))
	maxFan     = (2048 - nodeHead) / branchSize
	thinFan    = maxFan / 4 // with fewer branches a node looks for a neighbour to join
)

func nodeAt(a *heap.Arena, ref heap.Ref) *node { return (*node)(a.Ptr(ref)) }

// branches are those in use.
func (p *node) branches() []branch {
	return unsafe.Slice((*branch)(unsafe.Add(unsafe.Pointer(p), nodeHead)), int(p.n))
}

func (p *node) sizeBytes() int { return nodeHead + int(p.room)*branchSize }

// newNode allocates a node for n branches; 0: out of memory.
func newNode(h *heap.Heap, n int) heap.Ref {
	size := heap.ClassSize(nodeHead + n*branchSize)
	ref := h.Alloc(size)
	if ref != 0 {
		*nodeAt(h.Arena(), ref) = node{room: uint16(min((size-nodeHead)/branchSize, maxFan))}
	}
	return ref
}

// freeNode frees a node.
func freeNode(h *heap.Heap, ref heap.Ref) {
	h.Free(ref, nodeAt(h.Arena(), ref).sizeBytes())
}

// resizeNode gives a node room for n branches and returns its place; 0: out of
// memory.
func resizeNode(h *heap.Heap, ref heap.Ref, n int) heap.Ref {
	p := nodeAt(h.Arena(), ref)
	size := heap.ClassSize(nodeHead + n*branchSize)
	to := h.Grow(ref, p.sizeBytes(), size)
	if to != 0 {
		nodeAt(h.Arena(), to).room = uint16(min((size-nodeHead)/branchSize, maxFan))
	}
	return to
}

// insert puts a branch at i; there is room.
func (p *node) insert(i int, b branch) {
	p.n++
	all := p.branches()
	copy(all[i+1:], all[i:])
	all[i] = b
}

// remove takes branch i out.
func (p *node) remove(i int) {
	all := p.branches()
	copy(all[i:], all[i+1:])
	p.n--
}

// total is the number of items below the node.
func (p *node) total() (n uint64) {
	for i := range p.branches() {
		n += p.branches()[i].count
	}
	return n
}

// prefixOf is the first 16 bytes of a member, so that prefixes of members that
// differ there compare as the members do.
func prefixOf(m []byte) [2]uint64 {
	if len(m) >= 16 {
		return [2]uint64{binary.BigEndian.Uint64(m), binary.BigEndian.Uint64(m[8:])}
	}
	var b [16]byte
	copy(b[:], m)
	return [2]uint64{binary.BigEndian.Uint64(b[:]), binary.BigEndian.Uint64(b[8:])}
}

// target is what a descent looks for: a place in the order of the items.
type target struct {
	score  float64
	member []byte
	prefix [2]uint64
}

// compare orders a branch's bound and the target: -1, 1, or 0 when only the
// members themselves can tell.
func (b *branch) compare(t *target) int {
	switch {
	case b.score != t.score:
		if b.score < t.score {
			return -1
		}
		return 1
	case b.prefix[0] != t.prefix[0]:
		if b.prefix[0] < t.prefix[0] {
			return -1
		}
		return 1
	case b.prefix[1] != t.prefix[1]:
		if b.prefix[1] < t.prefix[1] {
			return -1
		}
		return 1
	}
	return 0
}
