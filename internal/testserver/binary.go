package testserver

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// program finds or builds the executable.
func program(tb testing.TB, o Options) string {
	tb.Helper()
	switch o.Kind {
	case Redis:
		path, err := exec.LookPath("redis-server")
		if err != nil {
			tb.Skip("redis-server is not installed")
		}
		return path
	case Sherd:
		if bin := os.Getenv("SHERD_TEST_BIN"); bin != "" && o.Tags == "" {
			return bin
		}
		path, err := build(o.Tags)
		if err != nil {
			tb.Fatal(err)
		}
		return path
	}
	tb.Fatalf("unknown kind of server %q", o.Kind)
	return ""
}

// Binary is the path of sherd's executable, for tests of its start.
func Binary(tb testing.TB) string {
	tb.Helper()
	return program(tb, Options{Kind: Sherd})
}

// FreePort is a port that nobody listens on, now.
func FreePort(tb testing.TB) int {
	tb.Helper()
	port, err := freePort()
	if err != nil {
		tb.Fatal(err)
	}
	return port
}

var builds struct {
	sync.Mutex
	done map[string]func() (string, error)
}

// build builds cmd/sherd once per test process and set of tags.
func build(tags string) (string, error) {
	builds.Lock()
	if builds.done == nil {
		builds.done = map[string]func() (string, error){}
	}
	f := builds.done[tags]
	if f == nil {
		f = sync.OnceValues(func() (string, error) { return buildNow(tags) })
		builds.done[tags] = f
	}
	builds.Unlock()
	return f()
}

func buildNow(tags string) (string, error) {
	dir, err := os.MkdirTemp("", "sherd-test-")
	if err != nil {
		return "", err
	}
	out := filepath.Join(dir, "sherd")
	if runtime.GOOS == "windows" {
		out += ".exe"
	}
	args := []string{"build", "-o", out}
	all := tags
	for _, f := range strings.Fields(os.Getenv("SHERD_TEST_BUILD")) {
		if t, ok := strings.CutPrefix(f, "-tags="); ok {
			all = strings.Trim(all+","+t, ",")
			continue
		}
		args = append(args, f)
	}
	if all != "" {
		args = append(args, "-tags="+all)
	}
	cmd := exec.Command("go", append(args, "./cmd/sherd")...)
	cmd.Dir = moduleRoot()
	if msg, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", cmd, err, msg)
	}
	made.Lock()
	made.dirs = append(made.dirs, dir)
	made.Unlock()
	return out, nil
}

// made lists the directories of the built binaries, for Main to remove.
var made struct {
	sync.Mutex
	dirs []string
}

// Main runs the tests of a package that starts servers, and removes what was
// built for them: func TestMain(m *testing.M) { testserver.Main(m) }.
func Main(m *testing.M) {
	code := m.Run()
	for _, d := range made.dirs {
		_ = os.RemoveAll(d)
	}
	os.Exit(code)
}

// moduleRoot is the folder of go.mod, above the test's working directory.
var moduleRoot = sync.OnceValue(func() string {
	dir, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			panic("no go.mod above the working directory")
		}
		dir = up
	}
})

// Root is the folder of this module's go.mod.
func Root() string { return moduleRoot() }
