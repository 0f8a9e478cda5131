package markers

import "slices"

const catOption = "option"

// Options returns the table of the command line's options: the crd generator, paths and output rules. They follow the
// grammar of markers, without the '+' (controller-tools, cmd/controller-gen/main.go); parse them on target Package.
func Options() *Table {
	header := []Param{
		optional(String, "headerFile", "File whose text is put before the output."),
		optional(String, "year", "Replaces YEAR in the header."),
	}
	model := []Param{
		optional(Bool, "allowDangerousTypes", "Allows float32 and float64."),
		optional(Bool, "ignoreUnexportedFields", "Passes over fields that Go does not export."),
		optional(Bool, "generateEmbeddedObjectMeta", "Writes the schema of embedded ObjectMeta."),
		optional(String, "compat", "controller-gen writes what controller-gen would, and only warns of mistakes "+
			"that it lets pass."),
		optional(String, "mistakes", "warn only warns of mistakes that controller-gen lets pass; error, the "+
			"default, refuses them."),
	}
	descriptions := []Param{
		{Name: "dropDescriptions", Shape: listOf(String), Optional: true,
			Doc: "Leaves out descriptions that come from Go packages, given as patterns such as k8s.io/api/...; " +
				"those of your own fields stay."},
		optional(Int, "descDepth", "Leaves out descriptions of fields below that level; spec is level 1, "+
			"spec.template level 2."),
		optional(String, "maxSize", "Leaves out as many descriptions as it takes to bring the file, and what "+
			"kubectl apply keeps of it, within so many bytes (300000, 256Ki), those of imported types first, "+
			"the deepest before all. With apply it is only what kubectl apply keeps that counts."),
	}
	proof := []Param{
		optional(String, "kube", "Kubernetes versions that the CRDs are proved for, as 1.31 or 1.29..1.37."),
		optional(Bool, "unproved", "Writes CRDs that an API server would refuse, and only warns of why it would."),
		{Name: "ignore", Shape: listOf(String), Optional: true,
			Doc: "Checks whose findings are not told; never what an API server refuses."},
		{Name: "fail", Shape: listOf(String), Optional: true, Doc: "Checks whose warnings are errors."},
		optional(Int, "costShare", "Percentage of a rule's cost budget above which it is warned of; 50 if not set."),
	}
	defs := []Definition{
		{Name: "crd",
			Params: slices.Concat([]Param{
				{Name: "crdVersions", Shape: listOf(String), Optional: true, Doc: "Versions of the CRD type; v1 is " +
					"the only one."},
				optional(Int, "maxDescLen", "Cuts descriptions at so many characters; 0 leaves them out."),
				optional(Bool, "deprecatedV1beta1CompatibilityPreserveUnknownFields", "Writes "+
					"spec.preserveUnknownFields."),
				optional(Bool, "omitToolVersion", "Leaves out the annotation that names the tool's version."),
			}, descriptions, header, model, proof),
			Example: "crd:maxDescLen=0,generateEmbeddedObjectMeta=true",
			Doc:     "Generates CustomResourceDefinitions."},
		{Name: "helpers",
			Params: slices.Concat([]Param{
				{Name: "crds", Shape: listOf(String), Optional: true,
					Doc: "Files, directories or patterns of CRDs to write helpers for, instead of for Go types."},
				optional(String, "package", "Name of the package, where the helpers stand in one of their own."),
			}, header, model, proof),
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

func outputRules(prefix string) []Definition {
	return []Definition{
		{Name: prefix + "dir", Params: single(of(String)), Example: prefix + "dir=config/crd",
			Doc: "Writes into a directory."},
		{Name: prefix + "stdout", Doc: "Writes to the standard output."},
		{Name: prefix + "none", Doc: "Writes nothing."},
		{Name: prefix + "artifacts",
			Params: []Param{
				{Name: "config", Shape: of(String), Doc: "Directory of configuration."},
				optional(String, "code", "Directory of Go code, where it shall not stand beside its package."),
			},
			Example: prefix + "artifacts:config=config/crd",
			Doc:     "Writes configuration and code into directories of their own."},
	}
}
