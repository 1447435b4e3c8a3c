package stream

import (
	"encoding/binary"

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
// fields and values.
func (s *Stream) fits(r []byte, size int, l Limits) bool {
	p := s.view(r)
	most := l.Bytes
	if most <= 0 || most > maxNode {
		most = maxNode
	}
	if int64(len(p)+size) >= most {
		return false
	}
	if l.Entries > 0 {
		m := readCounts(p)
		return m.live+m.deleted < l.Entries
	}
	return true
}

// seal gives back what a node does not need.
func (s *Stream) seal(r []byte) {
	n := nodeAt(r)
	if total := listpack.Total(s.a.Bytes(n.ref, listpack.HeaderSize)); heap.ClassSize(total) < n.room && s.resize(&n, total) {
		putNode(r, n)
	}
}

// begin adds an entry in a node of its own.
func (s *Stream) begin(x *index, id ID, pairs [][]byte) bool {
	fields := len(pairs) / 2
	size := listpack.EmptySize + 2 + 2 + numberSize(int64(fields)) + 2
	size += 2 + 2 + 2 + numberSize(int64(fields+3))
	for _, b := range pairs {
		size += listpack.EncodedSize(b)
	}
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
	w := writer{p, listpack.HeaderSize, 0}
	w.number(1)
	w.number(0)
	w.number(int64(fields))
	for i := 0; i < len(pairs); i += 2 {
		w.text(pairs[i])
	}
	w.number(0)
	w.number(flagSame)
	w.number(0)
	w.number(0)
	for i := 1; i < len(pairs); i += 2 {
		w.text(pairs[i])
	}
	w.number(int64(fields + 3))
	put32(p, 0, 0)
	binary.LittleEndian.PutUint16(p[4:], 0)
	w.finish()
	return true
}

// extend adds an entry to the last node.
func (s *Stream) extend(r []byte, id ID, pairs [][]byte) bool {
	base := getID(r, 0)
	n := nodeAt(r)
	p := listpack.View(s.a, n.ref)
	m := readCounts(p)
	fields := len(pairs) / 2
	flags, elements := int64(0), fields+3
	if m.sameFields(p, pairs) {
		flags = flagSame
	} else {
		elements += fields + 1
	}
	ms, seq := int64(id.Ms-base.Ms), int64(id.Seq-base.Seq)
	size := 2 + numberSize(ms) + numberSize(seq) + numberSize(int64(elements))
	if flags == 0 {
		size += numberSize(int64(fields))
	}
	for i := range pairs {
		if i&1 == 1 || flags == 0 {
			size += listpack.EncodedSize(pairs[i])
		}
	}
	total := len(p)
	if want := total + size + numberSize(m.live+1) - numberSize(m.live); want > n.room {
		if !s.resize(&n, want+total/2) && !s.resize(&n, want) {
			return false
		}
		putNode(r, n)
	}
	grow, _ := s.setNumber(&n, listpack.HeaderSize, m.live+1) // it has the room
	total += grow
	p = s.a.Bytes(n.ref, total+size)
	w := writer{p, total - 1, 0}
	w.number(flags)
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
	w.number(int64(elements))
	w.finish()
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
	n  int // elements so far
}

func (w *writer) number(v int64) {
	w.at += putNumber(w.p[w.at:], v)
	w.n++
}

func (w *writer) text(b []byte) {
	c := listpack.CodeOf(b)
	c.Put(w.p[w.at:], b)
	w.at += c.Size()
	w.n++
}

// finish writes the end mark and the header.
func (w *writer) finish() {
	w.p[w.at] = 0xff
	put32(w.p, 0, w.at+1)
	n := int(binary.LittleEndian.Uint16(w.p[4:]))
	binary.LittleEndian.PutUint16(w.p[4:], uint16(min(n+w.n, 65535)))
}
