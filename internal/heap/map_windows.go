//go:build windows && !race

package heap

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

const sysReserveLimit = maxReserve

// sysReserve takes address space without access.
func sysReserve(size int64) (unsafe.Pointer, error) {
	addr, err := windows.VirtualAlloc(0, uintptr(size), windows.MEM_RESERVE, windows.PAGE_NOACCESS)
	// The address is no Go object's, so there is nothing that could move.
	return *(*unsafe.Pointer)(unsafe.Pointer(&addr)), err
}

// sysCommit makes reserved memory readable and writable; fresh, it reads as zeros.
func sysCommit(p unsafe.Pointer, size int64) error {
	_, err := windows.VirtualAlloc(uintptr(p), uintptr(size), windows.MEM_COMMIT, windows.PAGE_READWRITE)
	return err
}

// sysDiscard does nothing: the system can take pages back only by making them
// inaccessible for a moment, and an optimistic reader may look at any moment.
func sysDiscard(unsafe.Pointer, int64) bool { return false }

// sysRelease gives a reservation back.
func sysRelease(p unsafe.Pointer, _ int64) error {
	return windows.VirtualFree(uintptr(p), 0, windows.MEM_RELEASE)
}

// sysHuge is advice that this system has no use for.
func sysHuge(unsafe.Pointer, int64, bool) {}
