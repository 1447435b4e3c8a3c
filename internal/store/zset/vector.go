package zset

import (
	"unsafe"

	"sherd/internal/heap"
)

// vector is an array of words that grows in steps: one block as long as it is
// short, then pages with a directory. Its zero value is empty.
//
//	n ≤ 4096   ref ──> [ cap words ]
//	beyond     ref ──> [ page refs ] ──> [ 4096 words ] …
type vector struct {
	ref   uint64
	count uint32
	room  uint32 // words of the one block, or the directory's
}

const (
	pageShift = 12
	pageWords = 1 << pageShift
)

func words(a *heap.Arena, ref uint64, n uint32) []uint64 {
	return unsafe.Slice((*uint64)(a.Ptr(heap.Ref(ref))), n)
}

// paged tells whether the words stand in pages.
func (v *vector) paged() bool { return v.count > pageWords }

// at returns the place of word i, which must be less than count.
func (v *vector) at(a *heap.Arena, i uint32) *uint64 {
	p := a.Ptr(heap.Ref(v.ref))
	if v.count > pageWords {
		p = a.Ptr(heap.Ref(*(*uint64)(unsafe.Add(p, uintptr(i>>pageShift)*8))))
		i &= pageWords - 1
	}
	return (*uint64)(unsafe.Add(p, uintptr(i)*8))
}

// push appends a word; false is out of memory.
func (v *vector) push(h *heap.Heap, w uint64) bool {
	a := h.Arena()
	switch {
	case v.count < pageWords:
		if v.count == v.room && !v.widen(h, min(v.room+v.room/4+4, pageWords)) {
			return false
		}
		words(a, v.ref, v.count+1)[v.count] = w
	case v.count == pageWords:
		// The block becomes the first page.
		dir := h.Alloc(16)
		page := h.Alloc(pageWords * 8)
		if dir == 0 || page == 0 {
			if dir != 0 {
				h.Free(dir, 16)
			}
			if page != 0 {
				h.Free(page, pageWords*8)
			}
			return false
		}
		d := words(a, uint64(dir), 2)
		d[0], d[1] = v.ref, uint64(page)
		v.ref, v.room = uint64(dir), 2
		words(a, uint64(page), 1)[0] = w
	default:
		page := v.count >> pageShift
		at := v.count & (pageWords - 1)
		if at == 0 {
			if page == v.room && !v.widen(h, v.room+v.room/4+2) {
				return false
			}
			r := h.Alloc(pageWords * 8)
			if r == 0 {
				return false
			}
			words(a, v.ref, page+1)[page] = uint64(r)
		}
		words(a, words(a, v.ref, page+1)[page], at+1)[at] = w
	}
	v.count++
	return true
}

// widen gives the block, or the directory, room for at least n words.
func (v *vector) widen(h *heap.Heap, n uint32) bool {
	bytes := heap.ClassSize(int(n) * 8)
	var r heap.Ref
	if v.room == 0 {
		r = h.Alloc(bytes)
	} else {
		r = h.Grow(heap.Ref(v.ref), int(v.room)*8, bytes)
	}
	if r == 0 {
		return false
	}
	v.ref, v.room = uint64(r), uint32(bytes/8)
	return true
}

// pop drops the last word and gives back what it leaves.
func (v *vector) pop(h *heap.Heap) {
	a := h.Arena()
	v.count--
	switch {
	case v.count > pageWords:
		if v.count&(pageWords-1) == 0 {
			h.Free(heap.Ref(words(a, v.ref, v.count>>pageShift+1)[v.count>>pageShift]), pageWords*8)
		}
	case v.count == pageWords:
		d := words(a, v.ref, 2)
		first, second, dir, room := d[0], d[1], v.ref, v.room
		h.Free(heap.Ref(second), pageWords*8)
		h.Free(heap.Ref(dir), int(room)*8)
		v.ref, v.room = first, pageWords
	case v.count == 0:
		h.Free(heap.Ref(v.ref), int(v.room)*8)
		*v = vector{}
	case v.count < v.room/2:
		// Should there be no memory for the smaller block, the larger stays.
		if bytes := heap.ClassSize(int(v.count+v.count/4+1) * 8); bytes < int(v.room)*8 {
			if r := h.Grow(heap.Ref(v.ref), int(v.room)*8, bytes); r != 0 {
				v.ref, v.room = uint64(r), uint32(bytes/8)
			}
		}
	}
}

// sizeBytes is the memory of the words.
func (v *vector) sizeBytes() int64 {
	if v.count == 0 {
		return 0
	}
	n := int64(heap.ClassSize(int(v.room) * 8))
	if v.paged() {
		n += int64((v.count+pageWords-1)>>pageShift) * int64(heap.ClassSize(pageWords*8))
	}
	return n
}
