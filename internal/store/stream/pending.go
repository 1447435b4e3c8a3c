package stream

import (
	"math"

	"sherd/internal/heap"
)

// A pending entry was delivered to a consumer and not acknowledged. The group has
// a record of it, with the time, the count and the consumer; the consumer has one
// with nothing but the ID. An entry that was released is nobody's: its time is 0, and
// it stays pending until it is claimed.
//
//	│ ID (16) │ delivery time (8) │ deliveries (8) │ consumer (8) │ turn (8) │
//
// The turn tells deliveries apart that have the same time: it grows with each of the
// group's. See order.go.
const (
	pendingTime     = idBytes
	pendingTimes    = idBytes + 8
	pendingConsumer = idBytes + 16
	pendingTurn     = idBytes + 24
)

// Pending is a pending entry of a group. It is valid until another is added or
// removed.
type Pending struct {
	g Group
	r []byte
}

// ID is the entry's ID.
func (p *Pending) ID() ID { return getID(p.r, 0) }

// Time is when it was delivered last, in milliseconds; 0 if it was released.
func (p *Pending) Time() int64 { return int64(get64(p.r, pendingTime)) }

// SetTime sets what Time returns. It counts as a delivery where entries of the same
// time are put in order.
func (p *Pending) SetTime(ms int64) { p.g.place(p.r, ms) }

// Times is how often it was delivered.
func (p *Pending) Times() int64 { return int64(get64(p.r, pendingTimes)) }

// SetTimes sets what Times returns.
func (p *Pending) SetTimes(n int64) { put64(p.r, pendingTimes, uint64(n)) }

// Again counts another delivery, as far as can be counted.
func (p *Pending) Again() {
	if n := p.Times(); n < math.MaxInt64 {
		p.SetTimes(n + 1)
	}
}

// Consumer is to whom it was delivered; not Valid if it was released.
func (p *Pending) Consumer() Consumer {
	ref := heap.Ref(get64(p.r, pendingConsumer))
	if ref == 0 {
		return Consumer{}
	}
	return p.g.openConsumer(ref)
}

// Released tells whether it is nobody's.
func (p *Pending) Released() bool { return get64(p.r, pendingConsumer) == 0 }

// Release takes it from its consumer, if anybody has it. It becomes the last of those
// that were released.
func (p *Pending) Release() {
	if !p.Released() {
		c := p.Consumer()
		c.drop(p.ID())
		put64(p.r, pendingConsumer, 0)
		p.g.addNacked(1)
	}
	p.SetTime(0)
	p.g.noteRelease()
}

// NackedCount is how many pending entries nobody has.
func (g *Group) NackedCount() int64 { return int64(get64(g.head, groupNacked)) }

// Releases tells whether an entry of the group was ever released.
func (g *Group) Releases() bool { return get32(g.head, groupFlags)&groupReleases != 0 }

func (g *Group) addNacked(n int64) {
	put64(g.head, groupNacked, uint64(g.NackedCount()+n))
}

func (g *Group) noteRelease() {
	put32(g.head, groupFlags, get32(g.head, groupFlags)|groupReleases)
}

// AddReleased makes an entry pending that is not, with nobody, delivered so often.
// False: memory is exhausted and nothing has changed.
func (g *Group) AddReleased(id ID, times int64) bool {
	p, ok := g.addRecord(id)
	if !ok {
		return false
	}
	g.addNacked(1)
	p.SetTime(0)
	p.SetTimes(times)
	g.noteRelease()
	return true
}

// PendingCount is how many entries the group's consumers have not acknowledged.
func (g *Group) PendingCount() int { x := g.pending(); return x.count }

// Pending finds a pending entry.
func (g *Group) Pending(id ID) (Pending, bool) {
	x := g.pending()
	at, ok := x.find(g.s.a, id, pendingRecord)
	if !ok {
		return Pending{}, false
	}
	return Pending{*g, x.at(g.s.a, at, pendingRecord)}, true
}

// PendingEdges returns the first and the last pending entry's ID.
func (g *Group) PendingEdges() (first, last ID, ok bool) {
	x := g.pending()
	if x.n == 0 {
		return first, last, false
	}
	return getID(x.at(g.s.a, spot{}, pendingRecord), 0), getID(x.at(g.s.a, x.last(g.s.a), pendingRecord), 0), true
}

// Deliver makes an entry pending with a consumer, whoever had it before, as
// delivered once. False: memory is exhausted and nothing has changed.
func (g *Group) Deliver(id ID, c *Consumer, nowMs int64) bool {
	p, ok := g.Pending(id)
	if ok {
		if !g.Reassign(&p, c) {
			return false
		}
	} else if p, ok = g.addPending(id, c); !ok {
		return false
	}
	p.SetTime(nowMs)
	p.SetTimes(1)
	return true
}

// addPending adds an entry that is not pending.
func (g *Group) addPending(id ID, c *Consumer) (Pending, bool) {
	own := c.own()
	at, ok := own.insert(g.s.h, id, ownRecord)
	c.storeOwn(&own)
	if !ok {
		return Pending{}, false
	}
	p, ok := g.addRecord(id)
	if !ok {
		own.remove(g.s.h, at, ownRecord)
		c.storeOwn(&own)
		return Pending{}, false
	}
	put64(p.r, pendingConsumer, uint64(c.ref))
	return p, true
}

// addRecord adds the group's record of an entry, which nobody has and which is in no
// order yet.
func (g *Group) addRecord(id ID) (Pending, bool) {
	x := g.pending()
	in, ok := x.insert(g.s.h, id, pendingRecord)
	g.storePending(&x)
	if !ok {
		return Pending{}, false
	}
	r := x.at(g.s.a, in, pendingRecord)
	clear(r[idBytes:])
	return Pending{*g, r}, true
}

// Reassign gives a pending entry to another consumer, or the same. False: memory
// is exhausted and nothing has changed.
func (g *Group) Reassign(p *Pending, c *Consumer) bool {
	from := p.Consumer()
	if from.ref == c.ref {
		return true
	}
	own := c.own()
	_, ok := own.insert(g.s.h, p.ID(), ownRecord)
	c.storeOwn(&own)
	if !ok {
		return false
	}
	if from.Valid() {
		from.drop(p.ID())
	} else {
		g.addNacked(-1)
	}
	put64(p.r, pendingConsumer, uint64(c.ref))
	return true
}

// drop takes an entry out of the consumer's own index.
func (c *Consumer) drop(id ID) {
	own := c.own()
	if at, ok := own.find(c.g.s.a, id, ownRecord); ok {
		own.remove(c.g.s.h, at, ownRecord)
		c.storeOwn(&own)
	}
}

// Ack takes an entry out of the pending ones; false if it was not there.
func (g *Group) Ack(id ID) bool {
	x := g.pending()
	at, ok := x.find(g.s.a, id, pendingRecord)
	if !ok {
		return false
	}
	p := Pending{*g, x.at(g.s.a, at, pendingRecord)}
	if c := p.Consumer(); c.Valid() {
		c.drop(id)
	} else {
		g.addNacked(-1)
	}
	g.displace(p.r)
	x.remove(g.s.h, at, pendingRecord)
	g.storePending(&x)
	return true
}

// PendingIter goes over pending entries in the order of their IDs, those of a group
// or those of a consumer. Entries may be changed meanwhile, but none added or
// removed: for that, start again at the ID.
type PendingIter struct {
	Pending
	x    index
	at   spot
	own  bool
	to   ID
	open bool
}

// PendingFrom iterates over the group's pending entries between two IDs.
func (g *Group) PendingFrom(from, to ID) PendingIter {
	x := g.pending()
	return PendingIter{Pending: Pending{g: *g}, x: x, at: x.seek(g.s.a, from, pendingRecord), to: to}
}

// PendingFrom iterates over the consumer's pending entries between two IDs.
func (c *Consumer) PendingFrom(from, to ID) PendingIter {
	x := c.own()
	return PendingIter{Pending: Pending{g: c.g}, x: x, at: x.seek(c.g.s.a, from, ownRecord), own: true, to: to}
}

// Rest counts the entries of an iteration that has not begun.
func (it *PendingIter) Rest() int {
	a, record := it.g.s.a, pendingRecord
	if it.own {
		record = ownRecord
	}
	n := it.x.countFrom(a, it.at)
	if next, ok := it.to.Next(); ok {
		n -= it.x.countFrom(a, it.x.seek(a, next, record))
	}
	return max(n, 0)
}

// Next goes to the next entry; false if there is none.
func (it *PendingIter) Next() bool {
	a := it.g.s.a
	if it.open {
		it.at = it.x.next(a, it.at)
	}
	if !it.x.valid(it.at) {
		return false
	}
	it.open = true
	if !it.own {
		it.r = it.x.at(a, it.at, pendingRecord)
		return !it.to.Less(it.ID())
	}
	id := getID(it.x.at(a, it.at, ownRecord), 0)
	if it.to.Less(id) {
		return false
	}
	p, ok := it.g.Pending(id)
	it.r = p.r
	return ok
}
