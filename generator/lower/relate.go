package lower

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/markers"
)

// structFields are the fields of a struct, for tags that relate them to each other. Each has its Go field.
type structFields []property

// named returns the field of a JSON name.
func (fields structFields) named(name string) *property {
	for i := range fields {
		if fields[i].name == name {
			return &fields[i]
		}
	}
	return nil
}

func (fields structFields) names() []string {
	var out []string
	for i := range fields {
		out = append(out, fields[i].name)
	}
	return out
}

// relate adds the rules of tags about changes of fields, and about several fields, to a struct.
func (ap applier) relate(n *node, fields structFields, marks []markers.Marker) {
	for i := range fields {
		p := fields[i]
		ap.fieldTransitions(n, p)
		for j := range p.field.marks {
			if m := &p.field.marks[j]; len(m.Steps) == 0 && ap.meaning(m).relate != nil {
				ap.meaning(m).relate(ap, n, &fields[i], fields, m)
			}
		}
	}
	ap.fieldUnions(n, fields)
	ap.oldUnion(n, fields, marks)
	ap.modes(n, fields)
}

// dependOn adds the rules of k8s:dependentRequired and k8s:dependentForbidden: if one field is set, another must be
// set, or must not be.
func dependOn(demands bool) func(applier, *node, *property, structFields, *markers.Marker) {
	return func(ap applier, n *node, of *property, fields structFields, m *markers.Marker) {
		other := ap.dependent(of, fields, m)
		if other == nil {
			return
		}
		isSet := ap.isSet(member{self(), *other})
		then, says, reason := not(isSet), " may not be set when ", "FieldValueForbidden"
		if demands {
			then, says, reason = operand(isSet), " must be set when ", "FieldValueRequired"
		}
		ap.addFieldRule(n, other.field, m, condition{
			cel:     or(not(ap.isSet(member{self(), *of})), then),
			message: other.name + says + of.name + " is set", reason: reason,
		})
	}
}

// dependent returns the field that a marker on another one names, or nil with a diagnostic.
func (ap applier) dependent(of *property, fields structFields, m *markers.Marker) *property {
	arg := m.Arg("")
	switch other := fields.named(arg.Text); {
	case other == nil || other == of:
		d := diag.Errorf(arg.At, markerField, "the struct of field %s has no field %q", of.name, arg.Text).
			Help("%s", oneOfNames(arg.Text, fields.names()))
		if arg.Text == of.name {
			d = diag.Errorf(arg.At, markerField, "field %s cannot depend on itself", of.name).
				Help("name another field of the struct")
		}
		ap.wrongTag(d)
	case other.isAlwaysSet():
		ap.wrongTag(alwaysSet(m, other))
	case of.isAlwaysSet():
		ap.wrongTag(alwaysSet(m, of))
	default:
		return other
	}
	return nil
}

// isAlwaysSet reports whether Go encodes the field even if it is unset: a struct, such as a Quantity, or an array.
func (p *property) isAlwaysSet() bool {
	return p.node.sort == structSort || p.node.sort == arraySort
}

func alwaysSet(m *markers.Marker, f *property) diag.Diagnostic {
	return diag.Errorf(m.At, unionMembership,
		"Go encodes field %s even if it is unset, so it would always count as set", f.name).
		Help("make the field a pointer")
}

func twoDiscriminators(m, first *markers.Marker) diag.Diagnostic {
	return diag.Errorf(m.At, unionDiscriminator, "the struct already has a discriminator with this name").
		Help("remove one of them, or name them").See(first.At, "the first one")
}

// noModeDiscriminator reports a mode without a discriminator, or without a name.
func noModeDiscriminator(step *markers.Step, group string) diag.Diagnostic {
	switch {
	case step.Arg("") == nil && step.Arg("mode") == nil:
		return diag.Errorf(step.At, unionDiscriminator, "missing argument of k8s:ifMode: expected a mode").
			Help(`name a value of the discriminator in parentheses, as in +k8s:ifMode("Static")`)
	case group != "":
		group = fmt.Sprintf("(modality: %q)", group)
	}
	return diag.Errorf(step.At, unionDiscriminator, "no field of the struct has +k8s:modeDiscriminator%s", group).
		Help("put it on the field whose value is the mode")
}

// enumTexts are the enum values of a string, if the node or its type has an enum.
func enumTexts(n *node) []string {
	for n != nil && len(n.s.Enum) == 0 {
		n = n.beneath()
	}
	var out []string
	if n != nil {
		for _, v := range n.s.Enum {
			out = append(out, v.Text)
		}
	}
	return out
}

// modes adds the rules of k8s:ifMode: a field with rules for some values of a discriminator may be set only for these.
func (ap applier) modes(n *node, fields structFields) {
	discriminators := map[string]*property{}
	for i := range fields {
		m := find(fields[i].field.marks, markModeOf)
		if m == nil {
			continue
		}
		if t := fields[i].node.jsonType(); t != "string" && t != "boolean" {
			ap.wrongTag(ap.wrongType("string", fields[i].node, m, fields[i].field.target()))
			continue
		}
		group := textOf(m.Arg("modality")).V
		if discriminators[group] != nil {
			ap.wrongTag(twoDiscriminators(m, find(discriminators[group].field.marks, markModeOf)))
			continue
		}
		discriminators[group] = &fields[i]
	}
	for i := range fields {
		ap.modesOf(n, &fields[i], discriminators)
	}
}

// modesOf adds the rules of k8s:ifMode on one field.
func (ap applier) modesOf(n *node, p *property, discriminators map[string]*property) {
	type modal struct {
		terms []expr
		shown []string
		at    *markers.Marker
	}
	var groups []string
	seen := map[string]*modal{}
	for i := range p.field.marks {
		m := &p.field.marks[i]
		if len(m.Steps) == 0 || m.Steps[0].Kind != markers.Mode {
			continue
		}
		step := &m.Steps[0]
		name := textOf(step.Arg("modality")).V
		d, mode := discriminators[name], cmp.Or(step.Arg(""), step.Arg("mode"))
		if d == nil || mode == nil {
			ap.wrongTag(noModeDiscriminator(step, name))
			continue
		}
		if values := modeValues(d.node); len(values) > 0 && !slices.Contains(values, mode.Text) {
			ap.wrongTag(diag.Errorf(mode.At, unionDiscriminator, "%q is not a value of %s", mode.Text, d.name).
				Help("%s", oneOfNames(mode.Text, values)))
			continue
		}
		value := markers.Value{Kind: markers.String, Text: mode.Text}
		if d.node.jsonType() == "boolean" {
			value.Kind = markers.Bool
		}
		is := ap.equals(member{self(), *d}, value)
		if seen[name] == nil {
			seen[name] = &modal{at: m}
			groups = append(groups, name)
		}
		g := seen[name]
		if !slices.Contains(g.shown, mode.Text) {
			g.terms, g.shown = append(g.terms, operandOf("||", is)), append(g.shown, mode.Text)
		}
		ap.inMode(n, p, m, is, d.name+" is "+mode.Text)
	}
	for _, name := range groups {
		g, d := seen[name], discriminators[name]
		c := condition{
			cel:     or(append(g.terms, not(ap.isSet(member{self(), *p})))...),
			message: p.name + " may only be specified when " + d.name + " is " + strings.Join(g.shown, " or "),
			reason:  "FieldValueForbidden",
		}
		ap.addFieldRule(n, p.field, g.at, c)
	}
}

// modeValues are the values that a discriminator can have, nil if they are unknown.
func modeValues(n *node) []string {
	if n.jsonType() == "boolean" {
		return []string{"true", "false"}
	}
	return enumTexts(n)
}

// inMode adds the rule of a marker on a field in one mode.
func (ap applier) inMode(n *node, p *property, m *markers.Marker, is expr, when string) {
	on := p.field.target()
	s := &spot{n: n, base: n, value: self(), ruled: true}
	s.layers = append(s.layers, layer{or: not(is)})
	s.step(member{of: self(), p: *p})
	s.n = p.node
	if !ap.walk(s, m, m.Steps[1:], on) {
		return
	}
	c, ok := ap.condition(s, m, on)
	if !ok || c.cel.isNone() {
		return
	}
	c.cel = operandOf("||", c.cel)
	c.message += " when " + when
	before := len(n.s.Rules)
	ap.addSpotRule(s, m, c)
	for i := before; i < len(n.s.Rules); i++ {
		n.s.Rules[i].Of = p.field.at
	}
	ap.deviate(declarativeTags, m.At)
}
