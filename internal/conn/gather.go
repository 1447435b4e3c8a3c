package conn

import (
	"sync/atomic"

	"sherd/internal/command"
	"sherd/internal/reactor"
)

// gather is one question to all loops, asked by a command of c. Every loop
// answers on its own thread and the last one sends the answers home.
type gather struct {
	c    *Conn
	each func(l *command.Local)
	done func(x *command.Ctx)
	left atomic.Int32
	ask  []reactor.Message
	home reactor.Message
}

// waits is what the connection of a gather waits for: nothing to step.
type waits struct{}

func (waits) Step(*command.Ctx) bool { return false }

// Gather runs each on every loop and then done on the loop of x, whose
// connection waits meanwhile.
func (s *Shared) Gather(x *command.Ctx, each func(l *command.Local), done func(x *command.Ctx)) {
	g := &gather{c: x.C.Link.(*Conn), each: each, done: done, ask: make([]reactor.Message, len(s.Workers))}
	g.left.Store(int32(len(s.Workers)))
	g.home.Deliver = func(*reactor.Loop, *reactor.Message) { g.finish() }
	x.Continue(waits{})
	for i, w := range s.Workers {
		g.ask[i].Deliver = func(*reactor.Loop, *reactor.Message) {
			w.local.FlushMemory(s.Keyspace)
			g.each(w.local)
			if g.left.Add(-1) == 0 {
				g.c.w.loop.Post(&g.home)
			}
		}
		w.loop.Post(&g.ask[i])
	}
}

// finish runs on the asking loop.
func (g *gather) finish() {
	c := g.c
	if c.halt&haltClosed != 0 {
		return
	}
	w := c.w
	w.enter(c)
	mark := len(w.x.Out)
	g.done(&w.x)
	if next := w.x.TakeLater(); next != nil {
		c.later = next
		w.finish(c, mark)
		w.listLong(c)
		return
	}
	c.later = nil
	w.finish(c, mark)
	c.goOn(haltLater)
}

// listLong has a long command stepped, unless it only waits for an answer.
func (w *Worker) listLong(c *Conn) {
	if _, idle := c.later.(waits); !idle {
		w.long = append(w.long, c)
	}
}
