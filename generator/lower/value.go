package lower

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/markers"
)

// jsonValue turns a marker's value into a JSON value; number says which literal a number gets.
func jsonValue(v markers.Value, number func(markers.Value) string) schema.Value {
	switch v.Kind {
	case markers.Bool:
		return schema.Value{Kind: schema.Bool, At: v.At, Text: v.Text}
	case markers.Int, markers.Number:
		return schema.Value{Kind: schema.NumberKind, At: v.At, Text: number(v)}
	case markers.String:
		return schema.Value{Kind: schema.String, At: v.At, Text: v.Text}
	case markers.List:
		out := schema.Value{Kind: schema.Array, At: v.At}
		for _, item := range v.Items {
			out.Items = append(out.Items, jsonValue(item, number))
		}
		return out
	case markers.Map:
		out := schema.Value{Kind: schema.Object, At: v.At}
		for _, m := range v.Members {
			out.Members = append(out.Members, schema.Member{Key: m.Key, KeyAt: m.KeyAt, Value: jsonValue(m.Value, number)})
		}
		slices.SortStableFunc(out.Members, func(a, b schema.Member) int { return strings.Compare(a.Key, b.Key) })
		return out
	default:
		return schema.Value{Kind: schema.Null, At: v.At}
	}
}

// exactNumber keeps the value of a number.
func exactNumber(v markers.Value) string { return schema.CanonicalNumber(v.Text) }

// roundedNumber is what controller-gen makes of numbers that it reads as float64: bounds, and all of +default.
func roundedNumber(v markers.Value) string { return schema.RoundedNumber(v.Text) }

// guessedNumber is what controller-gen makes of numbers in values of any type: an int64 of what looks like an integer.
func guessedNumber(v markers.Value) string {
	if i, ok := v.Int64(); ok && v.Kind == markers.Int {
		return strconv.FormatInt(i, 10)
	}
	return roundedNumber(v)
}

// number returns the literal of a number; theirs is controller-gen's way to write it.
func (ap applier) number(v *markers.Value, theirs func(markers.Value) string) string {
	if ap.opts.Compat {
		return theirs(*v)
	}
	exact := exactNumber(*v)
	if exact != theirs(*v) {
		ap.differs(v.At, numbersExact, v.At)
	}
	return exact
}

// value is number for any kind of value.
func (ap applier) value(v *markers.Value, theirs func(markers.Value) string) schema.Value {
	if ap.opts.Compat {
		return jsonValue(*v, theirs)
	}
	exact := jsonValue(*v, exactNumber)
	if !exact.Equal(jsonValue(*v, theirs)) {
		ap.differs(v.At, numbersExact, v.At)
	}
	return exact
}

// jsonString is the JSON literal of a string; it is what controller-gen sorts constants by.
func jsonString(s string) string {
	data, err := json.Marshal(s)
	if err != nil {
		return s
	}
	return string(data)
}
