package conn

import (
	"time"

	"sherd/internal/command"
	"sherd/internal/reactor"
	"sherd/internal/txn"
	"sherd/internal/wire/resp"
)

// Conn is one client's connection. It is owned by its loop.
type Conn struct {
	command.Client

	rc   *reactor.Conn
	w    *Worker
	halt halt

	// Input. src is what is being parsed in this turn: the bytes that just
	// arrived, or in. Everything before pos has been parsed; a halted connection
	// goes on at resume.
	src     []byte
	pos     int
	resume  int
	ownSrc  bool   // src is in
	in      []byte // input kept from one turn to another; nil when there is none
	partial resp.Partial
	turn    int64  // the last turn that parsed of it
	began   uint64 // ticks when its first whole group of that turn had run; 0: it has not

	// Output. out is being filled; the buffer in flight is the reactor's.
	out      []byte
	inFlight int       // bytes of the buffer in flight
	softAt   time.Time // since when the soft output limit is exceeded
	weight   int64     // what Worker.weight counts for the connection

	unit  *txn.Unit     // while it waits for slices
	later command.Later // while a long command is under way

	flags flags
}

// halt says why the connection's next command does not run now; 0: it may.
type halt uint8

const (
	haltLatch  halt = 1 << iota // a slice is held by somebody else
	haltLater                   // a long command is under way
	haltOutput                  // its replies are not read fast enough
	haltPaused                  // CLIENT PAUSE
	haltShare                   // has had its share of the turn
	haltClosed                  // being closed; nothing runs any more
)

type flags uint8

const (
	flagDirty   flags = 1 << iota // in Worker.dirty
	flagFed                       // in Worker.fed: src is to be settled
	flagReady                     // in Worker.ready
	flagEOF                       // the peer sends nothing more
	flagCounted                   // counts as a client
	flagGranted                   // unit holds all slices of the next command
)

// wanted says how much unread reply data a connection may pile up before it
// stops executing: beyond it the peer has to read first.
const outputMark = 1 << 20

// keepInput is how much input a halted connection keeps before it stops
// reading.
const keepInput = 64 << 10

// stop halts the connection; the command that ends or begins at offset at of
// src is the next to run.
func (c *Conn) stop(why halt, at int) {
	if c.halt == 0 {
		c.resume = at
	}
	c.halt |= why
}

// goOn lifts a halt. If it was the last one the connection is worked off in
// this turn.
func (c *Conn) goOn(why halt) {
	c.halt &^= why
	if c.halt == 0 && c.flags&flagReady == 0 {
		c.flags |= flagReady
		c.w.ready = append(c.w.ready, c)
	}
}

// RemoteAddr is the peer's address.
func (c *Conn) RemoteAddr() string { return c.rc.RemoteAddr() }

// LocalAddr is this side's address.
func (c *Conn) LocalAddr() string { return c.rc.LocalAddr() }

// Fd is the file descriptor, -1 on the portable engine.
func (c *Conn) Fd() int { return c.rc.Fd() }

// IsUnix reports whether the client came through the unix socket.
func (c *Conn) IsUnix() bool { return c.rc.IsUnix() }

// Blocked reports whether the connection waits.
func (c *Conn) Blocked() bool { return c.halt&(haltLatch|haltLater|haltPaused) != 0 }

// Query tells the input buffer's use.
func (c *Conn) Query() (filled, free, args int) {
	return len(c.in), cap(c.in) - len(c.in), 0
}

// Output tells what has not left yet.
func (c *Conn) Output() (filled, queued, memory int) {
	if c.inFlight > 0 {
		queued = 1
	}
	return len(c.out), queued, cap(c.out) + c.inFlight
}

// Kill closes the connection at once.
func (c *Conn) Kill() { c.close() }

// Push appends to the output from outside a command.
func (c *Conn) Push(b []byte) {
	if c.halt&haltClosed != 0 {
		return
	}
	c.out = append(c.buffer(), b...)
	c.touch()
	c.w.checkOutput(c)
}

// buffer returns the output buffer to append to.
func (c *Conn) buffer() []byte {
	if c.out == nil {
		c.out = c.w.takeBuffer()
	}
	return c.out
}

// touch has the output sent at the end of the turn.
func (c *Conn) touch() {
	if c.flags&flagDirty == 0 {
		c.flags |= flagDirty
		c.w.dirty = append(c.w.dirty, c)
	}
}

// close ends the connection: what waits is given up, what was not sent dropped.
// A long command that writes goes on to its end: nobody may see half of it.
func (c *Conn) close() {
	if c.halt&haltClosed != 0 {
		return
	}
	c.halt |= haltClosed
	if c.later == nil || c.unit == nil || c.Last.Flags&command.Write == 0 {
		if c.unit != nil {
			c.unit.Abandon()
			c.unit = nil
		}
		c.later = nil
	}
	c.rc.Close()
}
