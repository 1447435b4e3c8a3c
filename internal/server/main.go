package server

import (
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"sherd/internal/command"
	"sherd/internal/config"
)

// Usage answers --version and --help.
func Usage(args []string) (string, bool) {
	if len(args) != 1 {
		return "", false
	}
	switch args[0] {
	case "-v", "--version":
		return fmt.Sprintf("sherd %s (speaks Redis %s), %s %s/%s\n",
			command.Version, command.RedisVersion, runtime.Version(), runtime.GOOS, runtime.GOARCH), true
	case "-h", "--help":
		return usage, true
	}
	return "", false
}

const usage = `Usage: sherd [FILE | -] [--NAME VALUE ...]

FILE is a redis.conf; - reads one from the standard input. Every directive is
also a flag (--port 7000, --port=7000) and an environment variable (SHERD_port).

  sherd                              serve 127.0.0.1:6379 on every core
  sherd /etc/redis/redis.conf        as the file says
  sherd --port 7000 --threads 2      two loops, another port
  sherd --unixsocket /tmp/s --port 0 only a unix socket
`

// Main runs a server until a signal or SHUTDOWN ends it, and returns the
// process's exit status. stdin is what the directives were read from, for the
// process that daemonize starts.
func Main(cfg *config.Store, stdin []byte) int {
	set := cfg.Current()
	parent := fromParent()
	if set.Daemonize && parent == nil && supervisor(set) == "" {
		if status, done := detach(stdin); done {
			return status
		}
	}
	return run(cfg, parent)
}

// run is the server's process. parent, if not nil, waits to hear that the start
// succeeded.
func run(cfg *config.Store, parent *herald) int {
	fail := func(err error) int {
		fmt.Fprintln(os.Stderr, "sherd:", err)
		parent.failed(err)
		return 1
	}
	set := cfg.Current()
	away, err := enterDir(set)
	if err != nil {
		return fail(err)
	}
	log, err := openLog(set)
	if err != nil {
		return fail(fmt.Errorf("can't open the log file: %w", err))
	}
	defer log.Close()
	broken := func(err error) int {
		if log.inFile() {
			log.Error("the server did not start", "error", err)
		}
		return fail(err)
	}
	if away != nil {
		log.Warn("the working directory stays what it was", "error", away)
	}
	if set.ShowLogo {
		_, _ = log.out.Write([]byte(logo))
	}
	p := &process{cfg: cfg, log: log}
	if err := p.prepare(); err != nil {
		return broken(err)
	}
	cfg.OnChange(p.apply)

	// Before the start, so that a signal in its midst is not the end without a
	// word.
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	defer signal.Stop(signals)
	// A reader of the log that goes away does not take the server with it.
	signal.Ignore(syscall.SIGPIPE)

	s, err := Start(cfg, Options{Logger: log.Logger, Threads: p.loops, OwnProcess: true})
	if err != nil {
		return broken(err)
	}
	defer p.removePidFile()
	p.writePidFile()
	p.announce(s)
	tellSupervisor(set, log, "READY=1")
	parent.ready()
	p.wait(s, signals)
	tellSupervisor(set, log, "STOPPING=1")
	if err := s.Close(); err != nil {
		log.Error("the stop was not clean", "error", err)
		return 1
	}
	log.Info("stopped")
	return 0
}

// wait returns when the server is to stop.
func (p *process) wait(s *Server, signals chan os.Signal) {
	for {
		select {
		case sig := <-signals:
			if sig == syscall.SIGHUP {
				p.log.Reopen()
				continue
			}
			p.log.Info("stopping", "signal", sig.String())
			if sig == syscall.SIGINT {
				signal.Reset(syscall.SIGINT) // a second one does not wait
			}
		case <-s.Asked():
			p.log.Info("stopping", "because", "a client asked for it")
		}
		return
	}
}

// announce writes the start line.
func (p *process) announce(s *Server) {
	engine, loops, why := s.Engine()
	set := p.cfg.Current()
	line := []any{
		"version", command.Version, "threads", loops, "engine", engine, "address", s.addresses(),
		"maxmemory", limitText(set.MaxMemoryBytes),
	}
	if p.cgroup > 0 {
		line = append(line, "cgroup", limitText(p.cgroup))
	}
	p.log.Info("ready", append(line, "pid", os.Getpid())...)
	if why != "" {
		p.log.Info("engine chosen", "engine", engine, "because", why)
	}
	for _, n := range p.cfg.Notes() {
		p.log.Warn(n)
	}
	if p.cgroup > 0 && set.MaxMemoryBytes > p.cgroup {
		p.log.Warn("maxmemory is more than the memory the cgroup allows", "maxmemory", set.MaxMemoryBytes, "cgroup", p.cgroup)
	}
}

func limitText(n int64) string {
	if n == 0 {
		return "none"
	}
	return fmt.Sprintf("%d bytes", n)
}

const logo = `
      ______
     /  .   \__      sherd ` + command.Version + `
    /  .  .    \
    \_   .   __/     a piece of a store
      \____/

`
