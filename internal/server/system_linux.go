package server

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// disableHugePages keeps the kernel from backing the process with huge pages
// unasked, which would hold memory that was given back.
func disableHugePages() error {
	return unix.Prctl(unix.PR_SET_THP_DISABLE, 1, 0, 0, 0)
}

// cgroupLimit is the least memory that the process's cgroup and those above it
// allow, of either version; 0 when there is no limit.
func cgroupLimit() int64 {
	b, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return 0
	}
	least := int64(0)
	for line := range strings.Lines(string(b)) {
		f := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(f) != 3 {
			continue
		}
		root, file := "", ""
		switch f[1] {
		case "":
			root, file = "/sys/fs/cgroup", "memory.max"
		case "memory":
			root, file = "/sys/fs/cgroup/memory", "memory.limit_in_bytes"
		default:
			continue
		}
		// In a container the path may be that outside of it: then only the root
		// is there.
		for dir := filepath.Clean("/" + f[2]); ; dir = filepath.Dir(dir) {
			if n := readLimit(filepath.Join(root, dir, file)); n > 0 && (least == 0 || n < least) {
				least = n
			}
			if dir == "/" {
				break
			}
		}
	}
	return least
}

// readLimit reads a limit; "max" and version 1's number for no limit are 0.
func readLimit(path string) int64 {
	b, err := os.ReadFile(path)
	if err != nil {
		return 0
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(b)), 10, 64)
	if err != nil || n >= 1<<62 {
		return 0
	}
	return n
}
