package shard

import (
	"sherd/internal/store/dash"
	"sherd/internal/store/value"
)

// dropAtOnce is how many blocks of a container are freed when it goes. What has
// more is freed by the housekeeping, a piece in each hold of the latch.
const dropAtOnce = 64

// Delete removes an entry of one of the slice's tables, with all that it holds.
// The latch is held.
func (s *Slice) Delete(t *dash.Table, e dash.Entry) {
	if e.Kind() != dash.String {
		s.Drop(value.Of(e))
	}
	t.Delete(&s.Heap, e)
}

// Drop frees a container that no entry refers to any more, or is about to cease
// to. It takes a bounded time; the rest is left to the housekeeping.
func (s *Slice) Drop(v value.Handle) {
	if v = v.Free(&s.Heap, dropAtOnce); v.Ref != 0 {
		g := s.bury()
		g.values = append(g.values, v)
	}
}

func (s *Slice) dropEntry(e dash.Entry) { s.Drop(value.Of(e)) }

// FreeMoved frees a value that was taken out of one of the slice's tables and is
// not inserted again.
func (s *Slice) FreeMoved(m dash.Moved) {
	if m.Kind() != dash.String {
		s.Drop(value.Handle{Kind: m.Kind(), Encoding: m.Encoding(), Ref: m.Ref()})
	}
	m.Free(&s.Heap)
}
