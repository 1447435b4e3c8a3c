package config

import "math"

const (
	maxInt32  = math.MaxInt32
	maxUint32 = math.MaxUint32
	maxInt64  = math.MaxInt64
)

// Defaults are those of Redis 7.0 where it has the directive, else those of
// the server that has it; the few that differ say why.

const lapses = "default save nosave now force"

func saves(text string) bool { return shutdownOf(text).Save }

var networkTable = []Directive{
	// Redis listens everywhere and relies on protected-mode; a server should
	// not be reachable before somebody said so.
	entry("bind", Bind, "127.0.0.1 -::1", Live, []option{with(Multi)}),
	integer("port", "6379", 0, 65535, Live),
	text("unixsocket", "", Live, with(Immutable)),
	withBounds(entry("unixsocketperm", Octal, "0", Live, []option{with(Immutable)}), 0, 0o777),
	text("unixsocketgroup", "", Refused, with(Immutable), promises("the group of the unix socket", isSet)),
	boolean("protected-mode", "yes", Live),
	integer("tcp-backlog", "511", 0, maxInt32, Live, with(Immutable)),
	integer("timeout", "0", 0, maxInt32, Live),
	integer("tcp-keepalive", "300", 0, maxInt32, Live),
	integer("maxclients", "10000", 1, maxUint32, Live),
	text("requirepass", "", Live, with(Sensitive)),
	memory("proto-max-bulk-len", "536870912", 1<<20, maxInt64, Live),
	memory("client-query-buffer-limit", "1073741824", 1<<20, maxInt64, Live),
	entry("client-output-buffer-limit", Limits, "normal 0 0 0 slave 268435456 67108864 60 pubsub 33554432 8388608 60", Live, []option{with(Multi)}),
	// What one connection may keep on the server by HIMPORT PREPARE.
	memory("client-fieldsets-limit", "1048576", 0, maxInt64, Live),
	withBounds(entry("maxmemory-clients", Percent, "0", Refused, []option{promises("a common limit of the clients' memory", notZero)}), -100, maxInt64),
	integer("client-default-resp", "2", 2, 3, Live, with(Immutable|Hidden)),
	text("bind-source-addr", "", Kept),
	integer("socket-mark-id", "0", 0, maxUint32, Refused, with(Immutable), promises("marking sockets for the firewall", notZero)),
	boolean("mptcp", "no", Kept, with(Immutable)),
	boolean("repl-mptcp", "no", Kept),
	integer("max-new-connections-per-cycle", "10", 1, 1000, Kept),
	integer("max-new-tls-connections-per-cycle", "1", 1, 1000, Kept),
	integer("rdma-port", "0", 0, 65535, Kept),
	entry("rdma-bind", Bind, "", Kept, []option{with(Multi)}),
	integer("rdma-rx-size", "1048576", 65536, 16<<20, Kept, with(Immutable)),
	integer("rdma-completion-vector", "-1", -1, 1024, Kept, with(Immutable)),
	integer("tracking-table-max-keys", "1000000", 0, maxInt64, Kept),
}

var processTable = []Directive{
	integer("threads", "0", 0, 1024, Live, with(Immutable), also("proactor_threads")),
	enum("io-engine", "auto", "auto uring epoll portable", Live, with(Immutable)),
	enum("pin", "auto", "auto on off", Live, with(Immutable)),
	// Steps of the hot path that can be switched off, to see what each is
	// worth.
	boolean("staged-turns", "yes", Live),
	boolean("optimistic-reads", "yes", Live),
	enum("pipeline-order", "strict", "strict relaxed", Live),
	boolean("daemonize", "no", Live, with(Immutable)),
	enum("supervised", "no", "upstart systemd auto no", Live, with(Immutable)),
	text("pidfile", "", Live, with(Immutable)),
	enum("loglevel", "notice", "debug verbose notice warning | nothing", Live),
	text("logfile", "", Live, with(Immutable)),
	enum("log-format", "legacy", "legacy logfmt", Kept),
	enum("log-timestamp-format", "legacy", "legacy iso8601 milliseconds", Kept),
	boolean("syslog-enabled", "no", Kept, with(Immutable)),
	text("syslog-ident", "sherd", Kept, with(Immutable)),
	enum("syslog-facility", "local0", "user local0 local1 local2 local3 local4 local5 local6 local7", Kept, with(Immutable)),
	boolean("always-show-logo", "no", Live, with(Immutable)),
	boolean("set-proc-title", "yes", Kept, with(Immutable)),
	text("proc-title-template", "{title} {listen-addr} {server-mode}", Kept, check(checkTitle)),
	text("locale-collate", "", Kept),
	special("dir", "", Live, parseDir, with(Protected|NotLoading)),
	special("hz", "10", Live, parseHz),
	boolean("dynamic-hz", "yes", Kept),
	boolean("disable-thp", "yes", Live, with(Immutable)),
	enum("oom-score-adj", "no", "no yes relative absolute | relative=yes", Kept),
	special("oom-score-adj-values", "0 200 800", Kept, parseOOM, with(Multi)),
	integer("shutdown-timeout", "10", 0, maxInt32, Live),
	flags("shutdown-on-sigint", lapses, Refused, check(checkShutdown), promises("saving on shutdown", saves)),
	flags("shutdown-on-sigterm", lapses, Refused, check(checkShutdown), promises("saving on shutdown", saves)),
	enum("enable-protected-configs", "no", "no yes local", Live, with(Immutable)),
	enum("enable-debug-command", "no", "no yes local", Live, with(Immutable)),
	enum("enable-module-command", "no", "no yes local", Kept, with(Immutable)),
	boolean("enable-debug-assert", "no", Kept, with(Immutable|Hidden)),
	text("debug-context", "", Kept, with(Hidden)),
	repeated("rename-command", 2, Live, with(Immutable)),
	repeated("include", 1, Live, with(Immutable|StartOnly)),
	repeated("flagfile", 1, Live, with(Immutable|StartOnly)),
	boolean("crash-log-enabled", "yes", Kept),
	boolean("crash-memcheck-enabled", "yes", Kept),
	boolean("use-exit-on-panic", "no", Kept, with(Hidden)),
	integer("watchdog-period", "0", 0, maxInt32, Kept, with(Hidden)),
	text("ignore-warnings", "", Kept),
	boolean("hide-user-data-from-log", "yes", Live),
	integer("io-threads", "1", 1, 256, Kept, with(Immutable)),
	boolean("io-threads-do-reads", "no", Kept, with(Immutable)),
	boolean("io-threads-always-active", "no", Kept, with(Hidden)),
	integer("events-per-io-thread", "2", 0, maxInt32, Kept, with(Hidden)),
	integer("min-io-threads-avoid-copy-reply", "7", 0, maxInt32, Kept, with(Hidden)),
	integer("min-string-size-avoid-copy-reply", "16384", 0, maxInt32, Kept, with(Hidden)),
	integer("min-string-size-avoid-copy-reply-threaded", "65536", 0, maxInt32, Kept, with(Hidden)),
	text("req-res-logfile", "", Kept, with(Immutable|Hidden)),
	integer("lookahead", "16", 1, maxInt32, Kept),
	integer("prefetch-batch-max-size", "16", 0, 128, Kept),
	text("server_cpulist", "", Kept, with(Immutable|Underscores)),
	text("bio_cpulist", "", Kept, with(Immutable|Underscores)),
	text("aof_rewrite_cpulist", "", Kept, with(Immutable|Underscores)),
	text("bgsave_cpulist", "", Kept, with(Immutable|Underscores)),
	text("availability-zone", "", Kept),
	boolean("extended-redis-compatibility", "no", Kept),
	integer("busy-reply-threshold", "5000", 0, maxInt64, Kept, alias("lua-time-limit")),
	boolean("lua-enable-insecure-api", "no", Kept, with(Hidden)),
	boolean("lua-enable-deprecated-api", "no", Kept, with(Hidden)),
}

var memoryTable = []Directive{
	memory("maxmemory", "0", 0, maxInt64, Live),
	enum("maxmemory-policy", "noeviction", "volatile-lru volatile-lfu volatile-random volatile-ttl allkeys-lru allkeys-lfu allkeys-random noeviction | volatile-lrm allkeys-lrm", Refused, promises("eviction", not("noeviction"))),
	integer("maxmemory-samples", "5", 1, maxInt32, Kept),
	integer("maxmemory-eviction-tenacity", "10", 0, 100, Kept),
	integer("lfu-log-factor", "10", 0, maxInt32, Live),
	integer("lfu-decay-time", "1", 0, maxInt32, Live),
	boolean("activedefrag", "no", Live),
	memory("active-defrag-ignore-bytes", "104857600", 1, maxInt64, Live),
	integer("active-defrag-threshold-lower", "10", 0, 1000, Live),
	integer("active-defrag-threshold-upper", "100", 0, 1000, Live),
	integer("active-defrag-cycle-min", "1", 1, 99, Live),
	integer("active-defrag-cycle-max", "25", 1, 99, Live),
	integer("active-defrag-cycle-us", "500", 0, 100000, Kept),
	integer("active-defrag-max-scan-fields", "1000", 1, maxInt64, Kept),
	boolean("key-memory-histograms", "no", Kept),
	boolean("jemalloc-bg-thread", "yes", Kept),
	boolean("lazyfree-lazy-eviction", "no", Live),
	boolean("lazyfree-lazy-expire", "no", Live),
	boolean("lazyfree-lazy-server-del", "no", Live),
	boolean("lazyfree-lazy-user-del", "no", Live),
	boolean("lazyfree-lazy-user-flush", "no", Live),
}

var keyspaceTable = []Directive{
	integer("databases", "16", 1, maxInt32, Live, with(Immutable), also("dbnum")),
	integer("active-expire-effort", "1", 1, 10, Live),
	boolean("activerehashing", "yes", Kept),
	special("notify-keyspace-events", "", Kept, parseEvents),
	integer("hash-max-listpack-entries", "512", 0, maxInt64, Live, alias("hash-max-ziplist-entries")),
	memory("hash-max-listpack-value", "64", 0, maxInt64, Live, alias("hash-max-ziplist-value")),
	integer("list-max-listpack-size", "-2", -maxInt32-1, maxInt32, Live, alias("list-max-ziplist-size")),
	integer("list-compress-depth", "0", 0, maxInt32, Kept),
	integer("set-max-intset-entries", "512", 0, maxInt64, Live),
	integer("set-max-listpack-entries", "128", 0, maxInt64, Live),
	memory("set-max-listpack-value", "64", 0, maxInt64, Live),
	integer("zset-max-listpack-entries", "128", 0, maxInt64, Live, alias("zset-max-ziplist-entries")),
	memory("zset-max-listpack-value", "64", 0, maxInt64, Live, alias("zset-max-ziplist-value")),
	memory("hll-sparse-max-bytes", "3000", 0, maxInt64, Live),
	memory("stream-node-max-bytes", "4096", 0, maxInt64, Live),
	integer("stream-node-max-entries", "100", 0, maxInt64, Live),
	integer("stream-idmp-duration", "100", 1, 86400, Live),
	integer("stream-idmp-maxsize", "100", 1, 10000, Live),
	memory("array-slice-size", "4096", 1, maxInt64, Kept),
	integer("array-sparse-kmin", "5", 0, maxInt32, Kept),
	integer("array-sparse-kmax", "10", 0, maxInt32, Kept),
	enum("sanitize-dump-payload", "no", "no yes clients", Kept),
	integer("hash-seed", "0", 0, maxInt64, Kept, with(Immutable|Hidden)),
}

var observeTable = []Directive{
	integer("slowlog-log-slower-than", "10000", -1, maxInt64, Live, also("commandlog-execution-slower-than")),
	integer("slowlog-max-len", "128", 0, maxInt64, Live, also("commandlog-slow-execution-max-len")),
	integer("commandlog-request-larger-than", "1048576", -1, maxInt64, Kept),
	integer("commandlog-large-request-max-len", "128", 0, maxInt64, Kept),
	integer("commandlog-reply-larger-than", "1048576", -1, maxInt64, Kept),
	integer("commandlog-large-reply-max-len", "128", 0, maxInt64, Kept),
	integer("slowlog-entry-max-argc", "32", 2, maxInt32, Kept),
	integer("slowlog-entry-max-string-len", "128", 1, maxInt64, Kept),
	integer("latency-monitor-threshold", "0", 0, maxInt64, Live),
	boolean("latency-tracking", "yes", Live),
	special("latency-tracking-info-percentiles", "50 99 99.9", Live, parsePercentiles, with(Multi)),
}

func withBounds(d Directive, low, high int64) Directive {
	d.Min, d.Max = low, high
	return d
}

func flags(name, values string, s State, opts ...option) Directive {
	d := enum(name, "", values, s, append(opts, with(Multi))...)
	d.Kind, d.Default = Flags, d.Values[0]
	return d
}

// repeated makes a directive whose lines add up; each takes at least least
// words.
func repeated(name string, least int64, s State, opts ...option) Directive {
	d := entry(name, Words, "", s, append(opts, with(Multi|Repeated|Hidden)))
	d.Min = least
	return d
}
