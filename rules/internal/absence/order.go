package absence

import (
	"fmt"
	"math/big"

	"github.com/google/cel-go/common/ast"

	"github.com/crdproof/crdproof/schema"
)

// A measured is a number of a field that a rule compares with a constant: the field itself, or its size.
type measured struct {
	owner    *schema.Schema
	min, max *schema.Keyword
	isSize   bool
}

// measureOf returns the number that an expression is about.
func (v *visit) measureOf(e ast.Expr, in fieldsOf) (m measured, ok bool) {
	m.owner = in.schemaOf(e)
	m.isSize = e.Kind() == ast.CallKind && e.AsCall().FunctionName() == "size"
	if m.isSize {
		m.owner = in.schemaOf(callOperands(e.AsCall())[0])
	}
	if m.owner == nil || m.owner.Incomplete != 0 || v.rule.UsesOldSelf && !v.isOfSelf(e) {
		return m, false
	}
	for _, pair := range schema.Measures() {
		isNumber := pair.Max.Of == "number"
		isOfType := pair.Max.Of == m.owner.Type.V || isNumber && m.owner.Type.V == "integer"
		if isNumber != m.isSize && isOfType {
			m.min, m.max = pair.Min, pair.Max
			return m, true
		}
	}
	return m, false
}

// order reports a number that is never on one side of a constant, or a size that is never equal to one. A rule that
// asks for a bound of the field is left alone, and so is one that accepts all that a bound accepts: their authors
// repeat the bound. What is empty is often compared with just in case.
func (v *visit) order(e ast.Expr, list []operand, in fieldsOf, negated bool) {
	written := comparisons[e.AsCall().FunctionName()]
	isEquality := written == "==" || written == "!="
	for i, field := range list {
		limit, ok := numberOf(list[1-i].literal)
		m, isMeasure := v.measureOf(field.e, in)
		if !ok || !isMeasure || isEquality && (limit.Sign() == 0 || !m.isSize) || negated && !isEquality {
			continue
		}
		side := sides[written]
		if i == 1 {
			side = sides[mirrored[written]]
		}
		if bound := m.excludes(side, limit); bound != nil {
			v.found = append(v.found, misfit{e: list[1-i].e, check: celOutside, field: m.owner,
				message: fmt.Sprintf("%s is never %s%s: its %s is %s", field.text, side.words, list[1-i].text,
					bound.Name, bound.Bound(m.owner).V),
				note: "so the result of " + written + " is the same for all objects"})
		}
	}
}

// mirrored are the operators that are another one if their operands are exchanged.
var mirrored = map[string]string{"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}

// A side is where a comparison looks for a number.
type side struct {
	words            string
	isBelow, isAbove bool
	// withLimit is set for the operators that accept the constant itself, as a bound does that is one further.
	withLimit bool
}

var sides = map[string]side{
	"<": {words: "below ", isBelow: true}, "<=": {words: "at most ", isBelow: true, withLimit: true},
	">": {words: "above ", isAbove: true}, ">=": {words: "at least ", isAbove: true, withLimit: true},
	"==": {isBelow: true, isAbove: true}, "!=": {isBelow: true, isAbove: true},
}

// excludes returns the bound because of which no value is on a side of a constant, nil if one may be, or if the
// constant is where the bound is.
func (m *measured) excludes(at side, limit *big.Rat) *schema.Keyword {
	step := new(big.Rat)
	if at.withLimit && m.owner.Type.V != "number" {
		step.SetInt64(1)
	}
	least, most := numberOfBound(m.min, m.owner), numberOfBound(m.max, m.owner)
	switch {
	case at.isBelow && least != nil && new(big.Rat).Add(limit, step).Cmp(least) < 0:
		return m.min
	case at.isAbove && most != nil && new(big.Rat).Sub(limit, step).Cmp(most) > 0:
		return m.max
	}
	return nil
}

func numberOfBound(k *schema.Keyword, s *schema.Schema) *big.Rat {
	n := k.Bound(s)
	if n == nil {
		return nil
	}
	value, _ := new(big.Rat).SetString(n.V)
	return value
}

// numberOf returns the value of a literal that is a number.
func numberOf(literal any) (*big.Rat, bool) {
	switch n := literal.(type) {
	case int64:
		return new(big.Rat).SetInt64(n), true
	case float64:
		value := new(big.Rat).SetFloat64(n)
		return value, value != nil
	}
	return nil, false
}
