package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/crdproof/crdproof/generator/crds"
	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/input"
	"github.com/crdproof/crdproof/generator/read"
	"github.com/crdproof/crdproof/generator/stage"
	"github.com/crdproof/crdproof/rules/sample"
)

// commandValidate is the first argument that asks what an API server would say of objects.
const commandValidate = "validate"

// validateSettings are the flags of validate.
type validateSettings struct {
	crdSettings
	files, old      []string
	fieldValidation string
}

func newValidateFlags(set *validateSettings) *pflag.FlagSet {
	flags := pflag.NewFlagSet("crdproof validate", pflag.ContinueOnError)
	flags.StringSliceVarP(&set.files, "filename", "f", nil, "files of objects, in place of or beside the arguments")
	set.add(flags, "config/crd/bases or config/crd, here or above, or Go types of api, apis or pkg/apis")
	flags.StringSliceVar(&set.old, "old", nil, "files of objects that are stored: an object of the same kind, namespace and\nname is an update of it, with transition rules and ratcheting")
	flags.StringVar(&set.fieldValidation, "field-validation", "strict",
		"what is done with fields that are unknown or twice there: strict refuses them,\nas kubectl asks for, warn tells of them, ignore drops them without a word")
	return flags
}

// runValidate is the whole command: flags, CRDs, objects, answers. It returns the exit code.
func runValidate(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var set validateSettings
	flags := newValidateFlags(&set)
	rep, code := begin(flags, validateUsage, args, stdout, stderr)
	if rep == nil {
		return code
	}
	set.files = append(set.files, flags.Args()...)
	opts, sources, old, problems := set.read(stdin)
	if diag.HasErrors(problems) {
		rep.usage(problems)
		return exitUsage
	}
	found, problems := crds.Find(ctx, crds.Where{
		Files: set.crds, Paths: set.paths, BuildTags: set.buildTags, Stdin: stdin, Progress: rep.progress(),
	})
	if ctx.Err() != nil {
		return rep.interrupted()
	}
	if diag.HasErrors(problems) {
		return rep.write(problems)
	}
	v := &validation{catalog: sample.NewCatalog(found), opts: opts, progress: rep.progress()}
	problems = append(problems, v.store(ctx, v.read(ctx, old))...)
	if ctx.Err() == nil && diag.HasErrors(problems) {
		return rep.write(problems)
	}
	files := v.read(ctx, sources)
	v.validate(ctx, files)
	if ctx.Err() != nil {
		return rep.interrupted()
	}
	return v.report(rep, append(problems, v.withoutUpdate(files)...), files)
}

// read reads the files that are named, and what is said of how they are validated.
func (s *validateSettings) read(stdin io.Reader) (opts sample.Options, sources, old []*diag.Source, problems []diag.Diagnostic) {
	var known bool
	opts.Validation, known = map[string]sample.Validation{
		"strict": sample.Strict, "warn": sample.Warn, "ignore": sample.Ignore,
	}[s.fieldValidation]
	if !known {
		return opts, nil, nil, []diag.Diagnostic{
			input.Errorf("--field-validation may only be strict, warn or ignore, not %q", s.fieldValidation),
		}
	}
	if len(s.files) == 0 {
		return opts, nil, nil, []diag.Diagnostic{input.Errorf("no file is named").Help("crdproof validate config/samples")}
	}
	if problems := readTwice(s.files, s.crds, s.old); len(problems) > 0 {
		return opts, nil, nil, problems
	}
	sources, problems = input.Sources(s.files, stdin)
	if len(s.old) > 0 {
		stored, more := input.Sources(s.old, stdin)
		old, problems = stored, append(problems, more...)
	}
	return opts, sources, old, append(problems, checkPaths("--paths", s.paths)...)
}

// An identity is what tells an object from others.
type identity struct{ group, kind, namespace, name string }

func identityOf(o *read.Object) identity {
	group, _, _ := strings.Cut(o.APIVersion, "/")
	return identity{group, o.Kind, cmp.Or(o.Namespace, "default"), o.Name}
}

// A validation is a run of the command.
type validation struct {
	catalog  *sample.Catalog
	opts     sample.Options
	progress stage.Progress
	// old are the objects that are stored already, by what they are.
	old map[identity]storedObject
}

// A storedObject is an object as it is stored, with what it was written as.
type storedObject struct {
	*sample.Stored
	object *read.Object
}

// An objectFile is a file of objects, and what is said of it and of them.
type objectFile struct {
	// found is about the file.
	found   []diag.Diagnostic
	objects []read.Object
	answers []sample.Answer
}

// read reads files of objects.
func (v *validation) read(ctx context.Context, sources []*diag.Source) []objectFile {
	out := make([]objectFile, len(sources))
	stage.Run(ctx, v.progress, "reading files", len(sources), func(i int) {
		defer stage.InFile(&out[i].found, sources[i])
		out[i].objects, out[i].found = read.Objects(sources[i])
	})
	return out
}

// objectsOf are the objects of files.
func objectsOf(files []objectFile) (out []*read.Object) {
	for _, f := range files {
		for i := range f.objects {
			out = append(out, &f.objects[i])
		}
	}
	return out
}

// store remembers the objects of files as those that are stored. The findings say which of them cannot be.
func (v *validation) store(ctx context.Context, files []objectFile) (found []diag.Diagnostic) {
	for _, f := range files {
		found = append(found, f.found...)
	}
	objects := objectsOf(files)
	stored := make([]*sample.Stored, len(objects))
	problems := make([][]diag.Diagnostic, len(objects))
	stage.Run(ctx, v.progress, "reading stored objects", len(objects), func(i int) {
		defer stage.InFile(&problems[i], objects[i].At.Source)
		var problem *diag.Diagnostic
		if stored[i], problem = v.catalog.Stored(ctx, objects[i]); problem != nil {
			problems[i] = []diag.Diagnostic{*problem}
		}
	})
	found = append(found, slices.Concat(problems...)...)
	v.old = map[identity]storedObject{}
	for i, o := range objects {
		id := identityOf(o)
		switch first, twice := v.old[id]; {
		case stored[i] == nil:
		case twice && o.Name != "":
			found = append(found, diag.Warningf(o.At, sample.Unstorable, "%s is stored twice; the first counts", sample.NameOf(o)).
				See(first.object.At, "the first"))
		default:
			v.old[id] = storedObject{stored[i], o}
		}
	}
	return diag.Sort(found)
}

// withoutUpdate tells of the stored objects that no object is an update of.
func (v *validation) withoutUpdate(files []objectFile) []diag.Diagnostic {
	left := maps.Clone(v.old)
	for _, o := range objectsOf(files) {
		if o.Name != "" {
			delete(left, identityOf(o))
		}
	}
	if len(left) == 0 {
		return nil
	}
	var objects []*read.Object
	for _, old := range left {
		objects = append(objects, old.object)
	}
	slices.SortFunc(objects, func(a, b *read.Object) int {
		return cmp.Or(strings.Compare(a.At.Source.Path, b.At.Source.Path), cmp.Compare(a.At.Start, b.At.Start))
	})
	var names []string
	for _, o := range objects {
		names = append(names, sample.NameOf(o))
	}
	const maxNames = 12 // that are named
	if len(names) > maxNames {
		names = append(names[:maxNames], "…")
	}
	return []diag.Diagnostic{
		diag.Notef(diag.Span{}, sample.Unstorable, "%s without an update: %s",
			diag.Counted(len(objects), "stored object"), strings.Join(names, ", ")).
			Note("an update has the same kind, namespace and name"),
	}
}

// validate asks of all objects what an API server would say.
func (v *validation) validate(ctx context.Context, files []objectFile) {
	var answers []*sample.Answer
	for i := range files {
		f := &files[i]
		f.answers = make([]sample.Answer, len(f.objects))
		for k := range f.answers {
			answers = append(answers, &f.answers[k])
		}
	}
	objects := objectsOf(files)
	stage.Run(ctx, v.progress, "validating objects", len(objects), func(i int) {
		*answers[i] = sample.Answer{Outcome: sample.Unjudged, Name: sample.NameOf(objects[i])}
		defer stage.InFile(&answers[i].Found, objects[i].At.Source)
		*answers[i] = v.answer(ctx, objects[i])
	})
}

// answer asks of one object. What has no name is always created: the server makes one up.
func (v *validation) answer(ctx context.Context, o *read.Object) sample.Answer {
	opts := v.opts
	if o.Name != "" {
		opts.Old = v.old[identityOf(o)].Stored
	}
	answer, err := v.catalog.Validate(ctx, o, opts)
	if err != nil {
		return sample.Answer{Outcome: sample.Unjudged, Name: sample.NameOf(o), Found: []diag.Diagnostic{
			diag.Errorf(o.At, stage.Internal, "crdproof has a bug: %v", err).
				Help("please report it together with the object and its CRD"),
		}}
	}
	return answer
}

// report writes what was said of the objects, and returns the exit code. CRDs are told once why they cannot be served.
func (v *validation) report(rep *reporter, found []diag.Diagnostic, files []objectFile) int {
	all := slices.Clone(found)
	count := tally{passedOver: map[string]int{}}
	for _, f := range files {
		all = append(all, f.found...)
		for i, a := range f.answers {
			count.add(a, &f.objects[i])
			all = append(all, a.Found...)
		}
	}
	if count.judged() == 0 && !diag.HasErrors(all) {
		rep.usage([]diag.Diagnostic{nothingValidated(count, v.catalog, len(files))})
		return exitUsage
	}
	if rep.format != formatText {
		code := rep.write(diag.Sort(all))
		if rep.summarizes() {
			fmt.Fprintln(rep.stdout, count.String())
		}
		return code
	}
	w := newAnswerWriter(rep)
	w.findings(found)
	for _, f := range files {
		w.findings(f.found)
		for i, a := range f.answers {
			w.answer(a, &f.objects[i])
		}
	}
	w.end(count)
	return exitCode(all)
}

func nothingValidated(count tally, catalog *sample.Catalog, files int) diag.Diagnostic {
	kinds := catalog.Kinds()
	if len(kinds) > maxKinds {
		kinds = append(kinds[:maxKinds], "…")
	}
	d := input.Errorf("there is no object of a kind of the CRDs in %s", diag.Counted(files, "file")).
		Note("the CRDs have the kinds %s", strings.Join(kinds, ", ")).
		Help("name the files of objects, as in: crdproof validate config/samples --crds=config/crd/bases")
	if len(count.passedOver) > 0 {
		d = d.Note("%s", count.strangers())
	}
	return d
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
