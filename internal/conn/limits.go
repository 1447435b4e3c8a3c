package conn

import (
	"net/netip"
	"time"

	"sherd/internal/command"
	"sherd/internal/config"
	"sherd/internal/metrics"
)

// protectedText is what a client from elsewhere reads when the server has no
// password and was not told to be open.
const protectedText = "-DENIED Redis is running in protected mode because protected mode is enabled and no password is set for the default user. " +
	"In this mode connections are only accepted from the loopback interface. " +
	"If you want to connect from external computers to Redis you may adopt one of the following solutions: " +
	"1) Just disable protected mode sending the command 'CONFIG SET protected-mode no' from the loopback interface by connecting to Redis from the same host the server is running, however MAKE SURE Redis is not publicly accessible from internet if you do so. Use CONFIG REWRITE to make this change permanent. " +
	"2) Alternatively you can just disable the protected mode by editing the Redis configuration file, and setting the protected mode option to 'no', and then restarting the server. " +
	"3) If you started the server manually just for testing, restart it with the '--protected-mode no' option. " +
	"4) Setup a an authentication password for the default user. " +
	"NOTE: You only need to do one of the above things in order for the server to start accepting connections from the outside.\r\n"

// loopback tells whether an address is this host's.
func loopback(addr string) bool {
	a, err := netip.ParseAddrPort(addr)
	return err == nil && a.Addr().Unmap().IsLoopback()
}

// note logs what happened to a connection.
func (w *Worker) note(c *Conn, what string) {
	w.sh.Log.Debug(what, "client", c.ID, "addr", c.RemoteAddr())
}

// relieve is called when many replies have piled up: they leave now, and if
// they cannot, the connection stops executing until the peer has read.
func (w *Worker) relieve(c *Conn, at int) {
	if c.rc.Sending() {
		c.stop(haltOutput, at)
		return
	}
	w.send(c)
}

// checkOutput closes a connection that leaves more unread than its class may.
func (w *Worker) checkOutput(c *Conn) {
	pending := int64(len(c.out) + c.inFlight)
	if pending < outputMark {
		c.softAt = time.Time{}
		return
	}
	l := &w.set.OutputLimits[config.ClassNormal]
	if l.HardBytes > 0 && pending > l.HardBytes {
		w.overOutput(c)
		return
	}
	if l.SoftBytes == 0 || pending <= l.SoftBytes {
		c.softAt = time.Time{}
		return
	}
	now := time.Now()
	switch {
	case c.softAt.IsZero():
		c.softAt = now
	case now.Sub(c.softAt) > time.Duration(l.SoftSeconds)*time.Second:
		w.overOutput(c)
	}
}

func (w *Worker) overOutput(c *Conn) {
	w.local.Stats.OutputLimitKills++
	w.note(c, "closed: its unread replies exceed client-output-buffer-limit")
	c.close()
}

// weigh counts anew what c holds from one turn to another: kept input, replies
// that wait, a send that is more than the rule, what it has prepared. What a connection only has
// within a turn is the pool's.
func (w *Worker) weigh(c *Conn) {
	n := int64(cap(c.in)+cap(c.out)) + c.KeptBytes()
	if c.inFlight > bufferSize {
		n += int64(c.inFlight)
	}
	w.weight += n - c.weight
	c.weight = n
}

// heldStep is how coarsely the pool is published: its size changes with every
// turn, and others need not hear of a few buffers.
const heldStep = 64 << 10

// publish tells the other loops what this one's buffers take, if that changed.
func (w *Worker) publish() {
	held := w.weight + int64(w.buffers.bytes)&^(heldStep-1)
	if held != w.held.Load() {
		w.held.Store(held)
	}
}

// usedMemory is what maxmemory is compared with: the keyspace, what this turn
// has added to it, and the buffers of all loops.
func (w *Worker) usedMemory() int64 {
	n := w.sh.Keyspace.Used.Load() + w.local.MemDelta
	for _, o := range w.sh.Workers {
		n += o.held.Load()
	}
	return n
}

// cron looks through the connections: idle ones and those that do not read.
// It returns when it is needed again.
func (w *Worker) cron(now int64) time.Duration {
	idle := int64(w.set.TimeoutSeconds) * 1000
	soft := w.set.OutputLimits[config.ClassNormal].SoftBytes > 0
	if idle == 0 && !soft || len(w.local.Clients) == 0 {
		return -1
	}
	if now >= w.cronAt {
		w.cronAt = now + 1000
		for _, cl := range w.local.Clients {
			c := cl.Link.(*Conn)
			if idle > 0 && now-c.ActiveMs > idle && !c.Blocked() {
				w.local.Stats.TimeoutKills++
				w.note(c, "closed: idle")
				c.close()
				continue
			}
			w.checkOutput(c)
		}
	}
	return time.Duration(w.cronAt-now) * time.Millisecond
}

// slow notes a command that took longer than slowlog-log-slower-than, or than
// latency-monitor-threshold.
func (w *Worker) slow(x *command.Ctx, ticks uint64) {
	if ticks >= w.slowFrom && x.Cmd.Flags&command.SkipSlowlog == 0 {
		w.sh.Host.Journals().Slow(x, ticks)
	}
	if ticks >= w.spikeFrom {
		name := "command"
		if x.Cmd.Flags&command.Fast != 0 {
			name = "fast-command"
		}
		w.sh.Host.Journals().Spike(name, x.Now/1000, int64(metrics.Ns(ticks)/1e6))
	}
}
