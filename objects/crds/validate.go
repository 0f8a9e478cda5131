package crds

import (
	"cmp"
	"context"
	"crypto/sha256"
	"maps"
	"path/filepath"
	"slices"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/helpers"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/internal/stage"
	"github.com/crdproof/crdproof/rules"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/rules/size"
	"github.com/crdproof/crdproof/rules/verdicts"
	"github.com/crdproof/crdproof/schema"
	"github.com/crdproof/crdproof/schema/read"
)

// Validated is the result of validating the CRDs of files.
type Validated struct {
	// CRDs counts the CRDs, Files the files that have CRDs, and Skipped the rest.
	CRDs, Files int
	Skipped     read.Skipped
	// Found are the findings about the files and their CRDs, sorted.
	Found []diag.Diagnostic
	// IsComplete is set if all files could be read, so that no CRDs are missing.
	IsComplete bool
	// Sessions are those of the CRDs, in the order of the files, if Validation.Keep is set.
	Sessions []*session.Session
}

func (p Validated) String() string {
	out := diag.Counted(p.CRDs, "CRD") + " in " + diag.Counted(p.Files, "file")
	if skipped := p.Skipped.String(); skipped != "" {
		out += " (skipped: " + skipped + ")"
	}
	return out
}

// Validation says how Validate validates.
type Validation struct {
	session.Options
	// Keep keeps the sessions, if more is to be generated from the CRDs.
	Keep bool
	// Apart keeps those of the CRDs alone that API servers accept. The errors of the others are warnings then, unless
	// there are only such.
	Apart bool
	// Verdicts are those of earlier runs; nil validates all CRDs.
	Verdicts *verdicts.Store
	// Progress reports the progress; it may be nil.
	Progress stage.Progress
}

// Validate validates each CRD of files. Results are undefined after cancellation; check ctx.Err() first.
func Validate(ctx context.Context, sources []*diag.Source, opts Validation) Validated {
	results := make([][]*validated, len(sources))
	problems := make([][]diag.Diagnostic, len(sources))
	skipped := make([]read.Skipped, len(sources))
	incomplete := make([][]*validated, len(sources))
	stage.Stream(ctx, opts.Progress, "validating CRDs", len(sources), func(i int, run func(func())) {
		defer stage.InFile(&problems[i], sources[i])
		skipped[i], problems[i] = read.EachDocument(sources[i], func(doc read.Document) {
			v := &validated{
				name: doc.CRD.Name.V, at: doc.CRD.At, names: rules.NamesOf(doc.CRD), sum: sha256.Sum256(doc.JSON),
			}
			results[i] = append(results[i], v)
			run(func() {
				defer stage.InFile(&v.found, sources[i])
				s := v.validate(ctx, doc, opts)
				if opts.Keep {
					v.session = s // which may be large
				}
			})
		}, func(c *schema.CRD, inFrame bool) {
			v := &validated{name: c.Name.V, at: c.At}
			incomplete[i] = append(incomplete[i], v)
			run(func() {
				defer stage.InFile(&v.found, sources[i])
				v.found = rules.CheckIncomplete(ctx, session.New(c, nil, opts.Options), inFrame)
			})
		})
	})
	out := Validated{Found: slices.Concat(problems...)}
	out.IsComplete = !diag.HasErrors(out.Found)
	all := slices.Concat(results...)
	out.CRDs = len(all)
	for i := range results {
		out.Files += min(len(results[i]), 1)
		out.Skipped.Add(skipped[i])
	}
	dropConverted(ctx, all, sources)
	if opts.Apart {
		exclude(all)
	}
	for _, v := range all {
		out.Found = append(out.Found, v.found...)
		if opts.Keep && !v.isExcluded {
			out.Sessions = append(out.Sessions, v.session)
		}
	}
	var names []string
	for _, v := range slices.Concat(incomplete...) {
		out.Found = append(out.Found, v.found...)
		names = append(names, cmp.Or(v.name, "a CRD without a name"))
	}
	if len(names) > 0 {
		out.Found = append(out.Found, notDecoded(names))
	}
	out.Found = diag.Sort(slices.Concat(out.Found, duplicates(all), commonNames(all)))
	return out
}

// A validated CRD is what remains of one in a file.
type validated struct {
	name  string
	at    diag.Span
	names rules.Names
	// sum is that of the JSON that a client sends.
	sum     [sha256.Size]byte
	session *session.Session
	found   []diag.Diagnostic
	// isExcluded is set if the CRD gets no helpers.
	isExcluded bool
}

// exclude excludes the CRDs from helpers that an API server rejects.
func exclude(all []*validated) {
	reports := make([]helpers.Report, len(all))
	for i, v := range all {
		reports[i] = helpers.Report{CRD: v.session.CRD, Found: v.found}
	}
	helpers.Exclude(reports)
	for i, v := range all {
		v.found, v.isExcluded = reports[i].Found, reports[i].IsExcluded
	}
}

// validate sets the findings about the CRD.
func (v *validated) validate(ctx context.Context, doc read.Document, opts Validation) *session.Session {
	object, err := kube.Decode(doc.JSON)
	s := session.New(doc.CRD, object, opts.Options)
	if err != nil {
		v.found = []diag.Diagnostic{Undecodable(doc.CRD.At, err)}
	} else {
		v.found = append(opts.Verdicts.Check(ctx, s, doc.JSON), size.CheckJSON(doc.CRD, doc.JSON)...)
	}
	return s
}

// duplicates reports CRDs that occur twice in one file, or that differ in two files of a directory: of those that are
// applied together, the last one counts. Files in other directories are for other uses, such as channels and charts.
func duplicates(all []*validated) (found []diag.Diagnostic) {
	type place struct{ dir, name string }
	first := map[place]*validated{}
	for _, v := range all {
		where := place{filepath.Dir(v.at.Source.Path), v.name}
		before := first[where]
		switch {
		case v.name == "":
		case before == nil:
			first[where] = v
		case v.at.Source == before.at.Source || v.sum != before.sum:
			found = append(found, diag.Warningf(v.at, differing, "duplicate CRD %s", v.name).
				Note("if both are applied, the last one counts").Help("remove one of them").
				See(before.at, "the first one"))
		}
	}
	return found
}

// commonNames reports names that several CRDs in the files of a directory have.
func commonNames(all []*validated) (found []diag.Diagnostic) {
	byDir := map[string][]rules.Names{}
	for _, v := range all {
		dir := filepath.Dir(v.at.Source.Path)
		byDir[dir] = append(byDir[dir], v.names)
	}
	for _, dir := range slices.Sorted(maps.Keys(byDir)) {
		found = append(found, rules.CommonNames(byDir[dir])...)
	}
	return found
}

// None does what the function None does. It says what has been skipped: patches may be CRDs whose spec is missing.
func (p Validated) None(args []string, sources []*diag.Source) diag.Diagnostic {
	d := None(args, sources)
	if skipped := p.Skipped.String(); skipped != "" {
		d = d.Note("skipped: %s", skipped)
	}
	if p.Skipped.Patches > 0 {
		d = d.Note("a CRD has a group, names and a scope; without them it is a patch")
	}
	return d
}

// None reports that the files of the arguments have no CRD.
func None(args []string, sources []*diag.Source) diag.Diagnostic {
	where := diag.Counted(len(sources), "file")
	if len(sources) == 1 {
		where = input.Shown(sources[0].Path)
	}
	return input.Errorf("no CustomResourceDefinition found in %s", where).
		Help("%s", cmp.Or(input.AllBelow(args), nameFiles))
}
