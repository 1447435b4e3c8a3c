package command

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"

	"sherd/internal/metrics"
)

var infoCommand = &Command{
	Name: "info", Arity: -1, Flags: Loading | Stale, Run: info, Group: "server", Categories: []string{"dangerous"},
	Doc: Doc{
		Summary: "Tells the server's state and statistics.", Since: "1.0.0", Complexity: "O(1)",
		Args:    []Arg{{Name: "section", Type: "string", Optional: true, Multiple: true}},
		History: [][2]string{{"7.0.0", "Added support for taking multiple section arguments."}},
	},
	Tips: []string{"nondeterministic_output", "request_policy:all_shards", "response_policy:special"},
}

// sections in the order they are shown. Those that are not shown by default
// are asked for by name, with "all" or with "everything".
var sections = []struct {
	name   string
	byName bool
	write  func(w *infoText, v *snapshot)
}{
	{"server", false, infoServer},
	{"clients", false, infoClients},
	{"memory", false, infoMemory},
	{"persistence", false, infoPersistence},
	{"stats", false, infoStats},
	{"replication", false, infoReplication},
	{"cpu", false, infoCPU},
	{"modules", false, infoModules},
	{"commandstats", true, infoCommandStats},
	{"errorstats", false, infoErrorStats},
	{"latencystats", true, infoLatencyStats},
	{"cluster", false, infoCluster},
	{"keyspace", false, infoKeyspace},
}

// snapshot is the server at one moment, summed over the loops.
type snapshot struct {
	x       *Ctx
	facts   Facts
	process metrics.Process
	stats   Stats
	keeper  keeperSum
	errors  map[string]int64
	timing  []metrics.Timing
	rates   [3]float64
	clients clientSum
	memory  memorySum
	dbs     []dbSum
}

type keeperSum struct {
	expired, moved, freed int64
	ns                    float64
}

type clientSum struct {
	count, blocked         int64
	maxInput, maxOutput    int64
	buffers, pooled, fixed int64
}

type dbSum struct {
	keys, volatile, tableBytes int64
	ttlSum, ttlCount           int64
}

// lookAt gathers a view and hands it to done.
func (x *Ctx) lookAt(wantTime bool, done func(x *Ctx, v *snapshot)) {
	parts := make([]snapshot, x.KS.Loops)
	me := *x
	x.Host.Gather(x, func(l *Local) {
		v := &parts[l.Loop]
		v.stats = l.Stats
		v.errors = make(map[string]int64, len(l.Errors))
		for code, n := range l.Errors {
			v.errors[code] = n
		}
		if wantTime {
			v.timing = make([]metrics.Timing, len(l.Timing))
			for i := range l.Timing {
				v.timing[i].Add(&l.Timing[i])
			}
		}
		k := l.Keeper
		v.keeper = keeperSum{k.Expired, k.Moved, k.Freed, metrics.Ns(k.Ticks)}
		v.rates[0], v.rates[1], v.rates[2] = l.Rates(me.KS.Clock.Now())
		v.clients.pooled = l.Pooled()
		for _, c := range l.Clients {
			filled, free, _ := c.Link.Query()
			out, _, memory := c.Link.Output()
			v.clients.count++
			v.clients.buffers += int64(filled + free + memory)
			v.clients.fixed += clientBytes
			v.clients.maxInput = max(v.clients.maxInput, int64(filled+free))
			v.clients.maxOutput = max(v.clients.maxOutput, int64(out))
			if c.Link.Blocked() && c != me.C {
				v.clients.blocked++
			}
		}
		v.dbs = make([]dbSum, me.KS.Databases)
		me.countKeys(l, v.dbs)
	}, func(x *Ctx) {
		v := &snapshot{x: x, facts: x.Host.Facts(), process: metrics.ReadProcess(), errors: map[string]int64{}}
		v.dbs = make([]dbSum, x.KS.Databases)
		v.timing = make([]metrics.Timing, x.Host.Table().IDs())
		for i := range parts {
			v.add(&parts[i])
		}
		v.memory = x.memorySum(v)
		done(x, v)
	})
}

func (v *snapshot) add(p *snapshot) {
	v.stats.Add(&p.stats)
	v.keeper.expired += p.keeper.expired
	v.keeper.moved += p.keeper.moved
	v.keeper.freed += p.keeper.freed
	v.keeper.ns += p.keeper.ns
	for code, n := range p.errors {
		v.errors[code] += n
	}
	for i := range p.timing {
		v.timing[i].Add(&p.timing[i])
	}
	for i := range v.rates {
		v.rates[i] += p.rates[i]
	}
	v.clients.count += p.clients.count
	v.clients.blocked += p.clients.blocked
	v.clients.buffers += p.clients.buffers
	v.clients.pooled += p.clients.pooled
	v.clients.fixed += p.clients.fixed
	v.clients.maxInput = max(v.clients.maxInput, p.clients.maxInput)
	v.clients.maxOutput = max(v.clients.maxOutput, p.clients.maxOutput)
	for i := range p.dbs {
		v.dbs[i].keys += p.dbs[i].keys
		v.dbs[i].volatile += p.dbs[i].volatile
		v.dbs[i].tableBytes += p.dbs[i].tableBytes
		v.dbs[i].ttlSum += p.dbs[i].ttlSum
		v.dbs[i].ttlCount += p.dbs[i].ttlCount
	}
}

// countKeys sums the tables of a loop's own slices. A slice that stays held is
// left out of this count.
func (x *Ctx) countKeys(l *Local, dbs []dbSum) {
	now := x.KS.Clock.Now()
	lo, hi := x.KS.Home(l.Loop)
	for i := lo; i < hi; i++ {
		s := x.KS.Slice(i)
		got := false
		for range 100 {
			if got = s.Spin(); got {
				break
			}
		}
		if !got {
			continue
		}
		for db := range dbs {
			t := x.KS.Table(db, s)
			if t.Len() == 0 {
				continue
			}
			d := &dbs[db]
			d.keys += int64(t.Len())
			d.volatile += int64(t.Volatile())
			d.tableBytes += t.TableBytes()
			if t.Volatile() > 0 && d.ttlCount < 64 {
				if e, ok := t.Random(&s.Heap, l.Rand.Uint64()); ok && e.DeadlineMs() > now {
					d.ttlSum += e.DeadlineMs() - now
					d.ttlCount++
				}
			}
		}
		s.ReleaseUnchanged()
	}
}

func info(x *Ctx) {
	want := make([]bool, len(sections))
	if len(x.Args) == 1 {
		for i, s := range sections {
			want[i] = !s.byName
		}
	}
	for _, a := range x.Args[1:] {
		for i, s := range sections {
			switch {
			case is(a, "default"):
				want[i] = want[i] || !s.byName
			case is(a, "all"):
				want[i] = want[i] || s.name != "modules"
			case is(a, "everything"), is(a, s.name):
				want[i] = true
			}
		}
	}
	wantTime := false
	for i, s := range sections {
		wantTime = wantTime || want[i] && s.byName
	}
	x.lookAt(wantTime, func(x *Ctx, v *snapshot) {
		var w infoText
		for i, s := range sections {
			if want[i] {
				w.begin(s.name)
				s.write(&w, v)
			}
		}
		x.Verbatim(w.String())
	})
}

// infoText is the reply of INFO being written.
type infoText struct{ strings.Builder }

func (w *infoText) begin(section string) {
	if w.Len() > 0 {
		w.WriteString("\r\n")
	}
	switch section {
	case "cpu":
		section = "CPU"
	default:
		section = strings.ToUpper(section[:1]) + section[1:]
	}
	w.WriteString("# " + section + "\r\n")
}

func (w *infoText) text(name, value string)      { w.WriteString(name + ":" + value + "\r\n") }
func (w *infoText) num(name string, n int64)     { w.text(name, fmt.Sprint(n)) }
func (w *infoText) ratio(name string, f float64) { w.text(name, fmt.Sprintf("%.2f", f)) }
func (w *infoText) zero(names ...string) {
	for _, n := range names {
		w.text(n, "0")
	}
}

// bytes writes an amount and, under another name, the same for people.
func (w *infoText) bytes(name string, n int64) {
	w.num(name, n)
	w.text(name+"_human", human(n))
}

// human writes bytes with the units of INFO.
func human(n int64) string {
	f := float64(n)
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%dB", n)
	case n < 1<<20:
		return fmt.Sprintf("%.2fK", f/(1<<10))
	case n < 1<<30:
		return fmt.Sprintf("%.2fM", f/(1<<20))
	case n < 1<<40:
		return fmt.Sprintf("%.2fG", f/(1<<30))
	}
	return fmt.Sprintf("%.2fT", f/(1<<40))
}

func infoServer(w *infoText, v *snapshot) {
	f := &v.facts
	us := wallMicros(v.x)
	w.text("redis_version", RedisVersion)
	w.text("sherd_version", Version)
	w.text("redis_git_sha1", "00000000")
	w.text("redis_git_dirty", "0")
	w.text("redis_build_id", f.BuildID)
	w.text("redis_mode", "standalone")
	w.text("os", v.process.OS)
	w.num("arch_bits", int64(math.MaxUint>>63)*32+32)
	w.text("monotonic_clock", "Go runtime")
	w.text("multiplexing_api", f.Engine)
	w.text("atomicvar_api", "sync/atomic")
	w.text("gcc_version", "0.0.0")
	w.text("go_version", runtime.Version())
	w.num("process_id", int64(f.PID))
	w.text("process_supervised", v.x.Conf.Supervised)
	w.text("run_id", f.RunID)
	w.num("tcp_port", int64(f.Port))
	w.num("server_time_usec", us)
	w.num("uptime_in_seconds", int64(f.Uptime.Seconds()))
	w.num("uptime_in_days", int64(f.Uptime.Hours()/24))
	w.num("hz", int64(v.x.Conf.Hz))
	w.num("configured_hz", int64(v.x.Conf.Hz))
	w.num("lru_clock", us/1e6&(1<<24-1))
	w.text("executable", f.Executable)
	w.text("config_file", f.ConfigFile)
	w.num("io_threads_active", 0)
	w.num("threads", int64(f.Threads))
}

func infoClients(w *infoText, v *snapshot) {
	w.num("connected_clients", v.clients.count)
	w.zero("cluster_connections")
	w.num("maxclients", int64(v.x.Conf.MaxClients))
	w.num("client_recent_max_input_buffer", v.clients.maxInput)
	w.num("client_recent_max_output_buffer", v.clients.maxOutput)
	w.num("blocked_clients", v.clients.blocked)
	w.zero("tracking_clients", "clients_in_timeout_table")
}

func infoMemory(w *infoText, v *snapshot) {
	m := &v.memory
	w.bytes("used_memory", m.used)
	w.bytes("used_memory_rss", m.rss)
	w.bytes("used_memory_peak", m.peak)
	w.text("used_memory_peak_perc", percent(m.used, m.peak))
	w.num("used_memory_overhead", m.overhead)
	w.num("used_memory_startup", m.startup)
	w.num("used_memory_dataset", m.dataset())
	w.text("used_memory_dataset_perc", percent(m.dataset(), m.used-m.startup))
	w.num("allocator_allocated", m.data)
	w.num("allocator_active", m.held)
	w.num("allocator_resident", m.resident)
	w.bytes("total_system_memory", v.process.TotalMemory)
	w.zero("used_memory_lua", "used_memory_vm_eval")
	w.text("used_memory_lua_human", "0B")
	w.zero("used_memory_scripts_eval", "number_of_cached_scripts", "number_of_functions", "number_of_libraries", "used_memory_vm_functions")
	w.bytes("used_memory_vm_total", 0)
	w.zero("used_memory_functions")
	w.bytes("used_memory_scripts", 0)
	w.bytes("maxmemory", v.x.Conf.MaxMemoryBytes)
	w.text("maxmemory_policy", v.x.Conf.MaxMemoryPolicy)
	w.ratio("allocator_frag_ratio", ratio(m.held, m.data))
	w.num("allocator_frag_bytes", m.held-m.data)
	w.ratio("allocator_rss_ratio", ratio(m.resident, m.held))
	w.num("allocator_rss_bytes", m.resident-m.held)
	w.ratio("rss_overhead_ratio", ratio(m.rss, m.resident))
	w.num("rss_overhead_bytes", m.rss-m.resident)
	w.ratio("mem_fragmentation_ratio", ratio(m.rss, m.used))
	w.num("mem_fragmentation_bytes", m.rss-m.used)
	w.zero("mem_not_counted_for_evict", "mem_replication_backlog", "mem_total_replication_buffers", "mem_clients_slaves")
	w.num("mem_clients_normal", v.clients.buffers+v.clients.fixed)
	w.zero("mem_cluster_links", "mem_aof_buffer")
	w.text("mem_allocator", "sherd-"+Version)
	w.num("go_heap_bytes", v.process.GoBytes)
	w.num("go_mallocs", v.process.GoMallocs)
	w.num("go_gc_cycles", v.process.GoCollections)
	w.zero("active_defrag_running", "lazyfree_pending_objects")
	w.num("lazyfreed_objects", v.keeper.freed)
}

func infoPersistence(w *infoText, v *snapshot) {
	w.zero("loading", "async_loading", "current_cow_peak", "current_cow_size", "current_cow_size_age")
	w.text("current_fork_perc", "0.00")
	w.zero("current_save_keys_processed", "current_save_keys_total")
	w.num("rdb_changes_since_last_save", v.stats.Dirty)
	w.zero("rdb_bgsave_in_progress")
	w.num("rdb_last_save_time", v.facts.Started.Unix())
	w.text("rdb_last_bgsave_status", "ok")
	w.text("rdb_last_bgsave_time_sec", "-1")
	w.text("rdb_current_bgsave_time_sec", "-1")
	w.zero("rdb_saves", "rdb_last_cow_size", "rdb_last_load_keys_expired", "rdb_last_load_keys_loaded")
	w.zero("aof_enabled", "aof_rewrite_in_progress", "aof_rewrite_scheduled")
	w.text("aof_last_rewrite_time_sec", "-1")
	w.text("aof_current_rewrite_time_sec", "-1")
	w.text("aof_last_bgrewrite_status", "ok")
	w.zero("aof_rewrites", "aof_rewrites_consecutive_failures")
	w.text("aof_last_write_status", "ok")
	w.zero("aof_last_cow_size", "module_fork_in_progress", "module_fork_last_cow_size")
}

func infoStats(w *infoText, v *snapshot) {
	s := &v.stats
	w.num("total_connections_received", s.Connections+s.Rejected+s.DeniedProtected)
	w.num("total_commands_processed", s.Commands)
	w.num("instantaneous_ops_per_sec", int64(v.rates[0]))
	w.num("total_net_input_bytes", s.NetIn)
	w.num("total_net_output_bytes", s.NetOut)
	w.zero("total_net_repl_input_bytes", "total_net_repl_output_bytes")
	w.ratio("instantaneous_input_kbps", v.rates[1]/1024)
	w.ratio("instantaneous_output_kbps", v.rates[2]/1024)
	w.text("instantaneous_input_repl_kbps", "0.00")
	w.text("instantaneous_output_repl_kbps", "0.00")
	w.num("rejected_connections", s.Rejected+s.DeniedProtected)
	w.zero("sync_full", "sync_partial_ok", "sync_partial_err")
	w.num("expired_keys", s.Expired+v.keeper.expired)
	w.text("expired_stale_perc", "0.00")
	w.zero("expired_time_cap_reached_count")
	w.num("expire_cycle_cpu_milliseconds", int64(v.keeper.ns/1e6))
	w.zero("evicted_keys", "evicted_clients", "total_eviction_exceeded_time", "current_eviction_exceeded_time")
	w.num("keyspace_hits", s.Hits)
	w.num("keyspace_misses", s.Misses)
	w.zero("pubsub_channels", "pubsub_patterns", "pubsubshard_channels", "latest_fork_usec", "total_forks",
		"migrate_cached_sockets", "slave_expires_tracked_keys")
	w.num("active_defrag_hits", v.keeper.moved)
	w.zero("active_defrag_misses")
	w.num("active_defrag_key_hits", v.keeper.moved)
	w.zero("active_defrag_key_misses", "total_active_defrag_time", "current_active_defrag_time",
		"tracking_total_keys", "tracking_total_items", "tracking_total_prefixes")
	w.num("unexpected_error_replies", s.ProtocolErrors)
	w.num("total_error_replies", s.ErrorReplies)
	w.zero("dump_payload_sanitizations")
	w.num("total_reads_processed", s.ReadsProcessed)
	w.num("total_writes_processed", s.WritesProcessed)
	w.zero("io_threaded_reads_processed", "io_threaded_writes_processed", "reply_buffer_shrinks", "reply_buffer_expands")
	w.num("client_query_buffer_limit_disconnections", s.QueryLimitKills)
	w.num("client_output_buffer_limit_disconnections", s.OutputLimitKills)
	w.num("client_timeout_disconnections", s.TimeoutKills)
	w.num("protected_mode_disconnections", s.DeniedProtected)
	w.num("oom_refused_commands", s.OOMRefused)
	w.num("optimistic_reads", s.OptimisticReads)
	w.num("optimistic_read_retries", s.OptimisticRetries)
	w.num("latch_waits", s.LatchWaits)
	w.num("turns_shared", s.TurnsShared)
	w.num("loop_turns", s.Turns)
}

func infoReplication(w *infoText, v *snapshot) {
	w.text("role", "master")
	w.zero("connected_slaves")
	w.text("master_failover_state", "no-failover")
	w.text("master_replid", v.facts.ReplID)
	w.text("master_replid2", strings.Repeat("0", 40))
	w.zero("master_repl_offset")
	w.text("second_repl_offset", "-1")
	w.zero("repl_backlog_active")
	size := "1048576"
	if p := v.x.Host.Config().Get([]string{"repl-backlog-size"}); len(p) == 1 {
		size = p[0].Value
	}
	w.text("repl_backlog_size", size)
	w.zero("repl_backlog_first_byte_offset", "repl_backlog_histlen")
}

func infoCPU(w *infoText, v *snapshot) {
	p := &v.process
	seconds := func(name string, s float64) { w.text(name, fmt.Sprintf("%.6f", s)) }
	seconds("used_cpu_sys", p.SystemSeconds)
	seconds("used_cpu_user", p.UserSeconds)
	seconds("used_cpu_sys_children", 0)
	seconds("used_cpu_user_children", 0)
	seconds("used_cpu_sys_main_thread", p.SystemSeconds)
	seconds("used_cpu_user_main_thread", p.UserSeconds)
}

func infoModules(*infoText, *snapshot) {}

func infoCommandStats(w *infoText, v *snapshot) {
	for id := range v.timing {
		t := &v.timing[id]
		if t.Calls+t.Rejected+t.Failed == 0 {
			continue
		}
		us := metrics.Ns(t.Ticks) / 1000
		per := 0.0
		if t.Calls > 0 {
			per = us / float64(t.Calls)
		}
		w.text("cmdstat_"+v.x.Host.Table().ByID(id).FullName,
			fmt.Sprintf("calls=%d,usec=%d,usec_per_call=%.2f,rejected_calls=%d,failed_calls=%d", t.Calls, int64(us), per, t.Rejected, t.Failed))
	}
}

func infoErrorStats(w *infoText, v *snapshot) {
	codes := make([]string, 0, len(v.errors))
	for c := range v.errors {
		codes = append(codes, c)
	}
	slices.Sort(codes)
	for _, c := range codes {
		w.text("errorstat_"+c, fmt.Sprintf("count=%d", v.errors[c]))
	}
}

func infoLatencyStats(w *infoText, v *snapshot) {
	for id := range v.timing {
		t := &v.timing[id]
		if t.Tracked() == 0 {
			continue
		}
		var b strings.Builder
		for i, p := range v.x.Conf.LatencyPercentiles {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, "p%g=%.3f", p, metrics.Ns(t.Percentile(p))/1000)
		}
		w.text("latency_percentiles_usec_"+v.x.Host.Table().ByID(id).FullName, b.String())
	}
}

func infoCluster(w *infoText, _ *snapshot) { w.zero("cluster_enabled") }

func infoKeyspace(w *infoText, v *snapshot) {
	for i := range v.dbs {
		d := &v.dbs[i]
		if d.keys == 0 {
			continue
		}
		avg := int64(0)
		if d.ttlCount > 0 {
			avg = d.ttlSum / d.ttlCount
		}
		w.text(fmt.Sprintf("db%d", i), fmt.Sprintf("keys=%d,expires=%d,avg_ttl=%d", d.keys, d.volatile, avg))
	}
}

func percent(part, whole int64) string {
	if whole <= 0 {
		return "0.00%"
	}
	return fmt.Sprintf("%.2f%%", 100*float64(part)/float64(whole))
}

func ratio(a, b int64) float64 {
	if b <= 0 {
		return 0
	}
	return float64(a) / float64(b)
}
