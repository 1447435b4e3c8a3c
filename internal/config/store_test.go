package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

func set(s *Store, who Client, words ...string) error {
	var pairs []Pair
	for i := 0; i < len(words); i += 2 {
		pairs = append(pairs, Pair{words[i], words[i+1]})
	}
	return s.Set(pairs, who)
}

func TestSet(t *testing.T) {
	s, err := New()
	if err != nil {
		t.Fatal(err)
	}
	if err := set(s, Client{}, "MaxMemory", "100mb", "hz", "1000", "client-output-buffer-limit", "normal 1 2 3"); err != nil {
		t.Fatal(err)
	}
	want(t, s, "maxmemory", "104857600", "hz", "500", "client-output-buffer-limit", "normal 1 2 3 slave 268435456 67108864 60 pubsub 33554432 8388608 60")
	before := s.Current()
	failed := "CONFIG SET failed (possibly related to argument '%s') - %s"
	for _, c := range []struct {
		words []string
		text  string
	}{
		{[]string{"hz", "1", "nope", "1"}, "Unknown option or number of arguments for CONFIG SET - 'nope'"},
		{[]string{"rename-command", "a b"}, "Unknown option or number of arguments for CONFIG SET - 'rename-command'"},
		{[]string{"hz", "1", "HZ", "2"}, fmt.Sprintf(failed, "HZ", "duplicate parameter")},
		{[]string{"hz", "1", "Daemonize", "yes"}, fmt.Sprintf(failed, "Daemonize", "can't set immutable config")},
		{[]string{"dir", "/"}, fmt.Sprintf(failed, "dir", "can't set protected config")},
		{[]string{"hz", "1", "TIMEOUT", "x"}, fmt.Sprintf(failed, "timeout", "argument couldn't be parsed into an integer")},
		{[]string{"timeout", "5", "slave-priority", "-1"}, fmt.Sprintf(failed, "slave-priority", "argument must be between 0 and 2147483647 inclusive")},
		{[]string{"hz", "1", "appendonly", "yes"}, fmt.Sprintf(failed, "appendonly", mustLookup("appendonly").refuses("yes"))},
		{[]string{"maxmemory-policy", "allkeys-lru"}, fmt.Sprintf(failed, "maxmemory-policy", mustLookup("maxmemory-policy").refuses("x"))},
	} {
		err := set(s, Client{Local: true}, c.words...)
		var se *SetError
		if !errors.As(err, &se) || err.Error() != c.text {
			t.Errorf("%q: %v\nwant %s", c.words, err, c.text)
		}
		if s.Current() != before {
			t.Errorf("%q changed something", c.words)
		}
	}
	if err := set(s, Client{Loading: true}, "appendonly", "no"); !errors.Is(err, ErrLoading) {
		t.Errorf("while loading: %v", err)
	}
}

func TestSetProtected(t *testing.T) {
	s, err := New(Pair{"enable-protected-configs", "local"})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := set(s, Client{}, "dir", dir); err == nil {
		t.Error("a remote client set dir")
	}
	if err := set(s, Client{Local: true}, "dir", dir); err != nil {
		t.Error(err)
	}
	want(t, s, "dir", dir)
	file := filepath.Join(dir, "f")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, reason := range map[string]string{
		file: "Not a directory", filepath.Join(dir, "no"): "No such file or directory", "": "No such file or directory",
	} {
		if err := set(s, Client{Local: true}, "dir", path); err == nil || !strings.HasSuffix(err.Error(), reason) {
			t.Errorf("dir %q: %v", path, err)
		}
	}
}

func TestHooks(t *testing.T) {
	s, err := New()
	if err != nil {
		t.Fatal(err)
	}
	var log []string
	hook := func(name string, veto func(next *Settings) error) Hook {
		return func(old, next *Settings) error {
			log = append(log, fmt.Sprintf("%s %d>%d", name, old.Port, next.Port))
			return veto(next)
		}
	}
	fine := func(*Settings) error { return nil }
	s.OnChange(hook("a", fine))
	s.OnChange(hook("b", fine))
	s.OnChange(hook("c", func(next *Settings) error {
		switch next.Port {
		case 1:
			return Veto("port", "Unable to listen on this port. Check server logs.")
		case 2:
			return errors.New("no")
		}
		return nil
	}))
	for port, text := range map[string]string{
		"1": "CONFIG SET failed (possibly related to argument 'port') - Unable to listen on this port. Check server logs.",
		"2": "CONFIG SET failed (possibly related to argument 'hz') - no",
	} {
		log = nil
		if err := set(s, Client{}, "hz", "5", "port", port); err == nil || err.Error() != text {
			t.Errorf("port %s: %v", port, err)
		}
		w := []string{"a 6379>" + port, "b 6379>" + port, "c 6379>" + port, "b " + port + ">6379", "a " + port + ">6379"}
		if !slices.Equal(log, w) {
			t.Errorf("hooks ran %q, want %q", log, w)
		}
		want(t, s, "port", "6379", "hz", "10")
	}
	if err := set(s, Client{}, "port", "3"); err != nil {
		t.Error(err)
	}
	want(t, s, "port", "3")
}

func names(pairs []Pair) string {
	var out []string
	for _, p := range pairs {
		out = append(out, p.Name)
	}
	return strings.Join(out, " ")
}

func TestGet(t *testing.T) {
	s, err := New()
	if err != nil {
		t.Fatal(err)
	}
	for patterns, w := range map[string]string{
		"HZ":                   "hz",
		"hz h? HZ":             "hz",
		"slave-priority":       "slave-priority",
		"*-priority":           "replica-priority slave-priority",
		"maxmem*s":             "maxmemory-clients maxmemory-samples",
		"watchdog-*":           "",
		"WATCHDOG-period":      "watchdog-period",
		"rename-command":       "",
		"include":              "",
		"bgsave_cpulist":       "bgsave_cpulist",
		"bgsave-cpulist":       "",
		"lua-time-limit":       "lua-time-limit",
		"[p-q]o[r]t *backlog*": "port tcp-backlog repl-backlog-size repl-backlog-ttl",
	} {
		if got := names(s.Get(strings.Fields(patterns))); got != w {
			t.Errorf("%s: %s, want %s", patterns, got, w)
		}
	}
	all := s.Get([]string{"*"})
	if len(all) < 250 {
		t.Errorf("CONFIG GET * gives %d", len(all))
	}
}

func TestChanges(t *testing.T) {
	s, err := New()
	if err != nil {
		t.Fatal(err)
	}
	old := s.Current()
	if err := set(s, Client{}, "requirepass", "secret", "hz", "7"); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(Changes(old, s.Current())); strings.Contains(got, "secret") || !strings.Contains(got, "{hz 7}") || !strings.Contains(got, "{requirepass (hidden)}") {
		t.Errorf("changes: %s", got)
	}
	if !IsSensitive("RequirePass") || IsSensitive("port") {
		t.Error("IsSensitive")
	}
}

// Readers see whole snapshots while writers change several directives.
func TestConcurrent(t *testing.T) {
	s, err := New()
	if err != nil {
		t.Fatal(err)
	}
	var writers, readers sync.WaitGroup
	stop := make(chan struct{})
	for range 2 {
		readers.Add(1)
		go func() {
			defer readers.Done()
			for {
				select {
				case <-stop:
					return
				default:
				}
				if c := s.Current(); c.TimeoutSeconds != c.KeepaliveSeconds-300 {
					t.Errorf("half a change: %d, %d", c.TimeoutSeconds, c.KeepaliveSeconds)
					return
				}
			}
		}()
	}
	for w := range 2 {
		writers.Add(1)
		go func() {
			defer writers.Done()
			for i := range 200 {
				n := w*1000 + i
				if err := set(s, Client{}, "timeout", fmt.Sprint(n), "tcp-keepalive", fmt.Sprint(n+300)); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	writers.Wait()
	close(stop)
	readers.Wait()
}

func BenchmarkCurrent(b *testing.B) {
	s, err := New()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if s.Current().Port == 0 {
			b.Fatal("port")
		}
	}
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		if _, err := New(Pair{"port", "0"}); err != nil {
			b.Fatal(err)
		}
	}
}
