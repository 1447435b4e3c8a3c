package gen

import (
	"fmt"
	"time"

	"sherd/internal/load/latency"
)

// Result is what a run has measured.
type Result struct {
	Loop     string  `json:"loop"` // closed or open
	Threads  int     `json:"threads"`
	Conns    int     `json:"connections"`
	Pipeline int     `json:"pipeline"`
	Rate     float64 `json:"rate_per_sec,omitempty"` // offered, open loop
	Engine   string  `json:"engine"`

	Seconds float64 `json:"seconds"` // of the measured window
	Ops     int64   `json:"ops"`     // answered in it
	PerSec  float64 `json:"ops_per_sec"`

	Latency     latency.Summary  `json:"latency"`
	Undisturbed *latency.Summary `json:"latency_undisturbed,omitempty"` // open loop: without requests that a gap touched
	Lateness    *latency.Summary `json:"lateness,omitempty"`            // open loop: of batches, the generator's fault
	Gaps        *latency.Summary `json:"gaps,omitempty"`                // open loop: between turns of the generator
	Commands    []CommandResult  `json:"commands"`

	// The counts below are of the whole run, warm-up included.
	Answered   int64   `json:"answered"`
	Turns      int64   `json:"turns,omitempty"` // of the generator's loops, in which replies came; closed loop
	Errors     int64   `json:"errors"`
	ErrorText  string  `json:"error_text,omitempty"` // the first one
	Reads      int64   `json:"reads"`
	Misses     int64   `json:"misses"`
	HitRate    float64 `json:"hit_rate"` // of the reads; 1 when there were none
	Lost       int     `json:"connections_lost,omitempty"`
	Unanswered int64   `json:"unanswered,omitempty"`
	Unsent     int64   `json:"unsent,omitempty"` // due in the window, never sent: no connection was free

	GeneratorMicrosPerOp float64 `json:"generator_cpu_us_per_op"`
	GeneratorBusy        float64 `json:"generator_busy"` // share of its CPUs; always 1 in an open loop

	Warnings []string `json:"warnings,omitempty"`
}

// CommandResult is one command's part of a run.
type CommandResult struct {
	Name    string          `json:"name"`
	Ops     int64           `json:"ops"`
	Errors  int64           `json:"errors"`
	Nulls   int64           `json:"nulls"`
	Latency latency.Summary `json:"latency"`
}

// collect adds up the workers, which have finished.
func (r *run) collect() *Result {
	res := &Result{}
	all, undisturbed, lateness, gaps := latency.New(), latency.New(), latency.New(), latency.New()
	for i, command := range r.config.Mix.Commands {
		one := latency.New()
		cr := CommandResult{Name: command.Name}
		for _, w := range r.workers {
			one.Merge(w.hists[i])
			cr.Ops += w.counts[i].ops
			cr.Errors += w.counts[i].errors
			cr.Nulls += w.counts[i].nulls
		}
		if command.Reads {
			res.Reads += cr.Ops
		}
		cr.Latency = one.Summarize(false)
		all.Merge(one)
		res.Commands = append(res.Commands, cr)
	}
	for _, w := range r.workers {
		undisturbed.Merge(w.undisturbed)
		lateness.Merge(w.lateness)
		gaps.Merge(w.gaps)
		res.Answered += w.done
		res.Turns += w.turns
		res.Errors += w.errors
		res.Misses += w.misses
		res.Lost += w.lost
		res.Unanswered += w.unanswered
		res.Unsent += w.unsent
		if res.ErrorText == "" {
			res.ErrorText = w.errorText
		}
	}
	res.Latency = all.Summarize(true)
	if r.config.Rate > 0 {
		u, l, g := undisturbed.Summarize(true), lateness.Summarize(false), gaps.Summarize(false)
		res.Undisturbed, res.Lateness, res.Gaps = &u, &l, &g
	}
	return res
}

func (res *Result) fill(c *Config, ops int64, window, cpu time.Duration) {
	res.Loop = "closed"
	if c.Rate > 0 {
		res.Loop = "open"
	}
	res.Threads, res.Conns, res.Pipeline, res.Rate = c.Threads, c.Conns, c.Pipeline, c.Rate
	res.Seconds, res.Ops = window.Seconds(), ops
	res.PerSec = float64(ops) / max(window.Seconds(), 1e-9)
	res.HitRate = 1
	if res.Reads > 0 {
		res.HitRate = 1 - float64(res.Misses)/float64(res.Reads)
	}
	if ops > 0 {
		res.GeneratorMicrosPerOp = float64(cpu) / 1e3 / float64(ops)
	}
	res.GeneratorBusy = float64(cpu) / max(float64(window)*float64(c.Threads), 1)
	res.warn()
}

// warn says what a reader of the figures must know.
func (res *Result) warn() {
	warn := func(format string, args ...any) {
		res.Warnings = append(res.Warnings, fmt.Sprintf(format, args...))
	}
	if res.Errors > 0 {
		warn("%d errors, the first: %s", res.Errors, res.ErrorText)
	}
	if res.Misses > 0 {
		warn("%.2f %% of the reads missed", 100*(1-res.HitRate))
	}
	if res.Lost > 0 {
		warn("the server closed %d connections", res.Lost)
	}
	if res.Unanswered > 0 {
		warn("%d requests were not answered in time", res.Unanswered)
	}
	if res.Loop == "closed" {
		if res.GeneratorBusy > 0.95 {
			warn("the generator used %.0f %% of its CPU: it, not the server, may have set the pace", 100*res.GeneratorBusy)
		}
		return
	}
	if res.PerSec < 0.99*res.Rate {
		warn("%.0f of the %.0f requests per second offered were answered in time", res.PerSec, res.Rate)
	}
	if l := res.Lateness; l.P99 > 0.2*res.Latency.P99 && l.P99 > 20 {
		warn("the generator was late itself: p99 %.0f µs", l.P99)
	}
	if res.Undisturbed.Count*100 < res.Latency.Count*99 {
		warn("%.1f %% of the requests fell into a gap of the generator", 100*(1-float64(res.Undisturbed.Count)/float64(res.Latency.Count)))
	}
}
