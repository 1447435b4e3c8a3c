package command

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
)

// TestSortInSteps sorts what takes several steps, with all that SORT can do.
func TestSortInSteps(t *testing.T) {
	const n = 10_000
	s := newStage(t)
	r := rand.New(rand.NewPCG(1, 2))
	var up, down, words, weights []string
	for _, i := range r.Perm(n) {
		e := strconv.Itoa(i)
		s.do("rpush", "l", e)
		s.do("sadd", "s", e)
		s.do("zadd", "z", "1", e)
		s.do("set", "w_"+e, strconv.Itoa(n-i))
		s.do("hset", "h_"+e, "f", "v"+e)
	}
	for i := range n {
		up = append(up, strconv.Itoa(i))
	}
	down = slices.Clone(up)
	slices.Reverse(down)
	words = slices.Sorted(slices.Values(up))
	for _, e := range down {
		weights = append(weights, e, "v"+e)
	}
	want := func(reply string, words ...string) {
		t.Helper()
		s.steps = 0
		if got := s.do(words...); got != reply {
			t.Errorf("%q: got %.100s, want %.100s", words, got, reply)
		}
		if s.steps == 0 {
			t.Errorf("%q took no steps", words)
		}
	}
	for _, key := range []string{"l", "s", "z"} {
		want(quoted(up), "sort", key)
		want(quoted(down), "sort_ro", key, "desc")
		want(quoted(words), "sort", key, "alpha")
		want(quoted(down[:3]), "sort", key, "by", "w_*", "limit", "0", "3")
		want(quoted(weights), "sort", key, "by", "w_*", "get", "#", "get", "h_*->f")
		want(":20000", "sort", key, "by", "w_*", "get", "#", "get", "h_*->f", "store", "to")
		if got := s.do("lrange", "to", "0", "-1"); got != quoted(weights) {
			t.Errorf("stored %.100s", got)
		}
		want(":10000", "sort", key, "store", key+":sorted")
	}
	if got := s.do("lrange", "l:sorted", "0", "-1"); got != quoted(up) {
		t.Errorf("stored %.100s", got)
	}
	s.do("rpush", "l", "word")
	want("-"+errNotSortable, "sort", "l")
	want(":0", "sort", "s", "limit", "20000", "5", "store", "to")
	if got := s.do("exists", "to"); got != ":0" {
		t.Errorf("exists: %s", got)
	}
}
