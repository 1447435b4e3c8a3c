package diff

import "strconv"

// memberKeys hold sets, or nothing: of words, of integers, and one that is large now
// and then.
var (
	memberKeys  = concat(wordKeys, numberKeys, []string{"s:big"})
	wordKeys    = []string{"s:0", "s:1", "s:2", "{s}3"}
	numberKeys  = []string{"s:n0", "s:n1", "s:n2"}
	memberWords = []string{"-0", "01", "+1", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "32768", "-32769", "2147483648", "-2147483649", "\x00", ""}
)

func (g *gen) members() string { return g.of(memberKeys) }

// filled is a set and members that fit it.
func (g *gen) filled(n int) []string {
	k := g.members()
	args := []string{k}
	for range 1 + g.IntN(n) {
		args = append(args, g.memberOf(k))
	}
	return args
}

func (g *gen) memberOf(k string) string {
	switch {
	case k == "s:big" && g.IntN(2) == 0:
		return "m" + strconv.Itoa(g.IntN(900))
	case len(k) > 2 && k[2] == 'n' && g.IntN(30) > 0:
		if g.IntN(10) == 0 {
			return g.integer()
		}
		return strconv.Itoa(g.IntN(40) - 20)
	}
	switch g.IntN(12) {
	case 0:
		return g.value()
	case 1:
		return g.pick(memberWords)
	case 2, 3:
		return strconv.Itoa(g.IntN(8))
	}
	return g.letters(1 + g.IntN(2))
}

// addingMany fills a set with many members, or deletes it.
func addingMany(g *gen) []string {
	k, prefix := "s:big", "m"
	if g.IntN(3) == 0 {
		k, prefix = g.pick(numberKeys), ""
	}
	if g.IntN(4) == 0 {
		g.follow("SCARD", k)
		return []string{"DEL", k}
	}
	args := []string{"SADD", k}
	from := g.IntN(500)
	for i := range 1 + g.IntN(400) {
		args = append(args, prefix+strconv.Itoa(from+i))
	}
	return args
}

func removingMany(g *gen) []string {
	args := []string{"SREM", "s:big"}
	from := g.IntN(900)
	for i := range 1 + g.IntN(400) {
		args = append(args, "m"+strconv.Itoa(from+i))
	}
	return args
}

// ofSets is a command on up to n sets.
func ofSets(command string, n int) func(g *gen) []string {
	return func(g *gen) []string {
		args := []string{command}
		for range 1 + g.IntN(n) {
			args = append(args, g.members())
		}
		return args
	}
}

// storingSets is a command that stores what comes of up to n sets.
func storingSets(command string, n int) func(g *gen) []string {
	return func(g *gen) []string {
		args := []string{command, g.members()}
		for range 1 + g.IntN(n) {
			args = append(args, g.members())
		}
		return args
	}
}

// popping pops members, and deletes what is left: the servers' choices differ.
func popping(f func(g *gen) []string) func(g *gen) []string {
	return func(g *gen) []string {
		k := g.members()
		g.follow("DEL", k)
		return append([]string{"SPOP", k}, f(g)...)
	}
}

var memberForms = []form{
	{name: "SADD", weight: 25, gen: func(g *gen) []string { return append([]string{"SADD"}, g.filled(6)...) }},
	{name: "SADD one", weight: 10, gen: func(g *gen) []string { return append([]string{"SADD"}, g.filled(1)...) }},
	{name: "SADD many", weight: 4, gen: addingMany, whole: true},
	{name: "SREM", weight: 10, gen: func(g *gen) []string { return append([]string{"SREM"}, g.filled(4)...) }},
	{name: "SREM many", weight: 3, gen: removingMany, whole: true},
	{name: "SISMEMBER", weight: 8, gen: func(g *gen) []string { return append([]string{"SISMEMBER"}, g.filled(1)...) }},
	{name: "SMISMEMBER", weight: 6, gen: func(g *gen) []string { return append([]string{"SMISMEMBER"}, g.filled(5)...) }},
	{name: "SCARD", weight: 5, gen: func(g *gen) []string { return []string{"SCARD", g.members()} }},
	{name: "SMEMBERS", weight: 8, how: unordered, gen: func(g *gen) []string { return []string{"SMEMBERS", g.members()} }},
	{name: "SMOVE", weight: 10, gen: func(g *gen) []string {
		k := g.members()
		return []string{"SMOVE", k, g.members(), g.memberOf(k)}
	}},
	{name: "SPOP", weight: 2, how: kind, whole: true, gen: popping(none)},
	{name: "SPOP count", weight: 2, how: size, whole: true, gen: popping(func(g *gen) []string { return []string{strconv.Itoa(g.IntN(12))} })},
	{name: "SPOP all", weight: 2, how: unordered, gen: func(g *gen) []string { return []string{"SPOP", g.members(), "100000"} }, whole: true},
	{name: "SPOP odd", weight: 2, how: size, mixed: true, gen: func(g *gen) []string {
		return []string{"SPOP", "none:0", g.pick(oddArgs)}
	}},
	{name: "SRANDMEMBER", weight: 3, how: kind, gen: func(g *gen) []string { return []string{"SRANDMEMBER", g.members()} }},
	{name: "SRANDMEMBER count", weight: 4, how: size, gen: func(g *gen) []string { return []string{"SRANDMEMBER", g.members(), g.draws()} }},
	{name: "SRANDMEMBER all", weight: 3, how: unordered, whole: true, gen: func(g *gen) []string { return []string{"SRANDMEMBER", g.members(), "100000"} }},
	{name: "SSCAN", weight: 4, how: scan, whole: true, gen: func(g *gen) []string { return []string{"SSCAN", g.members(), "0"} }},
	{name: "SSCAN COUNT", weight: 3, how: scan, whole: true, gen: func(g *gen) []string {
		return []string{"SSCAN", g.members(), "0", "COUNT", strconv.Itoa(1 + g.IntN(50))}
	}},
	{name: "SSCAN MATCH", weight: 3, how: scan, whole: true, gen: func(g *gen) []string {
		return []string{"SSCAN", g.members(), "0", "MATCH", g.pick([]string{"*", "a*", "m*1", "[0-9]", "-?"})}
	}},
	{name: "SINTER", weight: 6, how: unordered, gen: ofSets("SINTER", 3)},
	{name: "SUNION", weight: 6, how: unordered, gen: ofSets("SUNION", 4)},
	{name: "SDIFF", weight: 6, how: unordered, gen: ofSets("SDIFF", 4)},
	{name: "SINTERSTORE", weight: 5, gen: storingSets("SINTERSTORE", 3)},
	{name: "SUNIONSTORE", weight: 5, gen: storingSets("SUNIONSTORE", 3)},
	{name: "SDIFFSTORE", weight: 5, gen: storingSets("SDIFFSTORE", 3)},
	{name: "SINTERCARD", weight: 5, gen: func(g *gen) []string { return append([]string{"SINTERCARD"}, g.several(memberKeys, 3)...) }},
	{name: "SINTERCARD LIMIT", weight: 4, gen: func(g *gen) []string {
		return append(append([]string{"SINTERCARD"}, g.several(memberKeys, 3)...), "LIMIT", strconv.Itoa(g.IntN(6)))
	}},
}
