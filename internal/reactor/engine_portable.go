package reactor

import (
	"time"

	"sherd/internal/reactor/portable"
)

// portableEngine serves a loop through package net.
type portableEngine struct {
	l         *Loop
	p         *portable.Poller
	taken     []*portable.Stream // their readers wait for the end of the turn
	acceptors map[*Listener]*portable.Acceptor
}

func newPortableEngine(l *Loop) engine { return &portableEngine{l: l, p: portable.New()} }

func (e *portableEngine) open() error {
	e.acceptors = map[*Listener]*portable.Acceptor{}
	return nil
}

func (e *portableEngine) free() {}
func (e *portableEngine) wake() { e.p.Wake() }

func (e *portableEngine) attach(c *Conn, s socket) error {
	c.stream = e.p.Open(s.nc, c)
	return nil
}

func (e *portableEngine) send(c *Conn) { c.stream.Send(c.out) }

func (e *portableEngine) pause(c *Conn) { c.stream.Pause() }

func (e *portableEngine) resume(c *Conn) {
	c.stream.Resume()
	e.taken = append(e.taken, c.stream)
}

func (e *portableEngine) close(c *Conn) { c.stream.Close() }

func (e *portableEngine) addr(c *Conn, remote bool) string {
	if remote && c.IsUnix() {
		if a := c.stream.Addr(true).String(); a != "" && a != "@" {
			return a
		}
		return c.stream.Addr(false).String()
	}
	return c.stream.Addr(remote).String()
}

func (e *portableEngine) keepAlive(c *Conn, seconds int) { c.stream.KeepAlive(seconds) }

func (e *portableEngine) listen(ln *Listener) { e.acceptors[ln] = e.p.Accept(ln.nl, ln) }

func (e *portableEngine) unlisten(ln *Listener) { e.acceptors[ln].Close() }

func (e *portableEngine) recycle() {
	for i, s := range e.taken {
		e.taken[i] = nil
		s.Again()
	}
	e.taken = e.taken[:0]
}

func (e *portableEngine) poll(sleep time.Duration) {
	if sleep != 0 && !e.l.fallAsleep() {
		sleep = 0
	}
	events := e.p.Wait(sleep)
	e.l.getUp()
	for i := range events {
		switch owner := events[i].Owner.(type) {
		case *Conn:
			e.connEvent(owner, &events[i])
		case *Listener:
			e.listenerEvent(owner, &events[i])
		}
	}
}

func (e *portableEngine) connEvent(c *Conn, ev *portable.Event) {
	if ev.Kind == portable.Ended {
		if c.has(flagClosing) {
			e.l.closed(c)
		}
		return
	}
	if c.has(flagClosing) {
		return
	}
	switch ev.Kind {
	case portable.Received:
		c.stream.Taken()
		e.taken = append(e.taken, c.stream)
		e.l.handler.Received(c, ev.Data)
	case portable.EOF:
		c.flags |= flagEOF
		e.l.handler.EOF(c)
	case portable.Sent:
		b := c.out
		c.out = nil
		e.l.handler.Sent(c, b)
	case portable.Failed:
		c.fail(ev.Err)
	}
}

func (e *portableEngine) listenerEvent(ln *Listener, ev *portable.Event) {
	switch ev.Kind {
	case portable.Accepted:
		s := socket{fd: -1, nc: ev.Conn}
		if ln.ending {
			s.discard()
			return
		}
		ln.accepted(e.l, s)
	case portable.Refused:
		ln.warn(ev.Err)
	case portable.Done:
		delete(e.acceptors, ln)
		ln.closed()
	}
}
