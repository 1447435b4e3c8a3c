package list

import (
	"encoding/binary"
	"math/bits"

	"sherd/internal/heap"
	"sherd/internal/store/listpack"
)

// node is the directory's word for a node:
//
//	│ elements 24 │ class 5 │ Ref 35 │
//
// Zero is no node.
type node uint64

const (
	refBits    = 35
	classBits  = 5
	countShift = refBits + classBits

	// Classes: 0 is a plain node, 1 to 24 a block, and the last a frame.
	plainClass = 0
	frameClass = 31

	offsetSize = 2 // of the listpack's offset, which a block begins with
	lengthSize = 8 // of the length, which a plain node begins with
)

// sizes are the bytes of a node's block by its class.
var sizes = func() (s [1 << classBits]int) {
	k := 1
	for size := 512; size <= 64<<10; k++ {
		s[k] = size
		size += max(1<<bits.Len(uint(size))/8, 512) // four steps to each power of two
	}
	s[frameClass] = frameSize
	return s
}()

// classFor is the smallest class of n bytes; they must not be more than 64 KiB.
func classFor(n int) int {
	c := 1
	for sizes[c] < n {
		c++
	}
	return c
}

func makeNode(ref heap.Ref, class, count int) node {
	return node(ref) | node(class)<<refBits | node(count)<<countShift
}

func (n node) ref() heap.Ref { return heap.Ref(n & (1<<refBits - 1)) }
func (n node) class() int    { return int(n >> refBits & (1<<classBits - 1)) }
func (n node) count() int    { return int(n >> countShift) }
func (n node) plain() bool   { return n.class() == plainClass }

func (n node) withCount(count int) node {
	return n&(1<<countShift-1) | node(count)<<countShift
}

// block is the memory of a node that is not plain, and where the listpack lies
// in it.
func (l *List) block(n node) (b []byte, off, total int) {
	b = l.a.Bytes(n.ref(), sizes[n.class()])
	off = int(binary.LittleEndian.Uint16(b))
	return b, off, listpack.Total(b[off:])
}

// bytes is the listpack of a node that is not plain.
func (l *List) bytes(n node) []byte { return bytesAt(l.a, n) }

func bytesAt(a *heap.Arena, n node) []byte {
	b := a.Bytes(n.ref(), sizes[n.class()])
	p := b[binary.LittleEndian.Uint16(b):]
	return p[:listpack.Total(p)]
}

// plainBytes is the element of a plain node.
func (l *List) plainBytes(n node) []byte { return plainAt(l.a, n) }

func plainAt(a *heap.Arena, n node) []byte {
	size := int(binary.LittleEndian.Uint64(a.Bytes(n.ref(), lengthSize)))
	return a.Bytes(n.ref(), lengthSize+size)[lengthSize:]
}

// newPlain makes a plain node; 0 if memory is exhausted.
func (l *List) newPlain(s []byte) node {
	ref := l.h.Alloc(lengthSize + len(s))
	if ref == 0 {
		return 0
	}
	b := l.a.Bytes(ref, lengthSize+len(s))
	binary.LittleEndian.PutUint64(b, uint64(len(s)))
	copy(b[lengthSize:], s)
	return makeNode(ref, plainClass, 1)
}

// newBlock allocates a node's block of at least need bytes, and if that is cheap
// of want; its contents are to be written. 0: memory is exhausted.
func (l *List) newBlock(r *root, need, want int) node {
	if need <= frameSize && r.nodes >= frameFrom && l.limit.bytes == safeBytes && l.limit.count == noCount {
		if ref := l.newFrame(r); ref != 0 {
			return makeNode(ref, frameClass, 0)
		}
		return 0
	}
	class := classFor(max(need, min(want, l.limit.bytes)))
	ref := l.h.Alloc(sizes[class])
	if ref == 0 {
		return 0
	}
	return makeNode(ref, class, 0)
}

// release gives a node's memory back.
func (l *List) release(r *root, n node) {
	switch n.class() {
	case plainClass:
		l.h.Free(n.ref(), lengthSize+len(l.plainBytes(n)))
	case frameClass:
		l.freeFrame(r, n.ref())
	default:
		l.h.Free(n.ref(), sizes[n.class()])
	}
}

// fits tells whether a node may take so many bytes and elements more.
func (l *List) fits(n node, total, bytes, count int) bool {
	most := l.limit.bytes
	if n.class() == frameClass {
		most = min(most, frameSize)
	}
	return offsetSize+total+bytes <= most && n.count()+count <= l.limit.count
}

// gap makes room for m bytes before the first entry of a node, or, at the tail,
// behind the last. If the block has it on the other side, that is used if it is
// forced, or if there is so much that it pays. False: it does not pay, or memory
// is exhausted; the node is as it was. The node must fit so many bytes.
func (l *List) gap(r *root, i, m int, tail, force bool) (n node, ok bool) {
	n = *l.node(r, i)
	b, off, total := l.block(n)
	if tail && off+total+m <= len(b) || !tail && off-offsetSize >= m {
		return n, true
	}
	if free := len(b) - offsetSize - total; free >= m && (force || free >= len(b)/8) {
		to := offsetSize
		if !tail {
			to = len(b) - total
		}
		copy(b[to:to+total], b[off:off+total])
		binary.LittleEndian.PutUint16(b, uint16(to))
		return n, true
	}
	need := offsetSize + total + m
	if need <= len(b) && (n.class() == frameClass || len(b) >= l.limit.bytes) {
		return n, false
	}
	grown := l.newBlock(r, need, len(b)+len(b)/4)
	if grown == 0 {
		return n, false
	}
	q := l.a.Bytes(grown.ref(), sizes[grown.class()])
	to := offsetSize
	if !tail {
		to = len(q) - total
	}
	copy(q[to:], b[off:off+total])
	binary.LittleEndian.PutUint16(q, uint16(to))
	grown = grown.withCount(n.count())
	l.put(r, i, grown)
	l.release(r, n)
	return grown, true
}

// pushInto adds an element at an end of a node. False: it does not fit, or memory
// is exhausted; nothing changed.
func (l *List) pushInto(r *root, i int, tail bool, c *listpack.Code, s []byte) bool {
	n := *l.node(r, i)
	if n.plain() {
		return false
	}
	m := c.Size()
	b, off, total := l.block(n)
	if !l.fits(n, total, m, 1) {
		return false
	}
	if tail && off+total+m > len(b) || !tail && off-offsetSize < m {
		var ok bool
		if n, ok = l.gap(r, i, m, tail, false); !ok {
			return false
		}
		b, off, total = l.block(n)
	}
	at := off + listpack.HeaderSize
	if tail {
		at = off + total - 1
		b[at+m] = b[at]
	} else {
		off -= m
		at -= m
		binary.LittleEndian.PutUint16(b, uint16(off))
	}
	c.Put(b[at:], s)
	listpack.SetHeader(b[off:], total+m, n.count()+1)
	l.put(r, i, n.withCount(n.count()+1))
	r.elements++
	return true
}

// pushNew makes a node with one element before the one with an index, or behind
// all. tail says at which side it will grow.
func (l *List) pushNew(r *root, i int, tail bool, c *listpack.Code, s []byte) bool {
	total := listpack.EmptySize + c.Size()
	var n node
	if offsetSize+total > l.limit.bytes {
		n = l.newPlain(s)
	} else if n = l.newBlock(r, offsetSize+total, 512*int(min(r.nodes, 16))); n != 0 {
		b := l.a.Bytes(n.ref(), sizes[n.class()])
		off := offsetSize
		if !tail {
			off = len(b) - total
		}
		binary.LittleEndian.PutUint16(b, uint16(off))
		c.Put(b[off+listpack.HeaderSize:], s)
		b[off+total-1] = 0xFF
		listpack.SetHeader(b[off:], total, 1)
		n = n.withCount(1)
	}
	if n == 0 {
		return false
	}
	if !l.open(r, i, n) {
		l.release(r, n)
		return false
	}
	r.elements++
	return true
}

// cut removes the entries between two places of a node, which are so many
// elements but not all; the list's number of elements is not touched.
func (l *List) cut(r *root, i, from, to, count int) {
	n := *l.node(r, i)
	b, off, total := l.block(n)
	if from == listpack.HeaderSize {
		off += to - from
		binary.LittleEndian.PutUint16(b, uint16(off))
	} else {
		copy(b[off+from:], b[off+to:off+total])
	}
	listpack.SetHeader(b[off:], total-(to-from), n.count()-count)
	l.put(r, i, n.withCount(n.count()-count))
}

// push adds an element at an end.
func (l *List) push(tail bool, s []byte) bool {
	r := l.root()
	c := listpack.CodeOf(s)
	i := 0
	if tail {
		i = int(r.nodes)
	}
	if r.nodes > 0 && l.pushInto(r, max(i-1, 0), tail, &c, s) {
		return true
	}
	return l.pushNew(r, i, tail, &c, s)
}

// drop removes n elements from an end.
func (l *List) drop(tail bool, n int) {
	r := l.root()
	for n > 0 && r.nodes > 0 {
		i := 0
		if tail {
			i = int(r.nodes) - 1
		}
		w := *l.node(r, i)
		had := w.count()
		if had <= n {
			l.shut(r, i)
			l.release(r, w)
			r.elements -= uint64(had)
			n -= had
			continue
		}
		p := l.bytes(w)
		if tail {
			l.cut(r, i, listpack.Seek(p, had-n), len(p)-1, n)
		} else {
			l.cut(r, i, listpack.HeaderSize, listpack.Seek(p, n), n)
		}
		r.elements -= uint64(n)
		return
	}
}
