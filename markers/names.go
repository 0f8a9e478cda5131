package markers

// nameMarkers stand on a kind and limit the names of its objects, which is all of an object's metadata that a CRD may
// limit (KEP-2335; k8s.io/apiextensions-apiserver, pkg/apiserver/schema/validation.go).
func nameMarkers() []Definition {
	limits := func(format string) []Param {
		return []Param{
			optional(String, "pattern", "A regular expression in Go's syntax."),
			optional(Int, "minLength", "The least number of characters."),
			optional(Int, "maxLength", "The greatest number of characters."),
			optional(String, "format", format),
		}
	}
	rows := []Definition{
		{Name: "crdproof:objectName",
			Params:  limits("dns1123Label, dns1035Label, dns1123Subdomain, or a format of k8s:format."),
			Example: "+crdproof:objectName:format=dns1123Label,maxLength=40",
			Doc: "Limits the names of the kind's objects, those included that the API server generates: it does so " +
				"before it validates, by appending five characters to generateName, of which it keeps 58."},
		{Name: "crdproof:objectGenerateName",
			Params:  limits("As for names; of the beginning of such a name, so that a dash may stand last."),
			Example: "+crdproof:objectGenerateName:format=dns1123Label,maxLength=35",
			Doc:     "Limits the generateName of the kind's objects, from which the API server makes their names."},
	}
	for i := range rows {
		rows[i].Targets, rows[i].Category, rows[i].Own, rows[i].OfKind = Type, catCRD, true, true
	}
	return rows
}
