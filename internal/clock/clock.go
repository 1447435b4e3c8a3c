// Package clock is the one clock that all loops of a server share.
//
// Expiry is judged against a single millisecond, advanced by whichever loop
// looks first: a key that one loop has reported as expired can never be
// reported as alive by another. The source is handed in, so that tests and
// programs that embed the server can set and advance time.
package clock

import (
	"sync/atomic"
	"time"
)

// Clock is a monotonic reading of wall-clock time in milliseconds since the
// Unix epoch. The zero value is not usable; see New and NewManual.
type Clock struct {
	nowMs  atomic.Int64 // atomic; any loop
	manual atomic.Bool  // atomic; true: only Set and Advance move it
	_      [40]byte     // its own cache line: read by every loop, written once a millisecond
}

// New returns a clock that follows the system's wall clock.
func New() *Clock {
	c := &Clock{}
	c.nowMs.Store(time.Now().UnixMilli())
	return c
}

// NewManual returns a clock that stands at t until Set or Advance moves it.
func NewManual(t time.Time) *Clock {
	c := &Clock{}
	c.nowMs.Store(t.UnixMilli())
	c.manual.Store(true)
	return c
}

// Now returns the shared millisecond. It costs one load.
func (c *Clock) Now() int64 { return c.nowMs.Load() }

// Manual reports whether only Set and Advance move the clock.
func (c *Clock) Manual() bool { return c.manual.Load() }

// Tick advances the shared millisecond to the system's, never backwards, and
// returns it. Loops call it once a turn.
func (c *Clock) Tick() int64 {
	if c.manual.Load() {
		return c.nowMs.Load()
	}
	t := time.Now().UnixMilli()
	for {
		now := c.nowMs.Load()
		if t <= now {
			return now
		}
		if c.nowMs.CompareAndSwap(now, t) {
			return t
		}
	}
}

// Set makes the clock manual and moves it to t. Moving backwards is refused:
// expired keys must stay expired.
func (c *Clock) Set(t time.Time) {
	c.manual.Store(true)
	ms := t.UnixMilli()
	for {
		now := c.nowMs.Load()
		if ms <= now || c.nowMs.CompareAndSwap(now, ms) {
			return
		}
	}
}

// Advance makes the clock manual and moves it forward by d.
func (c *Clock) Advance(d time.Duration) {
	c.manual.Store(true)
	if d > 0 {
		c.nowMs.Add(d.Milliseconds())
	}
}
