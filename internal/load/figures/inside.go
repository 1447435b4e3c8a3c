package figures

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os/exec"
	"regexp"
	"strconv"
	"time"

	"sherd/internal/load/compare"
	"sherd/internal/load/gen"
	"sherd/internal/load/peer"
	"sherd/internal/load/proc"
	"sherd/internal/load/request"
)

// mallocsField is the field of INFO with the Go runtime's count of allocations.
const mallocsField = "go_mallocs"

// allocs measures how many Go allocations the server makes per command, over
// real connections, by its own count of them at both ends of the window. What a
// question costs itself is asked first and taken off; less than one allocation
// per thousand operations is taken for none.
func (r *runner) allocs(ctx context.Context, g *group) error {
	p := r.plan(0)
	p.Prefill = standard(r.keys())
	p.Entrants = []compare.Entrant{{Label: "sherd", Spec: r.o.Sherd, Threads: 1}}
	running, err := p.Start(ctx)
	if err != nil {
		return err
	}
	defer running.Stop()
	r.add(running.Report)
	asking, err := running.Process(0).Dial()
	if err != nil {
		return err
	}
	defer asking.Close()
	if _, err := mallocs(asking); err != nil {
		return err
	}
	for _, figure := range [][2]string{
		{"allocs-get", "GET __key__"}, {"allocs-set", "SET __key__ __data__"}, {"allocs-incr", "INCR counter:__key__"},
	} {
		name, command := figure[0], figure[1]
		load := standard(r.keys())
		load.Commands, load.Ratio = []string{command}, nil
		mix, options, err := load.Compile(request.Redis)
		if err != nil {
			return err
		}
		var counts [2]int64
		var askErr error
		question, err := costOfAsking(asking)
		if err != nil {
			return err
		}
		r.o.Status(name)
		res, err := gen.Run(ctx, gen.Config{
			Address: running.Process(0).Address, Mix: mix, Request: options,
			Conns: standardConns, Threads: 1, Pipeline: 16, CPUs: r.o.GeneratorCPUs, Engine: r.o.Engine, Seed: r.o.Seed,
			Warmup: r.pick(3*time.Second, time.Second), Duration: r.pick(4*time.Second, time.Second),
			Window: func(begins bool) {
				n, err := mallocs(asking)
				if err != nil {
					askErr = err
				}
				if begins {
					counts[0] = n
				} else {
					counts[1] = n
				}
			},
		})
		if err := errors.Join(err, askErr); err != nil {
			return err
		}
		if err := sound(res); err != nil {
			return err
		}
		n := max(counts[1]-counts[0]-question, 0)
		perOp := float64(n) / float64(max(res.Ops, 1))
		g.set(name, math.Floor(perOp*1000)/1000, "%d allocations in %d operations", n, res.Ops)
	}
	return nil
}

// costOfAsking is how many allocations lie between two questions in a row.
func costOfAsking(c *peer.Client) (int64, error) {
	const times = 20
	first, err := mallocs(c)
	if err != nil {
		return 0, err
	}
	last := first
	for range times {
		if last, err = mallocs(c); err != nil {
			return 0, err
		}
	}
	return (last - first) / times, nil
}

func mallocs(c *peer.Client) (int64, error) {
	info, err := c.Info()
	if err != nil {
		return 0, err
	}
	text, ok := info[mallocsField]
	if !ok {
		return 0, fmt.Errorf("INFO has no field %s", mallocsField)
	}
	return strconv.ParseInt(text, 10, 64)
}

// inProcess runs the benchmark of the server's insides and compares its lines
// for one and two threads.
func (r *runner) inProcess(ctx context.Context, g *group) error {
	if r.o.InProcess == "" {
		return errors.New("no command for it: use --inprocess")
	}
	args, err := request.Split(r.o.InProcess)
	if err != nil || len(args) == 0 {
		return fmt.Errorf("command %q: %w", r.o.InProcess, err)
	}
	r.o.Status("in-process benchmark")
	machine, err := yardstick(r.o.AllCPUs, r.pick(2*time.Second, time.Second))
	if err != nil {
		return err
	}
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Stdout, cmd.Stderr = &out, &out
	// It has two threads and no generator beside it: all CPUs are its own.
	if err := proc.OnCPUs(r.o.AllCPUs, cmd.Start); err != nil {
		return err
	}
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("%s: %w\n%s", r.o.InProcess, err, out.Bytes())
	}
	one, two, err := parseThreads(out.Bytes())
	if err != nil {
		return fmt.Errorf("%s: %w", r.o.InProcess, err)
	}
	g.set("inprocess", two/one, "one thread %.2f, two threads %.2f M operations per second; two threads with nothing in common do %.2f times the work of one here", one/1e6, two/1e6, machine)
	return nil
}

var (
	benchmarkLine = regexp.MustCompile(`^Benchmark\S*threads=([12])\b.*`)
	rateReading   = regexp.MustCompile(`\s([0-9.e+]+) ops/s`)
	timeReading   = regexp.MustCompile(`\s([0-9.]+) ns/op`)
)

// parseThreads finds the rates of one and two threads in the output of `go
// test -bench`: medians, in operations per second. A benchmark may report
// ops/s itself; else ns/op is taken to be of all threads together.
func parseThreads(out []byte) (one, two float64, err error) {
	var rates [3][]float64
	lines := bufio.NewScanner(bytes.NewReader(out))
	for lines.Scan() {
		m := benchmarkLine.FindStringSubmatch(lines.Text())
		if m == nil {
			continue
		}
		v := 0.0
		if rate := rateReading.FindStringSubmatch(m[0]); rate != nil {
			v, _ = strconv.ParseFloat(rate[1], 64)
		} else if ns := timeReading.FindStringSubmatch(m[0]); ns != nil {
			v, _ = strconv.ParseFloat(ns[1], 64)
			v = 1e9 / v
		}
		if v > 0 && !math.IsInf(v, 0) {
			n := m[1][0] - '0'
			rates[n] = append(rates[n], v)
		}
	}
	one, two = compare.Median(rates[1]), compare.Median(rates[2])
	if one == 0 || two == 0 {
		return 0, 0, errors.New("no benchmark lines for threads=1 and threads=2")
	}
	return one, two, nil
}
