package dash

import (
	"unsafe"

	"sherd/internal/heap"
)

// Set inserts or replaces a string; deadlineMs is 0 for none. An access clock
// survives, memcached fields and Raw do not. False: nothing changed, because memory
// is exhausted or the key holds a container, which is for Replace.
func (t *Table) Set(h *heap.Heap, hash uint64, key, value []byte, deadlineMs int64) bool {
	base := h.Arena().Base()
	seg := t.segOf(base, hash)
	if s := find(base, seg, hash, key); s != nil {
		if w := *(*uint64)(s); w&general != 0 && w>>kindShift&kindMask != uint64(String) {
			return false
		}
		_, ok := t.Replace(h, Entry{base, s, seg}, hash, value, deadlineMs)
		return ok
	}
	_, ok := t.Insert(h, hash, key, value, deadlineMs)
	return ok
}

// Insert is Set for a key known to be missing.
func (t *Table) Insert(h *heap.Heap, hash uint64, key, value []byte, deadlineMs int64) (Entry, bool) {
	var word uint64
	if len(key) <= klenMax && len(value) <= vlenMax {
		word = newCompact(h, key, value, deadlineMs)
	} else {
		m := image{key: key, value: value, vlen: len(value)}
		m.setDeadline(deadlineMs)
		word = m.build(h, 0)
	}
	if word == 0 {
		return Entry{}, false
	}
	e, ok := t.insert(h, hash, word, deadlineMs)
	if !ok {
		freeBlock(h, word)
	}
	return e, ok
}

// newCompact returns the word, without hash bits, of a new compact entry, or 0.
func newCompact(h *heap.Heap, key, value []byte, deadlineMs int64) uint64 {
	word := uint64(len(key))<<klenShift | uint64(len(value))<<vlenShift
	n := len(key) + len(value)
	if deadlineMs != 0 {
		n += 8
		word |= volatile
	}
	ref := h.Alloc(max(n, 1))
	if ref == 0 {
		return 0
	}
	p := h.Arena().Ptr(ref)
	if deadlineMs != 0 {
		store64(p, 0, uint64(deadlineMs))
		p = unsafe.Add(p, 8)
	}
	copy(bytesAt(p, 0, len(key)), key)
	copy(bytesAt(p, uintptr(len(key)), len(value)), value)
	return word | uint64(ref)
}

// Replace is Set for an entry already found, of whatever kind; what a container
// holds is not freed. The entry stays where it is.
func (t *Table) Replace(h *heap.Heap, e Entry, hash uint64, value []byte, deadlineMs int64) (Entry, bool) {
	word := e.word()
	if word&general != 0 || len(value) > vlenMax {
		return t.replaceGeneral(h, e, value, deadlineMs)
	}
	p := refPtr(e.base, word)
	off, klen := uintptr(word>>32&8), uintptr(word>>klenShift&klenMax)
	was := int(off+klen) + int(word>>vlenShift&vlenMax)
	n := int(off+klen) + len(value)
	if off != 0 == (deadlineMs != 0) && ((was+7)>>3 == (n+7)>>3 || heap.ClassSize(was) == heap.ClassSize(n)) {
		if deadlineMs != 0 {
			store64(p, 0, uint64(deadlineMs))
			t.noteDeadline(e.base, e.seg, deadlineMs)
		}
		copy(bytesAt(p, off+klen, len(value)), value)
		*(*uint64)(e.slot) = word&^(vlenMax<<vlenShift) | uint64(len(value))<<vlenShift
		return e, true
	}
	now := newCompact(h, bytesAt(p, off, int(klen)), value, deadlineMs)
	if now == 0 {
		return e, false
	}
	h.Free(heap.Ref(word&refMask), max(was, 1))
	t.swap(e, now, deadlineMs)
	return e, true
}

// swap puts another entry of the same key in e's slot.
func (t *Table) swap(e Entry, word uint64, deadlineMs int64) {
	old := e.word()
	*(*uint64)(e.slot) = word | old&tagMask
	if old&volatile != 0 {
		t.volatile--
	}
	if word&volatile != 0 {
		t.volatile++
		t.noteDeadline(e.base, e.seg, deadlineMs)
	}
}

// replaceGeneral is Replace where the old or the new entry is not compact.
func (t *Table) replaceGeneral(h *heap.Heap, e Entry, value []byte, deadlineMs int64) (Entry, bool) {
	m := readImage(e)
	if e.storeInPlace(&m, value, deadlineMs) {
		if deadlineMs != 0 {
			t.noteDeadline(e.base, e.seg, deadlineMs)
		}
		return e, true
	}
	m.kind, m.encoding, m.extern = String, 0, 0
	m.flags &^= isRaw | hasMemc | hasExtern
	m.value, m.vlen = value, len(value)
	m.setDeadline(deadlineMs)
	return t.rewrite(h, e, &m, 0, true)
}

// storeInPlace writes a value over that of a string in general form, if it fits
// and no field comes or goes.
func (e Entry) storeInPlace(m *image, value []byte, deadlineMs int64) bool {
	p, word := e.open()
	f := m.flags
	if word&general == 0 || m.kind != String || f&hasMemc != 0 || f&hasDeadline != 0 != (deadlineMs != 0) {
		return false
	}
	if len(value) <= vlenMax && len(m.key) <= klenMax && f&hasClock == 0 {
		return false // fits the compact form
	}
	if f&hasExtern != 0 {
		if c := externCap(m.extern); len(value) <= MaxInline || len(value) > c || c > 2*len(value) {
			return false
		}
	} else if len(value) > MaxInline || heap.ClassSize(blockSize(p, word)) != heap.ClassSize(blockSize(p, word)-m.vlen+len(value)) {
		return false
	}
	if deadlineMs != 0 {
		store64(p, deadlineOff, uint64(deadlineMs))
	}
	store8(p, encOff, 0)
	store8(p, flagsOff, f&^isRaw)
	store32(p, vlenOff, uint32(len(value)))
	copy(generalValue(e.base, p), value)
	return true
}

// Resize makes a string newLen bytes long and returns its bytes, which may be
// written to: the old ones as far as they reach, then zeros. The string is Raw
// from then on. A long string that grows gets room to grow on.
func (t *Table) Resize(h *heap.Heap, e Entry, hash uint64, newLen int) (Entry, []byte, bool) {
	m := readImage(e)
	old := m.vlen
	spare := 0
	if old > 0 && newLen > old {
		spare = newLen / 4
		if newLen > 64<<20 {
			spare = newLen / 8
		}
	}
	p, word := e.open()
	ok := true
	switch {
	case m.flags&hasExtern != 0 && newLen > MaxInline:
		x := m.extern
		if c := externCap(x); newLen > c {
			if x = growExtern(h, x, newLen, spare); x == 0 {
				return e, nil, false
			}
			store64(p, externOff(m.flags), x)
		}
		store32(p, vlenOff, uint32(newLen))
		store8(p, flagsOff, m.flags|isRaw)
	case m.flags&isRaw != 0 && m.flags&hasExtern == 0 && newLen <= MaxInline &&
		heap.ClassSize(blockSize(p, word)) == heap.ClassSize(blockSize(p, word)-old+newLen):
		store32(p, vlenOff, uint32(newLen))
	default:
		m.flags = m.flags&^hasExtern | isRaw
		m.extern = 0
		m.vlen = newLen
		e, ok = t.rewrite(h, e, &m, spare, true)
	}
	if !ok {
		return e, nil, false
	}
	v := e.Value()
	if newLen > old {
		clear(v[old:])
	}
	return e, v, true
}

// growExtern moves a string's bytes to a bigger place; 0 is out of memory.
func growExtern(h *heap.Heap, x uint64, newLen, spare int) uint64 {
	for _, n := range [2]int{newLen + spare, newLen} {
		if n = heap.ClassSize(n); n>>3 >= 1<<(64-refBits) {
			continue
		}
		if r := h.Grow(externRef(x), externCap(x), n); r != 0 {
			return makeExtern(r, n)
		}
	}
	return 0
}

// SetDeadline changes or, with 0, removes the deadline.
func (t *Table) SetDeadline(h *heap.Heap, e Entry, hash uint64, ms int64) (Entry, bool) {
	p, word := e.open()
	if ms != 0 && word&volatile != 0 {
		off := uintptr(0)
		if word&general != 0 {
			off = deadlineOff
		}
		store64(p, off, uint64(ms))
		t.noteDeadline(e.base, e.seg, ms)
		return e, true
	}
	if ms == 0 && word&volatile == 0 {
		return e, true
	}
	m := readImage(e)
	m.setDeadline(ms)
	return t.rewrite(h, e, &m, 0, false)
}

// SetClock sets the access clock, giving the entry the field if need be.
func (t *Table) SetClock(h *heap.Heap, e Entry, hash uint64, clock uint32) (Entry, bool) {
	if e.TouchClock(clock) {
		return e, true
	}
	m := readImage(e)
	m.clock = clock
	m.flags |= hasClock
	return t.rewrite(h, e, &m, 0, false)
}

// SetMemcached sets the memcached fields, giving the entry them if need be.
func (t *Table) SetMemcached(h *heap.Heap, e Entry, hash uint64, flags uint32, cas uint64) (Entry, bool) {
	if p, f := e.flags(); f&hasMemc != 0 {
		o := memcOff(f)
		store32(p, o, flags)
		store64(p, o+4, cas)
		return e, true
	}
	m := readImage(e)
	m.memcFlags, m.cas = flags, cas
	m.flags |= hasMemc
	return t.rewrite(h, e, &m, 0, false)
}

// InsertRef inserts a container under a key that must not exist.
func (t *Table) InsertRef(h *heap.Heap, hash uint64, key []byte, kind Kind, encoding uint8, ref heap.Ref, deadlineMs int64) (Entry, bool) {
	m := image{kind: kind, encoding: encoding, flags: hasExtern, key: key, extern: uint64(ref)}
	m.setDeadline(deadlineMs)
	word := m.build(h, 0)
	if word == 0 {
		return Entry{}, false
	}
	e, ok := t.insert(h, hash, word, deadlineMs)
	if !ok {
		freeBlock(h, word)
	}
	return e, ok
}

// rewrite stores m, read from e and changed, as a new block in e's slot. The old
// block is freed, and with dropBytes the bytes of a string outside of it.
func (t *Table) rewrite(h *heap.Heap, e Entry, m *image, spare int, dropBytes bool) (Entry, bool) {
	old := e.word()
	word := m.build(h, spare)
	if word == 0 {
		return e, false
	}
	if dropBytes {
		freeBlock(h, old)
	} else {
		freeSlotBlock(h, refPtr(e.base, old), old)
	}
	t.swap(e, word, m.deadline)
	return e, true
}
