package apply

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	kubecel "k8s.io/apiserver/pkg/cel"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/lower/internal/cel"
	"github.com/crdproof/crdproof/generator/lower/internal/checks"
	"github.com/crdproof/crdproof/generator/lower/internal/node"
	"github.com/crdproof/crdproof/generator/lower/internal/read"
	"github.com/crdproof/crdproof/generator/lower/internal/report"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/schema"
)

// A condition is what a marker requires, as CEL, with the message for a value that does not satisfy it.
type condition struct {
	cel             cel.Expr
	message, reason string
	// presence is set if the condition is about the presence of the value.
	presence bool
}

// celLiteral returns the literal of a scalar, as the type that a node has.
func celLiteral(v markers.Value, jsonType string) cel.Expr {
	switch {
	case v.Kind == markers.String:
		return cel.Text(v.Text)
	case jsonType == "string":
		return cel.Text(v.Text)
	case jsonType == "number" && !strings.ContainsAny(v.Text, ".eE"):
		return cel.Ident(v.Text + ".0")
	}
	return cel.Ident(v.Text)
}

// literalFits reports whether a value of a JSON type can be equal to a literal.
func literalFits(jsonType string, v markers.Value) bool {
	switch v.Kind {
	case markers.String:
		return jsonType == "string"
	case markers.Bool:
		return jsonType == "boolean"
	case markers.Int:
		return jsonType == "integer" || jsonType == "number"
	case markers.Number:
		return jsonType == "number"
	}
	return false
}

// isSet returns the CEL for a member that is set, as Kubernetes' declarative validation defines it: a pointer that is
// not nil, a list or a map that is not empty, a scalar that is not its zero value.
func (ap Applier) isSet(m member) cel.Expr {
	if differs := ap.notZero(m.p.Node, m.value()); !differs.IsNone() {
		return cel.And(cel.Has(m.value()), differs)
	}
	return cel.Has(m.value())
}

// notZero returns the CEL for a present value that differs from the zero value of its Go type; no expression if being
// present is enough.
func (ap Applier) notZero(n *node.Node, value cel.Expr) (differs cel.Expr) {
	format := n.Format()
	for n.Over != nil {
		n = n.Over
		format = cmp.Or(format, n.Format())
	}
	zero := ap.Flat.At(ap.Reporter).ZeroOf(n)
	switch t := n.JSONType(); {
	case t == "string" && format == "byte":
		return cel.Compare(cel.Size(value), ">", cel.Int(0))
	case t == "string" && slices.Contains([]string{"date", "date-time", "datetime", "duration"}, format):
		return differs // an empty text does not have these formats
	case n.Sort == node.SliceSort && (t == "array" || t == "object" || t == "string"):
		return cel.Compare(cel.Size(value), ">", cel.Int(0))
	case n.Sort != node.ScalarSort || zero == nil || n.IsIntOrString():
		return differs
	case zero.Kind == schema.Bool:
		return value
	case zero.Kind == schema.String:
		return cel.Compare(value, "!=", cel.Text(zero.Text))
	case zero.Kind == schema.NumberKind && t == "integer":
		return cel.Compare(value, "!=", cel.Ident(zero.Text))
	case zero.Kind == schema.NumberKind:
		return cel.Compare(value, "!=", cel.Ident("0.0"))
	}
	return differs
}

// isInCEL reports whether CEL can name a member and read it, with a diagnostic if not: CEL does not see fields of any
// type.
func (ap Applier) isInCEL(m *markers.Marker, name string, p *node.Property) bool {
	_, canBeNamed := kubecel.Escape(name)
	switch {
	case !canBeNamed:
		ap.WrongTag(diag.Errorf(m.At, checks.MarkerField,
			"%s becomes a CEL rule, and CEL cannot write the name %q", m.Def.Name, name).
			Help("rename the field: use letters, digits, _ - . and /, and do not begin with a digit"))
	case p != nil && p.Node.JSONType() == "" && !p.Node.IsIntOrString() && !p.Node.IsUnknown() &&
		!p.Node.IsUndefined():
		ap.WrongTag(diag.Errorf(m.At, checks.MarkerField,
			"%s becomes a CEL rule, and CEL cannot read field %s, which has no type", m.Def.Name, name).
			Help("state the type of the field with +kubebuilder:validation:Type, or remove the marker"))
	default:
		return true
	}
	return false
}

// hasZero reports whether a present value can still count as unset.
func (ap Applier) hasZero(n *node.Node) bool { return !ap.notZero(n, cel.Self()).IsNone() }

// equals returns the CEL for a member with a value; an absent member has the zero value of its Go type.
func (ap Applier) equals(m member, v markers.Value) cel.Expr {
	same := cel.Compare(m.value(), "==", celLiteral(v, m.p.Node.JSONType()))
	if v.Kind == markers.Bool {
		same = m.value()
		if v.Text == "false" {
			same = cel.Not(same)
		}
	}
	isZero := v.Kind == markers.String && v.Text == "" || v.Kind == markers.Int && v.Text == "0" ||
		v.Kind == markers.Bool && v.Text == "false"
	switch {
	case m.p.Required.V != "":
		return same
	case isZero && m.p.Node.Sort == node.ScalarSort:
		return cel.Or(cel.Not(cel.Has(m.value())), same)
	}
	return cel.And(cel.Has(m.value()), same)
}

// condition returns what a marker requires of a spot that keywords cannot reach. It is empty for a marker that requires
// nothing there. It is not ok if the marker does not apply there, which has been reported.
func (ap Applier) condition(s *spot, m *markers.Marker, on node.Target) (c condition, ok bool) {
	row := ap.meaningOn(s.n, m)
	switch {
	case m.Def.Presence != markers.Unsaid:
		return ap.presence(s, m), true
	case row.change != nil:
		return ap.transition(s, m, on)
	case row.condition == nil:
		ap.WrongTag(ap.notInRule(m, s))
		return c, false
	case row.jsonType != "" && !ap.ruledFits(s, m, on, row.jsonType):
		return c, false
	}
	c, ok = row.condition(ap, s, m, on)
	if ok && row.jsonType != "" {
		c.cel = ofEither(s, row.jsonType, c.cel)
	}
	return c, ok
}

// ofEither returns a condition on values of one JSON type if the value may be an integer or a string.
func ofEither(s *spot, jsonType string, test cel.Expr) cel.Expr {
	kind := cel.Ident("string")
	switch {
	case !s.n.IsIntOrString():
		return test
	case jsonType == "number":
		kind = cel.Ident("int")
	}
	return cel.Or(cel.Compare(cel.Call("type", s.value), "!=", kind), test)
}

// notInRule reports a marker that has no equivalent in CEL.
func (ap Applier) notInRule(m *markers.Marker, s *spot) diag.Diagnostic {
	where := "to some values only"
	if s.n == nil {
		where = "to the keys of a map"
	}
	return ap.Reached(diag.Errorf(m.At, checks.MarkerStep, "%s cannot apply %s: CEL has no equivalent", m.Def.Name,
		where).
		Help("write a rule with +kubebuilder:validation:XValidation"))
}

// notCorrelated reports a comparison with the value before an update if that value is ambiguous.
func (ap Applier) notCorrelated(m *markers.Marker) diag.Diagnostic {
	return ap.Reached(diag.Errorf(m.At, checks.TagUncorrelated,
		"%s compares with the value before the update, which is ambiguous here: the marker applies to several values",
		m.Def.Name).
		Help("put the marker on a single value, such as the field or the item itself"))
}

// ruledFits does what fits does for a spot that has no node of its own, or one that only a rule reaches.
func (ap Applier) ruledFits(s *spot, m *markers.Marker, on node.Target, jsonType string) bool {
	if s.n != nil {
		return ap.fits(jsonType, s.n, m, on)
	}
	if jsonType != "string" {
		ap.WrongTag(ap.Reached(diag.Errorf(m.At, checks.MarkerType, "%s applies to %s; the keys of %s are strings",
			m.Def.Name, report.Plural(jsonType), on.What()).
			Help("use MaxLength, MinLength, Pattern, Enum or a format for keys")))
		return false
	}
	return true
}

func (ap Applier) patternCondition(s *spot, m *markers.Marker, _ node.Target) (condition, bool) {
	pattern := m.Arg("").Text
	return condition{cel: s.value.Call("matches", cel.Text(pattern)), message: "must match " + pattern}, true
}

func (ap Applier) maxBytes(s *spot, m *markers.Marker, _ node.Target) (condition, bool) {
	limit := m.Arg("").Text
	return condition{cel: cel.Compare(cel.Size(cel.Call("bytes", s.value)), "<=", cel.Ident(limit)),
		message: "must be no more than " + limit + " bytes long"}, true
}

func (ap Applier) formatCondition(s *spot, m *markers.Marker, _ node.Target) (condition, bool) {
	f, ok := ap.formatOf(m)
	if !ok {
		return condition{}, false
	}
	return condition{cel: f.Condition(s.value), message: f.Message()}, true
}

// bound returns the literal of a bound, of the type that CEL compares with.
func (ap Applier) bound(s *spot, m *markers.Marker) (literal cel.Expr, ok bool) {
	v, ok := ap.numeral(s.n, m)
	if !ok {
		return literal, false
	}
	exact := markers.Value{Kind: v.Kind, Text: schema.CanonicalNumber(v.Text)}
	if _, fits := exact.Int64(); !fits && (s.n.JSONType() == "integer" || s.n.IsIntOrString()) {
		ap.WrongTag(diag.Errorf(v.At, markers.BadValue,
			"expected a 64-bit integer, which is what CEL compares here, got %s", v.Text).
			Help("write a number between -9223372036854775808 and 9223372036854775807"))
		return literal, false
	}
	return celLiteral(exact, s.n.JSONType()), true
}

func (ap Applier) multipleOf(s *spot, m *markers.Marker, _ node.Target) (c condition, ok bool) {
	bound, ok := ap.bound(s, m)
	if !ok {
		return c, false
	}
	if s.n.JSONType() != "integer" {
		ap.WrongTag(ap.notInRule(m, s))
		return c, false
	}
	test := cel.Compare(cel.Compare(s.value, "%", bound), "==", cel.Int(0))
	return condition{cel: test, message: "must be a multiple of " + m.Arg("").Text}, true
}

func (ap Applier) equal(s *spot, m *markers.Marker, _ node.Target) (c condition, ok bool) {
	literals, shown, ok := ap.literals(s, m)
	if !ok {
		return c, false
	}
	return condition{cel: cel.Compare(s.value, "==", literals[0]), message: "must be equal to " + shown[0]}, true
}

func (ap Applier) notEqual(s *spot, m *markers.Marker, _ node.Target) (c condition, ok bool) {
	literals, shown, ok := ap.literals(s, m)
	if !ok {
		return c, false
	}
	return condition{cel: cel.Compare(s.value, "!=", literals[0]), message: "must not be equal to " + shown[0]}, true
}

func (ap Applier) enumCondition(s *spot, m *markers.Marker, _ node.Target) (c condition, ok bool) {
	literals, shown, ok := ap.literals(s, m)
	return oneOfLiterals(s, literals, shown), ok
}

func oneOfLiterals(s *spot, literals []cel.Expr, shown []string) condition {
	return condition{cel: cel.Compare(s.value, "in", cel.List(literals...)),
		message: "must be one of " + strings.Join(shown, ", ")}
}

// literals returns a marker's values in CEL, and as messages show them. It is not ok if the target cannot be equal to
// one, which has been reported.
func (ap Applier) literals(s *spot, m *markers.Marker) (literals []cel.Expr, shown []string, ok bool) {
	jsonType := "string"
	if s.n != nil {
		jsonType = s.n.JSONType()
	}
	v := m.Arg("")
	list := []markers.Value{*v}
	if v.Kind == markers.List {
		list = v.Items
	}
	for i := range list {
		either := s.n.IsIntOrString() && (list[i].Kind == markers.String || list[i].Kind == markers.Int)
		if !either && !literalFits(jsonType, list[i]) {
			ap.WrongTag(wrongLiteral(&list[i], jsonType, m.Def.Name))
			return nil, nil, false
		}
		literals = append(literals, celLiteral(list[i], jsonType))
		text := list[i].Text
		if list[i].Kind == markers.String {
			text = strconv.Quote(text)
		}
		shown = append(shown, text)
	}
	return literals, shown, true
}

// constantsCondition compares with the constants of the type that k8s:enum is on.
func (ap Applier) constantsCondition(s *spot, m *markers.Marker, on node.Target) (c condition, ok bool) {
	values, ok := ap.constantValues(m, on)
	if !ok || len(values) == 0 {
		return c, false
	}
	var literals []cel.Expr
	var shown []string
	for _, v := range values {
		literals = append(literals, cel.Text(v.Text))
		shown = append(shown, strconv.Quote(v.Text))
	}
	c = oneOfLiterals(s, literals, shown)
	c.cel = ofEither(s, "string", c.cel)
	return c, true
}

// comparesOld matches a rule that compares with the value before an update.
var comparesOld = regexp.MustCompile(`\boldSelf\b`)

// ruleCondition returns a rule that is written out. A macro over a list with only the spot makes the spot its self.
func (ap Applier) ruleCondition(s *spot, m *markers.Marker, _ node.Target) (c condition, ok bool) {
	for _, arg := range m.Args {
		if slices.Contains([]string{"messageExpression", "fieldPath", "optionalOldSelf"}, arg.Name) {
			ap.WrongTag(diag.Errorf(arg.NameAt, checks.MarkerStep,
				"a rule for keys or for some values only cannot have %s", arg.Name).
				Help("use only rule, message and reason, or put the rule on the field or type itself"))
			return c, false
		}
	}
	if comparesOld.MatchString(m.Arg("rule").Text) {
		ap.WrongTag(ap.notCorrelated(m))
		return c, false
	}
	rule := m.Arg("rule").Text
	c = condition{
		cel: cel.Written(rule), reason: read.TextOf(m.Arg("reason")).V,
		message: "failed rule: " + strings.Join(strings.Fields(rule), " "),
	}
	if s.value.String() != "self" {
		if strings.Contains(rule, "//") {
			c.cel = cel.Written(rule + "\n") // so that a comment does not hide the parenthesis
		}
		c.cel = cel.List(s.value).All("self", c.cel)
	}
	if message := m.Arg("message"); message != nil {
		c.message = message.Text
	}
	return c, true
}

// presence returns the condition of a tag that makes a member required, optional or forbidden.
func (ap Applier) presence(s *spot, m *markers.Marker) (c condition) {
	if m.Def.Presence == markers.MayBe {
		return c // all other tags apply only to present values
	}
	if s.member == nil {
		ap.WrongTag(presenceOfElement(m))
		return c
	}
	c = condition{cel: ap.isSet(*s.member), message: detail(m, s.member.p.Name+" must be specified"),
		reason:   "FieldValueRequired",
		presence: true}
	if m.Def.Presence == markers.MustNotBe {
		c.cel, c.message = cel.Not(c.cel), detail(m, s.member.p.Name+" may not be specified")
		c.reason = "FieldValueForbidden"
	}
	return c
}

func presenceOfElement(m *markers.Marker) diag.Diagnostic {
	return diag.Errorf(m.At, checks.MarkerStep, "%s applies to fields; this is an element of a list or a map",
		m.Def.Name).
		Help("put it on a field, or after +k8s:subfield")
}

// wrongLiteral reports a value to compare with that has another type than the compared value; whose names the marker or
// the key.
func wrongLiteral(v *markers.Value, jsonType, whose string) diag.Diagnostic {
	d := diag.Errorf(v.At, checks.MarkerLiteral, "expected %s for %s, got %s", report.TypePhrase(jsonType), whose,
		v.At.Text())
	switch {
	case jsonType == "string" && v.Text != "":
		return d.Help("put it in quotes: %q", v.Written()).Do(diag.Replace, strconv.Quote(v.Written()))
	case jsonType == "integer":
		return d.Help("write a whole number, such as 5")
	case jsonType == "number":
		return d.Help("write a number, such as 0.5")
	case jsonType == "boolean":
		return d.Help("write true, or write false")
	}
	return d
}
