package reactor

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"
)

// floor answers every request with the same reply: what a server costs before
// it does anything.
type floor struct {
	l     *Loop
	dirty []*floorConn
	spare [][]byte
}

type floorConn struct {
	c       *Conn
	out     []byte // replies not yet handed to Send
	partial []byte // start of a request that is not whole
	dirty   bool
}

var floorReply = []byte("$3\r\nxxx\r\n")

func (f *floor) Opened(c *Conn) { c.Data = &floorConn{c: c} }

func (f *floor) Received(c *Conn, b []byte) {
	fc := c.Data.(*floorConn)
	if len(fc.partial) > 0 {
		b = append(fc.partial, b...)
		fc.partial = fc.partial[:0]
	}
	for len(b) > 0 {
		n := requestLen(b)
		if n == 0 {
			fc.partial = append(fc.partial[:0], b...)
			break
		}
		b = b[n:]
		if fc.out == nil {
			fc.out = f.take()
		}
		fc.out = append(fc.out, floorReply...)
	}
	if !fc.dirty && len(fc.out) > 0 {
		fc.dirty = true
		f.dirty = append(f.dirty, fc)
	}
}

// requestLen is the length of the first request in b, 0 when it is not whole.
func requestLen(b []byte) int {
	n, at := 0, 1
	for ; at < len(b) && b[at] != '\r'; at++ {
		n = n*10 + int(b[at]-'0')
	}
	at += 2
	for ; n > 0; n-- {
		size := 0
		for at++; at < len(b) && b[at] != '\r'; at++ {
			size = size*10 + int(b[at]-'0')
		}
		at += 2 + size + 2
	}
	if at > len(b) {
		return 0
	}
	return at
}

func (f *floor) take() []byte {
	if n := len(f.spare); n > 0 {
		b := f.spare[n-1]
		f.spare = f.spare[:n-1]
		return b
	}
	return make([]byte, 0, 4096)
}

func (f *floor) EOF(c *Conn) { c.Close() }

func (f *floor) Sent(c *Conn, b []byte) {
	f.spare = append(f.spare, b[:0])
	if fc := c.Data.(*floorConn); len(fc.out) > 0 && !fc.dirty {
		fc.dirty = true
		f.dirty = append(f.dirty, fc)
	}
}

func (f *floor) Closed(c *Conn, _ error) { c.Data.(*floorConn).dirty = true }

func (f *floor) Turn() time.Duration {
	for i, fc := range f.dirty {
		f.dirty[i] = nil
		fc.dirty = false
		if fc.c.Closing() || fc.c.Sending() {
			continue
		}
		out := fc.out
		fc.out = nil
		fc.c.SendQuiet(out)
	}
	f.dirty = f.dirty[:0]
	return -1
}

// TestMain serves as the floor instead when the environment says so: the
// benchmark runs its own binary as a server.
func TestMain(m *testing.M) {
	if addr := os.Getenv("REACTOR_FLOOR"); addr != "" {
		serveFloor(addr)
		return
	}
	// Go's own poller opens descriptors once and keeps them: before tests count.
	if nl, err := net.Listen("tcp", "127.0.0.1:0"); err == nil {
		_ = nl.Close()
	}
	os.Exit(m.Run())
}

func serveFloor(addr string) {
	receive, _ := strconv.Atoi(os.Getenv("REACTOR_RECEIVE"))
	g, err := New(Options{
		Threads: 1, Engine: os.Getenv("REACTOR_ENGINE"), ReceiveBytes: receive,
		NewHandler: func(l *Loop) Handler { return &floor{l: l} },
	})
	if err == nil {
		err = g.Start()
	}
	if err == nil {
		_, err = g.Listen("tcp", addr, 511, 0)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	runtime.GOMAXPROCS(3)
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt)
	<-stop
	g.Stop()
}

// BenchmarkFloor measures the CPU time that a server takes per request: the
// floor on every engine, and redis-server where it is installed, in turns. The
// server has CPU 0, redis-benchmark the others.
//
//	go test ./internal/reactor -run - -bench Floor -benchtime 1x
//
// REACTOR_ROUNDS, REACTOR_REQUESTS (per round and second of Redis' time) and
// REACTOR_ENGINES change what is run.
func BenchmarkFloor(b *testing.B) {
	client, err := exec.LookPath("redis-benchmark")
	if err != nil {
		b.Skip("redis-benchmark is not installed")
	}
	if _, err := exec.LookPath("taskset"); err != nil || runtime.NumCPU() < 2 {
		b.Skip("needs taskset and two CPUs")
	}
	engines := strings.Fields(os.Getenv("REACTOR_ENGINES"))
	if len(engines) == 0 {
		engines = []string{"uring", "epoll", "portable", "redis"}
	}
	rounds := envInt("REACTOR_ROUNDS", 3)
	servers := map[string]*floorServer{}
	for _, e := range engines {
		s, err := startFloor(b, e)
		if err != nil {
			b.Logf("%s: %v", e, err)
			continue
		}
		servers[e] = s
	}
	for _, depth := range []int{1, 16, 64} {
		b.Run(fmt.Sprintf("P%d", depth), func(b *testing.B) {
			requests := envInt("REACTOR_REQUESTS", 100000) * min(depth, 20)
			usPerOp, perSecond := map[string][]float64{}, map[string][]float64{}
			for range rounds {
				for _, e := range engines {
					s := servers[e]
					if s == nil {
						continue
					}
					before, start := s.cpu(b), time.Now()
					run := exec.Command("taskset", "-c", "1", client, "-p", s.port, "-t", "get", "-q",
						"-P", strconv.Itoa(depth), "-c", "50", "-n", strconv.Itoa(requests))
					if out, err := run.CombinedOutput(); err != nil {
						b.Fatalf("redis-benchmark: %v\n%s", err, out)
					}
					usPerOp[e] = append(usPerOp[e], float64(s.cpu(b)-before)/1e3/float64(requests))
					perSecond[e] = append(perSecond[e], float64(requests)/time.Since(start).Seconds())
				}
			}
			for _, e := range engines {
				if len(usPerOp[e]) > 0 {
					b.ReportMetric(median(usPerOp[e]), e+"-µs/op")
					b.Logf("%-9s %.3f µs/op (%.3f), %.0f/s", e, median(usPerOp[e]), usPerOp[e], median(perSecond[e]))
				}
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

type floorServer struct {
	pid  int
	port string
}

func startFloor(b *testing.B, engine string) (*floorServer, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	var cmd *exec.Cmd
	if engine == "redis" {
		cmd = exec.Command("taskset", "-c", "0", "redis-server", "--port", port, "--save", "", "--appendonly", "no")
	} else {
		cmd = exec.Command("taskset", "-c", "0", os.Args[0])
		name, receive, _ := strings.Cut(engine, ":")
		cmd.Env = append(os.Environ(), "REACTOR_FLOOR=127.0.0.1:"+port, "REACTOR_ENGINE="+name, "REACTOR_RECEIVE="+receive)
		cmd.Stderr = os.Stderr
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	b.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
	})
	for range 200 {
		nc, err := net.Dial("tcp", "127.0.0.1:"+port)
		if err == nil {
			_ = nc.Close()
			if engine == "redis" {
				_ = exec.Command("redis-benchmark", "-p", port, "-t", "set", "-n", "1000", "-q").Run()
			}
			return &floorServer{cmd.Process.Pid, port}, nil
		}
		time.Sleep(20 * time.Millisecond)
	}
	return nil, fmt.Errorf("%s does not listen", engine)
}

// cpu is the CPU time that the process has taken, in nanoseconds.
func (s *floorServer) cpu(b *testing.B) int64 {
	var sum int64
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", s.pid))
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			continue
		}
		ns, err := strconv.ParseInt(string(bytes.Fields(text)[0]), 10, 64)
		if err != nil {
			b.Fatal(err)
		}
		sum += ns
	}
	return sum
}

func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	return port, err
}

func envInt(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return otherwise
}

func median(v []float64) float64 {
	s := append([]float64(nil), v...)
	sort.Float64s(s)
	if n := len(s); n%2 == 0 {
		return (s[n/2-1] + s[n/2]) / 2
	}
	return s[len(s)/2]
}
