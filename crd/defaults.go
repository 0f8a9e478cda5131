// Code generated from internal/support of crdproof. DO NOT EDIT.

package crd

// setDefaults drops the nulls in a value that are not nullable and have no default, and sets defaults
// (apiextensions-apiserver, pkg/apiserver/schema/defaulting). The API server walks an object twice. One walk has the
// same result, since defaults are complete, and nulls in defaults are not dropped.
func (t *Type) setDefaults(value any) {
	switch value := value.(type) {
	case map[string]any:
		t.setInObject(value)
	case []any:
		t.setInList(value)
	}
}

func (t *Type) setInObject(object map[string]any) {
	if object == nil {
		return // it takes no defaults
	}
	if t.Values == nil && looksUp(len(t.Fields), len(object)) {
		for i := range t.Fields {
			f := &t.Fields[i]
			if field, ok := object[f.Name]; ok {
				t.setInField(object, f.Name, field, f.Type)
			}
		}
	} else {
		for name, field := range object {
			if field == nil || holdsParts(field) {
				t.setInField(object, name, field, t.member(name))
			}
		}
	}
	for i := range t.Defaults {
		d := &t.Defaults[i]
		if _, ok := object[d.Name]; !ok {
			object[d.Name] = copied(d.Value)
		}
	}
}

// setInField sets defaults in a field of a type, or replaces null.
func (t *Type) setInField(object map[string]any, name string, field any, typ *Type) {
	switch field := field.(type) {
	case nil:
		if typ != nil && !typ.Nullable {
			t.replaceNull(object, name)
		}
	case map[string]any:
		if typ != nil {
			typ.setInObject(field)
		}
	case []any:
		if typ != nil {
			typ.setInList(field)
		}
	}
}

// setInList sets defaults in the items of a list. A null without a default stays.
func (t *Type) setInList(list []any) {
	if t.Items == nil || t.ItemDefault == nil && t.Items.isScalar() {
		return
	}
	for i, item := range list {
		switch {
		case item != nil:
			t.Items.setDefaults(item)
		case t.ItemDefault != nil && !t.Items.Nullable:
			list[i] = copied(t.ItemDefault)
		}
	}
}

// isScalar reports whether the type describes nothing in its values.
func (t *Type) isScalar() bool { return len(t.Fields) == 0 && t.Values == nil && t.Items == nil }

// replaceNull replaces a null that the schema does not allow by the default, or drops it.
func (t *Type) replaceNull(object map[string]any, name string) {
	if value := t.defaultOf(name); value != nil {
		object[name] = copied(value)
		return
	}
	delete(object, name)
}

// defaultOf returns the default of a field, or nil.
func (t *Type) defaultOf(name string) any {
	if t.field(name) == nil {
		return t.ValueDefault
	}
	for i := range t.Defaults {
		if t.Defaults[i].Name == name {
			return t.Defaults[i].Value
		}
	}
	return nil
}

// dropNulls drops the nulls in a value that are not nullable and have no default.
func (t *Type) dropNulls(value any) {
	switch value := value.(type) {
	case map[string]any:
		for name, field := range value {
			switch typ := t.member(name); {
			case typ == nil:
			case field != nil:
				typ.dropNulls(field)
			case !typ.Nullable && t.defaultOf(name) == nil:
				delete(value, name)
			}
		}
	case []any:
		for _, item := range value {
			if t.Items != nil {
				t.Items.dropNulls(item)
			}
		}
	}
}
