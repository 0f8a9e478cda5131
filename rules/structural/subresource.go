package structural

import (
	"strings"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource/tableconvertor"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
)

// subresourceRows are the checks of what a version has besides its schema.
func subresourceRows() []row {
	return []row{
		{
			Check: diag.Check{
				ID: "scale-path", Verdict: true,
				Doc:  "The scale subresource reads replicas below .spec and .status, and the selector below either.",
				Bad:  "// +kubebuilder:subresource:scale:specpath=.replicas,statuspath=.status.replicas\ntype Widget struct { … }",
				Good: "// +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas\ntype Widget struct { … }",
			},
			ofVersion: checkScalePaths,
		},
		{
			Check: diag.Check{
				ID: "scale-field", Severity: diag.Warning,
				Doc: "A path of the scale subresource that leads to no field is accepted, but what is written through it is pruned, and " +
					"what is read is zero.",
				Bad:  "// +kubebuilder:subresource:scale:specpath=.spec.replicsa,statuspath=.status.replicas\ntype Widget struct { … }",
				Good: "// +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas\ntype Widget struct { … }",
			},
			ofVersion: checkScaleFields,
		},
		{
			Check: diag.Check{
				ID: "column-invalid", Verdict: true,
				Doc:  "A column has a name, one of five types, and a path that begins with a dot.",
				Bad:  "// +kubebuilder:printcolumn:name=Age,type=date,JSONPath=metadata.creationTimestamp\ntype Widget struct { … }",
				Good: "// +kubebuilder:printcolumn:name=Age,type=date,JSONPath=.metadata.creationTimestamp\ntype Widget struct { … }",
			},
			ofVersion: checkColumns,
		},
		{
			Check: diag.Check{
				ID: "column-path", Severity: diag.Warning,
				Doc:  "A column whose path leads to no field stays empty; where a path cannot be read at all, API servers show none of the version's columns.",
				Bad:  "// +kubebuilder:printcolumn:name=Size,type=integer,JSONPath=.spec.replicsa\ntype Widget struct { … }",
				Good: "// +kubebuilder:printcolumn:name=Size,type=integer,JSONPath=.spec.replicas\ntype Widget struct { … }",
			},
			ofVersion: checkColumnPaths,
		},
		{
			Check: diag.Check{
				ID: "column-type", Severity: diag.Warning,
				Doc:  "A column shows nothing of a value that is not of its type; only columns of type string show all values.",
				Bad:  "// +kubebuilder:printcolumn:name=Mode,type=integer,JSONPath=.spec.mode\ntype Widget struct { … }",
				Good: "// +kubebuilder:printcolumn:name=Mode,type=string,JSONPath=.spec.mode\ntype Widget struct { … }",
			},
			ofVersion: checkColumnTypes,
		},
		{
			Check: diag.Check{
				ID: "selectable-field", Verdict: true,
				Doc: "Objects are selected by up to 8 fields of type string, boolean or integer, outside of metadata; the paths " +
					"have no brackets.",
				Bad:  "// +kubebuilder:selectablefield:JSONPath=.spec.ports\ntype Widget struct { … }",
				Good: "// +kubebuilder:selectablefield:JSONPath=.spec.mode\ntype Widget struct { … }",
			},
			ofVersion: checkSelectableFields,
		},
	}
}

// A scalePath is one of the paths of the scale subresource.
type scalePath struct {
	schema.Text
	key, argument string
	// below are the prefixes that the path may have.
	below      []string
	isRequired bool
}

func scalePaths(v *version) []scalePath {
	if v.Subresources == nil || v.Subresources.Scale == nil {
		return nil
	}
	s := v.Subresources.Scale
	out := []scalePath{
		{s.SpecReplicasPath, "specReplicasPath", "specpath", []string{".spec."}, true},
		{s.StatusReplicasPath, "statusReplicasPath", "statuspath", []string{".status."}, true},
	}
	if s.LabelSelectorPath != nil {
		out = append(out, scalePath{*s.LabelSelectorPath, "labelSelectorPath", "selectorpath", []string{".spec.", ".status."}, false})
	}
	return out
}

// isAccepted reports whether an API server accepts the path.
func (p *scalePath) isAccepted() bool {
	for _, prefix := range p.below {
		if strings.HasPrefix(p.V, prefix) {
			return true
		}
	}
	return p.V == "" && !p.isRequired
}

func checkScalePaths(v *version) []finding {
	var out []finding
	for _, p := range scalePaths(v) {
		if !p.isAccepted() {
			out = append(out, v.badScalePath(p))
		}
	}
	return out
}

func checkScaleFields(v *version) []finding {
	var out []finding
	for _, p := range scalePaths(v) {
		if p.V == "" || !p.isAccepted() || v.Schema == nil {
			continue
		}
		t := follow(v.Schema, p.V)
		switch {
		case t.missing != nil:
			out = append(out, v.scaleNowhere(p, t))
		case t.s != nil && p.isRequired && t.s.Type.V != "integer" && t.s.Type.V != "":
			out = append(out, v.scaleType(p, t.s, "an integer"))
		case t.s != nil && !p.isRequired && t.s.Type.V != "string" && t.s.Type.V != "":
			out = append(out, v.scaleType(p, t.s, "a string"))
		}
	}
	return out
}

func checkColumns(v *version) []finding {
	var out []finding
	for i, c := range v.Columns {
		if c.Name.V == "" {
			out = append(out, v.columnWithout(i, c, "name"))
		}
		if !isOneOf(c.Type.V, columnTypes()) {
			out = append(out, v.columnBadType(i, c))
		}
		if c.Format.V != "" && !isOneOf(c.Format.V, columnFormats()) {
			out = append(out, v.columnBadFormat(i, c))
		}
		if c.JSONPath.V == "" {
			out = append(out, v.columnWithout(i, c, "JSONPath"))
		} else if c.JSONPath.V[0] != '.' {
			out = append(out, v.columnBadPath(i, c))
		}
	}
	return out
}

// columnTypes and columnFormats are printerColumnDatatypes and customResourceColumnDefinitionFormats of
// apis/apiextensions/validation.
func columnTypes() []string { return []string{"boolean", "date", "integer", "number", "string"} }

func columnFormats() []string {
	return []string{"byte", "date", "date-time", "double", "float", "int32", "int64", "password"}
}

func checkColumnPaths(v *version) []finding {
	var out []finding
	for i, c := range v.Columns {
		if c.JSONPath.V == "" || c.JSONPath.V[0] != '.' {
			continue
		}
		if !isReadable(c.JSONPath.V) {
			out = append(out, v.columnUnreadable(i, c))
		} else if t := follow(v.Schema, c.JSONPath.V); t.missing != nil {
			out = append(out, v.columnNowhere(i, c, t))
		}
	}
	return out
}

// isReadable asks the API server's code whether it can read a column's path.
func isReadable(path string) bool {
	_, err := tableconvertor.New([]apiext.CustomResourceColumnDefinition{{Name: "x", Type: "string", JSONPath: path}})
	return err == nil
}

// checkColumnTypes follows cellForJSONValue of the table convertor.
func checkColumnTypes(v *version) []finding {
	var out []finding
	for i, c := range v.Columns {
		t := follow(v.Schema, c.JSONPath.V)
		if t.s == nil || t.s.Type.V == "" || isSet(t.s.IntOrString) {
			continue
		}
		shown := []string{c.Type.V}
		switch c.Type.V {
		case "integer", "number":
			shown = []string{"integer", "number"}
		case "date":
			shown = []string{"string"}
		case "boolean":
		default:
			continue
		}
		if !isOneOf(t.s.Type.V, shown) {
			out = append(out, v.columnShowsNothing(i, c, t.s))
		}
	}
	return out
}

func isOneOf(text string, list []string) bool {
	for _, s := range list {
		if s == text {
			return true
		}
	}
	return false
}
