// Package lower turns declarations and markers into schema.CRDs. Each concern has its own receiver. All receivers
// share a run, which knows the path from a kind to the current declaration (run.go). The phases:
//
//  1. frame: kinds become CRDs with their versions (framer: cw.go)
//  2. describe: from the kinds outward, each type becomes a node that refers to other types by name; a reference that
//     closes a cycle is cut (describer: describe.go, struct.go, field.go, marshal.go, known.go). Markers are read
//     (reader: annotate.go, rule_names.go) and added to nodes (applier: apply.go, with the table in meaning.go).
//     Markers about several fields are added to their struct (applier: relate.go, union.go). What keywords cannot
//     express becomes CEL (applier: condition.go, transition.go)
//  3. flatten: references and embedded structs are merged into one tree, and its mistakes are reported (flattener:
//     merge.go, flatten.go, numbers.go, zero.go, absence.go)
//  4. annotate: markers of the root packages that no kind reaches are checked too (annotate.go)
package lower

import (
	"context"
	"iter"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/internal/stage"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/rules/check"
	"github.com/crdproof/crdproof/schema"
)

// Options change what is built.
type Options struct {
	// MaxDescLen limits descriptions to that many bytes, cut at a sentence or word; 0 drops them; nil keeps all.
	MaxDescLen *int
	// AllowDangerousTypes permits floating-point numbers.
	AllowDangerousTypes bool
	// IgnoreUnexportedFields skips unexported fields.
	IgnoreUnexportedFields bool
	// GenerateEmbeddedObjectMeta describes embedded ObjectMeta by its properties.
	GenerateEmbeddedObjectMeta bool
	// PreserveUnknownFields is spec.preserveUnknownFields if not nil.
	PreserveUnknownFields *bool
	// Compat builds what controller-gen would, without any deviation. It does not report warnings about the Go types.
	Compat bool
	// Without names the deviations that are switched off.
	Without []string
	// Declarative enforces the tags of declarative validation in imported types too, and those that are alpha or beta.
	Declarative bool
	// Tolerate reports mistakes that controller-gen accepts as warnings, and changes nothing else.
	Tolerate bool
	// Policy decides which findings are ignored or raised.
	Policy check.Policy
	// Deviations asks for the list of deviations.
	Deviations bool
}

// Policy tells the loader which declarations it need not read, and what is a kind.
func Policy(opts Options) load.Policy {
	p := load.Policy{Opaque: opaqueTypes(opts), Markers: opts.ownMarkers()}
	if !opts.With(kindsByMeaning) {
		p.Kinds = load.ByName
	}
	if !opts.With(versionsByMeaning) {
		p.Versions = load.ByName
	}
	return p
}

// ownMarkers is the table of markers that have an effect in the user's own packages.
func (o *Options) ownMarkers() *markers.Table { return o.markers(true) }

func (o *Options) markers(own bool) *markers.Table {
	return markers.With(markers.Extras{
		Own: o.With(ownMarkers), Tags: o.EnforcesTags() && (own || o.Declarative),
		Enum: o.With(constantsAll), ObjectMeta: o.With(objectMeta), Ignore: !o.Compat,
	})
}

// Found holds the findings about the CRDs of one program.
type Found struct {
	// Diagnostics are the mistakes; if one is an error, the CRDs are incomplete.
	Diagnostics []diag.Diagnostic
	// Deviations are notes at the places where a CRD differs from controller-gen's on purpose; the check is the name of
	// the deviation.
	Deviations []diag.Diagnostic
	// Silences are the findings to ignore at single declarations of the root packages.
	Silences []check.Silence
}

// CRDs makes the CRDs of all kinds in the program's root packages, sorted by kind and group, one by one, so that not
// all of them are in memory at once. Each comes with whether it is sound: complete and without an error on the way to
// it. found is set when the loop over them ends; after a break it is incomplete. CRDs reports to progress how many of
// the CRDs are made.
func CRDs(
	ctx context.Context, program *load.Program, opts Options, progress stage.Progress, found *Found,
) iter.Seq2[*schema.CRD, bool] {
	return func(yield func(*schema.CRD, bool) bool) {
		w := newFramer(newReporter(ctx, program, opts))
		w.crds(progress, yield)
		*found = w.found()
	}
}

// found checks the declarations that no CRD led to, and returns all findings.
func (w *framer) found() Found {
	w.marks.annotate()
	w.marks.checkRules()
	w.marks.checkDecls(w.isVersion)
	if w.none {
		w.marks.checkNone(w.skipped)
	}
	return Found{
		Diagnostics: diag.Sort(w.allFindings()), Deviations: diag.Sort(w.deviations), Silences: w.marks.silences,
	}
}
