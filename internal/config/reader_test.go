package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// write makes files in a temporary directory and gives its path.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func load(t *testing.T, text string, more ...string) *Store {
	t.Helper()
	dir := write(t, map[string]string{"sherd.conf": text})
	s, err := Load(append([]string{filepath.Join(dir, "sherd.conf")}, more...), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// want checks texts: name, text, name, text, ...
func want(t *testing.T, s *Store, pairs ...string) {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		if got, ok := s.Current().Text(pairs[i]); !ok || got != pairs[i+1] {
			t.Errorf("%s is %q, want %q", pairs[i], got, pairs[i+1])
		}
	}
}

func TestFile(t *testing.T) {
	s := load(t, "# a comment\n\n  PORT 7000  \r\n\tmaxmemory 1GB\nlogfile \"a b\\x41\"\n"+
		"requirepass 'it\\'s'\nbind 10.0.0.1 -::1\nslave-priority 7\n"+
		"client-output-buffer-limit normal 1kb 0 0\nclient-output-buffer-limit pubsub 2 1 1\n"+
		"rename-command FLUSHALL \"\"\nrename-command keys \"list-keys\"\nlua-replicate-commands yes\nsave \"\"\n"+
		"latency-tracking-info-percentiles 50\nshutdown-on-sigint nosave now\nenable-debug-command local\nactivedefrag yes")
	c := s.Current()
	if c.Port != 7000 || c.MaxMemoryBytes != 1<<30 || c.LogFile != "a bA" || c.RequirePass != "it's" ||
		!c.ActiveDefrag || c.EnableDebug != AccessLocal || !c.OnSigint.NoSave || !c.OnSigint.Now ||
		len(c.LatencyPercentiles) != 1 || c.OutputLimits[ClassPubsub] != (OutputLimit{2, 1, 1}) {
		t.Errorf("%+v", c)
	}
	if len(c.Bind) != 2 || c.Bind[0] != (Address{"10.0.0.1", false}) || c.Bind[1] != (Address{"::1", true}) {
		t.Errorf("bind %+v", c.Bind)
	}
	if len(c.RenamedCommands) != 2 || c.RenamedCommands[1] != (Rename{"keys", "list-keys"}) {
		t.Errorf("renamed %+v", c.RenamedCommands)
	}
	want(t, s, "replica-priority", "7", "slave-priority", "7", "save", "",
		"client-output-buffer-limit", "normal 1024 0 0 slave 268435456 67108864 60 pubsub 2 1 1")
}

func TestFileErrors(t *testing.T) {
	for _, c := range []struct{ text, line, reason string }{
		{"port 1\nnonsense 1\n", "2|nonsense 1", "Bad directive or wrong number of arguments"},
		{"port\n", "1|port", "wrong number of arguments"},
		{"port 1 2\n", "1|port 1 2", "wrong number of arguments"},
		{"port x\n", "1|port x", "argument couldn't be parsed into an integer"},
		{"daemonize maybe\n", "1|daemonize maybe", "argument must be 'yes' or 'no'"},
		{"\n\nport 99999", "3|port 99999", "argument must be between 0 and 65535 inclusive"},
		{"logfile \"a", "1|logfile \"a", "Unbalanced quotes in configuration line"},
		{"requirepass \"a", "1|requirepass (hidden)", "Unbalanced quotes in configuration line"},
		{"requirepass a b", "1|requirepass (hidden)", "wrong number of arguments"},
		{"rename-command get", "1|rename-command get", "Bad directive or wrong number of arguments"},
		{"include a b", "1|include a b", "Bad directive or wrong number of arguments"},
		{"appendonly yes", "1|appendonly yes", mustLookup("appendonly").refuses("yes")},
		{"user default on", "1|user (hidden)", "this value needs access control lists, which this version of sherd does not have yet: it makes no promise it cannot keep"},
	} {
		dir := write(t, map[string]string{"c": c.text})
		path := filepath.Join(dir, "c")
		_, err := Load([]string{path}, nil, nil)
		var le *LoadError
		if !errors.As(err, &le) {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		number, line, _ := strings.Cut(c.line, "|")
		full := "*** FATAL CONFIG FILE ERROR (sherd) ***\nReading the configuration file, at line " + number + " of " + path +
			"\n>>> '" + line + "'\n" + c.reason
		if err.Error() != full {
			t.Errorf("%q:\n%s\nwant\n%s", c.text, err, full)
		}
	}
	if _, err := Load([]string{"/nonexistent/x.conf"}, nil, nil); err == nil ||
		!strings.Contains(err.Error(), "can't open config file '/nonexistent/x.conf': No such file or directory") {
		t.Errorf("missing file: %v", err)
	}
}

// A value that promises something is refused wherever it comes from; one
// that does not is taken.
func TestPromises(t *testing.T) {
	for _, line := range []string{
		"save 60 1", "save 3600 1 300 100", "appendonly yes", "replicaof a 1", "slaveof a 1", "cluster-enabled yes",
		"tls-port 6380", "aclfile users.acl", "user bob on", "maxmemory-policy allkeys-lru", "min-replicas-to-write 1",
		"min-slaves-to-write 1", "tls-replication yes", "tls-cluster yes", "shutdown-on-sigterm save", "snapshot_cron '* * * * *'",
		"snapshot-cron '* * * * *'", "cache_mode yes", "cluster_mode emulated", "tls yes", "maxmemory-clients 10%",
	} {
		dir := write(t, map[string]string{"c": line + "\n"})
		_, err := Load([]string{filepath.Join(dir, "c")}, nil, nil)
		if err == nil || !strings.Contains(err.Error(), "does not have yet") {
			t.Errorf("%s: %v", line, err)
		}
	}
	for _, line := range []string{
		"save \"\"", "appendonly no", "replicaof no one", "cluster-enabled no", "tls-port 0", "aclfile \"\"",
		"maxmemory-policy noeviction", "min-replicas-to-write 0", "shutdown-on-sigterm nosave", "snapshot_cron ''", "cache_mode no",
		"appendfsync always", "masterauth x", "tls-cert-file x",
	} {
		load(t, line+"\n")
	}
}

func TestInclude(t *testing.T) {
	dir := write(t, map[string]string{
		"main.conf":     "port 1\ninclude sub/one.conf\ninclude sub/empty/*.conf\ninclude sub/d*.conf\n",
		"sub/one.conf":  "port 2\nhz 11\n",
		"sub/da.conf":   "timeout 1\n",
		"sub/db.conf":   "timeout 2\n",
		"loop.conf":     "include loop.conf\n",
		"storm.conf":    "include s*.conf\ninclude s*.conf\n",
		"missing.conf":  "port 1\ninclude nothere.conf\n",
		"bad.conf":      "include sub/bad\n",
		"sub/bad":       "\nport x\n",
		"sub/binds.txt": "",
	})
	s, err := Load([]string{filepath.Join(dir, "main.conf")}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	want(t, s, "port", "2", "hz", "11", "timeout", "2")
	for name, reason := range map[string]string{
		"loop.conf":    "Too many nested include directives",
		"storm.conf":   "Too many",
		"missing.conf": "can't open config file 'nothere.conf': No such file or directory",
		"bad.conf":     "at line 2 of " + filepath.Join(dir, "sub/bad"),
	} {
		if _, err := Load([]string{filepath.Join(dir, name)}, nil, nil); err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := readAll(strings.NewReader("12345"), 4); err == nil {
		t.Error("a file was read over its bound")
	}
}

func FuzzFile(f *testing.F) {
	for _, seed := range []string{
		"port 1\n", "save 1 2\nsave ''\n", "client-output-buffer-limit normal 1kb 2mb 3\n", "bind 1.2.3.4 -::1 *",
		"include x", "include *", "rename-command a \"\\x00\"", "unixsocketperm 0777", "latency-tracking-info-percentiles 1e1 0x1p3",
		"maxmemory-clients 5%", "proc-title-template {title}{{", "oom-score-adj-values 1 2 3", "requirepass \"\xff\"",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := newReader()
		r.open = func(path string) ([]byte, error) {
			if path == "x" || path == "y" {
				return []byte("include x\n" + text), nil
			}
			return nil, fs.ErrNotExist
		}
		r.glob = func(string) ([]string, error) { return []string{"x", "y"}, nil }
		if r.configText("fuzz", []byte(text), 0) != nil {
			return
		}
		build(r.st)
		for i, d := range table {
			value := r.st.text[i]
			if d.Has(Repeated) || value == d.Default || d.Name == "replicaof" {
				continue
			}
			words := []string{value}
			if d.Has(Multi) && d.Kind != Words {
				words = splitSpaces(value)
			}
			if d.Kind == Words {
				words, _ = split(value)
			}
			if again, reason := d.parse(d.Default, words, true); again != value || reason != "" {
				if d.Kind == Save {
					continue // adds to the default
				}
				t.Fatalf("%s: text %q parses to %q, %s", d.Name, value, again, reason)
			}
			for _, line := range d.lines(value) {
				if _, ok := split(line); !ok {
					t.Fatalf("%s: line %q does not split", d.Name, line)
				}
			}
		}
	})
}
