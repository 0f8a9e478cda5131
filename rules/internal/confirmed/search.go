package confirmed

import (
	"context"
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	apicel "k8s.io/apiserver/pkg/cel"

	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/rules/expr"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/symbolic"
	"github.com/crdproof/crdproof/schema"
)

// An Escape shows how two updates do what a rule forbids to one: the first removes a field, the second sets it anew.
// The API server's code has accepted both updates, and has rejected the one that they replace because of the rule.
type Escape struct {
	Rule *expr.Rule
	// Removed is the field that the first update removes: the one that the rule compares, or one around it. Changed is
	// the value that the updates change.
	Removed, Changed *schema.Place
	// ToNull is set if the first update sets the field to null, which it cannot remove.
	ToNull bool
	// Old, Between and New are the objects.
	Old, Between, New map[string]any
	// Before and After are the values at Changed.
	Before, After any
}

// A finder looks for escapes in the rules of a version.
type finder struct {
	structure *structural.Structural
	rules     []expr.Rule
	// objects are those of the schema, small those of a smaller one, in which the search begins.
	objects, small *symbolic.Objects
	budget         *effort.Budget
	// known are the objects for conditions of places.
	known map[question]map[string]any
}

// A question asks for an object for which a condition of a place holds.
type question struct {
	place     *schema.Place
	condition string
}

// Find returns the escapes from each of some rules: for each value that a rule compares, those by the removal of the
// innermost fields first.
func Find(ctx context.Context, structure *structural.Structural, rules []expr.Rule, isAsked func(*expr.Rule) bool) (
	out []Escape) {
	f := &finder{
		structure: structure, rules: rules,
		objects: symbolic.Of(ctx, structure, rules),
		small:   symbolic.Of(ctx, Reduced(structure, rules), rules).Within(effort.New(ctx, effort.TransitionSteps)),
		budget:  effort.New(ctx, effort.TransitionWrites),
		known:   map[question]map[string]any{},
	}
	for i := range rules {
		r := &rules[i]
		if r.Checked == nil || !r.UsesOldSelf || r.Unreached || r.Place.Nested || !isAsked(r) {
			continue
		}
		for _, c := range candidates(r) {
			if f.isUnknown(c.removed) {
				continue
			}
			if e := f.escape(r, c); e != nil {
				out = append(out, *e)
			}
		}
	}
	return out
}

// isUnknown reports whether a rule that does not compile is on a place or around it, and may forbid the removal: it
// names a field on the way there, or compares all of its value.
func (f *finder) isUnknown(at *schema.Place) bool {
	return slices.ContainsFunc(f.rules, func(r expr.Rule) bool {
		if r.Checked != nil {
			return false
		}
		text, on := r.Source.Rule.V, r.Place.Path()
		for p := at; p != nil; p = p.Above {
			switch {
			case p.Path() == on:
				return p == at || wholeOld.MatchString(text)
			case p.Name != "" && strings.Contains(text, p.Name):
				return r.Place.Above == nil || strings.HasPrefix(at.Path(), on+".")
			}
		}
		return false
	})
}

// wholeOld matches an old value of which no field is read.
var wholeOld = regexp.MustCompile(`oldSelf\b\s*(?:[^\s.?\[]|$)`)

// A candidate is a field that may be removed to escape a rule about a value.
type candidate struct {
	removed, changed *schema.Place
	// condition is a condition of the value of the rule, under which the changed value is present.
	condition string
}

// candidates returns the fields whose removal may hide a value from a rule: the value itself, and the fields around it,
// up to the item of a list or the value of a map that they are in.
func candidates(r *expr.Rule) (out []candidate) {
	for _, path := range compared(r) {
		changed := r.Place
		for _, name := range path {
			changed = property(changed, name)
		}
		for p := changed; p.Step == schema.InProperty; p = p.Above {
			if mayBeRemoved(p) && (p == changed || !inStatus(p)) {
				out = append(out, candidate{p, changed, presence("self", path)})
			}
		}
	}
	return out
}

// inStatus reports whether a place is in the status. What is around a value there, no controller removes.
func inStatus(p *schema.Place) bool { return way(p)[0].Name == "status" }

// compared returns the paths of the values that a rule reads of oldSelf, without those that lead to others; an empty
// one stands for all of it.
func compared(r *expr.Rule) (out [][]string) {
	var all [][]string
	for _, path := range readsOf("oldSelf", r) {
		p := r.Place
		for i, name := range path {
			if p = property(p, name); p == nil {
				path = path[:i]
				break
			}
		}
		all = append(all, path)
	}
	for i, path := range all {
		isInner := func(other []string) bool { return len(other) > len(path) && slices.Equal(other[:len(path)], path) }
		isSame := func(other []string) bool { return slices.Equal(other, path) }
		if !slices.ContainsFunc(all, isInner) && !slices.ContainsFunc(all[:i], isSame) {
			out = append(out, path)
		}
	}
	return out
}

// property returns the place of a property by its name in CEL.
func property(p *schema.Place, name string) *schema.Place {
	for _, child := range p.Children() {
		if escaped, ok := apicel.Escape(child.Name); child.Step == schema.InProperty && ok && escaped == name {
			return child
		}
	}
	return nil
}

// presence returns the condition that a path of fields is there.
func presence(object string, path []string) string {
	out := []string{"true"}
	for _, name := range path {
		object += "." + name
		out = append(out, "has("+object+")")
	}
	return strings.Join(out[min(1, len(path)):], " && ")
}

// mayBeRemoved reports whether an update can remove a field, or set it to null. The server owns the metadata, and drops
// a status that clients remove.
func mayBeRemoved(p *schema.Place) bool {
	isRoot := p.Above.Above == nil
	if isRoot && slices.Contains([]string{"metadata", "apiVersion", "kind", "status"}, p.Name) {
		return false
	}
	return !isRequired(p) || p.Schema.Nullable.True()
}

func isRequired(p *schema.Place) bool {
	return slices.ContainsFunc(p.Above.Schema.Required, func(t schema.Text) bool { return t.V == p.Name })
}

// readsOf returns the paths of fields that a rule reads of self, or of oldSelf.
func readsOf(root string, r *expr.Rule) (out [][]string) {
	ast.PostOrderVisit(r.Checked.NativeRep().Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		if path, ok := pathOf(root, e); ok {
			out = append(out, path)
		}
	}))
	return out
}

// pathOf returns the path of fields that an expression reads of a variable.
func pathOf(root string, e ast.Expr) (path []string, ok bool) {
	switch e.Kind() {
	case ast.IdentKind:
		return nil, e.AsIdent() == root
	case ast.SelectKind:
		path, ok = pathOf(root, e.AsSelect().Operand())
		return append(path, e.AsSelect().FieldName()), ok
	case ast.CallKind:
		call := e.AsCall()
		if call.FunctionName() == "value" && call.IsMemberFunction() {
			return pathOf(root, call.Target())
		}
		if args := call.Args(); call.FunctionName() == "_?._" && args[1].Kind() == ast.LiteralKind {
			path, ok = pathOf(root, args[0])
			name, isText := args[1].AsLiteral().(types.String)
			return append(path, string(name)), ok && isText
		}
	}
	return nil, false
}

// escape looks for an escape by the removal of a field.
func (f *finder) escape(r *expr.Rule, c candidate) *Escape {
	e := &Escape{Rule: r, Removed: c.removed, Changed: c.changed}
	if f.completes(e, f.objectWith(r, c.condition), nil) {
		return e
	}
	// Other rules may ask for other fields when this one is removed.
	if o := f.removal(r, c); o != nil && o.Old != nil && f.completes(e, o.Old, o.Object) {
		return e
	}
	// Other rules fail, and reject all updates, if an object lacks what they read.
	for _, object := range f.objectsWithReads(c) {
		if f.completes(e, object, nil) {
			return e
		}
	}
	// The values of a pattern may be hard to guess.
	if answer, pair := f.small.Exists(symbolic.Claim{Rule: r, Outcomes: symbolic.False}); answer == symbolic.Yes {
		for _, o := range []map[string]any{pair.Old, pair.Object} {
			if f.completes(e, o, nil, pair.Old, pair.Object) {
				return e
			}
		}
	}
	return nil
}

// objectWith returns an object for which a condition of the value of a rule holds; nil if none is found.
func (f *finder) objectWith(r *expr.Rule, condition string) map[string]any {
	key := question{r.Place, condition}
	object, isKnown := f.known[key]
	if !isKnown {
		asked := *r
		if asked.Checked, asked.UsesOldSelf = r.Instead(condition), false; asked.Checked != nil {
			if _, found := f.small.Exists(symbolic.Claim{Rule: &asked, Outcomes: symbolic.True}); found != nil {
				object = found.Object
			}
		}
		f.known[key] = object
	}
	return object
}

// objectsWithReads returns objects that have all fields that a rule reads, for each rule about the field that is
// removed.
func (f *finder) objectsWithReads(c candidate) (out []map[string]any) {
	for i := range f.rules {
		r := &f.rules[i]
		if r.Checked == nil || !isAround(r.Place, c.changed) || !strings.Contains(r.Source.Rule.V, c.removed.Name) {
			continue
		}
		condition := "true"
		for _, path := range readsOf("self", r) {
			if added := presence("self", path); !strings.Contains(condition, added) {
				condition += " && " + added
			}
		}
		if object := f.objectWith(r, condition); object != nil {
			out = append(out, object)
		}
	}
	return out
}

// isAround reports whether a place is one of those above another one.
func isAround(outer, p *schema.Place) bool {
	for p = p.Above; p != nil; p = p.Above {
		if p.Schema == outer.Schema && p.Path() == outer.Path() {
			return true
		}
	}
	return false
}

// removal returns an update that removes the field that a rule reads of its own value; nil if none is found.
func (f *finder) removal(r *expr.Rule, c candidate) *symbolic.Object {
	if c.condition == "true" {
		return nil
	}
	asked := *r
	asked.Checked = r.Instead(strings.ReplaceAll(c.condition, "(self.", "(oldSelf.") + " && !(" + c.condition + ")")
	if asked.Checked == nil || r.HasOptionalOldSelf() {
		return nil
	}
	_, found := f.small.Exists(symbolic.Claim{Rule: &asked, Outcomes: symbolic.True})
	return found
}

// completes completes an escape that begins with an object, by way of another one, or of the same without the field.
// The values of other objects at the place are tried first.
func (f *finder) completes(e *Escape, old, between map[string]any, like ...map[string]any) bool {
	if old, between = normal(old), normal(between); old == nil {
		return false
	}
	stored, rejecting, ok := f.objects.Write(old, nil)
	removed, hasRemoved := locate(stored, way(e.Removed))
	if !ok || len(rejecting) > 0 || !hasRemoved {
		return false
	}
	changed := removed
	if e.Changed != e.Removed {
		rest, hasChanged := locate(valueAt(removed, stored), way(e.Changed)[len(way(e.Removed)):])
		if !hasChanged {
			return false
		}
		changed = append(slices.Clone(removed), rest...)
	}
	e.Old, e.Before = stored, valueAt(changed, stored)
	for _, b := range f.between(e, removed, between) {
		if f.budget.Exceeded() {
			return false
		}
		if f.sets(e, b, changed, like) {
			_, e.ToNull = removed.in(b)
			return true
		}
	}
	return false
}

// between returns what the first update may store: the field is gone then, or null.
func (f *finder) between(e *Escape, removed location, between map[string]any) (out []map[string]any) {
	list := []map[string]any{between}
	if between == nil {
		list[0] = removed.with(e.Old, absent{})
		if e.Removed.Schema.Nullable.True() {
			list = append(list, removed.with(e.Old, nil))
		}
	}
	for _, object := range list {
		if !f.budget.Spend(1) {
			return out
		}
		stored, rejecting, ok := f.objects.Write(object, e.Old)
		if value, isThere := removed.in(stored); ok && len(rejecting) == 0 && (!isThere || value == nil) {
			out = append(out, stored)
		}
	}
	return out
}

// sets looks for a value that the second update can set, and that an update of the old object cannot.
func (f *finder) sets(e *Escape, between map[string]any, at location, like []map[string]any) bool {
	var values []any
	for _, o := range like {
		if value, ok := at.in(normal(o)); ok {
			values = append(values, value)
		}
	}
	values = append(values, others(kube.Below(f.structure, e.Changed), e.Before)...)
	values = append(values, f.literals(e.Changed)...)
	for _, value := range values {
		if reflect.DeepEqual(value, e.Before) || !f.budget.Spend(2) {
			continue
		}
		object := at.with(e.Old, value)
		stored, rejecting, ok := f.objects.Write(object, e.Old)
		if !ok || !slices.Contains(rejecting, e.Rule) {
			continue
		}
		if _, rejecting, ok = f.objects.Write(object, between); ok && len(rejecting) == 0 {
			e.Between, e.New, e.After = between, stored, valueAt(at, stored)
			return true
		}
	}
	return false
}

// literals returns the strings that the rules of a place name.
func (f *finder) literals(p *schema.Place) (out []any) {
	for i := range f.rules {
		if r := &f.rules[i]; r.Place.Schema == p.Schema && r.Checked != nil {
			ast.PostOrderVisit(r.Checked.NativeRep().Expr(), ast.NewExprVisitor(func(e ast.Expr) {
				if e.Kind() == ast.LiteralKind {
					if text, ok := e.AsLiteral().(types.String); ok {
						out = append(out, string(text))
					}
				}
			}))
		}
	}
	return out
}

func valueAt(at location, object any) any {
	value, _ := at.in(object)
	return value
}

// normal returns an object with the types that an API server decodes JSON to.
func normal(object map[string]any) (out map[string]any) {
	data, err := json.Marshal(object)
	if object == nil || err != nil || utiljson.Unmarshal(data, &out) != nil {
		return nil
	}
	return out
}
