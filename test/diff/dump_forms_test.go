package diff

// Payloads that redis-server 7.0 made: a list, an intset, a hash, a sorted set, a
// string, a set, and the first in the form of an older version.
const (
	payloadList   = "\x12\x01\x02\x16\x16\x00\x00\x00\x04\x00\x81a\x02\x81b\x02\x07\x01\x85hello\x06\xff\x0a\x00z\x95*8l^U\xaa"
	payloadInts   = "\x0b\x14\x04\x00\x00\x00\x03\x00\x00\x00\x01\x00\x00\x00\x02\x00\x00\x00p\x11\x01\x00\x0a\x00\x85\xd5\xc1\x06[\x1d\xd0U"
	payloadHash   = "\x10\x14\x14\x00\x00\x00\x04\x00\x81a\x02\x01\x01\x81b\x02\x83two\x04\xff\x0a\x00\x04(\xb5%\xe1\xe2k\x12"
	payloadZSet   = "\x11\x14\x14\x00\x00\x00\x04\x00\x81a\x02\x01\x01\x81b\x02\x832.5\x04\xff\x0a\x00\xd4Ln\xa4\xf6D\xd9\xd7"
	payloadString = "\x00\x0bhello world\x0a\x00\x0b\xfcI\xb9\xa6\xc7\xa04"
	payloadSet    = "\x02\x03\xc0\x03\x01y\x01x\x0a\x00\xd9\xbe\x03\xbe\xc2\xa2\x9f\x0b"
	payloadOld    = "\n\x17\x17\x00\x00\x00\x12\x00\x00\x00\x03\x00\x00\xc0\x01\x00\x04\xc0\x02\x00\x04\xc0\x03\x00\xff\x04\x00u#<\xc0;.\xe9\xdd"
)

// restorable is a key of some class and a payload for it.
func (g *gen) restorable() (key, payload string) {
	switch g.IntN(6) {
	case 0:
		return g.list(), g.pick([]string{payloadList, payloadOld})
	case 1:
		return g.members(), g.pick([]string{payloadInts, payloadSet})
	case 2:
		return g.hash(), payloadHash
	case 3:
		return g.zset(), payloadZSet
	}
	return g.str(), payloadString
}

// spoilt is a payload of which a byte was changed, or the end cut off.
func (g *gen) spoilt() string {
	_, p := g.restorable()
	if g.IntN(3) == 0 {
		return p[:g.IntN(len(p))]
	}
	b := []byte(p)
	b[g.IntN(len(b))] ^= byte(1 << g.IntN(7))
	return string(b)
}

var dumpForms = []form{
	{name: "DUMP", weight: 4, how: kind, gen: func(g *gen) []string { return []string{"DUMP", g.any()} }},
	{name: "RESTORE", weight: 3, mixed: true, gen: func(g *gen) []string {
		k, p := g.restorable()
		return []string{"RESTORE", g.pick([]string{k, g.free()}), "0", p}
	}},
	{name: "RESTORE REPLACE", weight: 3, dull: true, gen: func(g *gen) []string {
		k, p := g.restorable()
		return []string{"RESTORE", k, "0", p, "REPLACE"}
	}},
	{name: "RESTORE ttl", weight: 2, dull: true, gen: func(g *gen) []string {
		k, p := g.restorable()
		return []string{"RESTORE", k, g.ttlMs(), p, "replace"}
	}},
	{name: "RESTORE ABSTTL", weight: 2, dull: true, gen: func(g *gen) []string {
		k, p := g.restorable()
		return []string{"RESTORE", k, g.atMs(), p, "ABSTTL", "REPLACE"}
	}},
	{name: "RESTORE ABSTTL past", weight: 1, dull: true, whole: true, gen: func(g *gen) []string {
		k, p := g.restorable()
		return []string{"RESTORE", k, "1", p, "REPLACE", "ABSTTL"}
	}},
	{name: "RESTORE FREQ", weight: 1, dull: true, whole: true, gen: func(g *gen) []string {
		k, p := g.restorable()
		return []string{"RESTORE", k, "0", p, "FREQ", g.pick([]string{"0", "255", "7"}), "REPLACE"}
	}},
	{name: "RESTORE spoilt", weight: 2, fails: true, dull: true, gen: func(g *gen) []string {
		return []string{"RESTORE", g.any(), "0", g.spoilt(), "REPLACE"}
	}},
	{name: "RESTORE wrong options", weight: 2, fails: true, dull: true, whole: true, gen: func(g *gen) []string {
		k, p := g.restorable()
		options := [][]string{
			{"0", p, "FOO"},
			{"0", p, "FREQ"},
			{"0", p, "REPLACE", "FREQ", "256"},
			{"0", p, "FREQ", "-1"},
			{"0", p, "FREQ", "x"},
			{"0", p, "REPLACE", "IDLETIME"},
			{"0", p, "IDLETIME", "-1"},
			{"0", p, "IDLETIME", "x", "FREQ", "1"},
			{"0", p, "IDLETIME", "1", "FREQ", "1"},
			{"-1", p, "REPLACE"},
			{"x", p, "REPLACE"},
			{"1.5", p},
			{"0"},
		}
		return append([]string{"RESTORE", k}, options[g.IntN(len(options))]...)
	}},
}
