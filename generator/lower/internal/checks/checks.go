// Package checks has the checks of Go types and of markers.
package checks

import (
	"slices"

	"github.com/crdproof/crdproof/diag"
)

// The checks of the Go types themselves: whether the schema fits the values that Go encodes and decodes.
var (
	JSONNull         = &diag.Check{ID: "json-null", Severity: diag.Warning, Group: diag.Unlikely}
	JSONNullElement  = &diag.Check{ID: "json-null-element", Severity: diag.Warning, Group: diag.GoClients}
	JSONOmitted      = &diag.Check{ID: "json-omitted", Severity: diag.Warning, Group: diag.GoClients}
	JSONZero         = &diag.Check{ID: "json-zero", Severity: diag.Warning, Group: diag.GoClients}
	JSONEmpty        = &diag.Check{ID: "json-empty", Severity: diag.Warning, Group: diag.GoClients}
	DefaultReplaces  = &diag.Check{ID: "default-replaces", Severity: diag.Warning, Group: diag.GoClients}
	DefaultUnused    = &diag.Check{ID: "default-unused", Severity: diag.Warning, Group: diag.GoClients}
	DefaultUnreached = &diag.Check{ID: "default-unreached", Severity: diag.Warning, Group: diag.Unlikely}
	JSONTime         = &diag.Check{ID: "json-time", Severity: diag.Warning, Group: diag.GoClients}
	PatchTag         = &diag.Check{ID: "patch-tag", Severity: diag.Warning, Group: diag.Unlikely}
	MetadataPruned   = &diag.Check{ID: "metadata-pruned", Severity: diag.Warning}
	TypePrecision    = &diag.Check{ID: "type-precision", Severity: diag.Warning, Group: diag.ExtremeValues}
	TypeEmpty        = &diag.Check{ID: "type-empty", Severity: diag.Warning}
	TypeMapKey       = &diag.Check{ID: "type-map-key", Severity: diag.Warning}
	FieldUntagged    = &diag.Check{ID: "field-untagged", Severity: diag.Warning}
	FieldString      = &diag.Check{ID: "field-string", Severity: diag.Warning}
	FieldHidden      = &diag.Check{ID: "field-hidden", Severity: diag.Warning}
	EmbeddedRules    = &diag.Check{ID: "embedded-rules", Severity: diag.Warning}
)

// The mistakes in Go types.
var (
	FieldTag        = &diag.Check{ID: "field-tag", Mistake: true, MayWarn: true}
	FieldUnexported = &diag.Check{ID: "field-unexported", Mistake: true, MayWarn: true}
	FieldInline     = &diag.Check{ID: "field-inline", Mistake: true, MayWarn: true}
	FieldLost       = &diag.Check{ID: "field-lost", Mistake: true, MayWarn: true}
	TypeMarshaler   = &diag.Check{ID: "type-marshaler", Mistake: true, MayWarn: true}
	TypeOneWay      = &diag.Check{ID: "type-one-way", Mistake: true, MayWarn: true}
	TypeMethods     = &diag.Check{ID: "type-methods", Mistake: true, MayWarn: true}
	TypeAddress     = &diag.Check{ID: "type-address", Mistake: true, MayWarn: true}
	TypeUnsupported = &diag.Check{ID: "type-unsupported", Mistake: true}
	TypeFloat       = &diag.Check{ID: "type-float", Mistake: true}
	TypeUndefined   = &diag.Check{ID: "type-undefined", Mistake: true}
	TypeRecursive   = &diag.Check{ID: "type-recursive", Mistake: true, MayWarn: true}
	TypeConflict    = &diag.Check{ID: "type-conflict", Mistake: true, MayWarn: true}
	BoundOutside    = &diag.Check{ID: "bound-outside", Mistake: true, MayWarn: true}
	// BoundUnreadable is for Go types; its row is among the checks of CRDs, which find the same in any schema.
	BoundUnreadable = &diag.Check{ID: "bound-unreadable"}
	OneOfNested     = &diag.Check{ID: "oneof-nested", Mistake: true}
	OneOfUnknown    = &diag.Check{ID: "oneof-unknown", Mistake: true, MayWarn: true}
	OneOfRequired   = &diag.Check{ID: "oneof-required", Mistake: true}
	KindIncomplete  = &diag.Check{ID: "kind-incomplete", Mistake: true, MayWarn: true}
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
	MarkerType         = &diag.Check{ID: "marker-type", Mistake: true, MayWarn: true}
	MarkerRange        = &diag.Check{ID: "marker-range", Mistake: true, MayWarn: true}
	Contradictory      = &diag.Check{ID: "marker-contradiction", Mistake: true, MayWarn: true}
	MarkerTopology     = &diag.Check{ID: "marker-topology", Mistake: true}
	MarkerRepeated     = &diag.Check{ID: "marker-repeated", Mistake: true, MayWarn: true}
	MarkerAlias        = &diag.Check{ID: "marker-alias", Mistake: true, MayWarn: true}
	MarkerStray        = &diag.Check{ID: "marker-stray", Mistake: true, MayWarn: true}
	MarkerStep         = &diag.Check{ID: "marker-step", Mistake: true}
	MarkerField        = &diag.Check{ID: "marker-field", Mistake: true}
	MarkerIdle         = &diag.Check{ID: "marker-idle", Mistake: true}
	MarkerLiteral      = &diag.Check{ID: "marker-literal", Mistake: true}
	ImportPresence     = &diag.Check{ID: "import-presence", Severity: diag.Warning, Group: diag.Unlikely}
	EnumConstants      = &diag.Check{ID: "enum-constants", Severity: diag.Warning}
	EnumOutside        = &diag.Check{ID: "enum-outside", Mistake: true, MayWarn: true}
	EnumEmpty          = &diag.Check{ID: "enum-empty", Mistake: true}
	EnumUnknown        = &diag.Check{ID: "enum-unknown", Mistake: true}
	KindGeneric        = &diag.Check{ID: "kind-generic", Mistake: true, MayWarn: true}
	KindDoubtful       = &diag.Check{ID: "kind-doubtful", Severity: diag.Warning, Mistake: true}
	KindNone           = &diag.Check{ID: "kind-none", Severity: diag.Warning, Mistake: true}
	ResourceDisagrees  = &diag.Check{ID: "resource-disagrees", Mistake: true, MayWarn: true}
	MetadataDisagrees  = &diag.Check{ID: "metadata-disagrees", Mistake: true, MayWarn: true}
	RuleTwice          = &diag.Check{ID: "rule-twice", Mistake: true}
	RuleUnknown        = &diag.Check{ID: "rule-unknown", Mistake: true}
	RuleUnused         = &diag.Check{ID: "rule-unused", Severity: diag.Warning}
	TagInexpressible   = &diag.Check{ID: "tag-inexpressible", Mistake: true}
	TagUncorrelated    = &diag.Check{ID: "tag-uncorrelated", Mistake: true}
	TagUpdate          = &diag.Check{ID: "tag-update", Mistake: true}
	TagUnique          = &diag.Check{ID: "tag-unique", Mistake: true}
	TagUnenforced      = &diag.Check{ID: "tag-unenforced", Severity: diag.Warning}
	TagUnstable        = &diag.Check{ID: "tag-unstable", Severity: diag.Warning}
	UnionMembership    = &diag.Check{ID: "union-member", Mistake: true, MayWarn: true}
	UnionDiscriminator = &diag.Check{ID: "union-discriminator", Mistake: true}
	UnionUnread        = &diag.Check{ID: "union-unread", Severity: diag.Warning, Group: diag.Unlikely}
	ChannelUnknown     = &diag.Check{ID: "channel-unknown", Mistake: true}
	ChannelUndecided   = &diag.Check{ID: "channel-undecided", Severity: diag.Warning}
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
		MarkerField, MarkerIdle, MarkerLiteral, ImportPresence, EnumConstants, EnumOutside, EnumEmpty, EnumUnknown,
		KindGeneric, KindDoubtful, KindNone, ResourceDisagrees, MetadataDisagrees, RuleTwice, RuleUnknown, RuleUnused,
		TagInexpressible, TagUncorrelated,
		TagUpdate, TagUnique, TagUnenforced, TagUnstable, UnionMembership, UnionDiscriminator, UnionUnread,
		ChannelUnknown, ChannelUndecided,
	}
}
