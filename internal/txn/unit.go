package txn

import (
	"slices"

	"sherd/internal/reactor"
	"sherd/internal/shard"
)

// Unit is a set of slices that are latched together. It belongs to one
// connection while it waits and is used again for other units; it is not copied.
type Unit struct {
	// Owner is whom the unit works for; the loop's to use.
	Owner any

	set  []*shard.Slice // ascending, distinct; owned by the loop
	held int            // set[:held] are latched
	dead bool           // abandoned while it waited: release on grant

	waiter shard.Waiter
	msg    reactor.Message
	loop   *reactor.Loop
	ready  func(*Unit)
}

// Init binds the unit to its loop. ready is called on the loop's thread when a
// unit that had to wait holds all its slices.
func (u *Unit) Init(loop *reactor.Loop, ready func(*Unit)) {
	u.loop = loop
	u.ready = ready
	u.msg.Urgent = true // the slice is held until it arrives
	u.waiter.Granted = func() { u.loop.Post(&u.msg) }
	u.msg.Deliver = func(*reactor.Loop, *reactor.Message) { u.granted() }
}

// Reset empties the set.
func (u *Unit) Reset() {
	u.set = u.set[:0]
	u.held = 0
	u.dead = false
}

// Add puts a slice into the set. Slices may be added in any order, more than
// once, before Acquire.
func (u *Unit) Add(s *shard.Slice) { u.set = append(u.set, s) }

// AddAll puts every slice of the keyspace into the set.
func (u *Unit) AddAll(k *shard.Keyspace) {
	for i := range k.Slices() {
		u.set = append(u.set, k.Slice(i))
	}
}

// Adopt makes the unit the holder of one slice that is latched already.
func (u *Unit) Adopt(s *shard.Slice) {
	u.set = append(u.set[:0], s)
	u.held = 1
}

// Acquire latches the set. It returns false when it has to wait; ready is
// called later.
func (u *Unit) Acquire() bool {
	u.order()
	return u.advance()
}

// order sorts the set and drops duplicates.
func (u *Unit) order() {
	s := u.set
	switch len(s) {
	case 0, 1:
		return
	case 2:
		if s[0].Index > s[1].Index {
			s[0], s[1] = s[1], s[0]
		}
	default:
		if !slices.IsSortedFunc(s, byIndex) {
			slices.SortFunc(s, byIndex)
		}
	}
	n := 1
	for _, x := range s[1:] {
		if x != s[n-1] {
			s[n] = x
			n++
		}
	}
	u.set = s[:n]
}

func byIndex(a, b *shard.Slice) int { return int(a.Index) - int(b.Index) }

func (u *Unit) advance() bool {
	for u.held < len(u.set) {
		s := u.set[u.held]
		if !s.Spin() && !s.Enqueue(&u.waiter) {
			return false
		}
		u.held++
	}
	return true
}

// granted runs on the loop's thread: the latch that was waited for is held.
func (u *Unit) granted() {
	u.held++
	if u.dead {
		u.Release()
		return
	}
	if u.advance() {
		u.ready(u)
	}
}

// Slices returns the latched set, ascending.
func (u *Unit) Slices() []*shard.Slice { return u.set[:u.held] }

// Release lets all held slices go, after the unit's last effect.
func (u *Unit) Release() {
	for _, s := range u.set[:u.held] {
		s.Release()
	}
	u.held = 0
}

// ReleaseUnchanged is Release for a unit that wrote nothing.
func (u *Unit) ReleaseUnchanged() {
	for _, s := range u.set[:u.held] {
		s.ReleaseUnchanged()
	}
	u.held = 0
}

// Abandon gives up a unit that waits: what it holds is released now, and what
// it is queued for as soon as it is granted, so a dead client leaves nothing
// behind and holds nobody up.
func (u *Unit) Abandon() {
	for _, s := range u.set[:u.held] {
		s.Release() // a unit under way may have written
	}
	u.set = u.set[u.held:]
	u.held = 0
	u.dead = true
}
