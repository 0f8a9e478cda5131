package markers

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
