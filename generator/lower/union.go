package lower

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/markers"
)

// Markers of KEP-1027, and of KEP-2335's sketches.
const (
	markOldUnion              = "union"
	markOldUnionDiscriminator = "unionDiscriminator"
	markOldDiscriminator      = "discriminator"
)

// structFields are a struct's fields as far as tags relate them to each other. Each has its Go field.
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

// relate adds to a struct what the tags of its fields say of their being set, and of each other.
func (rl relater) relate(n *node, fields structFields, marks []markers.Marker) {
	for i := range fields {
		p := fields[i]
		rl.fieldTransitions(n, p)
		for j := range p.field.marks {
			if m := &p.field.marks[j]; len(m.Steps) == 0 && rl.meaning(m).relate != nil {
				rl.meaning(m).relate(rl, n, &fields[i], fields, m)
			}
		}
	}
	rl.fieldUnions(n, fields)
	rl.oldUnion(n, fields, marks)
	rl.modes(n, fields)
}

// dependOn adds what k8s:dependentRequired and k8s:dependentForbidden say: that one field is set demands, or forbids,
// that another is.
func dependOn(demands bool) func(relater, *node, *property, structFields, *markers.Marker) {
	return func(rl relater, n *node, of *property, fields structFields, m *markers.Marker) {
		other := rl.dependent(of, fields, m)
		if other == nil {
			return
		}
		isSet := rl.isSet(member{self(), *other})
		then, says, reason := not(isSet), " may not be set when ", "FieldValueForbidden"
		if demands {
			then, says, reason = operand(isSet), " must be set when ", "FieldValueRequired"
		}
		rl.addFieldRule(n, other.field, m, condition{
			cel:     or(not(rl.isSet(member{self(), *of})), then),
			message: other.name + says + of.name + " is set", reason: reason,
		})
	}
}

// dependent returns the field that a marker on another one names, or nil, and says why.
func (rl relater) dependent(of *property, fields structFields, m *markers.Marker) *property {
	arg := m.Arg("")
	switch other := fields.named(arg.Text); {
	case other == nil || other == of:
		d := diag.Errorf(arg.At, markerField, "there is no field %q beside %s", arg.Text, of.name).
			Help("%s", oneOfNames(arg.Text, fields.names()))
		if arg.Text == of.name {
			d = diag.Errorf(arg.At, markerField, "field %s cannot depend on itself", of.name).
				Help("name another field of the struct")
		}
		rl.wrongTag(d)
	case other.isAlwaysSet():
		rl.wrongTag(alwaysSet(m, other))
	case of.isAlwaysSet():
		rl.wrongTag(alwaysSet(m, of))
	default:
		return other
	}
	return nil
}

// A unionPart is the part that a field, or an item of a list, has in a union.
type unionPart uint8

const (
	noPart unionPart = iota
	// memberOfOne is a member of a union of which exactly one is set, memberOfOneOrNone one of which at most one is.
	memberOfOne
	memberOfOneOrNone
	// discriminates is what names the member that is set.
	discriminates
)

func (p unionPart) isMember() bool { return p == memberOfOne || p == memberOfOneOrNone }

// A union is a group of members of which only one may be set.
type union struct {
	name          string
	zero          bool // none may be set as well
	lax           bool // the member that the discriminator names may be left out
	discriminator *property
	discriminates *markers.Marker
	members       []unionMember
}

type unionMember struct {
	of *property // nil for an item of a list
	// isSet is the CEL that tells whether the member is there, and shown names it.
	isSet expr
	shown string
	// value is the discriminator's value for the member.
	value string
	m     *markers.Marker
}

// unions are a struct's or a list's in the order in which they begin.
type unions []*union

func (us *unions) of(name string, zero bool) *union {
	for _, u := range *us {
		if u.name == name && u.zero == zero {
			return u
		}
	}
	u := &union{name: name, zero: zero}
	*us = append(*us, u)
	return u
}

// take adds a field to the union that a marker names.
func (us *unions) take(rl relater, p *property, m *markers.Marker) {
	switch part := rl.meaning(m).union; {
	case part.isMember():
		us.of(textOf(m.Arg("union")).V, part == memberOfOneOrNone).add(rl, p, m)
	case part == discriminates:
		us.of(textOf(m.Arg("union")).V, false).setDiscriminator(rl, p, m)
	}
}

// fieldUnions adds the unions that the fields of a struct make.
func (rl relater) fieldUnions(n *node, fields structFields) {
	var us unions
	for i := range fields {
		p := &fields[i]
		for j := range p.field.marks {
			if m := &p.field.marks[j]; len(m.Steps) == 0 {
				us.take(rl, p, m)
			}
		}
	}
	for _, u := range us {
		rl.addUnion(n, u)
	}
}

func (u *union) add(rl relater, p *property, m *markers.Marker) {
	value := p.field.goName
	if name := m.Arg("memberName"); name != nil {
		value = name.Text
	}
	if p.required.V != "" && !rl.hasZero(p.node) {
		rl.wrongTag(diag.Errorf(m.At, unionMembership,
			"field %s is required, so that no other member of its union could ever be set", p.name).
			Help("add +optional, or omitempty to its tag"))
		return
	}
	if p.isAlwaysSet() {
		rl.wrongTag(alwaysSet(m, p))
		return
	}
	if !rl.isInCEL(m, p.name, p) {
		return
	}
	u.members = append(u.members, unionMember{
		of: p, m: m, shown: p.name, value: value, isSet: rl.isSet(member{self(), *p}),
	})
}

// isAlwaysSet reports whether Go writes the field even where nobody has set it: a struct, such as a Quantity, or an
// array.
func (p *property) isAlwaysSet() bool {
	return p.node.sort == structSort || p.node.sort == arraySort
}

func (u *union) setDiscriminator(rl relater, p *property, m *markers.Marker) {
	switch {
	case p.node.jsonType() != "string":
		rl.wrongTag(rl.applier().wrongType("string", p.node, m, p.field.target()))
	case u.discriminator != nil:
		rl.wrongTag(twoDiscriminators(m, u.discriminates))
	default:
		u.discriminator, u.discriminates = p, m
	}
}

// addUnion adds the rules of a union.
func (rl relater) addUnion(n *node, u *union) {
	switch {
	case len(u.members) == 0 && u.discriminates == nil: // what is wrong with the members has been told
	case len(u.members) == 0:
		rl.wrongTag(diag.Errorf(u.discriminates.At, unionMembership, "the union has a discriminator, but no members").
			Help("put +k8s:unionMember on the fields of which one is to be set"))
	case u.discriminator != nil:
		rl.addDiscriminated(n, u)
	default:
		rl.addUndiscriminated(n, u)
	}
}

// addDiscriminated demands of each member that it is set where the discriminator names it, and only there.
func (rl relater) addDiscriminated(n *node, u *union) {
	d := member{self(), *u.discriminator}
	for _, mb := range u.members {
		if values := enumTexts(u.discriminator.node); len(values) > 0 && !slices.Contains(values, mb.value) {
			rl.wrongTag(memberWithoutValue(mb, u.discriminator.name, values))
		}
		named := rl.equals(d, markers.Value{Kind: markers.String, Text: mb.value})
		when := " when " + u.discriminator.name + " is " + mb.value
		rl.addFieldRule(n, mb.of.field, mb.m, condition{
			cel: or(not(mb.isSet), operandOfOr(named)), message: mb.shown + " may only be specified" + when,
		})
		if u.lax {
			continue
		}
		rl.addFieldRule(n, mb.of.field, mb.m, condition{
			cel: or(not(named), operandOfOr(mb.isSet)), message: mb.shown + " must be specified" + when,
		})
	}
}

// addUndiscriminated demands that one member is set, or at most one.
func (rl relater) addUndiscriminated(n *node, u *union) {
	var terms []expr
	var shown []string
	var members []schema.Text
	for _, mb := range u.members {
		terms = append(terms, group(choice(mb.isSet, integer(1), integer(0))))
		shown = append(shown, mb.shown)
		if mb.of != nil {
			members = append(members, schema.Text{V: mb.of.name, At: mb.m.At})
		}
	}
	sum, list := chain("+", terms...), strings.Join(shown, ", ")
	m := u.members[0].m
	rule := tagRule(m, compare(sum, "==", integer(1)), "must specify exactly one of: "+list, "", "")
	if u.zero {
		rule = tagRule(m, compare(sum, "<=", integer(1)), "must specify at most one of: "+list, "", "")
	}
	rule.Group = members
	n.s.Rules = append(n.s.Rules, rule)
	rl.deviate(declarativeTags, m.At)
}

// partUnions adds the unions that tags on a node make of its parts: of single items of a list, or of the fields of the
// struct that it stands for.
func (rl relater) partUnions(n *node, marks []markers.Marker, on target) {
	var us unions
	for i := range marks {
		switch m := &marks[i]; {
		case rl.isItemTag(m):
			us.takeItem(rl, n, m, on)
		case rl.isMemberTag(m):
			us.takeMember(rl, n, m, on)
		}
	}
	for _, u := range us {
		rl.addUnion(n, u)
	}
}

// isItemTag reports whether a marker says of an item of a list that it is part of a union.
func (rl relater) isItemTag(m *markers.Marker) bool {
	return len(m.Steps) > 0 && m.Steps[len(m.Steps)-1].Kind == markers.Item && rl.meaning(m).union.isMember()
}

// takeItem adds an item of a list to the union that a marker names.
func (us *unions) takeItem(rl relater, n *node, m *markers.Marker, on target) {
	if len(m.Steps) > 1 {
		rl.wrongTag(stepMisplaced(&m.Steps[0], m))
		return
	}
	s := &spot{n: n, base: n, value: self(), ruled: true}
	if match, ok := rl.applier().toMatch(s, &m.Steps[0], on); ok {
		u := us.of(textOf(m.Arg("union")).V, rl.meaning(m).union == memberOfOneOrNone)
		isSet := self().call("exists", s.value, match)
		u.members = append(u.members, unionMember{m: m, isSet: isSet, shown: stepShown(&m.Steps[0])})
	}
}

// takeMember adds a field of a struct to the union that a marker names.
func (us *unions) takeMember(rl relater, n *node, m *markers.Marker, on target) {
	step := &m.Steps[0]
	p := n.member(step.Arg("").Text)
	if p == nil {
		rl.wrongTag(rl.applier().noMember(step, step.Arg(""), &spot{n: n}, on))
		return
	}
	own := *p
	if own.field == nil {
		own.field = &field{name: p.name, goName: p.name, at: m.At}
	}
	us.take(rl, &own, m)
}

// isMemberTag reports whether a marker says of a field of what it stands on that it is part of a union.
func (rl relater) isMemberTag(m *markers.Marker) bool {
	return len(m.Steps) == 1 && m.Steps[0].Kind == markers.Subfield && rl.meaning(m).union != noPart
}

func alwaysSet(m *markers.Marker, f *property) diag.Diagnostic {
	return diag.Errorf(m.At, unionMembership,
		"Go writes field %s even where nobody has set it, so that it would always count as set", f.name).
		Help("make the field a pointer")
}

func twoDiscriminators(m, first *markers.Marker) diag.Diagnostic {
	return diag.Errorf(m.At, unionDiscriminator, "the struct has a discriminator of that name already").
		Help("remove one, or give them names").See(first.At, "the first one")
}

// memberWithoutValue is about a member that no value of the discriminator names.
func memberWithoutValue(mb unionMember, discriminator string, names []string) diag.Diagnostic {
	d := diag.Errorf(mb.m.At, unionMembership, "member %s is set when %s is %q, which is none of its values", mb.shown,
		discriminator, mb.value)
	if near := diag.Near(mb.value, names); near != "" {
		return d.Help("did you mean +k8s:unionMember(memberName: %q)?", near)
	}
	return d.Help(`write +k8s:unionMember(memberName: "…") with one of %s`, strings.Join(names, ", "))
}

// noModeDiscriminator is about a mode that no field decides, or that is not named.
func noModeDiscriminator(step *markers.Step, group string) diag.Diagnostic {
	switch {
	case step.Arg("") == nil && step.Arg("mode") == nil:
		return diag.Errorf(step.At, unionDiscriminator, "the mode is missing").Help(`write +k8s:ifMode("…")=`)
	case group != "":
		group = fmt.Sprintf("(modality: %q)", group)
	}
	return diag.Errorf(step.At, unionDiscriminator, "no field of the struct has +k8s:modeDiscriminator%s", group).
		Help("put it on the field whose value decides")
}

// stepShown writes the keys of an item.
func stepShown(step *markers.Step) string {
	var terms []string
	for _, arg := range step.Args {
		terms = append(terms, arg.Name+" "+arg.Value.Text)
	}
	return strings.Join(terms, " and ")
}

// enumTexts are the values that a string may have, as far as the node or its type says.
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

// modes adds what k8s:ifMode says: a field that has rules for some values of a discriminator may be set under no other.
func (rl relater) modes(n *node, fields structFields) {
	discriminators := map[string]*property{}
	for i := range fields {
		m := find(fields[i].field.marks, markModeOf)
		if m == nil {
			continue
		}
		if t := fields[i].node.jsonType(); t != "string" && t != "boolean" {
			rl.wrongTag(rl.applier().wrongType("string", fields[i].node, m, fields[i].field.target()))
			continue
		}
		group := textOf(m.Arg("modality")).V
		if discriminators[group] != nil {
			rl.wrongTag(twoDiscriminators(m, find(discriminators[group].field.marks, markModeOf)))
			continue
		}
		discriminators[group] = &fields[i]
	}
	for i := range fields {
		rl.modesOf(n, &fields[i], discriminators)
	}
}

// modesOf adds what k8s:ifMode says of one field.
func (rl relater) modesOf(n *node, p *property, discriminators map[string]*property) {
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
			rl.wrongTag(noModeDiscriminator(step, name))
			continue
		}
		if values := modeValues(d.node); len(values) > 0 && !slices.Contains(values, mode.Text) {
			rl.wrongTag(diag.Errorf(mode.At, unionDiscriminator, "%q is no value of %s", mode.Text, d.name).
				Help("%s", oneOfNames(mode.Text, values)))
			continue
		}
		value := markers.Value{Kind: markers.String, Text: mode.Text}
		if d.node.jsonType() == "boolean" {
			value.Kind = markers.Bool
		}
		is := rl.equals(member{self(), *d}, value)
		if seen[name] == nil {
			seen[name] = &modal{at: m}
			groups = append(groups, name)
		}
		g := seen[name]
		if !slices.Contains(g.shown, mode.Text) {
			g.terms, g.shown = append(g.terms, operandOfOr(is)), append(g.shown, mode.Text)
		}
		rl.inMode(n, p, m, is, d.name+" is "+mode.Text)
	}
	for _, name := range groups {
		g, d := seen[name], discriminators[name]
		c := condition{
			cel:     or(append(g.terms, not(rl.isSet(member{self(), *p})))...),
			message: p.name + " may only be specified when " + d.name + " is " + strings.Join(g.shown, " or "),
			reason:  "FieldValueForbidden",
		}
		rl.addFieldRule(n, p.field, g.at, c)
	}
}

// modeValues are the values that a discriminator can have, none where that is not known.
func modeValues(n *node) []string {
	if n.jsonType() == "boolean" {
		return []string{"true", "false"}
	}
	return enumTexts(n)
}

// inMode adds what a marker says of a field in one mode.
func (rl relater) inMode(n *node, p *property, m *markers.Marker, is expr, when string) {
	on := p.field.target()
	s := &spot{n: n, base: n, value: self(), ruled: true}
	s.layers = append(s.layers, layer{or: not(is)})
	s.step(member{of: self(), p: *p})
	s.n = p.node
	if !rl.applier().walk(s, m, m.Steps[1:], on) {
		return
	}
	c, ok := rl.condition(s, m, on)
	if !ok || c.cel.isNone() {
		return
	}
	c.cel = operandOfOr(c.cel)
	c.message += " when " + when
	before := len(n.s.Rules)
	rl.applier().addSpotRule(s, m, c)
	for i := before; i < len(n.s.Rules); i++ {
		n.s.Rules[i].Of = p.field.at
	}
	rl.deviate(declarativeTags, m.At)
}

// oldUnion adds the union that the markers of KEP-1027 make: +union on a struct, or on each member as in KEP-2335, and
// +unionDiscriminator or +discriminator on the field that says which member is set. Without a discriminator at most one
// member may be set, and where the struct as a whole is marked the one that the discriminator names may be left out
// (KEP-1027). In other people's packages the markers were written as documentation, and stay that.
func (rl relater) oldUnion(n *node, fields structFields, marks []markers.Marker) {
	if len(fields) == 0 || !fields[0].field.decl.Pkg.Own {
		return
	}
	onType := find(marks, markOldUnion)
	u := &union{zero: true, lax: onType != nil}
	for i := range fields {
		p := &fields[i]
		d := cmp.Or(find(p.field.marks, markOldUnionDiscriminator), find(p.field.marks, markOldDiscriminator))
		m := find(p.field.marks, markOldUnion)
		switch {
		case d != nil:
			u.setDiscriminator(rl, p, d)
		case m != nil:
			u.add(rl, p, m)
		case onType != nil && p.isOldMember():
			u.add(rl, p, onType)
		}
	}
	if why := u.unread(); why != "" {
		if at := cmp.Or(u.discriminates, onType); at != nil {
			rl.warn(diag.Errorf(at.At, unionUnread, "the union is not enforced: %s", why).
				Help("write +k8s:unionMember on each member, and +k8s:unionDiscriminator on the field that names it"))
		}
		return
	}
	if u.discriminator == nil {
		rl.addUndiscriminated(n, u)
		return
	}
	if d := u.discriminator.node; len(enumTexts(d)) == 0 && !u.lax {
		for _, mb := range u.members {
			d.s.Enum = append(d.s.Enum, schema.Value{Kind: schema.String, At: mb.m.At, Text: mb.value})
		}
	}
	rl.addDiscriminated(n, u)
}

// isOldMember reports whether a field is a member of a struct that is marked as a union: it is an optional pointer,
// which the API server does not set itself.
func (p *property) isOldMember() bool {
	return p.required.V == "" && p.node.sort == pointerSort && p.node.s.Default == nil
}

// unread says why the old markers make no union, "" where they do.
func (u *union) unread() string {
	if len(u.members) == 0 {
		return "no field is a member: those are optional pointers in a struct marked with +union, and fields marked so " +
			"themselves"
	}
	if u.discriminator == nil {
		return ""
	}
	values := enumTexts(u.discriminator.node)
	for _, mb := range u.members {
		if len(values) > 0 && !slices.Contains(values, mb.value) {
			return "member " + mb.shown + " has no value " + mb.value + " of " + u.discriminator.name
		}
	}
	return ""
}
