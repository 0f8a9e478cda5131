package diff

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	kubecel "k8s.io/apiserver/pkg/cel"

	"github.com/crdproof/crdproof/objects/internal/witness"
	"github.com/crdproof/crdproof/rules/symbolic"
	"github.com/crdproof/crdproof/schema"
)

// A pairing is an expression about all pairs of items of a list: list.all(x, list.all(y, condition)), or
// list.all(x, list.exists_one(y, condition)), which says that no other item satisfies the condition if each item does
// so with itself. Either may be only about some x: list.all(x, isSome ? list.all(y, condition) : true). Package
// symbolic, for which one item of a list represents all, answers for an object with two items in place of the list.
type pairing struct {
	x, y, condition string
	// before is the format of what is true without pairs, only that of what is true of the other x, of a condition.
	before, only string
	at           schema.Path
	isUnique     bool
}

// pairingOf returns the pairing that an expression is, nil if it is none.
func pairingOf(e ast.Expr) *pairing {
	before, e := unlessOf(e)
	list, x, inner := loopOf(e, "all")
	only, inner := unlessOf(inner)
	second, y, condition := loopOf(inner, "all", "exists_one", "existsOne")
	isUnique := condition != nil && inner.AsCall().FunctionName() != "all"
	if condition == nil {
		isUnique = true
		second, y, condition = loopOf(onlyOne(inner), "filter")
	}
	if condition == nil || witness.Text(list) != witness.Text(second) {
		return nil
	}
	out := &pairing{x: x, y: y, before: before, only: only, condition: witness.Text(condition), isUnique: isUnique}
	var ok bool
	if out.at, ok = fieldsOf(list); !ok {
		return nil
	}
	return out
}

// onlyOne returns the list of an expression list.size() == 1, nil for others.
func onlyOne(e ast.Expr) ast.Expr {
	if e == nil || e.Kind() != ast.CallKind || e.AsCall().FunctionName() != operators.Equals {
		return nil
	}
	for i, size := range e.AsCall().Args() {
		if witness.Text(e.AsCall().Args()[1-i]) != "1" || size.Kind() != ast.CallKind ||
			size.AsCall().FunctionName() != "size" {
			continue
		}
		if size.AsCall().IsMemberFunction() {
			return size.AsCall().Target()
		}
		return size.AsCall().Args()[0]
	}
	return nil
}

// unlessOf takes an expression apart that is true in some cases, and has the value of another one in all others. It
// returns the format of the whole expression, and that other one.
func unlessOf(e ast.Expr) (format string, rest ast.Expr) {
	format = "%s"
	for e != nil && e.Kind() == ast.CallKind {
		c := e.AsCall()
		args := c.Args()
		switch name := c.FunctionName(); {
		case name == operators.LogicalOr:
			format = fmt.Sprintf(format, "("+escaped(args[0])+") || (%s)")
		case name == operators.Conditional && witness.Text(args[2]) == "true":
			format = fmt.Sprintf(format, "("+escaped(args[0])+") ? (%s) : true")
		default:
			return format, e
		}
		e = args[1]
	}
	return format, e
}

// escaped returns the text of an expression for a format.
func escaped(e ast.Expr) string { return strings.ReplaceAll(witness.Text(e), "%", "%%") }

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

// about returns the condition for two fields in place of the items, for those x that it is about.
func (p *pairing) about(first, second, condition string) string {
	return fmt.Sprintf("[%s].all(%s, [%s].all(%s, %s))", first, p.x, second, p.y, fmt.Sprintf(p.only, condition))
}

// apart returns what is true of two different items, alone what is true of one item and itself.
func (p *pairing) apart() string {
	if p.isUnique {
		return p.about("self.a", "self.b", "!("+p.condition+")")
	}
	return p.about("self.a", "self.b", p.condition)
}

func (p *pairing) alone() string { return p.about("self.a", "self.a", p.condition) }

// followsForPairs reports whether a rule is about all pairs of items, and follows from those of the accepting side, and
// from the keys of a list, or the equality in a set, which no two items share.
func (w *walk) followsForPairs(n *node, r *witness.Rule) bool {
	return len(r.Conjuncts) > 0 && !slices.ContainsFunc(r.Conjuncts, func(e ast.Expr) bool {
		now := pairingOf(e)
		return now == nil || !w.pairFollows(n, now)
	})
}

func (w *walk) pairFollows(n *node, now *pairing) bool {
	list, other := w.SchemaAt(n.accept, now.at), w.SchemaAt(n.reject, now.at)
	if list == nil || list.Items == nil || list.Items == witness.Anything || other == nil {
		return false
	}
	two := &twoItems{walk: w, accept: list.Items, reject: other.Items}
	given := map[string]symbolic.Outcomes{}
	if shared := sharedKeys(list); shared != "" {
		given[shared] = symbolic.False
	}
	for i := range n.accept.Rules {
		for _, e := range w.Parsed(&n.accept.Rules[i]).Conjuncts {
			was := pairingOf(e)
			isSame := was != nil && was.at.String() == now.at.String() &&
				(was.before == "%s" || was.before == now.before)
			// If the condition failed for an item and itself, the rule would fail.
			if isSame && (!was.isUnique || two.never(was.alone(), symbolic.False, nil)) {
				given[was.apart()] = symbolic.True
			}
		}
	}
	const violated = symbolic.False | symbolic.Fails
	return two.never(now.alone(), violated, nil) && two.never(now.apart(), violated, given)
}

// sharedKeys returns the expression that two items have the same keys, or are equal in a set; "" for other lists, if a
// key may be absent, and if different keys may be equal in rules.
func sharedKeys(list *schema.Schema) string {
	switch list.ListType.V {
	case "set":
		if hasOneText(list.Items) {
			return "self.a == self.b"
		}
	case "map":
		var out []string
		for _, key := range list.ListMapKeys {
			name, ok := kubecel.Escape(key.V)
			p := list.Items.Property(key.V)
			isRequired := slices.ContainsFunc(list.Items.Required, func(t schema.Text) bool { return t.V == key.V })
			if !ok || p == nil || !isRequired && p.Default == nil || witness.IsNullable(p) || !hasOneText(p) {
				return ""
			}
			out = append(out, fmt.Sprintf("self.a.%[1]s == self.b.%[1]s", name))
		}
		return strings.Join(out, " && ")
	}
	return ""
}

// hasOneText reports whether different texts of a scalar are different values to CEL. It reads 60s and 1m as the same
// duration, and large integers as the same number.
func hasOneText(s *schema.Schema) bool {
	switch s.Type.V {
	case "string":
		return !slices.Contains([]string{"duration", "date-time", "date", "byte"}, s.Format.V)
	case "integer", "boolean":
		return true
	}
	return s.IntOrString.True()
}

// twoItems are objects with two items, a and b.
type twoItems struct {
	*walk
	accept, reject *schema.Schema
}

// never reports whether a rule has some outcomes for no objects for which others have an outcome.
func (t *twoItems) never(rule string, outcomes symbolic.Outcomes, given map[string]symbolic.Outcomes) bool {
	if !t.Steps.Rules.Spend(2 * t.SizeOf(t.accept).Schemas) {
		return false
	}
	names := append(slices.Sorted(maps.Keys(given)), rule)
	both := two(t.withoutRules(t.accept, t.reject))
	for _, text := range names {
		both.Rules = append(both.Rules, schema.Rule{Rule: schema.Text{V: text}})
	}
	rules := compile(both)
	objects := t.objectsOf(two(t.accept), compile(two(t.accept)))
	if objects == nil || len(rules) != len(names) {
		return false
	}
	var claims []symbolic.Claim
	for i := range rules {
		wanted := given[names[i]]
		if i == len(given) { // the rule itself, whose text may be one that is given
			wanted = outcomes
		}
		if rules[i].Checked == nil {
			return false
		}
		claims = append(claims, symbolic.Claim{Rule: &rules[i], Outcomes: wanted})
	}
	answer, _ := t.ask(objects, func(objects *symbolic.Objects) (symbolic.Answer, *symbolic.Object) {
		return objects.Exists(claims...)
	})
	return answer == symbolic.No
}

// two returns the schema of objects with two items.
func two(item *schema.Schema) *schema.Schema {
	return &schema.Schema{Type: schema.Text{V: witness.ObjectType}, Required: []schema.Text{{V: "a"}, {V: "b"}},
		Properties: []schema.Property{{Name: "a", Schema: item}, {Name: "b", Schema: item}}}
}
