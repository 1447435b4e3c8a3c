//go:build linux

package epoll

import (
	"errors"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Interest of a descriptor. All are edge-triggered.
const (
	Readable = unix.EPOLLIN | unix.EPOLLRDHUP | unix.EPOLLET
	Writable = unix.EPOLLOUT | unix.EPOLLET
)

// What an event's mask may hold.
const (
	EventIn  = unix.EPOLLIN | unix.EPOLLRDHUP | unix.EPOLLHUP | unix.EPOLLERR
	EventOut = unix.EPOLLOUT | unix.EPOLLHUP | unix.EPOLLERR
)

// WakeTag is the tag of the event that Wake causes.
const WakeTag = ^uint64(0)

// Event is what the kernel reports: its layout is the kernel's on amd64 and
// arm64 alike as far as unix.EpollEvent is.
type Event unix.EpollEvent

// Mask is the set of things that happened.
func (e *Event) Mask() uint32 { return e.Events }

// Tag is what the descriptor was added with.
func (e *Event) Tag() uint64 { return uint64(uint32(e.Fd)) | uint64(uint32(e.Pad))<<32 }

// Poller is one epoll instance with an eventfd to wake it.
type Poller struct {
	fd     int
	wakeFd int
	coarse bool // no epoll_pwait2: timeouts are whole milliseconds
}

// New makes a poller.
func New() (*Poller, error) {
	fd, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil, err
	}
	p := &Poller{fd: fd}
	if p.wakeFd, err = unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK); err == nil {
		// Edge-triggered, the counter never needs to be read: every write is an
		// event.
		err = p.Add(p.wakeFd, unix.EPOLLIN|unix.EPOLLET, WakeTag)
	}
	if err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// Close closes the poller.
func (p *Poller) Close() {
	_ = unix.Close(p.fd)
	if p.wakeFd > 0 {
		_ = unix.Close(p.wakeFd)
	}
}

// Add begins to watch fd.
func (p *Poller) Add(fd int, interest uint32, tag uint64) error {
	return p.control(unix.EPOLL_CTL_ADD, fd, interest, tag)
}

// Modify changes what fd is watched for. What is true already is reported
// again.
func (p *Poller) Modify(fd int, interest uint32, tag uint64) error {
	return p.control(unix.EPOLL_CTL_MOD, fd, interest, tag)
}

// Remove stops watching fd; closing fd does as well.
func (p *Poller) Remove(fd int) error { return p.control(unix.EPOLL_CTL_DEL, fd, 0, 0) }

func (p *Poller) control(op, fd int, interest uint32, tag uint64) error {
	ev := unix.EpollEvent{Events: interest, Fd: int32(uint32(tag)), Pad: int32(uint32(tag >> 32))}
	return unix.EpollCtl(p.fd, op, fd, &ev)
}

// Wait waits for events: not at all for 0, without end for a negative timeout.
// A signal ends it early, with no event. The Go scheduler is not told of a brief
// wait: after it, a function call has to follow at which the goroutine can be
// stopped.
func (p *Poller) Wait(events []Event, timeout time.Duration, brief bool) (int, error) {
	if timeout == 0 {
		// It cannot block, so the scheduler need not hear of it.
		return result(unix.RawSyscall6(unix.SYS_EPOLL_PWAIT, uintptr(p.fd), uintptr(unsafe.Pointer(unsafe.SliceData(events))), uintptr(len(events)), 0, 0, 0))
	}
	if timeout < 0 && brief {
		return result(unix.RawSyscall6(unix.SYS_EPOLL_PWAIT, uintptr(p.fd), uintptr(unsafe.Pointer(unsafe.SliceData(events))), uintptr(len(events)), ^uintptr(0), 0, 0))
	}
	if timeout < 0 {
		return result(unix.Syscall6(unix.SYS_EPOLL_PWAIT, uintptr(p.fd), uintptr(unsafe.Pointer(unsafe.SliceData(events))), uintptr(len(events)), ^uintptr(0), 0, 0))
	}
	if !p.coarse {
		ts := unix.NsecToTimespec(int64(timeout))
		var n int
		var err error
		if brief {
			n, err = result(unix.RawSyscall6(unix.SYS_EPOLL_PWAIT2, uintptr(p.fd), uintptr(unsafe.Pointer(unsafe.SliceData(events))), uintptr(len(events)),
				uintptr(unsafe.Pointer(&ts)), 0, 0))
		} else {
			n, err = result(unix.Syscall6(unix.SYS_EPOLL_PWAIT2, uintptr(p.fd), uintptr(unsafe.Pointer(unsafe.SliceData(events))), uintptr(len(events)),
				uintptr(unsafe.Pointer(&ts)), 0, 0))
		}
		if !errors.Is(err, unix.ENOSYS) && !errors.Is(err, unix.EPERM) {
			return n, err
		}
		p.coarse = true
	}
	ms := min((timeout+time.Millisecond-1)/time.Millisecond, 1<<30)
	return result(unix.Syscall6(unix.SYS_EPOLL_PWAIT, uintptr(p.fd), uintptr(unsafe.Pointer(unsafe.SliceData(events))), uintptr(len(events)), uintptr(ms), 0, 0))
}

func result(n, _ uintptr, errno unix.Errno) (int, error) {
	switch errno {
	case 0:
		return int(n), nil
	case unix.EINTR:
		return 0, nil
	}
	return 0, errno
}

// Wake makes a Wait that sleeps, or the next one, return. Any goroutine.
func (p *Poller) Wake() {
	one := uint64(1)
	_, _, _ = unix.RawSyscall(unix.SYS_WRITE, uintptr(p.wakeFd), uintptr(unsafe.Pointer(&one)), 8)
}

// Receive reads what has arrived at a non-blocking socket. n = 0 without an
// error is the end of the stream, EAGAIN that there is nothing.
func Receive(fd int, b []byte) (int, unix.Errno) {
	for {
		n, _, errno := unix.RawSyscall6(unix.SYS_RECVFROM, uintptr(fd),
			uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)), unix.MSG_DONTWAIT, 0, 0)
		if errno != unix.EINTR {
			return int(n), errno
		}
	}
}

// Send writes to a non-blocking socket as much as it takes.
func Send(fd int, b []byte) (int, unix.Errno) {
	for {
		n, _, errno := unix.RawSyscall6(unix.SYS_SENDTO, uintptr(fd),
			uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)), unix.MSG_DONTWAIT|unix.MSG_NOSIGNAL, 0, 0)
		if errno != unix.EINTR {
			return int(n), errno
		}
	}
}
