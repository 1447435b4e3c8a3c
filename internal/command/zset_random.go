package command

import (
	"math"

	"sherd/internal/store/zset"
	"sherd/internal/wire/resp"
)

func runZRandMember(x *Ctx) {
	if len(x.Args) == 2 {
		s, ok, wrong := x.readZSet(&x.Keys[0])
		switch {
		case wrong:
		case !ok:
			x.Null()
		default:
			it := s.Iter(x.L.Rand.Int64N(s.Len()), false)
			it.Next()
			x.Bulk(it.Member())
		}
		return
	}
	n, ok := resp.ParseInt64(x.Args[2])
	if !ok {
		x.Error(errNotInteger)
		return
	}
	if n == math.MinInt64 {
		x.Error("ERR value is out of range, value must between -9223372036854775807 and 9223372036854775807")
		return
	}
	scores := len(x.Args) == 4 && is(x.Args[3], "WITHSCORES")
	switch {
	case len(x.Args) > 4 || len(x.Args) == 4 && !scores:
		x.Syntax()
		return
	case scores && (n < -math.MaxInt64/2 || n > math.MaxInt64/2):
		x.Error("ERR value is out of range")
		return
	}
	s, ok, wrong := x.readZSet(&x.Keys[0])
	switch {
	case wrong:
	case !ok || n == 0:
		x.Array(0)
	case n < 0:
		x.drawMembers(&s, -n, scores)
	case n >= s.Len():
		it := s.Iter(0, false)
		x.members(&it, s.Len(), scores)
	default:
		x.sampleMembers(&s, n, scores)
	}
}

// drawMembers replies n members, each drawn out of all.
func (x *Ctx) drawMembers(s *zset.Set, n int64, scores bool) {
	x.pairsHead(n, scores)
	d := zdraw{set: *s, left: n, scores: scores}
	if n <= zsetPiece {
		d.Step(x)
		return
	}
	later := d
	x.KeepLatched(&later)
}

// zdraw is members being drawn.
type zdraw struct {
	set    zset.Set
	left   int64
	scores bool
}

// Step draws some members.
func (d *zdraw) Step(x *Ctx) bool {
	n, all := min(d.left, zsetPiece), d.set.Len()
	for range n {
		it := d.set.Iter(x.L.Rand.Int64N(all), false)
		it.Next()
		x.pair(it.Member(), it.Score(), d.scores)
	}
	d.left -= n
	return d.left == 0
}

// sampleMembers replies n different members out of more.
func (x *Ctx) sampleMembers(s *zset.Set, n int64, scores bool) {
	x.pairsHead(n, scores)
	all := s.Len()
	var later Later
	if n < all/8 {
		later = &zsparse{set: *s, at: all - n, taken: make(map[int64]struct{}, min(n, zsetPiece)), scores: scores}
	} else {
		later = &zdense{it: s.Iter(0, false), left: all, want: n, scores: scores}
	}
	if !later.Step(x) {
		x.KeepLatched(later)
	}
}

// zsparse is a small part of the members being drawn, by Floyd's method: the i-th
// draw is out of one member more than the one before, and where it meets one that
// was taken, that member more is taken.
type zsparse struct {
	set    zset.Set
	at     int64
	taken  map[int64]struct{} // ranks
	scores bool
}

// Step draws some members.
func (d *zsparse) Step(x *Ctx) bool {
	for range zsetPiece {
		if d.at == d.set.Len() {
			return true
		}
		rank := x.L.Rand.Int64N(d.at + 1)
		if _, ok := d.taken[rank]; ok {
			rank = d.at
		}
		d.at++
		d.taken[rank] = struct{}{}
		it := d.set.Iter(rank, false)
		it.Next()
		x.pair(it.Member(), it.Score(), d.scores)
	}
	return d.at == d.set.Len()
}

// zdense is a large part of the members being drawn: each in its turn, with the
// chance that as many as are left to be wanted have among those that are left.
type zdense struct {
	it         zset.Iter
	left, want int64
	scores     bool
}

// Step decides on some members.
func (d *zdense) Step(x *Ctx) bool {
	for range zsetPiece {
		if d.want == 0 {
			return true
		}
		d.it.Next()
		if x.L.Rand.Int64N(d.left) < d.want {
			x.pair(d.it.Member(), d.it.Score(), d.scores)
			d.want--
		}
		d.left--
	}
	return d.want == 0
}
