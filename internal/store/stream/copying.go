package stream

import "sherd/internal/heap"

// Copying is a copy of a stream under way: first its nodes, then what groups know.
// The stream must not change meanwhile.
type Copying struct {
	c, s Stream
	at   spot // node of s, the next
	any  bool // at is valid
}

// StartCopy begins a copy of a stream in another heap, or the same; false: memory is
// exhausted.
func StartCopy(to, from *heap.Heap, ref heap.Ref) (c Copying, ok bool) {
	if c.c, ok = New(to); ok {
		c.s = Open(from, ref)
		copy(c.c.root[:rootNodes], c.s.root[:rootNodes])
		old := c.s.nodes()
		c.any = old.valid(c.at)
	}
	return c, ok
}

// Ref is where the copy is. Until it is complete it may only be freed.
func (c *Copying) Ref() heap.Ref { return c.c.ref }

// Step copies about budget nodes. ok is false when memory is exhausted: what there is
// of the copy is to be freed.
func (c *Copying) Step(budget int) (done, ok bool) {
	old := c.s.nodes()
	for ; c.any; budget-- {
		if budget <= 0 {
			return false, true
		}
		if !c.c.copyNode(&c.s, old.at(c.s.a, c.at, nodeRecord)) {
			return false, false
		}
		c.at = old.next(c.s.a, c.at)
		c.any = old.valid(c.at)
	}
	return true, c.c.copyGroups(&c.s) && c.c.copyIdem(&c.s)
}

// copyNode appends a copy of a node of another stream, given by its record.
func (s *Stream) copyNode(from *Stream, record []byte) bool {
	x := s.nodes()
	p := from.view(record)
	n := node{room: heap.ClassSize(len(p))}
	if n.ref = s.h.Alloc(n.room); n.ref == 0 {
		return false
	}
	copy(s.a.Bytes(n.ref, n.room), p)
	in, ok := x.insert(s.h, getID(record, 0), nodeRecord)
	s.storeNodes(&x)
	if !ok {
		s.h.Free(n.ref, n.room)
		return false
	}
	putNode(x.at(s.a, in, nodeRecord), n)
	return true
}
