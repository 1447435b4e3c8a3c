package rdb

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"strconv"

	"sherd/internal/store/dash"
	"sherd/internal/store/hash"
	"sherd/internal/store/listpack"
)

// openHash chooses the form. Deadlines are written only if there are any, so that
// what has none can be read by everybody.
func (w *Saver) openHash(e dash.Entry) bool {
	s := hash.Open(w.h, e.Encoding(), e.Ref(), w.nowMs)
	w.count = s.Len()
	if w.count == 0 {
		return false
	}
	w.fields = s.Iter()
	dated := s.Deadlines() > 0
	switch {
	case s.Encoding() == hash.Packed:
		w.typ, w.whole = typeHashPacked, s.Small()
	case s.Encoding() == hash.Dated && dated:
		w.typ = typeHashPackedEx
		w.base, w.whole = sortDated(&s)
	case s.Encoding() == hash.Dated:
		w.typ, w.whole = typeHashPacked, undated(&s)
	case dated:
		w.typ, w.base = typeHashDated, s.NextDeadline()
	default:
		w.typ = typeHash
	}
	if dated {
		w.version = versionDated
	}
	return true
}

func (w *Saver) saveHash(b []byte, most *int) ([]byte, bool) {
	b = w.head(b)
	for *most > 0 {
		if !w.fields.Next() {
			return b, true
		}
		b = w.string(b, w.fields.Field(), most)
		b = w.string(b, w.fields.Value(), most)
	}
	return b, false
}

// saveDatedHash writes deadlines as their distance from the base, plus one.
func (w *Saver) saveDatedHash(b []byte, most *int) ([]byte, bool) {
	if !w.begun {
		b = w.head(binary.LittleEndian.AppendUint64(b, uint64(w.base)))
	}
	for *most > 0 {
		if !w.fields.Next() {
			return b, true
		}
		after := uint64(0)
		if ms := w.fields.DeadlineMs(); ms != 0 {
			after = uint64(ms-w.base) + 1
		}
		b = appendLength(b, after)
		b = w.string(b, w.fields.Field(), most)
		b = w.string(b, w.fields.Value(), most)
	}
	return b, false
}

// undated makes a listpack of fields and values of one that has room for deadlines.
func undated(s *hash.Hash) []byte {
	p := listpack.Empty(nil)
	for it := s.Iter(); it.Next(); {
		p = listpack.AppendValue(listpack.AppendValue(p, it.Field()), it.Value())
	}
	return p
}

// sortDated makes a listpack in which the field that is due first comes first, as
// Redis relies on; those without a deadline come last. earliest is the first deadline.
func sortDated(s *hash.Hash) (earliest int64, p []byte) {
	type field struct {
		ms          int64
		name, value []byte
	}
	fields := make([]field, 0, s.Len())
	for it := s.Iter(); it.Next(); {
		f := field{it.DeadlineMs(), slices.Clone(it.Field()), slices.Clone(it.Value())}
		if f.ms == 0 {
			f.ms = math.MaxInt64
		}
		fields = append(fields, f)
	}
	slices.SortStableFunc(fields, func(a, b field) int { return cmp.Compare(a.ms, b.ms) })
	p = listpack.Empty(make([]byte, 0, len(s.Small())))
	var digits [20]byte
	for _, f := range fields {
		ms := f.ms
		if ms == math.MaxInt64 {
			ms = 0
		}
		p = listpack.AppendValue(listpack.AppendValue(p, f.name), f.value)
		p = listpack.AppendValue(p, strconv.AppendInt(digits[:0], ms, 10))
	}
	return fields[0].ms, p
}
