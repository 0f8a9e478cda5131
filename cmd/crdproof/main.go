// Command crdproof reads annotated Go API types and writes Kubernetes CRDs. Its command line is controller-gen's, whose
// other generators it runs as well. Its commands (commands.go) prove CRDs that stand in files, answer for an API
// server, run suites of cases, and say what rules cost.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"

	"github.com/crdproof/crdproof/emit"
	"github.com/crdproof/crdproof/generator/arguments"
	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/input"
	"github.com/crdproof/crdproof/generator/stale"
)

// gcPercent lets the heap grow by less than Go's 100 before it is collected: a run is short, and a large tree of types
// is better off with a fifth less memory than with a tenth less time. GOGC overrides it.
const gcPercent = 60

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	klog.SetLogger(logr.Discard()) // the API server's library tells its operators what no user of it wants to know
	os.Exit(process((*progressLine).pace))
}

// process runs the command on the process's own streams. pace sets the clock of what is drawn on a terminal.
func process(pace func(*progressLine)) int {
	stdout, stderr, line := terminals(os.Stdout, os.Stderr)
	pace(line)
	defer line.clear()
	return run(untilSignal(), os.Args[1:], os.Stdin, stdout, stderr)
}

// run is the whole command. It returns the exit code. A panic is a bug of crdproof's, of which the user still gets a
// sentence, and what could not be written was asked for in vain.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	out, told := &watched{Writer: stdout}, &watched{Writer: stderr}
	defer func() {
		if bug := recover(); bug != nil {
			rep := &reporter{format: formatOf(args), stdout: out, stderr: told}
			code = rep.write([]diag.Diagnostic{internalError(bug)})
		}
		if err := cmp.Or(out.err, told.err); err != nil && (code == exitClean || code == exitFound) {
			code = unwritable(stderr, err)
		}
	}()
	return dispatch(ctx, args, stdin, out, told)
}

// dispatch runs one of the commands, or the generators.
func dispatch(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		writeIntroduction(stderr)
		return exitUsage
	}
	if asksToComplete(args) {
		return runCompleter(args, stdout, stderr)
	}
	if c := findCommand(args); c != nil {
		return c.run(ctx, args[1:], stdin, stdout, stderr)
	}
	if c := findCommand(args[1:]); c != nil && args[0] == "help" {
		return c.run(ctx, []string{"--help"}, stdin, stdout, stderr)
	}
	return runGenerators(ctx, args, stdout, stderr)
}

// runGenerators is the command without a name: flags, options, generators, and only then files. It returns the exit
// code.
func runGenerators(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	set, mistakes := parseFlags(args)
	rep := &reporter{format: set.format, stdout: stdout, stderr: stderr, pointer: usagePointer}
	if len(mistakes) > 0 {
		return rep.usage(mistakes...)
	}
	if set.asksForHelp() {
		return printHelp(set, rep)
	}
	p, problems := set.plan()
	for _, g := range p.Generators {
		if g.CRD != nil {
			g.CRD.Deviations = set.deviations
		}
	}
	problems = append(problems, rep.conflicts(p)...)
	problems = append(problems, arguments.CheckPaths("paths", p.Paths)...)
	if len(problems) == 0 {
		problems = checkMode(set, p)
	}
	if diag.HasErrors(problems) {
		return rep.usage(problems...)
	}
	made, found := generate(ctx, p, set.buildTags, rep.progress())
	if ctx.Err() != nil {
		return rep.interrupted()
	}
	if diag.HasErrors(found) {
		return rep.refused(found)
	}
	left, err := stale.Find(ctx, leaves(p, made), set.verify || set.prune)
	if ctx.Err() != nil {
		return rep.interrupted()
	}
	if err != nil && (set.verify || set.prune) {
		return rep.failed(err) // a run that was not asked for them only fails if it cannot write
	}
	if set.verify {
		return rep.differences(made.files, left, found)
	}
	if set.prune {
		return rep.finish(ctx, made.files, left.Removable(), append(found, left.Kept()...))
	}
	return rep.finish(ctx, made.files, nil, append(found, left.Warnings()...))
}

// finish writes the files, removes stale ones, reports what was found, and returns the exit code.
func (r *reporter) finish(ctx context.Context, made []emit.File, left []stale.File, found []diag.Diagnostic) int {
	err := writeAll(ctx, made, left, r.stdout, r.progress())
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
		fmt.Fprintf(r.stderr, "removed %s: %s\n", input.Shown(f.Path), f.Why)
	}
	if ctx.Err() != nil {
		fmt.Fprintln(r.stderr, "interrupted: all files had been written")
		return exitInterrupted
	}
	return code
}
