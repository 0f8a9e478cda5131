package lower

import (
	"fmt"
	"slices"
	"strings"

	kubecel "k8s.io/apiserver/pkg/cel"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/schema"
)

// A spot is the value that a marker applies to, and the path to it from the node that a rule would be on. If all steps
// lead to nodes of the schema, the spot is such a node, and keywords are enough. Keys of a map have no node, and a
// condition for some values only has no keyword: there the spot is ruled, and everything must be written in CEL.
type spot struct {
	// n is the value's node, nil for the keys of a map.
	n *node
	// base is the node that a rule is on, and value is how the rule writes the spot.
	base  *node
	value expr
	ruled bool
	// holder is the object that narrows the one that the spot is a member of, if the last step was to a member of a
	// node; name is the member's.
	holder *node
	name   string
	// member is the spot as a member of an object, if the last step was to a member of a ruled value.
	member *member
	// layers surround the condition, the outermost first.
	layers []layer
	// path is the path from the base to the spot, up to where a rule's fieldPath can name it.
	path string
	// keys is set where the spot is the keys of base itself.
	keys bool
	// each is set where the spot is one of several values.
	each bool
}

// A layer surrounds a condition: an alternative to it, or a macro that requires it for all elements.
type layer struct {
	// or is the alternative.
	or expr
	// leads marks the alternative that something on the path to the spot is absent.
	leads bool
	// over is what has the elements, and variable is one of them.
	over     expr
	variable string
}

func (l layer) around(condition expr) expr {
	if l.variable != "" {
		return l.over.all(l.variable, condition)
	}
	return or(l.or, condition)
}

// A member is a member of an object in CEL.
type member struct {
	// of is how CEL writes the object.
	of expr
	p  property
}

// name is the member's name in CEL. Every name in a schema has an escaped form, except those with characters that CEL
// cannot write, which the compiler rejects.
func (m member) name() string { return celName(m.p.name) }

func celName(name string) string {
	if escaped, ok := kubecel.Escape(name); ok {
		return escaped
	}
	return name
}

// value is how CEL writes the member.
func (m member) value() expr { return m.of.field(m.name()) }

// applyWithin applies a marker to a part of its target.
func (ap applier) applyWithin(n *node, m *markers.Marker, on target) {
	if m.Steps[0].Kind == markers.Mode {
		return // applied with the struct: see modes
	}
	if ap.isItemTag(m) || ap.isMemberTag(m) {
		return // those of one list, or of one struct, belong together: see partUnions
	}
	if m.Def.Whole || m.Def.OfKind || m.Def.Name == markOpaque && !isOpaque([]markers.Marker{*m}) {
		ap.wrongTag(stepMisplaced(&m.Steps[len(m.Steps)-1], m))
		return
	}
	ap.applyBehind(n, m, on)
}

// applyBehind takes a marker's steps and applies the marker there.
func (ap applier) applyBehind(n *node, m *markers.Marker, on target) {
	s := &spot{n: n, base: n, value: self()}
	if ap.walk(s, m, m.Steps, on) {
		ap.applyAt(s, m, on)
	}
}

// applyKeyTags applies the tags of the type of its keys, which is nil if it is not declared, to a map.
func (ap applier) applyKeyTags(n *node, decl *load.TypeDecl) {
	if decl == nil || ap.opaque || !ap.enforces(decl.Pkg) {
		return
	}
	for _, m := range ap.marks.at(ap.reporter).typeMarkers(decl) {
		if !m.Def.IsTag() || ap.meaning(&m).notOfKeys {
			continue
		}
		m.Steps = append([]markers.Step{{Kind: markers.Keys, At: m.At}}, m.Steps...)
		ap.applyBehind(n, &m, target{decl: decl})
	}
}

// withItemsStep is a marker whose name is for items, with a step to the items in place of the name's prefix.
func (ap applier) withItemsStep(m *markers.Marker) *markers.Marker {
	out := *m
	out.Def = ap.marks.table.Lookup("+"+m.Def.ItemsOf, markers.Field)
	out.Steps = append(slices.Clone(m.Steps), markers.Step{Kind: markers.Items, At: m.Name})
	return &out
}

// walk takes the steps of a marker from a spot on. It returns false if a step does not apply, which has been reported.
func (ap applier) walk(s *spot, m *markers.Marker, steps []markers.Step, on target) bool {
	for i := range steps {
		step := &steps[i]
		ok := false
		switch step.Kind {
		case markers.Items:
			ok = ap.toElements(s, step, "array", on)
		case markers.Values:
			ok = ap.toElements(s, step, "object", on)
		case markers.Each:
			ok = ap.toElements(s, step, "", on)
		case markers.Keys:
			ok = ap.toKeys(s, step, on)
		case markers.Subfield:
			ok = ap.toMember(s, step, on)
		case markers.Item:
			ok = ap.toItem(s, step, on)
		default:
			ap.wrongTag(stepMisplaced(step, m))
		}
		if !ok {
			return false
		}
	}
	return true
}

// toElements goes to the items of a list or to the values of a map; want is the JSON type, "" for both.
func (ap applier) toElements(s *spot, step *markers.Step, want string, on target) bool {
	s.enter()
	got := s.n.jsonType()
	var elements *node
	switch {
	case got == "array" && want != "object":
		elements = s.n.itemsOf()
	case got == "object" && want != "array":
		elements = s.n.valuesOf()
	}
	if elements == nil {
		if !s.n.isUnknown() {
			ap.wrongTag(ap.noElements(step, want, s, on))
		}
		return false
	}
	s.each = true
	if !s.ruled {
		s.n, s.base = elements, elements
		return true
	}
	s.n = elements
	if got == "object" {
		s.value = s.value.at(s.macro("k"))
	} else {
		s.value = s.macro("v")
	}
	return true
}

// toKeys goes to the keys of a map, which have no node in a schema.
func (ap applier) toKeys(s *spot, step *markers.Step, on target) bool {
	s.enter()
	if s.n.jsonType() != "object" || s.n.valuesOf() == nil {
		if !s.n.isUnknown() {
			ap.wrongTag(ap.noElements(step, "object", s, on))
		}
		return false
	}
	if !s.ruled {
		s.base, s.keys, s.ruled = s.n, true, true
	}
	s.n, s.value, s.each = nil, s.macro("k"), true
	return true
}

// toMember goes to a field of a struct.
func (ap applier) toMember(s *spot, step *markers.Step, on target) bool {
	s.enter()
	name := step.Arg("")
	found := s.n.member(name.Text)
	switch {
	case found != nil:
	// these are the only ones that a CRD may limit (KEP-2335)
	case s.n.isObjectMeta() && ap.inRootMetadata() && (name.Text == "name" || name.Text == "generateName"):
		found = s.n.addText(name.Text)
	case s.n.isEmbeddedResource() && (name.Text == "apiVersion" || name.Text == "kind"):
		if s.ruled {
			found = &property{name: name.Text, node: text()} // CEL knows them without a schema
		} else {
			found = s.n.addText(name.Text)
		}
	}
	if found == nil {
		if !s.n.isUnknown() {
			ap.wrongTag(ap.noMember(step, name, s, on))
		}
		return false
	}
	if !s.ruled {
		s.holder, s.name = s.n, found.name
		s.n = s.n.narrowed(*found)
		s.base = s.n
		return true
	}
	s.step(member{of: s.value, p: *found})
	s.n = found.node
	return true
}

// step moves the spot to one of its members.
func (s *spot) step(m member) {
	s.member = &m
	s.value = m.value()
	if !s.each {
		s.path += pathTo(m.p.name)
	}
}

// pathTo is one step of a rule's fieldPath.
func pathTo(name string) string {
	if strings.ContainsAny(name, ".[]'") {
		return "['" + strings.ReplaceAll(name, "'", `\'`) + "']"
	}
	return "." + name
}

// enter records that the marker goes on to a part of the spot: a rule does not apply to the parts of absent members.
func (s *spot) enter() {
	if s.member != nil && s.member.p.required.V == "" {
		s.layers = append(s.layers, layer{or: not(has(s.member.value())), leads: true})
	}
	s.member = nil
}

// macro puts a macro over all elements of the spot's value around the condition, and returns its variable. No other
// macro around the spot uses the same name.
func (s *spot) macro(name string) expr {
	macros := 0
	for _, l := range s.layers {
		if l.variable != "" {
			macros++
		}
	}
	if macros > 0 {
		name = fmt.Sprintf("%s%d", name, macros+1)
	}
	s.layers = append(s.layers, layer{over: s.value, variable: name})
	return ident(name)
}

// toItem goes to the item of a list with the given keys.
func (ap applier) toItem(s *spot, step *markers.Step, on target) bool {
	ruled := s.ruled
	match, ok := ap.toMatch(s, step, on)
	if !ok {
		return false
	}
	s.each = ruled
	s.ruled = true
	s.layers = append(s.layers, layer{or: not(match)})
	return true
}

// toMatch goes to the items of a list, and returns the condition that an item has the given keys.
func (ap applier) toMatch(s *spot, step *markers.Step, on target) (match expr, ok bool) {
	if s.n.jsonType() != "array" || s.n.itemsOf() == nil {
		ap.wrongTag(ap.noElements(step, "array", s, on))
		return match, false
	}
	if keys := s.n.listKeys(); !sameNames(keys, step.Args) {
		ap.wrongTag(notItemKeys(step, keys))
		return match, false
	}
	if !ap.toElements(s, step, "array", on) {
		return match, false
	}
	return ap.matches(s.n, s.value, step, on)
}

// stepNoun names what a step leads to.
func stepNoun(kind markers.StepKind) string {
	switch kind {
	case markers.Items, markers.Item:
		return "the items of a list"
	case markers.Values:
		return "the values of a map"
	case markers.Keys:
		return "the keys of a map"
	case markers.Each:
		return "the items of a list or the values of a map"
	}
	return "a field of a struct"
}

// noElements reports a step to the elements of a value without elements.
func (ap applier) noElements(step *markers.Step, want string, s *spot, on target) diag.Diagnostic {
	got := "a key"
	if s.n != nil {
		got = typePhrase(s.n.jsonType())
		if s.n.jsonType() == "object" {
			got = "a struct"
			if want == "array" && s.n.valuesOf() != nil {
				got = "a map"
			}
		}
	}
	name := strings.TrimSuffix(step.At.Text(), ":")
	prefix := name // what the marker is to lose
	if own, shorthand := strings.CutPrefix(name, "kubebuilder:validation:items:"); shorthand && own != "" {
		prefix = "items:"
	}
	d := diag.Errorf(step.At, markerStep, "%s leads to %s; this value is %s", name, stepNoun(step.Kind), got)
	switch {
	case got == "an array" && step.Kind != markers.Item:
		d = d.Help("use items: or +k8s:eachVal= for the items")
	case got == "a map":
		d = d.Help("use values: or +k8s:eachVal= for the values")
	default:
		d = d.Help("remove %q to apply the marker to %s itself", prefix, on.what())
	}
	return ap.reached(d)
}

// noMember reports a step to a field that does not exist.
func (ap applier) noMember(step *markers.Step, name *markers.Value, s *spot, on target) diag.Diagnostic {
	if s.n == nil || s.n.jsonType() != "object" || s.n.valuesOf() != nil {
		return ap.reached(diag.Errorf(step.At, markerField, "%s has no fields: it is not a struct", on.what()).
			Help("put the marker on a field whose type is a struct"))
	}
	if s.n.isObjectMeta() {
		return ap.reached(diag.Errorf(name.At, markerField,
			"unknown field %q: the schema of metadata has no fields here", name.Text).
			Help("add +crdproof:embeddedObjectMeta to the field"))
	}
	names, _ := s.n.allNames()
	return ap.reached(diag.Errorf(name.At, markerField, "unknown field %q", name.Text).
		Help("%s", oneOfNames(name.Text, names)))
}

// oneOfNames suggests the nearest name, or lists all; it is "" if there are no names.
func oneOfNames(name string, names []string) string {
	if len(names) == 0 {
		return ""
	}
	return oneOfThese(name, names)
}

// allNames are the names of an object's members.
func (n *node) allNames() (names []string, complete bool) {
	if n != nil && n.over != nil {
		return n.over.fieldNames()
	}
	return n.fieldNames()
}

func stepMisplaced(step *markers.Step, m *markers.Marker) diag.Diagnostic {
	return diag.Errorf(step.At, markerStep, "%s cannot be used with %s", step.At.Text(), m.Def.Name).
		Help("put the marker on the field itself")
}

// notItemKeys reports a step to an item that does not name the keys of its list.
func notItemKeys(step *markers.Step, keys []string) diag.Diagnostic {
	at, help := step.At, "name each key once"
	for _, arg := range step.Args {
		if near := diag.Near(arg.Name, keys); near != "" && near != arg.Name {
			at, help = arg.NameAt, diag.Meant(near)
		}
	}
	if len(keys) == 0 {
		return diag.Errorf(at, markerStep, "k8s:item needs a list with keys").
			Help("make the list a map: add +k8s:listType=map, and +k8s:listMapKey for each key")
	}
	return diag.Errorf(at, markerStep, "k8s:item must name all keys of the list: %s",
		strings.Join(keys, ", ")).
		Help("%s", help)
}

// sameNames reports whether arguments have each of the names once.
func sameNames(names []string, args []markers.Arg) bool {
	return len(names) > 0 && len(names) == len(args) && !slices.ContainsFunc(names, func(name string) bool {
		return !slices.ContainsFunc(args, func(a markers.Arg) bool { return a.Name == name })
	})
}

// matches is the condition that an item has the keys that a step names.
func (ap applier) matches(item *node, value expr, step *markers.Step, on target) (match expr, ok bool) {
	var terms []expr
	for i := range step.Args {
		arg := &step.Args[i]
		p := item.member(arg.Name)
		if p == nil {
			names, _ := item.allNames()
			ap.wrongTag(ap.reached(diag.Errorf(arg.NameAt, markerField, "the items of %s have no field %q", on.what(),
				arg.Name).
				Help("%s", oneOfNames(arg.Name, names))))
			return match, false
		}
		if !literalFits(p.node.jsonType(), arg.Value) {
			ap.wrongTag(wrongLiteral(&arg.Value, p.node.jsonType(), "the key "+arg.Name))
			return match, false
		}
		terms = append(terms, operandOf("&&", ap.equals(member{of: value, p: *p}, arg.Value)))
	}
	return and(terms...), true
}

// applyAt applies a marker to a spot.
func (ap applier) applyAt(s *spot, m *markers.Marker, on target) {
	if s.each && m.Def.Name == markK8sUpdate && m.Arg("").Text != "NoModify" {
		ap.wrongTag(stepMisplaced(&m.Steps[len(m.Steps)-1], m))
		return
	}
	if !s.ruled {
		if m.Def.Presence != markers.Unsaid {
			// Optional is the default. It cannot undo a required field of the type.
			switch {
			case s.holder == nil:
				ap.wrongTag(presenceOfElement(m))
			case m.Def.Presence == markers.MustBe:
				s.holder.properties[s.holder.indexProperty(s.name)].required = schema.Text{V: s.name, At: m.At}
			}
			if s.holder == nil || !m.Def.IsTag() || m.Def.Presence == markers.MayBe {
				return
			}
		}
		if s.holder != nil {
			p := *s.holder.member(s.name)
			if c := ap.presenceTransition(member{self(), p}, member{oldSelf(), p}, m); !c.cel.isNone() {
				r := tagRule(m, c.cel, c.message, c.reason, pathTo(s.name))
				if p.field != nil {
					r.Of = p.field.at // dropped if another field hides this one
				}
				s.holder.s.Rules = append(s.holder.s.Rules, r)
			}
		}
		ap.applyOne(s.n, m, on)
		return
	}
	c, ok := ap.condition(s, m, on)
	if !ok || c.cel.isNone() {
		return
	}
	ap.addSpotRule(s, m, c)
}

// addSpotRule adds the rule that a condition on a spot makes.
func (ap applier) addSpotRule(s *spot, m *markers.Marker, c condition) {
	if !c.presence {
		s.enter()
	}
	rule := c.cel
	for i := len(s.layers) - 1; i >= 0; i-- {
		rule = s.layers[i].around(rule)
	}
	r := tagRule(m, rule, c.message, c.reason, s.path)
	// The expression needs a bounded map, and users cannot bound maps of imported types.
	if s.keys && len(s.layers) == 1 && ap.program.Owns(m.At) {
		r.Message.V = "a key " + c.message
		violating := negation(group(c.cel))
		first := self().call("filter", ident("k"), violating).at(integer(0))
		r.MessageExpression = schema.Text{
			V:  chain("+", celText(`key "`), first, celText(`" `+c.message)).String(),
			At: m.At,
		}
	}
	s.base.s.Rules = append(s.base.s.Rules, r)
}

// tagRule is the rule that a marker becomes.
func tagRule(m *markers.Marker, rule expr, message, reason, path string) schema.Rule {
	r := schema.Rule{
		Made:    true,
		At:      m.At,
		Rule:    schema.Text{V: rule.String(), At: m.At},
		Message: schema.Text{V: message, At: m.At},
	}
	if reason != "" {
		r.Reason = schema.Text{V: reason, At: m.At}
	}
	if path != "" {
		r.FieldPath = schema.Text{V: path, At: m.At}
	}
	return r
}
