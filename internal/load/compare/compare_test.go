package compare

import (
	"bytes"
	"context"
	"os/exec"
	"strings"
	"testing"
	"time"

	"sherd/internal/load/gen"
	"sherd/internal/load/keyspace"
	"sherd/internal/load/latency"
	"sherd/internal/load/peer"
	"sherd/internal/load/workload"
)

func load() *workload.Spec {
	return &workload.Spec{
		Ratio: []int{10, 1}, DataMin: 32, DataMax: 32,
		Keys: keyspace.Spec{Count: 2000, Format: "memtier-%d"},
	}
}

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   float64
	}{{nil, 0}, {[]float64{3}, 3}, {[]float64{9, 1, 5}, 5}, {[]float64{4, 1, 2, 9}, 3}} {
		if got := Median(c.values); got != c.want {
			t.Errorf("median of %v = %g, want %g", c.values, got, c.want)
		}
	}
}

// The warnings are what keeps a figure from being quoted wrongly.
func TestWarnings(t *testing.T) {
	sample := func(change func(*Sample)) *Sample {
		s := &Sample{
			PerSec: 1000, ServerBusy: .99, GeneratorBusy: .5, HitRate: 1, P99: 100,
			Result: &gen.Result{Latency: latency.Summary{Points: []latency.Point{{Quantile: .5, Micros: 10}}}},
		}
		if change != nil {
			change(s)
		}
		return s
	}
	for want, change := range map[string]func(*Sample){
		"":                       nil,
		"generator set the pace": func(s *Sample) { s.ServerBusy, s.GeneratorBusy = .6, .99 },
		"5.00 % of the reads":    func(s *Sample) { s.HitRate = .95 },
		"7 errors":               func(s *Sample) { s.Errors = 7 },
		"only 500 of 1000":       func(s *Sample) { s.PerSec = 500; s.Result.Rate = 1000 },
		"late itself":            func(s *Sample) { s.Result.Rate = 1000; s.LateP99 = 60 },
	} {
		p := &Plan{
			Entrants: []Entrant{{Label: "x"}}, Rounds: 1, Prefill: load(),
			Scenarios: []Scenario{{Name: "s", Duration: time.Second}},
		}
		r := newReport(p)
		r.Scenarios[0].add(0, sample(change))
		r.finish(p)
		all := strings.Join(r.Warnings, "\n")
		if want == "" && all != "" || !strings.Contains(all, want) {
			t.Errorf("want a warning of %q, got %q", want, all)
		}
		if len(r.Scenarios[0].Cells[0].Curve()) == 0 {
			t.Error("no curve")
		}
	}
}

func TestComparisonOfRealServers(t *testing.T) {
	if testing.Short() {
		t.Skip("starts servers")
	}
	p := &Plan{Rounds: 2, Prefill: load(), PrefillConns: 4, PrefillPipeline: 10, Seed: 1}
	for _, name := range []string{"redis-server", "memcached"} {
		if _, err := exec.LookPath(name); err != nil {
			continue
		}
		s, err := peer.Find(name, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		p.Entrants = append(p.Entrants, Entrant{Label: name, Spec: s, Threads: 1})
	}
	if len(p.Entrants) == 0 {
		t.Skip("neither redis-server nor memcached is installed")
	}
	p.Scenarios = []Scenario{
		{Name: "closed", Load: load(), Conns: 4, Threads: 1, Pipeline: 4, Duration: 50 * time.Millisecond},
		{Name: "open", Load: load(), Conns: 4, Threads: 1, Pipeline: 1, Rate: 500, Duration: 50 * time.Millisecond, Entrants: []int{0}},
	}
	r, err := p.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range r.Entrants {
		if e.Fill == nil || e.Fill.Keys != 2000 || e.Fill.Problem != "" {
			t.Errorf("%s: fill %+v", e.Label, e.Fill)
		}
		c := r.Scenarios[0].Cells[i]
		if len(c.Samples) != 2 || c.Median.PerSec <= 0 || c.Median.HitRate != 1 || c.Median.Errors != 0 {
			t.Errorf("%s: %+v", e.Label, c)
		}
		if want := map[bool]int{true: 2, false: 0}[i == 0]; len(r.Scenarios[1].Cells[i].Samples) != want {
			t.Errorf("%s: %d samples of the open loop, want %d", e.Label, len(r.Scenarios[1].Cells[i].Samples), want)
		}
	}
	var out bytes.Buffer
	r.Print(&out, "memcached")
	for _, e := range p.Entrants {
		if !strings.Contains(out.String(), e.Label) {
			t.Errorf("%s is missing in\n%s", e.Label, out.String())
		}
	}
}
