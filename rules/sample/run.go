package sample

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/read"
	"github.com/crdproof/crdproof/generator/stage"
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
	Found   []diag.Diagnostic
	Objects []read.Object
	// Answers are those to the objects, in the same order.
	Answers []Answer
}

// An identity distinguishes an object from all others.
type identity struct{ group, kind, namespace, name string }

func identityOf(o *read.Object) identity {
	group, _, _ := strings.Cut(o.APIVersion, "/")
	return identity{group, o.Kind, cmp.Or(o.Namespace, "default"), o.Name}
}

// A storedObject is an object as it is stored, and as it is written in its file.
type storedObject struct {
	*Stored
	object *read.Object
}

// Read reads files of objects. Results of all methods are undefined after cancellation; check ctx.Err() first.
func (r *Run) Read(ctx context.Context, sources []*diag.Source) []File {
	out := make([]File, len(sources))
	stage.Run(ctx, r.Progress, "reading files", len(sources), func(i int) {
		defer stage.InFile(&out[i].Found, sources[i])
		out[i].Objects, out[i].Found = read.Objects(sources[i])
	})
	return out
}

// objectsOf are the objects of files.
func objectsOf(files []File) (out []*read.Object) {
	for _, f := range files {
		for i := range f.Objects {
			out = append(out, &f.Objects[i])
		}
	}
	return out
}

// Store sets the objects of files as those that are stored. The findings say which of them cannot be stored.
func (r *Run) Store(ctx context.Context, files []File) (found []diag.Diagnostic) {
	for _, f := range files {
		found = append(found, f.Found...)
	}
	objects := objectsOf(files)
	stored := make([]*Stored, len(objects))
	problems := make([][]diag.Diagnostic, len(objects))
	stage.Run(ctx, r.Progress, "reading stored objects", len(objects), func(i int) {
		defer stage.InFile(&problems[i], objects[i].At.Source)
		var problem *diag.Diagnostic
		if stored[i], problem = r.Catalog.Stored(ctx, objects[i]); problem != nil {
			problems[i] = []diag.Diagnostic{*problem}
		}
	})
	found = append(found, slices.Concat(problems...)...)
	r.old = map[identity]storedObject{}
	for i, o := range objects {
		id := identityOf(o)
		switch first, twice := r.old[id]; {
		case stored[i] == nil:
		case twice && o.Name != "":
			found = append(found, diag.Warningf(o.At, unstorable,
				"duplicate stored object %s; the first one is used", NameOf(o)).
				See(first.object.At, "the first one"))
		default:
			r.old[id] = storedObject{stored[i], o}
		}
	}
	return diag.Sort(found)
}

// Validate fills in the answers of an API server to all objects of files. The findings are notes about stored objects
// without an update.
func (r *Run) Validate(ctx context.Context, files []File) []diag.Diagnostic {
	var answers []*Answer
	for i := range files {
		f := &files[i]
		f.Answers = make([]Answer, len(f.Objects))
		for k := range f.Answers {
			answers = append(answers, &f.Answers[k])
		}
	}
	objects := objectsOf(files)
	stage.Run(ctx, r.Progress, "validating objects", len(objects), func(i int) {
		o := objects[i]
		*answers[i] = Answer{Outcome: Unvalidated, Name: NameOf(o)}
		defer stage.InFile(&answers[i].Found, o.At.Source)
		opts := Options{Validation: r.Validation}
		if o.Name != "" { // an object without a name is always created: the server generates one
			opts.Old = r.old[identityOf(o)].Stored
		}
		answer, err := r.Catalog.Validate(ctx, o, opts)
		if err != nil {
			answers[i].Found = []diag.Diagnostic{
				diag.Errorf(o.At, stage.Internal, "crdproof has a bug: %v", err).
					Help("please report it together with the object and its CRD"),
			}
			return
		}
		*answers[i] = answer
	})
	return r.withoutUpdate(objects)
}

// withoutUpdate reports the stored objects that no object updates.
func (r *Run) withoutUpdate(objects []*read.Object) []diag.Diagnostic {
	left := maps.Clone(r.old)
	for _, o := range objects {
		if o.Name != "" {
			delete(left, identityOf(o))
		}
	}
	if len(left) == 0 {
		return nil
	}
	order := slices.SortedFunc(maps.Values(left), func(a, b storedObject) int {
		return cmp.Or(strings.Compare(a.object.At.Source.Path, b.object.At.Source.Path),
			cmp.Compare(a.object.At.Start, b.object.At.Start))
	})
	var names []string
	for _, old := range order {
		names = append(names, NameOf(old.object))
	}
	return []diag.Diagnostic{
		diag.Notef(diag.Span{}, unstorable, "%s without an update: %s", diag.Counted(len(names), "stored object"),
			some(names, maxListed)).
			Note("an update has the same kind, namespace and name"),
	}
}

// some are the first few of a list of names.
func some(names []string, most int) string {
	if len(names) > most {
		names = append(names[:most:most], "…")
	}
	return strings.Join(names, ", ")
}
