package confirmed

import (
	"slices"
	"strings"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/crdproof/crdproof/schema"
)

// way returns the steps from the root to a place.
func way(p *schema.Place) []*schema.Place {
	if p.Above == nil {
		return nil
	}
	return append(way(p.Above), p)
}

// A location is the way to one value in an object: keys of maps, and indices of lists.
type location []any

// locate returns the first location in a value that steps lead to.
func locate(value any, steps []*schema.Place) (location, bool) {
	if len(steps) == 0 {
		return nil, true
	}
	try := func(key, value any) (location, bool) {
		rest, ok := locate(value, steps[1:])
		return append(location{key}, rest...), ok
	}
	switch value := value.(type) {
	case map[string]any:
		if steps[0].Step == schema.InProperty {
			if inner, ok := value[steps[0].Name]; ok {
				return try(steps[0].Name, inner)
			}
			return nil, false
		}
		for _, key := range sortedKeys(value) {
			if at, ok := try(key, value[key]); ok && steps[0].Step == schema.InValues {
				return at, true
			}
		}
	case []any:
		for i, item := range value {
			if at, ok := try(i, item); ok && steps[0].Step == schema.InItems {
				return at, true
			}
		}
	}
	return nil, false
}

func sortedKeys(m map[string]any) (out []string) {
	for key := range m {
		out = append(out, key)
	}
	slices.Sort(out)
	return out
}

// in returns the value at the location.
func (at location) in(value any) (any, bool) {
	for _, key := range at {
		ok := false
		switch container := value.(type) {
		case map[string]any:
			name, _ := key.(string)
			value, ok = container[name]
		case []any:
			if i, isIndex := key.(int); isIndex && i < len(container) {
				value, ok = container[i], true
			}
		}
		if !ok {
			return nil, false
		}
	}
	return value, true
}

// absent is what with takes to remove a value.
type absent struct{}

// with returns a copy of an object with another value at the location, which ends with the key of a map if the value
// is absent.
func (at location) with(object map[string]any, value any) map[string]any {
	out := runtime.DeepCopyJSON(object)
	container, _ := at[:len(at)-1].in(out)
	switch last := at[len(at)-1]; container := container.(type) {
	case map[string]any:
		name, _ := last.(string)
		if value == (absent{}) {
			delete(container, name)
		} else {
			container[name] = runtime.DeepCopyJSONValue(value)
		}
	case []any:
		if i, ok := last.(int); ok {
			container[i] = runtime.DeepCopyJSONValue(value)
		}
	}
	return out
}

// others returns values that differ from one of a schema. Some of them may be invalid.
func others(s *structural.Structural, value any) (out []any) {
	if s == nil {
		return nil
	}
	if s.ValueValidation != nil && len(s.ValueValidation.Enum) > 0 {
		for _, e := range s.ValueValidation.Enum {
			out = append(out, e.Object)
		}
		return out
	}
	switch value := value.(type) {
	case bool:
		out = append(out, !value)
	case string:
		out = otherTexts(value)
	case int64:
		out = append(out, value+1, value-1, value*2, value/2)
	case float64:
		out = append(out, value+1, value-1)
	case []any:
		out = otherLists(s, value)
	case map[string]any:
		out = otherObjects(s, value)
	}
	return out
}

func otherTexts(text string) (out []any) {
	for _, ending := range []string{"a", "1", "b"} {
		out = append(out, text+ending, ending+text)
	}
	for i, r := range text { // a letter or a digit becomes its neighbor
		switch {
		case r >= 'a' && r < 'z', r >= 'A' && r < 'Z', r >= '0' && r < '9':
			out = append(out, text[:i]+string(r+1)+text[i+1:])
		case r == 'z', r == 'Z', r == '9':
			out = append(out, text[:i]+string(r-1)+text[i+1:])
		}
	}
	if len(text) > 0 {
		out = append(out, text[1:], text[:len(text)-1])
	}
	return append(out, "a", "b", "1", "2", "10Gi", "1h", strings.Repeat("a", 8))
}

func otherLists(s *structural.Structural, list []any) (out []any) {
	for i, item := range list {
		for _, other := range others(s.Items, item) {
			changed := slices.Clone(list)
			changed[i] = other
			out = append(out, changed, append(slices.Clone(list), other))
		}
	}
	if len(list) > 0 {
		return append(out, list[1:])
	}
	for _, item := range samples(s.Items) {
		out = append(out, []any{item})
	}
	return out
}

// maxVariants limits the other values of a part.
const maxVariants = 12

func otherObjects(s *structural.Structural, fields map[string]any) (out []any) {
	with := func(name string, value any) {
		out = append(out, location{name}.with(fields, value))
	}
	structures := map[string]*structural.Structural{}
	for name := range s.Properties {
		property := s.Properties[name]
		structures[name] = &property
	}
	for _, name := range sortedKeys(fields) {
		property := structures[name]
		if property == nil && s.AdditionalProperties != nil {
			property = s.AdditionalProperties.Structural
		}
		list := others(property, fields[name])
		for _, other := range list[:min(len(list), maxVariants)] {
			with(name, other)
		}
		with(name, absent{})
	}
	for _, name := range sortedNames(structures) {
		if _, has := fields[name]; !has {
			for _, sample := range samples(structures[name]) {
				with(name, sample)
			}
		}
	}
	if s.AdditionalProperties != nil {
		for _, sample := range samples(s.AdditionalProperties.Structural) {
			with("a", sample)
		}
	}
	if s.XPreserveUnknownFields {
		with("a", "a")
	}
	return out
}

func sortedNames(m map[string]*structural.Structural) (out []string) {
	for name := range m {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// samples returns small values that a schema may accept.
func samples(s *structural.Structural) []any {
	switch {
	case s == nil:
		return nil
	case s.ValueValidation != nil && len(s.ValueValidation.Enum) > 0:
		return []any{s.ValueValidation.Enum[0].Object}
	case s.XIntOrString, s.Type == "integer":
		return []any{int64(1)}
	}
	switch s.Type {
	case "string":
		return []any{"a", "1", "1h"}
	case "boolean":
		return []any{true}
	case "number":
		return []any{1.5}
	case "array":
		return []any{[]any{}}
	}
	return []any{sampleObject(s, 0)}
}

// maxDepth limits the objects in a sample.
const maxDepth = 6

func sampleObject(s *structural.Structural, depth int) map[string]any {
	out := map[string]any{}
	if s.ValueValidation == nil || depth == maxDepth {
		return out
	}
	for _, name := range s.ValueValidation.Required {
		property, ok := s.Properties[name]
		if !ok {
			continue
		}
		if property.Type == "object" {
			out[name] = sampleObject(&property, depth+1)
		} else if list := samples(&property); len(list) > 0 {
			out[name] = list[0]
		}
	}
	return out
}
