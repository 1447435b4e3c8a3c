package portable

import (
	"errors"
	"io"
	"net"
	"sync/atomic"
	"time"
)

// readBytes is the size of a stream's receive buffer.
const readBytes = 16 << 10

// Stream is one connection of a Poller. Its methods are the loop's.
type Stream struct {
	p     *Poller
	nc    net.Conn
	owner any
	out   chan []byte   // to the writer; at most one in flight
	again chan struct{} // to the reader: its buffer is free
	quit  chan struct{} // closed by Close
	alive atomic.Int32  // goroutines that have not ended

	waiting bool // the reader waits for Again; the loop's
	paused  bool // the loop's
	closed  bool // the loop's
}

// Open starts to serve nc. owner comes with the stream's events.
func (p *Poller) Open(nc net.Conn, owner any) *Stream {
	s := &Stream{
		p: p, nc: nc, owner: owner,
		out:   make(chan []byte, 1),
		again: make(chan struct{}, 1),
		quit:  make(chan struct{}),
	}
	s.alive.Store(2)
	go s.read()
	go s.write()
	return s
}

func (s *Stream) read() {
	defer s.leave()
	buf := make([]byte, readBytes)
	for {
		n, err := s.nc.Read(buf)
		if n > 0 {
			s.p.post(Event{Kind: Received, Owner: s.owner, Data: buf[:n:n]})
			select {
			case <-s.again:
			case <-s.quit:
				return
			}
		}
		switch {
		case err == nil:
		case errors.Is(err, io.EOF):
			s.p.post(Event{Kind: EOF, Owner: s.owner})
			return
		default:
			s.p.post(Event{Kind: Failed, Owner: s.owner, Err: err})
			return
		}
	}
}

func (s *Stream) write() {
	defer s.leave()
	for {
		select {
		case b := <-s.out:
			if _, err := s.nc.Write(b); err != nil {
				s.p.post(Event{Kind: Failed, Owner: s.owner, Err: err})
				return
			}
			s.p.post(Event{Kind: Sent, Owner: s.owner})
		case <-s.quit:
			return
		}
	}
}

// leave is the end of one of the two goroutines.
func (s *Stream) leave() {
	if s.alive.Add(-1) == 0 {
		s.p.post(Event{Kind: Ended, Owner: s.owner})
	}
}

// Send writes b whole; Sent follows. One buffer is in flight at most.
func (s *Stream) Send(b []byte) { s.out <- b }

// Taken says that a Received event of the stream was seen: its reader waits.
func (s *Stream) Taken() { s.waiting = true }

// Again gives the reader its buffer back and lets it go on, unless the stream
// is paused.
func (s *Stream) Again() {
	if s.waiting && !s.paused && !s.closed {
		s.waiting = false
		s.again <- struct{}{}
	}
}

// Pause keeps the reader from going on after what it reads now.
func (s *Stream) Pause() { s.paused = true }

// Resume undoes Pause. The buffer of a reader that waits is free only after
// the turn: Again lets it go on.
func (s *Stream) Resume() { s.paused = false }

// Close ends the stream; Ended follows.
func (s *Stream) Close() {
	if !s.closed {
		s.closed = true
		close(s.quit)
		_ = s.nc.Close()
	}
}

// Addr is the address of the peer, or of this side.
func (s *Stream) Addr(remote bool) net.Addr {
	if remote {
		return s.nc.RemoteAddr()
	}
	return s.nc.LocalAddr()
}

// KeepAlive makes the system probe an idle peer; 0 seconds switches it off.
func (s *Stream) KeepAlive(seconds int) {
	tc, ok := s.nc.(*net.TCPConn)
	if !ok {
		return
	}
	idle := time.Duration(seconds) * time.Second
	_ = tc.SetKeepAliveConfig(net.KeepAliveConfig{
		Enable: seconds > 0, Idle: idle, Interval: max(time.Second, idle/3), Count: 3,
	})
}
