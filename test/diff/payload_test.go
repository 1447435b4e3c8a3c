package diff

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sherd/internal/testserver"
)

// A specimen is a value that is made on one server, dumped there and restored on
// the other.
type specimen struct {
	name string
	make [][]string // commands; "K" is the key
}

// TestPayloads exchanges the payloads of DUMP with redis-server in both directions,
// for every type and encoding, and compares what the values are then.
func TestPayloads(t *testing.T) {
	if testserver.Default() == testserver.Redis {
		t.Skip("compares the server under test with redis")
	}
	seed := testserver.Seed(t)
	oracle := testserver.Start(t, testserver.Options{Kind: testserver.Redis}).Dial(t)
	ours := testserver.Start(t, testserver.Options{}).Dial(t)
	g := specimens{rand.New(rand.NewPCG(seed, 7))}
	list := g.all()
	for _, compression := range []string{"yes", "no"} {
		oracle.Want(t, `OK`, "CONFIG", "SET", "rdbcompression", compression)
		ours.Want(t, `OK`, "CONFIG", "SET", "rdbcompression", compression)
		for i, s := range list {
			if (compression == "no" || testing.Short()) && i%3 != 0 {
				continue
			}
			for _, from := range []string{"redis", "sherd"} {
				a, b := oracle, ours
				if from == "sherd" {
					a, b = b, a
				}
				t.Run(fmt.Sprintf("%s/from %s/compression %s", s.name, from, compression), func(t *testing.T) {
					exchange(t, s, a, b)
				})
			}
		}
	}
}

// exchange makes a specimen with a and restores it with b.
func exchange(t *testing.T, s specimen, a, b *testserver.Client) {
	const key = "specimen"
	for _, c := range []*testserver.Client{a, b} {
		c.Do(t, "DEL", key)
	}
	for _, command := range s.make {
		args := slices.Clone(command)
		for i := range args {
			if args[i] == "K" {
				args[i] = key
			}
		}
		if v := a.Do(t, args...); v.IsError() {
			t.Fatalf("%.200q: %s", args, v)
		}
	}
	payload := a.Do(t, "DUMP", key)
	if payload.Kind != '$' || payload.Null {
		t.Fatalf("DUMP: %s", payload)
	}
	if v := b.Do(t, "RESTORE", key, "0", payload.Text()); v.String() != "OK" {
		t.Fatalf("RESTORE: %s (payload %.100q, %d bytes)", v, payload.Text(), len(payload.Text()))
	}
	same(t, key, a, b)
	// What was restored can be dumped and restored again, and worked with.
	again := b.Do(t, "DUMP", key)
	if v := a.Do(t, "RESTORE", key, "0", again.Text(), "REPLACE"); v.String() != "OK" {
		t.Fatalf("RESTORE of what was restored: %s", v)
	}
	same(t, key, a, b)
	for _, command := range uses[a.Do(t, "TYPE", key).Text()] {
		args := append([]string{command[0], key}, command[1:]...)
		x, y := a.Do(t, args...), b.Do(t, args...)
		if !bytes.Equal(x.Raw, y.Raw) {
			t.Errorf("%q: %.300s and %.300s", args, x, y)
		}
	}
	same(t, key, a, b)
}

// uses are changes after a restoration, by type. Their replies and what they leave
// must be the same.
var uses = map[string][][]string{
	"string": {{"APPEND", "tail"}},
	"list":   {{"LINSERT", "BEFORE", "no such element", "x"}, {"LPUSH", "head"}, {"RPUSH", "7"}, {"LSET", "1", "changed"}, {"LTRIM", "0", "40"}},
	"set":    {{"SADD", "one more", "-70000"}, {"SREM", "one more"}, {"SCARD"}},
	"zset":   {{"ZADD", "-1.25", "one more", "3", "first"}, {"ZREMRANGEBYRANK", "0", "1"}, {"ZRANK", "first"}},
	"hash":   {{"HSET", "one more", "field"}, {"HINCRBY", "counter", "7"}, {"HDEL", "one more"}},
	"stream": {{"XADD", "99999999999999-5", "another", "field"}, {"XDEL", "99999999999999-5"}, {"XTRIM", "MAXLEN", "7"}},
}

// readings show all of a value, by type; sorted tells that the order of each n
// elements means nothing.
var readings = map[string][]struct {
	command []string
	sorted  int
}{
	"string": {{[]string{"GET", "K"}, 0}},
	"list":   {{[]string{"LRANGE", "K", "0", "-1"}, 0}, {[]string{"LINDEX", "K", "-1"}, 0}},
	"set":    {{[]string{"SMEMBERS", "K"}, 1}, {[]string{"SCARD", "K"}, 0}},
	"zset":   {{[]string{"ZRANGE", "K", "0", "-1", "WITHSCORES"}, 0}, {[]string{"ZCARD", "K"}, 0}},
	"hash":   {{[]string{"HGETALL", "K"}, 2}, {[]string{"HLEN", "K"}, 0}},
	"stream": {{[]string{"XRANGE", "K", "-", "+"}, 0}, {[]string{"XREVRANGE", "K", "+", "-"}, 0}, {[]string{"XLEN", "K"}, 0}},
}

// same compares a key on both servers.
func same(t *testing.T, key string, a, b *testserver.Client) {
	t.Helper()
	kind := a.Do(t, "TYPE", key).Text()
	if got := b.Do(t, "TYPE", key).Text(); got != kind {
		t.Fatalf("types %s and %s", kind, got)
	}
	for _, r := range readings[kind] {
		args := slices.Clone(r.command)
		args[1] = key
		x, y := a.Do(t, args...), b.Do(t, args...)
		equal := bytes.Equal(x.Raw, y.Raw)
		if !equal && r.sorted > 0 {
			equal = slices.Equal(texts(x.Elems, r.sorted), texts(y.Elems, r.sorted))
		}
		if !equal {
			t.Fatalf("%s: %.500s and %.500s", args[0], x, y)
		}
	}
	x, y := a.Do(t, "OBJECT", "ENCODING", key).Text(), b.Do(t, "OBJECT", "ENCODING", key).Text()
	// Small lists and sets were a quicklist and a hashtable before 7.2. A string that is
	// raw because it was changed is not when it is restored.
	old := map[string]bool{"quicklist": true, "hashtable": true}
	if x != y && (x != "listpack" || !old[y]) && (y != "listpack" || !old[x]) && (kind != "string" || x != "raw" && y != "raw") {
		t.Errorf("encodings %s and %s", x, y)
	}
	if kind == "stream" {
		sameGroups(t, key, a, b)
	}
}

// sameGroups compares what XINFO and XPENDING tell of a stream. How long ago
// something was depends on when it is asked; nodes and keys of trees are each
// server's own affair.
func sameGroups(t *testing.T, key string, a, b *testserver.Client) {
	t.Helper()
	own := map[string]bool{"radix-tree-keys": true, "radix-tree-nodes": true, "idle": true, "inactive": true}
	show := func(v testserver.Reply) string {
		var parts []string
		for i := 0; i+1 < len(v.Elems); i += 2 {
			if !own[v.Elems[i].Text()] {
				parts = append(parts, v.Elems[i].String()+" "+v.Elems[i+1].String())
			}
		}
		return strings.Join(parts, ", ")
	}
	// Newer servers tell more, so each field of the older one has to be there.
	compare := func(what string, x, y testserver.Reply) {
		t.Helper()
		p, q := strings.Split(show(x), ", "), show(y)
		if len(p) > len(strings.Split(q, ", ")) {
			p, q = strings.Split(q, ", "), strings.Join(p, ", ")
		}
		for _, field := range p {
			if !strings.Contains(q, field) {
				t.Fatalf("%s: %s is not in %s", what, field, q)
			}
		}
	}
	compare("XINFO STREAM", a.Do(t, "XINFO", "STREAM", key), b.Do(t, "XINFO", "STREAM", key))
	x, y := a.Do(t, "XINFO", "GROUPS", key), b.Do(t, "XINFO", "GROUPS", key)
	if len(x.Elems) != len(y.Elems) {
		t.Fatalf("%d and %d groups", len(x.Elems), len(y.Elems))
	}
	for i := range x.Elems {
		compare("XINFO GROUPS", x.Elems[i], y.Elems[i])
		group := x.Elems[i].Elems[1].Text()
		p, q := a.Do(t, "XINFO", "CONSUMERS", key, group), b.Do(t, "XINFO", "CONSUMERS", key, group)
		if len(p.Elems) != len(q.Elems) {
			t.Fatalf("%d and %d consumers", len(p.Elems), len(q.Elems))
		}
		for j := range p.Elems {
			compare("XINFO CONSUMERS", p.Elems[j], q.Elems[j])
		}
		p, q = a.Do(t, "XPENDING", key, group, "-", "+", "100000"), b.Do(t, "XPENDING", key, group, "-", "+", "100000")
		if len(p.Elems) != len(q.Elems) {
			t.Fatalf("%d and %d pending", len(p.Elems), len(q.Elems))
		}
		for j := range p.Elems {
			for _, field := range []int{0, 1, 3} { // not how long ago
				if m, n := p.Elems[j].Elems[field].String(), q.Elems[j].Elems[field].String(); m != n {
					t.Fatalf("pending %d: %s and %s", j, m, n)
				}
			}
		}
	}
}

// specimens draws values.
type specimens struct{ *rand.Rand }

// word is a short string of some kind.
func (g specimens) word() string {
	switch g.IntN(8) {
	case 0:
		return strconv.Itoa(g.IntN(300) - 150)
	case 1:
		return strconv.Itoa(g.IntN(200000) - 100000)
	case 2:
		return strconv.FormatInt(int64(g.Uint64()), 10)
	case 3:
		return strconv.FormatUint(g.Uint64()>>20|1<<32, 10)
	case 4:
		b := make([]byte, g.IntN(30))
		for i := range b {
			b[i] = byte(g.Uint32())
		}
		return string(b) + "\x00\r\n"
	case 5:
		return strings.Repeat(string(rune('a'+g.IntN(26))), g.IntN(63)+1)
	case 6:
		return fmt.Sprintf("0%d", g.IntN(1000))
	}
	return fmt.Sprintf("word:%d", g.IntN(1000000))
}

// score is a text of a score.
func (g specimens) score() string {
	switch g.IntN(7) {
	case 0:
		return g.pick("inf", "-inf", "0", "-0")
	case 1:
		return strconv.FormatFloat(g.NormFloat64(), 'g', -1, 64)
	case 2:
		return strconv.FormatInt(g.Int64()>>g.IntN(40), 10)
	case 3:
		return g.pick("1e300", "5e-324", "-1.5", "3.0000000000000004", "1e-7")
	}
	return strconv.Itoa(g.IntN(200) - 100)
}

func (g specimens) pick(words ...string) string { return words[g.IntN(len(words))] }

// words are n different ones, the first ones given.
func (g specimens) words(n int, first ...string) []string {
	seen := map[string]bool{}
	list := slices.Clone(first)
	for _, w := range list {
		seen[w] = true
	}
	for len(list) < n {
		if w := g.word(); !seen[w] {
			seen[w] = true
			list = append(list, w)
		}
	}
	return list
}

// noise is a long string that hardly compresses, and text one that does.
func (g specimens) noise(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(g.Uint32())
	}
	return string(b)
}

func (g specimens) text(n int) string {
	var b strings.Builder
	for b.Len() < n {
		fmt.Fprintf(&b, "%s of the %d%s; ", g.pick("rows", "columns", "ships"), g.IntN(12), g.pick("st", "nd", "th"))
	}
	return b.String()[:n]
}

func (g specimens) all() (list []specimen) {
	add := func(name string, commands ...[]string) { list = append(list, specimen{name, commands}) }
	command := func(args []string, more ...string) []string { return append(slices.Clone(args), more...) }
	set := func(v string) []string { return []string{"SET", "K", v} }

	for _, v := range []string{
		"", "0", "-1", "127", "128", "-128", "-129", "32767", "32768", "-32768", "-32769", "2147483647", "2147483648", "-2147483648", "-2147483649",
		"9223372036854775807", "-9223372036854775808", "9223372036854775808", "007", "-0", "1.5", " 1",
	} {
		add(fmt.Sprintf("string %q", v), set(v))
	}
	for _, n := range []int{11, 12, 20, 21, 44, 45, 63, 64, 255, 16383, 16384, 70000, 1 << 20} {
		add(fmt.Sprintf("string of %d like letters", n), set(strings.Repeat("z", n)))
		add(fmt.Sprintf("string of %d noise", n), set(g.noise(n)))
		add(fmt.Sprintf("string of %d text", n), set(g.text(n)))
	}
	add("string appended", set("12"), []string{"APPEND", "K", "34"})
	add("string of bits", []string{"SETBIT", "K", "5000", "1"})
	add("hyperloglog", command([]string{"PFADD", "K"}, g.words(300)...))

	rpush := []string{"RPUSH", "K"}
	add("list of one", command(rpush, "only"))
	add("list of the empty string", command(rpush, ""))
	add("list small", command(rpush, g.words(50)...))
	add("list large", command(rpush, g.words(3000)...))
	add("list of integers", command(rpush, strings.Fields(fmt.Sprint(g.Perm(5000)[1:]))[1:4000]...))
	add("list with a long element", command(rpush, g.words(20)...), command(rpush, g.noise(30000), g.text(200000), "between", g.text(9000)), command(rpush, g.words(20)...))
	add("list pushed at both ends", command(rpush, g.words(400)...), command([]string{"LPUSH", "K"}, g.words(700)...), []string{"LTRIM", "K", "13", "-77"})

	sadd := []string{"SADD", "K"}
	for _, bits := range []int{4, 15, 16, 31, 32, 63} {
		var numbers []string
		for range 100 {
			numbers = append(numbers, strconv.FormatInt(g.Int64()>>(63-bits)*int64(1-2*g.IntN(2)), 10))
		}
		add(fmt.Sprintf("intset of %d bits", bits), command(sadd, numbers...))
	}
	add("set of one integer", command(sadd, "5"))
	add("set of 512 integers", command(sadd, g.upTo(512)...))
	add("set of 513 integers", command(sadd, g.upTo(513)...))
	add("set of one", command(sadd, "only"))
	add("set of the empty string", command(sadd, ""))
	add("set small", command(sadd, g.words(100)...))
	add("set large", command(sadd, g.words(5000)...))
	add("set with long members", command(sadd, "short", g.noise(65), g.text(100), g.text(30000)))

	zadd := []string{"ZADD", "K"}
	pairs := func(members []string) (args []string) {
		for _, m := range members {
			args = append(args, g.score(), m)
		}
		return args
	}
	add("zset of one", command(zadd, "1", "only"))
	add("zset small", command(zadd, pairs(g.words(100))...))
	add("zset of 128", command(zadd, pairs(g.words(128))...))
	add("zset of 129", command(zadd, pairs(g.words(129))...))
	add("zset large", command(zadd, pairs(g.words(4000))...))
	add("zset of one score", command(zadd, g.between("1.5", g.words(60, ""))...))
	add("zset with long members", command(zadd, pairs([]string{"short", g.noise(65), g.text(20000)})...))
	add("places", []string{"GEOADD", "K", "13.361389", "38.115556", "Palermo", "15.087269", "37.502669", "Catania"})

	hset := []string{"HSET", "K"}
	add("hash of one", command(hset, "field", "value"))
	add("hash of empty strings", command(hset, "", ""))
	add("hash small", command(hset, g.twos(100)...))
	add("hash of 512", command(hset, g.twos(512)...))
	add("hash of 513", command(hset, g.twos(513)...))
	add("hash large", command(hset, g.twos(4000)...))
	add("hash with long values", command(hset, "a", g.text(65), "b", g.noise(70000), g.text(3000), "c"))

	list = append(list, g.streams()...)
	return list
}

func (g specimens) upTo(n int) (list []string) {
	for i := range n {
		list = append(list, strconv.Itoa(i*3-n))
	}
	return list
}

// between puts a word before each of others.
func (g specimens) between(word string, others []string) (list []string) {
	for _, o := range others {
		list = append(list, word, o)
	}
	return list
}

// twos are n different words, and another behind each.
func (g specimens) twos(n int) (list []string) {
	for _, w := range g.words(n) {
		list = append(list, w, g.word())
	}
	return list
}

func (g specimens) streams() (list []specimen) {
	create := []string{"XGROUP", "CREATE", "K", "empty", "$", "MKSTREAM"}
	xadd := func(id string, pairs ...string) []string { return append([]string{"XADD", "K", id}, pairs...) }
	var many [][]string
	ms := int64(1700000000000)
	for i := range 1500 {
		ms += int64(g.IntN(3))
		id := fmt.Sprintf("%d-%d", ms, i)
		switch g.IntN(6) {
		case 0:
			many = append(many, xadd(id, g.twos(1+g.IntN(4))...))
		case 1:
			many = append(many, xadd(id, "sensor", g.word(), "other", g.word()))
		default:
			many = append(many, xadd(id, "sensor", g.word(), "value", g.word()))
		}
	}
	id := func(i int) string { return many[i][2] }
	var deleted []string
	for i := 0; i < 1500; i += 1 + g.IntN(4) {
		deleted = append(deleted, id(i))
	}
	groups := [][]string{
		{"XGROUP", "CREATE", "K", "readers", "0"},
		{"XGROUP", "CREATE", "K", "late", "$"},
		{"XGROUP", "CREATE", "K", "middle", id(700), "ENTRIESREAD", "700"},
		{"XGROUP", "CREATECONSUMER", "K", "late", "idle"},
		{"XREADGROUP", "GROUP", "readers", "first", "COUNT", "300", "STREAMS", "K", ">"},
		{"XREADGROUP", "GROUP", "readers", "second", "COUNT", "200", "STREAMS", "K", ">"},
		{"XREADGROUP", "GROUP", "middle", "only", "COUNT", "5", "STREAMS", "K", ">"},
		{"XREADGROUP", "GROUP", "middle", "2", "COUNT", "100", "STREAMS", "K", ">"},
		{"XACK", "K", "readers", id(3), id(4), id(250), id(499)},
		{"XCLAIM", "K", "readers", "third", "0", id(10), id(310), "RETRYCOUNT", "7"},
		append([]string{"XDEL", "K"}, deleted...),
	}
	add := func(name string, commands ...[]string) { list = append(list, specimen{name, commands}) }
	add("stream without entries", create)
	add("stream of one", xadd("5-1", "a", "b"))
	add("stream that became empty", xadd("5-1", "a", "b"), xadd("5-2", "a", "b"), []string{"XDEL", "K", "5-2", "5-1"})
	add("stream of one field", many[0], xadd("9999999999999-1", "a", g.noise(70000)))
	add("stream", many...)
	add("stream with deleted entries", append(slices.Clone(many), append([]string{"XDEL", "K"}, deleted...))...)
	add("stream with groups", append(slices.Clone(many), groups...)...)
	add("stream trimmed", append(slices.Clone(many), groups[0], []string{"XTRIM", "K", "MAXLEN", "555"})...)
	return list
}
