package markers

// junctorMarkers are those that put a value validation under a junctor (KEP-2335). The validation is a map whose keys
// are the keywords of OpenAPI.
func junctorMarkers() []Definition {
	const each = "; each further marker adds one"
	rows := []Definition{
		{Name: "crdproof:anyOf", Example: "+crdproof:anyOf={minimum: 42, maximum: 50}",
			Doc: "Demands that at least one of several value validations holds" + each + "."},
		{Name: "crdproof:oneOf", Example: "+crdproof:oneOf={required: {command}}",
			Doc: "Demands that exactly one of several value validations holds" + each + "."},
		{Name: "crdproof:allOf", Example: "+crdproof:allOf={properties: {apiVersion: {pattern: \"^v1$\"}}}",
			Doc: "Demands that a value validation holds, beside all else" + each + "."},
		{Name: "crdproof:not", Example: "+crdproof:not={enum: {default, system}}",
			Doc: "Demands that none of some value validations holds" + each + "."},
	}
	for i := range rows {
		row := &rows[i]
		row.Targets, row.Category, row.Own, row.Repeatable = Type|Field, catValidation, true, true
		row.Params, row.Phase = single(of(Any)), Additions
	}
	return rows
}
