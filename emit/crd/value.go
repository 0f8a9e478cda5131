package crd

import (
	"strconv"

	"github.com/crdproof/crdproof/generator/schema"
)

// literalValue writes a default or an example. The conversion between the versions of the API drops one that is null
// (k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1/conversion.go); a null inside of one stays.
func (e *encoder) literalValue(key string, l *schema.Literal) {
	if l == nil || l.Value.Kind == schema.Null {
		return
	}
	e.name(key)
	e.value(&l.Value)
}

func (e *encoder) enum(list []schema.EnumValue) {
	if len(list) == 0 {
		return
	}
	e.name("enum:")
	in := e.beginList()
	for i := range list {
		e.item()
		e.value(&list[i].Value)
	}
	e.indent -= in
}

// value writes a JSON value.
func (e *encoder) value(v *schema.Value) {
	switch v.Kind {
	case schema.Null:
		e.raw("null")
	case schema.Bool:
		e.raw(v.Text)
	case schema.NumberKind:
		e.inline = false
		e.out = append(e.out, ' ')
		e.out = appendNumber(e.out, v.Text)
	case schema.String:
		e.scalar(v.Text)
	case schema.Array:
		if len(v.Items) == 0 {
			e.raw("[]")
			return
		}
		in := e.beginList()
		for i := range v.Items {
			e.item()
			e.value(&v.Items[i])
		}
		e.indent -= in
	case schema.Object:
		if len(v.Members) == 0 {
			e.raw("{}")
			return
		}
		e.object(v.Members)
	}
}

func (e *encoder) object(list []schema.Member) {
	e.indent += step
	base := len(e.members)
	for i := range list {
		e.members = append(e.members, &list[i])
	}
	sortMembers(e.members[base:])
	for i := range list {
		m := e.members[base+i]
		e.key(m.Key)
		e.value(&m.Value)
	}
	e.members = e.members[:base]
	e.indent -= step
}

// exactDigits is the number of decimal digits that a float64 always keeps.
const exactDigits = 15

// isShortInteger reports whether a JSON number is an integer that every reader takes exactly and prints unchanged.
func isShortInteger(lit string) bool {
	digits := lit
	if digits != "" && digits[0] == '-' {
		digits = digits[1:]
	}
	if digits == "" || len(digits) > exactDigits || digits[0] == '0' && lit != "0" {
		return false
	}
	for i := 0; i < len(digits); i++ {
		if digits[i] < '0' || digits[i] > '9' {
			return false
		}
	}
	return true
}

// appendNumber appends a number of a JSON value. On its way through the internal version it is an int64 where it is
// written as one that fits, and a float64 otherwise.
func appendNumber(out []byte, lit string) []byte {
	if isShortInteger(lit) {
		return append(out, lit...)
	}
	if n, err := strconv.ParseInt(lit, 10, 64); err == nil {
		return strconv.AppendInt(out, n, 10)
	}
	return appendFloat(out, lit)
}

// appendFloat appends a number whose Go type is float64. Two printers act on it: encoding/json writes integers below
// 1e21 with all their digits; of those, the YAML encoder takes what fits 64 bits, signed or not, for an integer, and
// prints everything else with the fewest digits, from 1e+21 down to 1e-05 and below in exponent form.
func appendFloat(out []byte, lit string) []byte {
	if isShortInteger(lit) {
		return append(out, lit...)
	}
	f, err := strconv.ParseFloat(lit, 64)
	if err != nil {
		// No float64, so no marker and no JSON value of a CRD: nothing better than the literal can be written.
		return append(out, lit...)
	}
	if -1e21 < f && f < 1e21 {
		var buf [32]byte
		text := strconv.AppendFloat(buf[:0], f, 'f', -1, 64)
		if n, err := strconv.ParseInt(string(text), 10, 64); err == nil {
			return strconv.AppendInt(out, n, 10)
		}
		if n, err := strconv.ParseUint(string(text), 10, 64); err == nil {
			return strconv.AppendUint(out, n, 10)
		}
	}
	return strconv.AppendFloat(out, f, 'g', -1, 64)
}
