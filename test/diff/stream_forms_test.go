package diff

import "strconv"

// streamKeys hold streams, or nothing. Their IDs are small, chosen by the test,
// and grow by a little with most entries, so that both servers agree and ranges
// meet entries.
var streamKeys = []string{"x:0", "x:1", "x:2", "x:3"}

func (g *gen) stream() string { return g.of(streamKeys) }

// entryID is an ID about where entries are.
func (g *gen) entryID() string {
	switch g.IntN(12) {
	case 0:
		return strconv.Itoa(1 + g.IntN(60))
	case 1:
		return g.pick([]string{"0-1", "0", "1-0", "18446744073709551615-18446744073709551615", "9999-1"})
	}
	return strconv.Itoa(1+g.IntN(60)) + "-" + strconv.Itoa(g.IntN(4))
}

// bound is an end of a range.
func (g *gen) bound(least string) string {
	switch g.IntN(6) {
	case 0, 1:
		return least
	case 2:
		return "(" + g.entryID()
	}
	return g.entryID()
}

func (g *gen) groupName() string    { return g.pick([]string{"g1", "g1", "g1", "g2", "g3"}) }
func (g *gen) consumerName() string { return g.pick([]string{"alice", "alice", "bob", "carol", "d"}) }

// fields are some pairs; most entries of a stream have the same fields.
func (g *gen) fields() (pairs []string) {
	switch g.IntN(6) {
	case 0:
		for range 1 + g.IntN(4) {
			pairs = append(pairs, g.letters(g.IntN(4)), g.value())
		}
		return pairs
	case 1:
		return []string{"sensor", g.integer()}
	}
	return []string{"sensor", g.integer(), "value", g.pick([]string{g.integer(), g.letters(g.IntN(20))})}
}

// grow adds entries in ascending order to a stream, anew if it is far along.
func (g *gen) grow(n int) []string {
	k := g.pick(streamKeys)
	if g.IntN(6) == 0 {
		g.follow("DEL", k)
	}
	if g.IntN(2) == 0 {
		g.follow("XGROUP", "CREATE", k, g.groupName(), g.pick([]string{"0", "$", "5"}), "MKSTREAM")
	}
	for i := range n {
		id := strconv.Itoa(2*i+1) + "-" + g.pick([]string{"1", "2", "*", "0", "3"})
		g.follow(append([]string{"XADD", k, id}, g.fields()...)...)
	}
	return append([]string{"XADD", k, "0-*"}, g.fields()...)
}

func (g *gen) trim() []string {
	switch g.IntN(8) {
	case 0:
		return []string{"MAXLEN", "~", strconv.Itoa(g.IntN(8))}
	case 1:
		return []string{"MINID", "~", g.entryID()}
	case 2:
		return []string{"MAXLEN", "~", strconv.Itoa(g.IntN(8)), "LIMIT", strconv.Itoa(g.IntN(12))}
	case 3:
		return []string{"MINID", "=", g.entryID()}
	case 4:
		return []string{"minid", g.entryID()}
	case 5:
		return []string{"MAXLEN", "=", strconv.Itoa(g.IntN(30))}
	}
	return []string{"maxlen", strconv.Itoa(g.IntN(40))}
}

func (g *gen) ids(n int) (ids []string) {
	for range 1 + g.IntN(n) {
		ids = append(ids, g.entryID())
	}
	return ids
}

// readers read and acknowledge, so that something is pending.
func (g *gen) readGroup(options ...string) []string {
	args := append([]string{"XREADGROUP", "GROUP", g.groupName(), g.consumerName()}, options...)
	if g.IntN(3) > 0 {
		args = append(args, "COUNT", strconv.Itoa(1+g.IntN(6)))
	}
	return append(args, "STREAMS", g.stream())
}

var streamForms = []form{
	{name: "XADD", weight: 12, mixed: true, gen: func(g *gen) []string {
		return append([]string{"XADD", g.stream(), strconv.Itoa(30+g.IntN(40)) + "-" + g.pick([]string{"*", "1", "2"})}, g.fields()...)
	}},
	{name: "XADD series", weight: 2, mixed: true, gen: func(g *gen) []string { return g.grow(5 + g.IntN(25)) }},
	{name: "XADD long", weight: 1, mixed: true, gen: func(g *gen) []string { return g.grow(105 + g.IntN(50)) }},
	{name: "XADD NOMKSTREAM", weight: 2, mixed: true, gen: func(g *gen) []string {
		return append([]string{"XADD", g.stream(), "NOMKSTREAM", strconv.Itoa(50+g.IntN(30)) + "-*"}, g.fields()...)
	}},
	{name: "XADD trim", weight: 4, mixed: true, gen: func(g *gen) []string {
		args := append([]string{"XADD", g.stream()}, g.trim()...)
		return append(append(args, strconv.Itoa(40+g.IntN(50))+"-*"), g.fields()...)
	}},
	{name: "XADD odd id", weight: 1, mixed: true, gen: func(g *gen) []string {
		return []string{"XADD", g.pick(streamKeys), g.pick([]string{"0-0", "-", "+", "1-", "-1", "01-02", " 7-7", "+8-8", "x", "1-x", "99999999999999999999", "5-18446744073709551615", "0-*", "5-**", "*-1"}), "f", "v"}
	}},
	{name: "XLEN", weight: 4, gen: func(g *gen) []string { return []string{"XLEN", g.stream()} }},
	{name: "XRANGE", weight: 8, gen: func(g *gen) []string { return []string{"XRANGE", g.stream(), g.bound("-"), g.bound("+")} }},
	{name: "XRANGE COUNT", weight: 5, gen: func(g *gen) []string {
		return []string{"XRANGE", g.stream(), g.bound("-"), g.bound("+"), "COUNT", strconv.Itoa(g.IntN(9) - 1)}
	}},
	{name: "XREVRANGE", weight: 6, gen: func(g *gen) []string { return []string{"XREVRANGE", g.stream(), g.bound("+"), g.bound("-")} }},
	{name: "XREVRANGE COUNT", weight: 5, gen: func(g *gen) []string {
		return []string{"XREVRANGE", g.stream(), g.bound("+"), g.bound("-"), "count", strconv.Itoa(g.IntN(9))}
	}},
	{name: "XDEL", weight: 6, gen: func(g *gen) []string { return append([]string{"XDEL", g.stream()}, g.ids(5)...) }},
	{name: "XTRIM", weight: 4, gen: func(g *gen) []string { return append([]string{"XTRIM", g.stream()}, g.trim()...) }},
	{name: "XTRIM LIMIT without ~", weight: 1, fails: true, dull: true, gen: func(g *gen) []string {
		return []string{"XTRIM", g.stream(), "MAXLEN", "3", "LIMIT", "5"}
	}},
	{name: "XSETID", weight: 1, mixed: true, gen: func(g *gen) []string {
		args := []string{"XSETID", g.stream(), strconv.Itoa(g.IntN(100)) + "-0"}
		if g.IntN(2) == 0 {
			args = append(args, "ENTRIESADDED", strconv.Itoa(g.IntN(100)))
		}
		if g.IntN(3) == 0 {
			args = append(args, "MAXDELETEDID", g.entryID())
		}
		return args
	}},
	{name: "XREAD", weight: 6, gen: func(g *gen) []string {
		return []string{"XREAD", "STREAMS", g.stream(), g.stream(), g.entryID(), g.pick([]string{g.entryID(), "$", "0"})}
	}},
	{name: "XREAD COUNT", weight: 5, gen: func(g *gen) []string {
		return []string{"XREAD", "COUNT", strconv.Itoa(g.IntN(8)), "STREAMS", g.stream(), g.entryID()}
	}},
	{name: "XREAD of a missing key", weight: 1, dull: true, gen: words("XREAD", "STREAMS", "none:0", "0")},
	{name: "XREAD unbalanced", weight: 1, fails: true, dull: true, gen: func(g *gen) []string { return []string{"XREAD", "STREAMS", g.stream(), g.stream(), "0"} }},
	{name: "XREAD GROUP", weight: 1, fails: true, dull: true, gen: func(g *gen) []string {
		return []string{"XREAD", "GROUP", "g1", "alice", "STREAMS", g.stream(), "0"}
	}},
	{name: "XREAD >", weight: 1, fails: true, gen: func(g *gen) []string { return []string{"XREAD", "STREAMS", g.stream(), ">"} }},
	{name: "XGROUP", weight: 1, mixed: true, gen: func(g *gen) []string {
		return []string{"XGROUP", g.pick([]string{"CREATE", "SETID", "DESTROY", "NOTHING"}), g.stream(), g.groupName()}
	}},
	{name: "XGROUP CREATE", weight: 4, mixed: true, gen: func(g *gen) []string {
		args := []string{"XGROUP", "CREATE", g.stream(), g.groupName(), g.pick([]string{"0", "$", g.entryID()})}
		if g.IntN(2) == 0 {
			args = append(args, "MKSTREAM")
		}
		if g.IntN(3) == 0 {
			args = append(args, "ENTRIESREAD", g.pick([]string{"0", "3", "-1", "-2", "100"}))
		}
		return args
	}},
	{name: "XGROUP SETID", weight: 3, mixed: true, gen: func(g *gen) []string {
		args := []string{"XGROUP", "SETID", g.stream(), g.groupName(), g.pick([]string{"0", "$", "-", "+", g.entryID(), g.entryID()})}
		if g.IntN(3) == 0 {
			args = append(args, "ENTRIESREAD", g.pick([]string{"0", "3", "-1", "10"}))
		}
		return args
	}},
	{name: "XGROUP DESTROY", weight: 1, mixed: true, gen: func(g *gen) []string { return []string{"XGROUP", "DESTROY", g.stream(), g.groupName()} }},
	{name: "XGROUP CREATECONSUMER", weight: 2, mixed: true, gen: func(g *gen) []string {
		return []string{"XGROUP", "createconsumer", g.stream(), g.groupName(), g.consumerName()}
	}},
	{name: "XGROUP DELCONSUMER", weight: 1, mixed: true, gen: func(g *gen) []string {
		return []string{"XGROUP", "DELCONSUMER", g.stream(), g.groupName(), g.consumerName()}
	}},
	{name: "XREADGROUP", weight: 14, mixed: true, gen: func(g *gen) []string { return append(g.readGroup(), ">") }},
	{name: "XREADGROUP history", weight: 6, mixed: true, gen: func(g *gen) []string {
		return append(g.readGroup(), g.pick([]string{"0", "0", g.entryID()}))
	}},
	{name: "XREADGROUP NOACK", weight: 3, mixed: true, gen: func(g *gen) []string { return append(g.readGroup("NOACK"), ">") }},
	{name: "XREADGROUP $", weight: 1, fails: true, gen: func(g *gen) []string { return append(g.readGroup(), "$") }},
	{name: "XREADGROUP several", weight: 3, mixed: true, gen: func(g *gen) []string {
		return append(g.readGroup(), g.stream(), ">", g.pick([]string{"0", ">"}))
	}},
	{name: "XACK", weight: 7, gen: func(g *gen) []string { return append([]string{"XACK", g.stream(), g.groupName()}, g.ids(5)...) }},
	{name: "XPENDING", weight: 6, mixed: true, gen: func(g *gen) []string { return []string{"XPENDING", g.stream(), g.groupName()} }},
	{name: "XPENDING range", weight: 5, mixed: true, how: near, gen: func(g *gen) []string {
		args := []string{"XPENDING", g.stream(), g.groupName(), g.bound("-"), g.bound("+"), strconv.Itoa(g.IntN(12) - 1)}
		if g.IntN(2) == 0 {
			args = append(args, g.consumerName())
		}
		return args
	}},
	{name: "XPENDING IDLE", weight: 3, mixed: true, how: near, gen: func(g *gen) []string {
		args := []string{"XPENDING", g.stream(), g.groupName(), "IDLE", g.pick([]string{"0", "100000000"}), "-", "+", strconv.Itoa(g.IntN(12))}
		if g.IntN(2) == 0 {
			args = append(args, g.consumerName())
		}
		return args
	}},
	{name: "XCLAIM", weight: 6, mixed: true, gen: func(g *gen) []string {
		args := append([]string{"XCLAIM", g.stream(), g.groupName(), g.consumerName(), g.pick([]string{"0", "0", "-5", "100000000"})}, g.ids(5)...)
		for range g.IntN(3) {
			args = append(args, [][]string{{"FORCE"}, {"JUSTID"}, {"RETRYCOUNT", "7"}, {"LASTID", g.entryID()}, {"IDLE", "5000000"}, {"TIME", "1700000000000"}}[g.IntN(6)]...)
		}
		return args
	}},
	{name: "XCLAIM odd", weight: 1, mixed: true, gen: func(g *gen) []string {
		return []string{"XCLAIM", g.stream(), g.groupName(), g.consumerName(), g.pick([]string{"0", "x"}), g.entryID(), g.pick([]string{"IDLE", "TIME", "RETRYCOUNT", "LASTID", "NOTHING"}), "x"}
	}},
	{name: "XAUTOCLAIM", weight: 5, mixed: true, gen: func(g *gen) []string {
		args := []string{"XAUTOCLAIM", g.stream(), g.groupName(), g.consumerName(), g.pick([]string{"0", "0", "100000000"}), g.bound("-")}
		if g.IntN(2) == 0 {
			args = append(args, "COUNT", strconv.Itoa(g.IntN(6)))
		}
		if g.IntN(2) == 0 {
			args = append(args, "JUSTID")
		}
		return args
	}},
	{name: "XINFO GROUPS", weight: 5, mixed: true, gen: func(g *gen) []string { return []string{"XINFO", "GROUPS", g.stream()} }},
	{name: "XINFO STREAM", weight: 2, mixed: true, how: kind, gen: func(g *gen) []string { return []string{"XINFO", "STREAM", g.stream()} }},
	{name: "XINFO STREAM FULL", weight: 2, mixed: true, how: kind, gen: func(g *gen) []string {
		return []string{"XINFO", "STREAM", g.stream(), "FULL", "COUNT", strconv.Itoa(g.IntN(5) - 1)}
	}},
	{name: "XINFO CONSUMERS", weight: 2, mixed: true, how: kind, gen: func(g *gen) []string {
		return []string{"XINFO", "CONSUMERS", g.stream(), g.groupName()}
	}},
	{name: "XINFO odd", weight: 1, fails: true, gen: func(g *gen) []string {
		return []string{"XINFO", "STREAM", g.pick(streamKeys), g.pick([]string{"FULLER", "x"})}
	}},
}
