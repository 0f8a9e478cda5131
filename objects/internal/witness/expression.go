package witness

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/parser"
	kubecel "k8s.io/apiserver/pkg/cel"

	"github.com/crdproof/crdproof/schema"
)

// A Rule is a parsed rule. Macros are calls in it.
type Rule struct {
	Source *schema.Rule
	// conjuncts are the operands of && that must all be true; none if the rule cannot be parsed.
	Conjuncts []ast.Expr
}

// parseRule parses a rule. The result has no conjuncts if it cannot be parsed: the CRD is invalid then.
func parseRule(source *schema.Rule) *Rule {
	out := &Rule{Source: source}
	p, err := parser.NewParser(parser.EnableOptionalSyntax(true), parser.EnableIdentEscapeSyntax(true))
	if err != nil {
		return out
	}
	tree, issues := p.Parse(common.NewTextSource(source.Rule.V))
	if len(issues.GetErrors()) == 0 {
		out.Conjuncts = operands(tree.Expr(), operators.LogicalAnd)
	}
	return out
}

// operands returns the operands of nested calls of one operator.
func operands(e ast.Expr, operator string) (out []ast.Expr) {
	var add func(ast.Expr)
	add = func(e ast.Expr) {
		if !isCall(e, operator) {
			out = append(out, e)
			return
		}
		for _, arg := range e.AsCall().Args() {
			add(arg)
		}
	}
	add(e)
	return out
}

func isCall(e ast.Expr, name string) bool {
	return e.Kind() == ast.CallKind && e.AsCall().FunctionName() == name
}

// Text returns the text of an expression.
func Text(e ast.Expr) string {
	text, err := parser.Unparse(e, ast.NewSourceInfo(common.NewTextSource("")))
	if err != nil {
		return fmt.Sprintf("?%d", e.ID()) // equal to nothing
	}
	return text
}

// BytesPerStep is the number of bytes that count as one step.
const BytesPerStep = 16

// fieldName returns the field of a selection as the schema names it.
func fieldName(e ast.Expr) string {
	name := e.AsSelect().FieldName()
	if plain, ok := kubecel.Unescape(name); ok {
		return plain
	}
	return name
}

// macros are those whose first argument is a variable.
var macros = []string{"all", "exists", "exists_one", "existsOne", "filter", "map", "optMap", "optFlatMap"}

// UsesOldSelf reports whether each conjunct reads the old value.
func (r *Rule) UsesOldSelf() bool {
	return !slices.ContainsFunc(r.Conjuncts, func(e ast.Expr) (other bool) {
		other = true
		eachExpr(e, func(e ast.Expr) { other = other && (e.Kind() != ast.IdentKind || e.AsIdent() != "oldSelf") })
		return other
	})
}

// eachExpr visits an expression and all in it.
func eachExpr(e ast.Expr, visit func(ast.Expr)) { ast.PreOrderVisit(e, ast.NewExprVisitor(visit)) }

// A Reading is a part of self that an expression reads. Items of lists have the index 0.
type Reading struct {
	At schema.Path
	// isWhole is set if all of its value counts, and not only whether it exists, or a field of it.
	IsWhole bool
}

// readings returns what an expression reads of self and oldSelf.
func readings(e ast.Expr) []Reading {
	r := reader{vars: map[string]schema.Path{"self": {}, "oldSelf": {}}}
	r.read(e, true)
	return r.found
}

type reader struct {
	vars  map[string]schema.Path
	found []Reading
}

// path returns the path of a selection; ok is unset for all other expressions.
func (r *reader) path(e ast.Expr) (at schema.Path, ok bool) {
	switch e.Kind() {
	case ast.IdentKind:
		at, ok = r.vars[e.AsIdent()]
		return at, ok
	case ast.SelectKind:
		at, ok = r.path(e.AsSelect().Operand())
		return at.Then(schema.Key(fieldName(e))), ok
	case ast.CallKind:
		args := e.AsCall().Args()
		switch e.AsCall().FunctionName() {
		case operators.OptSelect, operators.OptIndex, operators.Index:
			at, ok = r.path(args[0])
			switch key, _ := constant(args[1]); key := key.(type) {
			case string:
				return at.Then(schema.Key(key)), ok
			case int64:
				return at.Then(schema.Item(0)), ok
			}
		case "orValue", "value", "hasValue":
			if e.AsCall().IsMemberFunction() {
				return r.path(e.AsCall().Target())
			}
		}
	}
	return nil, false
}

// read adds what an expression reads. isWhole is set if its value counts.
func (r *reader) read(e ast.Expr, isWhole bool) {
	if at, ok := r.path(e); ok {
		r.found = append(r.found, Reading{at, isWhole})
		if e.Kind() == ast.CallKind {
			for _, arg := range e.AsCall().Args() {
				if _, isPath := r.path(arg); !isPath {
					r.read(arg, true)
				}
			}
		}
		return
	}
	switch e.Kind() {
	case ast.CallKind:
		r.call(e.AsCall())
	case ast.SelectKind:
		r.read(e.AsSelect().Operand(), true)
	case ast.ListKind:
		for _, inner := range e.AsList().Elements() {
			r.read(inner, true)
		}
	case ast.MapKind:
		for _, entry := range e.AsMap().Entries() {
			r.read(entry.AsMapEntry().Key(), true)
			r.read(entry.AsMapEntry().Value(), true)
		}
	}
}

func (r *reader) call(c ast.CallExpr) {
	name, args := c.FunctionName(), c.Args()
	if c.IsMemberFunction() && slices.Contains(macros, name) && len(args) > 1 && args[0].Kind() == ast.IdentKind {
		at, ok := r.path(c.Target())
		r.read(c.Target(), name == "filter" || name == "map")
		if ok {
			inner := reader{vars: maps.Clone(r.vars), found: r.found}
			for _, arg := range args[:len(args)-1] {
				if arg.Kind() == ast.IdentKind {
					inner.vars[arg.AsIdent()] = at.Then(schema.Item(0))
				}
			}
			if strings.HasPrefix(name, "opt") {
				inner.vars[args[0].AsIdent()] = at
			}
			for _, arg := range args[1:] {
				inner.read(arg, true)
			}
			r.found = inner.found
			return
		}
		args = args[1:]
	} else if c.IsMemberFunction() {
		r.read(c.Target(), name != "size")
	}
	for _, arg := range args {
		r.read(arg, name != "size" && name != "has")
	}
}

// FieldsOf returns the fields of self that an expression reads, and whether it may read others, too.
func (b *Builder) FieldsOf(e ast.Expr) (names map[string]bool, all bool) {
	names = map[string]bool{}
	for _, r := range b.Readings(e) {
		switch {
		case len(r.At) > 0 && !r.At[0].IsItem():
			names[r.At[0].Name] = true
		case r.IsWhole || len(r.At) > 0:
			all = true
		}
	}
	return names, all
}

// constant returns the JSON value of a literal, or of a list of literals.
func constant(e ast.Expr) (any, bool) {
	switch e.Kind() {
	case ast.LiteralKind:
		switch v := e.AsLiteral().Value().(type) {
		case string, bool, int64, float64:
			return v, true
		case uint64:
			return int64(v), true
		}
	case ast.ListKind:
		out := []any{}
		for _, inner := range e.AsList().Elements() {
			value, ok := constant(inner)
			if !ok {
				return nil, false
			}
			out = append(out, value)
		}
		return out, true
	case ast.CallKind:
		if c := e.AsCall(); c.FunctionName() == operators.Negate {
			switch v, _ := constant(c.Args()[0]); n := v.(type) {
			case int64:
				return -n, true
			case float64:
				return -n, true
			}
		}
	}
	return nil, false
}
