package command

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"sherd/internal/metrics"
)

var latencyCommand = &Command{
	Name: "latency", Arity: -2, Group: "server",
	Doc: Doc{Summary: "Container of the commands about latency.", Since: "2.8.13", Complexity: "Depends on subcommand."},
	Sub: []*Command{
		{
			Name: "histogram", Arity: -2, Flags: Admin | NoScript | Loading | Stale, Run: latencyHistogram,
			Doc: Doc{
				Summary: "Tells the distribution of commands' durations.", Since: "7.0.0", Complexity: "O(N) where N is the number of commands with latency information being retrieved.",
				Args: []Arg{{Name: "COMMAND", Type: "string", Optional: true, Multiple: true}},
			},
			Tips: []string{"nondeterministic_output", "request_policy:all_nodes", "response_policy:special"},
		},
		{
			Name: "latest", Arity: 2, Flags: Admin | NoScript | Loading | Stale, Run: latencyLatest,
			Doc:  Doc{Summary: "Lists the events with their latest spike.", Since: "2.8.13", Complexity: "O(1)"},
			Tips: []string{"nondeterministic_output", "request_policy:all_nodes", "response_policy:special"},
		},
		{
			Name: "history", Arity: 3, Flags: Admin | NoScript | Loading | Stale, Run: latencyHistory,
			Doc:  Doc{Summary: "Lists an event's spikes.", Since: "2.8.13", Complexity: "O(1)", Args: []Arg{{Name: "event", Type: "string"}}},
			Tips: []string{"nondeterministic_output", "request_policy:all_nodes", "response_policy:special"},
		},
		{
			Name: "reset", Arity: -2, Flags: Admin | NoScript | Loading | Stale, Run: latencyReset,
			Doc:  Doc{Summary: "Forgets events.", Since: "2.8.13", Complexity: "O(1)", Args: []Arg{{Name: "event", Type: "string", Optional: true, Multiple: true}}},
			Tips: []string{"request_policy:all_nodes", "response_policy:all_succeeded"},
		},
		{
			Name: "graph", Arity: 3, Flags: Admin | NoScript | Loading | Stale, Run: latencyGraph,
			Doc:  Doc{Summary: "Draws an event's spikes.", Since: "2.8.13", Complexity: "O(1)", Args: []Arg{{Name: "event", Type: "string"}}},
			Tips: []string{"nondeterministic_output", "request_policy:all_nodes", "response_policy:special"},
		},
		{
			Name: "doctor", Arity: 2, Flags: Admin | NoScript | Loading | Stale, Run: latencyDoctor,
			Doc:  Doc{Summary: "Reports on latency in words.", Since: "2.8.13", Complexity: "O(1)"},
			Tips: []string{"nondeterministic_output", "request_policy:all_nodes", "response_policy:special"},
		},
		{
			Name: "help", Arity: 2, Flags: Loading | Stale, Run: latencyHelp,
			Doc: Doc{Summary: "Lists the subcommands.", Since: "2.8.13", Complexity: "O(1)"},
		},
	},
}

// timings sums the loops' accounts of every command and hands them to done.
func (x *Ctx) timings(done func(x *Ctx, sum []metrics.Timing)) {
	parts := make([][]metrics.Timing, x.KS.Loops)
	x.Host.Gather(x, func(l *Local) {
		part := make([]metrics.Timing, len(l.Timing))
		for i := range l.Timing {
			part[i].Add(&l.Timing[i])
		}
		parts[l.Loop] = part
	}, func(x *Ctx) {
		sum := make([]metrics.Timing, x.Host.Table().IDs())
		for _, p := range parts {
			for i := range p {
				sum[i].Add(&p[i])
			}
		}
		done(x, sum)
	})
}

func latencyHistogram(x *Ctx) {
	var wanted []string
	for _, a := range x.Args[2:] {
		wanted = append(wanted, strings.ToLower(string(a)))
	}
	x.timings(func(x *Ctx, sum []metrics.Timing) {
		t := x.Host.Table()
		var ids []int
		add := func(c *Command) {
			if sum[c.ID].Tracked() > 0 && !slices.Contains(ids, c.ID) {
				ids = append(ids, c.ID)
			}
		}
		if wanted == nil {
			for id := range t.IDs() {
				add(t.ByID(id))
			}
		}
		for _, w := range wanted {
			c := t.Find(w)
			if c == nil {
				continue
			}
			add(c)
			for _, s := range c.Sub {
				add(s)
			}
		}
		x.Map(len(ids))
		for _, id := range ids {
			x.BulkString(t.ByID(id).FullName)
			x.Map(2)
			x.BulkString("calls")
			x.Int(sum[id].Tracked())
			x.BulkString("histogram_usec")
			x.histogram(&sum[id])
		}
	})
}

// histogram replies cumulative counts by powers of two of microseconds.
func (x *Ctx) histogram(t *metrics.Timing) {
	type step struct{ us, count int64 }
	var steps []step
	var seen int64
	t.Each(func(ticks uint64, count int64) {
		seen += count
		us := int64(1)
		for float64(us)*1000 < metrics.Ns(ticks) {
			us *= 2
		}
		if n := len(steps); n > 0 && steps[n-1].us == us {
			steps[n-1].count = seen
			return
		}
		steps = append(steps, step{us, seen})
	})
	x.Map(len(steps))
	for _, s := range steps {
		x.Int(s.us)
		x.Int(s.count)
	}
}

func latencyLatest(x *Ctx) {
	list := x.Host.Journals().Events()
	x.Array(len(list))
	for _, e := range list {
		last := e.Spikes[len(e.Spikes)-1]
		x.Array(4)
		x.BulkString(e.Name)
		x.Int(last.UnixSec)
		x.Int(last.Ms)
		x.Int(e.MaxMs)
	}
}

func latencyHistory(x *Ctx) {
	spikes := x.Host.Journals().Event(string(x.Args[2])).Spikes
	x.Array(len(spikes))
	for _, s := range spikes {
		x.Array(2)
		x.Int(s.UnixSec)
		x.Int(s.Ms)
	}
}

func latencyReset(x *Ctx) {
	var names []string
	for _, a := range x.Args[2:] {
		names = append(names, string(a))
	}
	x.Int(int64(x.Host.Journals().ResetEvents(names)))
}

// latencyGraph draws an event's spikes as columns of characters.
func latencyGraph(x *Ctx) {
	e := x.Host.Journals().Event(string(x.Args[2]))
	if len(e.Spikes) == 0 {
		x.Error("ERR No samples available for event '" + string(clip(x.Args[2], 128)) + "'")
		return
	}
	const rows = 4
	low, high := int64(math.MaxInt64), int64(0)
	for _, s := range e.Spikes {
		low, high = min(low, s.Ms), max(high, s.Ms)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s - high %d ms, low %d ms (all time high %d ms)\n", e.Name, high, low, e.MaxMs)
	b.WriteString(strings.Repeat("-", 80))
	b.WriteByte('\n')
	for row := rows - 1; row >= 0; row-- {
		for _, s := range e.Spikes {
			level := int64(0)
			if high > low {
				level = (s.Ms - low) * (rows*2 - 1) / (high - low)
			}
			switch at := level - int64(row*2); {
			case at >= 1:
				b.WriteByte('#')
			case at == 0:
				b.WriteByte('o')
			default:
				b.WriteByte(' ')
			}
		}
		b.WriteByte('\n')
	}
	x.Verbatim(b.String())
}

func latencyDoctor(x *Ctx) {
	list := x.Host.Journals().Events()
	var b strings.Builder
	switch {
	case x.Conf.LatencyMonitorThresholdMs == 0 && len(list) == 0:
		b.WriteString("Latency monitoring is off. CONFIG SET latency-monitor-threshold <milliseconds> makes the server note what takes longer.\n")
	case len(list) == 0:
		b.WriteString("Nothing has taken longer than latency-monitor-threshold since the start or the last LATENCY RESET.\n")
	default:
		for i, e := range list {
			var sum int64
			for _, s := range e.Spikes {
				sum += s.Ms
			}
			fmt.Fprintf(&b, "%d. %s: %d spikes, average %d ms, worst %d ms, latest at %d.\n",
				i+1, e.Name, len(e.Spikes), sum/int64(len(e.Spikes)), e.MaxMs, e.Spikes[len(e.Spikes)-1].UnixSec)
		}
		b.WriteString("SLOWLOG GET names the commands that took long.\n")
	}
	x.Verbatim(b.String())
}

func latencyHelp(x *Ctx) {
	x.Help("LATENCY",
		"DOCTOR", "Return a human readable latency analysis report.",
		"GRAPH <event>", "Return an ASCII latency graph for the <event> class.",
		"HISTORY <event>", "Return time-latency samples for the <event> class.",
		"LATEST", "Return the latest latency samples for all events.",
		"RESET [<event> ...]", "Reset latency data of one or more <event> classes. (default: reset all data for all event classes)",
		"HISTOGRAM [COMMAND ...]", "Return a cumulative distribution of latencies in the format of a histogram for the specified command names. If no commands are specified then all histograms are replied.",
	)
}
