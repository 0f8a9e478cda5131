// Command crdproof reads annotated Go API types and writes Kubernetes CRDs. Its command line is that of controller-gen,
// and it runs controller-gen's other generators too. Its commands (commands.go) validate CRDs in files, print what an
// API server answers to objects, run test suites, and print what CEL rules cost.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/cache"
	"github.com/crdproof/crdproof/internal/cli/arguments"
	"github.com/crdproof/crdproof/internal/cli/stale"
	"github.com/crdproof/crdproof/internal/cli/target"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/internal/stage"
	"github.com/crdproof/crdproof/rules/check"
)

func main() {
	klog.SetLogger(logr.Discard()) // the API server's library logs for its operators, not for users
	began := time.Now()
	os.Exit(profiled(func() int {
		return process((*progressLine).pace, func() time.Duration { return time.Since(began) })
	}))
}

// process runs the command on the process's own streams. pace sets the clock of the progress line, and elapsed returns
// how long the process has run.
func process(pace func(*progressLine), elapsed func() time.Duration) int {
	stdout, stderr, line := terminals(os.Stdout, os.Stderr, elapsed)
	pace(line)
	defer line.clear()
	ctx := untilSignal(func() { os.Exit((&reporter{stderr: stderr}).interrupted()) })
	defer stage.Finish(ctx)
	return run(ctx, os.Args[1:], os.Stdin, stdout, stderr)
}

// run runs the whole command and returns the exit code. A panic is a bug in crdproof and is reported as a finding. If
// the output cannot be written, the command fails.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	out, errOut := &watched{Writer: stdout}, &watched{Writer: stderr}
	defer func() {
		if bug := recover(); bug != nil {
			rep := &reporter{format: formatOf(args), stdout: out, stderr: errOut}
			code = rep.write([]diag.Diagnostic{internalError(bug)})
		}
		if err := cmp.Or(out.err, errOut.err); err != nil && (code == exitClean || code == exitFound) {
			code = unwritable(stderr, err)
		}
	}()
	return dispatch(ctx, args, stdin, out, errOut)
}

// dispatch runs one of the commands, or the generators.
func dispatch(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		printOverview(stderr)
		return exitUsage
	}
	l := &cli{args: args, stdin: stdin, rep: reporter{stdout: stdout, stderr: stderr}}
	return l.execute(ctx)
}

// runGenerators runs the generators that the command line names: it parses options, generates all files in memory, and
// only then writes them. It returns the exit code.
func runGenerators(ctx context.Context, set *settings, rep *reporter) int {
	began := time.Now()
	if set.asksForHelp() {
		return printHelp(set, rep)
	}
	if problems := rep.load(ctx, set.set); len(problems) > 0 {
		return rep.write(problems)
	}
	p, problems := arguments.Parse(rep.line(set.options))
	for _, g := range p.Generators {
		if g.CRD != nil {
			g.CRD.Deviations = set.deviations
		}
	}
	problems = append(problems, rep.conflicts(p)...)
	problems = append(problems, arguments.CheckPaths("paths", p.Paths)...)
	if len(problems) == 0 {
		problems = append(checkMode(set, p), rep.openBaseline(ctx, &set.known)...)
		problems = append(problems, set.problems(rep)...)
	}
	if diag.HasErrors(problems) {
		return rep.usage(problems...)
	}
	rep.baseline.applyTo(p)
	results, err := cache.Open()
	if err != nil {
		return rep.usage(input.Errorf("%v", err))
	}
	rep.policy = rep.runPolicy(p)
	if set.fix != "" {
		if code, done := rep.fixTypes(ctx, set, p, results); done {
			return code
		}
	}
	made, found := rep.generateOrReuse(ctx, results, set, p, began)
	if ctx.Err() != nil {
		return rep.interrupted()
	}
	found = append(problems, found...) // settings without effect
	if rep.baseline.records() {
		return rep.writeBaseline(ctx, found)
	}
	rep.known = made.known
	if found = rep.policy.Apply(found); diag.HasErrors(found) {
		return rep.nothingWritten(found)
	}
	return rep.keepUpToDate(ctx, set, p, made, found)
}

// keepUpToDate compares the files of a run with those on disk, or writes them and removes stale ones. It reports the
// findings, and returns the exit code.
func (r *reporter) keepUpToDate(
	ctx context.Context, set *settings, p arguments.Plan, made product, found []diag.Diagnostic,
) int {
	bounds, err := target.In(p.Dirs()...)
	if err != nil {
		return r.failed(err)
	}
	defer bounds.Close()
	run := leaves(p, set.buildTags, made)
	if err := bounds.Check(run.Folders()...); err != nil {
		return r.failed(err)
	}
	left, err := stale.Find(ctx, run, set.verify || set.prune)
	if ctx.Err() != nil {
		return r.interrupted()
	}
	if err != nil && (set.verify || set.prune) {
		return r.failed(err) // otherwise stale files are only a hint, and the run succeeds without it
	}
	if set.verify {
		return r.differences(bounds, made, left, found)
	}
	var removed []stale.File
	more := left.Warnings()
	if set.prune {
		removed, more = left.Removable(), left.Kept()
	}
	if found = append(found, r.policy.Apply(more)...); diag.HasErrors(found) {
		return r.nothingWritten(found)
	}
	return r.finish(ctx, bounds, made, removed, found)
}

// runPolicy returns the policy for all generators of a run: that of crd or helpers, which has the settings, or else the
// settings.
func (r *reporter) runPolicy(p arguments.Plan) check.Policy {
	for _, name := range []string{arguments.CRD, arguments.Helpers} {
		if g := p.Find(name); g != nil {
			r.ignoring = name + ":ignore="
			return g.CRD.Policy
		}
	}
	return r.settings.Policy
}

// finish writes the files, removes stale ones, reports the findings, and returns the exit code.
func (r *reporter) finish(
	ctx context.Context, bounds *target.Bounds, made product, left []stale.File, found []diag.Diagnostic,
) int {
	done, err := writeAll(ctx, bounds, made.files, left, r.stdout, r.progress())
	if errors.Is(err, context.Canceled) {
		return r.interrupted()
	}
	if err != nil {
		found = append(found, writeFailed(err))
	}
	code := r.write(diag.Sort(found))
	if err != nil {
		return code
	}
	for _, f := range left {
		fmt.Fprintln(r.stderr, diag.Printable(fmt.Sprintf("removed %s: %s", input.Shown(f.Path), f.Why)))
	}
	if ctx.Err() != nil {
		fmt.Fprintln(r.stderr, "interrupted: all files were written before")
		return exitInterrupted
	}
	if code == exitClean {
		r.succeeded(done.String(), made)
	}
	return code
}
