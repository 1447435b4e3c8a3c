package conn

import (
	"slices"

	"sherd/internal/command"
	"sherd/internal/reactor"
)

// report is one command on its way to the clients that monitor.
type report struct {
	msg    reactor.Message
	ticket int64
	line   []byte
}

// Monitor makes a client a monitoring one, or ends it. It is called on the
// client's loop.
func (s *Shared) Monitor(c *command.Client, on bool) {
	if c.Monitor == on {
		return
	}
	c.Monitor = on
	conn := c.Link.(*Conn)
	w := conn.w
	if on {
		w.monitors = append(w.monitors, conn)
		s.monitors.Add(1)
	} else {
		w.monitors = slices.DeleteFunc(w.monitors, func(m *Conn) bool { return m == conn })
		s.monitors.Add(-1)
	}
}

// tellMonitors sends the command about to run to every loop, which passes it
// on to the monitoring clients it has. Reports of one loop arrive in order;
// those of different loops are put in order by their ticket as far as they
// arrive in the same turn.
func (w *Worker) tellMonitors(x *command.Ctx) {
	ticket := w.sh.ticket.Add(1)
	line := command.MonitorLine(x)
	for _, to := range w.sh.Workers {
		r := &report{ticket: ticket, line: line}
		r.msg.Deliver = func(*reactor.Loop, *reactor.Message) { to.reports = append(to.reports, r) }
		to.loop.Post(&r.msg)
	}
}

// passReports hands what arrived since the last turn to this loop's monitoring
// clients.
func (w *Worker) passReports() {
	slices.SortFunc(w.reports, func(a, b *report) int { return int(a.ticket - b.ticket) })
	for _, r := range w.reports {
		for _, m := range slices.Clone(w.monitors) {
			m.Push(r.line)
		}
	}
	clear(w.reports)
	w.reports = w.reports[:0]
}
