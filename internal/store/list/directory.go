package list

import (
	"unsafe"

	"sherd/internal/heap"
)

// The directory is a ring of nodes, with the number of elements in every 64 slots
// behind it. Slots out of use are zero.

const (
	leastSlots = 16
	groupSlots = 64 // whose elements are summed
	maxSlots   = 1 << 31
)

func directorySize(slots uint32) int {
	return int(slots)*8 + int(slots/groupSlots)*4
}

func (l *List) newDirectory(slots uint32) heap.Ref {
	size := directorySize(slots)
	ref := l.h.Alloc(size)
	if ref != 0 {
		clear(l.a.Bytes(ref, size))
	}
	return ref
}

// slot is where the node with an index stands.
func (r *root) slot(i int) uint32 { return (r.first + uint32(i)) & (r.slots - 1) }

func (l *List) at(r *root, slot uint32) *node {
	return (*node)(unsafe.Add(l.a.Ptr(r.dir), uintptr(slot)*8))
}

// node is the directory's word for the node with an index.
func (l *List) node(r *root, i int) *node { return l.at(r, r.slot(i)) }

// sum is the number of elements of the group that a slot belongs to. There must
// be groups.
func (l *List) sum(r *root, slot uint32) *uint32 {
	return (*uint32)(unsafe.Add(l.a.Ptr(r.dir), uintptr(r.slots)*8+uintptr(slot/groupSlots)*4))
}

// put writes a node's word and keeps the sum of its group; the list's number of
// elements is not touched.
func (l *List) put(r *root, i int, n node) {
	slot := r.slot(i)
	w := l.at(r, slot)
	if r.slots >= groupSlots {
		*l.sum(r, slot) += uint32(n.count()) - uint32(w.count())
	}
	*w = n
}

// locate finds the node of an element and the element's index within it. It goes
// from the nearer end, by groups where it can.
func (l *List) locate(r *root, index int) (i, rest int) {
	if index <= int(r.elements/2) {
		for {
			slot := r.slot(i)
			if slot%groupSlots == 0 && i+groupSlots <= int(r.nodes) {
				if sum := int(*l.sum(r, slot)); index >= sum {
					index -= sum
					i += groupSlots
					continue
				}
			}
			n := l.at(r, slot).count()
			if index < n {
				return i, index
			}
			index -= n
			i++
		}
	}
	back := int(r.elements) - index // 1 is the last element
	i = int(r.nodes)
	for {
		slot := r.slot(i - 1)
		if slot%groupSlots == groupSlots-1 && i >= groupSlots {
			if sum := int(*l.sum(r, slot)); back > sum {
				back -= sum
				i -= groupSlots
				continue
			}
		}
		i--
		n := l.at(r, slot).count()
		if back <= n {
			return i, n - back
		}
		back -= n
	}
}

// open makes room for a node before the one with an index, or at the end, and
// puts n there. False: out of memory.
func (l *List) open(r *root, i int, n node) bool {
	if r.nodes == r.slots && !l.resize(r, r.slots*2) {
		return false
	}
	switch {
	case i == 0:
		r.first = (r.first - 1) & (r.slots - 1)
	case i < int(r.nodes)/2:
		r.first = (r.first - 1) & (r.slots - 1)
		for k := range i {
			*l.node(r, k) = *l.node(r, k+1)
		}
	default:
		for k := int(r.nodes); k > i; k-- {
			*l.node(r, k) = *l.node(r, k-1)
		}
	}
	moved := i > 0 && i < int(r.nodes)
	r.nodes++
	*l.node(r, i) = n
	switch {
	case !moved:
		if r.slots >= groupSlots {
			*l.sum(r, r.slot(i)) += uint32(n.count())
		}
	case i < int(r.nodes-1)/2:
		l.resum(r, 0, i)
	default:
		l.resum(r, i, int(r.nodes)-1)
	}
	return true
}

// shut takes the node with an index out of the directory.
func (l *List) shut(r *root, i int) {
	if r.slots >= groupSlots {
		slot := r.slot(i)
		*l.sum(r, slot) -= uint32(l.at(r, slot).count())
	}
	last := int(r.nodes) - 1
	front := i <= last/2
	if front {
		for k := i; k > 0; k-- {
			*l.node(r, k) = *l.node(r, k-1)
		}
		*l.node(r, 0) = 0
	} else {
		for k := i; k < last; k++ {
			*l.node(r, k) = *l.node(r, k+1)
		}
		*l.node(r, last) = 0
	}
	if i > 0 && i < last {
		if front {
			l.resum(r, 0, i)
		} else {
			l.resum(r, i, last)
		}
	}
	if front {
		r.first = (r.first + 1) & (r.slots - 1)
	}
	r.nodes--
	if r.slots > leastSlots && r.nodes < r.slots/8 {
		l.resize(r, r.slots/2) // if there is no memory it stays
	}
}

// resum adds up the groups of the nodes from one index to another again.
func (l *List) resum(r *root, from, to int) {
	if r.slots < groupSlots {
		return
	}
	for i := from; i <= to; {
		slot := r.slot(i)
		start := slot &^ (groupSlots - 1)
		sum := uint32(0)
		for s := start; s < start+groupSlots; s++ {
			sum += uint32(l.at(r, s).count())
		}
		*l.sum(r, slot) = sum
		i += int(start + groupSlots - slot)
	}
}

// resize moves the directory into another number of slots.
func (l *List) resize(r *root, slots uint32) bool {
	if slots > maxSlots {
		return false
	}
	dir := l.newDirectory(slots)
	if dir == 0 {
		return false
	}
	to := unsafe.Slice((*node)(l.a.Ptr(dir)), slots)
	k := 0
	for i := range int(r.nodes) {
		if n := *l.node(r, i); n != 0 {
			to[k] = n
			k++
		}
	}
	l.h.Free(r.dir, directorySize(r.slots))
	r.dir, r.slots, r.first = dir, slots, 0
	r.nodes = uint32(k)
	if k > 0 {
		l.resum(r, 0, k-1)
	}
	return true
}
