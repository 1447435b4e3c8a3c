package list

import (
	"sherd/internal/heap"
	"sherd/internal/store/listpack"
)

// Encodings.
const (
	Packed uint8 = iota + 1 // one listpack
	Deque                   // a root, a directory and nodes
)

// EncodingName is what OBJECT ENCODING says.
func EncodingName(enc uint8) string {
	if enc == Packed {
		return "listpack"
	}
	return "quicklist"
}

// List is a list that is open: its place and encoding, which change with it. It
// belongs to whoever holds the slice's latch.
type List struct {
	h     *heap.Heap
	a     *heap.Arena
	ref   heap.Ref
	enc   uint8
	limit Limit
}

// Open opens a list that is in the heap. maxPackedSize is
// list-max-listpack-size.
func Open(h *heap.Heap, enc uint8, ref heap.Ref, maxPackedSize int) List {
	return List{h: h, a: h.Arena(), ref: ref, enc: enc, limit: LimitOf(maxPackedSize)}
}

// New makes a list without elements; false: out of memory.
func New(h *heap.Heap, maxPackedSize int) (List, bool) {
	ref := listpack.New(h)
	return Open(h, Packed, ref, maxPackedSize), ref != 0
}

// Ref is where the list is now.
func (l *List) Ref() heap.Ref { return l.ref }

// Encoding is how it is stored now.
func (l *List) Encoding() uint8 { return l.enc }

// Free gives the list's memory back, all of it: for lists that are empty or
// short.
func (l *List) Free() {
	for l.ref != 0 {
		l.ref = Free(l.h, l.enc, l.ref, 1<<20)
	}
}

// Len is the number of elements.
func (l *List) Len() int {
	if l.enc == Packed {
		return listpack.Len(l.packed())
	}
	return int(l.root().elements)
}

func (l *List) packed() []byte { return listpack.View(l.a, l.ref) }

// Expect makes a small list large if it would be too large with so many more
// elements, of so many bytes together. It is called once before the elements of a
// command are added, as Redis does. False: out of memory, and nothing changed.
func (l *List) Expect(elements, bytes int) bool {
	if l.enc != Packed {
		return true
	}
	p := l.packed()
	if !l.limit.exceeded(len(p)+bytes, listpack.Len(p)+elements) {
		return true
	}
	return l.unpack()
}

// unpack makes a small list large.
func (l *List) unpack() bool {
	large := *l
	if !large.newRoot() {
		return false
	}
	p := l.packed()
	if !large.addPacked(p) {
		large.Free()
		return false
	}
	listpack.Free(l.h, l.ref)
	*l = large
	return true
}

// Settle makes a large list small if it has one node, and that is no more than
// half full. It is called after elements were removed.
func (l *List) Settle() {
	if l.enc == Packed {
		return
	}
	r := l.root()
	if r.nodes != 1 {
		return
	}
	n := *l.node(r, 0)
	if n.plain() {
		return
	}
	p := l.bytes(n)
	if !l.limit.small(len(p), n.count()) {
		return
	}
	if ref := listpack.Put(l.h, p); ref != 0 {
		l.Free()
		l.ref, l.enc = ref, Packed
	}
}

// Push adds an element at the tail, or else the head. False: out of memory, and
// nothing changed.
func (l *List) Push(tail bool, s []byte) bool {
	if l.enc == Deque {
		return l.push(tail, s)
	}
	var ok bool
	if tail {
		l.ref, ok = listpack.Append(l.h, l.ref, s)
	} else {
		l.ref, ok = listpack.Prepend(l.h, l.ref, s)
	}
	return ok
}

// Drop removes n elements from the tail, or else the head.
func (l *List) Drop(tail bool, n int) {
	if n <= 0 {
		return
	}
	if l.enc == Deque {
		l.drop(tail, n)
		return
	}
	p := l.packed()
	at := listpack.HeaderSize
	if tail {
		if had := listpack.Len(p); n < had {
			at = listpack.Seek(p, had-n)
		}
	}
	l.ref, _ = listpack.Delete(l.h, l.ref, at, n)
}

// At returns an element: as it lies in the list, where it stays until the next
// change, or an integer as text in scratch. False if there is none.
func (l *List) At(index int, scratch *[24]byte) ([]byte, bool) {
	if l.enc == Packed {
		p := l.packed()
		if at := listpack.Seek(p, index); index >= 0 && at >= 0 {
			return listpack.Get(p, at, scratch), true
		}
		return nil, false
	}
	r := l.root()
	if uint64(index) >= r.elements { // negative ones too
		return nil, false
	}
	i, rest := l.locate(r, index)
	n := *l.node(r, i)
	if n.plain() {
		return l.plainBytes(n), true
	}
	p := l.bytes(n)
	return listpack.Get(p, listpack.Seek(p, rest), scratch), true
}

// Set replaces an element, whose index must be valid. False: out of memory, and
// nothing changed.
func (l *List) Set(index int, s []byte) bool {
	if l.enc == Deque {
		return l.set(index, s)
	}
	ref, _, ok := listpack.Replace(l.h, l.ref, listpack.Seek(l.packed(), index), s)
	l.ref = ref
	return ok
}

// Insert puts an element before the one with an index, or, if that is the
// length, behind all. False: out of memory, and nothing changed.
func (l *List) Insert(index int, s []byte) bool {
	if l.enc == Deque {
		return l.insert(index, s)
	}
	p := l.packed()
	at := listpack.Seek(p, index)
	if at < 0 {
		at = listpack.End(p)
	}
	ref, _, ok := listpack.Insert(l.h, l.ref, at, s)
	l.ref = ref
	return ok
}
