package witness

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/schema"
)

// An Edit sets a value at a path of an object, or removes it.
type Edit struct {
	At schema.Path
	// Absent removes the value. Otherwise it becomes Value, or any value if IsAny is set and there is none.
	Absent, IsAny bool
	Value         any
	// Schema, which has no structure, must accept the value, or reject it if IsNot is set.
	Schema *schema.Schema
	IsNot  bool
	// From is a path whose value is copied; if it has none, the value is removed.
	From schema.Path
}

// A Plan is a list of edits, which are applied in their order.
type Plan []Edit

func (p Plan) and(more ...Edit) Plan { return append(slices.Clip(p), more...) }

// both returns the plans that consist of one of each list, up to a limit.
func (w *Work) both(a, b []Plan) (out []Plan) {
	for _, first := range a {
		for _, second := range b {
			if len(out) == effort.DiffAlternatives.N() || !w.Steps.Plans.Spend(len(first)+len(second)) {
				return out
			}
			out = append(out, first.and(second...))
		}
	}
	return out
}

// all makes plans that satisfy everything.
func (w *Work) all(parts [][]Plan) []Plan {
	out := []Plan{{}}
	for _, part := range parts {
		if len(part) != 1 {
			out = w.both(out, part)
			continue
		}
		if !w.Steps.Plans.Spend(len(out) * len(part[0])) {
			return nil
		}
		for i := range out { // these are copies already, and no other list has them
			out[i] = append(out[i], part[0]...)
		}
	}
	return out
}

// demands returns the edits with a schema.
func (p Plan) demands() Plan {
	return slices.DeleteFunc(slices.Clone(p), func(w Edit) bool { return w.Schema == nil })
}

func anyOf(lists ...[]Plan) []Plan {
	out := slices.Concat(lists...)
	return out[:min(len(out), effort.DiffAlternatives.N())]
}

// Apply returns an object with the edits of a plan. ok is unset if the schema has no values to fill in.
func (b *Builder) Apply(object map[string]any, p Plan) (out map[string]any, ok bool) {
	changed, ok := b.edited(b.Root, object, p)
	out, isObject := changed.(map[string]any)
	if !ok || !isObject {
		return nil, false
	}
	for _, name := range []string{"apiVersion", "kind", "metadata"} { // which another value of the root lacks
		if _, has := out[name]; !has && object[name] != nil {
			out[name] = object[name]
		}
	}
	return out, true
}

// edited returns a value of a schema with the edits of a plan, whose paths start there.
func (b *Builder) edited(s *schema.Schema, value any, p Plan) (any, bool) {
	if !b.Steps.Plans.Spend(len(p)) {
		return nil, false
	}
	value = b.copy(value)
	known := map[string]any{} // by the text of the path, for which all demands are met at once
	for i, w := range p {
		old, exists := w.At.In(value)
		switch {
		case w.Absent && len(w.At) > 0:
			remove(value, w.At)
			continue
		case w.IsAny && exists && old != nil:
			continue
		case w.Schema != nil:
			key := w.At.String()
			made, ok := known[key]
			if !ok {
				if made, ok = b.solved(s, p, i); !ok {
					return nil, false
				}
				known[key] = made
			}
			w = Edit{At: w.At, Value: made}
		case len(w.From) > 0:
			parents := Plan{{At: w.From[:len(w.From)-1], IsAny: true}, {At: w.At[:len(w.At)-1], IsAny: true}}
			var ok bool
			if value, ok = b.edited(s, value, parents); !ok {
				return nil, false
			}
			if old, exists = w.From.In(value); !exists {
				remove(value, w.At)
				continue
			}
			w = Edit{At: w.At, Value: old}
		}
		var ok bool
		if value, ok = b.put(s, value, w.At, w); !ok {
			return nil, false
		}
	}
	return value, true
}

// solved returns a value for all schemas and values of a plan at the path of one of its edits.
func (b *Builder) solved(s *schema.Schema, p Plan, at int) (any, bool) {
	structure := b.SchemaAt(s, p[at].At)
	if structure == nil || !b.Steps.Plans.Spend(len(p)) {
		return nil, false
	}
	joined := *structure
	joined.AllOf = slices.Clip(joined.AllOf)
	var not []*schema.Schema
	var fixed []any
	for _, w := range p {
		switch {
		case !slices.Equal(w.At, p[at].At) || w.Absent || w.IsAny || len(w.From) > 0:
		case w.Schema == nil:
			fixed = append(fixed, w.Value)
		case w.IsNot:
			not = append(not, typedLike(structure, w.Schema))
		default:
			joined.AllOf = append(joined.AllOf, w.Schema)
		}
	}
	list := fixed
	if len(fixed) == 0 {
		list = b.valuesBut(&joined, not)
	}
	for _, value := range list {
		violated := func(n *schema.Schema) bool { return b.Accepts(n, value) }
		if b.Accepts(&joined, value) && !slices.ContainsFunc(not, violated) {
			return value, true
		}
	}
	return nil, false
}

// typedLike returns a schema of a junctor with the type of the structure.
func typedLike(structure, nested *schema.Schema) *schema.Schema {
	if nested.Type.V != "" || nested.IntOrString != nil {
		return nested
	}
	out := *nested
	out.Type, out.IntOrString = structure.Type, structure.IntOrString
	if structure.Type.V == "" && structure.IntOrString == nil {
		out.PreserveUnknownFields = Anything.PreserveUnknownFields
	}
	return &out
}

// put returns a value with an edit applied at a path below it.
func (b *Builder) put(s *schema.Schema, value any, at schema.Path, w Edit) (any, bool) {
	if len(at) == 0 {
		if w.IsAny {
			return b.Value(s, 0)
		}
		return b.copy(w.Value), true
	}
	next := b.Child(s, at[0])
	if at[0].IsItem() {
		list, _ := value.([]any)
		for len(list) <= at[0].Index {
			item, ok := b.Value(next, len(list))
			if !ok {
				return nil, false
			}
			list = append(list, item)
		}
		item, ok := b.put(next, list[at[0].Index], at[1:], w)
		list[at[0].Index] = item
		return list, ok
	}
	fields, isObject := value.(map[string]any)
	if !isObject {
		made, ok := b.Value(s, 0)
		if fields, isObject = made.(map[string]any); !ok || !isObject {
			fields = map[string]any{}
		}
	}
	inner, exists := fields[at[0].Name]
	if !exists && len(at) > 1 {
		inner, _ = b.Value(next, 0)
	}
	inner, ok := b.put(next, inner, at[1:], w)
	if ok {
		fields[at[0].Name] = inner
	}
	return fields, ok
}

// Removed returns a copy of an object without the field or the item at a path.
func Removed(object map[string]any, at schema.Path) map[string]any {
	parts := 0
	out := clone(object, &parts).(map[string]any)
	last := at[len(at)-1]
	if list, _ := at[:len(at)-1].In(out); !last.IsItem() {
		remove(out, at)
	} else if items, isList := list.([]any); isList {
		above, _ := at[:len(at)-2].In(out)
		replace(above, at[len(at)-2], slices.Delete(items, last.Index, last.Index+1))
	}
	return out
}

// Replaced returns a copy of an object with another value at a path, where it has one.
func Replaced(object map[string]any, at schema.Path, value any) map[string]any {
	parts := 0
	out := clone(object, &parts).(map[string]any)
	above, _ := at[:len(at)-1].In(out)
	replace(above, at[len(at)-1], value)
	return out
}

// replace sets a field or an item that exists.
func replace(value any, to schema.PathStep, inner any) {
	switch value := value.(type) {
	case map[string]any:
		value[to.Name] = inner
	case []any:
		value[to.Index] = inner
	}
}

func remove(value any, at schema.Path) {
	above, ok := at[:len(at)-1].In(value)
	if !ok {
		return
	}
	if fields, isObject := above.(map[string]any); isObject {
		delete(fields, at[len(at)-1].Name)
	}
}

// copy returns a deep copy of a value.
func (w *Work) copy(value any) any {
	parts := 0
	out := clone(value, &parts)
	w.Steps.Values.Spend(parts)
	return out
}

// clone returns a deep copy of a value, and counts its parts.
func clone(value any, parts *int) any {
	*parts++
	switch v := value.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, field := range v {
			out[key] = clone(field, parts)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = clone(v[i], parts)
		}
		return out
	}
	return value
}

// JSON encodes a value, with sorted keys.
func JSON(value any) string {
	data, err := json.Marshal(value)
	if err != nil {
		panic(err) // all values are JSON
	}
	return string(data)
}

// Locate reads a path of an error of an API server, which quotes neither dots nor brackets in keys.
func (w *Work) Locate(s *schema.Schema, value any, text string) (schema.Path, bool) {
	if text == "" || text == "<nil>" {
		return nil, true
	}
	if inner, ok := strings.CutPrefix(text, "["); ok {
		number, rest, ok := strings.Cut(inner, "]")
		index, err := strconv.Atoi(number)
		if list, isList := value.([]any); isList && ok && err == nil && index < len(list) {
			below, ok := w.Locate(w.Child(s, schema.Item(0)), list[index], strings.TrimPrefix(rest, "."))
			return append(schema.Path{schema.Item(index)}, below...), ok
		}
	}
	fields, isObject := value.(map[string]any)
	if value != nil && !isObject {
		return nil, false
	}
	isKnown := func(name string) bool {
		_, has := fields[name]
		return has || s != nil && w.Property(s, name) != nil
	}
	longest := 0
	if s != nil {
		longest = w.index(s).longest
	}
	for name := range fields {
		longest = max(longest, len(name))
	}
	for _, prefix := range prefixes(text, longest) {
		name, rest := prefix[0], prefix[1]
		if !w.Steps.Schemas.Spend(1) || !isKnown(name) {
			continue
		}
		if below, ok := w.Locate(w.Child(s, schema.Key(name)), fields[name], strings.TrimPrefix(rest, ".")); ok {
			return append(schema.Path{schema.Key(name)}, below...), true
		}
	}
	return nil, false
}

// prefixes returns the names with which a path may begin, the longest first, with what follows each.
func prefixes(text string, longest int) (out [][2]string) {
	for i := min(len(text), longest+len("[]")); i > 0; i-- {
		if i < len(text) && text[i] != '.' && text[i] != '[' {
			continue
		}
		out = append(out, [2]string{text[:i], text[i:]})
		if text[0] == '[' && text[i-1] == ']' {
			out = append(out, [2]string{text[1 : i-1], text[i:]})
		}
	}
	return out
}
