// Package testserver starts the servers that the tests of this repository
// talk to, each as a child process on a free port, and speaks to them.
//
// Two kinds exist: Sherd, built from this checkout, and Redis, the
// redis-server of the machine, which serves as the oracle of the differential
// tests and as a check of the tests themselves: whatever a test demands of
// sherd and redis-server 7.0 offers as well, must hold against redis-server.
// This package is the one place that knows how either is started.
//
// The client and the reply decoder here are written independently of
// internal/wire/resp on purpose: a mistake there must not hide itself.
//
// Environment:
//
//	SHERD_TEST_TARGET   sherd or redis: what Start starts when Options.Kind is empty
//	SHERD_TEST_BIN      a sherd binary to use instead of building one
//	SHERD_TEST_BUILD    extra flags of that build, such as "-race" or "-tags=invariants"
//	SHERD_TEST_ENGINES  the engines that tests go through, such as "epoll,portable"
//	SHERD_TEST_SCALE    1 (default) for quick runs, more for longer ones
package testserver

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// A Kind is a program that can serve.
type Kind string

const (
	Sherd Kind = "sherd"
	Redis Kind = "redis"
)

// Options say what to start. The zero value starts the default kind with its
// defaults.
type Options struct {
	Kind    Kind
	Threads int      // sherd's loops; 0: two
	Engine  string   // sherd's I/O engine; "": its default
	Tags    string   // build tags of the sherd binary, beside SHERD_TEST_BUILD
	Args    []string // further arguments, "--name", "value", understood by both
	Unix    bool     // listen on a unix socket too: Server.Socket
	// FaultsWanted keeps the server's own failures (a race report, a panic,
	// a bad exit) from failing the test.
	FaultsWanted bool
}

// A Server is a running child process.
type Server struct {
	Kind   Kind
	Port   int
	Socket string // path of the unix socket, "" without one

	cmd    *exec.Cmd
	log    *logBuffer
	exited chan struct{} // closed when the process has been waited for
	state  error         // result of Wait; read after exited is closed
	quiet  bool
	once   sync.Once
}

// startTimeout is generous: the machine may be busy with other tests, and a
// race build is slow.
const startTimeout = 20 * time.Second

// Default is the kind that tests run against: sherd where this checkout has
// its command, else redis.
func Default() Kind {
	if k := Kind(os.Getenv("SHERD_TEST_TARGET")); k != "" {
		return k
	}
	if _, err := os.Stat(filepath.Join(moduleRoot(), "cmd", "sherd")); err == nil {
		return Sherd
	}
	return Redis
}

// Engines lists the I/O engines that a test of the default kind goes through:
// one empty name for redis.
func Engines() []string {
	if s := os.Getenv("SHERD_TEST_ENGINES"); s != "" {
		return strings.Split(s, ",")
	}
	if Default() != Sherd {
		return []string{""}
	}
	if runtime.GOOS != "linux" {
		return []string{"portable"}
	}
	return []string{"uring", "epoll", "portable"}
}

// Scale is SHERD_TEST_SCALE, at least 1.
func Scale() int {
	n, err := strconv.Atoi(os.Getenv("SHERD_TEST_SCALE"))
	if err != nil {
		return 1
	}
	return max(1, n)
}

// Start starts a server, waits until it answers, and stops it when the test
// ends. It skips the test when the machine lacks the program.
func Start(tb testing.TB, o Options) *Server {
	tb.Helper()
	if o.Kind == "" {
		o.Kind = Default()
	}
	path := program(tb, o)
	var last error
	for range 10 { // a port found free may be taken before the server binds it
		s, err := launch(tb.TempDir(), path, o)
		if err == nil {
			tb.Cleanup(func() { s.stopAndCheck(tb) })
			return s
		}
		last = err
		if !strings.Contains(strings.ToLower(err.Error()), "in use") {
			break
		}
	}
	tb.Fatalf("start %s: %v", o.Kind, last)
	return nil
}

func launch(dir, path string, o Options) (*Server, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	s := &Server{Kind: o.Kind, Port: port, log: &logBuffer{}, exited: make(chan struct{}), quiet: o.FaultsWanted}
	args := []string{"--port", strconv.Itoa(port), "--bind", "127.0.0.1", "--dir", dir}
	if o.Unix {
		sock, err := os.MkdirTemp("", "sherd") // tests' own directories are too long for a socket path
		if err != nil {
			return nil, err
		}
		s.Socket = filepath.Join(sock, "s")
		args = append(args, "--unixsocket", s.Socket)
	}
	if o.Kind == Redis {
		args = append(args, "--save", "", "--appendonly", "no")
	} else {
		threads := o.Threads
		if threads == 0 {
			threads = 2
		}
		args = append(args, "--threads", strconv.Itoa(threads), "--pin", "off")
		if o.Engine != "" {
			args = append(args, "--io-engine", o.Engine)
		}
	}
	s.cmd = exec.Command(path, append(args, o.Args...)...)
	s.cmd.Stdout, s.cmd.Stderr = s.log, s.log
	s.cmd.Env = append(os.Environ(), "GORACE=halt_on_error=0 exitcode=66")
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		s.state = s.cmd.Wait()
		close(s.exited)
	}()
	if err := s.waitReady(); err != nil {
		s.Kill()
		return nil, fmt.Errorf("%w\n%s", err, s.log.tail(4096))
	}
	return s, nil
}

func (s *Server) waitReady() error {
	deadline := time.Now().Add(startTimeout)
	for {
		c, err := net.DialTimeout("tcp", s.Addr(), time.Second)
		if err == nil {
			_ = c.SetDeadline(deadline)
			_, err = c.Write([]byte("PING\r\n"))
			b := make([]byte, 1) // any answer will do: +PONG, -NOAUTH
			if err == nil {
				_, err = c.Read(b)
			}
			_ = c.Close()
			if err == nil {
				return nil
			}
		}
		select {
		case <-s.exited:
			return fmt.Errorf("the server ended: %v", s.state)
		case <-time.After(2 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("no answer within %v: %w", startTimeout, err)
		}
	}
}

// Addr is the server's TCP address, host:port.
func (s *Server) Addr() string { return fmt.Sprintf("127.0.0.1:%d", s.Port) }

// Pid is the process id of the server.
func (s *Server) Pid() int { return s.cmd.Process.Pid }

// Log is what the server has written to its standard output and error.
func (s *Server) Log() string { return s.log.tail(1 << 20) }

// Running says whether the process still lives.
func (s *Server) Running() bool {
	select {
	case <-s.exited:
		return false
	default:
		return true
	}
}

// Kill ends the process at once.
func (s *Server) Kill() {
	_ = s.cmd.Process.Kill()
	<-s.exited
	s.removeSocket()
}

// Stop asks the process to end and waits for it. The error is what the server
// did wrong: a bad exit, a race report, a panic, or no end within ten seconds.
func (s *Server) Stop() error {
	var err error
	s.once.Do(func() { err = s.stop() })
	return err
}

func (s *Server) stop() error {
	defer s.removeSocket()
	early := !s.Running()
	if runtime.GOOS == "windows" {
		_ = s.cmd.Process.Kill()
	} else {
		_ = s.cmd.Process.Signal(syscall.SIGTERM)
	}
	select {
	case <-s.exited:
	case <-time.After(10 * time.Second):
		s.Kill()
		return errors.New("the server did not end within 10 s of SIGTERM")
	}
	log := s.log.tail(1 << 20)
	for _, sign := range []string{"WARNING: DATA RACE", "panic:", "fatal error:", "invariant violated", "=== REDIS BUG REPORT"} {
		if i := strings.Index(log, sign); i >= 0 {
			return fmt.Errorf("the server reported a fault:\n%s", log[i:min(len(log), i+6000)])
		}
	}
	var exit *exec.ExitError
	if errors.As(s.state, &exit) && runtime.GOOS != "windows" {
		return fmt.Errorf("the server ended with %v", exit)
	}
	if early && s.state != nil {
		return fmt.Errorf("the server ended before it was asked to: %v", s.state)
	}
	return nil
}

func (s *Server) stopAndCheck(tb testing.TB) {
	err := s.Stop()
	if err != nil && !s.quiet {
		tb.Errorf("%s: %v", s.Kind, err)
	}
	if tb.Failed() {
		tb.Logf("end of the %s log:\n%s", s.Kind, s.log.tail(1500))
	}
}

func (s *Server) removeSocket() {
	if s.Socket != "" {
		_ = os.RemoveAll(filepath.Dir(s.Socket))
	}
}

// freePort finds a free port below the range from which the system takes
// ports for outgoing connections, so that other tests' clients cannot take it
// meanwhile.
func freePort() (int, error) {
	for range 200 {
		port := 10240 + rand.IntN(32000-10240)
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err != nil {
			continue
		}
		_ = l.Close()
		return port, nil
	}
	return 0, errors.New("no free port found")
}

// logBuffer keeps the last megabyte of what a process writes.
type logBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.buf.Len() > 1<<20 {
		l.buf.Next(l.buf.Len() - 1<<19)
	}
	return l.buf.Write(p)
}

func (l *logBuffer) tail(n int) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.buf.Bytes()
	return string(b[max(0, len(b)-n):])
}
