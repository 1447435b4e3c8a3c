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

// TrimRefs is Trim with regard to the groups. It goes entry by entry, in steps.
type TrimRefs struct {
	Trim
	Refs    Refs
	Removed int64

	from     ID
	hole     bool // something was left because a group refers to it
	greatest ID   // that was removed behind a hole
	batch    []ID
}

// Step does about steps entries; done tells whether it was the last.
func (t *TrimRefs) Step(s *Stream, steps int) (done bool) {
	for more := true; more && steps > 0; {
		t.batch, t.from, more = s.trimmable(t)
		steps -= 1 + len(t.batch)
		for _, id := range t.batch {
			if !t.ByID && s.Len() <= t.MaxLen {
				more = false
				break
			}
			if t.Refs == AckedOnly && s.Referenced(id) {
				t.hole = true
				continue
			}
			if s.Delete(id) {
				t.Removed++
				if t.hole {
					t.greatest = id
				}
			}
			if t.Refs == DropRefs {
				s.Forget(id)
			}
		}
		done = !more
	}
	if t.Removed > 0 {
		// Entries that stay before others that went: counting from the front does
		// not tell any more how many there were.
		s.Deleted(t.greatest, true)
	}
	return done
}

// trimmable collects the entries of one node, the first from an ID on, that a trim
// may remove, and returns where to go on, unless it was the last such node.
func (s *Stream) trimmable(t *TrimRefs) (ids []ID, next ID, more bool) {
	ids = t.batch[:0]
	it := s.Iter(t.from, MaxID, false)
	if !it.Next() || !t.ByID && s.Len() <= t.MaxLen {
		return ids, t.from, false
	}
	live := liveIn(it.p)
	last := lastIn(it.p, it.base)
	switch {
	case t.Limit > 0 && t.Removed+live > t.Limit:
		return ids, t.from, false
	case t.Approx && (t.ByID && !last.Less(t.MinID) || !t.ByID && s.Len()-live < t.MaxLen):
		return ids, t.from, false
	}
	for ok := true; ok && !last.Less(it.ID); ok = it.Next() {
		if t.ByID && !it.ID.Less(t.MinID) {
			return ids, t.from, false
		}
		ids = append(ids, it.ID)
	}
	next, more = last.Next()
	return ids, next, more
}
