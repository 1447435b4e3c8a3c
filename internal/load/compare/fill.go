package compare

import (
	"context"
	"fmt"
	"time"

	"sherd/internal/load/gen"
	"sherd/internal/load/request"
)

// Fill is what storing the keys took.
type Fill struct {
	Keys        int64   `json:"keys"`
	Seconds     float64 `json:"seconds"`
	RSSBefore   int64   `json:"rss_before"`
	RSSAfter    int64   `json:"rss_after"`
	BytesPerKey float64 `json:"bytes_per_key"` // RSS growth
	CPUSeconds  float64 `json:"cpu_seconds"`   // of the server
	Problem     string  `json:"problem,omitempty"`
}

// settle is how long a server may rest before its memory is read.
const settle = 500 * time.Millisecond

// fill stores the prefill's keys in entrant i, in order, and measures the time
// and the memory. The connections' buffers do not count as memory of the keys:
// as many connections have asked for keys that are not there, before the first
// reading.
func (r *Running) fill(ctx context.Context, i int) (*Fill, error) {
	p, proc := r.Plan, r.procs[i]
	name := p.Entrants[i].Label
	c, err := r.config(proc, p.Prefill.Prefill())
	if err != nil {
		return nil, err
	}
	c.Conns, c.Threads, c.Pipeline = p.PrefillConns, 1, p.PrefillPipeline

	stretch := *c
	get, _ := request.GetSet(proc.Protocol, 0)
	probe := *p.Prefill
	probe.Commands, probe.Ratio, probe.Keys.Format = []string{get}, nil, "absent:%d"
	if stretch.Mix, stretch.Request, err = probe.Compile(proc.Protocol); err != nil {
		return nil, err
	}
	stretch.Requests = int64(c.Conns * c.Pipeline * 4)
	if _, err := gen.Run(ctx, stretch); err != nil {
		return nil, fmt.Errorf("%s: %w", name, proc.Explain(err))
	}

	f := &Fill{}
	if err := rest(ctx, settle); err != nil {
		return nil, err
	}
	f.RSSBefore, _ = proc.RSS()
	cpu, _ := proc.CPU()
	c.Requests = int64(p.Prefill.Keys.Count)
	c.Progress = func(g gen.Progress) {
		p.Status(fmt.Sprintf("filling %s: %.0f %%", name, 100*float64(g.Done)/float64(max(g.Requests, 1))))
	}
	result, err := gen.Run(ctx, *c)
	if err != nil {
		return nil, fmt.Errorf("%s: filling: %w", name, proc.Explain(err))
	}
	f.Seconds = result.Seconds
	cpuAfter, _ := proc.CPU()
	f.CPUSeconds = (cpuAfter - cpu).Seconds()
	if err := rest(ctx, settle); err != nil {
		return nil, err
	}
	f.RSSAfter, _ = proc.RSS()
	if f.Keys, err = proc.Keys(); err != nil {
		f.Problem = "cannot count the keys: " + err.Error()
	} else if p.Prefill.Fill != "" {
		f.Keys = c.Requests - result.Errors // what was stored, whatever it was
	} else if f.Keys != c.Requests && name != "floor" {
		f.Problem = fmt.Sprintf("%d of %d keys are there", f.Keys, c.Requests)
	}
	if result.Errors > 0 {
		f.Problem = fmt.Sprintf("%d errors while filling, the first: %s", result.Errors, result.ErrorText)
	}
	if f.Keys > 0 {
		f.BytesPerKey = float64(f.RSSAfter-f.RSSBefore) / float64(f.Keys)
	}
	return f, nil
}

func rest(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
