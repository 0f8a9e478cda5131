package markers

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// declarativeMarkers returns the tags of Kubernetes' declarative validation (KEP-5073; k8s.io/code-generator
// v0.38.0-beta.0, validation-gen --docs). A tag that controller-gen has for fields only has a second row for types,
// which is our own. The values of k8s:format are those of Kubernetes and some more.
func declarativeMarkers(formats ...string) []Definition {
	rows := slices.Concat(presenceTags(), boundTags(formats), listTags(), updateTags(), unionTags(), innerTags(),
		otherTags())
	for i := range rows {
		_, theirs := theirGrammars()[rows[i].Name]
		rows[i].Category, rows[i].Grammar = catTag, Tag
		rows[i].Own = rows[i].Own || !theirs
	}
	return rows
}

// prefixedTags returns tags with a prefix of a project's own, as validation-gen reads them with --tag-prefix.
func prefixedTags(tags []Definition, prefix string) []Definition {
	if prefix == "" {
		return nil
	}
	rows := make([]Definition, len(tags))
	for i, tag := range tags {
		row := tag
		row.Name = prefix + strings.TrimPrefix(tag.Name, tagPrefix)
		row.Example = strings.ReplaceAll(tag.Example, "+"+tagPrefix, "+"+prefix)
		row.Own, row.tag = true, &tags[i]
		rows[i] = row
	}
	return rows
}

// CheckPrefix says why a text cannot be the prefix of a project's own tags: validation-gen's names consist of segments
// that end with a colon, and other markers must keep their names.
func CheckPrefix(prefix string) error {
	first, _, _ := strings.Cut(prefix, ":")
	switch {
	case !isPrefix.MatchString(prefix):
		return fmt.Errorf("expected a prefix that ends with a colon, such as example:, got %q", prefix)
	case slices.Contains([]string{"k8s", "kubebuilder", "crdproof"}, first):
		return fmt.Errorf("markers that begin with %s: have a meaning already, got %q; write another prefix", first,
			prefix)
	}
	return nil
}

var isPrefix = regexp.MustCompile(`^([a-zA-Z_][a-zA-Z0-9_.-]*:)+$`)

// theirGrammars returns the tags that controller-gen has too, with its grammar for them.
func theirGrammars() map[string]Grammar {
	return map[string]Grammar{
		"k8s:required": Arguments, "k8s:optional": Arguments, "k8s:immutable": Arguments, "k8s:enum": Arguments,
		"k8s:listType": Arguments, "k8s:listMapKey": Arguments, "k8s:maxItems": Decimal, "k8s:minimum": Float,
		"k8s:maximum": Float,
	}
}

// sharedTags returns the rows of these tags as controller-gen has them.
func sharedTags() []Definition {
	var rows []Definition
	for _, row := range declarativeMarkers() {
		if row.Own {
			continue
		}
		row.Category, row.Grammar = catValidation, theirGrammars()[row.Name]
		row.Params = slices.DeleteFunc(slices.Clone(row.Params), func(p Param) bool { return p.Optional })
		for i := range row.Params {
			row.Params[i].Values, row.Params[i].OrText = nil, false
		}
		rows = append(rows, row)
	}
	return rows
}

// positional declares the one argument in parentheses that has no name.
func positional(doc string) []Param {
	return []Param{{Shape: shapeOf(String), Positional: true, Doc: doc}}
}

// presenceTags say whether a field must be set.
func presenceTags() []Definition {
	detail := []Param{{Shape: shapeOf(String), Optional: true, Doc: "What the error of a rule says."}}
	return []Definition{
		{Name: "k8s:required", Targets: Field, Presence: MustBe, Params: detail,
			Doc: "Makes the field required, and forbids the empty value unless another marker allows it."},
		{Name: "k8s:optional", Targets: Field, Presence: MayBe, InOpaque: true, Doc: "Makes the field optional."},
		{Name: "k8s:forbidden", Targets: Field, Presence: MustNotBe, Phase: Presences, Params: detail,
			Doc: "Forbids setting the field."},
		{Name: "k8s:dependentRequired", Targets: Field, Repeatable: true, Whole: true,
			Example: "+k8s:dependentRequired(certificate)",
			Params:  positional("Another field of the same struct, by its name in JSON."),
			Doc:     "Requires another field if this one is set."},
		{Name: "k8s:dependentForbidden", Targets: Field, Repeatable: true, Whole: true,
			Example: "+k8s:dependentForbidden(insecure)",
			Params:  positional("Another field of the same struct, by its name in JSON."),
			Doc:     "Forbids another field if this one is set."},
	}
}

// boundTags constrain a single value; more are a project's own formats.
func boundTags(more []string) []Definition {
	const both = Type | Field
	// validation-gen accepts integers only, controller-gen all numbers.
	number := []Param{{Shape: shapeOf(Number), OrText: true}}
	rows := []Definition{
		{Name: "k8s:minLength", Targets: both, Example: "1", Doc: "Sets the minimum length of a string, in " +
			"characters."},
		{Name: "k8s:maxLength", Targets: both, Example: "63",
			Doc: "Sets the maximum length of a string, in characters."},
		{Name: "k8s:maxBytes", Targets: both, Phase: Additions, Example: "253",
			Doc: "Sets the maximum length of a string or of a []byte, in bytes."},
		{Name: "k8s:minItems", Targets: both, Example: "1", Doc: "Sets the minimum number of items in a list."},
		{Name: "k8s:maxItems", Targets: Field, SameAs: validationPrefix + "MaxItems", Example: "10",
			Doc: "Sets the maximum number of items in a list."},
		{Name: "k8s:minProperties", Targets: both, Example: "1", Doc: "Sets the minimum number of entries in a map."},
		{Name: "k8s:maxProperties", Targets: both, Example: "16", Doc: "Sets the maximum number of entries in a map."},
		{Name: "k8s:minimum", Targets: Field, SameAs: validationPrefix + "Minimum", Params: number, Example: "0",
			Doc: `Sets the minimum of a number, of a quantity ("10Mi"), or of a time.Duration ("1h").`},
		{Name: "k8s:maximum", Targets: Field, SameAs: validationPrefix + "Maximum", Params: number, Example: "100",
			Doc: `Sets the maximum of a number, of a quantity ("10Mi"), or of a time.Duration ("1h").`},
		{Name: "k8s:eq", Targets: both, Params: single(shapeOf(Any)), Example: "1",
			Doc: "Allows only one value of a string, an integer or a boolean."},
		{Name: "k8s:neq", Targets: both, Params: single(shapeOf(Any)), Example: "0", Repeatable: true,
			Doc: "Forbids one value of a string, an integer or a boolean."},
	}
	for i := range rows {
		if rows[i].Params == nil {
			rows[i].Params = single(shapeOf(Int))
		}
		rows[i].Example = "+" + rows[i].Name + "=" + rows[i].Example
		if rows[i].Targets == Field {
			rows = append(rows, onTypes(rows[i]))
		}
	}
	return append(rows,
		Definition{
			Name: "k8s:format", Targets: both, Repeatable: true, Phase: Additions,
			Example: "+k8s:format=k8s-short-name",
			Params:  []Param{{Shape: shapeOf(String), Values: slices.Concat(formats(), more)}},
			Doc: "Requires that a string has one of Kubernetes' formats, or one of a file that " +
				"crd:declarativeFormats names.",
		},
		Definition{
			Name: "k8s:enum", Targets: Field, Doc: "Not allowed: the marker applies to types.",
			Forbidden: "k8s:enum applies to types, not to fields: it lists the constants of a type",
		},
		Definition{
			Name: "k8s:enum", Targets: Type, Phase: Foundations, Constants: ListsConstants, Whole: true,
			Doc: "Allows only the constants of the type, which must be a string or an integer.",
		},
		Definition{
			Name: "k8s:enumExclude", Targets: Constant, Doc: "Excludes the constant from the values that k8s:enum " +
				"allows.",
		},
	)
}

// formats returns the values of k8s:format in Kubernetes.
func formats() []string {
	return []string{
		"k8s-condition-reason", "k8s-extended-resource-name", "k8s-ip", "k8s-label-key", "k8s-label-value",
		"k8s-long-name", "k8s-long-name-caseless", "k8s-path-segment-name", "k8s-prefixed-label-key",
		"k8s-resource-fully-qualified-name", "k8s-resource-pool-name", "k8s-short-name", "k8s-uuid",
	}
}

// onTypes returns the row for types of a tag that controller-gen has for fields only.
func onTypes(d Definition) Definition {
	d.Targets, d.Own = Type, true
	return d
}

// listTags say when two items of a list are the same.
func listTags() []Definition {
	const both = Type | Field
	return []Definition{
		{Name: "k8s:listType", Targets: both, Phase: Foundations, SameAs: "listType", InOpaque: true,
			Example: "+k8s:listType=map",
			Params:  []Param{{Shape: shapeOf(String), Values: []string{"atomic", "map", "set"}}},
			Doc:     "Sets how server-side apply merges a list: atomic, set or map."},
		{Name: "k8s:listMapKey", Targets: both, Repeatable: true, InOpaque: true, Effect: Shapes,
			Example: "+k8s:listMapKey=name",
			Params:  single(shapeOf(String)),
			Doc:     "Names a field that identifies the items of a list of type map."},
		{Name: "k8s:unique", Targets: both, Phase: Foundations, Example: "+k8s:unique=set",
			Params: []Param{{Shape: shapeOf(String), Values: []string{"map", "set"}}},
			Doc: "Forbids equal items in a list, or items with the same keys, and does not change how server-side " +
				"apply merges the list."},
		{Name: "k8s:customUnique", Targets: both,
			Doc: "Disables the check for unique items; other code validates them."},
	}
}

// updateTags say how a value may change.
func updateTags() []Definition {
	immutable := Definition{Name: "k8s:immutable", Targets: Field, Doc: "Forbids changing the value once it is set."}
	return []Definition{
		immutable,
		onTypes(immutable),
		{Name: "k8s:update", Targets: Field, Repeatable: true, Phase: Presences, Example: "+k8s:update=NoModify",
			Params: []Param{{Shape: shapeOf(String),
				Values: []string{"NoAddItem", "NoModify", "NoRemoveItem", "NoSet", "NoUnset"}}},
			Doc: "Forbids one kind of change: setting, unsetting or modifying the field, or adding or removing " +
				"items of a list or map."},
		{Name: "k8s:monotonic", Targets: Type | Field, Doc: "Forbids decreasing a number."},
	}
}

// unionTags say which fields may be set together.
func unionTags() []Definition {
	union := optional(String, "union", "The union's name, if there are several.")
	return []Definition{
		{Name: "k8s:unionDiscriminator", Targets: Field, Whole: true, Params: []Param{union},
			Doc: "Makes the field the discriminator of a union: it names the member that is set."},
		{Name: "k8s:unionMember", Targets: Field, Repeatable: true, Whole: true,
			Example: `+k8s:unionMember(memberName: "Exec")`,
			Params: []Param{union, optional(String, "memberName",
				"The value of the discriminator for this member; the default is the field's Go name.")},
			Doc: "Makes the field a member of a union with exactly one member set."},
		{Name: "k8s:zeroOrOneOfMember", Targets: Field, Repeatable: true, Whole: true,
			Params: []Param{union, optional(String, "memberName",
				"The member's name; the default is the field's Go name.")},
			Doc: "Makes the field a member of a union with at most one member set."},
		{Name: "k8s:modeDiscriminator", Targets: Field, Whole: true,
			Params: []Param{optional(String, "modality", "The name of the group of modes, if there are several.")},
			Doc:    "Makes the field the discriminator for k8s:ifMode: it names the mode."},
	}
}

// innerTags say where or when the marker that is their payload applies.
func innerTags() []Definition {
	const both = Type | Field
	since := []Param{optional(String, "since", "The Kubernetes version that added the validation, such as \"1.35\".")}
	rows := []Definition{
		{Name: "k8s:eachVal", Targets: both, Step: Each, Example: "+k8s:eachVal=+k8s:maxLength=63",
			Doc: "Applies a marker to the items of a list or the values of a map."},
		{Name: "k8s:eachKey", Targets: both, Step: Keys, Example: "+k8s:eachKey=+k8s:format=k8s-label-key",
			Doc: "Applies a marker to the keys of a map."},
		{Name: "k8s:subfield", Targets: both, Step: Subfield, Example: "+k8s:subfield(name)=+k8s:maxLength=63",
			Params: positional("A field of the struct, by its name in JSON."),
			Doc:    "Applies a marker to one field of a struct."},
		{Name: "k8s:item", Targets: both, Step: Item, Example: `+k8s:item(type: "Ready")=+k8s:immutable`,
			Doc: "Applies a marker to the item of a list of type map that has these keys; all keys must be given."},
		{Name: "k8s:ifMode", Targets: Field, Step: Mode, Example: `+k8s:ifMode("Static")=+k8s:required`,
			Params: []Param{
				{Shape: shapeOf(String), Positional: true, Optional: true, Doc: "The mode."},
				optional(String, "mode", "The mode, if the modality is given too."),
				optional(String, "modality", "The name of the group of modes, if there are several."),
			},
			Doc: "Applies a marker in one mode of the struct, and forbids the field in all modes without a " +
				"k8s:ifMode."},
		{Name: "k8s:alpha", Targets: both, Step: Level, Example: `+k8s:alpha(since: "1.35")=+k8s:minimum=1`,
			Params: since, Doc: "Applies a marker whose validation is alpha in Kubernetes. It has an effect only " +
				"with crd:declarative=all."},
		{Name: "k8s:beta", Targets: both, Step: Level, Example: `+k8s:beta(since: "1.36")=+k8s:minimum=1`,
			Params: since, Doc: "Applies a marker whose validation is beta in Kubernetes. It has an effect only " +
				"with crd:declarative=all."},
		{Name: "k8s:ifEnabled", Targets: both | Constant, Step: Option, Params: positional("The option."),
			Example: "+k8s:ifEnabled(Widgets)=+k8s:required", Inexpressible: "an API server has no options for a CRD",
			Doc: "Applies a marker if an option of the API server is on."},
		{Name: "k8s:ifDisabled", Targets: both | Constant, Step: Option, Params: positional("The option."),
			Example: "+k8s:ifDisabled(Widgets)=+k8s:forbidden", Inexpressible: "an API server has no options for a " +
				"CRD",
			Doc: "Applies a marker if an option of the API server is off."},
	}
	for i := range rows {
		rows[i].Repeatable = true
	}
	return rows
}

// otherTags returns the tags for generators of Go code.
func otherTags() []Definition {
	const both = Type | Field
	rows := []Definition{
		{Name: "k8s:opaqueType", Targets: both, InOpaque: true, Effect: Nothing,
			Doc: "Ignores the validations of the field's type."},
		{Name: "k8s:customValidation", Targets: both, Inexpressible: "it calls a Go function", Effect: Nothing,
			Doc: "Calls a handwritten Go function."},
		{Name: "k8s:validateError", Targets: both, Repeatable: true, Inexpressible: "it is for tests of " +
			"validation-gen",
			Params: []Param{{Shape: shapeOf(String), Optional: true}},
			Doc:    "Makes validation-gen fail."},
	}
	for _, fixed := range []struct {
		name, doc string
		effect    Effect
	}{
		{"k8s:validateFalse", "Rejects every value.", Constrains},
		{"k8s:validateTrue", "Accepts every value.", Nothing},
		{"k8s:validateTrueAlpha", "Accepts every value, as an alpha validation.", Nothing},
		{"k8s:validateTrueBeta", "Accepts every value, as a beta validation.", Nothing},
	} {
		rows = append(rows, Definition{
			Name: fixed.name, Targets: both, Repeatable: true, Inexpressible: "it is for tests of validation-gen",
			Doc: fixed.doc, Effect: fixed.effect,
			Params: []Param{
				optional(String, "flags", "ShortCircuit or NonError."),
				optional(String, "typeArg", "The type argument in the generated code."),
				optional(String, "cohort", "The name of a group of validations."),
				{Shape: shapeOf(String), Optional: true},
			},
		})
	}
	return rows
}

// unionMarkers returns the markers of unions before declarative validation (KEP-1027). They have no arguments.
func unionMarkers() []Definition {
	rows := []Definition{
		{Name: "union", Targets: Type | Field, Doc: "Makes the optional fields of the struct members of a union, as " +
			"k8s:unionMember does for each, with crd:with=union-markers."},
		{Name: "unionDiscriminator", Targets: Field,
			Doc: "Makes the field the discriminator of a union, as k8s:unionDiscriminator does, with " +
				"crd:with=union-markers."},
		{Name: "discriminator", Targets: Field,
			Doc: "Makes the field the discriminator of a union, as k8s:unionDiscriminator does, with " +
				"crd:with=union-markers."},
	}
	for i := range rows {
		row := &rows[i]
		row.Category, row.Grammar, row.Own, row.Whole = catTag, Bare, true, true
	}
	return rows
}
