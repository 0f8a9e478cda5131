package symbolic

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/google/cel-go/common/types"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"

	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/rules/expr"
	"github.com/crdproof/crdproof/schema"
)

// model is what is known of the objects of a schema.
type model struct {
	*formulas
	structure *structural.Structural
	rules     []expr.Rule
	// byPath are the rules by the path of their schema.
	byPath map[string][]int
	root   *place
	// oldRoot is the object before an update.
	oldRoot *place
	// named are the items and keys that expressions name, by the path of their list or map.
	named   map[string]names
	places  map[string]*place
	waiting []*place
	chains  map[string]*chain
	scales  map[string]*scale
	// subjects are what conditions are about whose names do not say it.
	subjects map[int32]string
	texts    map[string]*text
	orders   []order
	pairs    []pair
	others   []other
	axioms   []axiom
	unknowns int
	// decides is set if the model must have all objects, and all failures: see certain.go. doubtful is set once it may
	// lack one. loops are the items that the macros around an expression are about.
	decides, doubtful bool
	// demandsTrue is set if no rule may fail.
	demandsTrue bool
	loops       []string
	// operands are the keys of what parts are applied to that may fail for other reasons than absence.
	operands map[int64][]string
	// wholes is what is known of comparisons of whole values, by the path of their schema.
	wholes map[string]whole
	// words are the texts of patterns for examples.
	words map[string][]string
	// functions are those of the rules; applications are their calls, isApplied has their keys.
	functions    functions
	applications []application
	isApplied    map[string]bool
	remainders   []remainder
	// prefixes are the terms that are the starts of texts.
	prefixes map[string]prefix
	// linears are the linear terms, distances the integers that are compared with such terms.
	linears   map[string]linear
	distances map[string]distance
}

// names are the items of a list, counted from the first, and the keys of a map that expressions name.
type names struct {
	items int
	keys  []constant
}

// An axiom holds for all objects that are looked at. It comes from a rule at a place, from the schema of a place where
// the rule is -1, or from the logic of values where at is nil.
type axiom struct {
	holds formula
	rule  int
	at    *place
}

// A pair are two places that an expression compares, and where they are equal.
type pair struct {
	a, b  *place
	equal formula
}

// A search is the work on the rules of a schema. All its models share a budget.
type search struct {
	ctx       context.Context
	structure *structural.Structural
	budget    *effort.Budget
	// byPath are the rules by the path of their schema, changed are all rules while guards are added to one of them.
	byPath  map[string][]int
	changed []expr.Rule
}

func newSearch(ctx context.Context, structure *structural.Structural) *search {
	return &search{ctx: ctx, structure: structure, budget: effort.New(ctx, effort.AbsenceSteps)}
}

func (s *search) newModel(rules []expr.Rule, named map[string]names) *model {
	if s.byPath == nil {
		s.byPath = map[string][]int{}
		for i, r := range rules {
			if r.Checked != nil {
				s.byPath[r.Place.Path()] = append(s.byPath[r.Place.Path()], i)
			}
		}
	}
	structure, room := s.structure, effort.New(s.ctx, effort.AbsenceFormulas)
	m := &model{
		formulas: newFormulas(s.budget, room), structure: structure, rules: rules, named: named,
		byPath: s.byPath, places: map[string]*place{}, chains: map[string]*chain{},
		scales:   map[string]*scale{},
		subjects: map[int32]string{}, words: map[string][]string{},
		functions: functions{known: map[string]implementation{}}, prefixes: map[string]prefix{},
		linears: map[string]linear{}, distances: map[string]distance{},
	}
	m.root, m.oldRoot = newRoot("$", structure, always), newRoot("$old", structure, m.condition("update"))
	m.oldRoot.old = true
	m.waiting = []*place{m.root, m.oldRoot}
	return m
}

func (m *model) nameItem(p *place, n int64) {
	if names := m.named[p.path]; n >= int64(names.items) {
		names.items = int(min(n+1, effort.AbsenceNamed.Most))
		m.named[p.path] = names
	}
}

func (m *model) nameKey(p *place, key constant) {
	names := m.named[p.path]
	if int64(len(names.keys)) < effort.AbsenceNamed.Most && !slices.ContainsFunc(names.keys, key.isSame) {
		names.keys = append(names.keys, key)
		m.named[p.path] = names
	}
}

// at returns the places that stand for all of a schema: the items of lists and the values of maps that expressions
// name, and one that they do not.
func (m *model) at(p *schema.Place) (out []*place) {
	if p.Above == nil {
		return []*place{m.root}
	}
	for _, above := range m.at(p.Above) {
		var below []item
		switch p.Step {
		case schema.InProperty:
			next, _ := m.below(above, step{toProperty, p.Name})
			below = []item{{what: next}}
		case schema.InItems:
			below = m.itemsAt(above).items
		case schema.InValues:
			_, values := m.valuesOf(above)
			below = values.items
		}
		for _, i := range below {
			if next, ok := i.what.(*place); ok && next != nil && m.spend(1) {
				out = append(out, next)
			}
		}
	}
	return out
}

func isOptional(r *expr.Rule) bool {
	return r.HasOptionalOldSelf()
}

// evalRule evaluates a rule with a place for self.
func (m *model) evalRule(r *expr.Rule, at *place) value {
	native := r.Checked.NativeRep()
	m.functions.env = r.Env
	in := (&scope{checked: native}).with("self", m.variable(at))
	defer m.enter(at.name)()
	m.checkText(at)
	if r.UsesOldSelf {
		old := only(m.before(at))
		if isOptional(r) {
			there := m.itself(m.before(at))
			old = value{alts: m.merged([]alternative{{there, some{m.before(at)}}, {m.not(there), none{}}})}
		}
		in = in.with("oldSelf", old)
	}
	return m.eval(native.Expr(), in)
}

// evalMessage evaluates a messageExpression. It is given the bare old value, if there is one and if a rule of the same
// schema uses it (schema/cel/validation.go, validateExpressions).
func (m *model) evalMessage(r *expr.Rule, at *place) value {
	native := r.Message.NativeRep()
	in := (&scope{checked: native}).with("self", only(at))
	if expr.UsesOldSelf(r.Message) {
		old := value{alts: []alternative{{always, m.before(at)}}}
		if isOptional(r) {
			old.alts[0].what = unwrapped{m.before(at)}
		}
		given := never
		if slices.ContainsFunc(m.byPath[r.Place.Path()], func(i int) bool { return m.rules[i].UsesOldSelf }) {
			given = m.itself(m.before(at))
		}
		old.fails = m.within(m.not(given), []failure{{readID{kind: OldSelf}, always}})
		in = in.with("oldSelf", old)
	}
	return m.eval(native.Expr(), in)
}

// settle collects all that is known of the places that expressions read: what their schemas and their rules admit.
func (m *model) settle() {
	for !m.full && (len(m.waiting) > 0 || len(m.pairs) > 0) {
		for len(m.waiting) > 0 && !m.full {
			p := m.waiting[0]
			m.waiting = m.waiting[1:]
			m.learn(p)
		}
		for _, p := range m.pairs {
			if m.full {
				break
			}
			m.alike(p.a, p.b, p.equal)
			m.distinct(p)
		}
		m.pairs = nil
	}
	m.relateApplications()
	m.relateRemainders()
	m.measure()
	m.relateOrders()
}

// learn collects what is known of one place: no rule finds it wrong, and an old one has passed all rules but those on
// updates, which it may be older than.
func (m *model) learn(p *place) {
	there := m.itself(p)
	m.assumeIfSure(func() { m.assume(there, m.admitted(p), -1, p) })
	if p.schema.Type == "object" && p.schema.AdditionalProperties != nil {
		m.learnMap(p)
	}
	for _, i := range m.byPath[p.path] {
		r := &m.rules[i]
		if r.UsesOldSelf && (p.old || m.decides && p.isBelowItem()) || m.decides && r.Unreached {
			continue
		}
		m.assumeIfSure(func() {
			v := m.evalRule(r, p)
			if p.old {
				m.assume(there, m.succeeds(v), i, p)
			} else if m.demandsTrue {
				m.assume(m.given(r, p), m.succeeds(v), i, p)
			} else {
				m.assume(m.given(r, p), m.not(m.rejects(v)), i, p)
			}
		})
	}
}

// learnMap ties the size of a map to its keys.
func (m *model) learnMap(p *place) {
	_, over := m.valuesOf(p)
	size, last := m.size(p), len(over.items)-1
	other := over.items[last].there
	for n, when := range m.counts(over.items[:last]) {
		more := m.atLeast(size, int64(n)+1)
		m.assume(when, m.and(m.atLeast(size, int64(n)), m.same(other, more)), -1, nil)
	}
}

func (m *model) assume(when, holds formula, rule int, at *place) {
	if a := m.implies(when, holds); a != always {
		m.axioms = append(m.axioms, axiom{a, rule, at})
	}
}

// alike assumes that what is known of one of two equal places is true of the other.
func (m *model) alike(p, q *place, equal formula) {
	numbers := [][2]thing{{p, q}}
	if !p.isDuration() && !q.isDuration() { // equal ones have different texts: 60s and 1m
		numbers = append(numbers, [2]thing{m.size(p), m.size(q)})
		a, b := m.chain(p), m.chain(q)
		for _, c := range slices.Concat(a.constants, b.constants) {
			m.assume(equal, m.same(a.equals(m, c), b.equals(m, c)), -1, nil)
		}
		if sizes := pairName(m.size(p), m.size(q)); m.isCondition(sizes) {
			m.assume(equal, m.condition(sizes), -1, nil)
		}
	}
	for _, things := range numbers {
		s, t := m.scale(things[0]), m.scale(things[1])
		for _, n := range slices.Concat(s.steps, t.steps) {
			m.assume(equal, m.same(m.atLeast(things[0], n), m.atLeast(things[1], n)), -1, nil)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.schema.Properties)) {
		if m.places[p.name+fieldName(name)] == nil || m.places[q.name+fieldName(name)] == nil {
			continue
		}
		x, here := m.below(p, step{toProperty, name})
		y, there := m.below(q, step{toProperty, name})
		m.assume(equal, m.same(here, there), -1, nil)
		if name := pairName(x, y); m.isCondition(name) {
			m.assume(m.and(equal, here), m.condition(name), -1, nil)
		}
		m.alike(x, y, m.and(equal, here))
		if m.isBoolean(x) {
			m.assume(m.and(equal, here), m.same(m.truth(x), m.truth(y)), -1, nil)
		}
	}
}

// distinct assumes that two places are equal where they equal the same constants, if these tell all that they can be
// apart.
func (m *model) distinct(p pair) {
	a, b := m.chain(p.a), m.chain(p.b)
	if len(a.constants)+1 < len(a.enum) || a.enum == nil || !slices.Equal(a.enum, b.enum) ||
		m.decides && (p.a.null != never || p.b.null != never) {
		return
	}
	same := always
	for _, c := range a.constants {
		same = m.and(same, m.same(a.equals(m, c), b.equals(m, c)))
	}
	m.assume(same, p.equal, -1, nil)
}

// measure ties the lengths of strings to the constants that they may equal.
func (m *model) measure() {
	for _, name := range slices.Sorted(maps.Keys(m.chains)) {
		c, size := m.chains[name], m.scales[sizeName(name)]
		for i := 0; size != nil && i < len(c.constants); i++ {
			text, ok := c.constants[i].Val.(types.String)
			for j := 0; ok && j < len(size.steps); j++ {
				long := constantly(int64(text.Size().(types.Int)) >= size.steps[j])
				m.assume(c.equal[i], m.same(long, size.reached[j]), -1, m.places[name])
			}
		}
	}
}

// noRule is the number of a rule for witness if it must contradict no rule and no other axiom.
const noRule = -2

// witness returns an example of a formula that contradicts nothing that is known but one rule at one place.
func (m *model) witness(f formula, rule int, at *place) (example, bool) {
	if f != never {
		m.settle()
	}
	for f != never && !m.full {
		in := m.example(f)
		contradicted := m.contradicted(in, rule, at)
		if contradicted == always {
			return in, !m.full
		}
		f = m.and(f, contradicted)
	}
	return nil, false
}

// contradicted returns something known that does not hold in an example, always if there is nothing.
func (m *model) contradicted(in example, rule int, at *place) formula {
	for _, a := range m.axioms {
		if !m.spend(1) {
			return always // the search has ended
		}
		if (a.rule != rule || a.at != at) && !m.holds(a.holds, in) {
			return a.holds
		}
	}
	for i := range m.others {
		if o := &m.others[i]; m.holds(o.holds, in) {
			m.relateTexts(o.like)
			if limit := m.limit(o, in); !m.holds(limit, in) {
				return limit
			}
		}
	}
	if m.decides {
		return m.contradictedText(in)
	}
	return always
}

// limit returns what follows if something is known about another item: the schema and the rules admit it, and it is
// none of those that are absent in an example. A question needs all of these at once; reads are reported for each of
// them.
func (m *model) limit(o *other, in example) formula {
	admitted := m.and(o.said, m.admittedItem(o.like))
	isAbout := func(c int32) bool { return strings.Contains(m.about(c), o.like) }
	without := func(absent ...other) formula {
		item, any := admitted, never
		for _, p := range absent {
			item, any = m.and(item, m.not(p.said)), m.or(any, p.holds)
		}
		return m.implies(o.holds, m.or(any, m.possible(item, isAbout)))
	}
	absent := slices.DeleteFunc(slices.Clone(m.others), func(p other) bool {
		return p.like != o.like || m.holds(p.holds, in)
	})
	if m.decides {
		return without(absent...)
	}
	out := without()
	for i := 0; i < len(absent) && m.holds(out, in); i++ {
		out = without(absent[i])
	}
	return out
}

// admittedItem returns what the schema and the rules say about each item.
func (m *model) admittedItem(like string) formula {
	out := always
	for _, a := range m.axioms {
		if a.at != nil && strings.HasPrefix(a.at.name, like) {
			out = m.and(out, a.holds)
		}
	}
	return out
}
