package markers

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
