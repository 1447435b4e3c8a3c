package list

import (
	"bytes"
	"unsafe"

	"sherd/internal/heap"
	"sherd/internal/store/listpack"
)

// Iter goes over a list's elements in either direction, for as long as the list
// does not change:
//
//	for it := l.Iter(from, false); it.Next(); {
//		… it.Bytes(&scratch)
//	}
type Iter struct {
	a     *heap.Arena
	p     []byte // of the node the element is in; nil for a plain one
	plain []byte
	at    int // the element's place; -1 before the first
	back  bool

	// The directory; nodes is 0 for a small list.
	dir   unsafe.Pointer
	first uint32
	mask  uint32
	i     int
	nodes int
	seek  int // index within the node that i is, where the iteration begins
}

// Iter returns an iterator whose first element is the one with an index, and that
// goes towards the tail, or back towards the head.
func (l *List) Iter(index int, back bool) Iter {
	it := Iter{a: l.a, at: -1, back: back}
	if index < 0 || index >= l.Len() {
		it.at = -2
		return it
	}
	if l.enc == Packed {
		it.p = l.packed()
		it.seek = index
		return it
	}
	r := l.root()
	it.dir = l.a.Ptr(r.dir)
	it.first, it.mask, it.nodes = r.first, r.slots-1, int(r.nodes)
	it.i, it.seek = l.locate(r, index)
	it.load()
	return it
}

// load looks at the node i.
func (it *Iter) load() {
	slot := (it.first + uint32(it.i)) & it.mask
	n := *(*node)(unsafe.Add(it.dir, uintptr(slot)*8))
	if n.plain() {
		it.p, it.plain = nil, plainAt(it.a, n)
		return
	}
	it.p, it.plain = bytesAt(it.a, n), nil
}

// Next goes to the next element and reports whether there is one.
func (it *Iter) Next() bool {
	switch {
	case it.at > 0 && it.p != nil:
		if !it.back {
			if it.at = listpack.After(it.p, it.at); it.at < len(it.p)-1 {
				return true
			}
		} else if it.at = listpack.Prev(it.p, it.at); it.at > 0 {
			return true
		}
	case it.at == -1:
		it.at = 1
		if it.p != nil {
			it.at = listpack.Seek(it.p, it.seek)
		}
		return true
	case it.at == -2:
		return false
	}
	// The next node.
	if it.back {
		it.i--
	} else {
		it.i++
	}
	if uint(it.i) >= uint(it.nodes) {
		it.at = -2
		return false
	}
	it.load()
	it.at = 1
	if it.p != nil {
		it.at = listpack.HeaderSize
		if it.back {
			it.at = listpack.Last(it.p)
		}
	}
	return true
}

// Bytes returns the element, as List.At does.
func (it *Iter) Bytes(scratch *[24]byte) []byte {
	if it.p == nil {
		return it.plain
	}
	return listpack.Get(it.p, it.at, scratch)
}

// Is tells whether the element is the needle.
func (it *Iter) Is(n *listpack.Needle) bool {
	if it.p == nil {
		return bytes.Equal(it.plain, n.Text)
	}
	return n.At(it.p, it.at)
}
