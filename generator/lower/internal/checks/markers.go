package checks

import (
	"github.com/crdproof/crdproof/diag"
)

// The checks of markers beyond their grammar.
var (
	MarkerType = &diag.Check{
		ID: "marker-type", Mistake: true, MayWarn: true,
		Doc: "The marker applies to another JSON type than that of its type or field.",
	}
	MarkerRange = &diag.Check{
		ID: "marker-range", Mistake: true, MayWarn: true,
		Doc: "The marker sets a bound that every value satisfies, or that no value satisfies.",
	}
	Contradictory = &diag.Check{
		ID: "marker-contradiction", Mistake: true, MayWarn: true,
		Doc: "Two markers, or two arguments of one, contradict each other.",
	}
	MarkerTopology = &diag.Check{
		ID: "marker-topology", Mistake: true,
		Doc: "The marker names the keys of a list, but the list is not of type map.",
	}
	MarkerRepeated = &diag.Check{
		ID: "marker-repeated", Mistake: true, MayWarn: true,
		Doc: "A marker appears twice with different values, but only one of them has an effect.",
	}
	MarkerAlias = &diag.Check{
		ID: "marker-alias", Mistake: true, MayWarn: true,
		Doc: "The marker is on an alias. An alias is another name of a type and has no markers of its own.",
	}
	MarkerStray = &diag.Check{
		ID: "marker-stray", Mistake: true, MayWarn: true,
		Doc: "The marker is in a place where it has no effect, such as after code or in a block comment.",
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
	EnumConstants = &diag.Check{
		ID: "enum-constants", Severity: diag.Warning,
		Doc: "The values of an Enum marker and the constants of its type differ.",
	}
	EnumOutside = &diag.Check{
		ID: "enum-outside", Mistake: true, MayWarn: true,
		Doc: "The enum of a field has a value that the enum of its type does not have.",
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
		Doc: "A kind has type parameters, but a CRD describes one type.",
	}
	KindDoubtful = &diag.Check{
		ID: "kind-doubtful", Severity: diag.Warning, Mistake: true,
		Doc: "A struct with TypeMeta and ObjectMeta is embedded in a kind, so it is treated as a part of that kind " +
			"and gets no CRD.",
	}
	KindNone = &diag.Check{
		ID: "kind-none", Severity: diag.Warning, Mistake: true,
		Doc: "A run writes no CRDs: its packages have no kinds, or markers skip all of them.",
	}
	ResourceDisagrees = &diag.Check{
		ID: "resource-disagrees", Mistake: true, MayWarn: true,
		Doc: "The versions of a kind disagree on its names or scope, which a CRD has once for all versions.",
	}
	MetadataDisagrees = &diag.Check{
		ID: "metadata-disagrees", Mistake: true, MayWarn: true,
		Doc: "Two markers give an annotation or label of the CRD different values.",
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
		Doc: "No type or field uses a rule that is declared on a package, so the rule has no effect.",
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
		Doc: "An imported type has a constraint without an equivalent in a CRD, so it is not enforced.",
	}
	TagUnstable = &diag.Check{
		ID: "tag-unstable", Severity: diag.Warning,
		Doc: "A tag is marked as alpha or beta, so it is not enforced. crd:declarative=all enforces such tags.",
	}
	UnionMembership = &diag.Check{
		ID: "union-member", Mistake: true, MayWarn: true,
		Doc: "A field cannot be a member of its union, or the union has no members.",
	}
	UnionDiscriminator = &diag.Check{
		ID: "union-discriminator", Mistake: true,
		Doc: "A union, or a tag k8s:ifMode, has no discriminator, two discriminators, or one that does not have " +
			"the value of a member or mode.",
	}
	UnionUnread = &diag.Check{
		ID: "union-unread", Severity: diag.Warning,
		Doc: "Old markers for unions do not define which fields are members, or which value names them, so they are " +
			"not enforced.",
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
		MarkerField, MarkerLiteral, EnumConstants, EnumOutside, EnumEmpty, EnumUnknown, KindGeneric, KindDoubtful,
		KindNone, ResourceDisagrees, MetadataDisagrees, RuleTwice, RuleUnknown, RuleUnused,
		TagInexpressible, TagUncorrelated,
		TagUpdate, TagUnique, TagUnenforced, TagUnstable, UnionMembership, UnionDiscriminator, UnionUnread,
	}
}
