package harness

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// children are the keys or indices of a value.
func children(v any) []string {
	var list []string
	switch v := v.(type) {
	case map[string]any:
		list = slices.Sorted(maps.Keys(v))
	case []any:
		for i := range v {
			list = append(list, strconv.Itoa(i))
		}
	}
	return list
}

// child is the value under a key or an index.
func child(v any, key string) any {
	switch v := v.(type) {
	case map[string]any:
		if value, ok := v[key]; ok {
			return value
		}
	case []any:
		if i, err := strconv.Atoi(key); err == nil && i < len(v) {
			return v[i]
		}
	}
	return absent{}
}

// at is the value at a path.
func at(v any, path []string) any {
	for _, key := range path {
		v = child(v, key)
	}
	return v
}

// pathInText is where the server names a path in the text alone.
var pathInText = regexp.MustCompile(` in (spec[.\[].*)$|^"(spec[.\[].*)" must validate`)

// rejectedPath is where in the object the server finds something wrong.
func rejectedPath(e *field.Error, object any) []string {
	text := e.Field
	if m := pathInText.FindStringSubmatch(e.Detail); m != nil && !strings.HasPrefix(text, "spec") {
		text = m[1] + m[2]
	}
	path, rest := resolve(object, "."+text)
	if rest = strings.Trim(rest, ".[]"); rest != "" {
		path = append(path, rest) // what is required and not there
	}
	return path
}

// resolve takes a path of the server, such as .spec.f1[0].f2, apart by the value that it leads into: keys of maps may
// have dots and brackets, too. What leads nowhere is the rest.
func resolve(v any, text string) (path []string, rest string) {
	rest = text
	for _, key := range children(v) {
		for _, form := range []string{"." + key, "[" + key + "]"} {
			behind, ok := strings.CutPrefix(text, form)
			if !ok || behind != "" && behind[0] != '.' && behind[0] != '[' {
				continue
			}
			if deeper, left := resolve(child(v, key), behind); len(left) < len(rest) {
				path, rest = append([]string{key}, deeper...), left
			}
		}
	}
	return path, rest
}

// culprit returns the path of the smallest part that Go cannot read even alone. It ends with the key of a map where the
// key is what cannot be read.
func (c *checker) culprit(object map[string]any) ([]string, error) {
	var path []string
	rebuild := func(v any) any { return v } // the object around a value, without its other fields
	isUnreadable := func(v any) (bool, error) {
		reply, err := c.read(v)
		return reply.Error != "", err
	}
	for here := any(object); ; {
		key, found, around := "", false, rebuild
		for _, k := range children(here) {
			inner := func(v any) any { return around(map[string]any{k: v}) }
			if _, isList := here.([]any); isList {
				inner = func(v any) any { return around([]any{v}) }
			}
			bad, err := isUnreadable(inner(child(here, k)))
			if err != nil {
				return nil, err
			}
			if bad {
				key, found, rebuild = k, true, inner
				break
			}
		}
		if !found {
			return path, nil
		}
		path, here = append(path, key), child(here, key)
		if isKey, err := isUnreadable(rebuild(nil)); isKey || err != nil {
			return path, err
		}
	}
}
