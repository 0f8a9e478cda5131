package lower

import (
	"cmp"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/schema"
)

// Markers of KEP-1027, and of KEP-2335's sketches.
const (
	markOldUnion              = "union"
	markOldUnionDiscriminator = "unionDiscriminator"
	markOldDiscriminator      = "discriminator"
)

// A unionPart is the role of a field, or of an item of a list, in a union.
type unionPart uint8

const (
	noPart unionPart = iota
	// memberOfOne is a member of a union with exactly one member set, memberOfOneOrNone of one with at most one.
	memberOfOne
	memberOfOneOrNone
	// discriminates is the field that names the member that is set.
	discriminates
)

func (p unionPart) isMember() bool { return p == memberOfOne || p == memberOfOneOrNone }

// A union is a group of members with at most one member set.
type union struct {
	name          string
	zero          bool // no member need be set
	lax           bool // the member that the discriminator names may be absent
	discriminator *property
	discriminates *markers.Marker
	members       []unionMember
}

type unionMember struct {
	of *property // nil for an item of a list
	// isSet is the CEL for the member being set, and shown names the member.
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
func (us *unions) take(ap applier, p *property, m *markers.Marker) {
	switch part := ap.meaning(m).union; {
	case part.isMember():
		us.of(textOf(m.Arg("union")).V, part == memberOfOneOrNone).add(ap, p, m)
	case part == discriminates:
		us.of(textOf(m.Arg("union")).V, false).setDiscriminator(ap, p, m)
	}
}

// fieldUnions adds the unions of the fields of a struct.
func (ap applier) fieldUnions(n *node, fields structFields) {
	var us unions
	for i := range fields {
		p := &fields[i]
		for j := range p.field.marks {
			if m := &p.field.marks[j]; len(m.Steps) == 0 {
				us.take(ap, p, m)
			}
		}
	}
	for _, u := range us {
		ap.addUnion(n, u)
	}
}

func (u *union) add(ap applier, p *property, m *markers.Marker) {
	value := p.field.goName
	if name := m.Arg("memberName"); name != nil {
		value = name.Text
	}
	if p.required.V != "" && !ap.hasZero(p.node) {
		help := "add +optional to the field, or omitempty to its tag"
		if p.isAlwaysSet() {
			help = "make the field an optional pointer"
		}
		ap.wrongTag(diag.Errorf(m.At, unionMembership,
			"field %s is required, so no other member of its union can be set", p.name).
			Help("%s", help))
		return
	}
	if p.isAlwaysSet() {
		ap.wrongTag(alwaysSet(m, p))
		return
	}
	if !ap.isInCEL(m, p.name, p) {
		return
	}
	u.members = append(u.members, unionMember{
		of: p, m: m, shown: p.name, value: value, isSet: ap.isSet(member{self(), *p}),
	})
}

func (u *union) setDiscriminator(ap applier, p *property, m *markers.Marker) {
	switch {
	case p.node.jsonType() != "string":
		ap.wrongTag(ap.wrongType("string", p.node, m, p.field.target()))
	case u.discriminator != nil:
		ap.wrongTag(twoDiscriminators(m, u.discriminates))
	default:
		u.discriminator, u.discriminates = p, m
	}
}

// addUnion adds the rules of a union.
func (ap applier) addUnion(n *node, u *union) {
	switch {
	case len(u.members) == 0 && u.discriminates == nil: // mistakes in the members have been reported
	case len(u.members) == 0:
		ap.wrongTag(diag.Errorf(u.discriminates.At, unionMembership, "the union has a discriminator but no members").
			Help("put +k8s:unionMember on the fields of the union"))
	case u.discriminator != nil:
		ap.addDiscriminated(n, u)
	default:
		ap.addUndiscriminated(n, u)
	}
}

// addDiscriminated requires each member to be set if the discriminator names it, and only then.
func (ap applier) addDiscriminated(n *node, u *union) {
	d := member{self(), *u.discriminator}
	for _, mb := range u.members {
		if values := enumTexts(u.discriminator.node); len(values) > 0 && !slices.Contains(values, mb.value) {
			ap.wrongTag(memberWithoutValue(mb, u.discriminator.name, values))
		}
		named := ap.equals(d, markers.Value{Kind: markers.String, Text: mb.value})
		when := " when " + u.discriminator.name + " is " + mb.value
		ap.addFieldRule(n, mb.of.field, mb.m, condition{
			cel: or(not(mb.isSet), operandOf("||", named)), message: mb.shown + " may only be specified" + when,
		})
		if u.lax {
			continue
		}
		ap.addFieldRule(n, mb.of.field, mb.m, condition{
			cel: or(not(named), operandOf("||", mb.isSet)), message: mb.shown + " must be specified" + when,
		})
	}
}

// addUndiscriminated requires that exactly one member is set, or at most one.
func (ap applier) addUndiscriminated(n *node, u *union) {
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
	ap.deviate(declarativeTags, m.At)
}

// partUnions adds the unions that tags on a node make of its parts: of single items of a list, or of the fields of its
// struct.
func (ap applier) partUnions(n *node, marks []markers.Marker, on target) {
	var us unions
	for i := range marks {
		switch m := &marks[i]; {
		case ap.isItemTag(m):
			us.takeItem(ap, n, m, on)
		case ap.isMemberTag(m):
			us.takeMember(ap, n, m, on)
		}
	}
	for _, u := range us {
		ap.addUnion(n, u)
	}
}

// isItemTag reports whether a marker makes an item of a list a member of a union.
func (ap applier) isItemTag(m *markers.Marker) bool {
	return len(m.Steps) > 0 && m.Steps[len(m.Steps)-1].Kind == markers.Item && ap.meaning(m).union.isMember()
}

// takeItem adds an item of a list to the union that a marker names.
func (us *unions) takeItem(ap applier, n *node, m *markers.Marker, on target) {
	if len(m.Steps) > 1 {
		ap.wrongTag(stepMisplaced(&m.Steps[0], m))
		return
	}
	s := &spot{n: n, base: n, value: self(), ruled: true}
	if match, ok := ap.toMatch(s, &m.Steps[0], on); ok {
		u := us.of(textOf(m.Arg("union")).V, ap.meaning(m).union == memberOfOneOrNone)
		isSet := self().call("exists", s.value, match)
		u.members = append(u.members, unionMember{m: m, isSet: isSet, shown: stepShown(&m.Steps[0])})
	}
}

// takeMember adds a field of a struct to the union that a marker names.
func (us *unions) takeMember(ap applier, n *node, m *markers.Marker, on target) {
	step := &m.Steps[0]
	p := n.member(step.Arg("").Text)
	if p == nil {
		ap.wrongTag(ap.noMember(step, step.Arg(""), &spot{n: n}, on))
		return
	}
	own := *p
	if own.field == nil {
		own.field = &field{name: p.name, goName: p.name, at: m.At}
	}
	us.take(ap, &own, m)
}

// isMemberTag reports whether a marker gives a field of its target a role in a union.
func (ap applier) isMemberTag(m *markers.Marker) bool {
	return len(m.Steps) == 1 && m.Steps[0].Kind == markers.Subfield && ap.meaning(m).union != noPart
}

// memberWithoutValue reports a member that no value of the discriminator names.
func memberWithoutValue(mb unionMember, discriminator string, names []string) diag.Diagnostic {
	d := diag.Errorf(mb.m.At, unionMembership, "member %s is set when %s is %q, which is not one of its values",
		mb.shown, discriminator, mb.value)
	near := diag.Near(mb.value, names)
	if near != "" && len(mb.m.Args) == 0 && mb.m.At.Text() == "+k8s:unionMember" {
		return d.Help("write +k8s:unionMember(memberName: %q)", near)
	}
	return d.Help("set memberName to one of %s", strings.Join(names, ", "))
}

// stepShown writes the keys of an item.
func stepShown(step *markers.Step) string {
	var terms []string
	for _, arg := range step.Args {
		terms = append(terms, arg.Name+" "+arg.Value.Text)
	}
	return strings.Join(terms, " and ")
}

// oldUnion adds the union that the markers of KEP-1027 make: +union on a struct, or on each member as in KEP-2335, and
// +unionDiscriminator or +discriminator on the field that names the member that is set. Without a discriminator at most
// one member may be set. If the struct as a whole is marked, the member that the discriminator names may be absent
// (KEP-1027). In imported packages these markers are documentation.
func (ap applier) oldUnion(n *node, fields structFields, marks []markers.Marker) {
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
			u.setDiscriminator(ap, p, d)
		case m != nil:
			u.add(ap, p, m)
		case onType != nil && p.isOldMember():
			u.add(ap, p, onType)
		}
	}
	if why := u.unread(); why != "" {
		if at := cmp.Or(u.discriminates, onType); at != nil {
			ap.warn(diag.Errorf(at.At, unionUnread, "the union is not enforced: %s", why).
				Help("put +k8s:unionMember on each member, and +k8s:unionDiscriminator on the field that names the " +
					"member"))
		}
		return
	}
	if u.discriminator == nil {
		ap.addUndiscriminated(n, u)
		return
	}
	if d := u.discriminator.node; len(enumTexts(d)) == 0 && !u.lax {
		for _, mb := range u.members {
			d.s.Enum = append(d.s.Enum, schema.Value{Kind: schema.String, At: mb.m.At, Text: mb.value})
		}
	}
	ap.addDiscriminated(n, u)
}

// isOldMember reports whether a field is a member of a struct that is marked as a union: it is an optional pointer,
// which the API server does not set itself.
func (p *property) isOldMember() bool {
	return p.required.V == "" && p.node.sort == pointerSort && p.node.s.Default == nil
}

// unread is the reason why the old markers do not make a union, "" if they do.
func (u *union) unread() string {
	if len(u.members) == 0 {
		return "it has no members; members are the optional pointers of a struct with +union, and fields with +union"
	}
	if u.discriminator == nil {
		return ""
	}
	values := enumTexts(u.discriminator.node)
	for _, mb := range u.members {
		if len(values) > 0 && !slices.Contains(values, mb.value) {
			return u.discriminator.name + " has no value " + mb.value + " for member " + mb.shown
		}
	}
	return ""
}
