package diff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
	kubecel "k8s.io/apiserver/pkg/cel"

	"github.com/crdproof/crdproof/objects/internal/witness"
	"github.com/crdproof/crdproof/rules/expr"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/symbolic"
	"github.com/crdproof/crdproof/schema"
)

// A pairing is an expression about all pairs of items of a list: list.all(x, list.all(y, condition)), or
// list.all(x, list.exists_one(y, condition)), which says that no other item satisfies the condition if each item does
// so with itself. Package symbolic, for which one item of a list represents all, answers for an object with two items
// in place of the list.
type pairing struct {
	list, x, y, condition string
	at                    schema.Path
	isUnique              bool
}

// pairingOf returns the pairing that an expression is, nil if it is none.
func pairingOf(e ast.Expr) *pairing {
	first, x, inner := loopOf(e, "all")
	second, y, condition := loopOf(inner, "all", "exists_one", "existsOne")
	if condition == nil || witness.Text(first) != witness.Text(second) {
		return nil
	}
	out := &pairing{x: x, y: y, isUnique: inner.AsCall().FunctionName() != "all"}
	var ok bool
	if out.at, ok = fieldsOf(first); !ok {
		return nil
	}
	out.condition, out.list = witness.Text(condition), out.at.String()
	return out
}

// loopOf returns the list, the variable and the condition of a macro with one of some names.
func loopOf(e ast.Expr, names ...string) (list ast.Expr, variable string, condition ast.Expr) {
	if e == nil || e.Kind() != ast.CallKind {
		return nil, "", nil
	}
	c := e.AsCall()
	if !c.IsMemberFunction() || !slices.Contains(names, c.FunctionName()) || len(c.Args()) != 2 ||
		c.Args()[0].Kind() != ast.IdentKind {
		return nil, "", nil
	}
	return c.Target(), c.Args()[0].AsIdent(), c.Args()[1]
}

// fieldsOf returns the path below self that an expression is; ok is unset for others.
func fieldsOf(e ast.Expr) (out schema.Path, ok bool) {
	for e.Kind() == ast.SelectKind {
		name, _ := kubecel.Unescape(e.AsSelect().FieldName())
		out = append(schema.Path{schema.Key(name)}, out...)
		e = e.AsSelect().Operand()
	}
	return out, e.Kind() == ast.IdentKind && e.AsIdent() == "self"
}

// about returns the condition for two fields in place of the items.
func (p *pairing) about(first, second string) string {
	return fmt.Sprintf("[%s].all(%s, [%s].all(%s, %s))", first, p.x, second, p.y, p.condition)
}

// followsForPairs reports whether an expression about all pairs of items follows from those of the accepting side, and
// from the keys of a list, or the equality in a set, which no two items share.
func (w *walk) followsForPairs(n *node, e ast.Expr, had []ast.Expr) bool {
	now := pairingOf(e)
	if now == nil {
		return false
	}
	list := w.SchemaAt(n.Accept, now.at)
	if list == nil || list.Items == nil || list.Items == witness.Anything {
		return false
	}
	rules := []string{now.about("self.a", "self.b"), now.about("self.a", "self.a")}
	apart, alone := []symbolic.Outcomes{symbolic.False | symbolic.Fails}, symbolic.False|symbolic.Fails
	if now.isUnique {
		apart[0] = symbolic.True | symbolic.Fails
	}
	var given []symbolic.Outcomes
	add := func(text string, is symbolic.Outcomes) { rules, given = append(rules, text), append(given, is) }
	if shared := sharedKeys(list); shared != "" {
		add(shared, symbolic.False)
	}
	for _, old := range had {
		was := pairingOf(old)
		switch {
		case was == nil || was.list != now.list:
		case !was.isUnique:
			add(was.about("self.a", "self.b"), symbolic.True)
		case w.twoItems(list.Items, was.about("self.a", "self.a")).none(0, symbolic.False|symbolic.Fails):
			add(was.about("self.a", "self.b"), symbolic.False)
		}
	}
	t := w.twoItems(list.Items, rules...)
	var others []symbolic.Claim
	for i, is := range given {
		if t == nil || t.rules[2+i] == nil {
			return false
		}
		others = append(others, symbolic.Claim{Rule: t.rules[2+i], Outcomes: is})
	}
	return t.none(1, alone) && t.none(0, apart[0], others...)
}

// sharedKeys returns the expression that two items have the same keys, or are equal in a set; "" for other lists, and
// if a key may be absent.
func sharedKeys(list *schema.Schema) string {
	switch list.ListType.V {
	case "set":
		return "self.a == self.b"
	case "map":
		var out []string
		for _, key := range list.ListMapKeys {
			name, ok := kubecel.Escape(key.V)
			p := list.Items.Property(key.V)
			isRequired := slices.ContainsFunc(list.Items.Required, func(t schema.Text) bool { return t.V == key.V })
			if !ok || p == nil || !isRequired && p.Default == nil || witness.IsNullable(p) {
				return ""
			}
			out = append(out, fmt.Sprintf("self.a.%[1]s == self.b.%[1]s", name))
		}
		return strings.Join(out, " && ")
	}
	return ""
}

// twoItems returns the claimant of rules about an object with two items, a and b.
func (w *walk) twoItems(item *schema.Schema, rules ...string) *claimant {
	root := &schema.Schema{Type: schema.Text{V: witness.ObjectType}, Required: []schema.Text{{V: "a"}, {V: "b"}},
		Properties: []schema.Property{{Name: "a", Schema: item}, {Name: "b", Schema: item}}}
	for _, text := range rules {
		root.Rules = append(root.Rules, schema.Rule{Rule: schema.Text{V: text}})
	}
	structure, err := kube.Structural(root)
	if err != nil || !w.Steps.Rules.Spend(2*w.SizeOf(item).Schemas) {
		return nil
	}
	list, _ := expr.Compile(0, root, structure, expr.Options{
		Kube: kube.Range{First: kube.Latest(), Last: kube.Latest()}})
	out := &claimant{rules: map[int]*expr.Rule{}}
	var given []expr.Rule
	for i := range list {
		if r := &list[i]; r.Checked != nil && r.Place.Above == nil {
			out.rules[r.Index] = r
		} else if r.Checked != nil {
			given = append(given, *r)
		}
	}
	out.objects = symbolic.Of(w.Context, structure, given).Accepted().Within(w.budget())
	return out
}

// none reports whether no object has an outcome of a rule, and of others.
func (c *claimant) none(rule int, is symbolic.Outcomes, others ...symbolic.Claim) bool {
	if c == nil || c.rules[rule] == nil {
		return false
	}
	answer, _ := c.objects.Exists(append(others, symbolic.Claim{Rule: c.rules[rule], Outcomes: is})...)
	return answer == symbolic.No
}
