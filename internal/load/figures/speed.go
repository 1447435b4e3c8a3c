package figures

import (
	"context"
	"fmt"
	"math"
	"time"

	"sherd/internal/load/compare"
	"sherd/internal/load/workload"
)

var depths = []int{1, 16, 64}

// cpu measures the server's CPU time per operation in a closed loop, beside
// Redis and the floor.
func (r *runner) cpu(ctx context.Context, g *group) error {
	p := r.plan(r.count(5, 3))
	p.Prefill = standard(r.keys())
	p.Entrants = []compare.Entrant{
		{Label: "sherd", Spec: r.o.Sherd, Threads: 1},
		{Label: "redis-server", Spec: r.o.Redis, Threads: 1},
	}
	if _, missing := r.o.Missing["floor"]; !missing {
		p.Entrants = append(p.Entrants, compare.Entrant{Label: "floor", Spec: r.o.Floor, Threads: 1})
	}
	p.Scenarios = r.closedLoops(p.Prefill)
	report, err := p.Run(ctx)
	if err != nil {
		return err
	}
	r.add(report)
	for i, depth := range depths {
		cells := report.Scenarios[i].Cells
		sherd, redis := &cells[0].Median, &cells[1].Median
		if err := known(sherd.ServerMicros, redis.ServerMicros); err != nil {
			return err
		}
		g.set(fmt.Sprintf("cpu-%d", depth), sherd.ServerMicros/redis.ServerMicros,
			"sherd %.3f, Redis %.3f µs per operation", sherd.ServerMicros, redis.ServerMicros)
		g.set(fmt.Sprintf("p50-%d", depth), sherd.P50/redis.P50,
			"sherd %.1f, Redis %.1f µs", sherd.P50, redis.P50)
		name := fmt.Sprintf("floor-%d", depth)
		if len(cells) < 3 {
			g.skip(name, "%s", r.o.Missing["floor"])
			continue
		}
		floor := &cells[2].Median
		g.set(name, sherd.ServerMicros/floor.ServerMicros,
			"sherd %.3f, floor %.3f µs per operation", sherd.ServerMicros, floor.ServerMicros)
	}
	return nil
}

// steps measures what two steps of the hot path are worth: each is switched off
// in turn, the rest being equal.
func (r *runner) steps(ctx context.Context, g *group) error {
	for _, step := range []struct {
		name, directive string
		threads         int
	}{{"staged", "staged-turns", 1}, {"optimistic", "optimistic-reads", 2}} {
		p := r.plan(r.count(5, 3))
		p.Prefill = standard(r.keys())
		without := r.o.Sherd
		without.Command += " --" + step.directive + " no"
		p.Entrants = []compare.Entrant{
			{Label: "with " + step.directive, Spec: r.o.Sherd, Threads: step.threads},
			{Label: "without " + step.directive, Spec: without, Threads: step.threads},
		}
		p.Scenarios = r.closedLoops(p.Prefill)
		report, err := p.Run(ctx)
		if err != nil {
			return err
		}
		r.add(report)
		for i, depth := range depths {
			cells := report.Scenarios[i].Cells
			with, without := cells[0].Median.ServerMicros, cells[1].Median.ServerMicros
			if err := known(with, without); err != nil {
				return err
			}
			g.set(fmt.Sprintf("%s-%d", step.name, depth), without/with,
				"with %.3f, without %.3f µs per operation", with, without)
		}
	}
	return nil
}

// closedLoops are closed loops of all depths.
func (r *runner) closedLoops(load *workload.Spec) (all []compare.Scenario) {
	for _, depth := range depths {
		all = append(all, compare.Scenario{
			Name: fmt.Sprintf("pipeline %d", depth), Load: load,
			Conns: standardConns, Threads: 1, Pipeline: depth,
			Warmup: r.pick(500*time.Millisecond, 200*time.Millisecond), Duration: r.pick(3*time.Second, time.Second),
		})
	}
	return all
}

// known refuses readings of 0, where the system does not tell CPU time.
func known(readings ...float64) error {
	for _, v := range readings {
		if v <= 0 {
			return fmt.Errorf("the system does not tell the servers' CPU time")
		}
	}
	return nil
}

// loops measures what a second loop costs: the same offered load, once on one
// loop and once on two, between which the keys are spread, so that half of
// them are foreign to the loop that serves them.
func (r *runner) loops(ctx context.Context, g *group) error {
	p := r.plan(r.count(5, 3))
	p.Prefill = standard(r.keys())
	p.Entrants = []compare.Entrant{
		{Label: "one loop", Spec: r.o.Sherd, Threads: 1},
		{Label: "two loops", Spec: r.o.Sherd, Threads: 2},
	}
	p.Scenarios = r.closedLoops(p.Prefill)
	running, err := p.Start(ctx)
	if err != nil {
		return err
	}
	defer running.Stop()
	// The rate is two fifths of what one loop could do, or the generator, if
	// that is less: nobody is at a limit.
	for i := range p.Scenarios {
		trial := p.Scenarios[i]
		trial.Duration = 500 * time.Millisecond
		s, err := running.Measure(ctx, 0, &trial, "finding the rate")
		if err != nil {
			return err
		}
		if err := known(s.ServerMicros, s.GeneratorMicros); err != nil {
			return err
		}
		rate := 0.4e6 / max(s.ServerMicros, s.GeneratorMicros)
		round := math.Pow(10, math.Floor(math.Log10(rate))-1)
		p.Scenarios[i].Rate = math.Floor(rate/round) * round
		running.Report.Scenarios[i].Rate = p.Scenarios[i].Rate
	}
	if err := running.Rounds(ctx); err != nil {
		return err
	}
	r.add(running.Report)
	for i, depth := range depths {
		cells := running.Report.Scenarios[i].Cells
		one, two := cells[0].Median.ServerMicros, cells[1].Median.ServerMicros
		if err := known(one, two); err != nil {
			return err
		}
		g.set(fmt.Sprintf("loops-%d", depth), two/one,
			"one loop %.3f, two loops %.3f µs per operation at %.0f/s", one, two, p.Scenarios[i].Rate)
	}
	return nil
}

// latency measures how long users wait at a rate that keeps nobody busy.
func (r *runner) latency(ctx context.Context, g *group) error {
	p := r.plan(r.count(5, 3))
	p.Prefill = standard(r.keys())
	p.Entrants = []compare.Entrant{
		{Label: "sherd, two loops", Spec: r.o.Sherd, Threads: 2},
		{Label: "redis-server", Spec: r.o.Redis, Threads: 1},
	}
	p.Scenarios = []compare.Scenario{{
		Name: "20,000 requests/s", Load: p.Prefill, Conns: standardConns, Threads: 1, Pipeline: 1,
		Rate: 20_000, Warmup: r.pick(2*time.Second, 500*time.Millisecond), Duration: r.pick(time.Minute, 5*time.Second),
	}}
	report, err := p.Run(ctx)
	if err != nil {
		return err
	}
	r.add(report)
	cells := report.Scenarios[0].Cells
	sherd, redis := &cells[0].Median, &cells[1].Median
	g.set("latency-p50", sherd.P50/redis.P50, "sherd %.1f, Redis %.1f µs", sherd.P50, redis.P50)
	g.set("latency-p99", sherd.P99/redis.P99, "sherd %.1f, Redis %.1f µs", sherd.P99, redis.P99)
	g.set("latency-p99.99", sherd.P9999/redis.P9999, "sherd %.0f, Redis %.0f µs; without the generator's own gaps %.0f, %.0f µs",
		sherd.P9999, redis.P9999, sherd.CleanP9999, redis.CleanP9999)
	return nil
}
