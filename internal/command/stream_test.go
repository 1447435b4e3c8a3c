package command

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"sherd/internal/store/stream"
)

func TestStreams(t *testing.T) {
	s := newStage(t)
	s.play(`
		xadd s 1-1 a 1 b 2 => "1-1"
		xadd s 1-* a 2 b 3 => "1-2"
		xadd s 5 c x => "5-0"
		xadd s 5 c x => -ERR The ID specified in XADD is equal or smaller than the target stream top item
		xadd s * c x => "1700000000000-0"
		xadd s * c x => "1700000000000-1"
		xlen s => :5
		xrange s - + => [["1-1" ["a" "1" "b" "2"]] ["1-2" ["a" "2" "b" "3"]] ["5-0" ["c" "x"]] ["1700000000000-0" ["c" "x"]] ["1700000000000-1" ["c" "x"]]]
		xrange s (1-1 5 => [["1-2" ["a" "2" "b" "3"]] ["5-0" ["c" "x"]]]
		xrevrange s + - count 2 => [["1700000000000-1" ["c" "x"]] ["1700000000000-0" ["c" "x"]]]
		xdel s 1-1 5-0 7-7 => :2
		xrange s - 6 => [["1-2" ["a" "2" "b" "3"]]]
		xrevrange s 6 - => [["1-2" ["a" "2" "b" "3"]]]
		xtrim s maxlen 1 => :2
		xrange s - + => [["1700000000000-1" ["c" "x"]]]
		del s => :1
		xlen s => :0
	`)
}

func TestStreamRefs(t *testing.T) {
	s := newStage(t)
	s.play(`
		xackdel s g ids 2 1-1 2-2 => [:-1 :-1]
		xdelex s ids 1 1-1 => [:-1]
		xadd s 1-0 f v => "1-0"
		xadd s 2-0 f v => "2-0"
		xackdel s g ids 2 1-1 2-2 => [:-1 :-1]
		xgroup create s g 0 => +OK
		xgroup create s h 0 => +OK
		xackdel s g ids abc 1-1 => -ERR Number of IDs must be a positive integer
		xackdel s g ids 0 1-1 => -ERR Number of IDs must be a positive integer
		xackdel s g ids 3 1-1 2-2 => -ERR The ` + "`numids`" + ` parameter must match the number of arguments
		xackdel s g ids 1 1-1 2-2 => -ERR syntax error
		xackdel s g keepref delref ids 1 1-1 => -ERR syntax error
		xdelex s acked ids 1 1-0 => [:2]
		xreadgroup group g a streams s > => [["s" [["1-0" ["f" "v"]] ["2-0" ["f" "v"]]]]]
		xreadgroup group h b streams s > => [["s" [["1-0" ["f" "v"]] ["2-0" ["f" "v"]]]]]
		xackdel s g acked ids 2 1-0 2-0 => [:2 :2]
		xlen s => :2
		xpending s g => [:0 nil nil nil array]
		xpending s h => [:2 "1-0" "2-0" [["b" "2"]]]
		xtrim s maxlen 0 acked => :0
		xackdel s h acked ids 2 1-0 2-0 => [:1 :1]
		xlen s => :0
		xadd s 3-0 f v => "3-0"
		xadd s 4-0 f v => "4-0"
		xreadgroup group g a streams s > => [["s" [["3-0" ["f" "v"]] ["4-0" ["f" "v"]]]]]
		xreadgroup group h b streams s > => [["s" [["3-0" ["f" "v"]] ["4-0" ["f" "v"]]]]]
		xackdel s g delref ids 1 3-0 => [:1]
		xpending s h => [:1 "4-0" "4-0" [["b" "1"]]]
		xadd s delref maxlen 1 5-0 f v => "5-0"
		xlen s => :1
		xpending s g => [:0 nil nil nil array]
		xread streams s + => [["s" [["5-0" ["f" "v"]]]]]
		xread streams s $ => nil array
		proto 3
		xread streams s 0 => {"s" [["5-0" ["f" "v"]]]}
		xinfo groups s => [{"name" "g" "consumers" :1 "pending" :0 "last-delivered-id" "4-0" "entries-read" :4 "lag" :1} {"name" "h" "consumers" :1 "pending" :0 "last-delivered-id" "4-0" "entries-read" :4 "lag" :1}]
	`)
}

// TestLongStreams runs the commands that take several steps, and holds the entries
// that a step does to a bound.
func TestLongStreams(t *testing.T) {
	s := newStage(t)
	const n = 20_000
	fill := func() {
		for i := range n {
			s.run([]byte("xadd"), []byte("s"), []byte(strconv.Itoa(i+1)), []byte("f"), []byte("v"))
		}
	}
	fill()
	s.do("xgroup", "create", "s", "g", "0")
	for _, c := range []struct {
		command string
		entries int // replied
		work    int // entries that it has to look at
	}{
		{"xrange s - +", n, n},
		{"xrevrange s + 101 count 15000", 15_000, 15_000},
		{"xread streams s 100", n - 100, n - 100},
		{"xread count 9000 streams s none s 0 0 5", 18_000, 18_000},
		{"xreadgroup group g a count 15000 streams s >", 15_000, 2 * 15_000},
		{"xreadgroup group g a streams s > >", 0, 0},
		{"xreadgroup group g a streams s 0", 15_000, 15_000},
		{"xreadgroup group g b count 17000 claim 0 streams s >", 17_000, 15_000 + 2*17_000},
		{"xpending s g - + 100000", 17_000, 17_000},
		{"xpending s g idle 1 - + 100000", 17_000, 2 * 17_000},
		{"xpending s g idle 1 - + 1 b", 1, 0},
		{"xpending s g idle 1000000 - + 1", 0, 17_000},
		{"xautoclaim s g c 0 0 count 10000", 10_000, 2 * 10_000},
		{"xautoclaim s g c 0 0 count 6000 justid", 6_000, 2 * 6000},
		{"xautoclaim s g c 1000000 0 count 6000", 0, 17_000},
		{"xinfo stream s full count 0", n, n + 2*17_000},
		{"xreadgroup group g d noack streams s >", 3000, 3000},
		{"xtrim s acked maxlen 0", 0, n},
		{"xgroup delconsumer s g b", 0, 7000},
		{"xtrim s delref maxlen 6000", 0, n - 9000},
		{"xgroup destroy s g", 0, 0},
		{"xadd s keepref maxlen 5000 100000 f v", 0, 0},
	} {
		s.steps = 0
		s.clock.Advance(10 * time.Millisecond)
		out := s.do(strings.Fields(c.command)...)
		got := strings.Count(out, `"f"`)
		if strings.HasPrefix(c.command, "xpending") {
			got = strings.Count(out, "[") - 1
		} else if strings.HasSuffix(c.command, "justid") {
			got = strings.Count(out, `"`)/2 - 1
		}
		if out[0] == '-' && c.entries > 0 || got != c.entries {
			t.Errorf("%s: %d entries in %.100s, want %d", c.command, got, out, c.entries)
		}
		// The command itself has done one step before those that are counted.
		if least := (c.work+entriesStep-1)/entriesStep - 1; s.steps < least {
			t.Errorf("%s: %d steps for %d entries", c.command, s.steps, c.work)
		}
		if !strings.Contains(c.command, " claim ") && !strings.HasPrefix(c.command, "xtrim") {
			continue
		}
		k := s.x.KeyOf([]byte("s"))
		e, ok := s.x.Table(&k).Find(&k.Slice.Heap, k.Hash, k.Bytes)
		if !ok {
			t.Fatalf("%s: the stream is gone", c.command)
		}
		if err := stream.Check(s.x.KS.Arena, e.Encoding(), e.Ref()); err != nil {
			t.Fatalf("%s: %v", c.command, err)
		}
	}
	s.play(`
		xlen s => :5000
		xtrim s minid 99999 => :4999
		xrange s - + => [["100000-0" ["f" "v"]]]
		del s => :1
		xgroup create s g 0 mkstream => +OK
	`)
	for i := range 500 {
		s.do("xadd", "s", strconv.Itoa(i+1), "f", "v")
	}
	s.do("xreadgroup", "group", "g", "a", "streams", "s", ">")
	s.do("xtrim", "s", "maxlen", "2")
	s.steps = 0
	s.play(`
		xreadgroup group g b claim 0 streams s > => [["s" [["499-0" ["f" "v"] :0 :1] ["500-0" ["f" "v"] :0 :1]]]]
		xpending s g => [:2 "499-0" "500-0" [["b" "2"]]]
		xcfgset s idmp-maxsize 10000 => +OK
	`)
	for i := range 9000 {
		s.do("xadd", "s", "idmp", "p", strconv.Itoa(i), "*", "f", "v")
	}
	s.steps = 0
	s.play("xcfgset s idmp-duration 7 => +OK")
	if s.steps < 2 {
		t.Errorf("%d steps to forget 9000 labels", s.steps)
	}
}

// TestManyConsumers runs what tells of consumers and groups where there are many.
func TestManyConsumers(t *testing.T) {
	s := newStage(t)
	const n = 5000
	s.do("xgroup", "create", "s", "g", "0", "mkstream")
	for i := range n {
		name := strconv.Itoa(i)
		s.do("xgroup", "createconsumer", "s", "g", name)
		s.do("xgroup", "create", "s", "h"+name, "0")
	}
	s.play(`
		xadd s 1-0 f v => "1-0"
		xadd s 2-0 f v => "2-0"
		xreadgroup group g 7 count 1 streams s > => [["s" [["1-0" ["f" "v"]]]]]
		xreadgroup group g 999 streams s > => [["s" [["2-0" ["f" "v"]]]]]
		xpending s g => [:2 "1-0" "2-0" [["7" "1"] ["999" "1"]]]
	`)
	if s.steps < 3 {
		t.Errorf("XPENDING of %d consumers in %d steps", n, s.steps)
	}
	for command, want := range map[string]int{"xinfo consumers s g": n, "xinfo groups s": n + 1} {
		s.steps = 0
		out := s.do(strings.Fields(command)...)
		if got := strings.Count(out, `"name"`); got != want || s.steps < 1 {
			t.Errorf("%s: %d of %d in %d steps", command, got, want, s.steps)
		}
	}
}

func TestStreamsDoNotAllocate(t *testing.T) {
	s := newStage(t)
	s.do("xgroup", "create", "s", "g", "0", "mkstream")
	for range 500 {
		s.do("xadd", "s", "*", "sensor", "1", "value", "2")
	}
	s.x.Out = make([]byte, 0, 64<<10)
	for _, line := range []string{
		"xadd s * sensor 17 value 18", "xadd s idmpauto p * sensor 17 value 18", "xadd s maxlen ~ 1000 * sensor 17 value 18", "xlen s", "xrange s - + count 10", "xrevrange s + - count 10",
		"xread count 10 streams s 0", "xreadgroup group g c count 1 streams s >", "xack s g 1-1", "xnack s g fail ids 1 1-1", "xpending s g", "xpending s g - + 10", "xautoclaim s g c 0 0 count 2", "xdel s 1-1",
	} {
		var args [][]byte
		for _, w := range splitWords(t, line) {
			args = append(args, []byte(w))
		}
		if n := testing.AllocsPerRun(200, func() { s.run(args...) }); n != 0 {
			t.Errorf("%s: %v allocations", line, n)
		}
		if out := s.x.Out; len(out) == 0 || out[0] == '-' {
			t.Errorf("%s: %q", line, out)
		}
	}
}

func TestStreamRelease(t *testing.T) {
	s := newStage(t)
	s.play(`
		xadd s 1-0 f v1 => "1-0"
		xadd s 2-0 f v2 => "2-0"
		xadd s 3-0 f v3 => "3-0"
		xgroup create s g 0 => +OK
		xreadgroup group g a streams s > => [["s" [["1-0" ["f" "v1"]] ["2-0" ["f" "v2"]] ["3-0" ["f" "v3"]]]]]
		tick 100ms
		xnack s g fail ids 2 3-0 1-0 => :2
		xnack s g silent ids 1 9-9 => :0
		xpending s g - + 10 => [["1-0" "" :-1 :1] ["2-0" "a" :100 :1] ["3-0" "" :-1 :1]]
		xpending s g - + 10 a => [["2-0" "a" :100 :1]]
		xpending s g => [:3 "1-0" "3-0" [["a" "1"]]]
		xreadgroup group g b count 1 claim 5000 streams s > => [["s" [["3-0" ["f" "v3"] :1700000000100 :1]]]]
		xnack s g fatal ids 1 3-0 => :1
		xreadgroup group g b count 2 claim 50 streams s > => [["s" [["1-0" ["f" "v1"] :1700000000100 :1] ["3-0" ["f" "v3"] :1700000000100 :9223372036854775807]]]]
		xadd s 4-0 f v4 => "4-0"
		xreadgroup group g b claim 50 streams s > => [["s" [["2-0" ["f" "v2"] :100 :1] ["4-0" ["f" "v4"] :0 :0]]]]
		xreadgroup group g b claim 50 streams s > => nil array
		tick 10ms
		xclaim s g c 5 4-0 => [["4-0" ["f" "v4"]]]
		tick 10ms
		xdel s 1-0 => :1
		xreadgroup group g c noack claim 20 streams s > => [["s" [["3-0" ["f" "v3"] :20 :9223372036854775807] ["2-0" ["f" "v2"] :20 :2]]]]
		xpending s g => [:3 "2-0" "4-0" [["c" "3"]]]
		xnack s g fail force retrycount 7 ids 2 4-0 5-0 => :1
		xgroup create s h $ => +OK
		xnack s h fatal ids 2 2-0 1-0 force => :1
		xnack s h silent ids 1 3-0 force => :1
		xpending s h - + 10 => [["2-0" "" :-1 :9223372036854775807] ["3-0" "" :-1 :0]]
		xpending s h => [:2 "2-0" "3-0" []]
		xautoclaim s h z 1000 0 => ["0-0" [["2-0" ["f" "v2"]] ["3-0" ["f" "v3"]]] []]
		xgroup delconsumer s g c => :2
		xpending s g => [:1 "4-0" "4-0" []]
		xack s g 4-0 => :1
		proto 3
		xnack s h fail ids 1 2-0 => :1
		xreadgroup group h y count 1 claim 0 streams s > => {"s" [["2-0" ["f" "v2"] :1700000000120 :9223372036854775807]]}
		proto 2
		xnack s none fail ids 1 2-0 => -NOGROUP No such key 's' or consumer group 'none'
		xnack s g none ids 1 2-0 => -ERR mode must be SILENT, FAIL, or FATAL
		xnack s g fail ids 0 2-0 => -ERR numids must be a positive integer
		xnack s g fail ids 2 2-0 => -ERR number of IDs doesn't match numids
		xnack s g fail ids 1 2-0 retrycount -1 => -ERR Invalid RETRYCOUNT value, must be >= 0
		xnack s g fail ids 1 2-0 3-0 => -ERR Unrecognized XNACK option '3-0'
		xnack s g fail force retrycount 5 => -ERR syntax error, expected IDS keyword
		xread claim 5 streams s 0 => -ERR The CLAIM option is only supported by XREADGROUP. You called XREAD instead.
		xreadgroup group g a claim -1 streams s > => -ERR min-idle-time must be a positive integer
	`)
}

func TestStreamIdem(t *testing.T) {
	s := newStage(t)
	s.play(`
		xadd s nomkstream idmp p a * f v => nil
		xadd s idmp p a * f v => "1700000000000-0"
		xadd s idmp p a * f other => "1700000000000-0"
		xadd s idmp q a maxlen ~ 100 * f v => "1700000000000-1"
		xadd s idmpauto p * f 1 g 2 => "1700000000000-2"
		xadd s idmpauto p * g 2 f 1 => "1700000000000-2"
		xadd s idmpauto p * g 1 f 2 => "1700000000000-3"
		xlen s => :4
		xinfo stream s => ["length" :4 "radix-tree-keys" :1 "radix-tree-nodes" :2 "last-generated-id" "1700000000000-3" "max-deleted-entry-id" "0-0" "entries-added" :4 "recorded-first-entry-id" "1700000000000-0" "idmp-duration" :100 "idmp-maxsize" :100 "pids-tracked" :2 "iids-tracked" :4 "iids-added" :4 "iids-duplicates" :2 "groups" :0 "first-entry" ["1700000000000-0" ["f" "v"]] "last-entry" ["1700000000000-3" ["g" "1" "f" "2"]]]
		xcfgset s idmp-maxsize 100 => +OK
		xadd s idmp p a * f v => "1700000000000-0"
		xcfgset s idmp-duration 1 idmp-maxsize 2 => +OK
		xadd s idmp p a * f v => "1700000000000-4"
		xadd s idmp p b * f v => "1700000000000-5"
		xadd s idmp p c * f v => "1700000000000-6"
		xadd s idmp p b * f v => "1700000000000-5"
		xadd s idmp p a * f v => "1700000000000-7"
		tick 999ms
		xadd s idmp p a * f v => "1700000000000-7"
		tick 1ms
		xadd s idmp p a * f v => "1700000001000-0"
		xidmprecord s r x 1700000001000-0 => +OK
		xidmprecord s r x 1700000001000-0 => +OK
		xadd s idmp r x * f v => "1700000001000-0"
		xidmprecord s r x 1700000000000-7 => -ERR The specified IDMP producer-id/idempotent-id pair maps to a different stream ID
		xidmprecord s r y 5-5 => -ERR The specified stream ID was deleted or doesn't exist
		xidmprecord none r y 5-5 => -ERR no such key
		xcfgset none idmp-maxsize 5 => -ERR no such key
		xcfgset s => -ERR At least one parameter must be specified
		xcfgset s idmp-maxsize => -ERR syntax error
		xcfgset s idmp-maxsize 0 => -ERR IDMP-MAXSIZE must be between 1 and 10000 entries
		xcfgset s idmp-duration 86401 => -ERR IDMP-DURATION must be between 1 and 86400 seconds
		xadd s idmp p * f v => -ERR Invalid stream ID specified as stream command argument
		xadd s idmp p a 1-1 f v => -ERR IDMP/IDMPAUTO can be used only with auto-generated IDs
		xadd s idmp p a idmpauto q * f v => -ERR IDMP/IDMPAUTO specified multiple times
		xadd s idmp "" a * f v => -ERR IDMP requires a non-empty producer ID
		xadd s idmp p "" * f v => -ERR IDMP requires a non-empty idempotent ID
		xadd s idmpauto "" * f v => -ERR IDMPAUTO requires a non-empty producer ID
		copy s t => :1
		xadd t idmp r x * f v => "1700000001000-0"
	`)
}
