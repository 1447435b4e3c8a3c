package gen

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"sherd/internal/load/proc"
	"sherd/internal/reactor"
)

// Run makes the load that c describes and returns what came of it. It fails
// when no load could be made: no connection, no reply, bad configuration.
// Error replies are not failures; they are counted.
func Run(ctx context.Context, c Config) (*Result, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	r := &run{config: &c, base: time.Now(), failed: make(chan error, 1), over: make(chan struct{})}
	r.busy.Store(int32(c.Threads))
	options := reactor.Options{
		BriefWaits: true,
		Threads:    c.Threads, Engine: c.Engine, Spin: c.Rate > 0,
		NewHandler: func(l *reactor.Loop) reactor.Handler {
			w := newWorker(r, l.ID, l)
			r.workers = append(r.workers, w)
			return w
		},
	}
	if len(c.CPUs) > 0 {
		options.Pin, options.CPUs = "on", c.CPUs
	}
	group, err := reactor.New(options)
	if err != nil {
		return nil, err
	}
	r.group = group
	for i, w := range r.workers {
		w.expect(int(share(int64(c.Conns), i, c.Threads)))
	}
	if err := group.Start(); err != nil {
		return nil, err
	}
	defer group.Stop()
	if err := r.connect(ctx); err != nil {
		return nil, err
	}
	return r.measure(ctx)
}

// run is the coordinator: an ordinary goroutine that sleeps most of the time.
type run struct {
	config  *Config
	group   *reactor.Group
	workers []*worker
	base    time.Time
	failed  chan error    // the first failure of a loop
	busy    atomic.Int32  // loops that have something to do
	over    chan struct{} // closed when none has
}

// finished is called once by every loop.
func (r *run) finished() {
	if r.busy.Add(-1) == 0 {
		close(r.over)
	}
}

// connect opens all connections, a few dozen at a time.
func (r *run) connect(ctx context.Context) error {
	const atOnce = 64
	results := make(chan error, r.config.Conns) // done must never block a loop
	started, ended := 0, 0
	for ended < r.config.Conns {
		for started < r.config.Conns && started-ended < atOnce {
			w := r.workers[started%len(r.workers)]
			r.group.Dial(w.loop, r.config.Network, r.config.Address, &client{}, func(_ *reactor.Conn, err error) {
				results <- err
			})
			started++
		}
		select {
		case err := <-results:
			if err != nil {
				return fmt.Errorf("connection %d of %d: %w", ended+1, r.config.Conns, err)
			}
			ended++
		case err := <-r.failed:
			return err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// tell runs do on every loop's thread and waits for it.
func (r *run) tell(do func(w *worker)) {
	done := make(chan struct{}, len(r.workers))
	for _, w := range r.workers {
		w.loop.Post(&reactor.Message{Deliver: func(*reactor.Loop, *reactor.Message) {
			do(w)
			done <- struct{}{}
		}})
	}
	for range r.workers {
		<-done
	}
}

func (r *run) clock() int64 { return int64(time.Since(r.base)) }

func (r *run) measure(ctx context.Context) (*Result, error) {
	c := r.config
	const lead = 2 * time.Millisecond // all loops are told before the first batch is due
	start := r.clock() + int64(lead)
	from := start + int64(c.Warmup)
	to := from + int64(c.Duration)
	if c.Requests > 0 {
		from, to = 0, 1<<62
	}
	if c.Window != nil && c.Requests > 0 {
		c.Window(true)
	}
	began, cpuBegan := r.snapshot()
	r.tell(func(w *worker) { w.begin(start, from, to) })

	progress := newProgress(r, start)
	if c.Requests == 0 {
		if err := r.wait(ctx, from, progress, nil); err != nil {
			return nil, err
		}
		if c.Window != nil {
			c.Window(true)
		}
		began, cpuBegan = r.snapshot()
	}
	if err := r.wait(ctx, to, progress, r.over); err != nil {
		return nil, err
	}
	if c.Window != nil {
		c.Window(false)
	}
	ended, cpuEnded := r.snapshot()

	r.tell(func(w *worker) { w.stopping = true })
	drain := r.clock() + int64(c.Drain)
	if err := r.wait(ctx, drain, progress, r.over); err != nil {
		return nil, err
	}
	r.tell((*worker).abandon)
	result := r.collect()
	result.fill(c, ended.done-began.done, time.Duration(ended.at-began.at), cpuEnded-cpuBegan)
	result.Engine = r.group.Engine()
	return result, nil
}

// wait returns at time until of the run's clock, or when over is closed.
func (r *run) wait(ctx context.Context, until int64, p *progress, over <-chan struct{}) error {
	for {
		left := time.Duration(until - r.clock())
		if left <= 0 {
			return nil
		}
		timer := time.NewTimer(min(left, p.next()))
		select {
		case <-timer.C:
			p.report()
		case <-over:
			timer.Stop()
			return nil
		case err := <-r.failed:
			timer.Stop()
			return err
		case <-ctx.Done():
			timer.Stop()
			return context.Cause(ctx)
		}
	}
}

type snapshot struct {
	at, done, errors, misses int64
}

// snapshot reads the tallies and the CPU time of this process.
func (r *run) snapshot() (snapshot, time.Duration) {
	s := snapshot{at: r.clock()}
	for _, w := range r.workers {
		s.done += w.tally.done.Load()
		s.errors += w.tally.errors.Load()
		s.misses += w.tally.misses.Load()
	}
	cpu, _ := proc.SelfCPU()
	return s, cpu
}

// progress calls Config.Progress at its times.
type progress struct {
	run   *run
	start int64
	last  snapshot
	every int64
	due   int64
}

func newProgress(r *run, start int64) *progress {
	p := &progress{run: r, start: start, last: snapshot{at: start}, every: int64(500 * time.Millisecond)}
	if r.config.Rate > 0 {
		// It runs on the CPU that the open loop spins on.
		p.every = int64(2 * time.Second)
	}
	p.due = start + p.every
	return p
}

func (p *progress) next() time.Duration {
	if p.run.config.Progress == nil {
		return time.Hour
	}
	return max(time.Duration(p.due-p.run.clock()), 0)
}

func (p *progress) report() {
	c := p.run.config
	if c.Progress == nil || p.run.clock() < p.due {
		return
	}
	s, _ := p.run.snapshot()
	report := Progress{
		Elapsed: time.Duration(s.at - p.start), Requests: c.Requests,
		Done: s.done, Errors: s.errors, Misses: s.misses,
		PerSec: float64(s.done-p.last.done) / (float64(s.at-p.last.at) / 1e9),
	}
	if c.Requests == 0 {
		report.Total = c.Warmup + c.Duration
	}
	p.last, p.due = s, s.at+p.every
	c.Progress(report)
}

// ErrInterrupted is the cause with which a context given to Run is cancelled
// when the user has had enough.
var ErrInterrupted = errors.New("interrupted")
