package apply

import (
	"slices"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/lower/internal/cel"
	"github.com/crdproof/crdproof/generator/lower/internal/checks"
	"github.com/crdproof/crdproof/generator/lower/internal/node"
	"github.com/crdproof/crdproof/generator/lower/internal/read"
	"github.com/crdproof/crdproof/generator/lower/internal/report"
	"github.com/crdproof/crdproof/markers"
)

// transition returns the condition of a tag about updates, for a spot that only a rule reaches.
func (ap Applier) transition(s *spot, m *markers.Marker, on node.Target) (c condition, ok bool) {
	if s.each || s.n == nil {
		ap.WrongTag(ap.notCorrelated(m))
		return c, false
	}
	for _, l := range slices.Clone(s.layers) {
		if l.leads { // the path must have existed before the update
			s.layers = append(s.layers, layer{or: l.or.Before(), leads: true})
		}
	}
	if s.member == nil {
		return ap.meaning(m).change(ap, s.n, m, s.value, s.value.Before(), on)
	}
	before := *s.member
	before.object = before.object.Before()
	c, ok = ap.memberTransition(*s.member, before, m, on)
	c.presence = true
	return c, ok
}

func immutableChange(_ Applier, _ *node.Node, _ *markers.Marker, now, old cel.Expr, _ node.Target) (condition, bool) {
	return condition{cel: cel.Compare(now, "==", old), message: "field is immutable"}, true
}

func monotonicChange(ap Applier, n *node.Node, m *markers.Marker, now, old cel.Expr, on node.Target) (c condition,
	ok bool) {
	if n.JSONType() != "integer" {
		ap.WrongTag(ap.WrongType("integer", n, m, on))
		return c, false
	}
	return condition{cel: cel.Compare(now, ">=", old), message: "may not be decreased"}, true
}

// updateChange returns the condition of k8s:update for a value that is present before and after the update.
func updateChange(ap Applier, n *node.Node, m *markers.Marker, now, old cel.Expr, _ node.Target) (c condition,
	ok bool) {
	isMap := n.JSONType() == "object" && n.ValuesOf() != nil
	switch m.Arg("").Text {
	case "NoModify":
		if n.JSONType() == "array" || isMap {
			ap.WrongTag(diag.Errorf(m.Arg("").At, checks.TagUpdate, "NoModify does not apply to lists and maps").
				Help("write +k8s:immutable, or put NoModify on the elements with +k8s:eachVal"))
			return c, false
		}
		test := cel.Compare(now, "==", old)
		if differs := ap.notZero(n, now); !differs.IsNone() {
			// A change from or to the zero value is not a modification.
			test = cel.Or(test, cel.Not(differs), cel.Not(ap.notZero(n, old)))
		}
		return condition{cel: test, message: "field cannot be modified once set"}, true
	case "NoAddItem":
		return ap.itemTransition(n, m, now, old, "item may not be added")
	case "NoRemoveItem":
		return ap.itemTransition(n, m, old, now, "item may not be removed")
	}
	return condition{}, true // NoSet and NoUnset are for fields that are set or cleared
}

// itemTransition requires each item of one list or map to be in the other too.
func (ap Applier) itemTransition(n *node.Node, m *markers.Marker, each, in cel.Expr, message string) (c condition,
	ok bool) {
	c = condition{message: message, reason: "FieldValueForbidden"}
	switch {
	case n.JSONType() == "object" && n.ValuesOf() != nil:
		c.cel = each.All("k", cel.Compare(cel.Ident("k"), "in", in))
		return c, true
	case n.JSONType() != "array":
		what := m.Arg("")
		ap.WrongTag(ap.Reached(diag.Errorf(what.At, checks.TagUpdate, "%s applies to lists and maps; this is %s",
			what.Text, report.TypePhrase(n.JSONType())).
			Help("write NoSet, NoUnset or NoModify")))
		return c, false
	}
	identity := ap.identity(n)
	if identity == nil {
		ap.WrongTag(diag.Errorf(m.At, checks.TagUpdate,
			"%s needs a list of type set or map, to match items before and after the update", m.Arg("").Text).
			Help("set the list type with +k8s:listType, and with +k8s:listMapKey for maps"))
		return c, false
	}
	c.cel = each.All("v", in.Call("exists", cel.Ident("w"), identity(cel.Ident("v"), cel.Ident("w"))))
	return c, true
}

// fieldTransitions adds the rules of tags about setting and clearing a field to a struct.
func (ap Applier) fieldTransitions(n *node.Node, p node.Property) {
	marks := p.Field.Marks
	if ref := p.Node.Ref; ref != nil && ref.Decl != nil && !p.Node.Cut && p.Node.Sort != node.PointerSort &&
		!ap.Opaque &&
		ap.Enforces(ref.Decl.Pkg) {
		marks = slices.Concat(marks, ap.Marks.At(ap.Reporter).TypeMarkers(ref.Decl))
	}
	for i := range marks {
		m := &marks[i]
		if len(m.Steps) > 0 {
			continue
		}
		c := ap.presenceTransition(member{cel.Self(), p}, member{cel.OldSelf(), p}, m)
		if i >= len(p.Field.Marks) && m.Def.Name == read.MarkImmutable && statedOptional(p) && !c.cel.IsNone() {
			// The tags of the type do not apply to an optional field that is unset.
			c.cel = cel.Or(cel.Operand(ap.isSet(member{cel.OldSelf(), p})), cel.Not(ap.isSet(member{cel.Self(), p})))
		}
		if !c.cel.IsNone() {
			ap.addFieldRule(n, p.Field, m, c)
		}
	}
}

// addFieldRule adds to a struct a rule about one of its fields.
func (ap Applier) addFieldRule(n *node.Node, f *node.Field, m *markers.Marker, c condition) {
	if !ap.isInCEL(m, f.Name, n.Member(f.Name)) {
		return
	}
	r := tagRule(m, c.cel, c.message, c.reason, pathTo(f.Name))
	r.Of = f.At
	n.Own.Rules = append(n.Own.Rules, r)
	ap.deviateTag(m)
}

// presenceTransition returns the condition of a tag for a member that is set either before or after the update; empty
// if the field's own rule is enough, or if the tag is for something else.
func (ap Applier) presenceTransition(now, old member, m *markers.Marker) (c condition) {
	if presence := ap.meaning(m).presence; presence != nil {
		return presence(ap, now, old, m)
	}
	return c
}

func immutablePresence(ap Applier, now, old member, _ *markers.Marker) (c condition) {
	if now.p.Required.V != "" {
		return c
	}
	return condition{cel: cel.Compare(cel.Operand(ap.isSet(now)), "==", cel.Operand(ap.isSet(old))),
		message: "field is immutable"}
}

func monotonicPresence(_ Applier, now, old member, _ *markers.Marker) (c condition) {
	isThere, wasThere := cel.Has(now.value()), cel.Has(old.value())
	stays := cel.Compare(now.value(), ">=", cel.Int(0))
	switch {
	case now.p.Required.V != "" || now.p.Node.Sort != node.ScalarSort:
		return c
	case statedOptional(now.p):
		c.cel = cel.Or(wasThere, cel.Not(isThere), stays)
	default:
		rest := cel.Choice(isThere, stays, cel.Compare(old.value(), "<=", cel.Int(0)))
		c.cel = cel.Or(cel.Compare(isThere, "==", wasThere), cel.Group(rest))
	}
	c.message = "may not be decreased"
	return c
}

func updatePresence(ap Applier, now, old member, m *markers.Marker) (c condition) {
	if now.p.Required.V != "" && !ap.hasZero(now.p.Node) {
		return c
	}
	isSet, wasSet := ap.isSet(now), ap.isSet(old)
	notAdded, notRemoved := cel.Or(cel.Operand(wasSet), cel.Not(isSet)), cel.Or(cel.Not(wasSet), cel.Operand(isSet))
	switch m.Arg("").Text {
	case "NoAddItem":
		return condition{cel: notAdded, message: "item may not be added", reason: "FieldValueForbidden"}
	case "NoRemoveItem":
		return condition{cel: notRemoved, message: "item may not be removed", reason: "FieldValueForbidden"}
	case "NoSet":
		return condition{cel: notAdded, message: "field cannot be set once created"}
	case "NoUnset":
		return condition{cel: notRemoved, message: "field cannot be cleared once set"}
	}
	return c
}

// statedOptional reports whether a field has the tag that makes Kubernetes skip it if it has its zero value.
func statedOptional(p node.Property) bool {
	return p.Field != nil && read.Find(p.Field.Marks, read.MarkK8sOptional) != nil
}

// memberTransition returns the complete condition of a tag on the update of a member that only a rule on the object
// reaches.
func (ap Applier) memberTransition(now, old member, m *markers.Marker, on node.Target) (c condition, ok bool) {
	c = ap.presenceTransition(now, old, m)
	value, ok := ap.meaning(m).change(ap, now.p.Node, m, now.value(), old.value(), on)
	if !ok || value.cel.IsNone() {
		return c, ok
	}
	value.cel = cel.Or(cel.Not(cel.Has(now.value())), cel.Not(cel.Has(old.value())), value.cel)
	if !c.cel.IsNone() {
		value.cel = cel.And(cel.Operand(c.cel), cel.Group(value.cel))
	}
	return value, true
}

// identity returns the condition that two items of a list are the same one: by the keys of a map, by the value in a
// set. It is nil for other lists.
func (ap Applier) identity(n *node.Node) func(v, w cel.Expr) cel.Expr {
	keys, unique := n.ListKeys(), n.Uniqueness()
	switch {
	case n.ListType() == "map" || unique == "map":
		if len(keys) == 0 {
			return nil
		}
		return func(v, w cel.Expr) cel.Expr {
			var terms []cel.Expr
			for _, key := range keys {
				p := n.ItemsOf().Member(key)
				if p == nil {
					continue
				}
				terms = append(terms, sameMember(member{v, *p}, member{w, *p}))
			}
			return cel.And(terms...)
		}
	case n.ListType() == "set" || unique == "set":
		return func(v, w cel.Expr) cel.Expr { return cel.Compare(w, "==", v) }
	}
	return nil
}

// sameMember returns the CEL for two objects with an equal member.
func sameMember(a, b member) cel.Expr {
	same := cel.Compare(b.value(), "==", a.value())
	if a.p.Required.V != "" {
		return same
	}
	return cel.And(cel.Compare(cel.Has(b.value()), "==", cel.Has(a.value())),
		cel.Group(cel.Or(cel.Not(cel.Has(a.value())), same)))
}
