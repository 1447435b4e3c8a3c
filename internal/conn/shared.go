package conn

import (
	"log/slog"
	"sync"
	"sync/atomic"

	"sherd/internal/command"
	"sherd/internal/config"
	"sherd/internal/reactor"
	"sherd/internal/shard"
)

// Shared is what the workers of one server have in common. Its fields are set
// before the loops start and fixed from then on, unless they are atomic.
type Shared struct {
	Keyspace *shard.Keyspace
	Table    *command.Table
	Config   *config.Store
	Host     command.Host
	Log      *slog.Logger
	Seed     uint64

	Workers []*Worker // by loop

	lastID   atomic.Int64 // client ids
	clients  atomic.Int64 // connected clients; changed on connect and disconnect only
	monitors atomic.Int32
	ticket   atomic.Int64 // order of commands while somebody monitors
	pause    atomic.Pointer[pause]

	background sync.WaitGroup
}

// pause is what CLIENT PAUSE set.
type pause struct {
	untilMs    int64
	writesOnly bool
}

// Clients is the number of connected clients.
func (s *Shared) Clients() int64 { return s.clients.Load() }

// NewWorker makes the handler of a loop.
func (s *Shared) NewWorker(l *reactor.Loop) *Worker {
	w := &Worker{
		loop:  l,
		sh:    s,
		local: command.NewLocal(l.ID, s.Table, s.Seed),
	}
	w.local.Rates = func(nowMs int64) (float64, float64, float64) { return w.sampler.rates(nowMs, &w.local.Stats) }
	w.local.Pooled = func() int64 { return int64(w.buffers.bytes) }
	w.x = command.Ctx{L: w.local, Host: s.Host}
	w.reload()
	return w
}

// Open gives the workers their keyspace, which is made once the number of loops
// is known, before they run.
func (s *Shared) Open(k *shard.Keyspace) {
	s.Keyspace = k
	for _, w := range s.Workers {
		w.x.KS = k
		w.keeper = k.NewKeeper(w.loop.ID)
		w.local.Keeper = &w.keeper.Counts
	}
}

// Pause holds commands back until the clock reaches untilMs.
func (s *Shared) Pause(untilMs int64, writesOnly bool) {
	if untilMs == 0 {
		s.pause.Store(nil)
	} else {
		s.pause.Store(&pause{untilMs, writesOnly})
	}
	for _, w := range s.Workers {
		w.Wake()
	}
}
