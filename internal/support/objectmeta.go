package support

import (
	"maps"
	"slices"
	"strconv"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// An API server reads the metadata of objects into Go structs, and writes them back. This file does the same, unless it
// is certain that this changes nothing (apiextensions-apiserver, pkg/apiserver/schema/objectmeta).

// A coercion reads the metadata of an object, or of the embedded resources in it.
type coercion struct {
	path valuePath
	// reportPath gets the paths of unknown fields. changed is set if an object has changed.
	reportPath func(path []byte)
	changed    bool
	// text is the path of a part of metadata, and left is how many of their unknown fields may still be reported.
	text []byte
	left int
}

// coerce reads the metadata of the resources in a value. The metadata of a root are left.
func (c *coercion) coerce(value any, t *Type, isRoot bool) error {
	switch value := value.(type) {
	case map[string]any:
		if t.Embedded && !isRoot {
			if err := c.resource(value); err != nil {
				return err
			}
		}
		if t.Values != nil && t.Values.Has&Resources != 0 {
			for _, name := range sortedKeys(value) {
				if t.field(name) == nil {
					c.path.key(name)
					if err := c.coerce(value[name], t.Values, false); err != nil {
						return err
					}
					c.path.leave()
				}
			}
		}
		for i := range t.Fields {
			f := &t.Fields[i]
			if below, ok := value[f.Name]; ok && f.Type.Has&Resources != 0 {
				c.path.field(f.Name)
				if err := c.coerce(below, f.Type, false); err != nil {
					return err
				}
				c.path.leave()
			}
		}
	case []any:
		if t.Items == nil || t.Items.Has&Resources == 0 {
			return nil
		}
		for i, item := range value {
			c.path.item(i)
			if err := c.coerce(item, t.Items, false); err != nil {
				return err
			}
			c.path.leave()
		}
	}
	return nil
}

// resource reads the metadata of an embedded resource.
func (c *coercion) resource(object map[string]any) error {
	path := c.path.fieldPath
	for _, name := range []string{"apiVersion", "kind"} {
		if value, ok := object[name]; ok {
			if _, isText := value.(string); !isText {
				return field.Invalid(path().Child(name), value, "must be a string")
			}
		}
	}
	metadata := object["metadata"]
	if err := c.meta(object); err != nil {
		return field.Invalid(path().Child("metadata"), metadata, err.Error())
	}
	return nil
}

// meta reads the metadata of an object.
func (c *coercion) meta(object map[string]any) error {
	metadata, ok := object["metadata"]
	if !ok || isPlainValue(metadata, &metaType) {
		return nil
	}
	c.text, c.left = c.path.appendTo(c.text[:0]), mostStrict
	if len(c.text) > 0 {
		c.text = append(c.text, '.')
	}
	c.text = append(c.text, "metadata"...)
	c.findUnknown(metadata, &metaType)
	// An error shows the metadata as they are.
	if tidy := tidyMeta(metadata, &metaType); isPlainValue(tidy, &metaType) {
		object["metadata"] = tidy
		c.changed = true
		return nil
	}
	back, err := throughMeta(metadata)
	if err != nil {
		return err
	}
	object["metadata"] = back
	c.changed = true
	return nil
}

// findUnknown reports the fields in a part of metadata that a type does not have.
func (c *coercion) findUnknown(value any, t *Type) {
	above := len(c.text)
	switch value := value.(type) {
	case map[string]any:
		if t.Values != nil {
			return
		}
		for _, name := range sortedKeys(value) {
			c.text = append(append(c.text, '.'), name...)
			switch below := t.member(name); {
			case below != nil:
				c.findUnknown(value[name], below)
			case !t.Preserve && c.left > 0:
				c.left--
				c.reportPath(c.text)
			}
			c.text = c.text[:above]
		}
	case []any:
		if t.Items == nil {
			return
		}
		for i, item := range value {
			c.text = append(strconv.AppendInt(append(c.text, '['), int64(i), 10), ']')
			c.findUnknown(item, t.Items)
			c.text = c.text[:above]
		}
	}
}

// tidyMeta returns a value in metadata without what Go does not write: unknown fields, nulls, and empty values. The
// value stays as it is: what changes is copied.
func tidyMeta(value any, t *Type) any {
	switch value := value.(type) {
	case map[string]any:
		return tidyFields(value, t)
	case []any:
		if t.Items == nil {
			return value
		}
		out := slices.Clone(value)
		for i, item := range out {
			if t.Items == &metaText && item == nil {
				out[i] = ""
			} else if holdsParts(item) {
				out[i] = tidyMeta(item, t.Items)
			}
		}
		return out
	}
	return value
}

func tidyFields(object map[string]any, t *Type) map[string]any {
	var out map[string]any // nil until something changes
	change := func() map[string]any {
		if out == nil {
			out = maps.Clone(object)
		}
		return out
	}
	for name, field := range object {
		below := t.member(name)
		switch {
		case below != nil && field == nil && below == &metaText:
			change()[name] = ""
		case below == nil && !t.Preserve, below != nil && isEmptyMeta(field, below):
			delete(change(), name)
		case below != nil && holdsParts(field):
			change()[name] = tidyMeta(field, below)
		}
	}
	if out == nil {
		return object
	}
	return out
}

// isEmptyMeta reports whether Go does not write a value in metadata.
func isEmptyMeta(value any, t *Type) bool {
	switch value := value.(type) {
	case nil:
		return true
	case string:
		return value == "" && t.MinLength > 0
	case []any:
		return len(value) == 0 && t.Name == "array"
	case map[string]any:
		return len(value) == 0 && t.Values != nil
	}
	return false
}

// throughMeta returns what is left of metadata in Go.
func throughMeta(metadata any) (map[string]any, error) {
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

// isPlainValue reports whether a value in metadata, of a type, is certainly what a server makes of it: all fields are
// known, have the right type, and are not empty.
func isPlainValue(value any, t *Type) bool {
	switch value := value.(type) {
	case string:
		return isPlainString(value, t)
	case int64:
		return t.Name == "integer" && value != 0
	case bool:
		return t.Name == "boolean"
	case []any:
		for _, item := range value {
			if t.Items == nil || !isPlainValue(item, t.Items) {
				return false
			}
		}
		return t.Name == "array" && len(value) > 0
	case map[string]any:
		return t.Name == "object" && isPlainObject(value, t)
	case *flatObject:
		return t.Name == "object" && value.isPlain(t)
	}
	return false
}

func isPlainString(text string, t *Type) bool {
	return t.Name == "string" && t.hasText(text) && (t.Format == "" || isPlainTime(text))
}

func isPlainObject(object map[string]any, t *Type) bool {
	if t.Preserve {
		return isTree(object)
	}
	for name, field := range object {
		if below := t.member(name); below == nil || !isPlainValue(field, below) {
			return false
		}
	}
	for _, name := range t.Needs {
		if _, ok := object[name]; !ok {
			return false
		}
	}
	return t.Values == nil || len(object) > 0
}

// isTree reports whether a value consists of objects only, as managed fields do.
func isTree(value any) bool {
	object, ok := value.(map[string]any)
	for _, field := range object {
		ok = ok && isTree(field)
	}
	return ok
}

// isPlainTime reports whether a time has the form in which Go writes it.
func isPlainTime(text string) bool {
	at, err := time.Parse(time.RFC3339, text)
	return err == nil && !at.IsZero() && at.UTC().Format(time.RFC3339) == text
}

// The structure of metadata. A field that Go does not write if it is empty has a minimum length.
var (
	metaFlag   = Type{Name: "boolean"}
	metaNumber = Type{Name: "integer"}
	metaText   = Type{Name: "string"}
	metaTexts  = Type{Name: "object", Values: &metaText}
	metaName   = Type{Name: "string", MinLength: 1}
	metaTime   = Type{Name: "string", Format: "date-time"}
	metaType   = Type{Name: "object", Fields: []TypeField{
		{"annotations", &metaTexts},
		{"creationTimestamp", &metaTime},
		{"deletionGracePeriodSeconds", &metaNumber},
		{"deletionTimestamp", &metaTime},
		{"finalizers", &Type{Name: "array", Items: &metaText}},
		{"generateName", &metaName},
		{"generation", &metaNumber},
		{"labels", &metaTexts},
		{"managedFields", &Type{Name: "array", Items: &Type{Name: "object", Fields: []TypeField{
			{"apiVersion", &metaName},
			{"fieldsType", &metaName},
			{"fieldsV1", &Type{Name: "object", Preserve: true}},
			{"manager", &metaName},
			{"operation", &metaName},
			{"subresource", &metaName},
			{"time", &metaTime},
		}}}},
		{"name", &metaName},
		{"namespace", &metaName},
		{"ownerReferences", &Type{Name: "array", Items: &Type{
			Name: "object", Needs: []string{"apiVersion", "kind", "name", "uid"}, Fields: []TypeField{
				{"apiVersion", &metaText},
				{"blockOwnerDeletion", &metaFlag},
				{"controller", &metaFlag},
				{"kind", &metaText},
				{"name", &metaText},
				{"uid", &metaText},
			}}}},
		{"resourceVersion", &metaName},
		{"selfLink", &metaName},
		{"uid", &metaName},
	}}
)
