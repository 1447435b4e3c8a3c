package config

import (
	"slices"
	"testing"
)

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		line string
		want []string
		bad  bool
	}{
		{line: "", want: nil},
		{line: " \t ", want: nil},
		{line: "a", want: []string{"a"}},
		{line: "a  b\tc ", want: []string{"a", "b", "c"}},
		{line: `a "b c"`, want: []string{"a", "b c"}},
		{line: `save ""`, want: []string{"save", ""}},
		{line: `save ''`, want: []string{"save", ""}},
		{line: `"\x41\n\r\t\b\a\\\"\q"`, want: []string{"A\n\r\t\b\a\\\"q"}},
		{line: `"\x4"`, want: []string{"x4"}},
		{line: `'a\'b\n'`, want: []string{`a'b\n`}},
		{line: `a"b"`, want: []string{"ab"}},
		{line: `a'b c'`, want: []string{"ab c"}},
		{line: `a"b"c`, bad: true},
		{line: `"a"b`, bad: true},
		{line: `'a'b`, bad: true},
		{line: `"a`, bad: true},
		{line: `'a`, bad: true},
		{line: `"a\`, bad: true},
		{line: `a\ b`, want: []string{`a\`, "b"}},
		{line: "a\x00b c", want: []string{"a"}},
		{line: "a # b", want: []string{"a", "#", "b"}},
	} {
		got, ok := split(c.line)
		if ok == c.bad || !slices.Equal(got, c.want) {
			t.Errorf("split(%q) = %q, %v", c.line, got, ok)
		}
	}
}

func FuzzSplit(f *testing.F) {
	f.Add(`a "b\x41" 'c'`)
	f.Fuzz(func(t *testing.T, line string) {
		words, ok := split(line)
		if !ok {
			return
		}
		if again, ok := split(joinQuoted(words)); !ok || !slices.Equal(again, words) {
			t.Fatalf("%q: %q joined is %q, which splits to %q", line, words, joinQuoted(words), again)
		}
		if again, ok := split(string(appendQuoted(nil, line))); !ok || len(again) != 1 || again[0] != line {
			t.Fatalf("%q quoted splits to %q", line, again)
		}
	})
}
