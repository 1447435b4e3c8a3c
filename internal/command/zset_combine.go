package command

import (
	"math"
	"slices"

	"sherd/internal/store/dash"
	"sherd/internal/store/set"
	"sherd/internal/store/zset"
	"sherd/internal/wire/resp"
)

// combination is how sorted sets, and sets, make a new one.
type combination uint8

const (
	combineUnion combination = iota
	combineInter
	combineDiff
)

// aggregate is how the scores of a member make one.
type aggregate uint8

const (
	aggregateSum aggregate = iota
	aggregateMin
	aggregateMax
	aggregateCount
)

// combine is a combination under way.
type combine struct {
	op        combination
	agg       aggregate
	store     bool // under the first key
	countOnly bool // ZINTERCARD
	scores    bool
	limit     int64 // of what is counted; 0: none
	count     int64
	sources   []combineSource
	at        int // the source that is being walked through
	walk      combineWalk
	result    zset.Set
	key       Key // where the result is stored, or whose slice's heap it lies in
	replying  bool
	reply     memberPairs
	begun     bool
}

// combineSource is one of the sets.
type combineSource struct {
	sorted zset.Set
	plain  set.Set
	kind   dash.Kind
	exists bool
	weight float64
}

func (s *combineSource) len() int64 {
	switch {
	case !s.exists:
		return 0
	case s.kind == dash.Set:
		return int64(s.plain.Len())
	}
	return s.sorted.Len()
}

// find is the score of a member; those of a plain set have 1.
func (s *combineSource) find(m []byte) (float64, bool) {
	switch {
	case !s.exists:
		return 0, false
	case s.kind == dash.Set:
		return 1, s.plain.Has(m)
	}
	var at zset.Spot
	return s.sorted.Find(m, &at)
}

// combineWalk comes to one member of a source after the other.
type combineWalk struct {
	kind   dash.Kind
	sorted zset.Iter
	plain  set.Iter
}

func (s *combineSource) walk() (w combineWalk) {
	w.kind = s.kind
	if s.kind == dash.Set {
		w.plain = s.plain.Iter()
	} else {
		w.sorted = s.sorted.Iter(0, false)
	}
	return w
}

func (w *combineWalk) next() bool {
	if w.kind == dash.Set {
		return w.plain.Next()
	}
	return w.sorted.Next()
}

func (w *combineWalk) item() ([]byte, float64) {
	if w.kind == dash.Set {
		return w.plain.Bytes(), 1
	}
	return w.sorted.Member(), w.sorted.Score()
}

func runZUnion(x *Ctx)      { x.combineSets(combine{op: combineUnion}) }
func runZUnionStore(x *Ctx) { x.combineSets(combine{op: combineUnion, store: true}) }
func runZInter(x *Ctx)      { x.combineSets(combine{op: combineInter}) }
func runZInterStore(x *Ctx) { x.combineSets(combine{op: combineInter, store: true}) }
func runZInterCard(x *Ctx)  { x.combineSets(combine{op: combineInter, countOnly: true}) }
func runZDiff(x *Ctx)       { x.combineSets(combine{op: combineDiff}) }
func runZDiffStore(x *Ctx)  { x.combineSets(combine{op: combineDiff, store: true}) }

func (x *Ctx) combineSets(o combine) {
	c := &o // it may go on when the command's turn is over
	args := x.Args[1:]
	if c.store {
		args = x.Args[2:]
	}
	n, ok := resp.ParseInt64(args[0])
	switch {
	case !ok:
		x.Error(errNotInteger)
		return
	case n < 1:
		x.Error("ERR at least 1 input key is needed for '" + x.Cmd.FullName + "' command")
		return
	case n > int64(len(args)-1):
		x.Syntax()
		return
	}
	if !c.open(x) || !c.options(x, args[1+n:]) {
		return
	}
	c.key = x.keepKey(&x.Keys[0])
	if c.op != combineDiff {
		slices.SortStableFunc(c.sources, func(a, b combineSource) int {
			return int(min(max(a.len()-b.len(), -1), 1))
		})
	}
	if !c.countOnly {
		// In the large form first: what it is in the end depends on all members.
		if c.result, ok = x.makeZSet(&c.key, math.MaxInt); !ok {
			return
		}
	}
	if !c.Step(x) {
		x.KeepLatched(c)
	}
}

// open looks the sources up; false: one is of another type, and the error has
// been replied.
func (c *combine) open(x *Ctx) bool {
	keys := x.Keys
	if c.store {
		keys = keys[1:]
	}
	c.sources = make([]combineSource, len(keys))
	for i := range keys {
		s := &c.sources[i]
		s.weight = 1
		e, ok := x.Read(&keys[i])
		if !ok {
			continue
		}
		switch s.kind = e.Kind(); s.kind {
		case dash.ZSet:
			s.sorted = x.openZSet(&keys[i], e)
		case dash.Set:
			s.plain = x.openSet(&keys[i], e)
		default:
			x.WrongType()
			return false
		}
		s.exists = true
	}
	return true
}

// options reads what follows the keys; false: the error has been replied.
func (c *combine) options(x *Ctx, args [][]byte) bool {
	weighs := c.op != combineDiff && !c.countOnly
	for len(args) > 0 {
		switch a := args[0]; {
		case weighs && len(args) > len(c.sources) && is(a, "WEIGHTS"):
			for i := range c.sources {
				w, ok := resp.ParseDouble(args[1+i])
				if !ok {
					x.Error("ERR weight value is not a float")
					return false
				}
				c.sources[i].weight = w
			}
			args = args[1+len(c.sources):]
		case weighs && len(args) >= 2 && is(a, "AGGREGATE"):
			switch a = args[1]; {
			case is(a, "SUM"):
				c.agg = aggregateSum
			case is(a, "MIN"):
				c.agg = aggregateMin
			case is(a, "MAX"):
				c.agg = aggregateMax
			case is(a, "COUNT"):
				c.agg = aggregateCount
			default:
				x.Syntax()
				return false
			}
			args = args[2:]
		case !c.store && !c.countOnly && is(a, "WITHSCORES"):
			c.scores = true
			args = args[1:]
		case c.countOnly && len(args) >= 2 && is(a, "LIMIT"):
			n, ok := resp.ParseInt64(args[1])
			if !ok || n < 0 {
				x.Error("ERR LIMIT can't be negative")
				return false
			}
			c.limit = n
			args = args[2:]
		default:
			x.Syntax()
			return false
		}
	}
	return true
}

// weighed is a member's score in one source.
func (c *combine) weighed(s *combineSource, score float64) float64 {
	if c.agg == aggregateCount {
		return s.weight
	}
	return s.weight * score
}

// join makes one of a member's scores in two sources.
func (c *combine) join(a, b float64) float64 {
	switch c.agg {
	case aggregateMin:
		if b < a {
			return b
		}
		return a
	case aggregateMax:
		if b > a {
			return b
		}
		return a
	}
	if a += b; a != a {
		return 0 // inf - inf
	}
	return a
}

// Step walks on through the sources.
func (c *combine) Step(x *Ctx) bool {
	if c.replying {
		if c.reply.Step(x) {
			c.key.Slice.Drop(zsetHandle(&c.result))
			return true
		}
		return false
	}
	for budget := zsetPiece; budget > 0; budget-- {
		if !c.begun {
			if c.at == len(c.sources) || c.op != combineUnion && c.at > 0 {
				return c.finish(x)
			}
			if s := &c.sources[c.at]; s.len() > 0 {
				c.walk = s.walk()
				c.begun = true
			} else {
				c.at++
				continue
			}
		}
		if !c.walk.next() {
			c.begun = false
			c.at++
			continue
		}
		m, score := c.walk.item()
		if !c.take(m, score) {
			if c.countOnly {
				return c.finish(x) // the limit is reached
			}
			c.key.Slice.Drop(zsetHandle(&c.result))
			x.outOfMemory()
			return true
		}
	}
	return false
}

// take deals with a member of the source that is walked through; false: out of
// memory, or it need go no further.
func (c *combine) take(m []byte, score float64) bool {
	s := &c.sources[c.at]
	total := score
	if c.op != combineDiff {
		if total = c.weighed(s, score); total != total {
			total = 0
		}
	}
	switch c.op {
	case combineUnion:
		var at zset.Spot
		if had, ok := c.result.Find(m, &at); ok {
			joined := c.join(had, total)
			if joined != had || math.Signbit(joined) == math.Signbit(had) {
				return c.result.Update(m, joined, &at)
			}
			c.result.Remove(m, &at) // to an update -0 is 0
			c.result.Find(m, &at)
			total = joined
		}
		return c.result.Insert(m, total, &at)
	case combineInter:
		for i := 1; i < len(c.sources); i++ {
			v, ok := c.sources[i].find(m)
			if !ok {
				return true
			}
			total = c.join(total, c.weighed(&c.sources[i], v))
		}
	default:
		for i := 1; i < len(c.sources); i++ {
			if _, ok := c.sources[i].find(m); ok {
				return true
			}
		}
	}
	if c.countOnly {
		c.count++
		return c.limit == 0 || c.count < c.limit
	}
	if math.IsNaN(total) {
		total = 0
	}
	var at zset.Spot
	c.result.Find(m, &at)
	return c.result.Insert(m, total, &at)
}

// finish replies or stores the result.
func (c *combine) finish(x *Ctx) bool {
	switch {
	case c.countOnly:
		x.Int(c.count)
	case c.store:
		c.result.Pack()
		x.storeZSet(&c.key, &c.result)
	default:
		n := c.result.Len()
		x.pairsHead(n, c.scores)
		c.replying = true
		c.reply = memberPairs{c.result.Iter(0, false), n, c.scores}
		return c.Step(x)
	}
	return true
}
