// Package selftest makes the load tool prove itself. A server that answers a
// constant stands still for a known part of the time; the open loop has to
// report that, and a closed loop beside it shows why one needs an open loop.
//
// With a share f of the time in stalls of length S, requests that are due at
// even distances wait more than x with probability f (1 - x/S). For f = 1/5:
// p90 is S/2 and p99 is 19/20 S.
package selftest

import (
	"context"
	"fmt"
	"time"

	"sherd/internal/load/floor"
	"sherd/internal/load/gen"
	"sherd/internal/load/keyspace"
	"sherd/internal/load/workload"
)

// Options are the size of the test.
type Options struct {
	Stall, Period time.Duration // default 200 ms of every second
	Duration      time.Duration // of each loop; default 5 periods
	Rate          float64       // of the open loop; default 2,000 per second
	Engine        string
	ServerCPUs    []int
	GeneratorCPUs []int
	Progress      func(gen.Progress)
}

// Report is what was seen.
type Report struct {
	Stall  time.Duration `json:"stall_ns"`
	Period time.Duration `json:"period_ns"`
	Open   *gen.Result   `json:"open"`
	Closed *gen.Result   `json:"closed"`
	// Findings is what the open loop failed to report; empty when it passed.
	Findings []string `json:"findings,omitempty"`
	// Hidden tells whether the closed loop's p99 hid the stall, as it should.
	Hidden bool `json:"hidden_by_closed_loop"`
}

// Run runs the test.
func Run(ctx context.Context, o Options) (*Report, error) {
	if o.Stall <= 0 || o.Period <= 0 {
		o.Stall, o.Period = 200*time.Millisecond, time.Second
	}
	if o.Duration <= 0 {
		o.Duration = 5 * o.Period
	}
	if o.Rate <= 0 {
		o.Rate = 2000
	}
	server, err := floor.Start(floor.Options{
		Threads: 1, Engine: o.Engine, CPUs: o.ServerCPUs, Stall: o.Stall, Period: o.Period,
	})
	if err != nil {
		return nil, err
	}
	defer server.Close()

	load := workload.Spec{
		Ratio: []int{10, 1}, DataMin: 32, DataMax: 32,
		Keys: keyspace.Spec{Count: 1000, Format: "key:%08d"},
	}
	c := gen.Config{
		Network: "tcp", Address: server.Addr().String(),
		Conns: 50, Threads: 1, Pipeline: 1, Rate: o.Rate,
		Duration: o.Duration, Engine: o.Engine, CPUs: o.GeneratorCPUs, Progress: o.Progress,
	}
	if c.Mix, c.Request, err = load.Compile(c.Protocol); err != nil {
		return nil, err
	}
	r := &Report{Stall: o.Stall, Period: o.Period}
	if r.Open, err = gen.Run(ctx, c); err != nil {
		return nil, fmt.Errorf("open loop: %w", err)
	}
	// Few connections: each stall is seen by as many requests as there are.
	c.Rate, c.Conns = 0, 4
	if r.Closed, err = gen.Run(ctx, c); err != nil {
		return nil, fmt.Errorf("closed loop: %w", err)
	}
	r.judge()
	return r, nil
}

func (r *Report) judge() {
	stall := float64(r.Stall) / 1e3
	atLeast := func(name string, got, want float64) {
		if got < want {
			r.Findings = append(r.Findings, fmt.Sprintf("%s is %.0f µs; with a stall of %.0f µs it must be at least %.0f µs", name, got, stall, want))
		}
	}
	l := &r.Open.Latency
	atLeast("p90", l.P90, stall/4)
	atLeast("p99", l.P99, stall/2)
	atLeast("the maximum", l.Max, stall*3/4)
	r.Hidden = r.Closed.Latency.P99 < stall/4
}
