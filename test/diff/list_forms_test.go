package diff

import "strconv"

// listKeys hold lists, or nothing: a few short ones, and one that is long now
// and then.
var listKeys = []string{"l:0", "l:1", "l:2", "l:3", "{l}4", "l:long"}

func (g *gen) list() string { return g.of(listKeys) }

// element is one of few, so that they recur, or any value.
func (g *gen) element() string {
	switch g.IntN(8) {
	case 0:
		return g.value()
	case 1, 2:
		return strconv.Itoa(g.IntN(5) - 1)
	}
	return g.letters(1 + g.IntN(2))
}

func (g *gen) elements(n int) (all []string) {
	for range 1 + g.IntN(n) {
		all = append(all, g.element())
	}
	return all
}

// pushing is a push of up to n elements.
func pushing(command string, n int) func(g *gen) []string {
	return func(g *gen) []string { return append([]string{command, g.list()}, g.elements(n)...) }
}

// pushingMany makes the long list, or cuts it.
func pushingMany(command string) func(g *gen) []string {
	return func(g *gen) []string {
		const k = "l:long"
		switch g.IntN(4) {
		case 0:
			g.follow("LLEN", k)
			return []string{"DEL", k}
		case 1:
			n := g.IntN(3000)
			return []string{"LTRIM", k, strconv.Itoa(n), strconv.Itoa(n + g.IntN(2000))}
		}
		args := []string{command, k}
		for range 1 + g.IntN(1500) {
			args = append(args, g.element())
		}
		return args
	}
}

// within is a command on a list with two indices.
func within(command string) func(g *gen) []string {
	return func(g *gen) []string { return []string{command, g.list(), g.index(), g.index()} }
}

// lpos is LPOS with options made by f.
func lpos(f func(g *gen) []string) func(g *gen) []string {
	return func(g *gen) []string { return append([]string{"LPOS", g.list(), g.element()}, f(g)...) }
}

func (g *gen) end() string { return g.pick([]string{"LEFT", "RIGHT", "left", "Right"}) }

// count is a number of elements.
func (g *gen) count() string {
	switch g.IntN(12) {
	case 0:
		return "0"
	case 1:
		return g.pick([]string{"100", "5000", "9223372036854775807"})
	}
	return strconv.Itoa(1 + g.IntN(4))
}

// several is a count of keys and the keys.
func (g *gen) several(class []string, n int) []string {
	n = 1 + g.IntN(n)
	args := []string{strconv.Itoa(n)}
	for range n {
		args = append(args, g.of(class))
	}
	return args
}

var listForms = []form{
	{name: "LPUSH", weight: 14, gen: pushing("LPUSH", 4)},
	{name: "RPUSH", weight: 14, gen: pushing("RPUSH", 4)},
	{name: "RPUSH many", weight: 2, gen: pushingMany("RPUSH"), whole: true},
	{name: "LPUSH many", weight: 2, gen: pushingMany("LPUSH"), whole: true},
	{name: "LPUSHX", weight: 3, gen: pushing("LPUSHX", 3)},
	{name: "RPUSHX", weight: 3, gen: pushing("RPUSHX", 3)},
	{name: "LPUSHX free", weight: 1, dull: true, gen: func(g *gen) []string { return []string{"LPUSHX", "none:0", g.element()} }},
	{name: "LPOP", weight: 5, gen: func(g *gen) []string { return []string{"LPOP", g.list()} }},
	{name: "RPOP", weight: 5, gen: func(g *gen) []string { return []string{"RPOP", g.list()} }},
	{name: "LPOP count", weight: 4, gen: func(g *gen) []string { return []string{"LPOP", g.list(), g.count()} }},
	{name: "RPOP count", weight: 4, gen: func(g *gen) []string { return []string{"RPOP", g.list(), g.count()} }},
	{name: "LLEN", weight: 5, gen: func(g *gen) []string { return []string{"LLEN", g.list()} }},
	{name: "LRANGE", weight: 8, gen: within("LRANGE")},
	{name: "LRANGE all", weight: 4, gen: func(g *gen) []string { return []string{"LRANGE", g.list(), "0", "-1"} }},
	{name: "LRANGE long", weight: 2, gen: func(g *gen) []string {
		return []string{"LRANGE", "l:long", strconv.Itoa(g.IntN(2000) - 1000), strconv.Itoa(g.IntN(4000) - 1000)}
	}},
	{name: "LINDEX", weight: 6, gen: func(g *gen) []string { return []string{"LINDEX", g.list(), g.index()} }},
	{name: "LINDEX long", weight: 4, gen: func(g *gen) []string { return []string{"LINDEX", "l:long", strconv.Itoa(g.IntN(4000) - 2000)} }},
	{name: "LSET", weight: 8, mixed: true, gen: func(g *gen) []string { return []string{"LSET", g.list(), strconv.Itoa(g.IntN(12) - 6), g.element()} }},
	{name: "LSET long", weight: 5, mixed: true, gen: func(g *gen) []string {
		return []string{"LSET", "l:long", strconv.Itoa(g.IntN(1000) - 500), g.value()}
	}},
	{name: "LINSERT BEFORE", weight: 5, gen: func(g *gen) []string { return []string{"LINSERT", g.list(), "BEFORE", g.element(), g.element()} }},
	{name: "LINSERT AFTER", weight: 5, gen: func(g *gen) []string { return []string{"LINSERT", g.list(), "after", g.element(), g.element()} }},
	{name: "LINSERT long", weight: 6, gen: func(g *gen) []string {
		return []string{"LINSERT", "l:long", g.pick([]string{"AFTER", "BEFORE"}), g.letters(2 + g.IntN(2)), g.value()}
	}},
	{name: "LREM", weight: 3, gen: func(g *gen) []string { return []string{"LREM", g.list(), "0", g.element()} }},
	{name: "LREM head", weight: 4, gen: func(g *gen) []string { return []string{"LREM", g.list(), strconv.Itoa(1 + g.IntN(3)), g.element()} }},
	{name: "LREM tail", weight: 4, gen: func(g *gen) []string { return []string{"LREM", g.list(), strconv.Itoa(-1 - g.IntN(3)), g.element()} }},
	{name: "LREM long", weight: 4, gen: func(g *gen) []string {
		return []string{"LREM", "l:long", strconv.Itoa(g.IntN(400) - 200), g.element()}
	}},
	{name: "LTRIM", weight: 3, dull: true, gen: func(g *gen) []string {
		return []string{"LTRIM", g.list(), strconv.Itoa(g.IntN(5) - 1), strconv.Itoa(g.IntN(30) - 10)}
	}},
	{name: "LTRIM any", weight: 2, dull: true, gen: within("LTRIM")},
	{name: "LPOS", weight: 4, gen: lpos(func(*gen) []string { return nil })},
	{name: "LPOS RANK", weight: 4, gen: lpos(func(g *gen) []string { return []string{"RANK", g.pick([]string{"1", "2", "3", "-1", "-2", "-9"})} })},
	{name: "LPOS COUNT", weight: 4, gen: lpos(func(g *gen) []string { return []string{"COUNT", g.count()} })},
	{name: "LPOS MAXLEN", weight: 3, gen: lpos(func(g *gen) []string { return []string{"MAXLEN", g.count()} })},
	{name: "LPOS all options", weight: 4, gen: lpos(func(g *gen) []string {
		return []string{"MAXLEN", strconv.Itoa(g.IntN(40)), "rank", g.pick([]string{"1", "2", "-1", "-3"}), "COUNT", g.count()}
	})},
	{name: "LPOS long", weight: 3, gen: func(g *gen) []string {
		return []string{"LPOS", "l:long", g.element(), "RANK", strconv.Itoa(1 + g.IntN(60)), "COUNT", strconv.Itoa(g.IntN(50))}
	}},
	{name: "LMOVE", weight: 10, gen: func(g *gen) []string { return []string{"LMOVE", g.list(), g.list(), g.end(), g.end()} }},
	{name: "LMOVE same", weight: 3, gen: func(g *gen) []string { k := g.list(); return []string{"LMOVE", k, k, g.end(), g.end()} }},
	{name: "LMOVE free", weight: 1, gen: func(g *gen) []string {
		k := g.free()
		g.follow("RPOPLPUSH", k, g.pick(listKeys))
		return []string{"LMOVE", g.list(), k, g.end(), g.end()}
	}},
	{name: "RPOPLPUSH", weight: 5, gen: func(g *gen) []string { return []string{"RPOPLPUSH", g.list(), g.list()} }},
	{name: "LMPOP", weight: 4, gen: func(g *gen) []string { return append(append([]string{"LMPOP"}, g.several(listKeys, 3)...), g.end()) }},
	{name: "LMPOP COUNT", weight: 4, gen: func(g *gen) []string {
		return append(append([]string{"LMPOP"}, g.several(listKeys, 3)...), g.end(), "COUNT", strconv.Itoa(1+g.IntN(4)))
	}},
	{name: "LMPOP nothing", weight: 1, dull: true, gen: words("LMPOP", "2", "none:0", "none:1", "LEFT")},
	{name: "COPY of a list", weight: 3, gen: func(g *gen) []string {
		return []string{"COPY", g.pick(listKeys), g.pick([]string{"l:1", "l:2", "l:3"}), "REPLACE"}
	}},
	{name: "RENAME of a list", weight: 2, mixed: true, gen: func(g *gen) []string { return []string{"RENAME", g.pick(listKeys), g.pick(listKeys)} }},
	{name: "DEL of a list", weight: 1, gen: func(g *gen) []string { return []string{"DEL", g.pick(listKeys)} }},
	wrong(
		"error list arity", 2, "LPUSH K", "RPUSH K", "LPUSHX K", "LPOP", "RPOP K 1 2", "LLEN", "LRANGE K 0", "LINDEX K", "LSET K 0", "LINSERT K BEFORE a", "LREM K 0", "LTRIM K 0", "LPOS K", "LMOVE K K LEFT", "RPOPLPUSH K", "LMPOP 1 K",
	),
	wrong(
		"error list", 5, "LPOP K -1", "RPOP K x", "LPOP K 9223372036854775808", "LRANGE K a 0", "LRANGE K 0 1.5", "LSET none:2 0 x", "LINSERT K BESIDE a b", "LREM K x a", "LTRIM K a b", "LPOS K a RANK 0", "LPOS K a RANK x",
		"LPOS K a COUNT -1", "LPOS K a COUNT x", "LPOS K a MAXLEN -1", "LPOS K a MAXLEN", "LPOS K a FOO 1", "LPOS K a COUNT", "LMOVE K K UP LEFT", "LMOVE K K LEFT DOWN", "LMPOP 0 K LEFT", "LMPOP x K LEFT", "LMPOP -1 K LEFT", "LMPOP 2 K LEFT",
		"LMPOP 1 K UP", "LMPOP 1 K LEFT COUNT", "LMPOP 1 K LEFT COUNT 0", "LMPOP 1 K LEFT COUNT x", "LMPOP 1 K LEFT COUNT 1 COUNT 1", "LMPOP 1 K LEFT FOO 1", "LMPOP 9223372036854775807 K LEFT",
	),
}
