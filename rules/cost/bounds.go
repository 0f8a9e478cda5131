package cost

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/google/cel-go/cel"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	kubecel "k8s.io/apiserver/pkg/cel"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/schema"
)

// The keywords that bound costs.
const (
	maxItems      = "maxItems"
	maxProperties = "maxProperties"
	maxLength     = "maxLength"
)

// A limit is a bound that the author of a schema can set, or lower: all schemas that it holds for, since they are
// written at one place, have it in common.
type limit struct {
	// key identifies it: the keyword and where it is, or would be, written.
	key     string
	keyword string
	// place is the first of the schemas.
	place *schema.Place
	// now is its value, -1 if it is not set; least is its smallest possible value.
	now, least int64
	// target says how it is written; its zero value means that the user cannot.
	target target
}

// A reading is a size that an expression depends on.
type reading struct {
	limit *limit
	// way is the key of the path that the estimator asks for.
	way string
	// node is the schema whose size it is.
	node *structural.Structural
}

// chosen are bounds to set, by key.
type chosen map[string]int64

// An analysis knows the bounds that estimates depend on. It is needed only if there is something to report.
type analysis struct {
	owns     func(diag.Span) bool
	steps    *effort.Budget
	limits   map[string]*limit
	places   map[*schema.Place]*limit
	readings map[*cel.Ast][]reading
}

func newAnalysis(owns func(diag.Span) bool, steps *effort.Budget) *analysis {
	if owns == nil {
		owns = func(diag.Span) bool { return true }
	}
	return &analysis{
		owns: owns, steps: steps, limits: map[string]*limit{}, places: map[*schema.Place]*limit{},
		readings: map[*cel.Ast][]reading{},
	}
}

// canWrite reports whether the user can change what is written at a position; what has none is the user's.
func (a *analysis) canWrite(at diag.Span) bool { return !at.IsValid() || a.owns(at) }

// limitOf returns the limit that bounds a schema, nil if none would.
func (a *analysis) limitOf(p *schema.Place) *limit {
	known, ok := a.places[p]
	if !ok {
		known = a.newLimit(p)
		a.places[p] = known
	}
	return known
}

func (a *analysis) newLimit(p *schema.Place) *limit {
	s := p.Schema
	l := limit{place: p, now: -1, least: 1}
	var now, least *schema.Int
	switch {
	case s.IntOrString.True(), s.Type.V == "string":
		l.keyword, now, least = maxLength, s.MaxLength, s.MinLength
	case s.Type.V == "array":
		l.keyword, now, least = maxItems, s.MaxItems, s.MinItems
	case multiplies(s):
		l.keyword, now, least = maxProperties, s.MaxProperties, s.MinProperties
	default:
		return nil
	}
	if now != nil {
		l.now = now.V
	}
	if least != nil {
		l.least = max(1, least.V)
	}
	l.target = a.targetOf(p, l.keyword, now)
	l.key = l.keyword + " " + l.target.key
	if known := a.limits[l.key]; known != nil {
		return known
	}
	a.limits[l.key] = &l
	return &l
}

// above returns the limits of the lists and maps above a rule, outermost first.
func (a *analysis) above(e *Estimate) []*limit {
	var out []*limit
	if e.Part == PartMessage {
		return nil
	}
	for p := e.Rule.Place.Above; p != nil; p = p.Above {
		if multiplies(p.Schema) {
			out = append(out, a.limitOf(p))
		}
	}
	slices.Reverse(out)
	return out
}

// read returns the sizes that an expression depends on, ordered by way.
func (a *analysis) read(e *Estimate) []reading {
	ast := e.ast()
	if known, ok := a.readings[ast]; ok {
		return known
	}
	asked := map[string][]string{}
	question{rule: e.Rule, ast: ast, asked: asked}.answers()
	var out []reading
	for _, way := range slices.Sorted(maps.Keys(asked)) {
		p, node := descend(e.Rule.Place, e.Rule.Self, asked[way])
		if p == nil {
			continue
		}
		if l := a.limitOf(p); l != nil {
			if r := (reading{limit: l, way: way, node: node}); r.bounds() {
				out = append(out, r)
			}
		}
	}
	a.readings[ast] = out
	return out
}

// bounds reports whether setting the limit changes the size: that of a date is what it is, the values of an enum have a
// length already, and an object to which any field can be added is not a map for CEL.
func (r *reading) bounds() bool {
	values, more := r.node.ValueValidation, r.node.AdditionalProperties
	switch {
	case r.limit.keyword == maxLength && r.limit.now < 0 && values != nil && len(values.Enum) > 0,
		r.limit.keyword == maxProperties && (more == nil || more.Structural == nil):
		return false
	}
	return r.size(1) != r.size(2)
}

// size returns the size that the API server takes a value for whose limit is n.
func (r *reading) size(n int64) uint64 {
	node := *r.node
	values := structural.ValueValidation{}
	if node.ValueValidation != nil {
		values = *node.ValueValidation
	}
	node.ValueValidation = &values
	// The size is that of the container alone.
	scalar := structural.Structural{Generic: structural.Generic{Type: "boolean"}}
	switch r.limit.keyword {
	case maxItems:
		values.MaxItems, node.Items = &n, &scalar
	case maxProperties:
		values.MaxProperties = &n
		node.AdditionalProperties = &structural.StructuralOrBool{Structural: &scalar}
	default:
		values.MaxLength = &n
	}
	decl := model.SchemaDeclType(&node, false)
	if decl == nil {
		return 0
	}
	return uint64(decl.MaxElements)
}

// wayKey returns a path without its variable as a key.
func wayKey(path []string) string { return strings.Join(path, ".") }

// descend follows a path of the estimator from a schema to the one whose size is asked for, in both forms; nil for
// a schema that is not in the CRD, such as that of a map's keys, or of fields that every resource has (cel/model,
// WithTypeAndObjectMeta).
func descend(p *schema.Place, node *structural.Structural, path []string) (*schema.Place, *structural.Structural) {
	for _, step := range path {
		isResource := p.Above == nil || node.XEmbeddedResource
		var next *schema.Place
		var below *structural.Structural
		for _, child := range p.Children() {
			switch {
			case child.Step == schema.InItems && step == "@items":
				next, below = child, node.Items
			case child.Step == schema.InValues && step == "@values" && node.AdditionalProperties != nil:
				next, below = child, node.AdditionalProperties.Structural
			case child.Step == schema.InProperty:
				name, ok := kubecel.Escape(child.Name)
				isMeta := isResource && schema.IsMetaField(name)
				if !ok || name != step || isMeta {
					continue
				}
				if s, ok := node.Properties[child.Name]; ok {
					next, below = child, &s
				}
			}
		}
		if next == nil || below == nil {
			return nil, nil
		}
		p, node = next, below
	}
	return p, node
}

// cost returns what an estimate would be with some bounds.
func (a *analysis) cost(e *Estimate, with chosen, known map[*cel.Ast]uint64) uint64 {
	if !a.steps.Spend(1) {
		return unlimited
	}
	each, ok := known[e.ast()]
	if !ok {
		each = a.each(e, with)
		known[e.ast()] = each
	}
	if e.Part == PartMessage {
		return each
	}
	n, _ := cardinality(e.Rule, func(p *schema.Place) *int64 {
		if n, ok := with[a.limitOf(p).key]; ok {
			return &n
		}
		return bound(p)
	})
	return product(each, n)
}

// estimateSteps is how many steps the estimate of an expression takes, in addition to one for each of its bytes.
const estimateSteps = 20

// each returns what the expression would cost for one value; unlimited after too many steps.
func (a *analysis) each(e *Estimate, with chosen) uint64 {
	instead := map[string]uint64{}
	for _, r := range a.read(e) {
		if n, ok := with[r.limit.key]; ok {
			instead[r.way] = r.size(n)
		}
	}
	if len(instead) == 0 {
		return e.Each
	}
	if !a.steps.Spend(estimateSteps + len(e.text().V)) {
		return unlimited
	}
	return question{rule: e.Rule, ast: e.ast(), instead: instead}.worst()
}

// name returns the schema as messages call it.
func (l *limit) name() string { return cmp.Or(l.place.Field(), "the object") }
