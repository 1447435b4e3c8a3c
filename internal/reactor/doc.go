// Package reactor runs loops: threads that each own connections and do nothing
// but look what happened, let a Handler work on it, and hand the kernel the
// replies. It knows nothing of what the bytes mean.
//
// # Terms
//
// A Group is a set of loops that share listeners. A Loop is a goroutine locked
// to a thread, with connections that are its own from accept to close, a
// Handler, an engine and an inbox. A Conn is one connection. A Message is what
// others tell a loop. A turn is once round the loop:
//
//	        ┌───────────────────────────────────────────────────────┐
//	        ▼                                                       │
//	engine.poll ─► Sent, Received, EOF … ─► messages ─► Turn ─► recycle
//	one system call    of all connections     inbox    handler   buffers
//
// The handler stages what its connections received and works on all of it in
// Turn, whose sends leave together with the wait for the next events: with
// io_uring one system call per turn, for however many connections.
//
// # Engines
//
//   - uring: io_uring, the default where the kernel allows it (from 5.19 on;
//     best from 6.12 on). Package uring below has the ABI and finds out what the
//     kernel can do.
//   - epoll: edge-triggered, a system call per receive and per send. Containers
//     often forbid io_uring.
//   - portable: package net and goroutines, for other systems.
//
// They behave alike; every test runs on all of them. auto takes the first that
// works, and Group.Why says why it is not a better one.
//
// # Rules
//
// All that a Handler and a Conn do happens on the loop's thread. What others
// may call says so: Loop.Post, Loop.Conns, and the methods of Group and
// Listener.
//
// Received bytes are the loop's and valid until Turn returns. A buffer handed to
// Send is the kernel's until Sent or Closed gives it back; it must not be on a
// goroutine's stack, which Go's escape analysis sees to, since the Conn refers
// to it.
//
// One buffer is in flight per connection, and it is written in order and whole,
// a bounded piece at a time. Handlers collect replies in a second buffer
// meanwhile.
//
// A peer that only shuts down its side (EOF) is still sent what the handler
// wants. Closed is the last event and comes exactly once, when the kernel has
// nothing of the connection any more. An error on the connection is Closed with
// that error. While reading is paused, and after EOF, nobody looks whether the
// peer is still there: a send finds out, or the keep-alive.
//
// # Sleeping and waking
//
// A loop that has nothing to do sleeps in the kernel, without limit when its
// handler says so. Before, it says that it sleeps and looks once more into its
// inbox; who posts puts the message first and looks whether the loop sleeps
// second. So either the loop sees the message or the poster sees the sleep and
// wakes it through an eventfd, once, however many messages follow. A loop that
// is awake costs the poster nothing but a compare-and-swap.
//
// The call that may sleep goes through the scheduler's books (Syscall6), or a
// collection could not stop the world while a loop sleeps. Calls that cannot
// sleep do not (RawSyscall).
//
// # Threads
//
// Affinity is set only with Options.Pin on. GOMAXPROCS is the host's: it should
// be the number of loops plus what else runs plus one, since a loop that comes
// back from sleep needs a free P at once. The portable engine's loops are
// ordinary goroutines.
//
// # Accepting
//
// Each address has one listening socket, without SO_REUSEPORT, so that a second
// server fails to start. Loop 0 accepts, and posts each connection to the loop
// with the fewest, counting those that are on their way. When descriptors run
// out accepting pauses for 10 ms to 1 s, with a warning, while peers wait in the
// backlog. (The kernel notes the limit of descriptors when an accept is armed:
// raise it before Listen.)
//
// # Cost
//
// An idle connection takes about 150 bytes of the loop: Conn and its slot in the
// table, which numbers connections for the kernel; a number that comes back
// with another generation than the slot's is of a connection that is gone. A
// loop on io_uring takes 0.1 MiB for its rings and up to ReceiveBytes for
// buffers, of which a quarter is used until that is found not to be enough.
package reactor
