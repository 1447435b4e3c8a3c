//go:build linux

package uring

import (
	"errors"
	"fmt"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Ring is one io_uring, for the thread that made it.
type Ring struct {
	fd       int
	enterFd  uintptr // fd, or its index when it is registered
	features Features

	// Submission side. tail runs ahead of *sqTail until Enter publishes it.
	sqHead  *uint32 // written by the kernel
	sqTail  *uint32
	sqFlags *uint32 // written by the kernel
	sqes    []SQE
	sqMask  uint32
	tail    uint32

	// Completion side. head runs ahead of *cqHead until Seen publishes it.
	cqHead *uint32
	cqTail *uint32 // written by the kernel
	cqes   []CQE
	cqMask uint32

	enterFlags uintptr
	arg        getEventsArg // read by the kernel during Enter
	ts         timespec     // read by the kernel during Enter

	rings, entries []byte // the mappings
}

// Features says what a ring can do. See Probe.
type Features struct {
	SingleIssuer    bool // one thread submits: less locking
	DeferTaskrun    bool // work is done when the thread asks for completions, not by interrupting it
	NoSQArray       bool // entries are submitted without an index array
	RegisteredRing  bool // enter without looking up the descriptor
	NoIowait        bool // sleeping is not accounted as waiting for a disk
	MultishotAccept bool
	MultishotRecv   bool
	Incremental     bool // a provided buffer is filled bit by bit by many receives
	QuietSend       bool // a send that is taken whole makes no completion, others say how much
}

// New makes a ring with at least the given numbers of entries and what of want
// the kernel grants at setup.
func New(sqEntries, cqEntries uint32, want Features) (*Ring, error) {
	r := &Ring{}
	var p params
	fd, err := r.setup(sqEntries, cqEntries, want, &p)
	if err != nil {
		return nil, err
	}
	r.fd, r.enterFd = fd, uintptr(fd)
	const needed = featSingleMmap | featNoDrop | featFastPoll | featExtArg | featCQESkip
	if p.features&needed != needed {
		_ = unix.Close(fd)
		return nil, fmt.Errorf("io_uring of this kernel lacks features: %#x", p.features)
	}
	if err := r.mapRings(&p); err != nil {
		r.Close()
		return nil, fmt.Errorf("io_uring mmap: %w", err)
	}
	if want.NoIowait && p.features&featNoIowait != 0 {
		r.features.NoIowait = true
		r.enterFlags |= enterNoIowait
	}
	if want.RegisteredRing {
		r.registerSelf()
	}
	return r, nil
}

// setup asks for everything wanted first and gives up one thing after the
// other, the newest first.
func (r *Ring) setup(sqEntries, cqEntries uint32, want Features, p *params) (int, error) {
	for {
		*p = params{cqEntries: cqEntries, flags: setupCQSize | setupSubmitAll}
		if want.SingleIssuer {
			p.flags |= setupSingleIssuer | setupCoopTaskrun
		}
		if want.DeferTaskrun && want.SingleIssuer {
			p.flags |= setupDeferTaskrun
		}
		if want.NoSQArray {
			p.flags |= setupNoSQArray
		}
		fd, _, errno := unix.Syscall(unix.SYS_IO_URING_SETUP, uintptr(sqEntries), uintptr(unsafe.Pointer(p)), 0)
		if errno == 0 {
			r.features.SingleIssuer = want.SingleIssuer
			r.features.DeferTaskrun = p.flags&setupDeferTaskrun != 0
			r.features.NoSQArray = want.NoSQArray
			unix.CloseOnExec(int(fd))
			return int(fd), nil
		}
		switch {
		case errno != unix.EINVAL:
			return -1, fmt.Errorf("io_uring_setup: %w", errno)
		case want.NoSQArray:
			want.NoSQArray = false
		case want.DeferTaskrun:
			want.DeferTaskrun = false
		case want.SingleIssuer:
			want.SingleIssuer = false
		default:
			return -1, fmt.Errorf("io_uring_setup: %w", errno)
		}
	}
}

func (r *Ring) mapRings(p *params) (err error) {
	const offSQRing, offSQEs = 0, 0x10000000
	size := max(p.cqOff.cqes+p.cqEntries*uint32(unsafe.Sizeof(CQE{})), p.sqOff.array+p.sqEntries*4)
	if r.rings, err = unix.Mmap(r.fd, offSQRing, int(size),
		unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED); err != nil {
		return err
	}
	if r.entries, err = unix.Mmap(r.fd, offSQEs, int(p.sqEntries)*int(unsafe.Sizeof(SQE{})),
		unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED); err != nil {
		return err
	}
	at := func(off uint32) *uint32 { return (*uint32)(unsafe.Pointer(&r.rings[off])) }
	r.sqHead, r.sqTail, r.sqFlags = at(p.sqOff.head), at(p.sqOff.tail), at(p.sqOff.flags)
	r.cqHead, r.cqTail = at(p.cqOff.head), at(p.cqOff.tail)
	r.sqMask, r.cqMask = p.sqEntries-1, p.cqEntries-1
	r.sqes = unsafe.Slice((*SQE)(unsafe.Pointer(&r.entries[0])), p.sqEntries)
	r.cqes = unsafe.Slice((*CQE)(unsafe.Pointer(&r.rings[p.cqOff.cqes])), p.cqEntries)
	r.tail = atomic.LoadUint32(r.sqTail)
	if !r.features.NoSQArray {
		array := unsafe.Slice(at(p.sqOff.array), p.sqEntries)
		for i := range array {
			array[i] = uint32(i)
		}
	}
	return nil
}

// registerSelf registers the ring's descriptor with the thread, which saves
// looking it up at every Enter.
func (r *Ring) registerSelf() {
	up := &rsrcUpdate{offset: ^uint32(0), data: uint64(r.fd)}
	n, _, errno := unix.Syscall6(unix.SYS_IO_URING_REGISTER, uintptr(r.fd), registerRingFds,
		uintptr(unsafe.Pointer(up)), 1, 0, 0)
	if errno == 0 && n == 1 {
		r.enterFd = uintptr(up.offset)
		r.enterFlags |= enterRegisteredRing
		r.features.RegisteredRing = true
	}
}

// Features is what the ring was granted at setup.
func (r *Ring) Features() Features { return r.features }

// Close closes the ring. Operations in flight are cancelled by the kernel some
// time later: who needs to know that they have ended waits for that before.
func (r *Ring) Close() {
	if r.features.RegisteredRing {
		up := &rsrcUpdate{offset: uint32(r.enterFd)}
		_, _, _ = unix.Syscall6(unix.SYS_IO_URING_REGISTER, uintptr(r.fd), unregisterRingFds,
			uintptr(unsafe.Pointer(up)), 1, 0, 0)
	}
	if r.entries != nil {
		_ = unix.Munmap(r.entries)
	}
	if r.rings != nil {
		_ = unix.Munmap(r.rings)
	}
	_ = unix.Close(r.fd)
}

// Next returns a cleared submission entry to fill in, nil when all are staged:
// then Flush.
func (r *Ring) Next() *SQE {
	if r.tail-atomic.LoadUint32(r.sqHead) > r.sqMask {
		return nil
	}
	e := &r.sqes[r.tail&r.sqMask]
	r.tail++
	*e = SQE{}
	return e
}

// Staged is the number of entries that the kernel has not taken yet.
func (r *Ring) Staged() uint32 { return r.tail - atomic.LoadUint32(r.sqHead) }

// Overflown reports whether the kernel holds completions back because the ring
// was full. The next Enter brings them.
func (r *Ring) Overflown() bool { return atomic.LoadUint32(r.sqFlags)&sqFlagOverflow != 0 }

// Flush hands over the staged entries and does not look for completions.
func (r *Ring) Flush() error {
	atomic.StoreUint32(r.sqTail, r.tail)
	_, _, errno := unix.RawSyscall6(unix.SYS_IO_URING_ENTER, r.enterFd, uintptr(r.Staged()), 0,
		r.enterFlags&enterRegisteredRing, 0, 0)
	return enterError(errno)
}

// Enter hands over the staged entries and collects completions: as they are
// for timeout 0; otherwise it sleeps until there is one, or for the timeout
// when that is positive. A signal ends the sleep early. The Go scheduler is not
// told of a brief sleep: after it, a function call has to follow at which the
// goroutine can be stopped.
func (r *Ring) Enter(timeout time.Duration, brief bool) error {
	atomic.StoreUint32(r.sqTail, r.tail)
	staged := uintptr(r.tail - atomic.LoadUint32(r.sqHead))
	flags := r.enterFlags | enterGetEvents
	var errno unix.Errno
	switch {
	case timeout == 0:
		// It cannot block, so the scheduler need not hear of it.
		_, _, errno = unix.RawSyscall6(unix.SYS_IO_URING_ENTER, r.enterFd, staged, 0, flags, 0, 0)
	case timeout < 0 && brief:
		_, _, errno = unix.RawSyscall6(unix.SYS_IO_URING_ENTER, r.enterFd, staged, 1, flags, 0, 0)
	case timeout < 0:
		_, _, errno = unix.Syscall6(unix.SYS_IO_URING_ENTER, r.enterFd, staged, 1, flags, 0, 0)
	default:
		r.ts = timespec{int64(timeout / time.Second), int64(timeout % time.Second)}
		r.arg.ts = uint64(uintptr(unsafe.Pointer(&r.ts)))
		arg := uintptr(unsafe.Pointer(&r.arg))
		if brief {
			_, _, errno = unix.RawSyscall6(unix.SYS_IO_URING_ENTER, r.enterFd, staged, 1, flags|enterExtArg, arg, unsafe.Sizeof(r.arg))
		} else {
			_, _, errno = unix.Syscall6(unix.SYS_IO_URING_ENTER, r.enterFd, staged, 1, flags|enterExtArg, arg, unsafe.Sizeof(r.arg))
		}
	}
	return enterError(errno)
}

// enterError drops the errors that mean: look at the completions, come again.
func enterError(errno unix.Errno) error {
	switch errno {
	case 0, unix.EINTR, unix.ETIME, unix.EAGAIN, unix.EBUSY:
		return nil
	}
	return fmt.Errorf("io_uring_enter: %w", errno)
}

// Completions returns the range of completions that are there: look at each
// with At, then call Seen with the end.
func (r *Ring) Completions() (from, to uint32) {
	return atomic.LoadUint32(r.cqHead), atomic.LoadUint32(r.cqTail)
}

// At is the i-th completion, valid until Seen.
func (r *Ring) At(i uint32) *CQE { return &r.cqes[i&r.cqMask] }

// Seen gives the completions before to back to the kernel.
func (r *Ring) Seen(to uint32) { atomic.StoreUint32(r.cqHead, to) }

// ErrUnsupported is in the chain of errors that mean that the kernel is too
// old.
var ErrUnsupported = errors.New("not supported by this kernel")
