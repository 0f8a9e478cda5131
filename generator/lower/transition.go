package lower

import (
	"slices"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/schema"
)

// This file holds the tags that compare a value with the one before an update. A rule with oldSelf runs only if both
// values are present, so the rules for setting and clearing a field are on the struct around it.

const (
	markK8sUpdate    = "k8s:update"
	markK8sMonotonic = "k8s:monotonic"
)

// transition is the condition of a tag about updates, for a spot that only a rule reaches.
func (ap applier) transition(s *spot, m *markers.Marker, on target) (c condition, ok bool) {
	if s.each || s.n == nil {
		ap.wrongTag(ap.notCorrelated(m))
		return c, false
	}
	for _, l := range slices.Clone(s.layers) {
		if l.leads { // the path must have existed before the update
			s.layers = append(s.layers, layer{or: l.or.before(), leads: true})
		}
	}
	if s.member == nil {
		return ap.meaning(m).change(ap, s.n, m, s.value, s.value.before(), on)
	}
	before := *s.member
	before.of = before.of.before()
	c, ok = ap.memberTransition(*s.member, before, m, on)
	c.presence = true
	return c, ok
}

func immutableChange(_ applier, _ *node, _ *markers.Marker, now, old expr, _ target) (condition, bool) {
	return condition{cel: compare(now, "==", old), message: "field is immutable"}, true
}

func monotonicChange(ap applier, n *node, m *markers.Marker, now, old expr, on target) (c condition, ok bool) {
	if n.jsonType() != "integer" {
		ap.wrongTag(ap.wrongType("integer", n, m, on))
		return c, false
	}
	return condition{cel: compare(now, ">=", old), message: "may not be decreased"}, true
}

// updateChange is the condition of k8s:update for a value that is present before and after the update.
func updateChange(ap applier, n *node, m *markers.Marker, now, old expr, _ target) (c condition, ok bool) {
	isMap := n.jsonType() == "object" && n.valuesOf() != nil
	switch m.Arg("").Text {
	case "NoModify":
		if n.jsonType() == "array" || isMap {
			ap.wrongTag(diag.Errorf(m.Arg("").At, tagUpdate, "NoModify does not apply to lists and maps").
				Help("write +k8s:immutable, or put NoModify on the elements with +k8s:eachVal"))
			return c, false
		}
		test := compare(now, "==", old)
		if differs := ap.notZero(n, now); !differs.isNone() {
			// A change from or to the zero value is not a modification.
			test = or(test, not(differs), not(ap.notZero(n, old)))
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
func (ap applier) itemTransition(n *node, m *markers.Marker, each, in expr, message string) (c condition, ok bool) {
	c = condition{message: message, reason: "FieldValueForbidden"}
	switch {
	case n.jsonType() == "object" && n.valuesOf() != nil:
		c.cel = each.all("k", compare(ident("k"), "in", in))
		return c, true
	case n.jsonType() != "array":
		what := m.Arg("")
		ap.wrongTag(ap.reached(diag.Errorf(what.At, tagUpdate, "%s applies to lists and maps; this is %s", what.Text,
			typePhrase(n.jsonType())).
			Help("write NoSet, NoUnset or NoModify")))
		return c, false
	}
	identity := ap.identity(n)
	if identity == nil {
		ap.wrongTag(diag.Errorf(m.At, tagUpdate,
			"%s needs a list of type set or map, to match items before and after the update", m.Arg("").Text).
			Help("set the list type with +k8s:listType, and with +k8s:listMapKey for maps"))
		return c, false
	}
	c.cel = each.all("v", in.call("exists", ident("w"), identity(ident("v"), ident("w"))))
	return c, true
}

// fieldTransitions adds the rules of tags about setting and clearing a field to a struct.
func (ap applier) fieldTransitions(n *node, p property) {
	marks := p.field.marks
	if ref := p.node.ref; ref != nil && ref.decl != nil && !p.node.cut && p.node.sort != pointerSort && !ap.opaque &&
		ap.enforces(ref.decl.Pkg) {
		marks = slices.Concat(marks, ap.marks.at(ap.reporter).typeMarkers(ref.decl))
	}
	for i := range marks {
		m := &marks[i]
		if len(m.Steps) > 0 {
			continue
		}
		c := ap.presenceTransition(member{self(), p}, member{oldSelf(), p}, m)
		if i >= len(p.field.marks) && m.Def.Name == markImmutable && statedOptional(p) && !c.cel.isNone() {
			// The tags of the type do not apply to an optional field that is unset.
			c.cel = or(operand(ap.isSet(member{oldSelf(), p})), not(ap.isSet(member{self(), p})))
		}
		if !c.cel.isNone() {
			ap.addFieldRule(n, p.field, m, c)
		}
	}
}

// addFieldRule adds to a struct a rule about one of its fields.
func (ap applier) addFieldRule(n *node, f *field, m *markers.Marker, c condition) {
	if !ap.isInCEL(m, f.name, n.member(f.name)) {
		return
	}
	r := tagRule(m, c.cel, c.message, c.reason, pathTo(f.name))
	r.Of = f.at
	n.s.Rules = append(n.s.Rules, r)
	ap.deviate(declarativeTags, m.At)
}

// presenceTransition is the condition of a tag for a member that is set either before or after the update; empty if the
// field's own rule is enough, or if the tag is for something else.
func (ap applier) presenceTransition(now, old member, m *markers.Marker) (c condition) {
	if presence := ap.meaning(m).presence; presence != nil {
		return presence(ap, now, old, m)
	}
	return c
}

func immutablePresence(ap applier, now, old member, _ *markers.Marker) (c condition) {
	if now.p.required.V != "" {
		return c
	}
	return condition{cel: compare(operand(ap.isSet(now)), "==", operand(ap.isSet(old))), message: "field is immutable"}
}

func monotonicPresence(_ applier, now, old member, _ *markers.Marker) (c condition) {
	isThere, wasThere := has(now.value()), has(old.value())
	stays := compare(now.value(), ">=", integer(0))
	switch {
	case now.p.required.V != "" || now.p.node.sort != scalar:
		return c
	case statedOptional(now.p):
		c.cel = or(wasThere, not(isThere), stays)
	default:
		rest := choice(isThere, stays, compare(old.value(), "<=", integer(0)))
		c.cel = or(compare(isThere, "==", wasThere), group(rest))
	}
	c.message = "may not be decreased"
	return c
}

func updatePresence(ap applier, now, old member, m *markers.Marker) (c condition) {
	if now.p.required.V != "" && !ap.hasZero(now.p.node) {
		return c
	}
	isSet, wasSet := ap.isSet(now), ap.isSet(old)
	notAdded, notRemoved := or(operand(wasSet), not(isSet)), or(not(wasSet), operand(isSet))
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
func statedOptional(p property) bool {
	return p.field != nil && find(p.field.marks, markK8sOptional) != nil
}

// memberTransition is the complete condition of a tag on the update of a member that only a rule on the object reaches.
func (ap applier) memberTransition(now, old member, m *markers.Marker, on target) (c condition, ok bool) {
	c = ap.presenceTransition(now, old, m)
	value, ok := ap.meaning(m).change(ap, now.p.node, m, now.value(), old.value(), on)
	if !ok || value.cel.isNone() {
		return c, ok
	}
	value.cel = or(not(has(now.value())), not(has(old.value())), value.cel)
	if !c.cel.isNone() {
		value.cel = and(operand(c.cel), group(value.cel))
	}
	return value, true
}

// identity returns the condition that two items of a list are the same one: by the keys of a map, by the value in a
// set. It is nil for other lists.
func (ap applier) identity(n *node) func(v, w expr) expr {
	keys, unique := n.listKeys(), n.uniqueness()
	switch {
	case n.listType() == "map" || unique == "map":
		if len(keys) == 0 {
			return nil
		}
		return func(v, w expr) expr {
			var terms []expr
			for _, key := range keys {
				p := n.itemsOf().member(key)
				if p == nil {
					continue
				}
				terms = append(terms, sameMember(member{v, *p}, member{w, *p}))
			}
			return and(terms...)
		}
	case n.listType() == "set" || unique == "set":
		return func(v, w expr) expr { return compare(w, "==", v) }
	}
	return nil
}

// sameMember is the CEL for two objects with an equal member.
func sameMember(a, b member) expr {
	same := compare(b.value(), "==", a.value())
	if a.p.required.V != "" {
		return same
	}
	return and(compare(has(b.value()), "==", has(a.value())), group(or(not(has(a.value())), same)))
}

// listKeys are the names of the fields that identify the items of a list.
func (n *node) listKeys() []string {
	for ; n != nil; n = n.beneath() {
		switch {
		case len(n.s.ListMapKeys) > 0:
			return textsOf(n.s.ListMapKeys)
		case len(n.uniqueKeys) > 0:
			return textsOf(n.uniqueKeys)
		}
	}
	return nil
}

func textsOf(list []schema.Text) []string {
	var out []string
	for _, t := range list {
		out = append(out, t.V)
	}
	return out
}

// uniqueness is the value of k8s:unique on a list.
func (n *node) uniqueness() string { return nearest(n, func(n *node) string { return n.unique }) }
