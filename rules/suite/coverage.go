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

// Coverage says which rules and validations of the CRDs under test some case makes fail. It counts those of the
// versions that the suites use, each place in the source once.
type Coverage struct {
	// Failed counts those that a case makes fail, All counts all.
	Failed, All int
	// Missing has a note for each of the others, sorted by position.
	Missing []diag.Diagnostic
}

// A probe finds out which constraints of a version an object violates.
type probe struct {
	tree *branch
	all  []*constraint
	// resource is the CRD with a message for each rule that identifies it. It is nil if there are no rules.
	resource *server.Resource
}

// marker begins the message of a rule in a probe; the rule's index ends it.
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
		panic(err) // it has been served with its own messages
	}
	p.resource = resource.For(t.minor)
	return p
}

// number gives each rule of a schema and its children a message with its index.
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
		property := props.Properties[name] // the copy shares its rules
		number(child, &property)
	}
	if b.items != nil {
		number(b.items, props.Items.Schema)
	}
	if b.values != nil {
		number(b.values, props.AdditionalProperties.Schema)
	}
}

// broken are the constraints that a rejected write violates.
func (p *probe) broken(ctx context.Context, w write) (out []*constraint) {
	answer := w.answer
	if p.resource != nil {
		again, err := p.resource.Write(ctx, w.request)
		if err != nil || again.Rejection == nil {
			return nil // cannot happen: the server rejected the write before
		}
		answer = again
	}
	reported := errorPaths{values: map[string]bool{}, required: map[string]bool{}, lists: map[string]bool{}}
	for _, e := range answer.Errors {
		// The detail ends in the message, even if it is about an error in the evaluation.
		i := strings.LastIndex(e.Detail, marker)
		if i < 0 {
			reported.add(e)
			continue
		}
		if n, err := strconv.Atoi(e.Detail[i+len(marker):]); err == nil && n < len(p.all) {
			out = append(out, p.all[n])
		}
	}
	var object map[string]any
	if utiljson.Unmarshal(w.request.Object, &object) == nil {
		reported.visit(p.tree, object, "", "", &out)
	}
	return out
}

// errorPaths are the paths for which a server reports errors: wrong values, missing required fields, and lists whose
// items are not unique.
type errorPaths struct{ values, required, lists map[string]bool }

func (t *errorPaths) add(e *field.Error) {
	switch e.Type {
	case field.ErrorTypeRequired:
		t.required[e.Field] = true
	case field.ErrorTypeDuplicate:
		if i := strings.LastIndexByte(e.Field, '['); i >= 0 {
			t.lists[e.Field[:i]] = true
		}
	default:
		t.values[e.Field] = true
		// Errors of anyOf, oneOf, allOf and not name their place in the detail, in quotes.
		dec := json.NewDecoder(strings.NewReader(e.Detail))
		var path string
		if strings.HasPrefix(e.Detail, `"`) && dec.Decode(&path) == nil {
			if e.Field == "status" {
				path = strings.TrimSuffix("status."+path, ".")
			}
			t.values[path] = true
		}
	}
}

// visit walks the schema along a value. Paths to the values of maps have two notations: one in the validation of
// values, and one elsewhere.
func (t *errorPaths) visit(b *branch, value any, dotted, bracketed string, out *[]*constraint) {
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

func (t *errorPaths) isBroken(c *constraint, value any, dotted, bracketed string) bool {
	switch {
	case c.keyword == wordRequired:
		object, ok := value.(map[string]any)
		// A null has been dropped before.
		return ok && object[c.name] == nil && t.required[join(dotted, c.name)]
	case c.keyword == wordListType:
		return t.lists[bracketed]
	case c.breaks == nil:
		return false
	}
	return t.values[dotted] && c.breaks(value)
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// A spot identifies a constraint by where it is written.
type spot struct {
	at            diag.Span
	keyword, text string
}

// Cover finds out which constraints the cases of the report make fail, in the context of the run.
func (r *Report) Cover() Coverage {
	stage.Run(r.ctx, r.progress, "preparing the coverage", len(r.targets), func(i int) { r.targets[i].prepare(r) })
	broken := make([][]*constraint, len(r.Outcomes))
	stage.Run(r.ctx, r.progress, "finding the coverage", len(r.Outcomes), func(i int) {
		o := &r.Outcomes[i]
		for _, w := range o.seen.rejected {
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

// prepare makes the probes of the versions that suites use.
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
