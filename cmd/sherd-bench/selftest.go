package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"time"

	"sherd/internal/load/gen"
	"sherd/internal/load/proc"
	"sherd/internal/load/selftest"
	"sherd/internal/load/table"
)

// runSelftest is `sherd-bench selftest`.
func runSelftest(ctx context.Context, args []string) error {
	fs := newFlags("selftest", "Plant a stall of 20 % of the time in a server and fail unless the open loop reports it.")
	stall := fs.Duration("stall", 200*time.Millisecond, "length of a stall; the period is five times as long")
	duration := fs.DurationP("time", "t", 0, "how long each loop runs (default five periods)")
	rate := fs.Float64("rate", 2000, "requests per second of the open loop")
	engine := fs.String("io-engine", "auto", "auto, uring, epoll or portable")
	var out outputFlags
	out.register(fs, false)
	if err := parse(fs, args); err != nil {
		return err
	}
	runtime.GOMAXPROCS(4)
	o := selftest.Options{Stall: *stall, Period: 5 * *stall, Duration: *duration, Rate: *rate, Engine: *engine}
	if cpus := proc.CPUs(); len(cpus) > 1 {
		o.ServerCPUs, o.GeneratorCPUs = proc.Split(cpus, 1)
	}
	line := newStatusLine(out.quiet)
	if !out.quiet {
		o.Progress = func(p gen.Progress) { line.show(progressText(p)) }
	}
	r, err := selftest.Run(ctx, o)
	line.clear()
	if err != nil {
		return err
	}
	fmt.Printf("planted: the server stands still for %v of every %v\n", r.Stall, r.Period)
	var t table.Table
	t.Head("latency", "requests", "mean", "p50", "p90", "p99", "p99.9", "p99.99", "max")
	latencyRow(&t, "open loop", &r.Open.Latency)
	latencyRow(&t, "closed loop", &r.Closed.Latency)
	_, _ = t.WriteTo(os.Stdout)
	if err := writeJSON(out.json, r); err != nil {
		return err
	}
	if r.Hidden {
		fmt.Println("the closed loop's p99 hides the stall: few requests are sent while the server stands still")
	} else {
		fmt.Println("the closed loop's p99 shows the stall as well: this machine is slow")
	}
	for _, finding := range r.Findings {
		fmt.Printf("FAILED: open loop: %s\n", finding)
	}
	if len(r.Findings) > 0 {
		return errNotMet
	}
	fmt.Println("passed: the open loop reports it")
	return nil
}
