package stream

// Delete marks the entry with an ID as deleted, or removes its node if no other
// is left in it. FirstID stays as it was: see Deleted.
func (s *Stream) Delete(id ID) (found bool) {
	it := s.Iter(id, id, false)
	if !it.Next() {
		return false
	}
	if liveIn(it.p) == 1 {
		s.removeNode(&it.x, it.spot)
	} else {
		it.p[it.entry.at] |= flagDeleted
		addCounts(it.p, -1, 1)
	}
	s.addLength(-1)
	return true
}

// Deleted brings FirstID and MaxDeletedID up to date after some entries were
// deleted by their IDs, the greatest of which is given.
func (s *Stream) Deleted(greatest ID, first bool) {
	if s.MaxDeletedID().Less(greatest) {
		s.SetMaxDeletedID(greatest)
	}
	if first || s.Len() == 0 {
		s.noteFirst()
	}
}

func (s *Stream) removeNode(x *index, at spot) {
	s.freeNode(x.at(s.a, at, nodeRecord))
	x.remove(s.h, at, nodeRecord)
	s.storeNodes(x)
}

// Trim says what to remove from a stream's beginning.
type Trim struct {
	ByID   bool
	MinID  ID    // ByID: all before it
	MaxLen int64 // else: all but so many
	Approx bool  // whole nodes only
	Limit  int64 // remove at most so many; 0: no limit
}

// Trim removes entries and returns how many in all, removed of them in earlier
// steps. It does at most steps nodes, and done tells whether there is nothing more
// to do; if not, it has to be called again.
func (s *Stream) Trim(t *Trim, steps int, removed int64) (total int64, done bool) {
	x := s.nodes()
	before := removed
	for ; ; steps-- {
		if x.n == 0 || !t.ByID && s.Len() <= t.MaxLen {
			done = true
			break
		}
		if steps == 0 {
			break
		}
		r := x.at(s.a, spot{}, nodeRecord)
		p := s.view(r)
		live := liveIn(p)
		if t.Limit > 0 && removed+live > t.Limit {
			done = true
			break
		}
		var whole bool
		if t.ByID {
			whole = lastIn(p, getID(r, 0)).Less(t.MinID)
		} else {
			whole = s.Len()-live >= t.MaxLen
		}
		if whole {
			s.addLength(-live)
			removed += live
			s.removeNode(&x, spot{})
			continue
		}
		done = true
		if !t.Approx {
			removed += s.trimNode(p, getID(r, 0), t)
		}
		break
	}
	if removed != before || done && removed > 0 {
		s.noteFirst()
	}
	return removed, done
}

// trimNode marks entries at a node's beginning as deleted. The node keeps some.
func (s *Stream) trimNode(p []byte, base ID, t *Trim) (n int64) {
	m := readMaster(p)
	left := s.Len()
	for at := m.firstAt; p[at] != endMark; {
		e := readEntry(p, at, &m)
		if t.ByID && !e.id(base).Less(t.MinID) || !t.ByID && left-n <= t.MaxLen {
			break
		}
		if !e.deleted() {
			p[at] |= flagDeleted
			n++
		}
		at = e.end(p)
	}
	addCounts(p, -n, n)
	s.addLength(-n)
	return n
}
