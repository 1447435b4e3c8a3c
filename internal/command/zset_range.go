package command

import (
	"sherd/internal/store/zset"
	"sherd/internal/wire/resp"
)

const (
	errZRangeLimit  = "ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX"
	errZRangeScores = "ERR syntax error, WITHSCORES not supported in combination with BYLEX"
)

// rangeForm is what a command of the ZRANGE family says by its name.
type rangeForm struct {
	auto    bool // BYSCORE, BYLEX and REV are options
	by      rangeBy
	reverse bool
	store   bool // ZRANGESTORE
}

func runZRange(x *Ctx)           { x.zrangeMembers(rangeForm{auto: true}) }
func runZRevRange(x *Ctx)        { x.zrangeMembers(rangeForm{reverse: true}) }
func runZRangeByScore(x *Ctx)    { x.zrangeMembers(rangeForm{by: rangeByScore}) }
func runZRevRangeByScore(x *Ctx) { x.zrangeMembers(rangeForm{by: rangeByScore, reverse: true}) }
func runZRangeByLex(x *Ctx)      { x.zrangeMembers(rangeForm{by: rangeByLex}) }
func runZRevRangeByLex(x *Ctx)   { x.zrangeMembers(rangeForm{by: rangeByLex, reverse: true}) }
func runZRangeStore(x *Ctx)      { x.zrangeMembers(rangeForm{auto: true, store: true}) }

func (x *Ctx) zrangeMembers(f rangeForm) {
	r := zrange{by: f.by}
	args := x.Args[2:]
	source := &x.Keys[0]
	if f.store {
		args = x.Args[3:]
		source = &x.Keys[1]
	}
	var offset, count int64 = 0, -1
	scores, typed := false, !f.auto
	for i := 2; i < len(args); i++ {
		switch a := args[i]; {
		case !f.store && is(a, "WITHSCORES"):
			scores = true
		case is(a, "LIMIT") && i+2 < len(args):
			var ok, also bool
			offset, ok = resp.ParseInt64(args[i+1])
			count, also = resp.ParseInt64(args[i+2])
			if !ok || !also {
				x.Error(errNotInteger)
				return
			}
			i += 2
		case f.auto && !f.reverse && is(a, "REV"):
			f.reverse = true
		case !typed && is(a, "BYLEX"):
			r.by, typed = rangeByLex, true
		case !typed && is(a, "BYSCORE"):
			r.by, typed = rangeByScore, true
		default:
			x.Syntax()
			return
		}
	}
	switch {
	case count != -1 && r.by == rangeByRank:
		x.Error(errZRangeLimit)
		return
	case scores && r.by == rangeByLex:
		x.Error(errZRangeScores)
		return
	}
	a, b := args[0], args[1]
	if f.reverse && r.by != rangeByRank {
		a, b = b, a
	}
	if r.by == rangeByRank {
		offset = 0
	}
	if !x.parseBounds(&r, a, b) {
		return
	}
	s, ok, wrong := x.readZSet(source)
	if wrong {
		return
	}
	var from, n int64
	if ok {
		from, n = r.window(&s, f.reverse, offset, count)
	}
	switch {
	case f.store:
		x.zrangeStore(&s, from, n, f.reverse)
	case n == 0:
		x.Array(0)
	default:
		it := s.Iter(from, f.reverse)
		x.members(&it, n, scores)
	}
}

// zrangeStore stores a range of a set under the first key.
func (x *Ctx) zrangeStore(s *zset.Set, from, n int64, reverse bool) {
	if n == 0 {
		x.storeZSet(&x.Keys[0], nil)
		return
	}
	it := s.Iter(from, reverse)
	c := zcopy{it: it, left: n, total: n}
	var ok bool
	first := s.Iter(from, reverse)
	first.Next()
	memberBytes := len(first.Member())
	if n > x.Conf.ZSetMaxPackedEntries {
		memberBytes = int(x.Conf.ZSetMaxPackedBytes) + 1
	}
	if c.result, ok = x.makeZSet(&x.Keys[0], memberBytes); !ok {
		return
	}
	if n <= zsetPiece {
		if c.copy(x, &x.Keys[0]) {
			x.storeZSet(&x.Keys[0], &c.result)
		}
		return
	}
	later := c
	later.key = x.keepKey(&x.Keys[0])
	x.KeepLatched(&later)
}

// keepKey makes a key independent of the receive buffer.
func (x *Ctx) keepKey(k *Key) Key {
	kept := *k
	kept.Bytes = append([]byte(nil), k.Bytes...)
	return kept
}

// zcopy is a range on its way into another set.
type zcopy struct {
	it          zset.Iter
	left, total int64
	result      zset.Set
	key         Key
}

// copy takes some members over; false: out of memory, and the error has been
// replied.
func (c *zcopy) copy(x *Ctx, k *Key) bool {
	var at zset.Spot
	for range min(c.left, zsetPiece) {
		c.it.Next()
		m := c.it.Member()
		c.result.Find(m, &at)
		if !c.result.Insert(m, c.it.Score(), &at) {
			k.Slice.Drop(zsetHandle(&c.result))
			x.outOfMemory()
			return false
		}
	}
	c.left -= min(c.left, zsetPiece)
	return true
}

// Step takes some members over and, after the last, stores the result.
func (c *zcopy) Step(x *Ctx) bool {
	if !c.copy(x, &c.key) {
		return true
	}
	if c.left > 0 {
		return false
	}
	x.storeZSet(&c.key, &c.result)
	return true
}

// storeZSet puts a result under a key, whatever that held, and replies how many
// members it has; nil, or without members, it removes the key.
func (x *Ctx) storeZSet(k *Key, s *zset.Set) {
	if s != nil && s.Len() > 0 {
		if x.CreateOver(k, zsetHandle(s), 0) {
			x.Changed(1)
			x.Int(s.Len())
		}
		return
	}
	if s != nil {
		k.Slice.Drop(zsetHandle(s))
	}
	if e, ok := x.Find(k); ok {
		x.Remove(k, e)
	}
	x.Int(0)
}
