// Command sherd-bench measures sherd and servers like it from the outside. See
// docs/benchmarks.md for what each figure means and how it is measured.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/spf13/pflag"

	"sherd/internal/load/gen"
)

// command is one of the things sherd-bench does.
type command struct {
	name    string
	summary string
	run     func(ctx context.Context, args []string) error
}

var commands = []command{
	{"run", "load a server and report throughput and latency", runRun},
	{"load", "store keys in order, once each, and report the time", runLoad},
	{"compare", "start servers side by side and compare them under the same load", runCompare},
	{"figures", "measure the figures that sherd has to reach", runFigures},
	{"floor", "serve constant answers on the same reactor", runFloor},
	{"selftest", "plant a stall and check that the open loop reports it", runSelftest},
}

func main() {
	// Little is allocated while load runs; collecting it can wait.
	debug.SetGCPercent(800)
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		cancel(gen.ErrInterrupted)
		<-signals
		os.Exit(130)
	}()
	os.Exit(dispatch(ctx, os.Args[1:]))
}

func dispatch(ctx context.Context, args []string) int {
	if len(args) > 0 {
		for _, c := range commands {
			if c.name != args[0] {
				continue
			}
			err := c.run(ctx, args[1:])
			switch {
			case err == nil:
				return 0
			case errors.Is(err, pflag.ErrHelp):
				return 0
			case errors.Is(err, errNotMet):
				return 1
			}
			fmt.Fprintf(os.Stderr, "sherd-bench %s: %v\n", c.name, err)
			return 1
		}
		if args[0] != "help" && args[0] != "-h" && args[0] != "--help" {
			fmt.Fprintf(os.Stderr, "sherd-bench: unknown command %q\n\n", args[0])
			usage(os.Stderr)
			return 2
		}
	}
	usage(os.Stdout)
	return 0
}

func usage(w *os.File) {
	fmt.Fprint(w, "usage: sherd-bench COMMAND [OPTIONS]\n\n")
	for _, c := range commands {
		fmt.Fprintf(w, "  %-9s %s\n", c.name, c.summary)
	}
	fmt.Fprint(w, "\nsherd-bench COMMAND --help lists a command's options.\n")
}

// errNotMet says that the command ran and what it measured is not good enough;
// what there is to say has been printed.
var errNotMet = errors.New("not met")

// newFlags makes the flag set of a command.
func newFlags(name, about string) *pflag.FlagSet {
	fs := pflag.NewFlagSet(name, pflag.ContinueOnError)
	fs.SortFlags = false
	fs.Usage = func() {
		fmt.Printf("usage: sherd-bench %s [OPTIONS]\n\n%s\n\n%s", name, about, fs.FlagUsages())
	}
	return fs
}

// parse parses args and refuses what is left over.
func parse(fs *pflag.FlagSet, args []string) error {
	if err := fs.Parse(args); err != nil {
		return err
	}
	if fs.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", fs.Arg(0))
	}
	return nil
}
