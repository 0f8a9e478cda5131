package build

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/markers"
)

// jsonValue turns a marker's value into the JSON value that controller-gen makes of it.
func jsonValue(v markers.Value) schema.Value {
	switch v.Kind {
	case markers.Bool:
		return schema.Value{Kind: schema.Bool, Text: v.Text}
	case markers.Int:
		if i, ok := v.Int64(); ok {
			return schema.Value{Kind: schema.NumberKind, Text: strconv.FormatInt(i, 10)}
		}
		return schema.Value{Kind: schema.NumberKind, Text: v.Text}
	case markers.Number:
		f, _ := v.Float64()
		return schema.Value{Kind: schema.NumberKind, Text: floatText(f)}
	case markers.String:
		return schema.Value{Kind: schema.String, Text: v.Text}
	case markers.List:
		out := schema.Value{Kind: schema.Array}
		for _, item := range v.Items {
			out.Items = append(out.Items, jsonValue(item))
		}
		return out
	case markers.Map:
		out := schema.Value{Kind: schema.Object}
		for _, m := range v.Members {
			out.Members = append(out.Members, schema.Member{Key: m.Key, Value: jsonValue(m.Value)})
		}
		slices.SortStableFunc(out.Members, func(a, b schema.Member) int { return strings.Compare(a.Key, b.Key) })
		return out
	default:
		return schema.Value{Kind: schema.Null}
	}
}

// floatText is the JSON literal of a number that went through float64, as it does in the API types.
func floatText(f float64) string {
	data, err := json.Marshal(f)
	if err != nil {
		return "0"
	}
	return string(data)
}

// throughFloat replaces the numbers in a value by what is left of them in a float64, which is how controller-gen reads
// +default.
func throughFloat(v schema.Value) schema.Value {
	if v.Kind == schema.NumberKind {
		f, _ := strconv.ParseFloat(v.Text, 64)
		v.Text = floatText(f)
	}
	v.Items = slices.Clone(v.Items)
	for i := range v.Items {
		v.Items[i] = throughFloat(v.Items[i])
	}
	v.Members = slices.Clone(v.Members)
	for i := range v.Members {
		v.Members[i].Value = throughFloat(v.Members[i].Value)
	}
	return v
}

// numberValue is the value of a numeric keyword.
func numberValue(n *schema.Number) float64 {
	f, _ := strconv.ParseFloat(n.V, 64)
	return f
}

// jsonString is the JSON literal of a string; it is what controller-gen sorts constants by.
func jsonString(s string) string {
	data, err := json.Marshal(s)
	if err != nil {
		return s
	}
	return string(data)
}
