package dash

import (
	"unsafe"

	"sherd/internal/heap"
)

// Moved is a value between two keys: it has left one and is not yet at the other.
// It still owns the block of its old entry.
type Moved struct {
	e    Entry // where it was
	word uint64
	fp   uint64
}

func (m *Moved) entry() Entry { return Entry{base: m.e.base, slot: unsafe.Pointer(&m.word)} }

// Kind returns the kind of the value.
func (m Moved) Kind() Kind { return m.entry().Kind() }

// Encoding returns the encoding of the value.
func (m Moved) Encoding() uint8 { return m.entry().Encoding() }

// Key returns the key the value had.
func (m Moved) Key() []byte { return m.entry().Key() }

// Value returns a string's bytes.
func (m Moved) Value() []byte { return m.entry().Value() }

// DeadlineMs returns the deadline the value had.
func (m Moved) DeadlineMs() int64 { return m.entry().DeadlineMs() }

// Ref returns the container of the value.
func (m Moved) Ref() heap.Ref { return m.entry().Ref() }

// SetRef replaces the container, after it was copied to another heap.
func (m Moved) SetRef(r heap.Ref) { m.entry().SetRef(r) }

// Take removes an entry but keeps its value, to be inserted under another key with
// InsertMoved, put back with PutBack, or freed with Free.
func (t *Table) Take(h *heap.Heap, e Entry) Moved {
	b, i := bucketOf(e.base, e.seg, e.slot)
	m := Moved{e: e, word: e.word(), fp: fpAt(b, i)}
	t.remove(e)
	return m
}

// PutBack undoes a Take if the table has not changed since. It cannot fail.
func (t *Table) PutBack(h *heap.Heap, m Moved) Entry {
	e := m.e
	replace(e.base, e.seg, e.slot, m.word, m.fp)
	t.count++
	if ms := m.DeadlineMs(); ms != 0 {
		t.volatile++
		t.noteDeadline(e.base, e.seg, ms)
	}
	return e
}

// Free drops a value that is not inserted again, out of the heap it was taken from;
// what a container holds must have been freed.
func (m Moved) Free(from *heap.Heap) { freeBlock(from, m.word) }

// InsertMoved inserts a taken value under a key that must not exist and gives it a
// deadline. Everything but a container lands in h and leaves the heap from, which
// may be the same: then a long string is not copied. A container's Ref is stored as
// it is. False: out of memory; m is as it was.
func (t *Table) InsertMoved(h *heap.Heap, hash uint64, key []byte, m Moved, from *heap.Heap, deadlineMs int64) (Entry, bool) {
	i := readImage(m.entry())
	i.key = key
	i.setDeadline(deadlineMs)
	foreign := h != from && i.kind == String && i.flags&hasExtern != 0
	if foreign {
		i.flags &^= hasExtern
	}
	word := i.build(h, 0)
	if word == 0 {
		return Entry{}, false
	}
	e, ok := t.insert(h, hash, word, deadlineMs)
	switch {
	case !ok && foreign:
		freeBlock(h, word)
	case !ok:
		freeSlotBlock(h, refPtr(h.Arena().Base(), word), word)
	case foreign:
		freeBlock(from, m.word)
	default:
		freeSlotBlock(from, refPtr(m.e.base, m.word), m.word)
	}
	return e, ok
}
