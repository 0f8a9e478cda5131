package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/cli/arguments"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/objects/sample"
	"github.com/crdproof/crdproof/rules/kube"
)

// validateSettings are the flags of validate.
type validateSettings struct {
	crdSettings
	policySettings
	serverSettings
	files, old      []string
	fieldValidation string
}

func (set *validateSettings) flags(flags *pflag.FlagSet) {
	listFlag(flags, &set.files, "filename", "f", "files of objects, in addition to the arguments")
	set.crdSettings.flags(flags,
		"those of the key crds in .crdproof.yaml, or those that crdproof test finds, from this\ndirectory upwards")
	listFlag(flags, &set.old, "old", "",
		"files of stored objects: an object of the same kind, namespace and name is\n"+
			"validated as an update, with transition rules and ratcheting")
	set.policySettings.flags(flags)
	set.serverSettings.flags(flags, kube.DefaultRange(),
		"Kubernetes versions: the last one answers, and notes say which others accept what\nit rejects")
	flags.StringVar(&set.fieldValidation, "field-validation", "strict",
		"how to handle unknown and duplicate fields: strict rejects them, as for kubectl,\n"+
			"warn reports them, ignore drops them silently")
	oneOf(flags, "field-validation", validations())
}

// run finds the CRDs, reads the objects, and prints what an API server answers. It returns the exit code.
func (set *validateSettings) run(ctx context.Context, args []string, stdin io.Reader, rep *reporter) int {
	collectLess()
	set.files = append(set.files, args...)
	if problems := append(set.apply(rep), set.parse()...); len(problems) > 0 {
		return rep.usage(problems...)
	}
	sources, old, problems := set.read(ctx, stdin)
	if diag.HasErrors(problems) {
		return rep.usage(problems...)
	}
	where, problem := set.where(stdin, rep)
	if problem != nil {
		return rep.usage(*problem)
	}
	list, problems := crds.Find(ctx, where)
	if ctx.Err() != nil {
		return rep.interrupted()
	}
	if diag.HasErrors(problems) {
		return rep.write(problems)
	}
	v := &sample.Run{
		Catalog: sample.NewCatalog(list).For(set.versions), Validation: set.validation(), Progress: rep.progress(),
	}
	problems = append(problems, v.Store(ctx, old)...)
	if ctx.Err() == nil && diag.HasErrors(problems) {
		return rep.write(problems)
	}
	files, notes := v.Validate(ctx, sources)
	problems = append(problems, notes...)
	if ctx.Err() != nil {
		return rep.interrupted()
	}
	problems = rep.policy.Apply(problems)
	for i := range files {
		files[i].Each(func(found *[]diag.Diagnostic) { *found = rep.policy.Apply(*found) })
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

// validations returns the values of --field-validation, those of the API in lowercase letters.
func validations() (names []string) {
	for _, v := range sample.Validations() {
		names = append(names, strings.ToLower(string(v)))
	}
	return names
}

// validation returns the value of --field-validation.
func (set *validateSettings) validation() sample.Validation {
	return sample.Validations()[slices.Index(validations(), set.fieldValidation)]
}

// read reads the files of objects.
func (set *validateSettings) read(
	ctx context.Context, stdin io.Reader,
) (sources, old []*diag.Source, problems []diag.Diagnostic) {
	if len(set.files) == 0 {
		return nil, nil, []diag.Diagnostic{input.Errorf("no files are named").Help("name files or directories, for " +
			"example crdproof validate config/samples")}
	}
	if problems := readTwice(set.files, set.crds, set.old); len(problems) > 0 {
		return nil, nil, problems
	}
	sources, problems = input.Sources(ctx, set.files, stdin)
	if len(set.old) > 0 {
		stored, more := input.Sources(ctx, set.old, stdin)
		old, problems = stored, append(problems, more...)
	}
	return sources, old, append(problems, arguments.CheckPaths("--paths", set.paths)...)
}
