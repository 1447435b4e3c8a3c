package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"sherd/internal/load/compare"
	"sherd/internal/load/peer"
	"sherd/internal/load/plot"
	"sherd/internal/load/proc"
)

// peerFlags are which servers take part, and where they run.
type peerFlags struct {
	peers      []string
	only       string
	baseline   string
	serverCPUs string
	benchCPUs  string
}

func (f *peerFlags) register(fs *pflag.FlagSet) {
	fs.StringArrayVar(&f.peers, "peer", nil, "a server as NAME=COMMAND, with {port}, {threads}, {dir}; NAME,memcached=COMMAND for that protocol; may be repeated")
	fs.StringVar(&f.only, "only", "", "names of the servers that take part, with commas between (default: sherd, floor, --peer and what is installed of "+strings.Join(peer.Known(), ", ")+")")
	fs.StringVar(&f.baseline, "baseline", "redis-server", "ratios are to this server")
	fs.StringVar(&f.serverCPUs, "server-cpus", "", "CPUs of the servers (default: the first ones)")
	fs.StringVar(&f.benchCPUs, "bench-cpus", "", "CPUs of the load generator (default: the rest)")
}

// specs finds the servers. dir is where sherd may be built.
func (f *peerFlags) specs(dir string) ([]peer.Spec, []string, error) {
	var specs []peer.Spec
	var notes []string
	told := map[string]bool{}
	for _, text := range f.peers {
		s, err := peer.ParsePeer(text)
		if err != nil {
			return nil, nil, err
		}
		if told[s.Name] {
			return nil, nil, fmt.Errorf("two peers are named %s", s.Name)
		}
		told[s.Name] = true
		specs = append(specs, s)
	}
	var wanted []string
	if f.only != "" {
		wanted = strings.Split(f.only, ",")
		specs = slices.DeleteFunc(specs, func(s peer.Spec) bool { return !slices.Contains(wanted, s.Name) })
	}
	for _, name := range append(slices.Clone(wanted), peer.Known()...) {
		if told[name] || wanted != nil && !slices.Contains(wanted, name) {
			continue
		}
		told[name] = true
		s, err := peer.Find(name, dir)
		switch {
		case err == nil:
			specs = append(specs, s)
		case wanted != nil || name == "sherd" && !strings.Contains(err.Error(), "source"):
			return nil, nil, err
		default:
			notes = append(notes, "without "+name+": "+err.Error())
		}
	}
	if len(specs) == 0 {
		return nil, nil, errors.New("no server to compare")
	}
	slices.SortStableFunc(specs, func(a, b peer.Spec) int { return rank(a.Name) - rank(b.Name) })
	return specs, notes, nil
}

// rank orders a table: sherd first, the floor last, the rest as found.
func rank(name string) int {
	switch name {
	case "sherd":
		return 0
	case "floor":
		return 2
	}
	return 1
}

// cpus shares the CPUs between servers of so many threads and the generator.
func (f *peerFlags) cpus(threads int) (servers, bench []int, err error) {
	servers, bench = proc.Split(proc.CPUs(), threads)
	if f.serverCPUs != "" {
		if servers, err = proc.ParseCPUs(f.serverCPUs); err != nil {
			return nil, nil, err
		}
	}
	if f.benchCPUs != "" {
		bench, err = proc.ParseCPUs(f.benchCPUs)
	}
	return servers, bench, err
}

// runCompare is `sherd-bench compare`.
func runCompare(ctx context.Context, args []string) error {
	fs := newFlags("compare", "Start servers side by side and compare them under the same load, in interleaved rounds.")
	var (
		peers peerFlags
		work  workloadFlags
		out   outputFlags
	)
	peers.register(fs)
	rounds := fs.IntP("rounds", "r", 3, "rounds; medians are taken of them")
	duration := fs.DurationP("time", "t", 3*time.Second, "of one server's part of a round")
	warmup := fs.Duration("warmup", 500*time.Millisecond, "load before that")
	conns := fs.IntP("connections", "c", 50, "connections in all")
	threads := fs.Int("threads", 1, "threads of the load generator")
	pipelines := fs.IntSliceP("pipeline", "P", []int{1, 16, 64}, "requests sent together on a connection, one scenario for each")
	serverThreads := fs.IntSlice("server-threads", []int{1}, "threads of the servers, one comparison for each")
	rate := fs.Float64("rate", 0, "open loop: requests per second")
	poisson := fs.Bool("poisson", false, "open loop: random rather than even distances")
	noPrefill := fs.Bool("no-prefill", false, "do not store the keys first")
	engine := fs.String("io-engine", "auto", "of the load generator: auto, uring, epoll or portable")
	work.register(fs)
	out.register(fs, true)
	if err := parse(fs, args); err != nil {
		return err
	}
	spec, err := work.spec()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "sherd-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	specs, notes, err := peers.specs(dir)
	if err != nil {
		return err
	}
	for _, note := range notes {
		fmt.Fprintln(os.Stderr, note)
	}
	line := newStatusLine(out.quiet)
	var reports []*compare.Report
	for _, n := range *serverThreads {
		p := compare.Plan{
			Rounds: *rounds, Prefill: spec, PrefillConns: 50, PrefillPipeline: 50,
			Engine: *engine, Seed: work.seed, Status: line.show,
		}
		if *noPrefill {
			p.Prefill = nil
		}
		if p.ServerCPUs, p.GeneratorCPUs, err = peers.cpus(n); err != nil {
			return err
		}
		for _, s := range specs {
			p.Entrants = append(p.Entrants, compare.Entrant{Label: s.Name, Spec: s, Threads: n})
		}
		for _, depth := range *pipelines {
			p.Scenarios = append(p.Scenarios, compare.Scenario{
				Name: fmt.Sprintf("pipeline %d", depth), Load: spec,
				Conns: *conns, Threads: *threads, Pipeline: depth, Rate: *rate, Poisson: *poisson,
				Warmup: *warmup, Duration: *duration,
			})
		}
		runtime.GOMAXPROCS(*threads + 2)
		restore, err := confineWhileComparing(p.GeneratorCPUs)
		if err != nil {
			return err
		}
		report, err := p.Run(ctx)
		line.clear()
		restore()
		if err != nil {
			return err
		}
		report.Print(os.Stdout, peers.baseline)
		fmt.Println()
		reports = append(reports, report)
	}
	if err := writeJSON(out.json, reports); err != nil {
		return err
	}
	return drawComparison(out.plot, reports)
}

// confineWhileComparing binds this process to the generator's CPUs.
func confineWhileComparing(cpus []int) (restore func(), err error) {
	before := proc.CPUs()
	if len(cpus) == 0 || len(before) == 0 {
		return func() {}, nil
	}
	if err := proc.Confine(cpus); err != nil {
		return nil, err
	}
	return func() { _ = proc.Confine(before) }, nil
}

// drawComparison draws scaling over threads when there are several counts of
// them, otherwise percentiles of the first scenario.
func drawComparison(file string, reports []*compare.Report) error {
	if file == "" {
		return nil
	}
	first := reports[0]
	if len(reports) == 1 {
		chart := plot.Percentiles("Latency, " + first.Scenarios[0].Name)
		for i := range first.Scenarios[0].Cells {
			c := &first.Scenarios[0].Cells[i]
			chart.Add(c.Label, c.Curve())
		}
		return os.WriteFile(file, chart.SVG(), 0o666)
	}
	chart := plot.Lines("Scaling over threads", "server threads", "operations per second")
	for s := range first.Scenarios {
		for i := range first.Entrants {
			var points []plot.XY
			for _, r := range reports {
				points = append(points, plot.XY{X: float64(r.Entrants[i].Threads), Y: r.Scenarios[s].Cells[i].Median.PerSec})
			}
			name := first.Entrants[i].Label
			if len(first.Scenarios) > 1 {
				name += ", " + first.Scenarios[s].Name
			}
			chart.AddXY(name, points)
		}
	}
	return os.WriteFile(file, chart.SVG(), 0o666)
}
