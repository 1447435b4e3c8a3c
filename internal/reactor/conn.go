package reactor

import (
	"sherd/internal/invariants"
	"sherd/internal/reactor/portable"
)

// Conn is one connection. It belongs to one loop for its whole life and all
// its fields and methods are for that loop's thread only. Closed is its last
// event; after it every method is harmless and does nothing.
type Conn struct {
	// Data is the handler's.
	Data any

	loop   *Loop
	out    []byte           // buffer in flight; nil when none is
	sent   int              // bytes of out that the kernel has taken
	err    error            // why it is being closed; nil after Close
	stream *portable.Stream // portable engine only
	remote string           // cached by RemoteAddr
	fd     int32            // -1: none (portable engine, or closed)
	slot   uint32           // index in loop.table
	gen    uint32           // generation of the slot, part of an operation's tag
	stage  uint32           // uring: number of the last quiet send
	flags  connFlags
}

type connFlags uint32

const (
	flagPaused  connFlags = 1 << iota // the handler wants no more bytes
	flagClosing                       // Close was called or an error ended it
	flagEOF                           // the peer has shut down its side
	flagUnix
	flagQuiet    // the send in flight is a quiet one
	flagReady    // epoll: in the list of connections to read from
	flagWritable // epoll: waits for EPOLLOUT
	flagHup      // epoll: the peer is gone, read on to the end
	flagRecvOp   // uring: a receive is armed
	flagSendOp   // uring: a send is in the kernel's hands
	flagStaged   // uring: a send is staged for the next submission
	flagCancel   // uring: the receive is being cancelled
	flagParked   // uring: waits for buffers
)

func (c *Conn) has(f connFlags) bool { return c.flags&f != 0 }

// Send writes b, the whole of it, and gives it back through Handler.Sent. One
// buffer is in flight at most: after Send, Sending reports true until Sent is
// called. b is not empty and must stay untouched until then. On a connection that is closing b
// is not written and comes back with Closed.
//
// The loop does not sleep before it has called Sent for a buffer that went
// out at once; see SendQuiet for the cheaper form.
func (c *Conn) Send(b []byte) { c.send(b, 0) }

// SendQuiet is Send for a buffer that nothing waits for. When the kernel takes
// it whole, which is the rule, Sent comes with the loop's next turn, whenever
// that is, instead of causing one: it saves a system call for every turn that
// is followed by sleep. Use Send when more output waits for this buffer to
// leave, or when the connection is to be closed after it.
func (c *Conn) SendQuiet(b []byte) { c.send(b, flagQuiet) }

func (c *Conn) send(b []byte, quiet connFlags) {
	if invariants.Enabled && (c.out != nil || len(b) == 0) {
		panic("reactor: Send of nothing, or while a send is in flight")
	}
	c.out = b
	c.sent = 0
	if c.has(flagClosing) {
		return
	}
	c.flags = c.flags&^flagQuiet | quiet
	c.loop.engine.send(c)
}

// sendShare bounds what is written for a connection at a time: a fast reader of
// a huge reply must not keep the kernel copying for it while others wait.
const sendShare = 512 << 10

// unsent is what to write next.
func (c *Conn) unsent() []byte { return c.out[c.sent:min(len(c.out), c.sent+sendShare)] }

// Sending reports whether a buffer is in flight.
func (c *Conn) Sending() bool { return c.out != nil }

// PauseRead stops reading, so that a peer that sends faster than its requests
// are worked off fills its own buffers and not ours. What was already received
// may still be delivered.
func (c *Conn) PauseRead() {
	if c.flags&(flagPaused|flagClosing) == 0 {
		c.flags |= flagPaused
		c.loop.engine.pause(c)
	}
}

// ResumeRead undoes PauseRead.
func (c *Conn) ResumeRead() {
	if c.flags&(flagPaused|flagClosing) == flagPaused {
		c.flags &^= flagPaused
		c.loop.engine.resume(c)
	}
}

// Paused reports whether reading is paused.
func (c *Conn) Paused() bool { return c.has(flagPaused) }

// Close closes the connection and drops the rest of a buffer in flight. Closed
// follows in a later turn, at once in the sense that the loop does not sleep
// before. Nothing else is delivered after Close.
func (c *Conn) Close() { c.fail(nil) }

// Closing reports whether Close was called, or an error ended the connection
// and Closed is due.
func (c *Conn) Closing() bool { return c.has(flagClosing) }

// fail starts the end of c; err is what Closed reports.
func (c *Conn) fail(err error) {
	if c.has(flagClosing) {
		return
	}
	c.flags |= flagClosing
	c.err = err
	c.loop.engine.close(c)
}

// Loop is the loop that c belongs to.
func (c *Conn) Loop() *Loop { return c.loop }

// Fd is the file descriptor, -1 with the portable engine.
func (c *Conn) Fd() int { return int(c.fd) }

// IsUnix reports whether c came through a unix socket.
func (c *Conn) IsUnix() bool { return c.has(flagUnix) }

// RemoteAddr is the peer's host:port, or the socket's path for unix. The first
// call asks the kernel: a connection that is reset before has none.
func (c *Conn) RemoteAddr() string {
	if c.remote == "" {
		c.remote = c.loop.engine.addr(c, true)
	}
	return c.remote
}

// LocalAddr is this side's host:port, or the socket's path for unix.
func (c *Conn) LocalAddr() string { return c.loop.engine.addr(c, false) }

// SetKeepAlive makes the kernel probe an idle peer after that many seconds, as
// Redis' tcp-keepalive does; 0 switches it off. It does nothing for unix.
func (c *Conn) SetKeepAlive(seconds int) {
	if !c.has(flagClosing | flagUnix) {
		c.loop.engine.keepAlive(c, seconds)
	}
}
