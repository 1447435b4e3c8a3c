package hash

import (
	"strconv"

	"sherd/internal/heap"
	"sherd/internal/store/linhash"
	"sherd/internal/store/listpack"
)

// KeepDeadline in place of a deadline leaves a field the one it has.
const KeepDeadline = -1

// Put sets a field's value and its deadline, 0 for none. It tells whether the field
// is new. ok is false, and the hash as it was, when memory is exhausted.
func (s *Hash) Put(field, value []byte, deadlineMs int64, lim *Limits) (created, ok bool) {
	if s.enc != Hashed && (int64(len(field)) > lim.PackedBytes || int64(len(value)) > lim.PackedBytes ||
		listpack.Total(s.packed())+len(field)+len(value) > packedMost) && !s.toTable(lim) {
		return false, false
	}
	var f Field
	if s.find(field, &f) {
		if old := f.DeadlineMs(); s.past(old) {
			// What is there is gone: the field is new.
			if deadlineMs == KeepDeadline {
				deadlineMs = 0
			}
			return true, s.set(&f, field, value, deadlineMs)
		} else if deadlineMs == KeepDeadline {
			deadlineMs = old
		}
		return false, s.set(&f, field, value, deadlineMs)
	}
	return true, s.insert(field, value, max(deadlineMs, 0), lim)
}

// set changes value and deadline of a field that is there. Of the two changes the
// one that may run out of memory comes first; taking a deadline away, or replacing
// one, never does.
func (s *Hash) set(f *Field, field, value []byte, deadlineMs int64) bool {
	old := f.DeadlineMs()
	if old == 0 && deadlineMs != 0 {
		if !s.SetDeadline(f, deadlineMs) {
			return false
		}
		s.find(field, f)
		if !s.setValue(f, value) {
			s.SetDeadline(f, 0)
			return false
		}
		return true
	}
	if !s.setValue(f, value) {
		return false
	}
	if old == deadlineMs {
		return true
	}
	s.find(field, f)
	return s.SetDeadline(f, deadlineMs)
}

func (s *Hash) setValue(f *Field, value []byte) (ok bool) {
	if s.enc == Hashed {
		ok = s.table.SetValue(f.entry, value)
		s.ref = s.table.Ref()
		return ok
	}
	ref, _, ok := listpack.Replace(s.h, s.ref, listpack.Next(f.p, f.at), value)
	if ok {
		s.ref = ref
	}
	return ok
}

// putDate overwrites the deadline at a place.
func (s *Hash) putDate(at int, deadlineMs int64) bool {
	var digits [20]byte
	ref, _, ok := listpack.Replace(s.h, s.ref, at, strconv.AppendInt(digits[:0], deadlineMs, 10))
	if ok {
		s.ref = ref
	}
	return ok
}

// insert adds a field that is not there.
func (s *Hash) insert(field, value []byte, deadlineMs int64, lim *Limits) bool {
	if s.enc != Hashed && int64(s.Held()) >= lim.Packed && !s.toTable(lim) {
		return false
	}
	if s.enc == Packed && deadlineMs != 0 && !s.toDated() {
		return false
	}
	if s.enc == Hashed {
		ok := s.table.Insert(s.table.Hash(field), field, value, deadlineMs)
		s.ref = s.table.Ref()
		return ok
	}
	var digits [20]byte
	parts := [...][]byte{field, value, strconv.AppendInt(digits[:0], deadlineMs, 10)}
	end := listpack.End(s.packed())
	for i := range s.stride() {
		ref, ok := listpack.Append(s.h, s.ref, parts[i])
		if !ok {
			if i > 0 {
				s.ref, _ = listpack.Delete(s.h, s.ref, end, i)
			}
			return false
		}
		s.ref = ref
	}
	return true
}

// SetDeadline gives a field that was found a deadline, or none with 0. False: out of
// memory, and nothing has changed.
func (s *Hash) SetDeadline(f *Field, deadlineMs int64) bool {
	switch s.enc {
	case Hashed:
		return s.table.SetDeadline(f.entry, deadlineMs)
	case Packed:
		if deadlineMs == 0 {
			return true
		}
		n := 0
		for at := listpack.First(f.p); at != f.at; at = listpack.Next(f.p, at) {
			n++
		}
		if !s.toDated() {
			return false
		}
		f.p, f.dated = s.packed(), true
		f.at = listpack.Seek(f.p, n/2*3)
	}
	return s.putDate(listpack.Next(f.p, listpack.Next(f.p, f.at)), deadlineMs)
}

// Delete takes a field out and tells whether it was there. An empty hash is the
// caller's to free.
func (s *Hash) Delete(field []byte) bool {
	var f Field
	if !s.find(field, &f) {
		return false
	}
	there := !s.past(f.DeadlineMs())
	s.Remove(&f)
	return there
}

// Remove takes out a field that was found.
func (s *Hash) Remove(f *Field) {
	if s.enc == Hashed {
		s.table.Delete(f.entry)
		s.ref = s.table.Ref()
		return
	}
	s.ref, _ = listpack.Delete(s.h, s.ref, f.at, s.stride())
}

// Expire removes fields whose deadline has passed, looking at about budget pieces
// of a large hash. next is a time before which no other is due, 0 if there is none;
// more tells that others are due already.
func (s *Hash) Expire(budget int) (removed int, next int64, more bool) {
	switch s.enc {
	case Packed:
		return 0, 0, false
	case Hashed:
		removed, more = s.table.Expire(s.nowMs, budget)
		s.ref = s.table.Ref()
		return removed, s.table.NextDeadline(), more
	}
	for at := listpack.First(s.packed()); at >= 0; {
		p := s.packed()
		date := listpack.Next(p, listpack.Next(p, at))
		ms, _ := listpack.Int(p, date)
		if !s.past(ms) {
			at = listpack.Next(p, date)
			continue
		}
		removed++
		if s.ref, at = listpack.Delete(s.h, s.ref, at, 3); at >= listpack.End(s.packed()) {
			break
		}
	}
	return removed, s.NextDeadline(), false
}

// Expect makes the hash ready for about size fields in all. False: out of memory,
// and the hash is as it was.
func (s *Hash) Expect(size int, lim *Limits) bool {
	return s.enc == Hashed || int64(size) <= lim.Packed || s.toTable(lim)
}

// toDated gives every field of a listpack room for a deadline.
func (s *Hash) toDated() bool {
	var few [1024]byte
	b := listpack.Empty(few[:0])
	for it := s.iterAll(); it.Next(); {
		b = listpack.AppendValue(b, it.Field())
		b = listpack.AppendValue(b, it.Value())
		b = listpack.AppendValue(b, zero)
	}
	ref := listpack.Put(s.h, b)
	if ref == 0 {
		return false
	}
	listpack.Free(s.h, s.ref)
	s.ref, s.enc = ref, Dated
	return true
}

var zero = []byte("0")

// toTable makes a table of a small form.
func (s *Hash) toTable(lim *Limits) bool {
	t, ok := linhash.New(s.h, true, lim.Seed)
	if !ok {
		return false
	}
	for it := s.iterAll(); it.Next(); {
		if s.past(it.DeadlineMs()) {
			continue
		}
		field := it.Field()
		if !t.Insert(t.Hash(field), field, it.Value(), it.DeadlineMs()) {
			freeTable(s.h, t.Ref())
			return false
		}
	}
	listpack.Free(s.h, s.ref)
	s.enc, s.ref, s.table = Hashed, t.Ref(), t
	return true
}

func freeTable(h *heap.Heap, ref heap.Ref) {
	for ref != 0 {
		ref = linhash.Free(h, ref, 1<<20)
	}
}
