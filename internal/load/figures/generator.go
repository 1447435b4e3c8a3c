package figures

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os/exec"
	"strconv"
	"time"

	"sherd/internal/load/compare"
	"sherd/internal/load/proc"
	"sherd/internal/load/workload"
)

// generator measures the load generator itself: requests per second of its
// CPU time against redis-benchmark's, both loading the same redis-server with
// GET at pipeline 16, in turns.
func (r *runner) generator(ctx context.Context, g *group) error {
	bench, err := exec.LookPath("redis-benchmark")
	if err != nil {
		return errors.New("redis-benchmark is not installed")
	}
	load := standard(r.keys())
	load.Keys.Format = "key:%012d" // what redis-benchmark makes of key:__rand_int__
	p := r.plan(0)
	p.Prefill = load
	p.Entrants = []compare.Entrant{{Label: "redis-server", Spec: r.o.Redis, Threads: 1}}
	running, err := p.Start(ctx)
	if err != nil {
		return err
	}
	defer running.Stop()
	address := running.Process(0).Address

	const depth = 16
	gets := workload.Spec{Commands: []string{"GET __key__"}, Keys: load.Keys, DataMin: 32, DataMax: 32}
	scenario := compare.Scenario{
		Name: "generator", Load: &gets, Conns: standardConns, Threads: 1, Pipeline: depth,
		Warmup: 200 * time.Millisecond, Duration: r.pick(3*time.Second, time.Second),
	}
	requests := r.count(2_000_000, 500_000)
	var ours, theirs []float64
	for range r.count(5, 3) {
		s, err := running.Measure(ctx, 0, &scenario, "generator: sherd-bench")
		if err != nil {
			return err
		}
		if err := known(s.GeneratorMicros); err != nil {
			return err
		}
		ours = append(ours, s.GeneratorMicros)
		r.o.Status("generator: redis-benchmark")
		cpu, err := r.redisBenchmark(ctx, bench, address, depth, requests)
		if err != nil {
			return err
		}
		theirs = append(theirs, float64(cpu)/1e3/float64(requests))
	}
	our, their := compare.Median(ours), compare.Median(theirs)
	g.set("generator", their/our, "sherd-bench %.3f, redis-benchmark %.3f µs of CPU per request", our, their)
	return nil
}

// redisBenchmark runs redis-benchmark on the generator's CPUs and returns the
// CPU time that it took.
func (r *runner) redisBenchmark(ctx context.Context, bench, address string, depth, requests int) (time.Duration, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return 0, err
	}
	cmd := exec.CommandContext(ctx, bench, "-h", host, "-p", port, "-c", strconv.Itoa(standardConns),
		"-P", strconv.Itoa(depth), "-n", strconv.Itoa(requests), "-r", strconv.FormatUint(r.keys(), 10), "-t", "get", "-q")
	cmd.Stdout, cmd.Stderr = io.Discard, io.Discard
	if err := proc.OnCPUs(r.o.GeneratorCPUs, cmd.Start); err != nil {
		return 0, err
	}
	if err := cmd.Wait(); err != nil {
		return 0, fmt.Errorf("redis-benchmark: %w", err)
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}
