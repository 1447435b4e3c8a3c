package metrics

import (
	"bytes"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

func readSystem() Process {
	var p Process
	var u unix.Utsname
	if unix.Uname(&u) == nil {
		p.OS = cstring(u.Sysname[:]) + " " + cstring(u.Release[:]) + " " + cstring(u.Machine[:])
	}
	if b, err := os.ReadFile("/proc/self/statm"); err == nil {
		if f := bytes.Fields(b); len(f) > 1 {
			pages, _ := strconv.ParseInt(string(f[1]), 10, 64)
			p.RSSBytes = pages * int64(os.Getpagesize())
		}
	}
	var si unix.Sysinfo_t
	if unix.Sysinfo(&si) == nil {
		p.TotalMemory = int64(uint64(si.Totalram) * uint64(si.Unit))
	}
	var r unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &r) == nil {
		p.UserSeconds = float64(r.Utime.Nano()) / 1e9
		p.SystemSeconds = float64(r.Stime.Nano()) / 1e9
	}
	return p
}

func cstring(b []byte) string {
	if i := bytes.IndexByte(b, 0); i >= 0 {
		b = b[:i]
	}
	return string(b)
}
