package consistency

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sherd/internal/testserver"
)

// The tests of this file check one invariant each at full speed, with long
// pipelines: they see far more commands than a history can hold.

// An invariant is a set of commands that keep something true, and a question
// whose reply tells whether it is.
type invariant struct {
	name   string
	start  [][]string
	change func(r *rand.Rand, n int) []string
	ask    []string
	holds  func(v testserver.Reply) bool
}

var sixteen = func() (keys []string) {
	for i := range 16 {
		keys = append(keys, fmt.Sprintf("all:%d", i))
	}
	return keys
}()

// alike says whether an array holds one value throughout.
func alike(v testserver.Reply) bool {
	for _, e := range v.Elems {
		if e.String() != v.Elems[0].String() {
			return false
		}
	}
	return len(v.Elems) > 0
}

func assign(cmd string, value string) []string {
	args := []string{cmd}
	for _, k := range sixteen {
		args = append(args, k, value)
	}
	return args
}

var invariants = []invariant{
	{
		name:   "MSET and MGET",
		change: func(_ *rand.Rand, n int) []string { return assign("MSET", strconv.Itoa(n)) },
		ask:    append([]string{"MGET"}, sixteen...),
		holds:  alike,
	},
	{
		name: "MSETNX and DEL",
		change: func(r *rand.Rand, n int) []string {
			if r.IntN(2) == 0 {
				return append([]string{"DEL"}, sixteen...)
			}
			return assign("MSETNX", strconv.Itoa(n))
		},
		ask:   append([]string{"MGET"}, sixteen...),
		holds: alike,
	},
	{
		name:  "RENAME there and back",
		start: [][]string{{"SET", "here", "1"}},
		change: func(r *rand.Rand, _ int) []string {
			if r.IntN(2) == 0 {
				return []string{"RENAME", "here", "there"}
			}
			return []string{"RENAME", "there", "here"}
		},
		ask:   []string{"EXISTS", "here", "there"},
		holds: func(v testserver.Reply) bool { return v.Int() == 1 },
	},
	{
		name:  "SWAPDB",
		start: [][]string{{"SELECT", "1"}, {"MSET", "a", "1", "b", "1", "c", "1"}, {"SELECT", "0"}, {"MSET", "a", "0", "b", "0", "c", "0"}},
		change: func(*rand.Rand, int) []string {
			return []string{"SWAPDB", "0", "1"}
		},
		ask:   []string{"MGET", "a", "b", "c"},
		holds: alike,
	},
	{
		name:  "FLUSHALL and MSET",
		start: [][]string{assign("MSET", "1")},
		change: func(r *rand.Rand, n int) []string {
			if r.IntN(4) == 0 {
				return []string{"FLUSHALL"}
			}
			return assign("MSET", strconv.Itoa(n))
		},
		ask:   append([]string{"MGET"}, sixteen...),
		holds: alike,
	},
	{
		name:  "BITOP of equals",
		start: [][]string{{"MSET", "x", "\x0f", "y", "\x0f"}},
		change: func(r *rand.Rand, n int) []string {
			v := string([]byte{byte(n)})
			return []string{"MSET", "x", v, "y", v}
		},
		ask:   []string{"LCS", "x", "y", "LEN"},
		holds: func(v testserver.Reply) bool { return v.Int() == 1 },
	},
}

// hammer lets half of the clients change and half of them ask, all in
// pipelines, and returns how many answers came and the first that was wrong.
func hammer(addr string, inv invariant, seed uint64, d time.Duration, clients int) (asked int64, wrong string, err error) {
	c, err := testserver.Connect("tcp", addr)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = c.Close() }()
	for _, cmd := range append([][]string{{"FLUSHALL"}}, inv.start...) {
		if _, err := c.Try(cmd...); err != nil {
			return 0, "", err
		}
	}
	var (
		group sync.WaitGroup
		count atomic.Int64
		first atomic.Pointer[string]
		errs  = make(chan error, clients)
		end   = time.Now().Add(d)
		stop  atomic.Bool
	)
	work := func(id int) error {
		c, err := testserver.Connect("tcp", addr)
		if err != nil {
			return err
		}
		defer func() { _ = c.Close() }()
		r := rand.New(rand.NewPCG(seed, uint64(id)))
		n := id
		for !stop.Load() && time.Now().Before(end) {
			depth := 1 + r.IntN(32)
			for range depth {
				if id%2 == 0 {
					n += clients
					c.Queue(inv.change(r, n)...)
				} else {
					c.Queue(inv.ask...)
				}
			}
			if err := c.Flush(); err != nil {
				return err
			}
			for range depth {
				v, err := c.Receive()
				if err != nil {
					return err
				}
				if id%2 == 0 {
					continue
				}
				count.Add(1)
				if !inv.holds(v) {
					s := v.String()
					first.CompareAndSwap(nil, &s)
					stop.Store(true)
				}
			}
		}
		return nil
	}
	for id := range clients {
		group.Go(func() { errs <- work(id) })
	}
	group.Wait()
	close(errs)
	for err := range errs {
		if err != nil {
			return count.Load(), "", err
		}
	}
	if s := first.Load(); s != nil {
		return count.Load(), *s, nil
	}
	return count.Load(), "", nil
}

// TestNobodySeesHalf hammers every invariant.
func TestNobodySeesHalf(t *testing.T) {
	seed := testserver.Seed(t)
	engines := testserver.Engines()
	share := duration() / time.Duration(len(engines)*len(invariants))
	total := int64(0)
	for _, engine := range engines {
		srv := testserver.Start(t, testserver.Options{Engine: engine, Threads: 4})
		for _, inv := range invariants {
			asked, wrong, err := hammer(srv.Addr(), inv, seed, share, 8)
			total += asked
			if err != nil {
				t.Fatalf("engine %q, %s: %v", engine, inv.name, err)
			}
			if wrong != "" {
				t.Errorf("engine %q, %s: after %d answers %q was answered by %s", engine, inv.name, asked, inv.ask, wrong)
			}
		}
		if err := srv.Stop(); err != nil {
			t.Error(err)
		}
	}
	t.Logf("%d answers", total)
}

// TestHalvesAreSeen shows that the hammer notices split commands.
func TestHalvesAreSeen(t *testing.T) {
	srv := testserver.Start(t, testserver.Options{Kind: testserver.Redis})
	proxy := &testserver.Proxy{Expand: splitter}
	proxy.Start(t, srv)
	_, wrong, err := hammer(proxy.Addr(), invariants[0], testserver.Seed(t), 30*time.Second, 4)
	if err != nil {
		t.Fatal(err)
	}
	if wrong == "" {
		t.Error("MSETs sent key by key went unnoticed")
	}
}
