//go:build !linux

package reactor

import (
	"errors"
	"net"
	"os"
	"runtime"
	"syscall"
)

// Elsewhere only the portable engine exists: there are no descriptors.

func closeFd(int) {}

func prepareListener(syscall.RawConn, bool, os.FileMode) error { return nil }

func takeListener(net.Listener, int) (int, error) { return -1, errors.ErrUnsupported }

func takeConn(net.Conn) (int, error) { return -1, errors.ErrUnsupported }

func usableCPUs() []int {
	cpus := make([]int, runtime.NumCPU())
	for i := range cpus {
		cpus[i] = i
	}
	return cpus
}

func pinThread(int) error { return errors.ErrUnsupported }
