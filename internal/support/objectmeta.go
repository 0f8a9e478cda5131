package support

import (
	"strconv"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// An API server reads the metadata of objects into Go structs, and writes them back. This file does the same, unless it
// is certain that this changes nothing (apiextensions-apiserver, pkg/apiserver/schema/objectmeta).

// A crdCoercion reads the metadata of embedded resources.
type crdCoercion struct {
	path crdPath
	// unknown are the paths of unknown fields. changed is set if an object has changed.
	unknown []string
	changed bool
}

// coerce reads the metadata of the resources in a value. The metadata of a root are left.
func (c *crdCoercion) coerce(value any, t *crdType, isRoot bool) error {
	switch value := value.(type) {
	case map[string]any:
		if t.embedded && !isRoot {
			if err := c.resource(value); err != nil {
				return err
			}
		}
		if t.values != nil && t.values.has&crdResources != 0 {
			for _, name := range crdSortedKeys(value) {
				if t.field(name) == nil {
					c.path.key(name)
					if err := c.coerce(value[name], t.values, false); err != nil {
						return err
					}
					c.path.leave()
				}
			}
		}
		for i := range t.fields {
			f := &t.fields[i]
			if below, ok := value[f.name]; ok && f.typ.has&crdResources != 0 {
				c.path.field(f.name)
				if err := c.coerce(below, f.typ, false); err != nil {
					return err
				}
				c.path.leave()
			}
		}
	case []any:
		if t.items == nil || t.items.has&crdResources == 0 {
			return nil
		}
		for i, item := range value {
			c.path.item(i)
			if err := c.coerce(item, t.items, false); err != nil {
				return err
			}
			c.path.leave()
		}
	}
	return nil
}

// resource reads the metadata of an embedded resource.
func (c *crdCoercion) resource(object map[string]any) error {
	path := c.path.fieldPath
	for _, name := range []string{"apiVersion", "kind"} {
		if value, ok := object[name]; ok {
			if _, isText := value.(string); !isText {
				return field.Invalid(path().Child(name), value, "must be a string")
			}
		}
	}
	metadata := object["metadata"]
	unknown, changed, err := crdCoerceMeta(object, path)
	if err != nil {
		return field.Invalid(path().Child("metadata"), metadata, err.Error())
	}
	c.unknown, c.changed = append(c.unknown, unknown...), c.changed || changed
	return nil
}

// crdCoerceMeta reads the metadata of an object at a path, and returns the paths of unknown fields, and whether the
// object has changed. No path is that of a root.
func crdCoerceMeta(object map[string]any, path func() *field.Path) (unknown []string, changed bool, err error) {
	metadata, ok := object["metadata"]
	if !ok || crdIsPlain(metadata, &crdMetaType) {
		return nil, false, nil
	}
	var at *field.Path
	if path != nil {
		at = path()
	}
	unknown = crdUnknownMeta(nil, at.Child("metadata").String(), metadata, &crdMetaType)
	tidy := runtime.DeepCopyJSONValue(metadata) // an error shows the metadata as they are
	if crdTidyMeta(tidy, &crdMetaType); crdIsPlain(tidy, &crdMetaType) {
		object["metadata"] = tidy
		return unknown, true, nil
	}
	back, err := crdThroughMeta(metadata)
	if err != nil {
		return nil, false, err
	}
	object["metadata"] = back
	return unknown, true, nil
}

// crdTidyMeta removes what Go does not write in metadata: unknown fields, nulls, and empty values.
func crdTidyMeta(value any, t *crdType) {
	switch value := value.(type) {
	case map[string]any:
		for name, field := range value {
			below := t.member(name)
			switch {
			case below != nil && field == nil && below == &crdMetaText:
				value[name] = ""
			case below == nil && !t.preserve, below != nil && crdIsEmptyMeta(field, below):
				delete(value, name)
			case below != nil && crdHolds(field):
				crdTidyMeta(field, below)
			}
		}
	case []any:
		for i, item := range value {
			if t.items == &crdMetaText && item == nil {
				value[i] = ""
			} else if t.items != nil {
				crdTidyMeta(item, t.items)
			}
		}
	}
}

// crdIsEmptyMeta reports whether Go does not write a value in metadata.
func crdIsEmptyMeta(value any, t *crdType) bool {
	switch value := value.(type) {
	case nil:
		return true
	case string:
		return value == "" && t.minLength > 0
	case []any:
		return len(value) == 0 && t.name == "array"
	case map[string]any:
		return len(value) == 0 && t.values != nil
	}
	return false
}

// crdThroughMeta returns what is left of metadata in Go.
func crdThroughMeta(metadata any) (map[string]any, error) {
	data, err := utiljson.Marshal(metadata)
	if err != nil {
		return nil, err
	}
	var meta metav1.ObjectMeta
	if err := utiljson.Unmarshal(data, &meta); err != nil {
		return nil, err
	}
	back, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&meta)
	if meta.CreationTimestamp.IsZero() {
		delete(back, "creationTimestamp") // older versions of metav1 write null
	}
	return back, err
}

// crdUnknownMeta adds the paths of the fields in metadata that a type does not have.
func crdUnknownMeta(unknown []string, path string, value any, t *crdType) []string {
	switch value := value.(type) {
	case map[string]any:
		if t.values != nil {
			return unknown
		}
		for _, name := range crdSortedKeys(value) {
			switch below := t.member(name); {
			case below != nil:
				unknown = crdUnknownMeta(unknown, path+"."+name, value[name], below)
			case !t.preserve && len(unknown) < crdMostStrict:
				unknown = append(unknown, path+"."+name)
			}
		}
	case []any:
		for i, item := range value {
			if t.items == nil {
				break
			}
			unknown = crdUnknownMeta(unknown, path+"["+strconv.Itoa(i)+"]", item, t.items)
		}
	}
	return unknown
}

// crdIsPlain reports whether a value in metadata, of a type, is certainly what a server makes of it: all fields are
// known, have the right type, and are not empty.
func crdIsPlain(value any, t *crdType) bool {
	switch value := value.(type) {
	case string:
		return t.name == "string" && t.hasText(value) && (t.format == "" || crdIsPlainTime(value))
	case int64:
		return t.name == "integer" && value != 0
	case bool:
		return t.name == "boolean"
	case []any:
		for _, item := range value {
			if t.items == nil || !crdIsPlain(item, t.items) {
				return false
			}
		}
		return t.name == "array" && len(value) > 0
	case map[string]any:
		return t.name == "object" && crdIsPlainObject(value, t)
	}
	return false
}

func crdIsPlainObject(object map[string]any, t *crdType) bool {
	if t.preserve {
		return crdIsTree(object)
	}
	for name, field := range object {
		if below := t.member(name); below == nil || !crdIsPlain(field, below) {
			return false
		}
	}
	for _, name := range t.needs {
		if _, ok := object[name]; !ok {
			return false
		}
	}
	return t.values == nil || len(object) > 0
}

// crdIsTree reports whether a value consists of objects only, as managed fields do.
func crdIsTree(value any) bool {
	object, ok := value.(map[string]any)
	for _, field := range object {
		ok = ok && crdIsTree(field)
	}
	return ok
}

// crdIsPlainTime reports whether a time has the form in which Go writes it.
func crdIsPlainTime(text string) bool {
	at, err := time.Parse(time.RFC3339, text)
	return err == nil && !at.IsZero() && at.UTC().Format(time.RFC3339) == text
}

// The structure of metadata. A field that Go does not write if it is empty has a minimum length.
var (
	crdMetaFlag   = crdType{name: "boolean"}
	crdMetaNumber = crdType{name: "integer"}
	crdMetaText   = crdType{name: "string"}
	crdMetaTexts  = crdType{name: "object", values: &crdMetaText}
	crdMetaName   = crdType{name: "string", minLength: 1}
	crdMetaTime   = crdType{name: "string", format: "date-time"}
	crdMetaType   = crdType{name: "object", fields: []crdTypeField{
		{"annotations", &crdMetaTexts},
		{"creationTimestamp", &crdMetaTime},
		{"deletionGracePeriodSeconds", &crdMetaNumber},
		{"deletionTimestamp", &crdMetaTime},
		{"finalizers", &crdType{name: "array", items: &crdMetaText}},
		{"generateName", &crdMetaName},
		{"generation", &crdMetaNumber},
		{"labels", &crdMetaTexts},
		{"managedFields", &crdType{name: "array", items: &crdType{name: "object", fields: []crdTypeField{
			{"apiVersion", &crdMetaName},
			{"fieldsType", &crdMetaName},
			{"fieldsV1", &crdType{name: "object", preserve: true}},
			{"manager", &crdMetaName},
			{"operation", &crdMetaName},
			{"subresource", &crdMetaName},
			{"time", &crdMetaTime},
		}}}},
		{"name", &crdMetaName},
		{"namespace", &crdMetaName},
		{"ownerReferences", &crdType{name: "array", items: &crdType{
			name: "object", needs: []string{"apiVersion", "kind", "name", "uid"}, fields: []crdTypeField{
				{"apiVersion", &crdMetaText},
				{"blockOwnerDeletion", &crdMetaFlag},
				{"controller", &crdMetaFlag},
				{"kind", &crdMetaText},
				{"name", &crdMetaText},
				{"uid", &crdMetaText},
			}}}},
		{"resourceVersion", &crdMetaName},
		{"selfLink", &crdMetaName},
		{"uid", &crdMetaName},
	}}
)
