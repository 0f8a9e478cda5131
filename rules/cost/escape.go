package cost

import (
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
	kubecel "k8s.io/apiserver/pkg/cel"
)

// escaped returns a rule with the names of fields that CEL reserves, such as namespace, in the form that the API
// server's declarations have. CEL compiles the plain name too, but the estimator then finds no declaration, and so no
// bound. It is "" if that is not the reason for a cost without limit: if the changed rule has none either.
func (c *checking) escaped(e *Estimate) string {
	if e.Part != PartRule {
		return ""
	}
	text := []rune(e.text().V)
	var at []int // the offsets of names
	names := map[int]string{}
	info := e.ast().NativeRep().SourceInfo()
	ast.PostOrderVisit(e.ast().NativeRep().Expr(), ast.NewExprVisitor(func(x ast.Expr) {
		if x.Kind() != ast.SelectKind {
			return
		}
		name := x.AsSelect().FieldName()
		place, ok := info.GetOffsetRange(x.ID())
		if escaped, valid := kubecel.Escape(name); ok && valid && escaped != name {
			start := int(place.Start) + 1
			if start <= len(text) && strings.HasPrefix(string(text[start:]), name) && names[start] == "" {
				at, names[start] = append(at, start), escaped
			}
		}
	}))
	slices.Sort(at)
	for _, start := range slices.Backward(at) {
		plain, _ := kubecel.Unescape(names[start])
		text = slices.Replace(text, start, start+len([]rune(plain)), []rune(names[start])...)
	}
	checked := e.Rule.Instead(string(text))
	if len(at) == 0 || checked == nil {
		return ""
	}
	r := *e.Rule
	r.Checked = checked
	costs := question{rule: &r, ast: checked}.answers()
	changed := Estimate{
		Rule: &r, Part: e.Part, Each: slices.Max(costs), each: costs,
		Cardinality: e.Cardinality, Unbounded: e.Unbounded,
	}
	changed.Cost = product(changed.Each, changed.Cardinality)
	if c.explain(group{&changed}, shortRepair).hopeless {
		return ""
	}
	return string(text)
}
