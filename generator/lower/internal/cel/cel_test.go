package cel

import (
	"testing"

	"github.com/google/cel-go/common"
	"github.com/google/cel-go/parser"
)

// TestExprs writes expressions, and makes sure that CEL reads them.
func TestExprs(t *testing.T) {
	name := Self().Field("name")
	isSet := And(Has(name), Compare(name, "!=", Text(`it's "a"`)))
	for _, c := range []struct {
		e    Expr
		want string
	}{
		{isSet, `has(self.name) && self.name != 'it\'s "a"'`},
		{Not(isSet), `!(has(self.name) && self.name != 'it\'s "a"')`},
		{Not(Compare(name, "==", Text("a"))), `self.name != 'a'`},
		{Not(Compare(name, "==", Text("a b"))), `!(self.name == 'a b')`},
		{Not(Compare(Size(name), ">", Int(0))), `size(self.name) <= 0`},
		{Not(Has(name)), `!has(self.name)`},
		{Or(Not(Has(name)), OperandOf("||", isSet)),
			`!has(self.name) || (has(self.name) && self.name != 'it\'s "a"')`},
		{OperandOf("&&", Or(Has(name), Ident("true"))), `(has(self.name) || true)`},
		{And(Has(name)), `has(self.name)`},
		{Self().All("v", Compare(Ident("v"), "in", Expr{kind: listExpr, args: []Expr{Int(1), Int(2)}})),
			`self.all(v, v in [1, 2])`},
		{Self().At(Ident("k")).Call("matches", Text(`\d`)), `self[k].matches('\\d')`},
		{Compare(Group(Choice(Has(name), Int(1), Int(0))), "==", Int(1)), `(has(self.name) ? 1 : 0) == 1`},
		{isSet.Before(), `has(oldSelf.name) && oldSelf.name != 'it\'s "a"'`},
		{Self().All("self2", Ident("self2").Field("self")).Before(), `oldSelf.all(self2, self2.self)`},
	} {
		got := c.e.String()
		if got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
		p, err := parser.NewParser(parser.Macros(parser.AllMacros...))
		if err != nil {
			t.Fatal(err)
		}
		if _, errs := p.Parse(common.NewTextSource(got)); len(errs.GetErrors()) > 0 {
			t.Errorf("%s: %s", got, errs.ToDisplayString())
		}
	}
	if !(Expr{}).IsNone() || isSet.IsNone() {
		t.Error("isNone is wrong")
	}
}
