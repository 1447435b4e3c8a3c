package command

import (
	"math/rand/v2"

	"sherd/internal/metrics"
	"sherd/internal/shard"
	"sherd/internal/store/dash"
)

// Local is what a loop keeps for the commands that run on it: counters, memory
// deltas, scratch space. It is owned by the loop; others read it through
// Ctx.Gather. There is no shared counter.
type Local struct {
	Loop    int
	Stats   Stats
	Timing  []metrics.Timing // by command ID
	Errors  map[string]int64 // by the error's first word
	Clients map[int64]*Client
	Rand    *rand.Rand
	Keeper  *shard.KeeperCounts // of the loop's housekeeping

	// SweepOff stops the loop's housekeeping, for tests of lazy expiry.
	SweepOff bool

	// Rates tells commands, bytes read and bytes written per second; Pooled how
	// many bytes of buffers wait to be used again. The loop sets both.
	Rates  func(nowMs int64) (commands, in, out float64)
	Pooled func() int64

	// MemDelta is what this loop's commands have allocated less what they have
	// freed since it was last added to Keyspace.Used.
	MemDelta int64

	entries []dash.Entry // scratch of SCAN, KEYS and the like
	hits    []geoHit     // scratch of GEOSEARCH and the like
}

// Stats are a loop's counters, in the order of INFO stats.
type Stats struct {
	Connections       int64
	Rejected          int64
	Commands          int64
	NetIn, NetOut     int64
	Expired           int64
	ExpiredStaleCalls int64
	ExpireCycleCPUNs  int64
	Hits, Misses      int64
	ErrorReplies      int64
	Unexpected        int64 // commands refused before they ran
	Failed            int64 // commands that ended in an error
	Dirty             int64 // changes of the keyspace
	QueryLimitKills   int64
	OutputLimitKills  int64
	TimeoutKills      int64
	OptimisticReads   int64
	OptimisticRetries int64
	LatchWaits        int64
	Turns             int64
	TurnsShared       int64 // a connection's input was left for the next turn
	ReadsProcessed    int64
	WritesProcessed   int64
	ProtocolErrors    int64
	DeniedProtected   int64
	OOMRefused        int64
	DefragHits        int64
	DefragMisses      int64
	FreedSlices       int64
}

// Add sums another loop's counters into s.
func (s *Stats) Add(o *Stats) {
	s.Connections += o.Connections
	s.Rejected += o.Rejected
	s.Commands += o.Commands
	s.NetIn += o.NetIn
	s.NetOut += o.NetOut
	s.Expired += o.Expired
	s.ExpiredStaleCalls += o.ExpiredStaleCalls
	s.ExpireCycleCPUNs += o.ExpireCycleCPUNs
	s.Hits += o.Hits
	s.Misses += o.Misses
	s.ErrorReplies += o.ErrorReplies
	s.Unexpected += o.Unexpected
	s.Failed += o.Failed
	s.Dirty += o.Dirty
	s.QueryLimitKills += o.QueryLimitKills
	s.OutputLimitKills += o.OutputLimitKills
	s.TimeoutKills += o.TimeoutKills
	s.OptimisticReads += o.OptimisticReads
	s.OptimisticRetries += o.OptimisticRetries
	s.LatchWaits += o.LatchWaits
	s.Turns += o.Turns
	s.TurnsShared += o.TurnsShared
	s.ReadsProcessed += o.ReadsProcessed
	s.WritesProcessed += o.WritesProcessed
	s.ProtocolErrors += o.ProtocolErrors
	s.DeniedProtected += o.DeniedProtected
	s.OOMRefused += o.OOMRefused
	s.DefragHits += o.DefragHits
	s.DefragMisses += o.DefragMisses
	s.FreedSlices += o.FreedSlices
}

// NewLocal makes the state of one loop.
func NewLocal(loop int, t *Table, seed uint64) *Local {
	return &Local{
		Loop:    loop,
		Timing:  make([]metrics.Timing, t.IDs()),
		Errors:  map[string]int64{},
		Clients: map[int64]*Client{},
		Rand:    rand.New(rand.NewPCG(seed, uint64(loop))),
	}
}

// FlushMemory adds the loop's delta to the keyspace's total.
func (l *Local) FlushMemory(k *shard.Keyspace) {
	if l.MemDelta != 0 {
		k.Used.Add(l.MemDelta)
		l.MemDelta = 0
	}
}
