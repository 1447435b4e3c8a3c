package rdb

import (
	"math"

	"sherd/internal/store/hash"
)

// loadHash reads fields and values, and the deadlines of the forms that have them:
//
//	24                 base, then of each field: distance from the base, plus one
//	22                 of each field: the deadline
//	22 by Valkey       of each field, behind it: the deadline in 8 bytes, -1 for none
//
// Where it is not said otherwise, 0 is none.
func (l *Loader) loadHash(most *int) (bool, error) {
	if !l.begun {
		if l.typ == typeHashDated {
			if l.base = int64(l.in.uint64LE()); l.base < 0 || l.base > mostDeadline {
				return false, ErrFormat
			}
		}
		if err := l.count(); err != nil {
			return false, err
		}
		var ok bool
		if int64(min(l.left, math.MaxInt64)) > l.lim.Hash.Packed {
			l.hash, ok = hash.NewTable(l.h, 0, &l.lim.Hash)
		} else {
			l.hash, ok = hash.New(l.h, 0)
		}
		if err := l.make(ok); err != nil {
			return false, err
		}
	}
	triples := l.typ == typeHash22 && l.version == versionValkey
	for *most > 0 {
		if l.left == 0 {
			return true, nil
		}
		l.left--
		deadline := uint64(0)
		if l.typ != typeHash && !triples {
			deadline = l.in.number()
			if l.typ == typeHashDated && deadline != 0 && deadline <= mostDeadline {
				deadline += uint64(l.base) - 1
			}
		}
		if !l.text(&l.first, most) || !l.text(&l.second, most) {
			return false, ErrFormat
		}
		if triples {
			if deadline = l.in.uint64LE(); deadline == math.MaxUint64 {
				deadline = 0
			}
		}
		if l.in.short || deadline > mostDeadline {
			return false, ErrFormat
		}
		created, ok := l.hash.Put(l.first.b, l.second.b, int64(deadline), &l.lim.Hash)
		switch {
		case !ok:
			return false, ErrMemory
		case !created:
			return false, ErrFormat
		}
	}
	return false, nil
}
