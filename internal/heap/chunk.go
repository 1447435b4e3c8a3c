package heap

import "unsafe"

const (
	chunkUnits = chunkSize / unitSize // 128
	headUnits  = 2                    // a chunk's header takes 1 KiB
	headColors = 32                   // places the header may have

	headSpans = 34 // span records inside the header
	moreSpans = 21 // span records in each unit added for them
	maxSpans  = chunkUnits - headUnits - moreUnits
	moreUnits = 5 // enough for a chunk full of one-unit spans
)

// What chunk.owner says of a unit; smaller values are numbers of span records.
const (
	unitFree = 0xff - iota
	unitOurs // header, further records, the heap's state
	unitBlock
	unitBlockRest // a block's units after its first
)

// chunk is the header of 64 KiB that a heap holds. It lies inside of the chunk, so
// that a heap with a few objects touches one page; at a place that depends on the
// chunk's index, so that the headers of many chunks do not compete for the same
// few sets of the processor's caches.
type chunk struct {
	owner [chunkUnits]uint8 // of each unit: its span's record, or a unit… constant
	free  units
	fresh units // never touched since the system gave them; of free units only
	spare units // numbers of unused span records

	index uint32
	next  uint32 // list of chunks with runs of free units as long as this one's
	prev  uint32
	bin   uint8            // which list; noBin if none
	live  uint8            // spans and blocks in the chunk
	evac  bool             // everything here is to be moved out; nothing more is handed out
	fill  uint8            // KiB in use, as PlanEvacuation found it
	more  [moreUnits]uint8 // units that hold further span records; 0 if none
	_     [3]uint8

	spans [headSpans]span
}

// span is a row of units with blocks of one class. The record is kept apart from
// the blocks, 24 bytes for up to 64 of them.
type span struct {
	free  uint64 // a bit for each block
	next  uint32 // the class's list of spans that have a free block
	prev  uint32
	first uint8 // unit
	units uint8
	limit uint8 // blocks
	class uint8
	_     [4]uint8
}

// spanID names a span of a heap: chunk index and record number. 0 is none.
type spanID = uint32

const spanBits = 7

func makeSpanID(index uint32, record uint8) spanID { return index<<spanBits | uint32(record) }

// all is the span's free word when no block is in use.
func (s *span) all() uint64 { return ^uint64(0) >> (spanBlocks - s.limit) }

// headUnit returns where the header of a chunk lies.
func headUnit(index uint32) uint { return uint(index%headColors) * headUnits }

// startUnit returns where a chunk is filled from: the header's page, so that a
// heap of a few objects touches no other.
func startUnit(index uint32) uint { return headUnit(index) &^ (bigStep/unitSize - 1) }

func (h *Heap) chunk(index uint32) *chunk {
	return (*chunk)(unsafe.Add(h.base, uintptr(index)<<chunkShift+uintptr(headUnit(index))*unitSize))
}

func (h *Heap) span(id spanID) *span {
	return h.chunk(id >> spanBits).span(uint8(id & (1<<spanBits - 1)))
}

func (c *chunk) unit(u uint) unsafe.Pointer {
	return unsafe.Add(unsafe.Pointer(c), (int(u)-int(headUnit(c.index)))*unitSize)
}

func (c *chunk) ref(u uint) Ref { return Ref(c.index)<<wordShift + Ref(u)*unitWords }

func (c *chunk) span(record uint8) *span {
	if record < headSpans {
		return &c.spans[record]
	}
	return c.farSpan(record)
}

func (c *chunk) farSpan(record uint8) *span {
	record -= headSpans
	u := uint(c.more[record/moreSpans])
	return (*span)(unsafe.Add(c.unit(u), uintptr(record%moreSpans)*unsafe.Sizeof(span{})))
}

// format makes a chunk that is free in all its units but the header's. The chunk
// is fresh when the system has just given it.
func (c *chunk) format(index uint32, fresh bool) {
	*c = chunk{index: index, bin: noBin}
	for u := range c.owner {
		c.owner[u] = unitFree
	}
	head := unitRange(headUnit(index), headUnits)
	c.free = unitRange(0, chunkUnits).without(head)
	if fresh {
		c.fresh = c.free
	}
	c.spare = unitRange(0, maxSpans)
	c.setOwner(headUnit(index), headUnits, unitOurs)
}

func (c *chunk) setOwner(first, n uint, owner uint8) {
	for u := first; u < first+n; u++ {
		c.owner[u] = owner
	}
}

// find returns where n free units in a row begin: from the header's page on, or
// else before it.
func (c *chunk) find(n uint) (first uint, ok bool) {
	start := startUnit(c.index)
	if s := c.free.and(unitRange(start, chunkUnits-start)).starts(n); !s.empty() {
		return s.first(), true
	}
	if s := c.free.starts(n); !s.empty() {
		return s.first(), true
	}
	return 0, false
}

// dirty returns the free units that may have memory behind them.
func (c *chunk) dirty() int { return c.free.without(c.fresh).count() }

// records returns the span records in use.
func (c *chunk) records() units { return unitRange(0, maxSpans).without(c.spare) }
