package gocode

import (
	"github.com/dave/jennifer/jen"
	"github.com/google/cel-go/common/ast"
)

// comprehension compiles the expansion of a macro.
func (c *celCompiler) comprehension(e ast.Expr) celValue {
	m := c.macro(e)
	switch {
	case m == nil:
		return c.fold(e.AsComprehension())
	case m.kind == macroBind:
		return c.bind(m)
	}
	return c.unfold(m, c.expr(m.fold.IterRange()))
}

// unfold compiles a macro over values.
func (c *celCompiler) unfold(m *celMacro, values celValue) celValue {
	if values.described() != nil && m.fold.IterVar2() == "" {
		if v, ok := c.rawMacro(m, values); ok {
			return v
		}
	}
	return c.dynamicMacro(m, c.dyn(values))
}

// test compiles a predicate on the variable of a macro, whose Go type is given.
func (c *celCompiler) test(m *celMacro, v func(id jen.Code) celValue, of jen.Code) (code jen.Code) {
	c.scoped(m.fold.IterVar(), v, func(id jen.Code) {
		code = jen.Func().Params(jen.Add(id, of)).Add(resultOf(celBool)).
			Block(jen.Return(c.result(c.condition(m.predicate))))
	})
	return code
}

// testItem compiles a predicate on the items of a list.
func (c *celCompiler) testItem(m *celMacro, item *celNode) jen.Code {
	return c.test(m, func(id jen.Code) celValue { return raw(id, item) }, value())
}

// testKey compiles a predicate on the keys of a map.
func (c *celCompiler) testKey(m *celMacro) jen.Code {
	return c.test(m, func(id jen.Code) celValue { return plain(id, celString) }, jen.String())
}

// rawMacro compiles a quantifier over JSON: the items of a list, or the keys of a map.
func (c *celCompiler) rawMacro(m *celMacro, values celValue) (celValue, bool) {
	functions, ok := quantifiers[m.kind]
	switch n := values.node; {
	case ok && n.isList():
		return result(jen.Id(functions.items).Call(values.code, c.testItem(m, n.item())), celBool), true
	case ok && n.isMap():
		return result(jen.Id(functions.keys).Call(values.code, c.testKey(m)), celBool), true
	}
	return celValue{}, false
}

// quantifiers are the functions for the macros that ask for a bool: over items and keys of JSON, and over dynamic
// values with one variable and with two.
var quantifiers = map[celMacroKind]struct{ items, keys, values, pairs string }{
	macroAll:       {"crdAllItems", "crdAllKeys", "crdAllOf", "crdAllPairs"},
	macroExists:    {"crdExistsItem", "crdExistsKey", "crdExistsOf", "crdExistsPair"},
	macroExistsOne: {"crdExistsOneItem", "crdExistsOneKey", "crdExistsOneOf", "crdExistsOnePair"},
}

// count compiles the size of a filtered list that is JSON.
func (c *celCompiler) count(m *celMacro, values celValue) (celValue, bool) {
	if !values.described().isList() {
		return celValue{}, false
	}
	node := values.node.item()
	reader, _ := node.reader()
	if reader == "" {
		return celValue{}, false
	}
	return result(jen.Id("crdCountItems").Call(values.code, jen.Id(reader), c.testItem(m, node)), celInt), true
}

// dynamicMacro compiles a macro over any range.
func (c *celCompiler) dynamicMacro(m *celMacro, values jen.Code) celValue {
	pairs := m.fold.IterVar2() != ""
	choose := func(one, two string) string {
		if pairs {
			return two
		}
		return one
	}
	switch m.kind {
	case macroAll, macroExists, macroExistsOne:
		functions := quantifiers[m.kind]
		return result(jen.Id(choose(functions.values, functions.pairs)).Call(values, c.predicate(m)), celBool)
	case macroFilter:
		return dynamicList(jen.Id("crdFilter").Call(values, c.predicate(m)))
	case macroMap:
		if m.predicate != nil {
			return dynamicList(jen.Id(choose("crdMapIf", "crdTransformListIf")).
				Call(values, c.predicate(m), c.body(m, m.transform)))
		}
		return dynamicList(jen.Id(choose("crdMapOf", "crdTransformList")).Call(values, c.body(m, m.transform)))
	}
	name := "crdTransformMap"
	if m.kind == macroEntries {
		name = "crdTransformMapEntry"
	}
	test := jen.Code(jen.Id("crdAlways"))
	if m.predicate != nil {
		test = c.predicate(m)
	}
	return dynamic(jen.Id(name).Call(values, test, c.body(m, m.transform)))
}

// predicate compiles the predicate of a macro over dynamic values.
func (c *celCompiler) predicate(m *celMacro) (code jen.Code) {
	c.iterated(m.fold, func(params []jen.Code) {
		code = jen.Func().Params(params...).Add(resultOf(celBool)).Block(jen.Return(c.result(c.condition(m.predicate))))
	})
	return code
}

// body compiles another part of a macro over dynamic values.
func (c *celCompiler) body(m *celMacro, e ast.Expr) (code jen.Code) {
	c.iterated(m.fold, func(params []jen.Code) {
		code = jen.Func().Params(params...).Any().Block(jen.Return(c.dyn(c.expr(e))))
	})
	return code
}

// iterated compiles with the variables of a comprehension, whose values are dynamic.
func (c *celCompiler) iterated(fold ast.ComprehensionExpr, compile func(params []jen.Code)) {
	c.scoped(fold.IterVar(), dynamic, func(v jen.Code) {
		if fold.IterVar2() == "" {
			compile([]jen.Code{jen.Add(v).Any()})
			return
		}
		c.scoped(fold.IterVar2(), dynamic, func(w jen.Code) { compile([]jen.Code{jen.List(v, w).Any()}) })
	})
}

// fold compiles a comprehension that is not the expansion of a known macro.
func (c *celCompiler) fold(fold ast.ComprehensionExpr) (v celValue) {
	name := "crdFold"
	if fold.IterVar2() != "" {
		name = "crdFoldPair"
	}
	values, init := c.dyn(c.expr(fold.IterRange())), c.dyn(c.expr(fold.AccuInit()))
	c.scoped(fold.AccuVar(), dynamic, func(accu jen.Code) {
		function := func(e ast.Expr) (code jen.Code) {
			c.iterated(fold, func(params []jen.Code) {
				params = append([]jen.Code{jen.Add(accu).Any()}, params...)
				code = jen.Func().Params(params...).Any().Block(jen.Return(c.dyn(c.expr(e))))
			})
			return code
		}
		folded := jen.Id(name).Call(values, init, function(fold.LoopCondition()), function(fold.LoopStep()))
		end := c.dyn(c.expr(fold.Result()))
		v = dynamic(jen.Func().Params(jen.Add(accu).Any()).Any().Block(jen.Return(end)).Call(folded))
	})
	return v
}
