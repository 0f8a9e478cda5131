package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/pflag"

	"github.com/crdproof/crdproof/generator"
	"github.com/crdproof/crdproof/generator/arguments"
	"github.com/crdproof/crdproof/generator/crds"
	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/input"
	"github.com/crdproof/crdproof/rules/check"
	"github.com/crdproof/crdproof/rules/cost"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/session"
)

// checkSettings are the flags of check, and the files.
type checkSettings struct {
	kube  string
	share int
	// ignored and raised are ids of checks.
	ignored, raised []string
}

func (set *checkSettings) flags(flags *pflag.FlagSet) {
	flags.StringVar(&set.kube, "kube", kube.DefaultRange().String(),
		"the versions of Kubernetes to prove for, as in "+kube.Latest().String()+" or "+kube.DefaultRange().String())
	flags.StringSliceVar(&set.ignored, "ignore", nil,
		"checks whose findings are not told; never what an API server refuses")
	flags.StringSliceVar(&set.raised, "fail", nil, "checks whose warnings are errors")
	flags.IntVar(&set.share, "cost-share", cost.DefaultShare,
		"percentage of a rule's cost budget above which it is warned of")
}

// run reads the files, proves what is in them, and reports. It returns the exit code.
func (set *checkSettings) run(ctx context.Context, args []string, stdin io.Reader, rep *reporter) int {
	versions, err := kube.ParseRange(set.kube)
	if err != nil {
		return rep.usage(input.Errorf("--kube: %v", err))
	}
	if err := arguments.CheckShare(set.share); err != nil {
		return rep.usage(input.Errorf("--cost-share: %v", err))
	}
	unusable := slices.Concat(arguments.CheckIDs("--ignore", set.ignored, true),
		arguments.CheckIDs("--fail", set.raised, false))
	if len(unusable) > 0 {
		return rep.usage(unusable...)
	}
	sources, problems := input.Sources(args, stdin)
	if diag.HasErrors(problems) {
		return rep.usage(problems...)
	}
	proved := crds.Validate(ctx, sources, session.Options{Kube: versions, Share: set.share, ByVerdict: true}, false,
		rep.progress())
	if ctx.Err() != nil {
		return rep.interrupted()
	}
	found := check.Policy{Ignored: set.ignored, Raised: set.raised}.Apply(proved.Found, generator.Checks())
	if proved.CRDs == 0 && !diag.HasErrors(found) {
		return rep.usage(crds.None(args, sources))
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
