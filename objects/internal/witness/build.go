package witness

import (
	"slices"
	"strconv"

	"github.com/google/cel-go/common/ast"

	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/schema"
)

// Anything accepts all values.
var Anything = &schema.Schema{PreserveUnknownFields: &schema.Flag{V: true}, Nullable: &schema.Flag{V: true}}

// A Builder makes small values that a version of a CRD accepts, as far as that can be read from single schemas.
type Builder struct {
	*Solver
	Root *schema.Schema
	// made keeps what value returns, without variants.
	made map[*schema.Schema]any
	// listed keeps what candidates returns.
	listed map[*schema.Schema][]any
	// parses keeps what parsed returns, reads what readings returns.
	parses map[*schema.Rule]*Rule
	reads  map[ast.Expr][]Reading
	// other are the schemas of the other side at the same places. Values that both accept are preferred, so that an
	// object shows one difference.
	other map[*schema.Schema]*schema.Schema
}

// NewBuilder returns a builder of objects that one schema accepts, and if possible another, too.
func NewBuilder(w *Work, accept, reject *schema.Schema) *Builder {
	b := &Builder{
		Solver: newSolver(w), Root: accept, made: map[*schema.Schema]any{}, listed: map[*schema.Schema][]any{},
		parses: map[*schema.Rule]*Rule{}, reads: map[ast.Expr][]Reading{}, other: map[*schema.Schema]*schema.Schema{}}
	b.pairUp(accept, reject)
	return b
}

// Parsed returns a rule of a schema, which is parsed once.
func (b *Builder) Parsed(source *schema.Rule) *Rule {
	if b.parses[source] == nil {
		b.Steps.Rules.Spend(1 + len(source.Rule.V)/BytesPerStep)
		b.parses[source] = parseRule(source)
	}
	return b.parses[source]
}

// Readings returns what an expression reads of self and oldSelf.
func (b *Builder) Readings(e ast.Expr) []Reading {
	out, ok := b.reads[e]
	if !ok {
		out = readings(e)
		b.Steps.Rules.Spend(1 + len(out))
		b.reads[e] = out
	}
	return out
}

func (b *Builder) pairUp(accept, reject *schema.Schema) {
	if accept == nil || reject == nil || accept == reject {
		return
	}
	b.other[accept] = reject
	for i := range accept.Properties {
		p := &accept.Properties[i]
		b.pairUp(p.Schema, b.Child(reject, schema.Key(p.Name)))
	}
	b.pairUp(accept.Items, reject.Items)
	b.pairUp(accept.AdditionalProperties, reject.AdditionalProperties)
}

// Value returns a small value of a schema. Different variants are different values if the schema has several. ok is
// unset if none is found.
func (b *Builder) Value(s *schema.Schema, variant int) (out any, ok bool) {
	if s == nil {
		return "x" + strconv.Itoa(variant), true
	}
	if !b.Steps.Values.Spend(1) {
		return nil, false
	}
	if variant == 0 {
		if out, ok = b.made[s]; ok {
			return b.copy(out), out != nil
		}
		b.made[s] = nil // a schema is not recursive, but may have no values
	}
	if out, ok = b.build(s, variant); !ok {
		return nil, false
	}
	for _, p := range b.junctorsOf(s) {
		if changed, ok := b.edited(s, out, p); ok && b.Accepts(s, changed) {
			out = changed
			break
		}
	}
	if variant == 0 {
		b.made[s] = b.copy(out)
	}
	return out, true
}

// junctorsOf makes plans that satisfy the junctors of a schema; one that does nothing comes first.
func (b *Builder) junctorsOf(s *schema.Schema) []Plan {
	if len(s.AllOf)+len(s.AnyOf)+len(s.OneOf) == 0 && s.Not == nil {
		return nil
	}
	return append([]Plan{{}}, b.JunctorPlans(s, s, nil, true)...)
}

func (b *Builder) build(s *schema.Schema, variant int) (any, bool) {
	types := TypesOf(s)
	if slices.Contains(types, ObjectType) && len(types) == 1 {
		return b.object(s, variant)
	}
	if slices.Contains(types, ArrayType) && len(types) == 1 {
		return b.array(s, variant)
	}
	if s.Default != nil && variant == 0 && s.Default.Kind != schema.Null {
		if value := Plain(s.Default); b.other[s] == nil || b.Accepts(b.other[s], value) {
			return value, true
		}
	}
	list := b.candidates(s)
	if len(list) == 0 {
		return nil, false
	}
	return b.variant(s, list, variant), true
}

// candidates returns values of a schema, if possible of both sides.
func (b *Builder) candidates(s *schema.Schema) []any {
	if list, ok := b.listed[s]; ok {
		return list
	}
	list, _ := b.Solver.Solve(s, nil)
	other := b.other[s]
	if other != nil && slices.ContainsFunc(list, func(v any) bool { return !b.Accepts(other, v) }) {
		joined := *s
		joined.AllOf = append(slices.Clip(joined.AllOf), b.LeavesOf(other)...)
		if better, _ := b.Solver.Solve(&joined, nil); len(better) > 0 {
			list = better
		}
	}
	if len(list) > 1 && list[0] == "" { // a text is easier to read
		list[0], list[1] = list[1], list[0]
	}
	b.listed[s] = list
	return list
}

// variant returns one of several values, or another value that is made of one of them.
func (b *Builder) variant(s *schema.Schema, list []any, variant int) any {
	if variant < len(list) {
		return list[variant]
	}
	for _, first := range list {
		var made any
		switch first := first.(type) {
		case string:
			made = first + strconv.Itoa(variant)
		case int64:
			made = first + int64(variant)
		default:
			continue
		}
		if b.Accepts(s, made) && (b.other[s] == nil || b.Accepts(b.other[s], made)) {
			return made
		}
	}
	return list[variant%len(list)]
}

func (b *Builder) object(s *schema.Schema, variant int) (any, bool) {
	out := map[string]any{}
	required := s.Required
	if other := b.other[s]; other != nil {
		required = slices.Clip(required)
		for _, name := range other.Required {
			if b.Property(s, name.V) != nil {
				required = append(required, name)
			}
		}
	}
	for _, name := range required {
		property := b.Property(s, name.V)
		if property != nil && property.Default != nil && variant == 0 {
			continue
		}
		if _, done := out[name.V]; done {
			continue
		}
		value, ok := b.Value(b.Child(s, schema.Key(name.V)), variant)
		if !ok {
			return nil, false
		}
		out[name.V] = value
	}
	if s.MinProperties != nil {
		for _, to := range b.more(s, out) {
			if int64(len(out)) >= s.MinProperties.V {
				break
			}
			if value, ok := b.Value(b.Child(s, to), variant); ok {
				out[to.Name] = value
			}
		}
	}
	if s.EmbeddedResource.True() {
		out["apiVersion"], out["kind"] = "v1", "ConfigMap"
		if _, ok := out["metadata"]; !ok {
			out["metadata"] = map[string]any{"name": "embedded"}
		}
	}
	return out, true
}

// more returns fields that an object may have besides those that it has.
func (b *Builder) more(s *schema.Schema, has map[string]any) (out []schema.PathStep) {
	for i := range s.Properties {
		if _, ok := has[s.Properties[i].Name]; !ok {
			out = append(out, schema.Key(s.Properties[i].Name))
		}
	}
	if s.AdditionalProperties != nil || KeepsAny(s) {
		for i := range effort.DiffKeys.N() {
			name := "key" + strconv.Itoa(i)
			if _, ok := has[name]; !ok && b.Property(s, name) == nil {
				out = append(out, schema.Key(name))
			}
		}
	}
	return out
}

func (b *Builder) array(s *schema.Schema, variant int) (any, bool) {
	out := []any{}
	least := int64(variant)
	if s.MinItems != nil {
		least = max(s.MinItems.V, 0)
	}
	if other := b.other[s]; other != nil && other.MinItems != nil {
		least = max(least, other.MinItems.V)
	}
	return b.items(s, out, int(min(least, effort.DiffKeys.Most)), variant)
}

// items adds items to a list until it has n, which are different if the list type demands that.
func (b *Builder) items(s *schema.Schema, list []any, n, variant int) ([]any, bool) {
	seen := map[string]bool{}
	for _, item := range list {
		seen[b.identity(s, item)] = true
	}
	for tries := variant; len(list) < n; tries++ {
		item, ok := b.Value(s.Items, tries)
		if !ok || tries > 4*n+variant+effort.DiffNumbers.N() {
			return nil, false
		}
		if s.ListType.V == "set" || s.ListType.V == "map" {
			key := b.identity(s, item)
			if seen[key] {
				continue
			}
			seen[key] = true
		}
		list = append(list, item)
	}
	return list, true
}

// identity returns what items of a list must not have in common: their keys in a list of type map, otherwise
// everything.
func (b *Builder) identity(s *schema.Schema, item any) string {
	if s.ListType.V != "map" {
		return JSON(item)
	}
	fields, _ := item.(map[string]any)
	var out []any
	for _, name := range s.ListMapKeys {
		value, ok := fields[name.V]
		if property := b.Property(s.Items, name.V); !ok && property != nil && property.Default != nil {
			value = Plain(property.Default)
		}
		out = append(out, value)
	}
	return JSON(out)
}
