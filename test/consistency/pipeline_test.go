package consistency

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sherd/internal/testserver"
)

// A jobRun is what happened in one run of the pipeline test.
type jobRun struct {
	published, read atomic.Int64
	missing         atomic.Int64
	first           atomic.Pointer[string] // the first job that was missing
}

// slots is the number of keys of one producer's jobs: an old job gives its key
// to a new one, so that memory stays bounded however long the run.
const slots = 4096

// publishJobs runs producers and consumers until the time is over. A producer
// pipelines two commands per job: SET job:N N, and SET newest N, which
// publishes it. Whoever reads N in newest must find job:N, or a later job in
// its place: the commands of a pipeline take effect in the order they were
// sent, whichever loops their keys belong to.
func publishJobs(addr string, seed uint64, d time.Duration, producers, consumers int) (*jobRun, error) {
	run := &jobRun{}
	end := time.Now().Add(d)
	errs := make(chan error, producers+consumers)
	job := func(p, n int) string { return fmt.Sprintf("job:%d:%d", p, n%slots) }
	newest := func(p int) string { return fmt.Sprintf("newest:%d", p) }
	var group sync.WaitGroup
	produce := func(p int) error {
		c, err := testserver.Connect("tcp", addr)
		if err != nil {
			return err
		}
		defer func() { _ = c.Close() }()
		r := rand.New(rand.NewPCG(seed, uint64(p)))
		for n := 1; time.Now().Before(end); {
			batch := 1 + r.IntN(50)
			for range batch {
				c.Queue("SET", job(p, n), strconv.Itoa(n))
				c.Queue("SET", newest(p), strconv.Itoa(n))
				n++
			}
			if err := c.Flush(); err != nil {
				return err
			}
			for range 2 * batch {
				if v, err := c.Receive(); err != nil || v.String() != "OK" {
					return fmt.Errorf("SET: %s, %w", v, err)
				}
			}
			run.published.Add(int64(batch))
		}
		return nil
	}
	consume := func() error {
		c, err := testserver.Connect("tcp", addr)
		if err != nil {
			return err
		}
		defer func() { _ = c.Close() }()
		for time.Now().Before(end) {
			for p := range producers {
				c.Queue("GET", newest(p))
			}
			if err := c.Flush(); err != nil {
				return err
			}
			seen := make([]int, producers)
			for p := range seen {
				v, err := c.Receive()
				if err != nil {
					return err
				}
				seen[p], _ = strconv.Atoi(v.Text())
			}
			for p, n := range seen {
				if n > 0 {
					c.Queue("GET", job(p, n))
				}
			}
			if err := c.Flush(); err != nil {
				return err
			}
			for p, n := range seen {
				if n == 0 {
					continue
				}
				v, err := c.Receive()
				if err != nil {
					return err
				}
				run.read.Add(1)
				if found, _ := strconv.Atoi(v.Text()); found < n {
					run.missing.Add(1)
					s := fmt.Sprintf("newest:%d was %d, and %s held %s", p, n, job(p, n), v)
					run.first.CompareAndSwap(nil, &s)
				}
			}
		}
		return nil
	}
	for p := range producers {
		group.Go(func() { errs <- produce(p) })
	}
	for range consumers {
		group.Go(func() { errs <- consume() })
	}
	group.Wait()
	close(errs)
	for err := range errs {
		if err != nil {
			return run, err
		}
	}
	return run, nil
}

// TestPipelineOrder expects not one published job to be missing.
func TestPipelineOrder(t *testing.T) {
	seed := testserver.Seed(t)
	engines := testserver.Engines()
	published, read := int64(0), int64(0)
	for _, engine := range engines {
		srv := testserver.Start(t, testserver.Options{Engine: engine, Threads: 8})
		run, err := publishJobs(srv.Addr(), seed, duration()/time.Duration(len(engines)), 4, 4)
		if err != nil {
			t.Fatalf("engine %q: %v", engine, err)
		}
		if n := run.missing.Load(); n > 0 {
			t.Errorf("engine %q: %d of %d jobs read were missing; %s", engine, n, run.read.Load(), *run.first.Load())
		}
		if run.published.Load() == 0 || run.read.Load() == 0 {
			t.Errorf("engine %q: %d jobs published, %d read", engine, run.published.Load(), run.read.Load())
		}
		published, read = published+run.published.Load(), read+run.read.Load()
		if err := srv.Stop(); err != nil {
			t.Error(err)
		}
	}
	fmt.Printf("pipeline order: %d jobs published, %d read, every one found\n", published, read)
}

// TestPipelineOrderCheckSees shows that the run notices a server that lets a
// pipeline's commands overtake one another.
func TestPipelineOrderCheckSees(t *testing.T) {
	srv := testserver.Start(t, testserver.Options{Kind: testserver.Redis})
	// The job is set after its number was published, as if its loop were slow.
	proxy := &testserver.Proxy{Expand: func(args []string) [][]string {
		if p, ok := strings.CutPrefix(args[1], "newest:"); ok && args[0] == "SET" {
			n, _ := strconv.Atoi(args[2])
			return [][]string{args, {"SET", fmt.Sprintf("job:%s:%d", p, n%slots), args[2]}}
		}
		if args[0] == "SET" {
			return [][]string{{"ECHO", "OK"}, {"SET", "elsewhere", ""}}
		}
		return nil
	}}
	proxy.Start(t, srv)
	run, err := publishJobs(proxy.Addr(), testserver.Seed(t), 2*time.Second, 2, 2)
	if err != nil {
		t.Fatal(err)
	}
	if run.missing.Load() == 0 {
		t.Errorf("%d jobs were read, none was missing", run.read.Load())
	}
	t.Logf("%d of %d jobs missing", run.missing.Load(), run.read.Load())
}
