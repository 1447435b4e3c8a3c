package conn

import (
	"sherd/internal/command"
	"sherd/internal/reactor"
)

// Background runs work, which may wait for a disk, on a goroutine of its own,
// and then done on the loop of x, whose connection waits meanwhile.
func (s *Shared) Background(x *command.Ctx, work func() error, done func(x *command.Ctx, err error)) {
	var err error
	g := &gather{c: x.C.Link.(*Conn)}
	g.done = func(x *command.Ctx) { done(x, err) }
	g.home.Deliver = func(*reactor.Loop, *reactor.Message) { g.finish() }
	x.Continue(waits{})
	s.background.Go(func() {
		err = work()
		g.c.w.loop.Post(&g.home)
	})
}

// Wait waits for work in the background to end; the loops have ended.
func (s *Shared) Wait() { s.background.Wait() }
