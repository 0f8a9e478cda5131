package apply

import (
	"encoding/json"
	"strconv"

	"github.com/crdproof/crdproof/generator/lower/internal/options"
	"github.com/crdproof/crdproof/schema"
)

// roundedNumber is what controller-gen makes of numbers that it reads as float64: bounds, and all of +default.
func roundedNumber(v *schema.Value) string { return schema.RoundedNumber(v.Text) }

// guessedNumber is what controller-gen makes of numbers in values of any type: an int64 if it looks like an integer.
func guessedNumber(v *schema.Value) string {
	if i, ok := v.Int64(); ok && v.Kind == schema.Integer {
		return strconv.FormatInt(i, 10)
	}
	return roundedNumber(v)
}

// value returns the value of an argument; theirs is how controller-gen writes numbers.
func (ap Applier) value(v *schema.Value, theirs func(*schema.Value) string) schema.Value {
	if !ap.Opts.With(options.NumbersExact) {
		return v.WithNumbers(theirs)
	}
	exact := v.Canonical()
	if !exact.Equal(v.WithNumbers(theirs)) {
		ap.Differs(v.At, options.NumbersExact, v.At)
	}
	return exact
}

// jsonString is the JSON literal of a string. controller-gen sorts constants by it.
func jsonString(s string) string {
	data, err := json.Marshal(s)
	if err != nil {
		return s
	}
	return string(data)
}
