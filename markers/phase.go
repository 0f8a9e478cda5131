package markers

import "slices"

// A Phase is the step in which a marker is applied, beside the others of the same value. Within a phase it is the
// order in the source that counts, by the first marker of each name.
type Phase uint8

// The phases. What a row does not say otherwise is done in Keywords.
const (
	// Keywords set a keyword of the schema, or say something that no other marker depends on.
	Keywords Phase = iota
	// Types set the JSON type, which all others look at.
	Types
	// Foundations are what others of the same value add to or outrank: the type of a list before its keys, a default in
	// Go's own notation before kubebuilder's, constants before an Enum that is written out.
	Foundations
	// Additions stand beside bounds, patterns and rules that are written out: formats, forms of scalars, junctors.
	Additions
	// ExactlyOneOfs and AtLeastOneOfs are rules behind those of AtMostOneOf, as controller-gen has them.
	ExactlyOneOfs
	AtLeastOneOfs
	// Presences need to know the keys of a list and the format of a text: what must not be set, and how a value may
	// change.
	Presences
)

// Phases lists them in the order in which they are applied.
func Phases() []Phase {
	return []Phase{Types, Foundations, Keywords, Additions, ExactlyOneOfs, AtLeastOneOfs, Presences}
}

// Compare orders two phases.
func (p Phase) Compare(q Phase) int { return slices.Index(Phases(), p) - slices.Index(Phases(), q) }

// Presence is what a marker says of a field's being there.
type Presence uint8

// What is said of a field's being there.
const (
	Unsaid Presence = iota
	MayBe
	MustBe
	MustNotBe
)

// Constants says what a marker has to do with the constants of a type.
type Constants uint8

const (
	// NoConstants is nothing.
	NoConstants Constants = iota
	// ComparesConstants is for values that are compared with them, for the sake of who can change either.
	ComparesConstants
	// ListsOwnConstants makes an enum of those of the user's own types: elsewhere other tools read the marker.
	ListsOwnConstants
	// ListsConstants makes an enum of them.
	ListsConstants
)

// ListConstants reports whether the marker makes an enum of the constants of a type.
func (d *Definition) ListConstants() bool {
	return d.Constants == ListsConstants || d.Constants == ListsOwnConstants
}
