// Package crds finds the CRDs that objects are validated against.
//
// The input is what the command line names. If it names nothing, the package looks where operators keep their CRDs.
// The output contains each CRD once, as the object that an API server gets and as the IR, which knows the source
// position of each part.
package crds

import (
	"cmp"
	"context"
	"io"
	"reflect"
	"slices"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/internal/stage"
	"github.com/crdproof/crdproof/rules/check"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
	"github.com/crdproof/crdproof/schema/read"
)

// Where says where CRDs are. The zero value means those of the working directory (Settled).
type Where struct {
	// Files are arguments of a command line, as input.Sources takes them; relative ones start from the working
	// directory.
	Files []string
	// Paths are patterns of Go packages. CRDs of their kinds are generated in memory. BuildTags are the tags for
	// loading.
	Paths, BuildTags []string
	// CRD are the options for generating them.
	CRD generator.Options
	// Usual are files, directories, trees and patterns of CRDs for the case that Files and Paths are empty.
	Usual []schema.Text
	// Dir is the directory for Paths. Without Files and Paths, CRDs are looked for from there upwards. "" is the
	// working directory.
	Dir string
	// Stdin is what the file - stands for.
	Stdin io.Reader
	// Progress gets the progress of reading files and packages; it may be nil.
	Progress stage.Progress
}

// A CRD is one CustomResourceDefinition that was found.
type CRD struct {
	// IR is the CRD with the positions of its parts, in Go or in a file.
	IR *schema.CRD
	// Object is the CRD as an API server decodes it.
	Object *apiext.CustomResourceDefinition
	// Silences are those of the Go packages that the CRD was generated from, the same for all their CRDs.
	Silences []check.Silence
}

// Sources returns the files of the schemas of the CRD, each once.
func (c CRD) Sources() (out []*diag.Source) {
	add := func(at diag.Span) {
		if at.Source != nil && !slices.Contains(out, at.Source) {
			out = append(out, at.Source)
		}
	}
	add(c.IR.At)
	for i := range c.IR.Versions {
		add(c.IR.Versions[i].At)
		schema.Walk(c.IR.Versions[i].Schema, func(p *schema.Place) {
			add(p.Schema.At)
			for _, k := range schema.Keywords() {
				if !k.HoldsSchemas() {
					add(k.At(p.Schema))
				}
			}
		})
	}
	return out
}

// Find returns the CRDs in the order in which they were found, each once. It does not validate them. If a finding is an
// error, CRDs are missing; if there are no CRDs, a finding is an error.
func Find(ctx context.Context, where Where) ([]CRD, []diag.Diagnostic) {
	where, problem := where.Settled()
	if problem != nil {
		return nil, []diag.Diagnostic{*problem}
	}
	list, found := All(ctx, where)
	out, twice := once(list)
	found = diag.Sort(append(found, twice...))
	if len(out) == 0 && !diag.HasErrors(found) {
		found = append(found, where.None())
	}
	return out, found
}

// None reports that there are no CRDs.
func (w Where) None() diag.Diagnostic {
	return input.Errorf("no CustomResourceDefinition found in %s", w).
		Help("%s", cmp.Or(input.AllBelow(w.Files), NameThem))
}

// Settled fills in where CRDs are if that is not given: see usual.go. The problem is that there are none.
func (w Where) Settled() (Where, *diag.Diagnostic) {
	return w.settled(usual)
}

// InFiles is Settled for commands that read no Go packages.
func (w Where) InFiles() (Where, *diag.Diagnostic) {
	out, problem := w.settled(usualFiles)
	if problem != nil && problem.HelpText == NameThem { // with flags that such commands do not have
		problem.Notes, problem.HelpText = lookedFor(w.Dir, generated(), packaged()), nameFiles
	}
	return out, problem
}

func (w Where) settled(search func(dir string) (Where, error)) (Where, *diag.Diagnostic) {
	if len(w.Files) > 0 || len(w.Paths) > 0 {
		return w, nil
	}
	if len(w.Usual) > 0 {
		return w.named()
	}
	found, err := search(w.Dir)
	if err != nil || len(found.Files) == 0 && len(found.Paths) == 0 {
		d := input.Errorf("no CRDs found").Help("%s", NameThem)
		d.Notes = lookedFor(w.Dir, generated(), []string{"Go packages in api, apis and pkg/apis"}, packaged(),
			[]string{"all Go packages of the module"})
		return w, &d
	}
	w.Files, w.Paths, w.Dir = found.Files, found.Paths, found.Dir
	return w, nil
}

// All returns the CRDs of files and packages in the order in which they were found, including duplicates. It does not
// validate them. The findings are errors: the reasons why CRDs are missing.
func All(ctx context.Context, where Where) (out []CRD, found []diag.Diagnostic) {
	if len(where.Files) > 0 {
		sources, problems := input.Sources(ctx, where.Files, where.Stdin)
		out, found = Read(ctx, sources, where.Progress)
		found = append(problems, found...)
	}
	if len(where.Paths) > 0 {
		more, problems := inPackages(ctx, where)
		out, found = append(out, more...), append(found, problems...)
	}
	return out, found
}

// Read is All for files that have been read. After cancellation, CRDs are missing.
func Read(ctx context.Context, sources []*diag.Source, progress stage.Progress) ([]CRD, []diag.Diagnostic) {
	out := make([][]CRD, len(sources))
	found := make([][]diag.Diagnostic, len(sources))
	stage.Run(ctx, progress, "reading CRDs", len(sources), func(i int) { out[i], found[i] = readFile(sources[i]) })
	return slices.Concat(out...), slices.Concat(found...)
}

// readFile retains only findings that explain why CRDs are missing. Other findings are reported when CRDs are generated
// or validated.
func readFile(src *diag.Source) (out []CRD, found []diag.Diagnostic) {
	var docs []read.Document
	_, problems := read.EachDocument(src, func(d read.Document) { docs = append(docs, d) }, nil)
	found = diag.Errors(problems)
	for _, doc := range docs {
		object, err := kube.Decode(doc.JSON)
		if err != nil {
			found = append(found, Undecodable(doc.CRD.At, err))
			continue
		}
		out = append(out, CRD{IR: doc.CRD, Object: object})
	}
	return out, found
}

// inPackages generates the CRDs of Go packages.
func inPackages(ctx context.Context, where Where) (out []CRD, found []diag.Diagnostic) {
	config := generator.Config{Dir: where.Dir, Paths: where.Paths, BuildTags: where.BuildTags, Progress: where.Progress}
	config.CRD = where.CRD
	config.CRD.Tolerate = true
	made, err := generator.CRDs(ctx, config)
	if err != nil {
		return nil, []diag.Diagnostic{load.Problem(err)}
	}
	for _, c := range made.CRDs {
		out = append(out, CRD{IR: c.CRD, Object: c.Object(), Silences: made.Silences})
	}
	return out, diag.Errors(made.Diagnostics)
}

// differing is the check of CRDs that are found twice.
var differing = &diag.Check{ID: "crd-twice", Severity: diag.Warning, Mistake: true}

// Checks returns the table of findings about the search for CRDs.
func Checks() []*diag.Check { return []*diag.Check{differing} }

// once drops duplicate CRDs, and reports those that differ.
func once(list []CRD) (out []CRD, found []diag.Diagnostic) {
	first := map[string]CRD{}
	for _, c := range list {
		before, ok := first[c.Object.Name]
		switch {
		case !ok:
			first[c.Object.Name] = c
			out = append(out, c)
		case !reflect.DeepEqual(before.Object.Spec, c.Object.Spec):
			found = append(found,
				diag.Warningf(c.IR.At, differing, "duplicate CRD %s with a different spec; the first one is used",
					c.Object.Name).
					See(before.IR.At, "the first one"))
		}
	}
	return out, found
}
