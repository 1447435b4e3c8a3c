// Package conn is the connection: a state machine, not a goroutine.
//
// A Worker is one loop's side of it. The reactor hands it what arrived; once a
// turn the worker works off everything at once, in groups of commands from all
// its connections:
//
//	parse    the requests of a group, without copying, look up the commands
//	hash     their keys and find slice, table and bucket address
//	touch    all buckets of the group, then all entries: the cache misses of a
//	         group overlap, those of un-pipelined clients too
//	execute  in order: latch, run, release; replies are appended to the
//	         connections' send buffers
//
// and at the end of the turn starts one send for each connection that has
// replies. A connection whose next command cannot run now (a slice is held, a
// long command is under way, its replies are not read, clients are paused) is
// halted: it keeps its unparsed input and everybody else goes on.
//
// Buffers. Input is parsed where the reactor received it; only the beginning of
// a request that is not complete yet, or what a halted connection has to keep,
// is copied to the connection. A connection without traffic holds no buffer.
package conn
