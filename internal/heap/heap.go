// Package heap is the off-heap memory of the store.
package heap

// Heap allocates from an arena for one owner; it is guarded by its owner's latch.
type Heap struct {
	a          *Arena
	used, held int64
	bump, end  int64
	free       map[int]Ref
	runs       map[int64]int64
}

// Init binds the heap to its arena.
func (h *Heap) Init(a *Arena) { *h = Heap{a: a} }

// Arena returns the arena the heap allocates from.
func (h *Heap) Arena() *Arena { return h.a }

// Alloc returns a block of at least n bytes, 8-byte aligned and not cleared, or 0
// when the arena is exhausted.
func (h *Heap) Alloc(n int) Ref {
	size := ClassSize(n)
	if h.free == nil {
		h.free, h.runs = map[int]Ref{}, map[int64]int64{}
	}
	if size > maxBlock {
		run := int64(size+chunkSize-1) &^ (chunkSize - 1)
		off := h.a.take(run)
		if off == 0 {
			return 0
		}
		h.runs[off] = run
		h.used += int64(size)
		h.held += run
		return Ref(off >> 3)
	}
	if r := h.free[size]; r != 0 {
		h.free[size] = *(*Ref)(h.a.Ptr(r))
		h.used += int64(size)
		return r
	}
	if h.bump+int64(size) > h.end {
		off := h.a.take(chunkSize)
		if off == 0 {
			return 0
		}
		h.runs[off] = chunkSize
		h.held += chunkSize
		h.bump, h.end = off, off+chunkSize
	}
	r := Ref(h.bump >> 3)
	h.bump += int64(size)
	h.used += int64(size)
	return r
}

// Free gives back a block; n is what Alloc was asked for.
func (h *Heap) Free(r Ref, n int) {
	size := ClassSize(n)
	h.used -= int64(size)
	if size > maxBlock {
		off := int64(r) << 3
		run := h.runs[off]
		delete(h.runs, off)
		h.held -= run
		h.a.give(chunkRun{off, run})
		return
	}
	*(*Ref)(h.a.Ptr(r)) = h.free[size]
	h.free[size] = r
}

// Grow resizes the block r from oldSize to newSize bytes, in place where it can,
// and returns its place. 0 means out of memory; the old block then stands.
func (h *Heap) Grow(r Ref, oldSize, newSize int) Ref {
	if ClassSize(oldSize) == ClassSize(newSize) {
		return r
	}
	q := h.Alloc(newSize)
	if q != 0 {
		copy(h.a.Bytes(q, newSize), h.a.Bytes(r, oldSize))
		h.Free(r, oldSize)
	}
	return q
}

// Used returns the bytes handed out, in class sizes; exact.
func (h *Heap) Used() int64 { return h.used }

// Held returns the bytes taken from the arena for them.
func (h *Heap) Held() int64 { return h.held }

// PlanEvacuation marks sparse memory to be emptied when at least slackPercent of
// what is used would be won. The owner then moves every block for which
// Evacuating reports true (Alloc, copy, Free) and calls FinishEvacuation.
func (h *Heap) PlanEvacuation(slackPercent int) bool { return false }

// Evacuating reports whether the block r should be moved.
func (h *Heap) Evacuating(r Ref) bool { return false }

// FinishEvacuation ends what PlanEvacuation began, whether or not all was moved.
func (h *Heap) FinishEvacuation() {}

// Trim gives free pages back and returns how many bytes.
func (h *Heap) Trim() int { return 0 }

// Detached is what a heap held when it was emptied.
type Detached struct {
	a    *Arena
	runs map[int64]int64
}

// Detach empties the heap in constant time; the memory stays taken until the
// returned value's Free has given it back.
func (h *Heap) Detach() Detached {
	d := Detached{h.a, h.runs}
	h.Init(h.a)
	return d
}

// Free gives up to budgetChunks chunks back to the arena; true when none is left.
func (d *Detached) Free(budgetChunks int) (done bool) {
	for off, size := range d.runs {
		if budgetChunks <= 0 {
			return false
		}
		budgetChunks--
		d.a.give(chunkRun{off, size})
		delete(d.runs, off)
	}
	return true
}
