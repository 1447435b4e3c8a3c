package dash

import "sherd/internal/heap"

// Detach empties the table in constant time and returns what it held, to be freed
// step by step with FreeSome or given up with the whole heap.
func (t *Table) Detach() Table {
	d := *t
	d.sweep = sweep{}
	t.setRoot(0)
	*t = Table{Seed: t.Seed}
	return d
}

// FreeSome frees some of a detached table: whole segments, until budget entries or
// more are gone. True when nothing is left. Containers must be freed by then; see
// FreeSomeEach.
func (t *Table) FreeSome(h *heap.Heap, budget int) (done bool) {
	return t.FreeSomeEach(h, budget, nil)
}

// FreeSomeEach is FreeSome and calls drop, if not nil, for every entry that is not
// a string before it is freed.
func (t *Table) FreeSomeEach(h *heap.Heap, budget int, drop func(Entry)) (done bool) {
	base := h.Arena().Base()
	cursor := t.sweep.at
	for t.root != 0 {
		if budget <= 0 {
			t.sweep.at = cursor
			return false
		}
		seg := t.segOf(base, cursorHash(cursor))
		for w := walk(base, seg); w.next(); budget-- {
			if e := (Entry{base, w.slot, seg}); drop != nil && e.Kind() != String {
				drop(e)
			}
			t.count--
			if w.word&volatile != 0 {
				t.volatile--
			}
			freeBlock(h, w.word)
		}
		budget--
		cursor = segmentEnd(seg, cursor)
		t.freeSegment(h, seg)
		if cursor == 0 {
			if root := segWord(t.root); root.depth() > 0 {
				t.freeDirectory(h, root)
			}
			t.setRoot(0)
		}
	}
	return true
}
