package object

import (
	"fmt"
	goast "go/ast"
	"regexp"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"
	"github.com/google/cel-go/common/ast"
	celtypes "github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// function compiles a call of a function that is not an operator.
func (c *Compiler) function(e ast.Expr, name string, args []ast.Expr) Value {
	if v, ok := c.optional(name, args); ok {
		return v
	}
	if v, ok := c.conversion(e, name, args); ok {
		return v
	}
	if v, ok := c.timePart(name, args); ok {
		return v
	}
	if format, ok := strings.CutPrefix(name, "format."); ok && len(args) == 0 {
		return c.lift(c.Writer.Support.call("FormatNamed"), []Value{constantValue(celtypes.String(format))})
	}
	operands := c.exprs(args)
	call, static := c.overload(e)
	dynamicCall, loose := c.Writer.Support.dynamicCallOf(name, len(args))
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

// overload returns the function for the only possible overload of a call.
func (c *Compiler) overload(e ast.Expr) (Call, bool) {
	if ids := c.Ast.GetOverloadIDs(e.ID()); len(ids) == 1 {
		return c.Writer.Support.callOf(ids[0])
	}
	return Call{}, false
}

// fits reports whether all operands are known to be of a call's types. Any value is dynamic.
func (c *Compiler) fits(call Call, operands []Value) bool {
	for i, t := range call.params {
		if t != DynType && operands[i].Known() != t {
			return false
		}
	}
	return true
}

// lift calls a function whose operands have its types, and propagates their failures.
func (c *Compiler) lift(call Call, operands []Value) Value {
	if c.Typed == nil {
		function, call, operands := c.compiled(call, operands)
		return c.apply(function, call, operands)
	}
	l := c.language(call, operands)
	function, call, operands := c.compiled(call, operands)
	return c.Typed.Lifted(c.apply(function, call, operands), call, function, operands, l)
}

// compiled returns a call in which a constant regular expression is an automaton, or is compiled once.
func (c *Compiler) compiled(call Call, operands []Value) (jen.Code, Call, []Value) {
	pattern, ok := constantText(operands, call)
	if !ok {
		return goFunction(call.function), call, operands
	}
	call.Fails = false
	if call.function == "Matches" {
		if c.Writer.automatonOf(pattern) != nil {
			return jen.Id(c.Writer.matcher(pattern, patternName)).Dot("Match"), call, operands[:1]
		}
	}
	compiled := Plain(c.Writer.pattern(pattern, patternName, patternDoc), DynType)
	return goFunction(call.function + "Compiled"), call, slices.Concat(operands[:1], []Value{compiled}, operands[2:])
}

// apply calls a function.
func (c *Compiler) apply(function jen.Code, call Call, operands []Value) Value {
	var args, plains []jen.Code
	for i, v := range operands {
		if v.Form == FormPlain {
			plains = append(plains, v.Code)
		}
		if call.params[i] == DynType {
			args = append(args, Runtime("Any").Call(c.Dyn(v)))
		} else {
			args = append(args, c.Result(v))
		}
	}
	var code jen.Code
	switch {
	case len(plains) == len(operands):
		code = jen.Add(function).Call(plains...)
		if !call.Fails && call.result == DynType {
			return Dynamic(code)
		}
		if !call.Fails {
			return Plain(code, call.result)
		}
	case !call.Fails && !slices.ContainsFunc(append(call.params, call.result),
		func(t Type) bool { return t != DynType }):
		return Dynamic(jen.Add(function).Call(c.dynamics(operands)...)) // it accepts failures
	default:
		lifting := []string{"", "Then", "Both", "Three", "Four"}[len(operands)]
		if call.Fails {
			lifting += "Try"
		}
		code = Runtime(lifting).Call(append(args, function)...)
	}
	if call.result == DynType {
		return Dynamic(jen.Add(code).Dot("Dyn").Call())
	}
	return Result(code, call.result)
}

// The name and the comment of variables for the regular expressions of rules.
const patternName, patternDoc = "crdPattern", "is a regular expression of rules"

// constantText returns the regular expression that a call compiles, if it is a constant.
func constantText(operands []Value, call Call) (string, bool) {
	if !call.compiles {
		return "", false
	}
	constant, ok := operands[1].Constant.(celtypes.String)
	if _, err := regexp.Compile(string(constant)); err != nil {
		return "", false // the call fails when it is evaluated
	}
	return string(constant), ok
}

// goFunction returns a function: of the runtime, of the generated file or, with the path of its package before the last
// dot, of another one.
func goFunction(name string) jen.Code {
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		return jen.Qual(name[:i], name[i+1:])
	}
	if !goast.IsExported(name) {
		return jen.Id(name) // it is generated
	}
	return Runtime(name)
}

// looseCall calls a function that checks the types of its operands itself.
func (c *Compiler) looseCall(call Call, operands []Value) Value {
	args := c.dynamics(operands)
	function := call.function
	if pattern, ok := constantText(operands, call); ok {
		function += "Compiled"
		args[1] = c.Writer.pattern(pattern, patternName, patternDoc)
	}
	return Dynamic(Runtime(function).Call(args...))
}

// guardedCall calls a function with one overload with operands that may have other types, which is an error at run
// time.
func (c *Compiler) guardedCall(call Call, name string, operands []Value) Value {
	var names []jen.Code
	for i := range operands {
		names = append(names, jen.Id("abcdef"[i:i+1]))
	}
	var guarded []Value
	for i, t := range call.params {
		if t == DynType {
			guarded = append(guarded, Dynamic(names[i]))
			continue
		}
		code := Runtime("Argument").Types(t.Code()).Call(append([]jen.Code{jen.Lit(name), jen.Lit(i)}, names...)...)
		v := Result(code, t)
		v.Constant = operands[i].Constant // so that a pattern is still compiled once
		guarded = append(guarded, v)
	}
	body := c.Dyn(c.lift(call, guarded))
	return Dynamic(jen.Func().Params(jen.List(names...).Any()).Any().Block(jen.Return(body)).
		Call(c.dynamics(operands)...))
}

// optional compiles the functions on optional values.
func (c *Compiler) optional(name string, args []ast.Expr) (Value, bool) {
	functions := map[string]string{
		"optional.of": "OptionalOf", "optional.ofNonZeroValue": "OptionalOfNonZero",
		"value": "OptionalValue", "hasValue": "OptionalHasValue", "or": "OptionalOr",
		"orValue": "OptionalOrValue",
	}
	switch function := Runtime(functions[name]); {
	case name == "optional.none":
		return Dynamic(Runtime("Optional").Values()), true
	case name == "optional.unwrap", name == "unwrapOpt":
		return Dynamic(Runtime("Unwrap").Call(jen.Lit(name), c.Dyn(c.Expr(args[0])))), true
	case functions[name] != "" && len(args) == 1:
		return Dynamic(function.Call(c.Dyn(c.Expr(args[0])))), true
	case name == "or", name == "orValue":
		return Dynamic(function.Call(c.Dyn(c.Expr(args[0])), Lazy(AnyType(), c.Dyn(c.Expr(args[1]))))), true
	}
	return Value{}, false
}

// conversionTypes are the functions that convert to a type and have its name.
var conversionTypes = map[string]ref.Type{
	"bool": celtypes.BoolType, "bytes": celtypes.BytesType, "double": celtypes.DoubleType,
	"duration": celtypes.DurationType,
	"int":      celtypes.IntType, "string": celtypes.StringType, "timestamp": celtypes.TimestampType,
	"uint": celtypes.UintType,
}

// conversion compiles type conversions, including dyn and type.
func (c *Compiler) conversion(e ast.Expr, name string, args []ast.Expr) (Value, bool) {
	target, ok := conversionTypes[name]
	if name != "dyn" && name != "type" && !ok || len(args) != 1 {
		return Value{}, false
	}
	v := c.Expr(args[0])
	switch {
	case name == "dyn":
		return Dynamic(c.Dyn(v)), true
	case name == "type":
		return Dynamic(Runtime("TypeOf").Call(c.Dyn(v))), true
	}
	if v.Constant != nil && name != "timestamp" {
		if converted := v.Constant.ConvertToType(target); !celtypes.IsError(converted) {
			return constantValue(converted), true
		}
	}
	result := celTypes[c.Ast.GetType(e.ID()).Kind()]
	if v.Known() == result {
		return v, true
	}
	if call, ok := c.overload(e); ok && c.fits(call, []Value{v}) {
		return c.lift(call, []Value{v}), true
	}
	return Dynamic(Runtime("Convert" + GoName(name)).Call(c.Dyn(v))), true
}

// timeParts are the accessors of a timestamp.
var timeParts = map[string]string{
	"getFullYear": "FullYear", "getMonth": "Month", "getDayOfYear": "DayOfYear",
	"getDayOfMonth": "DayOfMonth",
	"getDate":       "Date", "getDayOfWeek": "DayOfWeek", "getHours": "Hours", "getMinutes": "Minutes",
	"getSeconds": "Seconds", "getMilliseconds": "Milliseconds",
}

// durationParts are those that a duration has too.
var durationParts = map[string]string{
	"getHours": "DurationHours", "getMinutes": "DurationMinutes", "getSeconds": "DurationSeconds",
	"getMilliseconds": "DurationMilliseconds",
}

// timePart compiles an accessor of a timestamp or a duration.
func (c *Compiler) timePart(name string, args []ast.Expr) (Value, bool) {
	part := timeParts[name]
	if part == "" {
		return Value{}, false
	}
	operands := append([]jen.Code{jen.Lit(name)}, c.dynamics(c.exprs(args))...)
	switch {
	case len(args) == 2:
		return Dynamic(Runtime("ZonedPart").Call(append(operands, Runtime(part))...)), true
	case durationParts[name] != "":
		return Dynamic(Runtime("TimeOrDurationPart").
			Call(append(operands, Runtime(part), Runtime(durationParts[name]))...)), true
	}
	return Dynamic(Runtime("TimePart").Call(append(operands, Runtime(part))...)), true
}
