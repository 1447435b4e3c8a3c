package heap

import "math/bits"

// takeUnits finds want units in a row, or at least least of them where otherwise
// a new chunk would be needed; a span of class cl may take fewer. The chunk then
// has a free record for the span. The units are not yet taken.
func (h *Heap) takeUnits(want, least uint, cl *class) (ch *chunk, first, n uint) {
	for {
		if ch, first, n = h.findUnits(want, least, cl); ch == nil {
			if ch = h.newChunk(); ch == nil {
				return nil, 0, 0
			}
			first, _ = ch.find(want)
			n = want
		}
		if cl == nil || h.roomForSpan(ch) {
			return ch, first, n
		}
	}
}

func (h *Heap) findUnits(want, least uint, cl *class) (*chunk, uint, uint) {
	low := bits.Len(want) - 1
	if cl != nil {
		// First the holes that only a shorter span fits into: blocks of tables
		// that grow leave them behind everywhere.
		for b := bits.Len(least) - 1; b < numBins; b++ {
			index := h.st.bins[b]
			for try := 0; index != 0 && try < binTries; try++ {
				ch := h.chunk(index)
				holes := ch.free.shorter(want)
				if n := uint(cl.fit[min(holes.longest(), want)]); n >= least && n != noFit {
					return ch, holes.starts(n).first(), n
				}
				index = ch.next
			}
		}
	}
	for b := low; b < numBins; b++ {
		index := h.st.bins[b]
		for try := 0; index != 0 && try < binTries; try++ {
			ch := h.chunk(index)
			if first, ok := ch.find(want); ok {
				return ch, first, want
			}
			index = ch.next
		}
	}
	if cl == nil {
		return nil, 0, 0
	}
	for b := min(low, numBins-1); b >= bits.Len(least)-1; b-- {
		index := h.st.bins[b]
		for try := 0; index != 0 && try < binTries; try++ {
			ch := h.chunk(index)
			n := uint(cl.fit[min(ch.free.longest(), want)])
			if n >= least {
				first, _ := ch.find(n)
				return ch, first, n
			}
			index = ch.next
		}
	}
	return nil, 0, 0
}

// roomForSpan makes sure that the chunk has an unused span record. If it has to
// take a unit for records it returns false, and the search begins anew.
func (h *Heap) roomForSpan(ch *chunk) bool {
	record := ch.spare.first()
	if record < headSpans || ch.more[(record-headSpans)/moreSpans] != 0 {
		return true
	}
	u, _ := ch.find(1)
	h.use(ch, u, 1, unitOurs)
	ch.live--
	ch.more[(record-headSpans)/moreSpans] = uint8(u)
	h.rebin(ch)
	return false
}

// use takes n free units.
func (h *Heap) use(ch *chunk, first, n uint, owner uint8) {
	run := unitRange(first, n)
	h.held += int64(n) * unitSize
	h.idle -= int64(run.without(ch.fresh).count()) * unitSize
	ch.free = ch.free.without(run)
	ch.fresh = ch.fresh.without(run)
	ch.setOwner(first, n, owner)
	ch.live++
	if h.spare == ch.index {
		h.spare = 0
	}
}

// release frees n units, and the chunk if they were the last.
func (h *Heap) release(ch *chunk, first, n uint) {
	h.held -= int64(n) * unitSize
	h.idle += int64(n) * unitSize
	ch.setOwner(first, n, unitFree)
	ch.free = ch.free.or(unitRange(first, n))
	ch.live--
	switch {
	case ch.live > 0 || ch.index == h.home:
		h.rebin(ch)
	case ch.evac || h.spare != 0:
		h.dropChunk(ch)
	default:
		h.spare = ch.index
		h.dropRecords(ch)
		h.rebin(ch)
	}
}

// dropRecords frees the units that were added to an empty chunk for span records.
func (h *Heap) dropRecords(ch *chunk) {
	for i, u := range ch.more {
		if u != 0 {
			ch.more[i] = 0
			ch.free = ch.free.or(unitRange(uint(u), 1))
			ch.owner[u] = unitFree
			h.held -= unitSize
			h.idle += unitSize
		}
	}
}

// newChunk gets a chunk from the arena; nil if there is none.
func (h *Heap) newChunk() *chunk {
	index, dirty := h.arena.take(1)
	if index == 0 {
		return nil
	}
	ch := h.chunk(index)
	ch.format(index, !dirty)
	h.held += headUnits * unitSize
	h.idle += int64(ch.dirty()) * unitSize
	h.count++
	h.spare = index
	h.pushLink(&h.list, index, chunkLink{kind: kindUnits})
	if h.st != nil {
		h.rebin(ch)
	}
	return ch
}

// dropChunk gives a chunk back to the arena.
func (h *Heap) dropChunk(ch *chunk) {
	h.unbin(ch)
	h.idle -= int64(ch.dirty()) * unitSize
	h.held -= int64(chunkUnits-ch.free.count()) * unitSize
	h.count--
	if h.spare == ch.index {
		h.spare = 0
	}
	index := ch.index
	h.popLink(&h.list, index)
	h.arena.give(index, 1)
}

// rebin puts a chunk into the list of those with runs of free units as long.
func (h *Heap) rebin(ch *chunk) {
	bin := uint8(ch.free.longestLog())
	if ch.evac {
		bin = noBin
	}
	if bin == ch.bin {
		return
	}
	h.unbin(ch)
	if ch.bin = bin; bin != noBin {
		head := &h.st.bins[bin]
		ch.next, ch.prev = *head, 0
		if *head != 0 {
			h.chunk(*head).prev = ch.index
		}
		*head = ch.index
	}
}

func (h *Heap) unbin(ch *chunk) {
	if ch.bin == noBin {
		return
	}
	if ch.prev != 0 {
		h.chunk(ch.prev).next = ch.next
	} else {
		h.st.bins[ch.bin] = ch.next
	}
	if ch.next != 0 {
		h.chunk(ch.next).prev = ch.prev
	}
	ch.bin = noBin
}

// pushLink puts a chunk at the head of one of the heap's lists in Arena.links.
func (h *Heap) pushLink(head *uint32, index uint32, l chunkLink) {
	l.next = *head
	if *head != 0 {
		h.arena.links[*head].prev = index
	}
	h.arena.links[index] = l
	*head = index
}

func (h *Heap) popLink(head *uint32, index uint32) chunkLink {
	l := h.arena.links[index]
	if l.prev != 0 {
		h.arena.links[l.prev].next = l.next
	} else {
		*head = l.next
	}
	if l.next != 0 {
		h.arena.links[l.next].prev = l.prev
	}
	h.arena.links[index] = chunkLink{}
	return l
}
