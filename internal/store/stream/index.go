package stream

import (
	"encoding/binary"

	"sherd/internal/heap"
)

// An index is records ordered by ID: an ID and a payload of fixed size each. They
// lie in pages of up to some three KiB; a list above has each page's first ID,
// place and length.
//
//	list  │ first ID │ page, length, capacity │ …            24 bytes each
//	page  │ ID │ payload │ ID │ payload │ …
//
// A page that is full is split in two, but one at the end is left full and a new
// one begun, so an index that only grows there has no gaps. Removing from the
// front moves the list's start; a page that is empty is freed.
//
// The index itself is part of another block; what changes it stores it there.
type index struct {
	list  heap.Ref
	start int // of the list, in elements
	n     int // pages
	room  int // elements that the list's block holds
	count int // records
}

// indexBytes is what an index takes within another block.
const indexBytes = 32

const (
	listElem  = 24
	idBytes   = 16
	refMask   = 1<<35 - 1
	lenShift  = 35
	roomShift = 49
	lenMask   = 1<<14 - 1
)

// Record sizes of the uses.
const (
	nodeRecord    = idBytes + 8       // of a node: see node
	pendingRecord = idBytes + 32      // of a group's pending entry: time, count, consumer, turn
	ownRecord     = idBytes           // of a consumer's pending entry
	orderRecord   = idBytes + idBytes // of a pending entry by time: see order.go
)

// pageMost is how many records a page has at most.
func pageMost(record int) int { return 3072 / record }

func get64(b []byte, at int) uint64    { return binary.LittleEndian.Uint64(b[at:]) }
func put64(b []byte, at int, v uint64) { binary.LittleEndian.PutUint64(b[at:], v) }
func get32(b []byte, at int) int       { return int(binary.LittleEndian.Uint32(b[at:])) }
func put32(b []byte, at int, v int)    { binary.LittleEndian.PutUint32(b[at:], uint32(v)) }
func getID(b []byte, at int) ID        { return ID{get64(b, at), get64(b, at+8)} }
func putID(b []byte, at int, id ID)    { put64(b, at, id.Ms); put64(b, at+8, id.Seq) }

func loadIndex(b []byte) index {
	return index{heap.Ref(get64(b, 0)), get32(b, 8), get32(b, 12), get32(b, 16), int(get64(b, 24))}
}

func (x *index) store(b []byte) {
	put64(b, 0, uint64(x.list))
	put32(b, 8, x.start)
	put32(b, 12, x.n)
	put32(b, 16, x.room)
	put64(b, 24, uint64(x.count))
}

// A page as the list has it.
type page struct {
	ref     heap.Ref
	n, room int // records
}

// elem returns the list's element of a page.
func (x *index) elem(a *heap.Arena, i int) []byte {
	return a.Bytes(x.list, x.room*listElem)[(x.start+i)*listElem:][:listElem]
}

func (x *index) page(a *heap.Arena, i int) page {
	w := get64(x.elem(a, i), idBytes)
	return page{heap.Ref(w & refMask), int(w >> lenShift & lenMask), int(w >> roomShift)}
}

func putPage(e []byte, p page) {
	put64(e, idBytes, uint64(p.ref)|uint64(p.n)<<lenShift|uint64(p.room)<<roomShift)
}

// A spot is the place of a record. Its page may be x.n: behind all.
type spot struct{ page, i int }

// seek returns the place of the first record that is not less than id.
func (x *index) seek(a *heap.Arena, id ID, record int) spot {
	s, ok := x.floor(a, id, record)
	if !ok {
		return spot{}
	}
	if getID(x.at(a, s, record), 0) == id {
		return s
	}
	return x.next(a, s)
}

// floor returns the place of the last record that is not greater than id; false
// if there is none.
func (x *index) floor(a *heap.Arena, id ID, record int) (spot, bool) {
	lo, hi := 0, x.n
	if hi == 0 {
		return spot{}, false
	}
	list := a.Bytes(x.list, x.room*listElem)[x.start*listElem:]
	if !id.Less(getID(list, (hi-1)*listElem)) {
		lo = hi // most often it is in the last page
	}
	for lo < hi {
		m := int(uint(lo+hi) / 2)
		if id.Less(getID(list, m*listElem)) {
			hi = m
		} else {
			lo = m + 1
		}
	}
	if lo == 0 {
		return spot{}, false
	}
	p := x.page(a, lo-1)
	b := a.Bytes(p.ref, p.n*record)
	i, j := 1, p.n
	if !id.Less(getID(b, (j-1)*record)) {
		i = j
	}
	for i < j {
		m := int(uint(i+j) / 2)
		if id.Less(getID(b, m*record)) {
			j = m
		} else {
			i = m + 1
		}
	}
	return spot{lo - 1, i - 1}, true
}

// find returns the place of the record of id.
func (x *index) find(a *heap.Arena, id ID, record int) (spot, bool) {
	s, ok := x.floor(a, id, record)
	return s, ok && getID(x.at(a, s, record), 0) == id
}

// at returns the bytes of a record.
func (x *index) at(a *heap.Arena, s spot, record int) []byte {
	p := x.page(a, s.page)
	return a.Bytes(p.ref, p.n*record)[s.i*record:][:record]
}

func (x *index) valid(s spot) bool { return s.page >= 0 && s.page < x.n }

func (x *index) next(a *heap.Arena, s spot) spot {
	if s.i++; s.i >= x.page(a, s.page).n {
		return spot{s.page + 1, 0}
	}
	return s
}

// prev returns the place before; its page is -1 before the first.
func (x *index) prev(a *heap.Arena, s spot) spot {
	if s.i > 0 {
		return spot{s.page, s.i - 1}
	}
	if s.page == 0 {
		return spot{page: -1}
	}
	return spot{s.page - 1, x.page(a, s.page-1).n - 1}
}

// last returns the place of the last record, of an index that has one.
func (x *index) last(a *heap.Arena) spot { return spot{x.n - 1, x.page(a, x.n-1).n - 1} }

// countFrom counts the records from a place on.
func (x *index) countFrom(a *heap.Arena, s spot) int {
	if s.page == 0 {
		return x.count - s.i
	}
	n := -s.i
	for i := s.page; i < x.n; i++ {
		n += x.page(a, i).n
	}
	return max(n, 0)
}

// insert adds a record that must not be there and returns its place; its payload
// is to be written. False: memory is exhausted and nothing has changed.
func (x *index) insert(h *heap.Heap, id ID, record int) (spot, bool) {
	a := h.Arena()
	s, ok := x.floor(a, id, record)
	at := spot{s.page, s.i + 1}
	if !ok {
		at = spot{}
	}
	if x.n == 0 {
		if !x.addPage(h, 0, page{}, id) {
			return at, false
		}
	}
	p := x.page(a, at.page)
	if most := pageMost(record); p.n >= most {
		var ok bool
		if at, ok = x.split(h, at, record); !ok {
			return at, false
		}
		p = x.page(a, at.page)
	}
	if p.n == p.room && !p.grow(h, record) {
		if p.room == 0 {
			x.removePage(h, at.page)
		}
		return at, false
	}
	b := a.Bytes(p.ref, (p.n+1)*record)
	copy(b[(at.i+1)*record:], b[at.i*record:p.n*record])
	putID(b, at.i*record, id)
	p.n++
	e := x.elem(a, at.page)
	putPage(e, p)
	if at.i == 0 {
		putID(e, 0, id)
	}
	x.count++
	return at, true
}

// grow gives a page room for more records.
func (p *page) grow(h *heap.Heap, record int) bool {
	most := pageMost(record)
	for _, want := range [2]int{min(max(1, p.room*2), most), p.n + 1} {
		size := heap.ClassSize(want * record)
		room := min(size/record, most)
		var ref heap.Ref
		if p.room == 0 {
			ref = h.Alloc(room * record)
		} else {
			ref = h.Grow(p.ref, p.room*record, room*record)
		}
		if ref != 0 {
			p.ref, p.room = ref, room
			return true
		}
	}
	return false
}

// split makes room beside a full page for a record that is to come at a place,
// and returns where it comes then.
func (x *index) split(h *heap.Heap, at spot, record int) (spot, bool) {
	a := h.Arena()
	p := x.page(a, at.page)
	if at.page == x.n-1 && at.i == p.n { // at the end: begin a new page
		return spot{at.page + 1, 0}, x.addPage(h, at.page+1, page{}, ID{})
	}
	keep := p.n / 2
	right := page{room: p.n - keep}
	if right.ref = h.Alloc(right.room * record); right.ref == 0 {
		return at, false
	}
	right.n = right.room
	b := a.Bytes(p.ref, p.n*record)
	copy(a.Bytes(right.ref, right.n*record), b[keep*record:])
	if !x.addPage(h, at.page+1, right, getID(b, keep*record)) {
		h.Free(right.ref, right.room*record)
		return at, false
	}
	p.n = keep
	putPage(x.elem(a, at.page), p)
	if at.i > keep {
		return spot{at.page + 1, at.i - keep}, true
	}
	return at, true
}

// addPage puts a page into the list.
func (x *index) addPage(h *heap.Heap, i int, p page, first ID) bool {
	if x.start+x.n == x.room && !x.makeRoom(h) {
		return false
	}
	b := h.Arena().Bytes(x.list, x.room*listElem)[x.start*listElem:]
	copy(b[(i+1)*listElem:], b[i*listElem:x.n*listElem])
	x.n++
	putID(b, i*listElem, first)
	putPage(b[i*listElem:], p)
	return true
}

// makeRoom gives the list room for another page.
func (x *index) makeRoom(h *heap.Heap) bool {
	if x.start > x.n/2 {
		b := h.Arena().Bytes(x.list, x.room*listElem)
		copy(b, b[x.start*listElem:][:x.n*listElem])
		x.start = 0
		return true
	}
	size := heap.ClassSize((x.room + 1 + x.room/4) * listElem)
	room := size / listElem
	var ref heap.Ref
	if x.room == 0 {
		room = 1
		ref = h.Alloc(room * listElem)
	} else {
		ref = h.Grow(x.list, x.room*listElem, room*listElem)
	}
	if ref == 0 {
		return false
	}
	x.list, x.room = ref, room
	return true
}

// removePage takes a page out of the list; its block is freed already, or none.
func (x *index) removePage(h *heap.Heap, i int) {
	x.n--
	if x.n == 0 {
		h.Free(x.list, x.room*listElem)
		x.list, x.room, x.start = 0, 0, 0
		return
	}
	if i == 0 {
		x.start++
		return
	}
	b := h.Arena().Bytes(x.list, x.room*listElem)[x.start*listElem:]
	copy(b[i*listElem:], b[(i+1)*listElem:(x.n+1)*listElem])
}

// remove takes a record out and returns the place of what followed it.
func (x *index) remove(h *heap.Heap, s spot, record int) spot {
	a := h.Arena()
	p := x.page(a, s.page)
	x.count--
	if p.n == 1 {
		h.Free(p.ref, p.room*record)
		x.removePage(h, s.page)
		return spot{s.page, 0}
	}
	b := a.Bytes(p.ref, p.n*record)
	copy(b[s.i*record:], b[(s.i+1)*record:])
	p.n--
	if p.n < p.room/4 {
		room := heap.ClassSize(p.n*2*record) / record
		if ref := h.Grow(p.ref, p.room*record, room*record); ref != 0 {
			p.ref, p.room = ref, room
		}
	}
	e := x.elem(a, s.page)
	putPage(e, p)
	if s.i == 0 {
		putID(e, 0, getID(a.Bytes(p.ref, record), 0))
	}
	if s.i == p.n {
		return spot{s.page + 1, 0}
	}
	return s
}

// free frees pages from the end as long as the budget lasts, and the list with
// the last one; it reports what is left of the budget.
func (x *index) free(h *heap.Heap, record, budget int) int {
	for ; x.n > 0 && budget > 0; budget-- {
		p := x.page(h.Arena(), x.n-1)
		h.Free(p.ref, p.room*record)
		x.count -= p.n
		x.removePage(h, x.n-1)
	}
	return budget
}

// copy makes a copy in another heap; false: out of memory, and what was copied
// is an index to be freed.
func (x *index) copy(to, from *heap.Heap, record int) (c index, ok bool) {
	for i := range x.n {
		src := x.page(from.Arena(), i)
		if src.n == 0 {
			continue
		}
		dst := page{n: src.n, room: src.n}
		if dst.ref = to.Alloc(dst.room * record); dst.ref == 0 {
			return c, false
		}
		copy(to.Arena().Bytes(dst.ref, dst.n*record), from.Arena().Bytes(src.ref, src.n*record))
		if !c.addPage(to, c.n, dst, getID(x.elem(from.Arena(), i), 0)) {
			to.Free(dst.ref, dst.room*record)
			return c, false
		}
		c.count += dst.n
	}
	return c, true
}

// sizeBytes is the memory of list and pages.
func (x *index) sizeBytes(a *heap.Arena, record int) (n int64) {
	if x.room > 0 {
		n = int64(heap.ClassSize(x.room * listElem))
	}
	for i := range x.n {
		n += int64(heap.ClassSize(x.page(a, i).room * record))
	}
	return n
}
