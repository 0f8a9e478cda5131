package lower

import (
	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
)

// The names of the deviations: the ways in which a CRD may differ from controller-gen's. Each has a chapter in
// docs/deviations.md.
const (
	boundsFolded      = "bounds-folded"
	constantsAll      = "constants-all"
	enumNarrowed      = "enum-narrowed"
	goFields          = "go-fields"
	bytesAsText       = "byte-slices"
	stringOption      = "string-option"
	numberRanges      = "number-ranges"
	arrayLengths      = "array-lengths"
	knownForms        = "known-types"
	nullElements      = "null-elements"
	marshalForms      = "marshalers"
	nonEmpty          = "required-nonempty"
	objectMeta        = "object-meta"
	kindsByMeaning    = "kinds-by-meaning"
	versionsByMeaning = "versions-by-meaning"
	numbersExact      = "numbers-exact"
	declarativeTags   = "declarative-tags"
	transitionsLost   = "transitions-lost"
	ownMarkers        = "own-markers"
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
		{boundsFolded, "the tightest of several constraints stands on the node, where controller-gen moves all of " +
			"them to allOf"},
		{constantsAll, "the enum has all constants of the type, where controller-gen lists string literals alone, " +
			"and ignores +enum"},
		{enumNarrowed, "the values of the field's enum count, which controller-gen drops in favour of its type's"},
		{goFields, "the fields and their names are those that Go writes, where controller-gen reads the tag in its " +
			"own way"},
		{bytesAsText, "a list of bytes is base64 text, as Go writes it, where controller-gen makes it a list of " +
			"integers"},
		{stringOption, "a field with the tag option string is a string, as Go writes it, where controller-gen " +
			"passes over the option"},
		{numberRanges, "a number has the range of its Go type, where controller-gen lets pass what Go cannot " +
			"decode, or refuses what it can"},
		{arrayLengths, "an array has at most the items of its Go type, where controller-gen sets no bound"},
		{knownForms, "the schema is what the library's type writes and reads, where controller-gen knows it not or " +
			"not well enough"},
		{nullElements, "a list or a map may hold null, which is what Go writes of a nil slice in it"},
		{marshalForms, "a type that marshals itself has the form that its method gives it, where controller-gen " +
			"looks at its fields, or at none"},
		{nonEmpty, "k8s:required asks for what makes a value of its type not empty, where controller-gen takes every " +
			"reference for an object"},
		{objectMeta, "the ObjectMeta of this field is described, or not, as crdproof:embeddedObjectMeta says, which " +
			"controller-gen does not know"},
		{kindsByMeaning, "what has the metas by an alias or a base is a kind, and the base is none, where " +
			"controller-gen looks for embedded metas alone"},
		{versionsByMeaning, "a type of a kind's name that lacks the metas is no version of it, where " +
			"controller-gen goes by the name"},
		{numbersExact, "the number is what the marker says, which controller-gen rounds or writes in powers of ten"},
		{declarativeTags, "a tag of Kubernetes' declarative validation is enforced, or an old marker for unions, " +
			"where controller-gen knows nine and reads two in its own way"},
		{transitionsLost, "a rule about updates that an API server cannot evaluate at this place is left out, which " +
			"controller-gen writes all the same"},
		{ownMarkers, "a marker that controller-gen does not know says more of the value"},
	}
}

// deviate notes that the CRD differs from controller-gen's because of something at a place.
func (r reporter) deviate(name string, at diag.Span) {
	if r.opts.Deviations {
		r.deviations = append(r.deviations, deviation(name, at))
	}
}

func deviation(name string, at diag.Span) diag.Diagnostic {
	for _, d := range Deviations() {
		if d.Name == name {
			return diag.Diagnostic{Span: at, Check: name, Severity: diag.Note, Message: d.Doc}
		}
	}
	panic("crdproof: no deviation " + name)
}

// TransitionLost notes that a rule about updates is left out.
func TransitionLost(at diag.Span) diag.Diagnostic { return deviation(transitionsLost, at) }

// A difference is a deviation that has its reason in one value.
type difference struct {
	name string
	at   diag.Span
}

// differs notes that the value at a place is not what controller-gen would write. It becomes a deviation where the
// value ends up in a CRD.
func (r reporter) differs(value diag.Span, name string, at diag.Span) {
	if r.opts.Deviations {
		r.different[value] = difference{name, at}
	}
}

// deviateIn notes the deviations that are due to the values of a finished node.
func (r reporter) deviateIn(s *schema.Schema) {
	if len(r.different) == 0 {
		return
	}
	note := func(value diag.Span) {
		if d, ok := r.different[value]; ok {
			r.deviate(d.name, d.at)
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
