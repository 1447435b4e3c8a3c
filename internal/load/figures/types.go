package figures

import (
	"context"
	"fmt"
	"strings"
	"time"

	"sherd/internal/load/compare"
	"sherd/internal/load/gen"
	"sherd/internal/load/keyspace"
	"sherd/internal/load/request"
	"sherd/internal/load/workload"
)

// A container is a data type whose memory is measured: what it takes to store its
// elements, and the most they may take, in bytes each.
type container struct {
	row, what string
	fill      string
	format    string // of __key__
	elements  uint64
	bar       float64
	sizes     bool // measured with fewer and with more elements, too
}

var containers = []container{
	{"memory-set", "bytes per member, one set of 1M 15-byte members", "SADD set member:__key__", "%08d", 1_000_000, 24, true},
	{"memory-hash", "bytes per field, one hash of 1M 14-byte fields and values", "HSET hash field:__key__ value:00000000", "%08d", 1_000_000, 44, true},
	{"memory-zset", "bytes per member, one sorted set of 1M 15-byte members, integer scores", "ZADD zset __int__ member:__key__", "%08d", 1_000_000, 44, true},
	{"memory-list", "bytes per element, one list of 1M 16-byte elements", "RPUSH list element:__key__", "%08d", 1_000_000, 18.5, true},
	{"memory-stream", "bytes per entry, one stream of 1M entries of two numbers", "XADD stream * sensor __key__ value __int__", "%d", 1_000_000, 17, true},
	{"memory-small-hash", "bytes per hash, 100k hashes of 10 short fields", "HSET hash:__key__ f0 v0 f1 v1 f2 v2 f3 v3 f4 v4 f5 v5 f6 v6 f7 v7 f8 v8 f9 v9", "%08d", 100_000, 150, false},
}

// containerRows are the rows of the containers' memory.
func containerRows() (rows []Row) {
	for _, c := range containers {
		rows = append(rows, Row{Name: c.row, What: c.what, Bar: c.bar, Unit: "B"})
		if c.sizes {
			rows = append(rows, Row{Name: c.row + "-worst", What: "the same at the worst of 0.7M, 1M and 1.5M elements", Bar: c.bar * 1.1, Unit: "B"})
		}
	}
	return rows
}

// containerConns is over how many connections containers are filled: few, because
// the connections' buffers grow with commands of many arguments, and are not the
// elements' memory.
const containerConns = 4

// containers measures the growth of resident memory per element.
func (r *runner) containers(ctx context.Context, g *group) error {
	for _, c := range containers {
		counts := []uint64{c.elements}
		if c.sizes {
			counts = append(counts, c.elements*7/10, c.elements*3/2)
		}
		worst, details := 0.0, []string(nil)
		for i, n := range counts {
			load := &workload.Spec{Fill: c.fill, Keys: keyspace.Spec{Count: n, Format: c.format}}
			f, err := r.fillOne(ctx, compare.Entrant{Label: "sherd", Spec: r.o.Sherd, Threads: 1}, load, containerConns)
			if err != nil {
				return fmt.Errorf("%s: %w", c.row, err)
			}
			if f.RSSAfter == 0 {
				return fmt.Errorf("the system does not tell the servers' memory")
			}
			worst = max(worst, f.BytesPerKey)
			details = append(details, fmt.Sprintf("%.1f M: %.1f", float64(n)/1e6, f.BytesPerKey))
			if i == 0 {
				g.set(c.row, f.BytesPerKey, "RSS %d → %d KiB", f.RSSBefore>>10, f.RSSAfter>>10)
			}
		}
		if c.sizes {
			g.set(c.row+"-worst", worst, "%s", strings.Join(details, ", "))
		}
	}
	return nil
}

// A typed is a command on a container whose CPU time is measured beside Redis.
type typed struct {
	row     string
	command string
	format  string // of __key__
	keys    uint64 // how many numbers __key__ and __int__ draw from
	conns   int    // 0: the standard
	percent int    // of the standard duration; 0: all of it
}

// The commands whose time is measured. RPOP takes what LPUSH has stored in the
// same round, which lasts longer.
var typedCommands = []typed{
	{row: "LPUSH", command: "LPUSH list:__key__ element:00000001", format: "%04d", keys: 1000},
	{row: "RPOP", command: "RPOP list:__key__", format: "%04d", keys: 1000, percent: 30},
	{row: "LRANGE", command: "LRANGE range:__key__ 0 99", format: "%03d", keys: 100},
	{row: "SADD", command: "SADD set:__key__ member:__int__", format: "%d", keys: 1000},
	{row: "SISMEMBER", command: "SISMEMBER set:__key__ member:__int__", format: "%d", keys: 1000},
	{row: "SINTER", command: "SINTER inter:a inter:b", format: "%d", keys: 1, conns: 4},
	{row: "HSET", command: "HSET hash:__key__ field:__int__ value:00000001", format: "%d", keys: 1000},
	{row: "HGET", command: "HGET hash:__key__ field:__int__", format: "%d", keys: 1000},
	{row: "HGETALL", command: "HGETALL all:__key__", format: "%03d", keys: 1000},
	{row: "ZADD", command: "ZADD zset:__key__ __int__ member:__int__", format: "%d", keys: 1000},
	{row: "ZRANGE", command: "ZRANGE ranked 0 9", format: "%d", keys: 1},
	{row: "ZRANGEBYSCORE", command: "ZRANGEBYSCORE ranked __int__ +inf LIMIT 0 10", format: "%d", keys: 99_000},
	{row: "ZRANK", command: "ZRANK ranked member:__key__", format: "%08d", keys: 100_000},
	{row: "XADD", command: "XADD stream:__key__ * sensor 1234 value 5678", format: "%d", keys: 100},
	{row: "XRANGE", command: "XRANGE entries:__key__ - + COUNT 10", format: "%02d", keys: 100},
	{row: "GEOSEARCH", command: "GEOSEARCH places FROMLONLAT 14.5 37.5 BYRADIUS 1 km ASC COUNT 10", format: "%d", keys: 1, conns: 4},
	{row: "PFADD", command: "PFADD hll:__key__ element:__int__", format: "%d", keys: 1000},
}

// typedFills are what the commands find.
var typedFills = []struct {
	command, format string
	count           uint64
}{
	{"RPUSH range:__key__ 00 01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59", "%03d", 100},
	{"RPUSH range:__key__ 60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 88 89 90 91 92 93 94 95 96 97 98 99", "%03d", 100},
	{"SADD inter:a member:__key__", "%08d", 100_000},
	{"SADD inter:b member:__key__", "%08d", 100},
	{"SADD inter:b other:__key__", "%08d", 99_900},
	{"HSET all:__key__ f00 value f01 value f02 value f03 value f04 value f05 value f06 value f07 value f08 value f09 value f10 value f11 value f12 value f13 value f14 value f15 value f16 value f17 value f18 value f19 value", "%03d", 1000},
	{"ZADD ranked __int__ member:__key__", "%08d", 100_000},
	{"XADD entries:__key__ * sensor 1234 value 5678", "%02d", 100 * 100},
	{"GEOADD places 14.__int__ 37.__int__ place:__key__", "%08d", 100_000},
}

// typedRows are the rows of the commands' time.
func typedRows() []Row {
	rows := []Row{{Name: "types-median", What: "CPU per operation vs Redis, pipeline 16: median of the commands on containers", Bar: 0.75}}
	for _, c := range typedCommands {
		rows = append(rows, Row{Name: "types-" + c.row, What: "CPU per operation vs Redis, pipeline 16: " + c.command, Bar: 0.90})
	}
	return rows
}

// types measures the server's CPU time per command on containers, beside Redis.
func (r *runner) types(ctx context.Context, g *group) error {
	p := r.plan(r.count(5, 1))
	p.Entrants = []compare.Entrant{
		{Label: "sherd", Spec: r.o.Sherd, Threads: 1},
		{Label: "redis-server", Spec: r.o.Redis, Threads: 1},
	}
	normal := r.pick(time.Second, 500*time.Millisecond)
	for _, c := range typedCommands {
		s := compare.Scenario{
			Name: c.row, Conns: standardConns, Threads: 1, Pipeline: 16,
			Load:   &workload.Spec{Commands: []string{c.command}, Keys: keyspace.Spec{Count: c.keys, Format: c.format}},
			Warmup: normal / 5, Duration: normal,
		}
		if c.conns != 0 {
			s.Conns = c.conns
		}
		if c.percent != 0 {
			s.Warmup, s.Duration = s.Warmup*time.Duration(c.percent)/100, s.Duration*time.Duration(c.percent)/100
		}
		p.Scenarios = append(p.Scenarios, s)
	}
	running, err := p.Start(ctx)
	if err != nil {
		return err
	}
	defer running.Stop()
	for i := range p.Entrants {
		if err := r.fillTypes(ctx, running, i); err != nil {
			return err
		}
	}
	if err := running.Rounds(ctx); err != nil {
		return err
	}
	r.add(running.Report)
	var ratios []float64
	for i, c := range typedCommands {
		cells := running.Report.Scenarios[i].Cells
		sherd, redis := &cells[0].Median, &cells[1].Median
		if err := known(sherd.ServerMicros, redis.ServerMicros); err != nil {
			return err
		}
		ratio := sherd.ServerMicros / redis.ServerMicros
		ratios = append(ratios, ratio)
		g.set("types-"+c.row, ratio, "sherd %.3f, Redis %.3f µs per operation", sherd.ServerMicros, redis.ServerMicros)
	}
	g.set("types-median", compare.Median(ratios), "of %d commands", len(ratios))
	return nil
}

// fillTypes stores what the commands find in entrant i.
func (r *runner) fillTypes(ctx context.Context, running *compare.Running, i int) error {
	for _, f := range typedFills {
		load := &workload.Spec{Fill: f.command, Keys: keyspace.Spec{Count: f.count, Format: f.format}}
		mix, options, err := load.Prefill().Compile(request.Redis)
		if err != nil {
			return err
		}
		r.o.Status("filling: " + f.command[:20])
		res, err := gen.Run(ctx, gen.Config{
			Address: running.Process(i).Address, Mix: mix, Request: options,
			Conns: 10, Threads: 1, Pipeline: 50, CPUs: r.o.GeneratorCPUs, Engine: r.o.Engine, Seed: r.o.Seed,
			Requests: int64(f.count),
		})
		if err != nil {
			return err
		}
		if res.Errors > 0 {
			return fmt.Errorf("%s: %s", f.command, res.ErrorText)
		}
	}
	return nil
}
