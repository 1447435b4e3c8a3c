// Package sherd is an in-memory data store that speaks Redis, inside a Go
// program or test:
//
//	srv, err := sherd.Start(sherd.Options{})
//	if err != nil { … }
//	defer srv.Close()
//	client := redis.NewClient(&redis.Options{Addr: srv.Addr()})
//
// It is the same server as the sherd binary. Several may run in one process;
// the program's GOMAXPROCS, collector settings, signals and thread affinity are
// left alone. With Options.Time the server's clock stands still until it is
// moved, which makes expiry testable.
package sherd

import (
	"log/slog"
	"net"
	"strconv"
	"time"

	"sherd/internal/clock"
	"sherd/internal/config"
	"sherd/internal/server"
)

// Options configure an embedded server. The zero value is a server on a free
// port of the loopback interface with one loop per CPU.
type Options struct {
	// Addr is host:port to listen on; port 0 takes a free one. Default
	// "127.0.0.1:0". "none" opens no TCP port.
	Addr string
	// Unix is the path of a unix socket to listen on as well.
	Unix string
	// Threads is the number of loops; 0 takes what the process may use.
	Threads int
	// Engine is auto, uring, epoll or portable; empty is auto.
	Engine string
	// Directives are further directives of a configuration file by name, such
	// as "maxmemory": "100mb".
	Directives map[string]string
	// Time, if not zero, is where the server's clock stands until SetTime or
	// Advance moves it.
	Time time.Time
	// Logger receives the log; nil discards it.
	Logger *slog.Logger
}

// Server is a running embedded server.
type Server struct{ s *server.Server }

// Start starts a server.
func Start(o Options) (*Server, error) {
	pairs, err := o.pairs()
	if err != nil {
		return nil, err
	}
	cfg, err := config.New(pairs...)
	if err != nil {
		return nil, err
	}
	so := server.Options{Logger: o.Logger, AnyPort: true}
	if !o.Time.IsZero() {
		so.Clock = clock.NewManual(o.Time)
	}
	s, err := server.Start(cfg, so)
	if err != nil {
		return nil, err
	}
	return &Server{s}, nil
}

// Addr is the address that clients connect to: host:port, or the path of the
// unix socket when there is no TCP port.
func (s *Server) Addr() string { return s.s.Addr() }

// Close stops the server and gives its memory back. It may be called again.
func (s *Server) Close() error { return s.s.Close() }

// Done is closed when a client has asked for the end with SHUTDOWN; the program
// decides whether to call Close.
func (s *Server) Done() <-chan struct{} { return s.s.Asked() }

// SetTime moves the server's clock to t and has it stand there. Time never runs
// backwards: an earlier t is ignored.
func (s *Server) SetTime(t time.Time) {
	s.s.Clock().Set(t)
	s.s.Wake()
}

// Advance moves the server's clock forward by d and has it stand there.
func (s *Server) Advance(d time.Duration) {
	s.s.Clock().Advance(d)
	s.s.Wake()
}

func (o *Options) pairs() ([]config.Pair, error) {
	var p []config.Pair
	add := func(name, value string) { p = append(p, config.Pair{Name: name, Value: value}) }
	addr := o.Addr
	switch addr {
	case "none":
		add("port", "0")
		add("bind", "")
	case "":
		addr = "127.0.0.1:0"
		fallthrough
	default:
		host, port, err := net.SplitHostPort(addr)
		if err != nil {
			return nil, err
		}
		if host == "" {
			host = "*"
		}
		add("bind", host)
		add("port", port)
	}
	if o.Unix != "" {
		add("unixsocket", o.Unix)
	}
	if o.Threads != 0 {
		add("threads", strconv.Itoa(o.Threads))
	}
	if o.Engine != "" {
		add("io-engine", o.Engine)
	}
	for name, value := range o.Directives {
		add(name, value)
	}
	return p, nil
}
