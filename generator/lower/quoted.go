package lower

import (
	"go/types"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/gojson"
	"github.com/crdproof/crdproof/schema"
)

// Patterns of JSON literals in a string.
const (
	quotedNumber = `^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE](\+?([0-9]{1,2}|[12][0-9]{2}|30[0-8])|-[0-9]{1,3}))?$`
	quotedString = `^"([^"\\\x00-\x1f]|\\(["\\/bfnrt]|u[0-9a-fA-F]{4}))*"$`
	quotedBool   = `^(true|false)$`
)

// quoted describes a field with the tag option string: Go encodes its JSON literal as a string, if the field is a
// string, a number or a boolean, or a pointer to one (encoding/json, typeFields).
func (d describer) quoted(sc *scope, f *field) *node {
	whole := goType(sc, f.syntax.Type)
	t := gojson.Deref(whole)
	basic, ok := t.Underlying().(*types.Basic)
	if !ok || basic.Info()&(types.IsString|types.IsInteger|types.IsFloat|types.IsBoolean) == 0 {
		if !isInvalid(t) {
			d.warn(d.reached(diag.Errorf(f.at, fieldString,
				"the tag option string has no effect here: it applies to strings, numbers and booleans").
				Help("remove the option")))
		}
		return d.expr(sc, f.syntax.Type)
	}
	if m := gojson.MethodsOf(t); m.Marshal() != nil || m.UnmarshalJSON != nil || m.UnmarshalText != nil {
		d.mistake(d.reached(diag.Errorf(f.at, fieldString,
			"type %s has marshal methods, so Go ignores the tag option string when encoding, but not when decoding",
			types.ExprString(f.syntax.Type)).Help("remove the option")))
		return d.expr(sc, f.syntax.Type)
	}
	d.checkQuotedMarkers(f, t)
	// A pattern on the field is added to this one.
	inner, n := text(), text()
	form, zero := quotedForm(t, basic)
	inner.s.Pattern.V, inner.deviation, inner.quoted = form, stringOption, true
	n.parts = []*node{inner}
	n.zero = &schema.Value{Kind: schema.String, Text: zero}
	if t != whole {
		n.zero, n.sort = null(), pointerSort
	}
	return n
}

// checkQuotedMarkers reports markers of the field's type, which apply to another form.
func (d describer) checkQuotedMarkers(f *field, t types.Type) {
	decl := d.declOf(t)
	if decl != nil && len(d.reader().typeMarkers(decl)) > 0 {
		d.mistake(d.reached(diag.Errorf(f.at, fieldString,
			"the tag option string makes this field a string, to which the markers of type %s do not apply", decl.Name).
			Help("remove the option, or give the field a type without markers").See(decl.At, "the type")))
	}
}

// isJSONNumber recognizes json.Number, a string that Go writes as a number.
func isJSONNumber(t types.Type) bool {
	pkg, name := gojson.NameOf(t)
	return pkg == "encoding/json" && name == "Number"
}

// quotedForm is the pattern of a type's literals in a string, and its zero value.
func quotedForm(t types.Type, basic *types.Basic) (form, zero string) {
	switch info := basic.Info(); {
	case isJSONNumber(t), info&types.IsFloat != 0:
		return quotedNumber, "0"
	case info&types.IsBoolean != 0:
		return quotedBool, "false"
	case info&types.IsString != 0:
		return quotedString, `""`
	}
	return decimals(gojson.RangeOf(basic.Kind())), "0"
}

// decimals is a pattern of exactly the integers of a range, as Go writes them.
func decimals(r *gojson.Range) string {
	positive := strings.Join(upTo(uint64Text(r.Max)), "|")
	if r.Min == 0 {
		return "^(0|" + positive + ")$"
	}
	// The least value is one further from 0 than the greatest.
	least := uint64Text(r.Max + 1)
	return "^(0|-?(" + positive + ")|-" + least + ")$"
}

// upTo returns patterns which together match the positive integers up to a number without leading zeros: those with
// fewer digits, and for each digit those that are the same so far and smaller there.
func upTo(max string) []string {
	var out []string
	if n := len(max) - 1; n > 0 {
		out = append(out, "[1-9]"+digits(n-1, true))
	}
	for i := range len(max) {
		first := byte('0')
		if i == 0 {
			first = '1'
		}
		if max[i] > first {
			out = append(out, max[:i]+class(first, max[i]-1)+digits(len(max)-i-1, false))
		}
	}
	return append(out, max)
}

// class is one digit in a range.
func class(first, last byte) string {
	if first == last {
		return string(first)
	}
	return "[" + string(first) + "-" + string(last) + "]"
}

// digits matches so many digits, or up to so many.
func digits(n int, fewer bool) string {
	switch {
	case n == 0:
		return ""
	case fewer:
		return "[0-9]{0," + strconv.Itoa(n) + "}"
	case n == 1:
		return "[0-9]"
	}
	return "[0-9]{" + strconv.Itoa(n) + "}"
}

func uint64Text(n uint64) string { return strconv.FormatUint(n, 10) }
