// Package checks has the checks of Go types and of markers.
package checks

import (
	"slices"

	"github.com/crdproof/crdproof/diag"
)

// The checks of the Go types themselves: whether the schema fits the values that Go encodes and decodes.
var (
	JSONNull = &diag.Check{
		ID: "json-null", Severity: diag.Warning, Group: diag.Unlikely,
		Doc: "Go encodes a nil slice or map of a required field as null, which the API server rejects, although an " +
			"empty one is valid. Nothing is reported if an empty one is not valid either, or if the field is a " +
			"pointer: the object then lacks what it needs, and is rejected with reason.",
		Hurts:  "Programs in Go that write these objects. Users who write YAML never see it.",
		Unless: "your programs always set the field, if only to an empty list or map",
	}
	JSONNullElement = &diag.Check{
		ID: "json-null-element", Severity: diag.Warning, Group: diag.GoClients,
		Doc: "Go encodes the zero value of a type in a list or a map as null, and cannot read it back. The API " +
			"server rejects or drops it.",
		Hurts:  "Programs in Go that write these objects. Users who write YAML never see it.",
		Unless: "your programs never write such an element",
	}
	JSONOmitted = &diag.Check{
		ID: "json-omitted", Severity: diag.Warning, Group: diag.GoClients,
		Doc: "Go omits a required number or truth value that is zero or false. The API server then rejects the " +
			"object. An empty text or list where there must be one is not reported.",
		Hurts:  "Programs in Go that write these objects. Users who write YAML never see it.",
		Unless: "the zero value makes no sense: better, let the schema reject it",
	}
	JSONZero = &diag.Check{
		ID: "json-zero", Severity: diag.Warning, Group: diag.GoClients,
		Doc: "The value that Go encodes for an unset field does not match the schema of the field. Only the " +
			"innermost such field is reported, and not the spec of a kind: without one, there is nothing to do.",
		Hurts:  "Programs in Go that write these objects. Users who write YAML never see it.",
		Unless: "your programs always set the field",
	}
	JSONEmpty = &diag.Check{
		ID: "json-empty", Severity: diag.Warning, Group: diag.GoClients,
		Doc:    "Go encodes an empty []byte as an empty string, which the format byte rejects.",
		Hurts:  "Programs in Go that write these objects. Users who write YAML never see it.",
		Unless: "your programs never write empty bytes",
	}
	DefaultReplaces = &diag.Check{
		ID: "default-replaces", Severity: diag.Warning, Group: diag.GoClients,
		Doc: "Go omits false and 0, and the API server stores the default in their place: a Go client cannot set " +
			"them.",
		Hurts:  "Programs in Go that write these objects. Users who write YAML never see it.",
		Unless: "the zero value is never meant",
	}
	DefaultUnused = &diag.Check{
		ID: "default-unused", Severity: diag.Warning, Group: diag.GoClients,
		Doc:    "Go writes a value for an unset field, so the objects of Go clients never get its default.",
		Hurts:  "Programs in Go that write these objects. Users who write YAML never see it.",
		Unless: "only users who write YAML rely on the default",
	}
	DefaultUnreached = &diag.Check{
		ID: "default-unreached", Severity: diag.Warning, Group: diag.Unlikely,
		Doc: "The defaults in an optional struct do not apply if an object lacks the struct. Go programs " +
			"then read zero values.",
		Hurts:  "Programs in Go: they read zero values instead of the defaults.",
		Unless: "they handle zero values",
	}
	JSONTime = &diag.Check{
		ID: "json-time", Severity: diag.Warning, Group: diag.GoClients,
		Doc:    "Go encodes an unset time.Time as the year 1, even with omitempty.",
		Hurts:  "Programs in Go that write these objects, and whoever reads the year 1.",
		Unless: "readers know that the year 1 means unset",
	}
	PatchTag = &diag.Check{
		ID: "patch-tag", Severity: diag.Warning, Group: diag.Unlikely,
		Doc: "The tags patchStrategy and patchMergeKey are for Kubernetes' own types. In a CRD, the list " +
			"type decides whether an apply merges a list by its keys or replaces it.",
		Hurts:  "Users of server-side apply: one of them replaces the items of another.",
		Unless: "one applier owns the whole list, or your own code merges patches with these tags",
	}
	MetadataPruned = &diag.Check{
		ID: "metadata-pruned", Severity: diag.Warning,
		Doc: "The schema has no fields for an embedded ObjectMeta, so the API server prunes its labels and " +
			"annotations.",
		Hurts:  "Users who set labels or annotations there: they are lost without an error.",
		Unless: "your controller ignores this metadata",
	}
	TypePrecision = &diag.Check{
		ID: "type-precision", Severity: diag.Warning, Group: diag.ExtremeValues,
		Doc:    "The Go type is made for integers above 2^63-1, as big.Int is, but the API server rejects them.",
		Hurts:  "Users and programs that write numbers above 2^63-1: they are rejected.",
		Unless: "no value is that large",
	}
	TypeEmpty = &diag.Check{
		ID: "type-empty", Severity: diag.Warning,
		Doc:    "The schema of a struct without fields has no properties: the API server prunes everything in it.",
		Hurts:  "Users who set anything in it: it is lost without an error.",
		Unless: "the struct is a mark that has no fields on purpose",
	}
	TypeMapKey = &diag.Check{
		ID: "type-map-key", Severity: diag.Warning,
		Doc:    "A schema cannot require the keys of a map to be integers, and Go fails to decode other keys.",
		Hurts:  "Programs in Go that read these objects: they fail to decode other keys.",
		Unless: "all keys are written by your programs",
	}
	FieldUntagged = &diag.Check{
		ID: "field-untagged", Severity: diag.Warning,
		Doc:    "A field without a json tag is encoded under its Go name.",
		Hurts:  "Every user: the name in YAML begins with an uppercase letter.",
		Unless: "the name is already in use",
	}
	FieldString = &diag.Check{
		ID: "field-string", Severity: diag.Warning,
		Doc:    "The option string of a json tag has no effect on this type.",
		Hurts:  "Readers of the code, who expect another form.",
		Unless: "the type must stay as it is",
	}
	FieldHidden = &diag.Check{
		ID: "field-hidden", Severity: diag.Warning,
		Doc:    "Two fields have the same name in JSON, so encoding/json ignores both.",
		Hurts:  "Every user: neither field can be set.",
		Unless: "both fields are only for Go",
	}
	EmbeddedRules = &diag.Check{
		ID: "embedded-rules", Severity: diag.Warning,
		Doc:    "A rule of a struct that is embedded by pointer is evaluated even if the pointer is nil.",
		Hurts:  "Users who set none of the embedded fields: the object is rejected.",
		Unless: "the embedded fields must be set",
	}
)

// The mistakes in Go types.
var (
	FieldTag = &diag.Check{
		ID: "field-tag", Mistake: true, MayWarn: true,
		Doc:    "Go ignores a part of the json tag: an invalid name, an unknown option, or a tag without the key json.",
		Hurts:  "Every user: the field has another name, or is missing.",
		Unless: "the tag is meant for another tool",
	}
	FieldUnexported = &diag.Check{
		ID: "field-unexported", Mistake: true, MayWarn: true,
		Doc:    "Go ignores a field whose name begins with a lowercase letter, even if it has a tag.",
		Hurts:  "Every user: the field cannot be set.",
		Unless: "the field is only for Go",
	}
	FieldInline = &diag.Check{
		ID: "field-inline", Mistake: true, MayWarn: true,
		Doc: "A field is meant to be part of the struct around it, but it is not a struct, or Go encodes it under " +
			"a key of its own.",
		Hurts:  "Every user: the fields have another place in YAML.",
		Unless: "the place is already in use",
	}
	FieldLost = &diag.Check{
		ID: "field-lost", Mistake: true, MayWarn: true,
		Doc:    "A struct is encoded or decoded by the method of an embedded field, which ignores the other fields.",
		Hurts:  "Every user: the other fields are lost without an error.",
		Unless: "the other fields are only for Go",
	}
	TypeMarshaler = &diag.Check{
		ID: "type-marshaler", Mistake: true, MayWarn: true,
		Doc:    "The JSON form of a type with its own MarshalJSON is unknown unless a marker states it.",
		Hurts:  "Every user: the schema may not fit what Go reads and writes.",
		Unless: "the schema is known to fit",
	}
	TypeOneWay = &diag.Check{
		ID: "type-one-way", Mistake: true, MayWarn: true,
		Doc:    "Go encodes a type in one form and decodes it in another.",
		Hurts:  "Programs in Go that read what they have written.",
		Unless: "the type is only written, or only read",
	}
	TypeMethods = &diag.Check{
		ID: "type-methods", Mistake: true, MayWarn: true,
		Doc: "A type that is defined with another type (type A B) does not have the methods of B, so Go encodes " +
			"it differently.",
		Hurts:  "Programs in Go: the schema may not fit what they write.",
		Unless: "the type is meant to have another form",
	}
	TypeAddress = &diag.Check{
		ID: "type-address", Mistake: true, MayWarn: true,
		Doc:    "The marshal method of a type has a pointer receiver, so Go does not call it for the values of a map.",
		Hurts:  "Programs in Go: the schema may not fit what they write.",
		Unless: "the map is never written",
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
		Doc:    "A type contains itself, which a CRD schema cannot describe.",
		Hurts:  "Every user: the inner levels are not validated.",
		Unless: "any JSON may be in the field",
	}
	TypeConflict = &diag.Check{
		ID: "type-conflict", Mistake: true, MayWarn: true,
		Doc:    "The Go type, its markers and the markers of the field disagree on the type of a value.",
		Hurts:  "Every user: the schema may not fit what Go reads and writes.",
		Unless: "the marker knows better than the type",
	}
	BoundOutside = &diag.Check{
		ID: "bound-outside", Mistake: true, MayWarn: true,
		Doc:    "A bound, an enum value or a default does not fit the Go type.",
		Hurts:  "Programs in Go: they cannot hold the value.",
		Unless: "no such value is written",
	}
	// BoundUnreadable is for Go types; its row is among the checks of CRDs, which find the same in any schema.
	BoundUnreadable = &diag.Check{ID: "bound-unreadable"}
	OneOfNested     = &diag.Check{
		ID: "oneof-nested", Mistake: true,
		Doc: "A OneOf marker names a field that is not one of the type itself.",
	}
	OneOfUnknown = &diag.Check{
		ID: "oneof-unknown", Mistake: true, MayWarn: true,
		Doc:    "A OneOf marker names a field that the type does not have in JSON.",
		Hurts:  "Every user: the group does not check this field.",
		Unless: "the field is still to come",
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
		Hurts:  "Every user: the objects cannot be stored and read.",
		Unless: "the type is not a kind that API servers store",
	}
)

// Checks returns the table of the checks of Go types and markers.
func Checks() []*diag.Check {
	return slices.Concat([]*diag.Check{
		JSONNull, JSONNullElement, JSONOmitted, JSONZero, JSONEmpty, DefaultReplaces, DefaultUnused,
		DefaultUnreached, JSONTime, PatchTag, MetadataPruned, TypePrecision,
		TypeEmpty, TypeMapKey, FieldUntagged, FieldString, FieldHidden, EmbeddedRules, FieldTag,
		FieldUnexported, FieldInline, FieldLost, TypeMarshaler, TypeOneWay, TypeMethods, TypeAddress,
		TypeUnsupported, TypeFloat, TypeUndefined, TypeRecursive, TypeConflict, BoundOutside, OneOfNested,
		OneOfUnknown, OneOfRequired, KindIncomplete,
	}, markerChecks())
}

// The checks of markers beyond their grammar.
var (
	MarkerType = &diag.Check{
		ID: "marker-type", Mistake: true, MayWarn: true,
		Doc:    "The marker applies to another JSON type than that of its type or field.",
		Hurts:  "Every user: the marker does not check what it should.",
		Unless: "the marker is only documentation",
	}
	MarkerRange = &diag.Check{
		ID: "marker-range", Mistake: true, MayWarn: true,
		Doc:    "The marker sets a bound that every value satisfies, or that no value satisfies.",
		Hurts:  "Every user: the bound checks nothing, or rejects everything.",
		Unless: "the marker is only documentation",
	}
	Contradictory = &diag.Check{
		ID: "marker-contradiction", Mistake: true, MayWarn: true,
		Doc:    "Two markers, or two arguments of one, contradict each other.",
		Hurts:  "Every user: only one of the two has an effect.",
		Unless: "the effect is the one that you mean",
	}
	MarkerTopology = &diag.Check{
		ID: "marker-topology", Mistake: true,
		Doc: "The marker names the keys of a list, but the list is not of type map.",
	}
	MarkerRepeated = &diag.Check{
		ID: "marker-repeated", Mistake: true, MayWarn: true,
		Doc:    "A marker appears twice with different values, but only one of them has an effect.",
		Hurts:  "Every user: only one of the values has an effect.",
		Unless: "the effect is the one that you mean",
	}
	MarkerAlias = &diag.Check{
		ID: "marker-alias", Mistake: true, MayWarn: true,
		Doc:    "The marker is on an alias. An alias is another name of a type and has no markers of its own.",
		Hurts:  "Every user: the marker has no effect.",
		Unless: "the marker is meant for another tool",
	}
	MarkerStray = &diag.Check{
		ID: "marker-stray", Mistake: true, MayWarn: true,
		Doc: "The marker is in a place where it has no effect, such as after code or in a block comment, or it has " +
			"another effect than meant, such as above a field that is commented out.",
		Hurts:  "Every user: the marker has no effect, or another one than meant.",
		Unless: "the marker is meant for another tool",
	}
	MarkerStep = &diag.Check{
		ID: "marker-step", Mistake: true,
		Doc: "A prefix such as items:, or a tag such as k8s:eachVal, refers to a part that the value does not " +
			"have, or that the marker after it does not apply to.",
	}
	MarkerField = &diag.Check{
		ID: "marker-field", Mistake: true,
		Doc: "The marker names a field that does not exist, or that a CEL rule cannot read.",
	}
	MarkerLiteral = &diag.Check{
		ID: "marker-literal", Mistake: true,
		Doc: "The marker compares a value with one of another type.",
	}
	ImportPresence = &diag.Check{
		ID: "import-presence", Severity: diag.Warning, Group: diag.Unlikely,
		Doc: "An imported type marks a field as optional and as required, and Go omits it. The CRD does not " +
			"require it, since Kubernetes writes objects without it.",
		Hurts:  "Programs in Go that read the field and expect a value.",
		Unless: "none of them needs the field",
	}
	EnumConstants = &diag.Check{
		ID: "enum-constants", Severity: diag.Warning,
		Doc:    "The values of an Enum marker and the constants of its type differ.",
		Hurts:  "Users who choose a missing value: it is rejected.",
		Unless: "the other constants are not meant for this field",
	}
	EnumOutside = &diag.Check{
		ID: "enum-outside", Mistake: true, MayWarn: true,
		Doc:    "The enum of a field has a value that the enum of its type does not have.",
		Hurts:  "Users who choose the value: it is rejected.",
		Unless: "the value is kept for readers of the code",
	}
	EnumEmpty = &diag.Check{
		ID: "enum-empty", Mistake: true,
		Doc: "The marker lists the constants of a type, but its package declares none.",
	}
	EnumUnknown = &diag.Check{
		ID: "enum-unknown", Mistake: true,
		Doc: "The marker lists the constants of a type, but the value of one cannot be computed.",
	}
	KindGeneric = &diag.Check{
		ID: "kind-generic", Mistake: true, MayWarn: true,
		Doc:    "A kind has type parameters, but a CRD describes one type.",
		Hurts:  "Every user: the kind gets no CRD.",
		Unless: "the type is not a kind",
	}
	KindDoubtful = &diag.Check{
		ID: "kind-doubtful", Severity: diag.Warning, Mistake: true,
		Doc: "A struct with TypeMeta and ObjectMeta is embedded in a kind, so it is treated as a part of that kind " +
			"and gets no CRD.",
		Hurts:  "Every user, if the struct is a kind: it gets no CRD.",
		Unless: "the struct is only a part of the other kind",
	}
	KindNone = &diag.Check{
		ID: "kind-none", Severity: diag.Warning, Mistake: true,
		Doc: "A run writes no CRDs, or none for a package: it has no kinds, markers skip all of them, or it has no " +
			"API group although other packages of the run have one.",
		Hurts:  "Every user: the kinds have no CRDs.",
		Unless: "the packages have no kinds on purpose",
	}
	ResourceDisagrees = &diag.Check{
		ID: "resource-disagrees", Mistake: true, MayWarn: true,
		Doc:    "The versions of a kind disagree on its names or scope, which a CRD has once for all versions.",
		Hurts:  "Every user: only one of the names or scopes has an effect.",
		Unless: "the effect is the one that you mean",
	}
	MetadataDisagrees = &diag.Check{
		ID: "metadata-disagrees", Mistake: true, MayWarn: true,
		Doc:    "Two markers give an annotation or label of the CRD different values.",
		Hurts:  "Every user: only one of the values has an effect.",
		Unless: "the effect is the one that you mean",
	}
	RuleTwice = &diag.Check{
		ID: "rule-twice", Mistake: true,
		Doc: "Two rules of a package have the same name.",
	}
	RuleUnknown = &diag.Check{
		ID: "rule-unknown", Mistake: true,
		Doc: "The marker uses an unknown rule, or a name that several rules have.",
	}
	RuleUnused = &diag.Check{
		ID: "rule-unused", Severity: diag.Warning,
		Doc:    "No type or field uses a rule that is declared on a package, so the rule has no effect.",
		Hurts:  "Every user, if a type was meant to have the rule.",
		Unless: "the rule is for types in other packages",
	}
	TagInexpressible = &diag.Check{
		ID: "tag-inexpressible", Mistake: true,
		Doc: "A tag of Kubernetes' declarative validation has no equivalent in a CRD.",
	}
	TagUncorrelated = &diag.Check{
		ID: "tag-uncorrelated", Mistake: true,
		Doc: "A tag compares with the value before an update, but it applies to several values, so that value is " +
			"ambiguous.",
	}
	TagUpdate = &diag.Check{
		ID: "tag-update", Mistake: true,
		Doc: "The tag forbids a change that cannot happen to a value of this type, or that the API server cannot " +
			"detect.",
	}
	TagUnique = &diag.Check{
		ID: "tag-unique", Mistake: true,
		Doc: "The items of the list are unique already, or the tag does not name the fields that identify them.",
	}
	TagUnenforced = &diag.Check{
		ID: "tag-unenforced", Severity: diag.Warning,
		Doc:    "An imported type has a constraint without an equivalent in a CRD, so it is not enforced.",
		Hurts:  "Every user: values that the imported type does not allow are accepted.",
		Unless: "your controller rejects such values",
	}
	TagUnstable = &diag.Check{
		ID: "tag-unstable", Severity: diag.Warning,
		Doc:    "A tag is marked as alpha or beta, so it is not enforced. crd:declarative=all enforces such tags.",
		Hurts:  "Every user: values that the tag does not allow are accepted.",
		Unless: "the tag is not meant to be enforced yet",
	}
	UnionMembership = &diag.Check{
		ID: "union-member", Mistake: true, MayWarn: true,
		Doc:    "A field cannot be a member of its union, or the union has no members.",
		Hurts:  "Every user: the union does not check this field.",
		Unless: "the field is not a member of the union",
	}
	UnionDiscriminator = &diag.Check{
		ID: "union-discriminator", Mistake: true,
		Doc: "A union, or a tag k8s:ifMode, has no discriminator, two discriminators, or one that does not have " +
			"the value of a member or mode.",
	}
	UnionUnread = &diag.Check{
		ID: "union-unread", Severity: diag.Warning, Group: diag.Unlikely,
		Doc: "Old markers for unions do not define which fields are members, or which value names them, so they are " +
			"not enforced.",
		Hurts:  "Every user: several members of the union, or none, are accepted.",
		Unless: "rules or your controller check the union",
	}
)

// These are for Go types; their rows are among the checks of CRDs, which find the same in any schema.
var (
	GroupMissing     = &diag.Check{ID: "group-missing"}
	VersionDuplicate = &diag.Check{ID: "version-duplicate"}
	VersionStorage   = &diag.Check{ID: "version-storage"}
	VersionServed    = &diag.Check{ID: "version-served"}
	NestedKeyword    = &diag.Check{ID: "nested-keyword"}
	NestedUnknown    = &diag.Check{ID: "nested-unknown"}
)

func markerChecks() []*diag.Check {
	return []*diag.Check{
		MarkerType, MarkerRange, Contradictory, MarkerTopology, MarkerRepeated, MarkerAlias, MarkerStray, MarkerStep,
		MarkerField, MarkerLiteral, ImportPresence, EnumConstants, EnumOutside, EnumEmpty, EnumUnknown, KindGeneric,
		KindDoubtful, KindNone, ResourceDisagrees, MetadataDisagrees, RuleTwice, RuleUnknown, RuleUnused,
		TagInexpressible, TagUncorrelated,
		TagUpdate, TagUnique, TagUnenforced, TagUnstable, UnionMembership, UnionDiscriminator, UnionUnread,
	}
}
