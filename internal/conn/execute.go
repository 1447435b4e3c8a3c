package conn

import (
	"time"

	"sherd/internal/command"
	"sherd/internal/metrics"
	"sherd/internal/shard"
	"sherd/internal/txn"
	"sherd/internal/wire/resp"
)

// execute runs the group.
func (w *Worker) execute() {
	n := w.grouped
	if n == 0 {
		return
	}
	w.grouped = 0
	if n > 1 && w.staging {
		w.touchGroup(n)
	}
	// Nothing stands against an optimistic read here that could not be seen below.
	glances := w.peeking && !w.monitor && w.paused == nil
	t := metrics.Ticks()
	for i := 0; i < n; {
		s := &w.group[i]
		if s.c.halt != 0 || s.c.CloseAfter {
			i++
			continue
		}
		if glances && s.slice != nil && s.cmd.Peek != nil {
			if k := w.glanceAll(i, n); k > i {
				t = w.timed(k-1, k-i, t)
				i = k
				continue
			}
		}
		t = w.run(s, t)
		i++
	}
}

// glanceAll answers commands from group[i] on by optimistic reads, as long as they
// are the same one and succeed, and returns where it stopped.
func (w *Worker) glanceAll(i, n int) int {
	cmd := w.group[i].cmd
	for ; i < n; i++ {
		s := &w.group[i]
		c := s.c
		if s.cmd != cmd || s.slice == nil || !c.Authed || c.Reply != command.ReplyOn ||
			c.halt != 0 || c.CloseAfter || c.flags&flagGranted != 0 {
			break
		}
		x := &w.x
		x.Args = w.args[s.lo:s.hi]
		x.C = &c.Client
		x.Cmd = cmd
		x.Out = c.buffer()
		x.Keys = append(x.Keys[:0], w.key(s, x.Args[cmd.FirstKey()]))
		if !cmd.Peek(x) {
			break
		}
		c.Last = cmd
		c.Calls++
		c.out = x.Out
		if c.flags&flagDirty == 0 {
			c.touch()
		}
		if len(c.out) >= outputMark || !c.softAt.IsZero() {
			w.checkOutput(c)
			if c.halt == 0 && len(c.out) >= outputMark {
				w.relieve(c, s.end)
			}
		}
		if w.lookFrom < w.eachFrom {
			return i + 1 // even short times are asked for: take each command's
		}
	}
	return i
}

// timed accounts n calls of one command, the last of them group[last], that began
// at t, each with its share of the time: to ask the cycle counter costs as much as
// a part of a short read, and the parts are alike.
func (w *Worker) timed(last, n int, t uint64) uint64 {
	s := &w.group[last]
	cmd := s.cmd
	now := metrics.Ticks()
	took := now - t
	w.local.Stats.Commands += int64(n)
	w.local.Timing[cmd.ID].RecordAll(took, n, w.set.LatencyTracking)
	if took >= w.lookFrom {
		// One of them was held up, and it will have been the thread.
		w.x.Args, w.x.C, w.x.Cmd = w.args[s.lo:s.hi], &s.c.Client, cmd
		w.slow(&w.x, took)
	}
	return now
}

// run executes one command; t is when the one before it ended, and the result
// is when this one did.
func (w *Worker) run(s *staged, t uint64) uint64 {
	c := s.c
	cmd := s.cmd
	x := &w.x
	x.Args = w.args[s.lo:s.hi]
	x.C = &c.Client
	x.Cmd = cmd
	x.Out = c.buffer()
	x.Keys = x.Keys[:0]
	mark := len(x.Out)
	if c.Reply == command.SkipNext {
		c.Reply = command.SkipThis
	}
	if c.flags&flagGranted == 0 && !w.admit(s) {
		if c.halt != 0 {
			return t
		}
		w.finish(c, mark)
		return metrics.Ticks()
	}
	if w.monitor && cmd.Flags&(command.SkipMonitor|command.Admin) == 0 && c.flags&flagGranted == 0 {
		w.tellMonitors(x)
	}
	if !w.reach(s) {
		return t
	}
	c.Last = cmd
	c.Calls++
	w.local.Stats.Commands++
	now := metrics.Ticks()
	took := now - t
	w.local.Timing[cmd.ID].Record(took, w.set.LatencyTracking)
	if took >= w.lookFrom {
		w.slow(x, took)
	}
	if later := x.TakeLater(); later != nil {
		c.later = later
		c.stop(haltLater, s.end)
		w.listLong(c)
	}
	w.finish(c, mark)
	if txn.ReleaseEarly && s.mute {
		c.out = c.out[:mark]
		for torn := time.Now(); time.Since(torn) < 300*time.Microsecond; {
			// Long enough for another loop to look; a sleep would take longer.
		}
	}
	if c.halt == 0 && len(c.out) >= outputMark {
		w.relieve(c, s.end)
	}
	return now
}

// finish takes the reply over from the context.
func (w *Worker) finish(c *Conn, mark int) {
	out := w.x.Out
	if c.Reply != command.ReplyOn {
		switch c.Reply {
		case command.ReplyOff:
			out = out[:mark]
		case command.SkipThis:
			out = out[:mark]
			if c.later == nil {
				c.Reply = command.ReplyOn
			}
		}
	}
	c.out = out
	if c.flags&flagDirty == 0 {
		c.touch()
	}
	w.checkOutput(c)
}

// admit refuses what may not run, with the reply Redis gives, or holds it back.
func (w *Worker) admit(s *staged) bool {
	x, c, cmd := &w.x, s.c, s.cmd
	if s.fault != faultNone {
		w.faulty(s)
		return false
	}
	if cmd.Flags&command.Protected != 0 && !w.set.EnableDebug.Allows(x.Local()) {
		x.Error(command.DebugText)
		w.local.Timing[cmd.ID].Rejected++
		return false
	}
	if !c.Authed && cmd.Flags&command.NoAuth == 0 {
		x.Error("NOAUTH Authentication required.")
		w.local.Timing[cmd.ID].Rejected++
		return false
	}
	if cmd.Flags&command.DenyOOM != 0 && w.set.MaxMemoryBytes > 0 && w.usedMemory() > w.set.MaxMemoryBytes {
		x.Error("OOM command not allowed when used memory > 'maxmemory'.")
		w.local.Stats.OOMRefused++
		w.local.Timing[cmd.ID].Rejected++
		return false
	}
	if w.paused != nil && (!w.paused.writesOnly || cmd.Flags&command.Changes != 0) {
		c.stop(haltPaused, s.start)
		w.waiting = append(w.waiting, c)
		return false
	}
	return true
}

// faulty replies to a command that does not exist or has the wrong number of
// arguments.
func (w *Worker) faulty(s *staged) {
	x := &w.x
	w.local.Stats.Unexpected++
	switch s.fault {
	case faultUnknown:
		x.Cmd = nil
		x.Error(command.UnknownText(x.Args))
	case faultUnknownSub:
		x.Error(command.UnknownSubText(s.cmd, x.Args))
	default:
		x.Arity()
	}
	if s.cmd != nil {
		w.local.Timing[s.cmd.ID].Rejected++
		w.local.Timing[s.cmd.ID].Failed--
	}
}

// reach latches what the command touches, runs it and releases. It returns
// false when it has to wait; the connection is halted then.
func (w *Worker) reach(s *staged) bool {
	x, c, cmd := &w.x, s.c, s.cmd
	reach := cmd.Reach
	if cmd.Wide != nil && cmd.Wide(x.Args) {
		reach = command.ReachAll
	}
	switch reach {
	case command.ReachNone, command.ReachOwn:
		cmd.Run(x)
		return true
	case command.ReachOne:
		x.Keys = append(x.Keys, w.key(s, x.Args[cmd.FirstKey()]))
		if c.flags&flagGranted != 0 {
			break
		}
		if cmd.Peek != nil && w.peeking && cmd.Peek(x) {
			return true
		}
		if s.slice.Try() || s.slice.Spin() {
			w.runLatched(s.slice)
			return true
		}
		u := w.takeUnit(c)
		u.Add(s.slice)
		return w.acquire(s, u)
	case command.ReachMany:
		x.Locate()
		if c.flags&flagGranted != 0 {
			break
		}
		u := w.takeUnit(c)
		x.AddSlices(u)
		return w.acquire(s, u)
	case command.ReachAll:
		if c.flags&flagGranted != 0 {
			break
		}
		u := w.takeUnit(c)
		u.AddAll(w.sh.Keyspace)
		return w.acquire(s, u)
	}
	u := c.unit
	c.unit = nil
	c.flags &^= flagGranted
	w.runUnit(u)
	return true
}

// runLatched runs a command that holds the slice of its only key.
func (w *Worker) runLatched(s *shard.Slice) {
	x := &w.x
	if x.Cmd.Flags&command.Changes == 0 {
		x.Cmd.Run(x)
		if x.TakeKeep() {
			w.keepLatched(s)
			return
		}
		s.ReleaseUnchanged()
		return
	}
	before := s.Heap.Used()
	x.Cmd.Run(x)
	w.local.MemDelta += s.Heap.Used() - before
	if x.TakeKeep() {
		w.keepLatched(s)
		return
	}
	s.Release()
}

// keepLatched keeps a slice for a command that goes on.
func (w *Worker) keepLatched(s *shard.Slice) {
	c := w.x.C.Link.(*Conn)
	c.unit = w.takeUnit(c)
	c.unit.Adopt(s)
}

// acquire latches a unit and runs the command, or halts the connection until
// the unit is ready.
func (w *Worker) acquire(s *staged, u *txn.Unit) bool {
	if u.Acquire() {
		w.runUnit(u)
		return true
	}
	w.local.Stats.LatchWaits++
	s.c.unit = u
	s.c.stop(haltLatch, s.start)
	return false
}

// runUnit runs a command that holds all its slices.
func (w *Worker) runUnit(u *txn.Unit) {
	x := &w.x
	if x.Cmd.Flags&command.Changes == 0 {
		x.Cmd.Run(x)
	} else {
		before := used(u)
		x.Cmd.Run(x)
		w.local.MemDelta += used(u) - before
	}
	if x.TakeKeep() {
		u.Owner.(*Conn).unit = u
		return
	}
	if x.Cmd.Flags&command.Changes == 0 {
		u.ReleaseUnchanged()
	} else {
		u.Release()
	}
	w.units = append(w.units, u)
}

func used(u *txn.Unit) (n int64) {
	for _, s := range u.Slices() {
		n += s.Heap.Used()
	}
	return n
}

// takeUnit returns an empty unit that works for c.
func (w *Worker) takeUnit(c *Conn) *txn.Unit {
	var u *txn.Unit
	if n := len(w.units); n > 0 {
		u = w.units[n-1]
		w.units = w.units[:n-1]
	} else {
		u = new(txn.Unit)
		u.Init(w.loop, w.granted)
	}
	u.Reset()
	u.Owner = c
	return u
}

// granted goes on with a connection whose unit holds all its slices: the command
// is run at once. No commands are staged at that moment.
func (w *Worker) granted(u *txn.Unit) {
	c := u.Owner.(*Conn)
	w.settle(c) // if it was fed in this turn
	w.x.Now = w.sh.Keyspace.Clock.Tick()
	c.halt &^= haltLatch
	c.flags |= flagGranted
	lo := len(w.args)
	var n int
	var st resp.Status
	w.args, n, st, _ = resp.Parse(c.in, w.args[:lo], &w.limits)
	if st != resp.OK {
		panic("conn: a command that waited for its slices cannot be parsed again")
	}
	c.src, c.ownSrc, c.pos = c.in, true, n
	c.flags |= flagFed
	w.stage(c, lo, 0)
	w.execute()
	w.settle(c)
	w.args = w.args[:lo]
	if c.halt == 0 {
		c.goOn(0)
	}
}
