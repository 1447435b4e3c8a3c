// Package server puts a server together: keyspace, workers, loops, listeners;
// and takes it apart again.
package server

import (
	"io"
	"log/slog"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"sherd/internal/clock"
	"sherd/internal/command"
	"sherd/internal/config"
	"sherd/internal/conn"
	"sherd/internal/reactor"
	"sherd/internal/shard"
)

// Options are what a host hands in beside the directives.
type Options struct {
	Clock  *clock.Clock // default: the system's
	Logger *slog.Logger // default: none
	// Threads is the number of loops when the directive leaves it open.
	Threads int
	// AnyPort makes port 0 mean a free port instead of none.
	AnyPort bool
	// OwnProcess says that the process is there for the server: its loops need
	// not be considerate of other goroutines.
	OwnProcess bool
}

// Server is a running server.
type Server struct {
	cfg    *config.Store
	log    *slog.Logger
	ks     *shard.Keyspace
	shared *conn.Shared
	group  *reactor.Group
	facts  command.Facts
	notes  command.Journals

	anyPort   bool
	changing  sync.Mutex // held while the listeners are changed, and to begin the end
	mu        sync.Mutex // never held while waiting for a loop
	listeners []listening

	stop      chan struct{} // closed to end what runs beside the loops
	scavenger sync.WaitGroup

	asked   chan struct{} // closed when a client asks for the end
	askOnce sync.Once
	closing atomic.Bool
	closed  chan struct{}
	err     error
}

// Start starts a server. Nothing is left behind when it fails.
func Start(cfg *config.Store, o Options) (_ *Server, err error) {
	set := cfg.Current()
	s := &Server{
		cfg:    cfg,
		log:    o.Logger,
		stop:   make(chan struct{}),
		asked:  make(chan struct{}),
		closed: make(chan struct{}),

		anyPort: o.AnyPort,
	}
	if set.Threads != 0 {
		o.Threads = set.Threads
	}
	if s.log == nil {
		s.log = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	if o.Clock == nil {
		o.Clock = clock.New()
	}
	table, err := renamed(command.Commands(), set.RenamedCommands)
	if err != nil {
		return nil, err
	}
	s.shared = &conn.Shared{
		Table:  table,
		Config: cfg,
		Host:   s,
		Log:    s.log,
		Seed:   rand.Uint64(),
	}
	if s.group, err = reactor.New(reactor.Options{
		Threads:    o.Threads,
		Engine:     set.IOEngine,
		Pin:        set.Pin,
		BriefWaits: o.OwnProcess,
		Logger:     s.log,
		NewHandler: func(l *reactor.Loop) reactor.Handler {
			w := s.shared.NewWorker(l)
			s.shared.Workers = append(s.shared.Workers, w)
			return w
		},
	}); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			s.group.Stop()
			if s.ks != nil {
				_ = s.release()
			}
		}
	}()
	if s.ks, err = shard.New(shard.Options{
		Loops:     len(s.group.Loops),
		Databases: set.Databases,
		Seed:      rand.Uint64(),
		Clock:     o.Clock,
	}); err != nil {
		return nil, err
	}
	s.shared.Open(s.ks)
	s.scavenger.Go(func() { s.ks.Scavenge(s.stop) })
	s.facts = newFacts(s)
	cfg.OnChange(s.apply)
	cfg.AfterChange(s.Wake)
	if err = s.listen(set); err != nil {
		return nil, err
	}
	if err = s.group.Start(); err != nil {
		return nil, err
	}
	return s, nil
}

func renamed(t *command.Table, names []config.Rename) (*command.Table, error) {
	var from, to []string
	for _, r := range names {
		from = append(from, r.From)
		to = append(to, r.To)
	}
	return t.Rename(from, to)
}

// Addr is the first address listened on: host:port, or a socket's path.
func (s *Server) Addr() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.listeners) == 0 {
		return ""
	}
	return s.listeners[0].l.Addr().String()
}

// Engine tells which engine serves, how many loops, and why it is not a better
// one.
func (s *Server) Engine() (name string, loops int, why string) {
	return s.group.Engine(), len(s.group.Loops), s.group.Why()
}

// Clock is the server's clock. Call Wake after moving it.
func (s *Server) Clock() *clock.Clock { return s.ks.Clock }

// Wake makes every loop take a turn, so that what has become due happens.
func (s *Server) Wake() {
	for _, w := range s.shared.Workers {
		w.Wake()
	}
}

// Asked is closed when a client has asked for the end with SHUTDOWN.
func (s *Server) Asked() <-chan struct{} { return s.asked }

// Shutdown is what SHUTDOWN does: it lets whoever runs the server know.
func (s *Server) Shutdown() { s.askOnce.Do(func() { close(s.asked) }) }

// Close stops the server: no new connections, the loops end, memory goes back.
// It may be called more than once.
func (s *Server) Close() error {
	// A change of the listeners under way needs the loops: it ends first, and none
	// begins after it.
	s.changing.Lock()
	again := s.closing.Swap(true)
	s.changing.Unlock()
	if again {
		<-s.closed
		return s.err
	}
	s.group.Stop()
	s.shared.Wait()
	s.err = s.release()
	close(s.closed)
	return s.err
}

// release gives the keyspace's memory back; the loops have ended.
func (s *Server) release() error {
	close(s.stop)
	s.scavenger.Wait()
	return s.ks.Close()
}

// Config is the server's directives.
func (s *Server) Config() *config.Store { return s.cfg }

// Table is the server's commands, under their names here.
func (s *Server) Table() *command.Table { return s.shared.Table }

// Facts tells what INFO says of the server as a whole.
func (s *Server) Facts() command.Facts {
	f := s.facts
	f.Uptime = time.Since(f.Started)
	f.Clients = s.shared.Clients()
	f.Port = s.port()
	return f
}

// Journals keeps SLOWLOG and LATENCY.
func (s *Server) Journals() *command.Journals { return &s.notes }

// Gather asks all loops; see command.Host.
func (s *Server) Gather(x *command.Ctx, each func(l *command.Local), done func(x *command.Ctx)) {
	s.shared.Gather(x, each, done)
}

// Background works off the loop; see command.Host.
func (s *Server) Background(x *command.Ctx, work func() error, done func(x *command.Ctx, err error)) {
	s.shared.Background(x, work, done)
}

// Pause holds commands back; see command.Host.
func (s *Server) Pause(untilMs int64, writesOnly bool) { s.shared.Pause(untilMs, writesOnly) }

// Monitor counts monitoring clients; see command.Host.
func (s *Server) Monitor(c *command.Client, on bool) { s.shared.Monitor(c, on) }

// apply takes a change of the directives over, or vetoes it. What the loops look
// up in the settings needs nothing here.
func (s *Server) apply(old, next *config.Settings) error {
	if err := s.relisten(old, next); err != nil {
		return err
	}
	for _, p := range config.Changes(old, next) {
		s.log.Info("directive changed", "name", p.Name, "value", p.Value)
	}
	return nil
}
