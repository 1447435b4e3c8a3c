package peer

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"sherd/internal/load/proc"
	"sherd/internal/load/request"
)

// Options are where and how large a server is started.
type Options struct {
	Threads int
	CPUs    []int // the process is bound to these; nil: to none
}

// Process is a running server.
type Process struct {
	Spec
	Options
	Address string
	Pid     int
	Version string

	cmd  *exec.Cmd
	dir  string // its working directory, removed with it
	log  string
	gone chan struct{} // closed when the process has ended
}

// startTimeout is how long a server may take until it answers.
const startTimeout = 20 * time.Second

// Start starts a server and waits until it answers.
func Start(ctx context.Context, s Spec, o Options) (*Process, error) {
	if o.Threads < 1 {
		o.Threads = 1
	}
	dir, err := os.MkdirTemp("", "sherd-bench-")
	if err != nil {
		return nil, err
	}
	p := &Process{Spec: s, Options: o, dir: dir, log: filepath.Join(dir, "log"), gone: make(chan struct{})}
	if err := p.launch(); err != nil {
		_ = os.RemoveAll(dir)
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	if err := p.await(ctx); err != nil {
		tail := p.logTail()
		p.Stop()
		return nil, fmt.Errorf("%s: %w%s", s.Name, err, tail)
	}
	return p, nil
}

func (p *Process) launch() error {
	port, err := freePort()
	if err != nil {
		return err
	}
	args, err := p.args(port, p.Threads, p.dir)
	if err != nil {
		return err
	}
	log, err := os.Create(p.log)
	if err != nil {
		return err
	}
	defer log.Close()
	p.Address = net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	p.cmd = exec.Command(args[0], args[1:]...)
	p.cmd.Dir, p.cmd.Stdout, p.cmd.Stderr = p.dir, log, log
	// The child inherits the affinity of the thread that starts it.
	if err := proc.OnCPUs(p.CPUs, p.cmd.Start); err != nil {
		return err
	}
	p.Pid = p.cmd.Process.Pid
	go func() {
		_ = p.cmd.Wait()
		close(p.gone)
	}()
	return nil
}

// await asks for a sign of life until there is one.
func (p *Process) await(ctx context.Context) error {
	deadline := time.Now().Add(startTimeout)
	for {
		err := p.greet()
		if err == nil {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("does not answer on %s: %w", p.Address, err)
		}
		select {
		case <-p.gone:
			return errors.New("ended right after its start")
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// greet checks that the server answers and learns its version.
func (p *Process) greet() error {
	c, err := p.Dial()
	if err != nil {
		return err
	}
	defer c.Close()
	if p.Protocol == request.Memcache {
		line, err := c.Line("version")
		p.Version = strings.TrimPrefix(line, "VERSION ")
		return err
	}
	pong, err := c.Do("PING")
	if err != nil {
		return err
	}
	if pong != "PONG" {
		return fmt.Errorf("PING was answered with %q", pong)
	}
	info, err := c.Info()
	for _, field := range []string{"sherd_version", "valkey_version", "dragonfly_version", "redis_version"} {
		if v := info[field]; v != "" {
			p.Version = v
			break
		}
	}
	return err
}

// Alive reports whether the process still runs.
func (p *Process) Alive() bool {
	select {
	case <-p.gone:
		return false
	default:
		return true
	}
}

// CPU is the user and system time the process has used.
func (p *Process) CPU() (time.Duration, error) { return proc.CPU(p.Pid) }

// RSS is the process' resident memory in bytes.
func (p *Process) RSS() (int64, error) { return proc.RSS(p.Pid) }

// Dial connects to the server.
func (p *Process) Dial() (*Client, error) { return dial(p.Address) }

// Keys is how many keys the server holds.
func (p *Process) Keys() (int64, error) {
	c, err := p.Dial()
	if err != nil {
		return 0, err
	}
	defer c.Close()
	if p.Protocol == request.Memcache {
		stats, err := c.Stats()
		if err != nil {
			return 0, err
		}
		return strconv.ParseInt(stats["curr_items"], 10, 64)
	}
	text, err := c.Do("DBSIZE")
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(text, 10, 64)
}

// Stop ends the process, politely first, and removes its directory.
func (p *Process) Stop() {
	if p.cmd != nil && p.cmd.Process != nil && p.Alive() {
		_ = p.cmd.Process.Signal(syscall.SIGTERM)
		select {
		case <-p.gone:
		case <-time.After(5 * time.Second):
			_ = p.cmd.Process.Kill()
			<-p.gone
		}
	}
	_ = os.RemoveAll(p.dir)
}

// Explain adds to an error of a run against the server what became of it.
func (p *Process) Explain(err error) error {
	if err == nil || p.Alive() {
		return err
	}
	return fmt.Errorf("the server has ended: %w%s", err, p.logTail())
}

// logTail is the end of what the server has said, for an error message.
func (p *Process) logTail() string {
	data, err := os.ReadFile(p.log)
	text := strings.TrimSpace(string(data))
	if err != nil || text == "" {
		return ""
	}
	lines := strings.Split(text, "\n")
	lines = lines[max(len(lines)-5, 0):]
	return "\n  " + strings.Join(lines, "\n  ")
}

// freePort asks the system for a port nobody uses.
func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}
