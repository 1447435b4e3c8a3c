package conn

import (
	"sherd/internal/command"
	"sherd/internal/reactor"
)

// report is one command on its way to the clients that monitor.
type report struct {
	msg    reactor.Message
	ticket int64
	line   []byte
}

// Monitor counts a monitoring client in or out.
func (s *Shared) Monitor(c *command.Client, on bool) {
	if c.Monitor == on {
		return
	}
	c.Monitor = on
	if on {
		s.monitors.Add(1)
	} else {
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
		r.msg.Deliver = func(*reactor.Loop, *reactor.Message) { to.report(r) }
		to.loop.Post(&r.msg)
	}
}

// report hands a line to this loop's monitoring clients.
func (w *Worker) report(r *report) {
	for _, cl := range w.local.Clients {
		if cl.Monitor {
			cl.Link.Push(r.line)
		}
	}
}
