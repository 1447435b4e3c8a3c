package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"sherd/internal/load/gen"
	"sherd/internal/load/latency"
	"sherd/internal/load/table"
)

// isTerminal tells whether a file is a terminal, where a line can be redrawn.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// statusLine is the line that is redrawn while something runs. On what is no
// terminal it is written seldom, a line each time.
type statusLine struct {
	off      bool
	terminal bool
	width    int
	last     time.Time
}

func newStatusLine(quiet bool) *statusLine {
	return &statusLine{off: quiet, terminal: isTerminal(os.Stderr), last: time.Now()}
}

const plainEvery = 5 * time.Second

func (l *statusLine) show(text string) {
	if l.off {
		return
	}
	if !l.terminal {
		if time.Since(l.last) >= plainEvery {
			l.last = time.Now()
			fmt.Fprintln(os.Stderr, text)
		}
		return
	}
	pad := strings.Repeat(" ", max(l.width-len(text), 0))
	l.width = len(text)
	fmt.Fprintf(os.Stderr, "\r%s%s", text, pad)
}

// clear takes the line away.
func (l *statusLine) clear() {
	if !l.off && l.terminal && l.width > 0 {
		fmt.Fprintf(os.Stderr, "\r%s\r", strings.Repeat(" ", l.width))
		l.width = 0
	}
}

// progressText is a run's progress in words.
func progressText(p gen.Progress) string {
	var b strings.Builder
	if p.Requests > 0 {
		fmt.Fprintf(&b, "[%3.0f %%] ", 100*float64(p.Done)/float64(p.Requests))
	} else {
		fmt.Fprintf(&b, "[%.0f/%.0f s] ", p.Elapsed.Seconds(), p.Total.Seconds())
	}
	fmt.Fprintf(&b, "%s ops/s", table.Count(int64(p.PerSec)))
	if p.Misses > 0 {
		fmt.Fprintf(&b, ", %s misses", table.Count(p.Misses))
	}
	if p.Errors > 0 {
		fmt.Fprintf(&b, ", %s errors", table.Count(p.Errors))
	}
	return b.String()
}

// printResult prints what a run has measured.
func printResult(r *gen.Result) {
	fmt.Printf("%s loop, %d connections, pipeline %d, %d thread(s), %s", r.Loop, r.Conns, r.Pipeline, r.Threads, r.Engine)
	if r.Rate > 0 {
		fmt.Printf(", %s requests/s offered", table.Count(int64(r.Rate)))
	}
	fmt.Printf("\n%s requests in %.2f s: %s per second\n", table.Count(r.Ops), r.Seconds, table.Count(int64(r.PerSec)))
	fmt.Printf("generator: %s CPU per request", table.Micros(r.GeneratorMicrosPerOp))
	if r.Rate == 0 {
		fmt.Printf(", busy %.0f %%", 100*r.GeneratorBusy)
	}
	if r.Reads > 0 {
		fmt.Printf("; hit rate %.4g %%", 100*r.HitRate)
	}
	fmt.Print("\n\n")
	var t table.Table
	t.Head("latency", "requests", "mean", "p50", "p90", "p99", "p99.9", "p99.99", "max")
	if len(r.Commands) > 1 {
		for _, c := range r.Commands {
			latencyRow(&t, c.Name, &c.Latency)
		}
	}
	latencyRow(&t, "all", &r.Latency)
	if r.Undisturbed != nil {
		latencyRow(&t, "undisturbed", r.Undisturbed)
		latencyRow(&t, "generator late", r.Lateness)
		latencyRow(&t, "generator gaps", r.Gaps)
	}
	_, _ = t.WriteTo(os.Stdout)
	printWarnings(r.Warnings)
}

func latencyRow(t *table.Table, name string, s *latency.Summary) {
	t.Row(name, table.Count(s.Count), table.Micros(s.Mean), table.Micros(s.P50), table.Micros(s.P90),
		table.Micros(s.P99), table.Micros(s.P999), table.Micros(s.P9999), table.Micros(s.Max))
}

func printWarnings(warnings []string) {
	for _, w := range warnings {
		fmt.Printf("warning: %s\n", w)
	}
}

// writeJSON writes v to a file; "" writes nothing.
func writeJSON(file string, v any) error {
	if file == "" {
		return nil
	}
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	data = append(data, '\n')
	if file == "-" {
		_, err = os.Stdout.Write(data)
		return err
	}
	return os.WriteFile(file, data, 0o666)
}
