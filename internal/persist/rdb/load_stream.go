package rdb

import (
	"encoding/binary"
	"math"
	"slices"
	"strconv"

	"sherd/internal/heap"
	"sherd/internal/store/listpack"
	"sherd/internal/store/stream"
)

// streamLoader is a stream being read. Entries are added one by one; the end of each
// node of the dump is the end of one here.
type streamLoader struct {
	s     stream.Stream
	phase streamPhase
	pack  packed // the node
	node  nodeReader
	raw   text // its ID
	last  stream.ID

	groups, consumers uint64    // to come
	pending           uint64    // of the group, to come
	own               uint64    // of the consumer, to come
	known             []pending // of the group, ascending
	nobody            int       // of them, how many have no consumer yet
	at                int       // in known, where to look for the next of those
	g                 stream.Group
	c                 stream.Consumer
}

// pending is what is known of a pending entry before its consumer is.
type pending struct {
	id          stream.ID
	time, times int64
	taken       bool
}

func (z *streamLoader) handle() (uint8, heap.Ref) { return stream.Nodes, z.s.Ref() }

func (r *reader) id() stream.ID {
	ms := r.number()
	return stream.ID{Ms: ms, Seq: r.number()}
}

func (r *reader) rawID() stream.ID {
	b := r.take(idBytes)
	if b == nil {
		return stream.ID{}
	}
	return rawID(b)
}

func rawID(b []byte) stream.ID {
	return stream.ID{Ms: binary.BigEndian.Uint64(b), Seq: binary.BigEndian.Uint64(b[8:])}
}

// many reads a number of things, each of which has at least so many bytes.
func (r *reader) many(bytes int) uint64 {
	n := r.number()
	if n > uint64(r.rest()/bytes) {
		r.short = true
		return 0
	}
	return n
}

// signed reads a length that is no more than 2^63-1, or -1.
func (r *reader) signed() int64 {
	n := r.number()
	if n > math.MaxInt64 && n != math.MaxUint64 {
		r.short = true
	}
	return int64(n)
}

func (l *Loader) loadStream(most *int) (bool, error) {
	z := &l.stream
	for *most > 0 && !l.in.short {
		var err error
		switch z.phase {
		case streamBegin:
			l.left = l.in.many(2)
			var ok bool
			z.s, ok = stream.New(l.h)
			err = l.make(ok)
			z.phase = streamNodes
		case streamNodes:
			switch {
			case z.pack.open:
				err = l.loadNode(most)
			case l.left > 0:
				l.left--
				err = l.beginNode(most)
			default:
				err = l.loadStreamState()
				z.phase = streamGroups
			}
		case streamGroups:
			if z.groups == 0 {
				return true, nil
			}
			z.groups--
			err = l.beginGroup(most)
			z.phase = streamPending
		case streamPending:
			*most--
			if z.pending > 0 {
				z.pending--
				err = l.loadPending()
				break
			}
			z.consumers = l.in.many(2)
			z.phase = streamConsumers
		case streamConsumers:
			if z.consumers == 0 {
				if z.nobody != 0 && l.typ != typeStreamReleased {
					err = ErrFormat // something is pending with nobody
				}
				z.phase = streamReleased
				break
			}
			z.consumers--
			err = l.beginConsumer(most)
			z.phase = streamOwned
		case streamOwned:
			*most--
			if z.own == 0 {
				z.phase = streamConsumers
				break
			}
			z.own--
			err = l.loadOwned()
		case streamReleased:
			*most--
			if z.nobody == 0 {
				z.phase = streamGroups
				break
			}
			k := &z.known[z.at]
			if z.at++; !k.taken {
				z.nobody--
				if !z.g.AddReleased(k.id, k.times) {
					err = ErrMemory
				}
			}
		}
		if err != nil {
			return false, err
		}
	}
	return false, nil
}

func (l *Loader) beginNode(most *int) error {
	z := &l.stream
	if !l.text(&z.raw, most) || len(z.raw.b) != idBytes || !l.text(&l.first, most) {
		return ErrFormat
	}
	z.node = nodeReader{base: rawID(z.raw.b), last: z.last, at: listpack.HeaderSize, first: true}
	z.pack.begin(l.first.b, false)
	return nil
}

// loadNode reads entries of a node.
func (l *Loader) loadNode(most *int) error {
	z := &l.stream
	p, ready, err := z.pack.bytes(most)
	if !ready || err != nil {
		return err
	}
	for *most > 0 {
		if p[z.node.at] == 0xFF && z.node.begun {
			if !z.node.complete() {
				return ErrFormat
			}
			z.last = z.node.last
			z.pack.end()
			return nil
		}
		if !z.node.begun {
			if !z.node.master(p) {
				return ErrFormat
			}
			*most -= 4 + len(z.node.fields)
			continue
		}
		id, live, ok := z.node.entry(p)
		if !ok {
			return ErrFormat
		}
		*most -= 1 + len(z.node.pairs)
		if live {
			if !z.s.AppendTo(z.node.first, id, z.node.pairs) {
				return ErrMemory
			}
			z.node.first = false
		}
	}
	return nil
}

// loadStreamState reads what is known of the stream as a whole. What the first entry
// is, is known already.
func (l *Loader) loadStreamState() error {
	z, r := &l.stream, &l.in
	length := r.number()
	last := r.id()
	deleted, added := stream.ID{}, length
	if l.typ != typeStream1 {
		r.id()
		deleted, added = r.id(), r.number()
	}
	z.groups = r.many(5)
	if r.short || length != uint64(z.s.Len()) || last.Less(z.last) || added > math.MaxInt64 {
		return ErrFormat
	}
	z.s.SetLastID(last)
	z.s.SetMaxDeletedID(deleted)
	z.s.SetAdded(int64(added))
	return nil
}

func (l *Loader) beginGroup(most *int) error {
	z, r := &l.stream, &l.in
	if !l.text(&l.first, most) {
		return ErrFormat
	}
	last := r.id()
	read := int64(stream.UnknownRead)
	if l.typ != typeStream1 {
		read = r.signed()
	}
	z.pending = r.many(idBytes + 9)
	if _, twice := z.s.Group(l.first.b); twice || r.short {
		return ErrFormat
	}
	g, ok := z.s.CreateGroup(l.first.b, last, read)
	if !ok {
		return ErrMemory
	}
	if l.typ == typeStream1 {
		g.Recount()
	}
	z.g, z.nobody, z.at, z.known = g, int(z.pending), 0, make([]pending, 0, z.pending)
	return nil
}

// loadPending reads a pending entry of the group. They ascend.
func (l *Loader) loadPending() error {
	z, r := &l.stream, &l.in
	id := r.rawID()
	time, times := int64(r.uint64LE()), r.number()
	n := len(z.known)
	if r.short || n > 0 && !z.known[n-1].id.Less(id) || times > math.MaxInt64 {
		return ErrFormat
	}
	z.known = append(z.known, pending{id: id, time: time, times: int64(times)})
	return nil
}

func (l *Loader) beginConsumer(most *int) error {
	z, r := &l.stream, &l.in
	if !l.text(&l.first, most) {
		return ErrFormat
	}
	seen := int64(r.uint64LE())
	active := seen
	if l.typ == typeStream3 || l.typ == typeStreamReleased {
		active = int64(r.uint64LE())
	}
	z.own = r.many(idBytes)
	if _, twice := z.g.Consumer(l.first.b); twice || r.short || z.own > uint64(z.nobody) {
		return ErrFormat
	}
	c, ok := z.g.CreateConsumer(l.first.b, seen)
	if !ok {
		return ErrMemory
	}
	c.SetActive(active)
	z.c = c
	return nil
}

// loadOwned reads what is pending with a consumer: it is the group's too, and nobody
// else's.
func (l *Loader) loadOwned() error {
	z := &l.stream
	id := l.in.rawID()
	if l.in.short {
		return ErrFormat
	}
	at, found := slices.BinarySearchFunc(z.known, id, func(p pending, id stream.ID) int { return p.id.Compare(id) })
	if !found || z.known[at].taken {
		return ErrFormat
	}
	k := &z.known[at]
	k.taken = true
	z.nobody--
	if !z.g.Deliver(id, &z.c, k.time) {
		return ErrMemory
	}
	p, _ := z.g.Pending(id)
	p.SetTimes(k.times)
	return nil
}

// nodeReader reads a node of a dump; see nodeBuilder. It is given the same valid
// listpack every time.
type nodeReader struct {
	base, last    stream.ID
	at            int
	begun, first  bool // the master was read; no entry was added yet
	live, deleted int64
	fields        []int // places of the master's fields
	pairs         [][]byte
	space         []byte
}

// number reads an integer and passes it.
func (n *nodeReader) number(p []byte) (int64, bool) {
	if p[n.at] == 0xFF {
		return 0, false
	}
	v, ok := listpack.Int(p, n.at)
	n.at = listpack.After(p, n.at)
	return v, ok
}

// size reads a number of elements that may be there.
func (n *nodeReader) size(p []byte) (int, bool) {
	v, ok := n.number(p)
	return int(v), ok && v >= 0 && v <= int64(len(p)-n.at)/2
}

func (n *nodeReader) master(p []byte) bool {
	n.begun = true
	var ok bool
	if n.live, ok = n.number(p); !ok {
		return false
	}
	if n.deleted, ok = n.number(p); !ok {
		return false
	}
	count, ok := n.size(p)
	if !ok || n.live < 0 || n.deleted < 0 {
		return false
	}
	for range count {
		if p[n.at] == 0xFF {
			return false
		}
		n.fields = append(n.fields, n.at)
		n.at = listpack.After(p, n.at)
	}
	zero, ok := n.number(p)
	return ok && zero == 0
}

// complete tells whether there were as many entries as the master says.
func (n *nodeReader) complete() bool { return n.live == 0 && n.deleted == 0 }

// entry reads an entry, whose fields and values are then in pairs.
func (n *nodeReader) entry(p []byte) (id stream.ID, live, ok bool) {
	flags, ok := n.number(p)
	if !ok {
		return id, false, false
	}
	ms, ok := n.number(p)
	if !ok {
		return id, false, false
	}
	seq, ok := n.number(p)
	if !ok {
		return id, false, false
	}
	id = stream.ID{Ms: n.base.Ms + uint64(ms), Seq: n.base.Seq + uint64(seq)}
	if id.Less(n.base) || !n.last.Less(id) {
		return id, false, false
	}
	n.last = id
	same := flags&flagSame != 0
	count, elements := len(n.fields), len(n.fields)+3
	if !same {
		if count, ok = n.size(p); !ok {
			return id, false, false
		}
		elements = 2*count + 4
	}
	if count == 0 {
		return id, false, false
	}
	n.pairs, n.space = n.pairs[:0], n.space[:0]
	for i := range count {
		field := n.at
		if same {
			field = n.fields[i]
		} else if p[n.at] == 0xFF {
			return id, false, false
		} else {
			n.at = listpack.After(p, n.at)
		}
		if p[n.at] == 0xFF {
			return id, false, false
		}
		n.pairs = append(n.pairs, n.text(p, field), n.text(p, n.at))
		n.at = listpack.After(p, n.at)
	}
	v, ok := n.number(p)
	if !ok || v != int64(elements) {
		return id, false, false
	}
	if live = flags&flagDeleted == 0; live {
		n.live--
	} else {
		n.deleted--
	}
	return id, live, n.live >= 0 && n.deleted >= 0
}

// text returns an element: as it lies in p, or an integer as text in space.
func (n *nodeReader) text(p []byte, at int) []byte {
	v, isInt := listpack.Int(p, at)
	if !isInt {
		return listpack.Get(p, at, nil)
	}
	from := len(n.space)
	n.space = strconv.AppendInt(n.space, v, 10) // if it moves, what is in pairs stays valid
	return n.space[from:]
}
