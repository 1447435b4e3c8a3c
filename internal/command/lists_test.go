package command

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"sherd/internal/store/dash"
	"sherd/internal/store/list"
)

func TestLists(t *testing.T) {
	newStage(t).play(`
		# Small lists are listpacks, by Redis 7.4's rules.
		rpush l a b c => :3
		object encoding l => "listpack"
		lpush l 1 2 => :5
		lrange l 0 -1 => ["2" "1" "a" "b" "c"]
		lpop l 0 => []
		lpop l 2 => ["2" "1"]
		lmove l l left right => "a"
		lmove l m right right => "a"
		rpoplpush l m => "c"
		rpoplpush l m => "b"
		exists l => :0
		lrange m 0 -1 => ["b" "c" "a"]
		lmpop 2 l m right count 2 => ["m" ["a" "c"]]
		lmpop 1 l left => nil array
		lpop none => nil
		lpop none 1 => nil array
		lset m 0 x => +OK
		linsert m before x y => :2
		lpos m x => :1
		lpos m z => nil
		lpos none z count 1 => []
		lpop m 9223372036854775807 => ["y" "x"]
		exists m => :0
		proto 3
		lpop none => nil
		lmpop 1 none left => nil
	`)
}

func numbers(n int) []string {
	words := []string{"rpush", "l"}
	for i := range n {
		words = append(words, strconv.Itoa(i))
	}
	return words
}

// TestListEncodings crosses list-max-listpack-size both ways.
func TestListEncodings(t *testing.T) {
	s := newStage(t)
	s.do("rpush", "l", strings.Repeat("x", 8000))
	s.play(`
		object encoding l => "listpack"
		rpush l ` + strings.Repeat("y", 200) + ` => :2
		object encoding l => "quicklist"
		lset l 0 x => +OK
		object encoding l => "quicklist"
		lmove l l left left => "x"
		ltrim l 1 1 => +OK
		object encoding l => "listpack"
	`)
	s.do("del", "l")
	s.do(numbers(20_000)...)
	s.play(`
		object encoding l => "quicklist"
		ltrim l 100 101 => +OK
		object encoding l => "listpack"
		lrange l 0 -1 => ["100" "101"]
	`)
}

// TestLongLists runs the commands that take several steps.
func TestLongLists(t *testing.T) {
	s := newStage(t)
	const n = 20_000
	want := func(steps bool, reply string, words ...string) {
		t.Helper()
		s.steps = 0
		if got := s.do(words...); got != reply {
			t.Errorf("%q: got %.100s, want %.100s", words, got, reply)
		}
		if steps != (s.steps > 0) {
			t.Errorf("%q took %d steps", words, s.steps)
		}
	}
	row := func(from, to, step int) string {
		var b strings.Builder
		for i := from; i != to; i += step {
			fmt.Fprintf(&b, "%q ", strconv.Itoa(i))
		}
		return "[" + strings.TrimSuffix(b.String(), " ") + "]"
	}
	want(false, ":20000", numbers(n)...)
	want(true, row(5, n, 1), "lrange", "l", "5", "-1")
	want(false, row(5, 4000, 1), "lrange", "l", "5", "3999")
	want(true, ":19998", "lpos", "l", "19998")
	want(false, ":19998", "lpos", "l", "19998", "rank", "-1")
	want(true, "nil", "lpos", "l", "none")
	want(true, "[]", "lpos", "l", "none", "count", "0")
	want(true, ":20001", "linsert", "l", "after", "19999", "end")
	want(true, ":-1", "linsert", "l", "after", "none", "end")
	want(true, ":1", "lrem", "l", "0", "19998")
	want(false, ":1", "lrem", "l", "-1", "end")
	want(true, row(0, 5000, 1), "lpop", "l", "5000")
	want(true, "[\"19999\" "+row(19997, 15000, -1)[1:], "rpop", "l", "4998")
	want(false, ":10001", "llen", "l")
	want(true, `["l" `+row(15000, 10000, -1)+"]", "lmpop", "1", "l", "right", "count", "5000")
	want(true, row(5000, 10001, 1), "lpop", "l", "100000")
	want(false, ":0", "exists", "l")
	want(false, ":20000", numbers(n)...)
	for range 20 {
		s.do(numbers(n)...)
	}
	want(true, "+OK", "ltrim", "l", "300000", "300002")
	want(false, `["0" "1" "2"]`, "lrange", "l", "0", "-1")
	k := s.x.KeyOf([]byte("l"))
	if e, ok := s.x.Table(&k).Find(&k.Slice.Heap, k.Hash, k.Bytes); !ok || e.Kind() != dash.List {
		t.Error("the list is gone")
	} else if err := list.Check(s.x.KS.Arena, e.Encoding(), e.Ref()); err != nil {
		t.Error(err)
	}
}

// TestListsDoNotAllocate holds the commands on single elements to it.
func TestListsDoNotAllocate(t *testing.T) {
	for _, n := range []int{10, 5000} {
		s := newStage(t)
		s.do(numbers(n)...)
		s.do(append([]string{"rpush", "m"}, numbers(n)[2:]...)...)
		s.x.Out = make([]byte, 0, 64<<10)
		for _, c := range []string{
			"lpush l a-value-of-thirty-two-bytes-here", "rpush l 12345 x", "lpop l", "rpop l", "lpop l 2", "llen l", "lindex l 3", "lindex l -1",
			"lrange l 0 9", "lset l 5 other", "linsert l before 9 x", "lrem l 1 9", "rpush l 9", "ltrim l 0 -1", "lpos l 12", "lmove l m left right", "lmove l l left right",
			"rpoplpush m l", "lmpop 2 none l left", "rpushx l a b c",
		} {
			var args [][]byte
			for _, w := range splitWords(t, c) {
				args = append(args, []byte(w))
			}
			if got := testing.AllocsPerRun(3, func() { s.run(args...) }); got != 0 {
				t.Errorf("%s, of %d: %v allocations", c, n, got)
			}
			if out := s.x.Out; len(out) == 0 || out[0] == '-' {
				t.Errorf("%s: %q", c, out)
			}
		}
	}
}
