package main

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"github.com/crdproof/crdproof/testdata/parity/harness"
)

// A way is a tool in a state that it is measured in.
type way int

const (
	controllerGen way = iota
	// cold is crdproof without a cache.
	cold
	// warm is crdproof after a change that leaves all CRDs as they were: they are generated, and not validated again.
	warm
	// unchanged is crdproof after a run with the same input.
	unchanged
	ways
)

// A sample is the median of the runs of one way.
type sample struct {
	// seconds of wall time and of processor time, and peak memory in MiB.
	seconds, cpu, mebibytes float64
}

// A row is what all ways take for the same work.
type row [ways]sample

// measure runs all ways in turn, so that a busy moment of the machine hits all of them, and returns the medians. The
// first run of each fills the caches and does not count.
func measure(ctx context.Context, tools harness.Tools, cfg config, job harness.Job) (out row, err error) {
	var reports [ways][]harness.Report
	for round := range cfg.rounds + 1 {
		for w := range ways {
			report, err := harness.Run(ctx, w.job(tools, cfg, job, round))
			if err != nil {
				return out, fmt.Errorf("%w\n%s", err, report.Output)
			}
			if round > 0 {
				reports[w] = append(reports[w], report)
			}
		}
	}
	for w := range ways {
		out[w] = summarize(reports[w])
	}
	return out, nil
}

// job is a job for a way in one of its rounds.
func (w way) job(tools harness.Tools, cfg config, job harness.Job, round int) harness.Job {
	if w == controllerGen {
		job.Tool, job.Out = tools.ControllerGen, filepath.Join(job.Out, "controller-gen")
		return job
	}
	job.Tool, job.Out = tools.Crdproof, filepath.Join(job.Out, "crdproof")
	job.Options = slices.Concat(job.Options, cfg.options)
	if w == cold {
		return job
	}
	job.Env = []string{"CRDPROOF_CACHE=" + filepath.Join(cfg.work, "cache")}
	if w == warm {
		// The go command reads this variable, so that its answer may be another one.
		job.Env = append(job.Env, fmt.Sprintf("GONOSUMDB=round%d.example.com", round))
	}
	return job
}

func summarize(reports []harness.Report) sample {
	of := func(value func(harness.Report) float64) float64 {
		var values []float64
		for _, r := range reports {
			values = append(values, value(r))
		}
		return median(values)
	}
	return sample{
		seconds:   of(func(r harness.Report) float64 { return r.Wall.Seconds() }),
		cpu:       of(func(r harness.Report) float64 { return r.CPU.Seconds() }),
		mebibytes: of(func(r harness.Report) float64 { return float64(r.Peak) / (1 << 20) }),
	}
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}

// wall, cpu and memory are the share of a way in what controller-gen takes: less is better.
func (r *row) wall(w way) float64   { return r[w].seconds / r[controllerGen].seconds }
func (r *row) cpu(w way) float64    { return r[w].cpu / r[controllerGen].cpu }
func (r *row) memory(w way) float64 { return r[w].mebibytes / r[controllerGen].mebibytes }

// geometricMean is the mean of ratios that does not depend on which tool is the denominator.
func geometricMean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += math.Log(v)
	}
	return math.Exp(sum / float64(len(values)))
}
