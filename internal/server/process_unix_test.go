//go:build unix

package server_test

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"sherd/internal/testserver"
)

func TestMain(m *testing.M) { testserver.Main(m) }

// patience bounds what should take milliseconds, on a machine that is busy.
const patience = 20 * time.Second

// program is a started sherd whose arguments are the test's business.
type program struct {
	*exec.Cmd
	stderr output
	ended  chan struct{}
}

// output collects what a process writes.
type output struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.Write(b)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.String()
}

// spawn starts sherd in a folder of its own and ends it with the test.
func spawn(t *testing.T, stdin string, env []string, args ...string) *program {
	t.Helper()
	p := &program{Cmd: exec.Command(testserver.Binary(t), args...), ended: make(chan struct{})}
	p.Dir = t.TempDir()
	p.Env = append(os.Environ(), env...)
	p.Stdin = strings.NewReader(stdin)
	p.Stderr = &p.stderr
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = p.Wait()
		close(p.ended)
	}()
	t.Cleanup(func() {
		_ = p.Process.Kill()
		<-p.ended
		if t.Failed() {
			t.Logf("stderr:\n%s", p.stderr.String())
		}
	})
	return p
}

// end waits for the process and returns its status.
func (p *program) end(t *testing.T) int {
	t.Helper()
	select {
	case <-p.ended:
	case <-time.After(patience):
		t.Fatal("the process does not end")
	}
	return p.ProcessState.ExitCode()
}

// connect waits for a server at port.
func connect(t *testing.T, port int) *testserver.Client {
	t.Helper()
	addr := fmt.Sprintf("127.0.0.1:%d", port)
	var c *testserver.Client
	eventually(t, "a server at "+addr, func() bool {
		var err error
		c, err = testserver.Connect("tcp", addr)
		return err == nil
	})
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !ok(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestSources starts the binary with a directive from every place.
func TestSources(t *testing.T) {
	for _, way := range []string{"file", "stdin", "include", "flag", "flag=", "flagfile", "environment"} {
		t.Run(way, func(t *testing.T) {
			dir := t.TempDir()
			port := strconv.Itoa(testserver.FreePort(t))
			var stdin string
			var env []string
			args := []string{"--threads", "1", "--pin", "off"}
			switch way {
			case "file":
				file := write(t, filepath.Join(dir, "a.conf"), "port "+port+"\ntimeout 77\n")
				args = append([]string{file}, args...)
			case "stdin":
				stdin = "port " + port + "\ntimeout 77\n"
				args = append([]string{"-"}, args...)
			case "include":
				inner := write(t, filepath.Join(dir, "b.conf"), "timeout 77\n")
				file := write(t, filepath.Join(dir, "a.conf"), "port "+port+"\ninclude "+inner+"\n")
				args = append([]string{file}, args...)
			case "flag":
				args = append(args, "--port", port, "--timeout", "77")
			case "flag=":
				args = append(args, "--port="+port, "--timeout=77")
			case "flagfile":
				args = append(args, "--flagfile", write(t, filepath.Join(dir, "flags"), "--port="+port+"\n--timeout=77\n"))
			case "environment":
				env = []string{"SHERD_port=" + port, "SHERD_TIMEOUT=77"}
			}
			p := spawn(t, stdin, env, args...)
			n, _ := strconv.Atoi(port)
			connect(t, n).Want(t, `["timeout", "77"]`, "CONFIG", "GET", "timeout")
			_ = p.Process.Signal(syscall.SIGTERM)
			if status := p.end(t); status != 0 {
				t.Errorf("status %d", status)
			}
		})
	}
}

// TestRefusals starts the binary with what it has to refuse: one line, status 1.
func TestRefusals(t *testing.T) {
	file := write(t, filepath.Join(t.TempDir(), "bad.conf"), "# a comment\nport 0\n\nno-such-directive 1\n")
	value := write(t, filepath.Join(t.TempDir(), "value.conf"), "port nothing\n")
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	port := strconv.Itoa(taken.Addr().(*net.TCPAddr).Port)
	for _, c := range []struct {
		name string
		args []string
		want []string // in the message
		line int      // lines of the message; 0: any
	}{
		{"unknown directive", []string{file}, []string{file, "4", "no-such-directive"}, 0},
		{"bad value", []string{value}, []string{value, "1", "port"}, 0},
		{"bad flag", []string{"--no-such-directive", "1"}, []string{"no-such-directive"}, 0},
		{"no such file", []string{"/no/such/file.conf"}, []string{"/no/such/file.conf"}, 0},
		{"taken port", []string{"--port", port}, []string{"127.0.0.1 port " + port, "already in use"}, 1},
		{"taken port, daemon", []string{"--port", port, "--daemonize", "yes"}, []string{"already in use"}, 1},
		{"log file", []string{"--port", "0", "--logfile", "/no/such/dir/log"}, []string{"log file"}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := spawn(t, "", nil, c.args...)
			if status := p.end(t); status != 1 {
				t.Errorf("status %d", status)
			}
			text := p.stderr.String()
			for _, w := range c.want {
				if !strings.Contains(text, w) {
					t.Errorf("%q does not mention %q", text, w)
				}
			}
			if n := strings.Count(text, "\n"); c.line != 0 && n != c.line {
				t.Errorf("%d lines: %q", n, text)
			}
		})
	}
}

func TestUsage(t *testing.T) {
	for arg, want := range map[string]string{"--version": "sherd ", "--help": "Usage: sherd"} {
		out, err := exec.Command(testserver.Binary(t), arg).Output()
		if err != nil || !strings.HasPrefix(string(out), want) {
			t.Errorf("%s: %q, %v", arg, out, err)
		}
	}
}

// TestDaemon starts a stock file that daemonizes, if the machine has one, and
// ends the daemon through its pid file.
func TestDaemon(t *testing.T) {
	for _, file := range []string{"", "/etc/redis/redis.conf"} {
		t.Run("file="+file, func(t *testing.T) {
			dir := t.TempDir()
			port := testserver.FreePort(t)
			pidFile, log := filepath.Join(dir, "pid"), filepath.Join(dir, "log")
			args := []string{
				"--daemonize", "yes", "--port", strconv.Itoa(port), "--dir", dir, "--logfile", log, "--pidfile", pidFile,
				"--threads", "1", "--pin", "off",
			}
			stdin := "timeout 77\n" // read twice
			if file == "" {
				args = append([]string{"-"}, args...)
			} else {
				if _, err := os.Stat(file); err != nil {
					t.Skip(err)
				}
				args = append([]string{file}, args...)
			}
			p := spawn(t, stdin, nil, args...)
			if status := p.end(t); status != 0 {
				t.Fatalf("status %d", status)
			}
			b, err := os.ReadFile(pidFile)
			if err != nil {
				t.Fatal(err)
			}
			pid, err := strconv.Atoi(strings.TrimSpace(string(b)))
			if err != nil || pid == p.Process.Pid {
				t.Fatalf("pid file %q", b)
			}
			t.Cleanup(func() {
				if t.Failed() {
					_ = syscall.Kill(pid, syscall.SIGKILL)
				}
			})
			c := connect(t, port)
			c.Want(t, `"PONG"`, "ECHO", "PONG")
			if file == "" {
				c.Want(t, `["timeout", "77"]`, "CONFIG", "GET", "timeout")
			}
			if sid, err := unix.Getsid(pid); err != nil || sid != pid {
				t.Errorf("session %d, %v: not detached", sid, err)
			}
			if err := syscall.Kill(pid, syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			eventually(t, "the pid file to go", func() bool {
				_, err := os.Stat(pidFile)
				return errors.Is(err, os.ErrNotExist)
			})
			if text, _ := os.ReadFile(log); !strings.Contains(string(text), "stopped") {
				t.Errorf("log: %s", text)
			}
		})
	}
}

// TestHangup rotates the log, and looks at the start line.
func TestHangup(t *testing.T) {
	port := testserver.FreePort(t)
	p := spawn(t, "", nil, "--port", strconv.Itoa(port), "--logfile", "log", "--threads", "1", "--pin", "off", "--maxmemory", "100mb")
	c := connect(t, port)
	log := filepath.Join(p.Dir, "log")
	var first []byte
	eventually(t, "the start line", func() bool { first, _ = os.ReadFile(log); return bytes.Contains(first, []byte("pid=")) })
	for _, w := range []string{"version=", "threads=1", "engine=", "address=", strconv.Itoa(port), "104857600 bytes"} {
		if !strings.Contains(string(first), w) {
			t.Errorf("the start line lacks %q: %s", w, first)
		}
	}
	if err := os.Rename(log, log+".1"); err != nil {
		t.Fatal(err)
	}
	_ = p.Process.Signal(syscall.SIGHUP)
	eventually(t, "a new log file", func() bool { _, err := os.Stat(log); return err == nil })
	c.Want(t, `"still"`, "ECHO", "still")
	c.Want(t, "OK", "CONFIG", "SET", "timeout", "5")
	if b, _ := os.ReadFile(log); !strings.Contains(string(b), "name=timeout value=5") {
		t.Errorf("new log: %s", b)
	}
	c.Want(t, "OK", "CONFIG", "SET", "loglevel", "warning")
	c.Want(t, "OK", "CONFIG", "SET", "timeout", "6")
	if b, _ := os.ReadFile(log); strings.Contains(string(b), "value=6") {
		t.Errorf("loglevel warning has no effect: %s", b)
	}
}

// TestSupervised reads what systemd would.
func TestSupervised(t *testing.T) {
	dir, err := os.MkdirTemp("", "sherd") // short enough for a socket
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path := filepath.Join(dir, "n")
	l, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	p := spawn(t, "", []string{"NOTIFY_SOCKET=" + path}, "--port", strconv.Itoa(testserver.FreePort(t)), "--supervised", "auto", "--threads", "1", "--pin", "off")
	read := func() string {
		_ = l.SetReadDeadline(time.Now().Add(patience))
		b := make([]byte, 256)
		n, err := l.Read(b)
		if err != nil {
			t.Fatal(err)
		}
		return string(b[:n])
	}
	if s := read(); s != "READY=1" {
		t.Errorf("%q", s)
	}
	_ = p.Process.Signal(syscall.SIGTERM)
	if s := read(); s != "STOPPING=1" {
		t.Errorf("%q", s)
	}
	if status := p.end(t); status != 0 {
		t.Errorf("status %d", status)
	}
}

// TestStop ends a server with many clients, some of which it holds back.
func TestStop(t *testing.T) {
	for _, engine := range testserver.Engines() {
		for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
			t.Run(fmt.Sprint(engine, " ", sig), func(t *testing.T) {
				port := testserver.FreePort(t)
				args := []string{"--port", strconv.Itoa(port), "--threads", "2", "--pin", "off"}
				if engine != "" {
					args = append(args, "--io-engine", engine)
				}
				p := spawn(t, "", nil, args...)
				first := connect(t, port)
				for range 1000 {
					c, err := net.Dial("tcp", first.RemoteAddr().String())
					if err != nil {
						t.Fatal(err)
					}
					defer func() { _ = c.Close() }()
				}
				first.Want(t, "OK", "CLIENT", "PAUSE", "100000")
				for range 10 {
					c := connect(t, port)
					c.Queue("SET", "k", "v")
					if err := c.Flush(); err != nil {
						t.Fatal(err)
					}
				}
				at := time.Now()
				_ = p.Process.Signal(sig)
				if status := p.end(t); status != 0 {
					t.Errorf("status %d", status)
				}
				took := time.Since(at)
				t.Logf("stopped in %v", took)
				if took > 10*time.Second {
					t.Error("too late even for a busy machine")
				}
			})
		}
	}
}

// TestFewFiles starts with fewer descriptors than clients are wanted.
func TestFewFiles(t *testing.T) {
	port := testserver.FreePort(t)
	sh := exec.Command("sh", "-c", `ulimit -n 300 && exec "$0" "$@"`, testserver.Binary(t), "--port", strconv.Itoa(port), "--threads", "1", "--pin", "off")
	var out output
	sh.Stderr = &out
	if err := sh.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = sh.Process.Signal(syscall.SIGTERM)
		_ = sh.Wait()
	}()
	c := connect(t, port)
	got := c.Do(t, "CONFIG", "GET", "maxclients").String()
	if os.Geteuid() == 0 && got == `["maxclients", "10000"]` {
		return // the limit could be raised
	}
	if want := `["maxclients", "268"]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if s := out.String(); !strings.Contains(s, "maxclients has been reduced") {
		t.Errorf("no warning: %s", s)
	}
	c.Want(t, "-ERR CONFIG SET failed (possibly related to argument 'maxclients') - The operating system is not able to handle the specified number of clients, try with 268",
		"CONFIG", "SET", "maxclients", "100000")
	c.Want(t, "OK", "CONFIG", "SET", "maxclients", "100")
}
