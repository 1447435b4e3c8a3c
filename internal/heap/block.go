package heap

import (
	"unsafe"

	"sherd/internal/invariants"
)

// Blocks that share no span: runs of units inside a chunk, and big blocks, which
// are runs of whole chunks.

// allocUnits allocates a block of n bytes whose class size is size.
//
//go:noinline
func (h *Heap) allocUnits(n, size int) Ref {
	if n > maxReserve {
		return 0
	}
	if size > maxBlock {
		return h.allocBig(size)
	}
	if h.st == nil && !h.open() {
		return 0
	}
	k := uint(size / unitSize)
	ch, first, _ := h.takeUnits(k, k, nil)
	if ch == nil {
		return 0
	}
	h.use(ch, first, k, unitBlockRest)
	ch.owner[first] = unitBlock
	h.rebin(ch)
	h.used += int64(size)
	r := ch.ref(first)
	if invariants.Enabled {
		h.scribble(r, size)
	}
	return r
}

// freeUnits frees what allocUnits returned.
//
//go:noinline
func (h *Heap) freeUnits(r Ref, size int) {
	if invariants.Enabled {
		h.checkFreeUnits(r, size)
		h.poison(r, min(size, maxBlock))
	}
	h.used -= int64(size)
	if size > maxBlock {
		h.held -= int64(size)
		index := uint32(r >> wordShift)
		h.arena.give(index, h.popLink(&h.bigs, index).run())
		return
	}
	ch := h.chunk(uint32(r >> wordShift))
	h.release(ch, uint(r)%chunkWords/unitWords, uint(size/unitSize))
}

func (h *Heap) allocBig(size int) Ref {
	run := chunksFor(size)
	index, dirty := h.arena.take(run)
	if index == 0 {
		return 0
	}
	if dirty {
		h.dropTail(index, size, run)
	}
	h.used += int64(size)
	h.held += int64(size)
	h.pushLink(&h.bigs, index, chunkLink{kind: kindBig, pages: uint32(size / bigStep)})
	r := Ref(index) << wordShift
	if invariants.Enabled {
		h.scribble(r, min(size, maxBlock))
	}
	return r
}

// dropTail gives back the pages between a big block's end and its last chunk's.
func (h *Heap) dropTail(index uint32, size int, run uint32) {
	end := (size + sysPage - 1) &^ (sysPage - 1)
	if tail := int(run)*chunkSize - end; tail > 0 {
		sysDiscard(unsafe.Add(h.base, uintptr(index)<<chunkShift+uintptr(end)), int64(tail))
	}
}

func chunksFor(size int) uint32 { return uint32((size + chunkSize - 1) >> chunkShift) }

// Grow makes the block r, of oldSize bytes, newSize bytes long, larger or smaller,
// keeps what fits of its contents and returns its place: r itself where the memory
// behind it is free. 0 means out of memory; the old block then stands as it was.
// The new part is not cleared.
func (h *Heap) Grow(r Ref, oldSize, newSize int) Ref {
	from, to := ClassSize(oldSize), ClassSize(newSize)
	if from == to {
		return r
	}
	if newSize > maxReserve {
		return 0
	}
	inPlace := false
	switch {
	case from > maxBlock && to > maxBlock:
		inPlace = h.growBig(uint32(r>>wordShift), from, to)
	case from%unitSize == 0 && to%unitSize == 0 && from <= maxBlock && to <= maxBlock:
		inPlace = h.growUnits(r, uint(from/unitSize), uint(to/unitSize))
	}
	if inPlace {
		h.used += int64(to - from)
		return r
	}
	q := h.Alloc(newSize)
	if q == 0 {
		return 0
	}
	copy(h.arena.Bytes(q, newSize), h.arena.Bytes(r, oldSize))
	h.Free(r, oldSize)
	return q
}

// growUnits changes a block of units in place.
func (h *Heap) growUnits(r Ref, from, to uint) bool {
	ch := h.chunk(uint32(r >> wordShift))
	first := uint(r) % chunkWords / unitWords
	if to < from {
		ch.live++ // the rest of the block
		h.release(ch, first+to, from-to)
		return true
	}
	if first+to > chunkUnits || ch.evac {
		return false
	}
	more := unitRange(first+from, to-from)
	if ch.free.and(more) != more {
		return false
	}
	h.use(ch, first+from, to-from, unitBlockRest)
	ch.live--
	h.rebin(ch)
	return true
}

// growBig changes a big block in place.
func (h *Heap) growBig(index uint32, from, to int) bool {
	link := &h.arena.links[index]
	had, run := link.run(), chunksFor(to)
	switch {
	case run > had:
		if !h.arena.takeAt(index+had, run-had) {
			return false
		}
		h.dropTail(index, to, run)
	case run < had:
		h.arena.give(index+run, had-run)
	}
	link.pages = uint32(to / bigStep)
	if to < from {
		h.dropTail(index, to, run)
	}
	h.held += int64(to - from)
	return true
}
