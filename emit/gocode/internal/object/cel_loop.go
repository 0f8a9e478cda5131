package object

import (
	"github.com/dave/jennifer/jen"
	"github.com/google/cel-go/common/ast"
)

// comprehension compiles the expansion of a macro.
func (c *Compiler) comprehension(e ast.Expr) Value {
	m := c.Macro(e)
	switch {
	case m == nil:
		return c.fold(e.AsComprehension())
	case m.Kind == MacroBind:
		return c.bind(m)
	}
	return c.Unfold(m, c.Expr(m.Fold.IterRange()))
}

// Unfold compiles a macro over values.
func (c *Compiler) Unfold(m *Macro, values Value) Value {
	if values.described() != nil && m.Fold.IterVar2() == "" {
		if v, ok := c.rawMacro(m, values); ok {
			return v
		}
	}
	return c.dynamicMacro(m, c.Dyn(values))
}

// test compiles a predicate on the variable of a macro, whose Go type is given.
func (c *Compiler) test(m *Macro, v func(id jen.Code) Value, typ jen.Code) (code jen.Code) {
	c.Scoped(m.Fold.IterVar(), v, func(id jen.Code) {
		code = jen.Func().Params(jen.Add(id, typ)).Add(ResultOf(BoolType)).
			Block(jen.Return(c.Result(c.Condition(m.Predicate))))
	})
	return code
}

// testItem compiles a predicate on the items of a list.
func (c *Compiler) testItem(m *Macro, item *Node) jen.Code {
	return c.test(m, func(id jen.Code) Value { return raw(id, item) }, AnyType())
}

// TestKey compiles a predicate on the keys of a map.
func (c *Compiler) TestKey(m *Macro) jen.Code {
	return c.test(m, func(id jen.Code) Value { return Plain(id, StringType) }, jen.String())
}

// rawMacro compiles a quantifier over JSON: the items of a list, or the keys of a map.
func (c *Compiler) rawMacro(m *Macro, values Value) (Value, bool) {
	functions, ok := quantifiers[m.Kind]
	switch n := values.node; {
	case ok && n.IsList():
		return Result(Runtime(functions.items).Call(values.Code, c.testItem(m, n.Item())), BoolType), true
	case ok && n.IsMap():
		return Result(Runtime(functions.keys).Call(values.Code, c.TestKey(m)), BoolType), true
	}
	return Value{}, false
}

// quantifiers are the functions for the macros that ask for a bool: over items and keys of JSON, and over dynamic
// values with one variable and with two.
var quantifiers = map[MacroKind]struct{ items, keys, values, pairs string }{
	MacroAll:       {"AllItems", "AllKeys", "AllOf", "AllPairs"},
	MacroExists:    {"ExistsItem", "ExistsKey", "ExistsOf", "ExistsPair"},
	MacroExistsOne: {"ExistsOneItem", "ExistsOneKey", "ExistsOneOf", "ExistsOnePair"},
}

// count compiles the size of a filtered list that is JSON.
func (c *Compiler) count(m *Macro, values Value) (Value, bool) {
	if !values.described().IsList() {
		return Value{}, false
	}
	node := values.node.Item()
	reader, _ := node.Reader()
	if reader == "" {
		return Value{}, false
	}
	return Result(Runtime("CountItems").Call(values.Code, Runtime(reader), c.testItem(m, node)), IntType), true
}

// dynamicMacro compiles a macro over any range.
func (c *Compiler) dynamicMacro(m *Macro, values jen.Code) Value {
	pairs := m.Fold.IterVar2() != ""
	choose := func(one, two string) string {
		if pairs {
			return two
		}
		return one
	}
	switch m.Kind {
	case MacroAll, MacroExists, MacroExistsOne:
		functions := quantifiers[m.Kind]
		return Result(Runtime(choose(functions.values, functions.pairs)).Call(values, c.predicate(m)), BoolType)
	case MacroFilter:
		return dynamicList(Runtime("Filter").Call(values, c.predicate(m)))
	case macroMap:
		if m.Predicate != nil {
			return dynamicList(Runtime(choose("MapIf", "TransformListIf")).
				Call(values, c.predicate(m), c.body(m, m.transform)))
		}
		return dynamicList(Runtime(choose("MapOf", "TransformList")).Call(values, c.body(m, m.transform)))
	}
	name := "TransformMap"
	if m.Kind == macroEntries {
		name = "TransformMapEntry"
	}
	test := jen.Code(Runtime("Always"))
	if m.Predicate != nil {
		test = c.predicate(m)
	}
	return Dynamic(Runtime(name).Call(values, test, c.body(m, m.transform)))
}

// predicate compiles the predicate of a macro over dynamic values.
func (c *Compiler) predicate(m *Macro) (code jen.Code) {
	c.iterated(m.Fold, func(params []jen.Code) {
		code = jen.Func().Params(params...).Add(ResultOf(BoolType)).
			Block(jen.Return(c.Result(c.Condition(m.Predicate))))
	})
	return code
}

// body compiles another part of a macro over dynamic values.
func (c *Compiler) body(m *Macro, e ast.Expr) (code jen.Code) {
	c.iterated(m.Fold, func(params []jen.Code) {
		code = jen.Func().Params(params...).Any().Block(jen.Return(c.Dyn(c.Expr(e))))
	})
	return code
}

// iterated compiles with the variables of a comprehension, whose values are dynamic.
func (c *Compiler) iterated(fold ast.ComprehensionExpr, compile func(params []jen.Code)) {
	c.Scoped(fold.IterVar(), Dynamic, func(v jen.Code) {
		if fold.IterVar2() == "" {
			compile([]jen.Code{jen.Add(v).Any()})
			return
		}
		c.Scoped(fold.IterVar2(), Dynamic, func(w jen.Code) { compile([]jen.Code{jen.List(v, w).Any()}) })
	})
}

// fold compiles a comprehension that is not the expansion of a known macro.
func (c *Compiler) fold(fold ast.ComprehensionExpr) (v Value) {
	name := "Fold"
	if fold.IterVar2() != "" {
		name = "FoldPair"
	}
	values, init := c.Dyn(c.Expr(fold.IterRange())), c.Dyn(c.Expr(fold.AccuInit()))
	c.Scoped(fold.AccuVar(), Dynamic, func(accu jen.Code) {
		function := func(e ast.Expr) (code jen.Code) {
			c.iterated(fold, func(params []jen.Code) {
				params = append([]jen.Code{jen.Add(accu).Any()}, params...)
				code = jen.Func().Params(params...).Any().Block(jen.Return(c.Dyn(c.Expr(e))))
			})
			return code
		}
		folded := Runtime(name).Call(values, init, function(fold.LoopCondition()), function(fold.LoopStep()))
		end := c.Dyn(c.Expr(fold.Result()))
		v = Dynamic(jen.Func().Params(jen.Add(accu).Any()).Any().Block(jen.Return(end)).Call(folded))
	})
	return v
}
