package symbolic

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"

	"github.com/crdproof/crdproof/internal/effort"
)

// A builder makes an object of an example. It is a guess where conditions depend on each other in a way that the model
// does not know; only the API server's code can tell.
type builder struct {
	m  *model
	in example
	// number makes values different unless they must be equal.
	number map[string]int
	// given are the values of some places.
	given map[string]any
	style style
	// lows are the least values of integers that are compared with others; nil before they are needed.
	lows map[string]int64
}

// A style is how values are made about which an example tells nothing.
type style struct {
	// letters are what texts are made of, "" is z.
	letters string
	// isLarge is set for values that are as large as the schema permits, up to a limit.
	isLarge bool
	// isFull is set for objects with all fields that are neither objects nor lists.
	isFull bool
}

// styles returns the styles in which objects are tried: what functions return of which nothing is known may depend on
// them, as lowerAscii and sum do.
func styles() []style {
	return []style{{}, {letters: "Z"}, {isLarge: true}, {letters: ", ", isLarge: true}, {isLarge: true, isFull: true}}
}

// The sizes of large values.
const (
	largeText    = 64
	largeList    = 16
	largeInteger = 1000
)

// objects makes an object of an example, and the one before the update, nil if it is created.
func (m *model) objects(in example, as style) (object, old map[string]any) {
	b := &builder{m: m, in: in, number: map[string]int{}, style: as}
	object = b.root(m.root)
	if b.holds("update") {
		old = b.root(m.oldRoot)
	}
	return object, old
}

// root builds an object. All of those that questions are about have a name, which rules may read.
func (b *builder) root(p *place) map[string]any {
	out, _ := b.build(p.name, p.schema).(map[string]any)
	if name := b.m.places[p.name+".metadata.name"]; b.m.decides && name != nil && out != nil {
		out["metadata"] = map[string]any{"name": b.build(name.name, name.schema)}
	}
	return out
}

// Complete also examines the places that no rule names, so that examples are whole objects. It is called before
// anything else.
func (e *Evaluation) Complete() { e.touch(wholeObject) }

// An extent says which places an example has besides those that rules name.
type extent uint8

const (
	onlyNamed extent = iota
	// requiredToo has what each object has. That is enough for most examples, and a fraction of a large schema.
	requiredToo
	wholeObject
)

// touch registers places of the object, and of the one before an update.
func (m *model) touch(how extent) {
	m.touchBelow(m.root, how)
	m.touchBelow(m.oldRoot, how)
}

func (m *model) touchBelow(p *place, how extent) {
	if !m.spend(1) {
		return
	}
	isNeeded := func(name string) bool { return how == wholeObject || m.places[p.name+name] != nil }
	for _, name := range slices.Sorted(maps.Keys(p.schema.Properties)) {
		property := p.schema.Properties[name]
		if isNeeded(fieldName(name)) || p.alwaysHas(name, &property) {
			next, _ := m.below(p, step{toProperty, name})
			m.touchBelow(next, how)
		}
	}
	over := &list{}
	if least, _ := p.lengths(); !isNeeded("["+anyOther+"]") && least <= 0 {
		return
	}
	if p.schema.Items != nil {
		over = m.itemsAt(p)
	} else if m.isMap(p) && p.schema.AdditionalProperties != nil {
		_, over = m.valuesOf(p)
	}
	for _, i := range over.items {
		if next, ok := i.what.(*place); ok {
			m.touchBelow(next, how)
		}
	}
}

func (b *builder) holds(condition string) bool {
	c, ok := b.m.conditions[condition]
	return ok && b.in[c]
}

func (b *builder) build(name string, s *structural.Structural) any {
	if value, ok := b.given[name]; ok {
		return value
	}
	if b.holds("null " + name) {
		return nil
	}
	if value, ok := b.constant(name); ok && !b.holds("fraction "+name) {
		return value
	}
	switch {
	case s.XIntOrString:
		if b.holds("fraction " + name) {
			return float64(Fraction)
		}
		if kind, _ := b.constant("type(" + name + ")"); kind == "type int" {
			if low, _, _ := b.bounds(name, s); b.m.scales[name] != nil {
				return low
			}
			return int64(b.unique(name))
		}
		return b.text(name, s)
	case s.Type == "object" && s.AdditionalProperties != nil && s.AdditionalProperties.Structural != nil:
		return b.buildMap(name, s)
	case s.Type == "object":
		return b.buildObject(name, s)
	case s.Type == "array":
		return b.buildList(name, s)
	case s.Type == "boolean":
		return b.holds("true " + name)
	case s.Type == "integer":
		low, most, _ := b.bounds(name, s)
		if b.style.isLarge {
			low = max(low, min(most, largeInteger))
		}
		return b.congruent(name, multipleFrom(low, s), most, s)
	case s.Type == "number":
		return b.double(name, s)
	case s.Type == "string":
		return b.text(name, s)
	}
	return map[string]any{}
}

func (b *builder) buildObject(name string, s *structural.Structural) any {
	out := map[string]any{}
	p := b.m.places[name]
	if p == nil {
		p = &place{name: name, schema: s}
	}
	for _, field := range slices.Sorted(maps.Keys(s.Properties)) {
		child := s.Properties[field]
		required := s.ValueValidation != nil && slices.Contains(s.ValueValidation.Required, field)
		switch {
		case p.alwaysHas(field, &child) || b.holds("has "+name+fieldName(field)),
			b.style.isFull && child.Type != "object" && child.Type != "array":
			out[field] = b.build(name+fieldName(field), &child)
		case required || child.Default.Object != nil || b.holds("null "+name+fieldName(field)):
			out[field] = nil
		}
	}
	return out
}

func (b *builder) buildMap(name string, s *structural.Structural) any {
	out := map[string]any{}
	values := s.AdditionalProperties.Structural
	for _, c := range slices.Sorted(maps.Keys(b.in)) {
		text, ok := strings.CutPrefix(b.m.names[c], "has "+name+"[")
		if !b.in[c] || !ok || strings.Contains(strings.TrimSuffix(text, "]"), "].") {
			continue
		}
		text = strings.TrimSuffix(text, "]")
		key := "other"
		if k, err := strconv.Unquote(text); err == nil {
			key = k
		} else if p := b.m.places[text]; p != nil {
			key = fmt.Sprint(b.build(text, p.schema))
		} else if text == anyOther {
			key = b.text(keyOf(&place{name: name}), &structural.Structural{})
		}
		out[key] = b.build(name+"["+text+"]", values)
	}
	for _, c := range b.others(name) {
		key := c.text(keyOf(&place{name: name}), &structural.Structural{})
		if _, taken := out[key]; taken {
			key += strconv.Itoa(len(out))
		}
		out[key] = c.build(name+"["+anyOther+"]", values)
	}
	least, _, _ := b.bounds("size "+name, nil)
	for i := 0; len(out) < limited(least); i++ {
		out["filler"+strconv.Itoa(i)] = b.build(name+"["+anyOther+"]", values)
	}
	return out
}

func (b *builder) buildList(name string, s *structural.Structural) any {
	out := []any{}
	least, _, _ := b.bounds("size "+name, s)
	if _, most := (&place{schema: s}).lengths(); b.style.isLarge && isFlat(s.Items) {
		least = max(least, min(most, largeList))
	}
	named := 0
	if p := b.m.places[name]; p != nil {
		named = b.m.named[p.path].items
	}
	for i := range limited(least) {
		at := strconv.Itoa(i)
		if i == named {
			at = anyOther
		} else if i > named {
			break
		}
		out = append(out, b.build(name+"["+at+"]", s.Items))
	}
	for _, c := range b.others(name) {
		out = append(out, c.build(name+"["+anyOther+"]", s.Items))
	}
	for _, c := range slices.Sorted(maps.Keys(b.in)) {
		if text, ok := strings.CutSuffix(b.m.names[c], " in "+name); ok && b.in[c] {
			if text, err := strconv.Unquote(text); err == nil {
				out = append(out, text)
			}
		}
	}
	for len(out) < limited(least) {
		out = append(out, b.build(name+"["+anyOther+"]", s.Items))
	}
	return out
}

// isFlat reports whether values have no lists in them, and no objects in each other. Lists of others grow.
func isFlat(s *structural.Structural) bool {
	if s == nil || s.Type == "array" || s.AdditionalProperties != nil {
		return false
	}
	for _, p := range s.Properties {
		if p.Type == "object" || p.Type == "array" {
			return false
		}
	}
	return true
}

// others returns builders of items of a list, or values of a map, that have a condition besides their presence.
func (b *builder) others(name string) (out []*builder) {
	for _, c := range slices.Sorted(maps.Keys(b.in)) {
		for _, o := range b.m.others {
			if b.in[c] && o.like == name+"["+anyOther+"]" && o.holds == b.m.condition(b.m.names[c]) {
				out = append(out, b.another(o.like, o.said))
			}
		}
	}
	return out
}

// another builds an item with a condition. The item is valid for its schema and rules, satisfies no condition that must
// not hold for another item, and agrees with everything that is known, as far as possible.
func (b *builder) another(first string, said formula) *builder {
	out := b.restricted(said, first)
	add := func(f formula) {
		if next := b.m.and(out, b.restricted(f, first)); next != never {
			out = next
		}
	}
	for _, a := range b.m.axioms {
		if a.at != nil && strings.HasPrefix(a.at.name, first) {
			add(a.holds)
		}
	}
	for _, o := range b.m.others {
		if o.like == first && !b.m.holds(o.holds, b.in) {
			add(b.m.not(o.said))
		}
	}
	for _, a := range b.m.axioms {
		add(a.holds)
	}
	if out == never {
		return b
	}
	in := b.m.example(out)
	for c, yes := range b.in {
		if !strings.Contains(b.m.about(c), first) {
			in[c] = yes
		}
	}
	return &builder{m: b.m, in: in, number: b.number, given: b.given, style: b.style}
}

// restricted returns the formula for one place, if everything else is as in the example.
func (b *builder) restricted(f formula, first string) formula {
	if f == never || f == always {
		return f
	}
	d := b.m.nodes[f]
	if strings.Contains(b.m.about(d.condition), first) {
		return b.m.ifelse(b.m.decide(decision{d.condition, never, always}), b.restricted(d.yes, first),
			b.restricted(d.no, first))
	}
	if b.in[d.condition] {
		return b.restricted(d.yes, first)
	}
	return b.restricted(d.no, first)
}

// A rank says that an integer is larger than another one, by some number or more.
type rank struct {
	larger, smaller string
	by              int64
}

// ranks returns the order of integers in an example.
func (b *builder) ranks() (out []rank) {
	for _, o := range b.m.orders {
		switch {
		case b.m.holds(o.below, b.in):
			out = append(out, rank{o.b.key(), o.a.key(), 1})
		case b.m.holds(o.above, b.in):
			out = append(out, rank{o.a.key(), o.b.key(), 1})
		}
	}
	for _, key := range slices.Sorted(maps.Keys(b.m.distances)) {
		d := b.m.distances[key]
		near, far, _ := b.within(b.m.scale(d.term))
		for _, r := range []rank{{d.a.key(), d.b.key(), near}, {d.b.key(), d.a.key(), -far}} {
			if -largestShift <= r.by && r.by <= largestShift { // otherwise it is not known how far they are apart
				out = append(out, r)
			}
		}
	}
	return out
}

// ordered returns a value of an integer that is larger than those that must be below it.
func (b *builder) ordered(name string, least int64) int64 {
	if b.lows == nil {
		b.lows = map[string]int64{}
		ranks := b.ranks()
		for _, r := range ranks {
			for _, name := range []string{r.larger, r.smaller} {
				b.lows[name], _, _ = b.alone(name, nil)
			}
		}
		isChanged := true
		for n := 0; n <= len(b.lows) && isChanged && b.m.spend(1+len(ranks)); n++ { // some orders are cycles
			isChanged = false
			for _, r := range ranks {
				if low := b.lows[r.smaller]; low < math.MaxInt64-largestShift && low+r.by > b.lows[r.larger] {
					b.lows[r.larger], isChanged = low+r.by, true
				}
			}
		}
	}
	if low, ok := b.lows[name]; ok {
		return max(least, low)
	}
	return least
}

// limited returns a number of items or of letters, as far as an example has so many.
func limited(n int64) int { return int(min(n, effort.SymbolicSize.Most)) }

// unique returns a number for a name, another one for each.
func (b *builder) unique(name string) int {
	n, ok := b.number[name]
	if !ok {
		n = len(b.number)
		b.number[name] = n
	}
	return n
}
