package reactor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"sync"
	"sync/atomic"
)

// Options says how a Group is made. The zero value of a field is its default.
type Options struct {
	Threads int    // loops; default: as many as CPUs the process may use
	Engine  string // auto, uring, epoll or portable; default auto

	// Pin is on, off or auto. Only on sets the affinity of the loops' threads:
	// loop i runs on CPUs[i % len(CPUs)], by default the CPUs the process may
	// use. auto is off here, since a library has no business pinning its host's
	// threads: a host binary that wants pinning resolves auto to on itself.
	Pin  string
	CPUs []int

	// Spin makes the loops poll instead of sleep, for a load generator that
	// must not be late. It takes a CPU per loop.
	Spin bool

	// BriefWaits lets busy loops wait without telling the Go scheduler; see wait.go.
	// It is for a program whose loops are what it is for, not for a library's host:
	// while such a wait lasts, the loop's P is of no use to other goroutines.
	BriefWaits bool

	// NewHandler makes the handler of a loop. It is called by New, in the order
	// of the loops, before any of them runs.
	NewHandler func(l *Loop) Handler

	Logger *slog.Logger // default: none

	// ReceiveBytes is the memory for received bytes of one loop and turn;
	// default 1 MiB. What does not fit waits in the kernel for the next turn.
	ReceiveBytes int

	// uring is what the uring engine may use; nil: what the kernel can do. Tests
	// set it to be what an older kernel offers.
	uring *uringFeatures
}

// Group is a set of loops that share listeners.
type Group struct {
	Loops []*Loop

	options Options
	log     *slog.Logger
	engine  string
	why     string

	running sync.WaitGroup // loops
	dials   sync.WaitGroup // Dial's goroutines
	ctx     context.Context
	cancel  context.CancelFunc
	next    atomic.Uint32 // where the search for the emptiest loop begins

	stopOnce  sync.Once
	mu        sync.Mutex // never held while waiting for a loop
	phase     phase
	listeners map[*Listener]struct{}
}

type phase int

const (
	made phase = iota
	started
	stopped
)

// New makes a group and finds out which engine it will use. Nothing runs
// before Start.
func New(o Options) (*Group, error) {
	if o.NewHandler == nil {
		return nil, errors.New("reactor: no handler")
	}
	if o.Threads <= 0 {
		o.Threads = max(1, min(runtime.GOMAXPROCS(0), len(usableCPUs())))
	}
	if o.ReceiveBytes <= 0 {
		o.ReceiveBytes = 1 << 20
	}
	o.ReceiveBytes = max(o.ReceiveBytes, 64<<10)
	switch o.Pin {
	case "", "auto", "off", "on":
	default:
		return nil, fmt.Errorf("reactor: pin must be auto, on or off, not %q", o.Pin)
	}
	if len(o.CPUs) == 0 {
		o.CPUs = usableCPUs()
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	o.BriefWaits = o.BriefWaits && canWaitBriefly()
	engine, why, err := chooseEngine(&o)
	if err != nil {
		return nil, err
	}
	g := &Group{options: o, log: o.Logger, engine: engine, why: why, listeners: map[*Listener]struct{}{}}
	g.ctx, g.cancel = context.WithCancel(context.Background())
	for i := range o.Threads {
		g.Loops = append(g.Loops, &Loop{ID: i, group: g})
	}
	for _, l := range g.Loops {
		l.handler = o.NewHandler(l)
	}
	return g, nil
}

// Engine is the engine in use: uring, epoll or portable.
func (g *Group) Engine() string { return g.engine }

// Why says why the engine is not a better one; empty when it is what was asked
// for, or the best.
func (g *Group) Why() string { return g.why }

// Start starts the loops. Listeners made before begin to accept.
func (g *Group) Start() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.phase != made {
		return errors.New("reactor: group was started before")
	}
	err := g.startLoops()
	if err != nil && g.engine == "uring" && (g.options.Engine == "" || g.options.Engine == "auto") {
		// The probe's ring could be had, but not one per loop.
		g.engine, g.why = "epoll", err.Error()
		err = g.startLoops()
	}
	if err != nil {
		return err
	}
	g.phase = started
	for ln := range g.listeners {
		ln.start()
	}
	return nil
}

func (g *Group) startLoops() error {
	results := make(chan error, len(g.Loops))
	for _, l := range g.Loops {
		l.engine = newEngine(g.engine, l)
		l.state.Store(awake)
		l.stopped.Store(false)
	}
	for _, l := range g.Loops {
		g.running.Add(1)
		go l.run(results)
	}
	var first error
	for range g.Loops {
		if err := <-results; err != nil && first == nil {
			first = fmt.Errorf("reactor: %s: %w", g.engine, err)
		}
	}
	if first != nil {
		g.stopLoops()
	}
	return first
}

func (g *Group) stopLoops() {
	for _, l := range g.Loops {
		l.stopped.Store(true)
		l.rouse()
	}
	g.running.Wait()
}

// Stop closes the listeners and all connections (Closed is called for each),
// ends the loops and gives everything back: when it returns there is no
// goroutine and no descriptor left. It may be called more than once, and
// before Start, but not on a loop's thread.
func (g *Group) Stop() { g.stopOnce.Do(g.stop) }

func (g *Group) stop() {
	g.mu.Lock()
	running := g.phase == started
	g.phase = stopped
	listeners := g.listeners
	g.listeners = nil
	g.mu.Unlock()

	g.cancel()
	for ln := range listeners {
		ln.end(running)
	}
	// Dialled sockets are in their loops' inboxes when this returns, accepted
	// ones since the listeners ended: nothing arrives at a loop that is gone.
	g.dials.Wait()
	if running {
		g.stopLoops()
	}
}

// emptiest is the loop with the fewest connections, those on their way
// included. Loops that have equally many take turns.
func (g *Group) emptiest() *Loop {
	n := uint32(len(g.Loops))
	if n == 1 {
		return g.Loops[0]
	}
	from := g.next.Add(1)
	best := g.Loops[from%n]
	for i := uint32(1); i < n; i++ {
		if l := g.Loops[(from+i)%n]; l.conns.Load() < best.conns.Load() {
			best = l
		}
	}
	return best
}
