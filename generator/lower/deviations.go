package lower

import (
	"slices"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/schema"
)

// The names of the deviations: the ways in which a CRD may differ from controller-gen's. Each has a section in
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
	TransitionsLost   = "transitions-lost"
	ownMarkers        = "own-markers"
	escapedNames      = "escaped-names"
)

// A Deviation is a way in which CRDs differ from controller-gen's on purpose.
type Deviation struct {
	// Name is stable.
	Name string
	// Doc describes the difference in a clause.
	Doc string
}

// Deviations returns the table of all deviations, in the order of the documentation.
func Deviations() []Deviation {
	return []Deviation{
		{boundsFolded, "the tightest of several constraints is on the node; controller-gen moves all of " +
			"them to allOf"},
		{constantsAll, "the enum has all constants of the type; controller-gen lists only string literals, " +
			"and ignores +enum"},
		{enumNarrowed, "the enum of the field has an effect; controller-gen replaces it by the enum of the " +
			"field's type"},
		{goFields, "fields have the names that Go encodes; controller-gen reads the tag in its own way"},
		{bytesAsText, "a list of bytes is base64 text, as in Go; controller-gen makes it a list of integers"},
		{stringOption, "a field with the tag option string is a string, as in Go; controller-gen ignores " +
			"the option"},
		{numberRanges, "a number has the range of its Go type; controller-gen accepts values that Go cannot " +
			"decode, or rejects values that it can"},
		{arrayLengths, "an array has at most the items of its Go type; controller-gen sets no bound"},
		{knownForms, "the schema fits what the library type encodes and decodes; controller-gen does not " +
			"know the type, or only in part"},
		{nullElements, "the elements of a list or map may be null, which is how Go encodes a nil slice in it"},
		{marshalForms, "a type with a marshal method has the form that the method writes; controller-gen " +
			"describes its fields, or nothing"},
		{nonEmpty, "k8s:required requires a non-empty value of the type; controller-gen treats every " +
			"reference as an object"},
		{objectMeta, "crdproof:embeddedObjectMeta decides whether this ObjectMeta is described; " +
			"controller-gen does not know the marker"},
		{kindsByMeaning, "a type with the metas of an alias or a base is a kind, and the base is not; " +
			"controller-gen only looks for embedded metas"},
		{versionsByMeaning, "a type with the name of a kind but without metas is not a version of it; " +
			"controller-gen decides by the name"},
		{numbersExact, "the number is exactly that of the marker; controller-gen rounds it or writes it in " +
			"powers of ten"},
		{declarativeTags, "a tag of Kubernetes' declarative validation, or an old union marker, is " +
			"enforced; controller-gen knows nine tags and reads two differently"},
		{TransitionsLost, "a rule about updates that an API server cannot evaluate here is dropped; " +
			"controller-gen writes it anyway"},
		{ownMarkers, "a marker that controller-gen does not know constrains the value"},
		{escapedNames, "the rule of a OneOf marker has the name of the field in CEL's form; controller-gen writes " +
			"the " +
			"name verbatim, so the rule does not compile"},
	}
}

// DeviationNames returns the names of all deviations, in the order of the documentation.
func DeviationNames() []string {
	var names []string
	for _, d := range Deviations() {
		names = append(names, d.Name)
	}
	return names
}

// With reports whether CRDs may differ from controller-gen's in the way that a deviation names.
func (o *Options) With(deviation string) bool {
	return !o.Compat && !slices.Contains(o.Without, deviation)
}

// EnforcesTags reports whether the tags of declarative validation mean what they mean in Kubernetes.
func (o *Options) EnforcesTags() bool { return o.With(declarativeTags) }

// DropsRules reports whether rules of imported types that no API server accepts are dropped.
func (o *Options) DropsRules() bool { return o.With(TransitionsLost) }

// enforces reports whether the tags of a package mean what they mean in Kubernetes. Otherwise those that controller-gen
// knows mean what it reads in them, and the others nothing.
func (r reporter) enforces(pkg *load.Package) bool {
	return r.opts.EnforcesTags() && (pkg.Own || r.opts.Declarative)
}

// deviate records that the CRD differs from controller-gen's because of something at a place.
func (r reporter) deviate(name string, at diag.Span) {
	if r.opts.Deviations {
		r.deviations = append(r.deviations, deviation(name, at))
	}
}

func deviation(name string, at diag.Span) diag.Diagnostic {
	for _, d := range Deviations() {
		if d.Name == name {
			return NoteOf(d, at)
		}
	}
	panic("crdproof: no deviation " + name)
}

// NoteOf is the note of a deviation at a place.
func NoteOf(d Deviation, at diag.Span) diag.Diagnostic {
	return diag.Diagnostic{Span: at, Check: d.Name, Severity: diag.Note, Message: d.Doc}
}

// TransitionLost is the deviation of a rule about updates that is dropped.
func TransitionLost(at diag.Span) diag.Diagnostic { return deviation(TransitionsLost, at) }

// A difference is a deviation that one value causes.
type difference struct {
	name string
	at   diag.Span
}

// differs records that the value at a place is not what controller-gen would write. It becomes a deviation if the value
// ends up in a CRD.
func (r reporter) differs(value diag.Span, name string, at diag.Span) {
	if r.opts.Deviations {
		r.different[value] = difference{name, at}
	}
}

// deviateIn records the deviations of the values of a finished node.
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
