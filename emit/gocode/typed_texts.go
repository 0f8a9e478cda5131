package gocode

import (
	"github.com/dave/jennifer/jen"

	"github.com/crdproof/crdproof/schema"
)

// duration is the condition for a duration, whose text Go makes without an allocation.
func (t *typed) duration(x goValue, at *schema.Place, where place) condition {
	s := *at.Schema
	if s.Pattern.V == schema.DurationPattern { // it has this form
		s.Pattern = schema.Text{}
	}
	c := t.w.checks(&s, where)
	c.x = x.base().Dot("Duration").Dot("String").Call()
	c.own = c.x
	var right []condition
	for _, f := range c.textFaults() {
		right = append(right, f.right)
	}
	return allOf(right...)
}

// bytesFit is the condition that bytes have a length for which their base64 is valid; false if the schema has other
// constraints. Each 3 bytes, and the rest, become 4 characters.
func bytesFit(x goValue, s *schema.Schema) (condition, bool) {
	alone := *s
	alone.MinLength, alone.MaxLength = nil, nil
	if !isPlain(&alone) || s.Format.V != "" && s.Format.V != "byte" {
		return condition{}, false
	}
	size := jen.Len(x.value())
	var right []condition
	if s.MinLength != nil && s.MinLength.V > 0 {
		right = append(right, compares(size, ">", jen.Lit(int((min(s.MinLength.V, longest)+3)/4-1)*3)))
	} else if s.Format.V == "byte" { // no text is not of the format
		right = append(right, isFull(x.value()))
	}
	if s.MaxLength != nil {
		right = append(right, compares(size, "<=", jen.Lit(int(min(s.MaxLength.V, longest)/4*3))))
	}
	return allOf(right...), true
}
