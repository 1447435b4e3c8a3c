package server

import (
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
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
// process's exit status.
func Main(cfg *config.Store) int {
	set := cfg.Current()
	log, err := openLog(set)
	if err != nil {
		fmt.Fprintln(os.Stderr, "sherd:", err)
		return 1
	}
	defer log.Close()
	s, err := Start(cfg, Options{Logger: log.Logger, Threads: tuneRuntime(set)})
	if err != nil {
		fmt.Fprintln(os.Stderr, "sherd:", err)
		log.Error("the server did not start", "error", err)
		return 1
	}
	engine, loops, why := s.Engine()
	log.Info("ready", "version", command.Version, "threads", loops, "engine", engine, "address", s.addresses(),
		"maxmemory", limitText(set.MaxMemoryBytes), "pid", os.Getpid())
	if why != "" {
		log.Info("engine chosen", "engine", engine, "because", why)
	}
	for _, n := range cfg.Notes() {
		log.Warn(n)
	}
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	defer signal.Stop(signals)
	for {
		select {
		case sig := <-signals:
			if sig == syscall.SIGHUP {
				log.Reopen()
				continue
			}
			log.Info("stopping", "signal", sig.String())
		case <-s.Asked():
			log.Info("stopping", "because", "a client asked for it")
		}
		break
	}
	if err := s.Close(); err != nil {
		log.Error("the stop was not clean", "error", err)
		return 1
	}
	log.Info("stopped")
	return 0
}

// tuneRuntime gives the loops threads of their own and makes collections rare:
// the data is off the Go heap, what is left is small and short-lived. It returns
// the number of loops, by default what affinity and the cgroup's quota allow.
func tuneRuntime(set *config.Settings) int {
	loops := set.Threads
	if loops == 0 {
		loops = runtime.GOMAXPROCS(0)
	}
	runtime.GOMAXPROCS(loops + 2)
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	return loops
}

func limitText(n int64) string {
	if n == 0 {
		return "none"
	}
	return fmt.Sprintf("%d bytes", n)
}
