package command

import (
	"time"

	"sherd/internal/shard"
	"sherd/internal/store/dash"
	"sherd/internal/wire/resp"
)

// keysWalk is a KEYS under way. It visits the slices one after the other, each
// in short holds, and gathers what passes: the reply begins with the number of
// keys. KEYS is thus exact for each bucket but no snapshot of the whole; a key
// that is there throughout is reported once.
type keysWalk struct {
	sieve
	next, end int   // slices not visited yet
	busy      []int // slices that were held when it was their turn
	slice     int   // under way, or -1
	at        uint64

	pieces [][]byte // encoded keys
	n      int
	headed bool // the reply has begun

	// A slice may change between two holds, and a bucket show up again.
	held      bool   // the slice has been held before
	version   uint64 // of the slice in the last hold
	fromPiece int    // where the slice's keys begin
	fromByte  int
	seen      map[string]struct{} // the slice's keys, once it has changed
}

// pieceSize is how much of the reply is put together, or handed over, at once.
const pieceSize = 256 << 10

func runKeys(x *Ctx) {
	w := keysWalk{sieve: x.newSieve(x.Args[1], nil), slice: -1, end: x.KS.Slices()}
	if w.only >= 0 {
		w.next, w.end = w.only, w.only+1
	}
	if !w.Step(x) {
		later := w
		later.keep()
		x.Continue(&later)
	}
}

// Step goes on for about stepTime.
func (w *keysWalk) Step(x *Ctx) bool {
	began := time.Now()
	retries, visited := len(w.busy), 0
	for holds := 1; ; holds++ {
		if w.slice < 0 && !w.pick(&retries) {
			if len(w.busy) > 0 {
				return false
			}
			return w.deliver(x)
		}
		slice := x.KS.Slice(w.slice)
		if !slice.Spin() {
			if w.held {
				return false // it has to be finished before the others
			}
			w.busy = append(w.busy, w.slice)
			w.slice = -1
			continue
		}
		visited += w.hold(x, slice)
		slice.ReleaseUnchanged()
		if w.at == 0 {
			w.slice = -1
		}
		if visited >= stepBuckets || holds&1023 == 0 {
			if visited = 0; time.Since(began) > stepTime {
				return false
			}
		}
	}
}

// pick chooses the next slice: in order, then those that were busy before this
// step.
func (w *keysWalk) pick(retries *int) bool {
	switch {
	case w.next < w.end:
		w.slice = w.next
		w.next++
	case *retries > 0:
		*retries--
		w.slice = w.busy[0]
		w.busy = append(w.busy[:0], w.busy[1:]...)
	default:
		return false
	}
	w.held, w.seen = false, nil
	w.fromPiece, w.fromByte = len(w.pieces), 0
	if n := len(w.pieces); n > 0 {
		w.fromPiece, w.fromByte = n-1, len(w.pieces[n-1])
	}
	return true
}

// hold visits buckets of a latched slice and returns how many.
func (w *keysWalk) hold(x *Ctx, slice *shard.Slice) (visited int) {
	t := x.KS.Table(x.C.DB, slice)
	if t.Len() == 0 {
		w.at = 0
		return 0
	}
	word, _ := slice.Version()
	version := shard.VersionOf(word)
	if w.held && version != w.version && w.seen == nil {
		w.remember()
	}
	w.held, w.version = true, version
	for visited < holdBuckets {
		visited++
		x.L.entries, w.at = t.ScanStep(&slice.Heap, w.at, x.L.entries[:0])
		for _, e := range x.L.entries {
			if w.passes(x, e) {
				w.gather(e)
			}
		}
		if w.at == 0 {
			break
		}
	}
	return visited
}

// gather adds a key to the reply.
func (w *keysWalk) gather(e dash.Entry) {
	key := e.Key()
	if w.seen != nil {
		if _, again := w.seen[string(key)]; again {
			return
		}
		w.seen[string(key)] = struct{}{}
	}
	last := len(w.pieces) - 1
	if last < 0 || len(w.pieces[last])+len(key) > pieceSize {
		w.pieces = append(w.pieces, nil)
		last++
	}
	w.pieces[last] = resp.AppendBulk(w.pieces[last], key)
	w.n++
}

// remember collects the keys that the slice under way has given so far.
func (w *keysWalk) remember() {
	w.seen = map[string]struct{}{}
	from := w.fromByte
	for _, p := range w.pieces[w.fromPiece:] {
		for p = p[from:]; len(p) > 0; {
			n, i := 0, 1 // "$" digits CR LF key CR LF
			for ; p[i] != '\r'; i++ {
				n = n*10 + int(p[i]-'0')
			}
			w.seen[string(p[i+2:i+2+n])] = struct{}{}
			p = p[i+2+n+2:]
		}
		from = 0
	}
}

// deliver hands the reply over, a piece at a time.
func (w *keysWalk) deliver(x *Ctx) bool {
	if !w.headed {
		w.headed = true
		x.Array(w.n)
	}
	if len(w.pieces) > 0 {
		x.Out = append(x.Out, w.pieces[0]...)
		w.pieces[0] = nil
		w.pieces = w.pieces[1:]
	}
	return len(w.pieces) == 0
}

// randomKey is a RANDOMKEY under way. It draws a slice in proportion to the keys
// it holds, then a key.
type randomKey struct {
	next   int // slice to be counted
	total  int
	drawn  int
	rounds int
}

func runRandomKey(x *Ctx) {
	r := randomKey{}
	if !r.Step(x) {
		later := r
		x.Continue(&later)
	}
}

// Step counts the slices and draws, or reports that a slice was busy.
func (r *randomKey) Step(x *Ctx) bool {
	for ; r.next < x.KS.Slices(); r.next++ {
		slice := x.KS.Slice(r.next)
		if !slice.Spin() {
			return false
		}
		n := x.KS.Table(x.C.DB, slice).Len()
		slice.ReleaseUnchanged()
		if n == 0 {
			continue
		}
		// Each slice takes the place of the one drawn so far with the chance
		// that is its share of all keys counted so far.
		if r.total += n; x.L.Rand.IntN(r.total) < n {
			r.drawn = r.next
		}
	}
	if r.total == 0 || r.rounds == 16 {
		x.Null()
		return true
	}
	slice := x.KS.Slice(r.drawn)
	if !slice.Spin() {
		return false
	}
	if r.draw(x, slice) {
		return true
	}
	// The slice was emptied, or held only what has expired.
	*r = randomKey{rounds: r.rounds + 1}
	return false
}

// draw replies a key of a slice and releases it. Expired ones it meets are
// removed, so that a keyspace of nothing else comes to an end.
func (r *randomKey) draw(x *Ctx, slice *shard.Slice) (ok bool) {
	t := x.KS.Table(x.C.DB, slice)
	before, removed := slice.Heap.Used(), false
	for range 100 {
		e, found := t.Random(&slice.Heap, x.L.Rand.Uint64())
		if !found {
			break
		}
		if !x.expired(e.DeadlineMs()) {
			x.Bulk(e.Key())
			ok = true
			break
		}
		slice.Delete(t, e)
		x.L.Stats.Expired++
		removed = true
	}
	x.L.MemDelta += slice.Heap.Used() - before
	if removed {
		slice.Release()
	} else {
		slice.ReleaseUnchanged()
	}
	return ok
}
