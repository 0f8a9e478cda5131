// Package types lists the kinds of the packages below it, and those with tags of the next version.
package types

import (
	"github.com/crdproof/crdproof/testdata/declarative/later"
	"github.com/crdproof/crdproof/testdata/declarative/subject"
	"github.com/crdproof/crdproof/testdata/declarative/types/dependents"
	"github.com/crdproof/crdproof/testdata/declarative/types/limits"
	"github.com/crdproof/crdproof/testdata/declarative/types/lists"
	"github.com/crdproof/crdproof/testdata/declarative/types/nested"
	"github.com/crdproof/crdproof/testdata/declarative/types/presence"
	"github.com/crdproof/crdproof/testdata/declarative/types/transitions"
	"github.com/crdproof/crdproof/testdata/declarative/types/unions"
	"github.com/crdproof/crdproof/testdata/declarative/types/values"
)

// Kinds are all kinds.
func Kinds() []subject.Kind {
	return []subject.Kind{
		subject.Of(dependents.Validate_DependentRequired),
		subject.Of(dependents.Validate_DependentForbidden),
		subject.Of(dependents.Validate_DependentWritten),
		subject.Of(dependents.Validate_DependentBelow),
		subject.Of(dependents.Validate_Mode),
		subject.Of(dependents.Validate_ModeFlags),
		subject.Of(limits.Validate_MinLength),
		subject.Of(limits.Validate_MaxLength),
		subject.Of(limits.Validate_MaxBytes),
		subject.Of(limits.Validate_Minimum),
		subject.Of(limits.Validate_Maximum),
		subject.Of(limits.Validate_LimitsBelow),
		subject.Of(limits.Validate_MinItems),
		subject.Of(limits.Validate_MaxItems),
		subject.Of(limits.Validate_MinProperties),
		subject.Of(limits.Validate_MaxProperties),
		subject.Of(lists.Validate_Items),
		subject.Of(lists.Validate_ItemFlags),
		subject.Of(lists.Validate_ItemUnion),
		subject.Of(lists.Validate_ItemZeroOrOne),
		subject.Of(lists.Validate_ListSets),
		subject.Of(lists.Validate_ListMaps),
		subject.Of(lists.Validate_ListAtomic),
		subject.Of(lists.Validate_Unique),
		subject.Of(lists.Validate_CustomUnique),
		subject.Of(nested.Validate_Subfields),
		subject.Of(nested.Validate_SubfieldChains),
		subject.Of(nested.Validate_EachVal),
		subject.Of(nested.Validate_EachKey),
		subject.Of(nested.Validate_Opaque),
		subject.Of(nested.Validate_Levels),
		subject.Of(nested.Validate_Comments),
		subject.Of(presence.Validate_RequiredKinds),
		subject.Of(presence.Validate_RequiredWritten),
		subject.Of(presence.Validate_RequiredLists),
		subject.Of(presence.Validate_OptionalKinds),
		subject.Of(presence.Validate_OptionalWritten),
		subject.Of(presence.Validate_OptionalDefaults),
		subject.Of(presence.Validate_ForbiddenKinds),
		subject.Of(presence.Validate_ForbiddenWritten),
		subject.Of(transitions.Validate_ImmutableScalars),
		subject.Of(transitions.Validate_ImmutableLists),
		subject.Of(transitions.Validate_ImmutableStructs),
		subject.Of(transitions.Validate_ImmutableBelow),
		subject.Of(transitions.Validate_Monotonic),
		subject.Of(transitions.Validate_ImmutableRequired),
		subject.Of(transitions.Validate_UpdateNoSet),
		subject.Of(transitions.Validate_UpdateNoUnset),
		subject.Of(transitions.Validate_UpdateNoModify),
		subject.Of(transitions.Validate_UpdateSetOnce),
		subject.Of(transitions.Validate_UpdateWritten),
		subject.Of(transitions.Validate_UpdateSets),
		subject.Of(transitions.Validate_UpdateLists),
		subject.Of(transitions.Validate_UpdateMaps),
		subject.Of(unions.Validate_Union),
		subject.Of(unions.Validate_UnionKinds),
		subject.Of(unions.Validate_UnionSeveral),
		subject.Of(unions.Validate_UnionDiscriminated),
		subject.Of(unions.Validate_UnionOptional),
		subject.Of(unions.Validate_UnionBelow),
		subject.Of(unions.Validate_UnionSubfields),
		subject.Of(unions.Validate_ZeroOrOneOf),
		subject.Of(values.Validate_FormatExtendedResourceName),
		subject.Of(values.Validate_FormatLabelKey),
		subject.Of(values.Validate_FormatLabelValue),
		subject.Of(values.Validate_FormatLongName),
		subject.Of(values.Validate_FormatLongNameCaseless),
		subject.Of(values.Validate_FormatPrefixedLabelKey),
		subject.Of(values.Validate_FormatResourceFullyQualifiedName),
		subject.Of(values.Validate_FormatResourcePoolName),
		subject.Of(values.Validate_FormatShortName),
		subject.Of(values.Validate_FormatUUID),
		subject.Of(values.Validate_FormatPathSegmentName),
		subject.Of(values.Validate_FormatsBelow),
		subject.Of(values.Validate_Enum),
		subject.Of(values.Validate_EnumExclude),
		subject.Of(values.Validate_NeqString),
		subject.Of(values.Validate_NeqInt),
		subject.Of(values.Validate_NeqBool),
		subject.Of(values.Validate_NeqBelow),
	}
}

// Later are the kinds with tags of the next version. Their validators are in a program of that version.
func Later() []subject.Kind {
	return []subject.Kind{
		subject.Of[later.Eq](nil),
		subject.Of[later.Reason](nil),
		subject.Of[later.Own](nil),
		subject.Of[later.OwnBelow](nil),
		subject.Of[later.Quantities](nil),
		subject.Of[later.Durations](nil),
		subject.Of[later.Bytes](nil),
		subject.Of[later.Details](nil),
	}
}
