package conn

import (
	"sherd/internal/command"
	"sherd/internal/metrics"
	"sherd/internal/shard"
	"sherd/internal/store/dash"
	"sherd/internal/txn"
	"sherd/internal/wire/resp"
)

// groupSize is how many commands are staged together: enough to overlap their
// cache misses, few enough for what they touched to still be in the cache when
// they execute.
const groupSize = 64

// staged is a parsed command that waits for its group to execute.
type staged struct {
	c          *Conn
	cmd        *command.Command // nil: unknown
	lo, hi     int32            // its arguments in Worker.args
	start, end int              // its bytes in c.src
	fault      fault
	mute       bool         // part of a command that a planted fault tore
	hash       uint64       // of its only key
	slice      *shard.Slice // of its only key; nil when it has not one
	table      *dash.Table  // where the key was expected when it was staged
	slot       uint64       // of the entry that likely has the key; 0: not known
	version    uint64       // of slice before slot was found
}

// key is the command's only key.
func (w *Worker) key(s *staged, b []byte) command.Key {
	k := command.Key{Bytes: b, Hash: s.hash, Slice: s.slice, Slot: s.slot, Seen: s.version}
	if w.sh.Keyspace.Table(s.c.DB, s.slice) != s.table {
		k.Slot = 0 // a SELECT came between
	}
	return k
}

// fault is what is wrong with a command before it runs.
type fault uint8

const (
	faultNone fault = iota
	faultUnknown
	faultUnknownSub
	faultArity
)

// feed parses what arrived on c, b, or what it kept, and stages the commands.
func (w *Worker) feed(c *Conn, b []byte) {
	if c.flags&flagFed != 0 {
		// A second piece in one turn: finish the first.
		w.execute()
		w.settle(c)
	}
	if c.halt&haltClosed != 0 || c.CloseAfter {
		return
	}
	c.ActiveMs = w.x.Now
	if t := w.local.Stats.Turns; c.turn != t {
		c.turn = t
		c.began = 0
	}
	if len(c.in) > 0 {
		c.in = append(w.roomFor(c, len(b)), b...)
		c.src = c.in
		c.ownSrc = true
	} else {
		c.src = b
		c.ownSrc = false
	}
	c.pos = 0
	c.resume = 0 // a halted connection keeps all of it
	c.flags |= flagFed
	w.fed = append(w.fed, c)
	if int64(len(c.in)) > w.set.QueryBufferBytes {
		w.local.Stats.QueryLimitKills++
		w.note(c, "closed: its query buffer exceeds client-query-buffer-limit")
		c.close()
		return
	}
	w.parse(c)
}

// roomFor returns the kept input with room for n more bytes and for what is
// certain to follow.
func (w *Worker) roomFor(c *Conn, n int) []byte {
	need := max(n, c.partial.Need())
	if cap(c.in)-len(c.in) >= n {
		return c.in
	}
	grown := make([]byte, len(c.in), max(len(c.in)+need, 2*len(c.in)))
	copy(grown, c.in)
	w.giveBuffer(c.in)
	return grown
}

// parse stages the commands of c.src, executing whenever a group is full.
func (w *Worker) parse(c *Conn) {
	for c.pos < len(c.src) && c.halt == 0 && !c.CloseAfter {
		lim := &w.limits
		if !c.Authed {
			lim = &w.strict
		}
		lo := len(w.args)
		var n int
		var st resp.Status
		var err *resp.ProtocolError
		if c.ownSrc {
			w.args, n, st, err = c.partial.Resume(c.src[c.pos:], w.args, lim)
		} else {
			w.args, n, st, err = resp.Parse(c.src[c.pos:], w.args, lim)
		}
		if st == resp.Incomplete {
			return
		}
		if st == resp.Error {
			w.execute()
			if c.halt != 0 || c.CloseAfter {
				return // it is met again when the connection goes on
			}
			w.local.Stats.ProtocolErrors++
			w.protocolError(c, err)
			return
		}
		start := c.pos
		c.pos += n
		if len(w.args) == lo {
			continue // an empty line, or a command of no arguments
		}
		if txn.ReleaseEarly {
			lo = w.tear(c, lo, start)
		}
		w.stage(c, lo, start)
		if w.grouped == groupSize || !c.Authed {
			w.execute()
			// A slice that was handed to a connection of this loop is held until it is
			// told: not for a whole turn, or those who meet it there would have theirs
			// handed over likewise, and so on.
			w.loop.DeliverUrgent()
			w.share(c)
		}
	}
}

// share halts a connection until the next turn when it has had its share of this
// one: what a single client has sent, tens of thousands of commands perhaps, must
// not keep the others waiting.
func (w *Worker) share(c *Conn) {
	now := metrics.Ticks()
	if c.began == 0 {
		c.began = now // most send no more than a group at a time: they never come here twice
		return
	}
	if now-c.began >= w.shareOf && c.halt == 0 && !c.CloseAfter && c.pos < len(c.src) {
		c.stop(haltShare, c.pos)
		w.local.Stats.TurnsShared++
		w.shared = append(w.shared, c)
	}
}

// protocolError replies and closes.
func (w *Worker) protocolError(c *Conn, err *resp.ProtocolError) {
	c.out = resp.AppendError(c.buffer(), err.Error())
	w.local.Stats.ErrorReplies++
	w.local.Errors["ERR"]++
	w.note(c, err.Error())
	c.CloseAfter = true
	c.touch()
}

// stage looks a command up and finds its key's place.
func (w *Worker) stage(c *Conn, lo, start int) {
	s := &w.group[w.grouped]
	w.grouped++
	args := w.args[lo:]
	s.c = c
	s.lo, s.hi = int32(lo), int32(len(w.args))
	s.start, s.end = start, c.pos
	s.slice = nil
	s.slot = 0
	s.fault = faultNone
	s.mute = false
	cmd := w.sh.Table.Lookup(args[0])
	if cmd == nil {
		s.cmd = nil
		s.fault = faultUnknown
		return
	}
	if cmd.Sub != nil && len(args) > 1 {
		sub := cmd.Subcommand(args[1])
		if sub == nil {
			s.cmd = cmd
			s.fault = faultUnknownSub
			return
		}
		cmd = sub
	}
	s.cmd = cmd
	if !cmd.ArityOK(len(args)) || cmd.Run == nil {
		s.fault = faultArity
		return
	}
	// A read like EXISTS that is given one key may be answered like one that takes one.
	if cmd.Reach == command.ReachOne || cmd.Peek != nil && len(args) == 2 {
		s.hash, s.slice = w.sh.Keyspace.Locate(args[cmd.FirstKey()])
		s.table = w.sh.Keyspace.Table(c.DB, s.slice)
	}
}

// settle keeps what c has not worked off for a later turn.
func (w *Worker) settle(c *Conn) {
	if c.flags&flagFed == 0 {
		return
	}
	c.flags &^= flagFed
	rest := c.src[c.pos:]
	if c.halt != 0 {
		rest = c.src[c.resume:]
		if c.resume != c.pos {
			c.partial = resp.Partial{}
		}
	}
	c.src = nil
	if c.halt&haltClosed != 0 || c.CloseAfter {
		rest = nil
	}
	switch {
	case len(rest) == 0:
		if c.in != nil {
			w.giveBuffer(c.in)
			c.in = nil
		}
	case c.ownSrc:
		if len(rest) < len(c.in) {
			c.in = c.in[:copy(c.in, rest)]
		}
	default:
		in := w.takeBuffer()
		if len(rest) > cap(in) {
			w.giveBuffer(in)
			in = make([]byte, 0, len(rest))
		}
		c.in = append(in, rest...)
	}
	if c.halt != 0 && len(c.in) >= keepInput {
		c.rc.PauseRead()
	} else if c.rc.Paused() {
		c.rc.ResumeRead()
	}
}

// tear is the planted fault of a test build: an MSET becomes one MSET for each
// pair, so that others see half of it. It returns where the last one's
// arguments begin; the others are staged and do not reply.
func (w *Worker) tear(c *Conn, lo, start int) int {
	args := w.args[lo:]
	if cmd := w.sh.Table.Lookup(args[0]); cmd == nil || cmd.Name != "mset" || len(args)%2 == 0 {
		return lo
	}
	for i := 1; ; i += 2 {
		if w.grouped == groupSize-1 {
			w.execute()
		}
		at := len(w.args)
		w.args = append(w.args, args[0], args[i], args[i+1])
		if i+2 >= len(args) {
			return at
		}
		w.stage(c, at, start)
		w.group[w.grouped-1].mute = true
	}
}
