package stream

// Delete marks the entry with an ID as deleted, or removes its node if no other
// is left in it. FirstID stays as it was: see Deleted. ok is false, and nothing has
// changed, if memory is exhausted.
func (s *Stream) Delete(id ID) (found, ok bool) {
	it := s.Iter(id, id, false)
	if !it.Next() {
		return false, true
	}
	if it.master.live == 1 {
		s.removeNode(&it.x, it.spot)
		s.addLength(-1)
		return true, true
	}
	r := it.x.at(s.a, it.spot, nodeRecord)
	n := nodeAt(r)
	// This may grow the node; what follows does not.
	grow, ok := s.setNumber(&n, it.master.deletedAt, it.master.deleted+1)
	putNode(r, n)
	if !ok {
		return false, false
	}
	shrink, _ := s.setNumber(&n, 6, it.master.live-1)
	p := s.view(r)
	putNumber(p[it.entry.at+grow+shrink:], it.entry.flags|flagDeleted)
	s.addLength(-1)
	return true, true
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

// Trim removes entries and returns how many. It does at most steps nodes, and
// done tells whether there is nothing more to do; if not, it has to be called
// again. ok is false if memory is exhausted, which can only happen at the end.
func (s *Stream) Trim(t *Trim, steps int, removed int64) (total int64, done, ok bool) {
	x := s.nodes()
	ok = true
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
		m := readCounts(p)
		if t.Limit > 0 && removed+m.live > t.Limit {
			done = true
			break
		}
		var whole bool
		if t.ByID {
			last := readEntry(p, entryBefore(p, len(p)-1), &m)
			whole = last.id(getID(r, 0)).Less(t.MinID)
		} else {
			whole = s.Len()-m.live >= t.MaxLen
		}
		if whole {
			s.addLength(-m.live)
			removed += m.live
			s.removeNode(&x, spot{})
			continue
		}
		done = true
		if !t.Approx {
			var n int64
			n, ok = s.trimNode(r, t)
			removed += n
		}
		break
	}
	if removed != before || done && removed > 0 {
		s.noteFirst()
	}
	return removed, done, ok
}

// trimNode marks entries at a node's beginning as deleted. The node keeps some.
func (s *Stream) trimNode(r []byte, t *Trim) (n int64, ok bool) {
	base := getID(r, 0)
	nd := nodeAt(r)
	p := s.view(r)
	m := readMaster(p)
	left := s.Len()
	// First count, so that the master's numbers can be made to fit.
	for at := m.firstAt; p[at] != 0xff; {
		e := readEntry(p, at, &m)
		if t.ByID && !e.id(base).Less(t.MinID) || !t.ByID && left-n <= t.MaxLen {
			break
		}
		if !e.deleted() {
			n++
		}
		at = e.end(p)
	}
	if n == 0 {
		return 0, true
	}
	_, ok = s.setNumber(&nd, m.deletedAt, m.deleted+n)
	putNode(r, nd)
	if !ok {
		return 0, false
	}
	s.setNumber(&nd, 6, m.live-n) // never longer
	p = s.view(r)
	m = readMaster(p)
	for at, marked := m.firstAt, int64(0); marked < n; {
		e := readEntry(p, at, &m)
		if !e.deleted() {
			putNumber(p[at:], e.flags|flagDeleted)
			marked++
		}
		at = e.end(p)
	}
	s.addLength(-n)
	return n, true
}
