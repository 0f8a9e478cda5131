package support

import "strings"

// This file compares values of the schema without making values of CEL of them, which would need allocations. It is
// certain or says nothing.

// A sameness is the result of a comparison.
type sameness uint8

const (
	// unsure: a value may not be readable, or is not compared as JSON.
	unsure sameness = iota
	isSame
	differs
)

func samenessOf(same bool) sameness {
	if same {
		return isSame
	}
	return differs
}

// EqualRaw is a == b, of values with the same schema.
func EqualRaw(a, b any, t *Type) Result[bool] {
	if same := t.compare(a, b); same != unsure {
		return OK(same == isSame)
	}
	return As[bool](Equal(JSONValue(a, t), JSONValue(b, t)))
}

// NotEqualRaw is a != b, of values with the same schema.
func NotEqualRaw(a, b any, t *Type) Result[bool] {
	if same := t.compare(a, b); same != unsure {
		return OK(same == differs)
	}
	return As[bool](NotEqual(JSONValue(a, t), JSONValue(b, t)))
}

// compare compares two values of the type.
func (t *Type) compare(a, b any) sameness {
	if a == nil || b == nil {
		return unsure
	}
	switch {
	case t.IntOrString:
		return t.compareScalars(a, b)
	case t.Name == "object":
		a, ok := asMap(a)
		other, also := asMap(b)
		if !ok || !also {
			return unsure
		}
		if t.Resource != nil {
			t = t.Resource
		}
		return t.compareObjects(a, other)
	case t.Name == "array":
		a, ok := a.([]any)
		other, also := b.([]any)
		if !ok || !also {
			return unsure
		}
		return t.compareLists(a, other)
	case t.Name == "" && t.Preserve:
		return samenessOf(equalJSON(a, b))
	}
	return t.compareScalars(a, b)
}

// compareScalars compares two values that CEL reads as they are.
func (t *Type) compareScalars(a, b any) sameness {
	switch a := a.(type) {
	case string:
		other, ok := b.(string)
		isText := t.Name == "string" && !isReadFormat(t.Format) || t.IntOrString
		if ok && isText {
			return samenessOf(a == other)
		}
	case bool:
		if other, ok := b.(bool); ok && t.Name == "boolean" {
			return samenessOf(a == other)
		}
	case int64:
		if other, ok := b.(int64); ok && (t.Name == "integer" || t.IntOrString) {
			return samenessOf(a == other)
		}
	case float64:
		if other, ok := b.(float64); ok && t.Name == "number" {
			return samenessOf(a == other)
		}
	}
	return unsure
}

// isReadFormat reports whether CEL does not see strings of a format as strings.
func isReadFormat(format string) bool {
	switch format {
	case "duration", "date", "date-time", "byte":
		return true
	}
	return false
}

// compareObjects compares all fields: if the comparison of one fails, it depends on the names which one decides.
func (t *Type) compareObjects(a, b map[string]any) sameness {
	if len(a) != len(b) {
		return differs
	}
	result := isSame
	for name, value := range a {
		other, found := b[name]
		below := t.Values
		if t.Fields != nil {
			below = t.field(name)
		}
		same := unsure
		switch {
		case below == nil: // see schemaObject.equalField
			same = samenessOf(!found || equalJSON(value, other))
		case t.Fields == nil && !found:
			same = differs
		case t.Fields != nil && strings.Contains(name, "__"):
		case t.Fields != nil && (value == nil || other == nil): // null is not there
			same = samenessOf(value == nil && other == nil)
		default:
			same = below.compare(value, other)
		}
		switch same {
		case unsure:
			return unsure
		case differs:
			result = differs
		}
	}
	return result
}

// compareLists compares items in turn. For sets and maps it knows only that equal lists without repeated keys are
// equal.
func (t *Type) compareLists(a, b []any) sameness {
	if len(a) != len(b) {
		return differs
	}
	isKeyed := t.ListType == "set" || t.ListType == "map"
	if t.Items == nil || t.ListType == "map" && t.repeatsKeys(a) {
		return unsure
	}
	if t.ListType == "set" && t.Items.Name != "string" && t.Items.Name != "integer" && t.Items.Name != "boolean" {
		return unsure
	}
	for i := range a {
		if same := t.Items.compare(a[i], b[i]); same != isSame {
			if isKeyed {
				return unsure
			}
			return same
		}
	}
	return isSame
}

// repeatsKeys reports whether items of a list of type map may have the same keys, as CEL names them.
func (t *Type) repeatsKeys(items []any) bool {
	const few = 24
	if len(items) > few {
		return true
	}
	for _, key := range t.ListKeys {
		if escaped, ok := escape(key); ok && escaped != key {
			return true
		}
	}
	for i := range items {
		for _, key := range t.ListKeys {
			if value, _, _ := fieldOf(items[i], key); value == nil { // null and a missing key are the same key for CEL
				return true
			}
		}
		for j := range i {
			if sameKeys(items[i], items[j], t.ListKeys) {
				return true
			}
		}
	}
	return false
}
