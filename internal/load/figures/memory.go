package figures

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"sherd/internal/load/compare"
	"sherd/internal/load/workload"
)

// fillOne starts one server alone, fills it over so many connections and returns
// what that took.
func (r *runner) fillOne(ctx context.Context, e compare.Entrant, load *workload.Spec, conns int) (*compare.Fill, error) {
	p := r.plan(0)
	p.Prefill = load
	p.PrefillConns = conns
	p.Entrants = []compare.Entrant{e}
	running, err := p.Start(ctx)
	if err != nil {
		return nil, err
	}
	defer running.Stop()
	r.add(running.Report)
	f := running.Report.Entrants[0].Fill
	if f.Problem != "" {
		return nil, errors.New(f.Problem)
	}
	return f, nil
}

// memory measures the growth of resident memory per key, at counts that do not
// flatter tables that double.
func (r *runner) memory(ctx context.Context, g *group) error {
	counts := []uint64{2_500_000, 3_500_000, 5_000_000, 7_000_000}
	if r.o.Short {
		counts = []uint64{700_000, 1_000_000}
	}
	worst, details := 0.0, []string(nil)
	for _, n := range counts {
		f, err := r.fillOne(ctx, compare.Entrant{Label: "sherd", Spec: r.o.Sherd, Threads: 1}, standard(n), standardConns)
		if err != nil {
			return err
		}
		if f.RSSAfter == 0 {
			return errors.New("the system does not tell the servers' memory")
		}
		worst = max(worst, f.BytesPerKey)
		details = append(details, fmt.Sprintf("%.1f M: %.1f", float64(n)/1e6, f.BytesPerKey))
		if n == 5_000_000 {
			g.set("memory-5M", f.BytesPerKey, "RSS %d → %d MiB", f.RSSBefore>>20, f.RSSAfter>>20)
		}
	}
	if r.o.Short {
		g.skip("memory-5M", "left out of short runs")
	}
	g.set("memory-worst", worst, "%s bytes per key", strings.Join(details, ", "))
	return nil
}

func (r *runner) memoryTTL(ctx context.Context, g *group) error {
	load := standard(1_000_000)
	load.Keys.Format = "key:%08d"
	load.ExpirySec = 24 * 3600
	f, err := r.fillOne(ctx, compare.Entrant{Label: "sherd", Spec: r.o.Sherd, Threads: 1}, load, standardConns)
	if err != nil {
		return err
	}
	if f.RSSAfter == 0 {
		return errors.New("the system does not tell the servers' memory")
	}
	g.set("memory-ttl", f.BytesPerKey, "RSS %d → %d MiB", f.RSSBefore>>20, f.RSSAfter>>20)
	return nil
}

// load measures the wall time of filling a server, each alone and in turns.
func (r *runner) load(ctx context.Context, g *group) error {
	keys := uint64(r.count(5_000_000, 500_000))
	entrants := []compare.Entrant{
		{Label: "sherd", Spec: r.o.Sherd, Threads: 1},
		{Label: "redis-server", Spec: r.o.Redis, Threads: 1},
	}
	seconds := make([][]float64, len(entrants))
	for range r.count(3, 1) {
		for i, e := range entrants {
			f, err := r.fillOne(ctx, e, standard(keys), standardConns)
			if err != nil {
				return err
			}
			seconds[i] = append(seconds[i], f.Seconds)
		}
	}
	sherd, redis := compare.Median(seconds[0]), compare.Median(seconds[1])
	g.set("load-5M", sherd/redis, "sherd %.2f, Redis %.2f s for %d keys", sherd, redis, keys)
	return nil
}
