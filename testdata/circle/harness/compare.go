package harness

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strconv"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// A finding is one place where something is not as it was.
type finding struct {
	class string
	path  []string
	said  string
}

// comparison is the state of walking through two values.
type comparison struct{ found []finding }

func (c *comparison) add(class string, path []string, format string, args ...any) {
	c.found = append(c.found, finding{class, slices.Clone(path), fmt.Sprintf(format, args...)})
}

// lossOnWrite finds what Go wrote and the server does not store: before has exact numbers, after is the server's. A
// null of a property that the server drops is not lost: the property is absent, as it may be.
func lossOnWrite(before, after any, s *apiextensionsv1.JSONSchemaProps, path []string) []finding {
	c := &comparison{}
	c.written(before, after, s, path)
	return c.found
}

func (c *comparison) written(before, after any, s *apiextensionsv1.JSONSchemaProps, path []string) {
	switch before := before.(type) {
	case map[string]any:
		stored, ok := after.(map[string]any)
		if !ok {
			c.add(classChanged, path, "an object has become %s", text(after))
			return
		}
		for _, key := range slices.Sorted(maps.Keys(before)) {
			sub, isProperty := below(s, key)
			value, ok := stored[key]
			switch {
			case !ok && before[key] == nil && isProperty:
			case !ok:
				c.add(classPruned, append(path, key), "the server drops %s", text(before[key]))
			case before[key] != nil:
				c.written(before[key], value, sub, append(path, key))
			}
		}
	case []any:
		stored, ok := after.([]any)
		if !ok || len(stored) != len(before) {
			c.add(classChanged, path, "a list of %d has become %s", len(before), text(after))
			return
		}
		for i := range before {
			sub, _ := below(s, strconv.Itoa(i))
			c.written(before[i], stored[i], sub, append(path, strconv.Itoa(i)))
		}
	case json.Number:
		if !sameNumber(before.String(), text(after)) {
			c.add(classChanged, path, "%s has become %s", before, text(after))
		}
	default:
		if before != after {
			c.add(classChanged, path, "%s has become %s", text(before), text(after))
		}
	}
}

// below is the schema of a property, a map's values or a list's items; isProperty tells the first from the others.
func below(s *apiextensionsv1.JSONSchemaProps, key string) (sub *apiextensionsv1.JSONSchemaProps, isProperty bool) {
	if s == nil {
		return nil, false
	}
	if p, ok := s.Properties[key]; ok {
		return &p, true
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		return s.AdditionalProperties.Schema, false
	}
	if s.Items != nil {
		return s.Items.Schema, false
	}
	return nil, false
}

func sameNumber(a, b string) bool {
	x, ok := new(big.Rat).SetString(a)
	y, ok2 := new(big.Rat).SetString(b)
	return ok && ok2 && x.Cmp(y) == 0
}

func text(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(data)
}

// lossOnRead finds what the server stored and Go does not write again after it has read it. Values may be written in
// another way, and zero values not at all.
func lossOnRead(stored, again any, path []string) []finding {
	c := &comparison{}
	c.read(stored, again, path)
	return c.found
}

func (c *comparison) read(stored, again any, path []string) {
	switch stored := stored.(type) {
	case map[string]any:
		object, _ := again.(map[string]any)
		for _, key := range slices.Sorted(maps.Keys(stored)) {
			if value := object[key]; value != nil {
				c.read(stored[key], value, append(path, key))
			} else if !isZero(stored[key]) {
				c.add(classLost, append(path, key), "Go reads %s and does not write it again", text(stored[key]))
			}
		}
	case []any:
		list, ok := again.([]any)
		if !ok {
			return
		}
		if len(list) < len(stored) {
			c.add(classTruncated, path, "Go reads a list of %d and writes one of %d", len(stored), len(list))
			return
		}
		for i := range stored {
			c.read(stored[i], list[i], append(path, strconv.Itoa(i)))
		}
	}
}

// zeroText is what zero values are as text: of quantities, durations and times.
var zeroText = regexp.MustCompile(
	`^([-+]?0*(\.0*)?([eE][-+]?[0-9]+|[a-zA-Zµ]*)|"0*(\.0*)?"|false|0001-01-01T00:00:00(\.0+)?Z)$`)

// isZero reports whether Go may leave a value out that it has read.
func isZero(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case bool:
		return !v
	case string:
		return zeroText.MatchString(v) || isZeroNumber(v)
	case map[string]any:
		for _, value := range v {
			if !isZero(value) {
				return false
			}
		}
		return true
	case []any:
		for _, value := range v {
			if !isZero(value) {
				return false
			}
		}
		return true
	}
	return isZeroNumber(text(v))
}

// isZeroNumber reports whether a number is one that float32 cannot tell from zero.
func isZeroNumber(text string) bool {
	x, err := strconv.ParseFloat(text, 64)
	return err == nil && math.Abs(x) < math.SmallestNonzeroFloat32
}
