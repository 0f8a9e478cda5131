package witness

import (
	"cmp"
	"slices"

	"github.com/crdproof/crdproof/schema"
)

// Completed returns the schema of a field with what every value of it satisfies, in allOf so that it is not taken for a
// change.
func Completed(listed, implied *schema.Schema) *schema.Schema {
	if implied.Type.V != StringType {
		return cmp.Or(listed, implied)
	}
	keywords := *implied
	keywords.Type = schema.Text{}
	out := *cmp.Or(listed, &schema.Schema{Type: implied.Type})
	out.AllOf = append(slices.Clip(out.AllOf), &keywords)
	return &out
}

// The names of custom resources, and the prefixes of generated ones, of which an API server checks all but the last two
// characters if the last one is a dash (apimachinery/pkg/api/validation/generic.go, NameIsDNSSubdomain and
// maskTrailingDash).
const (
	label         = `[a-z0-9]([-a-z0-9]*[a-z0-9])?`
	namePattern   = `^` + label + `(\.` + label + `)*$`
	prefixPattern = `^(` + label + `(\.` + label + `)*|(` + label + `\.)*([a-z0-9][-a-z0-9]*)?[\x00-\x7f]-)$`
	longestName   = 253
)

// MetadataField returns what every value of a field of metadata satisfies.
func MetadataField(name string, isRoot bool) *schema.Schema {
	text := &schema.Schema{Type: schema.Text{V: StringType}}
	switch name {
	case "labels", "annotations":
		return &schema.Schema{Type: schema.Text{V: ObjectType}, AdditionalProperties: text}
	case "finalizers":
		return &schema.Schema{Type: schema.Text{V: ArrayType}, Items: text}
	case "ownerReferences", "managedFields":
		return &schema.Schema{Type: schema.Text{V: ArrayType}, Items: Anything}
	case "generation", "deletionGracePeriodSeconds":
		return &schema.Schema{Type: schema.Text{V: IntegerType}}
	case "name":
		if isRoot {
			one, most := schema.Int{V: 1}, schema.Int{V: longestName}
			text.Pattern, text.MinLength, text.MaxLength = schema.Text{V: namePattern}, &one, &most
		}
	case "generateName":
		if isRoot {
			most := schema.Int{V: longestName + 1}
			text.Pattern, text.MaxLength = schema.Text{V: prefixPattern}, &most
		}
	}
	return text
}
