package heap

import (
	"math/bits"
	"unsafe"
)

// Evacuation is how memory comes back after many blocks of many spans were freed:
// the heap marks chunks that should become empty, the owner of the blocks, which
// alone knows who refers to them, moves each marked block to a new place (Alloc,
// copy, Free), and the emptied chunks go back. Nothing is handed out from marked
// chunks meanwhile.
//
// The emptiest chunks leave, as many as the holes in the others can take in. Where
// more than a third of a small heap is waste, everything leaves for new chunks and
// is packed there as in a new heap: that moves more, but the holes inside of its
// few chunks count.

const (
	// minWaste is what a plan must be able to win, in bytes; half of it if anew.
	minWaste = 8 << 10
	// allPercent is how much waste, relative to what is used, makes everything leave.
	allPercent = 50
	// allChunks is the largest heap that may: both copies exist for a while.
	allChunks = 32
	// planFill is how full, in sixteenths, chunks that stay are expected to become.
	planFill = 15
	// fillStep is the granularity of a chunk's fullness, in bytes.
	fillStep = 1 << 10
)

// PlanEvacuation marks sparse chunks to be emptied, if what the heap has resident
// exceeds what is used by more than slackPercent and it can be helped, and reports
// whether it did. anew asks that a small heap be packed anew for less: it is for a
// heap that has shrunk and will stay so, since what it leaves counts for nothing
// the next time. The owner then moves every block for which Evacuating is true,
// in as many steps as it likes, and calls FinishEvacuation. It takes some 10 ns
// for each span of the heap.
func (h *Heap) PlanEvacuation(slackPercent int, anew bool) bool {
	h.FinishEvacuation()
	least, all := int64(minWaste), allPercent
	if anew {
		h.floor = 0
		least, all = minWaste/2, slackPercent
	}
	if !h.wasteful(slackPercent, least) {
		return false
	}
	h.Trim() // that needs no moving
	switch {
	case !h.wasteful(slackPercent, least):
		return false
	case h.count <= allChunks && h.wasteful(all, least) && h.leaveAll():
	default:
		h.leaveEmptiest()
	}
	return h.evac
}

func (h *Heap) wasteful(percent int, least int64) bool {
	waste := h.waste()
	h.floor = min(h.floor, waste)
	return h.st != nil && waste-h.floor >= least && waste*100 > h.used*int64(percent)
}

func (h *Heap) waste() int64 { return h.held + h.idle - h.used }

// Evacuating reports whether the block r should be moved.
func (h *Heap) Evacuating(r Ref) bool { return h.evac && h.evacuating(uint32(r>>wordShift)) }

func (h *Heap) evacuating(index uint32) bool {
	return h.arena.links[index].kind == kindUnits && h.chunk(index).evac
}

// FinishEvacuation ends what PlanEvacuation began. What was not moved stays where
// it is and is in use as before.
func (h *Heap) FinishEvacuation() {
	if !h.evac {
		return
	}
	h.evac = false
	h.floor = h.waste()
	for i := h.list; i != 0; i = h.arena.links[i].next {
		ch := h.chunk(i)
		if !ch.evac {
			continue
		}
		ch.evac = false
		h.floor = 0
		for rs := ch.records(); !rs.empty(); rs = rs.rest() {
			r := uint8(rs.first())
			s := ch.span(r)
			h.st.class[s.class].units += uint32(s.units)
			if s.free != 0 {
				h.linkSpan(makeSpanID(i, r), s)
			}
		}
		h.rebin(ch)
	}
}

// leaveAll marks all chunks and makes a new one the home. It reports false when
// the arena has none.
func (h *Heap) leaveAll() bool {
	old, oldState := h.home, h.st
	oldUnit := uint(uintptr(unsafe.Pointer(oldState))-uintptr(h.base)) % chunkSize / unitSize
	h.st = nil // newChunk must not touch the lists
	if !h.open() {
		h.st = oldState
		return false
	}
	for i, next := h.list, uint32(0); i != 0; i = next {
		next = h.arena.links[i].next
		if i == h.home {
			continue
		}
		ch := h.chunk(i)
		ch.bin, ch.evac, h.evac = noBin, true, true
		if i == old {
			ch.live++ // the state, which leaves at once
			h.release(ch, oldUnit, 1)
		}
	}
	return true
}

// leaveEmptiest marks the chunks that hold the least.
func (h *Heap) leaveEmptiest() {
	var live int64
	var chunks [chunkSize/fillStep + 1]uint32 // how many there are of each fullness
	for i := h.list; i != 0; i = h.arena.links[i].next {
		ch := h.chunk(i)
		n := ch.bytes()
		live += int64(n)
		ch.fill = uint8(n / fillStep)
		if i != h.home {
			chunks[ch.fill]++
		}
	}
	const room = (chunkUnits - headUnits) * unitSize * planFill / 16
	keep := uint32(max(1, (live+room-1)/room))
	// Those less full than limit leave, and some that are just as full.
	limit, ties := uint8(0), h.count-min(keep, h.count)
	for ties > 0 && chunks[limit] <= ties {
		ties -= chunks[limit]
		limit++
	}
	for i := h.list; i != 0; i = h.arena.links[i].next {
		ch := h.chunk(i)
		switch {
		case i == h.home || ch.fill > limit || ch.fill == limit && ties == 0:
			continue
		case ch.fill == limit:
			ties--
		}
		h.unbin(ch)
		ch.evac, h.evac = true, true
		for rs := ch.records(); !rs.empty(); rs = rs.rest() {
			s := ch.span(uint8(rs.first()))
			h.st.class[s.class].units -= uint32(s.units)
			if s.free != 0 {
				h.unlinkSpan(s)
			}
		}
	}
}

// bytes returns how much of a chunk is in blocks.
func (c *chunk) bytes() int {
	taken := chunkUnits - headUnits - c.free.count()
	n := 0
	for rs := c.records(); !rs.empty(); rs = rs.rest() {
		s := c.span(uint8(rs.first()))
		n += int(s.inUse()) * int(classes[s.class].words) * 8
		taken -= int(s.units)
	}
	return n + taken*unitSize // blocks of units, and the odd one that is the heap's own
}

func (s *span) inUse() uint { return uint(s.limit) - uint(bits.OnesCount64(s.free)) }
