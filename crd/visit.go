// Code generated from internal/support of crdproof. DO NOT EDIT.

package crd

import "slices"

// This file follows the structure of a schema to validate an object. In a valid object it allocates nothing.

// Check validates a value of a type as kube-openapi does (pkg/validation/validate). Of a value of another type, all
// constraints are checked that are about values of its kind.
func (v *Validation) Check(value any, t *Type) {
	switch x := value.(type) {
	case string:
		if !t.hasText(x) {
			v.checkText(x, t)
		}
	case map[string]any:
		v.checkObject(x, t)
		v.checkFields(x, t, t.Needs)
	case []any:
		v.checkKind(value, t, "array")
		v.checkItems(x, t)
		v.checkList(value, t)
	case *goPart:
		if x.isPartial {
			v.checkFields(x.value.(map[string]any), t, nil)
		} else if x.value != nil {
			v.Check(x.value, t)
		}
	default:
		v.checkScalar(value, t)
	}
}

// checkKind checks the type of a value of a kind, and what does not depend on it: the depth of a value with parts that
// the schema does not describe, allOf, anyOf, oneOf and not.
func (v *Validation) checkKind(value any, t *Type, kind string) {
	if t.Preserve || t.Open {
		v.bounded(value)
	}
	if t.more != nil {
		v.checkMore(value, t, kind)
		return
	}
	switch {
	case t.IntOrString:
		v.CheckType(value, "integer,string", "")
	case t.Name != kind && t.Name != "":
		v.CheckType(value, t.Name, "")
	}
}

// checkScalar checks a value that is not a string, a list or an object.
func (v *Validation) checkScalar(value any, t *Type) {
	kind := ""
	switch value.(type) {
	case nil:
		if kind = "null"; t.Nullable && t.more == nil {
			v.checkEnum(value, t)
			return
		}
	case bool:
		kind = "boolean"
	case int64:
		if kind = "number"; t.Name == "integer" {
			kind = t.Name
		}
	case float64:
		kind = "number"
	}
	v.checkKind(value, t, kind)
	if t.more != nil {
		v.checkNumber(value, t.more.number)
	}
	v.checkEnum(value, t)
}

// hasText reports whether a string is certainly a value of a type.
func (t *Type) hasText(value string) bool {
	return t.allowsLength(value) && (t.more == nil || t.more.hasText(value))
}

// allowsText is hasText for one that is not counted.
func (t *Type) allowsText(value string) bool {
	return t.allowsLength(value) && (t.more == nil || t.more.allows(value))
}

// allowsLength reports whether a string has an allowed length, and is one of those that are allowed.
func (t *Type) allowsLength(value string) bool {
	return (t.Name == "string" || t.Name == "") && (t.MaxLength == 0 || !IsLonger(value, t.MaxLength)) &&
		(t.MinLength == 0 || !isShorter(value, t.MinLength)) && (t.Only == nil || slices.Contains(t.Only, value))
}

// checkText reports the errors of a string: the first one of length and pattern, and one of the format in addition.
func (v *Validation) checkText(value string, t *Type) {
	if t.Name != "string" || t.more != nil {
		v.checkKind(value, t, "string")
	}
	m := t.more
	switch {
	case t.MaxLength > 0 && IsLonger(value, t.MaxLength):
		v.tooLong(t.MaxLength)
	case m != nil && m.maxLength != nil && IsLonger(value, *m.maxLength):
		v.tooLong(*m.maxLength)
	case t.MinLength > 0 && isShorter(value, t.MinLength):
		v.tooShort(value, t.MinLength)
	case m != nil && !m.matches(value):
		v.mismatches(value, m.pattern)
	}
	if m != nil && !m.isFormatted(value) {
		v.notFormat(value, m.format)
	}
	v.checkEnum(value, t)
}

// checkEnum checks that a value is one of those that are allowed.
func (v *Validation) checkEnum(value any, t *Type) {
	switch {
	case t.Only != nil:
		if text, ok := value.(string); !ok || !slices.Contains(t.Only, text) {
			v.checkTexts(value, t)
		}
	case t.more != nil && t.more.enum != nil:
		v.checkAllowed(value, t.more.enum)
	}
}

// checkTexts checks that a value is one of the strings that are allowed.
func (v *Validation) checkTexts(value any, t *Type) {
	allowed := make([]any, len(t.Only))
	for i, text := range t.Only {
		allowed[i] = text
	}
	v.checkAllowed(value, allowed)
}

// checkObject validates an object without its fields.
func (v *Validation) checkObject(object map[string]any, t *Type) {
	if t.Name != "object" || t.more != nil || t.Preserve || t.Open {
		v.checkKind(object, t, "object")
	}
	v.checkEnum(object, t)
	m := t.more
	if m == nil {
		return
	}
	if size := len(object); size < m.minFields {
		v.tooFewFields(size, m.minFields)
	}
	if size := len(object); m.maxFields != nil && size > *m.maxFields {
		v.tooManyFields(size, *m.maxFields)
	}
	if m.isClosed {
		v.forbidFields(object)
	}
}

// checkList validates a list without its type and its items.
func (v *Validation) checkList(value any, t *Type) {
	items, _ := value.([]any)
	m, size := t.more, len(items)
	if size < t.MinItems {
		v.tooFewItems(size, t.MinItems)
	}
	if t.MaxItems > 0 && size > t.MaxItems {
		v.tooManyItems(size, t.MaxItems)
	}
	if m != nil && m.maxItems != nil && size > *m.maxItems {
		v.tooManyItems(size, *m.maxItems)
	}
	if m != nil && m.isUnique {
		v.uniqueItems(items)
	}
	v.checkEnum(value, t)
}

// checkItems validates the items of a list.
func (v *Validation) checkItems(items []any, t *Type) {
	if t.Items == nil {
		return
	}
	for i, item := range items {
		if text, ok := item.(string); ok && t.Items.hasText(text) {
			continue
		}
		if v.isDone() || v.isFull() && !v.quiet && v.junctor == 0 { // no error is added any more
			return
		}
		v.path.item(i)
		v.Check(item, t.Items)
		v.path.leave()
	}
}

// checkFields validates the fields of an object in the order of their names, and that those are there that it needs.
func (v *Validation) checkFields(object map[string]any, t *Type, needs []string) {
	if t.Values != nil {
		v.eachValue(object, t.Values, (*Validation).Check)
	}
	left := needs // if they are sorted as the fields are, all are found on the way
	if looksUp(len(t.Fields), len(object)) || !v.checkFew(object, t) {
		for i := range t.Fields {
			f := &t.Fields[i]
			field, ok := object[f.Name]
			if !ok {
				continue
			}
			if len(left) > 0 && left[0] == f.Name {
				left = left[1:]
			}
			if text, ok := field.(string); ok && f.Type.hasText(text) {
				continue
			}
			v.path.field(f.Name)
			v.Check(field, f.Type)
			v.path.leave()
		}
	}
	for _, name := range left {
		if _, ok := object[name]; !ok {
			v.requireFields(object, needs...)
			return
		}
	}
}

// checkFew validates an object with few of its known fields in no order, and reports whether that is all: there are no
// errors, or none is reported.
func (v *Validation) checkFew(object map[string]any, t *Type) bool {
	quiet, failures, matches := v.quiet, v.failures, v.Matches
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
	v.failures, v.Matches = failures, matches
	return false
}

func (v *Validation) checkField(name string, field any, t *Type) {
	if text, ok := field.(string); ok && t.hasText(text) {
		return
	}
	v.path.field(name)
	v.Check(field, t)
	v.path.leave()
}

// eachValue visits the values of a map. It sorts the keys only if there are errors.
func (v *Validation) eachValue(object map[string]any, t *Type, visit func(*Validation, any, *Type)) {
	quiet, failures, matches := v.quiet, v.failures, v.Matches
	v.quiet = true
	for name, value := range object {
		v.valueAt(name, value, t, visit)
	}
	v.quiet = quiet
	if quiet || v.failures == failures {
		return
	}
	v.failures, v.Matches = failures, matches
	for _, name := range sortedKeys(object) {
		v.valueAt(name, object[name], t, visit)
	}
}

func (v *Validation) valueAt(name string, value any, t *Type, visit func(*Validation, any, *Type)) {
	v.path.key(name)
	visit(v, value, t)
	v.path.leave()
}

// CheckLists checks lists of type set and map for duplicates (apiextensions-apiserver, pkg/apiserver/schema/listtype).
func (v *Validation) CheckLists(value any, t *Type) {
	value = uncertain(value)
	if items, ok := value.([]any); ok {
		switch t.ListType {
		case "set":
			v.listSet(v.wholeItems(items))
		case "map":
			v.listMap(v.wholeItems(items), t.ListKeys...)
		}
	}
	v.inside(value, t, Lists, (*Validation).CheckLists)
}

// checkNewLists is checkLists for an object. In an update, duplicates are errors only if the old object has none.
func (v *Validation) checkNewLists(object map[string]any, t *Type) {
	if v.old == nil || v.repeatsNothing(v.old, t) {
		v.CheckLists(object, t)
	}
}

// CheckResource validates the metadata of embedded resources (apiextensions-apiserver,
// pkg/apiserver/schema/objectmeta).
func (v *Validation) CheckResource(value any, t *Type) {
	value = uncertain(value)
	if object, ok := value.(map[string]any); ok && t.Embedded {
		v.embeddedResource(object)
	}
	v.checkResources(value, t)
}

// checkResources validates the metadata of the resources in a value.
func (v *Validation) checkResources(value any, t *Type) {
	v.inside(value, t, Resources, (*Validation).CheckResource)
}

// inside visits the parts of a value in which there may be something.
func (v *Validation) inside(value any, t *Type, what Content, visit func(*Validation, any, *Type)) {
	switch value := value.(type) {
	case map[string]any:
		if t.Values != nil && t.Values.Has&what != 0 {
			v.eachValue(value, t.Values, visit)
		}
		for i := range t.Fields {
			f := &t.Fields[i]
			if f.Type.Has&what == 0 {
				continue
			}
			if field, ok := value[f.Name]; ok {
				v.path.field(f.Name)
				visit(v, field, f.Type)
				v.path.leave()
			}
		}
	case *flatObject:
		for i := range value.members {
			if m := &value.members[i]; m.typ != nil && m.typ.Has&what != 0 {
				visit(v, m.value, m.typ)
			}
		}
	case []any:
		if t.Items == nil || t.Items.Has&what == 0 {
			return
		}
		for i, item := range value {
			v.path.item(i)
			visit(v, item, t.Items)
			v.path.leave()
		}
	}
}
