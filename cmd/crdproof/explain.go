package main

import (
	"context"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/internal/cli/arguments"
	"github.com/crdproof/crdproof/internal/cli/explain"
	"github.com/crdproof/crdproof/internal/cli/release"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/internal/stage"
	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/rules/check"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/rules/size"
	"github.com/crdproof/crdproof/schema/read"
)

// explainSettings are the flags of explain.
type explainSettings struct {
	policySettings
	json bool
	// size prints sizes instead of costs.
	size bool
	// overlays prints what the entries of overlays select instead.
	overlays  bool
	buildTags []string
}

func (set *explainSettings) flags(flags *pflag.FlagSet) {
	flags.BoolVar(&set.json, "json", false, "same as --format=json: print JSON with exact numbers")
	flags.BoolVar(&set.size, "size", false, "print the sizes of the CRDs and of their parts, in bytes")
	flags.BoolVar(&set.overlays, "overlays", false, "print what each entry of overlay files selects and changes")
	set.policySettings.flags(flags)
	buildTagsFlag(flags, &set.buildTags)
}

// run prints the costs or the sizes. It returns the exit code.
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
	line := rep.line(asOptions(words))
	// Only errors are reported: those of the types, and those that the command line asks for.
	line.Policy = check.Policy{}
	p, problems := arguments.Parse(line)
	for _, g := range p.Generators {
		if g.Name != arguments.CRD {
			problems = append(problems,
				input.Errorf("explain does not run the generator %s: it only explains CRDs", g.Name).
					Help("remove %s", g.Name))
		}
	}
	policy := set.policy()
	problems = append(problems, arguments.CheckPolicy("--", policy.Checks, policy)...)
	if problems = append(problems, arguments.CheckPaths("paths", p.Paths)...); len(problems) > 0 {
		return rep.usage(problems...)
	}
	if set.overlays {
		return set.explainOverlays(ctx, p, files, rep)
	}
	var list []explain.CRD
	if len(files) > 0 {
		list, problems = set.ofFiles(ctx, files, stdin, p.Generators[0].CRD.Validation.Kube)
	}
	if len(files) == 0 || len(p.Paths) > 0 { // with files, packages are read only if they are named too
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

// explain writes the table instead of findings: there are none. With the format github, the table is text in the log.
func (r *reporter) explain(list []explain.CRD, bytes bool) error {
	switch {
	case r.format == formatSARIF:
		return diag.SARIF(r.stdout, nil, diag.SARIFOptions{Version: release.Version()})
	case r.format == formatJSON && bytes:
		return explain.WriteSizesJSON(r.stdout, list)
	case r.format == formatJSON:
		return explain.WriteCostsJSON(r.stdout, list, workingDir())
	case bytes:
		return explain.WriteSizes(r.stdout, list)
	}
	return explain.WriteCosts(r.stdout, list)
}

// namesFiles reports whether a word names files of CRDs: a manifest by its extension, a path in a revision, or a
// directory or a tree that has manifests but no Go files. Options and revisions both contain colons.
func namesFiles(word string) bool {
	name, _, _ := strings.Cut(word, ":")
	if slices.Contains(arguments.Generators(), name) && strings.Contains(word, "=") {
		return false // crd:overlay=overlay.yaml
	}
	if word == "-" || input.IsManifest(word) || holdsManifests(word) {
		return true
	}
	isOption := name == "output" || strings.Contains(word, "=") || slices.Contains(arguments.Generators(), name)
	return !isOption && input.IsRevision(word)
}

func holdsManifests(word string) bool {
	root, isTree := strings.CutSuffix(filepath.ToSlash(word), "/...")
	hasGo, hasManifest := false, false
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && path != root && !isTree:
			return fs.SkipDir
		case filepath.Ext(path) == ".go":
			hasGo = true
			return fs.SkipAll
		}
		hasManifest = hasManifest || !e.IsDir() && input.IsManifest(path)
		return nil
	})
	return err == nil && hasManifest && !hasGo
}

// asOptions turns the words of the command line into options of crd: a word is a path if it has no equals sign and does
// not name a generator.
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
	ctx context.Context, files []string, stdin io.Reader, versions kube.Range,
) (out []explain.CRD, found []diag.Diagnostic) {
	sources, found := input.Sources(ctx, files, stdin)
	policy := set.policy()
	for _, src := range sources {
		if ctx.Err() != nil {
			return nil, nil
		}
		var docs []read.Document
		_, more := read.EachDocument(src, func(d read.Document) { docs = append(docs, d) }, nil)
		found = append(found, diag.Errors(policy.Apply(more))...)
		for _, doc := range docs {
			if !set.size {
				out = append(out, explain.Costs(ctx, session.New(doc.CRD, nil, session.Options{Kube: versions})))
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

// explainOverlays prints what the entries of overlays select. It returns the exit code.
func (set *explainSettings) explainOverlays(ctx context.Context, p arguments.Plan, files []string, rep *reporter) int {
	opts := *p.Generators[0].CRD
	opts.Tolerate, opts.Policy = true, set.policy().Over(opts.Policy)
	switch {
	case len(files) > 0:
		return rep.usage(input.Errorf("--overlays needs Go packages: overlays do not change %s", files[0]).
			Help("name the packages of the API, for example ./api/..."))
	case set.size:
		return rep.usage(input.Errorf("--size and --overlays exclude each other").Help("remove one of them"))
	case opts.Overlays == nil:
		return rep.usage(input.Errorf("no overlay files are named").
			Help("write crd:overlay=<file>, or overlay: <file> below crd: in the settings"))
	}
	made, err := generator.CRDs(ctx, generator.Config{Paths: p.Paths, BuildTags: set.buildTags, CRD: opts,
		Matches: true, Progress: rep.progress()})
	if ctx.Err() != nil {
		return rep.interrupted()
	}
	if err != nil {
		return rep.write([]diag.Diagnostic{load.Problem(err)})
	}
	if found := diag.Errors(opts.Policy.Apply(made.Diagnostics)); len(found) > 0 {
		return rep.write(found)
	}
	write := explain.WriteOverlays
	if rep.format == formatJSON {
		write = explain.WriteOverlaysJSON
	}
	if err := write(rep.stdout, made.Overlays, workingDir()); err != nil {
		return rep.failed(err)
	}
	return exitClean
}

// ofPackages generates the CRDs of Go packages. It only reports findings that prevent a CRD; crd reports the others.
func (set *explainSettings) ofPackages(
	ctx context.Context, p arguments.Plan, progress stage.Progress,
) (out []explain.CRD, found []diag.Diagnostic) {
	opts := *p.Generators[0].CRD
	opts.Tolerate, opts.Policy = true, set.policy().Over(opts.Policy)
	made, err := generator.CRDs(ctx,
		generator.Config{Paths: p.Paths, BuildTags: set.buildTags, CRD: opts, Progress: progress})
	if err != nil {
		return nil, []diag.Diagnostic{load.Problem(err)}
	}
	if found = diag.Errors(opts.Policy.Apply(made.Diagnostics)); len(found) == 0 && len(made.CRDs) == 0 {
		return nil, []diag.Diagnostic{
			input.Errorf("found no kinds to explain").Help("name the packages of the API, for example ./api/..."),
		}
	}
	for i, s := range made.CRDs {
		if set.size {
			out = append(out, explain.Sizes(s.CRD, opts.Measure(s)))
		} else {
			out = append(out, explain.Costs(ctx, s))
		}
		made.CRDs[i] = nil // frees the compiled rules
	}
	return out, found
}
