package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"

	"sherd/internal/load/figures"
	"sherd/internal/load/peer"
	"sherd/internal/load/proc"
)

// runFigures is `sherd-bench figures`.
func runFigures(ctx context.Context, args []string) error {
	fs := newFlags("figures", "Measure the figures that sherd has to reach, each with its bar. There are:\n"+strings.Join(figures.Names(), " "))
	var out outputFlags
	var peers peerFlags
	only := fs.StringSlice("only", nil, "names of figures or groups of them (default: all)")
	short := fs.Bool("short", false, "smaller and rougher")
	fs.StringArrayVar(&peers.peers, "peer", nil, "how sherd, redis-server or floor is started: NAME=COMMAND, with {port}, {threads}, {dir}")
	fs.StringVar(&peers.serverCPUs, "server-cpus", "", "CPUs of the servers (default: the first one, of four or more the first two)")
	fs.StringVar(&peers.benchCPUs, "bench-cpus", "", "CPUs of the load generator (default: the rest)")
	engine := fs.String("io-engine", "auto", "of the load generator: auto, uring, epoll or portable")
	inProcess := fs.String("inprocess", inProcessBenchmark(), "command that runs the in-process benchmark and prints lines of threads=1 and threads=2")
	strict := fs.Bool("strict", false, "fail when a bar is missed")
	out.register(fs, false)
	if err := parse(fs, args); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "sherd-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	line := newStatusLine(out.quiet)
	o := figures.Options{
		Only: *only, Short: *short, Engine: *engine, InProcess: *inProcess, Seed: 1,
		AllCPUs: proc.CPUs(), Missing: map[string]string{},
		Status: line.show,
		Progress: func(row figures.Row) {
			line.clear()
			if row.Verdict == figures.Skipped {
				fmt.Fprintf(os.Stderr, "%s: skipped: %s\n", row.Name, row.Detail)
				return
			}
			fmt.Fprintf(os.Stderr, "%s: %.3f, bar %g: %s\n", row.Name, row.Measured, row.Bar, row.Verdict)
		},
	}
	for name, to := range map[string]*peer.Spec{"sherd": &o.Sherd, "redis-server": &o.Redis, "floor": &o.Floor} {
		spec, err := peers.one(name, dir)
		if err != nil {
			o.Missing[name] = err.Error()
		}
		*to = spec
	}
	serverThreads := 1
	if runtime.NumCPU() >= 4 {
		serverThreads = 2 // for the figures with two loops
	}
	if o.ServerCPUs, o.GeneratorCPUs, err = peers.cpus(serverThreads); err != nil {
		return err
	}
	o.GeneratorCPUs = o.GeneratorCPUs[:min(1, len(o.GeneratorCPUs))] // it has one thread
	runtime.GOMAXPROCS(3)
	restore, err := confineWhileComparing(o.GeneratorCPUs)
	if err != nil {
		return err
	}
	defer restore()
	report, err := figures.Run(ctx, o)
	line.clear()
	if report != nil {
		report.Print(os.Stdout)
		if jsonErr := writeJSON(out.json, report); err == nil {
			err = jsonErr
		}
	}
	if err != nil {
		return err
	}
	if *strict && report.Missed() > 0 {
		return errNotMet
	}
	return nil
}

// inProcessBenchmark is the command that runs it in a checkout of the source.
func inProcessBenchmark() string {
	if _, err := os.Stat("internal/server/inprocess_test.go"); err != nil {
		return ""
	}
	return "go test -run ^$ -bench ^BenchmarkInProcess$ -count 5 ./internal/server"
}

// one finds the server of that name: as told, or where it is known to be.
func (f *peerFlags) one(name, dir string) (peer.Spec, error) {
	for _, text := range f.peers {
		s, err := peer.ParsePeer(text)
		if err != nil || s.Name == name {
			return s, err
		}
	}
	return peer.Find(name, dir)
}
