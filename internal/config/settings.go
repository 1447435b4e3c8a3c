package config

import (
	"io/fs"
	"strconv"
	"strings"
	"time"
)

// Settings is the typed view of every directive the server acts on, at one
// moment. It is immutable: nobody may write to it or to what it refers to.
// Units are in the names; sizes are bytes.
type Settings struct {
	// Network.
	Bind               []Address
	Port               int // 0: no TCP listener
	UnixSocket         string
	UnixSocketPerm     fs.FileMode // 0: leave what the umask gives
	ProtectedMode      bool
	TCPBacklog         int
	TimeoutSeconds     int // 0: idle clients stay
	KeepaliveSeconds   int // 0: off
	MaxClients         int
	RequirePass        string
	ProtoMaxBulkBytes  int64
	QueryBufferBytes   int64
	OutputLimits       [NumClasses]OutputLimit
	FieldsetsBytes     int64 // of HIMPORT, per connection
	MaxMemoryClients   Budget
	LocaleCollate      string
	DefaultProtocol    int // protocol of a new connection: 2 or 3
	PipelineOrder      string
	EnableDebug        Access
	EnableProtected    Access
	EnableModule       Access
	RenamedCommands    []Rename
	HideUserData       bool
	ShutdownTimeoutSec int
	OnSigint           ShutdownFlags
	OnSigterm          ShutdownFlags

	// Process.
	Threads     int    // 0: as many as the process may use
	IOEngine    string // auto, uring, epoll, portable
	Pin         string // auto, on, off
	StagedTurns bool
	Optimistic  bool // reads that take no latch
	Daemonize   bool
	Supervised  string // no, upstart, systemd, auto
	PidFile     string
	LogLevel    string // debug, verbose, notice, warning, nothing
	LogFile     string // empty: stderr
	ShowLogo    bool
	DisableTHP  bool
	SetTitle    bool
	Dir         string // absolute
	Hz          int
	BusyReplyMs int64

	// Keyspace.
	Databases          int
	MaxMemoryBytes     int64 // 0: no limit
	MaxMemoryPolicy    string
	MaxMemorySamples   int
	ActiveExpireEffort int
	LazyEviction       bool
	LazyExpire         bool
	LazyServerDel      bool
	LazyUserDel        bool
	LazyUserFlush      bool
	LFULogFactor       int
	LFUDecayMinutes    int
	ActiveDefrag       bool
	DefragIgnoreBytes  int64
	DefragLowerPercent int
	DefragUpperPercent int
	DefragCycleMin     int
	DefragCycleMax     int

	// Sizes up to which containers are kept in one packed block.
	HashMaxPackedEntries int64
	HashMaxPackedBytes   int64 // of a field or value
	ListMaxPackedSize    int   // of a node: entries, or with -1 to -5 4 to 64 KiB
	SetMaxIntsetEntries  int64
	SetMaxPackedEntries  int64
	SetMaxPackedBytes    int64 // of a member
	ZSetMaxPackedEntries int64
	ZSetMaxPackedBytes   int64 // of a member
	StreamNodeBytes      int64 // 0: no limit
	StreamNodeEntries    int64 // 0: no limit
	StreamIdemSeconds    int64 // that a producer's label is remembered, in new streams
	StreamIdemMost       int64 // of a producer's labels
	HLLSparseBytes       int64

	// Serialised values.
	CompressStrings bool // of DUMP

	// Observation.
	SlowlogSlowerThanUs       int64 // negative: off; 0: every command
	SlowlogMaxLen             int
	LatencyMonitorThresholdMs int64 // 0: off
	LatencyTracking           bool
	LatencyPercentiles        []float64

	state *state // the texts this view was made from
}

// Address is one word of the bind directive.
type Address struct {
	Host     string // "*" any IPv4, "::*" any IPv6, else a name or address
	Optional bool   // a failure to listen here is no error ("-" prefix)
}

// Client classes of client-output-buffer-limit.
const (
	ClassNormal = iota
	ClassReplica
	ClassPubsub
	NumClasses
)

// OutputLimit bounds what a client of a class may leave unread. Zero is no
// limit.
type OutputLimit struct {
	HardBytes   int64
	SoftBytes   int64
	SoftSeconds int
}

// Budget is an amount of memory: bytes, or a percentage of maxmemory.
type Budget struct {
	Bytes   int64
	Percent int
}

// Of gives the budget in bytes under a memory limit; 0 is no limit.
func (b Budget) Of(maxMemoryBytes int64) int64 {
	if b.Percent > 0 {
		return maxMemoryBytes / 100 * int64(b.Percent)
	}
	return b.Bytes
}

// Access says who may use a guarded command.
type Access uint8

// The values of enable-debug-command and its like.
const (
	AccessNo Access = iota
	AccessYes
	AccessLocal
)

// Allows tells whether a client may, given whether it is local (loopback or
// unix socket).
func (a Access) Allows(local bool) bool {
	return a == AccessYes || a == AccessLocal && local
}

// Rename is one rename-command line. An empty To removes the command.
type Rename struct{ From, To string }

// ShutdownFlags says how a signal ends the server.
type ShutdownFlags struct{ Save, NoSave, Now, Force bool }

// ShutdownTimeout is how long a stop may wait.
func (s *Settings) ShutdownTimeout() time.Duration {
	return time.Duration(s.ShutdownTimeoutSec) * time.Second
}

// Text gives the canonical text of a directive by any of its names.
func (s *Settings) Text(name string) (string, bool) {
	d := lookup(name)
	if d == nil {
		return "", false
	}
	return s.state.text[d.index], true
}

// build makes the typed view. Every text has been parsed before, so that
// nothing here can fail.
func build(st *state) *Settings {
	text := func(name string) string { return st.text[mustLookup(name).index] }
	number := func(name string) int64 {
		n, _ := strconv.ParseInt(text(name), 10, 64)
		return n
	}
	yes := func(name string) bool { return text(name) == "yes" }
	access := func(name string) Access {
		switch text(name) {
		case "yes":
			return AccessYes
		case "local":
			return AccessLocal
		}
		return AccessNo
	}
	perm, _ := strconv.ParseUint(text("unixsocketperm"), 8, 32)
	return &Settings{
		Bind:               bindOf(text("bind")),
		Port:               int(number("port")),
		UnixSocket:         text("unixsocket"),
		UnixSocketPerm:     fs.FileMode(perm),
		ProtectedMode:      yes("protected-mode"),
		TCPBacklog:         int(number("tcp-backlog")),
		TimeoutSeconds:     int(number("timeout")),
		KeepaliveSeconds:   int(number("tcp-keepalive")),
		MaxClients:         int(number("maxclients")),
		RequirePass:        text("requirepass"),
		ProtoMaxBulkBytes:  number("proto-max-bulk-len"),
		QueryBufferBytes:   number("client-query-buffer-limit"),
		OutputLimits:       outputLimitsOf(text("client-output-buffer-limit")),
		FieldsetsBytes:     number("client-fieldsets-limit"),
		MaxMemoryClients:   budgetOf(text("maxmemory-clients")),
		LocaleCollate:      text("locale-collate"),
		DefaultProtocol:    int(number("client-default-resp")),
		PipelineOrder:      text("pipeline-order"),
		EnableDebug:        access("enable-debug-command"),
		EnableProtected:    access("enable-protected-configs"),
		EnableModule:       access("enable-module-command"),
		RenamedCommands:    renamesOf(st.lines[mustLookup("rename-command").index]),
		HideUserData:       yes("hide-user-data-from-log"),
		ShutdownTimeoutSec: int(number("shutdown-timeout")),
		OnSigint:           shutdownOf(text("shutdown-on-sigint")),
		OnSigterm:          shutdownOf(text("shutdown-on-sigterm")),

		Threads:     int(number("threads")),
		IOEngine:    engineOf(text("io-engine"), yes("force_epoll")),
		Pin:         text("pin"),
		StagedTurns: yes("staged-turns"),
		Optimistic:  yes("optimistic-reads"),
		Daemonize:   yes("daemonize"),
		Supervised:  text("supervised"),
		PidFile:     text("pidfile"),
		LogLevel:    text("loglevel"),
		LogFile:     text("logfile"),
		ShowLogo:    yes("always-show-logo"),
		DisableTHP:  yes("disable-thp"),
		SetTitle:    yes("set-proc-title"),
		Dir:         text("dir"),
		Hz:          int(number("hz")),
		BusyReplyMs: number("busy-reply-threshold"),

		Databases:          int(number("databases")),
		MaxMemoryBytes:     number("maxmemory"),
		MaxMemoryPolicy:    text("maxmemory-policy"),
		MaxMemorySamples:   int(number("maxmemory-samples")),
		ActiveExpireEffort: int(number("active-expire-effort")),
		LazyEviction:       yes("lazyfree-lazy-eviction"),
		LazyExpire:         yes("lazyfree-lazy-expire"),
		LazyServerDel:      yes("lazyfree-lazy-server-del"),
		LazyUserDel:        yes("lazyfree-lazy-user-del"),
		LazyUserFlush:      yes("lazyfree-lazy-user-flush"),
		LFULogFactor:       int(number("lfu-log-factor")),
		LFUDecayMinutes:    int(number("lfu-decay-time")),
		ActiveDefrag:       yes("activedefrag"),
		DefragIgnoreBytes:  number("active-defrag-ignore-bytes"),
		DefragLowerPercent: int(number("active-defrag-threshold-lower")),
		DefragUpperPercent: int(number("active-defrag-threshold-upper")),
		DefragCycleMin:     int(number("active-defrag-cycle-min")),
		DefragCycleMax:     int(number("active-defrag-cycle-max")),

		HashMaxPackedEntries: number("hash-max-listpack-entries"),
		HashMaxPackedBytes:   number("hash-max-listpack-value"),
		ListMaxPackedSize:    int(number("list-max-listpack-size")),
		SetMaxIntsetEntries:  number("set-max-intset-entries"),
		SetMaxPackedEntries:  number("set-max-listpack-entries"),
		SetMaxPackedBytes:    number("set-max-listpack-value"),
		ZSetMaxPackedEntries: number("zset-max-listpack-entries"),
		ZSetMaxPackedBytes:   number("zset-max-listpack-value"),
		StreamNodeBytes:      number("stream-node-max-bytes"),
		StreamNodeEntries:    number("stream-node-max-entries"),
		StreamIdemSeconds:    number("stream-idmp-duration"),
		StreamIdemMost:       number("stream-idmp-maxsize"),
		HLLSparseBytes:       number("hll-sparse-max-bytes"),

		CompressStrings: yes("rdbcompression"),

		SlowlogSlowerThanUs:       number("slowlog-log-slower-than"),
		SlowlogMaxLen:             int(number("slowlog-max-len")),
		LatencyMonitorThresholdMs: number("latency-monitor-threshold"),
		LatencyTracking:           yes("latency-tracking"),
		LatencyPercentiles:        percentilesOf(text("latency-tracking-info-percentiles")),

		state: st,
	}
}

// engineOf lets force_epoll choose where io-engine leaves the choice.
func engineOf(engine string, epoll bool) string {
	if epoll && engine == "auto" {
		return "epoll"
	}
	return engine
}

// bindOf reads the text of bind.
func bindOf(text string) []Address {
	words := strings.Fields(text)
	out := make([]Address, len(words))
	for i, w := range words {
		out[i].Host, out[i].Optional = strings.CutPrefix(w, "-")
	}
	return out
}

// outputLimitsOf reads the text of client-output-buffer-limit, which always
// names all classes.
func outputLimitsOf(text string) (out [NumClasses]OutputLimit) {
	words := strings.Fields(text)
	for i := 0; i+3 < len(words); i += 4 {
		class := classOf(words[i])
		if class < 0 {
			continue
		}
		out[class].HardBytes, _ = strconv.ParseInt(words[i+1], 10, 64)
		out[class].SoftBytes, _ = strconv.ParseInt(words[i+2], 10, 64)
		out[class].SoftSeconds, _ = strconv.Atoi(words[i+3])
	}
	return out
}

// budgetOf reads bytes or "N%".
func budgetOf(text string) (b Budget) {
	if n, percent := strings.CutSuffix(text, "%"); percent {
		b.Percent, _ = strconv.Atoi(n)
		return b
	}
	b.Bytes, _ = strconv.ParseInt(text, 10, 64)
	return b
}

// renamesOf reads the rename-command lines.
func renamesOf(lines [][]string) []Rename {
	out := make([]Rename, 0, len(lines))
	for _, l := range lines {
		out = append(out, Rename{From: strings.ToLower(l[0]), To: strings.ToLower(l[1])})
	}
	return out
}

// shutdownOf reads the text of shutdown-on-sigint or -sigterm.
func shutdownOf(text string) (f ShutdownFlags) {
	for _, w := range strings.Fields(text) {
		switch w {
		case "save":
			f.Save = true
		case "nosave":
			f.NoSave = true
		case "now":
			f.Now = true
		case "force":
			f.Force = true
		}
	}
	return f
}

// percentilesOf reads the text of latency-tracking-info-percentiles.
func percentilesOf(text string) []float64 {
	words := strings.Fields(text)
	out := make([]float64, 0, len(words))
	for _, w := range words {
		if p, err := strconv.ParseFloat(w, 64); err == nil {
			out = append(out, p)
		}
	}
	return out
}
