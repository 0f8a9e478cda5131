package diff

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/schema"
)

// A step leads from a value to one in it: to a field or a key, or to an item if name is "".
type step struct {
	name  string
	index int
}

// A path leads from an object to a value in it.
type path []step

func (p path) field(name string) path { return append(slices.Clip(p), step{name: name}) }
func (p path) item(index int) path    { return append(slices.Clip(p), step{index: index}) }

// String is the path as API servers write it in errors.
func (p path) String() string {
	var out strings.Builder
	for i, s := range p {
		switch {
		case s.name == "":
			out.WriteString("[" + strconv.Itoa(s.index) + "]")
		case i > 0:
			out.WriteString("." + s.name)
		default:
			out.WriteString(s.name)
		}
	}
	return out.String()
}

// isIn reports whether the path leads to a value at another path, or in it.
func (p path) isIn(other path) bool {
	return len(p) >= len(other) && slices.Equal(p[:len(other)], other)
}

// in returns the value at the path; ok is unset if it does not exist.
func (p path) in(value any) (out any, ok bool) {
	for _, s := range p {
		switch v := value.(type) {
		case map[string]any:
			if s.name == "" {
				return nil, false
			}
			if value, ok = v[s.name]; !ok {
				return nil, false
			}
		case []any:
			if s.name != "" || s.index >= len(v) {
				return nil, false
			}
			value = v[s.index]
		default:
			return nil, false
		}
	}
	return value, true
}

// A wish is a demand on an object: a value at a path, any value, or none.
type wish struct {
	at path
	// absent demands that there is no value. Otherwise value is demanded, or any value if isAny is set.
	absent, isAny bool
	value         any
	// of demands a value that a schema without structure accepts, or rejects if isNot is set.
	of    *schema.Schema
	isNot bool
	// from demands the value at another path, or its absence if that path does not exist.
	from path
}

// A plan is a list of wishes, which are granted in their order.
type plan []wish

func (p plan) and(more ...wish) plan { return append(slices.Clip(p), more...) }

// both are the plans that consist of one of each list, up to a limit.
func (w *work) both(a, b []plan) (out []plan) {
	for _, first := range a {
		for _, second := range b {
			if len(out) == effort.DiffAlternatives.N() || !w.steps.plans.Spend(len(first)+len(second)) {
				return out
			}
			out = append(out, first.and(second...))
		}
	}
	return out
}

// all are plans that satisfy everything.
func (w *work) all(parts [][]plan) []plan {
	out := []plan{{}}
	for _, part := range parts {
		if len(part) != 1 {
			out = w.both(out, part)
			continue
		}
		if !w.steps.plans.Spend(len(out) * len(part[0])) {
			return nil
		}
		for i := range out { // these are copies already, and no other list has them
			out[i] = append(out[i], part[0]...)
		}
	}
	return out
}

// demands are the wishes of a plan about what a value must be like.
func (p plan) demands() plan {
	return slices.DeleteFunc(slices.Clone(p), func(w wish) bool { return w.of == nil })
}

func anyOf(lists ...[]plan) []plan {
	out := slices.Concat(lists...)
	return out[:min(len(out), effort.DiffAlternatives.N())]
}

// apply returns an object with the wishes of a plan. ok is unset if the schema has no values to fill in.
func (b *builder) apply(object map[string]any, p plan) (out map[string]any, ok bool) {
	changed, ok := b.granted(b.root, object, p)
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

// granted returns a value of a schema with the wishes of a plan, whose paths start there.
func (b *builder) granted(s *schema.Schema, value any, p plan) (any, bool) {
	if !b.steps.plans.Spend(len(p)) {
		return nil, false
	}
	value = b.copy(value)
	known := map[string]any{} // by the text of the path, for which all demands are met at once
	for i, w := range p {
		old, exists := w.at.in(value)
		switch {
		case w.absent && len(w.at) > 0:
			remove(value, w.at)
			continue
		case w.isAny && exists && old != nil:
			continue
		case w.of != nil:
			key := w.at.String()
			made, ok := known[key]
			if !ok {
				if made, ok = b.solved(s, p, i); !ok {
					return nil, false
				}
				known[key] = made
			}
			w = wish{at: w.at, value: made}
		case len(w.from) > 0:
			parents := plan{{at: w.from[:len(w.from)-1], isAny: true}, {at: w.at[:len(w.at)-1], isAny: true}}
			var ok bool
			if value, ok = b.granted(s, value, parents); !ok {
				return nil, false
			}
			if old, exists = w.from.in(value); !exists {
				remove(value, w.at)
				continue
			}
			w = wish{at: w.at, value: old}
		}
		var ok bool
		if value, ok = b.put(s, value, w.at, w); !ok {
			return nil, false
		}
	}
	return value, true
}

// solved returns a value for all wishes of a plan for schemas and values at the path of one of them.
func (b *builder) solved(s *schema.Schema, p plan, at int) (any, bool) {
	structure := b.schemaAt(s, p[at].at)
	if structure == nil || !b.steps.plans.Spend(len(p)) {
		return nil, false
	}
	joined := *structure
	joined.AllOf = slices.Clip(joined.AllOf)
	var not []*schema.Schema
	var fixed []any
	for _, w := range p {
		switch {
		case !slices.Equal(w.at, p[at].at) || w.absent || w.isAny || len(w.from) > 0:
		case w.of == nil:
			fixed = append(fixed, w.value)
		case w.isNot:
			not = append(not, typedLike(structure, w.of))
		default:
			joined.AllOf = append(joined.AllOf, w.of)
		}
	}
	list := fixed
	if len(fixed) == 0 {
		list = b.valuesBut(&joined, not)
	}
	for _, value := range list {
		violated := func(n *schema.Schema) bool { return b.holds(n, value) }
		if b.holds(&joined, value) && !slices.ContainsFunc(not, violated) {
			return value, true
		}
	}
	return nil, false
}

// isImpossible reports whether a plan certainly demands a value that the schema does not accept.
func (b *builder) isImpossible(p plan) bool {
	seen := map[string]bool{}
	for i, w := range p {
		if w.of == nil || seen[w.at.String()] || !b.steps.plans.Spend(len(p)) {
			continue
		}
		seen[w.at.String()] = true
		structure := b.schemaAt(b.root, w.at)
		if structure == nil || len(typesOf(structure)) != 1 || structure.Type.V != stringType {
			continue
		}
		all := *structure
		all.AllOf = slices.Clip(all.AllOf)
		var avoid []string
		var not []string
		isClear := true
		for _, other := range p {
			if !slices.Equal(other.at, p[i].at) || other.of == nil {
				continue
			}
			switch plainPattern := onlyPattern(other.of); {
			case !other.isNot:
				all.AllOf = append(all.AllOf, other.of)
			case plainPattern:
				avoid = append(avoid, other.of.Pattern.V)
			case schema.Same(other.of, &schema.Schema{Enum: other.of.Enum}):
				for j := range other.of.Enum {
					not = append(not, other.of.Enum[j].Text)
				}
			default:
				isClear = false
			}
		}
		q, formats, ok := b.query(&all)
		if !ok || !isClear || len(formats) > 0 {
			continue
		}
		if listed, has := b.enumerated(&all); has {
			if len(listed) > 0 {
				continue
			}
		}
		q.avoid, q.not = append(q.avoid, avoid...), append(q.not, not...)
		if words, none := b.find(q, nil); len(words) == 0 && none {
			return true
		}
	}
	return false
}

// onlyPattern reports whether a schema has a pattern and nothing else.
func onlyPattern(s *schema.Schema) bool {
	return s.Pattern.V != "" && schema.Same(s, &schema.Schema{Pattern: s.Pattern})
}

// typedLike is a schema of a junctor with the type of the structure.
func typedLike(structure, of *schema.Schema) *schema.Schema {
	if of.Type.V != "" || of.IntOrString != nil {
		return of
	}
	out := *of
	out.Type, out.IntOrString = structure.Type, structure.IntOrString
	if structure.Type.V == "" && structure.IntOrString == nil {
		out.PreserveUnknownFields = anything.PreserveUnknownFields
	}
	return &out
}

// put returns a value with a wish granted at a path below it.
func (b *builder) put(s *schema.Schema, value any, at path, w wish) (any, bool) {
	if len(at) == 0 {
		if w.isAny {
			return b.value(s, 0)
		}
		return b.copy(w.value), true
	}
	next := b.child(s, at[0])
	if at[0].name == "" {
		list, _ := value.([]any)
		for len(list) <= at[0].index {
			item, ok := b.value(next, len(list))
			if !ok {
				return nil, false
			}
			list = append(list, item)
		}
		item, ok := b.put(next, list[at[0].index], at[1:], w)
		list[at[0].index] = item
		return list, ok
	}
	fields, isObject := value.(map[string]any)
	if !isObject {
		made, ok := b.value(s, 0)
		if fields, isObject = made.(map[string]any); !ok || !isObject {
			fields = map[string]any{}
		}
	}
	inner, exists := fields[at[0].name]
	if !exists && len(at) > 1 {
		inner, _ = b.value(next, 0)
	}
	inner, ok := b.put(next, inner, at[1:], w)
	if ok {
		fields[at[0].name] = inner
	}
	return fields, ok
}

func remove(value any, at path) {
	above, ok := at[:len(at)-1].in(value)
	if !ok {
		return
	}
	if fields, isObject := above.(map[string]any); isObject {
		delete(fields, at[len(at)-1].name)
	}
}

// copy returns a deep copy of a value.
func (w *work) copy(value any) any {
	parts := 0
	out := clone(value, &parts)
	w.steps.values.Spend(parts)
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

// encode is a value as JSON, with sorted keys.
func encode(value any) string {
	data, err := json.Marshal(value)
	if err != nil {
		panic(err) // all values are JSON
	}
	return string(data)
}

// locate reads a path of an error of an API server, which quotes neither dots nor brackets in keys.
func (w *work) locate(s *schema.Schema, value any, text string) (path, bool) {
	if text == "" || text == "<nil>" {
		return nil, true
	}
	if inner, ok := strings.CutPrefix(text, "["); ok {
		number, rest, ok := strings.Cut(inner, "]")
		index, err := strconv.Atoi(number)
		if list, isList := value.([]any); isList && ok && err == nil && index < len(list) {
			below, ok := w.locate(w.child(s, step{}), list[index], strings.TrimPrefix(rest, "."))
			return append(path{{index: index}}, below...), ok
		}
	}
	fields, isObject := value.(map[string]any)
	if value != nil && !isObject {
		return nil, false
	}
	isKnown := func(name string) bool {
		_, has := fields[name]
		return has || s != nil && w.property(s, name) != nil
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
		if !w.steps.schemas.Spend(1) || !isKnown(name) {
			continue
		}
		if below, ok := w.locate(w.child(s, step{name: name}), fields[name], strings.TrimPrefix(rest, ".")); ok {
			return append(path{{name: name}}, below...), true
		}
	}
	return nil, false
}

// prefixes are the names with which a path may begin, the longest first, with what follows each.
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
