package zset

import (
	"unsafe"

	"sherd/internal/heap"
)

// The index leads from a member's hash to its leaf. It is a linear hash table of
// segments; see doc.go. Its state is in the root.

// segment is the header of a segment's block; its slots, of 6 bytes, follow.
type segment struct {
	n     uint16 // entries
	homes uint16 // slots that are the home of some tag
	slots uint16
	base  uint8 // the entries' hint is the hash's bits from here on
	_     uint8
}

// An entry is 48 bits. It is never 0, since ids begin with 1.
//
//	 47      32 31  27 26          0
//	┌──────────┬──────┬────────────┐
//	│ tag      │ hint │ leaf's id  │
//	└──────────┴──────┴────────────┘
//
// The tag is the hash's highest 16 bits. The hint is 5 bits of it from the
// segment's base on: the next splits are decided by them without a look at the
// members.
type item = uint64

const (
	segmentHead  = int(unsafe.Sizeof(segment{}))
	slotSize     = 6
	slotBits     = 1<<48 - 1
	tagShift     = 32
	hintShift    = 27
	hintBits     = 5
	hintMask     = 1<<hintBits - 1
	idMask       = 1<<hintShift - 1
	maxID        = idMask
	perSegment   = 192 // entries on the average
	splitAt      = perSegment
	joinAt       = perSegment / 3
	minSlots     = 16
	maxLoad      = 92 // % of the slots, beyond which a segment grows
	newLoad      = 86 // % that it then has at most
	sparseFactor = 2  // a segment with so many slots for each entry shrinks
)

func tagOf(hash uint64) uint64 { return hash >> 48 }

func hintOf(hash uint64, base uint8) uint64 { return hash >> base & hintMask }

func segmentAt(a *heap.Arena, ref uint64) *segment { return (*segment)(a.Ptr(heap.Ref(ref))) }

func (s *segment) sizeBytes() int { return segmentHead + int(s.slots)*slotSize }

// slotPtr is the place of slot i. Slots are read and written as 8 bytes, of
// which 6 count, so the block has 2 bytes more than its slots need.
func (s *segment) slotPtr(i int) unsafe.Pointer {
	return unsafe.Add(unsafe.Pointer(s), segmentHead+i*slotSize)
}

func (s *segment) slot(i int) item { return *(*uint64)(s.slotPtr(i)) & slotBits }

func (s *segment) setSlot(i int, e item) {
	p := s.slotPtr(i)
	*(*uint32)(p) = uint32(e)
	*(*uint16)(unsafe.Add(p, 4)) = uint16(e >> 32)
}

// home is the first slot at which an entry with the tag may stand.
func (s *segment) home(tag uint64) int { return int(tag * uint64(s.homes) >> 16) }

// slotBytes are the slots from i to j.
func (s *segment) slotBytes(i, j int) []byte {
	return unsafe.Slice((*byte)(s.slotPtr(i)), (j-i)*slotSize)
}

// insert adds an entry; false: its neighbourhood is full, the segment must be
// rebuilt with more slots.
func (s *segment) insert(e item) bool {
	tag := e >> tagShift
	i, end := s.home(tag), int(s.slots)
	for ; i < end; i++ {
		if at := s.slot(i); at == 0 || at>>tagShift > tag {
			break
		}
	}
	j := i
	for ; j < end && s.slot(j) != 0; j++ {
	}
	if j == end {
		return false
	}
	if j > i {
		copy(s.slotBytes(i+1, j+1), s.slotBytes(i, j))
	}
	s.setSlot(i, e)
	s.n++
	return true
}

// removeAt takes the entry of slot i out and moves those behind it closer to
// their homes.
func (s *segment) removeAt(i int) {
	j, end := i+1, int(s.slots)
	for ; j < end; j++ {
		e := s.slot(j)
		if e == 0 || s.home(e>>tagShift) >= j {
			break
		}
	}
	copy(s.slotBytes(i, j-1), s.slotBytes(i+1, j))
	s.setSlot(j-1, 0)
	s.n--
}

// seek returns the first slot from i on, which is the tag's home or behind an
// earlier find, that holds the tag; -1: there is none.
func (s *segment) seek(i int, tag uint64) int {
	for end := int(s.slots); i < end; i++ {
		e := s.slot(i)
		if e == 0 || e>>tagShift > tag {
			return -1
		}
		if e>>tagShift == tag {
			return i
		}
	}
	return -1
}

// newSegment makes a segment with at least the given slots and fills it with
// entries in the order of their tags; 0: out of memory.
func newSegment(h *heap.Heap, slots int, base uint8, entries []item) uint64 {
	bytes := heap.ClassSize(segmentHead + max(slots, minSlots, len(entries))*slotSize + 2)
	ref := h.Alloc(bytes)
	if ref == 0 {
		return 0
	}
	s := segmentAt(h.Arena(), uint64(ref))
	*s = segment{n: uint16(len(entries)), slots: uint16((bytes - segmentHead - 2) / slotSize), base: base}
	// Some slots at the end are nobody's home and take what is pushed there.
	s.homes = s.slots - s.slots/32 - 3
	for !s.fill(entries) {
		s.homes -= s.homes/4 + 1
	}
	return uint64(ref)
}

// fill writes all slots; false: there are too few behind the last homes.
func (s *segment) fill(entries []item) bool {
	clear(unsafe.Slice((*byte)(s.slotPtr(0)), int(s.slots)*slotSize+2))
	at := 0
	for _, e := range entries {
		at = max(at, s.home(e>>tagShift))
		if at == int(s.slots) {
			return false
		}
		s.setSlot(at, e)
		at++
	}
	return true
}

// list appends the entries in the order of their tags.
func (s *segment) list(to []item) []item {
	for i := range int(s.slots) {
		if e := s.slot(i); e != 0 {
			to = append(to, e)
		}
	}
	return to
}

func freeSegment(h *heap.Heap, ref uint64) {
	h.Free(heap.Ref(ref), segmentAt(h.Arena(), ref).sizeBytes()+2)
}
