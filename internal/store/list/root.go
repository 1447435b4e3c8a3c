package list

import (
	"unsafe"

	"sherd/internal/heap"
)

// root is the block that a large list begins with.
type root struct {
	elements uint64
	first    uint32 // slot of the first node
	nodes    uint32
	slots    uint32 // of the directory; a power of two
	slabs    uint32
	dir      heap.Ref // the directory: slots, then sums
	partial  heap.Ref // slabs with a free frame: head of their list
	frames   uint32   // in use
	_        uint32
}

const rootSize = int(unsafe.Sizeof(root{}))

func (l *List) root() *root { return (*root)(l.a.Ptr(l.ref)) }

// newRoot makes l a large list without a node.
func (l *List) newRoot() bool {
	ref := l.h.Alloc(rootSize)
	if ref == 0 {
		return false
	}
	r := (*root)(l.a.Ptr(ref))
	*r = root{slots: leastSlots}
	if r.dir = l.newDirectory(leastSlots); r.dir == 0 {
		l.h.Free(ref, rootSize)
		return false
	}
	l.ref, l.enc = ref, Deque
	return true
}
