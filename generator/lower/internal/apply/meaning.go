// Package apply adds to nodes and CRDs what markers mean: keywords, and rules in CEL where keywords cannot express it.
package apply

import (
	"cmp"

	"github.com/crdproof/crdproof/generator/lower/internal/cel"
	"github.com/crdproof/crdproof/generator/lower/internal/flatten"
	"github.com/crdproof/crdproof/generator/lower/internal/node"
	"github.com/crdproof/crdproof/generator/lower/internal/options"
	"github.com/crdproof/crdproof/generator/lower/internal/read"
	"github.com/crdproof/crdproof/generator/lower/internal/report"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/schema"
)

// A meaning is the effect of a marker. Together with its definition in the table of markers, which says where it
// applies and when it is applied, it is everything about a marker.
type meaning struct {
	// jsonType is the JSON type of the values that the marker applies to, "" if that is any type or needs more than a
	// type.
	jsonType string
	// apply applies the marker to a node. It is nil for markers that are read where the struct, the field, the package
	// or the kind is described.
	apply func(ap Applier, n *node.Node, m *markers.Marker, on node.Target)
	// condition is what the marker requires, in CEL, of a value that keywords cannot reach; nil if CEL has no
	// equivalent.
	condition func(ap Applier, s *spot, m *markers.Marker, on node.Target) (condition, bool)
	// change is what the marker requires of a value that is present before and after an update, presence what it
	// requires of a field that an update sets or clears.
	change   func(ap Applier, n *node.Node, m *markers.Marker, now, old cel.Expr, on node.Target) (condition, bool)
	presence func(ap Applier, now, old member, m *markers.Marker) condition
	// notOfKeys is set if the marker has no effect on the keys of a map: a key identifies its entry and never changes.
	notOfKeys bool
	// relate adds the rule of the marker about one field in relation to others to a struct.
	relate func(ap Applier, n *node.Node, field *node.Property, fields StructFields, m *markers.Marker)
	// union is the role of the marker's target in a union.
	union unionPart
	// oneOf is set if the marker limits how many of some fields may be set.
	oneOf bool
	// frame applies the marker to a CRD, or to one of its versions.
	frame func(c *crdMarkers, v *schema.Version, m *markers.Marker)
}

// An Applier applies markers to nodes and CRDs: as keywords, and as CEL where keywords cannot express what they
// require.
type Applier struct {
	report.Reporter
	Marks    read.Reader
	Flat     flatten.Flattener
	meanings map[string]meaning
}

// New returns an applier for one CRD.
func New(r report.Reporter, marks read.Reader, flat flatten.Flattener) Applier {
	return Applier{r, marks, flat, meanings()}
}

// At returns the applier at the place of another stage.
func (ap Applier) At(r report.Reporter) Applier {
	ap.Reporter = r
	return ap
}

// meaning returns what a marker does, of items as of values.
func (ap Applier) meaning(m *markers.Marker) meaning {
	return ap.meanings[cmp.Or(m.Def.ItemsOf, m.Def.Name)]
}

// IsOneOf reports whether a marker limits how many of some fields may be set.
func (ap Applier) IsOneOf(m *markers.Marker) bool { return ap.meaning(m).oneOf }

// meanings returns the table of the effects of all markers, by name. An empty meaning is for a marker that is read
// where the package, the struct or the field is described.
func meanings() map[string]meaning {
	return map[string]meaning{
		"groupName": {}, "versionName": {}, "kubebuilder:skip": {}, // see PackageMarkers
		"required": {}, "optional": {}, "k8s:optional": {}, read.MarkKBRequired: {}, read.MarkKBOptional: {},
		// see required
		read.MarkSchemaless: {}, read.MarkObjectMeta: {}, read.MarkOpaque: {}, // see describer.field
		read.MarkIgnore: {}, // see silence

		read.MarkMaximum:    ofNumber("maximum"),
		read.MarkMinimum:    ofNumber("minimum"),
		read.MarkMultipleOf: {jsonType: "number", apply: Applier.setMultipleOf, condition: Applier.multipleOf},
		"k8s:maximum":       ofNumber("maximum"),
		"k8s:minimum":       ofNumber("minimum"),

		read.ValidationPrefix + "ExclusiveMaximum": ofFlag("exclusiveMaximum"),
		read.ValidationPrefix + "ExclusiveMinimum": ofFlag("exclusiveMinimum"),
		read.ValidationPrefix + "MaxLength":        ofSize("maxLength"),
		read.ValidationPrefix + "MinLength":        ofSize("minLength"),
		read.ValidationPrefix + "MaxItems":         ofSize("maxItems"),
		read.ValidationPrefix + "MinItems":         ofSize("minItems"),
		read.ValidationPrefix + "MaxProperties":    ofSize("maxProperties"),
		read.ValidationPrefix + "MinProperties":    ofSize("minProperties"),
		"k8s:maxItems":                             ofSize("maxItems"),
		"k8s:maxLength":                            ofSize("maxLength"),
		"k8s:minLength":                            ofSize("minLength"),
		"k8s:minItems":                             ofSize("minItems"),
		"k8s:maxProperties":                        ofSize("maxProperties"),
		"k8s:minProperties":                        ofSize("minProperties"),
		"k8s:maxBytes": {
			jsonType: "string", apply: Applier.setMaxBytes, condition: Applier.maxBytes,
		},
		"k8s:format": {
			jsonType: "string", apply: Applier.setFormat, condition: Applier.formatCondition,
		},
		read.ValidationPrefix + "Pattern": {
			jsonType: "string", apply: setString("pattern"), condition: Applier.patternCondition,
		},
		read.ValidationPrefix + "UniqueItems": {jsonType: "array", apply: Applier.setUniqueItems},
		read.ValidationPrefix + "Format":      {apply: setString("format")},
		read.MarkEnum:                         {apply: Applier.setEnum, condition: Applier.enumCondition},
		"k8s:enum":                            {apply: Applier.setConstants, condition: Applier.constantsCondition},
		"enum":                                {apply: Applier.setConstants, condition: Applier.constantsCondition},
		"k8s:enumExclude":                     {}, // see IsExcluded
		"k8s:eq":                              {apply: Applier.setEqual, condition: Applier.equal},
		"k8s:neq":                             {apply: Applier.setNotEqual, condition: Applier.notEqual},

		read.MarkType:      {apply: Applier.setType},
		read.MarkPreserve:  {apply: setPreserve},
		read.MarkXPreserve: {apply: setPreserve},
		read.ValidationPrefix + "XEmbeddedResource": {apply: setFlag("x-kubernetes-embedded-resource")},
		read.ValidationPrefix + "EmbeddedResource":  {apply: setFlag("x-kubernetes-embedded-resource")},
		read.ValidationPrefix + "XIntOrString":      {apply: setFlag("x-kubernetes-int-or-string")},
		"nullable":                                  {apply: setFlag("nullable")},
		"default":                                   {apply: Applier.setDeclaredDefault},
		"kubebuilder:default":                       {apply: Applier.setDefault},
		"kubebuilder:example":                       {apply: Applier.setExample},
		"kubebuilder:title":                         {apply: Applier.setTitle},
		"kubebuilder:externalDocs":                  {apply: Applier.setExternalDocs},

		"listType":       {jsonType: "array", apply: setString("x-kubernetes-list-type", "map", "set", "atomic")},
		"k8s:listType":   {jsonType: "array", apply: setString("x-kubernetes-list-type", "map", "set", "atomic")},
		"listMapKey":     {jsonType: "array", apply: Applier.addListMapKey},
		"k8s:listMapKey": {jsonType: "array", apply: Applier.addListMapKey},
		"mapType":        {jsonType: "object", apply: setMapType},
		"structType":     {apply: Applier.setStructType},
		"k8s:unique": {jsonType: "array",
			apply: func(_ Applier, n *node.Node, m *markers.Marker, _ node.Target) {
				n.Unique, n.UniqueBy = m.Arg("").Text, m
			}},
		"k8s:customUnique": {jsonType: "array",
			apply: func(_ Applier, n *node.Node, m *markers.Marker, _ node.Target) { n.CustomUnique = m }},

		read.ValidationPrefix + "XValidation": {apply: Applier.setRule, condition: Applier.ruleCondition},
		read.MarkRule:                         {apply: Applier.setNamedRule},
		read.MarkExactlyOneOf: {oneOf: true,
			apply: ofFields("+", " == 1", "exactly one of the fields in %s must be set")},
		read.MarkAtMostOneOf: {oneOf: true,
			apply: ofFields("+", " <= 1", "at most one of the fields in %s may be set")},
		read.MarkAtLeastOneOf: {oneOf: true,
			apply: ofFields("||", "", "at least one of the fields in %s must be set")},
		"crdproof:allOf":    junctorOf("allOf"),
		"crdproof:anyOf":    junctorOf("anyOf"),
		"crdproof:oneOf":    junctorOf("oneOf"),
		"crdproof:not":      junctorOf("not"),
		"crdproof:duration": {jsonType: "string", apply: Applier.setDuration},
		"crdproof:quantity": {jsonType: "string", apply: Applier.setQuantity},
		"crdproof:percent":  {jsonType: "string", apply: Applier.setPercent},

		"k8s:required":        {apply: Applier.setNonEmpty},
		read.MarkK8sForbidden: {apply: Applier.setForbidden},
		read.MarkImmutable: {apply: Applier.setChange, change: immutableChange, presence: immutablePresence,
			notOfKeys: true},
		read.MarkK8sMonotonic: {apply: Applier.setChange, change: monotonicChange, presence: monotonicPresence},
		read.MarkK8sUpdate: {apply: Applier.setChange, change: updateChange, presence: updatePresence,
			notOfKeys: true},
		read.MarkDependRequired:  {relate: dependOn(true)},
		read.MarkDependForbidden: {relate: dependOn(false)},

		"k8s:unionMember":              {union: memberOfOne},
		"k8s:zeroOrOneOfMember":        {union: memberOfOneOrNone},
		"k8s:unionDiscriminator":       {union: discriminates},
		read.MarkModeOf:                {}, // see modes
		read.MarkOldUnion:              {}, // see oldUnion
		read.MarkOldUnionDiscriminator: {},
		read.MarkOldDiscriminator:      {},

		read.MarkStatus: {frame: func(_ *crdMarkers, v *schema.Version, m *markers.Marker) {
			subresources(v).Status = &m.At
		}},
		"kubebuilder:subresource:scale": {frame: func(_ *crdMarkers, v *schema.Version, m *markers.Marker) {
			subresources(v).Scale = &schema.Scale{
				At:                 m.At,
				SpecReplicasPath:   read.TextOf(m.Arg("specpath")),
				StatusReplicasPath: read.TextOf(m.Arg("statuspath")),
				LabelSelectorPath:  argTextPointer(m, "selectorpath"),
			}
		}},
		"kubebuilder:printcolumn": {frame: (*crdMarkers).addColumn},
		"kubebuilder:selectablefield": {frame: func(_ *crdMarkers, v *schema.Version, m *markers.Marker) {
			v.SelectableFields = append(v.SelectableFields, read.TextOf(m.Arg("JSONPath")))
		}},
		"kubebuilder:storageversion": {frame: func(_ *crdMarkers, v *schema.Version, _ *markers.Marker) {
			v.Storage = true
		}},
		"kubebuilder:unservedversion": {frame: func(_ *crdMarkers, v *schema.Version, _ *markers.Marker) {
			v.Served = false
		}},
		"kubebuilder:deprecatedversion": {frame: (*crdMarkers).deprecate},
		read.MarkSkipVersion:            {frame: (*crdMarkers).skipVersion},
		read.MarkResource:               {frame: (*crdMarkers).setResource},
		"kubebuilder:metadata":          {frame: (*crdMarkers).setMetadata},
		read.MarkObjectName:             {}, // see RootMetadata
		read.MarkGenerateName:           {},
	}
}

// comparison returns what a value is to the bound that a keyword sets.
func comparison(k *schema.Keyword) string {
	if k.Merge == schema.MergeSmallest {
		return "<="
	}
	return ">="
}

// ofNumber returns the meaning of a bound of numbers.
func ofNumber(keyword string) meaning {
	k, phrase := schema.KeywordOf(keyword), "must be at least "
	if comparison(k) == "<=" {
		phrase = "must be no more than "
	}
	return meaning{
		jsonType: k.Of,
		apply: func(ap Applier, n *node.Node, m *markers.Marker, _ node.Target) {
			var required schema.Schema
			*k.Field.(schema.One[schema.Number])(&required) = ap.number(n, m)
			ap.require(n, m, &required)
		},
		condition: func(ap Applier, s *spot, m *markers.Marker, _ node.Target) (condition, bool) {
			bound, ok := ap.bound(s, m)
			return condition{cel: cel.Compare(s.value, comparison(k), bound), message: phrase + m.Arg("").Text}, ok
		},
	}
}

// meaningOn returns what a marker does to values of a node, nil for the keys of a map.
func (ap Applier) meaningOn(n *node.Node, m *markers.Marker) meaning {
	if side := numericBound(m); n != nil && m.Def.Grammar == markers.Tag && side != "" && n.KnownName() == "Quantity" {
		return ofQuantity(side)
	}
	return ap.meaning(m)
}

// ofSize returns the meaning of a bound of the size of a string, a list or a map.
func ofSize(keyword string) meaning {
	k, phrase := schema.KeywordOf(keyword), "must have at least "
	if comparison(k) == "<=" {
		phrase = "must have no more than "
	}
	unit := map[string]string{"string": " characters", "array": " items", "object": " entries"}[k.Of]
	return meaning{
		jsonType: k.Of,
		apply: func(ap Applier, n *node.Node, m *markers.Marker, _ node.Target) {
			var required schema.Schema
			*k.Field.(schema.One[schema.Int])(&required) = ap.size(m)
			ap.require(n, m, &required)
		},
		condition: func(_ Applier, s *spot, m *markers.Marker, _ node.Target) (condition, bool) {
			limit := m.Arg("").Text
			bounded := cel.Compare(cel.Size(s.value), comparison(k), cel.Ident(limit))
			return condition{cel: bounded, message: phrase + limit + unit}, true
		},
	}
}

// ofFlag returns the meaning of a marker with a value that is true or false.
func ofFlag(keyword string) meaning {
	k := schema.KeywordOf(keyword)
	return meaning{jsonType: k.Of, apply: func(_ Applier, n *node.Node, m *markers.Marker, _ node.Target) {
		*k.Field.(schema.One[schema.Flag])(&n.Own) = &schema.Flag{V: m.Arg("").Text == "true", At: m.Arg("").At}
	}}
}

// setString applies a marker whose value is the keyword's, one of those permitted if any are listed.
func setString(keyword string, permitted ...string) func(Applier, *node.Node, *markers.Marker, node.Target) {
	field := schema.KeywordOf(keyword).Field.(schema.TextField)
	return func(ap Applier, n *node.Node, m *markers.Marker, _ node.Target) {
		if v := m.Arg(""); len(permitted) == 0 || ap.oneOf(v, permitted...) {
			var required schema.Schema
			*field(&required) = read.TextOf(v)
			if ap.require(n, m, &required); v.Text == "" {
				*field(&n.Own) = read.TextOf(v)
			}
		}
	}
}

// setMapType applies a marker of how a map or a struct is merged.
func setMapType(ap Applier, n *node.Node, m *markers.Marker, on node.Target) {
	setString("x-kubernetes-map-type", "granular", "atomic")(ap, n, m, on)
}

// setFlag applies a marker that sets a keyword by being there.
func setFlag(keyword string) func(Applier, *node.Node, *markers.Marker, node.Target) {
	field := schema.KeywordOf(keyword).Field.(schema.One[schema.Flag])
	return func(_ Applier, n *node.Node, m *markers.Marker, _ node.Target) {
		*field(&n.Own) = &schema.Flag{V: true, At: m.At}
	}
}

// setPreserve keeps unknown fields: of the value and, if the form of its items or values is unknown, everything in
// them.
func setPreserve(ap Applier, n *node.Node, m *markers.Marker, _ node.Target) {
	n.Own.PreserveUnknownFields = &schema.Flag{V: true, At: m.At}
	for _, part := range []*node.Node{n.Items, n.Additional} {
		if part != nil && part.Unknown != nil && !part.Cut {
			part.Own.PreserveUnknownFields = n.Own.PreserveUnknownFields
			ap.Deviate(options.MarshalForms, m.At)
		}
	}
}
