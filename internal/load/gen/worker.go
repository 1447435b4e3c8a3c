package gen

import (
	"errors"
	"fmt"
	"math"
	"sync/atomic"
	"time"

	"sherd/internal/load/latency"
	"sherd/internal/load/request"
	"sherd/internal/reactor"
)

// longGap is how long a spinning loop must have been away for the requests of
// that time to count as disturbed. A turn without work takes about a
// microsecond; what takes this long is the machine's doing.
const longGap = 50 * time.Microsecond

// worker is the handler of one loop. All fields are owned by the loop, except
// those that say otherwise; the coordinator reads the rest after finished.
type worker struct {
	index  int
	loop   *reactor.Loop
	config *Config

	memcache bool
	open     bool
	commands []*request.Command
	order    []uint8
	reads    []bool
	source   *request.Source
	schedule *Schedule // open loop

	clients []*client
	queue   clientQueue // those that can take a batch
	staged  []*client   // those that got one in this turn

	base    time.Time // the run's clock starts here
	now     int64     // the clock as of this turn
	ticked  bool      // now was read in this turn
	turnEnd int64     // the clock at the end of the last turn
	gapEnd  int64     // when the last long gap ended

	running    bool
	stopping   bool  // nothing more is sent
	recordFrom int64 // the measured window
	recordTo   int64
	left       int64 // requests still to be sent; MaxInt64 for a run by time

	chunk       [request.MaxCommands]int64 // replies since the last settle, by command
	counts      []counts                   // by command
	hists       []*latency.Hist            // by command
	undisturbed *latency.Hist              // open loop: without those that a long gap touched
	lateness    *latency.Hist              // open loop: how late batches were sent, the generator's fault
	gaps        *latency.Hist              // open loop: from turn to turn

	turns                int64 // in which anything arrived or was sent
	done, errors, misses int64
	errorText            string
	lost                 int // connections the server closed
	unanswered, unsent   int64

	tally tally // atomic; written by the loop, read by the coordinator
	run   *run
	ended bool // nothing more to do, and nothing more is counted
}

type counts struct{ ops, nulls, errors int64 }

// tally is what the coordinator may see while the loop runs.
type tally struct {
	_                    [64]byte
	done, errors, misses atomic.Int64
	_                    [64]byte
}

func newWorker(r *run, index int, loop *reactor.Loop) *worker {
	c := r.config
	n := len(c.Mix.Commands)
	w := &worker{
		index: index, loop: loop, config: c, base: r.base, run: r,
		memcache: c.Protocol == request.Memcache, open: c.Rate > 0,
		commands: c.Mix.Commands, order: c.Mix.Order,
		source:      request.NewSource(c.walker(index), c.Request),
		counts:      make([]counts, n),
		undisturbed: latency.New(), lateness: latency.New(), gaps: latency.New(),
		recordFrom: math.MaxInt64, recordTo: math.MaxInt64, left: math.MaxInt64,
	}
	for _, command := range c.Mix.Commands {
		w.hists = append(w.hists, latency.New())
		w.reads = append(w.reads, command.Reads)
	}
	if c.Requests > 0 {
		w.left = share(c.Requests, index, c.Threads)
	}
	return w
}

// expect makes room for the loop's share of the connections.
func (w *worker) expect(conns int) {
	w.clients = make([]*client, 0, conns)
	w.queue = newQueue(conns)
	w.staged = make([]*client, 0, conns)
}

func (w *worker) clock() int64 { return int64(time.Since(w.base)) }

// tick reads the clock once a turn, and finds out whether the loop was away
// before replies are judged by it.
func (w *worker) tick() {
	if w.ticked {
		return
	}
	w.ticked = true
	w.now = w.clock()
	if w.open && w.now-w.turnEnd > int64(longGap) {
		w.gapEnd = w.now
	}
}

// begin starts the load; run by a message on the loop's thread.
func (w *worker) begin(start, recordFrom, recordTo int64) {
	w.running = true
	w.recordFrom, w.recordTo = recordFrom, recordTo
	w.turnEnd = w.clock()
	if w.open {
		batches := w.config.Rate / float64(w.config.Pipeline)
		w.schedule = NewSchedule(start, batches, w.index, w.config.Threads, w.config.Poisson, w.config.Seed)
	}
}

// Opened implements reactor.Handler.
func (w *worker) Opened(c *reactor.Conn) {
	cl := c.Data.(*client)
	cl.conn = c
	w.clients = append(w.clients, cl)
	if len(w.order) > 0 {
		// Connections do not march in step: each starts elsewhere in the mix.
		cl.sendPos = int(w.source.Keys.Rand().Below(uint64(len(w.order))))
		cl.readPos = cl.sendPos
	}
	if !cl.start(w.config.Setup) {
		w.release(cl)
	}
}

// Received implements reactor.Handler.
func (w *worker) Received(c *reactor.Conn, b []byte) {
	if w.ended {
		return // the coordinator reads what was counted
	}
	w.tick()
	w.received(c.Data.(*client), b)
}

// Sent implements reactor.Handler. The reply may have come before.
func (w *worker) Sent(c *reactor.Conn, _ []byte) {
	cl := c.Data.(*client)
	if cl.pending == 0 {
		w.tick()
		cl.freedAt = w.now
		w.release(cl)
	}
}

// EOF implements reactor.Handler.
func (w *worker) EOF(c *reactor.Conn) { c.Close() }

// Closed implements reactor.Handler. A connection that ends before the load
// does takes its requests with it and is not replaced: servers are not
// supposed to do that.
func (w *worker) Closed(c *reactor.Conn, err error) {
	if w.ended {
		return
	}
	cl := c.Data.(*client)
	w.lost++
	w.unanswered += int64(cl.pending)
	w.errors += int64(cl.pending)
	cl.pending = 0
	if w.errorText == "" {
		w.errorText = errLost.Error()
		if err != nil && !errors.Is(err, reactor.ErrStopped) {
			w.errorText = err.Error()
		}
	}
	if cl.setup > 0 || !w.running {
		w.fail(fmt.Errorf("connection ended before the load began: %s", w.errorText))
	} else if w.lost == cap(w.clients) {
		w.fail(fmt.Errorf("all connections are lost: %s", w.errorText))
	}
}

func (w *worker) fail(err error) {
	select {
	case w.run.failed <- err:
	default: // another error is being reported already
	}
}

// Turn implements reactor.Handler.
func (w *worker) Turn() time.Duration {
	sleep := time.Duration(-1)
	if w.running {
		if w.open {
			w.turnOpen()
			sleep = 0
		} else {
			w.turnClosed()
		}
		w.tally.done.Store(w.done)
		w.tally.errors.Store(w.errors)
		w.tally.misses.Store(w.misses)
		w.finish()
	}
	if w.ticked && !w.open && !w.ended { // once ended, the figures are another goroutine's
		w.turns++
	}
	w.ticked = false
	return sleep
}

// turnClosed sends on every connection whose batch was answered.
func (w *worker) turnClosed() {
	if w.stopping {
		return
	}
	for w.queue.n > 0 && w.left > 0 {
		cl := w.queue.pop()
		if !cl.idle() {
			continue // it was lost meanwhile
		}
		n := int(min(int64(w.config.Pipeline), w.left))
		w.left -= int64(n)
		w.build(cl, n)
		w.staged = append(w.staged, cl)
	}
	if len(w.staged) > 0 {
		now := w.clock()
		for _, cl := range w.staged {
			cl.begun = now
		}
		w.staged = w.staged[:0]
	}
}

// turnOpen sends what is due, as far as connections are free. The schedule
// waits for nobody: what finds no connection keeps the time it was due at.
func (w *worker) turnOpen() {
	w.tick()
	for w.queue.n > 0 {
		due := w.schedule.Due()
		if due > w.now || due >= w.recordTo {
			break
		}
		cl := w.queue.pop()
		if !cl.idle() {
			continue
		}
		w.schedule.Advance()
		cl.begun = due
		w.build(cl, w.config.Pipeline)
		w.staged = append(w.staged, cl)
	}
	if w.now >= w.recordFrom && w.now < w.recordTo {
		w.gaps.Record(w.now-w.turnEnd, 1)
	}
	w.turnEnd = w.now
	if len(w.staged) > 0 {
		w.turnEnd = w.clock()
		for _, cl := range w.staged {
			if cl.begun >= w.recordFrom {
				w.lateness.Record(w.turnEnd-max(cl.begun, cl.freedAt), 1)
			}
		}
		w.staged = w.staged[:0]
	}
}

// finish closes finished once the load is over and answered.
func (w *worker) finish() {
	if w.ended {
		return
	}
	over := w.stopping || w.left == 0
	if w.open {
		over = w.schedule.Due() >= w.recordTo
	}
	if !over {
		return
	}
	for _, cl := range w.clients {
		if cl.pending > 0 {
			return
		}
	}
	w.end()
}

func (w *worker) end() {
	w.ended = true
	w.run.finished()
}

// abandon ends the wait for replies. What is still under way, or was never
// sent for want of a free connection, is recorded as having taken until now:
// a stall at the end of a run is as long as it is seen to be.
func (w *worker) abandon() {
	if w.ended {
		return
	}
	now := w.clock()
	for _, cl := range w.clients {
		if cl.pending > 0 {
			w.unanswered += int64(cl.pending)
			w.recordUnanswered(now-cl.begun, cl.begun, int64(cl.pending))
		}
	}
	if w.open {
		for ; w.schedule.Due() < w.recordTo; w.schedule.Advance() {
			w.unsent += int64(w.config.Pipeline)
			w.recordUnanswered(now-w.schedule.Due(), w.schedule.Due(), int64(w.config.Pipeline))
		}
	}
	w.end()
}

func (w *worker) recordUnanswered(ns, begun, n int64) {
	if begun < w.recordFrom || begun >= w.recordTo {
		return
	}
	w.hists[0].Record(ns, n)
	if w.open && begun >= w.gapEnd {
		w.undisturbed.Record(ns, n)
	}
}
