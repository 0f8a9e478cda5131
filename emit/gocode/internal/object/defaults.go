package object

import (
	"slices"
	"strings"

	"github.com/crdproof/crdproof/schema"
)

// CompleteDefault returns the default of a schema with the defaults of everything in it; null without a default.
func CompleteDefault(s *schema.Schema) schema.Value {
	if s.Default == nil {
		return schema.Value{}
	}
	return complete(*s.Default, s)
}

// complete sets defaults in a value, as defaulting.Default does.
func complete(v schema.Value, s *schema.Schema) schema.Value {
	switch {
	case s == nil:
	case v.Kind == schema.Object:
		v.Members = slices.Clone(v.Members)
		for i := range v.Members {
			m := &v.Members[i]
			below := s.Property(m.Key)
			if below == nil {
				below = s.AdditionalProperties
			}
			m.Value = completeOrDefault(m.Value, below)
		}
		for _, p := range s.Properties {
			at, found := slices.BinarySearchFunc(v.Members, p.Name,
				func(m schema.Member, name string) int { return strings.Compare(m.Key, name) })
			if d := CompleteDefault(p.Schema); !found && d.Kind != schema.Null {
				v.Members = slices.Insert(v.Members, at, schema.Member{Key: p.Name, Value: d})
			}
		}
	case v.Kind == schema.Array:
		v.Items = slices.Clone(v.Items)
		for i := range v.Items {
			v.Items[i] = completeOrDefault(v.Items[i], s.Items)
		}
	}
	return v
}

// completeOrDefault completes a value, or replaces a null that the schema does not allow.
func completeOrDefault(v schema.Value, s *schema.Schema) schema.Value {
	if s != nil && v.Kind == schema.Null && !s.Nullable.True() {
		return CompleteDefault(s)
	}
	return complete(v, s)
}
