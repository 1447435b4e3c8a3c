package zset

import (
	"bytes"
	"math"
	"strconv"
	"unsafe"

	"sherd/internal/store/listpack"
)

// The small form is a listpack of member, score, member, score, … in order. A
// score is an integer there if it is a whole number up to 2^62, negative zero
// included, or else text as C's "%.17g" prints it.

// packedScore reads the score at a place.
func packedScore(p []byte, at int) float64 {
	if n, ok := listpack.Int(p, at); ok {
		return float64(n)
	}
	var scratch [24]byte
	b := listpack.Get(p, at, &scratch)
	// The string lives for the call only. What was packed can be read back.
	f, _ := strconv.ParseFloat(unsafe.String(unsafe.SliceData(b), len(b)), 64)
	return f
}

// appendScore writes a score for the small form.
func appendScore(b []byte, f float64) []byte {
	if n := int64(f); f >= -1<<62 && f <= 1<<62 && float64(n) == f {
		return strconv.AppendInt(b, n, 10)
	}
	switch {
	case f > math.MaxFloat64:
		return append(b, "inf"...)
	case f < -math.MaxFloat64:
		return append(b, "-inf"...)
	}
	return strconv.AppendFloat(b, f, 'g', 17, 64)
}

// comparePacked orders the member and score at a place and another pair.
func comparePacked(p []byte, at int, m []byte, score float64) int {
	switch s := packedScore(p, listpack.After(p, at)); {
	case s < score:
		return -1
	case s > score:
		return 1
	}
	var scratch [24]byte
	return bytes.Compare(listpack.Get(p, at, &scratch), m)
}

func (s *Set) insertPacked(m []byte, score float64) bool {
	p := s.bytes()
	at := listpack.End(p)
	for i := listpack.First(p); i >= 0 && i < at; i = listpack.Span(p, i, 2) {
		if comparePacked(p, i, m, score) > 0 {
			at = i
			break
		}
	}
	return s.putPacked(at, m, score)
}

// putPacked inserts a member and its score at a place.
func (s *Set) putPacked(at int, m []byte, score float64) bool {
	ref, at, ok := listpack.Insert(s.h, s.ref, at, m)
	if !ok {
		return false
	}
	var text [32]byte
	after := listpack.After(listpack.View(s.h.Arena(), ref), at)
	full, _, ok := listpack.Insert(s.h, ref, after, appendScore(text[:0], score))
	if !ok {
		s.ref, _ = listpack.Delete(s.h, ref, at, 1)
		return false
	}
	s.ref = full
	return true
}

// updatePacked changes the score of the member at a place.
func (s *Set) updatePacked(m []byte, score float64, at int) bool {
	p := s.bytes()
	if packedScore(p, listpack.After(p, at)) == score {
		return true
	}
	// Where it goes, as if it were not there.
	to := listpack.End(p)
	for i, last := listpack.First(p), to; i < last; i = listpack.Span(p, i, 2) {
		if i != at && comparePacked(p, i, m, score) > 0 {
			to = i
			break
		}
	}
	end := listpack.Span(p, at, 2)
	if to == end {
		// Nothing is between: only the score changes.
		var text [32]byte
		ref, _, ok := listpack.Replace(s.h, s.ref, listpack.After(p, at), appendScore(text[:0], score))
		if ok {
			s.ref = ref
		}
		return ok
	}
	length := len(p)
	if !s.putPacked(to, m, score) {
		return false
	}
	if to <= at {
		at += len(s.bytes()) - length
	}
	s.ref, _ = listpack.Delete(s.h, s.ref, at, 2)
	return true
}

func (s *Set) countPackedScore(bound float64, orEqual bool) (n int64) {
	p := s.bytes()
	for i, end := listpack.First(p), listpack.End(p); i >= 0 && i < end; i = listpack.Span(p, i, 2) {
		if v := packedScore(p, listpack.After(p, i)); v > bound || v == bound && !orEqual {
			break
		}
		n++
	}
	return n
}

func (s *Set) countPackedMember(bound []byte, orEqual bool) (n int64) {
	p := s.bytes()
	var scratch [24]byte
	for i, end := listpack.First(p), listpack.End(p); i >= 0 && i < end; i = listpack.Span(p, i, 2) {
		if c := bytes.Compare(listpack.Get(p, i, &scratch), bound); c > 0 || c == 0 && !orEqual {
			break
		}
		n++
	}
	return n
}

// Unpack makes a small set large; false: out of memory, and it is as it was.
func (s *Set) Unpack() bool {
	if s.enc != Packed {
		return true
	}
	ref := newTree(s.h, s.seed)
	if ref == 0 {
		return false
	}
	t := openTree(s.h, ref)
	p := s.bytes()
	var scratch [24]byte
	for i, end := listpack.First(p), listpack.End(p); i >= 0 && i < end; i = listpack.Span(p, i, 2) {
		m := listpack.Get(p, i, &scratch)
		if !t.insert(t.hash(m), m, packedScore(p, listpack.After(p, i))) {
			for ref != 0 {
				ref = Free(s.h, Tree, ref, 1<<20)
			}
			return false
		}
	}
	listpack.Free(s.h, s.ref)
	s.ref, s.enc = ref, Tree
	return true
}

// Pack makes a large set small again, if it keeps the limits and there is memory,
// and reports whether it did. It is for results that are stored.
func (s *Set) Pack() bool {
	if s.enc == Packed || s.Len() > int64(s.limits.Entries) {
		return false
	}
	p := listpack.Empty(nil)
	var text [32]byte
	for it := s.Iter(0, false); it.Next(); {
		m := it.Member()
		if len(m) > s.limits.Bytes {
			return false
		}
		p = listpack.AppendValue(p, m)
		p = listpack.AppendValue(p, appendScore(text[:0], it.Score()))
	}
	ref := listpack.Put(s.h, p)
	if ref == 0 {
		return false
	}
	for old := s.ref; old != 0; {
		old = Free(s.h, Tree, old, 1<<20)
	}
	s.ref, s.enc = ref, Packed
	return true
}
