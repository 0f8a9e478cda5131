package structural

import (
	"fmt"
	"strconv"
	"strings"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/rules/kube"
)

// This file holds the texts of findings about what a version has besides its schema.

func (v *version) scaleAt(at diag.Span) diag.Span {
	if at.IsValid() {
		return at
	}
	return v.named(v.Subresources.Scale.At)
}

func (v *version) badScalePath(p scalePath) finding {
	f := finding{
		at: v.scaleAt(p.At), path: v.key("subresources.scale." + p.key),
		message: fmt.Sprintf("%s %q is not below %s", p.key, p.V, strings.TrimSuffix(p.below[0], ".")),
		help:    "write a path such as " + p.below[0] + "replicas",
	}
	if len(p.below) > 1 {
		f.message, f.help = fmt.Sprintf("%s %q is neither below .spec nor below .status", p.key, p.V), "write a path such as .status.selector"
	}
	if p.V == "" {
		f.message = "the scale subresource has no " + p.key
		f.help = "add " + v.of.write.Choose(p.argument+"="+p.below[0]+"replicas", p.key+": "+p.below[0]+"replicas")
	}
	return f
}

func (v *version) scaleNowhere(p scalePath, t target) finding {
	return finding{
		at: v.scaleAt(p.Range(t.missing.start, t.missing.end)), path: v.key("subresources.scale." + p.key),
		message: fmt.Sprintf("%s leads nowhere: %s", p.key, nowhere(t, "the object")), help: near(t.missing.name, names(t.in), v.elsewhere(p.V)),
	}
}

// elsewhere suggests the path of a field of the same name below another field of the root, such as .spec for .status.
func (v *version) elsewhere(path string) string {
	steps, isWhole := readPath(path)
	for _, name := range names(v.Schema) {
		if !isWhole || len(steps) < 2 {
			break
		}
		if other := "." + name + path[steps[0].end:]; follow(v.Schema, other).s != nil {
			return diag.Meant(other)
		}
	}
	return "name a field of the schema"
}

func (v *version) scaleType(p scalePath, s *schema.Schema, want string) finding {
	return finding{
		at: v.scaleAt(p.At), path: v.key("subresources.scale." + p.key),
		message: fmt.Sprintf("%s leads to %s, and must lead to %s", p.key, typePhrase(s.Type.V), want),
		help:    "name " + want + ", or change the type of the field", related: related(s.At, "the field"),
	}
}

// nowhere says at which field a path ends, and calls the value that it begins with root.
func nowhere(t target, root string) string {
	in := t.field
	if in == "" {
		in = root
	}
	switch {
	case t.missing.name == "" && t.in.Type.V != "":
		return in + " is " + typePhrase(t.in.Type.V) + ", and has no items"
	case t.in.Type.V != "object":
		return in + " is " + typePhrase(t.in.Type.V) + ", and has no field " + strconv.Quote(t.missing.name)
	}
	return in + " has no field " + strconv.Quote(t.missing.name)
}

// typePhrase names a JSON type in a sentence.
func typePhrase(jsonType string) string {
	switch jsonType {
	case "":
		return "of no type"
	case "array", "object", "integer":
		return "an " + jsonType
	}
	return "a " + jsonType
}

func (v *version) columnAt(c schema.Column, at diag.Span) diag.Span {
	if at.IsValid() {
		return at
	}
	return v.named(c.At)
}

func (v *version) columnKey(i int, key string) string {
	return v.key(fmt.Sprintf("additionalPrinterColumns[%d].%s", i, key))
}

func (v *version) columnWithout(i int, c schema.Column, key string) finding {
	return finding{
		at: v.columnAt(c, diag.Span{}), path: v.columnKey(i, key), message: "a column has no " + key,
		help: "add " + v.of.write.Choose(key+"=…", strings.Replace(key, "JSON", "json", 1)+": …"),
	}
}

func (v *version) columnBadType(i int, c schema.Column) finding {
	f := finding{
		at: v.columnAt(c, c.Type.At), path: v.columnKey(i, "type"), message: fmt.Sprintf("column type %q is not known", c.Type.V),
		help: near(c.Type.V, columnTypes(), useOneOf(columnTypes())),
	}
	if c.Type.V == "" {
		f.message = fmt.Sprintf("column %q has no type", c.Name.V)
	}
	return f
}

func (v *version) columnBadFormat(i int, c schema.Column) finding {
	return finding{
		at: v.columnAt(c, c.Format.At), path: v.columnKey(i, "format"), message: fmt.Sprintf("column format %q is not known", c.Format.V),
		help: near(c.Format.V, columnFormats(), useOneOf(columnFormats())),
	}
}

func (v *version) columnBadPath(i int, c schema.Column) finding {
	return finding{
		at: v.columnAt(c, c.JSONPath.At), path: v.columnKey(i, "JSONPath"), message: fmt.Sprintf("path %q does not begin with a dot", c.JSONPath.V),
		help: "write ." + strings.TrimPrefix(strings.Trim(c.JSONPath.V, "{}"), "."),
	}
}

func (v *version) columnUnreadable(i int, c schema.Column) finding {
	return finding{
		at: v.columnAt(c, c.JSONPath.At), path: v.columnKey(i, "JSONPath"),
		message: fmt.Sprintf("the API server cannot read the path %q, and then shows no columns at all", c.JSONPath.V),
		help:    "write a path of JSONPath, such as .status.conditions[?(@.type==\"Ready\")].status or .metadata.labels['a.b']",
	}
}

func (v *version) columnNowhere(i int, c schema.Column, t target) finding {
	return finding{
		at: v.columnAt(c, c.JSONPath.Range(t.missing.start, t.missing.end)), path: v.columnKey(i, "JSONPath"),
		message: fmt.Sprintf("column %q stays empty: %s", c.Name.V, nowhere(t, "the object")), help: near(t.missing.name, names(t.in), v.elsewhere(c.JSONPath.V)),
	}
}

func (v *version) columnShowsNothing(i int, c schema.Column, s *schema.Schema) finding {
	return finding{
		at: v.columnAt(c, c.Type.At), path: v.columnKey(i, "type"),
		message: fmt.Sprintf("column %q stays empty: its type is %s, but the field is %s", c.Name.V, c.Type.V, typePhrase(s.Type.V)),
		help:    "write " + v.of.write.Choose("type=string", "type: string") + ", which shows every value", related: related(s.At, "the field"),
	}
}

func (v *version) selectableKey(i int) string {
	return v.key(fmt.Sprintf("selectableFields[%d].jsonPath", i))
}

func (v *version) selectsWithoutSchema() finding {
	return finding{at: v.named(v.SelectableFields[0].At), path: v.key("selectableFields"), message: "a version without a schema has no fields to select by"}
}

func (v *version) selectsNothing(i int, f schema.Text) finding {
	return finding{at: v.named(f.At), path: v.selectableKey(i), message: "a selectable field has no path", help: "write a path such as .spec.color"}
}

func (v *version) selectsNowhere(i int, f schema.Text, err error) finding {
	d := finding{at: v.named(f.At), path: v.selectableKey(i)}
	t := follow(v.Schema, f.V)
	switch {
	case f.V[0] != '.':
		d.message, d.help = fmt.Sprintf("selectable field %q does not begin with a dot", f.V), "write ."+f.V
	case strings.Contains(f.V, "["):
		d.message, d.help = fmt.Sprintf("selectable field %q has brackets: items of lists cannot be selected by", f.V), "name a field by its names alone, such as .spec.color"
	case strings.HasPrefix(f.V, ".metadata."):
		d.message, d.help = "fields of metadata are no selectable fields", "remove it: objects can be selected by name and namespace anyway"
	case t.missing != nil:
		d.at = v.named(f.Range(t.missing.start, t.missing.end))
		d.message, d.help = "selectable field leads nowhere: "+nowhere(t, "the object"), near(t.missing.name, names(t.in), "name a field of the schema")
	default:
		d.message, d.help = fmt.Sprintf("selectable field %q is refused: %v", f.V, err), "name a field of the schema"
	}
	return d
}

func (v *version) selectsMetadata(i int, f schema.Text) finding {
	return finding{
		at: v.named(f.At), path: v.selectableKey(i), message: "fields of metadata are no selectable fields",
		help: "remove it: objects can be selected by name and namespace anyway",
	}
}

func (v *version) selectsType(i int, f schema.Text, s *structural.Structural) finding {
	is := "of no type"
	if s != nil {
		is = typePhrase(s.Type)
	}
	return finding{
		at: v.named(f.At), path: v.selectableKey(i), message: fmt.Sprintf("objects are selected by strings, booleans and integers, but %s is %s", f.V, is),
		help: "name another field",
	}
}

func (v *version) selectsTwice(i int, f schema.Text, first diag.Span) finding {
	return finding{
		at: v.named(f.At), path: v.selectableKey(i), message: "selectable field " + f.V + " is listed twice", help: "remove one of them",
		related: related(first, "first listed here"),
	}
}

func (v *version) selectsTooMany(n int) finding {
	return finding{
		at: v.named(v.SelectableFields[0].At), path: v.key("selectableFields"), message: fmt.Sprintf("there are %d selectable fields, and the most is 8", n),
		help: "remove some",
	}
}

func (v *version) selectableTooNew() finding {
	return finding{
		at: v.named(v.SelectableFields[0].At), path: v.key("selectableFields"), message: v.of.tooNew("selectable fields", kube.SelectableFields),
		help: v.of.newer(kube.SelectableFields),
	}
}
