package absence

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
)

var celOutside = &diag.Check{ID: "cel-outside", Severity: diag.Warning}

// outside reports constants that a field never has. Those of a value before an update may be older than the schema.
func (v *visit) outside(e ast.Expr, list []operand, in fieldsOf, negated bool) {
	name := e.AsCall().FunctionName()
	if _, compares := comparisons[name]; compares {
		v.order(e, list, in, negated)
	}
	switch name {
	case operators.Equals, operators.NotEquals:
		for i, field := range list {
			if fix, ok := v.never(field, list[1-i], in.schemaOf(field.e)); ok {
				v.exclude(e, field, list[1-i], fix, in.schemaOf(field.e))
			}
		}
	case operators.In:
		if s := in.schemaOf(list[1].e); s != nil && s.Items != nil {
			if fix, ok := v.never(list[1], list[0], s.Items); ok {
				v.exclude(e, list[1], list[0], fix, s.Items)
			}
		}
		if list[1].e.Kind() != ast.ListKind {
			return
		}
		for _, item := range list[1].e.AsList().Elements() {
			o := v.operand(item, fieldsOf{}, v.checked)
			if fix, ok := v.never(list[0], o, in.schemaOf(list[0].e)); ok {
				v.exclude(e, list[0], o, fix, in.schemaOf(list[0].e))
			}
		}
	}
}

// never reports whether a field never has the value of a literal, and returns the literal that was probably meant. What
// is empty is often compared with just in case.
func (v *visit) never(field, other operand, s *schema.Schema) (meant string, ok bool) {
	if s == nil || s.Incomplete != 0 || v.rule.UsesOldSelf && !v.isOfSelf(field.e) {
		return "", false
	}
	switch literal := other.literal.(type) {
	case string:
		if literal == "" || kube.Accepts(s)(literal) {
			return "", false
		}
		var values []string
		for _, value := range s.Enum {
			values = append(values, value.Text)
		}
		if near := diag.Near(literal, values); near != "" {
			meant = "'" + strings.ReplaceAll(near, "'", `\'`) + "'"
		}
		return meant, true
	case int64:
		return "", literal != 0 && !kube.Accepts(s)(literal)
	}
	return "", false
}

// isOfSelf reports whether an expression is self, or a part of it.
func (v *visit) isOfSelf(e ast.Expr) bool {
	for {
		switch e.Kind() {
		case ast.SelectKind:
			e = e.AsSelect().Operand()
		case ast.CallKind:
			operands := callOperands(e.AsCall())
			if len(operands) == 0 {
				return false
			}
			e = operands[0]
		default:
			return e.Kind() == ast.IdentKind && e.AsIdent() == "self"
		}
	}
}

// exclude adds the finding about a constant.
func (v *visit) exclude(e ast.Expr, field, other operand, meant string, s *schema.Schema) {
	why := excludedBy(s, other.literal)
	if values := schema.Literals(s.Enum); len(values) > 0 {
		why = "it is not in the enum"
		if len(values) <= 5 {
			why = "its enum has " + diag.And(values)
		}
	}
	m := misfit{e: other.e, check: celOutside, fix: meant, field: s,
		message: fmt.Sprintf("%s is never %s: %s", field.text, other.text, why)}
	switch name := e.AsCall().FunctionName(); {
	case name != operators.In:
		m.note = "so the result of " + comparisons[name] + " is the same for all objects"
	case field.e.ID() == e.AsCall().Args()[1].ID():
		m.message = fmt.Sprintf("%s never has %s: %s", field.text, other.text, why)
	}
	v.found = append(v.found, m)
}

// alone returns the schema that excludes all constants of an expression in which nothing else is found, nil if the help
// can fix the expression. Other rules with constants that it excludes have the same cause.
func (v *visit) alone() *schema.Schema {
	field := v.found[0].field
	for _, m := range v.found {
		if m.field != field {
			return nil
		}
	}
	if v.fixed() != "" {
		return nil
	}
	return field
}

// also adds the places of a finding to one that has the same cause.
func also(first, d diag.Diagnostic) diag.Diagnostic {
	if d.Span == first.Span { // the same rule at another place
		first.AlsoPaths = append(first.AlsoPaths, d.Path)
		return first
	}
	first = first.See(d.Span, "%s", d.Message)
	first.SeeAlso = append(first.SeeAlso, d.SeeAlso...)
	return first
}

// excludedBy says which keyword rejects a value.
func excludedBy(s *schema.Schema, value any) string {
	for _, k := range schema.Keywords() {
		if (k.Of != "" || k.Name == "format") && k.IsSet(s) {
			alone := &schema.Schema{Type: s.Type, IntOrString: s.IntOrString}
			if k.Copy(alone, s); !kube.Accepts(alone)(value) {
				return "its " + k.Name + " rejects that value"
			}
		}
	}
	return "its schema rejects that value"
}

// A constant is a part of a rule that is written once, by its position.
type constant struct {
	rule       diag.Span
	start, end int
}

// dropUncommon leaves out constants that one of the places of a rule may have: a rule of a type that several fields
// have may be about one of them.
func dropUncommon(visits []*visit) {
	places, excluded := map[diag.Span]int{}, map[constant]int{}
	key := func(v *visit, m *misfit) constant {
		start, end := v.extent(m.e)
		return constant{v.written.text.At, start, end}
	}
	for _, v := range visits {
		places[v.written.text.At]++
		for i := range v.found {
			if v.found[i].check == celOutside {
				excluded[key(v, &v.found[i])]++
			}
		}
	}
	for _, v := range visits {
		v.found = slices.DeleteFunc(v.found, func(m misfit) bool {
			return m.check == celOutside && v.written.text.At.IsValid() &&
				excluded[key(v, &m)] < places[v.written.text.At]
		})
	}
}
