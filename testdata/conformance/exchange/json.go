package exchange

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/json"
)

// Decode reads an object as the API server does: numbers that are written as integers, and fit, are int64, all others
// are float64.
func Decode(data []byte) (map[string]any, error) {
	var object map[string]any
	err := json.Unmarshal(data, &object)
	return object, err
}

// Encode writes JSON that Decode reads as the same value: a float64 never looks like an integer.
func Encode(v any) []byte { return appendJSON(nil, v) }

func appendJSON(out []byte, v any) []byte {
	switch v := v.(type) {
	case map[string]any:
		if v == nil {
			return append(out, "null"...)
		}
		out = append(out, '{')
		for i, key := range slices.Sorted(maps.Keys(v)) {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(appendJSON(out, key), ':')
			out = appendJSON(out, v[key])
		}
		return append(out, '}')
	case []any:
		if v == nil {
			return append(out, "null"...)
		}
		out = append(out, '[')
		for i := range v {
			if i > 0 {
				out = append(out, ',')
			}
			out = appendJSON(out, v[i])
		}
		return append(out, ']')
	case float64:
		text := strconv.FormatFloat(v, 'g', -1, 64)
		if !strings.ContainsAny(text, ".e") {
			text += ".0"
		}
		return append(out, text...)
	case int64:
		return strconv.AppendInt(out, v, 10)
	case nil, bool, string:
		data, err := json.Marshal(v)
		if err != nil {
			panic(err) // these have JSON
		}
		return append(out, data...)
	}
	return appendJSON(out, fmt.Sprintf("a %T in an object: %#v", v, v))
}

// valueText writes a bad value with its Go type.
func valueText(v any) string {
	switch v.(type) {
	case map[string]any, []any, string, int64, float64, bool:
		return fmt.Sprintf("%T %s", v, Encode(v))
	}
	return fmt.Sprintf("%#v", v)
}
