package value

import (
	"sherd/internal/heap"
	"sherd/internal/store/dash"
	"sherd/internal/store/hash"
	"sherd/internal/store/linhash"
	"sherd/internal/store/list"
	"sherd/internal/store/set"
	"sherd/internal/store/stream"
	"sherd/internal/store/zset"
)

// Copying is a copy of a container under way, in steps. The container must not
// change meanwhile.
type Copying struct {
	handle Handle // of the copy
	table  linhash.Copying
	list   list.Copying
	sorted zset.Copying
	stream stream.Copying
	whole  bool // a small one, copied at once
}

// StartCopy begins a copy of a container in another heap, or the same. False: out of
// memory.
func (v Handle) StartCopy(to, from *heap.Heap) (c *Copying, ok bool) {
	c = &Copying{handle: Handle{Kind: v.Kind, Encoding: v.Encoding}}
	switch {
	case v.Kind == dash.Hash && v.Encoding == hash.Hashed, v.Kind == dash.Set && v.Encoding == set.Hashed:
		c.table, ok = linhash.StartCopy(to, from, v.Ref)
		c.handle.Ref = c.table.Ref()
	case v.Kind == dash.ZSet && v.Encoding == zset.Tree:
		c.sorted, ok = zset.StartCopy(to, from, v.Ref)
		c.handle.Ref = c.sorted.Ref()
	case v.Kind == dash.List && v.Encoding == list.Deque:
		c.list, ok = list.StartCopy(to, from, v.Encoding, v.Ref)
		c.handle.Ref = c.list.Ref()
	case v.Kind == dash.Stream:
		c.stream, ok = stream.StartCopy(to, from, v.Ref)
		c.handle.Ref = c.stream.Ref()
	default:
		c.handle, ok = v.Copy(to, from)
		c.whole = true
	}
	return c, ok
}

// Step copies about budget blocks. ok is false when memory is exhausted: what there
// is of the copy is to be freed.
func (c *Copying) Step(budget int) (done, ok bool) {
	switch c.handle.Kind {
	case dash.Hash, dash.Set:
		if !c.whole {
			done, ok = c.table.Step(budget)
			c.handle.Ref = c.table.Ref()
			return done, ok
		}
	case dash.ZSet:
		if !c.whole {
			return c.sorted.Step(budget)
		}
	case dash.List:
		if !c.whole {
			return c.list.Step(budget)
		}
	case dash.Stream:
		return c.stream.Step(budget)
	}
	return true, true
}

// Handle is the copy. Until it is complete it may only be freed.
func (c *Copying) Handle() Handle { return c.handle }
