// Package uring is the io_uring ABI as far as the reactor needs it: three
// system calls, the two mappings of a ring, submission and completion entries,
// rings of provided buffers, and a probe that tells what the kernel can do by
// trying it.
//
//	 thread of the loop                      kernel
//	┌──────────────────┐   submission ring  ┌──────────────┐
//	│ Next() *SQE … ───┼──► [sqe][sqe][sqe] ┼─► operations │
//	│                  │                    │              │
//	│ Enter(wait, …) ──┼── one system call ─┼─► both ways  │
//	│                  │                    │              │
//	│ Completions() ◄──┼─── [cqe][cqe][cqe] ◄── results    │
//	│                  │   completion ring  │              │
//	│ BufRing.Give ────┼──► [buffers] ──────┼─► receives   │
//	└──────────────────┘                    └──────────────┘
//
// A Ring belongs to the thread that made it: all its methods are for that
// thread. Memory that an entry points at must stay where it is, and referenced,
// until the operation has ended: off-heap memory, or a Go heap object that the
// caller keeps hold of; never a goroutine's stack.
//
// Kernel versions: buffer rings and multishot accept 5.19 (below it New
// refuses), multishot receive 6.0, DEFER_TASKRUN 6.1, NO_SQARRAY 6.6,
// incremental buffers 6.12. Nothing is assumed from a version number; Probe
// tries every feature on a socket pair.
package uring
