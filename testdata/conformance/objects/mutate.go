package objects

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
)

// A spot is a value in an object.
type spot struct {
	path  string
	value any
	// node is its schema, nil if it does not exist.
	node *node
	set  func(any)
	// remove takes the value out of what holds it.
	remove func()
	// drop is remove, but that a list becomes shorter.
	drop func()
}

// spots returns all values of an object in a fixed order. What identifies the root is there as well.
func spots(out []spot, path string, v any, n *node) []spot {
	return appendSpots(out, path, v, n, nil)
}

// appendSpots is spots; set changes the value itself.
func appendSpots(out []spot, path string, v any, n *node, set func(any)) []spot {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			below := strings.TrimPrefix(path+"."+name, ".")
			s := spot{path: below, value: v[name], node: n.child(name)}
			s.set = func(x any) { v[name] = x }
			s.remove = func() { delete(v, name) }
			s.drop = s.remove
			out = append(out, s)
			out = appendSpots(out, below, v[name], s.node, s.set)
		}
	case []any:
		for i := range v {
			below := fmt.Sprintf("%s[%d]", path, i)
			s := spot{path: below, value: v[i], node: n.item(), set: func(x any) { v[i] = x },
				remove: func() { v[i] = nil }}
			s.drop = func() { set(slices.Delete(slices.Clone(v), i, i+1)) }
			out = append(out, s)
			out = appendSpots(out, below, v[i], s.node, s.set)
		}
	}
	return out
}

// mutate changes an object in some places and says what it did.
func (k *Maker) mutate(m *maker, object map[string]any, times int) (changes []string) {
	for range times {
		all := append(spots(nil, "", object, k.root),
			spot{value: object, node: k.root, set: func(any) {}, remove: func() {}})
		for range 20 {
			s := k.choose(m, all)
			if (s.path == "metadata" || strings.HasPrefix(s.path, "metadata.")) && !m.one(20) {
				continue // the root's metadata is the business of the request
			}
			if what := m.change(s); what != "" {
				changes = append(changes, s.path+": "+what)
				break
			}
		}
	}
	return changes
}

// choose picks a spot; every second one is at a depth that is as likely as any other.
func (k *Maker) choose(m *maker, all []spot) spot {
	if m.one(2) {
		return pick(m, all...)
	}
	depth := func(s spot) int { return strings.Count(s.path, ".") + strings.Count(s.path, "[") }
	deepest := 0
	for _, s := range all {
		deepest = max(deepest, depth(s))
	}
	at := m.IntN(deepest + 1)
	var level []spot
	for _, s := range all {
		if depth(s) == at {
			level = append(level, s)
		}
	}
	if len(level) == 0 {
		return pick(m, all...)
	}
	return pick(m, level...)
}

// change does something to a value, "" where it does not fit.
func (m *maker) change(s spot) string {
	if m.one(4) {
		return m.anyChange(s)
	}
	switch v := s.value.(type) {
	case string:
		return m.changeText(s, v)
	case int64:
		return m.changeNumber(s, float64(v), v)
	case float64:
		return m.changeNumber(s, v, int64(v))
	case []any:
		return m.changeList(s, v)
	case map[string]any:
		return m.changeObject(s, v)
	}
	return m.anyChange(s)
}

// replace sets a value.
func (s spot) replace(v any) string {
	s.set(v)
	text := fmt.Sprintf("%#v", v)
	if len(text) > 80 {
		text = text[:80] + "…"
	}
	return "set to " + text
}

// anyChange does what can be done to any value.
func (m *maker) anyChange(s spot) string {
	switch m.IntN(6) {
	case 0:
		s.remove()
		return "removed"
	case 1:
		return s.replace(nil)
	case 2, 3: // often of the wrong type
		return s.replace(pick[any](m, nil, true, false, "a", "", "1", int64(1), int64(0), 1.5, 2.0, map[string]any{},
			[]any{},
			[]any{"a"}, []any{int64(1)}, map[string]any{"a": "b"}, []any{map[string]any{}}, []any{nil}))
	case 4:
		return s.replace(m.json(2))
	}
	if s.node == nil {
		return ""
	}
	m.budget = 20
	return s.replace(m.value(s.node))
}

func (m *maker) changeText(s spot, v string) string {
	limits := s.node.limits()
	runes := []rune(v)
	var options []string
	for _, limit := range []*int64{limits.MaxLength, limits.MinLength} {
		if limit != nil && *limit < 5000 {
			for _, n := range []int64{*limit - 1, *limit, *limit + 1} {
				for _, letter := range []string{"a", "é", "𝒳"} {
					options = append(options, strings.Repeat(letter, int(max(0, n))))
				}
				if n > int64(len(runes)) {
					options = append(options, v+strings.Repeat("a", int(n)-len(runes)))
				}
			}
		}
	}
	if limits.Format != "" {
		options = append(options, formats[limits.Format]...)
	}
	if limits.Pattern != "" {
		options = append(options, m.matching(limits.Pattern, limits))
	}
	if s.node != nil {
		options = append(options, s.node.rules.strings...)
		for _, e := range limits.Enum {
			if text, ok := e.Object.(string); ok {
				options = append(options, text, strings.ToLower(text), text+" ")
			}
		}
	}
	if len(options) == 0 || m.one(3) {
		options = []string{"", v + "x", " " + v, v + "\n", strings.ToUpper(v), strings.ToLower(v), v + v, v + "é",
			"-" + v, v + ".", strings.Repeat("a", 300)}
		options = append(options, words...)
	}
	return s.replace(pick(m, options...))
}

func (m *maker) changeNumber(s spot, f float64, i int64) string {
	limits := s.node.limits()
	options := []any{i + 1, i - 1, f + 0.5, float64(i), -i, int64(0), float64(0), int64(-1), 1e3, 1e10, 1e19, -1e19,
		1e300, int64(math.MaxInt64),
		int64(math.MinInt64), int64(math.MaxInt32), int64(math.MaxInt32) + 1, int64(math.MinInt32) - 1, int64(1) << 53,
		int64(1)<<53 + 1, int64(2), 2.0, 0.1,
		float64(1 << 62), "1", fmt.Sprint(i)}
	for _, limit := range []*float64{limits.Minimum, limits.Maximum, limits.MultipleOf} {
		if limit != nil {
			l := clamp(*limit)
			for range 3 {
				options = append(options, l-1, l, l+1, float64(l), *limit-0.5, *limit+0.5, *limit, l*2, l*3)
			}
		}
	}
	if s.node != nil {
		for _, number := range s.node.rules.numbers {
			options = append(options, clamp(number)-1, clamp(number), clamp(number)+1)
		}
		if s.node.XIntOrString {
			options = append(options, "50%", "a", "", "1", "-1")
		}
		for _, e := range limits.Enum {
			options = append(options, e.Object)
		}
	}
	return s.replace(pick(m, options...))
}

func (m *maker) changeList(s spot, v []any) (what string) {
	m.budget = 20
	switch m.IntN(9) {
	case 0:
		return s.replace([]any{})
	case 1:
		what = m.repeatItem(s, v)
	case 2:
		what = m.repeatAlike(s, v)
	case 3:
		what = m.shuffleItems(s, v)
	case 4:
		what = m.removeItem(s, v)
	case 5:
		s.set(append(slices.Clip(v), nil))
		return "null added"
	case 6, 7:
		what = m.resizeList(s, v)
	}
	if what != "" {
		return what
	}
	s.set(slices.Insert(slices.Clone(v), m.IntN(len(v)+1), m.freshItem(s)))
	return "an item more"
}

// freshItem is a new item for a list.
func (m *maker) freshItem(s spot) any {
	if item := s.node.item(); item != nil {
		return m.value(item)
	}
	return m.json(1)
}

// repeatItem adds an item again. It says what changed, as all below do, and "" where nothing did.
func (m *maker) repeatItem(s spot, v []any) string {
	if len(v) == 0 {
		return ""
	}
	at := m.IntN(len(v))
	s.set(append(slices.Clip(v), runtime.DeepCopyJSONValue(v[at])))
	return fmt.Sprintf("item %d twice", at)
}

// repeatAlike adds what is like the last item, as 2 and 2.0 are.
func (m *maker) repeatAlike(s spot, v []any) string {
	if len(v) == 0 {
		return ""
	}
	switch last := v[len(v)-1].(type) {
	case int64:
		s.set(append(slices.Clip(v), float64(last)))
		return "a number twice"
	case map[string]any:
		copied := runtime.DeepCopyJSON(last)
		for _, name := range slices.Sorted(maps.Keys(copied)) {
			if m.one(2) {
				delete(copied, name)
			}
		}
		s.set(append(slices.Clip(v), any(copied)))
		return "an item twice, in part"
	}
	return ""
}

func (m *maker) shuffleItems(s spot, v []any) string {
	if len(v) < 2 {
		return ""
	}
	out := slices.Clone(v)
	m.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	s.set(out)
	return "in another order"
}

func (m *maker) removeItem(s spot, v []any) string {
	if len(v) == 0 {
		return ""
	}
	at := m.IntN(len(v))
	s.set(slices.Delete(slices.Clone(v), at, at+1))
	return fmt.Sprintf("item %d removed", at)
}

// resizeList makes a list about as long as it may be.
func (m *maker) resizeList(s spot, v []any) string {
	limits := s.node.limits()
	limit := pick(m, limits.MaxItems, limits.MinItems)
	if limit == nil || *limit > 70 {
		return ""
	}
	n := int(max(0, *limit+int64(m.IntN(3))-1))
	out := slices.Clone(v[:min(n, len(v))])
	for len(out) < n {
		out = append(out, m.freshItem(s))
	}
	s.set(out)
	return fmt.Sprintf("of %d items", n)
}

func (m *maker) changeObject(s spot, v map[string]any) string {
	n := s.node
	names := slices.Sorted(maps.Keys(v))
	limits := n.limits()
	m.budget = 20
	switch m.IntN(8) {
	case 0:
		return s.set2(v, pick(m, append([]string{"unknown", "Spec", "metadata", "apiVersion", "kind"}, words...)...),
			m.json(2))
	case 1:
		if n != nil && n.XEmbeddedResource || m.one(8) {
			return m.changeIdentity(v)
		}
	case 2:
		if len(limits.Required) > 0 {
			name := pick(m, limits.Required...)
			delete(v, name)
			return name + " removed"
		}
	case 3:
		if len(names) > 0 {
			from := pick(m, names...)
			value := v[from]
			delete(v, from)
			to := pick(m, strings.ToUpper(from), from+"s", "x", "")
			v[to] = value
			return from + " renamed to " + to
		}
	case 4:
		clear(v)
		return "emptied"
	case 5:
		limit := pick(m, limits.MaxProperties, limits.MinProperties)
		if n != nil && n.values != nil && limit != nil && *limit < 70 {
			for i := 0; int64(len(v)) < *limit+int64(m.IntN(2)); i++ {
				v[fmt.Sprintf("k%d", i)] = m.value(n.values)
			}
			return fmt.Sprintf("of %d fields", len(v))
		}
	case 6:
		if n != nil && n.values != nil {
			return s.set2(v, m.key(n), m.value(n.values))
		}
	}
	if n != nil && len(n.fields) > 0 {
		f := pick(m, n.fields...)
		if n.root && isMeta(f.name) {
			return ""
		}
		if m.one(6) {
			return s.set2(v, f.name, nil)
		}
		return s.set2(v, f.name, m.value(f))
	}
	return s.set2(v, pick(m, words...), m.json(1))
}

// set2 sets a field of an object.
func (s spot) set2(object map[string]any, name string, v any) string {
	return name + " " + spot{set: func(x any) { object[name] = x }}.replace(v)
}

// changeIdentity breaks what makes an object a resource.
func (m *maker) changeIdentity(v map[string]any) string {
	name := pick(m, "apiVersion", "kind", "metadata")
	field := func(name string, v any) map[string]any { return map[string]any{name: v} }
	value := pick[any](m, "", "v1", "a/b/c", "/", "a b", "Kind", "kind/x", int64(1), nil, map[string]any{}, []any{},
		"Ünicode",
		field("name", "A_B"), field("name", ""), field("name", int64(1)), field("namespace", "a/b"),
		field("generateName", "-"),
		field("labels", field("a b", "c")), field("labels", field("a", "b c")), field("labels", field("a", int64(1))),
		field("labels", nil),
		field("annotations", field("", "x")), field("annotations", "x"), field("finalizers", []any{"a"}),
		field("finalizers", []any{"a b"}),
		field("ownerReferences", []any{map[string]any{}}), field("generation", int64(-1)),
		field("creationTimestamp", "x"),
		field("creationTimestamp", nil), field("unknown", "x"), field("uid", int64(1)), field("resourceVersion", "x"),
		field("managedFields", []any{map[string]any{}}))
	if m.one(4) {
		delete(v, name)
		return name + " removed"
	}
	return spot{}.set2(v, name, value)
}
