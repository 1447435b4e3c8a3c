package reactor

import (
	"io"
	"log/slog"
	"time"
)

// Replay drives a handler without a kernel: what its connections receive is
// handed in, what they send is counted and given back at once. It is what the
// work of a loop is measured and profiled with, apart from the sockets. All its
// methods are for one goroutine.
type Replay struct {
	loop *Loop
	sent []*Conn
	// Bytes that the handler has sent.
	Bytes int64
}

// NewReplay makes a loop of the given number that a Replay drives.
func NewReplay(id int, handler func(l *Loop) Handler) *Replay {
	g := &Group{engine: "replay", log: slog.New(slog.NewTextHandler(io.Discard, nil))}
	r := &Replay{loop: &Loop{ID: id, group: g}}
	r.loop.engine = r
	r.loop.handler = handler(r.loop)
	return r
}

// Open makes a connection.
func (r *Replay) Open() *Conn {
	c := &Conn{loop: r.loop, fd: -1, remote: "127.0.0.1:1"}
	r.loop.table.add(c)
	r.loop.conns.Add(1)
	r.loop.handler.Opened(c)
	return c
}

// Receive hands bytes to a connection; they must stay as they are until Turn
// returns.
func (r *Replay) Receive(c *Conn, b []byte) { r.loop.handler.Received(c, b) }

// Turn completes the sends of the turn before, delivers messages and lets the
// handler work.
func (r *Replay) Turn() time.Duration {
	r.poll(0)
	r.loop.deliver()
	return r.loop.handler.Turn()
}

func (r *Replay) poll(time.Duration) {
	for i, c := range r.sent {
		b := c.out
		c.out = nil
		r.Bytes += int64(len(b))
		r.sent[i] = nil
		r.loop.handler.Sent(c, b)
	}
	r.sent = r.sent[:0]
}

func (r *Replay) send(c *Conn)               { r.sent = append(r.sent, c) }
func (r *Replay) close(c *Conn)              { r.loop.closed(c) }
func (r *Replay) open() error                { return nil }
func (r *Replay) attach(*Conn, socket) error { return nil }
func (r *Replay) pause(*Conn)                {}
func (r *Replay) resume(*Conn)               {}
func (r *Replay) addr(*Conn, bool) string    { return "127.0.0.1:1" }
func (r *Replay) keepAlive(*Conn, int)       {}
func (r *Replay) listen(*Listener)           {}
func (r *Replay) unlisten(*Listener)         {}
func (r *Replay) recycle()                   {}
func (r *Replay) wake()                      {}
func (r *Replay) free()                      {}
