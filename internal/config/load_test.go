package config

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestPrecedence(t *testing.T) {
	dir := write(t, map[string]string{
		"c":     "port 1\nhz 1\ntimeout 1\nmaxclients 1\nlogfile file\nclient-output-buffer-limit normal 1 1 1\n",
		"flags": "# flags\n--port=2\n--hz 2\ntimeout 2\nmaxclients=2\n",
	})
	env := []string{"PATH=/bin", "SHERD_hz=3", "SHERD_TIMEOUT=3", "sherd_maxclients=3", "SHERD_TCP_KEEPALIVE=3"}
	s, err := Load([]string{
		filepath.Join(dir, "c"), "-", "--flagfile", filepath.Join(dir, "flags"),
		"--timeout", "4", "--client-output-buffer-limit", "pubsub", "4", "4", "4", "replica", "5", "5", "5",
	}, env, strings.NewReader("logfile stdin\n"))
	if err != nil {
		t.Fatal(err)
	}
	want(t, s, "port", "2", "hz", "3", "timeout", "4", "maxclients", "3", "tcp-keepalive", "3", "logfile", "stdin",
		"client-output-buffer-limit", "normal 1 1 1 slave 5 5 5 pubsub 4 4 4")
	if s.File() != filepath.Join(dir, "c") {
		t.Errorf("file %q", s.File())
	}
}

func TestArguments(t *testing.T) {
	for _, c := range []struct {
		args string // words, parted by spaces; ~ is an empty word, + a space
		want string // name=text, parted by bars
		err  string
	}{
		{args: "--port 1 --hz=2", want: "port=1|hz=2"},
		{args: "--PORT 1", want: "port=1"},
		{args: "--daemonize", want: "daemonize=yes"},
		{args: "--daemonize --port 1", want: "daemonize=yes|port=1"},
		{args: "--daemonize no --port 1", want: "daemonize=no|port=1"},
		{args: "--daemonize=true --protected_mode=0", want: "daemonize=yes|protected-mode=no"},
		{args: "--noprotected-mode --no-latency-tracking", want: "protected-mode=no|latency-tracking=no"},
		{args: "--no-appendfsync-on-rewrite", want: "no-appendfsync-on-rewrite=yes"},
		{args: "--bind 1.2.3.4 -::1 --port 1", want: "bind=1.2.3.4 -::1|port=1"},
		{args: "--bind 1.2.3.4+-::1", want: "bind=1.2.3.4 -::1"},
		{args: "--bind=1.2.3.4", want: "bind=1.2.3.4"},
		{args: "--save", want: "save="},
		{args: "--save --port 1", want: "save=|port=1"},
		{args: "--save ~ --port 1", want: "save=|port=1"},
		{args: "--requirepass --x", want: "requirepass=--x"},
		{args: "--requirepass=a=b", want: "requirepass=a=b"},
		{args: "--list-max-listpack-size -2", want: "list-max-listpack-size=-2"},
		{args: "--proactor_threads=3 --dbnum 4 --io_engine epoll", want: "threads=3|databases=4|io-engine=epoll"},
		{args: "--shutdown-on-sigint nosave now --port 1", want: "shutdown-on-sigint=nosave now|port=1"},
		{args: "--logfile ~", want: "logfile="},
		{args: "--flag x", err: ">>> '--flag'\nBad directive"},
		{args: "x --port 1", err: "can't open config file 'x'"},
		{args: "--port", err: "wrong number of arguments"},
		{args: "--port --hz 1", err: ">>> '--port'\nwrong number of arguments"},
		{args: "--requirepass a b", err: ">>> '(hidden)'\nBad directive"},
		{args: "--port 1 2", err: ">>> '2'\nBad directive"},
		{args: "-port 1", err: "Bad directive"},
		{args: "--", err: "Bad directive"},
		{args: "--appendonly yes", err: "Reading the command line\n>>> '--appendonly yes'\nthis value needs"},
		{args: "--appendonly", err: "this value needs"},
		{args: "--requirepass", err: ">>> '--requirepass (hidden)'"},
		{args: "--masterauth=x --user bob on", err: ">>> 'user (hidden)'"},
	} {
		args := strings.Fields(c.args)
		for i, a := range args {
			args[i] = strings.ReplaceAll(strings.ReplaceAll(a, "~", ""), "+", " ")
		}
		s, err := Load(args, nil, nil)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: %v, want %s", c.args, err, c.err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.args, err)
			continue
		}
		for _, p := range strings.Split(c.want, "|") {
			name, text, _ := strings.Cut(p, "=")
			want(t, s, name, text)
		}
	}
	s, err := Load([]string{"--rename-command", "GET", "", "--rename-command=SET put"}, nil, nil)
	if err != nil || len(s.Current().RenamedCommands) != 2 || s.Current().RenamedCommands[1] != (Rename{"set", "put"}) {
		t.Errorf("%v", err)
	}
}

func TestEnvironment(t *testing.T) {
	for _, c := range []struct{ env, want, err string }{
		{env: "SHERD_PORT=7", want: "port=7"},
		{env: "SHERD_PORT=", want: "port=6379"},
		{env: "SHERD_PORT=tcp://10.0.0.1:6379", want: "port=6379"},
		{env: "SHERD_PORT_6379_TCP=tcp://10.0.0.1:6379", want: "port=6379"},
		{env: "SHERD_SERVICE_HOST=10.0.0.1", want: "port=6379"},
		{env: "SHERD_TEST_SCALE=9", want: "port=6379"},
		{env: "SHERD_protected_mode=false", want: "protected-mode=no"},
		{env: "SHERD_bind=1.2.3.4 ::1", want: "bind=1.2.3.4 ::1"},
		{env: "SHERD_SAVE=", want: "save="},
		{env: "SHERD_PROT=7", err: ">>> 'SHERD_PROT'\nBad directive"},
		{env: "SHERD_PORT=x", err: "Reading the environment\n>>> 'SHERD_PORT=x'\nargument couldn't"},
		{env: "SHERD_TLS_PORT=1", err: "this value needs TLS"},
		{env: "SHERD_ACLFILE=x", err: "this value needs access control"},
	} {
		s, err := Load(nil, []string{c.env}, nil)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: %v", c.env, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.env, err)
			continue
		}
		name, text, _ := strings.Cut(c.want, "=")
		want(t, s, name, text)
	}
}

func TestFlagFile(t *testing.T) {
	dir := write(t, map[string]string{
		"a":    "--logfile=a b \"c\"\n--dbfilename \"x y\"\n--noprotected-mode\nlatency_tracking\n--snapshot_cron=\n--flagfile=" + "B\n",
		"bad":  "--port=1\n--prot=2\n",
		"bad2": "--port\n",
		"loop": "",
	})
	b := write(t, map[string]string{"b": "--requirepass=\"p q\"\nsave \"\"\n"})
	files := map[string]string{
		"a": "--logfile=a b \"c\"\n--dbfilename \"x y\"\n--noprotected-mode\nlatency_tracking\n--flagfile=" + filepath.Join(b, "b") + "\n",
	}
	dir2 := write(t, files)
	s, err := Load([]string{"--flagfile=" + filepath.Join(dir2, "a")}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	want(t, s, "logfile", `a b "c"`, "dbfilename", "x y", "protected-mode", "no", "latency-tracking", "yes", "requirepass", "p q")
	for name, reason := range map[string]string{
		"bad": "Reading the flag file, at line 2 of " + filepath.Join(dir, "bad") + "\n>>> '--prot=2'\nBad directive", "bad2": "wrong number of arguments",
		"none": "No such file or directory",
	} {
		if _, err := Load([]string{"--flagfile", filepath.Join(dir, name)}, nil, nil); err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestNotes(t *testing.T) {
	s, err := Load([]string{"--io-threads", "4", "--port", "1", "--list-compress-depth", "1", "--appendfsync", "everysec"}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if notes := strings.Join(s.Notes(), "\n"); strings.Count(notes, "\n") != 1 || !strings.Contains(notes, "io-threads is kept") {
		t.Errorf("notes: %s", notes)
	}
}

func TestOptions(t *testing.T) {
	s, err := New(Pair{"port", "0"}, Pair{"bind", "127.0.0.1 -::1"}, Pair{"threads", "2"}, Pair{"rename-command", `get ""`}, Pair{"save", ""})
	if err != nil {
		t.Fatal(err)
	}
	want(t, s, "port", "0", "threads", "2")
	if len(s.Current().RenamedCommands) != 1 {
		t.Error("rename-command was not taken")
	}
	for _, p := range []Pair{{"nope", "1"}, {"port", "x"}, {"appendonly", "yes"}, {"include", "x"}} {
		if _, err := New(p); err == nil {
			t.Errorf("%v was taken", p)
		}
	}
}
