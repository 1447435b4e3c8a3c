package main

import (
	"context"
	"fmt"
	"net"
	"runtime"
	"strconv"

	"sherd/internal/load/floor"
	"sherd/internal/load/proc"
)

// runFloor is `sherd-bench floor`.
func runFloor(ctx context.Context, args []string) error {
	fs := newFlags("floor", "Serve constant answers on sherd's reactor and parser, until interrupted.")
	host := fs.String("bind", "127.0.0.1", "address to listen on")
	port := fs.IntP("port", "p", 6379, "port to listen on; 0 takes a free one")
	threads := fs.Int("threads", 1, "loops")
	cpus := fs.String("cpus", "", "CPUs to pin the loops to")
	engine := fs.String("io-engine", "auto", "auto, uring, epoll or portable")
	value := fs.Int("value-size", 32, "bytes of the answer to GET")
	stall := fs.Duration("stall", 0, "stand still for this long at the beginning of each --period")
	period := fs.Duration("period", 0, "see --stall")
	if err := parse(fs, args); err != nil {
		return err
	}
	if *stall < 0 || *stall > 0 && *period <= *stall {
		return fmt.Errorf("a stall of %v needs a longer period", *stall)
	}
	o := floor.Options{
		Address: net.JoinHostPort(*host, strconv.Itoa(*port)), Threads: *threads, Engine: *engine,
		ValueBytes: *value, Stall: *stall, Period: *period,
	}
	var err error
	if o.CPUs, err = proc.ParseCPUs(*cpus); err != nil {
		return err
	}
	// The same spare room as a real server has.
	runtime.GOMAXPROCS(*threads + 1)
	server, err := floor.Start(o)
	if err != nil {
		return err
	}
	defer server.Close()
	fmt.Printf("floor on %s, %d thread(s), %s\n", server.Addr(), *threads, server.Engine())
	<-ctx.Done()
	return nil
}
