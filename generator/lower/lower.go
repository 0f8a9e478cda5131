// Package lower turns declarations and markers into schema.CRDs. Below internal, each stage is a package:
//
//  1. read: comments become markers and named rules
//  2. gotype: from the kinds outward, each Go type becomes a node that refers to other types by name; a reference that
//     closes a cycle is cut
//  3. apply: markers are added to nodes as keywords; what keywords cannot express becomes CEL (cel, pattern)
//  4. flatten: references and embedded structs are merged into one tree, and its mistakes are reported
//
// This package makes CRDs with their versions of the kinds (crd.go), and checks the markers that no kind reaches. All
// stages report what they find through package report, at the path from a kind to the current declaration.
//
// The package carries no promise, and may change in any release: see docs/stability.md.
package lower

import (
	"context"
	"iter"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/generator/lower/internal/checks"
	"github.com/crdproof/crdproof/generator/lower/internal/gotype"
	"github.com/crdproof/crdproof/generator/lower/internal/options"
	"github.com/crdproof/crdproof/generator/lower/internal/report"
	"github.com/crdproof/crdproof/internal/stage"
	"github.com/crdproof/crdproof/rules/check"
	"github.com/crdproof/crdproof/schema"
)

// Options change what is built.
type Options = options.Options

// A Format is a format of strings that a project has declared.
type Format = options.Format

// A Deviation is a way in which CRDs differ from controller-gen's on purpose.
type Deviation = options.Deviation

// TransitionsLost is the deviation of rules about updates that are dropped.
const TransitionsLost = options.TransitionsLost

// A Variant is one of the CRDs that are made of a kind.
type Variant = options.Variant

// RuleUnused is the check of named rules that nothing uses.
const RuleUnused = "rule-unused"

// Checks returns the checks of Go types and of markers.
func Checks() []*diag.Check { return checks.Checks() }

// Deviations returns the table of all deviations, in the order of the documentation.
func Deviations() []Deviation { return options.Deviations() }

// DeviationNames returns the names of all deviations, in the order of the documentation.
func DeviationNames() []string { return options.DeviationNames() }

// IsOptional reports whether CRDs differ in a way only on request.
func IsOptional(deviation string) bool { return options.IsOptional(deviation) }

// TransitionLost returns the note of a rule about updates that is dropped.
func TransitionLost(at diag.Span) diag.Diagnostic { return options.NoteOn(TransitionsLost, at) }

// Policy tells the loader which declarations it need not read, and what is a kind.
func Policy(opts Options) load.Policy {
	p := load.Policy{Opaque: gotype.OpaqueTypes(opts), Markers: opts.OwnMarkers()}
	if !opts.With(options.KindsByMeaning) {
		p.Kinds = load.ByName
	}
	if !opts.With(options.VersionsByMeaning) {
		p.Versions = load.ByName
	}
	return p
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

// A Doubt is what may be missing in a CRD because of errors on the way to it.
type Doubt struct {
	// Unread is set if declarations are missing that the CRD may need, since a file does not parse.
	Unread bool
	// Partial is set if types of fields are not known, for that reason or since an import is missing.
	Partial bool
	// InFrame is set if something may be missing outside of the schemas, InSchemas if some of these are incomplete.
	InFrame, InSchemas bool
}

// CRDs makes the CRDs of all kinds in the program's root packages, sorted by kind and group, one by one, so that not
// all of them are in memory at once. Each comes with what may be missing in it. found is set when the loop over them
// ends; after a break it is incomplete. CRDs reports to progress how many of the CRDs are made.
func CRDs(
	ctx context.Context, program *load.Program, opts Options, progress stage.Progress, found *Found,
) iter.Seq2[*schema.CRD, Doubt] {
	return func(yield func(*schema.CRD, Doubt) bool) {
		w := newFramer(report.New(ctx, program, opts))
		w.crds(progress, yield)
		*found = w.found()
	}
}

// found checks the declarations that no CRD led to, and returns all findings.
func (w *framer) found() Found {
	w.marks.Annotate()
	w.marks.CheckRules()
	w.ReportPlaced()
	w.marks.CheckGates()
	w.marks.CheckDecls(w.isVersion)
	if w.none {
		w.marks.CheckNone(w.skipped)
	}
	return Found{
		Diagnostics: diag.Sort(w.Findings()), Deviations: diag.Sort(w.Deviations), Silences: w.marks.Silences,
	}
}
