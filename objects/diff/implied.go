package diff

import (
	"maps"
	"slices"

	"github.com/google/cel-go/common/ast"
	kubecel "k8s.io/apiserver/pkg/cel"

	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/objects/internal/witness"
	"github.com/crdproof/crdproof/rules/expr"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/symbolic"
	"github.com/crdproof/crdproof/schema"
)

// A claimant answers whether an object that the accepting side accepts violates rules of the rejecting side at a node.
// The rules are compiled for the accepting schema, as rules that it has in addition: they read only what both sides
// treat alike.
type claimant struct {
	objects *symbolic.Objects
	// at is the node.
	at *schema.Place
	// rules are those of the rejecting side, by their index; nil if they cannot be compiled for the accepting schema.
	rules map[int]*expr.Rule
}

// claimant returns the claimant of a node, nil if the schemas are too large, or have no structural form.
func (w *walk) claimant(n *node) *claimant {
	if w.compiled == nil {
		w.compiled = expr.Nodes{}
	}
	if !w.Steps.Rules.Spend(w.SizeOf(w.Root).Schemas) {
		return nil
	}
	both := w.withUnknown(n.Accept, n.Reject)
	first := len(both.Rules)
	if both == n.Accept {
		both = shallow(both)
	}
	both.Rules = append(slices.Clip(both.Rules), n.Reject.Rules...)
	root := w.replaced(w.Root, n.At, both)
	structure, err := kube.Structural(root)
	if err != nil {
		return nil
	}
	list, _ := expr.Compile(0, root, structure, expr.Options{
		Kube: kube.Range{First: kube.Latest(), Last: kube.Latest()}, Nodes: w.compiled})
	out := &claimant{rules: map[int]*expr.Rule{}, at: placeAt(root, n.At)}
	var given []expr.Rule
	for i := range list {
		r := &list[i]
		switch isNew := r.Place.Schema == both && r.Index >= first; {
		case r.Checked == nil:
		case !isNew:
			given = append(given, *r)
		case out.rules[r.Index-first] == nil:
			out.rules[r.Index-first] = r
		}
	}
	out.objects = symbolic.Of(w.Context, structure, given).Accepted().Within(w.budget())
	return out
}

// budget returns the budget of all claims.
func (w *walk) budget() *effort.Budget {
	if w.claims == nil {
		w.claims = effort.New(w.Context, effort.DiffClaims)
	}
	return w.claims
}

func shallow(s *schema.Schema) *schema.Schema {
	out := *s
	return &out
}

// replaced returns a schema with another one at a path.
func (w *walk) replaced(s *schema.Schema, at schema.Path, by *schema.Schema) *schema.Schema {
	if len(at) == 0 {
		return by
	}
	out := shallow(s)
	inner := w.Child(s, at[0])
	switch i := slices.IndexFunc(s.Properties, func(p schema.Property) bool { return p.Name == at[0].Name }); {
	case inner == nil:
		return s
	case at[0].IsItem():
		out.Items = w.replaced(inner, at[1:], by)
	case i >= 0:
		out.Properties = slices.Clone(s.Properties)
		out.Properties[i].Schema = w.replaced(inner, at[1:], by)
	default:
		out.AdditionalProperties = w.replaced(inner, at[1:], by)
	}
	return out
}

// withUnknown returns the accepting schema with the fields that only the rejecting one has, and with rules that they
// are absent: objects have no unknown fields.
func (w *walk) withUnknown(accept, reject *schema.Schema) *schema.Schema {
	if accept == reject || !w.Steps.Schemas.Spend(1+len(reject.Properties)) {
		return accept
	}
	out, isOther := *accept, false
	if accept.Items != nil && reject.Items != nil {
		out.Items = w.withUnknown(accept.Items, reject.Items)
		isOther = out.Items != accept.Items
	}
	if len(accept.Properties) == 0 || accept.AdditionalProperties != nil || witness.KeepsAny(accept) {
		return kept(accept, &out, isOther)
	}
	out.Properties, out.Rules = slices.Clone(accept.Properties), slices.Clip(accept.Rules)
	for i := range out.Properties {
		p := &out.Properties[i]
		if other := w.Property(reject, p.Name); other != nil {
			was := p.Schema
			p.Schema = w.withUnknown(was, other)
			isOther = isOther || p.Schema != was
		}
	}
	for i := range reject.Properties {
		p := reject.Properties[i]
		name, ok := kubecel.Escape(p.Name)
		if w.Property(accept, p.Name) != nil || !ok {
			continue
		}
		p.Schema = shallow(p.Schema)
		p.Schema.Default = nil
		out.Properties = append(out.Properties, p)
		out.Rules = append(out.Rules, schema.Rule{Rule: schema.Text{V: "!has(self." + name + ")"}})
		isOther = true
	}
	return kept(accept, &out, isOther)
}

// kept returns the changed schema, or the same one if nothing has changed.
func kept(was, now *schema.Schema, isOther bool) *schema.Schema {
	if isOther {
		return now
	}
	return was
}

// violates answers whether an object that the accepting side accepts violates a rule of the rejecting side.
func (c *claimant) violates(rule int) (symbolic.Answer, *symbolic.Object) {
	if c == nil || c.rules[rule] == nil {
		return symbolic.Unknown, nil
	}
	return c.objects.Exists(symbolic.Claim{Rule: c.rules[rule], Outcomes: symbolic.False | symbolic.Fails})
}

// violatesJunctors answers whether an object that the accepting side accepts violates junctors.
func (c *claimant) violatesJunctors(only *schema.Schema) (symbolic.Answer, *symbolic.Object) {
	structure, err := kube.Structural(only)
	if c == nil || c.at == nil || err != nil {
		return symbolic.Unknown, nil
	}
	return c.objects.Violates(c.at, structure.ValueValidation)
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
	if value, has := name.In(object); has && len(n.At) == 0 {
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
