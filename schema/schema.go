// Package schema is the intermediate representation (IR) between Go types or CRD YAML and everything that is checked
// and emitted: a CRD with its versions, each with a tree of Schema nodes. Every constraint has its source position.
//
// A finished CRD is never modified. A stage that needs a different one builds it. So nodes may be shared between
// places of a tree and between CRDs.
package schema

import (
	"slices"

	"github.com/crdproof/crdproof/diag"
)

// A CRD is one CustomResourceDefinition (apiextensions.k8s.io/v1).
type CRD struct {
	// At is the kind's declaration, of the storage version if there are several; in a file it is the object's name.
	At diag.Span

	// Name is metadata.name; "" means plural.group, the only name that an API server accepts.
	Name       Text
	Group      Text
	Kind       Text
	ListKind   Text
	Plural     Text
	Singular   Text
	ShortNames []Text
	Categories []Text
	Scope      Text // "Namespaced" or "Cluster"

	// Annotations and Labels are those of the CRD object itself, sorted by key, each key once.
	Annotations []KeyValue
	Labels      []KeyValue
	// Metadata are the other fields of the object's metadata. Only a file has them.
	Metadata []Verbatim

	// Versions are sorted by name if they come from Go, otherwise in the order of the file.
	Versions []Version

	// PreserveUnknownFields is spec.preserveUnknownFields, nil if absent.
	PreserveUnknownFields *Flag
	// Conversion is spec.conversion. Only a file of a CRD or an overlay has it.
	Conversion *Conversion
	// HasConverters is set if the Go types of a version have methods that convert objects, so that a webhook is to be
	// expected although Conversion is nil.
	HasConverters bool
	// IsPart is set if the Go types of the kind are probably for parts of other objects, and the CRD is not installed.
	IsPart bool
}

// ObjectName returns the name of the CRD object.
func (c *CRD) ObjectName() string {
	if c.Name.V != "" {
		return c.Name.V
	}
	return c.Plural.V + "." + c.Group.V
}

// A Verbatim is a field of the API object without a field in the IR, because API servers reject or ignore it, with its
// value as it was written.
type Verbatim struct {
	Name  string
	Value Value
	// At is the position of the name.
	At diag.Span
}

// Conversion says how objects are converted between versions.
type Conversion struct {
	At       diag.Span
	Strategy Text // "None" or "Webhook"
	Webhook  *Webhook
}

// Webhook converts objects, under the strategy of that name.
type Webhook struct {
	At             diag.Span
	Client         *WebhookClient
	ReviewVersions []Text
}

// WebhookClient says how a webhook is reached: by its URL or as a service.
type WebhookClient struct {
	At      diag.Span
	URL     *Text
	Service *Service
	// CABundle is base64 in canonical form; it may differ from the text at its position.
	CABundle Text
}

// Service is a Service in the cluster, as a webhook.
type Service struct {
	At              diag.Span
	Namespace, Name Text
	Path            *Text
	Port            *Int
}

// KeyValue is an annotation or a label.
type KeyValue struct {
	Key, Value string
	At         diag.Span
}

// A Version is one entry of spec.versions.
type Version struct {
	// At is the declaration of the Go type, or the version's name in a file.
	At                 diag.Span
	Name               Text
	Served             bool
	Storage            bool
	Deprecated         bool
	DeprecationWarning *Text
	// Schema is spec.versions[].schema.openAPIV3Schema.
	Schema *Schema
	// Package declares the Go type; nil for a version from a file.
	Package *Package
	// Subresources is nil if the key is absent; a non-nil empty value is written as {}.
	Subresources     *Subresources
	Columns          []Column
	SelectableFields []Text
}

// Subresources of a version.
type Subresources struct {
	Status *diag.Span
	Scale  *Scale
}

// Scale is the scale subresource.
type Scale struct {
	At                 diag.Span
	SpecReplicasPath   Text
	StatusReplicasPath Text
	LabelSelectorPath  *Text
}

// Column is an additional printer column.
type Column struct {
	At                                        diag.Span
	Name, Type, JSONPath, Description, Format Text
	Priority                                  int32
}

// A Package is the Go package of a type.
type Package struct {
	// Path is the import path, Name that of the package clause, Dir the directory.
	Path, Name, Dir string
	// Named is set for a package that the user's paths name.
	Named bool
}

// Text is a string and the position of its literal. At includes the quotes of a quoted literal and the indicator of a
// YAML block; a block in Go's comments is everything from the first character to the last. So a position inside the
// value can be traced through the quoting.
type Text struct {
	V  string
	At diag.Span
}

// Texts returns the strings of a list.
func Texts(list []Text) (out []string) {
	for _, t := range list {
		out = append(out, t.V)
	}
	return out
}

// Int is an integer constraint.
type Int struct {
	V  int64
	At diag.Span
}

// Number is a numeric constraint, as a canonical JSON literal, so that it stays exact.
type Number struct {
	V  string
	At diag.Span
}

// Flag is a boolean constraint.
type Flag struct {
	V  bool
	At diag.Span
}

// True reports whether the flag is present and true.
func (f *Flag) True() bool { return f != nil && f.V }

// A Doubt is what is not known of a node, a set of bits.
type Doubt uint8

const (
	// DoubtContent says that the node may lack keywords.
	DoubtContent Doubt = 1 << iota
	// DoubtPresence says that the node may be required, nullable or have a default although it does not look so, and
	// the other way round.
	DoubtPresence
	// DoubtRules says that the node may lack rules.
	DoubtRules
	// DoubtSize says that a list or a map may need a least number of items.
	DoubtSize

	DoubtAll = DoubtContent | DoubtPresence | DoubtRules | DoubtSize
)

// A Schema is one node of a structural schema: the subset of JSONSchemaProps that a CRD may use. Zero and nil mean
// "absent" throughout.
type Schema struct {
	// At is the field or the type of this node. In a file it is the key of the schema, or the start of a schema that is
	// an item of a list.
	At diag.Span

	// Origin is the Go type that decodes the values of the node, if it is known. A file does not have it.
	Origin Origin
	// GoType is the named Go type of the values, nil for a type without a name, and in a file.
	GoType *GoType
	// Unmarked is set for a field of a Go type for which neither a marker nor its comment says that it may be absent.
	Unmarked bool
	// Incomplete is what is not known of the node, since its declaration has an error. Such a CRD is validated, but not
	// written.
	Incomplete Doubt

	Title, Description Text
	Type, Format       Text
	Pattern            Text

	Maximum, Minimum, MultipleOf       *Number
	ExclusiveMaximum, ExclusiveMinimum *Flag
	MaxLength, MinLength               *Int
	MaxItems, MinItems                 *Int
	MaxProperties, MinProperties       *Int
	UniqueItems                        *Flag

	Enum    []Value
	Default *Value
	Example *Value

	ExternalDocs *ExternalDocs

	Items *Schema
	// AdditionalProperties is the schema of a map's values; AdditionalAllowed is `additionalProperties: true`.
	AdditionalProperties *Schema
	AdditionalAllowed    bool
	// Properties are in the order of the Go fields or of the file; a name occurs once. A non-nil empty slice differs
	// from nil only in the meaning of the node: neither is written.
	Properties []Property
	Required   []Text

	AllOf, AnyOf, OneOf []*Schema
	Not                 *Schema

	Nullable              *Flag
	PreserveUnknownFields *Flag
	EmbeddedResource      *Flag
	IntOrString           *Flag
	ListType              Text
	ListMapKeys           []Text
	MapType               Text
	Rules                 []Rule

	// Other are the keywords without a field above, such as $ref, and values that the fields cannot express: items as a
	// list, additionalProperties: false, x-kubernetes-list-type: "". Only a file has them. A name occurs once.
	Other []Verbatim
}

// A Property is a named member of an object.
type Property struct {
	Name   string
	Schema *Schema
}

// Property returns the property of that name, or nil.
func (s *Schema) Property(name string) *Schema {
	for i := range s.Properties {
		if s.Properties[i].Name == name {
			return s.Properties[i].Schema
		}
	}
	return nil
}

// PropertyNames returns the names of the properties, in their order.
func (s *Schema) PropertyNames() (out []string) {
	for _, p := range s.Properties {
		out = append(out, p.Name)
	}
	return out
}

// ContainsFunc reports whether a condition holds for the schema, or for one below it that describes a structure.
func (s *Schema) ContainsFunc(condition func(*Schema) bool) bool {
	return s != nil && (condition(s) || s.Items.ContainsFunc(condition) ||
		s.AdditionalProperties.ContainsFunc(condition) ||
		slices.ContainsFunc(s.Properties, func(p Property) bool { return p.Schema.ContainsFunc(condition) }))
}

// HasRules reports whether the schema, or one below it that describes a structure, has rules.
func (s *Schema) HasRules() bool {
	return s.ContainsFunc(func(s *Schema) bool { return len(s.Rules) > 0 })
}

// IsMetaField reports whether every object has a field of that name, whatever its schema says.
func IsMetaField(name string) bool {
	return name == "apiVersion" || name == "kind" || name == "metadata"
}

// ExternalDocs links to external documentation.
type ExternalDocs struct {
	URL, Description Text
	At               diag.Span
}

// A Rule is an entry of x-kubernetes-validations.
type Rule struct {
	At diag.Span
	// Declared is the declaration of a rule that At only uses: its expressions are written there.
	Declared          diag.Span
	Rule              Text
	Message           Text
	MessageExpression Text
	Reason            Text
	FieldPath         Text
	OptionalOldSelf   *Flag
	// Made is set for a rule that implements another marker, such as k8s:immutable.
	Made bool
	// Of is the field that such a rule constrains, and Group are the fields of a group.
	Of    diag.Span
	Group []Text
}

// Use returns the position of the use of a rule that is declared elsewhere; invalid for all others.
func (r *Rule) Use() diag.Span {
	if r.Declared.IsValid() {
		return r.At
	}
	return diag.Span{}
}
