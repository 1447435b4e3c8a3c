package proc

import (
	"slices"
	"testing"
)

func TestParseCPUs(t *testing.T) {
	for text, want := range map[string][]int{"": nil, "0": {0}, "0,2-5": {0, 2, 3, 4, 5}, "7, 1": {7, 1}} {
		if got, err := ParseCPUs(text); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, bad := range []string{"x", "1-", "-1", "5-2", "1,,2", "0-99999"} {
		if got, err := ParseCPUs(bad); err == nil {
			t.Errorf("%q was taken for %v", bad, got)
		}
	}
	if got := FormatCPUs([]int{0, 2, 3}); got != "0,2,3" {
		t.Errorf("%q", got)
	}
}

func TestSplit(t *testing.T) {
	cases := []struct {
		cpus      []int
		threads   int
		server    []int
		generator []int
	}{
		{[]int{0, 1}, 1, []int{0}, []int{1}},
		{[]int{0, 1}, 2, []int{0}, []int{1}},
		{[]int{0, 1, 2, 3}, 2, []int{0, 1}, []int{2, 3}},
		{[]int{3}, 1, []int{3}, []int{3}},
		{nil, 1, nil, nil},
	}
	for _, c := range cases {
		s, g := Split(c.cpus, c.threads)
		if !slices.Equal(s, c.server) || !slices.Equal(g, c.generator) {
			t.Errorf("%v for %d threads: %v and %v", c.cpus, c.threads, s, g)
		}
	}
}
