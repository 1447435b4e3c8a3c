package hash

import (
	"math/bits"

	"sherd/internal/store/linhash"
	"sherd/internal/store/listpack"
)

// Iter walks the fields of a hash, which must not change meanwhile.
type Iter struct {
	p       []byte // listpack; nil: a table
	at      int    // place of the field
	value   int    // and of its value
	table   linhash.Iter
	nowMs   int64 // what is due by then is not there
	dated   bool
	scratch [2][24]byte
}

// Iter returns an iterator of all fields.
func (s *Hash) Iter() Iter {
	it := s.iterAll()
	it.nowMs = s.nowMs
	return it
}

// iterAll walks all fields, those whose deadline has passed included.
func (s *Hash) iterAll() Iter {
	it := Iter{at: -1, dated: s.enc != Packed}
	if s.enc == Hashed {
		it.table = s.table.Iter()
	} else {
		it.p = s.packed()
	}
	return it
}

// Next moves to the next field and reports whether there is one.
func (it *Iter) Next() bool {
	for it.step() {
		if it.nowMs == 0 || !it.dated {
			return true
		}
		if ms := it.DeadlineMs(); ms == 0 || ms > it.nowMs {
			return true
		}
	}
	return false
}

func (it *Iter) step() bool {
	if it.p == nil {
		return it.table.Next()
	}
	switch {
	case it.at < 0:
		it.at = listpack.First(it.p)
	case it.dated:
		it.at = listpack.Next(it.p, listpack.Next(it.p, it.value))
	default:
		it.at = listpack.Next(it.p, it.value)
	}
	if it.at < 0 {
		return false
	}
	it.value = listpack.Next(it.p, it.at)
	return true
}

// Field returns the field's name, which is valid until the next call of Next.
func (it *Iter) Field() []byte {
	if it.p == nil {
		return it.table.Key()
	}
	return listpack.Get(it.p, it.at, &it.scratch[0])
}

// Value returns the field's value, which is valid until the next call of Next.
func (it *Iter) Value() []byte {
	if it.p == nil {
		return it.table.Value()
	}
	return listpack.Get(it.p, it.value, &it.scratch[1])
}

// DeadlineMs returns the field's deadline; 0 for none.
func (it *Iter) DeadlineMs() int64 {
	if it.p == nil {
		return it.table.DeadlineMs()
	}
	if !it.dated {
		return 0
	}
	ms, _ := listpack.Int(it.p, listpack.Next(it.p, it.value))
	return ms
}

// Scan returns an iterator of some of the fields, those at a cursor, and the cursor
// of the next; both ends of the walk are 0. See linhash.Table.Scan.
func (s *Hash) Scan(cursor uint64) (it Iter, next uint64) {
	if s.enc != Hashed {
		return s.Iter(), 0
	}
	it = Iter{nowMs: s.nowMs, dated: true}
	it.table, next = s.table.Scan(cursor)
	return it, next
}

// Random draws a field from random bits, all with the same chance. Fields whose
// deadline has passed are drawn too: then it reports false. The hash must hold
// some field.
func (s *Hash) Random(random uint64, it *Iter) bool {
	*it = Iter{dated: s.enc != Packed}
	if s.enc == Hashed {
		it.table.Entry = s.table.Random(random)
	} else {
		it.p = s.packed()
		i, _ := bits.Mul64(random, uint64(s.Held()))
		it.at = listpack.Seek(it.p, int(i)*s.stride())
		it.value = listpack.Next(it.p, it.at)
	}
	return !s.past(it.DeadlineMs())
}

// Place is a number that no other field of the hash has until the hash changes.
func (it *Iter) Place() uint64 {
	if it.p == nil {
		return it.table.Place()
	}
	return uint64(it.at)
}
