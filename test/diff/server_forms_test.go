package diff

import (
	"slices"
	"strconv"
	"strings"
)

// sorted orders forms that come from a map, so that a seed means the same
// sequence everywhere.
func sorted(forms []form) []form {
	slices.SortFunc(forms, func(a, b form) int { return strings.Compare(a.name, b.name) })
	return forms
}

var patterns = []string{
	"*", "k:*", "?:?", "[kn]:*", "[^k]*", "[a-f]:[0-9]", "*:0", `k\*`, `k\[1\]`, "[", "k[", "*a*b*", "**", "l*", "nothing*", "", "\\", "{tag}?", "*[", "[]*", "f[^]-z]*", "[z-a]*",
}

var scanForms = []form{
	{name: "KEYS", weight: 4, gen: func(g *gen) []string { return []string{"KEYS", g.pick(patterns)} }, how: unordered},
	{name: "SCAN", weight: 2, gen: words("SCAN", "0"), how: scan, whole: true},
	{name: "SCAN MATCH", weight: 2, gen: func(g *gen) []string { return []string{"SCAN", "0", "MATCH", g.pick(patterns)} }, how: scan, whole: true},
	{name: "SCAN COUNT", weight: 2, gen: func(g *gen) []string { return []string{"SCAN", "0", "COUNT", strconv.Itoa(1 + g.IntN(30))} }, how: scan, whole: true},
	{name: "SCAN TYPE", weight: 2, gen: func(g *gen) []string {
		return []string{"SCAN", "0", "TYPE", g.pick([]string{"string", "STRING", "list", "hash"})}
	}, how: scan, whole: true},
	{name: "SCAN all options", weight: 2, gen: func(g *gen) []string {
		return []string{"SCAN", "0", "count", "100", "TYPE", "string", "match", g.pick(patterns)}
	}, how: scan, whole: true},
}

var serverForms = []form{
	{name: "PING", weight: 2, gen: words("PING"), dull: true},
	{name: "PING message", weight: 2, gen: func(g *gen) []string { return []string{"PING", g.value()} }},
	{name: "ECHO", weight: 2, gen: func(g *gen) []string { return []string{"ECHO", g.value()} }},
	{name: "TIME", weight: 1, gen: words("TIME"), how: kind, dull: true},
	{name: "ROLE", weight: 1, gen: words("ROLE"), dull: true},
	{name: "RESET", weight: 1, gen: func(g *gen) []string { g.populate(); return []string{"RESET"} }, dull: true, whole: true},
	{name: "HELLO", weight: 1, gen: words("HELLO"), how: hello, dull: true, whole: true},
	{name: "HELLO 2", weight: 1, gen: words("HELLO", "2"), how: hello, dull: true, whole: true},
	{name: "HELLO 3", weight: 2, gen: words("HELLO", "3"), how: hello, dull: true, whole: true},
	{name: "HELLO SETNAME", weight: 1, gen: words("HELLO", "3", "SETNAME", "greeter"), how: hello, dull: true, whole: true},
	{name: "CLIENT ID", weight: 1, gen: words("CLIENT", "ID"), how: kind, dull: true},
	{name: "CLIENT GETNAME", weight: 2, gen: words("CLIENT", "GETNAME")},
	{name: "CLIENT SETNAME", weight: 2, gen: func(g *gen) []string {
		return []string{"CLIENT", "SETNAME", g.pick([]string{"one", "two", "", "three"})}
	}, dull: true},
	{name: "CLIENT INFO", weight: 1, gen: words("CLIENT", "INFO"), how: kind, dull: true},
	{name: "CLIENT LIST", weight: 1, gen: words("CLIENT", "LIST"), how: kind, dull: true},
	{name: "CLIENT NO-EVICT", weight: 1, gen: func(g *gen) []string { return []string{"CLIENT", "NO-EVICT", g.pick([]string{"on", "off"})} }, dull: true},
	{name: "CLIENT UNPAUSE", weight: 1, gen: words("CLIENT", "UNPAUSE"), dull: true},
	{name: "CLIENT KILL ID", weight: 1, gen: words("CLIENT", "KILL", "ID", "999999999"), dull: true, whole: true},
	{name: "CONFIG GET", weight: 2, gen: func(g *gen) []string { return []string{"CONFIG", "GET", g.pick(configNames)} }},
	{name: "CONFIG GET many", weight: 1, gen: func(g *gen) []string { return []string{"CONFIG", "GET", g.pick(configNames), g.pick(configNames)} }, how: pairs},
	{name: "CONFIG SET", weight: 2, gen: func(g *gen) []string {
		return append([]string{"CONFIG", "SET"}, configSets[g.IntN(len(configSets))]...)
	}, dull: true, whole: true},
	{name: "CONFIG RESETSTAT", weight: 1, gen: words("CONFIG", "RESETSTAT"), dull: true},
	{name: "COMMAND COUNT", weight: 1, gen: words("COMMAND", "COUNT"), how: kind, dull: true},
	{name: "COMMAND GETKEYS", weight: 2, gen: func(g *gen) []string {
		return append([]string{"COMMAND", "GETKEYS"}, commandsWithKeys[g.IntN(len(commandsWithKeys))]...)
	}},
	{name: "COMMAND GETKEYSANDFLAGS", weight: 2, gen: func(g *gen) []string {
		return append([]string{"COMMAND", "GETKEYSANDFLAGS"}, commandsWithKeys[g.IntN(len(commandsWithKeys))]...)
	}},
	{name: "COMMAND LIST", weight: 1, gen: words("COMMAND", "LIST", "FILTERBY", "PATTERN", "mset*"), how: kind, dull: true},
	{name: "INFO", weight: 1, gen: func(g *gen) []string {
		return append([]string{"INFO"}, [][]string{nil, {"server"}, {"memory", "stats"}, {"everything"}}[g.IntN(4)]...)
	}, how: kind, dull: true},
	{name: "SLOWLOG LEN", weight: 1, gen: words("SLOWLOG", "LEN"), how: kind, dull: true},
	{name: "SLOWLOG RESET", weight: 1, gen: words("SLOWLOG", "RESET"), dull: true},
	{name: "SLOWLOG GET", weight: 1, gen: words("SLOWLOG", "GET", "10"), how: kind, dull: true},
	{name: "LATENCY RESET", weight: 1, gen: words("LATENCY", "RESET"), how: kind, dull: true},
	{name: "LATENCY LATEST", weight: 1, gen: words("LATENCY", "LATEST"), how: kind, dull: true},
	{name: "MEMORY DOCTOR", weight: 1, gen: words("MEMORY", "DOCTOR"), how: kind, dull: true},
	{name: "LOLWUT", weight: 1, gen: words("LOLWUT"), how: kind, dull: true},
}

var configNames = []string{
	"maxmemory", "maxmemory-policy", "timeout", "databases", "proto-max-bulk-len", "tcp-keepalive", "slowlog-log-slower-than", "slowlog-max-len",
	"appendonly", "requirepass", "maxclients", "hz", "lfu-log-factor", "maxmemory-samples", "no-such-directive", "latency-monitor-threshold",
	"client-output-buffer-limit", "client-query-buffer-limit", "lazyfree-lazy-expire", "notify-keyspace-events",
}

// configDefaults undo what configSets do; and what is logged of slow commands
// must not depend on the machine.
var configDefaults = []string{
	"CONFIG", "SET", "timeout", "0", "slowlog-log-slower-than", "1000000000", "slowlog-max-len", "128", "lfu-log-factor", "10", "maxmemory-samples", "5", "tcp-keepalive", "300", "latency-monitor-threshold", "0",
	"client-query-buffer-limit", "1gb", "maxmemory", "0",
}

var configSets = [][]string{
	{"slowlog-max-len", "64"},
	{"slowlog-max-len", "128", "timeout", "100"},
	{"timeout", "0"},
	{"lfu-log-factor", "11"},
	{"maxmemory-samples", "7"},
	{"tcp-keepalive", "60"},
	{"latency-monitor-threshold", "1000000"},
	{"client-query-buffer-limit", "512mb"},
	{"maxmemory", "1g"},
	{"maxmemory", "2GB"},
	{"maxmemory", "0"},
}

var commandsWithKeys = [][]string{
	{"GET", "a"},
	{"set", "a", "1", "EX", "5"},
	{"SET", "a", "1", "GET"},
	{"MSET", "a", "1", "b", "2"},
	{"MGET", "a", "b", "c"},
	{"DEL", "a"},
	{"RENAME", "a", "b"},
	{"COPY", "a", "b", "DB", "1"},
	{"BITOP", "AND", "d", "a", "b"},
	{"OBJECT", "ENCODING", "a"},
	{"MEMORY", "USAGE", "a"},
	{"LCS", "a", "b"},
	{"BITFIELD", "a", "GET", "u8", "0"},
	{"TTL", "a"},
	{"EXPIRE", "a", "1", "NX"},
}

// wrong is a form that fails, made of the commands given; a "K" stands for
// some key that likely exists.
func wrong(name string, weight int, commands ...string) form {
	var list [][]string
	for _, c := range commands {
		list = append(list, strings.Fields(c))
	}
	return form{name: name, weight: weight, fails: true, dull: true, whole: true, gen: func(g *gen) []string {
		args := slices.Clone(list[g.IntN(len(list))])
		for i, a := range args {
			switch a {
			case "K":
				args[i] = g.pick(coreKeys)
			case `""`:
				args[i] = ""
			}
		}
		return args
	}}
}

var errorForms = []form{
	wrong(
		"error arity", 6, "GET", "GET K K", "SET K", "SETEX K 10", "MSET K", "MSET K v K", "MSETNX K v K", "APPEND K", "STRLEN", "GETRANGE K 0", "INCR", "INCR K 1", "INCRBY K",
		"SETBIT K 1", "BITOP AND K", "BITCOUNT", "BITPOS K", "BITFIELD", "DEL", "EXISTS", "TTL K K", "EXPIRE K", "RENAME K", "COPY K", "MOVE K", "SELECT", "SWAPDB 0", "PING a b", "ECHO",
		"OBJECT", "OBJECT ENCODING", "CONFIG", "CONFIG GET", "CLIENT", "CLIENT SETNAME", "COMMAND GETKEYS", "KEYS", "SCAN", "LCS K", "GETEX", "GETDEL", "MEMORY", "MEMORY USAGE", "DBSIZE 1", "RANDOMKEY 1", "TYPE", "SLOWLOG", "ROLE 1", "LATENCY",
	),
	wrong(
		"error unknown command", 2, "NOSUCH", "nosuch a b c", "GETT K", "foo 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36",
		"xyzzyxyzzyxyzzyxyzzyxyzzyxyzzyxyzzyxyzzyxyzzyxyzzyxyzzyxyzzyxyzzyxyzzyxyzzyxyzzyxyzzyxyzzyxyzzyxyzzyxyzzyxyzzyxyzzyxyzzyxyzzyxyzzyxyzzyxyzzyxyzzy aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa b",
		`"" a`,
	),
	wrong("error unknown subcommand", 2, "CONFIG NOSUCH", "CLIENT nosuch x", "OBJECT foo K", "MEMORY foo", "COMMAND foo", "SLOWLOG foo", "LATENCY foo", "CLUSTER foo"),
	wrong(
		"error SET", 4, "SET K v NX XX", "SET K v EX", "SET K v EX 10 PX 10", "SET K v EX 10 KEEPTTL", "SET K v KEEPTTL EXAT 99999999999", "SET K v EX 0", "SET K v EX -1", "SET K v PX 0",
		"SET K v PXAT -5", "SET K v EX abc", "SET K v EX 9223372036854775807", "SET K v PX 9223372036854775807", "SET K v EX 1.5", "SET K v FOO", "SET K v GET GET FOO", "SET K v EXAT 0", "SET K v PERSIST", "SET K v XX NX GET",
	),
	wrong("error SETEX", 2, "SETEX K 0 v", "SETEX K -1 v", "SETEX K abc v", "PSETEX K 0 v", "PSETEX K 9223372036854775807 v", "SETEX K 9223372036854775 v"),
	wrong("error GETEX", 2, "GETEX K EX", "GETEX K EX 0", "GETEX K PX abc", "GETEX K PERSIST EX 10", "GETEX K KEEPTTL", "GETEX K EX 10 PX 10", "GETEX K foo"),
	wrong("error SETRANGE", 2, "SETRANGE K -1 v", "SETRANGE K abc v", "SETRANGE K 536870912 v", "SETRANGE K 9223372036854775807 v", "SETRANGE K 536870911 ab"),
	wrong("error GETRANGE", 1, "GETRANGE K a 1", "GETRANGE K 0 b", "SUBSTR K 0 1.5"),
	wrong("error INCRBY", 2, "INCRBY K abc", "INCRBY K 9223372036854775808", "DECRBY K -9223372036854775808", "INCRBY K 1.0", "DECRBY K foo", `INCRBY K ""`),
	wrong("error INCRBYFLOAT", 2, "INCRBYFLOAT K abc", "INCRBYFLOAT K 1e5000", "INCRBYFLOAT K nan", `INCRBYFLOAT K ""`, "INCRBYFLOAT K 1x"),
	wrong("error LCS", 1, "LCS K K LEN IDX", "LCS K K FOO", "LCS K K MINMATCHLEN", "LCS K K IDX MINMATCHLEN x"),
	wrong(
		"error bitmaps", 4, "SETBIT K -1 1", "SETBIT K 4294967296 1", "SETBIT K 1 2", "SETBIT K a 1", "SETBIT K 1 x", "GETBIT K -1", "GETBIT K 4294967296", "BITCOUNT K 0", "BITCOUNT K 0 1 FOO", "BITCOUNT K a 1",
		"BITPOS K 2", "BITPOS K x", "BITPOS K 1 0 1 FOO", "BITPOS K 1 a", "BITOP FOO K K", "BITOP NOT K K K", "BITFIELD K GET u64 0", "BITFIELD K GET i65 0", "BITFIELD K GET x8 0", "BITFIELD K GET u0 0", "BITFIELD K SET u8 -1 0",
		"BITFIELD K OVERFLOW FOO", "BITFIELD K FOO", "BITFIELD K INCRBY u8 0 x", "BITFIELD K GET u8 4294967296", "BITFIELD K GET u8 #x", "BITFIELD_RO K SET u8 0 1", "BITFIELD K SET u8 0",
	),
	wrong(
		"error EXPIRE", 3, "EXPIRE K abc", "EXPIRE K 10.5", "EXPIRE K 9223372036854775807", "PEXPIRE K 9223372036854775807", "EXPIREAT K 9223372036854775807", "EXPIRE K -9223372036854775808", "EXPIRE K 1000 FOO", "EXPIRE K 1000 NX XX", "EXPIRE K 1000 GT LT", "EXPIRE K 1000 NX GT", "PEXPIREAT K 99999999999999 NX LT",
	),
	wrong("error RENAME", 1, "RENAME none:2 K", "RENAMENX none:3 K", "RENAME none:2 none:2"),
	wrong("error COPY", 2, "COPY K K DB 16", "COPY K K DB -1", "COPY K K DB abc", "COPY K K FOO", "COPY K K DB"),
	wrong("error MOVE", 2, "MOVE K 16", "MOVE K -1", "MOVE K abc", "MOVE K 99999999999999999999"),
	wrong("error SELECT", 2, "SELECT 16", "SELECT -1", "SELECT abc", "SELECT 1.5", "SWAPDB 0 16", "SWAPDB -1 0", "SWAPDB a 1", "SWAPDB 0 b", "SELECT 99999999999999999999"),
	wrong("error SCAN", 2, "SCAN abc", "SCAN 0 COUNT", "SCAN 0 COUNT 0", "SCAN 0 COUNT abc", "SCAN 0 MATCH", "SCAN 0 FOO bar", "SCAN 18446744073709551616", "SCAN 0 COUNT -5"),
	wrong("error FLUSH", 1, "FLUSHALL FOO", "FLUSHDB FOO", "FLUSHALL SYNC ASYNC"),
	wrong("error OBJECT", 1, "OBJECT ENCODING K K", "OBJECT FREQ"),
	wrong("error CLIENT", 2, "CLIENT KILL 1.2.3.4:5", "CLIENT KILL ID abc", "CLIENT KILL FOO bar", "CLIENT NO-EVICT maybe", "CLIENT REPLY foo", "CLIENT PAUSE abc", "CLIENT PAUSE -1", "CLIENT LIST TYPE foo", "CLIENT LIST foo", "CLIENT UNBLOCK abc"),
	wrong("error CONFIG", 3, "CONFIG SET no-such-directive 1", "CONFIG SET timeout abc", "CONFIG SET timeout -1", "CONFIG SET maxmemory 1xb", "CONFIG SET maxmemory-policy foo", "CONFIG SET databases 5", "CONFIG SET timeout", "CONFIG SET timeout 1 hz", "CONFIG SET timeout 1 timeout 2", "CONFIG SET maxmemory-samples 0", "CONFIG SET appendonly maybe", "CONFIG SET slowlog-max-len -2", "CONFIG REWRITE"),
	wrong("error HELLO", 1, "HELLO 4", "HELLO 1", "HELLO abc", "HELLO 3 FOO", "HELLO 3 SETNAME", "HELLO 2 AUTH a"),
	wrong("error AUTH", 1, "AUTH pw", "AUTH a b c", "AUTH nobody pw"),
	wrong("error COMMAND", 1, "COMMAND GETKEYS NOSUCH a", "COMMAND GETKEYS GET", "COMMAND GETKEYS PING", "COMMAND LIST FILTERBY FOO bar"),
	wrong("error without cluster", 1, "CLUSTER INFO", "CLUSTER SLOTS", "CLUSTER NODES", "CLUSTER SHARDS", "CLUSTER KEYSLOT a"),
}
