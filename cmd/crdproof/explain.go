package main

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/crdproof/crdproof/generator"
	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/read"
	"github.com/crdproof/crdproof/rules"
	"github.com/crdproof/crdproof/rules/cost"
	"github.com/crdproof/crdproof/rules/kube"
)

// commandExplain is the first word of a command line that asks for costs.
const commandExplain = "explain"

// An explained CRD is a CRD with what its rules cost, by version.
type explained struct {
	name, kind string
	versions   []cost.Report
}

// explainSettings are the flags of explain, and the words between them.
type explainSettings struct {
	json, help bool
	buildTags  []string
	// files are the words that name CRD files, words all others.
	files, words []string
}

// explain prints what the rules of CRDs cost. It returns the exit code.
func explain(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var set explainSettings
	flags := newExplainFlags(&set)
	if err := flags.Parse(args); err != nil {
		fmt.Fprintf(stderr, "error: %v\n%s", explainFlag(err, flags), explainPointer)
		return 1
	}
	for _, word := range flags.Args() {
		if word == "-" || isManifest(word) {
			set.files = append(set.files, word)
		} else {
			set.words = append(set.words, word)
		}
	}
	if set.help {
		fmt.Fprintf(stdout, explainUsage, flags.FlagUsages())
		return 0
	}
	rep := reporter{format: formatText, stdout: stdout, stderr: stderr, pointer: explainPointer}
	p, problems := explainPlan(set)
	if len(problems) > 0 {
		rep.usage(problems)
		return 1
	}
	crds, problems := explainAll(ctx, p, set.files, stdin)
	if len(problems) > 0 {
		rep.write(problems)
		return 1
	}
	write := writeCosts
	if set.json {
		write = writeCostsJSON
	}
	if err := write(stdout, crds); err != nil {
		fmt.Fprintf(stderr, "error: %v\n", err)
		return 1
	}
	return 0
}

// explainPlan reads the words of the command line as those of crd.
func explainPlan(set explainSettings) (plan, []diag.Diagnostic) {
	p, problems := parsePlan(explainOptions(set.words), set.buildTags)
	for _, g := range p.generators {
		if g.name != "crd" {
			problems = append(problems, notExplained(g.name))
		}
	}
	return p, append(problems, checkPaths(p.paths)...)
}

// explainAll reads the CRDs of files and of Go packages; where files are named, packages have to be named too.
func explainAll(ctx context.Context, p plan, files []string, stdin io.Reader) (out []explained, found []diag.Diagnostic) {
	defer func() {
		if bug := recover(); bug != nil {
			out, found = nil, []diag.Diagnostic{internalError(bug, debug.Stack())}
		}
	}()
	if len(files) > 0 {
		out, found = explainFiles(files, stdin, p.generators[0].crd.Proof.Kube)
	}
	if len(files) == 0 || len(p.paths) > 0 {
		crds, more := explainPackages(ctx, p)
		out, found = append(out, crds...), append(found, more...)
	}
	return out, found
}

// explainFiles reads CRDs that stand in files.
func explainFiles(files []string, stdin io.Reader, versions kube.Range) (out []explained, found []diag.Diagnostic) {
	sources, found := sourcesOf(files, stdin)
	for _, src := range sources {
		docs, more := read.Documents(src)
		found = append(found, errorsOf(more)...)
		for _, doc := range docs {
			out = append(out, explained{doc.CRD.ObjectName(), doc.CRD.Kind.V, rules.Costs(doc.CRD, versions)})
		}
	}
	if len(out) == 0 && len(found) == 0 {
		found = append(found, noCRDs(sources))
	}
	return out, found
}

// explainPackages reads the CRDs of Go packages. What else crd would find in them is left to crd, as long as it does not
// keep it from making a CRD.
func explainPackages(ctx context.Context, p plan) (out []explained, found []diag.Diagnostic) {
	opts := *p.generators[0].crd
	opts.Tolerate = true
	crds, found, err := generator.CRDs(ctx, generator.Config{Paths: p.paths, BuildTags: p.buildTags, CRD: opts})
	if err != nil {
		return nil, []diag.Diagnostic{fromError("load", err)}
	}
	if found = errorsOf(found); len(found) == 0 && len(crds) == 0 {
		return nil, []diag.Diagnostic{noKindToExplain()}
	}
	for _, c := range crds {
		out = append(out, explained{c.ObjectName(), c.Kind.V, rules.Costs(c, opts.Proof.Kube)})
	}
	return out, found
}

// errorsOf keeps what is in the way of costs.
func errorsOf(list []diag.Diagnostic) []diag.Diagnostic {
	return slices.DeleteFunc(list, func(d diag.Diagnostic) bool { return d.Severity != diag.Error })
}

// explainOptions turns the words of the command line into options of crd: a word without an equals sign that names no
// generator is a path.
func explainOptions(words []string) []string {
	var out []string
	hasCRD := false
	for _, word := range words {
		name, _, _ := strings.Cut(word, ":")
		hasCRD = hasCRD || name == "crd"
		if !strings.Contains(word, "=") && !slices.Contains(generatorNames(), name) {
			word = "paths=" + word
		}
		out = append(out, word)
	}
	if !hasCRD {
		out = append(out, "crd")
	}
	return out
}

func newExplainFlags(set *explainSettings) *pflag.FlagSet {
	flags := pflag.NewFlagSet("crdproof explain", pflag.ContinueOnError)
	flags.BoolVar(&set.json, "json", false, "print JSON, with all numbers exact")
	flags.BoolVarP(&set.help, "help", "h", false, "explain this command")
	flags.StringSliceVar(&set.buildTags, "load-build-tags", []string{"ignore_autogenerated"}, "build tags to load Go packages with")
	return flags
}

// explainPointer follows every mistake on the command line of explain.
const explainPointer = "run `crdproof explain --help` for how it is called\n"

const explainUsage = `crdproof explain prints what the rules (x-kubernetes-validations) of CRDs cost, as an API server estimates it: for each
version a tree of the fields that have rules, and what is left of the budgets. Nothing is written.

Usage:
  crdproof explain [paths=]<packages>… [crd:<option>=<value>,…] [flags]
  crdproof explain <file>.yaml… [flags]

A file holds CRDs as YAML or JSON, in any number of documents; - is standard input.

Examples:
  crdproof explain ./api/...
  crdproof explain config/crd/bases/*.yaml
  crdproof explain crd:kube=1.31 paths=./api/... --json

Columns:
  ESTIMATE      the cost of the rule for one value
  VALUES        how many values an object can have there at most: the product of the bounds of the lists and maps above or,
                where one of them has none, how many fit into a request
  COST          their product; an API server refuses a rule above 10,000,000 and a version above 100,000,000
  SHARE         the cost as a part of 10,000,000
  DOMINATED BY  the size that matters most; bounding it brings most

Flags:
%s`
