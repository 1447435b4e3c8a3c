package diff

import "strconv"

// hashKeys hold hashes, or nothing: small ones, and one that is large now and then.
var hashKeys = []string{"h:0", "h:1", "h:2", "{h}3", "h:big"}

func (g *gen) hash() string { return g.of(hashKeys) }

// field is one of few fields, or any value.
func (g *gen) hashField() string {
	switch g.IntN(12) {
	case 0:
		return g.value()
	case 1, 2, 3:
		return strconv.Itoa(g.IntN(8))
	case 4, 5:
		return "num:" + strconv.Itoa(g.IntN(4))
	case 6:
		return "flo:" + strconv.Itoa(g.IntN(4))
	}
	return g.letters(1 + g.IntN(2))
}

func (g *gen) hashFields(n int) (all []string) {
	for range 1 + g.IntN(n) {
		all = append(all, g.hashField())
	}
	return all
}

// fieldPair is a field and a value that fits.
func (g *gen) fieldPair() (string, string) {
	f := g.hashField()
	switch {
	case len(f) > 4 && f[:4] == "num:":
		return f, g.integer()
	case len(f) > 4 && f[:4] == "flo:":
		return f, g.float()
	}
	return f, g.value()
}

// settingFields is HSET or HMSET.
func settingFields(command string, n int) func(g *gen) []string {
	return func(g *gen) []string {
		args := []string{command, g.hash()}
		for range 1 + g.IntN(n) {
			f, v := g.fieldPair()
			args = append(args, f, v)
		}
		return args
	}
}

// settingMany fills the large hash, or deletes it.
func settingMany(g *gen) []string {
	const k = "h:big"
	if g.IntN(5) == 0 {
		g.follow("HLEN", k)
		return []string{"DEL", k}
	}
	args := []string{"HSET", k}
	from := g.IntN(400)
	for i := range 1 + g.IntN(400) {
		args = append(args, "f"+strconv.Itoa(from+i), g.letters(g.IntN(20)))
	}
	return args
}

// deletingMany takes fields of the large hash away.
func deletingMany(g *gen) []string {
	args := []string{"HDEL", "h:big"}
	from := g.IntN(700)
	for i := range 1 + g.IntN(300) {
		args = append(args, "f"+strconv.Itoa(from+i))
	}
	return args
}

// ofHash is a command with a hash and arguments made by f.
func ofHash(command string, f func(g *gen) []string) func(g *gen) []string {
	return func(g *gen) []string { return append([]string{command, g.hash()}, f(g)...) }
}

func none(*gen) []string { return nil }

func oneField(g *gen) []string { return []string{g.hashField()} }

func numberField(g *gen) []string {
	return []string{"num:" + strconv.Itoa(g.IntN(4)), g.integer()}
}

func floatField(g *gen) []string {
	return []string{g.pick([]string{"flo:", "num:"}) + strconv.Itoa(g.IntN(4)), g.float()}
}

var hashForms = []form{
	{name: "HSET", weight: 25, gen: settingFields("HSET", 5)},
	{name: "HSET one", weight: 10, gen: settingFields("HSET", 1)},
	{name: "HSET many", weight: 3, gen: settingMany, whole: true},
	{name: "HMSET", weight: 5, dull: true, gen: settingFields("HMSET", 4)},
	{name: "HSETNX", weight: 6, gen: func(g *gen) []string { f, v := g.fieldPair(); return []string{"HSETNX", g.hash(), f, v} }},
	{name: "HGET", weight: 10, gen: ofHash("HGET", oneField)},
	{name: "HMGET", weight: 6, gen: ofHash("HMGET", func(g *gen) []string { return g.hashFields(5) })},
	{name: "HGETALL", weight: 8, how: pairs, gen: ofHash("HGETALL", none)},
	{name: "HKEYS", weight: 4, how: unordered, gen: ofHash("HKEYS", none)},
	{name: "HVALS", weight: 4, how: unordered, gen: ofHash("HVALS", none)},
	{name: "HLEN", weight: 5, gen: ofHash("HLEN", none)},
	{name: "HEXISTS", weight: 5, gen: ofHash("HEXISTS", oneField)},
	{name: "HSTRLEN", weight: 5, gen: ofHash("HSTRLEN", oneField)},
	{name: "HDEL", weight: 10, gen: ofHash("HDEL", func(g *gen) []string { return g.hashFields(4) })},
	{name: "HDEL many", weight: 3, gen: deletingMany, whole: true},
	{name: "HINCRBY", weight: 8, gen: ofHash("HINCRBY", numberField)},
	{name: "HINCRBY any", weight: 3, mixed: true, gen: ofHash("HINCRBY", func(g *gen) []string { return []string{g.hashField(), g.integer()} })},
	{name: "HINCRBYFLOAT", weight: 8, gen: ofHash("HINCRBYFLOAT", floatField)},
	{name: "HINCRBYFLOAT any", weight: 3, mixed: true, gen: ofHash("HINCRBYFLOAT", func(g *gen) []string { return []string{g.hashField(), g.float()} })},
	{name: "HRANDFIELD", weight: 3, how: kind, gen: ofHash("HRANDFIELD", none)},
	{name: "HRANDFIELD count", weight: 4, how: size, gen: ofHash("HRANDFIELD", func(g *gen) []string { return []string{g.draws()} })},
	{name: "HRANDFIELD WITHVALUES", weight: 4, how: size, gen: ofHash("HRANDFIELD", func(g *gen) []string { return []string{g.draws(), "WITHVALUES"} })},
	{name: "HRANDFIELD all", weight: 3, how: unordered, whole: true, gen: ofHash("HRANDFIELD", words("100000"))},
	{name: "HSCAN", weight: 4, how: scan, whole: true, gen: ofHash("HSCAN", words("0"))},
	{name: "HSCAN COUNT", weight: 3, how: scan, whole: true, gen: ofHash("HSCAN", func(g *gen) []string { return []string{"0", "COUNT", strconv.Itoa(1 + g.IntN(50))} })},
	{name: "HSCAN MATCH", weight: 3, how: scan, whole: true, gen: ofHash("HSCAN", func(g *gen) []string {
		return []string{"0", "MATCH", g.pick([]string{"*", "a*", "f*1", "[0-9]", "num:?"})}
	})},
}

// draws is how many elements are drawn at random.
func (g *gen) draws() string {
	switch g.IntN(10) {
	case 0:
		return g.pick([]string{"0", "1000", "9223372036854775807"})
	case 1:
		return strconv.Itoa(-300)
	}
	return strconv.Itoa(g.IntN(20) - 10)
}
