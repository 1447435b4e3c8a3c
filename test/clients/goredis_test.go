package clients

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"sherd/internal/testserver"
)

func TestGoRedis(t *testing.T) {
	each(t, testserver.Options{Unix: true}, func(t *testing.T, srv *testserver.Server) {
		for _, proto := range []int{2, 3} {
			t.Run("RESP"+strconv.Itoa(proto), func(t *testing.T) {
				goRedis(t, &redis.Options{Addr: srv.Addr(), Protocol: proto, ClientName: "tester", DB: proto})
			})
		}
		t.Run("unix", func(t *testing.T) {
			goRedis(t, &redis.Options{Network: "unix", Addr: srv.Socket, DB: 4})
		})
	})
}

// want fails the test unless a client's call gave this value and no error.
func want[T comparable](t *testing.T, what string, get func() (T, error), value T) {
	t.Helper()
	if got, err := get(); err != nil || got != value {
		t.Errorf("%s: %v, %v; want %v", what, got, err, value)
	}
}

func goRedis(t *testing.T, o *redis.Options) {
	ctx := soon(t)
	c := redis.NewClient(o)
	defer func() { _ = c.Close() }()
	if err := c.FlushDB(ctx).Err(); err != nil {
		t.Fatal(err)
	}
	want(t, "PING", c.Ping(ctx).Result, "PONG")
	want(t, "SET", c.Set(ctx, "k", "v", time.Hour).Result, "OK")
	want(t, "GET", c.Get(ctx, "k").Result, "v")
	if _, err := c.Get(ctx, "nothing").Result(); !errors.Is(err, redis.Nil) {
		t.Errorf("GET of a missing key: %v", err)
	}
	if ttl := c.TTL(ctx, "k").Val(); ttl < 59*time.Minute || ttl > time.Hour {
		t.Errorf("TTL: %v", ttl)
	}
	want(t, "SET NX", c.SetNX(ctx, "k", "w", 0).Result, false)
	want(t, "SET GET", c.SetArgs(ctx, "k", "x", redis.SetArgs{Get: true}).Result, "v")
	want(t, "GETEX", c.GetEx(ctx, "k", time.Minute).Result, "x")
	want(t, "INCRBY", c.IncrBy(ctx, "n", 41).Result, 41)
	want(t, "INCR", c.Incr(ctx, "n").Result, 42)
	want(t, "INCRBYFLOAT", c.IncrByFloat(ctx, "f", 1.25).Result, 1.25)
	want(t, "APPEND", c.Append(ctx, "k", "yz").Result, 3)
	want(t, "GETRANGE", c.GetRange(ctx, "k", 1, 2).Result, "yz")
	want(t, "SETBIT", c.SetBit(ctx, "b", 7, 1).Result, 0)
	want(t, "BITCOUNT", c.BitCount(ctx, "b", nil).Result, 1)
	want(t, "MSET", c.MSet(ctx, "a", "1", "b2", "2").Result, "OK")
	if v, err := c.MGet(ctx, "a", "b2", "nothing").Result(); err != nil || fmt.Sprint(v) != "[1 2 <nil>]" {
		t.Errorf("MGET: %v, %v", v, err)
	}
	want(t, "EXISTS", c.Exists(ctx, "a", "b2", "nothing").Result, 2)
	want(t, "RENAME", c.Rename(ctx, "a", "renamed").Result, "OK")
	want(t, "COPY", c.Copy(ctx, "renamed", "copied", o.DB, false).Result, 1)
	want(t, "TYPE", c.Type(ctx, "copied").Result, "string")
	want(t, "OBJECT ENCODING", c.ObjectEncoding(ctx, "n").Result, "int")
	want(t, "DEL", c.Del(ctx, "copied", "renamed").Result, 2)
	want(t, "EXPIRE", c.Expire(ctx, "n", time.Hour).Result, true)
	want(t, "PERSIST", c.Persist(ctx, "n").Result, true)
	if o.ClientName != "" {
		want(t, "CLIENT GETNAME", c.ClientGetName(ctx).Result, o.ClientName)
	}
	want(t, "DBSIZE", c.DBSize(ctx).Result, 5)
	if v, err := c.LCS(ctx, &redis.LCSQuery{Key1: "k", Key2: "k", Idx: true}).Result(); err != nil || v.Len != 3 {
		t.Errorf("LCS: %+v, %v", v, err)
	}
	if v, err := c.ConfigGet(ctx, "maxmemory-policy").Result(); err != nil || v["maxmemory-policy"] != "noeviction" {
		t.Errorf("CONFIG GET: %v, %v", v, err)
	}
	if _, err := c.Command(ctx).Result(); err != nil {
		t.Errorf("COMMAND: %v", err)
	}
	if _, err := c.Info(ctx).Result(); err != nil {
		t.Errorf("INFO: %v", err)
	}
	err := c.Do(ctx, "INCR", "k").Err()
	if err == nil || err.Error() != "ERR value is not an integer or out of range" {
		t.Errorf("INCR of a string: %v", err)
	}

	// A pipeline, and SCAN over what it made.
	_, err = c.Pipelined(ctx, func(p redis.Pipeliner) error {
		for i := range 1000 {
			p.Set(ctx, "p:"+strconv.Itoa(i), i, 0)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	var keys []string
	for it := c.Scan(ctx, 0, "p:*", 100).Iterator(); it.Next(ctx); {
		keys = append(keys, it.Val())
	}
	slices.Sort(keys)
	if keys = slices.Compact(keys); len(keys) != 1000 {
		t.Errorf("SCAN found %d keys", len(keys))
	}

	// Many goroutines on the pool.
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			for range 50 {
				if err := c.Incr(ctx, "counter").Err(); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	want(t, "counter", c.Get(ctx, "counter").Int, 800)
}

// TestGoRedisPassword connects with a password, and is refused without.
func TestGoRedisPassword(t *testing.T) {
	srv := testserver.Start(t, testserver.Options{Args: []string{"--requirepass", "secret"}})
	ctx := soon(t)
	for _, proto := range []int{2, 3} {
		for _, tc := range []struct {
			user, password string
			ok             bool
		}{{"", "secret", true}, {"default", "secret", true}, {"", "wrong", false}, {"nobody", "secret", false}, {"", "", false}} {
			c := redis.NewClient(&redis.Options{Addr: srv.Addr(), Protocol: proto, Username: tc.user, Password: tc.password, MaxRetries: -1})
			err := c.Ping(ctx).Err()
			if (err == nil) != tc.ok {
				t.Errorf("RESP%d, user %q, password %q: %v", proto, tc.user, tc.password, err)
			}
			_ = c.Close()
		}
	}
}

// watchHandshakes records what a client sends when it connects.
func watchHandshakes(t *testing.T, srv *testserver.Server) (*testserver.Proxy, func() [][]string) {
	var mu sync.Mutex
	var seen [][]string
	p := &testserver.Proxy{Expand: func(args []string) [][]string {
		mu.Lock()
		seen = append(seen, args)
		mu.Unlock()
		return nil
	}}
	p.Start(t, srv)
	return p, func() [][]string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(seen)
	}
}

// TestHandshakes logs the commands that the clients connect with, so that the
// transcripts of them can be brought up to date.
func TestHandshakes(t *testing.T) {
	srv := testserver.Start(t, testserver.Options{})
	for name, connect := range map[string]func(ctx context.Context, addr string) error{
		"go-redis":          connectGoRedis(0),
		"go-redis, RESP2":   connectGoRedis(2),
		"rueidis":           connectRueidis(false),
		"rueidis, RESP2":    connectRueidis(true),
		"ioredis":           connectNode(t, "ioredis"),
		"node-redis":        connectNode(t, "redis"),
		"node-redis, RESP2": connectNode(t, "redis2"),
		"redis-cli":         connectCLI("PING"),
		"redis-cli -3":      connectCLI("-3", "PING"),
	} {
		t.Run(name, func(t *testing.T) {
			p, seen := watchHandshakes(t, srv)
			if err := connect(soon(t), p.Addr()); err != nil {
				t.Skip(err)
			}
			for _, args := range seen() {
				t.Logf("%q", args)
			}
			if len(seen()) == 0 {
				t.Error("nothing was sent")
			}
		})
	}
}

func connectGoRedis(proto int) func(ctx context.Context, addr string) error {
	return func(ctx context.Context, addr string) error {
		c := redis.NewClient(&redis.Options{Addr: addr, Protocol: proto, DB: 1, ClientName: "app"})
		defer func() { _ = c.Close() }()
		return c.Ping(ctx).Err()
	}
}
