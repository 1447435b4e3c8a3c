package stream

import "math"

// The order of a group's pending entries is by the time of their delivery, and by turn
// where that is the same: first those that were released, then those that have been
// pending for long. It is an index with time and turn in place of an ID:
//
//	│ time (8) │ turn (8) │ ID (16) │
//
// Only who claims entries while reading asks for it, so a group begins to keep it when
// that happens first: see Order. Where there is no memory to go on with it, it is given
// up, and begun again when it is next asked for.

func (g *Group) order() index        { return loadIndex(g.head[groupOrder:]) }
func (g *Group) storeOrder(x *index) { x.store(g.head[groupOrder:]) }
func (g *Group) ordered() bool       { return get32(g.head, groupFlags)&groupOrdered != 0 }

func (g *Group) setOrdered(on bool) {
	flags := get32(g.head, groupFlags) &^ groupOrdered
	if on {
		flags |= groupOrdered
	}
	put32(g.head, groupFlags, flags)
}

// placeOf is what a pending entry has in place of an ID.
func placeOf(r []byte) ID { return ID{get64(r, pendingTime), get64(r, pendingTurn)} }

// place gives the pending entry of a record another time and the next turn.
func (g *Group) place(r []byte, ms int64) {
	g.displace(r)
	put64(r, pendingTime, uint64(ms))
	put64(r, pendingTurn, g.Turn())
	put64(g.head, groupTurn, g.Turn()+1)
	if g.ordered() && !g.addPlace(r) {
		g.dropOrder()
	}
}

func (g *Group) addPlace(r []byte) bool {
	x := g.order()
	at, ok := x.insert(g.s.h, placeOf(r), orderRecord)
	g.storeOrder(&x)
	if ok {
		putID(x.at(g.s.a, at, orderRecord), idBytes, getID(r, 0))
	}
	return ok
}

// displace takes the pending entry of a record out of the order.
func (g *Group) displace(r []byte) {
	if !g.ordered() || get64(r, pendingTurn) == 0 {
		return
	}
	x := g.order()
	if at, ok := x.find(g.s.a, placeOf(r), orderRecord); ok {
		x.remove(g.s.h, at, orderRecord)
		g.storeOrder(&x)
	}
}

func (g *Group) dropOrder() {
	x := g.order()
	x.free(g.s.h, orderRecord, math.MaxInt)
	g.storeOrder(&x)
	g.setOrdered(false)
}

// Turn is what the next delivery will have.
func (g *Group) Turn() uint64 { return get64(g.head, groupTurn) }

// Order sees to it that the group keeps the order of its pending entries. It looks at
// about steps entries, from an ID on, at first 0-0; if it is not done it is to be
// called again with the ID that it returns, and nothing else done in between. ok is
// false if memory is exhausted.
func (g *Group) Order(from ID, steps int) (next ID, done, ok bool) {
	if g.ordered() {
		return from, true, true
	}
	for it := g.PendingFrom(from, MaxID); it.Next(); steps-- {
		if steps == 0 {
			return it.ID(), false, true
		}
		if !g.addPlace(it.r) {
			g.dropOrder()
			return from, true, false
		}
	}
	g.setOrdered(true)
	return from, true, true
}

// Oldest returns the first pending entry in order, if it was delivered neither after a
// time nor, counted in turns, since a turn.
func (g *Group) Oldest(until int64, turn uint64) (p Pending, ok bool) {
	x := g.order()
	if x.n == 0 {
		return p, false
	}
	r := x.at(g.s.a, spot{}, orderRecord)
	if at := getID(r, 0); int64(at.Ms) > until || at.Seq >= turn {
		return p, false
	}
	return g.Pending(getID(r, idBytes))
}
