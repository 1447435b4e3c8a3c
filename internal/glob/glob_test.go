package glob

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"sherd/internal/testserver"
)

// slow is a second matcher, written as one writes the definition down: a star
// tries every rest of s. It takes exponential time.
func slow(pattern, s []byte, nocase bool) bool {
	fold := func(c byte) byte {
		if nocase {
			return bytes.ToLower([]byte{c & 0x7f})[0] | c&0x80
		}
		return c
	}
	switch {
	case len(pattern) == 0:
		return len(s) == 0
	case pattern[0] == '*':
		for i := range len(s) + 1 {
			if slow(pattern[1:], s[i:], nocase) {
				return true
			}
		}
		return false
	case len(s) == 0:
		return false
	case pattern[0] == '?':
		return slow(pattern[1:], s[1:], nocase)
	case pattern[0] == '\\' && len(pattern) > 1:
		return fold(pattern[1]) == fold(s[0]) && slow(pattern[2:], s[1:], nocase)
	case pattern[0] != '[':
		return fold(pattern[0]) == fold(s[0]) && slow(pattern[1:], s[1:], nocase)
	}
	rest := pattern[1:]
	want := true
	if len(rest) > 0 && rest[0] == '^' {
		want, rest = false, rest[1:]
	}
	var set [256]bool // which bytes are in it
	for len(rest) > 0 && rest[0] != ']' {
		switch {
		case rest[0] == '\\' && len(rest) > 1:
			set[rest[1]] = true
			rest = rest[2:]
		case len(rest) > 2 && rest[1] == '-':
			low, high := min(int8(rest[0]), int8(rest[2])), max(int8(rest[0]), int8(rest[2]))
			for c := range 256 {
				x := int8(fold(byte(c)))
				if int8(fold(byte(low))) <= x && x <= int8(fold(byte(high))) {
					set[c] = true
				}
			}
			rest = rest[3:]
		default:
			for c := range 256 {
				if fold(byte(c)) == fold(rest[0]) {
					set[c] = true
				}
			}
			rest = rest[1:]
		}
	}
	if len(rest) > 0 {
		rest = rest[1:]
	}
	return set[s[0]] == want && slow(rest, s[1:], nocase)
}

// reference is slow with Redis' one exception.
func reference(pattern, s []byte, nocase bool) bool {
	if len(s) == 0 {
		return len(pattern) == 0
	}
	return slow(pattern, s, nocase)
}

// matchCases are what redis-server 7.0 answers; TestAgainstRedis asks it again.
var matchCases = []struct {
	pattern, s string
	want       bool
}{
	{"", "", true},
	{"", "a", false},
	{"a", "", false},
	{"**", "", false},
	{"*?", "", false},
	{"**", "a", true},
	{"a", "a", true},
	{"a", "A", false},
	{"a", "ab", false},
	{"ab", "a", false},
	{"a*", "a", true},
	{"a**", "a", true},
	{"*a", "a", true},
	{"*a", "ba", true},
	{"*a", "ab", false},
	{"a*c", "abbc", true},
	{"a*c", "abbcd", false},
	{"a*b*c", "abcbc", true},
	{"*ab*ab", "abab", true},
	{"*ab*ab", "aab", false},
	{"?", "a", true},
	{"?", "ab", false},
	{"a?c", "abc", true},
	{"*?", "a", true},
	{"?*?", "a", false},
	{"h[ae]llo", "hello", true},
	{"h[ae]llo", "hillo", false},
	{"h[^e]llo", "hello", false},
	{"h[^e]llo", "hallo", true},
	{"[a-c]", "b", true},
	{"[c-a]", "b", true},
	{"[a-c]", "d", false},
	{"[^a-c]", "b", false},
	{"[^a-c]", "d", true},
	{"[a-]", "a", true},
	{"[a-]", "-", false},
	{"[a-]", "]", true},
	{"[a-]", "^", true},
	{"[a-]x", "ax", false},
	{"[-a]", "-", true},
	{"[]", "]", false},
	{"[]", "a", false},
	{"[^]", "a", true},
	{"[]a]", "a]", false},
	{"[", "[", false},
	{"[", "a", false},
	{"[^", "a", true},
	{"[a", "a", true},
	{"[ab", "b", true},
	{"[a-c", "b", true},
	{"[a\\", "\\", true},
	{"[\\]", "]", true},
	{"[\\]a]", "a", true},
	{"[\\-z]", "-", true},
	{"[\\a-z]", "b", false},
	{"[a-\\z]", "b", false},
	{"[a-\\z]", "]", true},
	{"[a^]", "^", true},
	{"[*]", "*", true},
	{"[?]", "a", false},
	{"[\x80-\xff]", "\x90", true},
	{"[a-\xff]", "\x90", false},
	{"[a-\xff]", "0", true},
	{"\\a", "a", true},
	{"\\*", "*", true},
	{"\\*", "a", false},
	{"\\", "\\", true},
	{"a\\", "a\\", true},
	{"\\\\", "\\", true},
	{"*\\", "a\\", true},
	{"*[a]", "ba", true},
	{"*[^a]", "ba", false},
	{"*[^a]*", "ba", true},
}

func TestMatch(t *testing.T) {
	for _, c := range matchCases {
		if got := Match([]byte(c.pattern), []byte(c.s), false); got != c.want {
			t.Errorf("%q on %q: %v", c.pattern, c.s, got)
		}
		if got := reference([]byte(c.pattern), []byte(c.s), false); got != c.want {
			t.Errorf("%q on %q: %v by the reference", c.pattern, c.s, got)
		}
	}
	for _, c := range []struct {
		pattern, s string
		want       bool
	}{
		{"maxmem*", "MAXMEMORY", true},
		{"*MEMORY", "maxmemory", true},
		{"[A-C]", "b", true},
		{"[a-c]", "B", true},
		{"[\\a]", "A", false}, // an escaped byte in a set
		{"\\a", "A", true},
		{"[Z-a]", "Z", false}, // the ends are ordered before they are folded
		{"[a-Z]", "b", false},
		{"\xc3", "\xe3", false},
	} {
		if got := Match([]byte(c.pattern), []byte(c.s), true); got != c.want {
			t.Errorf("%q on %q without case: %v", c.pattern, c.s, got)
		}
	}
}

func TestPrefix(t *testing.T) {
	for _, c := range []struct {
		pattern, prefix string
		exact           bool
	}{
		{"", "", true},
		{"abc", "abc", true},
		{"abc*", "abc", false},
		{"*", "", false},
		{"a?", "a", false},
		{"a[b]", "a", false},
		{"a\\*b", "a", false},
		{"a]-^", "a]-^", true},
	} {
		if p, exact := Prefix([]byte(c.pattern)); string(p) != c.prefix || exact != c.exact {
			t.Errorf("%q: %q, %v", c.pattern, p, exact)
		}
	}
}

// random makes a short pattern or string out of few bytes, so that matches
// happen.
func random(r *rand.Rand, alphabet string, most int) string {
	b := make([]byte, r.IntN(most+1))
	for i := range b {
		b[i] = alphabet[r.IntN(len(alphabet))]
	}
	return string(b)
}

const (
	patternBytes = "aabbcABZz**??[[]]^^--\\\\\x00\x80\xff"
	stringBytes  = "aaabbbcABZz*?[]^-\\\x00\x80\xff"
)

func check(t *testing.T, pattern, s []byte, nocase bool) {
	t.Helper()
	got := Match(pattern, s, nocase)
	if want := reference(pattern, s, nocase); got != want {
		t.Fatalf("%q on %q, nocase %v: %v, want %v", pattern, s, nocase, got, want)
	}
	if prefix, exact := Prefix(pattern); !nocase && (got && !bytes.HasPrefix(s, prefix) || exact && got != bytes.Equal(s, pattern)) {
		t.Fatalf("%q on %q: %v with the prefix %q, exact %v", pattern, s, got, prefix, exact)
	}
}

func TestMatchRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(testserver.Seed(t), 0))
	matched := 0
	for range 30_000 * testserver.Scale() {
		pattern, s := []byte(random(r, patternBytes, 8)), []byte(random(r, stringBytes, 8))
		check(t, pattern, s, r.IntN(2) == 0)
		if Match(pattern, s, false) {
			matched++
		}
	}
	if matched < 300 {
		t.Errorf("only %d matches", matched)
	}
}

func FuzzMatch(f *testing.F) {
	for _, c := range matchCases {
		f.Add([]byte(c.pattern), []byte(c.s), false)
		f.Add([]byte(c.pattern), []byte(c.s), true)
	}
	f.Fuzz(func(t *testing.T, pattern, s []byte, nocase bool) {
		if bytes.Count(pattern, []byte("*")) > 5 || len(s) > 20 {
			Match(pattern, s, nocase) // comes to an end
			return
		}
		check(t, pattern, s, nocase)
	})
}

// TestHostile: patterns that take exponential time, or a deep stack, where
// stars are tried one inside the other. Their cost here is pattern × string.
func TestHostile(t *testing.T) {
	long := []byte(strings.Repeat("a", 8_000))
	for _, pattern := range []string{
		strings.Repeat("a*", 50) + "b",
		strings.Repeat("*a", 5_000) + "b",
		strings.Repeat("*?", 5_000) + "b",
		strings.Repeat("*", 100_000) + "b",
		strings.Repeat("*[a-z]", 1_000) + "b",
		strings.Repeat("?*", 1_000) + strings.Repeat("a", 100) + "b",
		"*" + strings.Repeat("a", 1_000) + "b",
		"*" + strings.Repeat("[", 300) + "b",
	} {
		for _, nocase := range []bool{false, true} {
			if Match([]byte(pattern), long, nocase) {
				t.Errorf("%.20q… matches", pattern)
			}
		}
	}
	if !Match([]byte(strings.Repeat("*a", 4_000)+"*"), long, false) {
		t.Error("four thousand stars do not match")
	}
}

// TestAgainstRedis asks a real server for the keys that match.
func TestAgainstRedis(t *testing.T) {
	c := testserver.Start(t, testserver.Options{Kind: testserver.Redis}).Dial(t)
	r := rand.New(rand.NewPCG(testserver.Seed(t), 1))
	var patterns, keys []string
	for _, c := range matchCases {
		patterns = append(patterns, c.pattern)
		keys = append(keys, c.s)
	}
	for range 1000 * testserver.Scale() {
		patterns = append(patterns, random(r, patternBytes, 8))
	}
	for range 300 {
		keys = append(keys, random(r, stringBytes, 6))
	}
	slices.Sort(keys)
	keys = slices.Compact(keys)
	for _, k := range keys {
		c.Queue("SET", k, "")
	}
	for _, p := range patterns {
		c.Queue("KEYS", p)
	}
	compare(t, c, patterns, keys, len(keys), func(p, k string) bool {
		return p == "*" || Match([]byte(p), []byte(k), false) // KEYS * does not match
	})
}

// TestNoCaseAgainstRedis: CONFIG GET matches the names of directives without
// case, when the pattern is one.
func TestNoCaseAgainstRedis(t *testing.T) {
	c := testserver.Start(t, testserver.Options{Kind: testserver.Redis}).Dial(t)
	r := rand.New(rand.NewPCG(testserver.Seed(t), 2))
	var names, patterns []string
	reply := c.Do(t, "CONFIG", "GET", "*")
	for i := 0; i < len(reply.Elems); i += 2 {
		names = append(names, reply.Elems[i].Text())
	}
	slices.Sort(names)
	for range 500 * testserver.Scale() {
		p := []byte(names[r.IntN(len(names))])
		for i := range p {
			if r.IntN(2) == 0 {
				p[i] = bytes.ToUpper(p[i : i+1])[0]
			}
		}
		for range 1 + r.IntN(3) {
			at := r.IntN(len(p) + 1)
			to := min(len(p), at+r.IntN(4))
			part := []string{"*", "?", "[a-m]", "[M-A]", "[^X-z]", "[", "\\a", "[\\a-Z]", random(r, "abzABZ*?[]^-\\", 5)}[r.IntN(9)]
			p = slices.Concat(p[:at], []byte(part), p[to:])
		}
		if strings.ContainsAny(string(p), "*?[") {
			patterns = append(patterns, string(p))
			c.Queue("CONFIG", "GET", string(p))
		}
	}
	compare(t, c, patterns, names, 0, func(p, k string) bool {
		return Match([]byte(p), []byte(k), true)
	})
}

// compare flushes what was queued, skips some replies, and holds the lists of
// keys that follow, one for each pattern, against the matcher.
func compare(t *testing.T, c *testserver.Client, patterns, keys []string, skip int, match func(pattern, key string) bool) {
	t.Helper()
	if err := c.Flush(); err != nil {
		t.Fatal(err)
	}
	for range skip {
		if _, err := c.Receive(); err != nil {
			t.Fatal(err)
		}
	}
	for _, p := range patterns {
		reply, err := c.Receive()
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for _, e := range reply.Elems {
			want = append(want, e.Text())
		}
		var got []string
		for _, k := range keys {
			if match(p, k) {
				got = append(got, k)
			}
		}
		want = slices.DeleteFunc(want, func(k string) bool { return !slices.Contains(keys, k) })
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%q:\n here %q\nredis %q", p, got, want)
		}
	}
}

// BenchmarkMatch reports, beside the average, the best of many short batches:
// what the code takes when nothing else runs on the core.
func BenchmarkMatch(b *testing.B) {
	for _, c := range []struct{ pattern, s string }{
		{"user:*", "user:1234567:profile"},
		{"user:*:profile", "user:1234567:profile"},
		{"*:profile", "user:1234567:profile"},
		{"user:[0-9]*", "user:1234567:profile"},
		{"session:*", "user:1234567:profile"},
		{strings.Repeat("a*", 16) + "b", strings.Repeat("a", 64)},
	} {
		b.Run(fmt.Sprintf("%.16s", c.pattern), func(b *testing.B) {
			const batch = 200
			pattern, s := []byte(c.pattern), []byte(c.s)
			best := time.Hour
			b.ReportAllocs()
			for i := 0; i < b.N; i += batch {
				start := time.Now()
				for range batch {
					Match(pattern, s, false)
				}
				best = min(best, time.Since(start))
			}
			b.ReportMetric(float64(best)/batch, "best-ns/op")
		})
	}
}
