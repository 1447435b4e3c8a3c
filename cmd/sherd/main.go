// Command sherd is the server.
package main

import (
	"fmt"
	"os"
	"runtime/pprof"

	"sherd/internal/config"
	"sherd/internal/server"
)

func main() {
	os.Exit(run(os.Args[1:]))
}

// run is main with a status instead of an exit.
func run(args []string) int {
	if text, ok := server.Usage(args); ok {
		fmt.Print(text)
		return 0
	}
	cfg, err := config.Load(args, os.Environ(), os.Stdin)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	stop, err := profile()
	if err != nil {
		fmt.Fprintln(os.Stderr, "sherd:", err)
		return 1
	}
	defer stop()
	return server.Main(cfg)
}

// profile writes a CPU profile of the whole run to the file that
// SHERD_BENCH_CPUPROFILE names; `make pgo` makes default.pgo of it.
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
