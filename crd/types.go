// Code generated from internal/support of crdproof. DO NOT EDIT.

package crd

import (
	"maps"
	"strings"
	"sync"
	"sync/atomic"
)

// Types are the structures of the kinds of a package as data. A kind's are read when they are first needed.
type Types struct {
	// Data has a line for each structure: its name, a space, and a JSON object. Empty lines are ignored. The members of
	// the object are the keywords of a CRD with the same meaning:
	//
	//	type, nullable, format, pattern, enum, minLength, maxLength, minimum, maximum, exclusiveMinimum,
	//	exclusiveMaximum, multipleOf, minItems, maxItems, uniqueItems, minProperties, maxProperties, required,
	//	properties, items, additionalProperties, anyOf, oneOf, allOf, not
	//
	// In place of a structure there may be the name of another line. These members are others:
	//
	//	defaults            the defaults of properties, by name
	//	itemDefault         the default of items, and valueDefault that of additionalProperties
	//	listType, listKeys  x-kubernetes-list-type and x-kubernetes-list-map-keys
	//	preserve            x-kubernetes-preserve-unknown-fields
	//	intOrString         x-kubernetes-int-or-string
	//	open                an object may have any fields, in which everything is unknown
	//	closed              an object has no other fields
	//	root                it is the structure of the objects of a kind
	//	embedded            x-kubernetes-embedded-resource
	//	resource            the structure of an embedded resource that rules see, if it is another one
	//	ignored             the server ignores the format
	//	textual             there are strings of the format
	//	counted             it is below anyOf or oneOf
	//	rules               a list of rules, see below
	//
	// The members of rules are:
	//
	//	check              the position of the rule in RuleSet.Checks, from 1
	//	fault              the error of a rule that does not compile; it has no other members
	//	message, reason    as in a CRD
	//	text               the rule, if it has no message
	//	path               leads to the field of the error
	//	transition         the rule reads the old value
	//	optional           optionalOldSelf
	//	messageExpression  the position of the messageExpression in RuleSet.Messages, from 1
	//	messageText        the messageExpression itself, if its cost is counted
	//
	// A member is only ever added.
	Data string
	// Matchers are the regular expressions that have automata.
	Matchers []*Matcher
	// HasFormat checks the formats that need another library, named without dashes; nil if there are none.
	HasFormat func(format, value string) bool
	// HasAnyRange is set for a server that does not know the ranges of numbers that formats have.
	HasAnyRange bool

	known atomic.Pointer[map[string]*Type]
	mutex sync.Mutex
	// lines are the JSON texts by their names.
	lines map[string]string
	// readers are *flatReader that are not in use.
	readers sync.Pool
}

// Type returns the structure of a name.
func (t *Types) Type(name string) *Type {
	if known := t.known.Load(); known != nil {
		if typ := (*known)[name]; typ != nil {
			return typ
		}
	}
	return t.read(name)
}

// read reads a structure and all that it refers to.
func (t *Types) read(name string) *Type {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.lines == nil {
		t.lines = map[string]string{}
		for line := range strings.Lines(t.Data) {
			if name, text, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " "); ok {
				t.lines[name] = text
			}
		}
	}
	r := typeReader{of: t, types: map[string]*Type{}}
	if known := t.known.Load(); known != nil {
		maps.Copy(r.types, *known)
	}
	typ := r.named(name)
	t.known.Store(&r.types)
	return typ
}

// A typeReader reads structures.
type typeReader struct {
	of    *Types
	types map[string]*Type
}

// named returns the structure of a name.
func (r *typeReader) named(name string) *Type {
	if t := r.types[name]; t != nil {
		return t
	}
	members, _ := decode([]byte(r.of.lines[name]), nil, nil, nil)
	if members == nil {
		panic(changedHelpers)
	}
	t := r.typ(members)
	r.types[name] = t
	return t
}

// typ returns the structure of the text of a line, or of one that a line names.
func (r *typeReader) typ(value any) *Type {
	if name, ok := value.(string); ok {
		return r.named(name)
	}
	members := dataOf[map[string]any](value)
	t, m := &Type{}, &constraints{}
	for name, value := range members {
		if !r.structure(t, m, name, value) && !r.constraint(t, m, name, value) && !m.numbers(name, value) {
			panic(changedHelpers)
		}
	}
	r.finish(t, m)
	return t
}

// dataOf returns a value of data, which has a type.
func dataOf[T any](value any) T {
	x, ok := value.(T)
	if !ok {
		panic(changedHelpers)
	}
	return x
}

// structure sets what a member says about the parts of values, and reports whether it does.
func (r *typeReader) structure(t *Type, m *constraints, name string, value any) bool {
	switch name {
	case "type":
		t.Name = dataOf[string](value)
	case "properties":
		properties := dataOf[map[string]any](value)
		for _, name := range sortedKeys(properties) {
			t.Fields = append(t.Fields, TypeField{name, r.typ(properties[name])})
		}
	case "defaults":
		defaults := dataOf[map[string]any](value)
		for _, name := range sortedKeys(defaults) {
			t.Defaults = append(t.Defaults, Default{name, defaults[name]})
		}
	case "items":
		t.Items = r.typ(value)
	case "itemDefault":
		t.ItemDefault = value
	case "additionalProperties":
		t.Values = r.typ(value)
	case "valueDefault":
		t.ValueDefault = value
	case "resource":
		t.Resource = r.typ(value)
	case "listType":
		t.ListType = dataOf[string](value)
	case "listKeys":
		t.ListKeys = textsOf(value)
	case "nullable":
		t.Nullable = true
	case "preserve":
		t.Preserve = true
	case "intOrString":
		t.IntOrString = true
	case "open":
		t.Open = true
	case "root":
		t.Embedded = true
	case "embedded":
		t.Embedded, m.isResource = true, true
	case "rules":
		for i, data := range dataOf[[]any](value) {
			rule := readRule(dataOf[map[string]any](data))
			rule.At = i
			t.rules = append(t.rules, rule)
		}
	default:
		return false
	}
	return true
}

// textsOf returns a list of strings.
func textsOf(value any) (texts []string) {
	for _, item := range dataOf[[]any](value) {
		texts = append(texts, dataOf[string](item))
	}
	return texts
}

// constraint sets what a member says about values, and reports whether it does.
func (r *typeReader) constraint(t *Type, m *constraints, name string, value any) bool {
	switch name {
	case "format":
		t.Format = dataOf[string](value)
	case "ignored":
		m.ignoresFormat = true
	case "textual":
		m.hasTexts = true
	case "pattern":
		m.pattern = dataOf[string](value)
	case "enum":
		m.enum = dataOf[[]any](value)
	case "required":
		t.Needs = textsOf(value)
	case "minLength":
		t.MinLength = int(dataOf[int64](value))
	case "maxLength":
		setMost(&t.MaxLength, &m.maxLength, value)
	case "minItems":
		t.MinItems = int(dataOf[int64](value))
	case "maxItems":
		setMost(&t.MaxItems, &m.maxItems, value)
	case "minProperties":
		m.minFields = int(dataOf[int64](value))
	case "maxProperties":
		most := int(dataOf[int64](value))
		m.maxFields = &most
	case "uniqueItems":
		m.isUnique = true
	case "closed":
		m.isClosed = true
	case "counted":
		m.isCounted = true
	case "anyOf":
		m.anyOf = r.typesOf(value)
	case "oneOf":
		m.oneOf = r.typesOf(value)
	case "allOf":
		m.allOf = r.typesOf(value)
	case "not":
		m.not = r.typ(value)
	default:
		return false
	}
	return true
}

// setMost sets a limit, which has two places: a pointer if it is not positive.
func setMost(positive *int, other **int, value any) {
	if most := int(dataOf[int64](value)); most > 0 {
		*positive = most
	} else {
		*other = &most
	}
}

// typesOf returns a list of structures.
func (r *typeReader) typesOf(value any) (types []*Type) {
	for _, item := range dataOf[[]any](value) {
		types = append(types, r.typ(item))
	}
	return types
}

// numbers sets what a member says about numbers, and reports whether it does.
func (m *constraints) numbers(name string, value any) bool {
	if m.number == nil {
		m.number = &Number{}
	}
	set := func(b *Bound) {
		b.Set = true
		switch x := value.(type) {
		case int64:
			b.Value = float64(x)
		default:
			b.Value = dataOf[float64](x)
		}
	}
	switch name {
	case "minimum":
		set(&m.number.Minimum)
	case "maximum":
		set(&m.number.Maximum)
	case "exclusiveMinimum":
		m.number.Minimum.Exclusive = true
	case "exclusiveMaximum":
		m.number.Maximum.Exclusive = true
	case "multipleOf":
		set(&m.number.MultipleOf)
	default:
		return false
	}
	return true
}

// readRule returns the rule of its members.
func readRule(members map[string]any) (rule Rule) {
	for name, value := range members {
		switch name {
		case "check":
			rule.check = int(dataOf[int64](value))
		case "fault":
			rule.fault = dataOf[string](value)
		case "message":
			rule.Message = dataOf[string](value)
		case "text":
			rule.Text = dataOf[string](value)
		case "reason":
			rule.Reason = reasonType(dataOf[string](value))
		case "path":
			rule.Path = dataOf[string](value)
		case "transition":
			rule.Transition = true
		case "optional":
			rule.isOptional = true
		case "messageExpression":
			rule.message = int(dataOf[int64](value))
		case "messageText":
			rule.messageText = dataOf[string](value)
		default:
			panic(changedHelpers)
		}
	}
	return rule
}
