package main

import (
	"context"
	"fmt"

	"sherd/internal/load/gen"
	"sherd/internal/load/table"
)

// runLoad is `sherd-bench load`.
func runLoad(ctx context.Context, args []string) error {
	fs := newFlags("load", "Store every key once, in order, and report the wall time.")
	var (
		target targetFlags
		work   workloadFlags
		out    outputFlags
	)
	target.register(fs)
	conns := fs.IntP("connections", "c", 50, "connections in all")
	threads := fs.Int("threads", 1, "threads of the load generator")
	pipeline := fs.IntP("pipeline", "P", 50, "requests sent together on a connection")
	cpus := fs.String("cpus", "", "CPUs of the load generator")
	engine := fs.String("io-engine", "auto", "of the load generator: auto, uring, epoll or portable")
	work.register(fs)
	out.register(fs, false)
	if err := parse(fs, args); err != nil {
		return err
	}
	c := gen.Config{Seed: work.seed}
	if err := target.apply(&c); err != nil {
		return err
	}
	spec, err := work.spec()
	if err != nil {
		return err
	}
	if len(spec.Commands) == 0 {
		spec = spec.Prefill()
	}
	if c.Mix, c.Request, err = spec.Compile(c.Protocol); err != nil {
		return err
	}
	loop := loopFlags{
		conns: *conns, threads: *threads, pipeline: *pipeline,
		requests: int64(spec.Keys.Count), cpus: *cpus, engine: *engine,
	}
	if err := loop.apply(&c); err != nil {
		return err
	}
	result, err := runWithProgress(ctx, c, out.quiet)
	if err != nil {
		return err
	}
	fmt.Printf("%s keys in %.3f s: %s per second\n", table.Count(result.Answered), result.Seconds, table.Count(int64(result.PerSec)))
	printWarnings(result.Warnings)
	return writeJSON(out.json, result)
}
