package apply

import (
	"cmp"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/lower/internal/cel"
	"github.com/crdproof/crdproof/generator/lower/internal/checks"
	"github.com/crdproof/crdproof/generator/lower/internal/node"
	"github.com/crdproof/crdproof/generator/lower/internal/options"
	"github.com/crdproof/crdproof/generator/lower/internal/read"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/schema"
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
	discriminator *node.Property
	discriminates *markers.Marker
	members       []unionMember
}

type unionMember struct {
	field *node.Property // nil for an item of a list
	// isSet is the CEL for the member being set, and shown names the member.
	isSet cel.Expr
	shown string
	// value is the discriminator's value for the member.
	value string
	m     *markers.Marker
}

// unions are a struct's or a list's in the order in which they begin.
type unions []*union

func (us *unions) named(name string, zero bool) *union {
	for _, u := range *us {
		if u.name == name && u.zero == zero {
			return u
		}
	}
	u := &union{name: name, zero: zero}
	*us = append(*us, u)
	return u
}

// takeField adds a field to the union that a marker names.
func (us *unions) takeField(ap Applier, p *node.Property, m *markers.Marker) {
	switch part := ap.meaning(m).union; {
	case part.isMember():
		us.named(read.TextOf(m.Arg("union")).V, part == memberOfOneOrNone).addMember(ap, p, m)
	case part == discriminates:
		us.named(read.TextOf(m.Arg("union")).V, false).setDiscriminator(ap, p, m)
	}
}

// fieldUnions adds the unions of the fields of a struct.
func (ap Applier) fieldUnions(n *node.Node, fields StructFields) {
	var us unions
	for i := range fields {
		p := &fields[i]
		for j := range p.Field.Marks {
			if m := &p.Field.Marks[j]; len(m.Steps) == 0 {
				us.takeField(ap, p, m)
			}
		}
	}
	for _, u := range us {
		ap.addUnion(n, u)
	}
}

func (u *union) addMember(ap Applier, p *node.Property, m *markers.Marker) {
	value := p.Field.GoName
	if name := m.Arg("memberName"); name != nil {
		value = name.Text
	}
	if p.Required.V != "" && !ap.hasZero(p.Node) {
		help := "add +optional to the field, or omitempty to its tag"
		if p.IsAlwaysSet() {
			help = "make the field an optional pointer"
		}
		ap.WrongTag(diag.Errorf(m.At, checks.UnionMembership,
			"field %s is required, so no other member of its union can be set", p.Name).
			Help("%s", help))
		return
	}
	if p.IsAlwaysSet() {
		ap.WrongTag(alwaysSet(m, p))
		return
	}
	if !ap.isInCEL(m, p.Name, p) {
		return
	}
	u.members = append(u.members, unionMember{
		field: p, m: m, shown: p.Name, value: value, isSet: ap.isSet(member{cel.Self(), *p}),
	})
}

func (u *union) setDiscriminator(ap Applier, p *node.Property, m *markers.Marker) {
	switch {
	case p.Node.JSONType() != "string":
		ap.WrongTag(ap.WrongType("string", p.Node, m, p.Field.Target()))
	case u.discriminator != nil:
		ap.WrongTag(twoDiscriminators(m, u.discriminates))
	default:
		u.discriminator, u.discriminates = p, m
	}
}

// addUnion adds the rules of a union.
func (ap Applier) addUnion(n *node.Node, u *union) {
	switch {
	case len(u.members) == 0 && u.discriminates == nil: // mistakes in the members have been reported
	case len(u.members) == 0:
		ap.WrongTag(diag.Errorf(u.discriminates.At, checks.UnionMembership,
			"the union has a discriminator but no members").
			Help("put +k8s:unionMember on the fields of the union"))
	case u.discriminator != nil:
		ap.addDiscriminated(n, u)
	default:
		ap.addUndiscriminated(n, u)
	}
}

// addDiscriminated requires each member to be set if the discriminator names it, and only then.
func (ap Applier) addDiscriminated(n *node.Node, u *union) {
	d := member{cel.Self(), *u.discriminator}
	for _, mb := range u.members {
		if values := enumTexts(u.discriminator.Node); len(values) > 0 && !slices.Contains(values, mb.value) {
			ap.WrongTag(memberWithoutValue(mb, u.discriminator.Name, values))
		}
		named := ap.equals(d, markers.Value{Kind: markers.String, Text: mb.value})
		when := " when " + u.discriminator.Name + " is " + mb.value
		ap.addFieldRule(n, mb.field.Field, mb.m, condition{
			cel: cel.Or(cel.Not(mb.isSet), cel.OperandOf("||", named)), message: mb.shown + " may only be specified" +
				when,
		})
		if u.lax {
			continue
		}
		ap.addFieldRule(n, mb.field.Field, mb.m, condition{
			cel: cel.Or(cel.Not(named), cel.OperandOf("||", mb.isSet)), message: mb.shown + " must be specified" +
				when,
		})
	}
}

// addUndiscriminated requires that exactly one member is set, or at most one.
func (ap Applier) addUndiscriminated(n *node.Node, u *union) {
	var terms []cel.Expr
	var shown []string
	var members []schema.Text
	for _, mb := range u.members {
		terms = append(terms, cel.Group(cel.Choice(mb.isSet, cel.Int(1), cel.Int(0))))
		shown = append(shown, mb.shown)
		if mb.field != nil {
			members = append(members, schema.Text{V: mb.field.Name, At: mb.m.At})
		}
	}
	sum, list := cel.Chain("+", terms...), strings.Join(shown, ", ")
	m := u.members[0].m
	rule := tagRule(m, cel.Compare(sum, "==", cel.Int(1)), "must specify exactly one of: "+list, "", "")
	if u.zero {
		rule = tagRule(m, cel.Compare(sum, "<=", cel.Int(1)), "must specify at most one of: "+list, "", "")
	}
	rule.Group = members
	n.Own.Rules = append(n.Own.Rules, rule)
	ap.deviateTag(m)
}

// partUnions adds the unions that tags on a node make of its parts: of single items of a list, or of the fields of its
// struct.
func (ap Applier) partUnions(n *node.Node, marks []markers.Marker, on node.Target) {
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
func (ap Applier) isItemTag(m *markers.Marker) bool {
	return len(m.Steps) > 0 && m.Steps[len(m.Steps)-1].Kind == markers.Item && ap.meaning(m).union.isMember()
}

// takeItem adds an item of a list to the union that a marker names.
func (us *unions) takeItem(ap Applier, n *node.Node, m *markers.Marker, on node.Target) {
	if len(m.Steps) > 1 {
		ap.WrongTag(stepMisplaced(&m.Steps[0], m))
		return
	}
	s := &spot{n: n, base: n, value: cel.Self(), ruled: true}
	if match, ok := ap.toMatch(s, &m.Steps[0], on); ok {
		u := us.named(read.TextOf(m.Arg("union")).V, ap.meaning(m).union == memberOfOneOrNone)
		isSet := cel.Self().Call("exists", s.value, match)
		u.members = append(u.members, unionMember{m: m, isSet: isSet, shown: stepShown(&m.Steps[0])})
	}
}

// takeMember adds a field of a struct to the union that a marker names.
func (us *unions) takeMember(ap Applier, n *node.Node, m *markers.Marker, on node.Target) {
	step := &m.Steps[0]
	p := n.Member(step.Arg("").Text)
	if p == nil {
		ap.WrongTag(ap.noMember(step, step.Arg(""), &spot{n: n}, on))
		return
	}
	own := *p
	if own.Field == nil {
		own.Field = &node.Field{Name: p.Name, GoName: p.Name, At: m.At}
	}
	us.takeField(ap, &own, m)
}

// isMemberTag reports whether a marker gives a field of its target a role in a union.
func (ap Applier) isMemberTag(m *markers.Marker) bool {
	return len(m.Steps) == 1 && m.Steps[0].Kind == markers.Subfield && ap.meaning(m).union != noPart
}

// memberWithoutValue reports a member that no value of the discriminator names.
func memberWithoutValue(mb unionMember, discriminator string, names []string) diag.Diagnostic {
	d := diag.Errorf(mb.m.At, checks.UnionMembership, "member %s is set when %s is %q, which is not one of its values",
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

// isDoubtful reports whether an error in a field may decide which members and values the union has.
func (u *union) isDoubtful(fields StructFields) bool {
	return u.discriminator != nil && u.discriminator.Node.Own.Incomplete != 0 ||
		slices.ContainsFunc(fields, func(p node.Property) bool {
			return p.Node.Own.Incomplete&schema.DoubtPresence != 0
		})
}

// oldUnion adds the union that the markers of KEP-1027 make: +union on a struct, or on each member as in KEP-2335, and
// +UnionDiscriminator or +discriminator on the field that names the member that is set. Without a discriminator at
// most one member may be set. If the struct as a whole is marked, the member that the discriminator names may be absent
// (KEP-1027). In imported packages these markers are documentation.
func (ap Applier) oldUnion(n *node.Node, fields StructFields, marks []markers.Marker) {
	if len(fields) == 0 || !fields[0].Field.Decl.Pkg.Own {
		return
	}
	onType := read.Find(marks, read.MarkOldUnion)
	u := &union{zero: true, lax: onType != nil}
	for i := range fields {
		p := &fields[i]
		d := cmp.Or(read.Find(p.Field.Marks, read.MarkOldUnionDiscriminator), read.Find(p.Field.Marks,
			read.MarkOldDiscriminator))
		m := read.Find(p.Field.Marks, read.MarkOldUnion)
		switch {
		case d != nil:
			u.setDiscriminator(ap, p, d)
		case m != nil:
			u.addMember(ap, p, m)
		case onType != nil && p.IsOldMember():
			u.addMember(ap, p, onType)
		}
	}
	if why := u.unread(); why != "" {
		if at := cmp.Or(u.discriminates, onType); at != nil && !u.hasRules(marks) && !u.isDoubtful(fields) {
			ap.Warn(u.notEnforced(at.At, why, onType, fields).
				CausedBy(diag.Span{}, read.MarkOldUnionDiscriminator))
		}
		return
	}
	if !ap.Opts.With(options.UnionMarkers) {
		return
	}
	if u.discriminator == nil {
		ap.addUndiscriminated(n, u)
		return
	}
	if d := u.discriminator.Node; len(enumTexts(d)) == 0 && !u.lax {
		for _, mb := range u.members {
			d.Own.Enum = append(d.Own.Enum, schema.Value{Kind: schema.String, At: mb.m.At, Text: mb.value})
		}
	}
	ap.addDiscriminated(n, u)
}

// notEnforced reports a union of old markers that makes no rules. Where no field could be a member, its markers can
// only go.
func (u *union) notEnforced(at diag.Span, why string, onType *markers.Marker, fields StructFields) diag.Diagnostic {
	isCandidate := func(p node.Property) bool {
		return p.IsOldMember() && (u.discriminator == nil || p.Name != u.discriminator.Name)
	}
	switch hasBoth := u.discriminates != nil && onType != nil; {
	case len(u.members) > 0 || slices.ContainsFunc(fields, isCandidate):
		return diag.Errorf(at, checks.UnionUnread, "the union is not enforced: %s", why).
			Help("put +k8s:unionMember on each member, and +k8s:unionDiscriminator on the field that names the member")
	case hasBoth:
		return diag.Errorf(at, checks.UnionUnread, "the markers of the union have no effect: the struct has no "+
			"optional pointers that could be its members").Help("remove both markers").
			See(onType.At, "the other marker")
	}
	return diag.Errorf(at, checks.UnionUnread, "the marker has no effect: the struct has no optional pointers that "+
		"could be members of a union").Help("remove the marker").Do(diag.RemoveMarker, "")
}

// deviateTag records that a tag, or an older marker of a union, is enforced.
func (ap Applier) deviateTag(m *markers.Marker) {
	switch m.Def.Name {
	case read.MarkOldUnion, read.MarkOldUnionDiscriminator, read.MarkOldDiscriminator:
		ap.Deviate(options.UnionMarkers, m.At)
	default:
		ap.Deviate(options.DeclarativeTags, m.At)
	}
}

// hasRules reports whether a rule of the struct reads the discriminator: rules then enforce the union.
func (u *union) hasRules(ofStruct []markers.Marker) bool {
	if u.discriminator == nil {
		return false
	}
	reads := func(a markers.Arg) bool { return strings.Contains(a.Value.Text, "self."+u.discriminator.Name) }
	return slices.ContainsFunc(ofStruct, func(m markers.Marker) bool { return slices.ContainsFunc(m.Args, reads) })
}

// unread returns the reason why the old markers do not make a union, "" if they do.
func (u *union) unread() string {
	if len(u.members) == 0 {
		return "it has no members; members are the optional pointers of a struct with +union, and fields with +union"
	}
	if u.discriminator == nil {
		return ""
	}
	values := enumTexts(u.discriminator.Node)
	for _, mb := range u.members {
		if len(values) > 0 && !slices.Contains(values, mb.value) {
			return u.discriminator.Name + " has no value " + mb.value + " for member " + mb.shown
		}
	}
	return ""
}
