package server

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"

	"sherd/internal/config"
)

// process is what the binary does to the process it owns: descriptor limit,
// working directory, collector, pid file. An embedded server does none of it.
type process struct {
	cfg    *config.Store
	log    *logFile
	loops  int
	cgroup int64  // bytes the cgroup allows; 0: not limited
	pid    string // the pid file written, an absolute path
}

// spareFiles are descriptors for everything but clients, as Redis reckons.
const spareFiles = 32

// prepare makes the process ready for a server.
func (p *process) prepare() error {
	set := p.cfg.Current()
	p.cgroup = cgroupLimit()
	p.tuneRuntime(set)
	if set.DisableTHP {
		if err := disableHugePages(); err != nil {
			p.log.Debug("transparent huge pages stay as they are", "error", err)
		}
	}
	want := uint64(set.MaxClients) + spareFiles
	have := allowFiles(want)
	if have >= want {
		return nil
	}
	if have <= spareFiles {
		return fmt.Errorf("the limit of %d open files leaves no descriptor for clients: raise it (ulimit -n)", have)
	}
	lower := strconv.FormatUint(have-spareFiles, 10)
	p.log.Warn("maxclients has been reduced to fit the limit of open files (ulimit -n)",
		"wanted", set.MaxClients, "maxclients", lower, "limit", have)
	return p.cfg.Set([]config.Pair{{Name: "maxclients", Value: lower}}, config.Client{Local: true})
}

// tuneRuntime gives the loops threads of their own. The collector is left as it
// is: the data is off the Go heap and commands make no garbage, so that rarer
// collections would only keep the garbage of connections for longer. The number of
// loops is by default what affinity and the cgroup's quota allow.
func (p *process) tuneRuntime(set *config.Settings) {
	p.loops = set.Threads
	if p.loops == 0 {
		p.loops = runtime.GOMAXPROCS(0)
	}
	runtime.GOMAXPROCS(p.loops + 2)
	if p.cgroup > 0 && os.Getenv("GOMEMLIMIT") == "" {
		// Garbage must not be what exceeds the cgroup's limit. Most of it is for
		// the data, which is no business of the collector.
		debug.SetMemoryLimit(p.cgroup / 2)
	}
}

// apply is the process's part of a change of the directives.
func (p *process) apply(old, next *config.Settings) error {
	if next.MaxClients > old.MaxClients {
		want := uint64(next.MaxClients) + spareFiles
		if have := allowFiles(want); have < want {
			return config.Veto("maxclients", fmt.Sprintf(
				"The operating system is not able to handle the specified number of clients, try with %d", int64(have)-spareFiles))
		}
	}
	if next.Dir != old.Dir {
		if err := os.Chdir(next.Dir); err != nil {
			return config.Veto("dir", reason(err))
		}
	}
	p.log.setLevel(next.LogLevel)
	return nil
}

// reason is the innermost error's text, as the C library words it.
func reason(err error) string {
	for inner := err; inner != nil; inner = errors.Unwrap(inner) {
		err = inner
	}
	text := err.Error()
	return strings.ToUpper(text[:1]) + text[1:]
}

// enterDir makes dir the working directory. That it cannot be is an error only
// if something is to be written there: a stock file names a directory of its
// package, which a server that keeps nothing on disk has no need of.
func enterDir(set *config.Settings) (away, err error) {
	e := os.Chdir(set.Dir)
	if e == nil {
		return nil, nil
	}
	e = fmt.Errorf("can't chdir to '%s': %s", set.Dir, reason(e))
	for _, path := range []string{set.LogFile, set.PidFile, set.UnixSocket} {
		if path != "" && !filepath.IsAbs(path) {
			return nil, e
		}
	}
	return e, nil
}

// writePidFile leaves the process's number for others to read. Like Redis, the
// server does without where it cannot.
func (p *process) writePidFile() {
	path := p.cfg.Current().PidFile
	if path == "" {
		return
	}
	path, err := filepath.Abs(path)
	if err == nil {
		err = os.WriteFile(path, []byte(strconv.Itoa(os.Getpid())+"\n"), 0o644)
	}
	if err != nil {
		p.log.Warn("failed to write the pid file", "error", err)
		return
	}
	p.pid = path
}

// removePidFile removes the file unless somebody else has written it since.
func (p *process) removePidFile() {
	if p.pid == "" {
		return
	}
	b, err := os.ReadFile(p.pid)
	if err == nil && strings.TrimSpace(string(b)) == strconv.Itoa(os.Getpid()) {
		_ = os.Remove(p.pid)
	}
}
