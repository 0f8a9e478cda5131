package suite

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/objects/write"
	"github.com/crdproof/crdproof/schema"
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
	// numbered is the CRD with a message for each rule that identifies it.
	numbered func() *write.Resource
}

// marker begins the message of a rule in a numbered CRD; the rule's index ends it.
const marker = "crdproof rule "

// newProbe makes the probe of a version of a target.
func newProbe(t *target, version *schema.Version) *probe {
	p := &probe{}
	p.tree = grow(&schema.Place{Schema: version.Schema}, &p.all)
	p.numbered = sync.OnceValue(func() *write.Resource {
		object := t.reduced(t.crd.Object).DeepCopy()
		for i := range object.Spec.Versions {
			if v := &object.Spec.Versions[i]; v.Name == version.Name.V && v.Schema != nil {
				number(p.tree, v.Schema.OpenAPIV3Schema)
			}
		}
		resource, err := write.Accepted(object)
		if err != nil {
			panic(err) // it has been served with its own messages
		}
		return resource.For(t.minor)
	})
	return p
}

// number gives each rule of a schema and its children a message with its index.
func number(b *branch, props *apiext.JSONSchemaProps) {
	i := 0
	for _, c := range b.own {
		if c.keyword == wordRule {
			props.XValidations[i] = apiext.ValidationRule{
				Rule: props.XValidations[i].Rule, OptionalOldSelf: props.XValidations[i].OptionalOldSelf,
				Message: marker + strconv.Itoa(c.index),
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

// record marks the constraints that a rejected write violates.
func (p *probe) record(ctx context.Context, request write.Request, errs field.ErrorList) {
	var object map[string]any
	if utiljson.Unmarshal(request.Object, &object) != nil {
		return // the object is not valid JSON, so no constraint has been evaluated
	}
	reported := errorPaths{values: map[string]bool{}, required: map[string]bool{}, lists: map[string]bool{}}
	for _, e := range errs {
		if e.Origin == write.OriginRule {
			reported.rules = append(reported.rules, ruleError{Error: e})
		} else {
			reported.add(e)
		}
	}
	reported.visit(p.tree, object, "", "")
	for _, e := range reported.rules {
		if len(e.from) != 1 {
			p.ask(ctx, request)
			return
		}
	}
	for _, e := range reported.rules {
		e.from[0].isBroken.Store(true)
	}
}

// ask finds out by another write which rules a request violates whose errors do not tell.
func (p *probe) ask(ctx context.Context, request write.Request) {
	answer, err := p.numbered().Write(ctx, request)
	if err != nil {
		panic(err) // it has been answered before
	}
	for _, e := range answer.Errors {
		// The detail ends in the message, even if it is about an error in the evaluation.
		if i := strings.LastIndex(e.Detail, marker); i >= 0 {
			if n, err := strconv.Atoi(e.Detail[i+len(marker):]); err == nil && n < len(p.all) {
				p.all[n].isBroken.Store(true)
			}
		}
	}
}

// A ruleError is an error of a rule, from holds the rules that it may be from.
type ruleError struct {
	*field.Error
	from []*constraint
}

// errorPaths are the paths for which a server reports errors: wrong values, missing required fields, and lists whose
// items are not unique.
type errorPaths struct {
	values, required, lists map[string]bool
	rules                   []ruleError
}

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

// visit walks the schema along a value and marks the validations that it violates. Paths to the values of maps have two
// notations: one in the validation of values, and one elsewhere.
func (t *errorPaths) visit(b *branch, value any, dotted, bracketed string) {
	for _, c := range b.own {
		switch {
		case c.keyword == wordRule:
			for i := range t.rules {
				if e := &t.rules[i]; c.mayCause(e.Error, bracketed) {
					e.from = append(e.from, c)
				}
			}
		case t.isBroken(c, value, dotted, bracketed):
			c.isBroken.Store(true)
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
			t.visit(child, value[name], join(dotted, name), below)
		}
	case []any:
		for i, item := range value {
			if b.items != nil {
				step := fmt.Sprintf("[%d]", i)
				t.visit(b.items, item, dotted+step, bracketed+step)
			}
		}
	}
}

// mayCause reports whether an error may be of a rule on the value at a path.
func (c *constraint) mayCause(e *field.Error, path string) bool {
	if path == "" {
		path = rootPath
	}
	if c.rule.FieldPath.V == "" && e.Field != path || !strings.HasPrefix(e.Field, strings.TrimSuffix(path, rootPath)) {
		return false
	}
	// The detail ends in the message, even if it is about an error in the evaluation.
	text := strings.TrimSpace(cmp.Or(c.rule.Message.V, c.rule.Rule.V))
	return c.rule.MessageExpression.V != "" || strings.HasSuffix(e.Detail, text)
}

// rootPath is the server's path of the object itself.
const rootPath = "<nil>"

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

// Cover says which constraints the cases of the report make fail.
func (r *Report) Cover() Coverage {
	failed := map[spot]bool{}
	for _, t := range r.targets {
		for _, c := range t.constraints {
			if c.isBroken.Load() {
				failed[c.spot()] = true
			}
		}
	}
	var out Coverage
	seen := map[spot]bool{}
	for _, t := range r.targets {
		for _, c := range t.constraints {
			if s := c.spot(); !seen[s] {
				seen[s] = true
				out.add(c, failed[s])
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

// prepare makes the probes of the versions that the cases of a target use.
func (t *target) prepare(r *Report) {
	used := map[string]bool{}
	for _, i := range t.cases {
		for _, name := range r.Outcomes[i].Case.versions() {
			used[name] = true
		}
	}
	t.probes = map[string]*probe{}
	for i := range t.crd.IR.Versions {
		if v := &t.crd.IR.Versions[i]; v.Schema != nil && used[v.Name.V] {
			t.probes[v.Name.V] = newProbe(t, v)
		}
	}
	for _, name := range sortedKeys(t.probes) {
		t.constraints = append(t.constraints, t.probes[name].all...)
	}
}

// release drops what only cases need.
func (t *target) release() {
	t.resource, t.probes = nil, nil
	for _, c := range t.constraints {
		c.breaks = nil
	}
}
