package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/pflag"

	"github.com/crdproof/crdproof/generator"
	"github.com/crdproof/crdproof/generator/crds"
	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/input"
	"github.com/crdproof/crdproof/generator/read"
	"github.com/crdproof/crdproof/generator/stage"
	"github.com/crdproof/crdproof/rules"
	"github.com/crdproof/crdproof/rules/check"
	"github.com/crdproof/crdproof/rules/cost"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/rules/size"
)

// commandCheck is the first argument that asks for the proof of files instead of generators.
const commandCheck = "check"

// checkSettings are the flags of check, and the files.
type checkSettings struct {
	kube  string
	share int
	// ignored and raised are ids of checks.
	ignored, raised []string
}

func newCheckFlags(set *checkSettings) *pflag.FlagSet {
	flags := pflag.NewFlagSet("crdproof check", pflag.ContinueOnError)
	flags.StringVar(&set.kube, "kube", kube.DefaultRange().String(),
		"the versions of Kubernetes to prove for, as in "+kube.Latest().String()+" or "+kube.DefaultRange().String())
	flags.StringSliceVar(&set.ignored, "ignore", nil, "checks whose findings are not told; never what an API server refuses")
	flags.StringSliceVar(&set.raised, "fail", nil, "checks whose warnings are errors")
	flags.IntVar(&set.share, "cost-share", cost.DefaultShare, "percentage of a rule's cost budget above which it is warned of")
	return flags
}

// runCheck is the whole command: flags, files, proofs, report. It returns the exit code.
func runCheck(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var set checkSettings
	flags := newCheckFlags(&set)
	rep, code := begin(flags, checkUsage, args, stdout, stderr)
	if rep == nil {
		return code
	}
	versions, err := kube.ParseRange(set.kube)
	if err != nil {
		rep.usage([]diag.Diagnostic{input.Errorf("--kube: %v", err)})
		return exitUsage
	}
	if err := validShare(set.share); err != nil {
		rep.usage([]diag.Diagnostic{input.Errorf("--cost-share: %v", err)})
		return exitUsage
	}
	table := generator.Checks()
	unusable := slices.Concat(table.Usable("--ignore", set.ignored, true), table.Usable("--fail", set.raised, false))
	for i := range unusable {
		unusable[i].Check = input.Option.ID
	}
	if len(unusable) > 0 {
		rep.usage(unusable)
		return exitUsage
	}
	sources, problems := input.Sources(flags.Args(), stdin)
	if diag.HasErrors(problems) {
		rep.usage(problems)
		return exitUsage
	}
	proved, found := prove(ctx, sources, session.Options{Kube: versions, Share: set.share, ByVerdict: true}, rep.progress())
	if ctx.Err() != nil {
		return rep.interrupted()
	}
	found = check.Policy{Ignored: set.ignored, Raised: set.raised}.Apply(found, table)
	if proved.crds == 0 && !diag.HasErrors(found) {
		rep.usage([]diag.Diagnostic{noCRDs(flags.Args(), sources)})
		return exitUsage
	}
	if code := rep.write(found); code != exitClean {
		return code
	}
	if rep.summarizes() {
		fmt.Fprintf(stdout, "%s: an API server of Kubernetes %s accepts %s\n", proved, versions, pronoun(proved.crds))
	}
	return exitClean
}

// validShare makes sure that a share of the budget is one.
func validShare(percent int) error {
	if percent < 1 || percent > 100 {
		return fmt.Errorf("%d is no percentage from 1 to 100", percent)
	}
	return nil
}

// extent is how much has been proved: CRDs, and the files that hold them.
type extent struct{ crds, files int }

func (e extent) String() string {
	return diag.Counted(e.crds, "CRD") + " in " + diag.Counted(e.files, "file")
}

func pronoun(n int) string {
	if n == 1 {
		return "it"
	}
	return "them"
}

// prove reads the sources, and proves each CRD in them. What it returns means nothing where the context has ended.
func prove(ctx context.Context, sources []*diag.Source, opts session.Options, progress stage.Progress) (extent, []diag.Diagnostic) {
	var proved extent
	docs := make([][]read.Document, len(sources))
	found := make([][]diag.Diagnostic, len(sources))
	stage.Run(ctx, progress, "reading files", len(sources), func(i int) {
		defer reportBug(&found[i], sources[i])
		docs[i], found[i] = read.Documents(sources[i])
	})
	var all []read.Document
	for _, list := range docs {
		all = append(all, list...)
		proved.crds += len(list)
		proved.files += min(len(list), 1)
	}
	proofs := make([][]diag.Diagnostic, len(all))
	stage.Run(ctx, progress, "proving CRDs", len(all), func(i int) {
		defer reportBug(&proofs[i], all[i].CRD.At.Source)
		proofs[i] = proof(ctx, all[i], opts)
		all[i] = read.Document{} // which may be large
	})
	return proved, diag.Sort(slices.Concat(slices.Concat(found...), slices.Concat(proofs...)))
}

// proof is what speaks against one CRD.
func proof(ctx context.Context, doc read.Document, opts session.Options) []diag.Diagnostic {
	object, err := kube.Decode(doc.JSON)
	if err != nil {
		return []diag.Diagnostic{crds.Undecodable(doc.CRD.At, err)}
	}
	found := rules.Check(ctx, session.New(doc.CRD, object, opts))
	return append(found, size.CheckJSON(doc.CRD, doc.File, doc.JSON)...)
}

// noCRDs says that the files that arguments name hold none.
func noCRDs(args []string, sources []*diag.Source) diag.Diagnostic {
	where := diag.Counted(len(sources), "file")
	if len(sources) == 1 {
		where = input.Shown(sources[0].Path)
	}
	return input.Errorf("there is no CustomResourceDefinition in %s", where).
		Help("%s", cmp.Or(input.AllBelow(args), "name the files of CRDs, as in: crdproof check config/crd/bases"))
}

// reportBug turns a panic over a file, which is a bug of crdproof's, into a finding.
func reportBug(found *[]diag.Diagnostic, src *diag.Source) {
	if bug := recover(); bug != nil {
		*found = []diag.Diagnostic{stage.Caught(bug).Finding(diag.At(src, 0, 0), "the file")}
	}
}

const checkUsage = `crdproof check proves CRDs that stand in files, whoever wrote them: that an API server accepts them, and that they do what
they say.

Usage:
  crdproof check [flags] <file>…

A file is YAML or JSON, with any number of documents; objects of other kinds are passed over. A directory stands for its
*.yaml, *.yml and *.json, <directory>/... for those below it as well, - for standard input, and <revision>:<path> for what a
revision of the git repository has there.

The exit code is 1 where an API server refuses a CRD. What it accepts though it is broken is a warning; --fail makes an
error of it.

Examples:
  crdproof check config/crd/bases
  crdproof check --kube=1.31 --format=github charts/...
  crdproof check v1.2.0:config/crd/bases
  helm template --include-crds . | crdproof check -
`
