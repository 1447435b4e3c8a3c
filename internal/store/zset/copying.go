package zset

import "sherd/internal/heap"

// Copying is a copy of a tree under way. The set must not change meanwhile.
type Copying struct {
	t, s    tree
	ref     heap.Ref
	segment uint32 // of s, the next; then
	leaf    uint32 // likewise
}

// StartCopy begins a copy of a tree in another heap, or the same. False: out of
// memory.
func StartCopy(to, from *heap.Heap, ref heap.Ref) (c Copying, ok bool) {
	if c.ref = to.Alloc(rootSize); c.ref == 0 {
		return c, false
	}
	c.s, c.t = openTree(from, ref), openTree(to, c.ref)
	*c.t.r = root{count: c.s.r.count, seed: c.s.r.seed, freeID: c.s.r.freeID}
	return c, true
}

// Ref is where the copy is. Until it is complete it may only be freed.
func (c *Copying) Ref() heap.Ref { return c.ref }

// Step copies about budget blocks. ok is false when memory is exhausted: what there
// is of the copy is to be freed.
func (c *Copying) Step(budget int) (done, ok bool) {
	for ; c.segment < c.s.r.segments.count; c.segment++ {
		if budget--; budget < 0 {
			return false, true
		}
		if !c.t.copySegment(c.s, c.segment) {
			return false, false
		}
	}
	for ; c.leaf < c.s.r.leaves.count; c.leaf++ {
		if budget <= 0 {
			return false, true
		}
		long, ok := c.t.copyLeaf(c.s, c.leaf)
		if !ok {
			return false, false
		}
		budget -= 1 + long
	}
	return true, c.t.copyNodes(c.s)
}
