package shard

import (
	"sherd/internal/heap"
	"sherd/internal/store/dash"
	"sherd/internal/store/value"
)

// graves is what was taken away from a slice as a whole: its memory is still
// taken, and given back by the housekeeping. It is owned by the holder of the
// slice's latch.
type graves struct {
	values []value.Handle  // big containers; their blocks lie in the slice's heap
	tables []dash.Table    // their blocks lie in the slice's heap
	heaps  []heap.Detached // whole heaps
	keys   int             // that were in all of it
}

func (s *Slice) bury() *graves {
	if s.graves == nil {
		s.graves = &graves{}
	}
	return s.graves
}

// Empty takes everything out of a slice's table of a database, under its latch,
// in constant time. It returns how many keys that were.
func (k *Keyspace) Empty(db int, s *Slice) int {
	t := k.Table(db, s)
	n := t.Len()
	if n == 0 {
		return 0
	}
	for other := range k.opened {
		if other != db && k.IsOpen(other) && k.Table(other, s).Len() > 0 {
			g := s.bury()
			g.tables = append(g.tables, t.Detach())
			g.keys += n
			s.forgetFields(db)
			return n
		}
	}
	return k.EmptyAll(s) // all that the heap holds goes: nothing needs to be walked
}

// EmptyAll is Empty for all databases.
func (k *Keyspace) EmptyAll(s *Slice) int {
	n := 0
	s.fields = nil
	for db := range k.opened {
		if k.IsOpen(db) {
			t := k.Table(db, s)
			n += t.Len()
			if t.TableBytes() > 0 {
				t.Detach() // its blocks go with the heap
			}
		}
	}
	if s.graves != nil {
		s.graves.tables, s.graves.values = nil, nil // likewise
	}
	if s.Heap.Held() > 0 {
		g := s.bury()
		g.heaps = append(g.heaps, s.Heap.Detach())
		g.keys += n
	}
	return n
}
