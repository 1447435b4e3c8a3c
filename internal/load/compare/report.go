package compare

import (
	"fmt"
	"runtime"
	"slices"
	"time"

	"sherd/internal/load/gen"
	"sherd/internal/load/latency"
	"sherd/internal/load/proc"
)

// Report is what a comparison has measured.
type Report struct {
	Machine       Machine          `json:"machine"`
	ServerCPUs    []int            `json:"server_cpus,omitempty"`
	GeneratorCPUs []int            `json:"generator_cpus,omitempty"`
	Rounds        int              `json:"rounds"`
	Entrants      []EntrantReport  `json:"servers"`
	Scenarios     []ScenarioReport `json:"scenarios"`
	Warnings      []string         `json:"warnings,omitempty"`
}

// Machine is where the figures come from: they do not carry to another one.
type Machine struct {
	CPU  string    `json:"cpu"`
	CPUs int       `json:"cpus"`
	OS   string    `json:"os"`
	Go   string    `json:"go"`
	Time time.Time `json:"time"`
}

// ThisMachine describes the machine.
func ThisMachine() Machine {
	return Machine{
		CPU: proc.Model(), CPUs: runtime.NumCPU(), OS: proc.System(),
		Go: runtime.Version(), Time: time.Now().UTC().Truncate(time.Second),
	}
}

// EntrantReport is what is known of a server beside the rounds.
type EntrantReport struct {
	Label   string `json:"label"`
	Version string `json:"version,omitempty"`
	Threads int    `json:"threads"`
	Fill    *Fill  `json:"fill,omitempty"`
}

// ScenarioReport is a scenario's part of a report.
type ScenarioReport struct {
	Name     string  `json:"name"`
	Conns    int     `json:"connections"`
	Pipeline int     `json:"pipeline"`
	Rate     float64 `json:"rate_per_sec,omitempty"`
	Seconds  float64 `json:"seconds_per_round"`
	Cells    []Cell  `json:"cells"` // by entrant
}

// Cell is one server under one scenario. A server that did not take part has
// no samples.
type Cell struct {
	Label   string    `json:"label"`
	Median  Sample    `json:"median"` // field by field
	Samples []*Sample `json:"rounds"`
}

// Sample is what one round of one server has measured.
type Sample struct {
	PerSec          float64 `json:"ops_per_sec"`
	ServerMicros    float64 `json:"server_cpu_us_per_op"` // user + system; 0: unknown
	ServerBusy      float64 `json:"server_busy"`          // share of the CPUs that it can use
	GeneratorMicros float64 `json:"generator_cpu_us_per_op"`
	GeneratorBusy   float64 `json:"generator_busy"`
	P50             float64 `json:"p50_us"`
	P99             float64 `json:"p99_us"`
	P9999           float64 `json:"p99_99_us"`
	CleanP9999      float64 `json:"undisturbed_p99_99_us,omitempty"` // open loop
	LateP99         float64 `json:"generator_late_p99_us,omitempty"`
	HitRate         float64 `json:"hit_rate"`
	Errors          int64   `json:"errors"`

	Result *gen.Result `json:"-"`
}

func newSample(r *gen.Result, cpu time.Duration, cpus, threads int) *Sample {
	s := &Sample{
		PerSec: r.PerSec, GeneratorMicros: r.GeneratorMicrosPerOp, GeneratorBusy: r.GeneratorBusy,
		P50: r.Latency.P50, P99: r.Latency.P99, P9999: r.Latency.P9999,
		HitRate: r.HitRate, Errors: r.Errors, Result: r,
	}
	if r.Undisturbed != nil {
		s.CleanP9999, s.LateP99 = r.Undisturbed.P9999, r.Lateness.P99
	}
	if r.Ops > 0 {
		s.ServerMicros = float64(cpu) / 1e3 / float64(r.Ops)
	}
	s.ServerBusy = cpu.Seconds() / (r.Seconds * float64(max(min(cpus, threads), 1)))
	return s
}

func newReport(p *Plan) *Report {
	r := &Report{Machine: ThisMachine(), ServerCPUs: p.ServerCPUs, GeneratorCPUs: p.GeneratorCPUs, Rounds: p.Rounds}
	for _, e := range p.Entrants {
		r.Entrants = append(r.Entrants, EntrantReport{Label: e.Label, Threads: e.Threads})
	}
	for _, s := range p.Scenarios {
		sr := ScenarioReport{
			Name: s.Name, Conns: s.Conns, Pipeline: s.Pipeline, Rate: s.Rate,
			Seconds: s.Duration.Seconds(), Cells: make([]Cell, len(p.Entrants)),
		}
		for i, e := range p.Entrants {
			sr.Cells[i].Label = e.Label
		}
		r.Scenarios = append(r.Scenarios, sr)
	}
	return r
}

func (s *ScenarioReport) add(i int, sample *Sample) {
	s.Cells[i].Samples = append(s.Cells[i].Samples, sample)
}

// finish takes the medians and says what is to be said about them.
func (r *Report) finish(p *Plan) {
	for _, e := range r.Entrants {
		if e.Fill != nil && e.Fill.Problem != "" {
			r.warn("%s: %s", e.Label, e.Fill.Problem)
		}
	}
	for s := range r.Scenarios {
		for i := range r.Scenarios[s].Cells {
			c := &r.Scenarios[s].Cells[i]
			if len(c.Samples) == 0 {
				continue
			}
			c.Median = median(c.Samples)
			r.judge(r.Scenarios[s].Name, c, p)
		}
	}
}

// judge warns of what makes a figure worth less than it seems.
func (r *Report) judge(scenario string, c *Cell, p *Plan) {
	m := &c.Median
	open := c.Samples[0].Result != nil && c.Samples[0].Result.Rate > 0
	if !open && m.GeneratorBusy > 0.93 && m.ServerBusy < 0.93 {
		r.warn("%s, %s: the generator set the pace (busy %.0f %%, the server %.0f %%): compare CPU per operation, not throughput",
			scenario, c.Label, 100*m.GeneratorBusy, 100*m.ServerBusy)
	}
	if p.Prefill != nil && m.HitRate < 0.999 {
		r.warn("%s, %s: %.2f %% of the reads missed", scenario, c.Label, 100*(1-m.HitRate))
	}
	for _, s := range c.Samples {
		if s.Errors > 0 {
			text := ""
			if s.Result != nil {
				text = ": " + s.Result.ErrorText
			}
			r.warn("%s, %s: %d errors in a round%s", scenario, c.Label, s.Errors, text)
			break
		}
	}
	if open {
		rate := c.Samples[0].Result.Rate
		if m.PerSec < 0.99*rate {
			r.warn("%s, %s: only %.0f of %.0f requests per second were answered", scenario, c.Label, m.PerSec, rate)
		}
		if m.LateP99 > 20 && m.LateP99 > 0.2*m.P99 {
			r.warn("%s, %s: the generator was late itself, p99 %.0f µs", scenario, c.Label, m.LateP99)
		}
	}
}

func (r *Report) warn(format string, args ...any) {
	r.Warnings = append(r.Warnings, fmt.Sprintf(format, args...))
}

// median of every field, each by itself.
func median(samples []*Sample) Sample {
	of := func(field func(*Sample) float64) float64 {
		values := make([]float64, len(samples))
		for i, s := range samples {
			values[i] = field(s)
		}
		return Median(values)
	}
	m := Sample{
		PerSec:          of(func(s *Sample) float64 { return s.PerSec }),
		ServerMicros:    of(func(s *Sample) float64 { return s.ServerMicros }),
		ServerBusy:      of(func(s *Sample) float64 { return s.ServerBusy }),
		GeneratorMicros: of(func(s *Sample) float64 { return s.GeneratorMicros }),
		GeneratorBusy:   of(func(s *Sample) float64 { return s.GeneratorBusy }),
		P50:             of(func(s *Sample) float64 { return s.P50 }),
		P99:             of(func(s *Sample) float64 { return s.P99 }),
		P9999:           of(func(s *Sample) float64 { return s.P9999 }),
		CleanP9999:      of(func(s *Sample) float64 { return s.CleanP9999 }),
		LateP99:         of(func(s *Sample) float64 { return s.LateP99 }),
		HitRate:         of(func(s *Sample) float64 { return s.HitRate }),
	}
	for _, s := range samples {
		m.Errors += s.Errors
	}
	return m
}

// Median of some values; 0 of none.
func Median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// Curve is the percentiles of the round whose p99 is nearest the median.
func (c *Cell) Curve() []latency.Point {
	var best *Sample
	for _, s := range c.Samples {
		if s.Result == nil {
			continue
		}
		if best == nil || distance(s.P99, c.Median.P99) < distance(best.P99, c.Median.P99) {
			best = s
		}
	}
	if best == nil {
		return nil
	}
	return best.Result.Latency.Points
}

func distance(a, b float64) float64 { return max(a-b, b-a) }
