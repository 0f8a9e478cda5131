package structural

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource/tableconvertor"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema"
)

// subresourceRows returns the checks of the parts of a version other than its schema.
func subresourceRows() []session.Row {
	return []session.Row{
		explained(diag.Check{
			ID: "scale-path",
			Doc: "The replica paths of the scale subresource must be below .spec and .status. The path of the " +
				"selector may be below either.",
		}, reason{"spec.versions[].subresources.scale.*", "", "", explainScalePath}),
		{Check: diag.Check{
			ID: "scale-field", Severity: diag.Warning,
			Doc: "An API server accepts a path of the scale subresource that leads to no field. It then prunes " +
				"what is written through the path, and reads zero. The path has names and dots, but no brackets.",
			Hurts:  "Users of kubectl scale and of autoscalers.",
			Unless: "the field is in a part that the schema preserves",
		}, Needs: session.EachVersion, Run: checkScaleFields},
		explained(diag.Check{
			ID: "column-invalid",
			Doc: "A column needs a name, a type (boolean, date, integer, number or string), and a path that starts " +
				"with a dot.",
		}, reason{"spec.versions[].additionalPrinterColumns[].*", "", "", explainColumn}),
		{Check: diag.Check{
			ID: "column-path", Severity: diag.Warning,
			Doc: "A column whose path leads to no field stays empty. If API servers cannot parse a path, they show " +
				"none of the version's columns.",
			Hurts:  "Users of kubectl get.",
			Unless: "the column is for objects of a version that is still to come",
		}, Needs: session.EachVersion, Run: checkColumnPaths},
		{Check: diag.Check{
			ID: "column-type", Severity: diag.Warning,
			Doc: "A column stays empty if the value does not have its type. Only columns of type string show every " +
				"value.",
			Hurts:  "Users of kubectl get.",
			Unless: "the values that are shown always have the type of the column",
		}, Needs: session.EachVersion, Run: checkColumnTypes},
		{Check: diag.Check{
			ID: "selectable-field", Verdict: true,
			Doc: "A version can have up to 8 selectable fields of type string, boolean or integer, outside of " +
				"metadata. Their paths contain no brackets.",
		}, Needs: session.EachVersion, Run: checkSelectableFields},
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

func scalePaths(v *session.Version) []scalePath {
	if v.Subresources == nil || v.Subresources.Scale == nil {
		return nil
	}
	s := v.Subresources.Scale
	out := []scalePath{
		{s.SpecReplicasPath, "specReplicasPath", "specpath", []string{".spec."}, true},
		{s.StatusReplicasPath, "statusReplicasPath", "statuspath", []string{".status."}, true},
	}
	if s.LabelSelectorPath != nil {
		out = append(out, scalePath{*s.LabelSelectorPath, "labelSelectorPath", "selectorpath",
			[]string{".spec.", ".status."}, false})
	}
	return out
}

func explainScalePath(r *rejection) {
	for _, p := range scalePaths(r.Version) {
		if p.key != r.lastField() {
			continue
		}
		at := r.At(p.At, r.Version.Subresources.Scale.At)
		switch {
		case p.V == "":
			r.errorf(at, "missing %s of the scale subresource", p.key).
				Help("add %sreplicas", r.Write().Choose(p.argument+"="+p.below[0], p.key+": "+p.below[0]))
		case len(p.below) > 1:
			r.errorf(at, "%s %q is not below .spec or .status", p.key, p.V).
				Help("write a path such as .status.selector")
		default:
			r.errorf(at, "%s %q is not below %s", p.key, p.V, strings.TrimSuffix(p.below[0], ".")).
				Help("write a path such as %sreplicas", p.below[0])
		}
	}
}

// isAccepted reports whether an API server accepts the path.
func (s *scalePath) isAccepted() bool {
	return slices.ContainsFunc(s.below, func(prefix string) bool { return strings.HasPrefix(s.V, prefix) })
}

func checkScaleFields(p *session.Pass) {
	for _, path := range scalePaths(p.Version) {
		if !path.isAccepted() || p.Version.Schema == nil {
			continue
		}
		key, scale := p.Key("subresources.scale."+path.key), p.Version.Subresources.Scale.At
		t := followNames(p.Version.Schema, path.V)
		want := "an integer"
		if !path.isRequired {
			want = "a string"
		}
		switch {
		case t.missing != nil:
			p.Reportf(p.At(path.Range(t.missing.Start, t.missing.End), scale), key, "invalid %s: %s", path.key,
				nowhere(t, "the object")).
				Help("%s", scaleHelp(t, p.Version.Schema, path.V))
		case t.s != nil && t.s.Type.V != "" && typePhrase(t.s.Type.V) != want:
			p.Reportf(p.At(path.At, scale), key, "%s must lead to %s, got %s", path.key, want,
				typePhrase(t.s.Type.V)).
				Help("use the path of %s, or change the type of the field", want).See(t.s.At, "the field")
		}
	}
}

// scaleHelp says what to write for a path of the scale subresource that leads nowhere.
func scaleHelp(t target, root *schema.Schema, path string) string {
	if strings.ContainsAny(t.missing.Name, "[]") {
		return "name a field outside of lists and maps, because brackets are read as a part of the name"
	}
	return near(t.missing.Name, t.in.PropertyNames(), elsewhere(root, path))
}

// elsewhere suggests the path of a field of the same name below another field of the root, such as .spec for .status.
func elsewhere(root *schema.Schema, path string) string {
	steps, isWhole := schema.ReadPath(path)
	for _, name := range root.PropertyNames() {
		if !isWhole || len(steps) < 2 {
			break
		}
		if other := "." + name + path[steps[0].End:]; follow(root, other).s != nil {
			return diag.Meant(other)
		}
	}
	return "name a field of the schema"
}

// nowhere explains at which field a path ends. The value that it starts with is called root.
func nowhere(t target, root string) string {
	in := t.field
	if in == "" {
		in = root
	}
	switch {
	case t.missing.IsItem() && t.in.Type.V != "":
		return in + " is " + typePhrase(t.in.Type.V) + " and has no items"
	case t.in.Type.V != "object":
		return in + " is " + typePhrase(t.in.Type.V) + " and has no field " + strconv.Quote(t.missing.Name)
	}
	return in + " has no field " + strconv.Quote(t.missing.Name)
}

// typePhrase names a JSON type in a sentence.
func typePhrase(jsonType string) string {
	switch jsonType {
	case "":
		return "untyped"
	case "array", "object", "integer", beyond:
		return "an " + jsonType
	}
	return "a " + jsonType
}

func explainColumn(r *rejection) {
	c := r.Version.Columns[r.Rejection.Index]
	switch key := r.lastField(); {
	case key == "type" && c.Type.V == "":
		r.errorf(r.At(c.Type.At, c.At), "missing type of column %q", c.Name.V).
			Help("use one of boolean, date, integer, number, string")
	case key == "type":
		r.unknown("column type", c.Type, r.supported(), c.At)
	case key == "format":
		r.unknown("column format", c.Format, r.supported(), c.At)
	case key == "JSONPath" && c.JSONPath.V != "":
		r.errorf(r.At(c.JSONPath.At, c.At), "path %q does not start with a dot", c.JSONPath.V).
			Help("write .%s", strings.TrimPrefix(strings.Trim(c.JSONPath.V, "{}"), "."))
	default:
		r.errorf(c.At, "missing %s of a column", key).
			Help("add %s", r.Write().Choose(key+"=", strings.Replace(key, "JSON", "json", 1)+": ")+
				map[string]string{"name": "Replicas", "JSONPath": ".spec.replicas"}[key])
	}
}

func columnKey(p *session.Pass, i int, key string) string {
	return p.Key(fmt.Sprintf("additionalPrinterColumns[%d].%s", i, key))
}

func checkColumnPaths(p *session.Pass) {
	for i, c := range p.Version.Columns {
		if c.JSONPath.V == "" || c.JSONPath.V[0] != '.' {
			continue
		}
		key := columnKey(p, i, "JSONPath")
		if !isReadable(c.JSONPath.V) {
			p.Reportf(p.At(c.JSONPath.At, c.At), key,
				"the API server cannot parse the path %q, and then shows none of the columns", c.JSONPath.V).
				Help("write a JSONPath such as .status.conditions[?(@.type==\"Ready\")].status or " +
					".metadata.labels['a.b']")
		} else if t := follow(p.Version.Schema, c.JSONPath.V); t.missing != nil {
			p.Reportf(p.At(c.JSONPath.Range(t.missing.Start, t.missing.End), c.At), key,
				"column %q stays empty: %s", c.Name.V, nowhere(t, "the object")).
				Help("%s", near(t.missing.Name, t.in.PropertyNames(), elsewhere(p.Version.Schema, c.JSONPath.V)))
		}
	}
}

// isReadable asks the API server's code whether it can parse a column's path.
func isReadable(path string) bool {
	_, err := tableconvertor.New([]apiext.CustomResourceColumnDefinition{{Name: "x", Type: "string", JSONPath: path}})
	return err == nil
}

// checkColumnTypes follows cellForJSONValue of the table convertor.
func checkColumnTypes(p *session.Pass) {
	for i, c := range p.Version.Columns {
		t := follow(p.Version.Schema, c.JSONPath.V)
		if t.s == nil || t.s.Type.V == "" || t.s.IntOrString.True() {
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
		if !slices.Contains(shown, t.s.Type.V) {
			p.Reportf(p.At(c.Type.At, c.At), columnKey(p, i, "type"),
				"column %q stays empty: its type is %s, but the field is %s", c.Name.V, c.Type.V,
				typePhrase(t.s.Type.V)).
				Help("write string").
				See(t.s.At, "the field")
		}
	}
}
