package read

import (
	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/schema"
)

// schemaAt reads a schema with a position.
func (r *reader) schemaAt(n *schema.Value, at diag.Span) *schema.Schema {
	s := &schema.Schema{At: at}
	if r.levels == 0 {
		r.schemas = 0
	}
	r.levels++
	r.schemas++
	switch {
	case r.tooLargeSchema:
	case r.levels > effort.SchemaDepth.Most:
		r.tooLargeSchema = true
		r.reject(effort.SchemaDepth.Rejected(at, "this schema is nested too deep").
			Help("write x-kubernetes-preserve-unknown-fields: true in place of a schema around it"))
	case r.schemas > effort.SchemaNodes.Most:
		r.tooLargeSchema = true
		r.reject(effort.SchemaNodes.Rejected(at, "the schema of this version").
			Help("write x-kubernetes-preserve-unknown-fields: true in place of some of its schemas"))
	default:
		outer := r.partFailed
		r.partFailed = false
		readObject(r, n, s, r.schema)
		if r.partFailed {
			s.Incomplete = schema.DoubtAll
			for _, p := range s.Properties {
				p.Schema.Incomplete |= schema.DoubtPresence // what is wrong may be required
			}
		}
		r.partFailed = outer
	}
	r.levels--
	return s
}

// Schema reads a schema in a file that is not a CRD, such as the keywords that an overlay sets. Its position is that of
// its key. All findings are errors.
func Schema(m *schema.Member) (*schema.Schema, []diag.Diagnostic) {
	r := &reader{schema: schemaFields(), isPart: true}
	r.enter("." + m.Key)
	s := r.schemaAt(&m.Value, m.KeyAt)
	for i := range r.found {
		r.found[i].Severity, r.found[i].Notes, r.found[i].Path = diag.Error, nil, ""
	}
	return s, r.found
}

// schemaFields returns the keywords of schemas.
func schemaFields() fields[schema.Schema] {
	out := fields[schema.Schema]{}
	for _, k := range schema.Keywords() {
		out[k.Name] = keyword(&k)
	}
	return out
}

// keyword reads a keyword of a schema, by the type of its value.
func keyword(k *schema.Keyword) field[schema.Schema] {
	switch at := k.Field.(type) {
	case schema.TextField:
		if k.Pointer {
			return topology(at)
		}
		return text(at)
	case schema.Many[schema.Text]:
		return texts(at)
	case schema.One[schema.Int]:
		return integer(64, at)
	case schema.One[schema.Number]:
		return number(at)
	case schema.One[schema.Flag]:
		return flag(at)
	case schema.One[schema.Value]:
		return literalValue(at)
	case schema.Many[schema.Value]:
		return enum(at)
	case schema.One[schema.ExternalDocs]:
		return object(func(s *schema.Schema, docs diag.Span) *schema.ExternalDocs {
			*at(s) = &schema.ExternalDocs{At: docs}
			return *at(s)
		}, docsFields())
	case schema.One[schema.Schema]:
		return func(r *reader, s *schema.Schema, m *schema.Member) { *at(s) = r.schemaAt(&m.Value, m.KeyAt) }
	case schema.Many[*schema.Schema]:
		return schemas(at)
	case schema.ItemsField:
		return items(at)
	case schema.ValuesField:
		return values(at)
	case schema.Many[schema.Property]:
		return properties(at)
	case schema.Many[schema.Rule]:
		return objects(at, func(at diag.Span) schema.Rule { return schema.Rule{At: at} }, ruleFields())
	case schema.VerbatimField:
		return verbatim(at)
	}
	panic("unknown type of keyword " + k.Name)
}

func enum(at schema.Many[schema.Value]) field[schema.Schema] {
	return func(r *reader, s *schema.Schema, m *schema.Member) {
		r.each(&m.Value, func(n *schema.Value) { *at(s) = append(*at(s), n.Canonical()) })
	}
}

func literalValue(at func(*schema.Schema) **schema.Value) field[schema.Schema] {
	return func(_ *reader, s *schema.Schema, m *schema.Member) {
		v := m.Value.Canonical()
		*at(s) = &v
	}
}

// items reads a schema. API servers reject a list of schemas, and ignore any other value.
func items(at schema.ItemsField) field[schema.Schema] {
	return func(r *reader, s *schema.Schema, m *schema.Member) {
		r.lenient++
		defer func() { r.lenient-- }()
		if m.Value.Kind == schema.Object {
			*at.One(s) = r.schemaAt(&m.Value, m.KeyAt)
			return
		}
		if m.Value.Kind != schema.Array {
			r.report(diag.Warningf(m.Value.At, badType,
				"expected a schema for items, got %s; API servers ignore it", kindName(m.Value.Kind)))
		}
		s.Other = append(s.Other, asVerbatim(m))
	}
}

// values reads the schema of a map's values, or whether any value is allowed.
func values(at schema.ValuesField) field[schema.Schema] {
	return func(r *reader, s *schema.Schema, m *schema.Member) {
		r.lenient++
		defer func() { r.lenient-- }()
		values, allowed := at(s)
		switch m.Value.Kind {
		case schema.Object:
			*values = r.schemaAt(&m.Value, m.KeyAt)
		case schema.Bool:
			if *allowed = m.Value.Text == "true"; !*allowed {
				s.Other = append(s.Other, asVerbatim(m))
			}
		default:
			r.wrongType(&m.Value, wantSchemaOrBool)
		}
	}
}

func properties(at schema.Many[schema.Property]) field[schema.Schema] {
	return func(r *reader, s *schema.Schema, m *schema.Member) {
		if !r.hasKind(&m.Value, schema.Object) {
			return
		}
		list := make([]schema.Property, 0, len(m.Value.Members))
		for i := range m.Value.Members {
			p := &m.Value.Members[i]
			r.enter("[" + p.Key + "]")
			list = append(list, schema.Property{Name: p.Key, Schema: r.schemaAt(&p.Value, p.KeyAt)})
			r.leave()
		}
		*at(s) = list
	}
}

func schemas(at func(*schema.Schema) *[]*schema.Schema) field[schema.Schema] {
	return func(r *reader, s *schema.Schema, m *schema.Member) {
		r.each(&m.Value, func(n *schema.Value) { *at(s) = append(*at(s), r.schemaAt(n, n.Start())) })
	}
}

// topology returns a list type or a map type. The empty string differs from an absent one: API servers reject it.
func topology(at func(*schema.Schema) *schema.Text) field[schema.Schema] {
	return func(r *reader, s *schema.Schema, m *schema.Member) {
		t := r.text(&m.Value)
		if t.V == "" {
			s.Other = append(s.Other, asVerbatim(m))
			return
		}
		*at(s) = t
	}
}

func docsFields() fields[schema.ExternalDocs] {
	return fields[schema.ExternalDocs]{
		"url":         text(func(d *schema.ExternalDocs) *schema.Text { return &d.URL }),
		"description": text(func(d *schema.ExternalDocs) *schema.Text { return &d.Description }),
	}
}

func ruleFields() fields[schema.Rule] {
	return fields[schema.Rule]{
		"rule":              text(func(r *schema.Rule) *schema.Text { return &r.Rule }),
		"message":           text(func(r *schema.Rule) *schema.Text { return &r.Message }),
		"messageExpression": text(func(r *schema.Rule) *schema.Text { return &r.MessageExpression }),
		"reason":            text(func(r *schema.Rule) *schema.Text { return &r.Reason }),
		"fieldPath":         text(func(r *schema.Rule) *schema.Text { return &r.FieldPath }),
		"optionalOldSelf":   flag(func(r *schema.Rule) **schema.Flag { return &r.OptionalOldSelf }),
	}
}
