package list

import (
	"encoding/binary"

	"sherd/internal/store/listpack"
)

// A list can be taken apart and put together by its pieces, the listpacks and plain
// elements that it consists of.

// Pieces is how many there are.
func (l *List) Pieces() int {
	if l.enc == Packed {
		return 1
	}
	return int(l.root().nodes)
}

// Piece returns a listpack, or a plain element, which stays where it is until the
// list's next change.
func (l *List) Piece(i int) (p []byte, plain bool) {
	if l.enc == Packed {
		return l.packed(), false
	}
	n := *l.node(l.root(), i)
	if n.plain() {
		return l.plainBytes(n), true
	}
	return l.bytes(n), false
}

// AppendEntries adds elements behind all others: the entries that stand between two
// places of a listpack. False: out of memory, and only some may have been added.
func (l *List) AppendEntries(p []byte, from, to, count int) bool {
	if l.enc == Packed {
		had := l.packed()
		if l.limit.exceeded(len(had)+to-from, listpack.Len(had)+count) {
			return l.unpack() && l.addEntries(p, from, to)
		}
		ref, ok := listpack.AppendEntries(l.h, l.ref, p[from:to], count)
		l.ref = ref
		return ok
	}
	if to-from > l.limit.bytes/2 {
		return l.addEntries(p, from, to)
	}
	// What is short goes into the nodes that are there.
	var scratch [24]byte
	for ; from < to; from = listpack.After(p, from) {
		if !l.push(true, listpack.Get(p, from, &scratch)) {
			return false
		}
	}
	return true
}

// Pack makes a large list small if it has one node that the limits allow to be a
// small list. It is for lists that were put together by their pieces.
func (l *List) Pack() {
	if l.enc == Packed || l.root().nodes != 1 {
		return
	}
	n := *l.node(l.root(), 0)
	if n.plain() {
		return
	}
	p := l.bytes(n)
	if l.limit.exceeded(len(p), n.count()) {
		return
	}
	if ref := listpack.Put(l.h, p); ref != 0 {
		l.Free()
		l.ref, l.enc = ref, Packed
	}
}

// addPacked adds the elements of a listpack behind all others. If memory is
// exhausted it stops and returns false.
func (l *List) addPacked(p []byte) bool {
	return l.addEntries(p, listpack.HeaderSize, len(p)-1)
}

// addEntries adds entries node by node. If memory is exhausted it stops and returns
// false.
func (l *List) addEntries(p []byte, at, last int) bool {
	r := l.root()
	var scratch [24]byte
	for at < last {
		// As many as fit a node.
		end, count := at, 0
		for end < last && count < l.limit.count {
			next := listpack.After(p, end)
			if offsetSize+listpack.EmptySize+next-at > min(l.limit.bytes, frameSize) {
				break
			}
			end = next
			count++
		}
		if count == 0 {
			if !l.push(true, listpack.Get(p, at, &scratch)) {
				return false
			}
			at = listpack.After(p, at)
			continue
		}
		total := listpack.EmptySize + end - at
		n := l.newBlock(r, offsetSize+total, 0)
		if n == 0 {
			return false
		}
		b := l.a.Bytes(n.ref(), sizes[n.class()])
		binary.LittleEndian.PutUint16(b, offsetSize)
		q := b[offsetSize : offsetSize+total]
		copy(q[listpack.HeaderSize:], p[at:end])
		q[total-1] = 0xFF
		listpack.SetHeader(q, total, count)
		n = n.withCount(count)
		if !l.open(r, int(r.nodes), n) {
			l.release(r, n)
			return false
		}
		r.elements += uint64(count)
		at = end
	}
	return true
}
