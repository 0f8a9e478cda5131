package sample

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/stage"
	"github.com/crdproof/crdproof/schema/read"
)

// A Run validates the objects of files.
type Run struct {
	Catalog    *Catalog
	Validation Validation
	Progress   stage.Progress
	// old are the objects that are stored already, by their identity.
	old map[identity]storedObject
}

// A File is a file of objects with its findings and answers.
type File struct {
	// Found is about the file.
	Found []diag.Diagnostic
	// Answers are those to its objects, in their order.
	Answers []*Answer
}

// An identity distinguishes an object from all others.
type identity struct{ group, kind, namespace, name string }

func identityOf(o *read.Object) identity {
	group, _, _ := strings.Cut(o.APIVersion, "/")
	return identity{group, o.Kind, cmp.Or(o.Namespace, "default"), o.Name}
}

// An entry is what remains of an object after it has been processed: its tree takes many times the memory of its text.
type entry struct {
	identity
	label string
	at    diag.Span
}

func entryOf(o *read.Object) entry { return entry{identityOf(o), NameOf(o), o.At} }

// A storedObject is an object as it is stored, nil if it cannot be, and what its file says.
type storedObject struct {
	*Stored
	entry
	found []diag.Diagnostic
}

// A fileOf is a file with a result for each object, and the findings about the file.
type fileOf[T any] struct {
	found   []diag.Diagnostic
	results []*T
}

// eachObject reads files and calls do with each object: several files at a time, and several of their objects, which
// are not kept. Results are undefined after cancellation; check ctx.Err() first.
func eachObject[T any](
	ctx context.Context, progress stage.Progress, name string, sources []*diag.Source, do func(*read.Object, *T),
) []fileOf[T] {
	out := make([]fileOf[T], len(sources))
	stage.Stream(ctx, progress, name, len(sources), func(i int, run func(func())) {
		f := &out[i]
		defer stage.InFile(&f.found, sources[i])
		f.found = read.EachObject(sources[i], func(o *read.Object) {
			result := new(T)
			f.results = append(f.results, result)
			run(func() { do(o, result) })
		})
		read.Unrendered(f.found, "render it first: helm template . | crdproof validate -")
	})
	return out
}

// Store sets the objects of files as those that are stored. The findings say which of them cannot be stored.
func (r *Run) Store(ctx context.Context, sources []*diag.Source) (found []diag.Diagnostic) {
	files := eachObject(ctx, r.Progress, "reading stored objects", sources, func(o *read.Object, s *storedObject) {
		s.entry = entryOf(o)
		defer stage.InFile(&s.found, o.At.Source)
		var problem *diag.Diagnostic
		if s.Stored, problem = r.Catalog.Stored(ctx, o); problem != nil {
			s.found = []diag.Diagnostic{*problem}
		}
	})
	r.old = map[identity]storedObject{}
	for _, f := range files {
		found = append(found, f.found...)
		for _, s := range f.results {
			found = append(found, s.found...)
			switch first, twice := r.old[s.identity]; {
			case s.Stored == nil:
			case twice && s.name != "":
				found = append(found, diag.Warningf(s.at, unstorable,
					"duplicate stored object %s; the first one is used", s.label).See(first.at, "the first one"))
			default:
				r.old[s.identity] = *s
			}
		}
	}
	return diag.Sort(found)
}

// Validate returns files with the answers of an API server to all their objects. The findings are notes about stored
// objects without an update. Results are undefined after cancellation; check ctx.Err() first.
func (r *Run) Validate(ctx context.Context, sources []*diag.Source) (out []File, found []diag.Diagnostic) {
	files := eachObject(ctx, r.Progress, "validating objects", sources, func(o *read.Object, answer *Answer) {
		r.answer(ctx, o, answer)
		answer.entry, answer.kind = entryOf(o), o.Kind
	})
	for _, f := range files {
		out = append(out, File{f.found, f.results})
	}
	return out, r.withoutUpdate(out)
}

// answer sets the answer to an object.
func (r *Run) answer(ctx context.Context, o *read.Object, answer *Answer) {
	*answer = Answer{Outcome: Unvalidated, Name: NameOf(o)}
	defer stage.InFile(&answer.Found, o.At.Source)
	opts := Options{Validation: r.Validation}
	if o.Name != "" { // an object without a name is always created: the server generates one
		opts.Old = r.old[identityOf(o)].Stored
	}
	a, err := r.Catalog.Validate(ctx, o, opts)
	if err != nil {
		answer.Found = []diag.Diagnostic{
			diag.Errorf(o.At, stage.Internal, "crdproof has a bug: %v", err).
				Help("please report it together with the object and its CRD"),
		}
		return
	}
	*answer = a
}

// withoutUpdate reports the stored objects that no object updates.
func (r *Run) withoutUpdate(files []File) []diag.Diagnostic {
	left := maps.Clone(r.old)
	for _, f := range files {
		for _, a := range f.Answers {
			if a.name != "" {
				delete(left, a.identity)
			}
		}
	}
	if len(left) == 0 {
		return nil
	}
	order := slices.SortedFunc(maps.Values(left), func(a, b storedObject) int {
		return cmp.Or(strings.Compare(a.at.Source.Path, b.at.Source.Path),
			cmp.Compare(a.at.Start, b.at.Start))
	})
	var names []string
	for _, old := range order {
		names = append(names, old.label)
	}
	return []diag.Diagnostic{
		diag.Notef(diag.Span{}, unstorable, "%s without an update: %s", diag.Counted(len(names), "stored object"),
			some(names, maxListed)).
			Note("an update has the same kind, namespace and name"),
	}
}

// some returns the first few of a list of names.
func some(names []string, most int) string {
	if len(names) > most {
		names = append(names[:most:most], "…")
	}
	return strings.Join(names, ", ")
}
