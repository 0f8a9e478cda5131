package support

import "strings"

// This file compares values of the schema without making values of CEL of them, which would need allocations. It is
// certain or says nothing.

// A crdSameness is the result of a comparison.
type crdSameness uint8

const (
	// crdUnsure: a value may not be readable, or is not compared as JSON.
	crdUnsure crdSameness = iota
	crdIsSame
	crdDiffers
)

func crdSamenessOf(same bool) crdSameness {
	if same {
		return crdIsSame
	}
	return crdDiffers
}

// crdEqualRaw is a == b, of values with the same schema.
func crdEqualRaw(a, b any, t *crdType) crdResult[bool] {
	if same := t.compare(a, b); same != crdUnsure {
		return crdOK(same == crdIsSame)
	}
	return crdAs[bool](crdEqual(crdJSONValue(a, t), crdJSONValue(b, t)))
}

// crdNotEqualRaw is a != b, of values with the same schema.
func crdNotEqualRaw(a, b any, t *crdType) crdResult[bool] {
	if same := t.compare(a, b); same != crdUnsure {
		return crdOK(same == crdDiffers)
	}
	return crdAs[bool](crdNotEqual(crdJSONValue(a, t), crdJSONValue(b, t)))
}

// compare compares two values of the type.
func (t *crdType) compare(a, b any) crdSameness {
	if a == nil || b == nil {
		return crdUnsure
	}
	switch {
	case t.intOrString:
		return t.compareScalars(a, b)
	case t.name == "object":
		a, ok := a.(map[string]any)
		other, also := b.(map[string]any)
		if !ok || !also {
			return crdUnsure
		}
		if t.resource != nil {
			t = t.resource
		}
		return t.compareObjects(a, other)
	case t.name == "array":
		a, ok := a.([]any)
		other, also := b.([]any)
		if !ok || !also {
			return crdUnsure
		}
		return t.compareLists(a, other)
	case t.name == "" && t.preserve:
		return crdSamenessOf(crdEqualJSON(a, b))
	}
	return t.compareScalars(a, b)
}

// compareScalars compares two values that CEL reads as they are.
func (t *crdType) compareScalars(a, b any) crdSameness {
	switch a := a.(type) {
	case string:
		other, ok := b.(string)
		isText := t.name == "string" && !crdIsReadFormat(t.format) || t.intOrString
		if ok && isText {
			return crdSamenessOf(a == other)
		}
	case bool:
		if other, ok := b.(bool); ok && t.name == "boolean" {
			return crdSamenessOf(a == other)
		}
	case int64:
		if other, ok := b.(int64); ok && (t.name == "integer" || t.intOrString) {
			return crdSamenessOf(a == other)
		}
	case float64:
		if other, ok := b.(float64); ok && t.name == "number" {
			return crdSamenessOf(a == other)
		}
	}
	return crdUnsure
}

// crdIsReadFormat reports whether CEL does not see strings of a format as strings.
func crdIsReadFormat(format string) bool {
	switch format {
	case "duration", "date", "date-time", "byte":
		return true
	}
	return false
}

// compareObjects compares all fields: if the comparison of one fails, it depends on the names which one decides.
func (t *crdType) compareObjects(a, b map[string]any) crdSameness {
	if len(a) != len(b) {
		return crdDiffers
	}
	result := crdIsSame
	for name, value := range a {
		other, found := b[name]
		below := t.values
		if t.fields != nil {
			below = t.field(name)
		}
		same := crdUnsure
		switch {
		case below == nil: // see crdObject.equalField
			same = crdSamenessOf(!found || crdEqualJSON(value, other))
		case t.fields == nil && !found:
			same = crdDiffers
		case t.fields != nil && strings.Contains(name, "__"):
		case t.fields != nil && (value == nil || other == nil): // null is not there
			same = crdSamenessOf(value == nil && other == nil)
		default:
			same = below.compare(value, other)
		}
		switch same {
		case crdUnsure:
			return crdUnsure
		case crdDiffers:
			result = crdDiffers
		}
	}
	return result
}

// compareLists compares items in turn. For sets and maps it knows only that equal lists without repeated keys are
// equal.
func (t *crdType) compareLists(a, b []any) crdSameness {
	if len(a) != len(b) {
		return crdDiffers
	}
	isKeyed := t.listType == "set" || t.listType == "map"
	if t.items == nil || t.listType == "map" && t.repeatsKeys(a) {
		return crdUnsure
	}
	if t.listType == "set" && t.items.name != "string" && t.items.name != "integer" && t.items.name != "boolean" {
		return crdUnsure
	}
	for i := range a {
		if same := t.items.compare(a[i], b[i]); same != crdIsSame {
			if isKeyed {
				return crdUnsure
			}
			return same
		}
	}
	return crdIsSame
}

// repeatsKeys reports whether items of a list of type map may have the same keys, as CEL names them.
func (t *crdType) repeatsKeys(items []any) bool {
	const few = 24
	if len(items) > few {
		return true
	}
	for _, key := range t.listKeys {
		if escaped, ok := crdEscape(key); ok && escaped != key {
			return true
		}
	}
	for i := range items {
		item, _ := items[i].(map[string]any)
		for _, key := range t.listKeys {
			if item[key] == nil { // null and a missing key are the same key for CEL
				return true
			}
		}
		for j := range i {
			if crdSameKeys(items[i], items[j], t.listKeys) {
				return true
			}
		}
	}
	return false
}
