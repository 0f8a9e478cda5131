package markers

import "slices"

// A Phase is the step in which a marker is applied, relative to the others on the same value. Within a phase the order
// in the source counts, by the first marker of each name.
type Phase uint8

// The phases. The default is Keywords.
const (
	// Keywords set a keyword of the schema, or something that no other marker depends on.
	Keywords Phase = iota
	// Types set the JSON type, which all others depend on.
	Types
	// Foundations are what others on the same value extend or override: the type of a list before its keys, a default
	// in JSON before kubebuilder's, constants before an explicit Enum.
	Foundations
	// Additions are added to explicit bounds, patterns and rules: formats, forms of scalars, junctors.
	Additions
	// ExactlyOneOfs and AtLeastOneOfs are rules after those of AtMostOneOf, in the order of controller-gen.
	ExactlyOneOfs
	AtLeastOneOfs
	// Presences depend on the keys of a list and the format of a text: forbidden fields, and how a value may change.
	Presences
)

// Phases lists them in the order in which they are applied.
func Phases() []Phase {
	return []Phase{Types, Foundations, Keywords, Additions, ExactlyOneOfs, AtLeastOneOfs, Presences}
}

// Compare orders two phases.
func (p Phase) Compare(q Phase) int { return slices.Index(Phases(), p) - slices.Index(Phases(), q) }

// Presence is what a marker says about the presence of a field.
type Presence uint8

// The kinds of presence.
const (
	Unsaid Presence = iota
	MayBe
	MustBe
	MustNotBe
)

// Constants says how a marker uses the constants of a type.
type Constants uint8

const (
	// NoConstants is for markers that do not use them.
	NoConstants Constants = iota
	// ComparesConstants is for values that are compared with them, to report differences.
	ComparesConstants
	// ListsOwnConstants makes an enum of them for the user's own types. In imported types the marker is ignored.
	ListsOwnConstants
	// ListsConstants makes an enum of them.
	ListsConstants
)

// ListConstants reports whether the marker makes an enum of the constants of a type.
func (d *Definition) ListConstants() bool {
	return d.Constants == ListsConstants || d.Constants == ListsOwnConstants
}
