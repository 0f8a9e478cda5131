// Package objects generates random objects from structural schemas: valid ones, nearly valid ones, and updates of
// them. Everything is generated from a seed.
package objects

import (
	"maps"
	"regexp"
	"slices"
	"strconv"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
)

// A node is a schema with all that the makers ask of it again and again.
type node struct {
	*structural.Structural
	// name is that of the property, or of the one above.
	name   string
	fields []*node // sorted by name
	items  *node
	values *node
	// rules are the rules around the node.
	rules literals
	root  bool
}

// literals are values that rules refer to.
type literals struct {
	strings []string
	numbers []float64
}

// newNode prepares a schema.
func newNode(name string, s *structural.Structural, above literals) *node {
	n := &node{Structural: s, name: name, rules: above}
	if len(s.XValidations) > 0 {
		own := literals{}
		for _, r := range s.XValidations {
			own.read(r.Rule + " " + r.MessageExpression)
		}
		n.rules = literals{append(own.strings, tail(above.strings)...), append(own.numbers, tail(above.numbers)...)}
	}
	for _, field := range slices.Sorted(maps.Keys(s.Properties)) {
		below := s.Properties[field]
		n.fields = append(n.fields, newNode(field, &below, n.rules))
	}
	if s.Items != nil {
		n.items = newNode(name, s.Items, n.rules)
	}
	if a := s.AdditionalProperties; a != nil && a.Structural != nil {
		n.values = newNode(name, a.Structural, n.rules)
	}
	return n
}

func tail[T any](list []T) []T { return list[:min(len(list), 12)] }

var (
	ruleString = regexp.MustCompile(`'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"`)
	ruleNumber = regexp.MustCompile(`\b\d+(?:\.\d+)?(?:e[+-]?\d+)?\b`)
)

// read takes the literals out of an expression, more or less: what is not quite right is still a value.
func (l *literals) read(expression string) {
	for _, quoted := range ruleString.FindAllString(expression, -1) {
		text := quoted[1 : len(quoted)-1]
		if plain, err := strconv.Unquote(`"` + text + `"`); err == nil {
			text = plain
		}
		l.strings = append(l.strings, text)
	}
	for _, digits := range ruleNumber.FindAllString(ruleString.ReplaceAllString(expression, ""), -1) {
		if f, err := strconv.ParseFloat(digits, 64); err == nil {
			l.numbers = append(l.numbers, f)
		}
	}
}

// field returns the node of a property, nil if it does not exist.
func (n *node) field(name string) *node {
	i, ok := slices.BinarySearchFunc(n.fields, name, func(f *node, name string) int {
		if f.name < name {
			return -1
		} else if f.name > name {
			return 1
		}
		return 0
	})
	if !ok {
		return nil
	}
	return n.fields[i]
}

// child returns the node of a member of an object, nil where the schema does not describe it.
func (n *node) child(name string) *node {
	if n == nil {
		return nil
	}
	if f := n.field(name); f != nil {
		return f
	}
	return n.values
}

func (n *node) item() *node {
	if n == nil {
		return nil
	}
	return n.items
}

// limits are the constraints of a schema and its allOf on a value.
func (n *node) limits() structural.ValueValidation {
	if n == nil || n.ValueValidation == nil {
		return structural.ValueValidation{}
	}
	out := *n.ValueValidation
	for i := range n.ValueValidation.AllOf {
		out = merge(out, n.ValueValidation.AllOf[i].ValueValidation)
	}
	return out
}

// merge adds what a junctor says to what is said already. Of two patterns the second counts.
func merge(a, b structural.ValueValidation) structural.ValueValidation {
	if b.Format != "" {
		a.Format = b.Format
	}
	if b.Pattern != "" {
		a.Pattern = b.Pattern
	}
	if b.Enum != nil {
		a.Enum = b.Enum
	}
	least := func(x, y *int64) *int64 {
		if x == nil || y != nil && *y < *x {
			return y
		}
		return x
	}
	most := func(x, y *int64) *int64 {
		if x == nil || y != nil && *y > *x {
			return y
		}
		return x
	}
	a.MaxLength, a.MaxItems, a.MaxProperties = least(a.MaxLength, b.MaxLength), least(a.MaxItems, b.MaxItems),
		least(a.MaxProperties, b.MaxProperties)
	a.MinLength, a.MinItems, a.MinProperties = most(a.MinLength, b.MinLength), most(a.MinItems, b.MinItems),
		most(a.MinProperties, b.MinProperties)
	if b.Maximum != nil && (a.Maximum == nil || *b.Maximum <= *a.Maximum) {
		a.Maximum, a.ExclusiveMaximum = b.Maximum, b.ExclusiveMaximum
	}
	if b.Minimum != nil && (a.Minimum == nil || *b.Minimum >= *a.Minimum) {
		a.Minimum, a.ExclusiveMinimum = b.Minimum, b.ExclusiveMinimum
	}
	if b.MultipleOf != nil {
		a.MultipleOf = b.MultipleOf
	}
	a.Required = append(slices.Clip(a.Required), b.Required...)
	return a
}

// A way leads from the root to a node: ".name" to a property, "[]" to items and "[*]" to values.
type way []string

// ways are those to all nodes below one, and to those that have rules.
func (n *node) ways(here way, all, ruled []way) ([]way, []way) {
	all = append(all, here)
	if len(n.XValidations) > 0 {
		ruled = append(ruled, here)
	}
	step := func(name string) way { return append(here[:len(here):len(here)], name) }
	for _, f := range n.fields {
		if !n.root || !isMeta(f.name) {
			all, ruled = f.ways(step("."+f.name), all, ruled)
		}
	}
	if n.items != nil {
		all, ruled = n.items.ways(step("[]"), all, ruled)
	}
	if n.values != nil {
		all, ruled = n.values.ways(step("[*]"), all, ruled)
	}
	return all, ruled
}
