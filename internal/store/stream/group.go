package stream

import "sherd/internal/heap"

// Group is a consumer group.
type Group struct {
	s    Stream
	ref  heap.Ref
	head []byte
}

// The block of a group.
const (
	groupLast      = 0
	groupRead      = 16 // entries read; -1: unknown
	groupPending   = 24 // index of pending entries
	groupConsumers = groupPending + indexBytes
	groupOrder     = groupConsumers + namesBytes // index of pending entries by time
	groupTurn      = groupOrder + indexBytes     // of the next delivery; 0 is not used
	groupNacked    = groupTurn + 8               // pending entries that nobody has
	groupFlags     = groupNacked + 8
	groupName      = groupFlags + 4 + 4
)

// UnknownRead is what EntriesRead returns if nobody knows.
const UnknownRead = -1

func (s *Stream) groups() names { return loadNames(s.root[rootGroups:]) }

func (s *Stream) openGroup(ref heap.Ref) Group { return Group{*s, ref, s.a.Bytes(ref, groupName)} }

// GroupCount is how many groups there are.
func (s *Stream) GroupCount() int { x := s.groups(); return x.n }

// GroupAt returns the i-th group in the order of their names.
func (s *Stream) GroupAt(i int) Group { x := s.groups(); return s.openGroup(x.ref(s.a, i)) }

// Group finds a group by name.
func (s *Stream) Group(name []byte) (Group, bool) {
	x := s.groups()
	i, ok := x.find(s.a, name, groupName)
	if !ok {
		return Group{}, false
	}
	return s.openGroup(x.ref(s.a, i)), true
}

// CreateGroup makes a group that does not exist; false: memory is exhausted.
func (s *Stream) CreateGroup(name []byte, last ID, read int64) (Group, bool) {
	ref := newNamed(s.h, name, groupName)
	if ref == 0 {
		return Group{}, false
	}
	x := s.groups()
	i, _ := x.find(s.a, name, groupName)
	if !x.insert(s.h, i, ref) {
		freeNamed(s.h, ref, groupName)
		return Group{}, false
	}
	x.store(s.root[rootGroups:])
	g := s.openGroup(ref)
	g.SetLastID(last)
	g.SetEntriesRead(read)
	put64(g.head, groupTurn, 1)
	return g, true
}

// Name is the group's name.
func (g *Group) Name() []byte { return nameOf(g.s.a, g.ref, groupName) }

// LastID is the greatest ID that was delivered.
func (g *Group) LastID() ID { return getID(g.head, groupLast) }

// SetLastID sets what LastID returns.
func (g *Group) SetLastID(id ID) { putID(g.head, groupLast, id) }

// EntriesRead is how many of the stream's entries, counted from the first ever
// added, were delivered; UnknownRead if that cannot be told.
func (g *Group) EntriesRead() int64 { return int64(get64(g.head, groupRead)) }

// SetEntriesRead sets what EntriesRead returns.
func (g *Group) SetEntriesRead(n int64) { put64(g.head, groupRead, uint64(n)) }

// Flags of a group.
const (
	groupOrdered  = 1 // there is an order of its pending entries
	groupReleases = 2 // an entry was released once
)

func (g *Group) pending() index          { return loadIndex(g.head[groupPending:]) }
func (g *Group) storePending(x *index)   { x.store(g.head[groupPending:]) }
func (g *Group) consumers() names        { return loadNames(g.head[groupConsumers:]) }
func (g *Group) storeConsumers(x *names) { x.store(g.head[groupConsumers:]) }

// Advance notes that an entry is delivered, if its ID is greater than LastID.
func (g *Group) Advance(id ID) {
	s := &g.s
	if !g.LastID().Less(id) {
		return
	}
	if n := g.EntriesRead(); n != UnknownRead && !s.deletedFrom(id) {
		g.SetEntriesRead(n + 1)
	} else if s.Added() != 0 {
		g.SetEntriesRead(s.distance(id))
	}
	g.SetLastID(id)
}

// Lag is how many entries are still to be delivered; false if that cannot be
// told.
func (g *Group) Lag() (int64, bool) {
	s := &g.s
	switch n := g.EntriesRead(); {
	case s.Added() == 0:
		return 0, true
	case n != UnknownRead && !s.deletedFrom(g.LastID()):
		return s.Added() - n, true
	}
	n := s.distance(g.LastID())
	return s.Added() - n, n != UnknownRead
}

// deletedFrom tells whether an entry may have been deleted, from an ID on, by its
// ID: then counting does not tell how many there are. What was deleted before the
// first entry that is left does not matter to Redis 7.0, and so not here.
func (s *Stream) deletedFrom(id ID) bool {
	d := s.MaxDeletedID()
	return s.Len() > 0 && !d.IsZero() && !d.Less(s.FirstID()) && !d.Less(id)
}

// distance is how many entries were added up to an ID, that one included, as far
// as it can be told without counting; else UnknownRead.
func (s *Stream) distance(id ID) int64 {
	added, n := s.Added(), s.Len()
	last := s.LastID()
	switch {
	case added == 0:
		return 0
	case n == 0 && !last.Less(id), id == last:
		return added
	case last.Less(id):
		return UnknownRead
	}
	first, deleted := s.FirstID(), s.MaxDeletedID()
	if deleted.IsZero() || deleted.Less(first) {
		if id.Less(first) {
			return added - n
		}
		if id == first {
			return added - n + 1
		}
	}
	return UnknownRead
}

// Consumer is a consumer of a group.
type Consumer struct {
	g    Group
	ref  heap.Ref
	head []byte
}

// Valid tells whether c is a consumer, and not the zero Consumer.
func (c *Consumer) Valid() bool { return c.ref != 0 }

// The block of a consumer.
const (
	consumerSeen    = 0
	consumerActive  = 8
	consumerPending = 16 // index of its pending entries, without payload
	consumerName    = consumerPending + indexBytes + 4
)

func (g *Group) openConsumer(ref heap.Ref) Consumer {
	return Consumer{*g, ref, g.s.a.Bytes(ref, consumerName)}
}

// ConsumerCount is how many consumers there are.
func (g *Group) ConsumerCount() int { x := g.consumers(); return x.n }

// ConsumerAt returns the i-th consumer in the order of their names.
func (g *Group) ConsumerAt(i int) Consumer {
	x := g.consumers()
	return g.openConsumer(x.ref(g.s.a, i))
}

// Consumer finds a consumer by name.
func (g *Group) Consumer(name []byte) (Consumer, bool) {
	x := g.consumers()
	i, ok := x.find(g.s.a, name, consumerName)
	if !ok {
		return Consumer{}, false
	}
	return g.openConsumer(x.ref(g.s.a, i)), true
}

// NeverActive is what Active returns of a consumer that got no entry yet.
const NeverActive = -1

// CreateConsumer makes a consumer that does not exist; false: memory is
// exhausted.
func (g *Group) CreateConsumer(name []byte, nowMs int64) (Consumer, bool) {
	ref := newNamed(g.s.h, name, consumerName)
	if ref == 0 {
		return Consumer{}, false
	}
	x := g.consumers()
	i, _ := x.find(g.s.a, name, consumerName)
	if !x.insert(g.s.h, i, ref) {
		freeNamed(g.s.h, ref, consumerName)
		return Consumer{}, false
	}
	g.storeConsumers(&x)
	c := g.openConsumer(ref)
	c.SetSeen(nowMs)
	c.SetActive(NeverActive)
	return c, true
}

// Name is the consumer's name; that of nobody is empty.
func (c *Consumer) Name() []byte {
	if !c.Valid() {
		return nil
	}
	return nameOf(c.g.s.a, c.ref, consumerName)
}

// Seen is when the consumer last asked for something, in milliseconds.
func (c *Consumer) Seen() int64 { return int64(get64(c.head, consumerSeen)) }

// SetSeen sets what Seen returns.
func (c *Consumer) SetSeen(ms int64) { put64(c.head, consumerSeen, uint64(ms)) }

// Active is when the consumer last got an entry, in milliseconds, or
// NeverActive.
func (c *Consumer) Active() int64 { return int64(get64(c.head, consumerActive)) }

// SetActive sets what Active returns.
func (c *Consumer) SetActive(ms int64) { put64(c.head, consumerActive, uint64(ms)) }

// PendingCount is how many entries the consumer has not acknowledged.
func (c *Consumer) PendingCount() int { x := c.own(); return x.count }

func (c *Consumer) own() index        { return loadIndex(c.head[consumerPending:]) }
func (c *Consumer) storeOwn(x *index) { x.store(c.head[consumerPending:]) }
