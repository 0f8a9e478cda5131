package lower

import (
	"cmp"

	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/schema"
)

// Names of markers that other files refer to, besides those declared there.
const (
	markMaximum     = validationPrefix + "Maximum"
	markMinimum     = validationPrefix + "Minimum"
	markMultipleOf  = validationPrefix + "MultipleOf"
	markResource    = "kubebuilder:resource"
	markSkipVersion = "kubebuilder:skipversion"
	markStatus      = "kubebuilder:subresource:status"
)

// A meaning is the effect of a marker. Together with its definition in the table of markers, which says where it
// applies and when it is applied, it is everything about a marker.
type meaning struct {
	// of is the JSON type of the values that the marker applies to, "" if that is any type or needs more than a type.
	of string
	// apply applies the marker to a node. It is nil for markers that are read where the struct, the field, the package
	// or the kind is described.
	apply func(ap applier, n *node, m *markers.Marker, on target)
	// condition is what the marker requires, in CEL, of a value that keywords cannot reach; nil if CEL has no
	// equivalent.
	condition func(ap applier, s *spot, m *markers.Marker, on target) (condition, bool)
	// change is what the marker requires of a value that is present before and after an update, presence what it
	// requires of a field that an update sets or clears.
	change   func(ap applier, n *node, m *markers.Marker, now, old expr, on target) (condition, bool)
	presence func(ap applier, now, old member, m *markers.Marker) condition
	// notOfKeys is set if the marker has no effect on the keys of a map: a key identifies its entry and never changes.
	notOfKeys bool
	// relate adds the rule of the marker about one field in relation to others to a struct.
	relate func(ap applier, n *node, of *property, fields structFields, m *markers.Marker)
	// union is the role of the marker's target in a union.
	union unionPart
	// oneOf is set if the marker limits how many of some fields may be set.
	oneOf bool
	// frame applies the marker to a CRD, or to one of its versions.
	frame func(c *crdMarkers, v *schema.Version, m *markers.Marker)
}

// An applier applies markers to nodes and CRDs: as keywords, and as CEL where keywords cannot express what they require.
type applier struct {
	reporter
	marks    reader
	flat     flattener
	meanings map[string]meaning
}

// newApplier returns an applier for one CRD.
func newApplier(r reporter, marks reader, flat flattener) applier {
	return applier{r, marks, flat, meanings()}
}

// at returns the applier at the place of another stage.
func (ap applier) at(r reporter) applier {
	ap.reporter = r
	return ap
}

// meaning returns what a marker does, of items as of values.
func (ap applier) meaning(m *markers.Marker) meaning {
	return ap.meanings[cmp.Or(m.Def.ItemsOf, m.Def.Name)]
}

// isOneOf reports whether a marker limits how many of some fields may be set.
func (ap applier) isOneOf(m *markers.Marker) bool { return ap.meaning(m).oneOf }

// meanings is the table of the effects of all markers, by name. An empty meaning is for a marker that is read where the
// package, the struct or the field is described.
func meanings() map[string]meaning {
	return map[string]meaning{
		"groupName": {}, "versionName": {}, "kubebuilder:skip": {}, // see packageMarkers
		"required": {}, "optional": {}, "k8s:optional": {}, markKBRequired: {}, markKBOptional: {}, // see required
		markSchemaless: {}, markObjectMeta: {}, markOpaque: {}, // see describer.field
		markIgnore: {}, // see silence

		markMaximum:    ofNumber("maximum"),
		markMinimum:    ofNumber("minimum"),
		markMultipleOf: {of: "number", apply: applier.setMultipleOf, condition: applier.multipleOf},
		"k8s:maximum":  ofNumber("maximum"),
		"k8s:minimum":  ofNumber("minimum"),

		validationPrefix + "ExclusiveMaximum": ofFlag("exclusiveMaximum"),
		validationPrefix + "ExclusiveMinimum": ofFlag("exclusiveMinimum"),
		validationPrefix + "MaxLength":        ofSize("maxLength"),
		validationPrefix + "MinLength":        ofSize("minLength"),
		validationPrefix + "MaxItems":         ofSize("maxItems"),
		validationPrefix + "MinItems":         ofSize("minItems"),
		validationPrefix + "MaxProperties":    ofSize("maxProperties"),
		validationPrefix + "MinProperties":    ofSize("minProperties"),
		"k8s:maxItems":                        ofSize("maxItems"),
		"k8s:maxLength":                       tightest("maxLength"),
		"k8s:minLength":                       tightest("minLength"),
		"k8s:minItems":                        tightest("minItems"),
		"k8s:maxProperties":                   tightest("maxProperties"),
		"k8s:minProperties":                   tightest("minProperties"),
		"k8s:maxBytes": {
			of: "string", apply: applier.setMaxBytes, condition: applier.maxBytes,
		},
		"k8s:format": {
			of: "string", apply: applier.setFormat, condition: applier.formatCondition,
		},
		validationPrefix + "Pattern": {
			of: "string", apply: setString("pattern"), condition: applier.patternCondition,
		},
		validationPrefix + "UniqueItems": {of: "array", apply: applier.setUniqueItems},
		validationPrefix + "Format":      {apply: setString("format")},
		markEnum:                         {apply: applier.setEnum, condition: applier.enumCondition},
		"k8s:enum":                       {apply: applier.setConstants, condition: applier.constantsCondition},
		"enum":                           {apply: applier.setConstants, condition: applier.constantsCondition},
		"k8s:enumExclude":                {}, // see isExcluded
		"k8s:neq":                        {apply: applier.setNotEqual, condition: applier.notEqual},

		markType:                               {apply: applier.setType},
		markPreserve:                           {apply: setFlag("x-kubernetes-preserve-unknown-fields")},
		markXPreserve:                          {apply: setFlag("x-kubernetes-preserve-unknown-fields")},
		validationPrefix + "XEmbeddedResource": {apply: setFlag("x-kubernetes-embedded-resource")},
		validationPrefix + "EmbeddedResource":  {apply: setFlag("x-kubernetes-embedded-resource")},
		validationPrefix + "XIntOrString":      {apply: setFlag("x-kubernetes-int-or-string")},
		"nullable":                             {apply: setFlag("nullable")},
		"default":                              {apply: applier.setDeclaredDefault},
		"kubebuilder:default":                  {apply: applier.setDefault},
		"kubebuilder:example":                  {apply: applier.setExample},
		"kubebuilder:title":                    {apply: applier.setTitle},
		"kubebuilder:externalDocs":             {apply: applier.setExternalDocs},

		"listType":       {of: "array", apply: setString("x-kubernetes-list-type", "map", "set", "atomic")},
		"k8s:listType":   {of: "array", apply: setString("x-kubernetes-list-type", "map", "set", "atomic")},
		"listMapKey":     {of: "array", apply: applier.addListMapKey},
		"k8s:listMapKey": {of: "array", apply: applier.addListMapKey},
		"mapType":        {of: "object", apply: applier.setMapType},
		"structType":     {apply: applier.setStructType},
		"k8s:unique": {of: "array",
			apply: func(_ applier, n *node, m *markers.Marker, _ target) { n.unique, n.uniqueBy = m.Arg("").Text, m }},
		"k8s:customUnique": {of: "array",
			apply: func(_ applier, n *node, m *markers.Marker, _ target) { n.customUnique = m }},

		validationPrefix + "XValidation": {apply: applier.setRule, condition: applier.ruleCondition},
		markRule:                         {apply: applier.setNamedRule},
		markExactlyOneOf: {oneOf: true,
			apply: ofFields("+", " == 1", "exactly one of the fields in %s must be set")},
		markAtMostOneOf: {oneOf: true,
			apply: ofFields("+", " <= 1", "at most one of the fields in %s may be set")},
		markAtLeastOneOf: {oneOf: true,
			apply: ofFields("||", "", "at least one of the fields in %s must be set")},
		"crdproof:allOf":    junctorOf("allOf"),
		"crdproof:anyOf":    junctorOf("anyOf"),
		"crdproof:oneOf":    junctorOf("oneOf"),
		"crdproof:not":      junctorOf("not"),
		"crdproof:duration": {of: "string", apply: applier.setDuration},
		"crdproof:quantity": {of: "string", apply: applier.setQuantity},
		"crdproof:percent":  {of: "string", apply: applier.setPercent},

		"k8s:required":   {apply: applier.setNonEmpty},
		markK8sForbidden: {apply: applier.setForbidden},
		markImmutable: {apply: applier.setChange, change: immutableChange, presence: immutablePresence,
			notOfKeys: true},
		markK8sMonotonic: {apply: applier.setChange, change: monotonicChange, presence: monotonicPresence},
		markK8sUpdate: {apply: applier.setChange, change: updateChange, presence: updatePresence,
			notOfKeys: true},
		markDependRequired:  {relate: dependOn(true)},
		markDependForbidden: {relate: dependOn(false)},

		"k8s:unionMember":         {union: memberOfOne},
		"k8s:zeroOrOneOfMember":   {union: memberOfOneOrNone},
		"k8s:unionDiscriminator":  {union: discriminates},
		markModeOf:                {}, // see modes
		markOldUnion:              {}, // see oldUnion
		markOldUnionDiscriminator: {},
		markOldDiscriminator:      {},

		markStatus: {frame: func(_ *crdMarkers, v *schema.Version, m *markers.Marker) {
			subresources(v).Status = &m.At
		}},
		"kubebuilder:subresource:scale": {frame: func(_ *crdMarkers, v *schema.Version, m *markers.Marker) {
			subresources(v).Scale = &schema.Scale{
				At:                 m.At,
				SpecReplicasPath:   textOf(m.Arg("specpath")),
				StatusReplicasPath: textOf(m.Arg("statuspath")),
				LabelSelectorPath:  argTextPointer(m, "selectorpath"),
			}
		}},
		"kubebuilder:printcolumn": {frame: (*crdMarkers).addColumn},
		"kubebuilder:selectablefield": {frame: func(_ *crdMarkers, v *schema.Version, m *markers.Marker) {
			v.SelectableFields = append(v.SelectableFields, textOf(m.Arg("JSONPath")))
		}},
		"kubebuilder:storageversion": {frame: func(_ *crdMarkers, v *schema.Version, _ *markers.Marker) {
			v.Storage = true
		}},
		"kubebuilder:unservedversion": {frame: func(_ *crdMarkers, v *schema.Version, _ *markers.Marker) {
			v.Served = false
		}},
		"kubebuilder:deprecatedversion": {frame: (*crdMarkers).deprecate},
		markSkipVersion:                 {frame: (*crdMarkers).skipVersion},
		markResource:                    {frame: (*crdMarkers).setResource},
		"kubebuilder:metadata":          {frame: (*crdMarkers).setMetadata},
		markObjectName:                  {}, // see rootMetadata
		markGenerateName:                {},
	}
}

// comparison is what a value is to the bound that a keyword sets.
func comparison(k *schema.Keyword) string {
	if k.Merge == schema.MergeSmallest {
		return "<="
	}
	return ">="
}

// ofNumber is a bound of numbers.
func ofNumber(keyword string) meaning {
	k, phrase := schema.KeywordOf(keyword), "must be at least "
	if comparison(k) == "<=" {
		phrase = "must be no more than "
	}
	return meaning{
		of: k.Of,
		apply: func(ap applier, n *node, m *markers.Marker, _ target) {
			ap.setNumber(k.Field.(schema.One[schema.Number])(&n.s), n, m)
		},
		condition: func(ap applier, s *spot, m *markers.Marker, _ target) (condition, bool) {
			bound, ok := ap.bound(s, m)
			return condition{cel: compare(s.value, comparison(k), bound), message: phrase + m.Arg("").Text}, ok
		},
	}
}

// ofSize is a bound of the size of a string, a list or a map.
func ofSize(keyword string) meaning {
	k, phrase := schema.KeywordOf(keyword), "must have at least "
	if comparison(k) == "<=" {
		phrase = "must have no more than "
	}
	unit := map[string]string{"string": " characters", "array": " items", "object": " entries"}[k.Of]
	return meaning{
		of: k.Of,
		apply: func(ap applier, n *node, m *markers.Marker, _ target) {
			ap.setInt(k.Field.(schema.One[schema.Int])(&n.s), m)
		},
		condition: func(_ applier, s *spot, m *markers.Marker, _ target) (condition, bool) {
			limit := m.Arg("").Text
			bounded := compare(size(s.value), comparison(k), ident(limit))
			return condition{cel: bounded, message: phrase + limit + unit}, true
		},
	}
}

// tightest is ofSize as tags have it: where a marker has set a bound, the tighter one stays.
func tightest(keyword string) meaning {
	k, row := schema.KeywordOf(keyword), ofSize(keyword)
	field, set := k.Field.(schema.One[schema.Int]), row.apply
	row.apply = func(ap applier, n *node, m *markers.Marker, on target) {
		before := *field(&n.s)
		set(ap, n, m, on)
		if before != nil && (k.Merge == schema.MergeSmallest) == (before.V < (*field(&n.s)).V) {
			*field(&n.s) = before
		}
	}
	return row
}

// ofFlag is a marker with a value that is true or false.
func ofFlag(keyword string) meaning {
	k := schema.KeywordOf(keyword)
	return meaning{of: k.Of, apply: func(_ applier, n *node, m *markers.Marker, _ target) {
		*k.Field.(schema.One[schema.Flag])(&n.s) = &schema.Flag{V: m.Arg("").Text == "true", At: m.Arg("").At}
	}}
}

// setString is a marker whose value is the keyword's, one of those permitted if any are listed.
func setString(keyword string, permitted ...string) func(applier, *node, *markers.Marker, target) {
	field := schema.KeywordOf(keyword).Field.(schema.TextField)
	return func(ap applier, n *node, m *markers.Marker, _ target) {
		if v := m.Arg(""); len(permitted) == 0 || ap.oneOf(v, permitted...) {
			*field(&n.s) = textOf(v)
		}
	}
}

// setFlag is a marker that sets a keyword by being there.
func setFlag(keyword string) func(applier, *node, *markers.Marker, target) {
	field := schema.KeywordOf(keyword).Field.(schema.One[schema.Flag])
	return func(_ applier, n *node, m *markers.Marker, _ target) { *field(&n.s) = &schema.Flag{V: true, At: m.At} }
}
