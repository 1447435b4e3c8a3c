package shard

import (
	"sherd/internal/store/dash"
	"sherd/internal/store/value"
)

// fieldQueue is what a slice knows of hashes whose fields, and sets whose members,
// have deadlines: which of a database is to be looked at when. It is a heap by time.
// One may be in it twice, or be gone: what counts is found out when its time has
// come. It is owned by the holder of the slice's latch.
type fieldQueue struct {
	due   []dueKey
	times map[string]int64 // the earliest time in due of each key
	probe int              // where in due the search for what is gone goes on
}

type dueKey struct {
	ms   int64
	hash uint64
	key  string
}

// fieldSweep is how many buckets of a large hash are looked at in one hold.
const fieldSweep = 64

// NoteFields tells the housekeeping that a hash or set in a database has a field or
// member whose deadline is dueMs. The latch is held.
func (s *Slice) NoteFields(db int, key []byte, hash uint64, dueMs int64) {
	for len(s.fields) <= db {
		s.fields = append(s.fields, nil)
	}
	q := s.fields[db]
	if q == nil {
		q = &fieldQueue{times: map[string]int64{}}
		s.fields[db] = q
	}
	if ms, ok := q.times[string(key)]; ok && ms <= dueMs {
		return
	}
	q.push(dueKey{dueMs, hash, string(key)})
}

// queue returns what is known of a database; nil: nothing.
func (s *Slice) queue(db int) *fieldQueue {
	if db < len(s.fields) {
		return s.fields[db]
	}
	return nil
}

// forgetFields forgets what is known of a database.
func (s *Slice) forgetFields(db int) {
	if db < len(s.fields) {
		s.fields[db] = nil
	}
}

func (q *fieldQueue) push(d dueKey) {
	q.times[d.key] = d.ms
	q.due = append(q.due, d)
	q.rise(len(q.due) - 1)
}

func (q *fieldQueue) pop() dueKey {
	top := q.due[0]
	q.remove(0)
	return top
}

// remove takes due[i] out.
func (q *fieldQueue) remove(i int) {
	last := len(q.due) - 1
	q.due[i] = q.due[last]
	q.due[last] = dueKey{}
	q.due = q.due[:last]
	if i < last {
		q.sink(i)
		q.rise(i)
	}
}

// rise moves due[i] towards the top as far as it belongs.
func (q *fieldQueue) rise(i int) {
	for i > 0 {
		up := (i - 1) / 2
		if q.due[up].ms <= q.due[i].ms {
			break
		}
		q.due[up], q.due[i] = q.due[i], q.due[up]
		i = up
	}
}

// sink moves due[i] away from the top as far as it belongs.
func (q *fieldQueue) sink(i int) {
	for last := len(q.due); ; {
		down := 2*i + 1
		if down+1 < last && q.due[down+1].ms < q.due[down].ms {
			down++
		}
		if down >= last || q.due[i].ms <= q.due[down].ms {
			break
		}
		q.due[down], q.due[i] = q.due[i], q.due[down]
		i = down
	}
}

// scrub looks at some of what is not due yet, round after round, and forgets what is
// gone or stands there twice: keys that are deleted long before anything in them is
// due, or given earlier and earlier deadlines, must not add up.
func (p *Keeper) scrub(s *Slice, db int) {
	q := s.fields[db]
	for range max(16, len(q.due)/64) {
		if len(q.due) == 0 {
			return
		}
		if q.probe >= len(q.due) {
			q.probe = 0
		}
		d := q.due[q.probe]
		current := q.times[d.key] == d.ms
		if current {
			e, ok := p.k.Table(db, s).Find(&s.Heap, d.hash, []byte(d.key))
			if ok && e.Kind() != dash.String && value.Of(e).HasRoomForDeadlines() {
				q.probe++
				continue
			}
			delete(q.times, d.key)
		}
		q.remove(q.probe)
	}
}

// swapFields renames databases a and b.
func (s *Slice) swapFields(a, b int) {
	if s.queue(a) == nil && s.queue(b) == nil {
		return
	}
	for len(s.fields) <= max(a, b) {
		s.fields = append(s.fields, nil)
	}
	s.fields[a], s.fields[b] = s.fields[b], s.fields[a]
}

// sweepFields removes what is due from one hash or set. It reports whether it did
// any work, and whether it changed anything.
func (p *Keeper) sweepFields(s *Slice, nowMs int64) (swept, changed bool) {
	for db, q := range s.fields {
		if q == nil {
			continue
		}
		if len(q.due) == 0 {
			s.fields[db] = nil
			continue
		}
		if q.due[0].ms <= nowMs {
			return true, p.sweepDue(s, db, nowMs)
		}
		p.scrub(s, db)
		if len(q.due) > 0 {
			p.noteDue(q.due[0].ms)
		}
	}
	return false, false
}

// sweepDue removes what is due from the first of a queue. It reports whether it
// changed anything.
func (p *Keeper) sweepDue(s *Slice, db int, nowMs int64) (changed bool) {
	q := s.fields[db]
	d := q.pop()
	if q.times[d.key] != d.ms {
		return false // there is another, earlier or later
	}
	delete(q.times, d.key)
	t := p.k.Table(db, s)
	e, ok := t.Find(&s.Heap, d.hash, []byte(d.key))
	if !ok || e.Kind() == dash.String {
		return false
	}
	v, removed, next, more := value.Of(e).Expire(&s.Heap, nowMs, fieldSweep)
	p.Counts.Fields += int64(removed)
	switch {
	case v.Ref == 0:
		t.Delete(&s.Heap, e)
		return true
	case e.Ref() != v.Ref:
		e.SetRef(v.Ref)
	}
	if more {
		next = nowMs
	}
	if next != 0 {
		q.push(dueKey{next, d.hash, d.key})
	}
	return removed > 0
}
