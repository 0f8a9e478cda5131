package lower

import "github.com/crdproof/crdproof/diag"

// The checks of markers beyond their grammar.
var (
	markerType = &diag.Check{
		ID: "marker-type", Mistake: true, MayWarn: true,
		Doc:  "The marker applies to another JSON type than that of its type or field.",
		Bad:  "// +kubebuilder:validation:MaxLength=5\nPorts []int `json:\"ports,omitempty\"`",
		Good: "// +kubebuilder:validation:MaxItems=5\nPorts []int `json:\"ports,omitempty\"`",
	}
	markerRange = &diag.Check{
		ID: "marker-range", Mistake: true, MayWarn: true,
		Doc:  "The marker sets a bound that every value satisfies, or that no value satisfies.",
		Bad:  "// +kubebuilder:validation:MinItems=-1",
		Good: "// +kubebuilder:validation:MinItems=0",
	}
	contradictory = &diag.Check{
		ID: "marker-contradiction", Mistake: true, MayWarn: true,
		Doc:  "Two markers, or two arguments of one, contradict each other.",
		Bad:  "// +kubebuilder:validation:Minimum=10\n// +kubebuilder:validation:Maximum=1",
		Good: "// +kubebuilder:validation:Minimum=1\n// +kubebuilder:validation:Maximum=10",
	}
	markerTopology = &diag.Check{
		ID: "marker-topology", Mistake: true,
		Doc:  "The marker names the keys of a list, but the list is not of type map.",
		Bad:  "// +listMapKey=name",
		Good: "// +listType=map\n// +listMapKey=name",
	}
	markerRepeated = &diag.Check{
		ID: "marker-repeated", Mistake: true, MayWarn: true,
		Doc:  "A marker appears twice with different values, but only one of them has an effect.",
		Bad:  "// +kubebuilder:validation:MaxLength=5\n// +kubebuilder:validation:MaxLength=6",
		Good: "// +kubebuilder:validation:MaxLength=5",
	}
	markerAlias = &diag.Check{
		ID: "marker-alias", Mistake: true, MayWarn: true,
		Doc:  "The marker is on an alias. An alias is another name of a type and has no markers of its own.",
		Bad:  "// +kubebuilder:validation:MaxLength=5\ntype Name = string",
		Good: "// +kubebuilder:validation:MaxLength=5\ntype Name string",
	}
	markerStray = &diag.Check{
		ID: "marker-stray", Mistake: true, MayWarn: true,
		Doc:  "The marker is in a place where it has no effect, such as after code or in a block comment.",
		Bad:  "Name string `json:\"name\"` // +optional",
		Good: "// +optional\nName string `json:\"name,omitempty\"`",
	}
	markerStep = &diag.Check{
		ID: "marker-step", Mistake: true,
		Doc: "A prefix such as items:, or a tag such as k8s:eachVal, refers to a part that the value does not " +
			"have, or that the marker after it does not apply to.",
		Bad:  "// +k8s:eachVal=+k8s:maxLength=5\nName string `json:\"name\"`",
		Good: "// +k8s:maxLength=5\nName string `json:\"name\"`",
	}
	markerField = &diag.Check{
		ID: "marker-field", Mistake: true,
		Doc:  "The marker names a field that does not exist, or that a CEL rule cannot read.",
		Bad:  "// +k8s:subfield(nmae)=+k8s:maxLength=5",
		Good: "// +k8s:subfield(name)=+k8s:maxLength=5",
	}
	markerLiteral = &diag.Check{
		ID: "marker-literal", Mistake: true,
		Doc:  "The marker compares a value with one of another type.",
		Bad:  "// +k8s:neq=\"0\"\nReplicas int `json:\"replicas\"`",
		Good: "// +k8s:neq=0\nReplicas int `json:\"replicas\"`",
	}
	enumConstants = &diag.Check{
		ID: "enum-constants", Severity: diag.Warning,
		Doc:  "The values of an Enum marker and the constants of its type differ.",
		Bad:  "// +kubebuilder:validation:Enum=Always\ntype Policy string   (with constants Always and Never)",
		Good: "// +enum\ntype Policy string",
	}
	enumOutside = &diag.Check{
		ID: "enum-outside", Mistake: true, MayWarn: true,
		Doc: "The enum of a field has a value that the enum of its type does not have.",
		Bad: "// +kubebuilder:validation:Enum=Always;Sometimes\nPolicy Policy `json:\"policy\"`   (of the values " +
			"Always and Never)",
		Good: "// +kubebuilder:validation:Enum=Always\nPolicy Policy `json:\"policy\"`",
	}
	enumEmpty = &diag.Check{
		ID: "enum-empty", Mistake: true,
		Doc:  "The marker lists the constants of a type, but its package declares none.",
		Bad:  "// +enum\ntype Policy string",
		Good: "// +enum\ntype Policy string\n\nconst Always Policy = \"Always\"",
	}
	enumUnknown = &diag.Check{
		ID: "enum-unknown", Mistake: true,
		Doc:  "The marker lists the constants of a type, but the value of one cannot be computed.",
		Bad:  "const Always Policy = Policy(prefix + name())",
		Good: "const Always Policy = \"Always\"",
	}
	kindGeneric = &diag.Check{
		ID: "kind-generic", Mistake: true, MayWarn: true,
		Doc: "A kind has type parameters, but a CRD describes one type.",
		Bad: "type Widget[T any] struct {\n\tmetav1.TypeMeta   `json:\",inline\"`\n" +
			"\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n}",
		Good: "type Widget struct {\n\tmetav1.TypeMeta   `json:\",inline\"`\n" +
			"\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n}",
	}
	kindDoubtful = &diag.Check{
		ID: "kind-doubtful", Severity: diag.Warning, Mistake: true,
		Doc: "A struct with TypeMeta and ObjectMeta is embedded in a kind, so it is treated as a part of that kind " +
			"and gets no CRD.",
		Bad:  "type Widget struct {\n\tBase `json:\",inline\"`\n}",
		Good: "// +kubebuilder:object:root=true\ntype Widget struct {\n\tBase `json:\",inline\"`\n}",
	}
	kindNone = &diag.Check{
		ID: "kind-none", Severity: diag.Warning, Mistake: true,
		Doc:  "A run writes no CRDs: its packages have no kinds, or markers skip all of them.",
		Bad:  "crdproof crd paths=./internal/...",
		Good: "crdproof crd paths=./api/...",
	}
	resourceDisagrees = &diag.Check{
		ID: "resource-disagrees", Mistake: true, MayWarn: true,
		Doc:  "The versions of a kind disagree on its names or scope, which a CRD has once for all versions.",
		Bad:  "// +kubebuilder:resource:scope=Cluster   (in v1)\n// +kubebuilder:resource:scope=Namespaced   (in v2)",
		Good: "// +kubebuilder:resource:scope=Cluster   (in v1 and v2)",
	}
	metadataDisagrees = &diag.Check{
		ID: "metadata-disagrees", Mistake: true, MayWarn: true,
		Doc:  "Two markers give an annotation or label of the CRD different values.",
		Bad:  "// +kubebuilder:metadata:labels=\"team=a\"\n// +kubebuilder:metadata:labels=\"team=b\"",
		Good: "// +kubebuilder:metadata:labels=\"team=a\"",
	}
	ruleTwice = &diag.Check{
		ID: "rule-twice", Mistake: true,
		Doc: "Two rules of a package have the same name.",
		Bad: "// +crdproof:rule:name=ordered,rule=\"self.min <= self.max\"\n" +
			"// +crdproof:rule:name=ordered,rule=\"self.min < self.max\"",
		Good: "// +crdproof:rule:name=ordered,rule=\"self.min <= self.max\"",
	}
	ruleUnknown = &diag.Check{
		ID: "rule-unknown", Mistake: true,
		Doc:  "The marker uses an unknown rule, or a name that several rules have.",
		Bad:  "// +crdproof:rule:use=orderd",
		Good: "// +crdproof:rule:use=ordered",
	}
	ruleUnused = &diag.Check{
		ID: "rule-unused", Severity: diag.Warning,
		Doc: "No type or field uses a rule that is declared on a package, so the rule has no effect.",
		Bad: "// +crdproof:rule:name=ordered,rule=\"self.min <= self.max\"\npackage v1",
		Good: "// +crdproof:rule:use=ordered\ntype Range struct {\n\tMin int32 `json:\"min\"`\n" +
			"\tMax int32 `json:\"max\"`\n}",
	}
	tagInexpressible = &diag.Check{
		ID: "tag-inexpressible", Mistake: true,
		Doc:  "A tag of Kubernetes' declarative validation has no equivalent in a CRD.",
		Bad:  "// +k8s:customValidation",
		Good: "// +kubebuilder:validation:XValidation:rule=\"self.min <= self.max\"",
	}
	tagUncorrelated = &diag.Check{
		ID: "tag-uncorrelated", Mistake: true,
		Doc: "A tag compares with the value before an update, but it applies to several values, so that value is " +
			"ambiguous.",
		Bad:  "// +k8s:eachKey=+k8s:immutable",
		Good: "// +k8s:immutable",
	}
	tagUpdate = &diag.Check{
		ID: "tag-update", Mistake: true,
		Doc: "The tag forbids a change that cannot happen to a value of this type, or that the API server cannot " +
			"detect.",
		Bad:  "// +k8s:update=NoAddItem\nName string `json:\"name,omitempty\"`",
		Good: "// +k8s:update=NoModify\nName string `json:\"name,omitempty\"`",
	}
	tagUnique = &diag.Check{
		ID: "tag-unique", Mistake: true,
		Doc:  "The items of the list are unique already, or the tag does not name the fields that identify them.",
		Bad:  "// +k8s:unique=map",
		Good: "// +k8s:unique=map\n// +k8s:listMapKey=name",
	}
	tagUnenforced = &diag.Check{
		ID: "tag-unenforced", Severity: diag.Warning,
		Doc:  "An imported type has a constraint without an equivalent in a CRD, so it is not enforced.",
		Bad:  "Jobs []batchv1.JobSpec `json:\"jobs,omitempty\"`",
		Good: "Job batchv1.JobSpec `json:\"job\"`",
	}
	tagUnstable = &diag.Check{
		ID: "tag-unstable", Severity: diag.Warning,
		Doc:  "A tag is marked as alpha or beta, so it is not enforced. crd:declarative=all enforces such tags.",
		Bad:  "// +k8s:alpha(since: \"1.35\")=+k8s:maxLength=5\nName string `json:\"name\"`",
		Good: "// +k8s:maxLength=5\nName string `json:\"name\"`",
	}
	unionMembership = &diag.Check{
		ID: "union-member", Mistake: true, MayWarn: true,
		Doc:  "A field cannot be a member of its union, or the union has no members.",
		Bad:  "// +k8s:unionMember\nFile *File `json:\"file\"`",
		Good: "// +k8s:unionMember\n// +optional\nFile *File `json:\"file,omitempty\"`",
	}
	unionDiscriminator = &diag.Check{
		ID: "union-discriminator", Mistake: true,
		Doc: "A union, or a tag k8s:ifMode, has no discriminator, two discriminators, or one that does not have " +
			"the value of a member or mode.",
		Bad:  "// +k8s:ifMode(\"Static\")=+k8s:required   (and no +k8s:modeDiscriminator)",
		Good: "// +k8s:modeDiscriminator\nMode Mode `json:\"mode\"`",
	}
	unionUnread = &diag.Check{
		ID: "union-unread", Severity: diag.Warning,
		Doc: "Old markers for unions do not define which fields are members, or which value names them, so they are " +
			"not enforced.",
		Bad: "// +unionDiscriminator\nType Kind `json:\"type\"`\nFile *File `json:\"file,omitempty\"`",
		Good: "// +k8s:unionDiscriminator\nType Kind `json:\"type\"`\n// +k8s:unionMember\n" +
			"File *File `json:\"file,omitempty\"`",
	}
)

// These are for Go types; their rows are among the checks of CRDs, which find the same in any schema.
var (
	groupMissing     = &diag.Check{ID: "group-missing"}
	versionDuplicate = &diag.Check{ID: "version-duplicate"}
	versionStorage   = &diag.Check{ID: "version-storage"}
	versionServed    = &diag.Check{ID: "version-served"}
	nestedKeyword    = &diag.Check{ID: "nested-keyword"}
	nestedUnknown    = &diag.Check{ID: "nested-unknown"}
)

func markerChecks() []*diag.Check {
	return []*diag.Check{
		markerType, markerRange, contradictory, markerTopology, markerRepeated, markerAlias, markerStray, markerStep,
		markerField, markerLiteral, enumConstants, enumOutside, enumEmpty, enumUnknown, kindGeneric, kindDoubtful,
		kindNone, resourceDisagrees, metadataDisagrees, ruleTwice, ruleUnknown, ruleUnused,
		tagInexpressible, tagUncorrelated,
		tagUpdate, tagUnique, tagUnenforced, tagUnstable, unionMembership, unionDiscriminator, unionUnread,
	}
}
