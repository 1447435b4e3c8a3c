package conn

import (
	"sync/atomic"
	"time"

	"sherd/internal/command"
	"sherd/internal/config"
	"sherd/internal/metrics"
	"sherd/internal/reactor"
	"sherd/internal/shard"
	"sherd/internal/store/dash"
	"sherd/internal/txn"
	"sherd/internal/wire/resp"
)

// Worker works off what its loop's connections send. It is owned by the loop.
type Worker struct {
	loop   *reactor.Loop
	sh     *Shared
	local  *command.Local
	x      command.Ctx
	keeper *shard.Keeper

	set       *config.Settings
	limits    resp.Limits // of authenticated clients
	strict    resp.Limits // before authentication
	slowFrom  uint64      // ticks; commands that take longer enter the slow log
	spikeFrom uint64      // ticks; commands that take longer are latency events
	lookFrom  uint64      // ticks; the smaller of both
	eachFrom  uint64      // ticks; where lookFrom is less, short reads are timed one by one
	shareOf   uint64      // ticks; how long a turn works for one connection
	monitor   bool        // somebody monitors
	paused    *pause
	heldBy    *pause // the pause that the waiting connections have been judged by

	segments []segment
	args     [][]byte
	group    [groupSize]staged
	grouped  int
	fed      []*Conn // parsed from in this turn
	ready    []*Conn // no longer halted
	shared   []*Conn // halted until the next turn
	waiting  []*Conn // held back by CLIENT PAUSE
	long     []*Conn // with a long command under way
	dirty    []*Conn // with replies to send
	buffers  buffers
	weight   int64 // bytes of the connections' weights
	units    []*txn.Unit
	addrs    addresses
	staging  bool // touch buckets and entries of a group before it executes
	peeking  bool // answer short reads without a latch

	// held is the last published figure of what the loop's buffers take; any loop
	// reads it, so that it stands on a line of its own.
	_    [64]byte
	held atomic.Int64
	_    [64]byte

	monitors []*Conn   // of this loop
	reports  []*report // for them
	sampler  sampler
	cronAt   int64 // ms; next time the connections are looked through
	awoken   atomic.Bool
	wake     reactor.Message
}

// segment is what one receive delivered.
type segment struct {
	c *Conn
	b []byte
}

// Local is the loop's state for commands; see command.Ctx.Gather for when it
// may be looked at.
func (w *Worker) Local() *command.Local { return w.local }

// reload takes over the directives; called when they have changed.
func (w *Worker) reload() {
	s := w.sh.Config.Current()
	w.set = s
	w.x.Conf = s
	w.limits = resp.DefaultLimits()
	w.limits.MaxBulk = s.ProtoMaxBulkBytes
	w.strict = w.limits.BeforeAuth()
	w.slowFrom = ^uint64(0)
	if s.SlowlogSlowerThanUs >= 0 {
		w.slowFrom = uint64(float64(s.SlowlogSlowerThanUs) * 1000 / metrics.NsPerTick())
	}
	w.spikeFrom = ^uint64(0)
	if s.LatencyMonitorThresholdMs > 0 {
		w.spikeFrom = uint64(float64(s.LatencyMonitorThresholdMs) * 1e6 / metrics.NsPerTick())
	}
	w.lookFrom = min(w.slowFrom, w.spikeFrom)
	w.eachFrom = uint64(1e6 / metrics.NsPerTick()) // 1 ms, long for a group of them
	w.shareOf = w.eachFrom
	w.staging = s.StagedTurns && dash.PeekSafe
	w.peeking = s.Optimistic && dash.PeekSafe
}

// Wake makes the loop take a turn, from any goroutine.
func (w *Worker) Wake() {
	if !w.awoken.Swap(true) {
		w.wake.Deliver = func(*reactor.Loop, *reactor.Message) { w.awoken.Store(false) }
		w.loop.Post(&w.wake)
	}
}

// Opened takes in a new connection, or turns it away.
func (w *Worker) Opened(rc *reactor.Conn) {
	if w.sh.Config.Current() != w.set {
		w.reload()
	}
	c := &Conn{rc: rc, w: w}
	rc.Data = c
	c.Link = c
	c.ID = w.sh.lastID.Add(1)
	c.Proto = max(w.set.DefaultProtocol, 2)
	c.Authed = w.set.RequirePass == ""
	c.CreatedMs = w.sh.Keyspace.Clock.Now()
	c.ActiveMs = c.CreatedMs
	if w.sh.clients.Add(1) > int64(w.set.MaxClients) {
		w.sh.clients.Add(-1)
		w.local.Stats.Rejected++
		w.refuse(c, "-ERR max number of clients reached\r\n")
		return
	}
	if w.set.ProtectedMode && w.set.RequirePass == "" && !rc.IsUnix() && !loopback(rc.RemoteAddr()) {
		w.sh.clients.Add(-1)
		w.local.Stats.DeniedProtected++
		w.refuse(c, protectedText)
		return
	}
	c.flags |= flagCounted
	w.local.Stats.Connections++
	w.local.Clients[c.ID] = &c.Client
	if w.set.KeepaliveSeconds > 0 {
		rc.SetKeepAlive(w.set.KeepaliveSeconds)
	}
}

// refuse sends a last word to a connection that is not taken in.
func (w *Worker) refuse(c *Conn, text string) {
	c.CloseAfter = true
	c.halt |= haltOutput
	c.out = append(c.buffer(), text...)
	c.touch()
}

// Received keeps what arrived until the turn.
func (w *Worker) Received(rc *reactor.Conn, b []byte) {
	c := rc.Data.(*Conn)
	w.local.Stats.NetIn += int64(len(b))
	w.local.Stats.ReadsProcessed++
	c.NetIn += int64(len(b))
	w.segments = append(w.segments, segment{c, b})
}

// EOF ends the connection once what it sent has been answered.
func (w *Worker) EOF(rc *reactor.Conn) {
	c := rc.Data.(*Conn)
	c.flags |= flagEOF
	c.touch()
}

// Sent takes a send buffer back.
func (w *Worker) Sent(rc *reactor.Conn, b []byte) {
	c := rc.Data.(*Conn)
	w.local.Stats.NetOut += int64(len(b))
	w.local.Stats.WritesProcessed++
	c.NetOut += int64(len(b))
	c.inFlight = 0
	w.giveBuffer(b)
	if c.weight != 0 {
		w.weigh(c)
	}
	if c.halt&haltOutput != 0 && !c.CloseAfter {
		c.goOn(haltOutput)
	}
	c.touch()
}

// Closed forgets a connection.
func (w *Worker) Closed(rc *reactor.Conn, _ error) {
	c := rc.Data.(*Conn)
	c.close()
	if c.Monitor {
		w.sh.Host.Monitor(&c.Client, false)
	}
	if c.flags&flagCounted != 0 {
		c.flags &^= flagCounted
		w.sh.clients.Add(-1)
		delete(w.local.Clients, c.ID)
	}
	if c.out != nil {
		w.giveBuffer(c.out)
		c.out = nil
	}
	if c.in != nil && c.flags&flagFed == 0 {
		w.giveBuffer(c.in)
		c.in = nil
	}
	c.inFlight = 0
	c.Forget()
	w.weigh(c)
}

// Turn works off everything that came since the last one.
func (w *Worker) Turn() time.Duration {
	now := w.sh.Keyspace.Clock.Tick()
	w.x.Now = now
	w.local.Stats.Turns++
	if w.sh.Config.Current() != w.set {
		w.reload()
	}
	w.monitor = w.sh.monitors.Load() > 0
	if len(w.reports) > 0 {
		w.passReports()
	}
	w.paused = w.sh.pause.Load()
	if w.paused != nil && now >= w.paused.untilMs {
		w.paused = nil
	}
	if len(w.waiting) > 0 {
		w.endPause()
	}

	for i, c := range w.shared {
		c.goOn(haltShare)
		w.shared[i] = nil
	}
	w.shared = w.shared[:0]
	for i := range w.segments {
		w.feed(w.segments[i].c, w.segments[i].b)
		w.segments[i] = segment{}
	}
	w.segments = w.segments[:0]
	for len(w.ready) > 0 {
		w.workOffReady()
	}
	w.execute()
	for _, c := range w.fed {
		w.settle(c)
		if c.in != nil || c.weight != 0 || c.KeptBytes() != 0 {
			w.weigh(c)
		}
	}
	w.fed = w.fed[:0]
	w.args = w.args[:0]

	w.stepLong()
	sleep := w.housekeep(now)
	w.sendAll()
	w.publish()
	w.local.FlushMemory(w.sh.Keyspace)
	w.sampler.sample(now, &w.local.Stats)
	if len(w.ready) > 0 || len(w.long) > 0 || len(w.shared) > 0 {
		return 0
	}
	if len(w.waiting) > 0 && w.paused != nil {
		sleep = sooner(sleep, time.Duration(w.paused.untilMs-now)*time.Millisecond)
	}
	return sleep
}

// workOffReady feeds the connections that may go on, from what they kept.
func (w *Worker) workOffReady() {
	list := w.ready
	w.ready = nil
	for _, c := range list {
		c.flags &^= flagReady
		if c.halt != 0 {
			continue
		}
		w.feed(c, nil)
	}
	if w.ready == nil {
		clear(list)
		w.ready = list[:0]
	}
}

// sendAll starts one send for every connection that has replies.
func (w *Worker) sendAll() {
	for i, c := range w.dirty {
		w.dirty[i] = nil
		c.flags &^= flagDirty
		if c.halt&haltClosed != 0 {
			continue
		}
		if c.rc.Sending() {
			w.weigh(c)
			continue
		}
		if len(c.out) > 0 {
			w.send(c)
			if c.inFlight > bufferSize {
				w.weigh(c)
			}
			continue
		}
		if c.CloseAfter || c.flags&flagEOF != 0 && c.halt&^haltOutput == 0 && c.flags&flagReady == 0 {
			c.close()
		}
	}
	w.dirty = w.dirty[:0]
}

// send hands the output buffer to the reactor.
func (w *Worker) send(c *Conn) {
	b := c.out
	c.out = nil
	c.inFlight = len(b)
	if c.halt != 0 || c.CloseAfter || c.flags&flagEOF != 0 {
		c.rc.Send(b)
	} else {
		c.rc.SendQuiet(b)
	}
}

// sooner returns the shorter of two sleeps, where negative is no limit.
func sooner(a, b time.Duration) time.Duration {
	if a < 0 || b >= 0 && b < a {
		return b
	}
	return a
}
