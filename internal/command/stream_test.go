package command

import (
	"strconv"
	"testing"
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

func TestLongStreams(t *testing.T) {
	s := newStage(t)
	for i := range 20_000 {
		s.run([]byte("xadd"), []byte("s"), []byte(strconv.Itoa(i+1)), []byte("f"), []byte("v"))
	}
	if s.run([]byte("xrange"), []byte("s"), []byte("-"), []byte("+")); s.steps == 0 {
		t.Error("XRANGE of 20,000 entries in one go")
	}
	if out, rest := render(string(s.x.Out)); rest != "" || len(out) < 20_000*16 {
		t.Errorf("%d bytes of reply, %d behind it", len(out), len(rest))
	}
	s.play(`
		xtrim s minid 19990 => :19989
		xlen s => :11
		xrange s - + count 1 => [["19990-0" ["f" "v"]]]
	`)
}

func TestStreamsDoNotAllocate(t *testing.T) {
	s := newStage(t)
	s.do("xgroup", "create", "s", "g", "0", "mkstream")
	for range 500 {
		s.do("xadd", "s", "*", "sensor", "1", "value", "2")
	}
	s.x.Out = make([]byte, 0, 64<<10)
	for _, line := range []string{
		"xadd s * sensor 17 value 18", "xadd s maxlen ~ 1000 * sensor 17 value 18", "xlen s", "xrange s - + count 10", "xrevrange s + - count 10",
		"xread count 10 streams s 0", "xreadgroup group g c count 1 streams s >", "xack s g 1-1", "xpending s g", "xdel s 1-1",
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
