package sherd_test

import (
	"context"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"go.uber.org/goleak"

	"sherd"
)

func start(t *testing.T, o sherd.Options) (*sherd.Server, *redis.Client) {
	t.Helper()
	srv, err := sherd.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	c := redis.NewClient(&redis.Options{Addr: srv.Addr()})
	t.Cleanup(func() {
		_ = c.Close()
		if err := srv.Close(); err != nil {
			t.Error(err)
		}
	})
	return srv, c
}

func TestEmbedded(t *testing.T) {
	ctx := context.Background()
	for _, engine := range []string{"uring", "epoll", "portable"} {
		t.Run(engine, func(t *testing.T) {
			_, c := start(t, sherd.Options{Engine: engine, Threads: 2})
			if err := c.Set(ctx, "greeting", "hello", 0).Err(); err != nil {
				t.Fatal(err)
			}
			if got, err := c.Get(ctx, "greeting").Result(); err != nil || got != "hello" {
				t.Fatalf("got %q, %v", got, err)
			}
			if _, err := c.Get(ctx, "nothing").Result(); err != redis.Nil {
				t.Fatalf("a missing key: %v", err)
			}
		})
	}
}

// TestTime moves the clock of an embedded server past a deadline.
func TestTime(t *testing.T) {
	ctx := context.Background()
	srv, c := start(t, sherd.Options{Time: time.Unix(1_700_000_000, 0)})
	if err := c.Set(ctx, "session", "x", time.Hour).Err(); err != nil {
		t.Fatal(err)
	}
	srv.Advance(time.Hour - time.Millisecond)
	if n := c.Exists(ctx, "session").Val(); n != 1 {
		t.Fatal("expired a millisecond early")
	}
	srv.Advance(time.Millisecond)
	if n := c.Exists(ctx, "session").Val(); n != 0 {
		t.Fatal("not expired at its deadline")
	}
}

// TestSeveral runs servers side by side in one process.
func TestSeveral(t *testing.T) {
	ctx := context.Background()
	_, a := start(t, sherd.Options{Threads: 1})
	_, b := start(t, sherd.Options{Threads: 1})
	if err := a.Set(ctx, "k", "of a", 0).Err(); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Get(ctx, "k").Result(); err != redis.Nil {
		t.Fatalf("the servers share a key: %v", err)
	}
}

// TestLeavesNothing runs servers in the midst of a program and looks at what is
// the program's: goroutines, scheduler and collector settings, signals, folder.
func TestLeavesNothing(t *testing.T) {
	for _, engine := range []string{"uring", "epoll", "portable"} {
		t.Run(engine, func(t *testing.T) {
			ctx := context.Background()
			defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
			procs, dir, signals := runtime.GOMAXPROCS(0), workingDir(t), ignored()
			percent, limit := collector()
			list := make([]*sherd.Server, 3)
			for i := range list {
				srv, err := sherd.Start(sherd.Options{Engine: engine, Threads: 2, Directives: map[string]string{"maxmemory": "50mb", "dir": "/"}})
				if err != nil {
					t.Fatal(err)
				}
				list[i] = srv
			}
			for _, srv := range list {
				c := redis.NewClient(&redis.Options{Addr: srv.Addr()})
				if err := c.Set(ctx, "k", "v", time.Hour).Err(); err != nil {
					t.Fatal(err)
				}
				if err := c.ConfigSet(ctx, "timeout", "100").Err(); err != nil {
					t.Fatal(err)
				}
				if err := c.Close(); err != nil {
					t.Fatal(err)
				}
			}
			if n := runtime.GOMAXPROCS(0); n != procs {
				t.Errorf("GOMAXPROCS is %d, was %d", n, procs)
			}
			if p, l := collector(); p != percent || l != limit {
				t.Errorf("the collector is set to %d%%, %d bytes; was %d%%, %d", p, l, percent, limit)
			}
			if now := ignored(); now != signals {
				t.Errorf("ignored signals: %v, were %v", now, signals)
			}
			if now := workingDir(t); now != dir {
				t.Errorf("the working directory is %s, was %s", now, dir)
			}
			for _, srv := range list {
				if err := srv.Close(); err != nil {
					t.Error(err)
				}
				if err := srv.Close(); err != nil {
					t.Error("closed twice:", err)
				}
			}
		})
	}
}

// collector tells the collector's settings, by setting them to what they are.
func collector() (percent int, limit int64) {
	percent = debug.SetGCPercent(100)
	debug.SetGCPercent(percent)
	return percent, debug.SetMemoryLimit(-1)
}

func workingDir(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestQuickStart times the start of a server as a test of a program would have
// it; the bound is for a busy machine.
func TestQuickStart(t *testing.T) {
	var took []time.Duration
	for range 5 {
		at := time.Now()
		srv, err := sherd.Start(sherd.Options{})
		if err != nil {
			t.Fatal(err)
		}
		took = append(took, time.Since(at))
		if err := srv.Close(); err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(took)
	t.Logf("started in %v (median of %v)", took[2], took)
	if took[2] > 200*time.Millisecond && !testing.Short() {
		t.Error("a start takes too long")
	}
}

// ignored tells which of the signals that a server may care about are ignored, by
// whoever started the tests or since.
func ignored() [2]bool {
	return [2]bool{signal.Ignored(syscall.SIGHUP), signal.Ignored(syscall.SIGPIPE)}
}
