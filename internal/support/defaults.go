package support

// setDefaults drops the nulls in a value that are not nullable and have no default, and sets defaults
// (apiextensions-apiserver, pkg/apiserver/schema/defaulting). The API server walks an object twice. One walk has the
// same result, since defaults are complete, and nulls in defaults are not dropped.
func (t *crdType) setDefaults(value any) {
	switch value := value.(type) {
	case map[string]any:
		t.setInObject(value)
	case []any:
		t.setInList(value)
	}
}

func (t *crdType) setInObject(object map[string]any) {
	if object == nil {
		return // it takes no defaults
	}
	if t.values == nil && crdLooksUp(len(t.fields), len(object)) {
		for i := range t.fields {
			f := &t.fields[i]
			if field, ok := object[f.name]; ok {
				t.setInField(object, f.name, field, f.typ)
			}
		}
	} else {
		for name, field := range object {
			if field == nil || crdHolds(field) {
				t.setInField(object, name, field, t.member(name))
			}
		}
	}
	for i := range t.defaults {
		d := &t.defaults[i]
		if _, ok := object[d.name]; !ok {
			object[d.name] = d.value()
		}
	}
}

// setInField sets defaults in a field of a type, or replaces null.
func (t *crdType) setInField(object map[string]any, name string, field any, typ *crdType) {
	switch field := field.(type) {
	case nil:
		if typ != nil && !typ.nullable {
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
func (t *crdType) setInList(list []any) {
	if t.items == nil || t.itemDefault == nil && t.items.isScalar() {
		return
	}
	for i, item := range list {
		switch {
		case item != nil:
			t.items.setDefaults(item)
		case t.itemDefault != nil && !t.items.nullable:
			list[i] = t.itemDefault()
		}
	}
}

// isScalar reports whether the type describes nothing in its values.
func (t *crdType) isScalar() bool { return len(t.fields) == 0 && t.values == nil && t.items == nil }

// replaceNull replaces a null that the schema does not allow by the default, or drops it.
func (t *crdType) replaceNull(object map[string]any, name string) {
	if value := t.defaultOf(name); value != nil {
		object[name] = value()
		return
	}
	delete(object, name)
}

// defaultOf returns the default of a field, nil if there is none.
func (t *crdType) defaultOf(name string) func() any {
	if t.field(name) == nil {
		return t.valueDefault
	}
	for i := range t.defaults {
		if t.defaults[i].name == name {
			return t.defaults[i].value
		}
	}
	return nil
}

// dropNulls drops the nulls in a value that are not nullable and have no default.
func (t *crdType) dropNulls(value any) {
	switch value := value.(type) {
	case map[string]any:
		for name, field := range value {
			switch typ := t.member(name); {
			case typ == nil:
			case field != nil:
				typ.dropNulls(field)
			case !typ.nullable && t.defaultOf(name) == nil:
				delete(value, name)
			}
		}
	case []any:
		for _, item := range value {
			if t.items != nil {
				t.items.dropNulls(item)
			}
		}
	}
}
