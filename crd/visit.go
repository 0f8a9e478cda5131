// Code generated from internal/support of crdproof. DO NOT EDIT.

package crd

import "slices"

// This file follows the structure of a schema to validate an object. In a valid object it allocates nothing.

// Check validates a value of a type as kube-openapi does (pkg/validation/validate). Of a value of another type, all
// constraints are checked that are about values of its kind.
func (v *Validation) Check(value any, t *Type) {
	if t.Own != nil {
		t.Own(v, value)
	}
	switch x := value.(type) {
	case string:
		if t.Own == nil && !t.hasText(x) {
			v.checkText(x, t)
		}
		return
	case map[string]any:
		if t.Own == nil && (t.Name != "object" || t.Preserve || t.Open) {
			v.checkKind(value, t, "object")
		}
		v.checkFields(x, t)
	case []any:
		if t.Own == nil && (t.Name != "array" || t.Preserve || t.Open) {
			v.checkKind(value, t, "array")
		}
		v.checkItems(x, t)
	default:
		if t.Own == nil {
			v.checkScalar(value, t)
		}
	}
	if t.Only != nil {
		v.CheckEnum(value, t)
	}
}

// checkKind checks the type of a value of a kind, and the depth of one with parts that the schema does not describe.
func (v *Validation) checkKind(value any, t *Type, kind string) {
	if t.Preserve || t.Open {
		v.Bounded(value)
	}
	switch {
	case t.IntOrString:
		v.CheckType(value, "integer,string", "")
	case t.Name != kind && t.Name != "":
		v.CheckType(value, t.Name, "")
	}
}

// checkScalar checks the type of a value that is not a string, a list or an object.
func (v *Validation) checkScalar(value any, t *Type) {
	kind := ""
	switch value.(type) {
	case nil:
		if t.Nullable {
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
func (t *Type) hasText(value string) bool {
	return (t.Name == "string" || t.Name == "") && (t.MaxLength == 0 || !IsLonger(value, t.MaxLength)) &&
		(t.MinLength == 0 || !isShorter(value, t.MinLength)) && (t.Only == nil || slices.Contains(t.Only, value))
}

// checkText reports the errors of a string.
func (v *Validation) checkText(value string, t *Type) {
	if t.Name != "string" {
		v.checkKind(value, t, "string")
	}
	switch {
	case t.MaxLength > 0 && IsLonger(value, t.MaxLength):
		v.TooLong(t.MaxLength)
	case t.MinLength > 0 && isShorter(value, t.MinLength):
		v.TooShort(value, t.MinLength)
	}
	if t.Only != nil {
		v.CheckEnum(value, t)
	}
}

// CheckEnum checks that a value is one of the strings that are allowed.
func (v *Validation) CheckEnum(value any, t *Type) {
	allowed := make([]any, len(t.Only))
	for i, text := range t.Only {
		allowed[i] = text
	}
	v.Enum(value, allowed)
}

func (v *Validation) checkItems(items []any, t *Type) {
	if t.Items != nil {
		for i, item := range items {
			if text, ok := item.(string); ok && t.Items.Own == nil && t.Items.hasText(text) {
				continue
			}
			if v.isDone() {
				return
			}
			v.path.item(i)
			v.Check(item, t.Items)
			v.path.leave()
		}
	}
	if t.MinItems > 0 && len(items) < t.MinItems {
		v.TooFewItems(len(items), t.MinItems)
	}
	if t.MaxItems > 0 && len(items) > t.MaxItems {
		v.TooManyItems(len(items), t.MaxItems)
	}
}

// checkFields validates the fields of an object in the order of their names, and that the required ones are there.
func (v *Validation) checkFields(object map[string]any, t *Type) {
	if t.Values != nil {
		v.eachValue(object, t.Values, (*Validation).Check)
	}
	left := t.Needs // if they are sorted as the fields are, all are found on the way
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
			if text, ok := field.(string); ok && f.Type.Own == nil && f.Type.hasText(text) {
				continue
			}
			v.path.field(f.Name)
			v.Check(field, f.Type)
			v.path.leave()
		}
	}
	for _, name := range left {
		if _, ok := object[name]; !ok {
			v.Required(object, t.Needs...)
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
	if text, ok := field.(string); ok && t.Own == nil && t.hasText(text) {
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
	if items, ok := value.([]any); ok {
		switch t.ListType {
		case "set":
			v.listSet(items)
		case "map":
			v.listMap(items, t.ListKeys...)
		}
	}
	v.inside(value, t, Lists, (*Validation).CheckLists)
}

// CheckNewLists is checkLists for an object. In an update, duplicates are errors only if the old object has none.
func (v *Validation) CheckNewLists(object map[string]any, t *Type) {
	if v.old == nil || v.repeatsNothing(v.old, t) {
		v.CheckLists(object, t)
	}
}

// CheckResource validates the metadata of embedded resources (apiextensions-apiserver,
// pkg/apiserver/schema/objectmeta).
func (v *Validation) CheckResource(value any, t *Type) {
	if object, ok := value.(map[string]any); ok && t.Embedded {
		v.embeddedResource(object)
	}
	v.CheckResources(value, t)
}

// CheckResources validates the metadata of the resources in a value.
func (v *Validation) CheckResources(value any, t *Type) {
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
