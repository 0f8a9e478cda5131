package lower

import (
	"slices"

	"github.com/crdproof/crdproof/generator/diag"
)

// What is looked for in the Go types themselves: how the values that Go writes and reads go with the schema.
var (
	jsonNull = &diag.Check{
		ID: "json-null", Severity: diag.Warning,
		Doc: "Go writes null for a nil slice, map or pointer, and the API server refuses it or takes it for an " +
			"absent field.",
		Bad:  "Ports []int `json:\"ports\"`",
		Good: "Ports []int `json:\"ports,omitempty\"`",
	}
	jsonNullElement = &diag.Check{
		ID: "json-null-element", Severity: diag.Warning,
		Doc: "Go writes null for a nil pointer, slice or map in a list or a map, and the API server refuses or drops " +
			"it.",
		Bad:  "Ports []*Port `json:\"ports,omitempty\"`",
		Good: "Ports []Port `json:\"ports,omitempty\"`",
	}
	jsonOmitted = &diag.Check{
		ID: "json-omitted", Severity: diag.Warning,
		Doc:  "A required field is left out when it has its zero value, and the API server then misses it.",
		Bad:  "// +required\nReplicas int `json:\"replicas,omitempty\"`",
		Good: "// +required\nReplicas int `json:\"replicas\"`",
	}
	jsonZero = &diag.Check{
		ID: "json-zero", Severity: diag.Warning,
		Doc:  "The value that Go writes of a field that nobody has set does not fulfil the field's own schema.",
		Bad:  "// +kubebuilder:validation:Minimum=1\nReplicas int `json:\"replicas\"`",
		Good: "// +optional\n// +kubebuilder:validation:Minimum=1\nReplicas int `json:\"replicas,omitempty\"`",
	}
	jsonEmpty = &diag.Check{
		ID: "json-empty", Severity: diag.Warning,
		Doc:  "Go writes an empty []byte as an empty string, which format byte refuses.",
		Bad:  "Data []byte `json:\"data\"`",
		Good: "Data []byte `json:\"data,omitempty\"`",
	}
	metadataPruned = &diag.Check{
		ID: "metadata-pruned", Severity: diag.Warning,
		Doc:  "The schema names none of an embedded ObjectMeta's fields, so that labels and annotations are dropped.",
		Bad:  "Metadata metav1.ObjectMeta `json:\"metadata,omitempty\"`",
		Good: "// +crdproof:embeddedObjectMeta\nMetadata metav1.ObjectMeta `json:\"metadata,omitempty\"`",
	}
	typePrecision = &diag.Check{
		ID: "type-precision", Severity: diag.Warning,
		Doc:  "The Go type holds integers that the API server does not: it ends at 2^63-1.",
		Bad:  "Size uint64 `json:\"size\"`",
		Good: "Size int64 `json:\"size\"`",
	}
	typeEmpty = &diag.Check{
		ID: "type-empty", Severity: diag.Warning,
		Doc:  "The schema of a struct without fields lets nothing through: all that is in it is dropped.",
		Bad:  "Extra struct{} `json:\"extra\"`",
		Good: "// +kubebuilder:pruning:PreserveUnknownFields\nExtra struct{} `json:\"extra\"`",
	}
	typeMapKey = &diag.Check{
		ID: "type-map-key", Severity: diag.Warning,
		Doc:  "The schema cannot say that the keys of a map are integers, so that Go fails to read others.",
		Bad:  "Weights map[int]string `json:\"weights,omitempty\"`",
		Good: "Weights map[string]string `json:\"weights,omitempty\"`",
	}
	fieldUntagged = &diag.Check{
		ID: "field-untagged", Severity: diag.Warning,
		Doc:  "A field without a tag is written under its Go name.",
		Bad:  "Replicas int",
		Good: "Replicas int `json:\"replicas\"`",
	}
	fieldString = &diag.Check{
		ID: "field-string", Severity: diag.Warning,
		Doc:  "The option string of a tag does nothing for this type.",
		Bad:  "Ports []int `json:\"ports,string\"`",
		Good: "Ports []int `json:\"ports\"`",
	}
	fieldHidden = &diag.Check{
		ID: "field-hidden", Severity: diag.Warning,
		Doc:  "Two fields have one name in JSON, so that encoding/json writes neither.",
		Bad:  "A int `json:\"x\"`\nB int `json:\"x\"`",
		Good: "A int `json:\"a\"`\nB int `json:\"b\"`",
	}
	embeddedRules = &diag.Check{
		ID: "embedded-rules", Severity: diag.Warning,
		Doc:  "A rule of a struct that is embedded as a pointer is checked even where the pointer is nil.",
		Bad:  "*Base `json:\",inline\"`   (with a rule on Base)",
		Good: "Base `json:\",inline\"`",
	}
)

// The mistakes in Go types, without which there is no schema.
var (
	fieldTag = &diag.Check{
		ID: "field-tag", Mistake: true,
		Doc: "Go ignores a part of the json tag: an invalid name, an option with spaces, or a tag without the key " +
			"json.",
		Bad:  "Replicas int `json: \"replicas\"`",
		Good: "Replicas int `json:\"replicas\"`",
	}
	fieldUnexported = &diag.Check{
		ID: "field-unexported", Mistake: true,
		Doc:  "Go neither writes nor reads a field whose name begins with a small letter, whatever its tag says.",
		Bad:  "replicas int `json:\"replicas\"`",
		Good: "Replicas int `json:\"replicas\"`",
	}
	fieldInline = &diag.Check{
		ID: "field-inline", Mistake: true,
		Doc: "A field is meant to be part of the struct around it, but Go writes it as a value of its own, or it is " +
			"no struct.",
		Bad:  "Base Base `json:\",inline\"`",
		Good: "Base `json:\",inline\"`",
	}
	fieldLost = &diag.Check{
		ID: "field-lost", Mistake: true,
		Doc: "A struct is written or read by the method of an embedded field, which knows nothing of the other " +
			"fields.",
		Bad:  "type Stamp struct {\n\tmetav1.Time `json:\",inline\"`\n\tBy string `json:\"by\"`\n}",
		Good: "type Stamp struct {\n\tAt metav1.Time `json:\"at\"`\n\tBy string      `json:\"by\"`\n}",
	}
	typeMarshaler = &diag.Check{
		ID: "type-marshaler", Mistake: true,
		Doc: "What a type looks like that marshals itself can be known only if markers say it.",
		Bad: "type Limit struct{ n int }\n\nfunc (l Limit) MarshalJSON() ([]byte, error)",
		Good: "// +kubebuilder:validation:Type=string\ntype Limit struct{ n int }\n\n" +
			"func (l Limit) MarshalJSON() ([]byte, error)",
	}
	typeOneWay = &diag.Check{
		ID: "type-one-way", Mistake: true,
		Doc:  "Go writes a type in another form than it reads it in.",
		Bad:  "func (l Limit) MarshalText() ([]byte, error)",
		Good: "func (l Limit) MarshalText() ([]byte, error)\n\nfunc (l *Limit) UnmarshalText(text []byte) error",
	}
	typeMethods = &diag.Check{
		ID: "type-methods", Mistake: true,
		Doc:  "A type that is declared as another one has none of its methods, so that Go writes it in another form.",
		Bad:  "type Moment metav1.Time",
		Good: "type Moment = metav1.Time",
	}
	typeAddress = &diag.Check{
		ID: "type-address", Mistake: true,
		Doc:  "A type marshals itself only where Go can take its address, which it cannot of a map's values.",
		Bad:  "Limits map[string]big.Int `json:\"limits,omitempty\"`",
		Good: "Limits map[string]*big.Int `json:\"limits,omitempty\"`",
	}
	typeUnsupported = &diag.Check{
		ID: "type-unsupported", Mistake: true,
		Doc:  "A Go type for which there is no schema, such as a channel, a function or an interface with methods.",
		Bad:  "Done chan int `json:\"done\"`",
		Good: "Done chan int `json:\"-\"`",
	}
	typeFloat = &diag.Check{
		ID: "type-float", Mistake: true,
		Doc:  "Floating-point numbers differ between languages, and are not permitted unless they are asked for.",
		Bad:  "Ratio float64 `json:\"ratio\"`",
		Good: "Ratio resource.Quantity `json:\"ratio\"`",
	}
	typeUndefined = &diag.Check{
		ID: "type-undefined", Mistake: true,
		Doc:  "A type is named that is not declared, or that could not be read.",
		Bad:  "Port Prot `json:\"port\"`",
		Good: "Port Port `json:\"port\"`",
	}
	typeRecursive = &diag.Check{
		ID: "type-recursive", Mistake: true,
		Doc: "A type contains itself, which a CRD's schema cannot say.",
		Bad: "type Node struct {\n\tNext *Node `json:\"next,omitempty\"`\n}",
		Good: "type Node struct {\n" +
			"\t// +kubebuilder:validation:Schemaless\n\t// +kubebuilder:validation:Type=object\n" +
			"\t// +kubebuilder:pruning:PreserveUnknownFields\n\tNext *Node `json:\"next,omitempty\"`\n}",
	}
	typeConflict = &diag.Check{
		ID: "type-conflict", Mistake: true,
		Doc:  "Two of the Go type, its markers and the field's markers say different types of one value.",
		Bad:  "// +kubebuilder:validation:Type=string\nReplicas int `json:\"replicas\"`",
		Good: "Replicas int `json:\"replicas\"`",
	}
	boundOutside = &diag.Check{
		ID: "bound-outside", Mistake: true,
		Doc:  "A bound, an enum value or a default does not fit the Go type.",
		Bad:  "// +kubebuilder:validation:Maximum=300\nWeight uint8 `json:\"weight\"`",
		Good: "// +kubebuilder:validation:Maximum=255\nWeight uint8 `json:\"weight\"`",
	}
	// boundUnreadable finds in Go types what a check of CRDs, whose row it is, finds in any schema.
	boundUnreadable = &diag.Check{ID: "bound-unreadable"}
	oneOfNested     = &diag.Check{
		ID: "oneof-nested", Mistake: true,
		Doc:  "A OneOf marker names a field that is not one of the type itself.",
		Bad:  "// +kubebuilder:validation:ExactlyOneOf=spec.a;spec.b",
		Good: "// +kubebuilder:validation:ExactlyOneOf=a;b",
	}
	oneOfUnknown = &diag.Check{
		ID: "oneof-unknown", Mistake: true,
		Doc:  "A OneOf marker names a field that the type does not have in JSON.",
		Bad:  "// +kubebuilder:validation:ExactlyOneOf=File;url",
		Good: "// +kubebuilder:validation:ExactlyOneOf=file;url",
	}
	oneOfEscape = &diag.Check{
		ID: "oneof-escape", Mistake: true,
		Doc:  "A OneOf marker becomes a rule in CEL, which does not read the field's name as one name.",
		Bad:  "// +kubebuilder:validation:AtMostOneOf=node-port;port",
		Good: "// +kubebuilder:validation:AtMostOneOf=node__dash__port;port",
	}
	oneOfRequired = &diag.Check{
		ID: "oneof-required", Mistake: true,
		Doc: "A field of a OneOf group is required, so that no other of the group can be set.",
		Bad: "// +kubebuilder:validation:ExactlyOneOf=file;url\ntype Source struct {\n\tFile string `json:\"file\"`\n" +
			"\tURL  string `json:\"url,omitempty\"`\n}",
		Good: "// +kubebuilder:validation:ExactlyOneOf=file;url\ntype Source struct {\n" +
			"\tFile string `json:\"file,omitempty\"`\n\tURL  string `json:\"url,omitempty\"`\n}",
	}
	kindIncomplete = &diag.Check{
		ID: "kind-incomplete", Mistake: true,
		Doc: "A kind has no apiVersion, kind or metadata in JSON, so that no object of it can be stored and read.",
		Bad: "type Widget struct {\n\tmetav1.TypeMeta   `json:\",inline\"`\n" +
			"\tmetav1.ObjectMeta `json:\"meta,omitempty\"`\n}",
		Good: "type Widget struct {\n\tmetav1.TypeMeta   `json:\",inline\"`\n" +
			"\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n}",
	}
)

// Checks is the table of what is looked for in Go types and in markers, and of the mistakes in them.
func Checks() []*diag.Check {
	return slices.Concat([]*diag.Check{
		jsonNull, jsonNullElement, jsonOmitted, jsonZero, jsonEmpty, metadataPruned, typePrecision,
		typeEmpty, typeMapKey, fieldUntagged, fieldString, fieldHidden, embeddedRules, fieldTag,
		fieldUnexported, fieldInline, fieldLost, typeMarshaler, typeOneWay, typeMethods, typeAddress,
		typeUnsupported, typeFloat, typeUndefined, typeRecursive, typeConflict, boundOutside, oneOfNested,
		oneOfUnknown, oneOfEscape, oneOfRequired, kindIncomplete,
	}, markerChecks())
}
