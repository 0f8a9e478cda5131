// Package markers parses comment text into []Marker: plain values with the position of the marker, of each argument's
// name and of each argument's value. What a marker means is decided in other packages.
//
// The syntax is that of controller-gen: +name, +name=value, +name:arg=value,arg=value, with := for =, bare words,
// "quoted" and `raw` strings, numbers, booleans, a;b or {a,b} lists, {k: v} maps, nested to any depth.
//
// The package carries no promise, and may change in any release: see docs/stability.md.
package markers

import (
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/schema"
)

// Target is a set of kinds of declarations that a marker applies to.
type Target uint8

// The targets.
const (
	Package Target = 1 << iota
	Type
	Field
	// Constant is a constant of a type whose constants are its possible values.
	Constant
)

// A Comment is a line comment that starts with '+', with the lines that continue it.
type Comment struct {
	// Text starts at the '+' and has no surrounding space. If there are several lines, everything between the texts of
	// two lines is replaced by white space of the same length, so that offsets in Text are offsets in At.
	Text string
	// At covers Text in the source.
	At diag.Span
	// Doc reports that the comment is part of the declaration's documentation.
	Doc bool
	// Dead reports that the comment is above code that is commented out, in the same group of comments.
	Dead bool
	// Block is the text of the indented lines below a marker that TakesBlock, "" without such lines; BlockAt covers
	// them from the first character to the last.
	Block   string
	BlockAt diag.Span
	// Type is the Go type of what the comment is on, as it is written, if the caller knows it; only helps depend on it.
	Type string
	// Tag is what the tag of the field that the comment is on says about its presence, if the caller knows it; only
	// helps depend on it.
	Tag Presence
	// Fields are the names in JSON of the fields of the type that the comment is on, if the caller knows them; only
	// helps depend on them.
	Fields []string
}

type (
	// Kind is the type of an argument or of a value.
	Kind = schema.Kind
	// Value is a parsed argument. The place of a block covers everything from its first character to its last; numbers
	// keep the literal that was written.
	Value = schema.Value
	// Member is an entry of a Map.
	Member = schema.Member
)

// The kinds as the grammar names them. Any is for definitions only: the value's kind is then guessed from its text, as
// controller-gen does.
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

// A Marker is a known marker with its arguments in source order. If it is written behind prefixes
// (+kubebuilder:validation:items:items:MaxLength=5) or as the payload of tags (+k8s:eachVal=+k8s:maxLength=5), Steps
// lead from the declaration to the value that the marker applies to, and all other fields are the innermost marker's.
type Marker struct {
	Def  *Definition
	At   diag.Span // the whole marker, from the first '+'
	Name diag.Span // the name after the innermost '+', with prefixes that are steps
	Args []Arg
	// Steps are in the order of writing.
	Steps []Step
	// Of is the channel or gate that has switched the marker on; nil if it does not depend on any.
	Of *Condition
}

// A Step leads from a value to a part of it, or says when the rest applies.
type Step struct {
	Kind StepKind
	// At is the prefix without its colon, or the tag with its arguments but without the payload.
	At diag.Span
	// Args are the tag's arguments in parentheses.
	Args []Arg
	// Foreign is set for a Channel or Gate of another generator's dialect.
	Foreign bool
	// InPath is set for a step of the path of crdproof:at; At is then the part of the path.
	InPath bool
}

// Arg returns the named argument's value, or nil if it is absent.
func (s *Step) Arg(name string) *Value { return valueOf(s.Args, name) }

// StepKind says what a step does.
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
	// Mode applies the rest in one mode of the enclosing struct (k8s:ifMode): the argument "" or "mode" is the mode,
	// "modality" the name of the discriminator's group.
	Mode
	// Level is the maturity of the rest (k8s:alpha, k8s:beta); the argument "since" is a version.
	Level
	// Option applies the rest under an option of the API server (k8s:ifEnabled, k8s:ifDisabled). CRDs have no options.
	Option
	// Channel applies the rest in the CRDs of a channel (crdproof:channel), Gate if a feature gate is on
	// (crdproof:gate). The argument "" is the name, or a list of names of which one must be on; of "all", each must be.
	Channel
	Gate
	// Place leads along a path, which becomes steps of the other kinds (crdproof:at).
	Place
)

// Arg returns the named argument's value, or nil if it is absent.
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

// isGuessed reports whether the type of a value, or of its items, depends on the text.
func (s Shape) isGuessed() bool { return s.Kind == Any || s.Kind == List && s.Elem.isGuessed() }

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
	// The parentheses hold one argument without a name, or named ones. The value after = is the argument "" too: no tag
	// has both. The Text of an Int is decimal, even if 0x10 was written.
	Tag
	// Bare markers consist of their name only. If anything follows it, the comment is another tool's, or prose.
	Bare
)

// A Param is a declared argument.
type Param struct {
	// Name is "" for the single anonymous argument of +name=value.
	Name     string
	Shape    Shape
	Optional bool
	// OrText is set for a number that may be written as a string too, such as "1h". In the grammar Tag only.
	OrText bool
	// Positional says that the argument without a name is in parentheses: +name(value). In the grammar Tag only.
	Positional bool
	// Values are the allowed values; empty if every value is allowed. In the grammar Tag, and of options, only.
	Values []string
	Doc    string
}

// An Effect is what API servers do with objects because of a marker.
type Effect uint8

// The effects. Most markers constrain values.
const (
	Constrains Effect = iota
	// Shapes is that of markers that change what API servers keep, set and compare.
	Shapes
	// Informs is that of markers for people and programs that read the CRD.
	Informs
	// Nothing is that of markers that are not in the CRD.
	Nothing
)

// A Definition is one row of the table of known markers.
type Definition struct {
	// Name is without the '+' and without arguments.
	Name    string
	Targets Target
	Params  []Param
	Grammar Grammar
	// Either lists arguments that exclude each other; exactly one is required. The marker's block, which is the
	// indented lines below it, gives the first of them if none is written.
	Either []string
	// Repeatable markers may appear more than once on one declaration.
	Repeatable bool
	// Forbidden is a message that says why the marker is not allowed on these targets although controller-gen looks for
	// it there, in order to reject it; "" for all others.
	Forbidden string
	// Own markers are not controller-gen's, which reads them as comments.
	Own bool
	// Phase says when the marker is applied, relative to others on the same value.
	Phase Phase
	// Presence is what the marker says about the presence of a field.
	Presence Presence
	// Effect is what API servers do with objects because of the marker.
	Effect Effect
	// Constants is how the marker uses the constants of a type.
	Constants Constants
	// OfKind markers apply to a CRD or one of its versions rather than to a schema.
	OfKind bool
	// Whole markers apply to a declaration as a whole, or to a struct through one of its fields, so that no steps lead
	// to them.
	Whole bool
	// InOpaque tags count in a type that a field treats as opaque.
	InOpaque bool
	// ItemsOf names the marker that this one applies to the items of a list; "" for all others.
	ItemsOf string
	// Beside names a marker: both are applied in the order of the source, as if they had the same name.
	Beside string
	// SameAs names the marker with the same meaning in another grammar: on one declaration the two must agree.
	SameAs string
	// Instead is the marker, without the '+', that does what the name and the value true promise, if the API server
	// rejects that value; "" for all others.
	Instead string
	// Step is the step that the marker adds before its payload; NoStep for a marker without a payload.
	Step StepKind
	// tag is the tag of Kubernetes that this one, with a prefix of the project's own, is another name of; nil for all
	// others.
	tag *Definition
	// Inexpressible says why no CRD can express the marker, as a clause; "" for all others.
	Inexpressible string
	// Category groups markers in help and reference: "CRD", "CRD validation", "CRD processing", "Declarative
	// validation".
	Category string
	// Deprecated names the marker to use instead, "-" if there is no other.
	Deprecated string
	// Doc is one sentence, or two.
	Doc string
	// Example is a line of Go or a marker line that shows the use; "" means the bare name.
	Example string
}

// IsTag reports whether the marker belongs to Kubernetes' declarative validation.
func (d *Definition) IsTag() bool { return strings.HasPrefix(d.Name, tagPrefix) || d.tag != nil }

// Ours reports whether the marker is crdproof's own, and no other tool reads it.
func (d *Definition) Ours() bool { return strings.HasPrefix(d.Name, ownPrefix) }
