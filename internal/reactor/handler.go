package reactor

import "time"

// Handler is what a loop works for: one per loop, made by Options.NewHandler.
// Every method runs on the loop's thread, one at a time, so a handler needs no
// lock for what belongs to its loop.
type Handler interface {
	// Opened says that c belongs to this loop from now on. The handler may set
	// c.Data and may call any method of c, Close included.
	Opened(c *Conn)

	// Received hands over bytes that arrived. b is valid until Turn returns and
	// must not be written to beyond len(b). A connection may receive several
	// times in a turn, and a little more even after PauseRead.
	Received(c *Conn, b []byte)

	// EOF says that the peer will send nothing more. The connection can still
	// send: the handler flushes what it wants to and calls Close.
	EOF(c *Conn)

	// Sent gives back the buffer that was handed to Send or SendQuiet: it is
	// written whole and may be reused.
	Sent(c *Conn, b []byte)

	// Closed is the last event of c. err is nil after Close and says what
	// happened otherwise. A buffer that was in flight may be reused now.
	Closed(c *Conn, err error)

	// Turn is called once per turn after all events of the turn. It does the
	// staged work and calls Send. Its result says when it wants to be called
	// again at the latest: 0 at once, < 0 only when something happens, > 0
	// after that long.
	Turn() (sleep time.Duration)
}
