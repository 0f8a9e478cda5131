package support

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// A Number has the constraints of a schema on numbers.
type Number struct {
	// Type is "integer", "number", or "" if the schema allows several types or has none; format is a format of the
	// type.
	Type, Format string
	// MultipleOf is never exclusive.
	MultipleOf, Minimum, Maximum Bound

	// An integer from least to most that is a multiple of factor is valid, none if isEmpty is set.
	least, most, factor int64
	isEmpty             bool
}

// prepare computes which integers are valid.
func (n *Number) prepare() {
	n.least, n.most, n.factor = math.MinInt64, math.MaxInt64, 1
	if n.Type == "integer" && n.Format == "int32" {
		n.least, n.most = math.MinInt32, math.MaxInt32
	}
	for _, b := range []Bound{n.MultipleOf, n.Minimum, n.Maximum} {
		n.isEmpty = n.isEmpty || b.Set && !inRange(b.Value, n)
	}
	if n.MultipleOf.Set {
		n.factor = toInt64(n.MultipleOf.Value)
		n.isEmpty = n.isEmpty || n.factor <= 0
	}
	if b := n.Minimum; b.Set {
		low := toInt64(b.Value)
		n.isEmpty = n.isEmpty || b.Exclusive && low == math.MaxInt64
		if b.Exclusive {
			low++
		}
		n.least = max(n.least, low)
	}
	if b := n.Maximum; b.Set {
		high := toInt64(b.Value)
		n.isEmpty = n.isEmpty || b.Exclusive && high == math.MinInt64
		if b.Exclusive {
			high--
		}
		n.most = min(n.most, high)
	}
}

// hasInteger reports whether an integer is valid.
func (n *Number) hasInteger(i int64) bool {
	return !n.isEmpty && i >= n.least && i <= n.most && (n.factor == 1 || i%n.factor == 0)
}

// hasFloat reports whether a float is certainly valid.
func (n *Number) hasFloat(f float64) bool {
	low, high := n.Minimum, n.Maximum
	return n.Type != "integer" && n.Format != "float" && !n.MultipleOf.Set &&
		(!low.Set || f > low.Value || f == low.Value && !low.Exclusive) &&
		(!high.Set || f < high.Value || f == high.Value && !high.Exclusive)
}

// checkNumber checks a number; the constraints may be nil.
func (v *Validation) checkNumber(value any, n *Number) {
	if n == nil {
		return
	}
	isValid := true
	switch x := value.(type) {
	case int64:
		isValid = n.hasInteger(x)
	case float64:
		isValid = n.hasFloat(x)
	}
	if !isValid {
		v.checkBounds(value, n)
	}
}

// A Bound is a limit of numbers.
type Bound struct {
	Set       bool
	Value     float64
	Exclusive bool
}

// checkBounds checks a number, an int64 or a float64 (kube-openapi, pkg/validation/validate, numberValidator). It is
// called only if the number may be invalid.
func (v *Validation) checkBounds(value any, n *Number) {
	v.checkRange(value, n, "Checked")
	v.bound(value, n, n.MultipleOf, "MultipleOf", (*Validation).checkMultiple)
	v.bound(value, n, n.Minimum, "Minimum boundary", (*Validation).checkMinimum)
	v.bound(value, n, n.Maximum, "Maximum boundary", (*Validation).checkMaximum)
}

// bound checks one bound. A bound that does not fit the schema's type is an error for every value, and is then
// compared as a float.
func (v *Validation) bound(value any, n *Number, b Bound, name string,
	check func(v *Validation, value any, b Bound)) {
	if !b.Set {
		return
	}
	if !v.checkRange(b.Value, n, name) {
		if i, ok := value.(int64); ok {
			value = float64(i)
		}
	}
	check(v, value, b)
}

// checkRange reports a number that does not fit the schema's type, and returns whether it fits.
func (v *Validation) checkRange(value any, n *Number, what string) bool {
	if inRange(value, n) {
		return true
	}
	if v.failsNow() {
		format := "with format " + n.Format
		if n.Format == "" {
			format = "(default format)"
		}
		sentence := fmt.Sprintf("%s value must be of type %s %s in %s", what, n.Type, format, v.path.value())
		v.report("format", sentence, &field.Error{Type: field.ErrorTypeInvalid, Field: noField, BadValue: "",
			Detail: sentence})
	}
	return false
}

// inRange reports whether a number, as it is written, fits a type and a format (IsValueValidAgainstRange).
func inRange(value any, n *Number) bool {
	i, isInt := value.(int64)
	switch {
	case isInt:
		return n.Format != "int32" || i >= math.MinInt32 && i <= math.MaxInt32
	case n.Type == "integer":
		bits := 64
		if n.Format == "int32" {
			bits = 32
		}
		_, err := strconv.ParseInt(strconv.FormatFloat(value.(float64), 'f', -1, 64), 10, bits)
		return err == nil
	case n.Format == "float":
		_, err := strconv.ParseFloat(strconv.FormatFloat(value.(float64), 'f', -1, 64), 32)
		return err == nil
	}
	return true
}

// checkMaximum reports a number that is greater than a limit.
func (v *Validation) checkMaximum(value any, b Bound) { v.checkSide(value, b, "less than", 1) }

// checkMinimum reports a number that is less than a limit.
func (v *Validation) checkMinimum(value any, b Bound) {
	v.checkSide(value, b, "greater than", -1)
}

// checkSide reports a number on the wrong side of a limit: wrong is its order then.
func (v *Validation) checkSide(value any, b Bound, side string, wrong int) {
	limit := any(b.Value)
	order := 0
	switch value := value.(type) {
	case int64:
		limit = toInt64(b.Value)
		order = cmp.Compare(value, toInt64(b.Value))
	case float64:
		order = cmp.Compare(value, b.Value)
	}
	if order == wrong || b.Exclusive && order == 0 {
		v.beyond(value, side, limit, b.Exclusive)
	}
}

// beyond reports a number on the wrong side of a limit. It may equal a limit that is not exclusive.
func (v *Validation) beyond(value any, side string, limit any, exclusive bool) {
	if !exclusive {
		side += " or equal to"
	}
	keyword := "maximum"
	if strings.HasPrefix(side, "greater") {
		keyword = "minimum"
	}
	if v.failsNow() {
		v.reportValue(keyword, field.ErrorTypeInvalid, value,
			fmt.Sprintf("%s in body should be %s %v", v.path.value(), side, limit))
	}
}

// checkMultiple reports a number that is not a multiple of another.
func (v *Validation) checkMultiple(value any, b Bound) {
	var factor any = b.Value
	positive, multiple := b.Value > 0, false
	if i, isInt := value.(int64); isInt {
		f := toInt64(b.Value)
		factor, positive = f, f > 0
		multiple = positive && i%f == 0
	} else if f := value.(float64); b.Value < 1 {
		multiple = isInteger(1 / b.Value * f)
	} else {
		multiple = isInteger(f / b.Value)
	}
	switch path := v.path.value(); {
	case positive && multiple:
	case !v.failsNow():
	case !positive:
		v.reportValue("multipleOf", field.ErrorTypeInvalid, factor,
			fmt.Sprintf("factor MultipleOf declared for %s must be positive: %v", path, factor))
	default:
		v.reportValue("multipleOf", field.ErrorTypeInvalid, value,
			fmt.Sprintf("%s in body should be a multiple of %v", path, factor))
	}
}

// toInt64 is a limit as an integer, for comparisons with integers. A limit that is too large becomes the smallest
// integer, as on the processors of API servers.
func toInt64(f float64) int64 {
	if f >= -1<<63 && f < 1<<63 {
		return int64(f)
	}
	return math.MinInt64
}
