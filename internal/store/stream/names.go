package stream

import (
	"bytes"

	"sherd/internal/heap"
)

// names is blocks that have names, sorted by them: the groups of a stream, the
// consumers of a group. There are few as a rule, so it is an array of Refs.
// Where in a block the name is, a length and the bytes, is the same for all of one
// kind.
type names struct {
	list    heap.Ref
	n, room int
}

// namesBytes is what names take within another block.
const namesBytes = 16

func loadNames(b []byte) names { return names{heap.Ref(get64(b, 0)), get32(b, 8), get32(b, 12)} }

func (x *names) store(b []byte) {
	put64(b, 0, uint64(x.list))
	put32(b, 8, x.n)
	put32(b, 12, x.room)
}

func (x *names) ref(a *heap.Arena, i int) heap.Ref {
	return heap.Ref(get64(a.Bytes(x.list, x.room*8), i*8))
}

func nameOf(a *heap.Arena, ref heap.Ref, nameAt int) []byte {
	n := get32(a.Bytes(ref, nameAt), nameAt-4)
	return a.Bytes(ref, nameAt+n)[nameAt:]
}

// find returns the place of a name, or where it would be.
func (x *names) find(a *heap.Arena, name []byte, nameAt int) (int, bool) {
	lo, hi := 0, x.n
	for lo < hi {
		m := int(uint(lo+hi) / 2)
		switch bytes.Compare(nameOf(a, x.ref(a, m), nameAt), name) {
		case 0:
			return m, true
		case -1:
			lo = m + 1
		default:
			hi = m
		}
	}
	return lo, false
}

// insert puts a block at its place.
func (x *names) insert(h *heap.Heap, i int, ref heap.Ref) bool {
	if x.n == x.room {
		room := heap.ClassSize((x.room+1+x.room/4)*8) / 8
		var list heap.Ref
		if x.room == 0 {
			list = h.Alloc(room * 8)
		} else {
			list = h.Grow(x.list, x.room*8, room*8)
		}
		if list == 0 {
			return false
		}
		x.list, x.room = list, room
	}
	b := h.Arena().Bytes(x.list, x.room*8)
	copy(b[(i+1)*8:], b[i*8:x.n*8])
	put64(b, i*8, uint64(ref))
	x.n++
	return true
}

func (x *names) remove(h *heap.Heap, i int) {
	b := h.Arena().Bytes(x.list, x.room*8)
	copy(b[i*8:], b[(i+1)*8:x.n*8])
	if x.n--; x.n == 0 {
		x.drop(h)
	}
}

// drop frees the list; what was in it is another's matter.
func (x *names) drop(h *heap.Heap) {
	if x.room > 0 {
		h.Free(x.list, x.room*8)
	}
	*x = names{}
}

func (x *names) sizeBytes() int64 {
	if x.room == 0 {
		return 0
	}
	return int64(heap.ClassSize(x.room * 8))
}

// newNamed makes a block with a name behind nameAt bytes, which are zero but for
// the name's length.
func newNamed(h *heap.Heap, name []byte, nameAt int) heap.Ref {
	ref := h.Alloc(nameAt + len(name))
	if ref != 0 {
		b := h.Arena().Bytes(ref, nameAt+len(name))
		clear(b[:nameAt])
		put32(b, nameAt-4, len(name))
		copy(b[nameAt:], name)
	}
	return ref
}

func freeNamed(h *heap.Heap, ref heap.Ref, nameAt int) {
	h.Free(ref, nameAt+get32(h.Arena().Bytes(ref, nameAt), nameAt-4))
}

func namedSize(a *heap.Arena, ref heap.Ref, nameAt int) int64 {
	return int64(heap.ClassSize(nameAt + get32(a.Bytes(ref, nameAt), nameAt-4)))
}
