package apply

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/lower/internal/cel"
	"github.com/crdproof/crdproof/generator/lower/internal/checks"
	"github.com/crdproof/crdproof/generator/lower/internal/node"
	"github.com/crdproof/crdproof/generator/lower/internal/options"
	"github.com/crdproof/crdproof/generator/lower/internal/read"
	"github.com/crdproof/crdproof/markers"
)

// StructFields are the fields of a struct, for tags that relate them to each other. Each has its Go field.
type StructFields []node.Property

// named returns the field of a JSON name.
func (fields StructFields) named(name string) *node.Property {
	for i := range fields {
		if fields[i].Name == name {
			return &fields[i]
		}
	}
	return nil
}

func (fields StructFields) names() []string {
	var out []string
	for i := range fields {
		out = append(out, fields[i].Name)
	}
	return out
}

// Relate adds the rules of tags about changes of fields, and about several fields, to a struct.
func (ap Applier) Relate(n *node.Node, fields StructFields, marks []markers.Marker) {
	for i := range fields {
		p := fields[i]
		ap.fieldTransitions(n, p)
		for j := range p.Field.Marks {
			if m := &p.Field.Marks[j]; len(m.Steps) == 0 && ap.meaning(m).relate != nil {
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
func dependOn(demands bool) func(Applier, *node.Node, *node.Property, StructFields, *markers.Marker) {
	return func(ap Applier, n *node.Node, field *node.Property, fields StructFields, m *markers.Marker) {
		other := ap.dependent(field, fields, m)
		if other == nil {
			return
		}
		isSet := ap.isSet(member{cel.Self(), *other})
		then, says, reason := cel.Not(isSet), " may not be set when ", "FieldValueForbidden"
		if demands {
			then, says, reason = cel.Operand(isSet), " must be set when ", "FieldValueRequired"
		}
		ap.addFieldRule(n, other.Field, m, condition{
			cel:     cel.Or(cel.Not(ap.isSet(member{cel.Self(), *field})), then),
			message: other.Name + says + field.Name + " is set", reason: reason,
		})
	}
}

// dependent returns the field that a marker on another one names, or nil with a diagnostic.
func (ap Applier) dependent(field *node.Property, fields StructFields, m *markers.Marker) *node.Property {
	arg := m.Arg("")
	switch other := fields.named(arg.Text); {
	case other == nil || other == field:
		d := diag.Errorf(arg.At, checks.MarkerField, "the struct of field %s has no field %q", field.Name, arg.Text).
			Help("%s", oneOfNames(arg.Text, fields.names()))
		if arg.Text == field.Name {
			d = diag.Errorf(arg.At, checks.MarkerField, "field %s cannot depend on itself", field.Name).
				Help("name another field of the struct")
		}
		ap.WrongTag(d)
	case other.IsAlwaysSet():
		ap.WrongTag(alwaysSet(m, other))
	case field.IsAlwaysSet():
		ap.WrongTag(alwaysSet(m, field))
	default:
		return other
	}
	return nil
}

func alwaysSet(m *markers.Marker, f *node.Property) diag.Diagnostic {
	return diag.Errorf(m.At, checks.UnionMembership,
		"Go encodes field %s even if it is unset, so it would always count as set", f.Name).
		Help("make the field a pointer")
}

func twoDiscriminators(m, first *markers.Marker) diag.Diagnostic {
	return diag.Errorf(m.At, checks.UnionDiscriminator, "the struct already has a discriminator with this name").
		Help("remove one of them, or name them").See(first.At, "the first one")
}

// noModeDiscriminator reports a mode without a discriminator, or without a name.
func noModeDiscriminator(step *markers.Step, group string) diag.Diagnostic {
	switch {
	case step.Arg("") == nil && step.Arg("mode") == nil:
		return diag.Errorf(step.At, checks.UnionDiscriminator, "missing argument of k8s:ifMode: expected a mode").
			Help(`name a value of the discriminator in parentheses, as in +k8s:ifMode("Static")`)
	case group != "":
		group = fmt.Sprintf("(modality: %q)", group)
	}
	return diag.Errorf(step.At, checks.UnionDiscriminator, "no field of the struct has +k8s:modeDiscriminator%s",
		group).
		Help("put it on the field whose value is the mode")
}

// enumTexts returns the enum values of a string, if the node or its type has an enum.
func enumTexts(n *node.Node) []string {
	for n != nil && len(n.Own.Enum) == 0 {
		n = n.Beneath()
	}
	var out []string
	if n != nil {
		for _, v := range n.Own.Enum {
			out = append(out, v.Text)
		}
	}
	return out
}

// modes adds the rules of k8s:ifMode: a field with rules for some values of a discriminator may be set only for these.
func (ap Applier) modes(n *node.Node, fields StructFields) {
	discriminators := map[string]*node.Property{}
	for i := range fields {
		m := read.Find(fields[i].Field.Marks, read.MarkModeOf)
		if m == nil {
			continue
		}
		if t := fields[i].Node.JSONType(); t != "string" && t != "boolean" {
			ap.WrongTag(ap.WrongType("string", fields[i].Node, m, fields[i].Field.Target()))
			continue
		}
		group := read.TextOf(m.Arg("modality")).V
		if discriminators[group] != nil {
			ap.WrongTag(twoDiscriminators(m, read.Find(discriminators[group].Field.Marks, read.MarkModeOf)))
			continue
		}
		discriminators[group] = &fields[i]
	}
	for i := range fields {
		ap.modesOf(n, &fields[i], discriminators)
	}
}

// modesOf adds the rules of k8s:ifMode on one field.
func (ap Applier) modesOf(n *node.Node, p *node.Property, discriminators map[string]*node.Property) {
	type modal struct {
		terms []cel.Expr
		shown []string
		at    *markers.Marker
	}
	var groups []string
	seen := map[string]*modal{}
	for i := range p.Field.Marks {
		m := &p.Field.Marks[i]
		if len(m.Steps) == 0 || m.Steps[0].Kind != markers.Mode {
			continue
		}
		step := &m.Steps[0]
		name := read.TextOf(step.Arg("modality")).V
		d, mode := discriminators[name], cmp.Or(step.Arg(""), step.Arg("mode"))
		if d == nil || mode == nil {
			ap.WrongTag(noModeDiscriminator(step, name))
			continue
		}
		if values := modeValues(d.Node); len(values) > 0 && !slices.Contains(values, mode.Text) {
			ap.WrongTag(diag.Errorf(mode.At, checks.UnionDiscriminator, "%q is not a value of %s", mode.Text, d.Name).
				Help("%s", oneOfNames(mode.Text, values)))
			continue
		}
		value := markers.Value{Kind: markers.String, Text: mode.Text}
		if d.Node.JSONType() == "boolean" {
			value.Kind = markers.Bool
		}
		holds := ap.equals(member{cel.Self(), *d}, value)
		if seen[name] == nil {
			seen[name] = &modal{at: m}
			groups = append(groups, name)
		}
		g := seen[name]
		if !slices.Contains(g.shown, mode.Text) {
			g.terms, g.shown = append(g.terms, cel.OperandOf("||", holds)), append(g.shown, mode.Text)
		}
		ap.inMode(n, p, m, holds, d.Name+" is "+mode.Text)
	}
	for _, name := range groups {
		g, d := seen[name], discriminators[name]
		c := condition{
			cel:     cel.Or(append(g.terms, cel.Not(ap.isSet(member{cel.Self(), *p})))...),
			message: p.Name + " may only be specified when " + d.Name + " is " + strings.Join(g.shown, " or "),
			reason:  "FieldValueForbidden",
		}
		ap.addFieldRule(n, p.Field, g.at, c)
	}
}

// modeValues returns the values that a discriminator can have, nil if they are unknown.
func modeValues(n *node.Node) []string {
	if n.JSONType() == "boolean" {
		return []string{"true", "false"}
	}
	return enumTexts(n)
}

// inMode adds the rule of a marker on a field in one mode.
func (ap Applier) inMode(n *node.Node, p *node.Property, m *markers.Marker, holds cel.Expr, when string) {
	on := p.Field.Target()
	s := &spot{n: n, base: n, value: cel.Self(), ruled: true}
	s.layers = append(s.layers, layer{or: cel.Not(holds)})
	s.stepTo(member{object: cel.Self(), p: *p})
	s.n = p.Node
	if !ap.walk(s, m, m.Steps[1:], on) {
		return
	}
	c, ok := ap.condition(s, m, on)
	if !ok || c.cel.IsNone() {
		return
	}
	c.cel = cel.OperandOf("||", c.cel)
	c.message += " when " + when
	before := len(n.Own.Rules)
	ap.addSpotRule(s, m, c)
	for i := before; i < len(n.Own.Rules); i++ {
		n.Own.Rules[i].Of = p.Field.At
	}
	ap.Deviate(options.DeclarativeTags, m.At)
}
