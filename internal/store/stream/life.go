package stream

import (
	"math"

	"sherd/internal/heap"
)

// DropConsumer takes pending entries from a consumer and then removes it. It does
// about steps entries; done tells whether it is gone. Its place among the group's
// is no longer the same then.
func (g *Group) DropConsumer(c *Consumer, steps int) (done bool) {
	own := c.own()
	for ; own.n > 0; steps-- {
		if steps == 0 {
			return false
		}
		g.Ack(getID(own.at(g.s.a, own.last(g.s.a), ownRecord), 0))
		own = c.own()
	}
	x := g.consumers()
	if i, ok := x.find(g.s.a, c.Name(), consumerName); ok {
		x.remove(g.s.h, i)
		g.storeConsumers(&x)
	}
	freeNamed(g.s.h, c.ref, consumerName)
	return true
}

// DropGroup removes a group. It frees about budget blocks; done tells whether the
// group is gone. Until then nothing else may be done with it.
func (s *Stream) DropGroup(g *Group, budget int) (done bool) {
	if g.free(budget) == 0 {
		return false
	}
	x := s.groups()
	if i, ok := x.find(s.a, g.Name(), groupName); ok {
		x.remove(s.h, i)
		x.store(s.root[rootGroups:])
	}
	freeNamed(s.h, g.ref, groupName)
	return true
}

// free frees what a group has, within a budget, of which it returns the rest; 0:
// there is more.
func (g *Group) free(budget int) int {
	x := g.order()
	budget = x.free(g.s.h, orderRecord, budget)
	g.storeOrder(&x)
	x = g.pending()
	budget = x.free(g.s.h, pendingRecord, budget)
	g.storePending(&x)
	for budget > 0 {
		cs := g.consumers()
		if cs.n == 0 {
			break
		}
		c := g.openConsumer(cs.ref(g.s.a, cs.n-1))
		own := c.own()
		budget = own.free(g.s.h, ownRecord, budget)
		c.storeOwn(&own)
		if own.n > 0 {
			return 0
		}
		cs.remove(g.s.h, cs.n-1)
		g.storeConsumers(&cs)
		freeNamed(g.s.h, c.ref, consumerName)
		budget--
	}
	return max(budget, 0)
}

// Free frees about budget blocks of a stream and returns what is left of it, 0 if
// nothing is.
func Free(h *heap.Heap, _ uint8, ref heap.Ref, budget int) heap.Ref {
	s := Open(h, ref)
	x := s.nodes()
	for ; x.n > 0 && budget > 0; budget-- {
		at := x.last(s.a)
		s.freeNode(x.at(s.a, at, nodeRecord))
		x.remove(h, at, nodeRecord)
	}
	s.storeNodes(&x)
	if d, ok := s.Idem(); ok && budget > 0 {
		budget = d.free(budget)
	}
	for budget > 0 {
		gs := s.groups()
		if gs.n == 0 {
			h.Free(ref, rootBytes)
			return 0
		}
		g := s.openGroup(gs.ref(s.a, gs.n-1))
		if budget = g.free(budget); budget == 0 {
			break
		}
		gs.remove(h, gs.n-1)
		gs.store(s.root[rootGroups:])
		freeNamed(h, g.ref, groupName)
		budget--
	}
	return ref
}

// Copy makes a copy of a stream in another heap, or the same; false: memory is
// exhausted, and nothing is left behind.
func Copy(to, from *heap.Heap, enc uint8, ref heap.Ref) (heap.Ref, bool) {
	c, ok := StartCopy(to, from, ref)
	if !ok {
		return 0, false
	}
	for done := false; !done; {
		if done, ok = c.Step(1 << 20); !ok {
			Free(to, enc, c.Ref(), math.MaxInt)
			return 0, false
		}
	}
	return c.Ref(), true
}

func (s *Stream) copyGroups(from *Stream) bool {
	for i := range from.GroupCount() {
		old := from.GroupAt(i)
		g, ok := s.CreateGroup(old.Name(), old.LastID(), old.EntriesRead())
		if !ok {
			return false
		}
		for j := range old.ConsumerCount() {
			oc := old.ConsumerAt(j)
			c, ok := g.CreateConsumer(oc.Name(), oc.Seen())
			if !ok {
				return false
			}
			c.SetActive(oc.Active())
			own := oc.own()
			copied, ok := own.copy(s.h, from.h, ownRecord)
			c.storeOwn(&copied)
			if !ok {
				return false
			}
		}
		copy(g.head[groupTurn:groupName-4], old.head[groupTurn:])
		x := old.pending()
		copied, ok := x.copy(s.h, from.h, pendingRecord)
		g.storePending(&copied)
		if !ok {
			return false
		}
		x = old.order()
		copied, ok = x.copy(s.h, from.h, orderRecord)
		g.storeOrder(&copied)
		if !ok {
			return false
		}
		// The consumers are elsewhere, in the same order.
		for j := range old.ConsumerCount() {
			c := g.ConsumerAt(j)
			for it := c.PendingFrom(ID{}, MaxID); it.Next(); {
				put64(it.r, pendingConsumer, uint64(c.ref))
			}
		}
	}
	return true
}

// SizeBytes is the memory that a stream takes, in class sizes.
func SizeBytes(a *heap.Arena, _ uint8, ref heap.Ref) int64 {
	s := Stream{a: a, ref: ref, root: a.Bytes(ref, rootBytes)}
	x := s.nodes()
	n := int64(heap.ClassSize(rootBytes)) + x.sizeBytes(a, nodeRecord)
	for at := (spot{}); x.valid(at); at = x.next(a, at) {
		n += int64(heap.ClassSize(nodeAt(x.at(a, at, nodeRecord)).room))
	}
	if d, ok := s.Idem(); ok {
		n += d.sizeBytes()
	}
	gs := s.groups()
	n += gs.sizeBytes()
	for i := range gs.n {
		g := s.GroupAt(i)
		p, o, cs := g.pending(), g.order(), g.consumers()
		n += namedSize(a, g.ref, groupName) + p.sizeBytes(a, pendingRecord) + o.sizeBytes(a, orderRecord) + cs.sizeBytes()
		for j := range cs.n {
			c := g.ConsumerAt(j)
			own := c.own()
			n += namedSize(a, c.ref, consumerName) + own.sizeBytes(a, ownRecord)
		}
	}
	return n
}
