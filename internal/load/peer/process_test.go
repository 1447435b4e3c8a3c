//go:build unix

package peer

import (
	"context"
	"errors"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"sherd/internal/load/proc"
)

func start(t *testing.T, name string) *Process {
	t.Helper()
	s, err := Find(name, t.TempDir())
	if err != nil {
		t.Skip(err)
	}
	p, err := Start(context.Background(), s, Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Stop)
	return p
}

func TestServersStartTellAndStop(t *testing.T) {
	for _, name := range []string{"redis-server", "memcached"} {
		t.Run(name, func(t *testing.T) {
			if _, err := exec.LookPath(name); err != nil {
				t.Skipf("%s is not installed", name)
			}
			p := start(t, name)
			if !p.Alive() || p.Version == "" {
				t.Errorf("alive %v, version %q", p.Alive(), p.Version)
			}
			if n, err := p.Keys(); err != nil || n != 0 {
				t.Errorf("%d keys, error %v", n, err)
			}
			if _, err := proc.SelfCPU(); !errors.Is(err, proc.ErrUnsupported) {
				if cpu, err := p.CPU(); err != nil || cpu <= 0 || cpu > time.Minute {
					t.Errorf("CPU time %v, error %v", cpu, err)
				}
				if rss, err := p.RSS(); err != nil || rss < 1<<18 {
					t.Errorf("RSS %d, error %v", rss, err)
				}
			}
			pid := p.Pid
			p.Stop()
			p.Stop() // once more does no harm
			if p.Alive() {
				t.Error("it is still there")
			}
			if err := syscall.Kill(pid, 0); err == nil {
				t.Errorf("process %d is still there", pid)
			}
		})
	}
}

func TestServerThatEndsAtOnce(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no shell")
	}
	s, err := ParsePeer(`broken=sh -c "echo this went wrong; exit 3" {port}`)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Start(context.Background(), s, Options{}); err == nil || !strings.Contains(err.Error(), "this went wrong") {
		t.Errorf("error %v: want one with the server's last words", err)
	}
}

func TestNoSuchProgram(t *testing.T) {
	if _, err := Start(context.Background(), Spec{Name: "x", Command: "/no/such/program {port}"}, Options{}); err == nil {
		t.Error("it was started")
	}
}

func TestFields(t *testing.T) {
	m := fields("# Server\r\nredis_version:7.0.15\r\nos:Linux: 6\r\n\r\n:odd\r\n")
	if m["redis_version"] != "7.0.15" || m["os"] != "Linux: 6" {
		t.Errorf("%q", m)
	}
}
