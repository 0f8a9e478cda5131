package lower

import (
	"slices"

	"github.com/crdproof/crdproof/diag"
)

// The checks of the Go types themselves: whether the schema fits the values that Go encodes and decodes.
var (
	jsonNull = &diag.Check{
		ID: "json-null", Severity: diag.Warning,
		Doc: "Go encodes a nil slice, map or pointer as null. The API server rejects it, or treats the field as " +
			"absent.",
		Bad:  "Ports []int `json:\"ports\"`",
		Good: "Ports []int `json:\"ports,omitempty\"`",
	}
	jsonNullElement = &diag.Check{
		ID: "json-null-element", Severity: diag.Warning,
		Doc:  "Go encodes a nil pointer, slice or map in a list or a map as null. The API server rejects or drops it.",
		Bad:  "Ports []*Port `json:\"ports,omitempty\"`",
		Good: "Ports []Port `json:\"ports,omitempty\"`",
	}
	jsonOmitted = &diag.Check{
		ID: "json-omitted", Severity: diag.Warning,
		Doc:  "Go omits a required field that has its zero value. The API server then rejects the object.",
		Bad:  "// +required\nReplicas int `json:\"replicas,omitempty\"`",
		Good: "// +required\nReplicas int `json:\"replicas\"`",
	}
	jsonZero = &diag.Check{
		ID: "json-zero", Severity: diag.Warning,
		Doc:  "The value that Go encodes for an unset field does not match the schema of the field.",
		Bad:  "// +kubebuilder:validation:Minimum=1\nReplicas int `json:\"replicas\"`",
		Good: "// +optional\n// +kubebuilder:validation:Minimum=1\nReplicas int `json:\"replicas,omitempty\"`",
	}
	jsonEmpty = &diag.Check{
		ID: "json-empty", Severity: diag.Warning,
		Doc:  "Go encodes an empty []byte as an empty string, which the format byte rejects.",
		Bad:  "Data []byte `json:\"data\"`",
		Good: "Data []byte `json:\"data,omitempty\"`",
	}
	defaultReplaces = &diag.Check{
		ID: "default-replaces", Severity: diag.Warning,
		Doc: "Go omits false and 0, and the API server stores the default in their place: a Go client cannot set " +
			"them.",
		Bad:  "// +kubebuilder:default=true\nEnabled bool `json:\"enabled,omitempty\"`",
		Good: "// +kubebuilder:default=true\nEnabled *bool `json:\"enabled,omitempty\"`",
	}
	defaultUnused = &diag.Check{
		ID: "default-unused", Severity: diag.Warning,
		Doc:  "Go writes a value for an unset field, so the objects of Go clients never get its default.",
		Bad:  "// +kubebuilder:default=1\nReplicas int32 `json:\"replicas\"`",
		Good: "// +kubebuilder:default=1\nReplicas *int32 `json:\"replicas,omitempty\"`",
	}
	metadataPruned = &diag.Check{
		ID: "metadata-pruned", Severity: diag.Warning,
		Doc: "The schema has no fields for an embedded ObjectMeta, so the API server prunes its labels and " +
			"annotations.",
		Bad:  "Metadata metav1.ObjectMeta `json:\"metadata,omitempty\"`",
		Good: "// +crdproof:embeddedObjectMeta\nMetadata metav1.ObjectMeta `json:\"metadata,omitempty\"`",
	}
	typePrecision = &diag.Check{
		ID: "type-precision", Severity: diag.Warning,
		Doc:  "The Go type holds integers above 2^63-1, which the API server rejects.",
		Bad:  "Size uint64 `json:\"size\"`",
		Good: "Size int64 `json:\"size\"`",
	}
	typeEmpty = &diag.Check{
		ID: "type-empty", Severity: diag.Warning,
		Doc:  "The schema of a struct without fields has no properties: the API server prunes everything in it.",
		Bad:  "Extra struct{} `json:\"extra\"`",
		Good: "// +kubebuilder:pruning:PreserveUnknownFields\nExtra struct{} `json:\"extra\"`",
	}
	typeMapKey = &diag.Check{
		ID: "type-map-key", Severity: diag.Warning,
		Doc:  "A schema cannot require the keys of a map to be integers, and Go fails to decode other keys.",
		Bad:  "Weights map[int]string `json:\"weights,omitempty\"`",
		Good: "Weights map[string]string `json:\"weights,omitempty\"`",
	}
	fieldUntagged = &diag.Check{
		ID: "field-untagged", Severity: diag.Warning,
		Doc:  "A field without a json tag is encoded under its Go name.",
		Bad:  "Replicas int",
		Good: "Replicas int `json:\"replicas\"`",
	}
	fieldString = &diag.Check{
		ID: "field-string", Severity: diag.Warning,
		Doc:  "The option string of a json tag has no effect on this type.",
		Bad:  "Ports []int `json:\"ports,string\"`",
		Good: "Ports []int `json:\"ports\"`",
	}
	fieldHidden = &diag.Check{
		ID: "field-hidden", Severity: diag.Warning,
		Doc:  "Two fields have the same name in JSON, so encoding/json ignores both.",
		Bad:  "A int `json:\"x\"`\nB int `json:\"x\"`",
		Good: "A int `json:\"a\"`\nB int `json:\"b\"`",
	}
	embeddedRules = &diag.Check{
		ID: "embedded-rules", Severity: diag.Warning,
		Doc:  "A rule of a struct that is embedded by pointer is evaluated even if the pointer is nil.",
		Bad:  "*Base `json:\",inline\"`   (with a rule on Base)",
		Good: "Base `json:\",inline\"`",
	}
)

// The mistakes in Go types.
var (
	fieldTag = &diag.Check{
		ID: "field-tag", Mistake: true, MayWarn: true,
		Doc:  "Go ignores a part of the json tag: an invalid name, an unknown option, or a tag without the key json.",
		Bad:  "Replicas int `json: \"replicas\"`",
		Good: "Replicas int `json:\"replicas\"`",
	}
	fieldUnexported = &diag.Check{
		ID: "field-unexported", Mistake: true, MayWarn: true,
		Doc:  "Go ignores a field whose name begins with a lowercase letter, even if it has a tag.",
		Bad:  "replicas int `json:\"replicas\"`",
		Good: "Replicas int `json:\"replicas\"`",
	}
	fieldInline = &diag.Check{
		ID: "field-inline", Mistake: true, MayWarn: true,
		Doc: "A field is meant to be part of the struct around it, but it is not a struct, or Go encodes it under " +
			"a key of its own.",
		Bad:  "Base Base `json:\",inline\"`",
		Good: "Base `json:\",inline\"`",
	}
	fieldLost = &diag.Check{
		ID: "field-lost", Mistake: true, MayWarn: true,
		Doc:  "A struct is encoded or decoded by the method of an embedded field, which ignores the other fields.",
		Bad:  "type Stamp struct {\n\tmetav1.Time `json:\",inline\"`\n\tBy string `json:\"by\"`\n}",
		Good: "type Stamp struct {\n\tAt metav1.Time `json:\"at\"`\n\tBy string      `json:\"by\"`\n}",
	}
	typeMarshaler = &diag.Check{
		ID: "type-marshaler", Mistake: true, MayWarn: true,
		Doc: "The JSON form of a type with its own MarshalJSON is unknown unless a marker states it.",
		Bad: "type Limit struct{ n int }\n\nfunc (l Limit) MarshalJSON() ([]byte, error)",
		Good: "// +kubebuilder:validation:Type=string\ntype Limit struct{ n int }\n\n" +
			"func (l Limit) MarshalJSON() ([]byte, error)",
	}
	typeOneWay = &diag.Check{
		ID: "type-one-way", Mistake: true, MayWarn: true,
		Doc:  "Go encodes a type in one form and decodes it in another.",
		Bad:  "func (l Limit) MarshalText() ([]byte, error)",
		Good: "func (l Limit) MarshalText() ([]byte, error)\n\nfunc (l *Limit) UnmarshalText(text []byte) error",
	}
	typeMethods = &diag.Check{
		ID: "type-methods", Mistake: true, MayWarn: true,
		Doc: "A type that is defined with another type (type A B) does not have the methods of B, so Go encodes " +
			"it differently.",
		Bad:  "type Moment metav1.Time",
		Good: "type Moment = metav1.Time",
	}
	typeAddress = &diag.Check{
		ID: "type-address", Mistake: true, MayWarn: true,
		Doc:  "The marshal method of a type has a pointer receiver, so Go does not call it for the values of a map.",
		Bad:  "Limits map[string]big.Int `json:\"limits,omitempty\"`",
		Good: "Limits map[string]*big.Int `json:\"limits,omitempty\"`",
	}
	typeUnsupported = &diag.Check{
		ID: "type-unsupported", Mistake: true,
		Doc:  "A schema cannot describe the Go type, such as a channel, a function or an interface with methods.",
		Bad:  "Done chan int `json:\"done\"`",
		Good: "Done chan int `json:\"-\"`",
	}
	typeFloat = &diag.Check{
		ID: "type-float", Mistake: true,
		Doc: "The types float32 and float64 need crd:allowDangerousTypes=true, since languages differ in how they " +
			"handle such numbers.",
		Bad:  "Ratio float64 `json:\"ratio\"`",
		Good: "Ratio resource.Quantity `json:\"ratio\"`",
	}
	typeUndefined = &diag.Check{
		ID: "type-undefined", Mistake: true,
		Doc:  "The type is not declared, or could not be read.",
		Bad:  "Port Prot `json:\"port\"`",
		Good: "Port Port `json:\"port\"`",
	}
	typeRecursive = &diag.Check{
		ID: "type-recursive", Mistake: true, MayWarn: true,
		Doc: "A type contains itself, which a CRD schema cannot describe.",
		Bad: "type Node struct {\n\tNext *Node `json:\"next,omitempty\"`\n}",
		Good: "type Node struct {\n" +
			"\t// +kubebuilder:validation:Schemaless\n\t// +kubebuilder:validation:Type=object\n" +
			"\t// +kubebuilder:pruning:PreserveUnknownFields\n\tNext *Node `json:\"next,omitempty\"`\n}",
	}
	typeConflict = &diag.Check{
		ID: "type-conflict", Mistake: true, MayWarn: true,
		Doc:  "The Go type, its markers and the markers of the field disagree on the type of a value.",
		Bad:  "// +kubebuilder:validation:Type=string\nReplicas int `json:\"replicas\"`",
		Good: "Replicas int `json:\"replicas\"`",
	}
	boundOutside = &diag.Check{
		ID: "bound-outside", Mistake: true, MayWarn: true,
		Doc:  "A bound, an enum value or a default does not fit the Go type.",
		Bad:  "// +kubebuilder:validation:Maximum=300\nWeight uint8 `json:\"weight\"`",
		Good: "// +kubebuilder:validation:Maximum=255\nWeight uint8 `json:\"weight\"`",
	}
	// boundUnreadable is for Go types; its row is among the checks of CRDs, which find the same in any schema.
	boundUnreadable = &diag.Check{ID: "bound-unreadable"}
	oneOfNested     = &diag.Check{
		ID: "oneof-nested", Mistake: true,
		Doc:  "A OneOf marker names a field that is not one of the type itself.",
		Bad:  "// +kubebuilder:validation:ExactlyOneOf=spec.a;spec.b",
		Good: "// +kubebuilder:validation:ExactlyOneOf=a;b",
	}
	oneOfUnknown = &diag.Check{
		ID: "oneof-unknown", Mistake: true, MayWarn: true,
		Doc:  "A OneOf marker names a field that the type does not have in JSON.",
		Bad:  "// +kubebuilder:validation:ExactlyOneOf=File;url",
		Good: "// +kubebuilder:validation:ExactlyOneOf=file;url",
	}
	oneOfRequired = &diag.Check{
		ID: "oneof-required", Mistake: true,
		Doc: "A field of a OneOf group is required, so no other field of the group can be set.",
		Bad: "// +kubebuilder:validation:ExactlyOneOf=file;url\ntype Source struct {\n\tFile string `json:\"file\"`\n" +
			"\tURL  string `json:\"url,omitempty\"`\n}",
		Good: "// +kubebuilder:validation:ExactlyOneOf=file;url\ntype Source struct {\n" +
			"\tFile string `json:\"file,omitempty\"`\n\tURL  string `json:\"url,omitempty\"`\n}",
	}
	kindIncomplete = &diag.Check{
		ID: "kind-incomplete", Mistake: true, MayWarn: true,
		Doc: "A kind has no apiVersion, kind or metadata in JSON, so its objects cannot be stored and read; or a " +
			"type " +
			"with the marker of an object lacks them, so it is not a kind.",
		Bad: "type Widget struct {\n\tmetav1.TypeMeta   `json:\",inline\"`\n" +
			"\tmetav1.ObjectMeta `json:\"meta,omitempty\"`\n}",
		Good: "type Widget struct {\n\tmetav1.TypeMeta   `json:\",inline\"`\n" +
			"\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n}",
	}
)

// Checks is the table of the checks of Go types and markers.
func Checks() []*diag.Check {
	return slices.Concat([]*diag.Check{
		jsonNull, jsonNullElement, jsonOmitted, jsonZero, jsonEmpty, defaultReplaces, defaultUnused,
		metadataPruned, typePrecision,
		typeEmpty, typeMapKey, fieldUntagged, fieldString, fieldHidden, embeddedRules, fieldTag,
		fieldUnexported, fieldInline, fieldLost, typeMarshaler, typeOneWay, typeMethods, typeAddress,
		typeUnsupported, typeFloat, typeUndefined, typeRecursive, typeConflict, boundOutside, oneOfNested,
		oneOfUnknown, oneOfRequired, kindIncomplete,
	}, markerChecks())
}
