package heap

import (
	"math/bits"
	"unsafe"

	"sherd/internal/invariants"
)

// Heap allocates blocks from an arena. It belongs to one holder at a time, the
// slice under its latch, and nothing in it is atomic. A heap that was never used
// holds nothing.
type Heap struct {
	base  unsafe.Pointer // the arena's
	st    *state         // off the Go heap, in the chunk home; nil: the heap holds nothing
	used  int64          // bytes handed out, in class sizes
	held  int64          // bytes of units in use, and of big blocks
	idle  int64          // bytes of free units that may have memory behind them
	floor int64          // bytes that the last evacuation could not win
	arena *Arena
	list  uint32 // all chunks, linked in Arena.links
	bigs  uint32 // all big blocks, linked in Arena.links
	home  uint32 // the chunk that st lies in
	spare uint32 // an empty chunk kept for the next need; 0 if none
	count uint32 // chunks
	evac  bool   // between PlanEvacuation and FinishEvacuation
}

// state is what a heap in use needs: one unit.
type state struct {
	class [numClasses]struct {
		head  spanID // spans with a free block
		units uint32 // in all spans of the class but those in marked chunks
	}
	bins [numBins]uint32 // chunks by ⌊log₂⌋ of their longest run of free units
	_    [unitSize - numClasses*8 - numBins*4]byte
}

const (
	numBins  = 7
	noBin    = 0xff
	binTries = 4 // chunks to look at in a bin that may not have what is wanted
)

// The layouts that the constants above promise.
var (
	_ [headUnits*unitSize - int(unsafe.Sizeof(chunk{}))]byte
	_ [int(unsafe.Sizeof(chunk{})) + 24 - headUnits*unitSize]byte
	_ [unitSize - int(unsafe.Sizeof(state{}))]byte
	_ [unitSize - moreSpans*int(unsafe.Sizeof(span{}))]byte
)

// Init binds a heap to its arena.
func (h *Heap) Init(a *Arena) { *h = Heap{arena: a, base: a.base} }

// Arena returns the arena the heap allocates from.
func (h *Heap) Arena() *Arena { return h.arena }

// Used returns the bytes handed out, in class sizes; exact.
func (h *Heap) Used() int64 { return h.used }

// Held returns the bytes of the units that blocks, spans and bookkeeping take,
// used or not.
func (h *Heap) Held() int64 { return h.held }

// Idle returns the bytes of free units that may still have memory behind them.
// Held and Idle together bound what the heap has resident.
func (h *Heap) Idle() int64 { return h.idle }

// Alloc returns a block of at least n bytes, 8-byte aligned, or 0 when the arena
// is exhausted. The block is not cleared.
func (h *Heap) Alloc(n int) Ref {
	c, words := uint(n-1)>>3, uint(n+7)>>3
	if c >= smallWords {
		if n <= 0 {
			return h.Alloc(1)
		}
		size := ClassSize(n)
		if size > maxShared || sharedClass[size/sharedStep] == 0 {
			return h.allocUnits(n, size)
		}
		c, words = uint(sharedClass[size/sharedStep]), uint(size)/8
	}
	if h.st == nil {
		return h.allocFirst(c)
	}
	id := h.st.class[c].head
	if id == 0 {
		return h.allocSpan(c)
	}
	s := h.chunk(id >> spanBits).span(uint8(id & (1<<spanBits - 1)))
	free := s.free
	s.free = free & (free - 1)
	h.used += int64(words * 8)
	if s.free == 0 {
		h.unlinkHead(c, s)
	}
	r := Ref(id>>spanBits)<<wordShift + Ref(s.first)*unitWords + Ref(uint(bits.TrailingZeros64(free))*words)
	if invariants.Enabled {
		h.checkPoison(r, int(words*8))
	}
	return r
}

func (h *Heap) allocFirst(c uint) Ref {
	if !h.open() {
		return 0
	}
	return h.allocSpan(c)
}

// allocSpan makes a span of a class that has no free block, and takes its first.
//
//go:noinline
func (h *Heap) allocSpan(c uint) Ref {
	if !h.newSpan(c) {
		return 0
	}
	return h.Alloc(int(classes[c].words) * 8)
}

// Free gives a block back. n is as it was given to Alloc, or anything else with
// the same ClassSize.
func (h *Heap) Free(r Ref, n int) {
	c, words := uint(n-1)>>3, uint(n+7)>>3
	if c >= smallWords {
		if n <= 0 {
			n, c, words = 1, 0, 1
		} else {
			size := ClassSize(n)
			if size > maxShared || sharedClass[size/sharedStep] == 0 {
				h.freeUnits(r, size)
				return
			}
			c, words = uint(sharedClass[size/sharedStep]), uint(size)/8
		}
	}
	ch := h.chunk(uint32(r >> wordShift))
	at := uint(r) & (chunkWords - 1)
	if invariants.Enabled {
		h.checkFree(r, c)
	}
	record := ch.owner[at/unitWords]
	s := ch.span(record)
	bit := uint64(1) << (uint32(at-uint(s.first)*unitWords) * classes[c].recip >> 16)
	before := s.free
	s.free = before | bit
	h.used -= int64(words * 8)
	if before == 0 || before|bit == s.all() {
		h.spanChanged(ch, record, before == 0)
	}
}

// open gives the heap its first chunk and its state.
func (h *Heap) open() bool {
	ch := h.newChunk()
	if ch == nil {
		return false
	}
	u, _ := ch.find(1)
	h.use(ch, u, 1, unitOurs)
	ch.live-- // the state is no reason to keep the chunk
	h.st = (*state)(ch.unit(u))
	*h.st = state{}
	h.home = ch.index
	h.spare = 0
	h.rebin(ch)
	return true
}

// close gives back the chunks of a heap in which nothing is in use.
func (h *Heap) close() {
	for h.list != 0 {
		h.dropChunk(h.chunk(h.list))
	}
	h.st, h.home, h.spare = nil, 0, 0
}
