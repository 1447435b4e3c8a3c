package rdb

import (
	"math"
	"strconv"

	"sherd/internal/store/zset"
)

// packAtOnce is the most members with which a sorted set is made in the small form
// from the start: there each insertion looks at all others.
const packAtOnce = 128

// loadZSet reads members and scores, which come in any order.
func (l *Loader) loadZSet(most *int) (bool, error) {
	for *most > 0 {
		if !l.begun {
			if err := l.count(); err != nil {
				return false, err
			}
			var ok bool
			if l.left > uint64(min(max(l.lim.ZSet.Entries, 0), packAtOnce)) {
				l.zset, ok = zset.NewLarge(l.h, l.lim.Seed, l.lim.ZSet)
			} else {
				l.zset, ok = zset.New(l.h, 0, l.lim.Seed, l.lim.ZSet)
			}
			if err := l.make(ok); err != nil {
				return false, err
			}
		}
		if l.left == 0 {
			if l.zset.Len() > packAtOnce {
				l.zset.Pack()
			}
			return true, nil
		}
		l.left--
		if !l.text(&l.first, most) {
			return false, ErrFormat
		}
		var score float64
		ok := true
		if l.typ == typeZSet2 {
			score = math.Float64frombits(l.in.uint64LE())
		} else {
			score, ok = l.in.score()
		}
		if !ok || l.in.short || math.IsNaN(score) {
			return false, ErrFormat
		}
		var spot zset.Spot
		if _, there := l.zset.Find(l.first.b, &spot); there {
			return false, ErrFormat
		}
		if !l.zset.Insert(l.first.b, score, &spot) {
			return false, ErrMemory
		}
	}
	return false, nil
}

// score reads a score as it was written before there were binary ones: a byte that
// says how long the text is, or 253 to 255 for what is no number and the infinities.
func (r *reader) score() (float64, bool) {
	switch n := r.byte(); n {
	case 253:
		return 0, false
	case 254:
		return math.Inf(1), true
	case 255:
		return math.Inf(-1), true
	default:
		f, err := strconv.ParseFloat(string(r.take(int(n))), 64)
		return f, err == nil
	}
}
