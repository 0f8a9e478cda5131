package object

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/overloads"
	celtypes "github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// This file writes the expressions of kinds whose rules may exceed a budget, as data that internal/support evaluates
// step by step to count their cost (Costs of internal/support).

// costsName is the variable with the expressions.
const costsName = "crdRuleCosts"

// A costData is the expressions of a package.
type costData struct {
	lines []string
	// functions are those that expressions call.
	functions []string
	literals  []jen.Code
}

// addCost adds the expression of a function at a position: a rule or a message.
func (w *Writer) addCost(what string, position int, c *Compiler, self *Node) {
	name := fmt.Sprintf("%s%d ", what, position)
	if slices.ContainsFunc(w.Data.costs.lines, func(line string) bool { return strings.HasPrefix(line, name) }) {
		return
	}
	found := w.Diagnostics // those of the expression have been reported
	line := name + w.TypeOf(self.Schema, self.at) + " " + dataText(c.steps(c.Ast.Expr()))
	w.Diagnostics = found
	w.Data.costs.lines = append(w.Data.costs.lines, line)
}

// steps returns the data of an expression.
func (c *Compiler) steps(e ast.Expr) []any {
	all := func(list []ast.Expr) (out []any) {
		for _, e := range list {
			out = append(out, c.steps(e))
		}
		return out
	}
	step := func(kind string, more ...any) []any { return append([]any{kind, e.ID()}, more...) }
	if c.isTypeName(e) {
		return step("const", "type", strings.TrimPrefix(c.nameOf(e), "."))
	}
	if r := c.Ast.ReferenceMap()[e.ID()]; r != nil && r.Value != nil {
		return step("const", constantData(r.Value)...)
	}
	switch e.Kind() {
	case ast.LiteralKind:
		return step("const", constantData(e.AsLiteral())...)
	case ast.IdentKind:
		return step("ident", c.nameOf(e))
	case ast.SelectKind:
		kind := "select"
		if e.AsSelect().IsTestOnly() {
			kind = "has"
		}
		return step(kind, c.steps(e.AsSelect().Operand()), e.AsSelect().FieldName())
	case ast.CallKind:
		args := operands(e.AsCall())
		class, way, function := c.costOf(e, args)
		return step("call", append([]any{e.AsCall().FunctionName(), class, way, function}, all(args)...)...)
	case ast.ListKind:
		list := e.AsList()
		return step("list", append([]any{append([]int32{}, list.OptionalIndices()...)}, all(list.Elements())...)...)
	case ast.MapKind:
		optional, members := []int{}, []any{}
		for _, member := range e.AsMap().Entries() {
			m := member.AsMapEntry()
			members = append(members, c.steps(m.Key()), c.steps(m.Value()))
			if m.IsOptional() {
				optional = append(optional, len(members)-1)
			}
		}
		return step("map", append([]any{optional}, members...)...)
	case ast.ComprehensionKind:
		f := e.AsComprehension()
		return step("fold", append([]any{f.AccuVar(), f.IterVar(), f.IterVar2()}, all([]ast.Expr{f.IterRange(),
			f.AccuInit(), f.LoopCondition(), f.LoopStep(), f.Result()})...)...)
	}
	return step("const") // the compiler reports all else
}

// operands returns the arguments of a call, the receiver first.
func operands(call ast.CallExpr) []ast.Expr {
	if call.IsMemberFunction() {
		return append([]ast.Expr{call.Target()}, call.Args()...)
	}
	return call.Args()
}

// nameOf returns the name of a variable or type.
func (c *Compiler) nameOf(e ast.Expr) string {
	if r := c.Ast.ReferenceMap()[e.ID()]; r != nil {
		return r.Name
	}
	if e.Kind() == ast.IdentKind {
		return e.AsIdent()
	}
	return ""
}

// isTypeName reports whether an expression names a type.
func (c *Compiler) isTypeName(e ast.Expr) bool {
	return (e.Kind() == ast.IdentKind || e.Kind() == ast.SelectKind) && c.Ast.ReferenceMap()[e.ID()] != nil &&
		c.Ast.GetType(e.ID()).Kind() == celtypes.TypeKind && c.Vars[c.nameOf(e)].Code == nil
}

// constantData returns the data of a constant.
func constantData(value ref.Val) []any {
	switch x := value.(type) {
	case celtypes.Bool:
		return []any{bool(x)}
	case celtypes.Int:
		return []any{int64(x)}
	case celtypes.String:
		return []any{string(x)}
	case celtypes.Uint:
		return []any{"uint", strconv.FormatUint(uint64(x), 10)}
	case celtypes.Double:
		return []any{"double", strconv.FormatFloat(float64(x), 'g', -1, 64)}
	case celtypes.Bytes:
		return []any{"bytes", string(x)}
	}
	return nil
}

// costOf returns the class of the cost of a call, how cel-go calls it, and the position of its function from 1; 0 for
// those that the runtime evaluates itself.
func (c *Compiler) costOf(e ast.Expr, args []ast.Expr) (class, way string, position int) {
	name, overload := e.AsCall().FunctionName(), ""
	if ids := c.Ast.GetOverloadIDs(e.ID()); len(ids) == 1 {
		overload = ids[0]
	}
	switch name {
	case operators.LogicalAnd, operators.LogicalOr, operators.Conditional, operators.Index, operators.OptIndex,
		operators.OptSelect, "or", "orValue", operators.NotStrictlyFalse, "cel.@mapInsert":
		return "", "", 0
	}
	isConstant := func(i int) bool { return len(args) > i && args[i].Kind() == ast.LiteralKind }
	switch {
	case overloads.IsTypeConversionFunction(name) && len(args) == 1, overload == overloads.InList:
		way = "fold"
	case (name == "matches" || name == "find" || name == "findAll") && isConstant(1):
		way = "sequential"
	}
	code := c.costFunction(e, args)
	text := fmt.Sprintf("%#v", jen.Var().Id("_").Op("=").Add(code))
	at := slices.Index(c.Writer.Data.costs.functions, text)
	if at < 0 {
		at = len(c.Writer.Data.costs.functions)
		c.Writer.Data.costs.functions = append(c.Writer.Data.costs.functions, text)
		c.Writer.Data.costs.literals = append(c.Writer.Data.costs.literals, code)
	}
	return costClass(name, overload), way, at + 1
}

// dynamicOperators are the functions of operators for values of any type.
var dynamicOperators = map[string]string{
	operators.Add: "Add", operators.Subtract: "Subtract", operators.Multiply: "Multiply", operators.Divide: "Divide",
	operators.Modulo: "Modulo", operators.Negate: "Negate", operators.Equals: "Equal", operators.NotEquals: "NotEqual",
	operators.Less: "Less", operators.LessEquals: "LessEqual", operators.Greater: "Greater",
	operators.GreaterEquals: "GreaterEqual", operators.In: "In", operators.OldIn: "In", "size": "Size",
}

// costFunction returns a function that evaluates a call for arguments in a list. Constants stay in it: a pattern is
// compiled once.
func (c *Compiler) costFunction(e ast.Expr, args []ast.Expr) jen.Code {
	const list = "args"
	var values []jen.Code
	given := map[int64]Value{}
	for i, arg := range args {
		value := jen.Id(list).Index(jen.Lit(i))
		values = append(values, value)
		if arg.Kind() != ast.LiteralKind {
			given[arg.ID()] = Dynamic(value)
		}
	}
	var code jen.Code
	switch name := e.AsCall().FunctionName(); {
	case dynamicOperators[name] != "":
		code = Runtime(dynamicOperators[name]).Call(values...)
	case name == operators.LogicalNot:
		code = Runtime("Not").Call(Runtime("As").Types(jen.Bool()).Call(values...)).Dot("Dyn").Call()
	default:
		on := *c
		on.given = given
		code = c.Dyn(on.function(e, name, args))
	}
	return jen.Func().Params(jen.Id(list).Index().Any()).Any().Block(jen.Return(code))
}

// costClass returns the class of the cost of a call (callCost of internal/support).
func costClass(function, overload string) string {
	class, ok := overloadClasses[overload]
	switch {
	case ok:
		return class
	case strings.HasPrefix(overload, "list_") && strings.HasSuffix(overload, "_sort"):
		return "pairs"
	case strings.HasPrefix(overload, "list_") && strings.HasSuffix(overload, "_sortByAssociatedKeys"):
		return "pairsOfSecond"
	}
	switch function {
	case "isSorted", "sum", "max", "min", "indexOf", "lastIndexOf", "includes":
		return "all"
	case "url", "lowerAscii", "upperAscii", "substring", "trim", "jsonpatch.escapeKey", "cidr", "isIP", "isCIDR",
		"quantity", "isQuantity", "semver", "isSemver", "ip":
		return "text"
	case "replace", "split", "ip.isCanonical":
		return "text2"
	case "join":
		return "result"
	case "find", "findAll":
		return "pattern"
	case "containsIP", "containsCIDR":
		return function
	case "validate":
		return "format"
	case operators.Equals:
		return "equal"
	case operators.NotEquals:
		return "least"
	}
	return ""
}

// overloadClasses are the classes of the overloads whose functions have none: those of cel-go, and a few others.
var overloadClasses = map[string]string{
	overloads.StartsWithString: "argument", overloads.EndsWithString: "argument",
	overloads.StringToBytes: "text", overloads.BytesToString: "text", overloads.ExtQuoteString: "text",
	overloads.ExtFormatString: "text",
	overloads.InList:          "items",
	overloads.LessString:      "least", overloads.GreaterString: "least", overloads.LessEqualsString: "least",
	overloads.GreaterEqualsString: "least", overloads.LessBytes: "least", overloads.GreaterBytes: "least",
	overloads.LessEqualsBytes: "least", overloads.GreaterEqualsBytes: "least",
	overloads.AddString: "sum", overloads.AddBytes: "sum",
	overloads.Matches: "pattern", overloads.MatchesString: "pattern",
	overloads.ContainsString: "product",
	"list_slice":             "made", "lists_range": "made", "list_reverse": "made", "list_flatten": "flat",
	"list_flatten_int":        "flat",
	"list_distinct":           "pairs",
	"list_sets_contains_list": "sets", "list_sets_intersects_list": "sets", "list_sets_equivalent_list": "sets2",
	"cidr_contains_ip_string": "containsIPText", "cidr_contains_cidr_string": "containsCIDRText",
	"cidr_ip": "",
}

// declareCosts declares the expressions.
func (w *Writer) declareCosts() {
	d := &w.Data.costs
	if len(d.lines) == 0 {
		return
	}
	members := []jen.Code{jen.Id("Data").Op(":").Op("`\n" + strings.Join(d.lines, "\n") + "\n`")}
	if len(d.literals) > 0 {
		members = append(members, jen.Id("Functions").Op(":").Index().Func().Params(jen.Id("args").Index().Any()).
			Any().Custom(MultiLine, d.literals...))
	}
	members = append(members, jen.Id("Types").Op(":").Op("&").Id(typesName))
	w.functions = append(w.functions,
		jen.Comment(costsName+" are the rules that may exceed the budgets for large objects."),
		jen.Var().Id(costsName).Op("=").Add(Runtime("Costs")).Custom(MultiLine, members...).Line())
}

// filled wraps a text at a number of bytes.
func filled(text string, width int) string {
	words := strings.Fields(text)
	line, out := words[0], ""
	for _, word := range words[1:] {
		if len(line)+1+len(word) > width {
			out, line = out+line+"\n", word
		} else {
			line += " " + word
		}
	}
	return out + line
}
