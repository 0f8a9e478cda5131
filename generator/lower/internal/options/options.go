// Package options says what is built, and in which ways CRDs may differ from controller-gen's.
package options

import (
	"slices"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/rules/check"
	"github.com/crdproof/crdproof/schema"
)

// The names of the deviations: the ways in which a CRD may differ from controller-gen's. Each has a section in
// docs/deviations.md.
const (
	BoundsFolded      = "bounds-folded"
	ConstantsAll      = "constants-all"
	EnumNarrowed      = "enum-narrowed"
	GoFields          = "go-fields"
	BytesAsText       = "byte-slices"
	StringOption      = "string-option"
	NumberRanges      = "number-ranges"
	NumberFormats     = "number-formats"
	ArrayLengths      = "array-lengths"
	KnownForms        = "known-types"
	TimePatterns      = "time-patterns"
	IntOrStringRanges = "int-or-string-ranges"
	NullElements      = "null-elements"
	MarshalForms      = "marshalers"
	NonEmpty          = "required-nonempty"
	ObjectMeta        = "object-meta"
	KindsByMeaning    = "kinds-by-meaning"
	VersionsByMeaning = "versions-by-meaning"
	NumbersExact      = "numbers-exact"
	DeclarativeTags   = "declarative-tags"
	UnionMarkers      = "union-markers"
	TransitionsLost   = "transitions-lost"
	OwnMarkers        = "own-markers"
	EscapedNames      = "escaped-names"
	OptionalImports   = "optional-imports"
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
		{BoundsFolded, "the tightest of several constraints is on the node; controller-gen moves all of " +
			"them to allOf"},
		{ConstantsAll, "the enum has all constants of the type; controller-gen lists only string literals, " +
			"and ignores +enum"},
		{EnumNarrowed, "the enum of the field has an effect; controller-gen replaces it by the enum of the " +
			"field's type"},
		{GoFields, "fields have the names that Go encodes; controller-gen reads the tag in its own way"},
		{BytesAsText, "a list of bytes is base64 text, as in Go; controller-gen makes it a list of integers"},
		{StringOption, "a field with the tag option string is a string, as in Go; controller-gen ignores " +
			"the option"},
		{NumberRanges, "an integer has the range of its Go type; controller-gen accepts values that Go cannot " +
			"decode, or rejects values that it can"},
		{NumberFormats, "a number has the format of its Go type; controller-gen writes no format"},
		{ArrayLengths, "an array has at most the items of its Go type; controller-gen sets no bound"},
		{KnownForms, "the schema fits what the library type encodes and decodes; controller-gen does not " +
			"know the type, or only in part"},
		{TimePatterns, "a time or a duration has a pattern of what Go decodes; controller-gen writes none"},
		{IntOrStringRanges, "an integer of an int-or-string has the range of int32, as in Go; controller-gen sets no " +
			"bounds"},
		{NullElements, "the elements of a list or map may be null, which is how Go encodes a nil slice in it"},
		{MarshalForms, "a type with a marshal method has the form that the method writes; controller-gen " +
			"describes its fields, or nothing"},
		{NonEmpty, "k8s:required requires a non-empty value of the type; controller-gen treats every " +
			"reference as an object"},
		{ObjectMeta, "crdproof:embeddedObjectMeta decides whether this ObjectMeta is described; " +
			"controller-gen does not know the marker"},
		{KindsByMeaning, "a type with the metas of an alias or a base is a kind, and the base is not; " +
			"controller-gen only looks for embedded metas"},
		{VersionsByMeaning, "a type with the name of a kind but without metas is not a version of it; " +
			"controller-gen decides by the name"},
		{NumbersExact, "the number is exactly that of the marker; controller-gen rounds it or writes it in " +
			"powers of ten"},
		{DeclarativeTags, "a tag of Kubernetes' declarative validation is enforced; controller-gen knows nine tags " +
			"and reads two differently"},
		{UnionMarkers, "an old union marker is enforced; controller-gen ignores it"},
		{TransitionsLost, "a rule about updates that an API server cannot evaluate here is dropped; " +
			"controller-gen writes it anyway"},
		{OwnMarkers, "a marker that controller-gen does not know constrains the value"},
		{EscapedNames, "the rule of a OneOf marker has the name of the field in CEL's form; controller-gen " +
			"writes the name verbatim, so the rule does not compile"},
		{OptionalImports, "a field of an imported type that is marked as optional and as required is optional; " +
			"controller-gen requires it"},
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

// IsOptional reports whether CRDs differ in a way only on request: objects and clients work without it, but for values
// that people do not write.
func IsOptional(name string) bool {
	switch name {
	case NumberFormats, TimePatterns, IntOrStringRanges, UnionMarkers:
		return true
	}
	return false
}

// NoteOn returns the note of the deviation of a name at a place.
func NoteOn(name string, at diag.Span) diag.Diagnostic {
	for _, d := range Deviations() {
		if d.Name == name {
			return d.Note(at)
		}
	}
	panic("crdproof: no deviation " + name)
}

// Note returns the note of a deviation at a place.
func (d Deviation) Note(at diag.Span) diag.Diagnostic {
	return diag.Diagnostic{Span: at, Check: d.Name, Severity: diag.Note, Message: d.Doc}
}

// A Format is a format of strings that a project has declared.
type Format struct {
	Name string
	// Pattern is a regular expression that values match, Message says what they must be.
	Pattern, Message string
}

// Shipped knows the CRD files of the project that directories are in. Its methods return places to add to findings; the
// zero value means that no place is known.
type Shipped interface {
	// Edited returns where the files have what the CRDs of Go types lack.
	Edited(dirs []string, lack schema.Lack) diag.Related
	// Fork returns where another generator takes the place of controller-gen.
	Fork(dirs []string) diag.Related
}

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
	// Without names the deviations that are switched off, Extra the optional ones that are switched on.
	Without, Extra []string
	// Declarative enforces the tags of declarative validation in imported types too, and those that are alpha or beta.
	Declarative bool
	// DeclarativePrefix is another prefix of these tags in the user's own types, such as "example:"; "" for none.
	DeclarativePrefix string
	// Formats are those that a project has declared for the tag format.
	Formats []Format
	// Tolerate reports mistakes that controller-gen accepts as warnings, and changes nothing else.
	Tolerate bool
	// Policy decides which findings are ignored or raised.
	Policy check.Policy
	// Deviations asks for the list of deviations.
	Deviations bool
	// Variant is the one that is built, Variants are all of the run; nil if no option names channels or gates.
	Variant  *Variant
	Variants []Variant
	// Shipped are the CRD files of the project; nil knows none.
	Shipped Shipped
}

// OwnMarkers returns the table of markers that have an effect in the user's own packages.
func (o *Options) OwnMarkers() *markers.Table { return o.Markers(true) }

// Markers returns the markers that have an effect, in the user's own packages or in those that are imported.
func (o *Options) Markers(own bool) *markers.Table {
	a := markers.Extras{
		Own: o.With(OwnMarkers), Tags: o.EnforcesTags() && (own || o.Declarative),
		Enum: o.With(ConstantsAll), ObjectMeta: o.With(ObjectMeta), Ignore: !o.Compat,
		Channels: true, Dialects: len(o.Variants) > 0,
	}
	if own {
		a.Prefix = o.DeclarativePrefix
	}
	for _, f := range o.Formats {
		a.Formats = append(a.Formats, f.Name)
	}
	return markers.With(a)
}

// With reports whether CRDs may differ from controller-gen's in the way that a deviation names.
func (o *Options) With(deviation string) bool {
	return !o.Compat && !slices.Contains(o.Without, deviation) &&
		(!IsOptional(deviation) || slices.Contains(o.Extra, deviation))
}

// EnforcesTags reports whether the tags of declarative validation mean what they mean in Kubernetes.
func (o *Options) EnforcesTags() bool { return o.With(DeclarativeTags) }

// DropsRules reports whether rules of imported types that no API server accepts are dropped.
func (o *Options) DropsRules() bool { return o.With(TransitionsLost) }
