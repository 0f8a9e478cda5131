package diff

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	"github.com/google/cel-go/common/ast"

	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/objects/internal/witness"
	"github.com/crdproof/crdproof/rules/expr"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/symbolic"
	"github.com/crdproof/crdproof/schema"
)

// A claimant answers whether an object that the accepting side accepts violates rules of the rejecting side at a node.
// The rules are compiled for the values of both sides, and read them as the accepting side has them.
type claimant struct {
	*walk
	n *node
	// rules are those of the rejecting side, by their index; nil if they cannot be compiled.
	rules func() map[int]*expr.Rule
}

func (w *walk) claimant(n *node) *claimant {
	return &claimant{w, n, sync.OnceValue(func() map[int]*expr.Rule { return w.compiled(n) })}
}

// compiled returns the rules of the rejecting side at a node.
func (w *walk) compiled(n *node) map[int]*expr.Rule {
	both := w.withoutRules(n.accept, n.reject)
	both.Rules = n.reject.Rules
	out := map[int]*expr.Rule{}
	for _, r := range compile(w.around(w.Root, n.at, both)) {
		if r.Checked != nil {
			out[r.Index] = &r
		}
	}
	return out
}

// compile returns the rules of a schema.
func compile(root *schema.Schema) []expr.Rule {
	structure, err := kube.Structural(root)
	if err != nil {
		return nil
	}
	rules, _ := expr.Compile(0, root, structure, expr.Options{
		Kube: kube.Range{First: kube.Latest(), Last: kube.Latest()}})
	return rules
}

// objects returns all objects that the accepting side accepts, nil if its schema is too large, or has no structural
// form.
func (w *walk) objects() *symbolic.Objects {
	if w.accepted == nil && w.Steps.Rules.Spend(w.SizeOf(w.Root).Schemas) {
		w.accepted = w.objectsOf(w.Root, compile(w.Root))
	}
	return w.accepted
}

// objectsOf returns all objects that a schema and its rules accept, nil if it has no structural form.
func (w *walk) objectsOf(root *schema.Schema, rules []expr.Rule) *symbolic.Objects {
	structure, err := kube.Structural(root)
	if err != nil {
		return nil
	}
	given := slices.DeleteFunc(rules, func(r expr.Rule) bool { return r.Checked == nil })
	return symbolic.Of(w.Context, structure, given).Accepted()
}

// ask asks a question about objects within its budget, and within that of all questions. It notes the limit because of
// which the answer is unknown.
func (w *walk) ask(
	objects *symbolic.Objects, question func(*symbolic.Objects) (symbolic.Answer, *symbolic.Object),
) (symbolic.Answer, *symbolic.Object) {
	if w.Steps.Claims.Ended() {
		w.limit = effort.DiffClaims
		return symbolic.Unknown, nil
	}
	budget := effort.New(w.Context, effort.DiffClaim)
	defer func() { w.Steps.Claims.Spend(budget.Spent()) }()
	answer, shown := question(objects.Within(budget))
	if answer == symbolic.Unknown && budget.Exceeded() {
		w.limit = effort.DiffClaim
	}
	return answer, shown
}

// limited returns the reason of an unknown answer, with the limit of the last question if that was reached.
func (w *walk) limited(reason string) string {
	if w.limit == nil {
		return reason
	}
	return reason + "; " + w.limit.Reason("the question whether it follows from the old schema")
}

func shallow(s *schema.Schema) *schema.Schema {
	out := *s
	return &out
}

// around returns what leads to another schema at a path of a schema, and nothing else; the schema itself without such
// a path.
func (w *walk) around(s *schema.Schema, at schema.Path, inner *schema.Schema) *schema.Schema {
	if len(at) == 0 {
		return inner
	}
	out, next := shallow(s), w.Child(s, at[0])
	out.Rules = nil
	switch {
	case next == nil:
	case at[0].IsItem():
		out.Items = w.around(next, at[1:], inner)
	case w.Property(s, at[0].Name) != nil:
		out.Properties = []schema.Property{{Name: at[0].Name, Schema: w.around(next, at[1:], inner)}}
	default:
		out.AdditionalProperties = w.around(next, at[1:], inner)
	}
	return out
}

// withoutRules returns an accepting schema without its rules, with the fields that only a rejecting one has.
func (w *walk) withoutRules(accept, reject *schema.Schema) *schema.Schema {
	if accept == nil || !w.Steps.Schemas.Spend(1) {
		return accept
	}
	out := shallow(accept)
	out.Rules = nil
	reject = cmp.Or(reject, witness.Anything)
	out.Items = w.withoutRules(accept.Items, reject.Items)
	out.AdditionalProperties = w.withoutRules(accept.AdditionalProperties, reject.AdditionalProperties)
	out.Properties = slices.Clone(accept.Properties)
	for i := range out.Properties {
		p := &out.Properties[i]
		p.Schema = w.withoutRules(p.Schema, w.Property(reject, p.Name))
	}
	if accept.AdditionalProperties == nil && !witness.KeepsAny(accept) {
		for i := range reject.Properties {
			if p := reject.Properties[i]; w.Property(accept, p.Name) == nil {
				p.Schema = w.withoutRules(p.Schema, nil)
				out.Properties = append(out.Properties, p)
			}
		}
	}
	return out
}

// violates answers whether an object that the accepting side accepts violates a rule of the rejecting side.
func (c *claimant) violates(rule int) (symbolic.Answer, *symbolic.Object) {
	return c.exists(rule, symbolic.False|symbolic.Fails)
}

// isSafe reports whether a rule has a value for all objects that the accepting side accepts.
func (c *claimant) isSafe(rule int) bool {
	answer, _ := c.exists(rule, symbolic.Fails)
	return answer == symbolic.No
}

func (c *claimant) exists(rule int, outcomes symbolic.Outcomes) (symbolic.Answer, *symbolic.Object) {
	c.limit = nil
	objects := c.objects()
	if objects == nil || c.rules()[rule] == nil {
		return symbolic.Unknown, nil
	}
	return c.ask(objects, func(objects *symbolic.Objects) (symbolic.Answer, *symbolic.Object) {
		return objects.Exists(symbolic.Claim{Rule: c.rules()[rule], Outcomes: outcomes})
	})
}

// violatesJunctors answers whether an object that the accepting side accepts violates junctors at a node.
func (w *walk) violatesJunctors(n *node, only *schema.Schema) (symbolic.Answer, *symbolic.Object) {
	w.limit = nil
	structure, err := kube.Structural(only)
	objects, at := w.objects(), placeAt(w.Root, n.at)
	if objects == nil || at == nil || err != nil {
		return symbolic.Unknown, nil
	}
	return w.ask(objects, func(objects *symbolic.Objects) (symbolic.Answer, *symbolic.Object) {
		return objects.Violates(at, structure.ValueValidation)
	})
}

// followsAt reports whether all values at a node that the accepting side accepts satisfy a keyword, because of junctors
// and rules, for example.
func (w *walk) followsAt(n *node, keyword *schema.Schema) func() bool {
	return sync.OnceValue(func() bool {
		answer, _ := w.violatesJunctors(n, &schema.Schema{AllOf: []*schema.Schema{keyword}})
		return answer == symbolic.No
	})
}

// placeAt returns the place of a schema at a path, nil without one.
func placeAt(root *schema.Schema, at schema.Path) *schema.Place {
	out := &schema.Place{Schema: root}
	for _, to := range at {
		children := out.Children()
		find := func(step schema.Step) int {
			return slices.IndexFunc(children, func(p *schema.Place) bool {
				return p.Step == step && (step != schema.InProperty || p.Name == to.Name)
			})
		}
		i := find(schema.InProperty)
		switch {
		case to.IsItem():
			i = find(schema.InItems)
		case i < 0:
			i = find(schema.InValues)
		}
		if i < 0 {
			return nil
		}
		out = children[i]
	}
	return out
}

// planOf returns the plan for an object that shows an answer about a node. Only rules of the whole object read its
// name.
func planOf(object map[string]any, n *node) (out witness.Plan) {
	name := schema.Path{schema.Key("metadata"), schema.Key("name")}
	if value, has := name.In(object); has && len(n.at) == 0 {
		out = append(out, witness.Edit{At: name, Value: value})
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if !slices.Contains(metaFields, name) {
			out = append(out, witness.Edit{At: schema.Path{schema.Key(name)}, Value: object[name]})
		}
	}
	return out
}

// readsAny reports whether one of several expressions reads what has changed.
func (w *walk) readsAny(list []ast.Expr, changed []schema.Path) bool {
	return slices.ContainsFunc(list, func(e ast.Expr) bool { return w.readsChanged(e, changed) })
}
