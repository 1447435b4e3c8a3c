package sherd_test

import (
	"context"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

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
