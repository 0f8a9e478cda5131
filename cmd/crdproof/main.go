// Command crdproof reads annotated Go API types and writes Kubernetes CRDs. Its command line is controller-gen's, whose
// other generators it runs as well. As `crdproof check` it proves CRDs that stand in files.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/crdproof/crdproof/generator/diag"
)

// gcPercent lets the heap grow by less than Go's 100 before it is collected: a run is short, and a large tree of types is
// better off with a fifth less memory than with a tenth less time. GOGC overrides it.
const gcPercent = 60

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the whole command: flags, options, generators, and only then files; or check, or explain. It returns the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) > 0 {
		switch args[0] {
		case commandCheck:
			return runCheck(ctx, args[1:], stdin, stdout, stderr)
		case commandExplain:
			return explain(ctx, args[1:], stdin, stdout, stderr)
		}
	}
	set, err := parseFlags(args)
	if err != nil {
		fmt.Fprintf(stderr, "error: %v\n%s", err, usagePointer)
		return 1
	}
	if set.asksForHelp() {
		return printHelp(set, stdout, stderr)
	}
	rep := reporter{format: set.format, stdout: stdout, stderr: stderr, pointer: usagePointer}
	p, problems := parsePlan(set.options, set.buildTags)
	for _, g := range p.generators {
		if g.crd != nil {
			g.crd.Deviations = set.deviations
		}
	}
	problems = append(problems, rep.conflicts(p)...)
	problems = append(problems, checkPaths(p.paths)...)
	if diag.HasErrors(problems) {
		rep.usage(problems)
		return 1
	}
	made, found := generate(ctx, p)
	if told := rep.findings(found); !told || diag.HasErrors(found) {
		return 1
	}
	if err := writeAll(made, stdout); err != nil {
		fmt.Fprintf(stderr, "error: %v\n", err)
		return 1
	}
	return 0
}
