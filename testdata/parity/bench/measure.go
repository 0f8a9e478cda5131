package main

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"github.com/crdproof/crdproof/testdata/parity/harness"
)

// A sample is the median of one tool's runs.
type sample struct {
	// seconds of wall time, and peak memory in MiB.
	seconds, mebibytes float64
}

// A pair is what both tools took for the same work.
type pair struct {
	theirs, ours sample
}

// measure runs both tools in turn, so that a busy moment of the machine hits both, and returns the medians. The first
// run of each warms the caches and does not count.
func measure(ctx context.Context, tools harness.Tools, cfg config, job harness.Job) (pair, error) {
	var theirs, ours []harness.Report
	for round := range cfg.rounds + 1 {
		for _, tool := range []string{tools.ControllerGen, tools.Crdproof} {
			j := job
			j.Tool = tool
			j.Out = filepath.Join(job.Out, filepath.Base(tool))
			if tool == tools.Crdproof {
				j.Options = slices.Concat(job.Options, cfg.options)
			}
			report, err := harness.Run(ctx, j)
			switch {
			case err != nil:
				return pair{}, fmt.Errorf("%w\n%s", err, report.Output)
			case round == 0:
			case tool == tools.ControllerGen:
				theirs = append(theirs, report)
			default:
				ours = append(ours, report)
			}
		}
	}
	return pair{theirs: summarize(theirs), ours: summarize(ours)}, nil
}

func summarize(reports []harness.Report) sample {
	var seconds, mebibytes []float64
	for _, r := range reports {
		seconds = append(seconds, r.Wall.Seconds())
		mebibytes = append(mebibytes, float64(r.Peak)/(1<<20))
	}
	return sample{seconds: median(seconds), mebibytes: median(mebibytes)}
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}

// timeRatio and memoryRatio are crdproof's share of what controller-gen takes: less is better.
func (p pair) timeRatio() float64   { return p.ours.seconds / p.theirs.seconds }
func (p pair) memoryRatio() float64 { return p.ours.mebibytes / p.theirs.mebibytes }

// geometricMean is the mean of ratios that does not depend on which tool is the denominator.
func geometricMean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += math.Log(v)
	}
	return math.Exp(sum / float64(len(values)))
}
