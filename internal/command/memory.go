package command

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"sherd/internal/wire/resp"
)

var memoryCommand = &Command{
	Name: "memory", Arity: -2, Group: "server",
	Doc: Doc{Summary: "Container of the commands about memory.", Since: "4.0.0", Complexity: "Depends on subcommand."},
	Sub: []*Command{
		{
			Name: "usage", Arity: -3, Flags: ReadOnly, Run: memoryUsage, Reach: ReachOne,
			Keys: []KeySpec{{Flags: RO, Index: 2, Step: 1}},
			Doc: Doc{
				Summary: "Tells what a key and its value take.", Since: "4.0.0", Complexity: "O(N) where N is the number of samples.",
				Args: []Arg{{Name: "key", Type: "key", KeySpec: 1}, {Name: "count", Type: "integer", Token: "SAMPLES", Optional: true}},
			},
		},
		{
			Name: "stats", Arity: 2, Run: memoryStats,
			Doc:  Doc{Summary: "Tells how memory is used.", Since: "4.0.0", Complexity: "O(1)"},
			Tips: []string{"nondeterministic_output", "request_policy:all_shards", "response_policy:special"},
		},
		{
			Name: "doctor", Arity: 2, Run: memoryDoctor,
			Doc:  Doc{Summary: "Reports on memory in words.", Since: "4.0.0", Complexity: "O(1)"},
			Tips: []string{"nondeterministic_output", "request_policy:all_shards", "response_policy:special"},
		},
		{
			Name: "purge", Arity: 2, Run: memoryPurge,
			Doc:  Doc{Summary: "Gives free memory back to the system.", Since: "4.0.0", Complexity: "Depends on how much memory is allocated, could be slow"},
			Tips: []string{"request_policy:all_shards", "response_policy:all_succeeded"},
		},
		{
			Name: "malloc-stats", Arity: 2, Run: memoryMallocStats,
			Doc:  Doc{Summary: "Tells the allocator's figures.", Since: "4.0.0", Complexity: "Depends on how much memory is allocated, could be slow"},
			Tips: []string{"nondeterministic_output", "request_policy:all_shards", "response_policy:special"},
		},
		{
			Name: "help", Arity: 2, Flags: Loading | Stale, Run: memoryHelp,
			Doc: Doc{Summary: "Lists the subcommands.", Since: "4.0.0", Complexity: "O(1)"},
		},
	},
}

// memorySum is where the memory is, in bytes.
type memorySum struct {
	data     int64 // what the heaps handed out: entries and tables
	tables   int64 // of it, tables
	keys     int64
	held     int64 // what the heaps hold from the arena
	resident int64 // and what of the arena is backed by memory
	runtime  int64 // the Go heap: connections, buffers, code's own state
	buffers  int64 // of it, connections and their buffers
	startup  int64
	used     int64
	peak     int64
	rss      int64
	overhead int64
}

func (m *memorySum) dataset() int64 { return max(m.used-m.overhead, 0) }

// memorySum adds up. Used memory is what all heaps have handed out: the
// keyspace's and what connections hold.
func (x *Ctx) memorySum(v *snapshot) memorySum {
	s := x.KS.Arena.Stats()
	m := memorySum{
		data:     x.KS.Used.Load(),
		held:     s.Held,
		resident: s.Held + s.FreeDirty,
		runtime:  v.process.GoBytes,
		buffers:  v.clients.buffers + v.clients.pooled + v.clients.fixed,
		rss:      v.process.RSSBytes,
	}
	for i := range v.dbs {
		m.tables += v.dbs[i].tableBytes
		m.keys += v.dbs[i].keys
	}
	m.startup = x.KS.FixedBytes()
	m.used = m.data + m.buffers + m.startup
	m.peak = x.KS.NotePeak(m.used)
	m.overhead = m.startup + m.buffers + m.tables
	return m
}

func memoryUsage(x *Ctx) {
	switch {
	case len(x.Args) == 3:
	case len(x.Args) == 5 && is(x.Args[3], "SAMPLES"):
		if n, ok := resp.ParseInt64(x.Args[4]); !ok || n < 0 {
			if !ok {
				x.Error(errNotInteger)
			} else {
				x.Syntax()
			}
			return
		}
	default:
		x.Syntax()
		return
	}
	e, ok := x.Find(&x.Keys[0])
	if !ok {
		x.Null()
		return
	}
	x.Int(x.memoryUsage(&x.Keys[0], e))
}

func memoryStats(x *Ctx) {
	x.lookAt(false, func(x *Ctx, v *snapshot) {
		m := &v.memory
		used := 0
		for i := range v.dbs {
			if v.dbs[i].keys > 0 {
				used++
			}
		}
		x.Map(27 + used)
		num := func(name string, n int64) {
			x.BulkString(name)
			x.Int(n)
		}
		f := func(name string, f float64) {
			x.BulkString(name)
			x.Out = resp.AppendDouble(x.Out, f, x.C.Proto)
		}
		num("peak.allocated", m.peak)
		num("total.allocated", m.used)
		num("startup.allocated", m.startup)
		num("replication.backlog", 0)
		num("clients.slaves", 0)
		num("clients.normal", v.clients.buffers+v.clients.fixed)
		num("cluster.links", 0)
		num("aof.buffer", 0)
		num("lua.caches", 0)
		num("functions.caches", 0)
		for i := range v.dbs {
			if v.dbs[i].keys == 0 {
				continue
			}
			x.BulkString(fmt.Sprintf("db.%d", i))
			x.Map(3)
			num("overhead.hashtable.main", v.dbs[i].tableBytes)
			num("overhead.hashtable.expires", 0)
			num("overhead.hashtable.slot-to-keys", 0)
		}
		num("overhead.total", m.overhead)
		num("keys.count", m.keys)
		num("keys.bytes-per-key", m.data/max(m.keys, 1))
		num("dataset.bytes", m.dataset())
		f("dataset.percentage", 100*ratio(m.dataset(), m.used-m.startup))
		f("peak.percentage", 100*ratio(m.used, m.peak))
		num("allocator.allocated", m.data)
		num("allocator.active", m.held)
		num("allocator.resident", m.resident)
		f("allocator-fragmentation.ratio", ratio(m.held, m.data))
		num("allocator-fragmentation.bytes", m.held-m.data)
		f("allocator-rss.ratio", ratio(m.resident, m.held))
		num("allocator-rss.bytes", m.resident-m.held)
		f("rss-overhead.ratio", ratio(m.rss, m.resident))
		num("rss-overhead.bytes", m.rss-m.resident)
		f("fragmentation", ratio(m.rss, m.used))
		num("fragmentation.bytes", m.rss-m.used)
	})
}

func memoryDoctor(x *Ctx) {
	x.lookAt(false, func(x *Ctx, v *snapshot) {
		m := &v.memory
		var b strings.Builder
		if m.used < 5<<20 {
			b.WriteString("There is too little data here to say anything about its memory.\n")
			x.Verbatim(b.String())
			return
		}
		if ratio(m.peak, m.used) > 1.5 {
			fmt.Fprintf(&b, "Peak: %s were in use once, %s are now.\n", human(m.peak), human(m.used))
		}
		if ratio(m.held, m.data) > 1.3 && m.held-m.data > 10<<20 {
			fmt.Fprintf(&b, "Fragmentation: the heaps hold %s for %s of data; housekeeping packs them while the server has time.\n", human(m.held), human(m.data))
		}
		if ratio(m.rss, m.used) > 1.4 && m.rss-m.used > 10<<20 {
			fmt.Fprintf(&b, "Resident: the process takes %s, %s are in use; MEMORY PURGE gives back what is free.\n", human(m.rss), human(m.used))
		}
		if v.clients.count > 0 && v.clients.buffers/v.clients.count > 200<<10 {
			fmt.Fprintf(&b, "Clients: their buffers take %s; see CLIENT LIST for who does not read.\n", human(v.clients.buffers))
		}
		if b.Len() == 0 {
			b.WriteString("Nothing is wrong with the memory that could be seen.\n")
		}
		x.Verbatim(b.String())
	})
}

func memoryPurge(x *Ctx) {
	arena := x.KS.Arena
	x.Background(func() error {
		for arena.Trim(64<<20) > 0 {
		}
		runtime.GC()
		debug.FreeOSMemory()
		return nil
	}, func(x *Ctx, _ error) { x.OK() })
}

func memoryMallocStats(x *Ctx) {
	s := x.KS.Arena.Stats()
	x.Verbatim(fmt.Sprintf("reserved %d\ncommitted %d\nheld by heaps %d\nfree, backed by memory %d\nhanded out %d\n",
		s.Reserved, s.Committed, s.Held, s.FreeDirty, x.KS.Used.Load()))
}

func memoryHelp(x *Ctx) {
	x.Help("MEMORY",
		"DOCTOR", "Return memory problems reports.",
		"MALLOC-STATS", "Return internal statistics report from the memory allocator.",
		"PURGE", "Attempt to purge dirty pages for reclamation by the allocator.",
		"STATS", "Return information about the memory usage of the server.",
		"USAGE <key> [SAMPLES <count>]", "Return memory in bytes used by <key> and its value.",
	)
}
