package schema

import (
	"slices"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/diag"
)

// A Keyword is a row of the table of all keywords of schemas.
type Keyword struct {
	// Name is the keyword in JSON.
	Name string
	// Field is the place of its value in a Schema.
	Field Field
	// Pointer is set if the API's Go type is a pointer: false, or "", then differs from an absent keyword.
	Pointer bool
	// Of is the JSON type whose values it constrains, "" for any. Integers are numbers.
	Of string
	// Validates is set for keywords that validate values, which are allowed in allOf, anyOf, oneOf and not (KEP-2335).
	// The others describe a structure, which is forbidden there, or are documentation.
	Validates bool
	// AtRoot is set if the root of a version may have the keyword although status is a subresource
	// (allowedFieldsAtRootSchema in apis/apiextensions/validation).
	AtRoot bool
	// Merge says how to merge two schemas that both have the keyword.
	Merge Merge
	// Marker is the name of the marker that sets it, "" without one. A marker that IsFlag has no value.
	Marker string
	IsFlag bool
}

// Merge is a way to merge a keyword of two schemas, such as those of a type and of a field with that type.
type Merge uint8

// The ways to merge.
const (
	// MergeNot keeps the keyword of the outer schema: documentation, and schemas, which are merged recursively.
	MergeNot Merge = iota
	// MergeEqual merges two equal values. Types must be equal; other values that differ stay in separate schemas.
	MergeEqual
	// MergeSmallest and MergeLargest use the tighter bound.
	MergeSmallest
	MergeLargest
	// MergeBoth keeps the values of both.
	MergeBoth
	// MergeCommon keeps the common values.
	MergeCommon
	// MergeLast keeps the value of the second.
	MergeLast
)

// IsSet reports whether a schema sets the keyword. False counts only if the API distinguishes it from absence.
func (k *Keyword) IsSet(s *Schema) bool {
	if flag, ok := k.Field.(One[Flag]); ok && !k.Pointer {
		return (*flag(s)).True()
	}
	return k.Field.isSet(s)
}

// At returns the position of the keyword's value, for lists of the first item; invalid if it is absent.
func (k *Keyword) At(s *Schema) diag.Span { return k.Field.at(s, 0) }

// ItemAt returns the position of the item at an index of a list, or of the first one if it has fewer; At for all
// others.
func (k *Keyword) ItemAt(s *Schema, index int) diag.Span { return k.Field.at(s, index) }

// HoldsSchemas reports whether the value of the keyword consists of schemas.
func (k *Keyword) HoldsSchemas() bool {
	switch k.Field.(type) {
	case One[Schema], Many[*Schema], Many[Property], ItemsField, ValuesField:
		return true
	}
	return false
}

// Copy sets the keyword of one schema to the value of another.
func (k *Keyword) Copy(to, from *Schema) { k.Field.copy(to, from) }

// Bound returns the value of a numeric keyword, nil if it is absent.
func (k *Keyword) Bound(s *Schema) *Number {
	switch at := k.Field.(type) {
	case One[Number]:
		return *at(s)
	case One[Int]:
		if n := *at(s); n != nil {
			return &Number{V: strconv.FormatInt(n.V, 10), At: n.At}
		}
	}
	return nil
}

// A Measure is a pair of bounds: of a number, of the length of a string, of the items of a list, of the fields of an
// object.
type Measure struct{ Min, Max *Keyword }

// Measures returns all pairs of bounds.
func Measures() []Measure { return measures }

var measures = pairs()

func pairs() []Measure {
	var out []Measure
	for i := range keywords {
		if most := &keywords[i]; most.Merge == MergeSmallest {
			out = append(out, Measure{Min: KeywordOf("min" + strings.TrimPrefix(most.Name, "max")), Max: most})
		}
	}
	return out
}

// KeywordOf returns the keyword of that name, or nil.
func KeywordOf(name string) *Keyword {
	i := slices.IndexFunc(keywords[:], func(k Keyword) bool { return k.Name == name })
	if i < 0 {
		return nil
	}
	return &keywords[i]
}

// Keywords returns all keywords that the API knows, in the order of its Go type
// (k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1/types_jsonschema.go). The table must not be changed.
func Keywords() []Keyword { return keywords[:] }

// validation is what the names of most markers for keywords begin with.
const validation = "kubebuilder:validation:"

var keywords = [...]Keyword{
	{Name: "id", Field: VerbatimField{String}},
	{Name: "$schema", Field: VerbatimField{String}},
	{Name: "$ref", Field: VerbatimField{String}},
	{Name: "description", Field: TextField(func(s *Schema) *Text { return &s.Description }), AtRoot: true},
	{Name: "type", Field: TextField(func(s *Schema) *Text { return &s.Type }),
		AtRoot: true, Merge: MergeEqual, Marker: validation + "Type"},
	{Name: "format", Field: TextField(func(s *Schema) *Text { return &s.Format }),
		Validates: true, AtRoot: true, Merge: MergeEqual, Marker: validation + "Format"},
	{Name: "title", Field: TextField(func(s *Schema) *Text { return &s.Title }),
		AtRoot: true, Marker: "kubebuilder:title"},
	{Name: "default", Field: One[Value](func(s *Schema) **Value { return &s.Default }),
		Merge: MergeLast, Marker: "kubebuilder:default"},
	{Name: "maximum", Field: One[Number](func(s *Schema) **Number { return &s.Maximum }),
		Of: "number", Validates: true, AtRoot: true, Merge: MergeSmallest, Marker: validation + "Maximum"},
	{Name: "exclusiveMaximum", Field: One[Flag](func(s *Schema) **Flag { return &s.ExclusiveMaximum }),
		Of: "number", Validates: true, AtRoot: true, Merge: MergeBoth, Marker: validation + "ExclusiveMaximum"},
	{Name: "minimum", Field: One[Number](func(s *Schema) **Number { return &s.Minimum }),
		Of: "number", Validates: true, AtRoot: true, Merge: MergeLargest, Marker: validation + "Minimum"},
	{Name: "exclusiveMinimum", Field: One[Flag](func(s *Schema) **Flag { return &s.ExclusiveMinimum }),
		Of: "number", Validates: true, AtRoot: true, Merge: MergeBoth, Marker: validation + "ExclusiveMinimum"},
	{Name: "maxLength", Field: One[Int](func(s *Schema) **Int { return &s.MaxLength }),
		Of: "string", Validates: true, AtRoot: true, Merge: MergeSmallest, Marker: validation + "MaxLength"},
	{Name: "minLength", Field: One[Int](func(s *Schema) **Int { return &s.MinLength }),
		Of: "string", Validates: true, AtRoot: true, Merge: MergeLargest, Marker: validation + "MinLength"},
	{Name: "pattern", Field: TextField(func(s *Schema) *Text { return &s.Pattern }),
		Of: "string", Validates: true, AtRoot: true, Merge: MergeEqual, Marker: validation + "Pattern"},
	{Name: "maxItems", Field: One[Int](func(s *Schema) **Int { return &s.MaxItems }),
		Of: "array", Validates: true, AtRoot: true, Merge: MergeSmallest, Marker: validation + "MaxItems"},
	{Name: "minItems", Field: One[Int](func(s *Schema) **Int { return &s.MinItems }),
		Of: "array", Validates: true, AtRoot: true, Merge: MergeLargest, Marker: validation + "MinItems"},
	{Name: "uniqueItems", Field: One[Flag](func(s *Schema) **Flag { return &s.UniqueItems }),
		AtRoot: true, Merge: MergeBoth, Marker: validation + "UniqueItems"},
	{Name: "multipleOf", Field: One[Number](func(s *Schema) **Number { return &s.MultipleOf }),
		Of: "number", Validates: true, AtRoot: true, Merge: MergeEqual, Marker: validation + "MultipleOf"},
	{Name: "enum", Field: Many[Value](func(s *Schema) *[]Value { return &s.Enum }),
		Validates: true, Merge: MergeCommon, Marker: validation + "Enum"},
	{Name: "maxProperties", Field: One[Int](func(s *Schema) **Int { return &s.MaxProperties }),
		Of: "object", Validates: true, Merge: MergeSmallest, Marker: validation + "MaxProperties"},
	{Name: "minProperties", Field: One[Int](func(s *Schema) **Int { return &s.MinProperties }),
		Of: "object", Validates: true, Merge: MergeLargest, Marker: validation + "MinProperties"},
	{Name: "required", Field: Many[Text](func(s *Schema) *[]Text { return &s.Required }),
		Of: "object", Validates: true, AtRoot: true, Merge: MergeBoth, Marker: "required", IsFlag: true},
	{Name: "items", Field: ItemsField{func(s *Schema) **Schema { return &s.Items }},
		Of: "array", Validates: true, AtRoot: true},
	{Name: "allOf", Field: Many[*Schema](func(s *Schema) *[]*Schema { return &s.AllOf }),
		Validates: true, Merge: MergeBoth, Marker: "crdproof:allOf"},
	{Name: "oneOf", Field: Many[*Schema](func(s *Schema) *[]*Schema { return &s.OneOf }),
		Validates: true, Merge: MergeEqual, Marker: "crdproof:oneOf"},
	{Name: "anyOf", Field: Many[*Schema](func(s *Schema) *[]*Schema { return &s.AnyOf }),
		Validates: true, Merge: MergeEqual, Marker: "crdproof:anyOf"},
	{Name: "not", Field: One[Schema](func(s *Schema) **Schema { return &s.Not }),
		Validates: true, Merge: MergeBoth, Marker: "crdproof:not"},
	{Name: "properties", Field: Many[Property](func(s *Schema) *[]Property { return &s.Properties }),
		Of: "object", Validates: true, AtRoot: true},
	{
		Name: "additionalProperties", Field: ValuesField(func(s *Schema) (**Schema, *bool) {
			return &s.AdditionalProperties, &s.AdditionalAllowed
		}), Of: "object",
	},
	{Name: "patternProperties", Field: VerbatimField{Object}},
	{Name: "dependencies", Field: VerbatimField{Object}},
	{Name: "additionalItems", Field: VerbatimField{Bool, Object}},
	{Name: "definitions", Field: VerbatimField{Object}},
	{Name: "externalDocs", Field: One[ExternalDocs](func(s *Schema) **ExternalDocs { return &s.ExternalDocs }),
		AtRoot: true, Marker: "kubebuilder:externalDocs"},
	{Name: "example", Field: One[Value](func(s *Schema) **Value { return &s.Example }),
		AtRoot: true, Marker: "kubebuilder:example"},
	{Name: "nullable", Field: One[Flag](func(s *Schema) **Flag { return &s.Nullable }),
		Merge: MergeBoth, Marker: "nullable", IsFlag: true},
	{
		Name:    "x-kubernetes-preserve-unknown-fields",
		Field:   One[Flag](func(s *Schema) **Flag { return &s.PreserveUnknownFields }),
		Pointer: true, AtRoot: true, Merge: MergeBoth,
		Marker: "kubebuilder:pruning:PreserveUnknownFields", IsFlag: true,
	},
	{Name: "x-kubernetes-embedded-resource", Field: One[Flag](func(s *Schema) **Flag { return &s.EmbeddedResource }),
		Merge: MergeBoth, Marker: validation + "EmbeddedResource", IsFlag: true},
	{Name: "x-kubernetes-int-or-string", Field: One[Flag](func(s *Schema) **Flag { return &s.IntOrString }),
		Merge: MergeBoth, Marker: validation + "XIntOrString", IsFlag: true},
	{Name: "x-kubernetes-list-map-keys", Field: Many[Text](func(s *Schema) *[]Text { return &s.ListMapKeys }),
		Merge: MergeLast, Marker: "listMapKey"},
	{Name: "x-kubernetes-list-type", Field: TextField(func(s *Schema) *Text { return &s.ListType }),
		Pointer: true, Merge: MergeLast, Marker: "listType"},
	{Name: "x-kubernetes-map-type", Field: TextField(func(s *Schema) *Text { return &s.MapType }),
		Pointer: true, Merge: MergeLast, Marker: "mapType"},
	{Name: "x-kubernetes-validations", Field: Many[Rule](func(s *Schema) *[]Rule { return &s.Rules }),
		AtRoot: true, Merge: MergeBoth, Marker: validation + "XValidation:rule"},
}
