package reactor

import (
	"errors"
	"io"
	"time"

	"golang.org/x/sys/unix"

	"sherd/internal/reactor/epoll"
)

// epollEngine serves a loop through epoll: edge-triggered, one receive per
// connection that has something, one send per Send.
//
// All bytes of a turn are received into one region that begins anew every
// turn, so that it stays in the cache however many connections there are. What
// finds no room is read in the next turn.
type epollEngine struct {
	l      *Loop
	p      *epoll.Poller
	region []byte
	used   int // bytes of region handed out this turn

	ready   []*Conn // may have bytes to read, in the order of their events
	turning []*Conn // ready of the turn before, while it is worked off
	sent    []*Conn // their buffer is written, Sent is due
	telling []*Conn // sent of the turn before, while it is worked off
	dying   []*Conn // Closed is due
	starved int64   // how often the region had no room for a connection
	prompt  bool    // one of sent wants Sent without sleep

	listeners []*Listener // by tag; nil where closed
	events    [512]epoll.Event
}

const (
	// A receive is offered at most so much, and at least so much.
	receiveMost  = 64 << 10
	receiveLeast = 4 << 10

	// A connection gets at most so much per turn before others have theirs.
	receiveShare = 256 << 10

	// A listener accepts at most so many per turn.
	acceptShare = 128

	// listenerTag marks the tag of a listener.
	listenerTag = uint64(1) << 63
)

func (e *epollEngine) open() (err error) {
	if e.p, err = epoll.New(); err != nil {
		return err
	}
	e.region, err = unix.Mmap(-1, 0, e.l.group.options.ReceiveBytes, unix.PROT_READ|unix.PROT_WRITE,
		unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		e.p.Close()
	}
	return err
}

func (e *epollEngine) free() {
	e.p.Close()
	_ = unix.Munmap(e.region)
}

func (e *epollEngine) wake() { e.p.Wake() }

func (e *epollEngine) recycle() { e.used = 0 }

func epollTag(c *Conn) uint64 { return uint64(c.slot) | uint64(c.gen)<<32 }

func (e *epollEngine) attach(c *Conn, s socket) error {
	return e.p.Add(s.fd, epoll.Readable, epollTag(c))
}

func (e *epollEngine) send(c *Conn) {
	e.write(c)
	if c.sent == len(c.out) {
		e.prompt = e.prompt || !c.has(flagQuiet)
	}
}

// write writes what there is room for, and arranges for the rest.
func (e *epollEngine) write(c *Conn) {
	b := c.unsent()
	n, errno := epoll.Send(int(c.fd), b)
	if errno != 0 && errno != unix.EAGAIN {
		c.fail(errno)
		return
	}
	if errno == 0 {
		c.sent += n
	}
	switch {
	case c.sent == len(c.out):
		if c.has(flagWritable) {
			c.flags &^= flagWritable
			e.watch(c, epoll.Readable)
		}
		e.sent = append(e.sent, c)
	case !c.has(flagWritable):
		c.flags |= flagWritable
		e.watch(c, epoll.Readable|epoll.Writable)
	case n == len(b):
		// Its share is written and there may be room for more: to ask again
		// makes the edge that goes on with it.
		e.watch(c, epoll.Readable|epoll.Writable)
	}
}

func (e *epollEngine) watch(c *Conn, interest uint32) {
	if err := e.p.Modify(int(c.fd), interest, epollTag(c)); err != nil {
		c.fail(err)
	}
}

func (e *epollEngine) pause(*Conn) {}

func (e *epollEngine) resume(c *Conn) {
	// Edges may have passed while nobody read.
	e.markReady(c)
}

func (e *epollEngine) markReady(c *Conn) {
	if c.flags&(flagReady|flagPaused|flagClosing) == 0 {
		c.flags |= flagReady
		e.ready = append(e.ready, c)
	}
}

func (e *epollEngine) close(c *Conn) { e.dying = append(e.dying, c) }

func (e *epollEngine) poll(sleep time.Duration) {
	due := len(e.ready) > 0 || len(e.dying) > 0 || e.prompt
	if due {
		sleep = 0
	}
	if sleep != 0 && !e.l.fallAsleep() {
		sleep = 0
	}
	var began time.Time
	if sleep != 0 {
		began = e.l.waitBegins()
	}
	n, err := e.p.Wait(e.events[:], sleep, e.l.brief)
	if sleep != 0 {
		e.l.waitEnds(began, n > 0)
	}
	e.l.getUp()
	if err != nil {
		panic("reactor: epoll: " + err.Error())
	}
	e.finish()
	for i := range e.events[:n] {
		e.event(&e.events[i])
	}
	e.receiveAll()
}

// finish tells the handler what was held back.
func (e *epollEngine) finish() {
	e.prompt = false
	e.telling, e.sent = e.sent, e.telling[:0]
	for i, c := range e.telling {
		e.telling[i] = nil
		if !c.has(flagClosing) {
			b := c.out
			c.out = nil
			e.l.handler.Sent(c, b)
		}
	}
	for i := 0; i < len(e.dying); i++ { // Closed may close others
		c := e.dying[i]
		e.dying[i] = nil
		closeFd(int(c.fd))
		e.l.closed(c)
	}
	e.dying = e.dying[:0]
}

func (e *epollEngine) event(ev *epoll.Event) {
	tag, mask := ev.Tag(), ev.Mask()
	if tag == epoll.WakeTag {
		return
	}
	if tag&listenerTag != 0 {
		if ln := e.listeners[uint32(tag)]; ln != nil {
			e.accept(ln)
		}
		return
	}
	c := e.l.table.get(uint32(tag), uint32(tag>>32))
	if c == nil || c.has(flagClosing) {
		return
	}
	if mask&epoll.EventOut != 0 && c.has(flagWritable) {
		e.write(c)
		e.prompt = e.prompt || c.sent == len(c.out)
	}
	if mask&epoll.EventIn == 0 {
		return
	}
	if c.has(flagEOF) {
		// Nothing to read any more: only a reset is news.
		if mask&unix.EPOLLERR != 0 && !c.has(flagClosing) {
			c.fail(socketError(int(c.fd)))
		}
		return
	}
	if mask&(unix.EPOLLRDHUP|unix.EPOLLHUP|unix.EPOLLERR) != 0 {
		// The end stands behind the bytes and makes no edge of its own any more.
		c.flags |= flagHup
	}
	e.markReady(c)
}

// receiveAll reads from the connections that have something, once round.
func (e *epollEngine) receiveAll() {
	e.turning, e.ready = e.ready, e.turning[:0]
	for i, c := range e.turning {
		e.turning[i] = nil
		c.flags &^= flagReady
		if c.flags&(flagPaused|flagClosing|flagEOF) == 0 {
			e.receive(c)
		}
	}
}

func (e *epollEngine) receive(c *Conn) {
	for share := receiveShare; share > 0; {
		room := e.region[e.used:]
		if len(room) < receiveLeast {
			e.starved++
			break
		}
		if len(room) > receiveMost {
			room = room[:receiveMost:receiveMost]
		}
		n, errno := epoll.Receive(int(c.fd), room)
		switch {
		case errno == unix.EAGAIN:
			return
		case errno != 0:
			c.fail(errno)
			return
		case n == 0:
			c.flags |= flagEOF
			e.l.handler.EOF(c)
			return
		}
		e.used += n
		share -= n
		e.l.handler.Received(c, room[:n:n])
		if c.flags&(flagPaused|flagClosing) != 0 {
			return
		}
		if n < len(room) && !c.has(flagHup) {
			// It is read dry: whatever comes now is an edge.
			return
		}
	}
	e.markReady(c)
}

func (e *epollEngine) addr(c *Conn, remote bool) string { return fdAddr(c, remote) }

func (e *epollEngine) keepAlive(c *Conn, seconds int) { setKeepAlive(int(c.fd), seconds) }

func (e *epollEngine) listen(ln *Listener) {
	if !ln.numbered {
		ln.numbered = true
		ln.tag = uint32(len(e.listeners))
		e.listeners = append(e.listeners, ln)
	}
	// Level-triggered: what one turn does not accept is reported again.
	if err := e.p.Add(ln.fd, unix.EPOLLIN, listenerTag|uint64(ln.tag)); err != nil {
		ln.refused(e.l, err)
	}
}

func (e *epollEngine) unlisten(ln *Listener) {
	if ln.numbered {
		e.listeners[ln.tag] = nil
	}
	closeFd(ln.fd)
	ln.closed()
}

func (e *epollEngine) accept(ln *Listener) {
	for range acceptShare {
		fd, _, err := unix.Accept4(ln.fd, unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC)
		switch {
		case err == nil:
			ln.accepted(e.l, socket{fd: fd})
		case errors.Is(err, unix.EAGAIN):
			return
		case errors.Is(err, unix.EINTR), errors.Is(err, unix.ECONNABORTED):
		default:
			_ = e.p.Remove(ln.fd)
			ln.refused(e.l, err)
			return
		}
	}
}

// socketError is the error that a socket holds, or that it was reset when it
// holds none.
func socketError(fd int) error {
	if n, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_ERROR); err == nil && n != 0 {
		return unix.Errno(n)
	}
	return io.ErrUnexpectedEOF
}
