package mutate

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// jsonOperators change the CRD without regard to what it means.
func jsonOperators() []operator {
	value := func(name string, do func(r *rand.Rand, at spot) string) operator {
		return operator{"json: " + name, nil, func(r *rand.Rand, n *node) string {
			at := pick(r, spots(nil, "", n.crd)...)
			return at.path + ": " + do(r, at)
		}}
	}
	return []operator{
		value("wrong type", func(r *rand.Rand, at spot) string {
			v := pick[any](r, nil, true, "a", "", json.Number("1"), json.Number("1.5"), object{}, []any{}, []any{"a"},
				object{"a": "b"})
			at.set(v)
			return "set to " + text(v)
		}),
		value("removed", func(r *rand.Rand, at spot) string {
			at.remove()
			return "removed"
		}),
		value("null", func(r *rand.Rand, at spot) string {
			at.set(nil)
			return "set to null"
		}),
		value("unknown field", func(r *rand.Rand, at spot) string {
			o, ok := at.value.(object)
			if !ok {
				return ""
			}
			return set(o, pick(r, unknownKey, "Type", "maxlength", "MaxLength", "x", "", "spec "),
				pick[any](r, "a", object{}, nil))
		}),
		value("renamed", func(r *rand.Rand, at spot) string {
			o, ok := at.value.(object)
			if !ok || len(o) == 0 {
				return ""
			}
			from := pick(r, sortedKeys(o)...)
			to := pick(r, strings.ToUpper(from), strings.ToLower(from), from+"s", strings.TrimSuffix(from, "s"),
				" "+from, "."+from)
			v := o[from]
			delete(o, from)
			o[to] = v
			return from + " renamed to " + text(to)
		}),
		value("string", func(r *rand.Rand, at spot) string {
			s, ok := at.value.(string)
			if !ok {
				return ""
			}
			v := pick(r, strings.ToUpper(s), s+" ", " "+s, s+"x", s+"\n", strings.TrimSuffix(s, "s"), "\x00", "\uFFFD",
				s+"."+s)
			at.set(v)
			return "set to " + text(v)
		}),
		value("list", func(r *rand.Rand, at spot) string {
			list, ok := at.value.([]any)
			if !ok || len(list) == 0 {
				return ""
			}
			v := pick(r, append(slices.Clip(list), clone(list[0])), list[:len(list)-1], append(slices.Clip(list), nil),
				[]any{list})
			at.set(v)
			return fmt.Sprintf("%d elements, were %d", len(v), len(list))
		}),
	}
}

// A spot is one value of the JSON, and how to change it.
type spot struct {
	path   string
	value  any
	set    func(any)
	remove func()
}

// spots returns all values below one, but for what says that it is a CRD: nobody sends anything else to where CRDs go.
func spots(out []spot, path string, v any) []spot {
	switch v := v.(type) {
	case object:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if path == "" && (key == "kind" || key == "apiVersion") {
				continue
			}
			below := strings.TrimPrefix(path+"."+key, ".")
			out = append(out, spot{path: below, value: v[key], set: func(x any) { v[key] = x },
				remove: func() { delete(v, key) }})
			out = spots(out, below, v[key])
		}
	case []any:
		for i := range v {
			below := fmt.Sprintf("%s[%d]", path, i)
			out = append(out, spot{path: below, value: v[i], set: func(x any) { v[i] = x },
				remove: func() { v[i] = nil }})
			out = spots(out, below, v[i])
		}
	}
	return out
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
