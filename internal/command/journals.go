package command

import (
	"sync"

	"sherd/internal/metrics"
)

// Journals keeps what happened that was slow. Writers are commands that were
// slow already, so a lock is good enough.
type Journals struct {
	mu     sync.Mutex
	nextID int64
	slow   []SlowEntry // oldest first
}

// SlowEntry is one entry of SLOWLOG GET.
type SlowEntry struct {
	ID       int64
	UnixSec  int64
	Us       int64
	Args     [][]byte
	Addr     string
	Client   string
	ArgCount int
}

// The most arguments, and bytes of an argument, that an entry keeps.
const (
	slowArgs     = 32
	slowArgBytes = 128
)

// Slow notes a command that took that many ticks.
func (j *Journals) Slow(x *Ctx, ticks uint64) {
	e := SlowEntry{
		UnixSec: x.KS.Clock.Now() / 1000,
		Us:      int64(metrics.Ns(ticks) / 1000),
		Args:    trimArgs(x.Cmd, x.Args),
		Addr:    x.C.Link.RemoteAddr(),
		Client:  x.C.Name,
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	e.ID = j.nextID
	j.nextID++
	if n := len(j.slow) - x.Conf.SlowlogMaxLen + 1; n > 0 {
		j.slow = append(j.slow[:0], j.slow[min(n, len(j.slow)):]...)
	}
	if x.Conf.SlowlogMaxLen > 0 {
		j.slow = append(j.slow, e)
	}
}
