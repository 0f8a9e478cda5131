// Package markers parses comment text into []Marker: plain values with the position of the marker, of each argument's
// name and of each argument's value. What a marker means is decided in other packages.
//
// The syntax is that of controller-gen: +name, +name=value, +name:arg=value,arg=value, with := for =, bare words,
// "quoted" and `raw` strings, numbers, booleans, a;b or {a,b} lists, {k: v} maps, nested to any depth.
package markers

import (
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
)

// Target is a set of the kinds of declaration that a marker may stand on.
type Target uint8

// The targets.
const (
	Package Target = 1 << iota
	Type
	Field
	// Constant is a constant of a type whose constants are its values.
	Constant
)

// A Comment is a line comment that starts with '+', with the lines that it goes on in.
type Comment struct {
	// Text starts at the '+' and has no surrounding space. Where there is more than one line, all between the texts of
	// two lines is white space of the length that it has in the source, so that offsets in Text are offsets in At.
	Text string
	// At covers Text in the source.
	At diag.Span
	// Doc reports that the comment is part of the declaration's documentation.
	Doc bool
	// Block is the text of the lines that are indented below a marker for which the table has TakesBlock, "" where
	// there are none; BlockAt covers them from the first character to the last.
	Block   string
	BlockAt diag.Span
}

type (
	// Kind is the type of an argument or of a value.
	Kind = schema.Kind
	// Value is a parsed argument. The place of a block is all from the first character to the last; numbers have the
	// literal that was written.
	Value = schema.Value
	// Member is an entry of a Map.
	Member = schema.Member
)

// The kinds as the grammar names them. Any stands only in definitions: the value's kind is then guessed from its text,
// as controller-gen does.
const (
	Null        = schema.Null
	Bool        = schema.Bool
	Int         = schema.Integer
	Number      = schema.NumberKind
	String      = schema.String
	List        = schema.Array
	Map         = schema.Object
	Any    Kind = 255
)

// An Arg is a named argument; a marker with a single anonymous argument has one Arg with the name "".
type Arg struct {
	Name   string
	NameAt diag.Span
	Value  Value
}

// A Marker is a marker that the table knows, with its arguments in source order. Where it was written behind prefixes
// (+kubebuilder:validation:items:items:MaxLength=5) or as the payload of tags (+k8s:eachVal=+k8s:maxLength=5), Steps
// lead from what it stands on to what it speaks of, and all else is the innermost marker's.
type Marker struct {
	Def  *Definition
	At   diag.Span // the whole marker, from the first '+'
	Name diag.Span // the name after the innermost '+', with prefixes that are steps
	Args []Arg
	// Steps are in the order of writing.
	Steps []Step
}

// A Step leads from a value to a part of it, or says when what follows is to hold.
type Step struct {
	Kind StepKind
	// At is the prefix without its colon, or the tag with its arguments but without the payload.
	At diag.Span
	// Args are the tag's arguments in parentheses.
	Args []Arg
}

// Arg returns the named argument's value, or nil where it was not given.
func (s *Step) Arg(name string) *Value { return valueOf(s.Args, name) }

// StepKind tells what a step does.
type StepKind uint8

// The kinds of steps, with the prefix or the tag that makes each.
const (
	NoStep StepKind = iota
	// Items leads to the items of a list (items:).
	Items
	// Values leads to the values of a map (values:).
	Values
	// Keys leads to the keys of a map (keys:, k8s:eachKey).
	Keys
	// Each leads to the items of a list or to the values of a map (k8s:eachVal).
	Each
	// Subfield leads to the member that the argument "" names (k8s:subfield).
	Subfield
	// Item leads to the item of a list of type map that has the keys that the arguments name (k8s:item).
	Item
	// Mode lets the rest hold in one mode of the struct around (k8s:ifMode): the argument "" or "mode" is the mode,
	// "modality" the name of the discriminator's group.
	Mode
	// Level says how settled the rest is (k8s:alpha, k8s:beta); the argument "since" is a version.
	Level
	// Option lets the rest hold under an option of the API server (k8s:ifEnabled, k8s:ifDisabled), which a CRD has none
	// of.
	Option
)

// Arg returns the named argument's value, or nil where it was not given.
func (m *Marker) Arg(name string) *Value { return valueOf(m.Args, name) }

func valueOf(args []Arg, name string) *Value {
	for i := range args {
		if args[i].Name == name {
			return &args[i].Value
		}
	}
	return nil
}

// Shape is the declared type of an argument.
type Shape struct {
	Kind Kind
	// Elem is the type of a List's items or of a Map's values.
	Elem *Shape
}

// Grammar selects how the text after '=' is read.
type Grammar uint8

const (
	// Arguments is the common grammar.
	Arguments Grammar = iota
	// Float reads the whole text as one number (strconv.ParseFloat), as controller-gen does for Maximum and Minimum.
	Float
	// Decimal reads the whole text as one decimal integer (strconv.Atoi), as controller-gen does for MaxItems.
	Decimal
	// JSON reads the whole text as one JSON value; `ref(...)` yields a marker without arguments.
	JSON
	// Tag is the grammar of Kubernetes' declarative validation (k8s.io/gengo/v2/codetags): +name(args)=value # comment.
	// Arguments in parentheses are one without a name, or named ones; what follows the = is the argument "" as well: no
	// tag has both. The Text of an Int is decimal, also where 0x10 was written.
	Tag
	// Bare markers are nothing but their name. With anything behind it, the comment is another tool's, or prose.
	Bare
)

// A Param is a declared argument.
type Param struct {
	// Name is "" for the single anonymous argument of +name=value.
	Name     string
	Shape    Shape
	Optional bool
	// Positional says that the argument without a name stands in parentheses: +name(value). In the grammar Tag only.
	Positional bool
	// Values are the only ones permitted; empty if any is. In the grammar Tag only.
	Values []string
	Doc    string
}

// A Definition is one row of the table of known markers.
type Definition struct {
	// Name is without the '+' and without arguments.
	Name    string
	Targets Target
	Params  []Param
	Grammar Grammar
	// Either are arguments of which exactly one is given. The lines that are indented below the marker, its block, give
	// the first of them where none is written.
	Either []string
	// Repeatable markers may stand more than once on one declaration.
	Repeatable bool
	// Refused is a sentence without full stop that says why the marker may not stand on these targets although
	// controller-gen looks for it there, in order to refuse it; "" for all others.
	Refused string
	// Own markers are not controller-gen's: to it they are comments.
	Own bool
	// Phase says when the marker is applied, beside others of the same value.
	Phase Phase
	// Presence is what the marker says of a field's being there.
	Presence Presence
	// Constants is what the marker has to do with the constants of a type.
	Constants Constants
	// OfKind markers speak of a CRD or one of its versions rather than of a schema.
	OfKind bool
	// Whole markers speak of a declaration as a whole, or of a struct by one of its fields, so that no steps lead to
	// them.
	Whole bool
	// InOpaque tags count in a type that a field takes for opaque.
	InOpaque bool
	// ItemsOf names the marker that this one applies to the items of a list; "" for all others.
	ItemsOf string
	// Beside names the marker among whose the marker keeps its place, in the order of the source, as if it had its
	// name.
	Beside string
	// SameAs names the marker that says the same in another grammar: on one declaration the two have to agree.
	SameAs string
	// Step is what the marker adds in front of the marker that is its payload; NoStep for a marker that has none.
	Step StepKind
	// Inexpressible is a sentence without full stop that says why no CRD can hold what the marker says; "" for all
	// others.
	Inexpressible string
	// Category groups markers in help and reference: "CRD", "CRD validation", "CRD processing", "Declarative
	// validation".
	Category string
	// Deprecated names the marker to use instead, "-" where there is none.
	Deprecated string
	// Doc is one sentence that ends with a full stop.
	Doc string
	// Example is a line of Go or a marker line that shows the use; "" is the bare name.
	Example string
}

// IsTag reports whether the marker is one of Kubernetes' declarative validation.
func (d *Definition) IsTag() bool { return strings.HasPrefix(d.Name, tagPrefix) }

// Ours reports whether the marker is crdproof's own, and read by nothing else.
func (d *Definition) Ours() bool { return strings.HasPrefix(d.Name, ownPrefix) }
