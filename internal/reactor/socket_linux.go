package reactor

import (
	"net"
	"os"
	"strconv"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

func closeFd(fd int) {
	if fd >= 0 {
		// Not repeated after EINTR: Linux has closed it all the same.
		_ = unix.Close(fd)
	}
}

// prepareListener sets what must be set before bind.
func prepareListener(rc syscall.RawConn, isUnix bool, perm os.FileMode) error {
	var err error
	cerr := rc.Control(func(fd uintptr) {
		if isUnix {
			if perm != 0 {
				// bind makes the file with the mode of the socket, so that it is
				// at no moment open to more people than it should be.
				err = unix.Fchmod(int(fd), uint32(perm.Perm()))
			}
			return
		}
		// Accepted sockets inherit it: no system call for each.
		err = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_NODELAY, 1)
	})
	if cerr != nil {
		return cerr
	}
	return err
}

// takeListener duplicates the descriptor of nl, away from the runtime's poller,
// and sets the backlog.
func takeListener(nl net.Listener, backlog int) (int, error) {
	fd, err := dupFd(nl)
	if err != nil {
		return -1, err
	}
	if backlog > 0 {
		if err = unix.Listen(fd, backlog); err != nil {
			closeFd(fd)
			return -1, err
		}
	}
	return fd, nil
}

// takeConn duplicates the descriptor of nc.
func takeConn(nc net.Conn) (int, error) { return dupFd(nc) }

func dupFd(v any) (int, error) {
	sc, ok := v.(syscall.Conn)
	if !ok {
		return -1, syscall.EINVAL
	}
	rc, err := sc.SyscallConn()
	if err != nil {
		return -1, err
	}
	fd := -1
	cerr := rc.Control(func(from uintptr) {
		fd, err = unix.FcntlInt(from, unix.F_DUPFD_CLOEXEC, 0)
	})
	if err == nil {
		err = cerr
	}
	return fd, err
}

// fdAddr formats the address of c's socket.
func fdAddr(c *Conn, remote bool) string {
	if c.fd < 0 {
		return ""
	}
	ask := unix.Getsockname
	if remote && !c.has(flagUnix) {
		ask = unix.Getpeername
	}
	sa, err := ask(int(c.fd))
	if err != nil {
		return ""
	}
	switch sa := sa.(type) {
	case *unix.SockaddrInet4:
		return net.JoinHostPort(net.IP(sa.Addr[:]).String(), strconv.Itoa(sa.Port))
	case *unix.SockaddrInet6:
		return net.JoinHostPort(net.IP(sa.Addr[:]).String(), strconv.Itoa(sa.Port))
	case *unix.SockaddrUnix:
		if sa.Name == "" && remote {
			// The side that dialled has no name; the peer has.
			if sa, err := unix.Getpeername(int(c.fd)); err == nil {
				if sa, ok := sa.(*unix.SockaddrUnix); ok {
					return sa.Name
				}
			}
		}
		return sa.Name
	}
	return ""
}

// setKeepAlive probes after so many seconds of silence, three times in as much
// time again, as Redis does.
func setKeepAlive(fd, seconds int) {
	on := 0
	if seconds > 0 {
		on = 1
	}
	_ = unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_KEEPALIVE, on)
	if on == 0 {
		return
	}
	_ = unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_KEEPIDLE, seconds)
	_ = unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_KEEPINTVL, max(1, seconds/3))
	_ = unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_KEEPCNT, 3)
}

// wakeEventfd counts an eventfd up. It cannot block before 2^64 times.
func wakeEventfd(fd int) {
	one := uint64(1)
	_, _, _ = unix.RawSyscall(unix.SYS_WRITE, uintptr(fd), uintptr(unsafe.Pointer(&one)), 8)
}

// usableCPUs are the CPUs that the process may run on.
func usableCPUs() []int {
	var set unix.CPUSet
	var cpus []int
	if unix.SchedGetaffinity(0, &set) == nil {
		for i := range len(set) * 64 {
			if set.IsSet(i) {
				cpus = append(cpus, i)
			}
		}
	}
	if len(cpus) == 0 {
		cpus = []int{0}
	}
	return cpus
}

// pinThread binds the calling thread to a CPU.
func pinThread(cpu int) error {
	var set unix.CPUSet
	set.Set(cpu)
	return unix.SchedSetaffinity(0, &set)
}
