//go:build linux || darwin

package server

import "syscall"

// allowFiles raises the limit of open files to n where that is possible, and
// returns what it is then.
func allowFiles(n uint64) uint64 {
	var r syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &r); err != nil {
		return n // let the kernel tell when there are too many
	}
	if r.Cur >= n {
		return r.Cur
	}
	old := r
	r.Cur, r.Max = n, max(n, r.Max)
	if syscall.Setrlimit(syscall.RLIMIT_NOFILE, &r) == nil {
		return n
	}
	r.Cur, r.Max = old.Max, old.Max
	if syscall.Setrlimit(syscall.RLIMIT_NOFILE, &r) == nil {
		return r.Cur
	}
	return old.Cur
}
