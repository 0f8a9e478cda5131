package schema

import "slices"

// A Lack is something that the CRDs of Go types do not have, and that a later edit of their files may add.
type Lack struct {
	// Way leads to the schema: the kind, then names of fields, [] for items and {} for values. Without it, the schema
	// is any that has all of Fields.
	Way    []string
	Fields []string
	// Keyword is what the schema lacks. Without one, that is everything: fields, and
	// x-kubernetes-preserve-unknown-fields.
	Keyword string
}

// In returns the schema of a CRD, in one of its versions, that has what others lack; nil if none does.
func (l *Lack) In(crd *CRD) *Schema {
	if len(l.Way) > 0 && l.Way[0] != crd.Kind.V {
		return nil
	}
	for i := range crd.Versions {
		if s := crd.Versions[i].Schema; s != nil {
			if found := l.in(s); found != nil {
				return found
			}
		}
	}
	return nil
}

func (l *Lack) in(root *Schema) *Schema {
	if len(l.Way) == 0 {
		return l.within(root)
	}
	for _, step := range l.Way[1:] {
		if root = root.part(step); root == nil {
			return nil
		}
	}
	if !l.isOf(root) {
		return nil
	}
	return root
}

// part returns the schema of a field, of items or of values; nil if the schema has no such part.
func (s *Schema) part(step string) *Schema {
	switch step {
	case "[]":
		return s.Items
	case "{}":
		return s.AdditionalProperties
	}
	return s.Property(step)
}

func (l *Lack) isOf(s *Schema) bool {
	if k := KeywordOf(l.Keyword); k != nil {
		return k.IsSet(s)
	}
	return len(s.Properties) > 0 || s.PreserveUnknownFields.True()
}

// within returns a schema, or a part of it, that has the fields, and what is lacking.
func (l *Lack) within(s *Schema) *Schema {
	if s == nil {
		return nil
	}
	isOther := func(name string) bool { return s.Property(name) == nil }
	if len(s.Properties) >= len(l.Fields) && l.isOf(s) && !slices.ContainsFunc(l.Fields, isOther) {
		return s
	}
	for _, p := range s.Properties {
		if found := l.within(p.Schema); found != nil {
			return found
		}
	}
	if found := l.within(s.Items); found != nil {
		return found
	}
	return l.within(s.AdditionalProperties)
}
