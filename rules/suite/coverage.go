package suite

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/generator/stage"
	"github.com/crdproof/crdproof/rules/server"
)

// Coverage says which rules and validations of the CRDs under test were made to fail by cases: those of the versions
// that the suites speak of, each where it is written, once.
type Coverage struct {
	// Failed is how many were made to fail, of All.
	Failed, All int
	// Missing are notes at those that were not, sorted by position.
	Missing []diag.Diagnostic
}

// A probe finds out which constraints of a version an object breaks.
type probe struct {
	tree *branch
	all  []*constraint
	// resource is the CRD with other messages: that of each rule says which one it is. It is nil where there are no
	// rules.
	resource *server.Resource
}

// marker begins the message of a rule in a probe, and its number ends it.
const marker = "crdproof rule "

// newProbe makes the probe of a version of a target.
func newProbe(t *target, version *schema.Version) *probe {
	p := &probe{}
	p.tree = grow(&schema.Place{Schema: version.Schema}, &p.all)
	if !slices.ContainsFunc(p.all, func(c *constraint) bool { return c.keyword == wordRule }) {
		return p
	}
	object := t.reduced(t.crd.Object).DeepCopy()
	for i := range object.Spec.Versions {
		if v := &object.Spec.Versions[i]; v.Name == version.Name.V && v.Schema != nil {
			number(p.tree, v.Schema.OpenAPIV3Schema)
		}
	}
	resource, err := server.Accepted(object)
	if err != nil {
		panic(err) // it is served with other messages
	}
	p.resource = resource
	return p
}

// number gives the rules of a schema and of all below it messages that hold their numbers.
func number(b *branch, props *apiext.JSONSchemaProps) {
	i := 0
	for _, c := range b.own {
		if c.keyword == wordRule {
			props.XValidations[i] = apiext.ValidationRule{
				Rule: props.XValidations[i].Rule, OptionalOldSelf: props.XValidations[i].OptionalOldSelf,
				Message: marker + strconv.Itoa(c.rule),
			}
			i++
		}
	}
	for name, child := range b.properties {
		property := props.Properties[name] // whose rules are shared with the copy
		number(child, &property)
	}
	if b.items != nil {
		number(b.items, props.Items.Schema)
	}
	if b.values != nil {
		number(b.values, props.AdditionalProperties.Schema)
	}
}

// broken are the constraints that a refused write breaks.
func (p *probe) broken(ctx context.Context, w write) (out []*constraint) {
	answer := w.answer
	if p.resource != nil {
		again, err := p.resource.Write(ctx, w.request)
		if err != nil || again.Refusal == nil {
			return nil // what was refused once is refused again
		}
		answer = again
	}
	told := told{paths: map[string]bool{}, required: map[string]bool{}, lists: map[string]bool{}}
	for _, e := range answer.Errors {
		// The sentence ends in the message, also where it is about an error in the evaluation.
		i := strings.LastIndex(e.Detail, marker)
		if i < 0 {
			told.note(e)
			continue
		}
		if n, err := strconv.Atoi(e.Detail[i+len(marker):]); err == nil && n < len(p.all) {
			out = append(out, p.all[n])
		}
	}
	var object map[string]any
	if utiljson.Unmarshal(w.request.Object, &object) == nil {
		told.visit(p.tree, object, "", "", &out)
	}
	return out
}

// told are the paths at which a server has found something wrong: with a value, with the lack of a required field, with
// a list whose items are not unique.
type told struct{ paths, required, lists map[string]bool }

func (t *told) note(e *field.Error) {
	switch e.Type {
	case field.ErrorTypeRequired:
		t.required[e.Field] = true
	case field.ErrorTypeDuplicate:
		if i := strings.LastIndexByte(e.Field, '['); i >= 0 {
			t.lists[e.Field[:i]] = true
		}
	default:
		t.paths[e.Field] = true
		// What is said of anyOf, oneOf, allOf and not names its place in the sentence, in quotes.
		dec := json.NewDecoder(strings.NewReader(e.Detail))
		var path string
		if strings.HasPrefix(e.Detail, `"`) && dec.Decode(&path) == nil {
			if e.Field == "status" {
				path = strings.TrimSuffix("status."+path, ".")
			}
			t.paths[path] = true
		}
	}
}

// visit goes along the schema and a value. Values of maps have two notations: one in the validation of values, one
// elsewhere.
func (t *told) visit(b *branch, value any, dotted, bracketed string, out *[]*constraint) {
	for _, c := range b.own {
		if t.isBroken(c, value, dotted, bracketed) {
			*out = append(*out, c)
		}
	}
	switch value := value.(type) {
	case map[string]any:
		for _, name := range sortedKeys(value) {
			child, isProperty := b.properties[name]
			below := bracketed + "[" + name + "]"
			if isProperty {
				below = join(bracketed, name)
			} else if child = b.values; child == nil {
				continue
			}
			t.visit(child, value[name], join(dotted, name), below, out)
		}
	case []any:
		for i, item := range value {
			if b.items != nil {
				step := fmt.Sprintf("[%d]", i)
				t.visit(b.items, item, dotted+step, bracketed+step, out)
			}
		}
	}
}

func (t *told) isBroken(c *constraint, value any, dotted, bracketed string) bool {
	switch {
	case c.keyword == wordRequired:
		object, ok := value.(map[string]any)
		// A null is dropped before.
		return ok && object[c.name] == nil && t.required[join(dotted, c.name)]
	case c.keyword == wordListType:
		return t.lists[bracketed]
	case c.breaks == nil:
		return false
	}
	return t.paths[dotted] && c.breaks(value)
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// A spot is where a constraint is written, and which of those there it is.
type spot struct {
	at            diag.Span
	keyword, text string
}

// Cover finds out what the cases of the report have made fail, in the context of the run.
func (r *Report) Cover() Coverage {
	stage.Run(r.ctx, r.progress, "preparing the coverage", len(r.targets), func(i int) { r.targets[i].prepare(r) })
	broken := make([][]*constraint, len(r.Outcomes))
	stage.Run(r.ctx, r.progress, "finding the coverage", len(r.Outcomes), func(i int) {
		o := &r.Outcomes[i]
		for _, w := range o.seen.refused {
			if p := o.target.probes[w.version]; p != nil {
				broken[i] = append(broken[i], p.broken(r.ctx, w)...)
			}
		}
	})
	failed := map[spot]bool{}
	for _, list := range broken {
		for _, c := range list {
			failed[c.spot()] = true
		}
	}
	var out Coverage
	seen := map[spot]bool{}
	for _, t := range r.targets {
		for _, name := range sortedKeys(t.probes) {
			for _, c := range t.probes[name].all {
				if s := c.spot(); !seen[s] {
					seen[s] = true
					out.add(c, failed[s])
				}
			}
		}
	}
	slices.SortStableFunc(out.Missing, func(a, b diag.Diagnostic) int { return cmp.Compare(a.Path, b.Path) })
	out.Missing = diag.Sort(out.Missing)
	return out
}

func (c *Coverage) add(one *constraint, failed bool) {
	c.All++
	if failed {
		c.Failed++
		return
	}
	what := one.keyword
	switch {
	case one.keyword == wordRule:
		what = "the rule " + strings.Join(strings.Fields(one.text), " ")
	case one.text != "":
		what += ": " + one.text
	}
	c.Missing = append(c.Missing, diag.Notef(one.at, notCovered, "no case makes this fail: %s", what).In(one.field))
}

func (c *constraint) spot() spot { return spot{c.at, c.keyword, c.text} }

// prepare makes the probes of the versions that suites speak of.
func (t *target) prepare(r *Report) {
	t.probes = map[string]*probe{}
	for i := range t.crd.IR.Versions {
		v := &t.crd.IR.Versions[i]
		isMeant := func(o Outcome) bool { return o.target == t && slices.Contains(o.Case.versions(), v.Name.V) }
		if v.Schema != nil && slices.ContainsFunc(r.Outcomes, isMeant) {
			t.probes[v.Name.V] = newProbe(t, v)
		}
	}
}
