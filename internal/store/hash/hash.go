package hash

import (
	"sherd/internal/heap"
	"sherd/internal/store/linhash"
	"sherd/internal/store/listpack"
)

// Encodings of a hash.
const (
	Packed uint8 = iota + 1 // a listpack of fields and values
	Dated                   // a listpack of fields, values and deadlines
	Hashed                  // a linhash table
)

// EncodingName is what OBJECT ENCODING says.
func EncodingName(enc uint8) string {
	switch enc {
	case Packed:
		return "listpack"
	case Dated:
		return "listpackex"
	}
	return "hashtable"
}

// Limits bound the small forms.
type Limits struct {
	Packed      int64 // fields of a listpack
	PackedBytes int64 // of a field or value in one
	Seed        uint64
}

// packedMost is the most bytes of a listpack, whatever the limits are.
const packedMost = 1 << 30

// Hash is a hash opened for one command: it stays on the stack, and Ref and
// Encoding tell afterwards where it is now. A field whose deadline has passed is
// not there; what writes removes those it meets.
type Hash struct {
	h     *heap.Heap
	ref   heap.Ref
	nowMs int64
	enc   uint8
	table linhash.Table // if Hashed
}

// Open opens the hash at ref.
func Open(h *heap.Heap, enc uint8, ref heap.Ref, nowMs int64) Hash {
	s := Hash{h: h, ref: ref, enc: enc, nowMs: nowMs}
	if enc == Hashed {
		s.table = linhash.Open(h, ref)
	}
	return s
}

// New makes an empty hash. False: out of memory.
func New(h *heap.Heap, nowMs int64) (s Hash, ok bool) {
	s = Hash{h: h, enc: Packed, ref: listpack.New(h), nowMs: nowMs}
	return s, s.ref != 0
}

// Ref returns where the hash is.
func (s *Hash) Ref() heap.Ref { return s.ref }

// Encoding returns how the hash is stored.
func (s *Hash) Encoding() uint8 { return s.enc }

func (s *Hash) packed() []byte { return listpack.View(s.h.Arena(), s.ref) }

// stride is the number of elements that a field takes in a small form.
func (s *Hash) stride() int {
	if s.enc == Dated {
		return 3
	}
	return 2
}

// Held returns the number of fields, those whose deadline has passed included.
func (s *Hash) Held() int {
	if s.enc == Hashed {
		return s.table.Len()
	}
	return listpack.Len(s.packed()) / s.stride()
}

// Len returns the number of fields.
func (s *Hash) Len() int { return s.Held() - s.overdue() }

// overdue counts the fields whose deadline has passed.
func (s *Hash) overdue() (n int) {
	switch s.enc {
	case Packed:
		return 0
	case Hashed:
		return s.table.Overdue(s.nowMs)
	}
	p := s.packed()
	for at := listpack.First(p); at >= 0; at = listpack.Next(p, at) {
		at = listpack.Next(p, listpack.Next(p, at))
		if ms, _ := listpack.Int(p, at); s.past(ms) {
			n++
		}
	}
	return n
}

func (s *Hash) past(deadlineMs int64) bool { return deadlineMs != 0 && deadlineMs <= s.nowMs }

// Field is a field that was found. It is valid until the hash changes.
type Field struct {
	p       []byte // the listpack; nil in a table
	at      int    // place of the field
	dated   bool   // the field has a third element
	entry   linhash.Entry
	scratch [24]byte
}

// Value returns the field's value, which is valid as long as the Field is.
func (f *Field) Value() []byte {
	if f.p == nil {
		return f.entry.Value()
	}
	return listpack.Get(f.p, listpack.Next(f.p, f.at), &f.scratch)
}

// DeadlineMs returns the field's deadline; 0 for none.
func (f *Field) DeadlineMs() int64 {
	if f.p == nil {
		return f.entry.DeadlineMs()
	}
	if !f.dated {
		return 0
	}
	ms, _ := listpack.Int(f.p, listpack.Next(f.p, listpack.Next(f.p, f.at)))
	return ms
}

// find looks a field up, whatever its deadline.
func (s *Hash) find(field []byte, f *Field) bool {
	if s.enc == Hashed {
		var ok bool
		f.p = nil
		f.entry, ok = s.table.Find(s.table.Hash(field), field)
		return ok
	}
	f.p, f.dated = s.packed(), s.enc == Dated
	f.at = listpack.Find(f.p, listpack.First(f.p), field, s.stride()-1)
	return f.at >= 0
}

// Find looks a field up.
func (s *Hash) Find(field []byte, f *Field) bool {
	return s.find(field, f) && (s.enc == Packed || !s.past(f.DeadlineMs()))
}

// NextDeadline returns a time before which no field's deadline passes; 0: none ever
// does.
func (s *Hash) NextDeadline() (ms int64) {
	switch s.enc {
	case Packed:
		return 0
	case Hashed:
		return s.table.NextDeadline()
	}
	p := s.packed()
	for at := listpack.First(p); at >= 0; at = listpack.Next(p, at) {
		at = listpack.Next(p, listpack.Next(p, at))
		if d, _ := listpack.Int(p, at); d != 0 && (ms == 0 || d < ms) {
			ms = d
		}
	}
	return ms
}
