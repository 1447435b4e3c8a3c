package compare

import (
	"fmt"
	"io"

	"sherd/internal/load/table"
)

// Print writes the report for people. Ratios are to the entrant named baseline,
// or to the first.
func (r *Report) Print(w io.Writer, baseline string) {
	base := 0
	for i, e := range r.Entrants {
		if e.Label == baseline {
			base = i
		}
	}
	fmt.Fprintf(w, "%s, %d CPUs, %s; servers on CPU %v, generator on CPU %v; medians of %d rounds\n",
		r.Machine.CPU, r.Machine.CPUs, r.Machine.OS, r.ServerCPUs, r.GeneratorCPUs, r.Rounds)
	for i := range r.Scenarios {
		r.Scenarios[i].print(w, base)
	}
	r.printFill(w, base)
	for _, text := range r.Warnings {
		fmt.Fprintf(w, "warning: %s\n", text)
	}
}

func (s *ScenarioReport) print(w io.Writer, base int) {
	loop := "closed loop"
	if s.Rate > 0 {
		loop = "open loop, " + table.Count(int64(s.Rate)) + " requests/s"
	}
	fmt.Fprintf(w, "\n%s: %s, %d connections, pipeline %d, %g s a round\n", s.Name, loop, s.Conns, s.Pipeline, s.Seconds)
	var t table.Table
	t.Head("server", "ops/s", "ratio", "CPU/op", "ratio", "p50", "p99", "p99.99", "hits", "errors", "server busy", "generator busy")
	b := &s.Cells[base].Median
	for i := range s.Cells {
		c := &s.Cells[i]
		if len(c.Samples) == 0 {
			continue
		}
		m := &c.Median
		t.Row(c.Label, table.Count(int64(m.PerSec)), ratio(m.PerSec, b.PerSec),
			micros(m.ServerMicros), ratio(m.ServerMicros, b.ServerMicros),
			table.Micros(m.P50), table.Micros(m.P99), table.Micros(m.P9999),
			fmt.Sprintf("%.1f %%", 100*m.HitRate), table.Count(m.Errors),
			fmt.Sprintf("%.0f %%", 100*m.ServerBusy), fmt.Sprintf("%.0f %%", 100*m.GeneratorBusy))
	}
	_, _ = t.WriteTo(w)
}

func (r *Report) printFill(w io.Writer, base int) {
	var t table.Table
	t.Head("server", "version", "threads", "keys", "load time", "ratio", "RSS", "bytes/key", "ratio")
	for i := range r.Entrants {
		e := &r.Entrants[i]
		if e.Fill == nil {
			continue
		}
		b := r.Entrants[base].Fill
		if b == nil {
			b = &Fill{}
		}
		t.Row(e.Label, e.Version, fmt.Sprint(e.Threads), table.Count(e.Fill.Keys),
			fmt.Sprintf("%.2f s", e.Fill.Seconds), ratio(e.Fill.Seconds, b.Seconds),
			table.Bytes(e.Fill.RSSAfter), fmt.Sprintf("%.1f", e.Fill.BytesPerKey), ratio(e.Fill.BytesPerKey, b.BytesPerKey))
	}
	if t.Len() > 0 {
		fmt.Fprintln(w)
		_, _ = t.WriteTo(w)
	}
}

func ratio(a, b float64) string {
	if a <= 0 || b <= 0 {
		return "–"
	}
	return fmt.Sprintf("%.2f", a/b)
}

func micros(us float64) string {
	if us <= 0 {
		return "–"
	}
	return fmt.Sprintf("%.3f µs", us)
}
