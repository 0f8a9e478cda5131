package object

import (
	"fmt"
	"go/token"
	gotypes "go/types"
	"maps"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	celtypes "github.com/google/cel-go/common/types"
	apicel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/schema"
)

// A Compiler compiles a checked CEL expression to Go. The result, including errors, is that of cel-go's
// interpreter.
type Compiler struct {
	Writer *Writer
	Ast    *ast.AST
	text   schema.Text
	// at is the place of the rule, for names.
	at Place
	// Vars are the variables in scope.
	Vars map[string]Value
	// ids are the Go names of those that macros declare.
	ids map[string]string
	// Inputs are self and oldSelf, even if another variable hides them.
	Inputs map[string]Value
	// given are values of expressions that are compiled already, by their ids.
	given map[int64]Value
	// Typed compiles what typed code reads from Go values; nil for JSON.
	Typed typedExpressions
}

// typedExpressions compile to Go values in place of JSON.
type typedExpressions interface {
	// Compile compiles an expression; false leaves it to the compiler for JSON.
	Compile(e ast.Expr) (Value, bool)
	// Lifted adds to the value of a call what its operands say about it. l is the language of the call, if it has one.
	Lifted(v Value, call Call, function jen.Code, operands []Value, l *Language) Value
}

// Compiler makes one for an expression, whose variables are given by their names in CEL.
func (w *Writer) Compiler(checked *cel.Ast, text schema.Text, at Place, vars map[string]Value) *Compiler {
	return &Compiler{Writer: w, Ast: checked.NativeRep(), text: text, at: at, Vars: maps.Clone(vars),
		ids: map[string]string{}, Inputs: vars}
}

// selfName and oldName are the variables of a rule.
const (
	SelfName = apicel.ScopedVarName
	OldName  = apicel.OldScopedVarName
)

// Expr compiles an expression.
func (c *Compiler) Expr(e ast.Expr) Value {
	if v, ok := c.given[e.ID()]; ok {
		return v
	}
	if c.Typed != nil {
		if v, ok := c.Typed.Compile(e); ok {
			return v
		}
	}
	switch e.Kind() {
	case ast.LiteralKind:
		return constantValue(e.AsLiteral())
	case ast.IdentKind:
		return c.ident(e, e.AsIdent())
	case ast.SelectKind:
		return c.selection(e)
	case ast.CallKind:
		return c.call(e)
	case ast.ListKind:
		return c.list(e)
	case ast.MapKind:
		return c.mapping(e)
	case ast.ComprehensionKind:
		return c.comprehension(e)
	case ast.StructKind:
		return c.fail(e, "messages of protocol buffers, such as google.protobuf.Int32Value{value: 1}, "+
			"are not supported")
	}
	return c.fail(e, "it is of an unknown kind")
}

// ident compiles a name: of a variable, or of a type.
func (c *Compiler) ident(e ast.Expr, name string) Value {
	if ref := c.Ast.ReferenceMap()[e.ID()]; ref != nil {
		if ref.Value != nil {
			return constantValue(ref.Value)
		}
		name = ref.Name
	}
	if c.Ast.GetType(e.ID()).Kind() == celtypes.TypeKind && c.Vars[name].Code == nil {
		return Dynamic(Runtime("TypeName").Call(jen.Lit(strings.TrimPrefix(name, "."))))
	}
	v, ok := c.Vars[name]
	if outer, isInput := strings.CutPrefix(name, "."); isInput {
		v, ok = c.Inputs[outer]
	}
	if !ok {
		return c.fail(e, fmt.Sprintf("undeclared name %q", name))
	}
	return v
}

// call compiles a call of an operator or a function.
func (c *Compiler) call(e ast.Expr) Value {
	call := e.AsCall()
	args := call.Args()
	if call.IsMemberFunction() {
		args = append([]ast.Expr{call.Target()}, args...)
	}
	switch name := call.FunctionName(); name {
	case operators.LogicalAnd:
		return c.junction("&&", args)
	case operators.LogicalOr:
		return c.junction("||", args)
	case operators.LogicalNot:
		return c.negation(args[0])
	case operators.Conditional:
		return c.conditional(args)
	case operators.Equals, operators.NotEquals,
		operators.Less, operators.LessEquals, operators.Greater, operators.GreaterEquals:
		return c.Comparison(Comparisons[name], c.Expr(args[0]), c.Expr(args[1]))
	case operators.Add, operators.Subtract, operators.Multiply, operators.Divide, operators.Modulo, operators.Negate:
		return c.arithmetic(name, args)
	case operators.In, operators.OldIn:
		return c.in(args)
	case operators.Index:
		return c.Index(args[0], c.Expr(args[0]), c.Expr(args[1]))
	case operators.OptIndex:
		return Dynamic(Runtime("IndexOptional").Call(c.link(args[0], c.Expr(args[0])), c.Dyn(c.Expr(args[1]))))
	case operators.OptSelect:
		return c.OptionalField(args, c.Expr(args[0]))
	case "size":
		return c.size(args[0])
	}
	return c.function(e, call.FunctionName(), args)
}

// OptionalField compiles operand.?name.
func (c *Compiler) OptionalField(args []ast.Expr, operand Value) Value {
	return Dynamic(Runtime("SelectOptional").Call(c.link(args[0], operand), jen.Lit(NameIn(args))))
}

// NameIn returns the name of an optional selection.
func NameIn(args []ast.Expr) string { return string(args[1].AsLiteral().(celtypes.String)) }

// exprs compiles arguments.
func (c *Compiler) exprs(args []ast.Expr) (out []Value) {
	for _, arg := range args {
		out = append(out, c.Expr(arg))
	}
	return out
}

// dynamics compiles operands to dynamic values.
func (c *Compiler) dynamics(operands []Value) (out []jen.Code) {
	for _, v := range operands {
		out = append(out, c.Dyn(v))
	}
	return out
}

// Scoped compiles with a CEL variable, which hides others of the same name. Its value is made from its Go name.
func (c *Compiler) Scoped(name string, v func(id jen.Code) Value, compile func(id jen.Code)) {
	hidden, ok := c.Vars[name]
	hiddenID := c.ids[name]
	c.ids[name] = c.variableName(name)
	id := jen.Id(c.ids[name])
	c.Vars[name] = v(id)
	compile(id)
	delete(c.Vars, name)
	delete(c.ids, name)
	if ok {
		c.Vars[name], c.ids[name] = hidden, hiddenID
	}
}

// variableName returns the Go name of a CEL variable. It differs from all names in scope: other variables, Go's own
// names, packages, functions of internal/support, and the parameters of rules, which begin with self or oldSelf.
func (c *Compiler) variableName(name string) string {
	id := name
	switch {
	case name == "" || strings.HasPrefix(name, "#"):
		return "_"
	case strings.HasPrefix(name, "@"): // of a macro
		id = "macro" + GoName(name)
	case strings.HasPrefix(name, SelfName), strings.HasPrefix(name, OldName), strings.HasPrefix(name, "crd"),
		name == "_",
		token.IsKeyword(name), gotypes.Universe.Lookup(name) != nil, c.Writer.Support.importNames[name]:
		id = "the" + GoName(name)
	case c.Typed != nil: // the name may be that of a package
		id = "each" + GoName(name)
	}
	others := maps.Clone(c.ids)
	delete(others, name)
	for slices.Contains(slices.Collect(maps.Values(others)), id) {
		id += "_"
	}
	return id
}

// fail reports an expression that cannot be compiled.
func (c *Compiler) fail(e ast.Expr, message string) Value {
	span := c.text.At
	if at, ok := c.Ast.SourceInfo().GetOffsetRange(e.ID()); ok {
		runes := []rune(c.text.V)
		if start, stop := int(at.Start), int(at.Stop); 0 <= start && start <= stop && stop <= len(runes) {
			span = c.text.Range(len(string(runes[:start])), len(string(runes[:stop])))
		}
	}
	c.Writer.Diagnostics = append(c.Writer.Diagnostics, celDiagnostic(span, message))
	return Dynamic(jen.Nil())
}

func celDiagnostic(at diag.Span, message string) diag.Diagnostic {
	return diag.Errorf(at, NotInGo, "the expression cannot be compiled to Go: %s", message)
}
