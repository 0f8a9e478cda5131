package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/pflag"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/cache"
	"github.com/crdproof/crdproof/internal/cli/arguments"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/rules/cost"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/rules/verdicts"
)

// checkSettings are the flags of check, and the files.
type checkSettings struct {
	policySettings
	fixSettings
	baselineSettings
	kube  string
	share int
}

func (set *checkSettings) flags(flags *pflag.FlagSet) {
	flags.StringVar(&set.kube, "kube", kube.DefaultRange().String(),
		"Kubernetes versions to validate for, "+kube.Supported()+", for example "+kube.Latest().String()+" or "+
			kube.DefaultRange().String())
	offer(flags, "kube", kubeVersions)
	set.policySettings.flags(flags)
	set.fixSettings.flags(flags)
	set.baselineSettings.flags(flags)
	flags.IntVar(&set.share, "cost-share", cost.DefaultShare,
		"warn if a rule costs more than this percentage of its budget")
}

// run reads the files, validates the CRDs in them, and reports the findings. It returns the exit code.
func (set *checkSettings) run(ctx context.Context, args []string, stdin io.Reader, rep *reporter) int {
	versions, err := kube.ParseRange(set.kube)
	if err != nil {
		return rep.usage(input.Errorf("--kube: %v", err))
	}
	if err := arguments.CheckShare(set.share); err != nil {
		return rep.usage(input.Errorf("--cost-share: %v", err))
	}
	if unusable := set.apply(rep); len(unusable) > 0 {
		return rep.usage(unusable...)
	}
	if len(args) == 0 {
		where, problem := crds.Where{Usual: rep.settings.CRDs}.InFiles()
		if problem != nil {
			return rep.usage(*problem)
		}
		args = where.Files
	}
	if problems := set.problems(rep); len(problems) > 0 {
		return rep.usage(problems...)
	}
	unusable := rep.openBaseline(ctx, &set.baselineSettings)
	if diag.HasErrors(unusable) {
		return rep.usage(unusable...)
	}
	sources, problems := input.Sources(ctx, args, stdin)
	if diag.HasErrors(problems) {
		return rep.usage(problems...)
	}
	results, err := cache.Open()
	if err != nil {
		return rep.usage(input.Errorf("%v", err))
	}
	opts := crds.Validation{
		Options:  session.Options{Kube: versions, Share: set.share, ByVerdict: true},
		Verdicts: verdicts.In(results), Progress: rep.progress(),
	}
	if problems := rep.baseline.earlierFiles(ctx, args, opts, rep.policy); problems != nil {
		return rep.usage(problems...)
	}
	rep.policy.Known = rep.baseline.findings()
	if set.fix != "" {
		changed, code, done := set.fixFiles(ctx, sources, opts, rep)
		if done {
			return code
		}
		sources = changed
	}
	proved := crds.Validate(ctx, sources, opts)
	if ctx.Err() != nil {
		return rep.interrupted()
	}
	found := rep.withoutKnown(slices.Concat(unusable, problems, proved.Found), sources, proved.IsComplete)
	if rep.baseline.records() {
		return rep.writeBaseline(ctx, found)
	}
	found = rep.policy.Apply(found)
	if proved.CRDs == 0 && !diag.HasErrors(found) {
		return rep.usage(append(found, proved.None(args, sources))...)
	}
	if code := rep.write(found); code != exitClean {
		return code
	}
	if rep.summarizes() {
		pronoun := "them"
		if proved.CRDs == 1 {
			pronoun = "it"
		}
		fmt.Fprintf(rep.stdout, "%s: an API server of Kubernetes %s accepts %s\n", proved, versions, pronoun)
	}
	return exitClean
}

// withoutKnown returns the findings in files that are new, and those about a baseline that does not fit them.
func (r *reporter) withoutKnown(found []diag.Diagnostic, sources []*diag.Source, isComplete bool) []diag.Diagnostic {
	fresh, known := r.policy.SplitFiles(found, sources, isComplete)
	if !r.baseline.records() {
		r.known = len(known)
	}
	return fresh
}
