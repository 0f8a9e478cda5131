package diff

import (
	"context"
	"slices"

	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/schema"
)

// work is what is done for one CRD, counted against its limits. All that is derived after a limit is exceeded is
// undefined: the answer that depends on it is unknown.
type work struct {
	ctx      context.Context
	steps    budgets
	ids      *schema.Numbering
	indexes  map[*schema.Schema]*fields
	measured map[*schema.Schema]size
}

// budgets has a budget for each kind of work.
type budgets struct {
	schemas, rules, texts, values, plans, written *effort.Budget
}

func newWork(ctx context.Context) *work {
	return &work{ctx: ctx, ids: schema.NewNumbering(), indexes: map[*schema.Schema]*fields{},
		measured: map[*schema.Schema]size{}, steps: budgets{
			schemas: effort.New(ctx, effort.DiffSchemas), rules: effort.New(ctx, effort.DiffRules),
			texts: effort.New(ctx, effort.DiffTexts), values: effort.New(ctx, effort.DiffValues),
			plans: effort.New(ctx, effort.DiffPlans), written: effort.New(ctx, effort.DiffWritten)}}
}

// tooLarge says what is too large, if a limit is exceeded.
func (w *work) tooLarge() string {
	on := &w.steps
	for _, of := range []struct {
		budget *effort.Budget
		what   string
	}{{on.schemas, "the schemas"}, {on.rules, "the rules"}, {on.texts, "the patterns"},
		{on.values, "the values that the schemas demand"},
		{on.plans, "the combinations of what junctors and rules demand"},
		{on.written, "the objects and what they are validated with"}} {
		if of.budget.Exceeded() {
			return of.budget.Limit().Reason(of.what)
		}
	}
	return ""
}

// ended reports whether a limit is exceeded, or the context has ended.
func (w *work) ended() bool {
	on := &w.steps
	return slices.ContainsFunc([]*effort.Budget{on.schemas, on.rules, on.texts, on.values, on.plans, on.written},
		(*effort.Budget).Ended)
}

// fields are the properties of a schema by name, and the names of those that are required.
type fields struct {
	properties map[string]*schema.Schema
	required   map[string]bool
	// longest is the length of the longest name of a property.
	longest int
}

// index returns the fields of a schema, which are indexed once.
func (w *work) index(s *schema.Schema) *fields {
	if w.indexes[s] == nil {
		out := &fields{properties: make(map[string]*schema.Schema, len(s.Properties)),
			required: make(map[string]bool, len(s.Required))}
		for i := range s.Properties {
			out.properties[s.Properties[i].Name] = s.Properties[i].Schema
			out.longest = max(out.longest, len(s.Properties[i].Name))
		}
		for _, name := range s.Required {
			out.required[name.V] = true
		}
		w.indexes[s] = out
	}
	return w.indexes[s]
}

// property is the schema of a property, nil without one.
func (w *work) property(s *schema.Schema, name string) *schema.Schema {
	return w.index(s).properties[name]
}

// isRequired reports whether clients must set a field.
func (w *work) isRequired(s *schema.Schema, name string) bool {
	p := w.property(s, name)
	return w.index(s).required[name] && (p == nil || p.Default == nil || p.Default.Kind == schema.Null)
}

// child is the schema one step below, nil if it is not known.
func (w *work) child(s *schema.Schema, to step) *schema.Schema {
	switch {
	case s == nil:
		return nil
	case to.name == "":
		return s.Items
	}
	if p := w.property(s, to.name); p != nil {
		return p
	}
	return s.AdditionalProperties
}

// schemaAt is the schema at a path below another, nil if it is not known.
func (w *work) schemaAt(s *schema.Schema, at path) *schema.Schema {
	for _, to := range at {
		s = w.child(s, to)
	}
	return s
}

// isSame reports whether two schemas are equal except for positions.
func (w *work) isSame(a, b *schema.Schema) bool { return w.ids.Of(a) == w.ids.Of(b) }

// A size is the number of schemas in a schema, that of the values of their enums, and that of the rules and schemas in
// junctors that validate values.
type size struct{ schemas, values, checks int }

// ruleChecks is how many schemas take as long to validate a value as a rule.
const ruleChecks = 30

// sizeOf returns the size of a schema, which is counted once.
func (w *work) sizeOf(s *schema.Schema) size {
	if s == nil {
		return size{}
	}
	out, ok := w.measured[s]
	if ok {
		return out
	}
	out = size{1 + len(s.Required), len(s.Enum), ruleChecks * len(s.Rules)}
	add := func(nested *schema.Schema) size {
		of := w.sizeOf(nested)
		out = size{out.schemas + of.schemas, out.values + of.values, out.checks + of.checks}
		return of
	}
	for _, list := range [][]*schema.Schema{s.AllOf, s.AnyOf, s.OneOf, {s.Not}} {
		for _, nested := range list {
			out.checks += add(nested).schemas
		}
	}
	add(s.Items)
	add(s.AdditionalProperties)
	for i := range s.Properties {
		add(s.Properties[i].Schema)
	}
	w.measured[s] = out
	return out
}
