package list

import (
	"encoding/binary"

	"sherd/internal/store/listpack"
)

// insert puts an element before the one with an index, or behind all.
func (l *List) insert(index int, s []byte) bool {
	r := l.root()
	if index == 0 || index == int(r.elements) {
		return l.push(index > 0, s)
	}
	i, rest := l.locate(r, index)
	return l.insertAt(r, i, rest, s)
}

// insertAt puts an element into a node, before its element with the index rest.
func (l *List) insertAt(r *root, i, rest int, s []byte) bool {
	c := listpack.CodeOf(s)
	m := c.Size()
	for {
		n := *l.node(r, i)
		if !n.plain() {
			if p := l.bytes(n); l.fits(n, len(p), m, 1) {
				return l.insertInto(r, i, listpack.Seek(p, rest), &c, s)
			}
		}
		if rest == 0 {
			if i > 0 && l.pushInto(r, i-1, true, &c, s) {
				return true
			}
			return l.pushNew(r, i, true, &c, s)
		}
		// A node that is full is halved, or cut open for what is large itself.
		at := n.count() / 2
		if m > l.limit.bytes/4 {
			at = rest
		}
		if !l.split(r, i, at) {
			return false
		}
		if rest >= at {
			i++
			rest -= at
		}
	}
}

// insertInto puts an element into a node that it fits, at a place.
func (l *List) insertInto(r *root, i, at int, c *listpack.Code, s []byte) bool {
	m := c.Size()
	n, ok := l.gap(r, i, m, true, true)
	if !ok {
		return false
	}
	b, off, total := l.block(n)
	copy(b[off+at+m:], b[off+at:off+total])
	c.Put(b[off+at:], s)
	listpack.SetHeader(b[off:], total+m, n.count()+1)
	l.put(r, i, n.withCount(n.count()+1))
	r.elements++
	return true
}

// split moves the elements of a node from an index on, which is neither 0 nor
// beyond the last, into a new node behind it. False: out of memory.
func (l *List) split(r *root, i, index int) bool {
	n := *l.node(r, i)
	p := l.bytes(n)
	at := listpack.Seek(p, index)
	total := listpack.HeaderSize + len(p) - at
	right := l.newBlock(r, offsetSize+total, 0)
	if right == 0 {
		return false
	}
	b := l.a.Bytes(right.ref(), sizes[right.class()])
	binary.LittleEndian.PutUint16(b, offsetSize)
	copy(b[offsetSize+listpack.HeaderSize:], p[at:])
	listpack.SetHeader(b[offsetSize:], total, n.count()-index)
	right = right.withCount(n.count() - index)
	if !l.open(r, i+1, right) {
		l.release(r, right)
		return false
	}
	l.cut(r, i, at, len(p)-1, n.count()-index)
	return true
}

// set replaces an element.
func (l *List) set(index int, s []byte) bool {
	r := l.root()
	i, rest := l.locate(r, index)
	n := *l.node(r, i)
	c := listpack.CodeOf(s)
	if !n.plain() {
		p := l.bytes(n)
		at := listpack.Seek(p, rest)
		had := listpack.After(p, at) - at
		more := c.Size() - had
		if more <= 0 || l.fits(n, len(p), more, 0) {
			return l.replace(r, i, at, had, &c, s)
		}
	}
	if !l.insertAt(r, i, rest, s) {
		return false
	}
	i, rest = l.locate(r, index+1)
	l.remove(r, i, rest)
	return true
}

// replace puts an element in the place of an entry of had bytes; it fits.
func (l *List) replace(r *root, i, at, had int, c *listpack.Code, s []byte) bool {
	n, more := *l.node(r, i), c.Size()-had
	if more > 0 {
		var ok bool
		if n, ok = l.gap(r, i, more, true, true); !ok {
			return false
		}
	}
	b, off, total := l.block(n)
	if more != 0 {
		copy(b[off+at+c.Size():], b[off+at+had:off+total])
	}
	c.Put(b[off+at:], s)
	listpack.SetHeader(b[off:], total+more, n.count())
	return true
}

// remove deletes an element of a node.
func (l *List) remove(r *root, i, rest int) {
	n := *l.node(r, i)
	r.elements--
	if n.count() == 1 {
		l.shut(r, i)
		l.release(r, n)
		return
	}
	p := l.bytes(n)
	at := listpack.Seek(p, rest)
	l.cut(r, i, at, listpack.After(p, at), 1)
	if i > 0 && l.mergeable(r, i-1, i) && l.merge(r, i-1, i) {
		l.shut(r, i)
	} else if i+1 < int(r.nodes) && l.mergeable(r, i, i+1) && l.merge(r, i, i+1) {
		l.shut(r, i+1)
	}
}

// mergeable tells whether two nodes together leave so much of one free that it
// will not soon be split again.
func (l *List) mergeable(r *root, i, j int) bool {
	a, b := *l.node(r, i), *l.node(r, j)
	if a.plain() || b.plain() {
		return false
	}
	_, _, at := l.block(a)
	_, _, bt := l.block(b)
	return at+bt <= l.limit.bytes*3/4 && a.count()+b.count() <= max(l.limit.count*3/4, 1)
}

// merge moves the elements of one node to the end of another and leaves no node
// in its slot. False: out of memory, and nothing changed.
func (l *List) merge(r *root, i, j int) bool {
	right := *l.node(r, j)
	p := l.bytes(right)
	m := len(p) - listpack.EmptySize
	left, ok := l.gap(r, i, m, true, true)
	if !ok {
		return false
	}
	b, off, total := l.block(left)
	copy(b[off+total-1:], p[listpack.HeaderSize:])
	count := left.count() + right.count()
	listpack.SetHeader(b[off:], total+m, count)
	l.put(r, i, left.withCount(count))
	l.put(r, j, 0)
	l.release(r, right)
	return true
}
