package lower

import (
	"encoding/json"
	"strconv"

	"github.com/crdproof/crdproof/generator/schema"
)

// roundedNumber is what controller-gen makes of numbers that it reads as float64: bounds, and all of +default.
func roundedNumber(v *schema.Value) string { return schema.RoundedNumber(v.Text) }

// guessedNumber is what controller-gen makes of numbers in values of any type: an int64 of what looks like an integer.
func guessedNumber(v *schema.Value) string {
	if i, ok := v.Int64(); ok && v.Kind == schema.Integer {
		return strconv.FormatInt(i, 10)
	}
	return roundedNumber(v)
}

// number returns the literal of a number; theirs is controller-gen's way to write it.
func (ap applier) number(v *schema.Value, theirs func(*schema.Value) string) string {
	if ap.opts.Compat {
		return theirs(v)
	}
	exact := schema.CanonicalNumber(v.Text)
	if exact != theirs(v) {
		ap.differs(v.At, numbersExact, v.At)
	}
	return exact
}

// value is number for any kind of value.
func (ap applier) value(v *schema.Value, theirs func(*schema.Value) string) schema.Value {
	if ap.opts.Compat {
		return v.WithNumbers(theirs)
	}
	exact := v.Canonical()
	if !exact.Equal(v.WithNumbers(theirs)) {
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
