package support

import "slices"

// This file follows the structure of a schema to validate an object. In a valid object it allocates nothing.

// check validates a value of a type as kube-openapi does (pkg/validation/validate). Of a value of another type, all
// constraints are checked that are about values of its kind.
func (v *crdValidation) check(value any, t *crdType) {
	if t.own != nil {
		t.own(v, value)
	}
	switch x := value.(type) {
	case string:
		if t.own == nil && !t.hasText(x) {
			v.checkText(x, t)
		}
		return
	case map[string]any:
		if t.own == nil && (t.name != "object" || t.preserve || t.open) {
			v.checkKind(value, t, "object")
		}
		v.checkFields(x, t)
	case []any:
		if t.own == nil && (t.name != "array" || t.preserve || t.open) {
			v.checkKind(value, t, "array")
		}
		v.checkItems(x, t)
	default:
		if t.own == nil {
			v.checkScalar(value, t)
		}
	}
	if t.only != nil {
		v.checkEnum(value, t)
	}
}

// checkKind checks the type of a value of a kind, and the depth of one with parts that the schema does not describe.
func (v *crdValidation) checkKind(value any, t *crdType, kind string) {
	if t.preserve || t.open {
		v.bounded(value)
	}
	switch {
	case t.intOrString:
		v.checkType(value, "integer,string", "")
	case t.name != kind && t.name != "":
		v.checkType(value, t.name, "")
	}
}

// checkScalar checks the type of a value that is not a string, a list or an object.
func (v *crdValidation) checkScalar(value any, t *crdType) {
	kind := ""
	switch value.(type) {
	case nil:
		if t.nullable {
			return
		}
	case bool:
		kind = "boolean"
	case int64, float64:
		kind = "number"
	}
	v.checkKind(value, t, kind)
}

// hasText reports whether a string is a value of a type without a function of its own.
func (t *crdType) hasText(value string) bool {
	return (t.name == "string" || t.name == "") && (t.maxLength == 0 || !crdIsLonger(value, t.maxLength)) &&
		(t.minLength == 0 || !crdIsShorter(value, t.minLength)) && (t.only == nil || slices.Contains(t.only, value))
}

// checkText reports the errors of a string.
func (v *crdValidation) checkText(value string, t *crdType) {
	if t.name != "string" {
		v.checkKind(value, t, "string")
	}
	switch {
	case t.maxLength > 0 && crdIsLonger(value, t.maxLength):
		v.tooLong(t.maxLength)
	case t.minLength > 0 && crdIsShorter(value, t.minLength):
		v.tooShort(value, t.minLength)
	}
	if t.only != nil {
		v.checkEnum(value, t)
	}
}

// checkEnum checks that a value is one of the strings that are allowed.
func (v *crdValidation) checkEnum(value any, t *crdType) {
	allowed := make([]any, len(t.only))
	for i, text := range t.only {
		allowed[i] = text
	}
	v.enum(value, allowed)
}

func (v *crdValidation) checkItems(items []any, t *crdType) {
	if t.items != nil {
		for i, item := range items {
			if text, ok := item.(string); ok && t.items.own == nil && t.items.hasText(text) {
				continue
			}
			v.path.item(i)
			v.check(item, t.items)
			v.path.leave()
		}
	}
	if t.minItems > 0 && len(items) < t.minItems {
		v.tooFewItems(len(items), t.minItems)
	}
	if t.maxItems > 0 && len(items) > t.maxItems {
		v.tooManyItems(len(items), t.maxItems)
	}
}

// checkFields validates the fields of an object in the order of their names, and that the required ones are there.
func (v *crdValidation) checkFields(object map[string]any, t *crdType) {
	if t.values != nil {
		v.eachValue(object, t.values, (*crdValidation).check)
	}
	left := t.needs // if they are sorted as the fields are, all are found on the way
	if crdLooksUp(len(t.fields), len(object)) || !v.checkFew(object, t) {
		for i := range t.fields {
			f := &t.fields[i]
			field, ok := object[f.name]
			if !ok {
				continue
			}
			if len(left) > 0 && left[0] == f.name {
				left = left[1:]
			}
			if text, ok := field.(string); ok && f.typ.own == nil && f.typ.hasText(text) {
				continue
			}
			v.path.field(f.name)
			v.check(field, f.typ)
			v.path.leave()
		}
	}
	for _, name := range left {
		if _, ok := object[name]; !ok {
			v.required(object, t.needs...)
			return
		}
	}
}

// checkFew validates an object with few of its known fields in no order, and reports whether that is all: there are no
// errors, or none is reported.
func (v *crdValidation) checkFew(object map[string]any, t *crdType) bool {
	quiet, failures, matches := v.quiet, v.failures, v.matches
	v.quiet = true
	for name, field := range object {
		if typ := t.field(name); typ != nil {
			v.checkField(name, field, typ)
		}
	}
	v.quiet = quiet
	if quiet || v.failures == failures {
		return true
	}
	v.failures, v.matches = failures, matches
	return false
}

func (v *crdValidation) checkField(name string, field any, t *crdType) {
	if text, ok := field.(string); ok && t.own == nil && t.hasText(text) {
		return
	}
	v.path.field(name)
	v.check(field, t)
	v.path.leave()
}

// eachValue visits the values of a map. It sorts the keys only if there are errors.
func (v *crdValidation) eachValue(object map[string]any, t *crdType, visit func(*crdValidation, any, *crdType)) {
	quiet, failures, matches := v.quiet, v.failures, v.matches
	v.quiet = true
	for name, value := range object {
		v.valueAt(name, value, t, visit)
	}
	v.quiet = quiet
	if quiet || v.failures == failures {
		return
	}
	v.failures, v.matches = failures, matches
	for _, name := range crdSortedKeys(object) {
		v.valueAt(name, object[name], t, visit)
	}
}

func (v *crdValidation) valueAt(name string, value any, t *crdType, visit func(*crdValidation, any, *crdType)) {
	v.path.key(name)
	visit(v, value, t)
	v.path.leave()
}

// checkLists checks lists of type set and map for duplicates (apiextensions-apiserver, pkg/apiserver/schema/listtype).
func (v *crdValidation) checkLists(value any, t *crdType) {
	if items, ok := value.([]any); ok {
		switch t.listType {
		case "set":
			v.listSet(items)
		case "map":
			v.listMap(items, t.listKeys...)
		}
	}
	v.inside(value, t, crdLists, (*crdValidation).checkLists)
}

// checkNewLists is checkLists for an object. In an update, duplicates are errors only if the old object has none.
func (v *crdValidation) checkNewLists(object map[string]any, t *crdType) {
	if v.old == nil || v.repeatsNothing(v.old, t) {
		v.checkLists(object, t)
	}
}

// checkResource validates the metadata of embedded resources (apiextensions-apiserver,
// pkg/apiserver/schema/objectmeta).
func (v *crdValidation) checkResource(value any, t *crdType) {
	if object, ok := value.(map[string]any); ok && t.embedded {
		v.embeddedResource(object)
	}
	v.checkResources(value, t)
}

// checkResources validates the metadata of the resources in a value.
func (v *crdValidation) checkResources(value any, t *crdType) {
	v.inside(value, t, crdResources, (*crdValidation).checkResource)
}

// inside visits the parts of a value in which there may be something.
func (v *crdValidation) inside(value any, t *crdType, what crdContent, visit func(*crdValidation, any, *crdType)) {
	switch value := value.(type) {
	case map[string]any:
		if t.values != nil && t.values.has&what != 0 {
			v.eachValue(value, t.values, visit)
		}
		for i := range t.fields {
			f := &t.fields[i]
			if f.typ.has&what == 0 {
				continue
			}
			if field, ok := value[f.name]; ok {
				v.path.field(f.name)
				visit(v, field, f.typ)
				v.path.leave()
			}
		}
	case []any:
		if t.items == nil || t.items.has&what == 0 {
			return
		}
		for i, item := range value {
			v.path.item(i)
			visit(v, item, t.items)
			v.path.leave()
		}
	}
}
