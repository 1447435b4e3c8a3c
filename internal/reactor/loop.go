package reactor

import (
	"errors"
	"runtime"
	"sync/atomic"
	"time"
)

// ErrStopped is what Closed reports for a connection that Group.Stop ended.
var ErrStopped = errors.New("reactor: stopped")

// Loop is one thread with its connections.
type Loop struct {
	ID int // position in Group.Loops

	group   *Group
	handler Handler
	engine  engine
	table   table   // owned by the loop
	timers  []timer // owned by the loop; few, unordered
	ending  bool    // owned by the loop: it only waits for its connections to end
	brief   bool    // owned by the loop: the next wait is a brief one

	_       [64]byte // what others write to stands on lines of its own
	inbox   inbox
	urgent  inbox         // messages that are Urgent
	state   atomic.Uint32 // awake, asleep or ended
	wakers  atomic.Int32  // goroutines between deciding to wake the loop and having done it
	conns   atomic.Int32  // connections assigned to the loop; any goroutine
	stopped atomic.Bool   // Group.Stop wants the loop to end
	_       [64]byte
}

const (
	awake uint32 = iota
	asleep
	ended
)

// Group is the group that the loop is part of.
func (l *Loop) Group() *Group { return l.group }

// Handler is the loop's handler.
func (l *Loop) Handler() Handler { return l.handler }

// Conns counts the loop's connections, those on their way to it included. Any
// goroutine may call it.
func (l *Loop) Conns() int { return int(l.conns.Load()) }

// Post delivers m on the loop's thread, soon. Any goroutine may call it; it
// neither blocks nor allocates nor fails. Only a loop that sleeps is woken,
// which costs one system call. m must not be posted again before it is
// delivered. Messages to a group that was stopped are not delivered.
func (l *Loop) Post(m *Message) {
	if m.Urgent {
		l.urgent.push(m)
	} else {
		l.inbox.push(m)
	}
	if l.state.Load() == asleep {
		l.rouse()
	}
}

// rouse wakes a sleeping loop. wakers is counted around the decision so that a
// loop that ends meanwhile does not close the descriptor under the waker.
func (l *Loop) rouse() {
	l.wakers.Add(1)
	if l.state.CompareAndSwap(asleep, awake) {
		l.engine.wake()
	}
	l.wakers.Add(-1)
}

// run is the loop. started gets the result of opening the engine.
func (l *Loop) run(started chan<- error) {
	g := l.group
	defer g.running.Done()
	if g.engine != "portable" {
		// Never unlocked: the thread ends with the loop, and with it what was
		// done to the thread (affinity, ring).
		runtime.LockOSThread()
		if g.options.Pin == "on" {
			if err := pinThread(g.options.CPUs[l.ID%len(g.options.CPUs)]); err != nil {
				g.log.Warn("cannot pin loop", "loop", l.ID, "err", err)
			}
		}
	}
	err := l.engine.open()
	started <- err
	if err != nil {
		return
	}

	sleep := time.Duration(0)
	for !l.stopped.Load() {
		l.engine.poll(sleep)
		l.deliver()
		sleep = l.handler.Turn()
		l.engine.recycle()
		if g.options.Spin {
			sleep = 0
		} else if len(l.timers) > 0 {
			sleep = l.runTimers(sleep)
		}
	}
	l.end()
}

// fallAsleep says to those who post that from now on they must wake the loop.
// It reports false when there is something to do first. The engine calls it
// before it waits, and getUp after.
func (l *Loop) fallAsleep() bool {
	l.state.Store(asleep)
	if l.inbox.empty() && l.urgent.empty() && (l.ending || !l.stopped.Load()) {
		return true
	}
	l.state.Store(awake)
	return false
}

func (l *Loop) getUp() { l.state.Store(awake) }

func (l *Loop) deliver() {
	l.DeliverUrgent()
	l.hand(l.inbox.take())
}

// DeliverUrgent delivers the urgent messages that have come, in the midst of a turn.
// The handler calls it where it is ready for them.
func (l *Loop) DeliverUrgent() { l.hand(l.urgent.take()) }

func (l *Loop) hand(m *Message) {
	for m != nil {
		next := m.next
		m.next = nil
		m.Deliver(l, m)
		m = next
	}
}

// end closes what is left and frees the engine.
func (l *Loop) end() {
	l.ending = true
	// Messages may carry connections that were on their way to this loop.
	l.deliver()
	for i := range l.table.slots {
		if c := l.table.slots[i].conn; c != nil {
			c.fail(ErrStopped)
		}
	}
	for l.table.n > 0 {
		l.engine.poll(time.Second)
		l.deliver()
		l.engine.recycle()
	}
	l.state.Store(ended)
	for l.wakers.Load() > 0 {
		runtime.Gosched()
	}
	l.engine.free()
}

// adopt makes a connection of s, already counted for this loop.
func (l *Loop) adopt(s socket, data any) (*Conn, error) {
	if l.stopped.Load() {
		s.discard()
		l.conns.Add(-1)
		return nil, ErrStopped
	}
	c := &Conn{loop: l, fd: int32(s.fd), Data: data}
	if s.unix {
		c.flags |= flagUnix
	}
	l.table.add(c)
	if err := l.engine.attach(c, s); err != nil {
		l.table.remove(c)
		l.conns.Add(-1)
		s.discard()
		return nil, err
	}
	return c, nil
}

// closed is the end of c: nothing of it is in flight any more.
func (l *Loop) closed(c *Conn) {
	l.table.remove(c)
	l.conns.Add(-1)
	c.fd = -1
	err := c.err
	l.handler.Closed(c, err)
	c.out = nil
}

// timer is the reactor's own alarm clock (accepting again after a pause).
type timer struct {
	at time.Time
	do func()
}

// after runs do on the loop's thread after d.
func (l *Loop) after(d time.Duration, do func()) {
	l.timers = append(l.timers, timer{time.Now().Add(d), do})
}

// runTimers runs what is due and shortens sleep to the next one.
func (l *Loop) runTimers(sleep time.Duration) time.Duration {
	now := time.Now()
	due := l.timers
	l.timers = nil
	for _, t := range due {
		wait := t.at.Sub(now)
		if wait <= 0 {
			t.do()
			sleep = 0
			continue
		}
		l.timers = append(l.timers, t)
		if sleep < 0 || wait < sleep {
			sleep = wait
		}
	}
	return sleep
}

// handoff carries an accepted or dialled socket to its loop.
type handoff struct {
	Message
	socket socket
	data   any
	done   func(*Conn, error) // nil for an accepted one
}

// give counts s for l and sends it there.
func (l *Loop) give(s socket, data any, done func(*Conn, error)) {
	l.conns.Add(1)
	h := &handoff{socket: s, data: data, done: done}
	h.Deliver = func(l *Loop, _ *Message) { h.arrive(l) }
	l.Post(&h.Message)
}

func (h *handoff) arrive(l *Loop) {
	c, err := l.adopt(h.socket, h.data)
	if err != nil {
		if h.done != nil {
			h.done(nil, err)
		} else if !errors.Is(err, ErrStopped) {
			l.group.log.Warn("cannot take a connection", "loop", l.ID, "err", err)
		}
		return
	}
	l.handler.Opened(c)
	if h.done != nil {
		h.done(c, nil)
	}
}
