package main

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/pflag"

	"github.com/crdproof/crdproof/generator"
	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/read"
	"github.com/crdproof/crdproof/rules"
	"github.com/crdproof/crdproof/rules/check"
	"github.com/crdproof/crdproof/rules/cost"
	"github.com/crdproof/crdproof/rules/kube"
)

// commandCheck is the first argument that asks for the proof of files instead of generators.
const commandCheck = "check"

// checkPointer follows every mistake on the command line of check.
const checkPointer = "run `crdproof check --help` for how to name files\n"

// checkSettings are the flags of check, and the files.
type checkSettings struct {
	help   bool
	format string
	kube   string
	share  int
	// ignored and raised are ids of checks.
	ignored, raised []string
	paths           []string
}

func newCheckFlags(set *checkSettings) *pflag.FlagSet {
	flags := pflag.NewFlagSet("crdproof check", pflag.ContinueOnError)
	flags.BoolVarP(&set.help, "help", "h", false, "explain the command")
	flags.StringVar(&set.kube, "kube", kube.DefaultRange().String(),
		"the versions of Kubernetes to prove for, as in "+kube.Latest().String()+" or "+kube.DefaultRange().String())
	flags.StringSliceVar(&set.ignored, "ignore", nil, "checks whose findings are not told; never what an API server refuses")
	flags.StringSliceVar(&set.raised, "fail", nil, "checks whose warnings are errors")
	flags.IntVar(&set.share, "cost-share", cost.DefaultShare, "percentage of a rule's cost budget above which it is warned of")
	formatFlag(flags, &set.format)
	return flags
}

// runCheck is the whole command: flags, files, proofs, report. It returns the exit code.
func runCheck(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var set checkSettings
	flags := newCheckFlags(&set)
	err := flags.Parse(args)
	if err == nil {
		err = knownFormat(set.format)
	} else {
		err = explainFlag(err, flags)
	}
	if err != nil {
		fmt.Fprintf(stderr, "error: %v\n%s", err, checkPointer)
		return 1
	}
	set.paths = flags.Args()
	if set.help || slices.Equal(set.paths, []string{"help"}) {
		writeCheckUsage(stdout)
		return 0
	}
	rep := reporter{format: set.format, stdout: stdout, stderr: stderr, pointer: checkPointer}
	versions, err := kube.ParseRange(set.kube)
	if err != nil {
		rep.usage([]diag.Diagnostic{badKubeFlag(err)})
		return 1
	}
	if err := validShare(set.share); err != nil {
		fmt.Fprintf(stderr, "error: --cost-share: %v\n%s", err, checkPointer)
		return 1
	}
	table := generator.Checks()
	unusable := slices.Concat(table.Usable("--ignore", set.ignored, true), table.Usable("--fail", set.raised, false))
	for i := range unusable {
		unusable[i].Rule = ruleOption
	}
	if len(unusable) > 0 {
		rep.usage(unusable)
		return 1
	}
	sources, problems := sourcesOf(set.paths, stdin)
	if diag.HasErrors(problems) {
		rep.usage(problems)
		return 1
	}
	proved, found := prove(ctx, sources, rules.Options{Kube: versions, Share: set.share, ByVerdict: true})
	found = check.Policy{Ignored: set.ignored, Raised: set.raised}.Apply(found, table)
	if proved.crds == 0 && !diag.HasErrors(found) {
		rep.usage([]diag.Diagnostic{noCRDs(sources)})
		return 1
	}
	if told := rep.write(found); !told || diag.HasErrors(found) {
		return 1
	}
	if set.format == formatText {
		fmt.Fprintf(stdout, "%s: an API server of Kubernetes %s accepts %s\n", proved, versions, pronoun(proved.crds))
	}
	return 0
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

func (e extent) String() string { return counted(e.crds, "CRD") + " in " + counted(e.files, "file") }

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func pronoun(n int) string {
	if n == 1 {
		return "it"
	}
	return "them"
}

// prove reads the sources, and proves each CRD in them.
func prove(ctx context.Context, sources []*diag.Source, opts rules.Options) (extent, []diag.Diagnostic) {
	var proved extent
	docs := make([][]read.Document, len(sources))
	found := make([][]diag.Diagnostic, len(sources))
	inParallel(len(sources), func(i int) {
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
	inParallel(len(all), func(i int) {
		defer reportBug(&proofs[i], all[i].CRD.At.Source)
		proofs[i] = proof(ctx, all[i], opts)
		all[i] = read.Document{} // which may be large
	})
	return proved, diag.Sort(slices.Concat(slices.Concat(found...), slices.Concat(proofs...)))
}

// proof is what speaks against one CRD.
func proof(ctx context.Context, doc read.Document, opts rules.Options) []diag.Diagnostic {
	object, err := kube.Decode(doc.JSON)
	if err != nil {
		return []diag.Diagnostic{undecodable(doc.CRD.At, err)}
	}
	return rules.Check(ctx, doc.CRD, object, opts)
}

// inParallel calls do for each number below n, as many at a time as there are processors.
func inParallel(n int, do func(int)) {
	var group sync.WaitGroup
	numbers := make(chan int)
	for range min(n, runtime.GOMAXPROCS(0)) {
		group.Go(func() {
			for i := range numbers {
				do(i)
			}
		})
	}
	for i := range n {
		numbers <- i
	}
	close(numbers)
	group.Wait()
}

// reportBug turns a panic over a file, which is a bug of crdproof's, into a finding.
func reportBug(found *[]diag.Diagnostic, src *diag.Source) {
	if bug := recover(); bug != nil {
		d := internalError(bug, debug.Stack())
		d.Span, d.Help = diag.At(src, 0, 0), "please report it together with the lines above and the file"
		*found = []diag.Diagnostic{d}
	}
}

func writeCheckUsage(w io.Writer) {
	fmt.Fprint(w, strings.TrimPrefix(`
crdproof check proves CRDs that stand in files, whoever wrote them: that an API server accepts them, and that they do what
they say.

Usage:
  crdproof check [flags] <file>…

A file is YAML or JSON, with any number of documents; objects of other kinds are passed over. A directory stands for its
*.yaml, *.yml and *.json, <directory>/... for those below it as well, and - for standard input.

The exit code is 1 where an API server refuses a CRD. What it accepts though it is broken is a warning; --fail makes an
error of it.

Examples:
  crdproof check config/crd/bases
  crdproof check --kube=1.31 --format=github charts/...
  helm template --include-crds . | crdproof check -

Flags:
`, "\n"))
	fmt.Fprint(w, newCheckFlags(new(checkSettings)).FlagUsages())
}
