package consistency

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"sherd/internal/testserver"
)

func TestMain(m *testing.M) { testserver.Main(m) }

// checkTimeout bounds the search of one history; past it the verdict is
// "unknown", and the test fails.
const checkTimeout = time.Minute

// duration is how long a test of this package runs: three seconds, times the
// scale.
func duration() time.Duration {
	d := 3 * time.Second * time.Duration(testserver.Scale())
	if testing.Short() {
		d /= 3
	}
	return d
}

// randomWorkload keeps the number of commands in flight at a size that the
// search can take.
func randomWorkload(r *rand.Rand) workload {
	w := workload{clients: 1 + r.IntN(maxClients), groups: 1 + r.IntN(2), batches: 80}
	w.depth = 1 + r.IntN(max(1, 32/w.clients))
	return w
}

// hotWorkload has as many commands in flight on one group as the search can
// take: for finding faults quickly.
func hotWorkload(*rand.Rand) workload {
	return workload{clients: maxClients, groups: 1, batches: 150, depth: 6}
}

// episodes records and checks histories until the time is over or a verdict
// is not "ok". It returns the number of commands checked and that verdict.
func episodes(addr string, r *rand.Rand, next func(*rand.Rand) workload, d time.Duration) (ops int, verdict porcupine.CheckResult, bad []porcupine.Operation, err error) {
	c, err := testserver.Connect("tcp", addr)
	if err != nil {
		return 0, "", nil, err
	}
	defer func() { _ = c.Close() }()
	for end, n := time.Now().Add(d), 0; n == 0 || time.Now().Before(end); n++ {
		if _, err := c.Try("FLUSHALL"); err != nil {
			return ops, "", nil, err
		}
		histories, err := record(addr, next(r), r, n)
		if err != nil {
			return ops, "", nil, err
		}
		for _, h := range histories {
			ops += len(h)
			if v := porcupine.CheckOperationsTimeout(model, h, checkTimeout); v != porcupine.Ok {
				return ops, v, h, nil
			}
		}
	}
	return ops, porcupine.Ok, nil, nil
}

// threadCounts are the numbers of loops a test goes through.
func threadCounts() []int {
	if testserver.Default() == testserver.Redis {
		return []int{0} // it has no loops to choose
	}
	if testing.Short() {
		return []int{2}
	}
	return []int{1, 2, 3, 4, 8}
}

// TestLinearizable checks mixed histories over every engine and from one to
// eight threads.
func TestLinearizable(t *testing.T) {
	r := rand.New(rand.NewPCG(testserver.Seed(t), 0))
	engines, threads := testserver.Engines(), threadCounts()
	share := duration() / time.Duration(len(engines)*len(threads))
	total := 0
	for _, engine := range engines {
		for _, n := range threads {
			srv := testserver.Start(t, testserver.Options{Engine: engine, Threads: n})
			ops, verdict, bad, err := episodes(srv.Addr(), r, randomWorkload, share)
			total += ops
			if err != nil {
				t.Fatalf("engine %q, %d threads: %v", engine, n, err)
			}
			if verdict != porcupine.Ok {
				t.Fatalf("engine %q, %d threads: verdict %q after %d commands; %s", engine, n, verdict, ops, picture(t, bad))
			}
			if err := srv.Stop(); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Logf("%d commands are linearizable", total)
	fmt.Printf("consistency: %d commands, verdict %s\n", total, porcupine.Ok)
}

// picture writes a page that shows a history, for a person to look at, and
// says where.
func picture(t *testing.T, history []porcupine.Operation) string {
	_, info := porcupine.CheckOperationsVerbose(model, history, 10*time.Second)
	path := filepath.Join(os.TempDir(), "sherd-history-"+strconv.Itoa(os.Getpid())+".html")
	if err := porcupine.VisualizePath(model, info, path); err != nil {
		t.Log(err)
		return "no picture of it"
	}
	return "see " + path
}

// splitter sends the parts of multi-key commands one after the other, which is
// what a server would do that does not hold its latches.
func splitter(args []string) [][]string {
	var parts [][]string
	switch args[0] {
	case "MSET":
		for i := 1; i < len(args); i += 2 {
			parts = append(parts, []string{"SET", args[i], args[i+1]})
		}
	}
	return parts
}

// TestCheckerCatchesSplitCommands shows that a history is refused when MSET is
// not atomic.
func TestCheckerCatchesSplitCommands(t *testing.T) {
	seed := testserver.Seed(t)
	srv := testserver.Start(t, testserver.Options{Kind: testserver.Redis})
	proxy := &testserver.Proxy{Expand: splitter}
	proxy.Start(t, srv)
	ops, verdict, _, err := episodes(proxy.Addr(), rand.New(rand.NewPCG(seed, 0)), randomWorkload, 30*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if verdict != porcupine.Illegal {
		t.Fatalf("verdict %q after %d commands of which every MSET was split", verdict, ops)
	}
	t.Logf("refused after %d commands", ops)
}

// TestModel makes small histories by hand.
func TestModel(t *testing.T) {
	op := func(client, seq int, from, to int64, c call, out result) porcupine.Operation {
		c.client, c.seq = client, seq
		return porcupine.Operation{ClientId: client, Input: &c, Call: from, Output: out, Return: to}
	}
	both := call{code: mget, keys: []int{0, 1}}
	write := call{code: mset, keys: []int{0, 1}, values: []int64{5, 5}}
	seen := func(a, b int64) result { return result{kind: '*', n: 2, values: [numKeys]int64{a, b}} }
	for _, tc := range []struct {
		name string
		ops  []porcupine.Operation
		want porcupine.CheckResult
	}{
		{"read after", []porcupine.Operation{op(0, 0, 0, 1, write, status()), op(1, 0, 2, 3, both, seen(5, 5))}, porcupine.Ok},
		{"read meanwhile", []porcupine.Operation{op(0, 0, 0, 9, write, status()), op(1, 0, 2, 3, both, seen(0, 0))}, porcupine.Ok},
		{"stale read", []porcupine.Operation{op(0, 0, 0, 1, write, status()), op(1, 0, 2, 3, both, seen(0, 0))}, porcupine.Illegal},
		{"half a write", []porcupine.Operation{op(0, 0, 0, 9, write, status()), op(1, 0, 2, 3, both, seen(5, 0))}, porcupine.Illegal},
		{"backwards", []porcupine.Operation{
			op(0, 0, 0, 9, write, status()), op(1, 0, 2, 3, both, seen(5, 5)), op(1, 1, 4, 5, both, seen(0, 0)),
		}, porcupine.Illegal},
		{"a pipeline out of order", []porcupine.Operation{
			op(0, 0, 0, 9, call{code: get, keys: []int{0}}, value(7)), op(0, 1, 0, 9, call{code: set, keys: []int{0}, values: []int64{7}}, status()),
		}, porcupine.Illegal},
	} {
		if got := porcupine.CheckOperationsTimeout(model, tc.ops, time.Second); got != tc.want {
			t.Errorf("%s: %s", tc.name, got)
		}
	}
}
