package dash

import "sherd/internal/heap"

// image is an entry taken apart, to be put together in another form. The hot
// paths do without.
type image struct {
	kind      Kind
	encoding  uint8
	flags     uint8
	key       []byte // alias the old block
	value     []byte // of a string; may be shorter or longer than vlen
	vlen      int
	deadline  int64
	clock     uint32
	memcFlags uint32
	cas       uint64
	extern    uint64
}

// readImage takes an entry apart.
func readImage(e Entry) image {
	p, word := e.open()
	off, n := keyOf(p, word)
	m := image{key: bytesAt(p, off, n), deadline: e.DeadlineMs()}
	if m.deadline != 0 {
		m.flags = hasDeadline
	}
	if word&general == 0 {
		m.value = e.Value()
		m.vlen = len(m.value)
		return m
	}
	m.kind, m.encoding, m.flags = e.Kind(), load8(p, encOff), load8(p, flagsOff)
	if m.flags&hasClock != 0 {
		m.clock = load32(p, clockOff(m.flags))
	}
	if m.flags&hasMemc != 0 {
		o := memcOff(m.flags)
		m.memcFlags, m.cas = load32(p, o), load64(p, o+4)
	}
	if m.flags&hasExtern != 0 {
		m.extern = load64(p, externOff(m.flags))
	}
	if m.kind == String {
		m.value = generalValue(e.base, p)
		m.vlen = len(m.value)
	}
	return m
}

func (m *image) setDeadline(ms int64) {
	m.deadline = ms
	m.flags &^= hasDeadline
	if ms != 0 {
		m.flags |= hasDeadline
	}
}

// build puts m together in a new block and returns the slot's word without hash
// bits, or 0. A long string without extern gets a new one with spare bytes of
// room; bytes of it beyond m.value are not set.
func (m *image) build(h *heap.Heap, spare int) uint64 {
	if m.kind == String && m.flags&^hasDeadline == 0 && len(m.key) <= klenMax && m.vlen <= vlenMax {
		return newCompact(h, m.key, m.value[:min(m.vlen, len(m.value))], m.deadline)
	}
	if uint64(len(m.key)) >= 1<<32 || uint64(m.vlen) >= 1<<32 {
		return 0
	}
	inline := m.value[:min(m.vlen, len(m.value))]
	extern := m.extern
	flags := m.flags
	fresh := false
	if m.kind == String && flags&hasExtern == 0 && m.vlen > MaxInline {
		if extern = newExtern(h, m.vlen, spare); extern == 0 {
			return 0
		}
		fresh = true
		copy(h.Arena().Bytes(externRef(extern), m.vlen), inline)
		flags |= hasExtern
	}
	n := int(optOff(flags)) + len(m.key)
	if m.kind == String && flags&hasExtern == 0 {
		n += m.vlen
	}
	ref := h.Alloc(n)
	if ref == 0 {
		if fresh {
			h.Free(externRef(extern), externCap(extern))
		}
		return 0
	}
	p := h.Arena().Ptr(ref)
	store8(p, kindOff, uint8(m.kind))
	store8(p, encOff, m.encoding)
	store8(p, flagsOff, flags)
	store8(p, flagsOff+1, 0)
	store32(p, klenOff, uint32(len(m.key)))
	store32(p, vlenOff, uint32(m.vlen))
	word := uint64(ref) | general | uint64(m.kind)<<kindShift
	if flags&hasDeadline != 0 {
		store64(p, deadlineOff, uint64(m.deadline))
		word |= volatile
	}
	if flags&hasClock != 0 {
		store32(p, clockOff(flags), m.clock)
	}
	if flags&hasMemc != 0 {
		o := memcOff(flags)
		store32(p, o, m.memcFlags)
		store64(p, o+4, m.cas)
	}
	if flags&hasExtern != 0 {
		store64(p, externOff(flags), extern)
	}
	off := optOff(flags)
	copy(bytesAt(p, off, len(m.key)), m.key)
	if m.kind == String && flags&hasExtern == 0 {
		copy(bytesAt(p, off+uintptr(len(m.key)), m.vlen), inline)
	}
	return word
}

// newExtern allocates the bytes of a long string, with spare if there is enough
// memory; 0 if there is none.
func newExtern(h *heap.Heap, n, spare int) uint64 {
	for _, n := range [2]int{n + spare, n} {
		if n = heap.ClassSize(n); n>>3 >= 1<<(64-refBits) {
			continue
		}
		if r := h.Alloc(n); r != 0 {
			return makeExtern(r, n)
		}
	}
	return 0
}
