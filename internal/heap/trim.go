package heap

import (
	"math/bits"
	"os"
	"unsafe"
)

var sysPage = os.Getpagesize()

// Trim gives back what the heap does not need: empty spans and chunks go to the
// arena, and pages without a block in chunks that stay go to the system, one
// system call for each row of them. It returns how many bytes of both. It is for
// the housekeeping of a heap that has shrunk; Idle tells whether it may pay.
func (h *Heap) Trim() int {
	if h.st == nil {
		return 0
	}
	before := h.held + h.idle
	h.dropEmpty()
	if h.count == 1 && h.chunk(h.home).live == 0 {
		h.close()
		return int(before - h.held - h.idle)
	}
	if h.idle >= int64(sysPage) && sysPage < chunkSize {
		for i := h.list; i != 0; i = h.arena.links[i].next {
			h.trimChunk(h.chunk(i))
		}
	}
	return int(before - h.held - h.idle)
}

// dropEmpty gives the spans and the chunk back that are kept for the next need.
func (h *Heap) dropEmpty() {
	for c := range h.st.class {
		if id := h.st.class[c].head; id != 0 {
			if s := h.span(id); s.free == s.all() {
				h.unlinkSpan(s)
				h.dropSpan(h.chunk(id>>spanBits), uint8(id&(1<<spanBits-1)))
			}
		}
	}
	if h.spare != 0 {
		h.dropChunk(h.chunk(h.spare))
	}
}

// trimChunk gives the pages of a chunk back that are free as a whole.
func (h *Heap) trimChunk(ch *chunk) {
	unitsPerPage := uint(sysPage / unitSize)
	row := units{} // pages next to each other
	from, to := uint(0), uint(0)
	flush := func() bool {
		if row.empty() {
			return true
		}
		if !sysDiscard(ch.unit(from), int64(to-from)*unitSize) {
			return false
		}
		h.idle -= int64(row.without(ch.fresh).count()) * unitSize
		ch.fresh = ch.fresh.or(row)
		row = units{}
		return true
	}
	for u := uint(0); u < chunkUnits; u += unitsPerPage {
		page := unitRange(u, unitsPerPage)
		if ch.free.and(page) != page || ch.fresh.and(page) == page {
			if !flush() {
				return
			}
			continue
		}
		if row.empty() {
			from = u
		}
		row, to = row.or(page), u+unitsPerPage
	}
	flush()
}

// trimBatch is how many bytes Trim of an arena gives back in one system call.
const trimBatch = 16 << 20

// Trim gives the memory behind up to maxBytes of free chunks back to the system,
// the highest first, and returns how many bytes. The address range stays readable
// and reads as zeros. It is for a background goroutine: it runs beside heaps in
// use, which do not see the chunks that it has in hand.
func (a *Arena) Trim(maxBytes int) int {
	m := &a.chunks
	var first, run uint32 // in hand: adjacent, claimed, not yet given back
	done, ok := 0, true
	flush := func() {
		if run == 0 {
			return
		}
		ok = sysDiscard(unsafe.Add(a.base, uintptr(first)<<chunkShift), int64(run)<<chunkShift)
		if ok {
			done += int(run) << chunkShift
		}
		m.give(first, run, !ok)
		run = 0
	}
	room := func() int { return maxBytes>>chunkShift - done>>chunkShift - int(run) }
	for w := int(m.frontier.Load()-1) >> 6; w >= 0 && ok && room() > 0 && m.freeDirty.Load() > 0; w-- {
		for ok && room() > 0 {
			v := m.bits[w].Load()
			d := v & m.dirty[w].Load()
			if d == 0 {
				break
			}
			// The highest row of ones in d, or what fits of it.
			top := uint32(bits.Len64(d))
			k := uint32(bits.LeadingZeros64(^(d << (64 - top))))
			k = min(k, top, uint32(room()))
			mask := (^uint64(0) >> (64 - k)) << (top - k)
			if !m.bits[w].CompareAndSwap(v, v&^mask) {
				continue
			}
			at := uint32(w)<<6 + top - k
			m.claimed(at, k)
			if run > 0 && (at+k != first || int(run)<<chunkShift >= trimBatch) {
				flush()
			}
			first, run = at, run+k
		}
	}
	flush()
	return done
}
