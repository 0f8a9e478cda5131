package symbolic

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/google/cel-go/common/types"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	celmodel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
)

// A place is a part of an object that may be there or not.
type place struct {
	name   string
	schema *structural.Structural
	// path is that of the schema, as schema.Place writes it.
	path string
	// exists is where the place is there in the object, null where it is there as null.
	exists, null formula
	// root is the root of the object, resource that of the object or of one embedded in it.
	root, resource bool
	// above is nil for the root, step leads here from it.
	above *place
	step  step
	// old is a place of the object as it was before an update.
	old bool
	// properties are those that were asked for.
	properties map[string]property
}

// A property is a place below another one, and where it is there if the other one is.
type property struct {
	*place
	there formula
}

// A step leads from a place to one below it.
type step struct {
	kind stepKind
	// name is a property, the index of an item or the key of a value; anyOther stands for an item or key that no
	// expression names.
	name string
}

type stepKind uint8

const (
	toProperty stepKind = iota
	toItem
	toValue
)

const anyOther = "*"

func (p *place) key() string { return p.name }

func newRoot(name string, schema *structural.Structural, exists formula) *place {
	return &place{
		name: name, schema: celmodel.WithTypeAndObjectMeta(schema), exists: exists, null: never,
		root: true, resource: true,
	}
}

// below returns the place that a step leads to, and where it is there if p is. It is nil where the schema has no such
// place.
func (m *model) below(p *place, s step) (*place, formula) {
	if known, ok := p.properties[s.name]; ok && s.kind == toProperty {
		return known.place, known.there
	}
	next, there := m.down(p, s)
	if next == nil {
		return nil, never
	}
	if p.null != never {
		there = m.and(m.not(p.null), there)
	}
	if known, ok := m.places[next.name]; ok {
		return known, there
	}
	next.above, next.step, next.old = p, s, p.old
	next.exists, next.null = m.and(p.exists, there), never
	if s.kind != toProperty && isNullable(next.schema) {
		next.null = m.condition("null " + next.name)
	}
	if next.schema.XEmbeddedResource {
		next.resource, next.schema = true, celmodel.WithTypeAndObjectMeta(next.schema)
	}
	m.places[next.name] = next
	m.waiting = append(m.waiting, next)
	if s.kind == toProperty {
		if p.properties == nil {
			p.properties = map[string]property{}
		}
		p.properties[s.name] = property{next, there}
	}
	return next, there
}

// down makes the place that a step leads to, with its name and its schema.
func (m *model) down(p *place, s step) (*place, formula) {
	schema, ok := p.schema.Properties[s.name]
	values := p.schema.AdditionalProperties
	switch {
	case s.kind == toProperty && ok:
		next := &place{name: p.name + fieldName(s.name), path: p.path + ".properties[" + s.name + "]", schema: &schema}
		if p.alwaysHas(s.name, &schema) {
			return next, always
		}
		return next, m.condition("has " + next.name)
	case s.kind == toItem && p.schema.Items != nil:
		next := &place{name: p.name + "[" + s.name + "]", path: p.path + ".items", schema: p.schema.Items}
		return next, m.atLeast(m.size(p), m.number(p, s.name)+1)
	case s.kind == toValue && values != nil && values.Structural != nil:
		next := &place{
			name: p.name + "[" + s.name + "]", path: p.path + ".additionalProperties", schema: values.Structural,
		}
		return next, m.condition("has " + next.name)
	}
	return nil, never
}

// fieldName returns how a property is written in the names of places.
func fieldName(property string) string {
	if strings.ContainsFunc(property, func(r rune) bool {
		return !strings.ContainsRune("_-", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		return "." + strconv.Quote(property)
	}
	return "." + property
}

// number returns the index of an item. That of any other is the first that no expression names.
func (m *model) number(p *place, item string) int64 {
	if item == anyOther {
		return int64(m.named[p.path].items)
	}
	n, _ := strconv.ParseInt(item, 10, 64) // it was written by us
	return n
}

// alwaysHas reports whether a property is there in every object that the schema admits: required, or set by its
// default. The API server validates and sets them before it runs rules. A property that is null counts as absent.
func (p *place) alwaysHas(name string, schema *structural.Structural) bool {
	switch {
	case p.resource && (name == "apiVersion" || name == "kind"),
		p.root && name == "metadata",
		name == "name" && p.above != nil && p.above.root && p.step.name == "metadata":
		return true
	case isNullable(schema):
		return false
	}
	return schema.Default.Object != nil ||
		p.schema.ValueValidation != nil && slices.Contains(p.schema.ValueValidation.Required, name)
}

// isClosed reports whether an object has no fields but those of its schema. Metadata always has others.
func (p *place) isClosed() bool {
	isMetadata := p.step.name == "metadata" && p.above != nil && p.above.resource
	return p.schema.Type == "object" && p.schema.AdditionalProperties == nil && !p.schema.XPreserveUnknownFields &&
		!isMetadata
}

// isNullable reports whether a value may be null: an enum has to say so once more.
func isNullable(schema *structural.Structural) bool {
	v := schema.ValueValidation
	isNull := func(e structural.JSON) bool { return e.Object == nil }
	return schema.Nullable && (v == nil || len(v.Enum) == 0 || slices.ContainsFunc(v.Enum, isNull))
}

// itself says when a place is there with a value other than null.
func (m *model) itself(p *place) formula { return m.and(p.exists, m.not(p.null)) }

// before returns the place in the object before the update.
func (m *model) before(p *place) *place {
	if p.above == nil {
		return m.oldRoot
	}
	q, _ := m.below(m.before(p.above), p.step)
	return q
}

// enum lists the constants that the value is one of, nil if that is not known.
func (p *place) enum() []string {
	if p.schema.ValueValidation == nil {
		return nil
	}
	var out []string
	for _, e := range p.schema.ValueValidation.Enum {
		s, ok := e.Object.(string)
		if !ok {
			return nil
		}
		if key := (constant{types.String(s)}).key(); !slices.Contains(out, key) {
			out = append(out, key)
		}
	}
	return out
}

// isDuration reports whether rules read a text as a duration.
func (p *place) isDuration() bool {
	v := p.schema.ValueValidation
	return p.schema.Type == "string" && v != nil && v.Format == "duration"
}

// numbers returns the range of an integer.
func (p *place) numbers() (low, top int64) {
	low, top = math.MinInt64, math.MaxInt64
	if v := p.schema.ValueValidation; v != nil && p.schema.Type != "string" {
		if v.Minimum != nil && math.Abs(*v.Minimum) < 1<<53 {
			low = int64(math.Ceil(*v.Minimum))
		}
		if v.Maximum != nil && math.Abs(*v.Maximum) < 1<<53 {
			top = int64(math.Floor(*v.Maximum))
		}
	}
	return low, top
}

// doubles returns the range of a double, by their order. API servers compare whole numbers with the integer part of a
// bound.
func (p *place) doubles() (low, top int64) {
	low, top = orderOf(-math.MaxFloat64), orderOf(math.MaxFloat64)
	if v := p.schema.ValueValidation; v != nil {
		if v.Minimum != nil && math.Abs(*v.Minimum) < largestExact {
			low = orderOf(min(*v.Minimum, math.Trunc(*v.Minimum)))
		}
		if v.Maximum != nil && math.Abs(*v.Maximum) < largestExact {
			top = orderOf(max(*v.Maximum, math.Trunc(*v.Maximum)))
		}
	}
	return low, top
}

// lengths returns the range of the length of a string, list or map.
func (p *place) lengths() (low, top int64) {
	low, top = 0, math.MaxInt64
	v := p.schema.ValueValidation
	if v == nil {
		return low, top
	}
	least, most := v.MinProperties, v.MaxProperties
	switch {
	case p.schema.Type == "string", p.schema.XIntOrString:
		least, most = v.MinLength, v.MaxLength
	case p.schema.Type == "array":
		least, most = v.MinItems, v.MaxItems
	}
	if least != nil {
		low = *least
	}
	if most != nil {
		top = *most
	}
	var sizes []int64
	for _, e := range v.Enum {
		s, ok := e.Object.(string)
		if !ok {
			return low, top
		}
		sizes = append(sizes, int64(utf8.RuneCountInString(s)))
	}
	if len(sizes) > 0 {
		low, top = max(low, slices.Min(sizes)), min(top, slices.Max(sizes))
	}
	return low, top
}
