package gen

import (
	"bufio"
	"context"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"sherd/internal/load/floor"
	"sherd/internal/load/keyspace"
	"sherd/internal/load/request"
	"sherd/internal/load/workload"
)

// engines that this system has are found by trying: auto is what people use,
// the others are forced.
var engines = []string{"auto", "epoll", "portable"}

func standard() *workload.Spec {
	return &workload.Spec{
		Ratio: []int{10, 1}, DataMin: 32, DataMax: 32,
		Keys: keyspace.Spec{Count: 1000, Format: "memtier-%d"},
	}
}

func config(t *testing.T, address string, w *workload.Spec) Config {
	t.Helper()
	c := Config{Network: "tcp", Address: address, Conns: 8, Threads: 2, Pipeline: 4, Seed: 1}
	var err error
	if c.Mix, c.Request, err = w.Compile(c.Protocol); err != nil {
		t.Fatal(err)
	}
	return c
}

func startFloor(t *testing.T, o floor.Options) string {
	t.Helper()
	o.Threads = 1
	s, err := floor.Start(o)
	if err != nil {
		t.Skipf("no floor server: %v", err)
	}
	t.Cleanup(s.Close)
	return s.Addr().String()
}

func mustRun(t *testing.T, c Config) *Result {
	t.Helper()
	res, err := Run(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func TestClosedLoopByCount(t *testing.T) {
	for _, engine := range engines {
		t.Run(engine, func(t *testing.T) {
			c := config(t, startFloor(t, floor.Options{Engine: engine}), standard())
			c.Engine, c.Requests = engine, 5003
			res := mustRun(t, c)
			if res.Answered != 5003 || res.Latency.Count != 5003 {
				t.Errorf("%d answered, %d recorded, want 5003", res.Answered, res.Latency.Count)
			}
			if res.Errors != 0 || res.Misses != 0 || res.HitRate != 1 || res.Lost != 0 {
				t.Errorf("errors %d, misses %d, hit rate %g, lost %d (%s)", res.Errors, res.Misses, res.HitRate, res.Lost, res.ErrorText)
			}
			// Eight connections walk the mix from different starts, a few turns off.
			if gets := res.Commands[0].Ops; gets < 5003*10/11-100 || gets > 5003*10/11+100 || res.Reads != gets {
				t.Errorf("%d GETs of 5003, %d reads", gets, res.Reads)
			}
		})
	}
}

func TestClosedLoopByTime(t *testing.T) {
	c := config(t, startFloor(t, floor.Options{}), standard())
	c.Warmup, c.Duration = 20*time.Millisecond, 150*time.Millisecond
	var windows []bool
	c.Window = func(begins bool) { windows = append(windows, begins) }
	res := mustRun(t, c)
	if res.Ops == 0 || res.Ops > res.Answered || res.Seconds <= 0 {
		t.Errorf("%d operations of %d in %g s", res.Ops, res.Answered, res.Seconds)
	}
	if len(windows) != 2 || !windows[0] || windows[1] {
		t.Errorf("window calls: %v", windows)
	}
}

func TestOpenLoopKeepsItsSchedule(t *testing.T) {
	c := config(t, startFloor(t, floor.Options{}), standard())
	c.Threads, c.Rate, c.Pipeline, c.Duration, c.Drain = 1, 4000, 2, 300*time.Millisecond, 30*time.Second
	res := mustRun(t, c)
	// Every request that was due in the window is accounted for, however slow
	// the machine: 1200 of them.
	if n := res.Latency.Count; n < 1196 || n > 1204 {
		t.Errorf("%d requests recorded, want 1200", n)
	}
	if res.Unanswered != 0 || res.Unsent != 0 {
		t.Errorf("unanswered %d, unsent %d", res.Unanswered, res.Unsent)
	}
	if res.Lateness.Count == 0 || res.Gaps.Count == 0 {
		t.Error("the generator says nothing of its own lateness")
	}
}

// A server that stops for good must show: what is not answered counts with
// the time it has waited.
func TestOpenLoopCountsWhatIsNeverAnswered(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0") // connects, and never answers
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c := config(t, l.Addr().String(), standard())
	c.Rate, c.Pipeline, c.Duration, c.Drain = 1000, 1, 200*time.Millisecond, 100*time.Millisecond
	res := mustRun(t, c)
	if n := res.Latency.Count; n < 198 || n > 202 {
		t.Errorf("%d requests recorded, want 200", n)
	}
	if res.Unanswered != 8 || res.Unsent < 190 {
		t.Errorf("unanswered %d, unsent %d: want 8 and the rest", res.Unanswered, res.Unsent)
	}
	if p50 := res.Latency.P50; p50 < 100_000 {
		t.Errorf("p50 is %.0f µs", p50)
	}
}

// script is a server that answers each request line by line from a function.
func script(t *testing.T, answer func(line string) string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var conns sync.WaitGroup
	conns.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			conns.Go(func() {
				defer c.Close()
				in := bufio.NewReader(c)
				for {
					line, err := in.ReadString('\n')
					if err != nil {
						return
					}
					reply := answer(strings.TrimSpace(line))
					if reply == "close" {
						return
					}
					if _, err := io.WriteString(c, reply); err != nil {
						return
					}
				}
			})
		}
	})
	t.Cleanup(func() { l.Close(); conns.Wait() })
	return l.Addr().String()
}

func TestMissesAndErrorsAreCounted(t *testing.T) {
	// The scripted server answers the last line of a request.
	n := 0
	var mu sync.Mutex
	address := script(t, func(line string) string {
		if line == "last" {
			mu.Lock()
			defer mu.Unlock()
			switch n++; n % 4 {
			case 0:
				return "-ERR no\r\n"
			case 1:
				return "$-1\r\n"
			}
			return "$1\r\nx\r\n"
		}
		return ""
	})
	w := standard()
	w.Commands, w.Ratio = []string{"GET last"}, nil
	c := config(t, address, w)
	c.Requests, c.Pipeline = 400, 1
	res := mustRun(t, c)
	if res.Errors != 100 || res.Misses != 100 || res.Reads != 400 || res.HitRate != .75 {
		t.Errorf("errors %d, misses %d, reads %d, hit rate %g", res.Errors, res.Misses, res.Reads, res.HitRate)
	}
	if res.ErrorText != "ERR no" || len(res.Warnings) < 2 {
		t.Errorf("error %q, warnings %q", res.ErrorText, res.Warnings)
	}
}

func TestMemcacheLoad(t *testing.T) {
	address := script(t, func(line string) string {
		switch {
		case strings.HasPrefix(line, "get memtier-1"):
			_, key, _ := strings.Cut(line, " ")
			return "VALUE " + key + " 0 5\r\nEND\r\n\r\nEND\r\n" // data that looks like an end
		case strings.HasPrefix(line, "get "):
			return "END\r\n"
		case strings.HasPrefix(line, "set "):
			return ""
		}
		return "STORED\r\n" // the data
	})
	c := Config{Address: address, Protocol: request.Memcache, Conns: 4, Threads: 1, Pipeline: 3, Requests: 1001, Seed: 3}
	var err error
	if c.Mix, c.Request, err = standard().Compile(c.Protocol); err != nil {
		t.Fatal(err)
	}
	res := mustRun(t, c)
	if res.Answered != 1001 || res.Errors != 0 || res.Misses == 0 || res.Misses == res.Reads {
		t.Errorf("answered %d, errors %d (%s), misses %d of %d", res.Answered, res.Errors, res.ErrorText, res.Misses, res.Reads)
	}
}

func TestLongRepliesInPieces(t *testing.T) {
	w := standard()
	w.Commands, w.Ratio = []string{"MGET a b c", "GET __key__"}, nil
	c := config(t, startFloor(t, floor.Options{ValueBytes: 200_000}), w)
	c.Requests = 60
	if res := mustRun(t, c); res.Answered != 60 || res.Errors != 0 {
		t.Errorf("answered %d, errors %d (%s)", res.Answered, res.Errors, res.ErrorText)
	}
}

func TestBrokenServersEndTheRun(t *testing.T) {
	for name, answer := range map[string]string{"no reply": "HTTP/1.1 400\r\n", "too many": "+OK\r\n+OK\r\n", "closes": "close"} {
		t.Run(name, func(t *testing.T) {
			w := standard()
			w.Commands, w.Ratio = []string{"GET last"}, nil
			c := config(t, script(t, func(line string) string {
				if line == "last" {
					return answer
				}
				return ""
			}), w)
			c.Requests, c.Pipeline = 1000, 1
			if res, err := Run(context.Background(), c); err == nil && res.Lost == 0 {
				t.Errorf("run went on: %+v", res)
			}
		})
	}
}

func TestRefusedSetupEndsTheRun(t *testing.T) {
	c := config(t, script(t, func(line string) string {
		if line == "secret" {
			return "-WRONGPASS no\r\n"
		}
		return ""
	}), standard())
	c.Requests, c.Setup = 10, [][]string{{"AUTH", "secret"}}
	if _, err := Run(context.Background(), c); err == nil || !strings.Contains(err.Error(), "WRONGPASS") {
		t.Errorf("error %v", err)
	}
}

func TestNoServer(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	c := config(t, l.Addr().String(), standard())
	c.Requests = 10
	if _, err := Run(context.Background(), c); err == nil {
		t.Error("run without a server went on")
	}
}

func TestCancelEndsTheRun(t *testing.T) {
	c := config(t, startFloor(t, floor.Options{}), standard())
	c.Duration = time.Hour
	ctx, cancel := context.WithCancelCause(context.Background())
	c.Window = func(bool) { cancel(ErrInterrupted) }
	if _, err := Run(ctx, c); err != ErrInterrupted {
		t.Errorf("error %v", err)
	}
}

func TestBadConfigurations(t *testing.T) {
	good := config(t, "127.0.0.1:1", standard())
	good.Requests = 1
	for name, change := range map[string]func(*Config){
		"threads":  func(c *Config) { c.Threads = 0 },
		"conns":    func(c *Config) { c.Conns = 1 },
		"pipeline": func(c *Config) { c.Pipeline = 0 },
		"rate":     func(c *Config) { c.Rate = -1 },
		"end":      func(c *Config) { c.Requests = 0 },
		"both":     func(c *Config) { c.Rate = 10 },
		"mix":      func(c *Config) { c.Mix = nil },
	} {
		c := good
		change(&c)
		if _, err := Run(context.Background(), c); err == nil {
			t.Errorf("bad %s was taken", name)
		}
	}
}
