package command

import (
	"sherd/internal/store/dash"
	"sherd/internal/wire/resp"
)

func runZRem(x *Ctx) {
	var d zsetEdit
	if !x.editZSet(&x.Keys[0], &d) {
		return
	}
	var removed int64
	if d.there {
		for _, m := range x.Args[2:] {
			if _, ok := d.Find(m, &d.spot); !ok {
				continue
			}
			d.Remove(m, &d.spot)
			removed++
			if d.Len() == 0 {
				break
			}
		}
		x.settleZSet(&d)
		x.Changed(removed)
	}
	x.Int(removed)
}

func runZRemRangeByRank(x *Ctx)  { x.removeRange(rangeByRank) }
func runZRemRangeByScore(x *Ctx) { x.removeRange(rangeByScore) }
func runZRemRangeByLex(x *Ctx)   { x.removeRange(rangeByLex) }

func (x *Ctx) removeRange(by rangeBy) {
	r := zrange{by: by}
	if !x.parseBounds(&r, x.Args[2], x.Args[3]) {
		return
	}
	var d zsetEdit
	if !x.editZSet(&x.Keys[0], &d) {
		return
	}
	if !d.there {
		x.Int(0)
		return
	}
	lo, hi := r.ranks(&d.Set)
	if n := hi - lo; n > zsetPiece && n < d.Len() {
		later := &zremoval{d: d, rank: lo, left: n, total: n, key: x.keepKey(d.k)}
		later.d.k = &later.key
		x.KeepLatched(later)
		return
	} else if n == d.Len() {
		x.Remove(d.k, d.e) // all of it: freed in slices
		x.Changed(n - 1)
	} else if n > 0 {
		d.RemoveRange(lo, n)
		x.settleZSet(&d)
		x.Changed(n)
	}
	x.Int(hi - lo)
}

// zremoval is a removal of many members under way.
type zremoval struct {
	d                 zsetEdit
	rank, left, total int64
	key               Key
}

// Step removes some members.
func (r *zremoval) Step(x *Ctx) bool {
	n := min(r.left, zsetPiece)
	r.d.RemoveRange(r.rank, n)
	if r.left -= n; r.left > 0 {
		return false
	}
	x.settleZSet(&r.d)
	x.Changed(r.total)
	x.Int(r.total)
	return true
}

func runZPopMin(x *Ctx) { x.popCount(false) }
func runZPopMax(x *Ctx) { x.popCount(true) }

func (x *Ctx) popCount(highest bool) {
	count := int64(-1)
	switch {
	case len(x.Args) > 3:
		x.Syntax()
		return
	case len(x.Args) == 3:
		var ok bool
		if count, ok = resp.ParseInt64(x.Args[2]); !ok || count < 0 {
			x.Error(errPositive)
			return
		}
	}
	var d zsetEdit
	if !x.editZSet(&x.Keys[0], &d) {
		return
	}
	if !d.there || count == 0 {
		x.Array(0)
		return
	}
	n := min(max(count, 1), d.Len())
	nested := count >= 0 && x.C.Proto >= 3
	if nested {
		x.Array(int(n))
	} else {
		x.Array(int(2 * n))
	}
	x.pop(&d, n, highest, nested)
}

// pop replies and removes the n lowest, or highest, members. With nested each is
// an array of two.
func (x *Ctx) pop(d *zsetEdit, n int64, highest, nested bool) {
	p := zpop{d: *d, left: n, highest: highest, nested: nested}
	if n <= zsetPiece {
		p.Step(x)
		return
	}
	later := p
	later.key = x.keepKey(d.k)
	later.d.k = &later.key
	x.KeepLatched(&later)
}

// zpop is members being popped.
type zpop struct {
	d               zsetEdit
	left            int64
	highest, nested bool
	key             Key
}

// Step pops some members.
func (p *zpop) Step(x *Ctx) bool {
	n, from := min(p.left, zsetPiece), int64(0)
	if p.highest {
		from = p.d.Len() - 1
	}
	it := p.d.Iter(from, p.highest)
	for range n {
		it.Next()
		if p.nested {
			x.Array(2)
		}
		x.Bulk(it.Member())
		x.Double(it.Score())
	}
	if p.highest {
		from = p.d.Len() - n
	}
	if n < p.d.Len() {
		p.d.RemoveRange(from, n)
	} else {
		// The last go: nothing has to be kept in order for them.
		p.d.k.Slice.Drop(zsetHandle(&p.d.Set))
		x.Vacate(p.d.k, p.d.e)
		x.Changed(n)
		return true
	}
	x.Changed(n)
	if p.left -= n; p.left > 0 {
		return false
	}
	x.settleZSet(&p.d)
	return true
}

func runZMPop(x *Ctx) {
	numKeys, ok := resp.ParseInt64(x.Args[1])
	if !ok || numKeys < 1 {
		x.Error("ERR numkeys should be greater than 0")
		return
	}
	if numKeys > int64(len(x.Args)-3) {
		x.Syntax()
		return
	}
	args := x.Args[2+numKeys:]
	highest := is(args[0], "MAX")
	if !highest && !is(args[0], "MIN") {
		x.Syntax()
		return
	}
	count := int64(-1)
	for i := 1; i < len(args); i++ {
		if count != -1 || !is(args[i], "COUNT") || i+1 == len(args) {
			x.Syntax()
			return
		}
		i++
		if count, ok = resp.ParseInt64(args[i]); !ok || count < 1 {
			x.Error("ERR count should be greater than 0")
			return
		}
	}
	for i := range x.Keys {
		k := &x.Keys[i]
		e, ok, wrong := x.FindKind(k, dash.ZSet)
		if wrong {
			return
		}
		if !ok {
			continue
		}
		d := zsetEdit{Set: x.openZSet(k, e), k: k, e: e, there: true}
		n := min(max(count, 1), d.Len())
		x.Array(2)
		x.Bulk(k.Bytes)
		x.Array(int(n))
		x.pop(&d, n, highest, true)
		return
	}
	x.NullArray()
}
