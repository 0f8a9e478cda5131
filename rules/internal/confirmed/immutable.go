// Package confirmed has checks whose findings come with objects that the API server's code has accepted: rules about
// updates that two updates get around (immutable.go), and values that Go cannot decode (decoder.go).
//
// A session and the compiled rules of a version enter, findings leave.
package confirmed

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	apicel "k8s.io/apiserver/pkg/cel"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/expr"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/rules/symbolic"
	"github.com/crdproof/crdproof/schema"
)

var immutableOptional = &diag.Check{ID: "immutable-optional", Severity: diag.Warning, Whole: true}

// Transitions returns the check of rules about updates.
func Transitions() []*diag.Check { return []*diag.Check{immutableOptional} }

// CheckTransitions reports each field whose removal lets updates escape rules, once for all of these rules.
func CheckTransitions(p *session.Pass) {
	structure, err := p.Version.Structure()
	if err != nil {
		return
	}
	var causes []*cause
	index := map[string]*cause{}
	add := func(e, outer *Escape) {
		at := e.Removed.Path()
		if index[at] == nil {
			index[at] = &cause{outer: e.Removed}
			causes = append(causes, index[at])
		}
		c := index[at]
		c.escapes = append(c.escapes, e)
		if len(outer.Removed.Path()) < len(c.outer.Path()) {
			c.outer = outer.Removed
		}
	}
	// What a tag such as k8s:update means is for Kubernetes to say.
	isOwn := func(r *expr.Rule) bool { return !r.Source.Made && (p.Owns == nil || p.Owns(r.Source.At)) }
	found := Find(p.Context(), structure, p.Version.Rules(), isOwn)
	for i := 0; i < len(found); {
		e := &found[i]
		last := e
		for ; i < len(found) && found[i].Rule == e.Rule && found[i].Changed == e.Changed; i++ {
			if next := &found[i]; next == e || !isTop(next.Removed) {
				last = next
			} else {
				add(next, next)
			}
		}
		add(e, last)
	}
	causes = slices.DeleteFunc(causes, func(c *cause) bool { return !c.isCertain() })
	joinGuards(p, causes, structure)
	for _, c := range causes {
		p.Report(c.diagnostic(p, structure))
	}
}

// A cause is a field whose removal lets updates escape rules.
type cause struct {
	escapes []*Escape
	// outer is the outermost field around it whose removal does the same, or the field itself. The spec has a finding
	// of its own.
	outer *schema.Place
	// joined is the guard of all such fields of the object around the field, nil if that is the only one.
	joined *joinedGuard
}

// isCertain reports whether nothing that is not known of the schema may forbid the removal: that the field is required,
// or a rule of the field or around it.
func (c *cause) isCertain() bool {
	removed := c.escapes[0].Removed
	for p := removed; p != nil; p = p.Above {
		if p.Schema.Incomplete&schema.DoubtRules != 0 {
			return false
		}
	}
	return removed.Schema.Incomplete&schema.DoubtPresence == 0
}

// isTop reports whether a field is the spec, which hardly any object is meant to lack.
func isTop(p *schema.Place) bool { return p.Above.Above == nil && p.Name == "spec" }

// maxShown limits the fields in a message.
const maxShown = 3

// diagnostic returns the finding.
func (c *cause) diagnostic(p *session.Pass, structure *structural.Structural) diag.Diagnostic {
	e := c.escapes[0]
	var fields []string
	for _, e := range c.escapes {
		if name := e.Changed.Field(); !slices.Contains(fields, name) {
			fields = append(fields, name)
		}
	}
	removal, values := "remove "+e.Removed.Field(), "another value"
	if e.ToNull {
		removal = "set " + e.Removed.Field() + " to null"
	}
	if len(fields) > 1 {
		values = "other values of " + list(fields)
	} else if fields[0] != e.Removed.Field() {
		values += " of " + fields[0]
	}
	d := diag.Warningf(e.Removed.At(), immutableOptional,
		"an update can %s, and the next one can set %s, despite the rule", removal, values)
	if len(fields) > 1 {
		d.Message += "s"
	}
	d = d.In(p.Version.Key("schema.openAPIV3Schema")+e.Removed.Path()).Note("%s", e.story())
	if c.outer != e.Removed {
		d = d.Note("an update can also remove it with %s", c.outer.Field())
	}
	for _, e := range c.escapes[:min(len(c.escapes), maxShown)] {
		d = d.See(e.Rule.Source.Rule.At, "the rule")
	}
	d = c.helped(p, d, structure).CausedBy(diag.Span{}, "rules that an absent field escapes")
	if way := way(e.Removed); isTop(e.Removed) || len(way) > 0 && way[0].Name == "status" {
		return d.Hurting(diag.Unlikely) // users keep the spec, and only controllers write the status
	}
	return d
}

func list(fields []string) string {
	if len(fields) == 1 {
		return fields[0]
	}
	if len(fields) > maxShown {
		return strings.Join(fields[:maxShown-1], ", ") + " and " + strconv.Itoa(len(fields)-maxShown+1) + " more"
	}
	return strings.Join(fields[:len(fields)-1], ", ") + " and " + fields[len(fields)-1]
}

// story returns the updates in short.
func (e *Escape) story() string {
	between := "absent"
	if e.ToNull {
		between = "null"
	}
	before, err := json.Marshal(e.Before)
	after, errAfter := json.Marshal(e.After)
	if err != nil || errAfter != nil || len(before) > maxValue || len(after) > maxValue {
		before, after = []byte("one value"), []byte("another value")
	}
	return fmt.Sprintf("the API server accepts the updates %s → %s → %s, but rejects %s → %s", before, between, after,
		before, after)
}

// maxValue is the maximum length of a value in a message.
const maxValue = 60

// helped adds the guard to a finding, if the API server's code rejects the first update with it.
func (c *cause) helped(p *session.Pass, d diag.Diagnostic, structure *structural.Structural) diag.Diagnostic {
	e := c.escapes[0]
	name := e.Removed.Name
	effect := "updates that remove " + name + " are rejected"
	if isTop(e.Removed) && !e.ToNull {
		d = d.Or("%s", p.Write().
			Choose("add +required to the field in place of +optional", "add "+name+" to required")).
			DoAt(diag.Require, e.Removed.At(), name).Changes(diag.AcceptsLess, "objects without %s are rejected", name)
	}
	if c.joined != nil {
		d = c.guarded(p, d, c.joined.names, c.joined.rule).
			Changes(diag.AcceptsLess, "updates that remove one of these fields are rejected")
	} else if guard := c.guard(p, structure); guard != "" {
		d = c.guarded(p, d, name, guard).Changes(diag.AcceptsLess, "%s", effect)
	} else {
		return d
	}
	isScalar := slices.Contains([]string{"string", "integer", "number", "boolean"}, e.Removed.Schema.Type.V)
	if p.Write().Choose("go", "") != "" && isScalar && !e.ToNull && c.outer == e.Removed {
		d = d.Or("add +k8s:update=NoUnset to the field").DoAt(diag.Add, e.Removed.At(), "+k8s:update=NoUnset").
			Changes(diag.AcceptsLess, "%s", effect)
	}
	return d
}

// guarded adds the help to write the guard: to the field, to the kind, or to the type of items and values.
func (c *cause) guarded(p *session.Pass, d diag.Diagnostic, name, guard string) diag.Diagnostic {
	above, object := c.outer.Above, nameOf(p, c.outer.Above)
	if p.Write().Choose("go", "") == "" {
		return d.Or("add the rule %s to x-kubernetes-validations of %s", guard, object)
	}
	marker := fmt.Sprintf("+kubebuilder:validation:XValidation:rule=%q,message=%q", guard, name+" cannot be removed")
	isField, at := above.Step == schema.InProperty, above.Schema.At
	switch {
	case above.Above != nil && isField && at.IsValid():
		return d.Or("add %s to the field %s", marker, object).DoAt(diag.Add, at, marker)
	case above.Above == nil && at.IsValid():
		return d.Or("add %s to the type of %s", marker, object).DoAt(diag.Add, at, marker)
	}
	return d.Or("add %s to the type of %s", marker, object)
}

// guard returns the rule for the object around the outermost field that keeps updates from removing the field; "" if
// the API server's code does not reject each of the first updates with it.
func (c *cause) guard(p *session.Pass, structure *structural.Structural) string {
	guard := c.guardText()
	if guard == "" || !c.isGuard(p, structure, guard) {
		return ""
	}
	return guard
}

// guardText writes the rule, before it is validated.
func (c *cause) guardText() string {
	steps := way(c.escapes[0].Removed)[len(way(c.outer))-1:]
	had, has := present("oldSelf", steps), present("self", steps)
	if had == "" || has == "" {
		return ""
	}
	guard := had + " || " + has
	if strings.Contains(has, " && ") {
		guard = had + " || (" + has + ")"
	}
	return guard
}

// isGuard reports whether the API server's code rejects each of the first updates with a rule for the object around the
// outermost field.
func (c *cause) isGuard(p *session.Pass, structure *structural.Structural, guard string) bool {
	rules, faults := expr.Compile(p.Version.Index, withRule(c.outer.Above, schema.Rule{Rule: schema.Text{V: guard}}),
		structure, expr.Options{Kube: p.Kube, Before: p.Version.Rules()})
	if len(faults) > len(p.Version.Faults()) {
		return false
	}
	objects := symbolic.Of(p.Context(), structure, rules)
	for _, e := range c.escapes {
		for _, between := range e.removals() {
			_, rejecting, ok := objects.Write(between, e.Old)
			if !ok || !slices.ContainsFunc(rejecting, func(r *expr.Rule) bool { return r.Source.Rule.V == guard }) {
				return false
			}
		}
	}
	return true
}

// removals returns what the first update may store: what it has stored, and the object in which the field is null.
func (e *Escape) removals() []map[string]any {
	out := []map[string]any{e.Between}
	if at, ok := locate(e.Old, way(e.Removed)); ok && e.Removed.Schema.Nullable.True() {
		out = append(out, at.with(e.Old, nil))
	}
	return out
}

// present returns the condition that all fields on a path are there; the opposite for oldSelf. To has(), a field that
// is null is absent. It is "" if nothing is to be asked, or if a rule cannot read a field.
func present(object string, steps []*schema.Place) string {
	var out []string
	not, operator := "", " && "
	if object == "oldSelf" {
		not, operator = "!", " || "
	}
	for _, p := range steps {
		name, ok := apicel.Escape(p.Name)
		if !ok {
			return ""
		}
		object += "." + name
		if !isRequired(p) || p.Schema.Nullable.True() {
			out = append(out, not+"has("+object+")")
		}
	}
	return strings.Join(out, operator)
}

// nameOf returns the name of an object for a reader: its path, or the kind.
func nameOf(p *session.Pass, at *schema.Place) string {
	if at.Above == nil {
		return p.CRD.Kind.V
	}
	return at.Field()
}

// withRule returns a root whose schema at a place has one more rule.
func withRule(p *schema.Place, r schema.Rule) *schema.Schema {
	out := *p.Schema
	out.Rules = append(slices.Clone(out.Rules), r)
	inner := &out
	for ; p.Above != nil; p = p.Above {
		around := *p.Above.Schema
		switch p.Step {
		case schema.InProperty:
			around.Properties = slices.Clone(around.Properties)
			for i := range around.Properties {
				if around.Properties[i].Name == p.Name {
					around.Properties[i].Schema = inner
				}
			}
		case schema.InItems:
			around.Items = inner
		case schema.InValues:
			around.AdditionalProperties = inner
		}
		inner = &around
	}
	return inner
}
