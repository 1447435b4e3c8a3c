//go:build race || !(unix || windows)

package heap

import "unsafe"

// The race detector sees only the Go heap, so race builds take their arenas, which
// are small, from there; and so do systems that have no mmap.
const sysReserveLimit = 256 << 20

func sysReserve(size int64) (unsafe.Pointer, error) {
	return unsafe.Pointer(unsafe.SliceData(make([]uint64, size/8))), nil
}

func sysCommit(unsafe.Pointer, int64) error { return nil }

func sysDiscard(p unsafe.Pointer, size int64) bool {
	clear(unsafe.Slice((*byte)(p), size))
	return true
}

func sysRelease(unsafe.Pointer, int64) error { return nil }

// sysHuge is advice that this system has no use for.
func sysHuge(unsafe.Pointer, int64, bool) {}
