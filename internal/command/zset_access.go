package command

import (
	"sherd/internal/store/dash"
	"sherd/internal/store/value"
	"sherd/internal/store/zset"
	"sherd/internal/wire/resp"
)

// zsetPiece is how many members a command on sorted sets deals with before
// others have their turn.
const zsetPiece = 4096

func (x *Ctx) zsetLimits() zset.Limits {
	return zset.Limits{Entries: int(x.Conf.ZSetMaxPackedEntries), Bytes: int(x.Conf.ZSetMaxPackedBytes)}
}

func (x *Ctx) openZSet(k *Key, e dash.Entry) zset.Set {
	return zset.Open(&k.Slice.Heap, e.Encoding(), e.Ref(), x.Table(k).Seed, x.zsetLimits())
}

// readZSet looks a sorted set up for a reading command. ok is false when there is
// none; wrong is true, and the error has been replied, when the key holds another
// type.
func (x *Ctx) readZSet(k *Key) (s zset.Set, ok, wrong bool) {
	e, ok, wrong := x.ReadKind(k, dash.ZSet)
	if !ok {
		return s, false, wrong
	}
	return x.openZSet(k, e), true, false
}

// zsetEdit is a sorted set that a command changes.
type zsetEdit struct {
	zset.Set
	k     *Key
	e     dash.Entry
	there bool // the key has it
	spot  zset.Spot
}

// editZSet looks a sorted set up to be changed. False: the key holds another
// type, and the error has been replied.
func (x *Ctx) editZSet(k *Key, d *zsetEdit) bool {
	e, ok, wrong := x.FindKind(k, dash.ZSet)
	if wrong {
		return false
	}
	d.k, d.e, d.there = k, e, ok
	if ok {
		d.Set = x.openZSet(k, e)
	}
	return true
}

// makeZSet makes a new set for a key that has none, which gets members of up to
// so many bytes; false: out of memory, and the error has been replied.
func (x *Ctx) makeZSet(k *Key, memberBytes int) (s zset.Set, ok bool) {
	s, ok = zset.New(&k.Slice.Heap, memberBytes, x.Table(k).Seed, x.zsetLimits())
	if !ok {
		x.outOfMemory()
	}
	return s, ok
}

func zsetHandle(s *zset.Set) value.Handle {
	return value.Handle{Kind: dash.ZSet, Encoding: s.Encoding(), Ref: s.Ref()}
}

// settleZSet ends an edit: a new set gets its key, a changed one is where it is
// now, and an empty one goes. False: out of memory, and the error has been
// replied.
func (x *Ctx) settleZSet(d *zsetEdit) bool {
	switch {
	case d.Set.Ref() == 0:
		return true
	case d.Len() == 0:
		d.k.Slice.Drop(zsetHandle(&d.Set))
		if d.there {
			x.Vacate(d.k, d.e)
		}
		return true
	case !d.there:
		return x.Create(d.k, zsetHandle(&d.Set), 0)
	}
	x.Rehome(d.e, d.Encoding(), d.Ref())
	return true
}

// Double replies a score.
func (x *Ctx) Double(f float64) { x.Out = resp.AppendDouble(x.Out, f, x.C.Proto) }

// pairsHead begins an array of n members, each followed by its score if scores
// are wanted: RESP3 has an array of two for each, RESP2 a flat one.
func (x *Ctx) pairsHead(n int64, scores bool) {
	if scores && x.C.Proto < 3 {
		n *= 2
	}
	x.Array(int(n))
}

// pair replies a member as pairsHead announced.
func (x *Ctx) pair(m []byte, score float64, scores bool) {
	if !scores {
		x.Bulk(m)
		return
	}
	if x.C.Proto >= 3 {
		x.Array(2)
	}
	x.Bulk(m)
	x.Double(score)
}

// members replies what an iterator comes to: in one go if it is not much.
func (x *Ctx) members(it *zset.Iter, n int64, scores bool) {
	x.pairsHead(n, scores)
	for range min(n, zsetPiece) {
		it.Next()
		x.pair(it.Member(), it.Score(), scores)
	}
	if n > zsetPiece {
		x.KeepLatched(&memberPairs{*it, n - zsetPiece, scores})
	}
}

// memberPairs is the rest of a long reply.
type memberPairs struct {
	it     zset.Iter
	left   int64
	scores bool
}

// Step replies some members.
func (r *memberPairs) Step(x *Ctx) bool {
	for range min(r.left, zsetPiece) {
		r.it.Next()
		x.pair(r.it.Member(), r.it.Score(), r.scores)
	}
	r.left -= min(r.left, zsetPiece)
	return r.left == 0
}
