package heap

// Detached is what a heap held when it was emptied, until it is given back.
type Detached struct {
	arena *Arena
	list  uint32
	bigs  uint32
}

// Detach empties a heap in constant time. Its blocks are gone at once; the memory
// stays taken until Free has given it back.
func (h *Heap) Detach() Detached {
	d := Detached{arena: h.arena, list: h.list, bigs: h.bigs}
	h.Init(h.arena)
	return d
}

// Free gives about budgetChunks chunks back to the arena, without touching the
// memory, and reports whether all are given back.
func (d *Detached) Free(budgetChunks int) (done bool) {
	for ; d.bigs != 0 && budgetChunks > 0; budgetChunks-- {
		index := d.bigs
		link := d.arena.links[index]
		d.bigs, d.arena.links[index] = link.next, chunkLink{}
		d.arena.give(index, link.run())
		budgetChunks -= int(link.run() / 64) // a big block costs a word for each 64
	}
	for ; d.list != 0 && budgetChunks > 0; budgetChunks-- {
		index := d.list
		d.list, d.arena.links[index] = d.arena.links[index].next, chunkLink{}
		d.arena.give(index, 1)
	}
	return d.bigs == 0 && d.list == 0
}
