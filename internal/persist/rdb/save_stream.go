package rdb

import (
	"encoding/binary"
	"strconv"

	"sherd/internal/heap"
	"sherd/internal/store/listpack"
	"sherd/internal/store/stream"
)

// streamSaver is a stream being written. The number of nodes comes before them, so
// the nodes are counted first.
type streamSaver struct {
	s     stream.Stream
	it    stream.Iter
	ahead bool // the iterator stands at an entry that is not written yet
	phase streamPhase
	nodes nodeBuilder

	group, consumer int // the next ones
	g               stream.Group
	c               stream.Consumer
	pending         stream.PendingIter
}

// idBytes is the length of an ID that is written as a string.
const idBytes = 16

type streamPhase uint8

const (
	streamBegin streamPhase = iota
	streamNodes
	streamGroups
	streamPending
	streamConsumers
	streamOwned
	streamReleased
)

// open tells whether something is pending with nobody.
func (z *streamSaver) open(h *heap.Heap, ref heap.Ref) (released bool) {
	z.s = stream.Open(h, ref)
	z.it = z.s.Iter(stream.ID{}, stream.MaxID, false)
	for i := range z.s.GroupCount() {
		g := z.s.GroupAt(i)
		released = released || g.NackedCount() > 0
	}
	return released
}

func appendID(b []byte, id stream.ID) []byte {
	return appendLength(appendLength(b, id.Ms), id.Seq)
}

func appendRawID(b []byte, id stream.ID) []byte {
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(b, id.Ms), id.Seq)
}

func (w *Saver) saveStream(b []byte, most *int) ([]byte, bool) {
	z := &w.stream
	for *most > 0 {
		switch z.phase {
		case streamBegin:
			b = appendLength(b, uint64(z.s.NodeCount()))
			z.ahead = z.it.Next()
			z.phase = streamNodes
		case streamNodes:
			if z.ahead {
				id, p := z.node()
				b = appendRawID(append(b, idBytes), id)
				b = w.string(b, p, most)
				*most -= z.nodes.elements
				break
			}
			b = w.streamState(b)
			z.phase = streamGroups
		case streamGroups:
			if z.group == z.s.GroupCount() {
				return b, true
			}
			z.g = z.s.GroupAt(z.group)
			z.group++
			b = w.string(b, z.g.Name(), most)
			b = appendID(b, z.g.LastID())
			b = appendLength(b, uint64(z.g.EntriesRead()))
			b = appendLength(b, uint64(z.g.PendingCount()))
			z.pending = z.g.PendingFrom(stream.ID{}, stream.MaxID)
			z.phase = streamPending
		case streamPending:
			*most--
			if z.pending.Next() {
				b = appendRawID(b, z.pending.ID())
				b = binary.LittleEndian.AppendUint64(b, uint64(z.pending.Time()))
				b = appendLength(b, uint64(z.pending.Times()))
				break
			}
			b = appendLength(b, uint64(z.g.ConsumerCount()))
			z.consumer = 0
			z.phase = streamConsumers
		case streamConsumers:
			if z.consumer == z.g.ConsumerCount() {
				z.phase = streamGroups
				break
			}
			z.c = z.g.ConsumerAt(z.consumer)
			z.consumer++
			b = w.string(b, z.c.Name(), most)
			b = binary.LittleEndian.AppendUint64(b, uint64(z.c.Seen()))
			if w.typ == typeStreamReleased {
				b = binary.LittleEndian.AppendUint64(b, uint64(z.c.Active()))
			}
			b = appendLength(b, uint64(z.c.PendingCount()))
			z.pending = z.c.PendingFrom(stream.ID{}, stream.MaxID)
			z.phase = streamOwned
		case streamOwned:
			*most--
			if z.pending.Next() {
				b = appendRawID(b, z.pending.ID())
				break
			}
			z.phase = streamConsumers
		}
	}
	return b, false
}

// streamState writes what is known of the stream as a whole.
func (w *Saver) streamState(b []byte) []byte {
	s := &w.stream.s
	b = appendLength(b, uint64(s.Len()))
	b = appendID(b, s.LastID())
	b = appendID(b, s.FirstID())
	b = appendID(b, s.MaxDeletedID())
	b = appendLength(b, uint64(s.Added()))
	return appendLength(b, uint64(s.GroupCount()))
}

// node puts the entries of the node that the iterator stands in into a listpack, and
// leaves the iterator at the next node. Deleted entries are left out.
func (z *streamSaver) node() (stream.ID, []byte) {
	in, base := z.it.NodeOf(), z.it.ID
	n := &z.nodes
	n.begin(&z.it)
	for z.ahead && z.it.NodeOf() == in {
		n.add(&z.it, base)
		z.ahead = z.it.Next()
	}
	return base, n.finish()
}

// nodeBuilder makes a node of a dump:
//
//	master  │ entries │ deleted │ n │ field 1 … field n │ 0 │
//	entry   │ flags │ ms │ seq │ value 1 … value n │ elements │          same fields
//	        │ flags │ ms │ seq │ n │ field │ value │ … │ elements │     other fields
//
// ms and seq are less the node's ID, flag 2 says that the fields are the master's, and
// flag 1 that the entry is deleted. The last element counts those before it.
type nodeBuilder struct {
	body     []byte // entries of a listpack, without its head
	fields   int    // of the master
	live     int64
	elements int
}

const (
	flagDeleted = 1
	flagSame    = 2
)

func (n *nodeBuilder) number(v int64) {
	n.elements++
	n.body = appendNumber(n.body, v)
}

// appendNumber appends the entry of an integer of a listpack.
func appendNumber(p []byte, v int64) []byte {
	var digits [20]byte
	return listpack.AppendEntry(p, strconv.AppendInt(digits[:0], v, 10))
}

func (n *nodeBuilder) text(s []byte) {
	n.elements++
	n.body = listpack.AppendEntry(n.body, s)
}

// begin makes the fields of an entry the master's. Where the number of entries goes,
// there is nothing yet.
func (n *nodeBuilder) begin(it *stream.Iter) {
	*n = nodeBuilder{body: n.body[:0], fields: it.Fields}
	n.number(0) // deleted
	n.number(int64(it.Fields))
	var scratch [24]byte
	for c := *it; c.NextField(); {
		n.text(c.Field(&scratch))
	}
	n.number(0)
}

// add adds an entry.
func (n *nodeBuilder) add(it *stream.Iter, base stream.ID) {
	same := n.live == 0 || it.Fields == n.fields && n.same(it)
	n.live++
	var scratch [24]byte
	flags, elements := int64(0), 2*it.Fields+4
	if same {
		flags, elements = flagSame, it.Fields+3
	}
	n.number(flags)
	n.number(int64(it.ID.Ms - base.Ms))
	n.number(int64(it.ID.Seq - base.Seq))
	if !same {
		n.number(int64(it.Fields))
	}
	for it.NextField() {
		if !same {
			n.text(it.Field(&scratch))
		}
		n.text(it.Value(&scratch))
	}
	n.number(int64(elements))
}

// same tells whether an entry's fields are the master's.
func (n *nodeBuilder) same(it *stream.Iter) bool {
	at := 0
	for range 2 {
		at = listpack.After(n.body, at)
	}
	var scratch [24]byte
	for c := *it; c.NextField(); at = listpack.After(n.body, at) {
		if !listpack.Equal(n.body, at, c.Field(&scratch)) {
			return false
		}
	}
	return true
}

// finish returns the node.
func (n *nodeBuilder) finish() []byte {
	var first [16]byte
	live := appendNumber(first[:0], n.live)
	total := listpack.EmptySize + len(live) + len(n.body)
	p := make([]byte, listpack.HeaderSize, total)
	p = append(append(append(p, live...), n.body...), 0xFF)
	listpack.SetHeader(p, total, n.elements+1)
	return p
}
