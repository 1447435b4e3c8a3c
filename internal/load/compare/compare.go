// Package compare runs the same load against several servers, round after
// round and one server after the other within each, so that what the machine
// does meanwhile befalls all of them, and takes medians.
//
// All servers of a comparison run at the same time, on the same CPUs, but only
// one of them is loaded at any moment; the generator has CPUs of its own. The
// order within a round moves on by one from round to round.
package compare

import (
	"context"
	"fmt"
	"time"

	"sherd/internal/load/gen"
	"sherd/internal/load/peer"
	"sherd/internal/load/workload"
)

// Entrant is a server that takes part.
type Entrant struct {
	Label   string
	Spec    peer.Spec
	Threads int
}

// Scenario is a load that all entrants get.
type Scenario struct {
	Name     string
	Load     *workload.Spec
	Conns    int
	Threads  int // of the generator
	Pipeline int
	Rate     float64 // 0: closed loop
	Poisson  bool
	Warmup   time.Duration
	Duration time.Duration
	// Entrants by index; nil: all.
	Entrants []int
}

// Plan is a comparison.
type Plan struct {
	Entrants  []Entrant
	Scenarios []Scenario
	Rounds    int

	// Prefill is stored in every server first; nil: nothing is.
	Prefill         *workload.Spec
	PrefillConns    int
	PrefillPipeline int

	ServerCPUs    []int // nil: not bound
	GeneratorCPUs []int
	Engine        string // of the generator's reactor
	Seed          uint64

	// Status is told what happens, for a progress line.
	Status func(string)
}

// Running is a plan whose servers have been started.
type Running struct {
	Plan   *Plan
	Report *Report
	procs  []*peer.Process
}

// Run starts the servers, fills them, runs all rounds, and stops them.
func (p *Plan) Run(ctx context.Context) (*Report, error) {
	r, err := p.Start(ctx)
	if err != nil {
		return nil, err
	}
	defer r.Stop()
	if err := r.Rounds(ctx); err != nil {
		return nil, err
	}
	return r.Report, nil
}

// Start starts the servers and fills them. The caller calls Stop.
func (p *Plan) Start(ctx context.Context) (*Running, error) {
	if p.Status == nil {
		p.Status = func(string) {}
	}
	r := &Running{Plan: p, Report: newReport(p)}
	for i, e := range p.Entrants {
		p.Status("starting " + e.Label)
		proc, err := peer.Start(ctx, e.Spec, peer.Options{Threads: e.Threads, CPUs: p.ServerCPUs})
		if err != nil {
			r.Stop()
			return nil, err
		}
		r.procs = append(r.procs, proc)
		r.Report.Entrants[i].Version = proc.Version
	}
	if p.Prefill == nil {
		return r, nil
	}
	for i := range p.Entrants {
		f, err := r.fill(ctx, i)
		if err != nil {
			r.Stop()
			return nil, err
		}
		r.Report.Entrants[i].Fill = f
	}
	return r, nil
}

// Process is entrant i's server.
func (r *Running) Process(i int) *peer.Process { return r.procs[i] }

// Stop ends the servers.
func (r *Running) Stop() {
	for _, p := range r.procs {
		p.Stop()
	}
}

// Rounds runs all scenarios in all rounds.
func (r *Running) Rounds(ctx context.Context) error {
	p := r.Plan
	for round := range p.Rounds {
		for s := range p.Scenarios {
			in := p.Scenarios[s].Entrants
			if in == nil {
				for i := range p.Entrants {
					in = append(in, i)
				}
			}
			for k := range in {
				i := in[(k+round)%len(in)]
				what := fmt.Sprintf("round %d/%d, %s, %s", round+1, p.Rounds, p.Scenarios[s].Name, p.Entrants[i].Label)
				sample, err := r.Measure(ctx, i, &p.Scenarios[s], what)
				if err != nil {
					return fmt.Errorf("%s: %w", what, err)
				}
				r.Report.Scenarios[s].add(i, sample)
			}
		}
	}
	r.Report.finish(p)
	return nil
}

// Measure puts the load of scenario s on entrant i once.
func (r *Running) Measure(ctx context.Context, i int, s *Scenario, what string) (*Sample, error) {
	proc := r.procs[i]
	c, err := r.config(proc, s.Load)
	if err != nil {
		return nil, err
	}
	c.Conns, c.Threads, c.Pipeline = s.Conns, s.Threads, s.Pipeline
	c.Rate, c.Poisson = s.Rate, s.Poisson
	c.Warmup, c.Duration = s.Warmup, s.Duration
	r.Plan.Status(what)
	if s.Rate == 0 { // a spinning generator is not to be disturbed by a progress line
		c.Progress = func(p gen.Progress) { r.Plan.Status(fmt.Sprintf("%s, %.0f ops/s", what, p.PerSec)) }
	}
	var began, ended time.Duration
	var cpuErr error
	c.Window = func(begins bool) {
		cpu, err := proc.CPU()
		if err != nil {
			cpuErr = err
		}
		if begins {
			began = cpu
		} else {
			ended = cpu
		}
	}
	result, err := gen.Run(ctx, *c)
	if err != nil {
		return nil, proc.Explain(err)
	}
	if cpuErr != nil {
		ended, began = 0, 0
	}
	return newSample(result, ended-began, max(len(r.Plan.ServerCPUs), 1), proc.Threads), nil
}

// config is what all runs against a server share.
func (r *Running) config(proc *peer.Process, load *workload.Spec) (*gen.Config, error) {
	c := &gen.Config{
		Network: "tcp", Address: proc.Address, Protocol: proc.Protocol,
		Engine: r.Plan.Engine, CPUs: r.Plan.GeneratorCPUs, Seed: r.Plan.Seed,
	}
	var err error
	c.Mix, c.Request, err = load.Compile(proc.Protocol)
	return c, err
}
