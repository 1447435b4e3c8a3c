package diff

import "strconv"

// hllKeys hold HyperLogLogs, or nothing. The same strings have to come out of
// the same commands: GET is compared like any other reply.
var hllKeys = []string{"p:0", "p:1", "p:2", "p:3", "p:4", "p:5"}

func (g *gen) hll() string { return g.of(hllKeys) }

// hlls is a command on some such keys.
func hlls(command string, min, max int) func(g *gen) []string {
	return func(g *gen) []string {
		args := []string{command}
		for range min + g.IntN(max-min+1) {
			args = append(args, g.hll())
		}
		return args
	}
}

// elements is PFADD of some elements out of a range.
func elements(min, max, of int) func(g *gen) []string {
	return func(g *gen) []string {
		args := []string{"PFADD", g.hll()}
		for range min + g.IntN(max-min+1) {
			args = append(args, "e:"+strconv.Itoa(g.IntN(of)))
		}
		return args
	}
}

var hllForms = []form{
	{name: "PFADD", weight: 12, gen: elements(0, 5, 3000)},
	{name: "PFADD few", weight: 4, gen: elements(1, 2, 20)},
	{name: "PFADD many", weight: 3, gen: elements(50, 200, 100_000)},
	{name: "PFADD hundreds", weight: 1, gen: elements(500, 1500, 1_000_000), dull: true, whole: true},
	{name: "PFADD of any", weight: 2, mixed: true, gen: func(g *gen) []string { return []string{"PFADD", g.hll(), g.value(), g.bytes(g.IntN(20))} }},
	{name: "PFCOUNT", weight: 6, gen: hlls("PFCOUNT", 1, 1)},
	{name: "PFCOUNT several", weight: 4, gen: hlls("PFCOUNT", 2, 4)},
	{name: "PFMERGE", weight: 4, mixed: true, gen: hlls("PFMERGE", 1, 4), dull: true},
	{name: "PFMERGE free", weight: 2, dull: true, gen: func(g *gen) []string {
		k := g.free()
		g.follow("PFCOUNT", k)
		return []string{"PFMERGE", k, g.pick(hllKeys), g.pick(hllKeys)}
	}},
	{name: "GET of a HyperLogLog", weight: 8, gen: func(g *gen) []string { return []string{"GET", g.pick(hllKeys)} }},
	{name: "DEL of a HyperLogLog", weight: 2, gen: func(g *gen) []string { return []string{"DEL", g.pick(hllKeys)} }},
	{name: "PFDEBUG ENCODING", weight: 3, mixed: true, gen: func(g *gen) []string { return []string{"PFDEBUG", "ENCODING", g.hll()} }},
	{name: "PFDEBUG DECODE", weight: 3, mixed: true, gen: func(g *gen) []string { return []string{"PFDEBUG", "decode", g.hll()} }},
	{name: "PFDEBUG TODENSE", weight: 1, mixed: true, gen: func(g *gen) []string { return []string{"PFDEBUG", "TODENSE", g.hll()} }},
	{name: "PFDEBUG GETREG", weight: 1, mixed: true, dull: true, gen: func(g *gen) []string { return []string{"PFDEBUG", "GETREG", g.hll()} }},
	{name: "PFDEBUG of nothing", weight: 1, fails: true, dull: true, gen: func(g *gen) []string { return []string{"PFDEBUG", "nothing", g.pick(hllKeys)} }},
	{name: "PFADD spoilt", weight: 2, mixed: true, gen: func(g *gen) []string {
		k := g.pick(hllKeys)
		switch g.IntN(4) {
		case 0:
			g.follow("SETRANGE", k, strconv.Itoa(g.IntN(18)), string([]byte{byte(g.IntN(64))}))
		case 1:
			g.follow("APPEND", k, string([]byte{byte(g.IntN(64))}))
		case 2:
			g.follow("SETRANGE", k, "16", string([]byte{byte(0x80 + g.IntN(128))}))
		default:
			g.follow("SETRANGE", k, "4", g.pick([]string{"\x00", "\x01", "\x02"}))
		}
		g.follow("PFCOUNT", k)
		g.follow("PFADD", k, "e:"+strconv.Itoa(g.IntN(1000)))
		g.follow("PFMERGE", k, g.pick(hllKeys))
		g.follow("GET", k)
		g.follow("DEL", k)
		return []string{"PFADD", k, "x"}
	}},
}
