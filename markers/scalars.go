package markers

import "slices"

// scalarMarkers are those of durations, quantities, percentages and object names.
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
			Doc: "Demands that a string is a duration that Go reads (time.ParseDuration), which a pattern alone " +
				"cannot, since those of more than 292 years are none."},
		{Name: "crdproof:quantity",
			Params:  bounds(String, "The least quantity, such as 100Mi.", "The greatest quantity, such as 1Gi."),
			Example: "+crdproof:quantity:minimum=100Mi,maximum=1Gi",
			Doc: "Demands that a value is a quantity (resource.ParseQuantity), of at most 64 characters where no " +
				"MaxLength says otherwise, lest the rule cost too much; API servers from 1.30 to 1.33 count the " +
				"cost as if nothing did, and refuse it in lists and maps of more than 31."},
		{Name: "crdproof:percent",
			Params: bounds(Int, "The least percentage, 0 unless said otherwise.",
				"The greatest percentage, 100 unless said otherwise."),
			Example: "+crdproof:percent:minimum=1,maximum=50",
			Doc:     "Demands that a string, or the string that an IntOrString can be, is a percentage such as 25%."},
	}
	for i := range rows {
		rows[i].Targets, rows[i].Category, rows[i].Own, rows[i].Phase = Type|Field, catValidation, true, Additions
	}
	return slices.Concat(rows, nameMarkers())
}
