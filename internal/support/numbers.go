package support

import (
	"cmp"
	"fmt"
	"math"
	"strconv"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// A crdNumber has the constraints of a schema on numbers.
type crdNumber struct {
	// typ is "integer", "number", or "" if the schema allows several types or has none; format is a format of the
	// type.
	typ, format string
	// multipleOf is never exclusive.
	multipleOf, minimum, maximum crdBound
}

// A crdBound is a limit of numbers.
type crdBound struct {
	set       bool
	value     float64
	exclusive bool
}

// number checks a number, an int64 or a float64 (kube-openapi, pkg/validation/validate, numberValidator). Generated
// code calls it only if the number may be invalid.
func (v *crdValidation) number(value any, n *crdNumber) {
	v.checkRange(value, n, "Checked")
	v.bound(value, n, n.multipleOf, "MultipleOf", (*crdValidation).checkMultiple)
	v.bound(value, n, n.minimum, "Minimum boundary", (*crdValidation).checkMinimum)
	v.bound(value, n, n.maximum, "Maximum boundary", (*crdValidation).checkMaximum)
}

// bound checks one bound. A bound that does not fit the schema's type is an error for every value, and is then
// compared as a float.
func (v *crdValidation) bound(value any, n *crdNumber, b crdBound, name string,
	check func(v *crdValidation, value any, b crdBound)) {
	if !b.set {
		return
	}
	if !v.checkRange(b.value, n, name) {
		if i, ok := value.(int64); ok {
			value = float64(i)
		}
	}
	check(v, value, b)
}

// checkRange reports a number that does not fit the schema's type, and returns whether it fits.
func (v *crdValidation) checkRange(value any, n *crdNumber, what string) bool {
	if crdInRange(value, n) {
		return true
	}
	if v.failsNow() {
		format := "with format " + n.format
		if n.format == "" {
			format = "(default format)"
		}
		sentence := fmt.Sprintf("%s value must be of type %s %s in %s", what, n.typ, format, v.path.value())
		v.report(sentence, &field.Error{Type: field.ErrorTypeInvalid, Field: crdNoField, BadValue: "",
			Detail: sentence})
	}
	return false
}

// crdInRange reports whether a number, as it is written, fits a type and a format (IsValueValidAgainstRange).
func crdInRange(value any, n *crdNumber) bool {
	i, isInt := value.(int64)
	switch {
	case isInt:
		return n.format != "int32" || i >= math.MinInt32 && i <= math.MaxInt32
	case n.typ == "integer":
		bits := 64
		if n.format == "int32" {
			bits = 32
		}
		_, err := strconv.ParseInt(strconv.FormatFloat(value.(float64), 'f', -1, 64), 10, bits)
		return err == nil
	case n.format == "float":
		_, err := strconv.ParseFloat(strconv.FormatFloat(value.(float64), 'f', -1, 64), 32)
		return err == nil
	}
	return true
}

// checkMaximum reports a number that is greater than a limit.
func (v *crdValidation) checkMaximum(value any, b crdBound) { v.checkSide(value, b, "less than", 1) }

// checkMinimum reports a number that is less than a limit.
func (v *crdValidation) checkMinimum(value any, b crdBound) {
	v.checkSide(value, b, "greater than", -1)
}

// checkSide reports a number on the wrong side of a limit: wrong is its order then.
func (v *crdValidation) checkSide(value any, b crdBound, side string, wrong int) {
	limit := any(b.value)
	order := 0
	switch value := value.(type) {
	case int64:
		limit = crdInt64(b.value)
		order = cmp.Compare(value, crdInt64(b.value))
	case float64:
		order = cmp.Compare(value, b.value)
	}
	if order == wrong || b.exclusive && order == 0 {
		v.beyond(value, side, limit, b.exclusive)
	}
}

// beyond reports a number on the wrong side of a limit. It may equal a limit that is not exclusive.
func (v *crdValidation) beyond(value any, side string, limit any, exclusive bool) {
	if !exclusive {
		side += " or equal to"
	}
	if v.failsNow() {
		v.reportValue(field.ErrorTypeInvalid, value,
			fmt.Sprintf("%s in body should be %s %v", v.path.value(), side, limit))
	}
}

// checkMultiple reports a number that is not a multiple of another.
func (v *crdValidation) checkMultiple(value any, b crdBound) {
	var factor any = b.value
	positive, multiple := b.value > 0, false
	if i, isInt := value.(int64); isInt {
		f := crdInt64(b.value)
		factor, positive = f, f > 0
		multiple = positive && i%f == 0
	} else if f := value.(float64); b.value < 1 {
		multiple = crdIsInteger(1 / b.value * f)
	} else {
		multiple = crdIsInteger(f / b.value)
	}
	switch path := v.path.value(); {
	case positive && multiple:
	case !v.failsNow():
	case !positive:
		v.reportValue(field.ErrorTypeInvalid, factor,
			fmt.Sprintf("factor MultipleOf declared for %s must be positive: %v", path, factor))
	default:
		v.reportValue(field.ErrorTypeInvalid, value, fmt.Sprintf("%s in body should be a multiple of %v", path, factor))
	}
}

// crdInt64 is a limit as an integer, for comparisons with integers. A limit that is too large becomes the smallest
// integer, as on the processors of API servers.
func crdInt64(f float64) int64 {
	if f >= -1<<63 && f < 1<<63 {
		return int64(f)
	}
	return math.MinInt64
}
