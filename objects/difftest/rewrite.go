package difftest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/objects/internal/witness"
	"github.com/crdproof/crdproof/objects/write"
	"github.com/crdproof/crdproof/rules/expr"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema"
)

// Rewrites tries the rules that helps suggest in place of others, with the whole code of the API server.
type Rewrites struct {
	testing.TB
	// Objects is how many random objects each suggested rule is tried on.
	Objects int
	// Found counts the findings about rules, Offered the suggested rules, and Tried those of them for which the server
	// answers for some object.
	Found, Offered, Tried int
	// Valued and Valueless count the objects for which the author's rule has a value, and for which it has none.
	Valued, Valueless int
	Wrong             []string

	around   map[*schema.Schema]*around
	sessions map[*schema.CRD]*session.Session
}

// rewriting begins a help that has a whole rule.
const rewriting = "change the rule to "

// String returns the counts.
func (n *Rewrites) String() string {
	return fmt.Sprintf("%d findings about rules, %d rules offered, %d tried, %d objects with a value, %d without, "+
		"%d disagreements", n.Found, n.Offered, n.Tried, n.Valued, n.Valueless, len(n.Wrong))
}

// Try tries all rules that findings suggest for a CRD.
func (n *Rewrites) Try(crd crds.CRD, found []diag.Diagnostic) {
	n.Helper()
	for i := range found {
		d := &found[i]
		isAbsence := slices.Contains([]string{"cel-absent", "cel-never"}, d.Check)
		if !isAbsence && !slices.Contains([]string{"cel-overload", "cel-text", "cel-unequal"}, d.Check) {
			continue
		}
		isFound := false
		for v := range crd.IR.Versions {
			schema.Walk(crd.IR.Versions[v].Schema, func(p *schema.Place) {
				for index := range p.Schema.Rules {
					path := fmt.Sprintf("spec.versions[%d].schema.openAPIV3Schema%s.x-kubernetes-validations[%d].rule",
						v, p.Path(), index)
					if path == d.Path || slices.Contains(d.AlsoPaths, path) {
						isFound = true
						n.help(crd, v, p, index, d)
					}
				}
			})
		}
		if isFound {
			n.Found++
		}
	}
}

// help tries the rules that one finding suggests.
func (n *Rewrites) help(crd crds.CRD, v int, p *schema.Place, index int, d *diag.Diagnostic) {
	for _, help := range d.Helps() {
		rule, ok := strings.CutPrefix(help.Text, rewriting)
		if !ok || p.Nested {
			continue
		}
		n.Offered++
		// Whether a rule is absent may follow from other rules.
		alone := d.Check != "cel-absent" && d.Check != "cel-never"
		n.Pair(crd, v, p, index, rule, alone, func(before, after Outcome) string {
			return contradiction(d.Check, help.Effect, before, after)
		})
	}
}

// contradiction says what contradicts the effect that a rule is declared to have in place of another one.
func contradiction(check string, declared diag.Effect, before, after Outcome) string {
	isAbsence := check == "cel-absent" || check == "cel-never"
	switch {
	case check == "cel-text" || check == "cel-unequal":
		return "" // it compares values, not texts
	case before.Value() && before.Result != after.Result:
		return "the author's rule has another value"
	case !before.Value() && !isAbsence && after.Result == before.Result && after.Absent == before.Absent:
		return "it fails in the same way"
	case !before.Value() && isAbsence && declared.Kind == diag.NoEffect && after.Result == IsTrue:
		return "it accepts an object that the author's rule rejects"
	case before.Absent && declared.Kind == diag.AcceptsMore && after.Result == IsFalse:
		return "it rejects what it is declared to accept"
	case before.Absent && after.Absent:
		return "it reads what is absent, too"
	}
	return ""
}

// An Outcome is what a rule does with an object.
type Outcome struct {
	Result Result
	// Absent is set if the rule fails because a value is absent.
	Absent bool
}

// Result is that of a rule.
type Result uint8

// The results of a rule.
const (
	IsTrue Result = iota
	IsFalse
	Fails
	// otherwise is that of an object that is rejected because of anything else.
	otherwise
)

// Value reports whether the rule has a value.
func (o Outcome) Value() bool { return o.Result <= IsFalse }

// mark is the message of rules that are tried, by which the server's errors about them are known.
const mark = "the rule that is tried"

// Pair tries a rule in place of another one, on objects with random values at its place: on those for which no other
// rule is false, unless the rules are alone.
func (n *Rewrites) Pair(
	crd crds.CRD, v int, p *schema.Place, index int, rule string, alone bool, check func(before, after Outcome) string,
) {
	n.Helper()
	original := p.Schema.Rules[index].Rule.V
	if !n.compiles(crd, v, p, index, rule) {
		n.Wrong = append(n.Wrong, "an API server does not compile "+rule)
		return
	}
	before, after := n.served(crd, v, p, index, original, alone), n.served(crd, v, p, index, rule, alone)
	if n.around == nil {
		n.around = map[*schema.Schema]*around{}
	}
	o := n.around[p.Schema]
	if o == nil {
		o = newAround(n.Context(), crd, v, p)
		n.around[p.Schema] = o
	}
	known := n.Valued + n.Valueless
	var old map[string]any
	for range n.Objects {
		object, ok := o.object()
		if !ok {
			continue
		}
		req := write.Request{Object: []byte(witness.JSON(object))}
		if o.IntN(2) == 0 && strings.Contains(original, "oldSelf") {
			req.Old = old
		}
		x, stored := n.outcome(before, req)
		if stored != nil {
			old = stored
		}
		if x.Result == otherwise {
			continue
		}
		y, _ := n.outcome(after, req)
		if x.Value() {
			n.Valued++
		} else {
			n.Valueless++
		}
		if why := check(x, y); why != "" {
			n.Wrong = append(n.Wrong, fmt.Sprintf("%s: %s\ninto %s\nfor %s\nbefore %s: %s", p.Field(), original, rule,
				req.Object, witness.JSON(req.Old), why))

			return
		}
	}
	if n.Valued+n.Valueless > known {
		n.Tried++
	}
}

// compiles reports whether a rule compiles in place of another one.
func (n *Rewrites) compiles(crd crds.CRD, v int, p *schema.Place, index int, rule string) bool {
	s := n.sessions[crd.IR]
	if s == nil {
		s = session.New(crd.IR, nil, session.Options{})
		if n.sessions == nil {
			n.sessions = map[*schema.CRD]*session.Session{}
		}
		n.sessions[crd.IR] = s
	}
	rules := s.Versions[v].Rules()
	i := slices.IndexFunc(rules, func(r expr.Rule) bool { return r.Place.Path() == p.Path() && r.Index == index })
	return i >= 0 && rules[i].Instead(rule) != nil
}

// served serves a version of a CRD with a rule in place of another one, and without all others if it is alone.
func (n *Rewrites) served(crd crds.CRD, v int, p *schema.Place, index int, rule string, alone bool) *write.Resource {
	object := write.OnlyVersion(crd.Object, crd.IR.Versions[v].Name.V)
	props := object.Spec.Versions[0].Schema.OpenAPIV3Schema
	if alone {
		schema.Walk(crd.IR.Versions[v].Schema, func(other *schema.Place) {
			if len(other.Schema.Rules) > 0 && other.Schema != p.Schema {
				editProps(props, other, func(props *apiext.JSONSchemaProps) { props.XValidations = nil })
			}
		})
	}
	editProps(props, p, func(props *apiext.JSONSchemaProps) {
		r := &props.XValidations[index]
		r.Rule, r.Message, r.MessageExpression = rule, mark, ""
		if alone {
			props.XValidations = apiext.ValidationRules{*r}
		}
	})
	out, err := write.Accepted(object)
	if err != nil {
		n.Fatal(err)
	}
	return out
}

// editProps edits the schema at a place.
func editProps(root *apiext.JSONSchemaProps, p *schema.Place, edit func(*apiext.JSONSchemaProps)) {
	if p.Above == nil {
		edit(root)
		return
	}
	editProps(root, p.Above, func(above *apiext.JSONSchemaProps) {
		switch p.Step {
		case schema.InProperty:
			child := above.Properties[p.Name]
			edit(&child)
			above.Properties[p.Name] = child
		case schema.InItems:
			edit(above.Items.Schema)
		case schema.InValues:
			edit(above.AdditionalProperties.Schema)
		}
	})
}

// outcome writes an object, and returns what the rule that is tried does with it.
func (n *Rewrites) outcome(r *write.Resource, req write.Request) (out Outcome, stored map[string]any) {
	answer, err := r.Write(n.Context(), req)
	if err != nil {
		n.Fatal(err)
	}
	for _, e := range answer.Errors {
		isFailure := strings.Contains(e.Detail, " evaluating rule: ") || strings.Contains(e.Detail, " for rule: ")
		isAbsence := slices.ContainsFunc([]string{"no such key", "index out of bounds", "optional.none() dereference"},
			func(text string) bool { return strings.HasPrefix(e.Detail, text) })
		switch isTried := strings.HasSuffix(e.Detail, mark); {
		case isTried && isFailure:
			out.Result, out.Absent = max(out.Result, Fails), out.Absent || isAbsence
		case isTried:
			out.Result = max(out.Result, IsFalse)
		case !isFailure: // the rules that fail do not matter for others
			out.Result = otherwise
		}
	}
	if answer.Rejection != nil && len(answer.Errors) == 0 {
		out.Result = otherwise
	}
	return out, answer.Stored
}

// End logs the counts, and fails for what is wrong.
func (n *Rewrites) End() {
	n.Helper()
	n.Log(n)
	for _, wrong := range n.Wrong {
		n.Error(wrong)
	}
	if n.Tried == 0 || n.Valued == 0 || n.Valueless == 0 {
		n.Error("no rule was tried")
	}
}

// Edited returns a CRD with other rules.
func Edited(t testing.TB, crd crds.CRD, edit func(rule string) string) *diag.Source {
	t.Helper()
	object := crd.Object.DeepCopy()
	for v := range crd.IR.Versions {
		schema.Walk(crd.IR.Versions[v].Schema, func(p *schema.Place) {
			if len(p.Schema.Rules) > 0 && !p.Nested {
				editProps(object.Spec.Versions[v].Schema.OpenAPIV3Schema, p, func(props *apiext.JSONSchemaProps) {
					for i := range props.XValidations {
						props.XValidations[i].Rule = edit(props.XValidations[i].Rule)
					}
				})
			}
		})
	}
	object.Kind, object.APIVersion = "CustomResourceDefinition", apiext.SchemeGroupVersion.String()
	data, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	return &diag.Source{Path: object.Name + ".json", Data: data, Syntax: diag.YAML}
}
