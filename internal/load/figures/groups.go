package figures

// groups are the figures and their bars.
func groups() []group {
	sherd, redis := "sherd", "redis-server"
	return []group{
		{
			name: "cpu", needs: []string{sherd, redis},
			rows: []Row{
				{Name: "cpu-1", What: "CPU per operation vs Redis, no pipeline", Bar: 0.90},
				{Name: "cpu-16", What: "CPU per operation vs Redis, pipeline 16", Bar: 0.78},
				{Name: "cpu-64", What: "CPU per operation vs Redis, pipeline 64", Bar: 0.55},
				{Name: "floor-1", What: "CPU per operation vs the floor, no pipeline", Bar: 1.08},
				{Name: "floor-16", What: "CPU per operation vs the floor, pipeline 16", Bar: 1.20},
				{Name: "floor-64", What: "CPU per operation vs the floor, pipeline 64", Bar: 1.50},
				{Name: "p50-1", What: "p50 vs Redis in those runs, no pipeline", Bar: 1.0},
				{Name: "p50-16", What: "p50 vs Redis in those runs, pipeline 16", Bar: 1.0},
				{Name: "p50-64", What: "p50 vs Redis in those runs, pipeline 64", Bar: 1.0},
			},
			measure: (*runner).cpu,
		},
		{
			name: "loops", needs: []string{sherd},
			rows: []Row{
				{Name: "loops-1", What: "CPU per operation, two loops vs one, fixed rate, no pipeline", Bar: 1.12},
				{Name: "loops-16", What: "CPU per operation, two loops vs one, fixed rate, pipeline 16", Bar: 1.05},
				{Name: "loops-64", What: "CPU per operation, two loops vs one, fixed rate, pipeline 64", Bar: 1.10},
			},
			measure: (*runner).loops,
		},
		{
			name: "steps", needs: []string{sherd},
			rows: []Row{
				{Name: "staged-1", What: "CPU per operation without staged turns vs with them, no pipeline", Bar: 1, AtLeast: true},
				{Name: "staged-16", What: "CPU per operation without staged turns vs with them, pipeline 16", Bar: 1, AtLeast: true},
				{Name: "staged-64", What: "CPU per operation without staged turns vs with them, pipeline 64", Bar: 1, AtLeast: true},
				{Name: "optimistic-1", What: "CPU per operation without optimistic reads vs with them, two loops, no pipeline", Bar: 1, AtLeast: true},
				{Name: "optimistic-16", What: "CPU per operation without optimistic reads vs with them, two loops, pipeline 16", Bar: 1, AtLeast: true},
				{Name: "optimistic-64", What: "CPU per operation without optimistic reads vs with them, two loops, pipeline 64", Bar: 1, AtLeast: true},
			},
			measure: (*runner).steps,
		},
		{
			name: "latency", needs: []string{sherd, redis},
			rows: []Row{
				{Name: "latency-p50", What: "open loop 20,000/s, two loops: p50 vs Redis", Bar: 1.0},
				{Name: "latency-p99", What: "open loop 20,000/s, two loops: p99 vs Redis", Bar: 1.0},
				{Name: "latency-p99.99", What: "open loop 20,000/s, two loops: p99.99 vs Redis", Bar: 1.1},
			},
			measure: (*runner).latency,
		},
		{
			name: "allocs", needs: []string{sherd},
			rows: []Row{
				{Name: "allocs-get", What: "Go allocations per GET", Bar: 0},
				{Name: "allocs-set", What: "Go allocations per SET", Bar: 0},
				{Name: "allocs-incr", What: "Go allocations per INCR", Bar: 0},
			},
			measure: (*runner).allocs,
		},
		{
			name: "memory", needs: []string{sherd},
			rows: []Row{
				{Name: "memory-5M", What: "bytes per key at 5M keys", Bar: 64, Unit: "B"},
				{Name: "memory-worst", What: "bytes per key at the worst of 2.5M, 3.5M, 5M, 7M keys", Bar: 66, Unit: "B"},
			},
			measure: (*runner).memory,
		},
		{
			name: "memory-ttl", needs: []string{sherd},
			rows: []Row{
				{Name: "memory-ttl", What: "bytes per key, 1M keys with a time to live", Bar: 72, Unit: "B"},
			},
			measure: (*runner).memoryTTL,
		},
		{
			name: "memory-types", needs: []string{sherd},
			rows: containerRows(), measure: (*runner).containers,
		},
		{
			name: "types", needs: []string{sherd, redis},
			rows: typedRows(), measure: (*runner).types,
		},
		{
			name: "load", needs: []string{sherd, redis},
			rows: []Row{
				{Name: "load-5M", What: "time to load 5M keys, pipeline 50, vs Redis", Bar: 0.65},
			},
			measure: (*runner).load,
		},
		{
			name: "inprocess",
			rows: []Row{
				{Name: "inprocess", What: "operations per second in process, two threads vs one", Bar: 1.85, AtLeast: true},
			},
			measure: (*runner).inProcess,
		},
		{
			name: "generator", needs: []string{redis},
			rows: []Row{
				{Name: "generator", What: "requests per second of its CPU, sherd-bench vs redis-benchmark, pipeline 16", Bar: 1.3, AtLeast: true},
			},
			measure: (*runner).generator,
		},
	}
}
