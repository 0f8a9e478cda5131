package markers

import "slices"

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
