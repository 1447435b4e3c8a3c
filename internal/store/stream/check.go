package stream

import (
	"bytes"
	"fmt"

	"sherd/internal/heap"
	"sherd/internal/store/listpack"
)

// Check walks everything a stream has and reports the first contradiction. It is
// for tests.
func Check(a *heap.Arena, _ uint8, ref heap.Ref) error {
	s := Stream{a: a, ref: ref, root: a.Bytes(ref, rootBytes)}
	x := s.nodes()
	if err := x.check(a, nodeRecord); err != nil {
		return fmt.Errorf("nodes: %w", err)
	}
	var last, first ID
	live := int64(0)
	for at := (spot{}); x.valid(at); at = x.next(a, at) {
		r := x.at(a, at, nodeRecord)
		p := s.view(r)
		if n := nodeAt(r); len(p) > n.room || p[len(p)-1] != endMark {
			return fmt.Errorf("node %v: %d bytes in a block of %d", getID(r, 0), len(p), n.room)
		}
		packed := appendListpack(nil, p)
		if err := listpack.Validate(packed); err != nil {
			return fmt.Errorf("node %v: %w", getID(r, 0), err)
		}
		if n := get32(p, nodePacked); n != len(packed) {
			return fmt.Errorf("node %v: a listpack of %d bytes, said to be of %d", getID(r, 0), len(packed), n)
		}
		m := readMaster(p)
		n, dead, at := int64(0), int64(0), m.firstAt
		for p[at] != endMark {
			e := readEntry(p, at, &m)
			id := e.id(getID(r, 0))
			if !last.Less(id) {
				return fmt.Errorf("%v follows %v", id, last)
			}
			last = id
			if e.deleted() {
				dead++
			} else {
				if live+n == 0 {
					first = id
				}
				n++
			}
			end := e.end(p)
			if entryBefore(p, end) != at {
				return fmt.Errorf("%v: cannot be walked backwards", id)
			}
			at = end
		}
		if n != liveIn(p) || dead != deletedIn(p) {
			return fmt.Errorf("node %v: %d and %d entries, said to be %d and %d", getID(r, 0), n, dead, liveIn(p), deletedIn(p))
		}
		live += n
	}
	switch {
	case live != s.Len():
		return fmt.Errorf("%d entries, length %d", live, s.Len())
	case s.LastID().Less(last):
		return fmt.Errorf("last ID %v, but there is %v", s.LastID(), last)
	case first != s.FirstID():
		return fmt.Errorf("first ID %v, said to be %v", first, s.FirstID())
	}
	if d, ok := s.Idem(); ok {
		if err := d.check(); err != nil {
			return err
		}
	}
	for i := range s.GroupCount() {
		g := s.GroupAt(i)
		if err := g.check(); err != nil {
			return fmt.Errorf("group %q: %w", g.Name(), err)
		}
	}
	return nil
}

func (d *Idem) check() error {
	a := d.s.a
	x := d.producers()
	if err := x.check(a, producerName); err != nil {
		return fmt.Errorf("producers: %w", err)
	}
	sum := int64(0)
	for i := range x.n {
		ref := x.ref(a, i)
		p := d.producer(ref)
		labels := loadNames(p[producerLabels:])
		if err := labels.check(a, labelName); err != nil {
			return fmt.Errorf("producer %q: %w", nameOf(a, ref, producerName), err)
		}
		n, last := 0, heap.Ref(0)
		for at := heap.Ref(get64(p, producerFirst)); at != 0; at = heap.Ref(get64(d.label(at), labelNext)) {
			if j, ok := labels.find(a, nameOf(a, at, labelName), labelName); !ok || labels.ref(a, j) != at {
				return fmt.Errorf("producer %q: a label that is not found", nameOf(a, ref, producerName))
			}
			last = at
			n++
		}
		if n == 0 || n != labels.n || int64(n) > d.Most() || uint64(last) != get64(p, producerLast) {
			return fmt.Errorf("producer %q: %d labels in order, %d by name, at most %d", nameOf(a, ref, producerName), n, labels.n, d.Most())
		}
		sum += int64(n)
	}
	if sum != d.Tracked() {
		return fmt.Errorf("%d labels, said to be %d", sum, d.Tracked())
	}
	return nil
}

func (x *names) check(a *heap.Arena, nameAt int) error {
	for i := 1; i < x.n; i++ {
		if b, c := nameOf(a, x.ref(a, i-1), nameAt), nameOf(a, x.ref(a, i), nameAt); bytes.Compare(b, c) >= 0 {
			return fmt.Errorf("%q follows %q", c, b)
		}
	}
	return nil
}

func (g *Group) check() error {
	a := g.s.a
	x := g.pending()
	if err := x.check(a, pendingRecord); err != nil {
		return err
	}
	consumers := g.consumers()
	if err := consumers.check(a, consumerName); err != nil {
		return fmt.Errorf("consumers: %w", err)
	}
	sum := 0
	for i := range g.ConsumerCount() {
		c := g.ConsumerAt(i)
		own := c.own()
		if err := own.check(a, ownRecord); err != nil {
			return fmt.Errorf("consumer %q: %w", c.Name(), err)
		}
		n := 0
		for it := c.PendingFrom(ID{}, MaxID); it.Next(); n++ {
			if o := it.Consumer(); o.ref != c.ref {
				return fmt.Errorf("%v of %q is said to be %q's", it.ID(), c.Name(), o.Name())
			}
		}
		if n != own.count {
			return fmt.Errorf("consumer %q: %d of %d entries are the group's too", c.Name(), n, own.count)
		}
		sum += n
	}
	if sum+int(g.NackedCount()) != x.count {
		return fmt.Errorf("%d pending entries, the consumers have %d and nobody %d", x.count, sum, g.NackedCount())
	}
	return g.checkOrder(&x)
}

// checkOrder tests that all pending entries are in the order, if there is one.
func (g *Group) checkOrder(pending *index) error {
	a := g.s.a
	x := g.order()
	if err := x.check(a, orderRecord); err != nil {
		return fmt.Errorf("order: %w", err)
	}
	if want := pending.count; x.count != want && (g.ordered() || x.count != 0) {
		return fmt.Errorf("%d entries in order, %d pending", x.count, want)
	}
	for it := g.PendingFrom(ID{}, MaxID); it.Next(); {
		turn := get64(it.r, pendingTurn)
		if turn == 0 || turn >= g.Turn() {
			return fmt.Errorf("%v has turn %d, the next is %d", it.ID(), turn, g.Turn())
		}
		if it.Released() && it.Time() != 0 {
			return fmt.Errorf("%v is nobody's but of time %d", it.ID(), it.Time())
		}
		if !g.ordered() {
			continue
		}
		if at, ok := x.find(a, placeOf(it.r), orderRecord); !ok || getID(x.at(a, at, orderRecord), idBytes) != it.ID() {
			return fmt.Errorf("%v is not in order", it.ID())
		}
	}
	return nil
}

func (x *index) check(a *heap.Arena, record int) error {
	var last ID
	n := 0
	for i := range x.n {
		p := x.page(a, i)
		if p.n == 0 || p.n > p.room || p.room > pageMost(record) {
			return fmt.Errorf("page %d has %d records, room for %d", i, p.n, p.room)
		}
		if first := getID(x.elem(a, i), 0); first != getID(a.Bytes(p.ref, record), 0) {
			return fmt.Errorf("page %d is listed as beginning with %v", i, first)
		}
		for j := range p.n {
			id := getID(a.Bytes(p.ref, p.n*record), j*record)
			if n > 0 && !last.Less(id) {
				return fmt.Errorf("record %v follows %v", id, last)
			}
			last = id
			n++
		}
	}
	if n != x.count || x.start+x.n > x.room {
		return fmt.Errorf("%d records, said to be %d; %d pages from %d on in a list of %d", n, x.count, x.n, x.start, x.room)
	}
	return nil
}
