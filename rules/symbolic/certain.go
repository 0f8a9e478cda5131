package symbolic

import (
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
)

// To find what may fail, it is enough if a model has most of the objects. To decide that no object exists, it must have
// all of them: whatever an object is, its conditions must be one of the examples of the model. So what is only nearly
// true is a doubt, and the answer is unknown then. What comes from a rule or a schema that is only assumed is left out
// instead.

// doubt notes that the model may lack an object.
func (m *model) doubt() { m.doubtful = m.doubtful || m.decides }

// assumeIfSure assumes what can be evaluated without a doubt.
func (m *model) assumeIfSure(assume func()) {
	was, known := m.doubtful, len(m.axioms)
	m.doubtful = false
	if assume(); m.doubtful {
		m.axioms = m.axioms[:known]
	}
	m.doubtful = was
}

// otherFailure returns a failure about which nothing is known but the operation and its operands.
func (m *model) otherFailure(id int64, key string) []failure {
	if !m.decides {
		return nil
	}
	if m.operands == nil {
		m.operands = map[int64][]string{}
	}
	if !slices.Contains(m.operands[id], key) {
		m.operands[id] = append(m.operands[id], key)
	}
	return []failure{{readID{id, Otherwise}, m.condition("fails " + key)}}
}

// condition returns the formula of a condition. Inside a macro, its name tells which items it is about: what is known
// of one item is not known of others. Numbers of formulas hide it, so that it may be about all items of the macros
// around.
func (m *model) condition(name string) formula {
	if !m.decides || len(m.loops) == 0 || !strings.Contains(name, "#") {
		return m.formulas.condition(name)
	}
	known := m.isCondition(name)
	out := m.formulas.condition(name)
	number := m.conditions[name]
	about := m.subjects[number]
	switch isAbout := func(loop string) bool { return strings.Contains(about, loop) }; {
	case !known:
		m.subjects[number] = name + " " + strings.Join(m.loops, " ")
	case !allOf(m.loops, isAbout):
		m.doubt()
	}
	return out
}

func allOf(list []string, holds func(string) bool) bool {
	return !slices.ContainsFunc(list, func(s string) bool { return !holds(s) })
}

// enter begins what is about the item of a name; the result ends it. There is no name for lists whose items are all
// known. Pairs of items of one list are not understood.
func (m *model) enter(name string) (leave func()) {
	if !strings.Contains(name, "["+anyOther+"]") {
		return func() {}
	}
	if slices.Contains(m.loops, name) {
		m.doubt()
	}
	m.loops = append(m.loops, name)
	return func() { m.loops = m.loops[:len(m.loops)-1] }
}

// checkRange doubts macros over values whose type is not known, and over maps that are not part of an object.
func (m *model) checkRange(e ast.Expr, t thing, checked *ast.AST) {
	kind := checked.GetType(e.ID()).Kind()
	if kind != types.ListKind && !(kind == types.MapKind && m.isMap(t)) {
		m.doubt()
	}
}

// checkDynamic doubts operands whose type is not known: operations may fail for them.
func (m *model) checkDynamic(e ast.Expr, checked *ast.AST) {
	switch checked.GetType(e.ID()).Kind() {
	case types.DynKind, types.AnyKind, types.ErrorKind, types.TypeParamKind:
		m.doubt()
	}
}

// checkOperands doubts operands that may be null or of several types.
func (m *model) checkOperands(name string, exprs []ast.Expr, args []value, checked *ast.AST) {
	switch name {
	case operators.Equals, operators.NotEquals, "dyn", "type":
		return
	case operators.Conditional, operators.OptSelect: // the others are results, and the name of a field
		exprs, args = exprs[:1], args[:1]
	}
	for i, e := range exprs {
		if kind := demandedType(name, i, exprs, checked); kind != "" && m.decides && isIntOrString(args[i]) {
			args[i] = m.ofType(kind, e.ID(), args[i])
		} else {
			m.checkDynamic(e, checked)
		}
		for _, a := range args[i].alts {
			m.checkNull(a.what)
		}
	}
}

// demandedType returns the type that an operation demands of an operand, "" for most operations.
func demandedType(name string, i int, exprs []ast.Expr, checked *ast.AST) string {
	switch name {
	case operators.Less, operators.LessEquals, operators.Greater, operators.GreaterEquals:
		switch checked.GetType(exprs[1-i].ID()).Kind() {
		case types.IntKind:
			return "int"
		case types.StringKind:
			return "string"
		}
	case "matches", "startsWith", "endsWith", "contains":
		if i == 0 {
			return "string"
		}
	}
	return ""
}

// isIntOrString reports whether a value is an int-or-string.
func isIntOrString(v value) bool {
	return len(v.alts) > 0 && !slices.ContainsFunc(v.alts, func(a alternative) bool { return !isEither(a.what) })
}

func isEither(t thing) bool {
	p, ok := t.(*place)
	return ok && p.schema.XIntOrString
}

// ofType adds to an int-or-string that an operation fails for values of another type.
func (m *model) ofType(kind string, id int64, v value) value {
	wrong := never
	for _, a := range v.alts {
		wrong = m.or(wrong, m.and(a.when, m.not(m.hasType(a.what, kind))))
	}
	fails := []failure{{readID{id, Otherwise}, always}}
	return value{m.joined(v.fails, m.within(m.and(m.not(m.failing(v)), wrong), fails)), v.alts}
}

// hasType says when an int-or-string has a type.
func (m *model) hasType(t thing, kind string) formula {
	return m.equal(m.typeOf(t), constant{types.String("type " + kind)})
}

// checkNull doubts a value that may be null.
func (m *model) checkNull(t thing) {
	if p, ok := t.(*place); ok && p.null != never {
		m.doubt()
	}
}

// checkText doubts a text that CEL may not read.
func (m *model) checkText(t thing) {
	if p, ok := t.(*place); ok && mayNotRead(p.schema) {
		m.doubt()
	}
}

// checkRead doubts a value that CEL reads although no part of an expression does, which may fail.
func (m *model) checkRead(t thing) {
	if m.checkText(t); isEither(t) {
		m.doubt()
	}
}

// Fraction is a number that API servers accept for an int-or-string, and that rules cannot read, not even with has():
// for them, large fractions are integers (github.com/go-openapi/swag/conv, IsFloat64AJSONInteger).
const Fraction = 1<<30 + 0.5

// variable returns the value of a variable.
func (m *model) variable(t thing) value {
	return value{fails: m.fractional(0, t), alts: []alternative{{always, t}}}
}

// fractional returns the failure to read an int-or-string.
func (m *model) fractional(id int64, t thing) []failure {
	if p, ok := t.(*place); !ok || !p.schema.XIntOrString || !m.decides {
		return nil
	}
	return []failure{{readID{id, Otherwise}, m.condition("fraction " + t.key())}}
}

// checkConstant doubts a comparison with a constant that may equal other constants, too: 1 equals 1.0.
func (m *model) checkConstant(t thing, c constant) {
	m.checkNull(t)
	isNumber := func(k constant) bool {
		return k.Type() == types.IntType || k.Type() == types.UintType || k.Type() == types.DoubleType
	}
	if !isNumber(c) {
		return
	}
	for _, other := range m.chain(t).constants {
		if isNumber(other) && other.Type() != c.Type() {
			m.doubt()
		}
	}
}

// checkEnum doubts a value of an enum of another type: the API server converts values before it compares them.
func (m *model) checkEnum(p *place) {
	if p.schema.Type != "string" && p.schema.Type != "integer" {
		m.doubt()
	}
}

// isOptionalThing reports whether it is known of an optional whether it has a value.
func isOptionalThing(t thing) bool {
	switch t.(type) {
	case some, none:
		return true
	}
	return false
}

// totalFunctions never fail for operands of their types.
var totalFunctions = []string{"size", "startsWith", "endsWith", "contains", "isIP", "isCIDR", "isURL", "isQuantity",
	"isSemver", "lowerAscii", "upperAscii", "trim", "split", "replace", "validate", "family", "prefixLength", "masked",
	"getScheme", "getHost", "getHostname", "getPort", "getEscapedPath", "isGreaterThan", "isLessThan", "compareTo",
	"sign", "isInteger"}

// isTotal reports whether a function never fails for operands of its types.
func isTotal(e ast.Expr, name string, checked *ast.AST) bool {
	call := e.AsCall()
	switch kind := checked.GetType(e.ID()).Kind(); name {
	case operators.Add:
		return kind == types.StringKind || kind == types.ListKind
	case "matches":
		args := call.Args()
		return args[len(args)-1].Kind() == ast.LiteralKind // its pattern has been compiled
	case "format.dns1123Label", "format.dns1123Subdomain", "format.dns1035Label", "format.labelValue":
		return true
	case "string":
		return checked.GetType(call.Args()[0].ID()).Kind() == types.IntKind
	}
	return slices.Contains(totalFunctions, name)
}
