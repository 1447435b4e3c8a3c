package main

import (
	"context"
	"fmt"
	"os"
	"runtime/pprof"

	"sherd/internal/load/gen"
	"sherd/internal/load/plot"
)

// runRun is `sherd-bench run`.
func runRun(ctx context.Context, args []string) error {
	fs := newFlags("run", "Load a server: a closed loop, or with --rate an open loop.")
	var (
		target targetFlags
		work   workloadFlags
		loop   loopFlags
		out    outputFlags
	)
	target.register(fs)
	loop.register(fs)
	work.register(fs)
	out.register(fs, true)
	profile := fs.String("cpuprofile", "", "write a profile of the load generator itself to this file")
	if err := parse(fs, args); err != nil {
		return err
	}
	c := gen.Config{Seed: work.seed}
	if err := target.apply(&c); err != nil {
		return err
	}
	spec, err := work.spec()
	if err != nil {
		return err
	}
	if c.Mix, c.Request, err = spec.Compile(c.Protocol); err != nil {
		return err
	}
	if err := loop.apply(&c); err != nil {
		return err
	}
	if *profile != "" {
		file, err := os.Create(*profile)
		if err != nil {
			return err
		}
		defer file.Close()
		if err := pprof.StartCPUProfile(file); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	result, err := runWithProgress(ctx, c, out.quiet)
	if err != nil {
		return err
	}
	printResult(result)
	if err := writeJSON(out.json, result); err != nil {
		return err
	}
	if out.plot == "" {
		return nil
	}
	chart := plot.Percentiles(fmt.Sprintf("Latency, %s loop, pipeline %d", result.Loop, result.Pipeline))
	chart.Add("latency", result.Latency.Points)
	if result.Undisturbed != nil {
		chart.Add("undisturbed", result.Undisturbed.Points)
	}
	return os.WriteFile(out.plot, chart.SVG(), 0o666)
}

func runWithProgress(ctx context.Context, c gen.Config, quiet bool) (*gen.Result, error) {
	line := newStatusLine(quiet)
	if !quiet {
		c.Progress = func(p gen.Progress) { line.show(progressText(p)) }
	}
	result, err := gen.Run(ctx, c)
	line.clear()
	return result, err
}
