package list

import (
	"bytes"

	"sherd/internal/store/listpack"
)

// Sweep removes elements that are equal to one, in steps. The list is nobody
// else's until it is done.
type Sweep struct {
	needle listpack.Needle
	left   int // still to be removed at most
	back   bool

	removed int
	begun   bool
	i       int // the next node
	kept    int // the last node looked at and kept; -1 none
	holes   bool
	packing bool
}

// NewSweep makes a sweep that removes up to most elements equal to s, which it
// keeps; going from the tail to the head if back.
func NewSweep(s []byte, most int, back bool) Sweep {
	return Sweep{needle: listpack.NeedleOf(s), left: most, back: back, kept: -1}
}

// Removed is the number of elements removed.
func (w *Sweep) Removed() int { return w.removed }

// Sweep goes on with a sweep, over about so many elements, and reports whether
// it is done.
func (l *List) Sweep(w *Sweep, elements int) bool {
	if l.enc == Packed {
		l.sweepPacked(w)
		return true
	}
	r := l.root()
	if !w.begun {
		w.begun = true
		if w.back {
			w.i = int(r.nodes) - 1
		}
	}
	for !w.packing {
		if w.left <= 0 || w.i < 0 || w.i >= int(r.nodes) {
			if w.holes {
				l.compact(r)
			}
			w.packing, w.i = true, 0
			break
		}
		if elements <= 0 {
			return false
		}
		elements -= l.node(r, w.i).count() + 1
		l.sweepNode(r, w)
	}
	if w.i == 0 && !r.sparse() {
		return true
	}
	for ; w.i < int(r.nodes); w.i++ {
		if elements <= 0 {
			return false
		}
		l.repack(r, w.i)
		elements -= 256 // the copy of a frame takes as long
	}
	return true
}

// sweepNode sweeps the node w.i and goes on to the next. A node that loses its
// last element, or its elements to the one swept before, leaves a hole.
func (l *List) sweepNode(r *root, w *Sweep) {
	i, n := w.i, *l.node(r, w.i)
	if w.back {
		w.i--
	} else {
		w.i++
	}
	gone := 0
	if n.plain() {
		if bytes.Equal(l.plainBytes(n), w.needle.Text) {
			gone = 1
		}
	} else {
		gone = l.strip(r, i, w)
	}
	w.left -= gone
	w.removed += gone
	r.elements -= uint64(gone)
	if gone == n.count() {
		l.put(r, i, 0)
		l.release(r, n)
		w.holes = true
		return
	}
	// Nodes that have shrunk grow together, though only with such as follow
	// them now: merge leaves the hole in the right one.
	if w.kept >= 0 && (gone > 0 || w.holes) {
		left, right := w.kept, i
		if w.back {
			left, right = i, w.kept
		}
		if l.mergeable(r, left, right) && l.merge(r, left, right) {
			w.holes = true
			w.kept = left
			return
		}
	}
	w.kept = i
}

// strip removes the needle from a node as often as it may. If no element is left
// the node is as it was.
func (l *List) strip(r *root, i int, w *Sweep) int {
	n := *l.node(r, i)
	p := l.bytes(n)
	gone, end := w.strip(p, n.count())
	if gone > 0 && gone < n.count() {
		p[end] = 0xFF
		listpack.SetHeader(p, end+1, n.count()-gone)
		l.put(r, i, n.withCount(n.count()-gone))
	}
	return gone
}

func (l *List) sweepPacked(w *Sweep) {
	p := l.packed()
	count := listpack.Len(p)
	gone, end := w.strip(p, count)
	if gone == count {
		end = listpack.HeaderSize
	}
	if gone > 0 {
		l.ref = listpack.Truncate(l.h, l.ref, end, count-gone)
	}
	w.removed += gone
}

// strip moves the entries of p, which has so many, together that are not to go.
// It returns how many are to, and the place behind the last that is not; header
// and end mark are left to the caller. If all are to go, p is as it was.
func (w *Sweep) strip(p []byte, count int) (gone, end int) {
	first := w.needle.Find(p, listpack.HeaderSize, 0)
	if first < 0 {
		return 0, 0
	}
	skip := 0
	if w.back && w.left < count {
		// Those nearest to the tail go.
		for at := first; at >= 0; at = w.needle.Find(p, listpack.After(p, at), 0) {
			skip++
		}
		skip = max(skip-w.left, 0)
	}
	to, from := -1, 0 // entries from there on belong there
	for at := first; at >= 0 && gone < w.left; {
		next := listpack.After(p, at)
		if skip > 0 {
			skip--
		} else {
			if to < 0 {
				to = at
			} else {
				to += copy(p[to:], p[from:at])
			}
			from = next
			gone++
		}
		at = w.needle.Find(p, next, 0)
	}
	if gone < count {
		to += copy(p[to:], p[from:len(p)-1])
	}
	return gone, to
}

// compact closes the holes of the directory.
func (l *List) compact(r *root) {
	to := 0
	for i := range int(r.nodes) {
		if n := *l.node(r, i); n != 0 {
			if to < i {
				*l.node(r, to) = n
				*l.node(r, i) = 0
			}
			to++
		}
	}
	if had := int(r.nodes); had > 0 {
		l.resum(r, 0, had-1)
	}
	r.nodes = uint32(to)
	for r.slots > leastSlots && r.nodes < r.slots/8 {
		if !l.resize(r, r.slots/2) {
			break
		}
	}
}

// Keep copies the element, so that what it was made of may change.
func (w *Sweep) Keep() { w.needle.Text = bytes.Clone(w.needle.Text) }
