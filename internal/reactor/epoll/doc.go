// Package epoll is what the reactor needs of Linux' epoll: an instance with an
// eventfd to wake it, edge-triggered interest tagged with 64 bits of the
// caller's, waiting with nanosecond timeouts where the kernel has them
// (epoll_pwait2, 5.11), and receiving and sending without the detour over the
// Go runtime's poller.
//
// Calls that cannot block are raw system calls, which the scheduler does not
// hear of. The one that may sleep tells the scheduler, or a collection could
// not stop the world while it does.
package epoll
