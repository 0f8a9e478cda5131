package profile

import (
	"slices"
	"strings"

	"github.com/crdproof/crdproof/schema"
)

// minimal returns a CRD whose schemas only name the fields of the object, such as spec and status, and keep whatever is
// in them. Some projects ship such CRDs because kubectl apply cannot send whole ones. What the whole CRD accepts, this
// one accepts too.
func minimal(c *schema.CRD) *schema.CRD {
	out := *c
	out.Versions = slices.Clone(c.Versions)
	for i := range out.Versions {
		v := &out.Versions[i]
		if v.Schema == nil {
			continue
		}
		var selectable [][]string
		for _, path := range v.SelectableFields {
			selectable = append(selectable, strings.Split(strings.TrimPrefix(path.V, "."), "."))
		}
		root := &schema.Schema{
			At: v.Schema.At, Type: v.Schema.Type, Description: v.Schema.Description,
			PreserveUnknownFields: v.Schema.PreserveUnknownFields,
		}
		for _, name := range v.Schema.Required {
			if p := v.Schema.Property(name.V); p == nil || p.Default == nil { // otherwise an object may lack it
				root.Required = append(root.Required, name)
			}
		}
		for _, p := range v.Schema.Properties {
			if !schema.IsMetaField(p.Name) {
				p.Schema = open(p.Schema, below(selectable, p.Name))
				if p.Schema.Type.V == "object" {
					p.Schema.MapType = schema.Text{V: "atomic"}
				}
			}
			root.Properties = append(root.Properties, p)
		}
		v.Schema = root
	}
	return &out
}

// open returns a schema that accepts whatever another one accepts, and keeps unknown fields. The fields that selectable
// fields lead to, below the schema, keep their types, which API servers require.
func open(s *schema.Schema, selectable [][]string) *schema.Schema {
	out := &schema.Schema{At: s.At, Type: s.Type, Nullable: s.Nullable, IntOrString: s.IntOrString}
	keeps := &schema.Flag{V: true, At: s.At}
	switch {
	case s.Type.V == "array":
		out.Items = &schema.Schema{At: s.At, PreserveUnknownFields: keeps}
	case s.Type.V == "object" || s.Type.V == "" && !s.IntOrString.True():
		out.PreserveUnknownFields = keeps
	}
	for _, p := range s.Properties {
		if within := below(selectable, p.Name); len(within) > 0 {
			out.Properties = append(out.Properties, schema.Property{Name: p.Name, Schema: open(p.Schema, within)})
		}
	}
	return out
}

// below returns the rests of the paths that begin with a name.
func below(paths [][]string, name string) (out [][]string) {
	for _, p := range paths {
		if len(p) > 0 && p[0] == name {
			out = append(out, p[1:])
		}
	}
	return out
}
