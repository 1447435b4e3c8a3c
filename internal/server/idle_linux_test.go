package server_test

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"sherd/internal/testserver"
)

// cpu is the processor time of all threads of a process.
func cpu(t *testing.T, pid int) time.Duration {
	t.Helper()
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	var sum time.Duration
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			continue // the thread has ended
		}
		ns, err := strconv.ParseInt(strings.Fields(string(b))[0], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		sum += time.Duration(ns)
	}
	if sum == 0 {
		t.Skip("the kernel does not tell a thread's processor time")
	}
	return sum
}

// TestIdle measures a server that has nothing to do: with idle clients and keys
// that expire in the far future it uses no processor time, and little memory.
func TestIdle(t *testing.T) {
	if testing.Short() {
		t.Skip("it watches a server for seconds")
	}
	const (
		clients = 2000
		keys    = 1000
	)
	for _, engine := range testserver.Engines() {
		t.Run(engine, func(t *testing.T) {
			t.Parallel() // it mostly waits
			s := testserver.Start(t, testserver.Options{Engine: engine, Kind: testserver.Sherd})
			c := s.Dial(t)
			for i := range keys {
				c.Queue("SET", fmt.Sprint("key:", i), "0123456789abcdef0123456789abcdef", "EX", "1000000")
			}
			if err := c.Flush(); err != nil {
				t.Fatal(err)
			}
			for range keys {
				if v, err := c.Receive(); err != nil || v.String() != "OK" {
					t.Fatal(v, err)
				}
			}
			before := s.RSS(t)
			t.Logf("%d keys: %.1f MB resident", keys, float64(before)/1e6)
			if before > 24<<20 {
				t.Errorf("%d bytes resident with %d keys, more than 24 MiB", before, keys)
			}
			// The first connections bring up what all share.
			for i := range clients + 100 {
				if i == 100 {
					before = s.RSS(t)
				}
				n, err := net.Dial("tcp", s.Addr())
				if err != nil {
					t.Fatal(err)
				}
				defer func() { _ = n.Close() }()
			}
			eventually(t, "the clients to be counted", func() bool {
				return c.InfoInt(t, "clients", "connected_clients") == clients+101
			})
			each := (s.RSS(t) - before) / clients
			t.Logf("%d bytes resident for an idle connection", each)
			if each > 2048 && engine != "portable" {
				t.Errorf("an idle connection costs %d bytes", each)
			}
			// Whatever the arrival has left to do settles first.
			least := time.Hour
			for range 3 {
				from := cpu(t, s.Pid())
				time.Sleep(2 * time.Second)
				least = min(least, cpu(t, s.Pid())-from)
				if least < 10*time.Millisecond {
					break
				}
			}
			t.Logf("%v of processor time in 2 s", least)
			if least >= 10*time.Millisecond {
				t.Errorf("an idle server uses %v in 2 s", least)
			}
		})
	}
}
