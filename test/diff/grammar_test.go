package diff

import "strconv"

// grammar is every form, family by family. A form added here is generated,
// compared and counted.
var grammar = append(families(hashForms, memberForms, listForms, sortForms, zsetForms, geoForms, hllForms, streamForms, dumpForms), core...)

// core is what the checks of the checker itself make do with, so that they do not
// become rarer with every type.
var core = families(setForms, stringForms, numberForms, bitmapForms, keyForms, expiryForms, scanForms, serverForms, errorForms)

func families(lists ...[]form) (all []form) {
	for _, family := range lists {
		all = append(all, family...)
	}
	return all
}

// words is a form's generator made of a fixed command.
func words(args ...string) func(*gen) []string {
	return func(*gen) []string { return append([]string(nil), args...) }
}

// set is a SET of a fitting pair with the options that f adds.
func set(f func(g *gen) []string) func(g *gen) []string {
	return func(g *gen) []string {
		k, v := g.keyed()
		return append([]string{"SET", k, v}, f(g)...)
	}
}

var setForms = []form{
	{name: "SET", weight: 50, gen: set(func(*gen) []string { return nil }), dull: true},
	{name: "SET NX", weight: 5, gen: func(g *gen) []string { return []string{"SET", g.pick([]string{g.free(), g.any()}), g.value(), "NX"} }},
	{name: "SET XX", weight: 5, gen: set(words("xx"))},
	{name: "SET GET", weight: 5, gen: set(words("GET"))},
	{name: "SET NX GET", weight: 4, gen: set(words("NX", "GET"))},
	{name: "SET XX GET", weight: 4, gen: set(words("GET", "XX"))},
	{name: "SET EX", weight: 6, gen: set(func(g *gen) []string { return []string{"EX", g.ttl()} }), dull: true},
	{name: "SET PX", weight: 6, gen: set(func(g *gen) []string { return []string{"px", g.ttlMs()} }), dull: true},
	{name: "SET EXAT", weight: 6, gen: set(func(g *gen) []string { return []string{"EXAT", g.at()} }), dull: true},
	{name: "SET PXAT", weight: 6, gen: set(func(g *gen) []string { return []string{"PXAT", g.atMs()} }), dull: true},
	{name: "SET KEEPTTL", weight: 6, gen: set(words("KEEPTTL")), dull: true},
	{name: "SET KEEPTTL XX GET", weight: 3, gen: set(words("KEEPTTL", "XX", "GET"))},
	{name: "SET EX NX", weight: 3, gen: func(g *gen) []string {
		return []string{"SET", g.pick([]string{g.free(), g.any()}), g.value(), "EX", g.ttl(), "NX"}
	}},
	{name: "SET PX XX GET", weight: 3, gen: set(func(g *gen) []string { return []string{"PX", g.ttlMs(), "XX", "GET"} })},
	{name: "SET PXAT past", weight: 2, dull: true, gen: func(g *gen) []string {
		k := g.str()
		g.follow("GET", k)
		g.follow("DEL", k)
		return []string{"SET", k, g.value(), "PXAT", strconv.Itoa(1 + g.IntN(1000))}
	}},
}

var stringForms = []form{
	{name: "GET", weight: 25, gen: func(g *gen) []string { return []string{"GET", g.any()} }},
	{name: "GETDEL", weight: 4, gen: func(g *gen) []string { return []string{"GETDEL", g.any()} }},
	{name: "GETSET", weight: 5, gen: func(g *gen) []string { k, v := g.keyed(); return []string{"GETSET", k, v} }},
	{name: "GETEX", weight: 3, gen: func(g *gen) []string { return []string{"GETEX", g.any()} }},
	{name: "GETEX EX", weight: 4, gen: func(g *gen) []string { return []string{"GETEX", g.any(), "EX", g.ttl()} }},
	{name: "GETEX PX", weight: 3, gen: func(g *gen) []string { return []string{"GETEX", g.any(), "PX", g.ttlMs()} }},
	{name: "GETEX EXAT", weight: 3, gen: func(g *gen) []string { return []string{"GETEX", g.any(), "EXAT", g.at()} }},
	{name: "GETEX PXAT", weight: 3, gen: func(g *gen) []string { return []string{"GETEX", g.any(), "PXAT", g.atMs()} }},
	{name: "GETEX PERSIST", weight: 3, gen: func(g *gen) []string { return []string{"GETEX", g.any(), "PERSIST"} }},
	{name: "GETEX EXAT past", weight: 1, gen: func(g *gen) []string { return []string{"GETEX", g.any(), "EXAT", "1"} }},
	{name: "SETEX", weight: 5, dull: true, gen: func(g *gen) []string { k, v := g.keyed(); return []string{"SETEX", k, g.ttl(), v} }},
	{name: "PSETEX", weight: 5, dull: true, gen: func(g *gen) []string { k, v := g.keyed(); return []string{"PSETEX", k, g.ttlMs(), v} }},
	{name: "SETNX", weight: 4, gen: func(g *gen) []string { return []string{"SETNX", g.pick([]string{g.free(), g.any()}), g.value()} }},
	{name: "MGET", weight: 8, gen: func(g *gen) []string { return append([]string{"MGET"}, g.keys(6)...) }},
	{name: "MSET", weight: 8, dull: true, gen: func(g *gen) []string { return g.assignments("MSET", false) }},
	{name: "MSETNX", weight: 6, gen: func(g *gen) []string { return g.assignments("MSETNX", g.IntN(4) > 0) }},
	{name: "APPEND", weight: 8, gen: func(g *gen) []string { return []string{"APPEND", g.str(), g.value()} }},
	{name: "STRLEN", weight: 6, gen: func(g *gen) []string { return []string{"STRLEN", g.any()} }},
	{name: "GETRANGE", weight: 8, gen: func(g *gen) []string { return []string{"GETRANGE", g.any(), g.index(), g.index()} }},
	{name: "SUBSTR", weight: 3, gen: func(g *gen) []string { return []string{"SUBSTR", g.any(), g.index(), g.index()} }},
	{name: "SETRANGE", weight: 8, gen: func(g *gen) []string {
		at := g.IntN(50)
		switch g.IntN(40) {
		case 0:
			at = 5000 + g.IntN(200)
		case 1:
			at = 100_000
		}
		return []string{"SETRANGE", g.str(), strconv.Itoa(at), g.letters(g.IntN(8))}
	}},
	{name: "LCS", weight: 3, gen: func(g *gen) []string { a, b := g.texts(); return []string{"LCS", a, b} }},
	{name: "LCS LEN", weight: 3, gen: func(g *gen) []string { a, b := g.texts(); return []string{"LCS", a, b, "LEN"} }},
	{name: "LCS IDX", weight: 3, gen: func(g *gen) []string { a, b := g.texts(); return []string{"LCS", a, b, "IDX"} }},
	{name: "LCS IDX MINMATCHLEN", weight: 2, gen: func(g *gen) []string {
		a, b := g.texts()
		return []string{"LCS", a, b, "IDX", "MINMATCHLEN", strconv.Itoa(g.IntN(4))}
	}},
	{name: "LCS IDX WITHMATCHLEN", weight: 2, gen: func(g *gen) []string {
		a, b := g.texts()
		return []string{"LCS", a, b, "WITHMATCHLEN", "IDX", "MINMATCHLEN", strconv.Itoa(g.IntN(3) - 1)}
	}},
}

// assignments are one to five pairs, of keys that seldom exist if free.
func (g *gen) assignments(cmd string, free bool) []string {
	args := []string{cmd}
	for range 1 + g.IntN(5) {
		k, v := g.keyed()
		if free {
			k = g.free()
		}
		args = append(args, k, v)
	}
	return args
}

var numberForms = []form{
	{name: "INCR", weight: 8, gen: func(g *gen) []string { return []string{"INCR", g.num()} }},
	{name: "DECR", weight: 6, gen: func(g *gen) []string { return []string{"DECR", g.num()} }},
	{name: "INCRBY", weight: 7, gen: func(g *gen) []string { return []string{"INCRBY", g.num(), g.integer()} }},
	{name: "DECRBY", weight: 6, gen: func(g *gen) []string { return []string{"DECRBY", g.num(), g.integer()} }},
	{name: "INCRBYFLOAT", weight: 12, gen: func(g *gen) []string { return []string{"INCRBYFLOAT", g.flo(), g.float()} }},
	{name: "INCRBYFLOAT of integers", weight: 3, gen: func(g *gen) []string { return []string{"INCRBYFLOAT", g.num(), g.float()} }},
}

var bitTypes = []string{"u1", "u2", "u4", "u5", "u8", "u16", "u31", "u32", "u63", "i1", "i2", "i3", "i8", "i16", "i32", "i63", "i64"}

// field is a type and offset of BITFIELD.
func (g *gen) field() []string {
	at := strconv.Itoa(g.IntN(120))
	if g.IntN(4) == 0 {
		at = "#" + strconv.Itoa(g.IntN(6))
	}
	return []string{g.pick(bitTypes), at}
}

// span is a range of BITCOUNT and BITPOS.
func (g *gen) span() []string { return []string{g.index(), g.index()} }

func bitop(ops string, min, max int) func(g *gen) []string {
	return func(g *gen) []string {
		args := []string{"BITOP", ops, g.bit()}
		for range min + g.IntN(max-min+1) {
			args = append(args, g.bit())
		}
		return args
	}
}

var bitmapForms = []form{
	{name: "SETBIT", weight: 10, gen: func(g *gen) []string {
		at := g.IntN(300)
		if g.IntN(50) == 0 {
			at = 100_000 + g.IntN(100)
		}
		return []string{"SETBIT", g.bit(), strconv.Itoa(at), strconv.Itoa(g.IntN(2))}
	}},
	{name: "GETBIT", weight: 8, gen: func(g *gen) []string { return []string{"GETBIT", g.bit(), strconv.Itoa(g.IntN(320))} }},
	{name: "BITCOUNT", weight: 4, gen: func(g *gen) []string { return []string{"BITCOUNT", g.any()} }},
	{name: "BITCOUNT range", weight: 4, gen: func(g *gen) []string { return append([]string{"BITCOUNT", g.bit()}, g.span()...) }},
	{name: "BITCOUNT BYTE", weight: 2, gen: func(g *gen) []string { return append(append([]string{"BITCOUNT", g.bit()}, g.span()...), "BYTE") }},
	{name: "BITCOUNT BIT", weight: 4, gen: func(g *gen) []string { return append(append([]string{"BITCOUNT", g.bit()}, g.span()...), "bit") }},
	{name: "BITPOS", weight: 4, gen: func(g *gen) []string { return []string{"BITPOS", g.bit(), strconv.Itoa(g.IntN(2))} }},
	{name: "BITPOS start", weight: 3, gen: func(g *gen) []string { return []string{"BITPOS", g.bit(), strconv.Itoa(g.IntN(2)), g.index()} }},
	{name: "BITPOS range", weight: 3, gen: func(g *gen) []string {
		return append([]string{"BITPOS", g.bit(), strconv.Itoa(g.IntN(2))}, g.span()...)
	}},
	{name: "BITPOS BYTE", weight: 2, gen: func(g *gen) []string {
		return append(append([]string{"BITPOS", g.bit(), strconv.Itoa(g.IntN(2))}, g.span()...), "BYTE")
	}},
	{name: "BITPOS BIT", weight: 4, gen: func(g *gen) []string {
		return append(append([]string{"BITPOS", g.bit(), strconv.Itoa(g.IntN(2))}, g.span()...), "BIT")
	}},
	{name: "BITOP AND", weight: 3, gen: bitop("AND", 1, 4)},
	{name: "BITOP OR", weight: 3, gen: bitop("or", 1, 4)},
	{name: "BITOP XOR", weight: 3, gen: bitop("XOR", 1, 4)},
	{name: "BITOP NOT", weight: 2, gen: bitop("NOT", 1, 1)},
	{name: "BITFIELD GET", weight: 4, gen: func(g *gen) []string { return append([]string{"BITFIELD", g.bit(), "GET"}, g.field()...) }},
	{name: "BITFIELD SET", weight: 5, gen: func(g *gen) []string {
		return append(append([]string{"BITFIELD", g.bit(), "SET"}, g.field()...), g.integer())
	}},
	{name: "BITFIELD INCRBY", weight: 5, gen: func(g *gen) []string {
		return append(append([]string{"BITFIELD", g.bit(), "INCRBY"}, g.field()...), g.integer())
	}},
	{name: "BITFIELD OVERFLOW", weight: 8, gen: func(g *gen) []string {
		args := []string{"BITFIELD", g.bit()}
		for range 1 + g.IntN(4) {
			switch g.IntN(4) {
			case 0:
				args = append(append(args, "GET"), g.field()...)
			case 1:
				args = append(append(append(args, "SET"), g.field()...), g.integer())
			default:
				args = append(args, "OVERFLOW", g.pick([]string{"WRAP", "SAT", "FAIL", "wrap"}), "INCRBY")
				args = append(append(args, g.field()...), g.integer())
			}
		}
		return args
	}},
	{name: "BITFIELD none", weight: 1, gen: func(g *gen) []string { return []string{"BITFIELD", g.bit()} }, dull: true},
	{name: "BITFIELD_RO", weight: 4, gen: func(g *gen) []string {
		return append(append(append([]string{"BITFIELD_RO", g.bit(), "GET"}, g.field()...), "GET"), g.field()...)
	}},
}

var keyForms = []form{
	{name: "DEL", weight: 5, gen: func(g *gen) []string { return append([]string{"DEL"}, g.keys(2)...) }},
	{name: "UNLINK", weight: 3, gen: func(g *gen) []string { return append([]string{"UNLINK"}, g.keys(2)...) }},
	{name: "EXISTS", weight: 5, gen: func(g *gen) []string { return append([]string{"EXISTS"}, g.keys(4)...) }},
	{name: "TOUCH", weight: 4, gen: func(g *gen) []string { return append([]string{"TOUCH"}, g.keys(4)...) }},
	{name: "TYPE", weight: 4, gen: func(g *gen) []string { return []string{"TYPE", g.any()} }},
	{name: "RENAME", weight: 6, gen: func(g *gen) []string { a, b := g.same(); return []string{"RENAME", a, b} }},
	{name: "RENAMENX", weight: 5, gen: func(g *gen) []string {
		a, b := g.same()
		return []string{"RENAMENX", a, g.pick([]string{g.free(), b})}
	}},
	{name: "COPY", weight: 4, gen: func(g *gen) []string { return []string{"COPY", g.any(), g.pick([]string{g.free(), g.any()})} }},
	{name: "COPY REPLACE", weight: 4, gen: func(g *gen) []string { a, b := g.same(); return []string{"COPY", a, b, "REPLACE"} }},
	{name: "COPY DB", weight: 4, gen: func(g *gen) []string {
		a, b := g.same()
		return []string{"COPY", a, b, "DB", strconv.Itoa(g.IntN(16))}
	}},
	{name: "COPY DB REPLACE", weight: 3, gen: func(g *gen) []string { k := g.any(); return []string{"COPY", k, k, "REPLACE", "DB", g.db()} }},
	{name: "MOVE", weight: 4, gen: func(g *gen) []string { return []string{"MOVE", g.any(), strconv.Itoa(g.IntN(16))} }},
	{name: "SWAPDB", weight: 1, gen: func(g *gen) []string { g.populate(); return []string{"SWAPDB", g.db(), g.db()} }, dull: true},
	{name: "SELECT", weight: 6, gen: func(g *gen) []string { g.populate(); return []string{"SELECT", g.db()} }, dull: true},
	{name: "FLUSHDB", weight: 1, gen: func(g *gen) []string {
		return [][]string{{"FLUSHDB"}, {"FLUSHDB", "SYNC"}, {"FLUSHDB", "async"}}[g.IntN(3)]
	}, dull: true},
	{name: "FLUSHALL", weight: 1, gen: func(g *gen) []string {
		return [][]string{{"FLUSHALL"}, {"FLUSHALL", "SYNC"}, {"FLUSHALL", "ASYNC"}}[g.IntN(3)]
	}, dull: true},
	{name: "DBSIZE", weight: 4, gen: words("DBSIZE")},
	{name: "RANDOMKEY", weight: 3, gen: words("RANDOMKEY"), how: kind},
	{name: "OBJECT ENCODING", weight: 10, gen: func(g *gen) []string { return []string{"OBJECT", "ENCODING", g.any()} }, how: encoding},
	{name: "OBJECT REFCOUNT", weight: 2, gen: func(g *gen) []string { return []string{"OBJECT", "REFCOUNT", g.any()} }, how: kind},
	{name: "OBJECT IDLETIME", weight: 2, gen: func(g *gen) []string { return []string{"OBJECT", "IDLETIME", g.any()} }, how: kind},
	{name: "OBJECT FREQ", weight: 1, gen: func(g *gen) []string { return []string{"OBJECT", "FREQ", g.any()} }, mixed: true},
	{name: "MEMORY USAGE", weight: 2, gen: func(g *gen) []string { return []string{"MEMORY", "USAGE", g.any()} }, how: kind},
}

// expires is an EXPIRE command whose deadline comes from when, with options.
func expires(cmd string, when func(*gen) string, options ...string) func(g *gen) []string {
	// Mostly keys of few classes, so that many meet a deadline.
	return func(g *gen) []string {
		k := g.any()
		if g.IntN(4) > 0 {
			k = g.pick(coreKeys)
		}
		return append([]string{cmd, k, when(g)}, options...)
	}
}

var expiryForms = func() []form {
	forms := []form{
		{name: "TTL", weight: 5, gen: func(g *gen) []string { return []string{"TTL", g.any()} }, how: seconds},
		{name: "PTTL", weight: 5, gen: func(g *gen) []string { return []string{"PTTL", g.any()} }, how: millis},
		{name: "EXPIRETIME", weight: 4, gen: func(g *gen) []string { return []string{"EXPIRETIME", g.any()} }, how: seconds},
		{name: "PEXPIRETIME", weight: 4, gen: func(g *gen) []string { return []string{"PEXPIRETIME", g.any()} }, how: millis},
		{name: "PERSIST", weight: 4, gen: func(g *gen) []string { return []string{"PERSIST", g.any()} }},
		{name: "EXPIRE past", weight: 1, gen: expires("EXPIRE", (*gen).past)},
		{name: "PEXPIRE past", weight: 1, gen: expires("PEXPIRE", (*gen).past)},
		{name: "EXPIREAT past", weight: 1, gen: expires("EXPIREAT", func(*gen) string { return "1" })},
		{name: "PEXPIREAT past GT", weight: 1, gen: expires("PEXPIREAT", func(*gen) string { return "1" }, "GT"), dull: true},
		{name: "PEXPIREAT past LT", weight: 1, gen: expires("PEXPIREAT", func(*gen) string { return "1" }, "LT")},
		{name: "EXPIRE XX GT", weight: 2, gen: expires("EXPIRE", (*gen).ttl, "XX", "GT")},
		{name: "PEXPIREAT LT XX", weight: 2, gen: expires("PEXPIREAT", (*gen).atMs, "LT", "XX")},
	}
	for cmd, when := range map[string]func(*gen) string{"EXPIRE": (*gen).ttl, "PEXPIRE": (*gen).ttlMs, "EXPIREAT": (*gen).at, "PEXPIREAT": (*gen).atMs} {
		forms = append(forms, form{name: cmd, weight: 4, gen: expires(cmd, when)})
		for _, o := range []string{"NX", "XX", "GT", "LT"} {
			forms = append(forms, form{name: cmd + " " + o, weight: 2, gen: expires(cmd, when, o)})
		}
	}
	return sorted(forms)
}()
