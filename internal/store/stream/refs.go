package stream

// Refs says what happens to what groups know of an entry that is deleted.
type Refs uint8

// The ways.
const (
	KeepRefs  Refs = iota // it stays pending
	DropRefs              // it is no longer pending in any group
	AckedOnly             // it is deleted only if every group has read and acknowledged it
)

// Referenced tells whether a group has still to read or to acknowledge an entry.
func (s *Stream) Referenced(id ID) bool {
	for i := range s.GroupCount() {
		g := s.GroupAt(i)
		if g.LastID().Less(id) {
			return true
		}
		if _, pending := g.Pending(id); pending {
			return true
		}
	}
	return false
}

// Forget acknowledges an entry in all groups.
func (s *Stream) Forget(id ID) {
	for i := range s.GroupCount() {
		g := s.GroupAt(i)
		g.Ack(id)
	}
}

// TrimRefs is Trim with regard to the groups. It goes entry by entry. ok is false
// if memory is exhausted.
func (s *Stream) TrimRefs(t *Trim, refs Refs) (removed int64, ok bool) {
	var hole bool
	var greatest ID
	var batch []ID
	for from := (ID{}); ; {
		var more bool
		batch, from, more = s.trimmable(t, from, removed, batch[:0])
		for _, id := range batch {
			if !t.ByID && s.Len() <= t.MaxLen {
				more = false
				break
			}
			if refs == AckedOnly && s.Referenced(id) {
				hole = true
				continue
			}
			found, ok := s.Delete(id)
			if !ok {
				return removed, false
			}
			if found {
				removed++
				if hole {
					greatest = id
				}
			}
			if refs == DropRefs {
				s.Forget(id)
			}
		}
		if !more {
			break
		}
	}
	if removed > 0 {
		// Entries that stay before others that went: counting from the front does
		// not tell any more how many there were.
		s.Deleted(greatest, true)
	}
	return removed, true
}

// trimmable collects the entries of one node, the first from an ID on, that a trim
// may remove, and returns where to go on, unless it was the last such node.
func (s *Stream) trimmable(t *Trim, from ID, removed int64, ids []ID) ([]ID, ID, bool) {
	it := s.Iter(from, MaxID, false)
	if !it.Next() || !t.ByID && s.Len() <= t.MaxLen {
		return ids, from, false
	}
	m := it.master
	last := readEntry(it.p, entryBefore(it.p, len(it.p)-1), &m)
	lastID := last.id(it.base)
	switch {
	case t.Limit > 0 && removed+m.live > t.Limit:
		return ids, from, false
	case t.Approx && (t.ByID && !lastID.Less(t.MinID) || !t.ByID && s.Len()-m.live < t.MaxLen):
		return ids, from, false
	}
	for ok := true; ok && !lastID.Less(it.ID); ok = it.Next() {
		if t.ByID && !it.ID.Less(t.MinID) {
			return ids, from, false
		}
		ids = append(ids, it.ID)
	}
	next, ok := lastID.Next()
	return ids, next, ok
}
