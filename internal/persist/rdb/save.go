package rdb

import (
	"encoding/binary"
	"math"

	"sherd/internal/heap"
	"sherd/internal/store/dash"
	"sherd/internal/store/hash"
	"sherd/internal/store/list"
	"sherd/internal/store/set"
	"sherd/internal/store/zset"
)

// unitBytes is how many bytes are as much work as an element.
const unitBytes = 64

// A Saver writes a value in steps. It refers to the value, which must not change until
// the last one.
type Saver struct {
	h       *heap.Heap
	typ     byte
	version int
	pack    bool // compress strings
	nowMs   int64

	begun bool
	count int   // elements, of what is no stream
	base  int64 // of a hash: no deadline is earlier
	at    int   // of a list: the next piece

	whole   []byte // a string, or a small form, which is Redis' own
	list    list.List
	members set.Iter
	items   zset.Iter
	fields  hash.Iter
	stream  streamSaver
}

// Open begins with the value of an entry, at a time. It returns false if there is
// nothing to be written, since the deadlines of all elements have passed. pack tells
// whether strings are to be compressed.
func (w *Saver) Open(h *heap.Heap, e dash.Entry, nowMs int64, pack bool) bool {
	w.h, w.nowMs, w.pack, w.version = h, nowMs, pack, versionPlain
	switch e.Kind() {
	case dash.String:
		w.typ, w.whole = typeString, e.Value()
	case dash.List:
		w.list = list.Open(h, e.Encoding(), e.Ref(), 0)
		w.typ, w.count = typeListNodes, w.list.Pieces()
	case dash.Set:
		return w.openSet(e)
	case dash.ZSet:
		w.openZSet(e)
	case dash.Hash:
		return w.openHash(e)
	case dash.Stream:
		w.typ = typeStream2
		if w.stream.open(h, e.Ref()) {
			w.typ, w.version = typeStreamReleased, versionDated
		}
	}
	return true
}

// Type is the byte that says how the value is written.
func (w *Saver) Type() byte { return w.typ }

// Version is the earliest version of the format that has this form, but no less than
// 10.
func (w *Saver) Version() int { return w.version }

// Step appends about as much as most elements are, and reports whether that was the
// end. What it wrote is complete: b may be another one the next time.
func (w *Saver) Step(b []byte, most int) ([]byte, bool) {
	switch w.typ {
	case typeListNodes:
		return w.saveList(b, &most)
	case typeSet:
		return w.saveSet(b, &most)
	case typeSetDated:
		return w.saveDatedSet(b, &most)
	case typeZSet2:
		return w.saveZSet(b, &most)
	case typeHash:
		return w.saveHash(b, &most)
	case typeHashDated:
		return w.saveDatedHash(b, &most)
	case typeStream2, typeStreamReleased:
		return w.saveStream(b, &most)
	case typeHashPackedEx:
		b = binary.LittleEndian.AppendUint64(b, uint64(w.base))
	}
	return appendString(b, w.whole, w.pack), true
}

// string appends a string and takes account of its length.
func (w *Saver) string(b, s []byte, most *int) []byte {
	*most -= 1 + len(s)/unitBytes
	return appendString(b, s, w.pack)
}

// head appends the number of elements, once.
func (w *Saver) head(b []byte) []byte {
	if !w.begun {
		w.begun = true
		b = appendLength(b, uint64(w.count))
	}
	return b
}

func (w *Saver) saveList(b []byte, most *int) ([]byte, bool) {
	b = w.head(b)
	for ; w.at < w.count; w.at++ {
		if *most <= 0 {
			return b, false
		}
		p, plain := w.list.Piece(w.at)
		if plain {
			b = append(b, nodePlain)
		} else {
			b = append(b, nodePacked)
		}
		b = w.string(b, p, most)
	}
	return b, true
}

func (w *Saver) openSet(e dash.Entry) bool {
	s := set.OpenAt(w.h, e.Encoding(), e.Ref(), w.nowMs)
	w.count = s.Len()
	w.members = s.Iter()
	w.typ = typeSet
	switch {
	case w.count == 0:
		return false
	case s.Encoding() == set.Ints:
		w.typ, w.whole = typeSetIntset, set.CleanInts(s.Small())
	case s.Dated():
		w.typ, w.version = typeSetDated, versionDated
	}
	return true
}

func (w *Saver) saveSet(b []byte, most *int) ([]byte, bool) {
	b = w.head(b)
	for *most > 0 {
		if !w.members.Next() {
			return b, true
		}
		b = w.string(b, w.members.Bytes(), most)
	}
	return b, false
}

func (w *Saver) saveDatedSet(b []byte, most *int) ([]byte, bool) {
	b = w.head(b)
	for *most > 0 {
		if !w.members.Next() {
			return b, true
		}
		b = appendLength(b, uint64(w.members.DeadlineMs()))
		b = w.string(b, w.members.Bytes(), most)
	}
	return b, false
}

func (w *Saver) openZSet(e dash.Entry) {
	s := zset.Open(w.h, e.Encoding(), e.Ref(), 0, zset.Limits{})
	if s.Encoding() == zset.Packed {
		w.typ, w.whole = typeZSetPacked, s.Small()
		return
	}
	w.count = int(s.Len())
	w.items = s.Iter(s.Len()-1, true) // Redis goes downwards too, and inserts faster so
	w.typ = typeZSet2
}

func (w *Saver) saveZSet(b []byte, most *int) ([]byte, bool) {
	b = w.head(b)
	for *most > 0 {
		if !w.items.Next() {
			return b, true
		}
		b = w.string(b, w.items.Member(), most)
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(w.items.Score()))
	}
	return b, false
}
