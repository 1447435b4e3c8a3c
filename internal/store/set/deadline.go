package set

// Only a table has room for deadlines: a set of another form becomes one with the
// first. A set without any pays nothing for them.

func (s *Set) past(deadlineMs int64) bool { return deadlineMs != 0 && deadlineMs <= s.nowMs }

// AddUntil is Add with a deadline, 0 for none, that replaces the one of a member
// that is there, unless keep.
func (s *Set) AddUntil(m []byte, deadlineMs int64, keep bool, lim *Limits) (added, ok bool) {
	if s.enc != Hashed && !s.toTable(lim) {
		return false, false
	}
	hash := s.table.Hash(m)
	if e, has := s.table.Find(hash, m); has {
		added = s.past(e.DeadlineMs())
		if keep && !added {
			return false, true
		}
		return added, s.table.SetDeadline(e, deadlineMs)
	}
	ok = s.table.Insert(hash, m, nil, deadlineMs)
	s.ref = s.table.Ref()
	return ok, ok
}

// SetDeadline gives a member a deadline, or none with 0. found is false if m is no
// member. ok is false, and the set as it was, when memory is exhausted.
func (s *Set) SetDeadline(m []byte, deadlineMs int64, lim *Limits) (found, ok bool) {
	if !s.Has(m) {
		return false, true
	}
	if s.enc != Hashed {
		if deadlineMs == 0 {
			return true, true
		}
		if !s.toTable(lim) {
			return true, false
		}
	}
	e, _ := s.table.Find(s.table.Hash(m), m)
	return true, s.table.SetDeadline(e, deadlineMs)
}

// Deadline returns the deadline of m, 0 for none, and whether it is a member.
func (s *Set) Deadline(m []byte) (ms int64, ok bool) {
	if s.enc != Hashed {
		return 0, s.Has(m)
	}
	e, ok := s.table.Find(s.table.Hash(m), m)
	if ok {
		ms = e.DeadlineMs()
	}
	return ms, ok && !s.past(ms)
}

// Dated tells whether a member has a deadline.
func (s *Set) Dated() bool { return s.enc == Hashed && s.table.Dated() > 0 }

// NextDeadline returns a time before which no member's deadline passes; 0: none
// ever does.
func (s *Set) NextDeadline() int64 {
	if s.enc != Hashed {
		return 0
	}
	return s.table.NextDeadline()
}

// Expire removes members whose deadline has passed, looking at about budget pieces
// of the table. next is a time before which no other is due, 0 if there is none;
// more tells that others are due already.
func (s *Set) Expire(budget int) (removed int, next int64, more bool) {
	if s.enc != Hashed {
		return 0, 0, false
	}
	removed, more = s.table.Expire(s.nowMs, budget)
	s.ref = s.table.Ref()
	return removed, s.table.NextDeadline(), more
}
