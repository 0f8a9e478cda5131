package markers

import "slices"

const catOption = "option"

// Options returns the table of the options of the command line: generators, paths and output rules. They follow the
// grammar of markers, without the '+' (controller-tools, cmd/controller-gen/main.go); parse them on target Package.
func Options() *Table {
	header := []Param{
		optional(String, "headerFile", "File with the text that precedes the output, such as a license."),
		optional(String, "year", "Replaces YEAR in the header."),
	}
	model := []Param{
		optional(Bool, "allowDangerousTypes", "Allows float32 and float64."),
		optional(Bool, "ignoreUnexportedFields", "Ignores fields that Go does not export."),
		optional(Bool, "generateEmbeddedObjectMeta", "Writes the schema of embedded ObjectMeta."),
		oneOf([]string{"controller-gen", "none"}, "compat", ""+
			"The value controller-gen writes the same CRDs as controller-gen, and only "+
			"warns about mistakes that controller-gen accepts and about CRDs that an API server rejects, "+
			"unless mistakes or unproved say otherwise. The value none, the default, writes crdproof's own CRDs."),
		{Name: "without", Shape: listOf(String), Optional: true,
			Doc: "Names of deviations to switch off, such as number-ranges;known-types: in these ways the CRDs are " +
				"the same as controller-gen's. The names are the sections of docs/deviations.md."},
		oneOf([]string{"own", "all"}, "declarative", ""+
			"The value all enforces the tags of declarative validation (+k8s:) in imported types too, and those "+
			"that are alpha or beta. The default is own: the stable tags in your own types."),
		oneOf([]string{"error", "warn"}, "mistakes", ""+
			"The value warn only warns about mistakes that controller-gen accepts. The "+
			"default is error."),
	}
	descriptions := []Param{
		{Name: "dropDescriptions", Shape: listOf(String), Optional: true,
			Doc: "Drops descriptions that come from these Go packages, written as patterns such as k8s.io/api/...; " +
				"the descriptions of your own fields remain."},
		optional(Int, "descDepth", "Drops descriptions of fields below this level; spec is level 1, "+
			"spec.template level 2."),
		optional(String, "maxSize", "Drops descriptions until the file, and the annotation that kubectl apply "+
			"adds, have at most this size, such as 300000 or 256Ki. It drops those of imported types first, and "+
			"those of deeper fields before others. The value apply limits only the annotation, to what kubectl "+
			"apply can send."),
	}
	validation := []Param{
		optional(String, "kube", "Kubernetes versions to validate for, such as 1.31 or 1.30..1.37."),
		optional(Bool, "unproved", "Writes CRDs even if an API server rejects them, and only warns about the reasons."),
		{Name: "ignore", Shape: listOf(String), Optional: true,
			Doc: "Ids of checks to ignore; what an API server rejects is always reported."},
		{Name: "fail", Shape: listOf(String), Optional: true,
			Doc: "Ids of checks whose warnings become errors; all makes errors of all warnings."},
		optional(Int, "costShare", "Warns if a rule costs more than this percentage of its budget; the default is 50."),
	}
	validationOfHelpers := slices.Clone(validation)
	validationOfHelpers[0].Doc += " The helpers answer as the API server of the last one does."
	defs := []Definition{
		{Name: "crd",
			Params: slices.Concat([]Param{
				{Name: "crdVersions", Shape: listOf(String), Optional: true, Values: []string{"v1"},
					Doc: "Versions of the CRD API; only v1 exists."},
				optional(Int, "maxDescLen", "Cuts descriptions to this number of characters; 0 drops them."),
				optional(Bool, "deprecatedV1beta1CompatibilityPreserveUnknownFields", "Writes "+
					"spec.preserveUnknownFields."),
				optional(Bool, "omitToolVersion", "Omits the annotation with the version of crdproof."),
				oneOf([]string{"crdproof", "controller-gen", "none"}, "versionAnnotation", "The annotation with the "+
					"version of the tool. The value controller-gen writes that of controller-gen with the version "+
					"that "+
					"crdproof is compatible with; controller-gen@v0.17.2 writes another version. The default is "+
					"crdproof."),
			}, descriptions, header, model, validation),
			Example: "crd:maxDescLen=0,generateEmbeddedObjectMeta=true",
			Doc:     "Generates CustomResourceDefinitions."},
		{Name: "helpers",
			Params: slices.Concat([]Param{
				{Name: "crds", Shape: listOf(String), Optional: true,
					Doc: "Files, directories or patterns of CRDs to write helpers for, instead of Go types."},
				optional(String, "package", "Name of the Go package, if the helpers are in a package of their own."),
				optional(Bool, "jsonOnly", "Writes the helpers for JSON, but not those for Go types."),
				optional(Bool, "importedAsData", "Writes the schemas of types of other modules, such as pod templates, as "+
					"data that programs decode when they start, and validates their Go values as JSON. With crds, "+
					"all schemas become data."),
			}, header, model, validationOfHelpers),
			Example: "helpers:headerFile=hack/boilerplate.go.txt",
			Doc:     "Generates Go functions that prune, default and validate objects as an API server does."},
		{Name: "paths", Params: single(listOf(String)), Example: "paths=./api/...;./pkg/...",
			Doc: "Names the packages or directories to read."},
	}
	for _, prefix := range []string{"", "crd:", "helpers:", "rbac:", "object:", "applyconfiguration:", "webhook:",
		"schemapatch:"} {
		defs = append(defs, outputRules("output:"+prefix)...)
	}
	for i := range defs {
		defs[i].Targets, defs[i].Category = Package, catOption
	}
	return NewTable(defs)
}

// oneOf declares a named argument that is optional, and the only values that it may have.
func oneOf(values []string, name, doc string) Param {
	p := optional(String, name, doc)
	p.Values = values
	return p
}

func outputRules(prefix string) []Definition {
	return []Definition{
		{Name: prefix + "dir", Params: single(of(String)), Example: prefix + "dir=config/crd",
			Doc: "Writes all files into a directory."},
		{Name: prefix + "stdout", Doc: "Writes to standard output."},
		{Name: prefix + "none", Doc: "Writes nothing."},
		{Name: prefix + "artifacts",
			Params: []Param{
				{Name: "config", Shape: of(String), Doc: "Directory for configuration."},
				optional(String, "code", "Directory for Go code; by default that of its package."),
			},
			Example: prefix + "artifacts:config=config/crd",
			Doc:     "Writes configuration and Go code into separate directories."},
	}
}
