//go:build unix

package server_test

import (
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"sherd/internal/testserver"
)

// TestMove changes port and addresses under a client that stays.
func TestMove(t *testing.T) {
	for _, engine := range testserver.Engines() {
		t.Run(engine, func(t *testing.T) {
			s := testserver.Start(t, testserver.Options{Engine: engine, Kind: testserver.Sherd})
			c := s.Dial(t)
			taken, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = taken.Close() }()
			other := taken.Addr().(*net.TCPAddr).Port

			c.Want(t, "-ERR CONFIG SET failed (possibly related to argument 'port') - Unable to listen on this port. Check server logs.",
				"CONFIG", "SET", "timeout", "9", "port", strconv.Itoa(other))
			c.Want(t, `["timeout", "0"]`, "CONFIG", "GET", "timeout")
			c.Want(t, "-ERR CONFIG SET failed (possibly related to argument 'bind') - Failed to bind to specified addresses.",
				"CONFIG", "SET", "bind", "127.0.0.1 192.0.2.1")
			s.Dial(t).Want(t, "PONG", "PING") // where it was

			next := testserver.FreePort(t)
			c.Want(t, "OK", "CONFIG", "SET", "port", strconv.Itoa(next))
			if old, err := net.Dial("tcp", s.Addr()); err == nil {
				_ = old.Close()
				t.Error("the old port still accepts")
			}
			connect(t, next).Want(t, "PONG", "PING")

			// All addresses instead of one, on the same port, and back; the second
			// address is one that this host does not have.
			for _, bind := range []string{"*", "127.0.0.1 -192.0.2.1"} {
				c.Want(t, "OK", "CONFIG", "SET", "bind", bind)
				connect(t, next).Want(t, "PONG", "PING")
			}
			c.Want(t, "OK", "CONFIG", "SET", "port", "0")
			if l, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", next)); err == nil {
				_ = l.Close()
				t.Error("port 0 still accepts")
			}
			c.Want(t, "OK", "CONFIG", "SET", "port", strconv.Itoa(s.Port))
			s.Dial(t).Want(t, "PONG", "PING")
		})
	}
}

// TestPassword sets one while clients are connected.
func TestPassword(t *testing.T) {
	s := testserver.Start(t, testserver.Options{Kind: testserver.Sherd})
	c, old := s.Dial(t), s.Dial(t)
	old.Want(t, "PONG", "PING")
	c.Want(t, "OK", "CONFIG", "SET", "requirepass", "secret")
	c.Want(t, "PONG", "PING")
	old.Want(t, "PONG", "PING")
	s.Dial(t).Want(t, "-NOAUTH Authentication required.", "PING")
	c.Want(t, "OK", "CONFIG", "SET", "requirepass", "")
	s.Dial(t).Want(t, "PONG", "PING")
	if log := s.Log(); strings.Contains(log, "secret") {
		t.Errorf("the password is in the log: %s", log)
	}
}

// TestIdleTimeout sets one on a server that sleeps.
func TestIdleTimeout(t *testing.T) {
	s := testserver.Start(t, testserver.Options{Kind: testserver.Sherd})
	idle := s.Dial(t)
	idle.Want(t, "PONG", "PING")
	s.Dial(t).Want(t, "OK", "CONFIG", "SET", "timeout", "1")
	if !idle.Closed(patience) {
		t.Error("an idle client stays")
	}
}

// TestMaxClients lowers the limit below what is there.
func TestMaxClients(t *testing.T) {
	s := testserver.Start(t, testserver.Options{Kind: testserver.Sherd})
	c := s.Dial(t)
	s.Dial(t).Want(t, "PONG", "PING")
	c.Want(t, "OK", "CONFIG", "SET", "maxclients", "2")
	more := s.Dial(t)
	if v, err := more.Receive(); err != nil || v.String() != "-ERR max number of clients reached" {
		t.Errorf("%v, %v", v, err)
	}
	c.Want(t, "OK", "CONFIG", "SET", "maxclients", "3")
	s.Dial(t).Want(t, "PONG", "PING")
}

// TestDir moves the process to another folder.
func TestDir(t *testing.T) {
	s := testserver.Start(t, testserver.Options{Kind: testserver.Sherd, Args: []string{"--enable-protected-configs", "local"}})
	c := s.Dial(t)
	dir := t.TempDir()
	c.Want(t, "OK", "CONFIG", "SET", "dir", dir)
	if at, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", s.Pid())); err == nil && at != dir {
		t.Errorf("the process is in %s", at)
	}
	c.Want(t, "-ERR CONFIG SET failed (possibly related to argument 'dir') - No such file or directory", "CONFIG", "SET", "dir", "/no/such/folder")
	c.Want(t, `["dir", `+strconv.Quote(dir)+`]`, "CONFIG", "GET", "dir")
}

// TestBuffersCount has one client's unfinished command keep others from writing.
func TestBuffersCount(t *testing.T) {
	for _, engine := range testserver.Engines() {
		t.Run(engine, func(t *testing.T) {
			s := testserver.Start(t, testserver.Options{Engine: engine, Kind: testserver.Sherd, Args: []string{"--maxmemory", "16mb"}})
			c, hog := s.Dial(t), s.Dial(t)
			c.Want(t, "OK", "SET", "k", "v")
			_ = hog.SetDeadline(time.Now().Add(patience))
			if _, err := hog.Write([]byte("*3\r\n$3\r\nSET\r\n$1\r\nb\r\n$67108864\r\n")); err != nil {
				t.Fatal(err)
			}
			if _, err := hog.Write(make([]byte, 24<<20)); err != nil {
				t.Fatal(err)
			}
			const oom = "-OOM command not allowed when used memory > 'maxmemory'."
			eventually(t, "the buffer to count", func() bool { return c.Do(t, "SET", "k", "v").String() == oom })
			_ = hog.Close()
			eventually(t, "the buffer to go", func() bool { return c.Do(t, "SET", "k", "v").String() == "OK" })
		})
	}
}
