package main

import (
	"os"
	"runtime/pprof"
)

// profile writes a CPU profile of the whole run to the file that
// SHERD_BENCH_CPUPROFILE names; scripts/pgo makes default.pgo of it.
func profile() (stop func(), err error) {
	path := os.Getenv("SHERD_BENCH_CPUPROFILE")
	if path == "" {
		return func() {}, nil
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return nil, err
	}
	return func() {
		pprof.StopCPUProfile()
		_ = f.Close()
	}, nil
}
