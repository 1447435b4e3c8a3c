package shard

import (
	"time"

	"sherd/internal/heap"
	"sherd/internal/metrics"
	"sherd/internal/store/dash"
)

// Keeper does the housekeeping of one loop's slices: it removes what has
// expired, frees what was emptied, and packs what has become sparse. It is owned
// by the loop, which calls Step once a turn.
//
// It goes round: slice by slice, and in each
//
//	graves   what FLUSHDB and FLUSHALL took away is freed
//	fields   hashes and sets with something due in them are swept, some buckets at a time
//	expire   tables with something due are swept, segment by segment
//	pack     if much of the slice's memory is waste: sparse segments shrink,
//	         entries move out of sparse spans, free pages are given back
//
// Work is done in pieces of at most a segment, about 100 µs, each in a hold of
// the slice's latch of its own; a slice that is held is looked at again later.
// A round in which nothing is to do costs some 30 ns a slice.
//
// How much: a step takes as long as is the keeper's share of the time since the
// step before, so that a busy loop gives it 25 % at active-expire-effort 1 and
// 70 % at 10, and a loop with nothing else to do all its time. How often: when the
// earliest known deadline has come, and at least once a second; but a round that
// removed few keys for its effort is followed by a pause nine times as long.
type Keeper struct {
	Counts KeeperCounts // owned by the loop

	k      *Keyspace
	lo, hi int
	packs  []packing // by slice, from lo on

	// The round under way.
	round    bool
	slice    int
	stage    stage
	db       int
	cursor   uint64
	busy     int   // how often the slice was found held
	dueMs    int64 // earliest deadline met
	again    bool  // something was left undone
	waits    bool  // a slice is to be packed when it stands still
	worked   uint64
	expired  int64
	heaps    []heap.Detached
	entries  []dash.Entry
	freeable bool // chunks went to the arena

	earliest uint64 // ticks; bounds of the next round's time
	latest   uint64
	lastEnd  uint64 // ticks; when the last step ended
	tickNs   float64
}

// KeeperCounts add up over the keeper's life.
type KeeperCounts struct {
	Expired int64  // keys
	Fields  int64  // of hashes, and members of sets, that expired
	Ticks   uint64 // of the cycle counter, spent expiring
	Moved   int64  // blocks moved to pack memory
	Packed  int64  // slices packed
	Freed   int64  // keys of FLUSHDB and FLUSHALL whose memory was given back
}

type stage uint8

const (
	stageGraves stage = iota
	stageFields
	stageExpire
	stageLook // is packing needed?
	stagePack
)

// packing is what the keeper remembers of a slice between rounds.
type packing struct {
	used   int64  // by the heap in the last round
	packed int64  // used after the last packing
	most   int64  // used at most since it was last packed anew
	left   int64  // waste that the last packing could not win
	notYet uint64 // ticks; no packing before, unless much was lost
	since  uint64 // ticks; used has not changed since
	anew   bool   // it is being packed anew
}

const (
	stepMost  = 200 * time.Microsecond
	stepLeast = 30 * time.Microsecond

	roundMost  = time.Second            // longest pause between rounds
	roundWaits = 100 * time.Millisecond // the same while a slice is shrinking
	roundAgain = time.Millisecond       // and when a slice was held whenever it was looked at
	roundLeast = 25 * time.Millisecond  // shortest pause after a round that found little for its effort
	pauseTimes = 9                      // such a round is followed by a pause so many times as long,
	pauseMost  = 250 * time.Millisecond // up to this

	cheapExpiry = time.Microsecond // per key: a round that takes no longer pays

	freeEntries = 512 // of a detached table, in one hold
	freeChunks  = 256 // of a detached heap, in one go

	packPercent = 10       // a slice is packed when its waste exceeds so much of what is used
	packLeast   = 10 << 10 // and so many bytes
	packSlack   = 5        // per cent that the heap may plan to leave
	packEvery   = 5 * time.Second

	restAfter  = time.Second // a slice that has not changed for so long is at rest
	restWaste  = 4 << 10     // bytes; what one at rest may waste
	restShrink = 16          // and it is packed anew if it has lost a part in so many

	looseEntry = 18      // bytes of table per key beyond which segments are sparse
	looseLeast = 4 << 10 // bytes
)

// NewKeeper makes the keeper of a loop.
func (k *Keyspace) NewKeeper(loop int) *Keeper {
	lo, hi := k.Home(loop)
	return &Keeper{k: k, lo: lo, hi: hi, packs: make([]packing, hi-lo)}
}

// Step works for a short while. nowMs is the shared clock's time, effort is
// active-expire-effort, 1 to 10. The loop may sleep as long as Step returns; 0
// means that there is more to do.
func (p *Keeper) Step(nowMs int64, effort int) time.Duration {
	now := metrics.Ticks()
	if !p.round {
		if wait := p.untilRound(now, nowMs); wait > 0 {
			return wait
		}
		p.begin()
	}
	if p.tickNs == 0 {
		p.tickNs = metrics.NsPerTick()
	}
	used := int64(0)
	end := now + p.budget(now, effort)
	for (p.slice < p.hi || len(p.heaps) > 0) && now < end {
		if len(p.heaps) > 0 {
			p.freeHeaps()
			now = metrics.Ticks()
			continue
		}
		s := p.k.Slice(p.slice)
		if !s.Spin() {
			// Perhaps in the next turn; a packing under way has to come to its end.
			if p.busy++; p.busy < 3 || p.stage == stagePack {
				break
			}
			p.again = true
			p.next()
			continue
		}
		before := s.Heap.Used()
		if p.tend(s, nowMs, now) {
			used += s.Heap.Used() - before
			s.Release()
		} else {
			s.ReleaseUnchanged()
		}
		then := now
		now = metrics.Ticks()
		p.worked += now - then
	}
	if used != 0 {
		p.k.Used.Add(used)
	}
	p.lastEnd = now
	if p.slice < p.hi || len(p.heaps) > 0 {
		return 0
	}
	p.finish(now)
	return p.untilRound(now, nowMs)
}

// budget is how many ticks a step may take.
func (p *Keeper) budget(now uint64, effort int) uint64 {
	share := 0.20 + 0.05*float64(min(max(effort, 1), 10))
	ns := float64(now-p.lastEnd) * p.tickNs * share / (1 - share)
	return p.ticks(min(max(time.Duration(ns), stepLeast), stepMost))
}

// untilRound is how long the next round may wait: until the earliest deadline
// that is known, but no longer than latest, since others set deadlines too, and
// no shorter than earliest.
func (p *Keeper) untilRound(now uint64, nowMs int64) time.Duration {
	if now >= p.latest {
		return 0
	}
	wait := time.Duration(float64(p.latest-now) * p.tickNs)
	if p.dueMs != 0 {
		wait = min(wait, time.Duration(max(p.dueMs-nowMs, 0))*time.Millisecond)
	}
	if now < p.earliest {
		wait = max(wait, time.Duration(float64(p.earliest-now)*p.tickNs))
	}
	return wait
}

func (p *Keeper) begin() {
	p.round = true
	p.slice = p.lo - 1
	p.dueMs, p.again, p.waits = 0, false, false
	p.worked, p.expired = 0, 0
	p.next()
}

// next turns to the next slice.
func (p *Keeper) next() {
	p.slice++
	p.stage, p.db, p.cursor, p.busy = stageGraves, 0, 0, 0
}

// finish ends a round and sets the time of the next one.
func (p *Keeper) finish(now uint64) {
	p.round = false
	worked := time.Duration(float64(p.worked) * p.tickNs)
	least, most := time.Duration(0), roundMost
	switch {
	case p.again:
		most = roundAgain
	case p.waits:
		most = roundWaits
	}
	if p.expired > 0 && worked > time.Duration(p.expired)*cheapExpiry {
		least = min(max(worked*pauseTimes, roundLeast), pauseMost)
	}
	p.earliest = now + p.ticks(least)
	p.latest = now + p.ticks(max(most, least))
	if p.freeable {
		p.freeable = false
		p.k.scavenge()
	}
}

func (p *Keeper) ticks(d time.Duration) uint64 { return uint64(float64(d) / p.tickNs) }

// tend does one piece of work in a latched slice and moves on; it reports
// whether it changed anything.
func (p *Keeper) tend(s *Slice, nowMs int64, now uint64) (changed bool) {
	for {
		switch p.stage {
		case stageGraves:
			if s.graves != nil {
				p.freeTables(s)
				return true
			}
			p.stage = stageFields
		case stageFields:
			if swept, changed := p.sweepFields(s, nowMs); swept {
				return changed
			}
			p.stage = stageExpire
		case stageExpire:
			for ; p.db < p.k.Databases; p.db++ {
				if p.k.IsOpen(p.db) {
					if swept, changed := p.sweep(s, nowMs); swept {
						return changed
					}
				}
			}
			p.stage, p.db = stageLook, 0
		case stageLook:
			if !p.sparse(s, now) {
				p.next()
				return false
			}
			s.Heap.PlanEvacuation(packSlack, p.packs[p.slice-p.lo].anew)
			p.stage = stagePack
			return true
		case stagePack:
			p.pack(s, now)
			return true
		}
	}
}

// freeTables frees some of what was emptied.
func (p *Keeper) freeTables(s *Slice) {
	g := s.graves
	p.heaps = append(p.heaps, g.heaps...)
	g.heaps = nil
	if n := len(g.values); n > 0 {
		if g.values[n-1] = g.values[n-1].Free(&s.Heap, freeEntries); g.values[n-1].Ref == 0 {
			g.values = g.values[:n-1]
		}
	} else if n := len(g.tables); n > 0 {
		if g.tables[n-1].FreeSomeEach(&s.Heap, freeEntries, s.dropEntry) {
			g.tables[n-1] = dash.Table{}
			g.tables = g.tables[:n-1]
		}
	}
	if len(g.tables)+len(g.values) == 0 {
		p.Counts.Freed += int64(g.keys)
		s.graves = nil
		p.packs[p.slice-p.lo] = packing{}
		p.freeable = true
	}
}

// freeHeaps gives a detached heap's chunks back; it needs no latch.
func (p *Keeper) freeHeaps() {
	n := len(p.heaps) - 1
	if p.heaps[n].Free(freeChunks) {
		p.heaps[n] = heap.Detached{}
		p.heaps = p.heaps[:n]
	}
}

// sweep removes what is due in a segment of the table under way. It reports
// whether it did any work, and whether it changed anything.
func (p *Keeper) sweep(s *Slice, nowMs int64) (swept, changed bool) {
	t := p.k.Table(p.db, s)
	if p.cursor == 0 {
		if t.Volatile() == 0 {
			return false, false
		}
		if due := t.NextDeadline(); due > nowMs {
			p.noteDue(due)
			return false, false
		}
	}
	from := metrics.Ticks()
	p.entries, p.cursor = t.Expired(&s.Heap, p.cursor, nowMs, p.entries[:0])
	for _, e := range p.entries {
		s.Delete(t, e)
	}
	n := int64(len(p.entries))
	p.expired += n
	p.Counts.Expired += n
	p.Counts.Ticks += metrics.Ticks() - from
	if p.cursor == 0 {
		if t.Volatile() > 0 {
			p.noteDue(t.NextDeadline())
		}
		p.db++
	}
	return true, n > 0
}

func (p *Keeper) noteDue(ms int64) {
	if p.dueMs == 0 || ms < p.dueMs {
		p.dueMs = ms
	}
}

// sparse decides whether a slice is to be packed: when much of what it holds is
// waste and it neither shrinks still nor grows. Waste that the last packing had to
// leave, a heap's last chunk above all, counts for nothing, unless the slice has
// lost much since. One that has come to rest after it shrank is packed for less:
// those that were packed while they still shrank would keep what they wasted since.
func (p *Keeper) sparse(s *Slice, now uint64) bool {
	m := &p.packs[p.slice-p.lo]
	used, was := s.Heap.Used(), m.used
	m.used = used
	m.anew = false
	m.most = max(m.most, used)
	if used != was {
		m.since = now
	}
	waste := s.Heap.Held() + s.Heap.Idle() - used
	if used < m.most-m.most/restShrink && waste > used*packPercent/100+restWaste {
		// Packed on the way or not, what it has come to is packed once.
		if now-m.since >= p.ticks(restAfter) {
			m.anew = true
			return true
		}
		p.waits = true
	}
	lost := used < m.packed-m.packed/4
	switch {
	case waste > used*packPercent/100+packLeast:
		if !lost && waste <= m.left+m.left/8+packLeast/8 {
			return false
		}
	case !p.loose(s):
		return false
	}
	if now < m.notYet && !lost {
		return false
	}
	if used < was-was/32 {
		p.waits = true
		return false
	}
	return used <= was+was/32 // what grows uses up its waste
}

// loose tells whether the segments of a slice's tables, which the heap counts as
// used, are sparse.
func (p *Keeper) loose(s *Slice) bool {
	for db := range p.k.Databases {
		if p.k.IsOpen(db) {
			t := p.k.Table(db, s)
			if t.TableBytes() > int64(t.Len())*looseEntry+looseLeast {
				return true
			}
		}
	}
	return false
}

// pack tends one segment of the table under way.
func (p *Keeper) pack(s *Slice, now uint64) {
	for p.db < p.k.Databases && !p.k.IsOpen(p.db) {
		p.db++
	}
	if p.db < p.k.Databases {
		var moved int
		p.cursor, moved = p.k.Table(p.db, s).Shrink(&s.Heap, p.cursor)
		p.Counts.Moved += int64(moved)
		if p.cursor == 0 {
			p.db++
		}
		return
	}
	s.Heap.FinishEvacuation()
	s.Heap.Trim()
	m := &p.packs[p.slice-p.lo]
	m.used = s.Heap.Used()
	m.packed = m.used
	if m.anew {
		m.most = m.used
	}
	m.left = s.Heap.Held() + s.Heap.Idle() - m.used
	m.notYet = now + p.ticks(packEvery)
	p.Counts.Packed++
	p.freeable = true
	p.next()
}
