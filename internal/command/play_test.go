package command

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"sherd/internal/clock"
	"sherd/internal/config"
	"sherd/internal/shard"
)

// stage is a keyspace and one client, without loops and connections: what a
// command needs.
type stage struct {
	t     testing.TB
	x     Ctx
	clock *clock.Clock
	steps int // of long commands so far
}

// testStart is the time on the clock of a new stage.
const testStartMs = 1_700_000_000_000

func newStage(t testing.TB, directives ...config.Pair) *stage {
	t.Helper()
	conf, err := config.New(directives...)
	if err != nil {
		t.Fatal(err)
	}
	c := clock.NewManual(time.UnixMilli(testStartMs))
	ks, err := shard.New(shard.Options{Loops: 1, Databases: 16, Seed: 42, Clock: c})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ks.Close() })
	s := &stage{t: t, clock: c}
	s.x = Ctx{C: &Client{Proto: 2}, L: NewLocal(0, Commands(), 1), KS: ks, Conf: conf.Current()}
	return s
}

// run executes a command as a connection does and returns the reply.
func (s *stage) run(args ...[]byte) []byte {
	x := &s.x
	x.Out = x.Out[:0]
	x.Args = args
	cmd := Commands().Lookup(args[0])
	if cmd != nil && cmd.Sub != nil && len(args) > 1 {
		cmd = cmd.Subcommand(args[1])
	}
	if cmd == nil {
		s.t.Fatalf("no command %q", args)
	}
	x.Cmd = cmd
	if !cmd.ArityOK(len(args)) {
		x.Arity()
		return x.Out
	}
	x.Keys = x.Keys[:0]
	x.Now = s.clock.Now()
	switch cmd.Reach {
	case ReachOne:
		x.Keys = append(x.Keys, x.KeyOf(args[cmd.FirstKey()]))
	case ReachMany:
		x.Locate()
	}
	cmd.Run(x)
	if later := x.TakeLater(); later != nil {
		x.Args, x.Keys = nil, nil
		for s.steps++; !later.Step(x); s.steps++ {
		}
	}
	return x.Out
}

// do is run for words and a readable reply; see render.
func (s *stage) do(words ...string) string {
	args := make([][]byte, len(words))
	for i, w := range words {
		args[i] = []byte(w)
	}
	out, rest := render(string(s.run(args...)))
	if rest != "" {
		s.t.Fatalf("%q: more than one reply: %q", words, rest)
	}
	return out
}

// play executes lines of the form
//
//	command words => reply
//
// where a word may be quoted as in Go. "tick 100ms" moves the clock, "proto 3"
// changes the protocol.
func (s *stage) play(script string) {
	s.t.Helper()
	for _, line := range strings.Split(script, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		command, want, ok := strings.Cut(line, " => ")
		words := splitWords(s.t, command)
		switch {
		case words[0] == "tick":
			d, err := time.ParseDuration(words[1])
			if err != nil {
				s.t.Fatal(err)
			}
			s.clock.Advance(d)
			continue
		case words[0] == "proto":
			s.x.C.Proto, _ = strconv.Atoi(words[1])
			continue
		case !ok:
			s.t.Fatalf("no reply in %q", line)
		}
		if got := s.do(words...); got != strings.TrimSpace(want) {
			s.t.Errorf("%s\n got  %s\n want %s", command, got, want)
		}
	}
}

func splitWords(t testing.TB, line string) (words []string) {
	t.Helper()
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimSpace(line) {
		if line[0] == '"' {
			q, err := strconv.QuotedPrefix(line)
			if err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			w, _ := strconv.Unquote(q)
			words = append(words, w)
			line = line[len(q):]
			continue
		}
		i := strings.IndexByte(line, ' ')
		if i < 0 {
			i = len(line)
		}
		words = append(words, line[:i])
		line = line[i:]
	}
	return words
}

// render makes a reply readable: +status -error :integer "string" nil ,double
// [array] {map}.
func render(b string) (out, rest string) {
	head, rest, ok := strings.Cut(b, "\r\n")
	if !ok {
		return "?" + b, ""
	}
	n, _ := strconv.Atoi(head[1:])
	switch head[0] {
	case '+', '-', ':', ',':
		return head, rest
	case '_':
		return "nil", rest
	case '$', '=':
		if n < 0 {
			return "nil", rest
		}
		return strconv.Quote(rest[:n]), rest[n+2:]
	case '*', '~', '%':
		if n < 0 {
			return "nil array", rest
		}
		open, end := "[", "]"
		if head[0] == '%' {
			open, end, n = "{", "}", 2*n
		}
		var parts []string
		for range n {
			var p string
			p, rest = render(rest)
			parts = append(parts, p)
		}
		return open + strings.Join(parts, " ") + end, rest
	}
	return "?" + head, rest
}
