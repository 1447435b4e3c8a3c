package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"sherd/internal/load/gen"
	"sherd/internal/load/keyspace"
	"sherd/internal/load/proc"
	"sherd/internal/load/request"
	"sherd/internal/load/workload"
)

// workloadFlags are the requests of a run.
type workloadFlags struct {
	commands  []string
	ratio     string
	keys      uint64
	keyMin    uint64
	keyFormat string
	keyDist   string
	valueSize string
	expiry    int
	seed      uint64
}

func (f *workloadFlags) register(fs *pflag.FlagSet) {
	fs.StringArrayVar(&f.commands, "command", nil, "a command to send, with __key__, __data__, __int__; may be repeated (default: GET and SET)")
	fs.StringVar(&f.ratio, "ratio", "", "weights of the commands, GET:SET without --command (default 10:1)")
	fs.Uint64Var(&f.keys, "keys", 1_000_000, "how many keys there are")
	fs.Uint64Var(&f.keyMin, "key-min", 0, "the first key's number")
	fs.StringVar(&f.keyFormat, "key-format", "memtier-%d", "a key from its number: memtier-%d, key:%08d")
	fs.StringVar(&f.keyDist, "key-dist", "uniform", "uniform, zipf, zipf:EXPONENT or sequential")
	fs.StringVar(&f.valueSize, "value-size", "32", "bytes of __data__, or a range LOW-HIGH")
	fs.IntVar(&f.expiry, "expiry", 0, "what SET stores expires after so many seconds")
	fs.Uint64Var(&f.seed, "seed", 1, "of the random choices")
}

func (f *workloadFlags) spec() (*workload.Spec, error) {
	s := &workload.Spec{Commands: f.commands, ExpirySec: f.expiry}
	var err error
	ratio := f.ratio
	if ratio == "" && len(f.commands) == 0 {
		ratio = "10:1"
	}
	if ratio != "" {
		if s.Ratio, err = request.ParseRatio(ratio); err != nil {
			return nil, err
		}
	}
	s.Keys = keyspace.Spec{Min: f.keyMin, Count: f.keys, Format: f.keyFormat}
	if s.Keys.Dist, s.Keys.Exponent, err = keyspace.ParseDist(f.keyDist); err != nil {
		return nil, err
	}
	s.DataMin, s.DataMax, err = parseRange(f.valueSize)
	return s, err
}

func parseRange(s string) (low, high int, err error) {
	from, to, isRange := strings.Cut(s, "-")
	if low, err = strconv.Atoi(from); err == nil {
		high = low
		if isRange {
			high, err = strconv.Atoi(to)
		}
	}
	if err != nil || low < 0 || high < low {
		return 0, 0, fmt.Errorf("value size %q: want a number of bytes, or LOW-HIGH", s)
	}
	return low, high, nil
}

// loopFlags are the shape of a run.
type loopFlags struct {
	conns, threads, pipeline int
	rate                     float64
	poisson                  bool
	duration, warmup         time.Duration
	requests                 int64
	cpus                     string
	engine                   string
}

func (f *loopFlags) register(fs *pflag.FlagSet) {
	fs.IntVarP(&f.conns, "connections", "c", 50, "connections in all")
	fs.IntVar(&f.threads, "threads", 1, "threads of the load generator")
	fs.IntVarP(&f.pipeline, "pipeline", "P", 1, "requests sent together on a connection")
	fs.Float64Var(&f.rate, "rate", 0, "open loop: requests per second, on schedule, whatever the server does")
	fs.BoolVar(&f.poisson, "poisson", false, "open loop: random rather than even distances")
	fs.DurationVarP(&f.duration, "time", "t", 10*time.Second, "how long to measure")
	fs.DurationVar(&f.warmup, "warmup", time.Second, "load before that")
	fs.Int64VarP(&f.requests, "requests", "n", 0, "end after so many requests instead")
	fs.StringVar(&f.cpus, "cpus", "", "CPUs of the load generator (open loop: default the last one)")
	fs.StringVar(&f.engine, "io-engine", "auto", "of the load generator: auto, uring, epoll or portable")
}

// apply fills the loop's part of a configuration.
func (f *loopFlags) apply(c *gen.Config) error {
	c.Conns, c.Threads, c.Pipeline = f.conns, f.threads, f.pipeline
	c.Rate, c.Poisson = f.rate, f.poisson
	c.Duration, c.Warmup, c.Requests = f.duration, f.warmup, f.requests
	c.Engine = f.engine
	cpus, err := proc.ParseCPUs(f.cpus)
	if err != nil {
		return err
	}
	if all := proc.CPUs(); len(cpus) == 0 && f.rate > 0 && len(all) > f.threads {
		cpus = all[len(all)-f.threads:]
	}
	return confine(c, cpus)
}

// confine binds the process and the generator's loops to cpus.
func confine(c *gen.Config, cpus []int) error {
	runtime.GOMAXPROCS(c.Threads + 2)
	if len(cpus) == 0 {
		return nil
	}
	c.CPUs = cpus
	if err := proc.Confine(cpus); err != nil && !errors.Is(err, proc.ErrUnsupported) {
		return err
	}
	return nil
}

// targetFlags are the server that is loaded.
type targetFlags struct {
	host     string
	port     int
	unix     string
	protocol string
	user     string
	password string
	db       int
	resp3    bool
}

func (f *targetFlags) register(fs *pflag.FlagSet) {
	fs.StringVarP(&f.host, "host", "h", "127.0.0.1", "the server's host")
	fs.IntVarP(&f.port, "port", "p", 0, "its port (default 6379, memcached 11211)")
	fs.StringVarP(&f.unix, "unix", "s", "", "its unix socket instead")
	fs.StringVar(&f.protocol, "protocol", "redis", "redis or memcached")
	fs.StringVar(&f.user, "user", "", "name to authenticate with")
	fs.StringVarP(&f.password, "password", "a", os.Getenv("SHERD_BENCH_PASSWORD"), "password to authenticate with")
	fs.Lookup("password").DefValue = "" // never print it in the help
	fs.IntVar(&f.db, "db", 0, "database to select")
	fs.BoolVar(&f.resp3, "resp3", false, "speak RESP3")
}

func (f *targetFlags) apply(c *gen.Config) error {
	var err error
	if c.Protocol, err = request.ParseProtocol(f.protocol); err != nil {
		return err
	}
	port := f.port
	if port == 0 {
		port = 6379
		if c.Protocol == request.Memcache {
			port = 11211
		}
	}
	c.Network, c.Address = "tcp", net.JoinHostPort(f.host, strconv.Itoa(port))
	if f.unix != "" {
		c.Network, c.Address = "unix", f.unix
	}
	if f.resp3 {
		c.Setup = append(c.Setup, []string{"HELLO", "3"})
	}
	switch {
	case f.user != "":
		c.Setup = append(c.Setup, []string{"AUTH", f.user, f.password})
	case f.password != "":
		c.Setup = append(c.Setup, []string{"AUTH", f.password})
	}
	if len(c.Setup) == 2 { // HELLO may be refused before AUTH
		c.Setup[0], c.Setup[1] = c.Setup[1], c.Setup[0]
	}
	if f.db != 0 {
		c.Setup = append(c.Setup, []string{"SELECT", strconv.Itoa(f.db)})
	}
	return nil
}

// outputFlags are where results go.
type outputFlags struct {
	json  string
	plot  string
	quiet bool
}

func (f *outputFlags) register(fs *pflag.FlagSet, plots bool) {
	fs.StringVar(&f.json, "json", "", "write the result to this file as JSON (- for standard output)")
	if plots {
		fs.StringVar(&f.plot, "plot", "", "draw the result into this SVG file")
	}
	fs.BoolVarP(&f.quiet, "quiet", "q", false, "no progress line")
}
