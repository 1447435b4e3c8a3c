package command

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestLMoveM compares with slices: both orders, all ends, one list and two, small
// and large ones, in one step and in several.
func TestLMoveM(t *testing.T) {
	s := newStage(t)
	rapid.Check(t, func(rt *rapid.T) {
		s.do("del", "l", "m")
		lists := map[string][]string{}
		fill := func(key string, most int) {
			for i := range rapid.IntRange(0, most).Draw(rt, key) {
				e := key + strings.Repeat("x", i%7) + strconv.Itoa(i)
				lists[key] = append(lists[key], e)
				s.do("rpush", key, e)
			}
		}
		most := rapid.SampledFrom([]int{4, 40, 2500}).Draw(rt, "most")
		fill("l", most)
		fill("m", 30)
		for range 3 {
			from := "l"
			to := rapid.SampledFrom([]string{"l", "m"}).Draw(rt, "to")
			ends := []string{"left", "right"}
			fromEnd, toEnd := rapid.SampledFrom(ends).Draw(rt, "from end"), rapid.SampledFrom(ends).Draw(rt, "to end")
			count := rapid.IntRange(1, most+2).Draw(rt, "count")
			how := rapid.SampledFrom([]string{"count", "exactly"}).Draw(rt, "how")
			order := rapid.SampledFrom([]string{"obo", "bulk"}).Draw(rt, "order")
			got := s.do("lmovem", from, to, fromEnd, toEnd, how, strconv.Itoa(count), order)
			want := "nil array"
			if n := len(lists[from]); n > 0 && (how == "count" || count <= n) {
				count = min(count, n)
				var moved []string
				if fromEnd == "left" {
					moved = slices.Clone(lists[from][:count])
					lists[from] = slices.Clone(lists[from][count:])
				} else {
					moved = slices.Clone(lists[from][n-count:])
					lists[from] = slices.Clone(lists[from][:n-count])
				}
				if order == "obo" && fromEnd == toEnd {
					slices.Reverse(moved)
				}
				want = quoted(moved)
				if toEnd == "left" {
					lists[to] = append(moved, lists[to]...)
				} else {
					lists[to] = append(lists[to], moved...)
				}
			}
			if got != want {
				rt.Fatalf("got %.200s, want %.200s", got, want)
			}
			for key, l := range lists {
				if got := s.do("lrange", key, "0", "-1"); got != quoted(l) {
					rt.Fatalf("%s: got %.200s, want %.200s", key, got, quoted(l))
				}
				if got, want := s.do("exists", key), fmt.Sprintf(":%d", min(len(l), 1)); got != want {
					rt.Fatalf("exists %s: %s, want %s", key, got, want)
				}
			}
		}
	})
}

func quoted(list []string) string {
	q := make([]string, len(list))
	for i, e := range list {
		q[i] = strconv.Quote(e)
	}
	return "[" + strings.Join(q, " ") + "]"
}

// TestLMoveMInSteps moves lists that take several steps.
func TestLMoveMInSteps(t *testing.T) {
	s := newStage(t)
	const n = 10_000
	s.do(numbers(n)...)
	for _, c := range []string{
		"lmovem l m left right count 9000 bulk", "lmovem m l right left exactly 9000 obo", "lmovem l l left right count 9000 bulk",
		"lmovem l l right left count 9000 bulk", "lmovem l l left left count 9000 obo", "lmovem l l left left count 9000 obo",
	} {
		s.steps = 0
		reply := s.do(splitWords(t, c)...)
		if s.steps == 0 {
			t.Errorf("%s took one step", c)
		}
		if c := strings.Count(reply, " ") + 1; c != 9000 {
			t.Errorf("%d elements", c)
		}
	}
	var want []string
	for i := range n {
		want = append(want, strconv.Itoa(i))
	}
	if got := s.do("lrange", "l", "0", "-1"); got != quoted(want) {
		t.Errorf("the list is %.300s", got)
	}
}

func TestLMoveMErrors(t *testing.T) {
	newStage(t).play(`
		rpush l a b c => :3
		set s x => +OK
		lmovem l m left right => ["a"]
		lmovem none m left right => nil array
		lmovem none m left right count 2 bulk => nil array
		lmovem none s left right => nil array
		lmovem l m left right exactly 3 bulk => nil array
		lmovem l m left => -ERR wrong number of arguments for 'lmovem' command
		lmovem l m left up => -ERR syntax error
		lmovem l m up left => -ERR syntax error
		lmovem l m left right count 2 => -ERR syntax error
		lmovem l m left right count 2 obo more => -ERR syntax error
		lmovem l m left right only 2 obo => -ERR syntax error
		lmovem l m left right count 2 all => -ERR syntax error
		lmovem l m left right count 0 obo => -ERR count should be greater than 0
		lmovem l m left right count -9223372036854775808 obo => -ERR count should be greater than 0
		lmovem l m left right exactly x obo => -ERR count should be greater than 0
		lmovem s m left right => -WRONGTYPE Operation against a key holding the wrong kind of value
		lmovem l s left right => -WRONGTYPE Operation against a key holding the wrong kind of value
		lrange l 0 -1 => ["b" "c"]
		lrange m 0 -1 => ["a"]
		proto 3 => 
		lmovem none m left right => nil
	`)
}
