package lower

import (
	"github.com/crdproof/crdproof/generator/diag"
)

// Checks is the table of what is looked for in the Go types themselves: how the values that Go writes and reads go with the
// schema. Mistakes in markers and types, without which there is no schema, are not checks and not in it.
func Checks() []*diag.Check {
	return []*diag.Check{
		warning("json-null", "Go writes null for a nil slice, map or pointer, and the API server refuses it or takes it for an absent field.",
			"Ports []int `json:\"ports\"`", "Ports []int `json:\"ports,omitempty\"`"),
		warning("json-null-element", "Go writes null for a nil pointer, slice or map in a list or a map, and the API server refuses or drops it.",
			"Ports []*Port `json:\"ports,omitempty\"`", "Ports []Port `json:\"ports,omitempty\"`"),
		warning("json-omitted", "A required field is left out when it has its zero value, and the API server then misses it.",
			"// +required\nReplicas int `json:\"replicas,omitempty\"`", "// +required\nReplicas int `json:\"replicas\"`"),
		warning("json-zero", "The value that Go writes of a field that nobody has set does not fulfil the field's own schema.",
			"// +kubebuilder:validation:Minimum=1\nReplicas int `json:\"replicas\"`", "// +optional\n// +kubebuilder:validation:Minimum=1\nReplicas int `json:\"replicas,omitempty\"`"),
		warning("json-empty", "Go writes an empty []byte as an empty string, which format byte refuses.",
			"Data []byte `json:\"data\"`", "Data []byte `json:\"data,omitempty\"`"),
		warning("metadata-pruned", "The schema names none of an embedded ObjectMeta's fields, so that labels and annotations are dropped.",
			"Metadata metav1.ObjectMeta `json:\"metadata,omitempty\"`",
			"// +crdproof:embeddedObjectMeta\nMetadata metav1.ObjectMeta `json:\"metadata,omitempty\"`"),
		warning("type-precision", "The Go type holds integers that the API server does not: it ends at 2^63-1.",
			"Size uint64 `json:\"size\"`", "Size int64 `json:\"size\"`"),
		warning("type-empty", "The schema of a struct without fields lets nothing through: all that is in it is dropped.",
			"Extra struct{} `json:\"extra\"`", "// +kubebuilder:pruning:PreserveUnknownFields\nExtra struct{} `json:\"extra\"`"),
		warning("type-map-key", "The schema cannot say that the keys of a map are integers, so that Go fails to read others.",
			"Weights map[int]string `json:\"weights,omitempty\"`", "Weights map[string]string `json:\"weights,omitempty\"`"),
		warning("enum-constants", "The values of an Enum marker and the constants of its type differ.",
			"// +kubebuilder:validation:Enum=Always\ntype Policy string   (with constants Always and Never)",
			"// +enum\ntype Policy string"),
		warning("field-untagged", "A field without a tag is written under its Go name.", "Replicas int", "Replicas int `json:\"replicas\"`"),
		warning("field-string", "The option string of a tag does nothing for this type.",
			"Ports []int `json:\"ports,string\"`", "Ports []int `json:\"ports\"`"),
		warning("field-hidden", "Two fields have one name in JSON, so that encoding/json writes neither.",
			"A int `json:\"x\"`\nB int `json:\"x\"`", "A int `json:\"a\"`\nB int `json:\"b\"`"),
		warning("rule-unused", "A rule that is declared on a package is used by no type or field, so that it holds nowhere.",
			"// +crdproof:rule:name=ordered,rule=\"self.min <= self.max\"\npackage v1",
			"// +crdproof:rule:use=ordered\ntype Range struct {\n\tMin int32 `json:\"min\"`\n\tMax int32 `json:\"max\"`\n}"),
		warning("tag-unenforced", "A type of another package demands what no CRD can hold at this place, so that it is not enforced.",
			"Jobs []batchv1.JobSpec `json:\"jobs,omitempty\"`", "Job batchv1.JobSpec `json:\"job\"`"),
		warning("union-unread", "Old markers for unions do not say which fields are members, or which value names them, so that nothing is enforced.",
			"// +unionDiscriminator\nType Kind `json:\"type\"`\nFile *File `json:\"file,omitempty\"`",
			"// +k8s:unionDiscriminator\nType Kind `json:\"type\"`\n// +k8s:unionMember\nFile *File `json:\"file,omitempty\"`"),
		warning("embedded-rules", "A rule of a struct that is embedded as a pointer is checked even where the pointer is nil.",
			"*Base `json:\",inline\"`   (with a rule on Base)", "Base `json:\",inline\"`"),
	}
}

func warning(id, doc, bad, good string) *diag.Check {
	return &diag.Check{ID: id, Severity: diag.Warning, Doc: doc, Bad: bad, Good: good}
}
