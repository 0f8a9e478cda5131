package diff

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/generator/schema"
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
func both(a, b []plan) (out []plan) {
	for _, first := range a {
		for _, second := range b {
			if len(out) < manyPlans {
				out = append(out, first.and(second...))
			}
		}
	}
	return out
}

// demands are the wishes of a plan about what a value must be like.
func (p plan) demands() plan {
	return slices.DeleteFunc(slices.Clone(p), func(w wish) bool { return w.of == nil })
}

// manyPlans is how many alternatives are tried of anything.
const manyPlans = 24

func anyOf(lists ...[]plan) []plan {
	out := slices.Concat(lists...)
	return out[:min(len(out), manyPlans)]
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
	value = clone(value)
	for i, w := range p {
		old, exists := w.at.in(value)
		switch {
		case w.absent && len(w.at) > 0:
			remove(value, w.at)
			continue
		case w.isAny && exists && old != nil:
			continue
		case w.of != nil:
			made, ok := b.solved(s, p, i)
			if !ok {
				return nil, false
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
	structure := schemaAt(s, p[at].at)
	if structure == nil {
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
	for i, w := range p {
		structure := schemaAt(b.root, w.at)
		if w.of == nil || structure == nil || len(typesOf(structure)) != 1 || structure.Type.V != stringType {
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
		return clone(w.value), true
	}
	next := child(s, at[0])
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

// child is the schema one step below, nil if it is not known.
func child(s *schema.Schema, to step) *schema.Schema {
	switch {
	case s == nil:
		return nil
	case to.name == "":
		return s.Items
	}
	if p := s.Property(to.name); p != nil {
		return p
	}
	return s.AdditionalProperties
}

// schemaAt is the schema at a path below another, nil if it is not known.
func schemaAt(s *schema.Schema, at path) *schema.Schema {
	for _, to := range at {
		s = child(s, to)
	}
	return s
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

func clone(value any) any {
	switch v := value.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, field := range v {
			out[key] = clone(field)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = clone(v[i])
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
func locate(s *schema.Schema, value any, text string) (path, bool) {
	if text == "" || text == "<nil>" {
		return nil, true
	}
	if inner, ok := strings.CutPrefix(text, "["); ok {
		number, rest, ok := strings.Cut(inner, "]")
		index, err := strconv.Atoi(number)
		if list, isList := value.([]any); isList && ok && err == nil && index < len(list) {
			below, ok := locate(child(s, step{}), list[index], strings.TrimPrefix(rest, "."))
			return append(path{{index: index}}, below...), ok
		}
	}
	fields, isObject := value.(map[string]any)
	if value != nil && !isObject {
		return nil, false
	}
	names := keysOf(fields)
	if s != nil {
		for i := range s.Properties {
			names = append(names, s.Properties[i].Name)
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return len(b) - len(a) })
	for _, name := range names {
		rest, ok := strings.CutPrefix(text, name)
		if !ok {
			rest, ok = strings.CutPrefix(text, "["+name+"]")
		}
		if !ok || rest != "" && rest[0] != '.' && rest[0] != '[' {
			continue
		}
		if below, ok := locate(child(s, step{name: name}), fields[name], strings.TrimPrefix(rest, ".")); ok {
			return append(path{{name: name}}, below...), true
		}
	}
	return nil, false
}
