package shard

import (
	"sherd/internal/store/dash"
	"sherd/internal/store/hash"
)

// fieldQueue is what a slice knows of hashes with fields that have deadlines: which
// is to be looked at when. It is a heap by time. A hash may be in it twice, or be
// gone: what counts is found out when its time has come. It is owned by the holder
// of the slice's latch.
type fieldQueue struct {
	due   []dueHash
	times map[hashName]int64 // the earliest time in due of each hash
	probe int                // where in due the search for what is gone goes on
}

type hashName struct {
	db  int
	key string
}

type dueHash struct {
	ms   int64
	hash uint64
	name hashName
}

// fieldSweep is how many buckets of a large hash are looked at in one hold.
const fieldSweep = 64

// NoteFields tells the housekeeping that a hash in a database has a field whose
// deadline is dueMs. The latch is held.
func (s *Slice) NoteFields(db int, key []byte, hash uint64, dueMs int64) {
	q := s.fields
	if q == nil {
		q = &fieldQueue{times: map[hashName]int64{}}
		s.fields = q
	}
	if ms, ok := q.times[hashName{db, string(key)}]; ok && ms <= dueMs {
		return
	}
	q.push(dueHash{dueMs, hash, hashName{db, string(key)}})
}

func (q *fieldQueue) push(d dueHash) {
	q.times[d.name] = d.ms
	q.due = append(q.due, d)
	q.rise(len(q.due) - 1)
}

func (q *fieldQueue) pop() dueHash {
	top := q.due[0]
	q.remove(0)
	return top
}

// remove takes due[i] out.
func (q *fieldQueue) remove(i int) {
	last := len(q.due) - 1
	q.due[i] = q.due[last]
	q.due[last] = dueHash{}
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
// gone or stands there twice: hashes that are deleted long before their fields are
// due, or given earlier and earlier deadlines, must not add up.
func (p *Keeper) scrub(s *Slice) {
	q := s.fields
	for range max(16, len(q.due)/64) {
		if len(q.due) == 0 {
			return
		}
		if q.probe >= len(q.due) {
			q.probe = 0
		}
		d := q.due[q.probe]
		current := q.times[d.name] == d.ms
		if current && p.k.IsOpen(d.name.db) {
			e, ok := p.k.Table(d.name.db, s).Find(&s.Heap, d.hash, []byte(d.name.key))
			if ok && e.Kind() == dash.Hash && e.Encoding() != hash.Packed {
				q.probe++
				continue
			}
		}
		if current {
			delete(q.times, d.name)
		}
		q.remove(q.probe)
	}
}

// swapFields renames databases a and b.
func (s *Slice) swapFields(a, b int) {
	if s.fields == nil {
		return
	}
	old := s.fields.due
	s.fields = &fieldQueue{times: make(map[hashName]int64, len(old))}
	for _, d := range old {
		switch d.name.db {
		case a:
			d.name.db = b
		case b:
			d.name.db = a
		}
		if ms, ok := s.fields.times[d.name]; !ok || d.ms < ms {
			s.fields.push(d)
		}
	}
}

// sweepFields removes fields that are due from one hash. It reports whether it did
// any work, and whether it changed anything.
func (p *Keeper) sweepFields(s *Slice, nowMs int64) (swept, changed bool) {
	q := s.fields
	if q == nil {
		return false, false
	}
	if len(q.due) == 0 {
		s.fields = nil
		return false, false
	}
	if due := q.due[0].ms; due > nowMs {
		p.scrub(s)
		if len(q.due) > 0 {
			p.noteDue(q.due[0].ms)
		}
		return false, false
	}
	d := q.pop()
	if q.times[d.name] != d.ms {
		return true, false // there is another, earlier or later
	}
	delete(q.times, d.name)
	if !p.k.IsOpen(d.name.db) {
		return true, false
	}
	t := p.k.Table(d.name.db, s)
	e, ok := t.Find(&s.Heap, d.hash, []byte(d.name.key))
	if !ok || e.Kind() != dash.Hash {
		return true, false
	}
	h := hash.Open(&s.Heap, e.Encoding(), e.Ref(), nowMs)
	removed, next, more := h.Expire(fieldSweep)
	p.Counts.Fields += int64(removed)
	switch {
	case h.Held() == 0:
		h.Free()
		t.Delete(&s.Heap, e)
		return true, true
	case e.Ref() != h.Ref():
		e.SetRef(h.Ref())
	}
	if more {
		next = nowMs
	}
	if next != 0 {
		q.push(dueHash{next, d.hash, d.name})
	}
	return true, removed > 0
}
