package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/crdproof/crdproof/generator"
	"github.com/crdproof/crdproof/generator/arguments"
	"github.com/crdproof/crdproof/generator/crds"
	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/input"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/generator/read"
	"github.com/crdproof/crdproof/generator/stage"
	"github.com/crdproof/crdproof/rules/explain"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/rules/size"
)

// explainSettings are the flags of explain.
type explainSettings struct {
	json bool
	// size asks for bytes in place of costs.
	size      bool
	buildTags []string
}

func (set *explainSettings) flags(flags *pflag.FlagSet) {
	flags.BoolVar(&set.json, "json", false, "as --format=json: print JSON, with all numbers exact")
	flags.BoolVar(&set.size, "size", false, "print how many bytes the CRDs have, and where they are")
	buildTagsFlag(flags, &set.buildTags)
}

// run prints what the rules of CRDs cost. It returns the exit code.
func (set *explainSettings) run(ctx context.Context, args []string, stdin io.Reader, rep *reporter) int {
	if set.json {
		rep.format = formatJSON
	}
	var files, words []string
	for _, word := range args {
		if namesFiles(word) {
			files = append(files, word)
		} else {
			words = append(words, word)
		}
	}
	asCRD := settings{options: asOptions(words)}
	p, problems := asCRD.plan()
	for _, g := range p.Generators {
		if g.Name != arguments.CRD {
			problems = append(problems,
				input.Errorf("explain knows costs of CRDs, not of what %s writes", g.Name).Help("leave it out"))
		}
	}
	if problems = append(problems, arguments.CheckPaths("paths", p.Paths)...); len(problems) > 0 {
		return rep.usage(problems...)
	}
	var list []explain.CRD
	if len(files) > 0 {
		list, problems = set.ofFiles(files, stdin, p.Generators[0].CRD.Proof.Kube)
	}
	if len(files) == 0 || len(p.Paths) > 0 { // where files are named, packages have to be named too
		made, more := set.ofPackages(ctx, p, rep.progress())
		list, problems = append(list, made...), append(problems, more...)
	}
	if ctx.Err() != nil {
		return rep.interrupted()
	}
	if len(problems) > 0 {
		return rep.write(problems)
	}
	if err := rep.explain(list, set.size); err != nil {
		return rep.failed(err)
	}
	return exitClean
}

// explain writes the table in place of the findings, of which there are none: as text also where it ends in the log of
// a job.
func (r *reporter) explain(list []explain.CRD, bytes bool) error {
	switch {
	case r.format == formatSARIF:
		return diag.SARIF(r.stdout, nil, diag.SARIFOptions{Version: version()})
	case r.format == formatJSON && bytes:
		return explain.WriteSizesJSON(r.stdout, list)
	case r.format == formatJSON:
		return explain.WriteCostsJSON(r.stdout, list, workingDir())
	case bytes:
		return explain.WriteSizes(r.stdout, list)
	}
	return explain.WriteCosts(r.stdout, list)
}

// namesFiles reports whether a word names files of CRDs: by its end, or in a revision, whose form options have as well;
// or as a directory that holds manifests, and no Go.
func namesFiles(word string) bool {
	if word == "-" || input.IsManifest(word) || holdsManifests(word) {
		return true
	}
	name, _, _ := strings.Cut(word, ":")
	isOption := name == "output" || strings.Contains(word, "=") || slices.Contains(arguments.Generators(), name)
	return !isOption && input.IsRevision(word)
}

func holdsManifests(word string) bool {
	entries, err := os.ReadDir(word)
	if err != nil {
		return false
	}
	isGo := func(e os.DirEntry) bool { return filepath.Ext(e.Name()) == ".go" }
	return !slices.ContainsFunc(entries, isGo) &&
		slices.ContainsFunc(entries, func(e os.DirEntry) bool { return input.IsManifest(e.Name()) })
}

// asOptions turns the words of the command line into options of crd: a word without an equals sign that names no
// generator is a path.
func asOptions(words []string) []string {
	var out []string
	hasCRD := false
	for _, word := range words {
		name, _, _ := strings.Cut(word, ":")
		hasCRD = hasCRD || name == arguments.CRD
		if !strings.Contains(word, "=") && !slices.Contains(arguments.Generators(), name) {
			word = "paths=" + word
		}
		out = append(out, word)
	}
	if !hasCRD {
		out = append(out, arguments.CRD)
	}
	return out
}

// ofFiles reads CRDs from files.
func (set *explainSettings) ofFiles(
	files []string, stdin io.Reader, versions kube.Range,
) (out []explain.CRD, found []diag.Diagnostic) {
	sources, found := input.Sources(files, stdin)
	for _, src := range sources {
		docs, more := read.Documents(src)
		found = append(found, diag.Errors(more)...)
		for _, doc := range docs {
			if !set.size {
				out = append(out, explain.Costs(session.New(doc.CRD, nil, session.Options{Kube: versions})))
				continue
			}
			sizes, err := size.OfJSON(doc.JSON, doc.File)
			if err != nil {
				return nil, []diag.Diagnostic{crds.Undecodable(doc.CRD.At, err)}
			}
			out = append(out, explain.Sizes(doc.CRD, sizes))
		}
	}
	if len(out) == 0 && len(found) == 0 {
		found = append(found, crds.None(files, sources))
	}
	return out, found
}

// ofPackages reads the CRDs of Go packages. What else crd would find in them is left to crd, as long as it does not
// keep it from making a CRD.
func (set *explainSettings) ofPackages(
	ctx context.Context, p arguments.Plan, progress stage.Progress,
) (out []explain.CRD, found []diag.Diagnostic) {
	opts := *p.Generators[0].CRD
	opts.Tolerate = true
	made, found, err := generator.CRDs(ctx,
		generator.Config{Paths: p.Paths, BuildTags: set.buildTags, CRD: opts, Progress: progress})
	if err != nil {
		return nil, []diag.Diagnostic{load.Problem(err)}
	}
	if found = diag.Errors(found); len(found) == 0 && len(made) == 0 {
		return nil, []diag.Diagnostic{
			input.Errorf("there is no kind to explain").Help("name the packages of the API, such as ./api/..."),
		}
	}
	for i, s := range made {
		if set.size {
			out = append(out, explain.Sizes(s.CRD, opts.Measure(s)))
		} else {
			out = append(out, explain.Costs(s))
		}
		made[i] = nil // which holds the compiled rules
	}
	return out, found
}

const explainUsage = `crdproof explain prints what the rules (x-kubernetes-validations) of CRDs cost, as an API server estimates it: for each
version a tree of the fields that have rules, and what is left of the budgets. Nothing is written.

Usage:
  crdproof explain [paths=]<packages>… [crd:<option>=<value>,…] [flags]
  crdproof explain <files of CRDs>… [flags]

A file holds CRDs as YAML or JSON, in any number of documents; a directory without Go stands for its manifests, and - for standard
input.

Where the costs cannot be told, since the types or files are wrong, what is found takes their place, in the same format.
With --format=github the costs are text, with --format=sarif nothing but findings is printed.

Examples:
  crdproof explain ./api/...
  crdproof explain config/crd/bases/*.yaml
  crdproof explain crd:kube=1.31 paths=./api/... --json
  crdproof explain --size ./api/...
  crdproof explain --size crd:maxSize=apply paths=./api/...

With --size it is how many bytes a CRD has, as a file and to kubectl apply, which keeps it as JSON in an annotation; below that
the fields of at least 5 % of the JSON, and the Go packages that the bytes come from. What of the bytes are descriptions can
be left out, with crd:maxSize, crd:dropDescriptions or crd:descDepth.

Columns:
  ESTIMATE      the cost of the rule for one value
  VALUES        how many values an object can have there at most: the product of the bounds of the lists and maps above or,
                where one of them has none, how many fit into a request
  COST          their product; an API server refuses a rule above 10,000,000 and a version above 100,000,000
  SHARE         the cost as a part of 10,000,000
  DOMINATED BY  the size that matters most; bounding it brings most
`
