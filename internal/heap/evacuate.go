package heap

import (
	"math"
	"math/bits"
)

// Evacuation is how memory comes back after most of the blocks of many spans were
// freed: the heap marks what should become empty, the owner of the blocks, which
// alone knows who refers to them, moves each marked block to a new place (Alloc,
// copy, Free), and the emptied spans and chunks go back. Marked memory is not
// handed out again meanwhile.
//
// The plan keeps the fullest chunks, as many as all blocks fit into, and in those
// the fullest spans of each class. Everything is counted into classes of fullness
// rather than sorted, so the time it takes is linear in the number of spans.

const (
	// planFill is how full, in sixteenths, the kept chunks are expected to become.
	planFill = 15
	// minWaste is what must be won, in bytes, for a plan to pay.
	minWaste = 8 << 10
	// fillStep is the granularity of a chunk's fullness, in bytes.
	fillStep = 1 << 10
)

type plan struct {
	live   int64 // bytes in spans and blocks
	chunks [chunkSize/fillStep + 1]uint32
	class  [numClasses]classPlan
}

type classPlan struct {
	live  uint32                 // blocks in use
	room  [spanBlocks + 1]uint32 // blocks of the kept spans, by fullness
	least uint                   // keep the spans that are fuller than this,
	need  int64                  // and of those exactly as full, enough for so many blocks
}

// PlanEvacuation marks sparse spans and chunks to be emptied, if what the heap has
// resident exceeds what is used by more than slackPercent, and reports whether it
// marked anything. The owner then moves every block for which Evacuating is true,
// in as many steps as it likes, and calls FinishEvacuation.
func (h *Heap) PlanEvacuation(slackPercent int) bool {
	if h.evac {
		h.FinishEvacuation()
	}
	waste := h.held + h.idle - h.used
	if h.st == nil || waste < minWaste || waste*100 <= h.used*int64(slackPercent) {
		return false
	}
	var p plan
	for i := h.list; i != 0; i = h.arena.links[i].next {
		p.measure(h.chunk(i), i == h.home)
	}
	fill, ties := p.emptiest(h.count)
	for i, next := h.list, uint32(0); i != 0; i = next {
		next = h.arena.links[i].next
		ch := h.chunk(i)
		switch f := uint(ch.fill); {
		case i == h.home || f > fill || f == fill && ties == 0:
			p.keep(ch)
			continue
		case f == fill:
			ties--
		}
		h.leaveChunk(ch)
	}
	for c := range p.class {
		p.class[c].choose()
	}
	for i, next := h.list, uint32(0); i != 0; i = next {
		next = h.arena.links[i].next
		if ch := h.chunk(i); !ch.evac {
			h.leaveSpans(&p, ch)
		}
	}
	return h.evac
}

// Evacuating reports whether the block r should be moved.
func (h *Heap) Evacuating(r Ref) bool { return h.evac && h.evacuating(r) }

func (h *Heap) evacuating(r Ref) bool {
	index := uint32(r >> wordShift)
	if h.arena.links[index].kind != kindUnits {
		return false
	}
	ch := h.chunk(index)
	if ch.evac {
		return true
	}
	record := ch.owner[uint(r)%chunkWords/unitWords]
	return record < maxSpans && ch.span(record).evac
}

// FinishEvacuation ends what PlanEvacuation began. What was not moved stays where
// it is and is in use as before.
func (h *Heap) FinishEvacuation() {
	if !h.evac {
		return
	}
	h.evac = false
	for i := h.list; i != 0; i = h.arena.links[i].next {
		ch := h.chunk(i)
		if ch.evac {
			ch.evac = false
			h.rebin(ch)
		}
		for rs := ch.records(); !rs.empty(); {
			r := rs.first()
			rs = rs.without(unitRange(r, 1))
			if s := ch.span(uint8(r)); s.evac {
				s.evac = false
				if s.free != 0 {
					h.linkSpan(makeSpanID(i, uint8(r)), s)
				}
			}
		}
	}
}

// measure counts a chunk's blocks and notes its fullness.
func (p *plan) measure(ch *chunk, home bool) {
	taken := chunkUnits - headUnits - ch.free.count()
	live := 0
	for rs := ch.records(); !rs.empty(); {
		r := rs.first()
		rs = rs.without(unitRange(r, 1))
		s := ch.span(uint8(r))
		n := s.inUse()
		p.class[s.class].live += uint32(n)
		live += int(n) * int(classes[s.class].words) * 8
		taken -= int(s.units)
	}
	live += taken * unitSize // blocks of units, and the odd one that is the heap's own
	p.live += int64(live)
	ch.fill = uint8(live / fillStep)
	if !home {
		p.chunks[ch.fill]++
	}
}

// emptiest returns which of count chunks are to leave: those less full than fill,
// and as many as ties of those just as full.
func (p *plan) emptiest(count uint32) (fill uint, ties uint32) {
	const room = (chunkUnits - headUnits) * unitSize * planFill / 16
	keep := uint32(max(1, (p.live+room-1)/room))
	ties = count - min(keep, count)
	for ties > 0 && p.chunks[fill] <= ties {
		ties -= p.chunks[fill]
		fill++
	}
	return fill, ties
}

// keep counts the spans of a chunk that is kept.
func (p *plan) keep(ch *chunk) {
	for rs := ch.records(); !rs.empty(); {
		r := rs.first()
		rs = rs.without(unitRange(r, 1))
		s := ch.span(uint8(r))
		p.class[s.class].room[s.fullness()] += uint32(s.limit)
	}
}

// choose decides which of the class's spans in kept chunks stay.
func (c *classPlan) choose() {
	c.need = int64(c.live)
	for c.least = spanBlocks; int64(c.room[c.least]) < c.need; c.least-- {
		c.need -= int64(c.room[c.least])
		if c.least == 0 {
			c.need = math.MaxInt64
			return
		}
	}
}

// leaveSpans marks the spans of a kept chunk that are to be emptied.
func (h *Heap) leaveSpans(p *plan, ch *chunk) {
	for rs := ch.records(); !rs.empty(); {
		r := rs.first()
		rs = rs.without(unitRange(r, 1))
		s := ch.span(uint8(r))
		c := &p.class[s.class]
		switch f := s.fullness(); {
		case f > c.least:
		case f == c.least && c.need > 0:
			c.need -= int64(s.limit)
		default:
			h.leaveSpan(ch, uint8(r))
		}
	}
}

// leaveChunk marks a chunk and all its spans to be emptied.
func (h *Heap) leaveChunk(ch *chunk) {
	h.unbin(ch)
	if ch.live == 0 {
		h.dropChunk(ch)
		return
	}
	ch.evac, h.evac = true, true
	for rs := ch.records(); !rs.empty(); {
		r := rs.first()
		rs = rs.without(unitRange(r, 1))
		h.leaveSpan(ch, uint8(r))
	}
}

func (h *Heap) leaveSpan(ch *chunk, record uint8) {
	s := ch.span(record)
	if s.free != 0 {
		h.unlinkSpan(s)
	}
	if s.free == s.all() {
		h.dropSpan(ch, record)
		return
	}
	s.evac, h.evac = true, true
}

// fullness maps the blocks in use to 0…64.
func (s *span) fullness() uint { return s.inUse() * spanBlocks / uint(s.limit) }

func (s *span) inUse() uint { return uint(s.limit) - uint(bits.OnesCount64(s.free)) }
