package typed

import (
	"github.com/dave/jennifer/jen"

	"github.com/crdproof/crdproof/emit/gocode/internal/object"
	"github.com/crdproof/crdproof/schema"
)

// duration returns the condition for a duration, whose text Go makes without an allocation.
func (t *typed) duration(x goValue, at *schema.Place, where object.Place) object.Condition {
	s := *at.Schema
	if s.Pattern.V == schema.DurationPattern { // it has this form
		s.Pattern = schema.Text{}
	}
	c := t.w.Checks(&s, where)
	c.X = x.base().Dot("Duration").Dot("String").Call()
	c.Own = c.X
	return object.AllOf(c.TextsFit()...)
}

// bytesFit returns the condition that bytes have a length for which their base64 is valid; false if the schema has
// other constraints. Each 3 bytes, and the rest, become 4 characters.
func bytesFit(x goValue, s *schema.Schema) (object.Condition, bool) {
	alone := *s
	alone.MinLength, alone.MaxLength = nil, nil
	if !object.IsPlain(&alone) || s.Format.V != "" && s.Format.V != "byte" {
		return object.Condition{}, false
	}
	size := jen.Len(x.value())
	var right []object.Condition
	if s.MinLength != nil && s.MinLength.V > 0 {
		right = append(right, object.Compares(size, ">", jen.Lit(int((min(s.MinLength.V, object.Longest)+3)/4-1)*3)))
	} else if s.Format.V == "byte" { // no text is not of the format
		right = append(right, isFull(x.value()))
	}
	if s.MaxLength != nil {
		right = append(right, object.Compares(size, "<=", jen.Lit(int(min(s.MaxLength.V, object.Longest)/4*3))))
	}
	return object.AllOf(right...), true
}
