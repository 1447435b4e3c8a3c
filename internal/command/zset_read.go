package command

import (
	"sherd/internal/store/zset"
)

func runZCard(x *Ctx) {
	if s, ok, wrong := x.readZSet(&x.Keys[0]); ok {
		x.Int(s.Len())
	} else if !wrong {
		x.Int(0)
	}
}

func runZScore(x *Ctx) {
	s, ok, wrong := x.readZSet(&x.Keys[0])
	if wrong {
		return
	}
	x.scoreOf(&s, ok, x.Args[2])
}

func runZMScore(x *Ctx) {
	s, ok, wrong := x.readZSet(&x.Keys[0])
	if wrong {
		return
	}
	members := x.Args[2:]
	x.Array(len(members))
	for _, m := range members {
		x.scoreOf(&s, ok, m)
	}
}

// scoreOf replies a member's score, or that there is none.
func (x *Ctx) scoreOf(s *zset.Set, exists bool, m []byte) {
	if exists {
		var at zset.Spot
		if score, ok := s.Find(m, &at); ok {
			x.Double(score)
			return
		}
	}
	x.Null()
}

func runZRank(x *Ctx)    { x.rankOf(false) }
func runZRevRank(x *Ctx) { x.rankOf(true) }

func (x *Ctx) rankOf(reverse bool) {
	withScore := false
	switch {
	case len(x.Args) > 4:
		x.Arity()
		return
	case len(x.Args) == 4:
		if withScore = is(x.Args[3], "WITHSCORE"); !withScore {
			x.Syntax()
			return
		}
	}
	s, ok, wrong := x.readZSet(&x.Keys[0])
	if wrong {
		return
	}
	var at zset.Spot
	var score float64
	if ok {
		score, ok = s.Find(x.Args[2], &at)
	}
	if !ok {
		if withScore {
			x.NullArray()
		} else {
			x.Null()
		}
		return
	}
	rank := s.Rank(x.Args[2], &at)
	if reverse {
		rank = s.Len() - 1 - rank
	}
	if withScore {
		x.Array(2)
		x.Int(rank)
		x.Double(score)
		return
	}
	x.Int(rank)
}

func runZCount(x *Ctx)    { x.countRange(rangeByScore) }
func runZLexCount(x *Ctx) { x.countRange(rangeByLex) }

func (x *Ctx) countRange(by rangeBy) {
	r := zrange{by: by}
	if !x.parseBounds(&r, x.Args[2], x.Args[3]) {
		return
	}
	s, ok, wrong := x.readZSet(&x.Keys[0])
	if wrong {
		return
	}
	if !ok {
		x.Int(0)
		return
	}
	lo, hi := r.ranks(&s)
	x.Int(hi - lo)
}
