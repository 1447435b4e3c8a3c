//go:build linux && !race

package heap

import "golang.org/x/sys/unix"

func reserveMemory(size int64) ([]byte, error) {
	size = size &^ (chunkSize - 1)
	for {
		mem, err := unix.Mmap(-1, 0, int(size), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE|unix.MAP_NORESERVE)
		if err == nil || size < 64<<20 {
			return mem, err
		}
		size = (size / 2) &^ (chunkSize - 1)
	}
}

func releaseMemory(mem []byte) error { return unix.Munmap(mem) }
