package listpack

import (
	"encoding/binary"

	"sherd/internal/heap"
	"sherd/internal/invariants"
)

// capacityNote is the bytes behind the end mark of a listpack with an unnoted
// number of elements: its block's size.
const capacityNote = 4

// New makes a listpack without elements in the heap; 0 if memory is exhausted.
func New(h *heap.Heap) heap.Ref {
	ref := h.Alloc(EmptySize)
	if ref != 0 {
		Empty(h.Arena().Bytes(ref, EmptySize)[:0])
	}
	return ref
}

// Put makes a listpack in the heap out of the bytes of one; 0 if memory is
// exhausted. They must be valid.
func Put(h *heap.Heap, p []byte) heap.Ref {
	n := Len(p)
	size := need(len(p), n)
	ref := h.Alloc(size)
	if ref == 0 {
		return 0
	}
	b := h.Arena().Bytes(ref, size)
	copy(b, p)
	setLen(b, n)
	if n >= manyFrom {
		binary.LittleEndian.PutUint32(b[len(p):], uint32(size))
	}
	return ref
}

// need is the bytes that a listpack of so many bytes and elements takes.
func need(total, n int) int {
	if n >= manyFrom {
		return total + capacityNote
	}
	return total
}

// View returns the bytes of a listpack in the heap. They are as they are until
// the next change; a caller may overwrite elements in place.
func View(a *heap.Arena, ref heap.Ref) []byte {
	return a.Bytes(ref, Total(a.Bytes(ref, headerSize)))
}

// Size is the bytes that a listpack's block was allocated with.
func Size(a *heap.Arena, ref heap.Ref) int {
	header := a.Bytes(ref, headerSize)
	total := Total(header)
	if binary.LittleEndian.Uint16(header[4:]) == manyFrom {
		return int(binary.LittleEndian.Uint32(a.Bytes(ref, total+capacityNote)[total:]))
	}
	return total
}

// Free gives a listpack's memory back.
func Free(h *heap.Heap, ref heap.Ref) { h.Free(ref, Size(h.Arena(), ref)) }

// Copy makes a copy of a listpack in another heap, or the same; 0 if memory is
// exhausted.
func Copy(to, from *heap.Heap, ref heap.Ref) heap.Ref {
	return Put(to, View(from.Arena(), ref))
}

// Insert puts an element before the one at a place, or behind all at the end
// place. It returns where the listpack and the element are now, or false, with
// everything as it was, if memory is exhausted.
func Insert(h *heap.Heap, ref heap.Ref, at int, s []byte) (heap.Ref, int, bool) {
	c := CodeOf(s)
	ref, p, ok := splice(h, ref, at, 0, c.Size(), 1)
	if !ok {
		return ref, at, false
	}
	c.Put(p[at:], s)
	return ref, at, true
}

// Append puts an element behind all others.
func Append(h *heap.Heap, ref heap.Ref, s []byte) (heap.Ref, bool) {
	ref, _, ok := Insert(h, ref, Total(h.Arena().Bytes(ref, headerSize))-1, s)
	return ref, ok
}

// AppendEntries puts the entries of another listpack, n of them in a row, behind all
// others. False: memory is exhausted, and everything is as it was.
func AppendEntries(h *heap.Heap, ref heap.Ref, entries []byte, n int) (heap.Ref, bool) {
	at := Total(h.Arena().Bytes(ref, headerSize)) - 1
	ref, p, ok := splice(h, ref, at, 0, len(entries), n)
	if ok {
		copy(p[at:], entries)
	}
	return ref, ok
}

// Prepend puts an element before all others.
func Prepend(h *heap.Heap, ref heap.Ref, s []byte) (heap.Ref, bool) {
	ref, _, ok := Insert(h, ref, headerSize, s)
	return ref, ok
}

// Replace puts an element in the place of another.
func Replace(h *heap.Heap, ref heap.Ref, at int, s []byte) (heap.Ref, int, bool) {
	c := CodeOf(s)
	p := View(h.Arena(), ref)
	ref, p, ok := splice(h, ref, at, After(p, at)-at, c.Size(), 0)
	if !ok {
		return ref, at, false
	}
	c.Put(p[at:], s)
	return ref, at, true
}

// Delete removes n elements from a place on, or as many as there are. It returns
// where the listpack is now and the place of what follows: an element's, or the
// end.
func Delete(h *heap.Heap, ref heap.Ref, at, n int) (heap.Ref, int) {
	p := View(h.Arena(), ref)
	end, gone := at, 0
	for ; gone < n && p[end] != endMark; gone++ {
		end = After(p, end)
	}
	if gone > 0 {
		ref, _, _ = splice(h, ref, at, end-at, 0, -gone) // shrinking never fails
	}
	return ref, at
}

// splice makes had bytes at a place so many others, to be written by the caller,
// and adds more to the number of elements. It returns the listpack's new place
// and bytes; false if memory is exhausted, which it never is when shrinking.
func splice(h *heap.Heap, ref heap.Ref, at, had, want, more int) (heap.Ref, []byte, bool) {
	a := h.Arena()
	size := Size(a, ref)
	p := View(a, ref)
	old, total := len(p), len(p)-had+want
	if total > maxTotal {
		return ref, nil, false
	}
	noted := int(binary.LittleEndian.Uint16(p[4:]))
	if noted == manyFrom && (total < EmptySize+2*manyFrom || invariants.Enabled) {
		noted = count(p)
	}
	n := noted + more
	if noted == manyFrom {
		n = manyFrom // as good as any number
	}
	// Grow before the bytes move, shrink after.
	fits := need(total, n)
	if fits > size {
		grown := h.Grow(ref, size, fits)
		if grown == 0 {
			return ref, nil, false
		}
		ref, size = grown, fits
	}
	p = a.Bytes(ref, max(old, total))
	copy(p[at+want:total], p[at+had:old])
	ref = settle(h, ref, size, total, n)
	return ref, a.Bytes(ref, total), true
}

// Truncate makes a listpack end at a place, behind n elements. What lies beyond
// need not be entries any more.
func Truncate(h *heap.Heap, ref heap.Ref, end, n int) heap.Ref {
	size := Size(h.Arena(), ref)
	View(h.Arena(), ref)[end] = endMark
	return settle(h, ref, size, end+1, n)
}

// settle writes the header of a listpack whose block has size bytes, and makes
// that smaller if it can.
func settle(h *heap.Heap, ref heap.Ref, size, total, n int) heap.Ref {
	if fits := need(total, n); heap.ClassSize(fits) < heap.ClassSize(size) {
		if shrunk := h.Grow(ref, size, fits); shrunk != 0 {
			ref, size = shrunk, fits
		} else {
			n = manyFrom
		}
	}
	p := h.Arena().Bytes(ref, total)
	SetHeader(p, total, n)
	if n >= manyFrom {
		note := h.Arena().Bytes(ref, total+capacityNote)[total:]
		binary.LittleEndian.PutUint32(note, uint32(size))
	}
	return ref
}
