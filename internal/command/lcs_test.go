package command

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"sherd/internal/config"
)

// slowLCS is the algorithm that Redis' replies follow, with a table of lengths.
func slowLCS(a, b string) (text string, matches []lcsMatch) {
	l := make([][]int, len(a)+1)
	for i := range l {
		l[i] = make([]int, len(b)+1)
		for j := range l[i] {
			switch {
			case i == 0 || j == 0:
			case a[i-1] == b[j-1]:
				l[i][j] = l[i-1][j-1] + 1
			default:
				l[i][j] = max(l[i-1][j], l[i][j-1])
			}
		}
	}
	var reversed []byte
	run := false
	for i, j := len(a), len(b); i > 0 && j > 0; {
		switch {
		case a[i-1] == b[j-1]:
			i--
			j--
			reversed = append(reversed, a[i])
			if run {
				m := &matches[len(matches)-1]
				*m = lcsMatch{i, j, m.n + 1}
			} else {
				matches = append(matches, lcsMatch{i, j, 1})
			}
			run = true
			continue
		case l[i-1][j] > l[i][j-1]:
			i--
		default:
			j--
		}
		run = false
	}
	for i := len(reversed) - 1; i >= 0; i-- {
		text += string(reversed[i])
	}
	return text, matches
}

func TestLCSAgainstTable(t *testing.T) {
	const seed = 5
	r := rand.New(rand.NewPCG(seed, 0))
	s := newStage(t)
	word := func(n, letters int) string {
		b := make([]byte, r.IntN(n))
		for i := range b {
			b[i] = 'a' + byte(r.IntN(letters))
		}
		return string(b)
	}
	for range 300 {
		letters := 1 + r.IntN(6)
		a, b := word(150, letters), word(150, letters)
		s.do("mset", "a", a, "b", b)
		text, matches := slowLCS(a, b)
		if got := s.do("lcs", "a", "b"); got != strconv.Quote(text) {
			t.Fatalf("seed %d: lcs of %q and %q: %s, want %q", seed, a, b, got, text)
		}
		if got := s.do("lcs", "a", "b", "len"); got != fmt.Sprint(":", len(text)) {
			t.Fatalf("seed %d: length for %q and %q: %s, want %d", seed, a, b, got, len(text))
		}
		least := r.IntN(4)
		var parts []string
		for _, m := range matches {
			if m.n >= least {
				parts = append(parts, fmt.Sprintf("[[:%d :%d] [:%d :%d] :%d]", m.aFrom, m.aFrom+m.n-1, m.bFrom, m.bFrom+m.n-1, m.n))
			}
		}
		want := fmt.Sprintf(`["matches" [%s] "len" :%d]`, strings.Join(parts, " "), len(text))
		if got := s.do("lcs", "a", "b", "idx", "withmatchlen", "minmatchlen", strconv.Itoa(least)); got != want {
			t.Fatalf("seed %d: %q and %q:\n got  %s\n want %s", seed, a, b, got, want)
		}
	}
}

func TestLCS(t *testing.T) {
	s := newStage(t)
	s.play(`
		mset a ohmytext b mynewtext => +OK
		lcs a b => "mytext"
		lcs a b len => :6
		lcs a b idx => ["matches" [[[:4 :7] [:5 :8]] [[:2 :3] [:0 :1]]] "len" :6]
		lcs a b idx minmatchlen 4 withmatchlen => ["matches" [[[:4 :7] [:5 :8] :4]] "len" :6]
		lcs a b idx len => -ERR If you want both the length and indexes, please just use IDX.
		lcs a b foo => -ERR syntax error
		lcs a none => ""
		lcs none a idx => ["matches" [] "len" :0]
		proto 3
		lcs a none idx => {"matches" [] "len" :0}
		proto 2
	`)
	// Long ones go step by step, and the bound is Redis'.
	a := strings.Repeat("abcdefghij", 900)
	s.do("mset", "a", a, "b", a[3:]+"xyz")
	if got := s.do("lcs", "a", "b", "len"); got != fmt.Sprint(":", len(a)-3) {
		t.Error(got)
	}
	if s.steps < 2 {
		t.Errorf("%d steps", s.steps)
	}
	if got := s.do("lcs", "a", "b"); got != strconv.Quote(a[3:]) {
		t.Errorf("%.80s", got)
	}
	newStage(t, config.Pair{Name: "proto-max-bulk-len", Value: "1mb"}).play(`
		setrange a 599 x => :600
		setrange b 599 x => :600
		lcs a b len => -ERR Insufficient memory, transient memory for LCS exceeds proto-max-bulk-len
		setrange a 600 x => :601
	`)
}
