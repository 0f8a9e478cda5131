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

// Extras are markers for CRDs beyond those of controller-gen.
type Extras struct {
	// Own are those of crdproof that constrain values, and prefixes that lead to parts of a value.
	Own bool
	// Tags are all k8s: tags in their own grammar, and the older markers of unions. Without them, a table has the tags
	// of controller-gen.
	Tags bool
	// Prefix is another prefix that the tags have besides k8s:, with a colon at its end; "" for none.
	Prefix string
	// Formats are the values that a project has added to those of k8s:format.
	Formats []string
	// Enum is +enum, the older name of +k8s:enum.
	Enum bool
	// ObjectMeta is the marker that describes an embedded ObjectMeta.
	ObjectMeta bool
	// Ignore is the marker that ignores findings.
	Ignore bool
	// Channels are those of channels and feature gates, Dialects those of other generators for the same.
	Channels, Dialects bool
}

// Known returns the table of all markers for CRDs.
func Known() *Table {
	return With(Extras{Own: true, Tags: true, Enum: true, ObjectMeta: true, Ignore: true, Channels: true})
}

// ControllerGen returns the table of the markers that controller-gen v0.23.0 has, with the same names, targets and
// arguments (controller-tools, pkg/crd/markers); a test compares the two.
func ControllerGen() *Table { return With(Extras{}) }

// With returns the table of the markers of controller-gen and of some additions.
func With(a Extras) *Table {
	rows := kubebuilderMarkers()
	for _, row := range ownMarkers() {
		has := map[string]bool{"enum": a.Enum, "crdproof:embeddedObjectMeta": a.ObjectMeta, "crdproof:ignore": a.Ignore}
		if has[row.Name] {
			rows = append(rows, row)
		}
	}
	if a.Tags {
		tags := declarativeMarkers(a.Formats...)
		rows = slices.Concat(rows, tags, unionMarkers(), prefixedTags(tags, a.Prefix))
	} else {
		rows = append(rows, sharedTags()...)
	}
	if a.Own {
		rows = slices.Concat(rows, junctorMarkers(), ruleMarkers(), placeMarkers(), scalarMarkers())
	}
	if a.Channels {
		rows = append(rows, channelMarkers()...)
	}
	if a.Dialects {
		rows = append(rows, openshiftMarkers()...)
	}
	t := NewTable(rows)
	t.nests, t.prefix, t.dialects = a.Own, a.Prefix, a.Dialects
	return t
}

// kubebuilderMarkers returns all markers of controller-gen except the tags of declarative validation.
func kubebuilderMarkers() []Definition {
	return slices.Concat(packageMarkers(), schemaMarkers(), fieldMarkers(), topologyMarkers(), kindMarkers())
}

// optional declares a named argument that is optional.
func optional(kind Kind, name, doc string) Param {
	return Param{Name: name, Shape: shapeOf(kind), Optional: true, Doc: doc}
}

func shapeOf(kind Kind) Shape { return Shape{Kind: kind} }
func listOf(kind Kind) Shape  { return Shape{Kind: List, Elem: &Shape{Kind: kind}} }

// single declares the argument of +name=value.
func single(shape Shape) []Param { return []Param{{Shape: shape}} }

func packageMarkers() []Definition {
	return []Definition{
		{Name: "groupName", Targets: Package, Category: catCRD,
			Params:  []Param{{Shape: shapeOf(String), Optional: true}},
			Doc:     "Sets the API group of the package; without a value it is the core group.",
			Example: "+groupName=apps.example.com"},
		{Name: "versionName", Targets: Package, Category: catCRD, Params: single(shapeOf(String)),
			Doc:     "Sets the API version of the package; the default is the name of the Go package.",
			Example: "+versionName=v1beta1"},
		{Name: "kubebuilder:skip", Targets: Package, Category: catCRD,
			Doc: "Excludes the types of the package from API versions."},
		{Name: validationPrefix + "Optional", Targets: Package, Category: catValidation, Presence: MayBe,
			Deprecated: "-", Doc: "Makes every field of the package optional unless the field has another marker."},
		{Name: validationPrefix + "Required", Targets: Package, Category: catValidation, Presence: MustBe,
			Deprecated: "-", Doc: "Makes every field of the package required unless the field has another marker."},
	}
}

// schemaMarkers returns those for both types and fields. Each of the first group has a variant under items:, which
// applies to the items of a list.
func schemaMarkers() []Definition {
	rows := validationMarkers()
	for i := range rows {
		rows[i].Targets, rows[i].Category = Type|Field, catValidation
		rows[i].Name = validationPrefix + rows[i].Name
	}
	for _, row := range rows[:len(rows):len(rows)] {
		short := strings.TrimPrefix(row.Name, validationPrefix)
		row.Name, row.ItemsOf = itemsPrefix+short, row.Name
		row.Doc = "For the items of a list: " + strings.ToLower(row.Doc[:1]) + row.Doc[1:]
		row.Example = strings.Replace(row.Example, validationPrefix, itemsPrefix, 1)
		row.Deprecated, row.Instead = "", ""
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
			Doc: "Requires that " + oneOf.amount + " of the named fields is set.",
		})
	}
	return append(rows,
		Definition{
			Name: "kubebuilder:pruning:PreserveUnknownFields", Targets: Type | Field, Category: catProcessing,
			Effect: Shapes,
			Doc:    "Makes the API server keep fields that are not in the schema.",
		},
		Definition{
			Name: "kubebuilder:title", Targets: Type | Field, Category: catValidation, Params: single(shapeOf(Any)),
			Effect:  Informs,
			Doc:     "Sets the schema's title, for documentation; the value must be a string.",
			Example: `+kubebuilder:title="Number of replicas"`,
		},
		Definition{
			Name: "kubebuilder:externalDocs", Targets: Type | Field, Category: catCRD, Effect: Informs,
			Params: []Param{
				{Name: "url", Shape: shapeOf(String), Doc: "The address of the documentation."},
				optional(String, "description", "What the documentation describes."),
			},
			Doc:     "Links to external documentation.",
			Example: `+kubebuilder:externalDocs:url="https://example.com/widgets"`,
		},
	)
}

// validationMarkers have names without their prefix; schemaMarkers sets targets and category.
func validationMarkers() []Definition {
	row := func(name string, kind Kind, example, doc string) Definition {
		d := Definition{Name: name, Doc: doc, Example: "+" + validationPrefix + name}
		if kind != Null {
			d.Params, d.Example = single(shapeOf(kind)), d.Example+"="+example
		}
		return d
	}
	maximum := row("Maximum", Number, "100", "Sets the maximum of a number.")
	maximum.Grammar = Float
	minimum := row("Minimum", Number, "0", "Sets the minimum of a number.")
	minimum.Grammar = Float
	maxItems := row("MaxItems", Int, "10", "Sets the maximum number of items in a list.")
	maxItems.Grammar = Decimal
	enum := row("Enum", List, "Always;Never", "Lists the allowed values.")
	enum.Params, enum.Constants = single(listOf(Any)), ComparesConstants
	typ := row("Type", String, "string", "Replaces the JSON type that is derived from the Go type.")
	typ.Phase, typ.Effect = Types, Shapes
	intOrString := row("XIntOrString", Null, "", "Allows an integer or a string.")
	intOrString.Phase, intOrString.Effect = Types, Shapes
	unique := row("UniqueItems", Bool, "false",
		"Has no effect: API servers reject uniqueItems: true. For distinct items use listType=set.")
	unique.Instead, unique.Effect = "listType=set", Nothing
	preserve := row("XPreserveUnknownFields", Null, "",
		"Makes the API server keep fields that are not in the schema.")
	preserve.Deprecated, preserve.Effect = "kubebuilder:pruning:PreserveUnknownFields", Shapes
	embedded := row("XEmbeddedResource", Null, "",
		"Marks the value as a Kubernetes object with apiVersion, kind and metadata.")
	embedded.Effect = Shapes
	rule := row("XValidation", Null, "", "Adds a CEL rule that values must satisfy.")
	rule.Repeatable = true
	rule.Example += `:rule="self.min <= self.max",message="min must not exceed max"`
	rule.Params = []Param{
		{Name: "rule", Shape: shapeOf(String), Doc: "The condition; self is the value of the type or field."},
		optional(String, "message", "The error message if the condition is false."),
		optional(String, "messageExpression", "A CEL expression for the message."),
		optional(String, "reason",
			"FieldValueInvalid, FieldValueForbidden, FieldValueRequired or FieldValueDuplicate."),
		optional(String, "fieldPath", "The field that the error names, relative to self, such as .max."),
		optional(Bool, "optionalOldSelf", "Makes oldSelf an optional value, so that the rule also runs on creation."),
	}
	return []Definition{
		maximum,
		minimum,
		row("ExclusiveMaximum", Bool, "true", "Excludes the maximum itself."),
		row("ExclusiveMinimum", Bool, "true", "Excludes the minimum itself."),
		row("MultipleOf", Number, "5", "Allows only multiples of a number."),
		row("MinProperties", Int, "1", "Sets the minimum number of entries in a map, or of fields in an object."),
		row("MaxProperties", Int, "16", "Sets the maximum number of entries in a map, or of fields in an object."),
		row("MaxLength", Int, "63", "Sets the maximum length of a string, in characters."),
		row("MinLength", Int, "1", "Sets the minimum length of a string, in characters."),
		row("Pattern", String, "`^[a-z]+$`", "Requires that a string matches a regular expression, in Go's syntax."),
		maxItems,
		row("MinItems", Int, "1", "Sets the minimum number of items in a list."),
		unique,
		enum,
		row("Format", String, "date-time", "Sets the format of a string or number, such as date-time or int64."),
		typ,
		preserve,
		embedded,
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
		{Name: validationPrefix + "EmbeddedResource", Effect: Shapes,
			Doc: "Marks the value as a Kubernetes object with apiVersion, kind and metadata."},
		{Name: validationPrefix + "Schemaless", Whole: true, Effect: Shapes,
			Doc: "Ignores the field's Go type: the schema comes from markers only."},
		{Name: "kubebuilder:default", Params: single(shapeOf(Any)), Example: "+kubebuilder:default={replicas: 1}",
			Doc: "Sets the default value, which the API server fills in; takes precedence over the default marker."},
		{Name: "default", Params: single(shapeOf(Any)), Grammar: JSON, Phase: Foundations,
			Example: `+default={"replicas": 1}`,
			Doc:     "Sets the default value, in JSON. The API server fills it in; ref(…) is ignored."},
		{Name: "kubebuilder:example", Params: single(shapeOf(Any)), Effect: Informs,
			Example: "+kubebuilder:example=registry.example.com/app",
			Doc:     "Sets an example value, for documentation."},
	}
	for i := range rows {
		rows[i].Targets, rows[i].Category = Field, catValidation
	}
	return rows
}

// topologyMarkers say how server-side apply merges (Kubernetes, KEP-555).
func topologyMarkers() []Definition {
	rows := []Definition{
		{Name: "listType", Phase: Foundations, Example: "+listType=map",
			Doc: "Sets how server-side apply merges a list: atomic, set or map."},
		{Name: "listMapKey", Example: "+listMapKey=name", Repeatable: true,
			Doc: "Names a field that identifies the items of a list of type map."},
		{Name: "mapType", Example: "+mapType=atomic", Doc: "Sets how server-side apply merges a map: granular or " +
			"atomic."},
		{Name: "structType", Example: "+structType=atomic",
			Doc: "Sets how server-side apply merges a struct: granular or atomic."},
	}
	for i := range rows {
		rows[i].Targets, rows[i].Category, rows[i].Params = Type|Field, catProcessing, single(shapeOf(String))
		rows[i].Effect = Shapes
	}
	return rows
}

// kindMarkers returns those for the Go type of a kind, which set the parts of the CRD around the schema.
func kindMarkers() []Definition {
	rows := []Definition{
		{Name: "kubebuilder:subresource:status", Doc: "Adds a status subresource."},
		{Name: "kubebuilder:subresource:scale",
			Params: []Param{
				{Name: "specpath", Shape: shapeOf(String), Doc: "Path of the desired number of replicas."},
				{Name: "statuspath", Shape: shapeOf(String), Doc: "Path of the actual number of replicas."},
				optional(String, "selectorpath", "Path of the label selector, as a string."),
			},
			Example: "+kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas",
			Doc:     "Adds a scale subresource, for kubectl scale and autoscalers."},
		{Name: "kubebuilder:printcolumn", Repeatable: true, Effect: Informs,
			Params: []Param{
				{Name: "name", Shape: shapeOf(String), Doc: "The column's heading."},
				{Name: "type", Shape: shapeOf(String), Doc: "string, integer, number, boolean or date."},
				{Name: "JSONPath", Shape: shapeOf(String), Doc: "Path of the value, such as .status.phase."},
				optional(String, "description", "Describes the column."),
				optional(String, "format", "An OpenAPI format, such as int32."),
				optional(Int, "priority", "Columns with a priority above 0 are shown only in wide output."),
			},
			Example: "+kubebuilder:printcolumn:name=Phase,type=string,JSONPath=`.status.phase`",
			Doc:     "Adds a column to the output of kubectl get."},
		{Name: "kubebuilder:resource",
			Params: []Param{
				optional(String, "path", "The plural name, in lowercase."),
				{Name: "shortName", Shape: listOf(String), Optional: true, Doc: "Short names."},
				{Name: "categories", Shape: listOf(String), Optional: true,
					Doc: "Categories of the resource, such as all."},
				optional(String, "singular", "The singular name, in lowercase."),
				optional(String, "scope", "Namespaced or Cluster; the default is Namespaced."),
			},
			Example: "+kubebuilder:resource:path=widgets,shortName=wd;wdg,scope=Cluster",
			Doc:     "Sets the resource's names and scope."},
		{Name: "kubebuilder:storageversion", Doc: "Makes this version the storage version."},
		{Name: "kubebuilder:skipversion", Doc: "Omits this version from the CRD."},
		{Name: "kubebuilder:unservedversion", Doc: "Keeps this version in the CRD but does not serve it."},
		{Name: "kubebuilder:deprecatedversion", Effect: Informs,
			Params:  []Param{optional(String, "warning", "The warning for clients that use the version.")},
			Example: `+kubebuilder:deprecatedversion:warning="use v2"`,
			Doc:     "Marks this version as deprecated."},
		{Name: "kubebuilder:metadata", Repeatable: true, Effect: Informs,
			Params: []Param{
				{Name: "annotations", Shape: listOf(String), Optional: true, Doc: "Annotations, each as key=value."},
				{Name: "labels", Shape: listOf(String), Optional: true, Doc: "Labels, each as key=value."},
			},
			Example: `+kubebuilder:metadata:labels="team=widgets"`,
			Doc:     "Adds annotations and labels to the CRD itself."},
		{Name: "kubebuilder:selectablefield", Repeatable: true, Effect: Informs,
			Params: []Param{{Name: "JSONPath", Shape: shapeOf(String),
				Doc: "Path of the field, such as .spec.color."}},
			Example: "+kubebuilder:selectablefield:JSONPath=.spec.color",
			Doc:     "Lets clients select objects by a field."},
	}
	for i := range rows {
		rows[i].Targets, rows[i].Category, rows[i].OfKind = Type, catCRD, true
	}
	return rows
}
