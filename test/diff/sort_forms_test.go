package diff

import "strconv"

// sortable are lists and sets of numbers and words, whose elements name other
// keys: w:1, w:2, … and the hashes wh:1, ….
var sortable = []string{"so:0", "so:1", "so:2", "so:3"}

// sorting is SORT of a list, set or sorted set that is made anew now and then,
// with options made by f. It follows that all are made of the words 0 to 11.
func sorting(command string, f func(g *gen) []string) func(g *gen) []string {
	return func(g *gen) []string {
		if g.IntN(3) == 0 {
			k := g.pick(sortable)
			g.then = append(g.then, op{args: []string{"DEL", k}, form: g.form("DEL")})
			args := []string{g.pick([]string{"RPUSH", "SADD", "RPUSH"}), k}
			for range 1 + g.IntN(12) {
				args = append(args, strconv.Itoa(g.IntN(12)))
			}
			g.then = append(g.then, op{args: args, form: g.form("SORT fill")})
			w := strconv.Itoa(g.IntN(12))
			g.then = append(g.then,
				op{args: []string{"SET", "w:" + w, g.pick([]string{"1", "2.5", "-3", "1e3", "7", "", "  4"})}, form: g.form("SORT fill")},
				op{args: []string{"HSET", "wh:" + w, "f", strconv.Itoa(g.IntN(9)), "g", g.letters(3)}, form: g.form("SORT fill")})
		}
		g.calmErrno()
		return append([]string{command, g.pick(sortable)}, f(g)...)
	}
}

// calmErrno has redis-server convert a number: its SORT takes the overflow of
// whatever command came before for one of its own.
func (g *gen) calmErrno() {
	g.before = append(g.before, op{args: []string{"ZADD", "so:errno", "1", "m"}, form: g.form("SORT fill")})
}

func (g *gen) form(name string) *form {
	for i := range g.forms {
		if g.forms[i].name == name {
			return &g.forms[i]
		}
	}
	panic("no form is called " + name)
}

func (g *gen) limits() []string {
	return []string{"LIMIT", strconv.Itoa(g.IntN(8) - 2), strconv.Itoa(g.IntN(8) - 2)}
}

var sortForms = []form{
	{name: "SORT fill", weight: 1, mixed: true, dull: true, gen: func(g *gen) []string { return []string{"RPUSH", g.pick(sortable), strconv.Itoa(g.IntN(12))} }},
	{name: "SORT", weight: 4, mixed: true, gen: sorting("SORT", words())},
	{name: "SORT DESC", weight: 2, mixed: true, gen: sorting("SORT", words("DESC"))},
	{name: "SORT ALPHA", weight: 3, mixed: true, gen: sorting("SORT", words("ALPHA"))},
	{name: "SORT ALPHA DESC", weight: 2, mixed: true, gen: sorting("SORT", words("alpha", "desc"))},
	{name: "SORT LIMIT", weight: 3, mixed: true, gen: sorting("SORT", (*gen).limits)},
	{name: "SORT BY", weight: 4, mixed: true, gen: sorting("SORT", words("BY", "w:*"))},
	{name: "SORT BY hash", weight: 4, mixed: true, gen: sorting("SORT", words("BY", "wh:*->f", "DESC"))},
	{name: "SORT BY GET", weight: 4, mixed: true, gen: sorting("SORT", words("BY", "wh:*->f", "GET", "#", "GET", "wh:*->g", "GET", "w:*", "GET", "nothing"))},
	{name: "SORT_RO", weight: 3, mixed: true, gen: sorting("SORT_RO", words("LIMIT", "0", "3", "GET", "w:*", "DESC"))},
	{name: "SORT STORE", weight: 4, mixed: true, gen: sorting("SORT", func(g *gen) []string {
		k := g.pick([]string{"so:2", "so:3", "so:out"})
		g.follow("LRANGE", k, "0", "-1")
		return []string{"STORE", k, "GET", "#", "GET", "w:*"}
	})},
	// What was a list may be a set by now.
	{name: "SORT of a list unsorted", weight: 2, how: size, mixed: true, gen: func(g *gen) []string {
		return append([]string{"SORT", g.pick(listKeys), "BY", "nosort", "GET", "#", g.pick([]string{"ASC", "DESC"})}, g.limits()...)
	}},
	{name: "SORT of any", weight: 2, mixed: true, gen: func(g *gen) []string {
		g.calmErrno()
		return []string{"SORT", g.pick(listKeys), "ALPHA"}
	}},
	wrong(
		"error SORT", 2, "SORT", "SORT so:0 FOO", "SORT so:0 LIMIT 1", "SORT so:0 LIMIT a 1", "SORT so:0 BY", "SORT so:0 GET", "SORT so:0 STORE", "SORT_RO so:0 STORE x", "SORT_RO", "SORT so:0 LIMIT 0 1.5",
	),
}
