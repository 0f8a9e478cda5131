package build

import "github.com/crdproof/crdproof/generator/diag"

// The names of the deviations: the ways in which a CRD may differ from controller-gen's. Each has a chapter in
// docs/deviations.md.
const (
	boundsFolded      = "bounds-folded"
	enumNarrowed      = "enum-narrowed"
	kindsByMeaning    = "kinds-by-meaning"
	versionsByMeaning = "versions-by-meaning"
)

// A Deviation is a way in which CRDs differ from controller-gen's on purpose.
type Deviation struct {
	// Name is stable.
	Name string
	// Doc says what is different, in a clause.
	Doc string
}

// Deviations returns the table of all deviations, in the order of the documentation.
func Deviations() []Deviation {
	return []Deviation{
		{boundsFolded, "the tightest of several constraints stands on the node, where controller-gen moves all of them to allOf"},
		{enumNarrowed, "the values of the field's enum count, which controller-gen drops in favour of its type's"},
		{kindsByMeaning, "what has the metas by an alias or a base is a kind, and the base is none, where controller-gen looks for embedded metas alone"},
		{versionsByMeaning, "a type of a kind's name that lacks the metas is no version of it, where controller-gen goes by the name"},
	}
}

// deviate notes that the CRD differs from controller-gen's because of something at a place.
func (b *builder) deviate(name string, at diag.Span) {
	if !b.opts.Deviations {
		return
	}
	for _, d := range Deviations() {
		if d.Name == name {
			b.deviations = append(b.deviations, diag.Diagnostic{Span: at, Rule: name, Severity: diag.Note, Message: d.Doc})
		}
	}
}
