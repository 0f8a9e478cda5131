package gotype

import (
	"slices"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/generator/lower/internal/apply"
	"github.com/crdproof/crdproof/generator/lower/internal/flatten"
	"github.com/crdproof/crdproof/generator/lower/internal/node"
	"github.com/crdproof/crdproof/generator/lower/internal/read"
	"github.com/crdproof/crdproof/generator/lower/internal/report"
)

// A Describer makes nodes of Go types from the JSON form of their values and from their markers.
type Describer struct {
	report.Reporter
	ap apply.Applier
	*typeMemo
	// meta is what becomes of ObjectMeta.
	meta metaMode
	// depth is the number of type expressions around the one that is being described.
	depth int64
	// preserves is set in a field that preserves unknown fields.
	preserves bool
}

// A typeMemo holds what has been described for the CRD that is being made. It is dropped for the next one, too.
type typeMemo struct {
	*History
	types map[typeKey]*node.Type
	// argSizes are the sizes of type arguments.
	argSizes map[typeArg]int64
	// missesTypes is set if a type is not known, since a file does not parse or an import is missing.
	missesTypes bool
	// reportedDeep is set once a type that is nested too deep has been reported.
	reportedDeep bool
}

// A History holds what is known from the CRDs that were made before.
type History struct {
	// cycles are the references that closed a cycle once; they are cut wherever the cycle is entered.
	cycles map[reference]*diag.Diagnostic
	// Packages are those that have been read, in order: they may have versions of a kind.
	Packages []*load.Package
}

// NewHistory returns the history of a run that has not described anything.
func NewHistory() *History { return &History{cycles: map[reference]*diag.Diagnostic{}} }

// Index records that a package has been read.
func (h *History) Index(pkg *load.Package) {
	if !slices.Contains(h.Packages, pkg) {
		h.Packages = append(h.Packages, pkg)
	}
}

// New returns a describer for one CRD.
func New(r report.Reporter, ap apply.Applier, before *History) Describer {
	return Describer{
		Reporter: r, ap: ap, meta: metaOf(r.Opts.GenerateEmbeddedObjectMeta, false),
		typeMemo: &typeMemo{History: before, types: map[typeKey]*node.Type{}, argSizes: map[typeArg]int64{}},
	}
}

// at returns the describer at a place.
func (d Describer) at(r report.Reporter) Describer {
	d.Reporter = r
	return d
}

// Within returns the describer for a part of the current type.
func (d Describer) Within(part string, at diag.Span) Describer {
	return d.at(d.Reporter.Within(part, at))
}

// inside returns the describer for the parts of a type.
func (d Describer) inside(t *node.Type) Describer { return d.at(d.Reporter.Inside(t)) }

// The other stages at the place of the describer.
func (d Describer) applier() apply.Applier       { return d.ap.At(d.Reporter) }
func (d Describer) reader() read.Reader          { return d.ap.Marks.At(d.Reporter) }
func (d Describer) flattener() flatten.Flattener { return d.ap.Flat.At(d.Reporter) }

// MissesTypes reports whether the CRD has fields whose types are not known, since a file does not parse or an import is
// missing.
func (d Describer) MissesTypes() bool { return d.missesTypes }

// ReadsBroken reports whether a type that was read for the CRD may lack something, since its file does not parse.
func (d Describer) ReadsBroken() bool {
	for _, t := range d.types {
		if t.Decl != nil && t.Decl.IsBroken() {
			return true
		}
	}
	return false
}

// Kind returns the described type of a kind.
func (d Describer) Kind(pkg *load.Package, kind string) *node.Type {
	return d.described(typeKey{pkg: pkg, name: kind, root: true, metadata: d.meta}, nil)
}
