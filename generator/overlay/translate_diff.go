package overlay

import (
	"bytes"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/emit/crd"
	"github.com/crdproof/crdproof/schema"
)

// An op is a change of one key of an entry that makes a place more like the one that ships.
type op struct {
	// key is that of the entry, name is a keyword or a field.
	key, name string
	// names are rules to remove.
	names []string
	// value is a schema with the value: of the keyword, of the rules, of the field, of the description, or the whole.
	value *schema.Schema
	// how is the key of a description.
	how string
	// id is equal for equal ops.
	id string
}

// identify sets the id.
func (o *op) identify() {
	o.id = strings.Join(slices.Concat([]string{o.key, o.name, o.how}, o.names), "\x00")
	if o.value != nil {
		o.id += "\x00" + string(crd.EncodeSchema(o.value))
	}
}

// size returns about how many bytes the op takes in a file.
func (o *op) size() int {
	n := len(o.key) + len(o.name) + len(strings.Join(o.names, ", "))
	if o.value != nil {
		n += len(crd.EncodeSchema(o.value))
	}
	return n
}

// overhead is about how many bytes the selector of an entry takes.
const overhead = 24

// compare adds a spot and those below it, and finds the ops that make them what ships. It returns about how many bytes
// these take in a file.
func (t *translator) compare(s *spot) (cost int) {
	s.order = len(t.spots)
	t.spots = append(t.spots, s)
	if s.after != nil {
		s.ops = differences(s.before, s.after)
		for i := range s.ops {
			s.ops[i].identify()
			cost += s.ops[i].size()
		}
		if len(s.ops) > 0 {
			cost += overhead
		}
	}
	add := func(step schema.PatternStep, before, after *schema.Schema) {
		if before != nil {
			child := &spot{pair: s.pair, version: s.version, above: s, step: step, before: before, after: after}
			s.below = append(s.below, child)
			cost += t.compare(child)
		}
	}
	after := s.after
	if after == nil {
		after = &schema.Schema{}
	}
	for _, p := range s.before.Properties {
		var now *schema.Schema
		if q := after.Property(p.Name); q != nil {
			now = q
		}
		add(schema.PatternStep{Kind: schema.NamedField, Name: p.Name}, p.Schema, now)
	}
	add(schema.PatternStep{Kind: schema.ItemsOfList}, s.before.Items, after.Items)
	add(schema.PatternStep{Kind: schema.ValuesOfMap}, s.before.AdditionalProperties, after.AdditionalProperties)
	if s.above == nil || s.after == nil || cost == 0 {
		return cost
	}
	if s.dropsRequired() {
		t.replace(s)
		return cost
	}
	// A whole schema says less about what is different, so it must be much shorter.
	if whole := len(crd.EncodeSchema(s.after)) + overhead; 2*whole < cost {
		t.replace(s)
		return whole
	}
	return cost
}

// dropsRequired reports whether fields are dropped, and the list of required fields, which changes with them, is
// replaced.
func (s *spot) dropsRequired() bool {
	return slices.ContainsFunc(s.ops, func(o op) bool { return o.key == keyDrop }) &&
		slices.ContainsFunc(s.ops, func(o op) bool { return o.key == keySet && o.name == required })
}

// replace makes a spot what ships as a whole.
func (t *translator) replace(s *spot) {
	for _, other := range t.spots[s.order+1:] {
		other.after, other.ops = nil, nil
	}
	s.ops = []op{{key: keyReplace, value: s.after}}
	s.ops[0].identify()
}

// differences returns the ops that make a schema another one, but for the schemas below that both have.
func differences(before, after *schema.Schema) (out []op) {
	for i := range schema.Keywords() {
		k := &schema.Keywords()[i]
		if !k.IsSet(before) && !k.IsSet(after) || sameKeyword(k, before, after) {
			continue
		}
		switch k.Name {
		case "description":
			out = append(out, describe(before.Description.V, after.Description.V))
		case "properties":
			out = append(out, fieldOps(before, after)...)
		case "items":
			if before.Items == nil || after.Items == nil {
				out = append(out, keywordOp(k, after))
			}
		case "additionalProperties":
			if before.AdditionalProperties == nil || after.AdditionalProperties == nil {
				out = append(out, keywordOp(k, after))
			}
		case required:
			out = append(out, requiredOps(before, after)...)
		case validations:
			out = append(out, ruleOps(k, before, after)...)
		default:
			out = append(out, keywordOp(k, after))
		}
	}
	return out
}

// sameKeyword reports whether two schemas have the same YAML of a keyword.
func sameKeyword(k *schema.Keyword, a, b *schema.Schema) bool {
	return k.SameIn(a, b) || bytes.Equal(crd.EncodeSchema(only(k, a)), crd.EncodeSchema(only(k, b)))
}

// only returns a schema with one keyword of another one.
func only(k *schema.Keyword, s *schema.Schema) *schema.Schema {
	out := &schema.Schema{}
	k.Copy(out, s)
	return out
}

// keywordOp sets a keyword to what a schema has, or removes it.
func keywordOp(k *schema.Keyword, after *schema.Schema) op {
	if !k.IsSet(after) {
		return op{key: keyRemove, name: k.Name}
	}
	return op{key: keySet, name: k.Name, value: only(k, after)}
}

// describe makes a description another one.
func describe(before, after string) op {
	out := op{key: keyDescription, how: keyReplace}
	switch more, isLonger := strings.CutPrefix(after, before+"\n"); {
	case after == "":
		out.how = keyDrop
		return out
	case isLonger && before != "" && more != "":
		out.how, after = keyAppend, more
	}
	out.value = &schema.Schema{Description: schema.Text{V: after}}
	return out
}

// fieldOps drops fields, and adds those that the Go type does not have.
func fieldOps(before, after *schema.Schema) (out []op) {
	if len(after.Properties) == 0 {
		return []op{{key: keyRemove, name: "properties"}}
	}
	for _, p := range before.Properties {
		if after.Property(p.Name) == nil {
			out = append(out, op{key: keyDrop, name: p.Name})
		}
	}
	for _, p := range after.Properties {
		if before.Property(p.Name) == nil {
			out = append(out, op{key: keyAddFields, name: p.Name, value: p.Schema})
		}
	}
	return out
}

// requiredOps makes the list of required fields another one.
func requiredOps(before, after *schema.Schema) (out []op) {
	k := schema.KeywordOf(required)
	isDropped := func(name string) bool {
		return len(after.Properties) > 0 && before.Property(name) != nil && after.Property(name) == nil
	}
	if len(after.Required) == 0 && !slices.ContainsFunc(before.PropertyNames(), isDropped) {
		return []op{{key: keyRemove, name: required}}
	}
	made := schema.Schema{Required: slices.DeleteFunc(slices.Clone(before.Required), func(t schema.Text) bool {
		return isDropped(t.V)
	})}
	for _, t := range made.Required {
		if !hasName(after.Required, t.V) {
			out = append(out, op{key: keyOptional, name: t.V})
			optional(&made, t)
		}
	}
	for _, t := range after.Required {
		if !hasName(made.Required, t.V) {
			if after.Property(t.V) == nil {
				return []op{keywordOp(k, after)}
			}
			out = append(out, op{key: keyRequire, name: t.V})
			require(&made, t)
		}
	}
	if !k.SameIn(&made, after) {
		return []op{keywordOp(k, after)}
	}
	return out
}

// ruleOps makes the rules other ones: the removed ones and the added ones, if that gives their order.
func ruleOps(k *schema.Keyword, before, after *schema.Schema) []op {
	isIn := func(list []schema.Rule, r schema.Rule) bool {
		return slices.ContainsFunc(list, func(s schema.Rule) bool { return sameRule(r, s) })
	}
	var gone []string
	var made, added []schema.Rule
	for _, r := range before.Rules {
		if isIn(after.Rules, r) {
			made = append(made, r)
		} else {
			gone = append(gone, r.Rule.V)
		}
	}
	for _, r := range after.Rules {
		if slices.Contains(gone, r.Rule.V) {
			return []op{keywordOp(k, after)}
		}
		if !isIn(before.Rules, r) {
			added = append(added, r)
		}
	}
	if !schema.Same(&schema.Schema{Rules: slices.Concat(made, added)}, &schema.Schema{Rules: after.Rules}) {
		return []op{keywordOp(k, after)}
	}
	var out []op
	if len(gone) > 0 {
		slices.Sort(gone)
		out = append(out, op{key: keyRemoveRules, names: slices.Compact(gone)})
	}
	if len(added) > 0 {
		out = append(out, op{key: keyAddRules, value: &schema.Schema{Rules: added}})
	}
	return out
}

// isIdle reports whether an op changes nothing in a schema.
func (o *op) isIdle(s *schema.Schema) bool {
	switch o.key {
	case keyRemove:
		return !schema.KeywordOf(o.name).IsSet(s)
	case keySet:
		return sameKeyword(schema.KeywordOf(o.name), s, o.value)
	case keyRequire:
		return hasName(s.Required, o.name)
	case keyOptional:
		return !hasName(s.Required, o.name)
	case keyDrop:
		return s.Property(o.name) == nil && !hasName(s.Required, o.name)
	case keyDescription:
		return o.how == keyDrop && s.Description.V == "" ||
			o.how == keyReplace && s.Description.V == o.value.Description.V
	}
	return false
}

// drops reports whether an op drops places.
func (o *op) drops() bool {
	k := schema.KeywordOf(o.name)
	return o.key == keyDrop || o.key == keyReplace || (o.key == keySet || o.key == keyRemove) && k.HoldsSchemas()
}

// has reports whether a place needs an op.
func (s *spot) has(o *op) bool {
	return slices.ContainsFunc(s.ops, func(other op) bool { return other.id == o.id })
}

// isReplaced reports whether a whole place is replaced.
func (s *spot) isReplaced() bool { return len(s.ops) == 1 && s.ops[0].key == keyReplace }

// isRight reports whether an op may be applied at a place: it makes something there what ships, or changes nothing.
func (o *op) isRight(s *spot) bool {
	if s.after == nil {
		return true // what drops it comes before, as what replaces it does
	}
	return (s.isReplaced() || o.isIdle(s.before)) && o.isIdle(s.after) || s.has(o)
}
