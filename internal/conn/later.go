package conn

import "time"

// stepLong gives every long command one step.
func (w *Worker) stepLong() {
	if len(w.long) == 0 {
		return
	}
	list := w.long
	w.long = nil
	for _, c := range list {
		if c.later == nil {
			continue // closed meanwhile
		}
		w.enter(c)
		var before int64
		if c.unit != nil {
			before = used(c.unit)
		}
		done := c.later.Step(&w.x)
		if c.unit != nil {
			w.local.MemDelta += used(c.unit) - before
		}
		w.leave(c)
		if !done {
			if c.later != nil { // else it was closed
				w.long = append(w.long, c)
			}
			continue
		}
		c.later = nil
		if u := c.unit; u != nil {
			c.unit = nil
			u.Release()
			w.units = append(w.units, u)
		}
		if c.halt&haltClosed == 0 {
			c.goOn(haltLater)
		}
	}
}

// enter makes the context that of a command that goes on.
func (w *Worker) enter(c *Conn) {
	x := &w.x
	x.C = &c.Client
	x.Cmd = c.Last
	x.Args = nil
	x.Keys = x.Keys[:0]
	if x.Out = nil; c.halt&haltClosed == 0 {
		x.Out = c.buffer()
	}
	x.Now = w.sh.Keyspace.Clock.Now()
}

// leave takes the output back.
func (w *Worker) leave(c *Conn) {
	if c.halt&haltClosed != 0 {
		return
	}
	c.out = w.x.Out
	c.touch()
	w.checkOutput(c)
	if len(c.out) >= outputMark && !c.rc.Sending() && c.halt&haltClosed == 0 {
		w.send(c)
	}
}

// endPause lets the connections that CLIENT PAUSE held back go on.
func (w *Worker) endPause() {
	if w.paused != nil && w.paused == w.heldBy {
		return
	}
	w.heldBy = w.paused
	list := w.waiting
	w.waiting = nil
	for _, c := range list {
		c.goOn(haltPaused)
	}
}

// housekeep gives the loop's slices their turn of expiry, freeing and
// defragmentation, and looks through the connections. It returns how long the
// loop may sleep.
func (w *Worker) housekeep(now int64) time.Duration {
	if w.local.SweepOff {
		return w.cron(now)
	}
	sleep := w.keeper.Step(now, w.set.ActiveExpireEffort)
	return sooner(w.cron(now), sleep)
}
