package list

import "sherd/internal/heap"

// Copying is a copy of a large list under way. The list must not change meanwhile.
type Copying struct {
	l, old List
	i      int // node of the old one, the next
}

// StartCopy begins a copy of a large list in another heap, or the same. False: out of
// memory.
func StartCopy(to, from *heap.Heap, enc uint8, ref heap.Ref) (c Copying, ok bool) {
	c.old = List{h: from, a: from.Arena(), ref: ref, enc: enc}
	c.l = List{h: to, a: to.Arena()}
	if !c.l.newRoot() {
		return c, false
	}
	if o := c.old.root(); o.nodes > leastSlots && !c.l.resize(c.l.root(), o.slots) {
		c.l.Free()
		return c, false
	}
	return c, true
}

// Ref is where the copy is. Until it is complete it may only be freed.
func (c *Copying) Ref() heap.Ref { return c.l.ref }

// blocksOfNode is what copying a node of 8 KiB counts.
const blocksOfNode = 4

// Step copies about budget blocks. ok is false when memory is exhausted: what there
// is of the copy is to be freed.
func (c *Copying) Step(budget int) (done, ok bool) {
	r, o := c.l.root(), c.old.root()
	for ; c.i < int(o.nodes); c.i++ {
		if budget <= 0 {
			return false, true
		}
		old := *c.old.node(o, c.i)
		n := c.l.copyNode(r, &c.old, old)
		if n != 0 && !c.l.open(r, c.i, n) {
			c.l.release(r, n)
			n = 0
		}
		if n == 0 {
			return false, false
		}
		r.elements += uint64(n.count())
		budget -= blocksOfNode
		if old.plain() {
			budget -= len(c.old.plainBytes(old)) / (frameSize / blocksOfNode)
		}
	}
	return true, true
}
