// Package gen is the load generator: loops of the reactor that send requests
// and time the replies. What a closed and an open loop are, see package load.
//
// # A turn
//
// The reactor delivers what arrived; replies are counted and, chunk by chunk,
// recorded with the time at which the turn began: one clock reading for all.
// Then Turn builds the batches that can go and hands each to its connection;
// a second reading, taken when all are built, is when they were sent. The
// reactor gives all of them to the kernel with one system call.
//
// An open loop never sleeps: it polls, looks at the clock, and sends what is
// due. So it needs a CPU of its own.
package gen

import (
	"errors"
	"fmt"
	"time"

	"sherd/internal/load/keyspace"
	"sherd/internal/load/request"
)

// Config describes a run.
type Config struct {
	Network, Address string // "tcp" and host:port, or "unix" and a path
	Protocol         request.Protocol
	Mix              *request.Mix
	Request          request.Options // keys and value sizes, as the mix was compiled with

	Threads  int // loops
	Conns    int // in all
	Pipeline int // requests per batch

	// Rate is the requests per second of an open loop; 0 makes a closed loop.
	Rate    float64
	Poisson bool // batches are due at random rather than evenly spaced

	Warmup   time.Duration // load before the measured window
	Duration time.Duration // the measured window
	Requests int64         // ends a run after so many requests instead; closed loop only
	Drain    time.Duration // how long to wait for replies after the end; default 5 s

	// Setup is sent first on every connection (RESP), one command each: AUTH,
	// SELECT, HELLO. An error reply to it ends the run.
	Setup [][]string

	Engine string // of the reactor
	CPUs   []int  // loops are pinned to these, round and round; nil: not pinned
	Seed   uint64

	// Window is called by Run when the measured window begins and when it ends,
	// for whoever reads other counters over the same time.
	Window func(begins bool)
	// Progress is called about twice a second, if set; in an open loop less often.
	Progress func(Progress)
}

// Progress is how a run stands.
type Progress struct {
	Elapsed  time.Duration // since the load began, warm-up included
	Total    time.Duration // of the run; 0 when it ends by count
	Requests int64         // to be sent in all; 0 when it ends by time
	Done     int64
	PerSec   float64 // since the last call
	Errors   int64
	Misses   int64
}

func (c *Config) check() error {
	switch {
	case c.Mix == nil:
		return errors.New("no commands")
	case c.Threads < 1 || c.Threads > 1024:
		return fmt.Errorf("%d threads: want 1 to 1024", c.Threads)
	case c.Conns < c.Threads:
		return fmt.Errorf("%d connections: want at least one for each of the %d threads", c.Conns, c.Threads)
	case c.Pipeline < 1 || c.Pipeline > 1<<20:
		return fmt.Errorf("pipeline %d: want 1 to %d", c.Pipeline, 1<<20)
	case c.Rate < 0 || c.Rate > 1e10:
		return fmt.Errorf("rate %g is out of range", c.Rate)
	case c.Rate > 0 && c.Requests > 0:
		return errors.New("an open loop ends by time, not by a count of requests")
	case c.Requests == 0 && c.Duration <= 0:
		return errors.New("neither a duration nor a count of requests")
	case c.Protocol == request.Memcache && len(c.Setup) > 0:
		return errors.New("memcached has no AUTH, SELECT or HELLO")
	}
	if c.Network == "" {
		c.Network = "tcp"
	}
	if c.Drain <= 0 {
		c.Drain = 5 * time.Second
	}
	return nil
}

// share is how many of a count fall to loop index of total.
func share(count int64, index, total int) int64 {
	return (count + int64(total-1-index)) / int64(total)
}

// walker draws the keys of loop index.
func (c *Config) walker(index int) *keyspace.Walker {
	return keyspace.NewWalker(c.Request.Keys, c.Seed, index, c.Threads)
}
