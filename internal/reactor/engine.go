package reactor

import (
	"net"
	"time"
)

// engine is how a loop speaks with the kernel. Its methods are called by the
// loop's thread except where they say otherwise. One indirect call per send
// and per turn is what the choice of three costs.
type engine interface {
	// open prepares the engine; the first call on the loop's thread.
	open() error

	// attach takes over an open socket for c, which is in the loop's table, and
	// starts to read.
	attach(c *Conn, s socket) error

	// send starts to write c.out from c.sent on.
	send(c *Conn)

	pause(c *Conn)
	resume(c *Conn)

	// close ends all that is in flight for c, which has flagClosing, and closes
	// the socket. It calls nothing of the handler's: loop.closed(c) is called
	// from a later poll.
	close(c *Conn)

	addr(c *Conn, remote bool) string
	keepAlive(c *Conn, seconds int)

	// listen and unlisten start and stop accepting; loop 0 only. unlisten closes
	// the listener's socket in the end.
	listen(ln *Listener)
	unlisten(ln *Listener)

	// poll hands the kernel what is staged, waits (sleep as in Handler.Turn) and
	// delivers the events. It must not wait while an event is due that the
	// engine itself holds back.
	poll(sleep time.Duration)

	// recycle takes back the receive buffers of the turn.
	recycle()

	// wake ends a poll that sleeps. Any goroutine.
	wake()

	// free gives everything back. All connections are closed.
	free()
}

// socket is an open connection before it has a loop: a descriptor, or a
// net.Conn for the portable engine.
type socket struct {
	fd   int
	nc   net.Conn
	unix bool
}

// discard closes a socket that finds no loop.
func (s socket) discard() {
	if s.nc != nil {
		_ = s.nc.Close()
		return
	}
	closeFd(s.fd)
}
