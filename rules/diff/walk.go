package diff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/rules/kube"
)

// A node is a place of objects, with the schemas of the version that accepts objects and of the one that may reject
// them.
type node struct {
	above *node
	// at is a path to such a place; field is the place as in schema.Place.Field.
	at             path
	field          string
	accept, reject *schema.Schema
	// list is the outermost list above whose old and new items an API server cannot match, or nil.
	list *node
}

// below returns the node one step down.
func (n *node) below(to step, accept, reject *schema.Schema) *node {
	out := &node{above: n, at: append(slices.Clip(n.at), to), accept: accept, reject: reject, list: n.list}
	switch isMap := n.accept.Property(to.name) == nil && n.reject.Property(to.name) == nil; {
	case to.name == "":
		out.field = n.field + "[]"
		if n.list == nil && n.reject.ListType.V != "map" {
			out.list = n
		}
	case isMap:
		out.field = n.field + "[*]"
	case n.field == "":
		out.field = to.name
	default:
		out.field = n.field + "." + to.name
	}
	return out
}

// ensure adds to plans that the node exists.
func (n *node) ensure(plans []plan) {
	for i := range plans {
		if len(n.at) > 0 {
			plans[i] = append(plan{{at: n.at, isAny: true}}, plans[i]...)
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
	plans []plan
	rule  *rule
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
}

// A walk compares the schemas of two versions. It finds all places where one may accept what the other does not accept,
// or treats differently: a pair of schemas without gaps needs no objects.
type walk struct {
	*builder
	// isBackward is set if the new side accepts.
	isBackward bool
	gaps       []gap
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

// anything is a schema that accepts all values.
var anything = &schema.Schema{PreserveUnknownFields: &schema.Flag{V: true}, Nullable: &schema.Flag{V: true}}

// opened is the outermost node, from this one upwards, where the accepting side accepts anything, or nil.
func (n *node) opened() (out *node) {
	for ; n != nil; n = n.above {
		if n.accept == anything {
			out = n
		}
	}
	return out
}

// compare adds the gaps of a node and of all below it.
func (w *walk) compare(n *node) {
	if n.accept == n.reject {
		return
	}
	w.types(n)
	w.nulls(n)
	w.scalars(n)
	w.junctorGaps(n)
	w.ruleGaps(n)
	w.defaults(n)
	if hasType(n.accept, objectType) && hasType(n.reject, objectType) {
		w.object(n)
	}
	if hasType(n.accept, arrayType) && hasType(n.reject, arrayType) {
		w.array(n)
	}
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
	w.gaps = append(w.gaps, g)
}

// manyValues is how many values are tried at a path.
const manyValues = 6

// valuesAt are plans that put values at a path.
func valuesAt(at path, list []any) (out []plan) {
	for _, value := range list[:min(len(list), manyValues)] {
		out = append(out, plan{{at: at, value: value}})
	}
	return out
}

func (w *walk) types(n *node) {
	var found []any
	seen := map[string]bool{}
	for _, name := range typesOf(n.accept) {
		if hasType(n.reject, name) {
			continue
		}
		var list []any
		switch name {
		case objectType, arrayType:
			if n.accept.Type.V == "" {
				list = []any{map[string]any{}, []any{}}
			} else if made, ok := w.value(n.accept, 0); ok {
				list = []any{made}
			}
		case numberType:
			list, _ = w.solver.values(n.accept, &schema.Schema{Type: schema.Text{V: integerType}})
			list = append(list, 0.5)
		default:
			typed := *n.accept
			typed.Type, typed.IntOrString = schema.Text{V: name}, nil
			list, _ = w.solver.values(&typed, nil)
		}
		for _, value := range list {
			text := encode(value)
			if !seen[text] && len(found) < manyValues && w.holds(n.accept, value) && !w.holds(n.reject, value) {
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

// typeText is the type of a schema in messages.
func typeText(s *schema.Schema) string {
	switch {
	case isOn(s.IntOrString):
		return "integer or string"
	case s.Type.V == "":
		return "any"
	}
	return s.Type.V
}

func (w *walk) nulls(n *node) {
	null := gap{plans: []plan{{{at: n.at}}}, isLeaf: true}
	switch {
	case isNullable(n.accept) == isNullable(n.reject) || len(n.at) == 0:
	case isNullable(n.accept):
		if w.listsNoNull(n.accept) {
			return // an enum never accepts null
		}
		null.text = w.either("null is not accepted, was accepted", "null is accepted, was not accepted")
		switch name := n.at[len(n.at)-1].name; {
		case n.reject.Default != nil: // replaces nulls
			null.questions = []Question{Create, Meaning}
		case name == "": // null is an error
			null.questions = []Question{Create}
		case isRequired(n.above.reject, name): // null is dropped, which is an error of the object
			null.questions, null.isLeaf = []Question{Create}, false
		default:
			null.questions = []Question{Create, Kept}
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
	_, has := w.enumerated(s)
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
		part := []path{n.at[len(at.at):]}
		for i := range s.Rules {
			reads := func(e ast.Expr) bool { return readsChanged(e, part) }
			if slices.ContainsFunc(parseRule(&s.Rules[i]).conjuncts, reads) {
				return true
			}
		}
	}
	return false
}

// scalars adds gaps about values that are neither lists nor objects.
func (w *walk) scalars(n *node) {
	for _, leaf := range w.leavesOf(n.reject) {
		for _, name := range scalarKeywords {
			k := schema.KeywordOf(name)
			if !k.IsSet(leaf) || slices.ContainsFunc(w.leavesOf(n.accept), func(s *schema.Schema) bool {
				return sameKeyword(k, s, leaf)
			}) {
				continue
			}
			w.scalar(n, leaf, k)
		}
	}
}

// alone is a schema with the type of another and one keyword of a leaf.
func alone(typed, leaf *schema.Schema, k *schema.Keyword) *schema.Schema {
	out := &schema.Schema{Type: typed.Type, IntOrString: typed.IntOrString}
	if out.Type.V == "" && out.IntOrString == nil {
		out.Type = leaf.Type
	}
	k.Copy(out, leaf)
	switch k.Name {
	case "minimum":
		out.ExclusiveMinimum = leaf.ExclusiveMinimum
	case "maximum":
		out.ExclusiveMaximum = leaf.ExclusiveMaximum
	}
	return out
}

// weight orders what is not the case before what is.
func weight(is bool) int {
	if is {
		return 1
	}
	return 0
}

func sameKeyword(k *schema.Keyword, a, b *schema.Schema) bool {
	if k.Name == "enum" { // whose values do not depend on the type
		return k.IsSet(a) && schema.Same(&schema.Schema{Enum: a.Enum}, &schema.Schema{Enum: b.Enum})
	}
	return k.IsSet(a) && schema.Same(alone(&schema.Schema{}, a, k), alone(&schema.Schema{}, b, k))
}

func (w *walk) scalar(n *node, leaf *schema.Schema, k *schema.Keyword) {
	reject := alone(n.reject, leaf, k)
	if n.reject.Type.V == "" && !isOn(n.reject.IntOrString) {
		reject.PreserveUnknownFields = anything.PreserveUnknownFields
	}
	found, decided := w.solver.values(n.accept, reject)
	if len(found) == 0 && decided {
		return
	}
	if leaf == n.reject && len(found) > 1 { // values that violate nothing else come first
		rest := *leaf
		k.Copy(&rest, &schema.Schema{})
		accepts := kube.Accepts(&rest)
		slices.SortStableFunc(found, func(a, b any) int { return weight(!accepts(a)) - weight(!accepts(b)) })
	}
	g := gap{plans: valuesAt(n.at, found), isLeaf: true, reject: k.At(leaf), text: w.keywordText(k, n.accept, leaf)}
	if missing := enumMissing(k, n.accept, leaf); len(missing) > 0 {
		g.accept = missing[0].At
	}
	if len(found) == 0 {
		g.unknown = fmt.Sprintf("no value was found that is valid under the old schema and violates %s", k.Name)
		if hasType(n.accept, objectType) || hasType(n.accept, arrayType) {
			if made, ok := w.value(n.accept, 0); ok {
				g.plans, g.isLeaf = []plan{{{at: n.at, value: made}}}, false
			}
		}
	}
	w.add(n, k.Name, g)
}

// enumMissing are the values that the enum of one schema has and that of another does not; none for other keywords.
func enumMissing(k *schema.Keyword, accept, reject *schema.Schema) (out []schema.Value) {
	if k.Name != "enum" || len(reject.Enum) == 0 {
		return nil
	}
	for _, value := range accept.Enum {
		if !slices.ContainsFunc(reject.Enum, value.Equal) {
			out = append(out, value)
		}
	}
	return out
}

// keywordText says how a keyword has changed.
func (w *walk) keywordText(k *schema.Keyword, accept, reject *schema.Schema) string {
	if missing := enumMissing(k, accept, reject); len(missing) > 0 {
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
	structure, err := kube.Structural(s)
	if err != nil {
		return false
	}
	value := plain(s.Default)
	before := encode(value)
	defaulting.Default(value, structure)
	if encode(value) == before {
		return true
	}
	hasRules := false
	schema.Walk(s, func(p *schema.Place) { hasRules = hasRules || len(p.Schema.Rules) > 0 })
	return !hasRules && w.holds(s, value)
}

// defaults compares the defaults of a field that both sides have.
func (w *walk) defaults(n *node) {
	a, r := n.accept.Default, n.reject.Default
	if n.above == nil || a == nil && r == nil || a != nil && r != nil && encode(plain(a)) == encode(plain(r)) {
		return
	}
	plans, questions := []plan{{{at: n.above.at, isAny: true}, {at: n.at, absent: true}}}, []Question{Meaning}
	if strings.HasSuffix(n.field, "]") { // items and values of maps get the default if they are null
		plans = []plan{{{at: n.at}}}
		if !isNullable(n.reject) {
			questions = append(questions, Create)
		}
	} else if r != nil && !w.acceptsDefault(n.reject) {
		questions = append(questions, Create)
	}
	w.add(n, "default", gap{text: w.keywordText(schema.KeywordOf("default"), n.accept, n.reject), plans: plans,
		questions: questions})
}

func (w *walk) object(n *node) {
	before, after := w.sides(n.accept, n.reject)
	if was, is := mapText(before), mapText(after); was != is {
		w.add(n, "x-kubernetes-map-type", gap{text: fmt.Sprintf("map type is %s, was %s", is, was), isTopology: true})
	}
	w.required(n)
	w.sizes(n, "maxProperties", "minProperties")
	if isOn(n.reject.EmbeddedResource) && !isOn(n.accept.EmbeddedResource) {
		if made, ok := w.value(n.accept, 0); ok {
			w.add(n, "x-kubernetes-embedded-resource", gap{
				text:  "values must be resources, which have apiVersion and kind",
				plans: []plan{{{at: n.at, value: made}}}})
		}
	}
	for i := range n.accept.Properties {
		p := &n.accept.Properties[i]
		if len(n.at) == 0 && slices.Contains([]string{"apiVersion", "kind"}, p.Name) {
			continue
		}
		switch other := n.reject.Property(p.Name); {
		case other != nil:
			w.compare(n.below(step{name: p.Name}, p.Schema, other))
		case n.reject.AdditionalProperties != nil:
			w.compare(n.below(step{name: p.Name}, p.Schema, n.reject.AdditionalProperties))
		case n.drops(p.Name):
			w.dropped(n, step{name: p.Name}, p.Schema)
		case !isMeta(n, p.Name): // it is kept like all unknown fields
			w.compare(n.below(step{name: p.Name}, p.Schema, anything))
		}
	}
	w.unlisted(n)
}

// isMeta reports whether a field is one that both schemas have without listing it.
func isMeta(n *node, name string) bool {
	return (len(n.at) == 0 || isOn(n.accept.EmbeddedResource) && isOn(n.reject.EmbeddedResource)) &&
		slices.Contains([]string{"apiVersion", "kind", "metadata"}, name)
}

// metadataLike is a schema for the texts of metadata that another one may constrain.
func metadataLike(other *schema.Schema) *schema.Schema {
	out := &schema.Schema{Type: schema.Text{V: objectType}}
	for i := range other.Properties {
		text := &schema.Schema{Type: schema.Text{V: stringType}}
		out.Properties = append(out.Properties, schema.Property{Name: other.Properties[i].Name, Schema: text})
	}
	return out
}

// unlisted compares the fields that only the rejecting side lists, and all others.
func (w *walk) unlisted(n *node) {
	open := n.accept.AdditionalProperties
	if open == nil && (n.accept.AdditionalAllowed || keepsUnknown(n.accept)) {
		open = anything
	}
	if open == nil {
		return
	}
	for i := range n.reject.Properties {
		switch p := &n.reject.Properties[i]; {
		case n.accept.Property(p.Name) != nil:
		case !isMeta(n, p.Name):
			w.compare(n.below(step{name: p.Name}, open, p.Schema))
		case p.Name == "metadata":
			w.compare(n.below(step{name: p.Name}, metadataLike(p.Schema), p.Schema))
		}
	}
	other := step{name: "key0"}
	switch {
	case n.reject.AdditionalProperties != nil:
		w.compare(n.below(other, open, n.reject.AdditionalProperties))
	case !n.reject.AdditionalAllowed && !keepsUnknown(n.reject):
		w.dropped(n, other, open)
	default:
		w.compare(n.below(other, open, anything))
	}
}

// dropped adds a gap about a field that only the accepting side knows.
func (w *walk) dropped(n *node, to step, s *schema.Schema) {
	below := n.below(to, s, anything)
	g := gap{field: below.field, text: w.either("field removed", "new field"), questions: []Question{Kept},
		accept: s.At, reject: n.reject.At, plans: []plan{{{at: below.at, isAny: true}}}}
	if n.accept.Property(to.name) == nil {
		g.text = w.either("unknown fields are dropped, were kept", "unknown fields are kept")
	}
	if made, ok := w.value(s, 0); ok && made != nil {
		g.plans = []plan{{{at: below.at, value: made}}}
	}
	if made, ok := w.value(s, 1); ok { // the first one may be the default
		g.plans = append(g.plans, plan{{at: below.at, value: made}})
	}
	w.add(n, "", g)
}

func (w *walk) required(n *node) {
	for _, name := range n.reject.Required {
		if p := n.reject.Property(name.V); p != nil && p.Default != nil && p.Default.Kind != schema.Null {
			continue
		}
		if isRequired(n.accept, name.V) && !n.drops(name.V) || len(n.at) == 0 && isMeta(n, name.V) {
			continue
		}
		gone := n.at.field(name.V)
		field := name.V
		if n.field != "" {
			field = n.field + "." + name.V
		}
		g := gap{field: field, text: w.either("field is required, was optional", "field is optional, was required"),
			reject: name.At, plans: []plan{{{at: n.at, isAny: true}, {at: gone, absent: true}}}}
		if n.drops(name.V) && n.accept.Property(name.V) != nil {
			g.text = w.either("field is required, but does not exist", "required field that did not exist")
			g.plans = append(g.plans, plan{{at: gone, isAny: true}})
		}
		w.add(n, "required", g)
	}
}

// drops reports whether the rejecting side drops a field of the accepting one.
func (n *node) drops(name string) bool {
	r := n.reject
	return r.Property(name) == nil && r.AdditionalProperties == nil && !r.AdditionalAllowed && !keepsUnknown(r) &&
		!isMeta(n, name)
}

// isRequired reports whether clients must set a field.
func isRequired(s *schema.Schema, name string) bool {
	p := s.Property(name)
	return slices.ContainsFunc(s.Required, func(t schema.Text) bool { return t.V == name }) &&
		(p == nil || p.Default == nil || p.Default.Kind == schema.Null)
}

// sizes adds gaps about the number of items or fields.
func (w *walk) sizes(n *node, most, least string) {
	for _, k := range []*schema.Keyword{schema.KeywordOf(most), schema.KeywordOf(least)} {
		limit, had := k.Bound(n.reject), k.Bound(n.accept)
		isMost := k.Name == most
		if had != nil && strings.HasSuffix(k.Name, "Properties") && countsOther(n) {
			had = nil
		}
		if limit == nil || had != nil && (isMost && rat(had.V).Cmp(rat(limit.V)) <= 0 ||
			!isMost && rat(had.V).Cmp(rat(limit.V)) >= 0) {
			continue
		}
		size := int(rat(limit.V).Num().Int64())
		if isMost {
			size++
		} else {
			size--
		}
		g := gap{text: w.keywordText(k, n.accept, n.reject)}
		if size < 0 || isMost && !w.canHave(n.accept, size) &&
			!(strings.HasSuffix(k.Name, "Properties") && countsOther(n)) {
			continue
		}
		for _, n0 := range []int{size, size - 1, size + 1, 0} {
			if value, ok := w.ofSize(n.accept, n0); ok && n0 >= 0 && n0 <= manyKeys {
				g.plans = append(g.plans, plan{{at: n.at, value: value}})
			}
		}
		g.unknown = fmt.Sprintf("no value with %d items or fields was found", size)
		w.add(n, k.Name, g)
	}
}

// countsOther reports whether both sides may see different numbers of fields in the same object: because of defaults,
// of nulls, and of fields that one of them drops.
func countsOther(n *node) bool {
	return slices.ContainsFunc(changesBelow(n, typing), func(at path) bool { return len(at) == 1 })
}

// canHave reports whether a list or an object may have n items or fields.
func (w *walk) canHave(s *schema.Schema, n int) bool {
	return hasType(s, arrayType) || s.AdditionalProperties != nil || s.AdditionalAllowed || keepsUnknown(s) ||
		len(s.Properties) >= n
}

func (w *walk) array(n *node) {
	w.sizes(n, "maxItems", "minItems")
	w.topology(n)
	if n.accept.Items != nil || n.reject.Items != nil {
		w.compare(n.below(step{}, cmp.Or(n.accept.Items, anything), cmp.Or(n.reject.Items, anything)))
	}
}

// topology compares how server-side apply merges lists, and which items must differ.
func (w *walk) topology(n *node) {
	before, after := w.sides(n.accept, n.reject)
	was, is := listText(before), listText(after)
	if was == is {
		return
	}
	g := gap{text: fmt.Sprintf("list type is %s, was %s", is, was), isTopology: true}
	if w.mayRepeat(n) {
		g.plans, g.unknown = w.duplicates(n), "no list with equal items was found"
	}
	w.add(n, "x-kubernetes-list-type", g)
}

func keyNames(s *schema.Schema) (out []string) {
	for _, key := range s.ListMapKeys {
		out = append(out, key.V)
	}
	return out
}

// mayRepeat reports whether the accepting side accepts items that are equal for the other one.
func (w *walk) mayRepeat(n *node) bool {
	switch was := n.accept.ListType.V; n.reject.ListType.V {
	case "set":
		return was != "map" && was != "set"
	case "map":
		has := keyNames(n.reject)
		return was != "map" || slices.ContainsFunc(keyNames(n.accept), func(name string) bool {
			return !slices.Contains(has, name)
		})
	}
	return false
}

// duplicates are plans with items that are equal for the rejecting side.
func (w *walk) duplicates(n *node) (out []plan) {
	differ := n.accept.ListType.V == "set" || n.accept.ListType.V == "map"
	for variant := range 3 {
		first, ok := w.value(n.accept.Items, variant)
		second, _ := w.value(n.accept.Items, variant)
		if differ {
			second, _ = w.value(n.accept.Items, variant+1)
			for _, name := range keyNames(n.reject) {
				copyField(second, first, name)
			}
		}
		if ok {
			out = append(out, plan{{at: n.at, value: []any{first, second}}})
		}
	}
	return out
}

func copyField(to, from any, name string) {
	a, isA := to.(map[string]any)
	b, isB := from.(map[string]any)
	if value, ok := b[name]; isA && isB && ok {
		a[name] = value
	} else if isA {
		delete(a, name)
	}
}

func mapText(s *schema.Schema) string {
	if s.MapType.V == "" {
		return "granular"
	}
	return s.MapType.V
}

func listText(s *schema.Schema) string {
	switch s.ListType.V {
	case "":
		return "atomic"
	case "map":
		names := keyNames(s)
		slices.Sort(names)
		return "map with the keys " + strings.Join(names, ", ")
	}
	return s.ListType.V
}
