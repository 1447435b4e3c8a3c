package command

import (
	"sherd/internal/wire/resp"
)

const (
	errZAddNXXX   = "ERR XX and NX options at the same time are not compatible"
	errZAddGTLTNX = "ERR GT, LT, and/or NX options at the same time are not compatible"
	errZAddIncr   = "ERR INCR option supports a single increment-element pair"
	errScoreNaN   = "ERR resulting score is not a number (NaN)"
)

// zadd is what ZADD and its kin do to members.
type zadd struct {
	nx, xx, gt, lt, ch, incr bool
}

func runZAdd(x *Ctx)    { x.zaddPairs(zadd{}) }
func runZIncrBy(x *Ctx) { x.zaddPairs(zadd{incr: true}) }

// option takes one option; false: it is none.
func (o *zadd) option(a []byte) bool {
	switch {
	case is(a, "NX"):
		o.nx = true
	case is(a, "XX"):
		o.xx = true
	case is(a, "CH"):
		o.ch = true
	case is(a, "INCR"):
		o.incr = true
	case is(a, "GT"):
		o.gt = true
	case is(a, "LT"):
		o.lt = true
	default:
		return false
	}
	return true
}

func (x *Ctx) zaddPairs(o zadd) {
	first := 2
	for first < len(x.Args) && o.option(x.Args[first]) {
		first++
	}
	pairs := x.Args[first:]
	switch {
	case len(pairs) == 0 || len(pairs)%2 != 0:
		x.Syntax()
		return
	case o.nx && o.xx:
		x.Error(errZAddNXXX)
		return
	case o.gt && o.nx || o.lt && o.nx || o.gt && o.lt:
		x.Error(errZAddGTLTNX)
		return
	case o.incr && len(pairs) > 2:
		x.Error(errZAddIncr)
		return
	}
	// All scores are read before anything is done.
	var few [16]float64
	scores := few[:0]
	for i := 0; i < len(pairs); i += 2 {
		s, ok := resp.ParseDouble(pairs[i])
		if !ok {
			x.Error(errNotFloat)
			return
		}
		scores = append(scores, s)
	}
	var d zsetEdit
	if !x.editZSet(&x.Keys[0], &d) {
		return
	}
	if !d.there && !o.xx {
		var ok bool
		if d.Set, ok = x.makeZSet(d.k, len(pairs[1])); !ok {
			return
		}
	}
	x.zaddTo(&d, &o, pairs, scores)
}

// zaddTo adds pairs and replies.
func (x *Ctx) zaddTo(d *zsetEdit, o *zadd, pairs [][]byte, scores []float64) {
	var added, updated int64
	var done zaddOutcome
	var score float64
	if d.Ref() != 0 {
		for i, s := range scores {
			score = s
			done = o.apply(d, pairs[2*i+1], &score)
			switch done {
			case zaddAdded:
				added++
			case zaddUpdated:
				updated++
			}
			if done >= zaddNaN {
				break
			}
		}
	}
	x.Changed(added + updated)
	switch {
	case done == zaddFull:
		x.settleZSet(d)
		x.outOfMemory()
	case done == zaddNaN:
		x.settleZSet(d)
		x.Error(errScoreNaN)
	case !x.settleZSet(d):
	case !o.incr:
		if o.ch {
			added += updated
		}
		x.Int(added)
	case done == zaddNothing:
		x.Null()
	default:
		x.Double(score)
	}
}

// zaddOutcome is what became of one pair.
type zaddOutcome uint8

const (
	zaddNothing zaddOutcome = iota // an option forbade it
	zaddSame                       // the member had the score
	zaddAdded
	zaddUpdated
	zaddNaN  // an error: the score would be no number
	zaddFull // an error: out of memory
)

// apply adds or changes a member. score is the increment or the score, and
// afterwards the score that the member has.
func (o *zadd) apply(d *zsetEdit, m []byte, score *float64) zaddOutcome {
	at := &d.spot
	had, ok := d.Find(m, at)
	if !ok {
		if o.xx {
			return zaddNothing
		}
		if !d.Insert(m, *score, at) {
			return zaddFull
		}
		return zaddAdded
	}
	if o.nx {
		return zaddNothing
	}
	if o.incr {
		if *score += had; *score != *score {
			return zaddNaN
		}
	}
	if o.lt && *score >= had || o.gt && *score <= had {
		return zaddNothing
	}
	if *score == had {
		return zaddSame
	}
	if !d.Update(m, *score, at) {
		return zaddFull
	}
	return zaddUpdated
}
