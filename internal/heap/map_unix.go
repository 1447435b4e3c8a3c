//go:build unix && !linux && !race

package heap

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

const sysReserveLimit = maxReserve

const anonymous = unix.MAP_ANON | unix.MAP_PRIVATE

// sysReserve takes address space without access.
func sysReserve(size int64) (unsafe.Pointer, error) {
	return unix.MmapPtr(-1, 0, nil, uintptr(size), unix.PROT_NONE, anonymous)
}

// sysCommit makes reserved memory readable and writable; fresh, it reads as zeros.
func sysCommit(p unsafe.Pointer, size int64) error {
	return unix.Mprotect(unsafe.Slice((*byte)(p), size), unix.PROT_READ|unix.PROT_WRITE)
}

// sysDiscard gives the pages of a range back. Advice is not binding on these
// systems, so it maps fresh pages over the old ones, in one step.
func sysDiscard(p unsafe.Pointer, size int64) bool {
	_, err := unix.MmapPtr(-1, 0, p, uintptr(size), unix.PROT_READ|unix.PROT_WRITE, anonymous|unix.MAP_FIXED)
	return err == nil
}

// sysRelease gives a reservation back.
func sysRelease(p unsafe.Pointer, size int64) error { return unix.MunmapPtr(p, uintptr(size)) }

// sysHuge is advice that this system has no use for.
func sysHuge(unsafe.Pointer, int64, bool) {}
