package command

import (
	"math"

	"sherd/internal/store/hash"
)

func runHRandField(x *Ctx) {
	withValues := false
	count := int64(1)
	if len(x.Args) >= 3 {
		var ok bool
		if count, ok = x.randomCount(x.Args[2]); !ok {
			return
		}
		switch {
		case len(x.Args) > 4 || len(x.Args) == 4 && !is(x.Args[3], "WITHVALUES"):
			x.Syntax()
			return
		case len(x.Args) == 4 && (count < -math.MaxInt64/2 || count > math.MaxInt64/2):
			x.Error("ERR value is out of range")
			return
		}
		withValues = len(x.Args) == 4
	}
	h, ok, wrong := x.readHash(&x.Keys[0])
	if wrong {
		return
	}
	size := int64(0)
	if ok {
		size = int64(h.Len())
	}
	if len(x.Args) == 2 {
		if size == 0 {
			x.Null()
			return
		}
		var it hash.Iter
		x.drawField(&h, size, &it)
		x.Bulk(it.Field())
		return
	}
	if size == 0 || count == 0 {
		x.Array(0)
		return
	}
	d := fieldDraw{h: h, left: count, size: size, values: withValues}
	switch {
	case count < 0:
		d.left = -count
	case count >= size:
		d.left, d.pass = size, true
	default:
		d.pass = h.Encoding() != hash.Hashed || count > size/drawShare || h.Held() != int(size)
		d.distinct = !d.pass
	}
	if d.of = size; d.pass {
		d.it = h.Iter()
	}
	if n := int(d.left); withValues && x.C.Proto < 3 {
		x.Array(2 * n)
	} else {
		x.Array(n)
	}
	if !d.Step(x) {
		later := d
		x.KeepLatched(&later)
	}
}

// drawField draws a field of a hash that has size fields, at least one. Those whose
// deadline has passed are drawn again, but not forever.
func (x *Ctx) drawField(h *hash.Hash, size int64, it *hash.Iter) {
	for range 64 {
		if h.Random(x.L.Rand.Uint64(), it) {
			return
		}
	}
	*it = h.Iter()
	for n := x.L.Rand.Int64N(size); n >= 0 && it.Next(); n-- {
	}
}

// fieldDraw is a HRANDFIELD with a count under way.
type fieldDraw struct {
	h        hash.Hash
	left     int64 // fields to reply
	size     int64 // fields there are
	values   bool
	distinct bool // no field twice
	drawn    drawn
	pass     bool // they are chosen in one pass over all
	of       int64
	it       hash.Iter
}

// Step replies the next fields.
func (d *fieldDraw) Step(x *Ctx) bool {
	for range streamStep {
		if d.left == 0 {
			return true
		}
		if d.pass {
			if !d.it.Next() {
				return true
			}
			chosen := x.L.Rand.Int64N(d.of) < d.left
			if d.of--; !chosen {
				continue
			}
		} else {
			x.drawField(&d.h, d.size, &d.it)
			if d.distinct && !d.drawn.add(d.it.Place()) {
				continue
			}
		}
		d.left--
		if d.values && x.C.Proto >= 3 {
			x.Array(2)
		}
		x.Bulk(d.it.Field())
		if d.values {
			x.Bulk(d.it.Value())
		}
	}
	return d.left == 0
}
