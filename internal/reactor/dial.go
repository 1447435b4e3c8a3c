package reactor

import "net"

// Dial opens a connection from loop l. The outcome is reported on l's thread
// by done, right after Opened, or alone with an error. data becomes the
// connection's Data before Opened. Any goroutine may call it. After Stop done
// may be called on a goroutine of its own.
func (g *Group) Dial(l *Loop, network, address string, data any, done func(*Conn, error)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.phase != started {
		go done(nil, ErrStopped)
		return
	}
	g.dials.Go(func() {
		var d net.Dialer
		d.KeepAlive = -1
		nc, err := d.DialContext(g.ctx, network, address)
		s := socket{fd: -1, unix: network == "unix"}
		if err == nil {
			if g.engine == "portable" {
				s.nc = nc
			} else {
				s.fd, err = takeConn(nc)
				_ = nc.Close()
			}
		}
		if err != nil {
			l.Post(&Message{Deliver: func(*Loop, *Message) { done(nil, err) }})
			return
		}
		l.give(s, data, done)
	})
}
