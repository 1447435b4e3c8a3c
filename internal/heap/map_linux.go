//go:build linux && !race

package heap

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

const sysReserveLimit = maxReserve

// sysReserve takes address space without access, which no overcommit policy counts.
func sysReserve(size int64) (unsafe.Pointer, error) {
	return unix.MmapPtr(-1, 0, nil, uintptr(size), unix.PROT_NONE,
		unix.MAP_ANON|unix.MAP_PRIVATE|unix.MAP_NORESERVE)
}

// sysCommit makes reserved memory readable and writable; fresh, it reads as zeros.
func sysCommit(p unsafe.Pointer, size int64) error {
	return unix.Mprotect(unsafe.Slice((*byte)(p), size), unix.PROT_READ|unix.PROT_WRITE)
}

// sysDiscard gives the pages of a range back; it reads as zeros then. False means
// that the system did not do it.
func sysDiscard(p unsafe.Pointer, size int64) bool {
	return unix.Madvise(unsafe.Slice((*byte)(p), size), unix.MADV_DONTNEED) == nil
}

// sysRelease gives a reservation back.
func sysRelease(p unsafe.Pointer, size int64) error { return unix.MunmapPtr(p, uintptr(size)) }

// sysHuge advises whether a range should have huge pages; systems without them
// refuse, and that is all right.
func sysHuge(p unsafe.Pointer, size int64, on bool) {
	advice := unix.MADV_NOHUGEPAGE
	if on {
		advice = unix.MADV_HUGEPAGE
	}
	if size > 0 {
		_ = unix.Madvise(unsafe.Slice((*byte)(p), size), advice)
	}
}
