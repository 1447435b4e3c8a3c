package set

import (
	"math/bits"
	"strconv"

	"sherd/internal/store/linhash"
	"sherd/internal/store/listpack"
)

// Iter walks the members of a set, which must not change meanwhile.
type Iter struct {
	enc     uint8
	p       []byte // intset or listpack
	at      int
	table   linhash.Iter
	nowMs   int64 // of a table: what is due by then is not there; 0: nothing is due
	scratch [24]byte
}

// Iter returns an iterator of all members.
func (s *Set) Iter() Iter {
	it := Iter{enc: s.enc, at: -1}
	switch s.enc {
	case Ints:
		it.p = s.ints()
	case Packed:
		it.p = s.packed()
	default:
		it.table = s.table.Iter()
		it.nowMs = s.horizon()
	}
	return it
}

// horizon is the time at which an iterator looks at deadlines, 0 if there are none.
func (s *Set) horizon() int64 {
	if s.table.Dated() == 0 {
		return 0
	}
	return s.nowMs
}

// Next moves to the next member and reports whether there is one.
func (it *Iter) Next() bool {
	switch it.enc {
	case Ints:
		it.at++
		return it.at < intsetLen(it.p)
	case Packed:
		if it.at < 0 {
			it.at = listpack.First(it.p)
		} else {
			it.at = listpack.Next(it.p, it.at)
		}
		return it.at >= 0
	}
	for it.table.Next() {
		if it.nowMs == 0 {
			return true
		}
		if ms := it.table.DeadlineMs(); ms == 0 || ms > it.nowMs {
			return true
		}
	}
	return false
}

// DeadlineMs returns the member's deadline; 0 for none.
func (it *Iter) DeadlineMs() int64 {
	if it.enc != Hashed {
		return 0
	}
	return it.table.DeadlineMs()
}

// Bytes returns the member, which is valid until the next call of Next.
func (it *Iter) Bytes() []byte {
	switch it.enc {
	case Ints:
		return it.digits(intsetAt(it.p, it.at))
	case Packed:
		return listpack.Get(it.p, it.at, &it.scratch)
	}
	return it.table.Key()
}

func (it *Iter) digits(v int64) []byte { return strconv.AppendInt(it.scratch[:0], v, 10) }

// Scan returns an iterator of some of the members, those at a cursor, and the
// cursor of the next; both ends of the walk are 0. See linhash.Table.Scan.
func (s *Set) Scan(cursor uint64) (it Iter, next uint64) {
	if s.enc != Hashed {
		return s.Iter(), 0
	}
	it = Iter{enc: Hashed, nowMs: s.horizon()}
	it.table, next = s.table.Scan(cursor)
	return it, next
}

// Random draws a member, all with the same chance, from random bits, and returns it
// with a number that no other has until the set changes. Members whose deadline has
// passed are drawn too: then ok is false. The set must hold some member.
func (s *Set) Random(random uint64, scratch *[24]byte) (m []byte, place uint64, ok bool) {
	switch s.enc {
	case Ints:
		p := s.ints()
		i, _ := bits.Mul64(random, uint64(intsetLen(p)))
		return strconv.AppendInt(scratch[:0], intsetAt(p, int(i)), 10), i, true
	case Packed:
		p := s.packed()
		i, _ := bits.Mul64(random, uint64(listpack.Len(p)))
		return listpack.Get(p, listpack.Seek(p, int(i)), scratch), i, true
	}
	e := s.table.Random(random)
	return e.Key(), e.Place(), !s.past(e.DeadlineMs())
}
