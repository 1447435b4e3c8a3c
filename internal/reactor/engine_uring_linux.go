package reactor

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"

	"sherd/internal/reactor/uring"
)

// uringEngine serves a loop through io_uring. All operations of a turn go to
// the kernel, and all completions come back, with the one Enter in poll.
//
// A connection has at most two operations in flight, tagged with its slot and
// generation: a multishot receive, armed from attach to the end of the stream
// except while it is paused or parked, and a send.
//
// A send is tried quietly first: the kernel writes what there is room for
// while it takes the entry, and makes a completion only when that was not all.
// So when Enter has returned, whoever was staged and has no completion is done,
// and no completion of a send ever ends the sleep that the same Enter began.
// The rest of a send that found no room is staged as one that waits for it.
type uringEngine struct {
	l        *Loop
	features uring.Features
	ring     *uring.Ring
	bufs     *uring.BufRing
	wakeFd   int

	staged   []quietSend // since the last Enter
	settling []quietSend // what the last Enter decided
	parked   []*Conn     // found no buffer; armed again when there are some
	dying    []*Conn     // nothing in flight any more, Closed is due
	spent    []int       // buffers whose bytes are handed out, given back by recycle
	reserve  []int       // buffers never given to the kernel so far
	waiting  int         // sends that wait for room
	starved  int64       // how often a connection was parked
	prompt   bool        // do not sleep in the next Enter
	accepts  []*Listener // by slot; nil where closed
}

// quietSend is a send of c that is done when it has no completion. stage tells
// it from a later one.
type quietSend struct {
	c     *Conn
	stage uint32
}

const (
	uringSQEntries = 512
	uringCQEntries = 4096

	// receiveGroup is the number of the only buffer group.
	receiveGroup = 1

	// Incremental buffers are filled by whoever receives next, so they may be
	// large. Others are used up by one receive each, so there must be many.
	incrementalBytes = 64 << 10
	plainBytes       = 4 << 10

	// hotBytes is what the kernel gets to begin with. Memory that is used again
	// and again stays in the cache, and what is never used is never resident.
	hotBytes = 256 << 10
)

// Kinds of operations, the top byte of a tag.
const (
	opNone uint64 = iota << 56 // nobody waits for it
	opRecv
	opSend
	opAccept
	opWake
	opMask = uint64(0xff) << 56
)

func uringTag(op uint64, c *Conn) uint64 { return op | uint64(c.gen)<<32 | uint64(c.slot) }

// newRing is replaced by tests that have it fail.
var newRing = uring.New

func (e *uringEngine) open() (err error) {
	if e.ring, err = newRing(uringSQEntries, uringCQEntries, e.features); err != nil {
		return err
	}
	size := plainBytes
	if e.features.Incremental {
		size = incrementalBytes
	}
	count := 1
	for count*2*size <= e.l.group.options.ReceiveBytes {
		count *= 2
	}
	if e.bufs, err = e.ring.NewBufRing(receiveGroup, count, size, e.features.Incremental); err != nil {
		e.ring.Close()
		return err
	}
	hot := min(count, max(1, hotBytes/size))
	for id := range count {
		if id < hot {
			e.bufs.Give(id)
		} else {
			e.reserve = append(e.reserve, id)
		}
	}
	e.bufs.Publish()
	if e.wakeFd, err = unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK); err != nil {
		e.bufs.Close()
		e.ring.Close()
		return fmt.Errorf("eventfd: %w", err)
	}
	e.next().PollMultishot(e.wakeFd, opWake)
	return nil
}

func (e *uringEngine) free() {
	for e.ring.Staged() > 0 {
		if e.ring.Enter(0, false) != nil {
			break
		}
		_, to := e.ring.Completions()
		e.ring.Seen(to)
	}
	e.bufs.Close()
	e.ring.Close()
	closeFd(e.wakeFd)
}

func (e *uringEngine) wake() { wakeEventfd(e.wakeFd) }

// next is a free submission entry.
func (e *uringEngine) next() *uring.SQE {
	for tries := 0; ; tries++ {
		if sqe := e.ring.Next(); sqe != nil {
			return sqe
		}
		if err := e.ring.Flush(); err != nil {
			panic("reactor: " + err.Error())
		}
		if tries > 10 {
			// The kernel has no memory for requests just now.
			time.Sleep(time.Millisecond)
		}
	}
}

func (e *uringEngine) attach(c *Conn, _ socket) error {
	e.arm(c)
	return nil
}

func (e *uringEngine) arm(c *Conn) {
	c.flags |= flagRecvOp
	e.next().Recv(c.fd, uringTag(opRecv, c), receiveGroup, e.features.MultishotRecv)
}

func (e *uringEngine) send(c *Conn) {
	if !e.features.QuietSend {
		e.sendWaiting(c)
		return
	}
	c.flags |= flagStaged
	e.next().SendQuiet(c.fd, uringTag(opSend, c), c.unsent())
	c.stage++
	e.staged = append(e.staged, quietSend{c, c.stage})
	e.prompt = e.prompt || !c.has(flagQuiet) || len(c.out)-c.sent > sendShare
}

func (e *uringEngine) sendWaiting(c *Conn) {
	c.flags |= flagSendOp
	e.waiting++
	e.next().Send(c.fd, uringTag(opSend, c), c.unsent())
}

func (e *uringEngine) pause(c *Conn) {
	if c.flags&(flagRecvOp|flagCancel) == flagRecvOp {
		e.cancelRecv(c)
	}
}

func (e *uringEngine) cancelRecv(c *Conn) {
	c.flags |= flagCancel
	e.next().Cancel(uringTag(opRecv, c), opNone)
}

func (e *uringEngine) resume(c *Conn) {
	// While the receive that pause cancelled is still about to end, or c is
	// parked, whoever sees that through arms again.
	if c.flags&(flagRecvOp|flagParked|flagEOF) == 0 {
		e.arm(c)
	}
}

func (e *uringEngine) close(c *Conn) {
	if c.flags&(flagRecvOp|flagCancel) == flagRecvOp {
		e.cancelRecv(c)
	}
	if c.has(flagSendOp) {
		e.next().Cancel(uringTag(opSend, c), opNone)
	}
	if c.has(flagStaged) {
		e.prompt = true
	}
	e.mayBury(c)
}

// mayBury ends c when it is closing and nothing of it is in flight any more.
func (e *uringEngine) mayBury(c *Conn) {
	if c.flags&(flagClosing|flagRecvOp|flagSendOp|flagStaged) == flagClosing {
		e.dying = append(e.dying, c)
	}
}

func (e *uringEngine) bury() {
	for i := 0; i < len(e.dying); i++ { // Closed may close others
		c := e.dying[i]
		e.dying[i] = nil
		e.next().Close(c.fd, opNone)
		e.l.closed(c)
	}
	e.dying = e.dying[:0]
}

func (e *uringEngine) addr(c *Conn, remote bool) string { return fdAddr(c, remote) }

func (e *uringEngine) keepAlive(c *Conn, seconds int) { setKeepAlive(int(c.fd), seconds) }

func (e *uringEngine) poll(sleep time.Duration) {
	if len(e.dying) > 0 {
		e.bury()
		sleep = 0 // Turn must be called after Closed
	}
	if e.prompt {
		e.prompt = false
		sleep = 0
	}
	if sleep == 0 {
		e.enter(0)
	} else if e.l.fallAsleep() {
		began := e.l.waitBegins()
		e.enter(sleep)
		e.l.getUp()
		from, to := e.ring.Completions()
		e.l.waitEnds(began, from != to)
	} else {
		e.enter(0)
	}

	from, to := e.ring.Completions()
	if e.ring.Staged() == 0 && !e.ring.Overflown() {
		// All completions that staged sends can have are between from and to.
		e.settling, e.staged = e.staged, e.settling[:0]
	} else {
		e.prompt = true
	}
	if len(e.settling)+len(e.staged)+e.waiting > 0 {
		e.settle(from, to)
	}
	for i := from; i != to; i++ {
		e.complete(e.ring.At(i))
	}
	e.ring.Seen(to)
}

func (e *uringEngine) enter(timeout time.Duration) {
	if err := e.ring.Enter(timeout, e.l.brief); err != nil {
		panic("reactor: " + err.Error())
	}
}

// settle deals with sends, before anything else of the turn: buffers come back
// before new bytes ask for them.
func (e *uringEngine) settle(from, to uint32) {
	for i := from; i != to; i++ {
		if cqe := e.ring.At(i); cqe.Tag&opMask == opSend {
			e.sendDone(cqe)
		}
	}
	for i, s := range e.settling {
		e.settling[i].c = nil
		c := s.c
		if !c.has(flagStaged) || c.stage != s.stage {
			continue // it had a completion
		}
		c.flags &^= flagStaged
		c.sent += len(c.unsent())
		e.wentOut(c)
	}
	e.settling = e.settling[:0]
}

// wentOut is called when what was staged of c.out is written.
func (e *uringEngine) wentOut(c *Conn) {
	switch {
	case c.has(flagClosing):
		e.mayBury(c)
	case c.sent < len(c.out):
		e.send(c)
	default:
		b := c.out
		c.out = nil
		e.l.handler.Sent(c, b)
	}
}

func (e *uringEngine) conn(tag uint64) *Conn {
	return e.l.table.get(uint32(tag), uint32(tag>>32)&genMask)
}

func (e *uringEngine) sendDone(cqe *uring.CQE) {
	c := e.conn(cqe.Tag)
	if c == nil {
		return
	}
	wasWaiting := c.has(flagSendOp)
	if wasWaiting {
		e.waiting--
	}
	c.flags &^= flagSendOp | flagStaged
	errno := unix.Errno(0)
	if cqe.Res >= 0 {
		c.sent += int(cqe.Res)
	} else {
		errno = unix.Errno(-cqe.Res)
	}
	switch {
	case c.has(flagClosing):
		e.mayBury(c)
	case errno != 0 && errno != unix.EAGAIN && errno != unix.EINTR:
		c.fail(errno)
	case errno == 0 && cqe.Res > 0 && wasWaiting:
		e.wentOut(c)
	default:
		e.sendWaiting(c)
	}
}

func (e *uringEngine) complete(cqe *uring.CQE) {
	switch cqe.Tag & opMask {
	case opRecv:
		e.received(cqe)
	case opAccept:
		e.accepted(cqe)
	case opWake:
		if cqe.Flags&uring.FlagMore == 0 {
			e.next().PollMultishot(e.wakeFd, opWake)
		}
	}
}

func (e *uringEngine) received(cqe *uring.CQE) {
	var data []byte
	if cqe.Flags&uring.FlagBuffer != 0 {
		var id int
		var ours bool
		if data, id, ours = e.bufs.Take(cqe); ours {
			e.spent = append(e.spent, id)
		}
	}
	c := e.conn(cqe.Tag)
	if c == nil {
		return
	}
	if cqe.Flags&uring.FlagMore == 0 {
		c.flags &^= flagRecvOp | flagCancel
	}
	if c.has(flagClosing) {
		e.mayBury(c)
		return
	}
	if cqe.Res > 0 {
		e.l.handler.Received(c, data)
		if c.flags&(flagRecvOp|flagPaused|flagClosing) == 0 {
			e.arm(c)
		}
		return
	}
	switch errno := unix.Errno(-cqe.Res); errno {
	case 0:
		c.flags |= flagEOF
		e.l.handler.EOF(c)
	case unix.ENOBUFS:
		c.flags |= flagParked
		e.starved++
		e.parked = append(e.parked, c)
	case unix.ECANCELED, unix.EAGAIN, unix.EINTR:
		if c.flags&(flagRecvOp|flagPaused) == 0 {
			e.arm(c)
		}
	default:
		c.fail(errno)
	}
}

func (e *uringEngine) recycle() {
	if len(e.spent) > 0 {
		for _, id := range e.spent {
			e.bufs.Give(id)
		}
		e.spent = e.spent[:0]
		e.bufs.Publish()
	}
	if len(e.parked) > 0 {
		e.unpark()
	}
}

// unpark arms those who found no buffer. That there are such shows that more
// buffers are of use.
func (e *uringEngine) unpark() {
	for _, id := range e.reserve {
		e.bufs.Give(id)
	}
	e.reserve = nil
	e.bufs.Publish()
	for i, c := range e.parked {
		e.parked[i] = nil
		c.flags &^= flagParked
		if c.flags&(flagRecvOp|flagPaused|flagClosing) == 0 {
			e.arm(c)
		}
	}
	e.parked = e.parked[:0]
	e.prompt = true
}

func (e *uringEngine) listen(ln *Listener) {
	if !ln.numbered {
		ln.numbered = true
		ln.tag = uint32(len(e.accepts))
		e.accepts = append(e.accepts, ln)
	}
	ln.armed = true
	e.next().Accept(ln.fd, opAccept|uint64(ln.tag), e.features.MultishotAccept)
}

func (e *uringEngine) unlisten(ln *Listener) {
	if ln.armed {
		e.next().Cancel(opAccept|uint64(ln.tag), opNone)
		return
	}
	e.closeListener(ln)
}

func (e *uringEngine) closeListener(ln *Listener) {
	if ln.numbered {
		e.accepts[ln.tag] = nil
	}
	closeFd(ln.fd)
	ln.closed()
}

func (e *uringEngine) accepted(cqe *uring.CQE) {
	ln := e.accepts[uint32(cqe.Tag)]
	if cqe.Flags&uring.FlagMore == 0 {
		ln.armed = false
	}
	switch errno := unix.Errno(-cqe.Res); {
	case cqe.Res >= 0 && ln.ending:
		closeFd(int(cqe.Res))
	case cqe.Res >= 0:
		ln.accepted(e.l, socket{fd: int(cqe.Res)})
	case ln.ending, errno == unix.ECANCELED, errno == unix.EAGAIN, errno == unix.EINTR, errno == unix.ECONNABORTED:
	default:
		if !ln.armed {
			ln.refused(e.l, errno)
			return
		}
	}
	switch {
	case ln.armed:
	case ln.ending:
		e.closeListener(ln)
	default:
		e.listen(ln)
	}
}
