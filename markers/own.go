package markers

import "slices"

// ownMarkers returns those that controller-gen does not have.
func ownMarkers() []Definition {
	rows := []Definition{
		{Name: "enum", Targets: Type, Category: catCRD, Phase: Foundations, Constants: ListsOwnConstants, Whole: true,
			Doc: "Allows only the constants of the type, as k8s:enum does."},
		{Name: "enum", Targets: Field, Category: catValidation,
			Doc:       "Not allowed: the marker applies to types.",
			Forbidden: "enum applies to types, not to fields: it lists the constants of a type"},
		{Name: "crdproof:embeddedObjectMeta", Targets: Field, Category: catProcessing, Effect: Shapes, Whole: true,
			Params: []Param{{Shape: shapeOf(Bool), Optional: true}},
			Doc: "Writes the schema of an embedded ObjectMeta, so that API servers keep labels and annotations. " +
				"The value false overrides crd:generateEmbeddedObjectMeta, which does so for all fields."},
		{Name: "crdproof:ignore", Targets: Package | Type | Field, Category: catValidation, Repeatable: true,
			Effect: Nothing, Whole: true, Params: []Param{
				{Name: "check", Shape: shapeOf(String), Doc: "The check's id, as shown in brackets after a finding."},
				{Name: "reason", Shape: shapeOf(String), Doc: "Why it is intended."},
			},
			Doc: "Ignores the findings of a check at this type or field, or in this package, also those of " +
				"crdproof diff, such as diff-stored. Findings that an API server rejects cannot be ignored.",
			Example: "+crdproof:ignore:check=cel-absent,reason=\"a webhook sets the field\""},
	}
	for i := range rows {
		rows[i].Own = true
	}
	return rows
}

// placeMarkers returns the one that carries another marker to a place below.
func placeMarkers() []Definition {
	return []Definition{{
		Name: "crdproof:at", Targets: Type | Field, Grammar: Tag, Step: Place, Category: catValidation, Own: true,
		Repeatable: true,
		Example:    "+crdproof:at(containers[].image)=+kubebuilder:validation:MaxLength=200",
		Doc: "Applies another marker to a schema below, as if it were there, also in imported types: the path has " +
			"names of fields, [] for the items of a list and {} for the values of a map. For many changes, use an " +
			"overlay file.",
	}}
}

// ruleMarkers returns those of rules in CEL.
func ruleMarkers() []Definition {
	return []Definition{{
		Name: "crdproof:rule", Targets: Package | Type | Field, Category: catValidation, Repeatable: true, Own: true,
		Either: []string{"rule", "use"}, Beside: validationPrefix + "XValidation",
		Params: []Param{
			optional(String, "rule", "The condition, if it is not in the lines below; self is the value of the type "+
				"or field."),
			optional(String, "name",
				"Names the rule for use elsewhere. On a package the rule is only declared."),
			optional(String, "use", "The name of a rule to apply: atMostOne, or v1.atMostOne from another package."),
			optional(String, "message", "The error message if the condition is false."),
			optional(String, "messageExpression", "CEL that computes the message."),
			optional(String, "reason", "FieldValueInvalid, FieldValueForbidden, FieldValueRequired or "+
				"FieldValueDuplicate."),
			optional(String, "fieldPath", "The field that the error names, relative to self, such as .max."),
			optional(Bool, "optionalOldSelf", "Makes oldSelf an optional value, so that the rule also runs on "+
				"creation."),
		},
		Doc: "Adds a CEL rule that values must satisfy, written in the lines below the marker, or applies a rule " +
			"that has a name.",
		Example: `+crdproof:rule:rule="self.min <= self.max",message="min must not exceed max"`,
	}}
}

// junctorMarkers add a value validation to a junctor (KEP-2335). The validation is a map whose keys are the keywords
// of OpenAPI.
func junctorMarkers() []Definition {
	const each = "; each further marker adds one"
	rows := []Definition{
		{Name: "crdproof:anyOf", Example: "+crdproof:anyOf={minimum: 42, maximum: 50}",
			Doc: "Requires at least one of several value validations" + each + "."},
		{Name: "crdproof:oneOf", Example: "+crdproof:oneOf={required: {command}}",
			Doc: "Requires exactly one of several value validations" + each + "."},
		{Name: "crdproof:allOf", Example: "+crdproof:allOf={properties: {apiVersion: {pattern: \"^v1$\"}}}",
			Doc: "Requires a value validation, in addition to all others" + each + "."},
		{Name: "crdproof:not", Example: "+crdproof:not={enum: {default, system}}",
			Doc: "Forbids values that satisfy a value validation" + each + "."},
	}
	for i := range rows {
		row := &rows[i]
		row.Targets, row.Category, row.Own, row.Repeatable = Type|Field, catValidation, true, true
		row.Params, row.Phase = single(shapeOf(Any)), Additions
	}
	return rows
}

// scalarMarkers returns those of durations, quantities, percentages and object names.
func scalarMarkers() []Definition {
	bounds := func(kind Kind, least, greatest string) []Param {
		return []Param{
			optional(kind, "minimum", least),
			optional(kind, "maximum", greatest),
		}
	}
	rows := []Definition{
		{Name: "crdproof:duration",
			Params:  bounds(String, "The shortest duration, such as 1s.", "The longest duration, such as 1h30m."),
			Example: "+crdproof:duration:minimum=1s,maximum=24h",
			Doc: "Requires a duration in Go's syntax (time.ParseDuration). A pattern alone cannot express this: Go " +
				"has no durations of more than 292 years."},
		{Name: "crdproof:quantity",
			Params:  bounds(String, "The smallest quantity, such as 100Mi.", "The largest quantity, such as 1Gi."),
			Example: "+crdproof:quantity:minimum=100Mi,maximum=1Gi",
			Doc: "Requires a quantity (resource.ParseQuantity), of at most 64 characters unless MaxLength is set, " +
				"to limit the cost of the rule. API servers from 1.30 to 1.33 ignore that limit, and reject the " +
				"rule in lists and maps of more than 31."},
		{Name: "crdproof:percent",
			Params: bounds(Int, "The smallest percentage; the default is 0.",
				"The largest percentage; the default is 100."),
			Example: "+crdproof:percent:minimum=1,maximum=50",
			Doc:     "Requires that a string, or an IntOrString that is a string, is a percentage such as 25%."},
	}
	for i := range rows {
		rows[i].Targets, rows[i].Category, rows[i].Own, rows[i].Phase = Type|Field, catValidation, true, Additions
	}
	return slices.Concat(rows, nameMarkers())
}

// nameMarkers returns those for kinds that constrain the names of their objects, the only metadata that a CRD may
// constrain (KEP-2335; k8s.io/apiextensions-apiserver, pkg/apiserver/schema/validation.go).
func nameMarkers() []Definition {
	limits := func(format string) []Param {
		return []Param{
			optional(String, "pattern", "A regular expression, in Go's syntax."),
			optional(Int, "minLength", "The minimum number of characters."),
			optional(Int, "maxLength", "The maximum number of characters."),
			optional(String, "format", format),
		}
	}
	rows := []Definition{
		{Name: "crdproof:objectName",
			Params:  limits("dns1123Label, dns1035Label, dns1123Subdomain, or a format of k8s:format."),
			Example: "+crdproof:objectName:format=dns1123Label,maxLength=40",
			Doc: "Constrains the names of the kind's objects, including generated names. Before validation, the API " +
				"server appends five characters to the first 58 of generateName."},
		{Name: "crdproof:objectGenerateName",
			Params:  limits("As for names, but the last character may be a dash."),
			Example: "+crdproof:objectGenerateName:format=dns1123Label,maxLength=35",
			Doc: "Constrains the generateName of the kind's objects, from which the API server generates their " +
				"names."},
	}
	for i := range rows {
		rows[i].Targets, rows[i].Category, rows[i].Own, rows[i].OfKind = Type, catCRD, true, true
	}
	return rows
}
