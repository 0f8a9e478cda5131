package markers

import (
	"slices"
	"strings"
)

// The categories of markers.
const (
	catCRD        = "CRD"
	catValidation = "CRD validation"
	catProcessing = "CRD processing"
	catTag        = "Declarative validation"
)

const (
	validationPrefix = "kubebuilder:validation:"
	itemsPrefix      = validationPrefix + "items:"
)

// Known returns the table of all markers that the generation of CRDs understands: those of ControllerGen, of which the
// k8s: tags are read in the whole grammar that is theirs, and our own.
func Known() *Table {
	t := NewTable(slices.Concat(kubebuilderMarkers(), ownMarkers(), declarativeMarkers(), unionMarkers(),
		junctorMarkers(), ruleMarkers(), scalarMarkers()))
	t.nests = true
	return t
}

// ControllerGen returns the table of the markers that controller-gen v0.23.0 knows, with the same names, targets and
// arguments (controller-tools, pkg/crd/markers); a test compares the two.
func ControllerGen() *Table { return NewTable(append(kubebuilderMarkers(), sharedTags()...)) }

// kubebuilderMarkers are all markers of controller-gen but the tags of declarative validation.
func kubebuilderMarkers() []Definition {
	return slices.Concat(packageMarkers(), schemaMarkers(), fieldMarkers(), topologyMarkers(), kindMarkers())
}

// ownMarkers are those that controller-gen does not know.
func ownMarkers() []Definition {
	rows := []Definition{
		{Name: "enum", Targets: Type, Category: catCRD, Phase: Foundations, Constants: ListsOwnConstants, Whole: true,
			Doc: "Allows only the constants of the type, as k8s:enum does."},
		{Name: "enum", Targets: Field, Category: catValidation,
			Doc:     "Is refused: the marker belongs on the type.",
			Refused: "enum must stand on a type, since it lists the constants of the type"},
		{Name: "crdproof:embeddedObjectMeta", Targets: Field, Category: catProcessing, Whole: true,
			Params: []Param{{Shape: of(Bool), Optional: true}},
			Doc: "Describes ObjectMeta in the field by its properties, so that labels and annotations are kept, as " +
				"crd:generateEmbeddedObjectMeta does everywhere; false leaves it empty where that option is set."},
		{Name: "crdproof:ignore", Targets: Type | Field, Category: catValidation, Repeatable: true, Whole: true,
			Params: []Param{
				{Name: "check", Shape: of(String), Doc: "The check's id, as it stands in brackets behind a finding."},
				{Name: "reason", Shape: of(String), Doc: "Why it is meant to be so."},
			},
			Doc: "Says that what a check finds at this type or field is meant to be so; what an API server refuses " +
				"cannot be ignored.",
			Example: "+crdproof:ignore:check=cel-absent,reason=\"a webhook sets the field\""},
	}
	for i := range rows {
		rows[i].Own = true
	}
	return rows
}

// optional declares a named argument that may be left out.
func optional(kind Kind, name, doc string) Param {
	return Param{Name: name, Shape: of(kind), Optional: true, Doc: doc}
}

func of(kind Kind) Shape     { return Shape{Kind: kind} }
func listOf(kind Kind) Shape { return Shape{Kind: List, Elem: &Shape{Kind: kind}} }

// single declares the argument of +name=value.
func single(shape Shape) []Param { return []Param{{Shape: shape}} }

func packageMarkers() []Definition {
	return []Definition{
		{Name: "groupName", Targets: Package, Category: catCRD,
			Params:  []Param{{Shape: of(String), Optional: true}},
			Doc:     "Names the API group of the package; without a name it is the core group.",
			Example: "+groupName=apps.example.com"},
		{Name: "versionName", Targets: Package, Category: catCRD, Params: single(of(String)),
			Doc:     "Names the API version of the package where it differs from the name of the Go package.",
			Example: "+versionName=v1beta1"},
		{Name: "kubebuilder:skip", Targets: Package, Category: catCRD,
			Doc: "Keeps the package's types from being taken for versions of an API."},
		{Name: validationPrefix + "Optional", Targets: Package, Category: catValidation, Presence: MayBe,
			Deprecated: "-", Doc: "Makes every field of the package optional that does not say otherwise."},
		{Name: validationPrefix + "Required", Targets: Package, Category: catValidation, Presence: MustBe,
			Deprecated: "-", Doc: "Makes every field of the package required that does not say otherwise."},
	}
}

// schemaMarkers are those that stand on types and fields alike. Each of the first group exists once more under items:,
// where it speaks of the items of a list.
func schemaMarkers() []Definition {
	rows := validationMarkers()
	for i := range rows {
		rows[i].Targets, rows[i].Category = Type|Field, catValidation
		rows[i].Name = validationPrefix + rows[i].Name
	}
	for _, row := range rows[:len(rows):len(rows)] {
		bare := strings.TrimPrefix(row.Name, validationPrefix)
		row.Name, row.ItemsOf = itemsPrefix+bare, row.Name
		row.Doc = "For the items of a list: " + strings.ToLower(row.Doc[:1]) + row.Doc[1:]
		row.Example = strings.Replace(row.Example, validationPrefix, itemsPrefix, 1)
		row.Deprecated = ""
		rows = append(rows, row)
	}
	for _, oneOf := range []struct {
		name, amount string
		phase        Phase
	}{
		{"ExactlyOneOf", "exactly one", ExactlyOneOfs}, {"AtMostOneOf", "at most one", Additions},
		{"AtLeastOneOf", "at least one", AtLeastOneOfs},
	} {
		rows = append(rows, Definition{
			Name: validationPrefix + oneOf.name, Targets: Type, Category: catValidation, Params: single(listOf(String)),
			Repeatable: true, Phase: oneOf.phase, Example: "+" + validationPrefix + oneOf.name + "=configMap;secret",
			Doc: "Demands that " + oneOf.amount + " of the named fields is set.",
		})
	}
	return append(rows,
		Definition{
			Name: "kubebuilder:pruning:PreserveUnknownFields", Targets: Type | Field, Category: catProcessing,
			Doc: "Lets the API server keep fields that the schema does not name.",
		},
		Definition{
			Name: "kubebuilder:title", Targets: Type | Field, Category: catValidation, Params: single(of(Any)),
			Doc:     "Gives the schema a title for documentation; its value must be a string.",
			Example: `+kubebuilder:title="Number of replicas"`,
		},
		Definition{
			Name: "kubebuilder:externalDocs", Targets: Type | Field, Category: catCRD,
			Params: []Param{
				{Name: "url", Shape: of(String), Doc: "Where the documentation is."},
				optional(String, "description", "What is to be found there."),
			},
			Doc:     "Points to documentation elsewhere.",
			Example: `+kubebuilder:externalDocs:url="https://example.com/widgets"`,
		},
	)
}

// validationMarkers are named without their prefix; targets and category are filled in by schemaMarkers.
func validationMarkers() []Definition {
	row := func(name string, kind Kind, example, doc string) Definition {
		d := Definition{Name: name, Doc: doc, Example: "+" + validationPrefix + name}
		if kind != Null {
			d.Params, d.Example = single(of(kind)), d.Example+"="+example
		}
		return d
	}
	maximum := row("Maximum", Number, "100", "Sets the greatest value that a number may have.")
	maximum.Grammar = Float
	minimum := row("Minimum", Number, "0", "Sets the least value that a number may have.")
	minimum.Grammar = Float
	maxItems := row("MaxItems", Int, "10", "Sets the greatest number of items in a list.")
	maxItems.Grammar = Decimal
	enum := row("Enum", List, "Always;Never", "Lists the only values allowed.")
	enum.Params, enum.Constants = single(listOf(Any)), ComparesConstants
	typ := row("Type", String, "string", "Replaces the JSON type that follows from the Go type.")
	typ.Phase = Types
	intOrString := row("XIntOrString", Null, "", "Says that the value is an integer or a string.")
	intOrString.Phase = Types
	preserve := row("XPreserveUnknownFields", Null, "",
		"Lets the API server keep fields that the schema does not name.")
	preserve.Deprecated = "kubebuilder:pruning:PreserveUnknownFields"
	rule := row("XValidation", Null, "", "Adds a rule in CEL that values must fulfil.")
	rule.Repeatable = true
	rule.Example += `:rule="self.min <= self.max",message="min must not exceed max"`
	rule.Params = []Param{
		{Name: "rule", Shape: of(String), Doc: "The condition; self is the value that the marker stands on."},
		optional(String, "message", "What a user reads when the condition does not hold."),
		optional(String, "messageExpression", "CEL that computes the message."),
		optional(String, "reason",
			"FieldValueInvalid, FieldValueForbidden, FieldValueRequired or FieldValueDuplicate."),
		optional(String, "fieldPath", "The field to blame, relative to self, such as .max."),
		optional(Bool, "optionalOldSelf", "Makes oldSelf an optional, so that the rule runs on creation too."),
	}
	return []Definition{
		maximum,
		minimum,
		row("ExclusiveMaximum", Bool, "true", "Excludes the maximum itself from the values allowed."),
		row("ExclusiveMinimum", Bool, "true", "Excludes the minimum itself from the values allowed."),
		row("MultipleOf", Number, "5", "Allows only multiples of a number."),
		row("MinProperties", Int, "1", "Sets the least number of entries in a map or of fields in an object."),
		row("MaxProperties", Int, "16", "Sets the greatest number of entries in a map or of fields in an object."),
		row("MaxLength", Int, "63", "Sets the greatest length of a string in characters."),
		row("MinLength", Int, "1", "Sets the least length of a string in characters."),
		row("Pattern", String, "`^[a-z]+$`", "Demands that a string matches a regular expression in Go's syntax."),
		maxItems,
		row("MinItems", Int, "1", "Sets the least number of items in a list."),
		row("UniqueItems", Bool, "false",
			"Would forbid equal items in a list, but the API server accepts nothing but false: use listType=set."),
		enum,
		row("Format", String, "date-time", "Names the format of a string or number, such as date-time or int64."),
		typ,
		preserve,
		row("XEmbeddedResource", Null, "",
			"Says that the value is a whole Kubernetes object with apiVersion, kind and metadata."),
		intOrString,
		rule,
	}
}

func fieldMarkers() []Definition {
	rows := []Definition{
		{Name: "required", Presence: MustBe, Doc: "Makes the field required."},
		{Name: "optional", Presence: MayBe, Doc: "Makes the field optional."},
		{Name: validationPrefix + "Required", Presence: MustBe, Deprecated: "required",
			Doc: "Makes the field required."},
		{Name: validationPrefix + "Optional", Presence: MayBe, Deprecated: "optional",
			Doc: "Makes the field optional."},
		{Name: "nullable", Doc: "Allows null as the value."},
		{Name: validationPrefix + "EmbeddedResource",
			Doc: "Says that the value is a whole Kubernetes object with apiVersion, kind and metadata."},
		{Name: validationPrefix + "Schemaless", Whole: true,
			Doc: "Leaves the field's Go type out of account: all of the schema comes from markers."},
		{Name: "kubebuilder:default", Params: single(of(Any)), Example: "+kubebuilder:default={replicas: 1}",
			Doc: "Sets the value that the API server fills in where none is given; wins over the default marker."},
		{Name: "default", Params: single(of(Any)), Grammar: JSON, Phase: Foundations,
			Example: `+default={"replicas": 1}`,
			Doc: "Sets the value that the API server fills in where none is given, written in JSON; ref(…) is left " +
				"to other tools."},
		{Name: "kubebuilder:example", Params: single(of(Any)), Example: "+kubebuilder:example=registry.example.com/app",
			Doc: "Shows a value in the documentation."},
	}
	for i := range rows {
		rows[i].Targets, rows[i].Category = Field, catValidation
	}
	return rows
}

// topologyMarkers tell server-side apply how to merge (Kubernetes, KEP-555).
func topologyMarkers() []Definition {
	rows := []Definition{
		{Name: "listType", Phase: Foundations, Example: "+listType=map",
			Doc: "Says how lists are merged: atomic, set or map."},
		{Name: "listMapKey", Example: "+listMapKey=name", Repeatable: true,
			Doc: "Names a field that identifies the items of a list of type map."},
		{Name: "mapType", Example: "+mapType=atomic", Doc: "Says how maps are merged: granular or atomic."},
		{Name: "structType", Example: "+structType=atomic", Doc: "Says how structs are merged: granular or atomic."},
	}
	for i := range rows {
		rows[i].Targets, rows[i].Category, rows[i].Params = Type|Field, catProcessing, single(of(String))
	}
	return rows
}

// kindMarkers stand on the Go type of a kind and shape the CRD around the schema.
func kindMarkers() []Definition {
	rows := []Definition{
		{Name: "kubebuilder:subresource:status", Doc: "Gives the kind a status subresource."},
		{Name: "kubebuilder:subresource:scale",
			Params: []Param{
				{Name: "specpath", Shape: of(String), Doc: "Path of the wanted number of replicas."},
				{Name: "statuspath", Shape: of(String), Doc: "Path of the actual number of replicas."},
				optional(String, "selectorpath", "Path of the label selector in its string form."),
			},
			Example: "+kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas",
			Doc:     "Gives the kind a scale subresource, for kubectl scale and autoscalers."},
		{Name: "kubebuilder:printcolumn", Repeatable: true,
			Params: []Param{
				{Name: "name", Shape: of(String), Doc: "The column's heading."},
				{Name: "type", Shape: of(String), Doc: "string, integer, number, boolean or date."},
				{Name: "JSONPath", Shape: of(String), Doc: "Path of the value, such as .status.phase."},
				optional(String, "description", "Says what the column shows."),
				optional(String, "format", "An OpenAPI format, such as int32."),
				optional(Int, "priority", "Columns above 0 are shown only in wide output."),
			},
			Example: "+kubebuilder:printcolumn:name=Phase,type=string,JSONPath=`.status.phase`",
			Doc:     "Adds a column to the output of kubectl get."},
		{Name: "kubebuilder:resource",
			Params: []Param{
				optional(String, "path", "The plural name, in lower case."),
				{Name: "shortName", Shape: listOf(String), Optional: true, Doc: "Short names."},
				{Name: "categories", Shape: listOf(String), Optional: true,
					Doc: "Groups of resources that the kind belongs to, such as all."},
				optional(String, "singular", "The singular name, in lower case."),
				optional(String, "scope", "Namespaced or Cluster; Namespaced unless said otherwise."),
			},
			Example: "+kubebuilder:resource:path=widgets,shortName=wd;wdg,scope=Cluster",
			Doc:     "Sets the resource's names and scope."},
		{Name: "kubebuilder:storageversion", Doc: "Makes this version the one that is stored."},
		{Name: "kubebuilder:skipversion", Doc: "Leaves this version out of the CRD."},
		{Name: "kubebuilder:unservedversion", Doc: "Keeps this version in the CRD without serving it."},
		{Name: "kubebuilder:deprecatedversion",
			Params:  []Param{optional(String, "warning", "What clients are told when they use the version.")},
			Example: `+kubebuilder:deprecatedversion:warning="use v2"`,
			Doc:     "Marks this version as deprecated."},
		{Name: "kubebuilder:metadata", Repeatable: true,
			Params: []Param{
				{Name: "annotations", Shape: listOf(String), Optional: true, Doc: "Annotations, each as key=value."},
				{Name: "labels", Shape: listOf(String), Optional: true, Doc: "Labels, each as key=value."},
			},
			Example: `+kubebuilder:metadata:labels="team=widgets"`,
			Doc:     "Adds annotations and labels to the CRD itself."},
		{Name: "kubebuilder:selectablefield", Repeatable: true,
			Params:  []Param{{Name: "JSONPath", Shape: of(String), Doc: "Path of the field, such as .spec.color."}},
			Example: "+kubebuilder:selectablefield:JSONPath=.spec.color",
			Doc:     "Lets clients select objects by a field."},
	}
	for i := range rows {
		rows[i].Targets, rows[i].Category, rows[i].OfKind = Type, catCRD, true
	}
	return rows
}
