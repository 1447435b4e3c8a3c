package testserver

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
)

// RSS is the resident memory of the server in bytes; the test is skipped where
// the system does not tell.
func (s *Server) RSS(tb testing.TB) int64 {
	tb.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.Pid()))
	if err != nil {
		tb.Skip("the system does not tell the resident memory of a process: ", err)
	}
	for l := range strings.Lines(string(b)) {
		if rest, ok := strings.CutPrefix(l, "VmRSS:"); ok {
			kb, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			if err != nil {
				tb.Fatal(err)
			}
			return kb << 10
		}
	}
	tb.Fatalf("no VmRSS of process %d", s.Pid())
	return 0
}

// FDs is the number of open descriptors of the server; the test is skipped
// where the system does not tell.
func (s *Server) FDs(tb testing.TB) int {
	tb.Helper()
	list, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", s.Pid()))
	if err != nil {
		tb.Skip("the system does not tell the descriptors of a process: ", err)
	}
	return len(list)
}
