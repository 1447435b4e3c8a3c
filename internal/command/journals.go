package command

import (
	"slices"
	"strings"
	"sync"

	"sherd/internal/metrics"
)

// Journals keeps what happened that was slow. Writers are commands that were
// slow already, so a lock is good enough.
type Journals struct {
	mu     sync.Mutex
	nextID int64
	slow   []SlowEntry // oldest first
	events map[string]*Event
}

// SlowEntry is one entry of SLOWLOG GET.
type SlowEntry struct {
	ID      int64
	UnixSec int64
	Us      int64
	Args    [][]byte
	Addr    string
	Client  string
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

// SlowLatest returns the latest entries, newest first; all of them with a
// negative count.
func (j *Journals) SlowLatest(count int64) []SlowEntry {
	j.mu.Lock()
	defer j.mu.Unlock()
	n := len(j.slow)
	if count >= 0 && int64(n) > count {
		n = int(count)
	}
	out := make([]SlowEntry, 0, n)
	for i := range n {
		out = append(out, j.slow[len(j.slow)-1-i])
	}
	return out
}

// SlowLen counts the entries.
func (j *Journals) SlowLen() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return len(j.slow)
}

// SlowReset empties the slow log.
func (j *Journals) SlowReset() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.slow = nil
}

// Event is a kind of thing that took longer than latency-monitor-threshold.
type Event struct {
	Name   string
	MaxMs  int64
	Spikes []Spike // oldest first, at most spikesKept, one a second
}

// Spike is one occurrence.
type Spike struct{ UnixSec, Ms int64 }

const spikesKept = 160

// Spike notes that something took long. Of several in one second the worst is
// kept.
func (j *Journals) Spike(name string, unixSec, ms int64) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.events == nil {
		j.events = map[string]*Event{}
	}
	e := j.events[name]
	if e == nil {
		e = &Event{Name: name}
		j.events[name] = e
	}
	e.MaxMs = max(e.MaxMs, ms)
	if n := len(e.Spikes); n > 0 && e.Spikes[n-1].UnixSec == unixSec {
		e.Spikes[n-1].Ms = max(e.Spikes[n-1].Ms, ms)
		return
	}
	if len(e.Spikes) == spikesKept {
		e.Spikes = append(e.Spikes[:0], e.Spikes[1:]...)
	}
	e.Spikes = append(e.Spikes, Spike{unixSec, ms})
}

// Event returns a copy of an event; it is empty if nothing happened.
func (j *Journals) Event(name string) Event {
	j.mu.Lock()
	defer j.mu.Unlock()
	e := j.events[name]
	if e == nil {
		return Event{}
	}
	c := *e
	c.Spikes = slices.Clone(e.Spikes)
	return c
}

// Events returns copies of all events, by name.
func (j *Journals) Events() []Event {
	j.mu.Lock()
	defer j.mu.Unlock()
	var out []Event
	for _, e := range j.events {
		c := *e
		c.Spikes = slices.Clone(e.Spikes)
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b Event) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// ResetEvents forgets the named events, or all, and returns how many.
func (j *Journals) ResetEvents(names []string) int {
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(names) == 0 {
		n := len(j.events)
		j.events = nil
		return n
	}
	n := 0
	for _, name := range names {
		if j.events[name] != nil {
			delete(j.events, name)
			n++
		}
	}
	return n
}
