package gocode

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"
	"github.com/google/cel-go/common/ast"
	celtypes "github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// function compiles a call of a function that is not an operator.
func (c *celCompiler) function(e ast.Expr, name string, args []ast.Expr) celValue {
	if v, ok := c.optional(name, args); ok {
		return v
	}
	if v, ok := c.conversion(e, name, args); ok {
		return v
	}
	if v, ok := c.timePart(name, args); ok {
		return v
	}
	operands := c.exprs(args)
	call, static := c.overload(e)
	dynamicCall, loose := c.w.support.dynamicCallOf(name, len(args))
	switch {
	case static && c.fits(call, operands):
		return c.lift(call, operands)
	case loose:
		return c.looseCall(dynamicCall, operands)
	case static:
		return c.guardedCall(call, name, operands)
	}
	return c.fail(e, fmt.Sprintf("function %s does not accept these arguments", name))
}

// overload is the function for the only possible overload of a call.
func (c *celCompiler) overload(e ast.Expr) (celCall, bool) {
	if ids := c.ast.GetOverloadIDs(e.ID()); len(ids) == 1 {
		return c.w.support.callOf(ids[0])
	}
	return celCall{}, false
}

// fits reports whether all operands are known to be of a call's types. Any value is dynamic.
func (c *celCompiler) fits(call celCall, operands []celValue) bool {
	for i, t := range call.params {
		if t != celDyn && operands[i].known() != t {
			return false
		}
	}
	return true
}

// lift calls a function whose operands have its types, and propagates their failures.
func (c *celCompiler) lift(call celCall, operands []celValue) celValue {
	if c.typed == nil {
		function, call, operands := c.compiled(call, operands)
		return c.apply(function, call, operands)
	}
	l := c.language(call, operands)
	function, call, operands := c.compiled(call, operands)
	return c.typed.Lifted(c.apply(function, call, operands), call, function, operands, l)
}

// compiled is a call in which a constant regular expression is an automaton, or is compiled once.
func (c *celCompiler) compiled(call celCall, operands []celValue) (jen.Code, celCall, []celValue) {
	pattern, ok := constantText(operands, call)
	if !ok {
		return goFunction(call.function), call, operands
	}
	call.fails = false
	if call.function == "crdMatches" {
		if automaton := c.w.automaton(pattern, patternName, patternDoc); automaton != "" {
			return jen.Id(automaton).Dot("match"), call, operands[:1]
		}
	}
	compiled := plain(c.w.pattern(pattern, patternName, patternDoc), celDyn)
	return goFunction(call.function + "Compiled"), call, slices.Concat(operands[:1], []celValue{compiled}, operands[2:])
}

// apply calls a function.
func (c *celCompiler) apply(of jen.Code, call celCall, operands []celValue) celValue {
	var args, plains []jen.Code
	for i, v := range operands {
		if v.form == formPlain {
			plains = append(plains, v.code)
		}
		if call.params[i] == celDyn {
			args = append(args, jen.Id("crdAny").Call(c.dyn(v)))
		} else {
			args = append(args, c.result(v))
		}
	}
	var code jen.Code
	switch {
	case len(plains) == len(operands):
		code = jen.Add(of).Call(plains...)
		if !call.fails && call.result == celDyn {
			return dynamic(code)
		}
		if !call.fails {
			return plain(code, call.result)
		}
	case !call.fails && !slices.ContainsFunc(append(call.params, call.result),
		func(t celType) bool { return t != celDyn }):
		return dynamic(jen.Add(of).Call(c.dynamics(operands)...)) // it accepts failures
	default:
		lifting := []string{"", "crdThen", "crdBoth", "crdThree", "crdFour"}[len(operands)]
		if call.fails {
			lifting += "Try"
		}
		code = jen.Id(lifting).Call(append(args, of)...)
	}
	if call.result == celDyn {
		return dynamic(jen.Add(code).Dot("dyn").Call())
	}
	return result(code, call.result)
}

// The name and the comment of variables for the regular expressions of rules.
const patternName, patternDoc = "crdPattern", "is a regular expression of rules"

// constantText is the regular expression that a call compiles, if it is a constant.
func constantText(operands []celValue, call celCall) (string, bool) {
	if !call.compiles {
		return "", false
	}
	constant, ok := operands[1].constant.(celtypes.String)
	if _, err := regexp.Compile(string(constant)); err != nil {
		return "", false // the call fails when it is evaluated
	}
	return string(constant), ok
}

// goFunction is a function of emit/support, or of another package, whose path is before the last dot.
func goFunction(name string) jen.Code {
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		return jen.Qual(name[:i], name[i+1:])
	}
	return jen.Id(name)
}

// looseCall calls a function that checks the types of its operands itself.
func (c *celCompiler) looseCall(call celCall, operands []celValue) celValue {
	args := c.dynamics(operands)
	function := call.function
	if pattern, ok := constantText(operands, call); ok {
		function += "Compiled"
		args[1] = c.w.pattern(pattern, patternName, patternDoc)
	}
	return dynamic(jen.Id(function).Call(args...))
}

// guardedCall calls a function with one overload with operands that may have other types, which is an error at run
// time.
func (c *celCompiler) guardedCall(call celCall, name string, operands []celValue) celValue {
	var names []jen.Code
	for i := range operands {
		names = append(names, jen.Id("abcdef"[i:i+1]))
	}
	var guarded []celValue
	for i, t := range call.params {
		if t == celDyn {
			guarded = append(guarded, dynamic(names[i]))
			continue
		}
		code := jen.Id("crdArgument").Types(t.code()).Call(append([]jen.Code{jen.Lit(name), jen.Lit(i)}, names...)...)
		v := result(code, t)
		v.constant = operands[i].constant // so that a pattern is still compiled once
		guarded = append(guarded, v)
	}
	body := c.dyn(c.lift(call, guarded))
	return dynamic(jen.Func().Params(jen.List(names...).Any()).Any().Block(jen.Return(body)).
		Call(c.dynamics(operands)...))
}

// optional compiles the functions on optional values.
func (c *celCompiler) optional(name string, args []ast.Expr) (celValue, bool) {
	functions := map[string]string{
		"optional.of": "crdOptionalOf", "optional.ofNonZeroValue": "crdOptionalOfNonZero",
		"value": "crdOptionalValue", "hasValue": "crdOptionalHasValue", "or": "crdOptionalOr",
		"orValue": "crdOptionalOrValue",
	}
	switch function := jen.Id(functions[name]); {
	case name == "optional.none":
		return dynamic(jen.Id("crdOptional").Values()), true
	case name == "optional.unwrap", name == "unwrapOpt":
		return dynamic(jen.Id("crdUnwrap").Call(jen.Lit(name), c.dyn(c.expr(args[0])))), true
	case functions[name] != "" && len(args) == 1:
		return dynamic(function.Call(c.dyn(c.expr(args[0])))), true
	case name == "or", name == "orValue":
		return dynamic(function.Call(c.dyn(c.expr(args[0])), lazy(value(), c.dyn(c.expr(args[1]))))), true
	}
	return celValue{}, false
}

// conversionTypes are the functions that convert to a type and have its name.
var conversionTypes = map[string]ref.Type{
	"bool": celtypes.BoolType, "bytes": celtypes.BytesType, "double": celtypes.DoubleType,
	"duration": celtypes.DurationType,
	"int":      celtypes.IntType, "string": celtypes.StringType, "timestamp": celtypes.TimestampType,
	"uint": celtypes.UintType,
}

// conversion compiles type conversions, including dyn and type.
func (c *celCompiler) conversion(e ast.Expr, name string, args []ast.Expr) (celValue, bool) {
	target, ok := conversionTypes[name]
	if name != "dyn" && name != "type" && !ok || len(args) != 1 {
		return celValue{}, false
	}
	v := c.expr(args[0])
	switch {
	case name == "dyn":
		return dynamic(c.dyn(v)), true
	case name == "type":
		return dynamic(jen.Id("crdTypeOf").Call(c.dyn(v))), true
	}
	if v.constant != nil && name != "timestamp" {
		if converted := v.constant.ConvertToType(target); !celtypes.IsError(converted) {
			return constantValue(converted), true
		}
	}
	result := celTypes[c.ast.GetType(e.ID()).Kind()]
	if v.known() == result {
		return v, true
	}
	if call, ok := c.overload(e); ok && c.fits(call, []celValue{v}) {
		return c.lift(call, []celValue{v}), true
	}
	return dynamic(jen.Id("crdConvert" + GoName(name)).Call(c.dyn(v))), true
}

// timeParts are the accessors of a timestamp.
var timeParts = map[string]string{
	"getFullYear": "crdFullYear", "getMonth": "crdMonth", "getDayOfYear": "crdDayOfYear",
	"getDayOfMonth": "crdDayOfMonth",
	"getDate":       "crdDate", "getDayOfWeek": "crdDayOfWeek", "getHours": "crdHours", "getMinutes": "crdMinutes",
	"getSeconds": "crdSeconds", "getMilliseconds": "crdMilliseconds",
}

// durationParts are those that a duration has too.
var durationParts = map[string]string{
	"getHours": "crdDurationHours", "getMinutes": "crdDurationMinutes", "getSeconds": "crdDurationSeconds",
	"getMilliseconds": "crdDurationMilliseconds",
}

// timePart compiles an accessor of a timestamp or a duration.
func (c *celCompiler) timePart(name string, args []ast.Expr) (celValue, bool) {
	part := timeParts[name]
	if part == "" {
		return celValue{}, false
	}
	operands := append([]jen.Code{jen.Lit(name)}, c.dynamics(c.exprs(args))...)
	switch {
	case len(args) == 2:
		return dynamic(jen.Id("crdZonedPart").Call(append(operands, jen.Id(part))...)), true
	case durationParts[name] != "":
		return dynamic(jen.Id("crdTimeOrDurationPart").
			Call(append(operands, jen.Id(part), jen.Id(durationParts[name]))...)), true
	}
	return dynamic(jen.Id("crdTimePart").Call(append(operands, jen.Id(part))...)), true
}
