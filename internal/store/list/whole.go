package list

import (
	"encoding/binary"

	"sherd/internal/heap"
	"sherd/internal/store/listpack"
)

// Free frees about budget blocks of a list and returns what is left of it: a
// list with fewer elements, or 0.
func Free(h *heap.Heap, enc uint8, ref heap.Ref, budget int) heap.Ref {
	if enc == Packed {
		listpack.Free(h, ref)
		return 0
	}
	l := List{h: h, a: h.Arena(), ref: ref, enc: enc}
	r := l.root()
	for r.nodes > 0 {
		if budget--; budget < 0 {
			return ref
		}
		r.nodes--
		w := l.node(r, int(r.nodes))
		n := *w
		*w = 0
		if n != 0 {
			r.elements -= uint64(n.count())
			l.release(r, n)
		}
	}
	h.Free(r.dir, directorySize(r.slots))
	h.Free(ref, rootSize)
	return 0
}

// Copy makes a copy in another heap, or the same. False: out of memory, and
// nothing is left behind.
func Copy(to, from *heap.Heap, enc uint8, ref heap.Ref) (heap.Ref, bool) {
	if enc == Packed {
		c := listpack.Copy(to, from, ref)
		return c, c != 0
	}
	c, ok := StartCopy(to, from, enc, ref)
	if !ok {
		return 0, false
	}
	for done := false; !done; {
		if done, ok = c.Step(1 << 20); !ok {
			c.l.Free()
			return 0, false
		}
	}
	return c.Ref(), true
}

// copyNode copies a node of another list; 0 if memory is exhausted.
func (l *List) copyNode(r *root, old *List, n node) node {
	if n.plain() {
		return l.newPlain(old.plainBytes(n))
	}
	b, off, total := old.block(n)
	class := n.class()
	var ref heap.Ref
	if class == frameClass {
		ref = l.newFrame(r)
	} else {
		ref = l.h.Alloc(sizes[class])
	}
	if ref == 0 {
		return 0
	}
	c := l.a.Bytes(ref, sizes[class])
	binary.LittleEndian.PutUint16(c, uint16(off))
	copy(c[off:], b[off:off+total])
	return makeNode(ref, class, n.count())
}

// SizeBytes is the memory that a list takes, in class sizes.
func SizeBytes(a *heap.Arena, enc uint8, ref heap.Ref) int64 {
	if enc == Packed {
		return int64(heap.ClassSize(listpack.Size(a, ref)))
	}
	l := List{a: a, ref: ref, enc: enc}
	r := l.root()
	size := int64(heap.ClassSize(rootSize)+heap.ClassSize(directorySize(r.slots))) + int64(r.slabs)*slabSize
	for i := range int(r.nodes) {
		switch n := *l.node(r, i); n.class() {
		case frameClass:
		case plainClass:
			size += int64(heap.ClassSize(lengthSize + len(l.plainBytes(n))))
		default:
			size += int64(sizes[n.class()])
		}
	}
	return size
}
