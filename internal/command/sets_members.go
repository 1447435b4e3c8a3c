package command

import (
	"sherd/internal/store/dash"
	"sherd/internal/store/set"
	"sherd/internal/store/value"
)

func (x *Ctx) setLimits(k *Key) set.Limits {
	return set.Limits{
		Ints:        x.Conf.SetMaxIntsetEntries,
		Packed:      x.Conf.SetMaxPackedEntries,
		PackedBytes: x.Conf.SetMaxPackedBytes,
		Seed:        x.Table(k).Seed,
	}
}

// readSet opens the set at a key to be read. ok is false when there is none; wrong
// is true, and the error has been replied, when the key holds another type.
func (x *Ctx) readSet(k *Key) (s set.Set, ok, wrong bool) {
	e, ok, wrong := x.ReadKind(k, dash.Set)
	if ok {
		s = x.openSet(k, e)
	}
	return s, ok, wrong
}

// openSet opens the set of an entry.
func (x *Ctx) openSet(k *Key, e dash.Entry) set.Set {
	return set.OpenAt(&k.Slice.Heap, e.Encoding(), e.Ref(), x.KS.Clock.Now())
}

// setEdit is a set that a command changes.
type setEdit struct {
	set.Set
	k      *Key
	e      dash.Entry
	exists bool // under the key; else it is a new one
}

// editSet opens the set at a key to be changed, if there is one.
func (x *Ctx) editSet(k *Key, d *setEdit) (ok bool) {
	e, exists, wrong := x.FindKind(k, dash.Set)
	if wrong {
		return false
	}
	d.k, d.e, d.exists = k, e, exists
	if exists {
		d.Set = x.openSet(k, e)
	}
	return true
}

// settleSet stores where the set is now, or takes the key away if it is empty. It
// reports false, with the error replied, when memory is exhausted.
func (x *Ctx) settleSet(d *setEdit) bool {
	switch {
	case d.Held() == 0:
		d.Free()
		if d.exists {
			x.Vacate(d.k, d.e)
		}
	case d.exists:
		x.Rehome(d.e, d.Encoding(), d.Ref())
	default:
		return x.Create(d.k, value.Handle{Kind: dash.Set, Encoding: d.Encoding(), Ref: d.Ref()}, 0)
	}
	return true
}

func runSAdd(x *Ctx) {
	n, ok := x.addMembers(&x.Keys[0], x.Args[2:])
	if ok {
		x.Int(n)
	}
}

// addMembers adds members to the set at a key.
func (x *Ctx) addMembers(k *Key, members [][]byte) (added int64, ok bool) {
	var d setEdit
	if !x.editSet(k, &d) {
		return 0, false
	}
	lim := x.setLimits(k)
	if d.exists {
		ok = d.Expect(len(members), &lim)
	} else if d.Set, ok = set.New(&k.Slice.Heap, members[0], len(members), &lim); !ok {
		x.outOfMemory()
		return 0, false
	}
	for i := 0; ok && i < len(members); i++ {
		var isNew bool
		if isNew, ok = d.Add(members[i], &lim); isNew {
			added++
		}
	}
	x.Changed(added)
	if !x.settleSet(&d) {
		return 0, false
	}
	if !ok {
		x.outOfMemory()
	}
	return added, ok
}

func runSRem(x *Ctx) {
	var d setEdit
	if !x.editSet(&x.Keys[0], &d) {
		return
	}
	if !d.exists {
		x.Int(0)
		return
	}
	n := int64(0)
	for _, m := range x.Args[2:] {
		if d.Remove(m) {
			n++
			if d.Held() == 0 {
				break
			}
		}
	}
	x.settleSet(&d)
	x.Changed(n)
	x.Int(n)
}

func runSIsMember(x *Ctx) {
	s, ok, wrong := x.readSet(&x.Keys[0])
	if !wrong {
		x.Bool(ok && s.Has(x.Args[2]))
	}
}

func runSMIsMember(x *Ctx) {
	s, ok, wrong := x.readSet(&x.Keys[0])
	if wrong {
		return
	}
	x.Array(len(x.Args) - 2)
	for _, m := range x.Args[2:] {
		x.Bool(ok && s.Has(m))
	}
}

func runSCard(x *Ctx) {
	s, ok, wrong := x.readSet(&x.Keys[0])
	switch {
	case wrong:
	case ok:
		x.Int(int64(s.Len()))
	default:
		x.Int(0)
	}
}

func runSMembers(x *Ctx) {
	s, ok, wrong := x.readSet(&x.Keys[0])
	switch {
	case wrong:
	case ok:
		x.replyMembers(&s)
	default:
		x.SetOf(0)
	}
}

// replyMembers replies all members of a set.
func (x *Ctx) replyMembers(s *set.Set) {
	n := s.Len()
	x.SetOf(n)
	r := memberStream{it: s.Iter()}
	if n <= streamStep {
		r.Step(x)
		return
	}
	later := r
	x.KeepLatched(&later)
}

// memberStream is a reply of a set's members under way.
type memberStream struct{ it set.Iter }

// Step replies the next members.
func (r *memberStream) Step(x *Ctx) bool {
	for range streamStep {
		if !r.it.Next() {
			return true
		}
		x.Bulk(r.it.Bytes())
	}
	return false
}

func runSMove(x *Ctx) {
	var from, to setEdit
	if !x.editSet(&x.Keys[0], &from) {
		return
	}
	if !from.exists {
		// The destination's type does not matter then.
		x.Bool(false)
		return
	}
	if !x.editSet(&x.Keys[1], &to) {
		return
	}
	m := x.Args[3]
	if to.exists && to.Ref() == from.Ref() && to.k.Slice == from.k.Slice {
		x.Bool(from.Has(m))
		return
	}
	if !from.Has(m) {
		x.Bool(false)
		return
	}
	// First what may fail.
	lim := x.setLimits(to.k)
	ok := true
	if !to.exists {
		to.Set, ok = set.New(&to.k.Slice.Heap, m, 1, &lim)
	}
	var added bool
	if ok {
		if added, ok = to.Add(m, &lim); !ok && !to.exists {
			to.Free()
		}
	}
	if !ok {
		x.outOfMemory()
		return
	}
	if to.exists {
		x.Rehome(to.e, to.Encoding(), to.Ref())
	} else if !x.settleSet(&to) || !x.editSet(&x.Keys[0], &from) { // it may have moved
		return
	}
	from.Remove(m)
	x.settleSet(&from)
	x.Changed(1)
	if added {
		x.Changed(1)
	}
	x.Bool(true)
}
