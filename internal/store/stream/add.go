package stream

import (
	"sherd/internal/heap"
	"sherd/internal/store/listpack"
)

// Append adds an entry, whose ID must be greater than LastID. Fields and their
// values take turns in pairs. False: memory is exhausted and nothing has changed.
func (s *Stream) Append(id ID, pairs [][]byte, l Limits) bool {
	x := s.nodes()
	size := 0
	for _, b := range pairs {
		size += len(b)
	}
	fits := false
	var spot spot
	if x.count > 0 {
		spot = x.last(s.a)
		r := x.at(s.a, spot, nodeRecord)
		fits = s.fits(r, size, l)
		if !fits {
			s.seal(r)
		}
	}
	if fits {
		if !s.extend(x.at(s.a, spot, nodeRecord), id, pairs) {
			return false
		}
	} else if !s.begin(&x, id, pairs) {
		return false
	}
	s.addLength(1)
	s.SetAdded(s.Added() + 1)
	s.SetLastID(id)
	if s.Len() == 1 {
		s.SetFirstID(id)
	}
	return true
}

// fits tells whether a node has room for another entry with so many bytes of
// fields and values. It is the listpack's size that counts.
func (s *Stream) fits(r []byte, size int, l Limits) bool {
	p := s.view(r)
	most := l.Bytes
	if most <= 0 || most > maxNode {
		most = maxNode
	}
	if int64(get32(p, nodePacked)+size) >= most {
		return false
	}
	return l.Entries <= 0 || liveIn(p)+deletedIn(p) < l.Entries
}

// seal gives back what a node does not need.
func (s *Stream) seal(r []byte) {
	n := nodeAt(r)
	if total := len(n.view(s.a)); heap.ClassSize(total) < n.room && s.resize(&n, total) {
		putNode(r, n)
	}
}

// begin adds an entry in a node of its own.
func (s *Stream) begin(x *index, id ID, pairs [][]byte) bool {
	fields := len(pairs) / 2
	size := nodeHead + numberSize(int64(fields))
	packed := listpack.EmptySize + 2 + 2 + packedNumber(int64(fields)) + 2
	values := 1 + 1 + 1
	packed += 2 + 2 + 2 + packedNumber(int64(fields+3))
	for i := range pairs {
		c := listpack.CodeOf(pairs[i])
		packed += c.Size()
		if i&1 == 0 {
			size += c.Bare()
		} else {
			values += c.Bare()
		}
	}
	size += values + backSize(values) + 1
	n := node{room: heap.ClassSize(size)}
	if n.ref = s.h.Alloc(n.room); n.ref == 0 {
		return false
	}
	spot, ok := x.insert(s.h, id, nodeRecord)
	s.storeNodes(x)
	if !ok {
		s.h.Free(n.ref, n.room)
		return false
	}
	putNode(x.at(s.a, spot, nodeRecord), n)
	p := s.a.Bytes(n.ref, size)
	put32(p, nodeTotal, size)
	put32(p, nodePacked, packed)
	put32(p, nodeLive, 1)
	put32(p, nodeDeleted, 0)
	w := writer{p, nodeHead}
	w.number(int64(fields))
	for i := 0; i < len(pairs); i += 2 {
		w.text(pairs[i])
	}
	from := w.at
	w.byte(flagSame)
	w.number(0)
	w.number(0)
	for i := 1; i < len(pairs); i += 2 {
		w.text(pairs[i])
	}
	w.finish(from)
	return true
}

// extend adds an entry to the last node.
func (s *Stream) extend(r []byte, id ID, pairs [][]byte) bool {
	base := getID(r, 0)
	n := nodeAt(r)
	p := n.view(s.a)
	m := readMaster(p)
	fields := len(pairs) / 2
	flags, elements := byte(0), fields+3
	if m.sameFields(p, pairs) {
		flags = flagSame
	} else {
		elements += fields + 1
	}
	ms, seq := int64(id.Ms-base.Ms), int64(id.Seq-base.Seq)
	size := 1 + numberSize(ms) + numberSize(seq)
	packed := 2 + packedNumber(ms) + packedNumber(seq) + packedNumber(int64(elements))
	if flags == 0 {
		size += numberSize(int64(fields))
		packed += packedNumber(int64(fields))
	}
	for i := range pairs {
		if i&1 == 1 || flags == 0 {
			c := listpack.CodeOf(pairs[i])
			size += c.Bare()
			packed += c.Size()
		}
	}
	size += backSize(size)
	total := len(p)
	if want := total + size; want > n.room {
		if !s.resize(&n, want+total/2) && !s.resize(&n, want) {
			return false
		}
		putNode(r, n)
	}
	p = s.a.Bytes(n.ref, total+size)
	put32(p, nodeTotal, total+size)
	put32(p, nodePacked, get32(p, nodePacked)+packed)
	addCounts(p, 1, 0)
	w := writer{p, total - 1}
	w.byte(flags)
	w.number(ms)
	w.number(seq)
	if flags == 0 {
		w.number(int64(fields))
	}
	for i := range pairs {
		if i&1 == 1 || flags == 0 {
			w.text(pairs[i])
		}
	}
	w.finish(total - 1)
	return true
}

// sameFields tells whether an entry's fields are the master's.
func (m *master) sameFields(p []byte, pairs [][]byte) bool {
	if m.fields != len(pairs)/2 {
		return false
	}
	at := m.fieldsAt
	for i := 0; i < len(pairs); i += 2 {
		if !listpack.Equal(p, at, pairs[i]) {
			return false
		}
		at = skip(p, at, 1)
	}
	return true
}

// A writer puts elements behind each other into a node that has room for them.
type writer struct {
	p  []byte
	at int
}

func (w *writer) byte(b byte)    { w.p[w.at] = b; w.at++ }
func (w *writer) number(v int64) { w.at += putNumber(w.p[w.at:], v) }

func (w *writer) text(b []byte) {
	c := listpack.CodeOf(b)
	c.PutBare(w.p[w.at:], b)
	w.at += c.Bare()
}

// finish writes the length of the entry that began at a place, and the end mark.
func (w *writer) finish(from int) {
	n := w.at - from
	putBack(w.p[w.at:], n)
	w.p[w.at+backSize(n)] = endMark
}
