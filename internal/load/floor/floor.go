// Package floor is the constant-answer server: the same reactor and the same
// parser as a real server, and nothing behind them. What it takes to serve a
// load is what no server on this reactor can go below.
//
// It can also stand still for a part of the time, on a clock: the planted stall
// with which the load tool proves that it would have noticed.
package floor

import (
	"net"
	"time"

	"sherd/internal/reactor"
	"sherd/internal/wire/resp"
)

// Options are what a floor server is started with. The zero value serves on one
// loop per CPU with 32-byte values and no stall.
type Options struct {
	Network, Address string // default tcp, 127.0.0.1:0
	Threads          int
	Engine           string
	CPUs             []int // loops are pinned to these; nil: not pinned
	ValueBytes       int   // of the answer to GET; default 32

	// Each Period begins with a Stall in which nothing is answered.
	Stall, Period time.Duration
}

// Server is a running floor server.
type Server struct {
	group    *reactor.Group
	listener *reactor.Listener
}

// Start starts a server.
func Start(o Options) (*Server, error) {
	if o.Network == "" {
		o.Network = "tcp"
	}
	if o.Address == "" {
		o.Address = "127.0.0.1:0"
	}
	if o.ValueBytes == 0 {
		o.ValueBytes = 32
	}
	begun := time.Now()
	answers := newAnswers(o.ValueBytes)
	options := reactor.Options{
		Threads: o.Threads, Engine: o.Engine, BriefWaits: true,
		NewHandler: func(*reactor.Loop) reactor.Handler {
			return &handler{
				answers: answers, limits: resp.DefaultLimits(),
				stall: o.Stall, period: o.Period, begun: begun,
			}
		},
	}
	if len(o.CPUs) > 0 {
		options.Pin, options.CPUs = "on", o.CPUs
	}
	group, err := reactor.New(options)
	if err != nil {
		return nil, err
	}
	listener, err := group.Listen(o.Network, o.Address, 511, 0o700)
	if err != nil {
		group.Stop()
		return nil, err
	}
	if err := group.Start(); err != nil {
		group.Stop()
		return nil, err
	}
	return &Server{group: group, listener: listener}, nil
}

// Addr is where the server listens.
func (s *Server) Addr() net.Addr { return s.listener.Addr() }

// Engine is the reactor's engine.
func (s *Server) Engine() string { return s.group.Engine() }

// Close ends the server.
func (s *Server) Close() { s.group.Stop() }

// handler serves one loop. Owned by the loop.
type handler struct {
	answers *answers
	limits  resp.Limits
	args    [][]byte   // of the request at hand
	staged  []*session // sessions with something to send

	stall, period time.Duration
	begun         time.Time
}

// session is one connection. Owned by its loop.
type session struct {
	conn    *reactor.Conn
	in      []byte // the beginning of a request whose rest has not come
	partial resp.Partial
	out     []byte // answers not yet handed to the kernel
	spare   []byte // the other output buffer, unless the kernel has it
	staged  bool
	ending  bool // close when all is sent
}

// maxOutBytes of unsent answers stop the reading.
const maxOutBytes = 1 << 20

// Opened implements reactor.Handler.
func (h *handler) Opened(c *reactor.Conn) { c.Data = &session{conn: c} }

// Received implements reactor.Handler.
func (h *handler) Received(c *reactor.Conn, b []byte) {
	if h.stall > 0 {
		h.standStill()
	}
	s := c.Data.(*session)
	if len(s.in) > 0 {
		s.in = append(s.in, b...)
		b = s.in
	}
	for len(b) > 0 && !s.ending {
		var n int
		var st resp.Status
		var err *resp.ProtocolError
		if len(s.in) == 0 {
			h.args, n, st, err = resp.Parse(b, h.args[:0], &h.limits)
		} else {
			h.args, n, st, err = s.partial.Resume(b, h.args[:0], &h.limits)
		}
		if st == resp.Incomplete {
			break
		}
		if st == resp.Error {
			s.out = resp.AppendError(s.out, err.Error())
			s.ending = true
			b = nil
			break
		}
		b = b[n:]
		if len(s.in) > 0 { // back to the quick parser
			s.in, s.partial = nil, resp.Partial{}
		}
		if len(h.args) > 0 {
			s.out = h.answers.append(s.out, h.args)
		}
	}
	s.in = append(s.in[:0], b...)
	if len(s.out) > maxOutBytes {
		c.PauseRead()
	}
	h.stage(s)
}

// standStill sleeps until the end of the planted stall, if the clock is in one.
func (h *handler) standStill() {
	if at := time.Since(h.begun) % h.period; at < h.stall {
		time.Sleep(h.stall - at)
	}
}

func (h *handler) stage(s *session) {
	if !s.staged {
		s.staged = true
		h.staged = append(h.staged, s)
	}
}

// EOF implements reactor.Handler.
func (h *handler) EOF(c *reactor.Conn) {
	s := c.Data.(*session)
	s.ending = true
	h.stage(s)
}

// Sent implements reactor.Handler.
func (h *handler) Sent(c *reactor.Conn, b []byte) {
	s := c.Data.(*session)
	s.spare = b[:0]
	if len(s.out) > 0 || s.ending {
		h.stage(s)
	}
	if c.Paused() && len(s.out) <= maxOutBytes/2 {
		c.ResumeRead()
	}
}

// Closed implements reactor.Handler.
func (h *handler) Closed(*reactor.Conn, error) {}

// Turn implements reactor.Handler.
func (h *handler) Turn() time.Duration {
	for _, s := range h.staged {
		s.staged = false
		switch {
		case s.conn.Sending():
		case len(s.out) > 0:
			// A paused connection causes no further turn: what it waits for is Sent.
			if s.ending || s.conn.Paused() {
				s.conn.Send(s.out)
			} else {
				s.conn.SendQuiet(s.out)
			}
			s.out, s.spare = s.spare[:0], nil
		case s.ending:
			s.conn.Close()
		}
	}
	h.staged = h.staged[:0]
	return -1
}
