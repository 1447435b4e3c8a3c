package command

import "testing"

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
