// Package figures measures what sherd has to reach, in one go. A figure is a
// row: what was measured, the bar, and whether it was met. Rows that need the
// same measurement form a group and are measured together.
package figures

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"sherd/internal/load/compare"
	"sherd/internal/load/gen"
	"sherd/internal/load/keyspace"
	"sherd/internal/load/peer"
	"sherd/internal/load/table"
	"sherd/internal/load/workload"
)

// Verdict is what became of a row.
type Verdict string

// The verdicts.
const (
	Met     Verdict = "met"
	Missed  Verdict = "MISSED"
	Skipped Verdict = "skipped"
)

// Row is one figure.
type Row struct {
	Name     string  `json:"name"`
	What     string  `json:"what"`
	Measured float64 `json:"measured"`
	Bar      float64 `json:"bar"`
	AtLeast  bool    `json:"at_least,omitempty"` // the bar is a lower bound
	Unit     string  `json:"unit,omitempty"`
	Verdict  Verdict `json:"verdict"`
	Detail   string  `json:"detail,omitempty"` // the readings behind it, or why it was skipped
}

// Options are what is measured, where.
type Options struct {
	Sherd peer.Spec
	Redis peer.Spec
	Floor peer.Spec
	// Missing has a reason for each of the three that cannot be had, by name.
	Missing map[string]string

	ServerCPUs    []int
	GeneratorCPUs []int
	AllCPUs       []int // for what needs no generator
	Engine        string
	Seed          uint64
	Only          []string // names of rows or groups; none: all
	Short         bool     // smaller and less exact
	InProcess     string   // command that runs the in-process benchmark

	Status   func(string)
	Progress func(Row) // called with each row as it is ready
}

// Report is all rows.
type Report struct {
	Machine       compare.Machine   `json:"machine"`
	ServerCPUs    []int             `json:"server_cpus,omitempty"`
	GeneratorCPUs []int             `json:"generator_cpus,omitempty"`
	Versions      map[string]string `json:"versions"`
	Short         bool              `json:"short,omitempty"`
	Rows          []Row             `json:"rows"`
	Comparisons   []*compare.Report `json:"comparisons,omitempty"`
	Warnings      []string          `json:"warnings,omitempty"`
}

// group measures some rows. Each appears in the report whether or not it could
// be measured.
type group struct {
	name    string
	needs   []string
	rows    []Row
	measure func(r *runner, ctx context.Context, g *group) error
}

// runner is a run of figures.
type runner struct {
	o      Options
	report *Report
}

// Run measures what o asks for. An error means that it was broken off; what
// cannot be measured is a skipped row.
func Run(ctx context.Context, o Options) (*Report, error) {
	if o.Status == nil {
		o.Status = func(string) {}
	}
	if o.Progress == nil {
		o.Progress = func(Row) {}
	}
	r := &runner{o: o, report: &Report{
		Machine: compare.ThisMachine(), Short: o.Short, Versions: map[string]string{},
		ServerCPUs: o.ServerCPUs, GeneratorCPUs: o.GeneratorCPUs,
	}}
	known := false
	for _, g := range groups() {
		if !o.wants(&g) {
			continue
		}
		known = true
		if err := r.run(ctx, &g); err != nil {
			return r.report, err
		}
	}
	if !known {
		return nil, fmt.Errorf("no figure is named %s; there are: %s", strings.Join(o.Only, ", "), strings.Join(Names(), ", "))
	}
	return r.report, nil
}

// Names are the names of groups and rows.
func Names() []string {
	var names []string
	for _, g := range groups() {
		names = append(names, g.name)
		for _, row := range g.rows {
			if row.Name != g.name {
				names = append(names, row.Name)
			}
		}
	}
	return names
}

func (o *Options) wants(g *group) bool {
	if len(o.Only) == 0 {
		return true
	}
	for _, name := range o.Only {
		if name == g.name {
			return true
		}
		for _, row := range g.rows {
			if name == row.Name {
				return true
			}
		}
	}
	return false
}

func (r *runner) run(ctx context.Context, g *group) error {
	reason := ""
	for _, name := range g.needs {
		if why, missing := r.o.Missing[name]; missing {
			reason = why
		}
	}
	var err error
	if reason == "" {
		if err = g.measure(r, ctx, g); err != nil {
			reason = err.Error()
		}
	}
	for _, row := range g.rows {
		if row.Verdict == "" {
			row.Verdict, row.Detail = Skipped, reason
		}
		r.report.Rows = append(r.report.Rows, row)
		r.o.Progress(row)
	}
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	if err != nil {
		r.report.Warnings = append(r.report.Warnings, g.name+": "+err.Error())
	}
	return nil
}

// set fills the row of that name.
func (g *group) set(name string, measured float64, format string, args ...any) {
	for i := range g.rows {
		row := &g.rows[i]
		if row.Name != name {
			continue
		}
		row.Measured, row.Detail = measured, fmt.Sprintf(format, args...)
		row.Verdict = Missed
		if row.AtLeast && measured >= row.Bar || !row.AtLeast && measured <= row.Bar {
			row.Verdict = Met
		}
		return
	}
}

// skip says why the row of that name has no figure.
func (g *group) skip(name, format string, args ...any) {
	for i := range g.rows {
		if g.rows[i].Name == name {
			g.rows[i].Verdict, g.rows[i].Detail = Skipped, fmt.Sprintf(format, args...)
		}
	}
}

// plan is a comparison with what all of them share.
func (r *runner) plan(rounds int) *compare.Plan {
	return &compare.Plan{
		Rounds: rounds, PrefillConns: 50, PrefillPipeline: 50,
		ServerCPUs: r.o.ServerCPUs, GeneratorCPUs: r.o.GeneratorCPUs,
		Engine: r.o.Engine, Seed: r.o.Seed, Status: r.o.Status,
	}
}

// add keeps a comparison and its warnings.
func (r *runner) add(c *compare.Report) {
	r.report.Comparisons = append(r.report.Comparisons, c)
	r.report.Warnings = append(r.report.Warnings, c.Warnings...)
	for _, e := range c.Entrants {
		if e.Version != "" {
			r.report.Versions[e.Label] = e.Version
		}
	}
}

// standard is the load that the figures are about: 10 GET to 1 SET of 32
// bytes, uniform over the keys.
func standard(keys uint64) *workload.Spec {
	return &workload.Spec{
		Ratio: []int{10, 1}, DataMin: 32, DataMax: 32,
		Keys: keyspace.Spec{Count: keys, Format: "memtier-%d"},
	}
}

const standardConns = 50

// sizes that --short makes smaller.
func (r *runner) keys() uint64 {
	if r.o.Short {
		return 100_000
	}
	return 1_000_000
}

func (r *runner) pick(normal, short time.Duration) time.Duration {
	if r.o.Short {
		return short
	}
	return normal
}

func (r *runner) count(normal, short int) int {
	if r.o.Short {
		return short
	}
	return normal
}

// Print writes the rows for people.
func (rep *Report) Print(w io.Writer) {
	fmt.Fprintf(w, "%s, %d CPUs, %s; servers on CPU %v, generator on CPU %v\n", rep.Machine.CPU, rep.Machine.CPUs, rep.Machine.OS, rep.ServerCPUs, rep.GeneratorCPUs)
	for name, version := range rep.Versions {
		fmt.Fprintf(w, "%s %s\n", name, version)
	}
	if rep.Short {
		fmt.Fprintln(w, "short runs: rough figures")
	}
	var t table.Table
	t.Head("figure", "measured", "bar", "verdict")
	var details strings.Builder
	for _, row := range rep.Rows {
		t.Row(row.Name+": "+row.What, row.measured(), row.bar(), string(row.Verdict))
		fmt.Fprintf(&details, "  %-16s %s\n", row.Name, row.Detail)
	}
	fmt.Fprintln(w)
	_, _ = t.WriteTo(w)
	fmt.Fprintf(w, "\n%s", details.String())
	for _, text := range rep.Warnings {
		fmt.Fprintf(w, "warning: %s\n", text)
	}
}

// Missed is how many bars were not met.
func (rep *Report) Missed() int {
	n := 0
	for _, row := range rep.Rows {
		if row.Verdict == Missed {
			n++
		}
	}
	return n
}

func (row *Row) measured() string {
	if row.Verdict == Skipped {
		return "–"
	}
	return row.number(row.Measured)
}

func (row *Row) bar() string {
	if row.AtLeast {
		return "≥ " + row.number(row.Bar)
	}
	return "≤ " + row.number(row.Bar)
}

func (row *Row) number(v float64) string {
	if row.Unit == "" {
		return fmt.Sprintf("%.2f", v)
	}
	return fmt.Sprintf("%.1f %s", v, row.Unit)
}

// sound is the check that a generator run was sound.
func sound(res *gen.Result) error {
	if res.Errors > 0 {
		return fmt.Errorf("%d errors, the first: %s", res.Errors, res.ErrorText)
	}
	return nil
}
