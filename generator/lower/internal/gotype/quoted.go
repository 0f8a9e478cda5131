package gotype

import (
	"go/types"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/lower/internal/checks"
	"github.com/crdproof/crdproof/generator/lower/internal/node"
	"github.com/crdproof/crdproof/generator/lower/internal/options"
	"github.com/crdproof/crdproof/generator/lower/internal/pattern"
	"github.com/crdproof/crdproof/internal/gojson"
	"github.com/crdproof/crdproof/schema"
)

// quoted describes a field with the tag option string: Go encodes its JSON literal as a string, if the field is a
// string, a number or a boolean, or a pointer to one (encoding/json, typeFields).
func (d Describer) quoted(sc *scope, f *node.Field) *node.Node {
	whole := goType(sc, f.Syntax.Type)
	t := gojson.Deref(whole)
	basic, ok := t.Underlying().(*types.Basic)
	if !ok || basic.Info()&(types.IsString|types.IsInteger|types.IsFloat|types.IsBoolean) == 0 {
		if !isInvalid(t) {
			d.Warn(d.Reached(diag.Errorf(f.At, checks.FieldString,
				"the tag option string has no effect here: it applies to strings, numbers and booleans").
				Help("remove the option")))
		}
		return d.expr(sc, f.Syntax.Type)
	}
	if m := gojson.MethodsOf(t); m.Marshal() != nil || m.UnmarshalJSON != nil || m.UnmarshalText != nil {
		d.Mistake(d.Reached(diag.Errorf(f.At, checks.FieldString,
			"type %s has marshal methods, so Go ignores the tag option string when encoding, but not when decoding",
			types.ExprString(f.Syntax.Type)).Help("remove the option")))
		return d.expr(sc, f.Syntax.Type)
	}
	d.checkQuotedMarkers(f, t)
	// A pattern on the field is added to this one.
	inner, n := node.Text(), node.Text()
	form, zero := quotedForm(t, basic)
	inner.Own.Pattern.V, inner.Deviation, inner.Quoted = form, options.StringOption, true
	n.Parts = []*node.Node{inner}
	n.Zero = &schema.Value{Kind: schema.String, Text: zero}
	if t != whole {
		n.Zero, n.Sort = null(), node.PointerSort
	}
	return n
}

// checkQuotedMarkers reports markers of the field's type, which apply to another form.
func (d Describer) checkQuotedMarkers(f *node.Field, t types.Type) {
	decl := d.DeclOf(t)
	if decl != nil && len(d.reader().TypeMarkers(decl)) > 0 {
		d.Mistake(d.Reached(diag.Errorf(f.At, checks.FieldString,
			"the tag option string makes this field a string, to which the markers of type %s do not apply",
			decl.Name).
			Help("remove the option, or give the field a type without markers").See(decl.At, "the type")))
	}
}

// isJSONNumber recognizes json.Number, a string that Go writes as a number.
func isJSONNumber(t types.Type) bool {
	pkg, name := gojson.NameOf(t)
	return pkg == "encoding/json" && name == "Number"
}

// quotedForm returns the pattern of a type's literals in a string, and its zero value.
func quotedForm(t types.Type, basic *types.Basic) (form, zero string) {
	switch info := basic.Info(); {
	case isJSONNumber(t), info&types.IsFloat != 0:
		return pattern.QuotedNumber, "0"
	case info&types.IsBoolean != 0:
		return pattern.QuotedBool, "false"
	case info&types.IsString != 0:
		return pattern.QuotedString, `""`
	}
	return pattern.Decimals(gojson.RangeOf(basic.Kind())), "0"
}
