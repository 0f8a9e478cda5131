// Package checks has the checks of Go types and of markers.
package checks

import (
	"slices"

	"github.com/crdproof/crdproof/diag"
)

// The checks of the Go types themselves: whether the schema fits the values that Go encodes and decodes.
var (
	JSONNull = &diag.Check{
		ID: "json-null", Severity: diag.Warning,
		Doc: "Go encodes a nil slice, map or pointer as null. The API server rejects it, or treats the field as " +
			"absent.",
	}
	JSONNullElement = &diag.Check{
		ID: "json-null-element", Severity: diag.Warning,
		Doc: "Go encodes a nil pointer, slice or map in a list or a map as null. The API server rejects or drops it.",
	}
	JSONOmitted = &diag.Check{
		ID: "json-omitted", Severity: diag.Warning,
		Doc: "Go omits a required field that has its zero value. The API server then rejects the object.",
	}
	JSONZero = &diag.Check{
		ID: "json-zero", Severity: diag.Warning,
		Doc: "The value that Go encodes for an unset field does not match the schema of the field.",
	}
	JSONEmpty = &diag.Check{
		ID: "json-empty", Severity: diag.Warning,
		Doc: "Go encodes an empty []byte as an empty string, which the format byte rejects.",
	}
	DefaultReplaces = &diag.Check{
		ID: "default-replaces", Severity: diag.Warning,
		Doc: "Go omits false and 0, and the API server stores the default in their place: a Go client cannot set " +
			"them.",
	}
	DefaultUnused = &diag.Check{
		ID: "default-unused", Severity: diag.Warning,
		Doc: "Go writes a value for an unset field, so the objects of Go clients never get its default.",
	}
	MetadataPruned = &diag.Check{
		ID: "metadata-pruned", Severity: diag.Warning,
		Doc: "The schema has no fields for an embedded ObjectMeta, so the API server prunes its labels and " +
			"annotations.",
	}
	TypePrecision = &diag.Check{
		ID: "type-precision", Severity: diag.Warning,
		Doc: "The Go type holds integers above 2^63-1, which the API server rejects.",
	}
	TypeEmpty = &diag.Check{
		ID: "type-empty", Severity: diag.Warning,
		Doc: "The schema of a struct without fields has no properties: the API server prunes everything in it.",
	}
	TypeMapKey = &diag.Check{
		ID: "type-map-key", Severity: diag.Warning,
		Doc: "A schema cannot require the keys of a map to be integers, and Go fails to decode other keys.",
	}
	FieldUntagged = &diag.Check{
		ID: "field-untagged", Severity: diag.Warning,
		Doc: "A field without a json tag is encoded under its Go name.",
	}
	FieldString = &diag.Check{
		ID: "field-string", Severity: diag.Warning,
		Doc: "The option string of a json tag has no effect on this type.",
	}
	FieldHidden = &diag.Check{
		ID: "field-hidden", Severity: diag.Warning,
		Doc: "Two fields have the same name in JSON, so encoding/json ignores both.",
	}
	EmbeddedRules = &diag.Check{
		ID: "embedded-rules", Severity: diag.Warning,
		Doc: "A rule of a struct that is embedded by pointer is evaluated even if the pointer is nil.",
	}
)

// The mistakes in Go types.
var (
	FieldTag = &diag.Check{
		ID: "field-tag", Mistake: true, MayWarn: true,
		Doc: "Go ignores a part of the json tag: an invalid name, an unknown option, or a tag without the key json.",
	}
	FieldUnexported = &diag.Check{
		ID: "field-unexported", Mistake: true, MayWarn: true,
		Doc: "Go ignores a field whose name begins with a lowercase letter, even if it has a tag.",
	}
	FieldInline = &diag.Check{
		ID: "field-inline", Mistake: true, MayWarn: true,
		Doc: "A field is meant to be part of the struct around it, but it is not a struct, or Go encodes it under " +
			"a key of its own.",
	}
	FieldLost = &diag.Check{
		ID: "field-lost", Mistake: true, MayWarn: true,
		Doc: "A struct is encoded or decoded by the method of an embedded field, which ignores the other fields.",
	}
	TypeMarshaler = &diag.Check{
		ID: "type-marshaler", Mistake: true, MayWarn: true,
		Doc: "The JSON form of a type with its own MarshalJSON is unknown unless a marker states it.",
	}
	TypeOneWay = &diag.Check{
		ID: "type-one-way", Mistake: true, MayWarn: true,
		Doc: "Go encodes a type in one form and decodes it in another.",
	}
	TypeMethods = &diag.Check{
		ID: "type-methods", Mistake: true, MayWarn: true,
		Doc: "A type that is defined with another type (type A B) does not have the methods of B, so Go encodes " +
			"it differently.",
	}
	TypeAddress = &diag.Check{
		ID: "type-address", Mistake: true, MayWarn: true,
		Doc: "The marshal method of a type has a pointer receiver, so Go does not call it for the values of a map.",
	}
	TypeUnsupported = &diag.Check{
		ID: "type-unsupported", Mistake: true,
		Doc: "A schema cannot describe the Go type, such as a channel, a function or an interface with methods.",
	}
	TypeFloat = &diag.Check{
		ID: "type-float", Mistake: true,
		Doc: "The types float32 and float64 need crd:allowDangerousTypes=true, since languages differ in how they " +
			"handle such numbers.",
	}
	TypeUndefined = &diag.Check{
		ID: "type-undefined", Mistake: true,
		Doc: "The type is not declared, or could not be read.",
	}
	TypeRecursive = &diag.Check{
		ID: "type-recursive", Mistake: true, MayWarn: true,
		Doc: "A type contains itself, which a CRD schema cannot describe.",
	}
	TypeConflict = &diag.Check{
		ID: "type-conflict", Mistake: true, MayWarn: true,
		Doc: "The Go type, its markers and the markers of the field disagree on the type of a value.",
	}
	BoundOutside = &diag.Check{
		ID: "bound-outside", Mistake: true, MayWarn: true,
		Doc: "A bound, an enum value or a default does not fit the Go type.",
	}
	// BoundUnreadable is for Go types; its row is among the checks of CRDs, which find the same in any schema.
	BoundUnreadable = &diag.Check{ID: "bound-unreadable"}
	OneOfNested     = &diag.Check{
		ID: "oneof-nested", Mistake: true,
		Doc: "A OneOf marker names a field that is not one of the type itself.",
	}
	OneOfUnknown = &diag.Check{
		ID: "oneof-unknown", Mistake: true, MayWarn: true,
		Doc: "A OneOf marker names a field that the type does not have in JSON.",
	}
	OneOfRequired = &diag.Check{
		ID: "oneof-required", Mistake: true,
		Doc: "A field of a OneOf group is required, so no other field of the group can be set.",
	}
	KindIncomplete = &diag.Check{
		ID: "kind-incomplete", Mistake: true, MayWarn: true,
		Doc: "A kind has no apiVersion, kind or metadata in JSON, so its objects cannot be stored and read; or a " +
			"type " +
			"with the marker of an object lacks them, so it is not a kind.",
	}
)

// Checks returns the table of the checks of Go types and markers.
func Checks() []*diag.Check {
	return slices.Concat([]*diag.Check{
		JSONNull, JSONNullElement, JSONOmitted, JSONZero, JSONEmpty, DefaultReplaces, DefaultUnused,
		MetadataPruned, TypePrecision,
		TypeEmpty, TypeMapKey, FieldUntagged, FieldString, FieldHidden, EmbeddedRules, FieldTag,
		FieldUnexported, FieldInline, FieldLost, TypeMarshaler, TypeOneWay, TypeMethods, TypeAddress,
		TypeUnsupported, TypeFloat, TypeUndefined, TypeRecursive, TypeConflict, BoundOutside, OneOfNested,
		OneOfUnknown, OneOfRequired, KindIncomplete,
	}, markerChecks())
}
