package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/pflag"

	"github.com/crdproof/crdproof/generator/arguments"
	"github.com/crdproof/crdproof/generator/crds"
	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/input"
	"github.com/crdproof/crdproof/rules/sample"
)

// validateSettings are the flags of validate.
type validateSettings struct {
	crdSettings
	files, old      []string
	fieldValidation string
}

func (set *validateSettings) flags(flags *pflag.FlagSet) {
	flags.StringSliceVarP(&set.files, "filename", "f", nil, "files of objects, in place of or beside the arguments")
	set.add(flags, "config/crd/bases or config/crd, here or above, or Go types of api, apis or pkg/apis")
	flags.StringSliceVar(&set.old, "old", nil,
		"files of objects that are stored: an object of the same kind, namespace and\n"+
			"name is an update of it, with transition rules and ratcheting")
	flags.StringVar(&set.fieldValidation, "field-validation", "strict",
		"what is done with fields that are unknown or twice there: strict refuses them,\n"+
			"as kubectl asks for, warn tells of them, ignore drops them without a word")
}

// run finds the CRDs, reads the objects, and reports the answers to them. It returns the exit code.
func (set *validateSettings) run(ctx context.Context, args []string, stdin io.Reader, rep *reporter) int {
	set.files = append(set.files, args...)
	sources, old, problems := set.read(stdin)
	if diag.HasErrors(problems) {
		return rep.usage(problems...)
	}
	list, problems := crds.Find(ctx, set.where(stdin, rep.progress()))
	if ctx.Err() != nil {
		return rep.interrupted()
	}
	if diag.HasErrors(problems) {
		return rep.write(problems)
	}
	v := &sample.Run{Catalog: sample.NewCatalog(list), Validation: validations()[set.fieldValidation],
		Progress: rep.progress()}
	problems = append(problems, v.Store(ctx, v.Read(ctx, old))...)
	if ctx.Err() == nil && diag.HasErrors(problems) {
		return rep.write(problems)
	}
	files := v.Read(ctx, sources)
	problems = append(problems, v.Validate(ctx, files)...)
	if ctx.Err() != nil {
		return rep.interrupted()
	}
	all, count := append(slices.Clone(problems), sample.Findings(files)...), sample.Count(files)
	if nothing := count.Nothing(v.Catalog, files); nothing != nil && !diag.HasErrors(all) {
		return rep.usage(*nothing)
	}
	if rep.format != formatText {
		code := rep.write(diag.Sort(all))
		if rep.summarizes() {
			fmt.Fprintln(rep.stdout, count)
		}
		return code
	}
	w := sample.TextWriter{Answers: rep.stdout, Findings: rep.stderr, Options: rep.textOptions()}
	w.Write(problems, files)
	return exitCode(all)
}

// validations are the values of --field-validation.
func validations() map[string]sample.Validation {
	return map[string]sample.Validation{"strict": sample.Strict, "warn": sample.Warn, "ignore": sample.Ignore}
}

// read reads the files that are named.
func (set *validateSettings) read(stdin io.Reader) (sources, old []*diag.Source, problems []diag.Diagnostic) {
	if validations()[set.fieldValidation] == "" {
		return nil, nil, []diag.Diagnostic{
			input.Errorf("--field-validation may only be strict, warn or ignore, not %q", set.fieldValidation),
		}
	}
	if len(set.files) == 0 {
		return nil, nil, []diag.Diagnostic{input.Errorf("no file is named").Help("crdproof validate config/samples")}
	}
	if problems := readTwice(set.files, set.crds, set.old); len(problems) > 0 {
		return nil, nil, problems
	}
	sources, problems = input.Sources(set.files, stdin)
	if len(set.old) > 0 {
		stored, more := input.Sources(set.old, stdin)
		old, problems = stored, append(problems, more...)
	}
	return sources, old, append(problems, arguments.CheckPaths("--paths", set.paths)...)
}

const validateUsage = `crdproof validate says what an API server would answer to objects of your CRDs, such as the samples of an operator: fields
that it does not know, what it refuses and why, its warnings. No cluster is asked, the answers are of the server's own code.

Usage:
  crdproof validate [flags] <file>…

A file is YAML or JSON, with any number of documents; objects of kinds that the CRDs do not have are passed over. A directory
stands for its *.yaml, *.yml and *.json, <directory>/... for those below it as well, - for standard input, and <revision>:<path>
for what a revision of the git repository has there. CRDs and stored objects are named in the same way.

The exit code is 1 where an object is refused, and 2 where no object is of a kind of the CRDs.

Examples:
  crdproof validate config/samples
  crdproof validate -f config/samples/ --crds=config/crd/bases
  crdproof validate --crds=v1.2.0:config/crd/bases config/samples
  crdproof validate --old=v1.yaml --crds=config/crd/bases v2.yaml
  kustomize build config/default | crdproof validate -
`
