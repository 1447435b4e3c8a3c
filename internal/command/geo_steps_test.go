package command

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestGeoInSteps searches among many places, and finds the same as in parts.
func TestGeoInSteps(t *testing.T) {
	const n = 12_000
	s := newStage(t)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		s.do("geoadd", "g", fmt.Sprintf("%.6f", 10+r.Float64()), fmt.Sprintf("%.6f", 40+r.Float64()), fmt.Sprint("p", i))
	}
	search := func(steps bool, words ...string) string {
		t.Helper()
		s.steps = 0
		got := s.do(words...)
		if steps != (s.steps > 0) {
			t.Errorf("%q took %d steps", words, s.steps)
		}
		return got
	}
	from := []string{"geosearch", "g", "fromlonlat", "10.5", "40.5", "byradius", "200", "km"}
	all := search(true, append(from, "asc")...)
	if c := strings.Count(all, "\"p"); c != n {
		t.Errorf("found %d", c)
	}
	names := strings.Fields(strings.Trim(all, "[]"))
	back := strings.Fields(strings.Trim(search(true, append(from, "desc")...), "[]"))
	for i := range names {
		if names[i] != back[n-1-i] {
			t.Fatalf("%d: %s, %s from the other end", i, names[i], back[n-1-i])
		}
	}
	near := search(true, append(from, "count", "10")...)
	if want := "[" + strings.Join(names[:10], " ") + "]"; near != want {
		t.Errorf("nearest %s, want %s", near, want)
	}
	search(false, append(from, "count", "10", "any")...)
	store := append([]string{"geosearchstore", "to"}, append(from[1:len(from):len(from)], "storedist")...)
	if got := search(true, store...); got != fmt.Sprint(":", n) {
		t.Errorf("stored %s", got)
	}
	if got := s.do("zrange", "to", "0", "9"); got != near {
		t.Errorf("stored %s first", got)
	}
	search(true, "georadius", "g", "10.5", "40.5", "200", "km", "store", "g")
	if got := s.do("zcard", "g"); got != fmt.Sprint(":", n) {
		t.Errorf("%s are left", got)
	}
	search(false, "geosearch", "g", "fromlonlat", "10.5", "40.5", "byradius", "1", "km", "asc")

	few := newStage(t)
	few.do("geoadd", "g", "10", "40", "a", "10.1", "40.1", "b")
	few.x.Out = make([]byte, 0, 4096)
	var args [][]byte
	for _, w := range from {
		args = append(args, []byte(w))
	}
	if got := testing.AllocsPerRun(3, func() { few.run(args...) }); got > allocsOfSearch {
		t.Errorf("%v allocations", got)
	}
}

// allocsOfSearch is what a short search may allocate.
const allocsOfSearch = 0
