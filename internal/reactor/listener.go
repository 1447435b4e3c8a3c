package reactor

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"syscall"
	"time"
)

// Listener accepts connections for a group. The socket is one, without
// SO_REUSEPORT, so that a second server on the port fails; loop 0 accepts and
// hands each connection to the loop that has the fewest.
type Listener struct {
	group *Group
	addr  net.Addr
	nl    net.Listener // portable engine
	fd    int          // other engines, else -1
	unix  bool
	file  os.FileInfo // of a unix socket, to remove what is ours and nothing else

	msg   Message
	ended chan struct{} // closed when the socket is
	once  sync.Once

	// Owned by loop 0.
	ending   bool
	numbered bool          // tag is set
	armed    bool          // uring: an accept is in flight
	tag      uint32        // position in the engine's list of listeners
	wait     time.Duration // pause after a failed accept
	warned   time.Time
}

// Listen opens a listener on a tcp, tcp4, tcp6 or unix address. backlog is
// bounded by the kernel's somaxconn. perm is the mode of a unix socket's file,
// 0 to leave it to the umask. A stale file that no server listens on is
// replaced. An address in use is an error that wraps syscall.EADDRINUSE.
func (g *Group) Listen(network, address string, backlog int, perm os.FileMode) (*Listener, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.phase == stopped {
		return nil, ErrStopped
	}
	unix := network == "unix"
	if unix {
		removeStale(address)
	}
	lc := net.ListenConfig{KeepAlive: -1, Control: func(_, _ string, rc syscall.RawConn) error {
		return prepareListener(rc, unix, perm)
	}}
	// Multipath TCP, which Go turns on for listeners, costs and brings nothing
	// here.
	lc.SetMultipathTCP(false)
	nl, err := lc.Listen(context.Background(), network, address)
	if err != nil {
		return nil, fmt.Errorf("reactor: %w", err)
	}
	ln := &Listener{group: g, addr: nl.Addr(), fd: -1, unix: unix, ended: make(chan struct{})}
	if unix {
		if perm != 0 {
			err = os.Chmod(address, perm)
		}
		if err == nil {
			ln.file, err = os.Lstat(address)
		}
		nl.(*net.UnixListener).SetUnlinkOnClose(false)
	}
	if err == nil {
		if g.engine == "portable" {
			ln.nl = nl
		} else {
			ln.fd, err = takeListener(nl, backlog)
			_ = nl.Close()
		}
	}
	if err != nil {
		_ = nl.Close()
		return nil, fmt.Errorf("reactor: listen %s %s: %w", network, address, err)
	}
	g.listeners[ln] = struct{}{}
	if g.phase == started {
		ln.start()
	}
	return ln, nil
}

// removeStale removes a socket file that refuses connections: its server is
// gone.
func removeStale(path string) {
	if fi, err := os.Lstat(path); err != nil || fi.Mode()&os.ModeSocket == 0 {
		return
	}
	nc, err := net.DialTimeout("unix", path, time.Second)
	if err == nil {
		_ = nc.Close()
	} else if errors.Is(err, syscall.ECONNREFUSED) {
		_ = os.Remove(path)
	}
}

// Addr is the address listened on, with the port that was chosen for port 0.
func (ln *Listener) Addr() net.Addr { return ln.addr }

// Close stops accepting and closes the socket; connections live on. It returns
// when the address is free again. It must not be called on a loop's thread.
func (ln *Listener) Close() {
	g := ln.group
	g.mu.Lock()
	_, open := g.listeners[ln]
	delete(g.listeners, ln)
	running := g.phase == started
	g.mu.Unlock()
	if open {
		ln.end(running)
	}
	<-ln.ended
}

func (ln *Listener) start() {
	ln.msg.Deliver = func(l *Loop, _ *Message) {
		l.engine.listen(ln)
	}
	ln.group.Loops[0].Post(&ln.msg)
}

// end closes the listener, through loop 0 when that runs.
func (ln *Listener) end(running bool) {
	if running {
		m := &Message{Deliver: func(l *Loop, _ *Message) {
			ln.ending = true
			l.engine.unlisten(ln)
		}}
		ln.group.Loops[0].Post(m)
		<-ln.ended
		return
	}
	if ln.nl != nil {
		_ = ln.nl.Close()
	} else {
		closeFd(ln.fd)
	}
	ln.closed()
}

// closed is called when the socket is closed.
func (ln *Listener) closed() {
	ln.once.Do(func() {
		if ln.file != nil {
			if now, err := os.Lstat(ln.addr.String()); err == nil && os.SameFile(now, ln.file) {
				_ = os.Remove(ln.addr.String())
			}
		}
		close(ln.ended)
	})
}

// accepted hands an accepted socket to the emptiest loop.
func (ln *Listener) accepted(l *Loop, s socket) {
	ln.wait = 0
	s.unix = ln.unix
	to := ln.group.emptiest()
	if to != l {
		to.give(s, nil, nil)
		return
	}
	l.conns.Add(1)
	c, err := l.adopt(s, nil)
	if err != nil {
		ln.group.log.Warn("cannot take a connection", "loop", l.ID, "err", err)
		return
	}
	l.handler.Opened(c)
}

// warn logs a failed accept, once a second at most.
func (ln *Listener) warn(err error) {
	if now := time.Now(); now.Sub(ln.warned) > time.Second {
		ln.warned = now
		ln.group.log.Warn("cannot accept", "addr", ln.addr.String(), "err", err)
	}
}

// refused deals with a failed accept: too many open files, or out of memory.
// The peers wait in the backlog; accepting goes on after a pause that grows.
func (ln *Listener) refused(l *Loop, err error) {
	ln.warn(err)
	ln.wait = min(max(2*ln.wait, 10*time.Millisecond), time.Second)
	l.after(ln.wait, func() {
		if !ln.ending {
			l.engine.listen(ln)
		}
	})
}
