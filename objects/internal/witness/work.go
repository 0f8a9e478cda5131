package witness

import (
	"context"
	"slices"

	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/schema"
)

// Work counts what is done for one CRD against its limits, and keeps what it has learned of schemas. All that is
// derived after a limit is exceeded is undefined: the answer that depends on it is unknown.
type Work struct {
	Context  context.Context
	Steps    Budgets
	IDs      *schema.Numbering
	indexes  map[*schema.Schema]*fields
	measured map[*schema.Schema]Size
}

// Budgets has a budget for each kind of work.
type Budgets struct {
	Schemas, Rules, Claims, Texts, Values, Plans, Writes *effort.Budget
}

// NewWork returns the work on one CRD, with full budgets.
func NewWork(ctx context.Context) *Work {
	return &Work{Context: ctx, IDs: schema.NewNumbering(), indexes: map[*schema.Schema]*fields{},
		measured: map[*schema.Schema]Size{}, Steps: Budgets{
			Schemas: effort.New(ctx, effort.DiffSchemas), Rules: effort.New(ctx, effort.DiffRules),
			Claims: effort.New(ctx, effort.DiffClaims), Texts: effort.New(ctx, effort.DiffTexts),
			Values: effort.New(ctx, effort.DiffValues), Plans: effort.New(ctx, effort.DiffPlans),
			Writes: effort.New(ctx, effort.DiffWritten)}}
}

// TooLarge says what is too large, if a limit is exceeded.
func (w *Work) TooLarge() string {
	on := &w.Steps
	for _, row := range []struct {
		budget *effort.Budget
		what   string
	}{{on.Schemas, "the schemas"}, {on.Rules, "the rules"}, {on.Texts, "the patterns"},
		{on.Values, "the values that the schemas demand"},
		{on.Plans, "the combinations of what junctors and rules demand"},
		{on.Writes, "the objects and what they are validated with"}} {
		if row.budget.Exceeded() {
			return row.budget.Limit().Reason(row.what)
		}
	}
	return ""
}

// Ended reports whether a limit is exceeded, or the context has ended.
func (w *Work) Ended() bool {
	on := &w.Steps
	return slices.ContainsFunc([]*effort.Budget{on.Schemas, on.Rules, on.Texts, on.Values, on.Plans, on.Writes},
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
func (w *Work) index(s *schema.Schema) *fields {
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

// Property returns the schema of a property, nil without one.
func (w *Work) Property(s *schema.Schema, name string) *schema.Schema {
	return w.index(s).properties[name]
}

// Requires reports whether a schema lists a field as required.
func (w *Work) Requires(s *schema.Schema, name string) bool { return w.index(s).required[name] }

// IsRequired reports whether clients must set a field.
func (w *Work) IsRequired(s *schema.Schema, name string) bool {
	p := w.Property(s, name)
	return w.Requires(s, name) && (p == nil || p.Default == nil || p.Default.Kind == schema.Null)
}

// Child returns the schema one step below, nil if it is not known.
func (w *Work) Child(s *schema.Schema, to schema.PathStep) *schema.Schema {
	switch {
	case s == nil:
		return nil
	case to.IsItem():
		return s.Items
	}
	if p := w.Property(s, to.Name); p != nil {
		return p
	}
	return s.AdditionalProperties
}

// SchemaAt returns the schema at a path below another, nil if it is not known.
func (w *Work) SchemaAt(s *schema.Schema, at schema.Path) *schema.Schema {
	for _, to := range at {
		s = w.Child(s, to)
	}
	return s
}

// IsSame reports whether two schemas are equal except for positions.
func (w *Work) IsSame(a, b *schema.Schema) bool { return w.IDs.Of(a) == w.IDs.Of(b) }

// A Size is the number of schemas in a schema, that of the values of their enums, and that of the rules and schemas in
// junctors that validate values.
type Size struct{ Schemas, Values, Checks int }

// ruleChecks is how many schemas take as long to validate a value as a rule.
const ruleChecks = 30

// SizeOf returns the size of a schema, which is counted once.
func (w *Work) SizeOf(s *schema.Schema) Size {
	if s == nil {
		return Size{}
	}
	out, ok := w.measured[s]
	if ok {
		return out
	}
	out = Size{1 + len(s.Required), len(s.Enum), ruleChecks * len(s.Rules)}
	add := func(nested *schema.Schema) Size {
		size := w.SizeOf(nested)
		out = Size{out.Schemas + size.Schemas, out.Values + size.Values, out.Checks + size.Checks}
		return size
	}
	for _, list := range [][]*schema.Schema{s.AllOf, s.AnyOf, s.OneOf, {s.Not}} {
		for _, nested := range list {
			out.Checks += add(nested).Schemas
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
