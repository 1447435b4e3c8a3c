package config

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The tests below ask a real redis-server, of the version whose texts ours
// are, what it answers.

const peerVersion = "v=7.0."

// peerBinary gives the path of a redis-server of the right version.
func peerBinary(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("redis-server")
	if err != nil {
		t.Skip("redis-server is not installed: nothing to compare with")
	}
	out, err := exec.Command(path, "--version").Output()
	if err != nil || !strings.Contains(string(out), peerVersion) {
		t.Skipf("redis-server is not 7.0: %s", out)
	}
	return path
}

// peer is a connection to a redis-server of the test's own.
type peer struct {
	conn net.Conn
	r    *bufio.Reader
}

// startPeer starts a server that listens on a unix socket only.
func startPeer(t *testing.T, args ...string) *peer {
	t.Helper()
	path := peerBinary(t)
	dir, err := os.MkdirTemp("", "sherd-config-") // short: a socket's path is bounded
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	socket := filepath.Join(dir, "s")
	args = append(args, "--port", "0", "--unixsocket", socket, "--dir", dir)
	if len(args) == 6 || strings.HasPrefix(args[0], "--") {
		args = append(args, "--save", "")
	}
	cmd := exec.Command(path, args...)
	log := new(strings.Builder)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(done)
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-done
	})
	deadline := time.Now().Add(10 * time.Second)
	for {
		conn, err := net.Dial("unix", socket)
		if err == nil {
			_ = conn.SetDeadline(time.Now().Add(time.Minute))
			t.Cleanup(func() { _ = conn.Close() })
			return &peer{conn, bufio.NewReader(conn)}
		}
		select {
		case <-done:
			t.Fatalf("redis-server ended: %s", log)
		default:
		}
		if time.Now().After(deadline) {
			t.Fatalf("redis-server does not answer: %v", err)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// do sends a command; the reply is flattened to its strings, an error is one
// string with a dash before it.
func (p *peer) do(t *testing.T, words ...string) []string {
	t.Helper()
	return p.pipeline(t, [][]string{words})[0]
}

// pipeline sends commands together.
func (p *peer) pipeline(t *testing.T, commands [][]string) [][]string {
	t.Helper()
	var out []byte
	for _, words := range commands {
		out = fmt.Appendf(out, "*%d\r\n", len(words))
		for _, w := range words {
			out = fmt.Appendf(out, "$%d\r\n%s\r\n", len(w), w)
		}
	}
	if _, err := p.conn.Write(out); err != nil {
		t.Fatal(err)
	}
	replies := make([][]string, len(commands))
	for i := range replies {
		var err error
		if replies[i], err = p.read(); err != nil {
			t.Fatal(err)
		}
	}
	return replies
}

func (p *peer) read() ([]string, error) {
	line, err := p.r.ReadString('\n')
	if err != nil {
		return nil, err
	}
	kind, rest := line[0], strings.TrimSuffix(line[1:], "\r\n")
	n, _ := strconv.Atoi(rest)
	switch kind {
	case '-':
		return []string{"-" + rest}, nil
	case '$':
		b := make([]byte, n+2)
		if _, err := io.ReadFull(p.r, b); err != nil {
			return nil, err
		}
		return []string{string(b[:n])}, nil
	case '*':
		var out []string
		for range n {
			one, err := p.read()
			if err != nil {
				return nil, err
			}
			out = append(out, one...)
		}
		return out, nil
	}
	return []string{rest}, nil
}

func (p *peer) get(t *testing.T, pattern string) map[string]string {
	t.Helper()
	reply := p.do(t, "CONFIG", "GET", pattern)
	out := make(map[string]string, len(reply)/2)
	for i := 0; i+1 < len(reply); i += 2 {
		out[reply[i]] = reply[i+1]
	}
	return out
}

// ours are the defaults that differ on purpose, and what the test's own
// server was started with.
var ours = map[string]string{
	"bind": "127.0.0.1 -::1", // Redis: everywhere
	"port": "6379", "unixsocket": "", "dir": "*", "save": "",
	"syslog-ident": "sherd",
}

func TestPeerDefaults(t *testing.T) {
	p := startPeer(t)
	s, err := New()
	if err != nil {
		t.Fatal(err)
	}
	got := make(map[string]string)
	for _, pair := range s.Get([]string{"*"}) {
		got[pair.Name] = pair.Value
	}
	theirs := p.get(t, "*")
	if len(theirs) < 150 {
		t.Fatalf("CONFIG GET * gave %d directives", len(theirs))
	}
	for name, text := range theirs {
		mine, ok := got[name]
		switch special, differs := ours[name]; {
		case !ok:
			t.Errorf("%s is not known", name)
		case differs && special == "*":
		case differs:
			if mine != special {
				t.Errorf("%s is %q, want %q", name, mine, special)
			}
		case mine != text:
			t.Errorf("%s is %q, Redis has %q", name, mine, text)
		}
	}
}

// unsettable are directives the sweep leaves alone: setting them would end
// the comparison, or needs what the machine may not have.
var unsettable = []string{"bind", "port", "tls-port", "activedefrag", "maxclients", "dir", "appendonly", "jemalloc-bg-thread", "watchdog-period", "replicaof", "oom-score-adj"}

// stricter are values Redis takes and we do not, or the other way round: it
// reads an empty word as zero, wraps sizes, and expands a title to nothing.
var stricter = map[string][]string{
	"save":                       {"1 "},
	"maxmemory":                  {"9223372036854775808"},
	"maxmemory-clients":          {"9223372036854775808"},
	"cluster-link-sendbuf-limit": {"9223372036854775808"},
	"proc-title-template":        {"{title}"},
}

// comparable tells whether Redis and we should answer the same.
func comparable(d *Directive, name, value string) bool {
	for _, v := range d.More {
		v, _, _ = strings.Cut(v, "=")
		if strings.EqualFold(v, value) {
			return false // newer than 7.0
		}
	}
	if slices.Contains(stricter[name], value) {
		return false
	}
	if strings.Contains(value, "\x00") {
		return d.Kind == Int || d.Kind == Bool // a C string ends there
	}
	if d.State == Refused {
		words := []string{value}
		if d.Has(Multi) {
			words = splitSpaces(value)
		}
		text, reason := d.parse("", words, false)
		return reason != "" || !d.Promise(text)
	}
	return true
}

func TestPeerSet(t *testing.T) {
	p := startPeer(t)
	s, err := New()
	if err != nil {
		t.Fatal(err)
	}
	values := []string{
		"", "abc", "yes", "NO", "-1", "0", "1", "2", "99", "100", "101", "1000", "65535", "65536", "01", " 1", "1 ", "+1",
		"5%", "0%", "101%", "-5%", "1kb", "1KB", "1k", "1mb", "1m", "5gb", "1tb", "1.5", "2147483647", "2147483648", "4294967295", "4294967296",
		"9223372036854775807", "9223372036854775808", "-9223372036854775808", "a b", "a  b", "nosave", "now force", "default nosave", "save nosave", "FORCE",
		"60 1", "60 1 70", "60 -1", "0 0", "60 1 3600 10", "normal 1kb 2mb 3", "slave 1 2 3", "pubsub 1 2 3 normal 4 5 6",
		"NORMAL 0 0 0", "master 1 2 3", "normal x 2 3", "normal 1 2 x", "normal 1 2 -3", "normal 1 2", "KEA", "Ex", "nmd", "A", "g$lshzxetd", "kea",
		"50", "50 99", "99.99", "33.333333333", "0.1 100", "100.1", "-0.1", "1e1", "nan", "1 2 3", "-1000 0 1000", "1 2 -2001", "1 2 3000",
		"debug", "Notice", "warning", "everysec", "always", "relative", "absolute", "swapdb", "clients", "allchannels", "hostname", "panic",
		"noeviction", "{title}", "{title} {port}", "{foo}", "{title", "title}", "{}", "a.b-c", "a_b", "x\"y", "\x00", "\xff",
	}
	compared := 0
	for name := range p.get(t, "*") {
		d := lookup(name)
		if d == nil || d.Has(Immutable) || slices.Contains(unsettable, d.Name) {
			continue
		}
		var tried []string
		var commands [][]string
		for i, value := range values {
			if testing.Short() && i%6 != d.index%6 || !comparable(d, name, value) {
				continue
			}
			tried = append(tried, value)
			commands = append(commands, []string{"CONFIG", "SET", name, value}, []string{"CONFIG", "GET", name})
		}
		replies := p.pipeline(t, commands)
		for i, value := range tried {
			mine := "OK"
			if err := set(s, Client{}, name, value); err != nil {
				mine = "-ERR " + err.Error()
			}
			compared++
			if theirs := replies[2*i][0]; mine != theirs {
				t.Errorf("CONFIG SET %s %q: %s\nRedis: %s", name, value, mine, theirs)
			} else if text, _ := s.Current().Text(name); text != replies[2*i+1][1] {
				t.Errorf("CONFIG SET %s %q gives %q\nRedis: %q", name, value, text, replies[2*i+1][1])
			}
		}
	}
	t.Logf("compared %d calls", compared)
}

func TestPeerSetErrors(t *testing.T) {
	p := startPeer(t)
	s, err := New()
	if err != nil {
		t.Fatal(err)
	}
	for _, words := range [][]string{
		{"nope", "1"},
		{"hz", "1", "nope", "1"},
		{"nope", "1", "daemonize", "yes"},
		{"daemonize", "yes"},
		{"DAEMONIZE", "yes"},
		{"dir", "/"},
		{"dbfilename", "x"},
		{"hz", "1", "HZ", "2"},
		{"hz", "1", "hz", "2", "nope", "3"},
		{"timeout", "5", "timeout", "x"},
		{"timeout", "5", "TCP-KEEPALIVE", "x"},
		{"timeout", "5", "maxmemory", "1kb", "loglevel", "loud"},
		{"daemonize", "yes", "nope", "1"},
		{"include", "x"},
		{"rename-command", "x"},
		{"loadmodule", "x"},
		{"user", "x"},
		{"replicaof", "a 1"},
		{"unixsocket", "x"},
		{"Slave-Priority", "x"},
		{"a.b", "x"},
	} {
		theirs := p.do(t, append([]string{"CONFIG", "SET"}, words...)...)[0]
		mine := "OK"
		if err := set(s, Client{}, words...); err != nil {
			mine = "-ERR " + err.Error()
		}
		if mine != theirs {
			t.Errorf("CONFIG SET %q: %s\nRedis: %s", words, mine, theirs)
		}
		if text, _ := s.Current().Text("timeout"); text != "0" {
			t.Errorf("%q changed timeout", words)
		}
	}
}

func TestPeerGet(t *testing.T) {
	p := startPeer(t)
	s, err := New()
	if err != nil {
		t.Fatal(err)
	}
	for _, patterns := range [][]string{
		{"*max*"},
		{"HASH*"},
		{"hash-max-listpack-entries", "HASH-*", "hz"},
		{"h?"},
		{"[a-c]*"},
		{"[^a-r]*"},
		{"*-ziplist-*"},
		{"watchdog*"},
		{"watchdog-period"},
		{"Watchdog-Period"},
		{""},
		{"nope"},
		{"slave*", "replica*"},
		{"\\hz"},
		{"h\\z"},
		{"hz", "hz"},
		{"HZ"},
		{"rename-command"},
		{"include"},
		{"user"},
		{"*cpulist"},
		{"bgsave_cpulist"},
		{"lua-time-limit"},
	} {
		theirs := p.do(t, append([]string{"CONFIG", "GET"}, patterns...)...)
		var want, got []string
		for i := 0; i < len(theirs); i += 2 {
			want = append(want, strings.ToLower(theirs[i]))
		}
		for _, pair := range s.Get(patterns) {
			got = append(got, pair.Name)
		}
		slices.Sort(want)
		slices.Sort(got)
		for _, name := range want {
			if !slices.Contains(got, name) {
				t.Errorf("CONFIG GET %q lacks %s", patterns, name)
			}
		}
		known := p.get(t, "*")
		for _, name := range got {
			if _, ok := known[name]; ok && !slices.Contains(want, name) {
				t.Errorf("CONFIG GET %q gives %s, Redis does not", patterns, name)
			}
		}
	}
}

// The reasons a start fails.
func TestPeerFileErrors(t *testing.T) {
	path := peerBinary(t)
	for _, text := range []string{
		"nonsense 1", "port", "port x", "PORT -1", "daemonize maybe", "maxmemory x", "maxmemory 1 gb", "loglevel loud", "save 60 1 2",
		"bind 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17", "client-output-buffer-limit foo 1 2 3", "unixsocketperm 888", "unixsocketperm 1000",
		"logfile \"x", "logfile \"x\"y", "\"port\" x", "rename-command get", "include a b", "appendfilename a/b", "appenddirname \"\"",
		"oom-score-adj-values 1 2 9999", "shutdown-on-sigint", "notify-keyspace-events a b", "latency-tracking-info-percentiles 101",
		"replicaof a", "replicaof a 70000", "maxmemory-clients 101%", "loadmodule", "list-max-ziplist-value 1 2", "requirepass",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			compareFileError(t, path, text)
		})
	}
}

func compareFileError(t *testing.T, binary, text string) {
	dir := write(t, map[string]string{"c": "# first\n" + text + "\n"})
	file := filepath.Join(dir, "c")
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, file, "--port", "0", "--unixsocket", "s")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err == nil || ctx.Err() != nil {
		t.Fatal("Redis starts")
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) < 4 {
		t.Fatalf("Redis says %s", out)
	}
	lines = lines[len(lines)-4:]
	if _, err = Load([]string{file}, nil, nil); err == nil {
		t.Fatalf("starts, Redis says %s", out)
	}
	mine := strings.Split(err.Error(), "\n")
	secret := strings.Contains(text, "requirepass")
	if len(mine) != 4 || !strings.HasPrefix(mine[1], lines[1]) || mine[2] != lines[2] && !secret || mine[3] != lines[3] {
		t.Errorf("%s\nRedis:\n%s", err, strings.Join(lines, "\n"))
	}
}

// A file rewritten by us is read by Redis with the same values.
func TestPeerRewrite(t *testing.T) {
	peerBinary(t)
	dir := write(t, map[string]string{"c": "# mine\nslave-priority 9\nsave \"\"\nmaxmemory 5mb\n"})
	file := filepath.Join(dir, "c")
	s, err := Load([]string{file}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	words := []string{
		"maxmemory", "3gb", "requirepass", "a \"b' \x01\xfe", "masterauth", "#x", "proc-title-template", "{title} x",
		"client-output-buffer-limit", "normal 1kb 2 3 slave 5mb 0 0", "oom-score-adj-values", "1 2 3", "oom-score-adj", "relative",
		"notify-keyspace-events", "KEg", "latency-tracking-info-percentiles", "1 99.5", "shutdown-on-sigint", "nosave force", "hz", "77",
		"hash-max-listpack-value", "100", "repl-backlog-size", "1000000", "slowlog-log-slower-than", "-1", "list-max-listpack-size", "-5",
	}
	if err := set(s, Client{}, words...); err != nil {
		t.Fatal(err)
	}
	if err := s.Rewrite(); err != nil {
		t.Fatal(err)
	}
	p := startPeer(t, file)
	if got := p.do(t, "AUTH", words[3]); got[0] != "OK" {
		t.Fatal(got)
	}
	for i := 0; i < len(words); i += 2 {
		text, _ := s.Current().Text(words[i])
		if got := p.get(t, words[i])[words[i]]; got != text {
			t.Errorf("%s: Redis reads %q, not %q", words[i], got, text)
		}
	}
}
