package apply

import (
	"fmt"
	"slices"
	"strings"

	kubecel "k8s.io/apiserver/pkg/cel"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/generator/lower/internal/cel"
	"github.com/crdproof/crdproof/generator/lower/internal/checks"
	"github.com/crdproof/crdproof/generator/lower/internal/node"
	"github.com/crdproof/crdproof/generator/lower/internal/read"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/schema"
)

// A spot is the value that a marker applies to, and the path to it from the node that a rule would be on. If all steps
// lead to nodes of the schema, the spot is such a node, and keywords are enough. Keys of a map have no node, and a
// condition for some values only has no keyword: there the spot is ruled, and everything must be written in CEL.
type spot struct {
	// n is the value's node, nil for the keys of a map.
	n *node.Node
	// base is the node that a rule is on, and value is how the rule writes the spot.
	base  *node.Node
	value cel.Expr
	ruled bool
	// holder is the object that narrows the one that the spot is a member of, if the last step was to a member of a
	// node; name is the member's.
	holder *node.Node
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
	or cel.Expr
	// leads marks the alternative that something on the path to the spot is absent.
	leads bool
	// over is what has the elements, and variable is one of them.
	over     cel.Expr
	variable string
}

func (l layer) around(condition cel.Expr) cel.Expr {
	if l.variable != "" {
		return l.over.All(l.variable, condition)
	}
	return cel.Or(l.or, condition)
}

// A member is a member of an object in CEL.
type member struct {
	// object is how CEL writes the object.
	object cel.Expr
	p      node.Property
}

// value returns how CEL writes the member. Every name in a schema has an escaped form, except those with characters
// that CEL cannot write, which the compiler rejects.
func (m member) value() cel.Expr {
	name, ok := kubecel.Escape(m.p.Name)
	if !ok {
		name = m.p.Name
	}
	return m.object.Field(name)
}

// applyWithin applies a marker to a part of its target.
func (ap Applier) applyWithin(n *node.Node, m *markers.Marker, on node.Target) {
	if m.Steps[0].Kind == markers.Mode {
		return // applied with the struct: see modes
	}
	if ap.isItemTag(m) || ap.isMemberTag(m) {
		return // those of one list, or of one struct, belong together: see partUnions
	}
	if m.Def.Whole || m.Def.OfKind || m.Def.Name == read.MarkOpaque && !read.IsOpaque([]markers.Marker{*m}) {
		ap.WrongTag(stepMisplaced(&m.Steps[len(m.Steps)-1], m))
		return
	}
	ap.applyBehind(n, m, on)
}

// applyBehind takes a marker's steps and applies the marker there.
func (ap Applier) applyBehind(n *node.Node, m *markers.Marker, on node.Target) {
	s := &spot{n: n, base: n, value: cel.Self()}
	if ap.walk(s, m, m.Steps, on) {
		ap.applyAt(s, m, on)
	}
}

// ApplyKeyTags applies the tags of the type of its keys, which is nil if it is not declared, to a map.
func (ap Applier) ApplyKeyTags(n *node.Node, decl *load.TypeDecl) {
	if decl == nil || ap.Opaque || !ap.Enforces(decl.Pkg) {
		return
	}
	for _, m := range ap.Marks.At(ap.Reporter).TypeMarkers(decl) {
		if !m.Def.IsTag() || ap.meaning(&m).notOfKeys {
			continue
		}
		m.Steps = append([]markers.Step{{Kind: markers.Keys, At: m.At}}, m.Steps...)
		ap.applyBehind(n, &m, node.Target{Decl: decl})
	}
}

// withItemsStep returns a marker whose name is for items, with a step to the items in place of the name's prefix.
func (ap Applier) withItemsStep(m *markers.Marker) *markers.Marker {
	out := *m
	out.Def = ap.Marks.Table.Lookup("+"+m.Def.ItemsOf, markers.Field)
	out.Steps = append(slices.Clone(m.Steps), markers.Step{Kind: markers.Items, At: m.Name})
	return &out
}

// walk takes the steps of a marker from a spot on. It returns false if a step does not apply, which has been reported.
func (ap Applier) walk(s *spot, m *markers.Marker, steps []markers.Step, on node.Target) bool {
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
			ap.WrongTag(stepMisplaced(step, m))
		}
		if !ok {
			return false
		}
	}
	return true
}

// toElements goes to the items of a list or to the values of a map; want is the JSON type, "" for both.
func (ap Applier) toElements(s *spot, step *markers.Step, want string, on node.Target) bool {
	s.enterPart()
	got := s.n.JSONType()
	var elements *node.Node
	switch {
	case got == "array" && want != "object":
		elements = s.n.ItemsOf()
	case got == "object" && want != "array":
		elements = s.n.ValuesOf()
	}
	if elements == nil {
		if !s.n.IsUnknown() {
			ap.WrongTag(ap.noElements(step, want, s, on))
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
		s.value = s.value.At(s.addMacro("k"))
	} else {
		s.value = s.addMacro("v")
	}
	return true
}

// toKeys goes to the keys of a map, which have no node in a schema.
func (ap Applier) toKeys(s *spot, step *markers.Step, on node.Target) bool {
	s.enterPart()
	if s.n.JSONType() != "object" || s.n.ValuesOf() == nil {
		if !s.n.IsUnknown() {
			ap.WrongTag(ap.noElements(step, "object", s, on))
		}
		return false
	}
	if !s.ruled {
		s.base, s.keys, s.ruled = s.n, true, true
	}
	s.n, s.value, s.each = nil, s.addMacro("k"), true
	return true
}

// toMember goes to a field of a struct.
func (ap Applier) toMember(s *spot, step *markers.Step, on node.Target) bool {
	s.enterPart()
	name := step.Arg("")
	found := s.n.Member(name.Text)
	switch {
	case found != nil:
	// these are the only ones that a CRD may limit (KEP-2335)
	case s.n.IsObjectMeta() && ap.InRootMetadata() && (name.Text == "name" || name.Text == "generateName"):
		found = s.n.AddText(name.Text)
	case s.n.IsEmbeddedResource() && (name.Text == "apiVersion" || name.Text == "kind"):
		if s.ruled {
			found = &node.Property{Name: name.Text, Node: node.Text()} // CEL knows them without a schema
		} else {
			found = s.n.AddText(name.Text)
		}
	}
	if found == nil {
		if !s.n.IsUnknown() {
			ap.WrongTag(ap.noMember(step, name, s, on))
		}
		return false
	}
	if !s.ruled {
		s.holder, s.name = s.n, found.Name
		s.n = s.n.Narrowed(*found)
		s.base = s.n
		return true
	}
	s.stepTo(member{object: s.value, p: *found})
	s.n = found.Node
	return true
}

// stepTo moves the spot to one of its members.
func (s *spot) stepTo(m member) {
	s.member = &m
	s.value = m.value()
	if !s.each {
		s.path += pathTo(m.p.Name)
	}
}

// pathTo returns one step of a rule's fieldPath.
func pathTo(name string) string {
	if strings.ContainsAny(name, ".[]'") {
		return "['" + strings.ReplaceAll(name, "'", `\'`) + "']"
	}
	return "." + name
}

// enterPart records that the marker goes on to a part of the spot: a rule does not apply to the parts of absent
// members.
func (s *spot) enterPart() {
	if s.member != nil && s.member.p.Required.V == "" {
		s.layers = append(s.layers, layer{or: cel.Not(cel.Has(s.member.value())), leads: true})
	}
	s.member = nil
}

// addMacro puts a macro over all elements of the spot's value around the condition, and returns its variable. No other
// macro around the spot uses the same name.
func (s *spot) addMacro(name string) cel.Expr {
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
	return cel.Ident(name)
}

// toItem goes to the item of a list with the given keys.
func (ap Applier) toItem(s *spot, step *markers.Step, on node.Target) bool {
	ruled := s.ruled
	match, ok := ap.toMatch(s, step, on)
	if !ok {
		return false
	}
	s.each = ruled
	s.ruled = true
	s.layers = append(s.layers, layer{or: cel.Not(match)})
	return true
}

// toMatch goes to the items of a list, and returns the condition that an item has the given keys.
func (ap Applier) toMatch(s *spot, step *markers.Step, on node.Target) (match cel.Expr, ok bool) {
	if s.n.JSONType() != "array" || s.n.ItemsOf() == nil {
		ap.WrongTag(ap.noElements(step, "array", s, on))
		return match, false
	}
	if keys := s.n.ListKeys(); !sameNames(keys, step.Args) {
		ap.WrongTag(notItemKeys(step, keys))
		return match, false
	}
	if !ap.toElements(s, step, "array", on) {
		return match, false
	}
	return ap.matches(s.n, s.value, step, on)
}

// sameNames reports whether arguments have each of the names once.
func sameNames(names []string, args []markers.Arg) bool {
	return len(names) > 0 && len(names) == len(args) && !slices.ContainsFunc(names, func(name string) bool {
		return !slices.ContainsFunc(args, func(a markers.Arg) bool { return a.Name == name })
	})
}

// matches returns the condition that an item has the keys that a step names.
func (ap Applier) matches(item *node.Node, value cel.Expr, step *markers.Step, on node.Target) (match cel.Expr,
	ok bool) {
	var terms []cel.Expr
	for i := range step.Args {
		arg := &step.Args[i]
		p := item.Member(arg.Name)
		if p == nil {
			names, _ := item.AllNames()
			ap.WrongTag(ap.Reached(diag.Errorf(arg.NameAt, checks.MarkerField, "the items of %s have no field %q",
				on.What(), arg.Name).
				Help("%s", oneOfNames(arg.Name, names))))
			return match, false
		}
		if !literalFits(p.Node.JSONType(), arg.Value) {
			ap.WrongTag(wrongLiteral(&arg.Value, p.Node.JSONType(), "the key "+arg.Name))
			return match, false
		}
		terms = append(terms, cel.OperandOf("&&", ap.equals(member{object: value, p: *p}, arg.Value)))
	}
	return cel.And(terms...), true
}

// applyAt applies a marker to a spot.
func (ap Applier) applyAt(s *spot, m *markers.Marker, on node.Target) {
	if s.each && m.Def.Name == read.MarkK8sUpdate && m.Arg("").Text != "NoModify" {
		ap.WrongTag(stepMisplaced(&m.Steps[len(m.Steps)-1], m))
		return
	}
	inPath := slices.ContainsFunc(m.Steps, func(step markers.Step) bool { return step.InPath })
	if inPath {
		isPresence := m.Def.Presence != markers.Unsaid
		ap.Place(m.At, s.ruled || isPresence && changesPresence(s, m))
		if isPresence && s.holder != nil && !s.ruled && !changesPresence(s, m) {
			return
		}
	}
	if !s.ruled {
		if m.Def.Presence != markers.Unsaid {
			// Optional is the default. It cannot undo a required field of the type.
			switch {
			case s.holder == nil:
				ap.WrongTag(presenceOfElement(m))
			case m.Def.Presence == markers.MayBe && inPath:
				s.holder.MakeOptional(s.name)
			case m.Def.Presence == markers.MustBe:
				s.holder.Properties[s.holder.IndexProperty(s.name)].Required = schema.Text{V: s.name, At: m.At}
			}
			if s.holder == nil || !m.Def.IsTag() || m.Def.Presence == markers.MayBe {
				return
			}
		}
		if s.holder != nil {
			p := *s.holder.Member(s.name)
			if c := ap.presenceTransition(member{cel.Self(), p}, member{cel.OldSelf(), p}, m); !c.cel.IsNone() {
				r := tagRule(m, c.cel, c.message, c.reason, pathTo(s.name))
				if p.Field != nil {
					r.Of = p.Field.At // dropped if another field hides this one
				}
				s.holder.Own.Rules = append(s.holder.Own.Rules, r)
			}
		}
		ap.applyOne(s.n, m, on)
		return
	}
	c, ok := ap.condition(s, m, on)
	if !ok || c.cel.IsNone() {
		return
	}
	ap.addSpotRule(s, m, c)
}

// changesPresence reports whether a marker of a path makes a field required that was not, or the other way round.
func changesPresence(s *spot, m *markers.Marker) bool {
	if s.holder == nil {
		return false
	}
	return (s.holder.Member(s.name).Required.V == "") == (m.Def.Presence == markers.MustBe)
}

// addSpotRule adds the rule that a condition on a spot makes.
func (ap Applier) addSpotRule(s *spot, m *markers.Marker, c condition) {
	if !c.presence {
		s.enterPart()
	}
	rule := c.cel
	for i := len(s.layers) - 1; i >= 0; i-- {
		rule = s.layers[i].around(rule)
	}
	r := tagRule(m, rule, c.message, c.reason, s.path)
	// The expression needs a bounded map, and users cannot bound maps of imported types.
	if s.keys && len(s.layers) == 1 && ap.Program.Owns(m.At) {
		r.Message.V = "a key " + c.message
		violating := cel.Negation(cel.Group(c.cel))
		first := cel.Self().Call("filter", cel.Ident("k"), violating).At(cel.Int(0))
		r.MessageExpression = schema.Text{
			V:  cel.Chain("+", cel.Text(`key "`), first, cel.Text(`" `+c.message)).String(),
			At: m.At,
		}
	}
	s.base.Own.Rules = append(s.base.Own.Rules, r)
}

// tagRule returns the rule that a marker becomes.
func tagRule(m *markers.Marker, rule cel.Expr, message, reason, path string) schema.Rule {
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
