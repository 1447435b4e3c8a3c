package diff

import "strconv"

// zsetKeys hold sorted sets, or nothing: small ones, and one that is large now and
// then. In lexKeys, which no other family knows, all scores are the same, since
// Redis gives ranges of names no meaning otherwise.
var (
	zsetKeys = []string{"z:0", "z:1", "z:2", "{z}3", "z:big"}
	lexKeys  = []string{"lex:0", "lex:1", "lex:big"}
)

func (g *gen) zset() string { return g.of(zsetKeys) }

func (g *gen) score() string {
	switch g.IntN(12) {
	case 0:
		return g.float()
	case 1:
		return g.pick([]string{"inf", "-inf", "+inf", "0", "-0", "1e17", "9007199254740993", "-9007199254740992", "1e308", "4294967296", "0x10", "1e-300"})
	case 2:
		return strconv.Itoa(g.IntN(2_000_000) - 1_000_000)
	case 3:
		return strconv.FormatFloat(float64(g.IntN(100))/8, 'f', -1, 64)
	}
	return strconv.Itoa(g.IntN(12) - 2)
}

func (g *gen) zmember() string {
	switch g.IntN(10) {
	case 0:
		return g.value()
	case 1, 2:
		return strconv.Itoa(g.IntN(8))
	}
	return g.letters(1 + g.IntN(2))
}

// zpairs are up to n scores and members.
func (g *gen) zpairs(n int) (all []string) {
	for range 1 + g.IntN(n) {
		all = append(all, g.score(), g.zmember())
	}
	return all
}

// zadding is ZADD with options.
func zadding(n int, options ...string) func(g *gen) []string {
	return func(g *gen) []string {
		return append(append([]string{"ZADD", g.zset()}, options...), g.zpairs(n)...)
	}
}

// zaddingMany fills the large set, or deletes it.
func zaddingMany(g *gen) []string {
	const k = "z:big"
	if g.IntN(6) == 0 {
		g.follow("ZCARD", k)
		return []string{"DEL", k}
	}
	args := []string{"ZADD", k}
	from, scale := g.IntN(500), []int{0, 1, 1000, -3}[g.IntN(4)]
	for i := range 1 + g.IntN(300) {
		args = append(args, strconv.Itoa((from+i)*scale), "m"+strconv.Itoa(from+i))
	}
	return args
}

// scoreSpan is the ends of a range of scores.
func (g *gen) scoreSpan(reverse bool) (string, string) {
	end := func(n int) string {
		s := strconv.Itoa(n)
		if g.IntN(3) == 0 {
			s = "(" + s
		}
		return s
	}
	lo := g.IntN(14) - 3
	a, b := end(lo), end(lo+g.IntN(8)-1)
	switch g.IntN(6) {
	case 0:
		a = "-inf"
	case 1:
		b = "+inf"
	case 2:
		a, b = g.score(), "("+g.score()
	}
	if reverse {
		return b, a
	}
	return a, b
}

// lexSpan is the ends of a range of names.
func (g *gen) lexSpan(reverse bool) (string, string) {
	end := func() string { return g.pick([]string{"[", "("}) + g.lexMember() }
	a, b := end(), end()
	if b[1:] < a[1:] && g.IntN(5) > 0 {
		a, b = b, a
	}
	switch g.IntN(6) {
	case 0:
		a = "-"
	case 1:
		b = "+"
	}
	if reverse {
		return b, a
	}
	return a, b
}

func (g *gen) lexMember() string {
	if g.IntN(3) == 0 {
		return "prefix:of:member:" + strconv.Itoa(g.IntN(600))
	}
	return g.letters(g.IntN(4))
}

func lexAdding(g *gen) []string {
	k := g.pick(lexKeys)
	n := 4
	if k == "lex:big" {
		n = 200
		if g.IntN(8) == 0 {
			return []string{"DEL", k}
		}
	}
	args := []string{"ZADD", k}
	for range 1 + g.IntN(n) {
		args = append(args, "0", g.lexMember())
	}
	return args
}

func (g *gen) limit() []string {
	return []string{"LIMIT", strconv.Itoa(g.IntN(8) - 1), strconv.Itoa(g.IntN(12) - 1)}
}

// byScore is a command on a range of scores, with what f adds.
func byScore(command string, reverse bool, f func(g *gen) []string) func(g *gen) []string {
	return func(g *gen) []string {
		a, b := g.scoreSpan(reverse)
		return append([]string{command, g.zset(), a, b}, f(g)...)
	}
}

// byLex is a command on a range of names, with what f adds.
func byLex(command string, reverse bool, f func(g *gen) []string) func(g *gen) []string {
	return func(g *gen) []string {
		a, b := g.lexSpan(reverse)
		return append([]string{command, g.pick(lexKeys), a, b}, f(g)...)
	}
}

// byRank is a command on a range of ranks, with what f adds.
func byRank(command string, f func(g *gen) []string) func(g *gen) []string {
	return func(g *gen) []string { return append([]string{command, g.zset(), g.index(), g.index()}, f(g)...) }
}

// zsources are one to n keys with their number; some hold sets.
func (g *gen) zsources(n int) []string {
	k := 1 + g.IntN(n)
	args := []string{strconv.Itoa(k)}
	for range k {
		if g.IntN(4) == 0 {
			args = append(args, g.pick(memberKeys))
		} else {
			args = append(args, g.zset())
		}
	}
	return args
}

// combining is a command on several sets, with weights and an aggregate if
// weighed, and WITHSCORES if scores.
func combining(command string, dest, weighed, scores bool) func(g *gen) []string {
	return func(g *gen) []string {
		args := []string{command}
		if dest {
			args = append(args, g.zset())
		}
		sources := g.zsources(3)
		args = append(args, sources...)
		if weighed {
			args = append(args, "WEIGHTS")
			for range len(sources) - 1 {
				args = append(args, g.pick([]string{"1", "2", "-1", "0", "0.5", "inf", "1e300"}))
			}
			args = append(args, "AGGREGATE", g.pick([]string{"SUM", "min", "MAX"}))
		}
		if scores {
			args = append(args, "WITHSCORES")
		}
		return args
	}
}

func nothing(*gen) []string { return nil }

var zsetForms = []form{
	{name: "ZADD", weight: 20, gen: zadding(4)},
	{name: "ZADD many", weight: 6, gen: zaddingMany},
	{name: "ZADD NX", weight: 4, gen: zadding(3, "NX")},
	{name: "ZADD XX", weight: 3, dull: true, gen: zadding(3, "XX")},
	{name: "ZADD CH", weight: 5, gen: zadding(3, "CH")},
	{name: "ZADD GT CH", weight: 5, gen: zadding(3, "gt", "CH")},
	{name: "ZADD LT CH", weight: 5, gen: zadding(3, "CH", "LT")},
	{name: "ZADD XX GT CH", weight: 3, gen: zadding(3, "XX", "GT", "CH")},
	{name: "ZADD INCR", weight: 5, mixed: true, gen: zadding(1, "INCR")},
	{name: "ZADD NX INCR", weight: 3, gen: zadding(1, "INCR", "NX")},
	{name: "ZADD XX LT INCR", weight: 3, mixed: true, gen: zadding(1, "XX", "INCR", "LT")},
	{name: "ZINCRBY", weight: 8, mixed: true, gen: func(g *gen) []string { return []string{"ZINCRBY", g.zset(), g.score(), g.zmember()} }},
	{name: "ZINCRBY big", weight: 8, mixed: true, gen: func(g *gen) []string {
		return []string{"ZINCRBY", "z:big", g.score(), "m" + strconv.Itoa(g.IntN(900))}
	}},
	{name: "ZREM", weight: 6, gen: func(g *gen) []string { return []string{"ZREM", g.zset(), g.zmember(), g.zmember()} }},
	{name: "ZREM big", weight: 6, gen: func(g *gen) []string {
		args := []string{"ZREM", "z:big"}
		from := g.IntN(900)
		for i := range 1 + g.IntN(60) {
			args = append(args, "m"+strconv.Itoa(from+i))
		}
		return args
	}},
	{name: "ZCARD", weight: 4, gen: func(g *gen) []string { return []string{"ZCARD", g.zset()} }},
	{name: "ZSCORE", weight: 6, gen: func(g *gen) []string { return []string{"ZSCORE", g.zset(), g.zmember()} }},
	{name: "ZMSCORE", weight: 4, gen: func(g *gen) []string { return []string{"ZMSCORE", g.zset(), g.zmember(), g.zmember(), g.zmember()} }},
	{name: "ZRANK", weight: 5, whole: true, gen: func(g *gen) []string { return []string{"ZRANK", g.zset(), g.zmember()} }},
	{name: "ZREVRANK", weight: 5, whole: true, gen: func(g *gen) []string { return []string{"ZREVRANK", g.zset(), g.zmember()} }},
	{name: "ZRANK big", weight: 5, whole: true, gen: func(g *gen) []string { return []string{"ZRANK", "z:big", "m" + strconv.Itoa(g.IntN(900))} }},
	{name: "ZCOUNT", weight: 5, gen: byScore("ZCOUNT", false, nothing)},
	{name: "ZRANGE", weight: 6, gen: byRank("ZRANGE", nothing)},
	{name: "ZRANGE WITHSCORES", weight: 6, gen: byRank("ZRANGE", words("WITHSCORES"))},
	{name: "ZRANGE REV", weight: 4, gen: byRank("ZRANGE", words("rev"))},
	{name: "ZREVRANGE", weight: 4, gen: byRank("ZREVRANGE", words("WITHSCORES"))},
	{name: "ZRANGE BYSCORE", weight: 5, gen: byScore("ZRANGE", false, words("BYSCORE", "WITHSCORES"))},
	{name: "ZRANGE BYSCORE LIMIT", weight: 4, gen: byScore("ZRANGE", false, func(g *gen) []string { return append(g.limit(), "BYSCORE") })},
	{name: "ZRANGE BYSCORE REV", weight: 4, gen: byScore("ZRANGE", true, func(g *gen) []string { return append(g.limit(), "REV", "BYSCORE") })},
	{name: "ZRANGEBYSCORE", weight: 5, gen: byScore("ZRANGEBYSCORE", false, words("WITHSCORES"))},
	{name: "ZRANGEBYSCORE LIMIT", weight: 4, gen: byScore("ZRANGEBYSCORE", false, (*gen).limit)},
	{name: "ZREVRANGEBYSCORE", weight: 4, gen: byScore("ZREVRANGEBYSCORE", true, (*gen).limit)},
	{name: "ZADD of names", weight: 8, whole: true, gen: lexAdding},
	{name: "ZRANGE BYLEX", weight: 4, gen: byLex("ZRANGE", false, words("BYLEX"))},
	{name: "ZRANGE BYLEX REV", weight: 4, gen: byLex("ZRANGE", true, func(g *gen) []string { return append(g.limit(), "BYLEX", "REV") })},
	{name: "ZRANGEBYLEX", weight: 4, gen: byLex("ZRANGEBYLEX", false, (*gen).limit)},
	{name: "ZREVRANGEBYLEX", weight: 4, gen: byLex("ZREVRANGEBYLEX", true, nothing)},
	{name: "ZLEXCOUNT", weight: 4, gen: byLex("ZLEXCOUNT", false, nothing)},
	{name: "ZREMRANGEBYLEX", weight: 2, gen: byLex("ZREMRANGEBYLEX", false, nothing)},
	{name: "ZREMRANGEBYRANK", weight: 3, gen: func(g *gen) []string {
		from := g.IntN(40) - 20
		return []string{"ZREMRANGEBYRANK", g.zset(), strconv.Itoa(from), strconv.Itoa(from + g.IntN(4))}
	}},
	{name: "ZREMRANGEBYSCORE", weight: 2, gen: byScore("ZREMRANGEBYSCORE", false, nothing)},
	{name: "ZRANGESTORE", weight: 4, gen: func(g *gen) []string { return []string{"ZRANGESTORE", g.zset(), g.zset(), g.index(), g.index()} }},
	{name: "ZRANGESTORE BYSCORE", weight: 3, gen: func(g *gen) []string {
		a, b := g.scoreSpan(false)
		return append([]string{"ZRANGESTORE", g.zset(), g.zset(), a, b, "BYSCORE"}, g.limit()...)
	}},
	{name: "ZPOPMIN", weight: 3, gen: func(g *gen) []string { return []string{"ZPOPMIN", g.zset()} }},
	{name: "ZPOPMAX", weight: 3, gen: func(g *gen) []string { return []string{"ZPOPMAX", g.zset()} }},
	{name: "ZPOPMIN count", weight: 3, gen: func(g *gen) []string { return []string{"ZPOPMIN", g.zset(), strconv.Itoa(g.IntN(5))} }},
	{name: "ZPOPMAX count", weight: 3, gen: func(g *gen) []string { return []string{"ZPOPMAX", g.zset(), strconv.Itoa(g.IntN(5))} }},
	{name: "ZMPOP", weight: 3, gen: func(g *gen) []string {
		return append(append([]string{"ZMPOP"}, g.several(zsetKeys, 3)...), g.pick([]string{"MIN", "max"}))
	}},
	{name: "ZMPOP COUNT", weight: 3, gen: func(g *gen) []string {
		return append(append([]string{"ZMPOP"}, g.several(zsetKeys, 3)...), g.pick([]string{"MIN", "MAX"}), "COUNT", strconv.Itoa(1+g.IntN(5)))
	}},
	{name: "ZUNION", weight: 3, gen: combining("ZUNION", false, false, false)},
	{name: "ZUNION WITHSCORES", weight: 4, gen: combining("ZUNION", false, true, true)},
	{name: "ZUNIONSTORE", weight: 4, gen: combining("ZUNIONSTORE", true, true, false)},
	{name: "ZINTER", weight: 3, gen: combining("ZINTER", false, false, true)},
	{name: "ZINTER WEIGHTS", weight: 4, gen: combining("ZINTER", false, true, true)},
	{name: "ZINTERSTORE", weight: 3, gen: combining("ZINTERSTORE", true, true, false)},
	{name: "ZINTERCARD", weight: 3, gen: combining("ZINTERCARD", false, false, false)},
	{name: "ZINTERCARD LIMIT", weight: 2, gen: func(g *gen) []string {
		return append(append([]string{"ZINTERCARD"}, g.zsources(2)...), "LIMIT", strconv.Itoa(g.IntN(4)))
	}},
	{name: "ZDIFF", weight: 4, gen: combining("ZDIFF", false, false, true)},
	{name: "ZDIFFSTORE", weight: 3, gen: combining("ZDIFFSTORE", true, false, false)},
	{name: "ZRANDMEMBER", weight: 2, how: kind, gen: func(g *gen) []string { return []string{"ZRANDMEMBER", g.zset()} }},
	{name: "ZRANDMEMBER count", weight: 3, how: size, gen: func(g *gen) []string {
		args := []string{"ZRANDMEMBER", g.zset(), strconv.Itoa(g.IntN(30) - 10)}
		if g.IntN(2) == 0 {
			args = append(args, "WITHSCORES")
		}
		return args
	}},
	{name: "ZRANDMEMBER all", weight: 2, how: unordered, whole: true, gen: func(g *gen) []string { return []string{"ZRANDMEMBER", g.zset(), "100000", "WITHSCORES"} }},
	{name: "ZSCAN", weight: 3, how: scan, whole: true, gen: func(g *gen) []string { return []string{"ZSCAN", g.zset(), "0"} }},
	{name: "ZSCAN COUNT", weight: 3, how: scan, whole: true, gen: func(g *gen) []string {
		return []string{"ZSCAN", g.zset(), "0", "COUNT", strconv.Itoa(1 + g.IntN(50))}
	}},
	{name: "ZSCAN MATCH", weight: 2, how: scan, whole: true, gen: func(g *gen) []string {
		return []string{"ZSCAN", g.zset(), "0", "MATCH", g.pick([]string{"*", "a*", "m*1", "[0-9]"}), "COUNT", "100"}
	}},
	{name: "COPY of a sorted set", weight: 2, gen: func(g *gen) []string { return []string{"COPY", g.zset(), g.pick([]string{"z:1", "z:2"}), "REPLACE"} }},
	{name: "RENAME of a sorted set", weight: 2, mixed: true, gen: func(g *gen) []string { return []string{"RENAME", g.pick(zsetKeys), g.pick(zsetKeys)} }},
	wrong(
		"error sorted set arity", 2, "ZADD K", "ZADD K 1", "ZINCRBY K 1", "ZREM K", "ZSCORE K", "ZMSCORE K", "ZCARD", "ZCOUNT K 0", "ZRANK K", "ZRANGE K 0", "ZRANGEBYSCORE K 0", "ZREMRANGEBYRANK K 0",
		"ZPOPMIN", "ZMPOP 1 K", "ZUNION 1", "ZUNIONSTORE K 1", "ZINTERCARD 1", "ZDIFF 1", "ZRANGESTORE K K 0", "ZRANDMEMBER", "ZSCAN K", "ZLEXCOUNT K -",
	),
	wrong(
		"error sorted set", 6, "ZADD K x a", "ZADD K nan a", "ZADD K 1 a 2", "ZADD K NX XX 1 a", "ZADD K NX GT 1 a", "ZADD K GT LT 1 a", "ZADD K INCR 1 a 2 b", "ZADD K FOO 1 a", "ZADD K 1e400 a", "ZINCRBY K x a",
		"ZCOUNT K a 1", "ZCOUNT K 1 (x", "ZCOUNT K nan 1", "ZRANGE K a 1", "ZRANGE K 0 1.5", "ZRANGE K 0 1 LIMIT 0 1", "ZRANGE K 0 1 BYLEX", "ZRANGE K - + BYLEX WITHSCORES", "ZRANGE K 0 1 BYSCORE BYLEX", "ZRANGE K 0 1 REV REV",
		"ZRANGE K 0 1 BYSCORE LIMIT 1", "ZRANGE K 0 1 BYSCORE LIMIT a 1", "ZREVRANGE K 0 1 REV", "ZRANGEBYSCORE K 0 1 BYSCORE", "ZRANGEBYLEX K a b", "ZRANGEBYLEX K - + WITHSCORES", "ZLEXCOUNT K ++ -", "ZREMRANGEBYLEX K x y",
		"ZREMRANGEBYRANK K a 1", "ZREMRANGEBYSCORE K a 1", "ZRANGESTORE none:0 K 0 1 WITHSCORES", "ZRANGESTORE none:0 K x 1", "ZPOPMIN K -1", "ZPOPMAX K x", "ZPOPMIN K 1 2", "ZMPOP 0 K MIN", "ZMPOP x K MIN", "ZMPOP 1 K UP", "ZMPOP 2 K MIN",
		"ZMPOP 1 K MIN COUNT 0", "ZMPOP 1 K MIN COUNT", "ZMPOP 1 K MIN COUNT 1 COUNT 1", "ZUNION 0 none:0", "ZUNION x none:0", "ZUNION 2 none:0", "ZUNION 1 none:0 WEIGHTS", "ZUNION 1 none:0 WEIGHTS x", "ZUNION 1 none:0 AGGREGATE x",
		"ZUNIONSTORE none:0 1 none:1 WITHSCORES", "ZDIFF 1 none:0 WEIGHTS 1", "ZDIFF -1 none:0", "ZINTERCARD 1 none:0 LIMIT -1", "ZINTERCARD 1 none:0 LIMIT", "ZINTERCARD 0 none:0", "ZINTERSTORE none:0 0 none:1",
		"ZRANDMEMBER K x", "ZRANDMEMBER K 1 FOO", "ZRANDMEMBER K -9223372036854775808", "ZRANDMEMBER K 9223372036854775807 WITHSCORES", "ZRANDMEMBER K 1 WITHSCORES x", "ZSCAN none:0 x", "ZSCAN K abc",
	),
}
