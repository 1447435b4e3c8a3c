package heap

import (
	"sherd/internal/invariants"
)

// newSpan makes a span of class c and puts it on the class's list.
//
// A class begins with spans of one unit and may take a larger one each time its
// population has grown by eight of them, so a small heap with many classes is
// dense, and in a large one the records and the ends of spans do not count.
func (h *Heap) newSpan(c uint) bool {
	cl := &classes[c]
	want := uint(h.st.class[c].units / 8)
	want = uint(cl.fit[min(max(want, 1), uint(cl.units))])
	least := uint(1)
	for cl.fit[least] == noFit {
		least++
	}
	ch, first, n := h.takeUnits(max(want, least), least, cl)
	if ch == nil {
		return false
	}
	record := uint8(ch.spare.first())
	ch.spare = ch.spare.without(unitRange(uint(record), 1))
	s := ch.span(record)
	*s = span{first: uint8(first), units: uint8(n), limit: uint8(cl.limit(n)), class: uint8(c)}
	s.free = s.all()
	h.use(ch, first, n, record)
	h.rebin(ch)
	h.st.class[c].units += uint32(n)
	h.linkSpan(makeSpanID(ch.index, record), s)
	if invariants.Enabled {
		h.poison(ch.ref(first), int(n)*unitSize)
	}
	return true
}

// spanChanged is called when a block of a full span was freed, or the last block
// of a span.
//
// An empty span is kept as long as it is the only one on its list, so that a class
// that goes up and down by one block does not make and drop a span each time; but
// not when it is all that the class has: tables that grow leave a dozen classes
// behind that they do not use again.
func (h *Heap) spanChanged(ch *chunk, record uint8, wasFull bool) {
	s := ch.span(record)
	id := makeSpanID(ch.index, record)
	empty := s.free == s.all()
	if ch.evac {
		if empty {
			h.dropSpan(ch, record)
		}
		return
	}
	if wasFull {
		head := h.st.class[s.class].head
		h.linkSpan(id, s)
		if head != 0 {
			if other := h.span(head); other.free == other.all() {
				h.unlinkSpan(other)
				h.dropSpan(h.chunk(head>>spanBits), uint8(head&(1<<spanBits-1)))
			}
		}
	}
	if empty && (s.next != 0 || s.prev != 0 || h.st.class[s.class].units == uint32(s.units)) {
		h.unlinkSpan(s)
		h.dropSpan(ch, record)
	}
}

// dropSpan frees the units of an empty span that is on no list.
func (h *Heap) dropSpan(ch *chunk, record uint8) {
	s := ch.span(record)
	if !ch.evac { // otherwise its units are no longer counted
		h.st.class[s.class].units -= uint32(s.units)
	}
	ch.spare = ch.spare.or(unitRange(uint(record), 1))
	h.release(ch, uint(s.first), uint(s.units))
}

// linkSpan puts a span at the head of its class's list.
func (h *Heap) linkSpan(id spanID, s *span) {
	head := &h.st.class[s.class].head
	s.next, s.prev = *head, 0
	if *head != 0 {
		h.span(*head).prev = id
	}
	*head = id
}

// unlinkHead takes the first span, s, from the list of class c.
//
//go:noinline
func (h *Heap) unlinkHead(c uint, s *span) {
	h.st.class[c].head = s.next
	if s.next != 0 {
		h.span(s.next).prev = 0
	}
	s.next = 0
}

// unlinkSpan takes a span from wherever it is on its class's list.
func (h *Heap) unlinkSpan(s *span) {
	if s.prev != 0 {
		h.span(s.prev).next = s.next
	} else {
		h.st.class[s.class].head = s.next
	}
	if s.next != 0 {
		h.span(s.next).prev = s.prev
	}
	s.next, s.prev = 0, 0
}
