package lower

import (
	"testing"

	"github.com/google/cel-go/common"
	"github.com/google/cel-go/parser"
)

// TestExprs writes expressions, and makes sure that CEL reads them.
func TestExprs(t *testing.T) {
	name := self().field("name")
	isSet := and(has(name), compare(name, "!=", celText(`it's "a"`)))
	for _, c := range []struct {
		e    expr
		want string
	}{
		{isSet, `has(self.name) && self.name != 'it\'s "a"'`},
		{not(isSet), `!(has(self.name) && self.name != 'it\'s "a"')`},
		{not(compare(name, "==", celText("a"))), `self.name != 'a'`},
		{not(compare(name, "==", celText("a b"))), `!(self.name == 'a b')`},
		{not(compare(size(name), ">", integer(0))), `size(self.name) <= 0`},
		{not(has(name)), `!has(self.name)`},
		{or(not(has(name)), operandOf("||", isSet)), `!has(self.name) || (has(self.name) && self.name != 'it\'s "a"')`},
		{operandOf("&&", or(has(name), ident("true"))), `(has(self.name) || true)`},
		{and(has(name)), `has(self.name)`},
		{self().all("v", compare(ident("v"), "in", expr{kind: listExpr, args: []expr{integer(1), integer(2)}})),
			`self.all(v, v in [1, 2])`},
		{self().at(ident("k")).call("matches", celText(`\d`)), `self[k].matches('\\d')`},
		{compare(group(choice(has(name), integer(1), integer(0))), "==", integer(1)), `(has(self.name) ? 1 : 0) == 1`},
		{isSet.before(), `has(oldSelf.name) && oldSelf.name != 'it\'s "a"'`},
		{self().all("self2", ident("self2").field("self")).before(), `oldSelf.all(self2, self2.self)`},
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
	if !(expr{}).isNone() || isSet.isNone() {
		t.Error("isNone is wrong")
	}
}
