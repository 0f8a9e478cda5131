package diff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/objects/internal/witness"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/symbolic"
	"github.com/crdproof/crdproof/schema"
)

// A node is a place of objects, with the schemas of the version that accepts objects and of the one that may reject
// them.
type node struct {
	at             schema.Path
	accept, reject *schema.Schema
	above          *node
	// field is the place as in schema.Place.Field.
	field string
	// list is the outermost list above whose old and new items an API server cannot match, or nil.
	list *node
	// open is the outermost node, from this one upwards, where the accepting side accepts anything, or nil.
	open *node
}

// below returns the node one step down.
func (w *walk) below(n *node, to schema.PathStep, accept, reject *schema.Schema) *node {
	out := &node{
		at: append(slices.Clip(n.at), to), accept: accept, reject: reject,
		above: n, list: n.list, open: n.open,
	}
	if accept == witness.Anything && n.open == nil {
		out.open = out
	}
	switch isMap := w.Property(n.accept, to.Name) == nil && w.Property(n.reject, to.Name) == nil; {
	case to.IsItem():
		out.field = n.field + "[]"
		if n.list == nil && n.reject.ListType.V != "map" {
			out.list = n
		}
	case isMap:
		out.field = n.field + "[*]"
	default:
		out.field = n.fieldOf(to.Name)
	}
	return out
}

// fieldOf returns the field of a property.
func (n *node) fieldOf(name string) string {
	if n.field == "" {
		return name
	}
	return n.field + "." + name
}

// ensure adds to plans that the node exists.
func (n *node) ensure(plans []witness.Plan) {
	for i := range plans {
		if len(n.at) > 0 {
			plans[i] = append(witness.Plan{{At: n.at, IsAny: true}}, plans[i]...)
		}
	}
}

// A gap is a difference of two schemas because of which objects may be treated differently.
type gap struct {
	node *node
	// keyword is what differs, "" for a field that only one side has.
	keyword string
	// field is that of the node, or of a field below.
	field, text    string
	accept, reject diag.Span
	// plans make objects that may show the difference.
	plans []witness.Plan
	rule  *witness.Rule
	// only has the keyword alone, follows reports whether the accepting side implies it: nil if that is not asked.
	only    *schema.Schema
	follows func() bool
	// shown is an object that violates the rule, with the one before the update for a transition rule; nil if none is
	// known.
	shown *symbolic.Object
	// questions are those that the gap may answer with no; none means Create.
	questions []Question
	// isLeaf is set if the difference is about a value that is neither a list nor an object.
	isLeaf bool
	// isSafe is set if the rule has a value for all objects. The API server does not ratchet errors.
	isSafe bool
	// isTopology is set if server-side apply merges the value in another way.
	isTopology bool
	// unknown is what cannot be decided if no plan succeeds.
	unknown string
	// isCut is set if the node, and what the walk had not reached yet, is not compared.
	isCut bool
}

// A walk compares the schemas of two versions. It finds all places where one may accept what the other does not accept,
// or treats differently: a pair of schemas without gaps needs no objects.
type walk struct {
	*witness.Builder
	// isBackward is set if the new side accepts.
	isBackward bool
	// known are the fields of the root that have the same value in all objects.
	known map[string]*schema.Schema
	gaps  []gap
	// isCut is set when a limit ends the walk.
	isCut bool
	// accepted are the objects that the accepting side accepts, nil before the first question about them. limit is
	// that because of which the answer to the last question is unknown, nil for other reasons.
	accepted *symbolic.Objects
	limit    *effort.Limit
}

// sides returns the schemas of a node, the old one first.
func (w *walk) sides(accept, reject *schema.Schema) (before, after *schema.Schema) {
	if w.isBackward {
		return reject, accept
	}
	return accept, reject
}

// either returns one of two texts: for a change, and for the opposite one.
func (w *walk) either(forward, backward string) string {
	if w.isBackward {
		return backward
	}
	return forward
}

// A scalarKeyword constrains values that are neither lists nor objects.
var scalarKeywords = []string{"enum", "pattern", "format", "minLength", "maxLength", "minimum", "maximum", "multipleOf"}

// compare adds the gaps of a node and of all below it.
func (w *walk) compare(n *node) {
	if n.accept == n.reject || w.isCut {
		return
	}
	w.Steps.Schemas.Spend(1 + len(n.at))
	if w.cut(n); w.isCut {
		return
	}
	defer w.cut(n)
	if len(n.at) > effort.DiffDepth.N() {
		w.notCompared(n, effort.DiffDepth.Reason("the depth of the schemas"))
		return
	}
	w.types(n)
	w.nulls(n)
	w.scalars(n)
	w.junctorGaps(n)
	w.ruleGaps(n)
	w.defaults(n)
	if witness.HasType(n.accept, witness.ObjectType) && witness.HasType(n.reject, witness.ObjectType) {
		w.object(n)
	}
	if witness.HasType(n.accept, witness.ArrayType) && witness.HasType(n.reject, witness.ArrayType) {
		w.array(n)
	}
}

// cut ends the walk if it takes too many steps. Other limits leave gaps without plans.
func (w *walk) cut(n *node) {
	if w.isCut || !w.Steps.Schemas.Ended() && !w.Steps.Values.Ended() {
		return
	}
	w.isCut = true
	w.notCompared(n, w.TooLarge())
}

// notCompared adds a gap about a node that is not compared, for a reason.
func (w *walk) notCompared(n *node, reason string) {
	w.add(n, "", gap{isCut: true, text: "not compared from here on: the CRD is too large",
		questions: []Question{Create, Kept, Meaning}, unknown: reason})
}

// add adds a gap about a keyword of the node.
func (w *walk) add(n *node, keyword string, g gap) {
	g.node, g.keyword = n, keyword
	if g.field == "" {
		g.field = n.field
	}
	at := func(s *schema.Schema) diag.Span {
		if k := schema.KeywordOf(keyword); k != nil && k.IsSet(s) {
			return k.At(s)
		}
		return s.At
	}
	g.accept, g.reject = diag.Nearest(g.accept, at(n.accept)), diag.Nearest(g.reject, at(n.reject))
	if g.only != nil && !w.isBackward && !witness.IsNullable(n.accept) { // questions are not about null
		g.follows = w.followsAt(n, g.only)
	}
	w.gaps = append(w.gaps, g)
}

// valuesAt makes plans that put values at a path.
func valuesAt(at schema.Path, list []any) (out []witness.Plan) {
	for _, value := range list[:min(len(list), effort.DiffPicks.N())] {
		out = append(out, witness.Plan{{At: at, Value: value}})
	}
	return out
}

func (w *walk) types(n *node) {
	var found []any
	seen := map[string]bool{}
	for _, name := range witness.TypesOf(n.accept) {
		if witness.HasType(n.reject, name) {
			continue
		}
		var list []any
		switch name {
		case witness.ObjectType, witness.ArrayType:
			if n.accept.Type.V == "" {
				list = []any{map[string]any{}, []any{}}
			} else if made, ok := w.Value(n.accept, 0); ok {
				list = []any{made}
			}
		case witness.NumberType:
			list, _ = w.Solver.Solve(n.accept, &schema.Schema{Type: schema.Text{V: witness.IntegerType}})
			list = append(list, 0.5)
		default:
			typed := *n.accept
			typed.Type, typed.IntOrString = schema.Text{V: name}, nil
			list, _ = w.Solver.Solve(&typed, nil)
		}
		for _, value := range list {
			text := witness.JSON(value)
			if !seen[text] && len(found) < effort.DiffPicks.N() && w.Accepts(n.accept, value) &&
				!w.Accepts(n.reject, value) {
				found = append(found, value)
			}
			seen[text] = true
		}
	}
	if len(found) > 0 {
		before, after := w.sides(n.accept, n.reject)
		text := fmt.Sprintf("type is %s, was %s", typeText(after), typeText(before))
		w.add(n, "type", gap{text: text, plans: valuesAt(n.at, found), isLeaf: true})
	}
}

// typeText returns the type of a schema in messages.
func typeText(s *schema.Schema) string {
	switch {
	case s.IntOrString.True():
		return "integer or string"
	case s.Type.V == "":
		return "any"
	}
	return s.Type.V
}

func (w *walk) nulls(n *node) {
	null := gap{plans: []witness.Plan{{{At: n.at}}}, isLeaf: true}
	switch {
	case witness.IsNullable(n.accept) == witness.IsNullable(n.reject) || len(n.at) == 0:
	case witness.IsNullable(n.accept):
		if w.listsNoNull(n.accept) {
			return // an enum never accepts null
		}
		null.text = w.either("null is not accepted, was accepted", "null is accepted, was not accepted")
		switch name := n.at[len(n.at)-1].Name; {
		case n.reject.Default != nil: // replaces nulls
			null.questions = []Question{Create, Meaning}
		case name == "": // null is an error
			null.questions = []Question{Create}
		case w.IsRequired(n.above.reject, name): // null is dropped, which is an error of the object
			null.questions, null.isLeaf = []Question{Create}, false
		default: // null is dropped: what reads the field, or counts the fields around it, has gaps of its own
			null.questions = []Question{Kept}
		}
		w.add(n, "nullable", null)
	case n.accept.Default != nil || w.mayRejectNull(n):
		// Nulls were dropped, or replaced by the default. Now they are kept.
		null.text = w.either("null is accepted, was dropped", "null is dropped, was accepted")
		if w.mayRejectNull(n) {
			null.questions = append(null.questions, Create)
		}
		if n.accept.Default != nil {
			null.questions = append(null.questions, Meaning)
		}
		w.add(n, "nullable", null)
	}
}

// listsNoNull reports whether a schema has an enum.
func (w *walk) listsNoNull(s *schema.Schema) bool {
	_, has := w.Enumerated(s)
	return has
}

// mayRejectNull reports whether a null that is kept may violate something.
func (w *walk) mayRejectNull(n *node) bool {
	if w.listsNoNull(n.reject) {
		return true
	}
	for at := n; at != nil; at = at.above {
		s := at.reject
		if len(s.AllOf)+len(s.AnyOf)+len(s.OneOf) > 0 || s.Not != nil {
			return true
		}
		part := []schema.Path{n.at[len(at.at):]}
		for i := range s.Rules {
			reads := func(e ast.Expr) bool { return w.readsChanged(e, part) }
			if slices.ContainsFunc(w.Parsed(&s.Rules[i]).Conjuncts, reads) {
				return true
			}
		}
	}
	return false
}

// scalars adds gaps about values that are neither lists nor objects.
func (w *walk) scalars(n *node) {
	had := map[uint64]bool{}
	for _, leaf := range w.LeavesOf(n.accept) {
		for _, name := range scalarKeywords {
			if k := schema.KeywordOf(name); k.IsSet(leaf) {
				had[w.Solver.KeywordID(k, leaf)] = true
			}
		}
	}
	for _, leaf := range w.LeavesOf(n.reject) {
		for _, name := range scalarKeywords {
			if k := schema.KeywordOf(name); k.IsSet(leaf) && !had[w.Solver.KeywordID(k, leaf)] {
				w.scalar(n, leaf, k)
			}
		}
	}
}

func (w *walk) scalar(n *node, leaf *schema.Schema, k *schema.Keyword) {
	reject := w.Solver.Alone(n.reject, leaf, k)
	if n.reject.Type.V == "" && !n.reject.IntOrString.True() {
		reject.PreserveUnknownFields = witness.Anything.PreserveUnknownFields
	}
	w.Reached = nil
	found, decided := w.Solver.Solve(n.accept, reject)
	if len(found) == 0 && decided {
		return
	}
	if leaf == n.reject && len(found) > 1 { // values that violate nothing else come first
		rest := *leaf
		k.Copy(&rest, &schema.Schema{})
		accepts := kube.Accepts(&rest)
		var others []any
		found = slices.DeleteFunc(found, func(value any) bool {
			accepted := accepts(value)
			if !accepted {
				others = append(others, value)
			}
			return !accepted
		})
		found = append(found, others...)
	}
	g := gap{plans: valuesAt(n.at, found), isLeaf: true, reject: k.At(leaf), text: w.keywordText(k, n.accept, leaf),
		only: &schema.Schema{}}
	k.Copy(g.only, leaf)
	if missing := w.enumMissing(k, n.accept, leaf); len(missing) > 0 {
		g.accept = missing[0].At
	}
	if len(found) == 0 {
		g.unknown = fmt.Sprintf("no value was found that is valid under the old schema and violates %s", k.Name)
		if w.Reached != nil {
			g.unknown += "; " + w.Reached.Reason("the patterns")
		}
		if witness.HasType(n.accept, witness.ObjectType) || witness.HasType(n.accept, witness.ArrayType) {
			if made, ok := w.Value(n.accept, 0); ok {
				g.plans, g.isLeaf = []witness.Plan{{{At: n.at, Value: made}}}, false
			}
		}
	}
	if g.isLeaf { // rules may accept only other values that violate the keyword
		g.plans = append(g.plans, witness.Plan{{At: n.at, Schema: reject, IsNot: true}})
	}
	if k.Name == "enum" && len(n.at) > 0 && witness.IsNullable(n.accept) && !w.listsNoNull(n.accept) {
		g.plans = append(g.plans, witness.Plan{{At: n.at}}) // rules may accept no other value
	}
	w.add(n, k.Name, g)
}

// enumMissing returns the values that the enum of one schema has and that of another does not; none for other
// keywords.
func (w *walk) enumMissing(k *schema.Keyword, accept, reject *schema.Schema) (out []schema.Value) {
	if k.Name != "enum" || len(reject.Enum) == 0 || !w.Steps.Schemas.Spend(len(accept.Enum)+len(reject.Enum)) {
		return nil
	}
	has := map[string]bool{}
	for _, value := range reject.Enum {
		has[value.Compact()] = true
	}
	for _, value := range accept.Enum {
		if !has[value.Compact()] {
			out = append(out, value)
		}
	}
	return out
}

// keywordText says how a keyword has changed.
func (w *walk) keywordText(k *schema.Keyword, accept, reject *schema.Schema) string {
	if missing := w.enumMissing(k, accept, reject); len(missing) > 0 {
		var texts []string
		for _, v := range missing {
			texts = append(texts, v.Compact())
		}
		return w.either("enum has no ", "enum also has ") + strings.Join(texts, ", ")
	}
	before, after := w.sides(accept, reject)
	text := func(s *schema.Schema) string {
		if !k.IsSet(s) {
			return "not set"
		}
		return k.Compact(s)
	}
	return fmt.Sprintf("%s is %s, was %s", k.Name, text(after), text(before))
}

// acceptsDefault reports whether a schema certainly accepts its default with the defaults of the fields in it. The API
// server has validated it without them (apiserver/schema/defaulting/validation.go).
func (w *walk) acceptsDefault(s *schema.Schema) bool {
	value, ok := w.filledDefault(s)
	if !ok {
		return false
	}
	return witness.JSON(value) == witness.JSON(witness.Plain(s.Default)) || !s.HasRules() && w.Accepts(s, value)
}

// filledDefault returns the default of a schema with the defaults of the fields in it; ok is unset if the schema has no
// structural form, or is too large.
func (w *walk) filledDefault(s *schema.Schema) (value any, ok bool) {
	structure, err := kube.Structural(s)
	if err != nil {
		return nil, false
	}
	value = witness.Plain(s.Default)
	if !w.Steps.Values.Spend(w.SizeOf(s).Schemas + len(witness.JSON(value))/witness.BytesPerStep) {
		return nil, false
	}
	defaulting.Default(value, structure)
	return value, true
}

// isAlwaysSet reports whether all objects that a schema accepts have a field with a value other than null: a default of
// the other side has no effect on them.
func (w *walk) isAlwaysSet(object *schema.Schema, name string) bool {
	p := w.Property(object, name)
	return p != nil && w.Requires(object, name) && p.Default == nil && !witness.IsNullable(p)
}

// defaults compares the defaults of a field that both sides have.
func (w *walk) defaults(n *node) {
	a, r := n.accept.Default, n.reject.Default
	if n.above == nil || a == nil && r == nil {
		return
	}
	if a != nil && r != nil {
		was, isKnown := w.filledDefault(n.accept)
		if now, ok := w.filledDefault(n.reject); isKnown && ok && witness.JSON(was) == witness.JSON(now) {
			return
		}
	}
	plans, questions := []witness.Plan{{{At: n.above.at, IsAny: true}, {At: n.at, Absent: true}}}, []Question{Meaning}
	if strings.HasSuffix(n.field, "]") { // items and values of maps get the default if they are null
		plans = []witness.Plan{{{At: n.at}}}
		if !witness.IsNullable(n.reject) {
			questions = append(questions, Create)
		}
	} else if w.isAlwaysSet(n.above.accept, n.at[len(n.at)-1].Name) {
		return
	} else if r != nil && !w.acceptsDefault(n.reject) {
		questions = append(questions, Create)
	}
	for i := range n.above.accept.Properties { // the new side may accept the default only beside another field
		name := n.above.accept.Properties[i].Name
		if len(plans) < effort.DiffPicks.N() && name != n.at[len(n.at)-1].Name {
			beside := witness.Edit{At: n.above.at.Then(schema.Key(name)), IsAny: true}
			plans = append(plans, append(slices.Clip(plans[0]), beside))
		}
	}
	w.add(n, "default",
		gap{text: w.keywordText(schema.KeywordOf("default"), n.accept, n.reject), plans: plans, questions: questions})
}
