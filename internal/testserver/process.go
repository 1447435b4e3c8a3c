package testserver

import (
	"fmt"
	"math/rand/v2"
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

// Seed is the seed of a random test: SHERD_TEST_SEED, where "random" stands
// for a new one, or else a fixed one, so that a run can be repeated. It is
// printed.
func Seed(tb testing.TB) uint64 {
	tb.Helper()
	seed := uint64(1)
	switch s := os.Getenv("SHERD_TEST_SEED"); s {
	case "":
	case "random":
		seed = rand.Uint64()
	default:
		n, err := strconv.ParseUint(s, 10, 64)
		if err != nil {
			tb.Fatalf("SHERD_TEST_SEED: %v", err)
		}
		seed = n
	}
	tb.Logf("seed: SHERD_TEST_SEED=%d", seed)
	return seed
}
