package linhash

import "sherd/internal/heap"

// Copying is a copy of a table under way. The table must not change meanwhile.
type Copying struct {
	t, s   Table
	bucket uint64 // of s, the next
}

// StartCopy begins a copy of a table in another heap, or the same. False: out of
// memory.
func StartCopy(to, from *heap.Heap, ref heap.Ref) (c Copying, ok bool) {
	c.s = Open(from, ref)
	c.t, ok = New(to, c.s.root.width == hashWidth, c.s.root.seed)
	return c, ok
}

// Ref returns where the copy is. Until it is complete it may only be freed.
func (c *Copying) Ref() heap.Ref { return c.t.ref }

// Step copies about budget blocks. ok is false when memory is exhausted: what there
// is of the copy is to be freed.
func (c *Copying) Step(budget int) (done, ok bool) {
	t, s := &c.t, &c.s
	for ; c.bucket < s.root.buckets; c.bucket++ {
		if budget <= 0 {
			return false, true
		}
		if c.bucket > 0 && !t.extend() {
			return false, false
		}
		before := t.root.bytes
		if !t.copyBucket(s, c.bucket) {
			return false, false
		}
		budget -= 1 + int(t.root.bytes-before)/bytesAsBlock
	}
	for page := range s.pagesUsed() {
		t.record(page).dueMs = s.record(page).dueMs
	}
	t.root.count, t.root.weight, t.root.dated, t.root.most = s.root.count, s.root.weight, s.root.dated, s.root.most
	return true, true
}

// bytesAsBlock is how many bytes take as long to copy as a block takes beside them.
const bytesAsBlock = 4096

// Copy makes a copy of a table in another heap, or the same. False: out of memory,
// and nothing is left behind.
func Copy(to, from *heap.Heap, ref heap.Ref) (heap.Ref, bool) {
	c, ok := StartCopy(to, from, ref)
	if !ok {
		return 0, false
	}
	for done := false; !done; {
		if done, ok = c.Step(1 << 20); !ok {
			for ref := c.Ref(); ref != 0; {
				ref = Free(to, ref, 1<<20)
			}
			return 0, false
		}
	}
	return c.Ref(), true
}
