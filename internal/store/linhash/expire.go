package linhash

// noteDeadline tells the directory's page that one of its entries has a deadline.
func (t *Table) noteDeadline(page uint64, deadlineMs int64) {
	if deadlineMs == 0 {
		return
	}
	if p := t.record(page); p.dueMs == 0 || deadlineMs < p.dueMs {
		p.dueMs = deadlineMs
	}
	if r := t.root; uint64(r.sweepPage) == page+1 && (r.sweepMs == 0 || deadlineMs < r.sweepMs) {
		r.sweepMs = deadlineMs
	}
}

// pagesUsed is the number of pages the directory has.
func (t *Table) pagesUsed() uint64 { return (t.root.buckets + pageLen - 1) >> pageShift }

// pageEnd is the number of buckets of a page.
func (t *Table) pageEnd(page uint64) uint64 {
	return min(t.root.buckets-page<<pageShift, pageLen)
}

// NextDeadline returns a time before which no entry's deadline passes; 0: none ever
// does.
func (t *Table) NextDeadline() (ms int64) {
	if t.root.dated == 0 {
		return 0
	}
	for page := range t.pagesUsed() {
		if due := t.record(page).dueMs; due != 0 && (ms == 0 || due < ms) {
			ms = due
		}
	}
	return ms
}

// Overdue counts the entries whose deadline has passed.
func (t *Table) Overdue(nowMs int64) (n int) {
	if t.root.dated == 0 {
		return 0
	}
	for page := range t.pagesUsed() {
		if due := t.record(page).dueMs; due == 0 || due > nowMs {
			continue
		}
		for i := range t.pageEnd(page) {
			w := t.word(page<<pageShift + i)
			if *w&datedBucket == 0 {
				continue
			}
			for it := t.bucketIter(w); it.Next(); {
				if ms := it.DeadlineMs(); ms != 0 && ms <= nowMs {
					n++
				}
			}
		}
	}
	return n
}

// Expire removes entries whose deadline has passed, from up to budget buckets with
// deadlines. It goes on where the last call ended; more tells whether there may be
// others.
func (t *Table) Expire(nowMs int64, budget int) (removed int, more bool) {
	for budget > 0 {
		r := t.root
		if r.sweepPage == 0 && !t.beginSweep(nowMs) {
			return removed, false
		}
		page := uint64(r.sweepPage - 1)
		for page < t.pagesUsed() && uint64(r.sweepAt) < t.pageEnd(page) && budget > 0 {
			if bucket := page<<pageShift + uint64(r.sweepAt); *t.word(bucket)&datedBucket != 0 {
				removed += t.expireBucket(bucket, nowMs)
				budget--
			}
			r.sweepAt++
		}
		if page < t.pagesUsed() && uint64(r.sweepAt) < t.pageEnd(page) {
			break
		}
		if page < t.pagesUsed() {
			t.record(page).dueMs = r.sweepMs
		}
		r.sweepMs, r.sweepPage = 0, 0
		for t.slack() && t.merge() {
		}
	}
	return removed, true
}

// beginSweep finds the next page that is due.
func (t *Table) beginSweep(nowMs int64) bool {
	if t.root.dated == 0 {
		return false
	}
	for page := range t.pagesUsed() {
		if due := t.record(page).dueMs; due != 0 && due <= nowMs {
			t.root.sweepMs, t.root.sweepPage, t.root.sweepAt = 0, uint32(page+1), 0
			return true
		}
	}
	return false
}

// expireBucket removes what is due in one bucket and notes the earliest deadline of
// the rest.
func (t *Table) expireBucket(bucket uint64, nowMs int64) (removed int) {
	w := t.word(bucket)
	still := bucketWord(0)
	for i := 0; i < w.count(); {
		e := t.entry(w, bucket, i)
		ms := e.DeadlineMs()
		switch {
		case ms == 0:
			i++
		case ms <= nowMs:
			t.remove(&e)
			removed++
		default:
			still = datedBucket
			if r := t.root; r.sweepMs == 0 || ms < r.sweepMs {
				r.sweepMs = ms
			}
			i++
		}
	}
	if *w != 0 {
		*w = *w&^datedBucket | still
	}
	return removed
}
