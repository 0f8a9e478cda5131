package report

import (
	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/generator/lower/internal/options"
	"github.com/crdproof/crdproof/schema"
)

// Enforces reports whether the tags of a package mean what they mean in Kubernetes. Otherwise those that controller-gen
// knows mean what it reads in them, and the others nothing.
func (r Reporter) Enforces(pkg *load.Package) bool {
	return r.Opts.EnforcesTags() && (pkg.Own || r.Opts.Declarative)
}

// Deviate records that the CRD differs from controller-gen's because of something at a place.
func (r Reporter) Deviate(name string, at diag.Span) {
	if r.Opts.Deviations {
		r.Deviations = append(r.Deviations, options.NoteOn(name, at))
	}
}

// A difference is a deviation that one value causes.
type difference struct {
	name string
	at   diag.Span
}

// Differs records that the value at a place is not what controller-gen would write. It becomes a deviation if the value
// ends up in a CRD.
func (r Reporter) Differs(value diag.Span, name string, at diag.Span) {
	if r.Opts.Deviations {
		r.different[value] = difference{name, at}
	}
}

// DeviateIn records the deviations of the values of a finished node.
func (r Reporter) DeviateIn(s *schema.Schema) {
	if len(r.different) == 0 {
		return
	}
	note := func(value diag.Span) {
		if d, ok := r.different[value]; ok {
			r.Deviate(d.name, d.at)
		}
	}
	rows := schema.Keywords()
	for i := range rows {
		switch rows[i].Field.(type) {
		case schema.One[schema.Number], schema.One[schema.Value]:
			note(rows[i].At(s))
		}
	}
	for _, v := range s.Enum {
		note(v.At)
	}
}
