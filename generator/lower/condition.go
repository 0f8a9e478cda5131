package lower

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	kubecel "k8s.io/apiserver/pkg/cel"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/schema"
)

// A condition is what a marker requires, as CEL, with the message for a value that does not satisfy it.
type condition struct {
	cel             expr
	message, reason string
	// presence is set if the condition is about the presence of the value.
	presence bool
}

// celLiteral is the literal of a scalar, as the type that a node has.
func celLiteral(v markers.Value, jsonType string) expr {
	switch {
	case v.Kind == markers.String:
		return celText(v.Text)
	case jsonType == "string":
		return celText(v.Text)
	case jsonType == "number" && !strings.ContainsAny(v.Text, ".eE"):
		return ident(v.Text + ".0")
	}
	return ident(v.Text)
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

// isSet is the CEL for a member that is set, as Kubernetes' declarative validation defines it: a pointer that is not
// nil, a list or a map that is not empty, a scalar that is not its zero value.
func (ap applier) isSet(m member) expr {
	if differs := ap.notZero(m.p.node, m.value()); !differs.isNone() {
		return and(has(m.value()), differs)
	}
	return has(m.value())
}

// notZero is the CEL for a present value that differs from the zero value of its Go type; no expression if being
// present is enough.
func (ap applier) notZero(n *node, value expr) (differs expr) {
	format := n.format()
	for n.over != nil {
		n = n.over
		format = cmp.Or(format, n.format())
	}
	zero := ap.flat.at(ap.reporter).zeroOf(n)
	switch t := n.jsonType(); {
	case t == "string" && format == "byte":
		return compare(size(value), ">", integer(0))
	case t == "string" && slices.Contains([]string{"date", "date-time", "datetime", "duration"}, format):
		return differs // an empty text does not have these formats
	case n.sort == sliceSort && (t == "array" || t == "object" || t == "string"):
		return compare(size(value), ">", integer(0))
	case n.sort != scalar || zero == nil || n.isIntOrString():
		return differs
	case zero.Kind == schema.Bool:
		return value
	case zero.Kind == schema.String:
		return compare(value, "!=", celText(zero.Text))
	case zero.Kind == schema.NumberKind && t == "integer":
		return compare(value, "!=", ident(zero.Text))
	case zero.Kind == schema.NumberKind:
		return compare(value, "!=", ident("0.0"))
	}
	return differs
}

// isInCEL reports whether CEL can name a member and read it, with a diagnostic if not: CEL does not see fields of any
// type.
func (ap applier) isInCEL(m *markers.Marker, name string, p *property) bool {
	_, canBeNamed := kubecel.Escape(name)
	switch {
	case !canBeNamed:
		ap.wrongTag(diag.Errorf(m.At, markerField,
			"%s becomes a CEL rule, and CEL cannot write the name %q", m.Def.Name, name).
			Help("rename the field: use letters, digits, _ - . and /, and do not begin with a digit"))
	case p != nil && p.node.jsonType() == "" && !p.node.isIntOrString() && !p.node.isUnknown():
		ap.wrongTag(diag.Errorf(m.At, markerField,
			"%s becomes a CEL rule, and CEL cannot read field %s, which has no type", m.Def.Name, name).
			Help("state the type of the field with +kubebuilder:validation:Type, or remove the marker"))
	default:
		return true
	}
	return false
}

// hasZero reports whether a present value can still count as unset.
func (ap applier) hasZero(n *node) bool { return !ap.notZero(n, self()).isNone() }

// equals is the CEL for a member with a value; an absent member has the zero value of its Go type.
func (ap applier) equals(m member, v markers.Value) expr {
	same := compare(m.value(), "==", celLiteral(v, m.p.node.jsonType()))
	if v.Kind == markers.Bool {
		same = m.value()
		if v.Text == "false" {
			same = not(same)
		}
	}
	isZero := v.Kind == markers.String && v.Text == "" || v.Kind == markers.Int && v.Text == "0" ||
		v.Kind == markers.Bool && v.Text == "false"
	switch {
	case m.p.required.V != "":
		return same
	case isZero && m.p.node.sort == scalar:
		return or(not(has(m.value())), same)
	}
	return and(has(m.value()), same)
}

// condition is what a marker requires of a spot that keywords cannot reach. It is empty for a marker that requires
// nothing there. It is not ok if the marker does not apply there, which has been reported.
func (ap applier) condition(s *spot, m *markers.Marker, on target) (c condition, ok bool) {
	row := ap.meaning(m)
	switch {
	case m.Def.Presence != markers.Unsaid:
		return ap.presence(s, m), true
	case row.change != nil:
		return ap.transition(s, m, on)
	case row.condition == nil:
		ap.wrongTag(ap.notInRule(m, s))
		return c, false
	case row.of != "" && !ap.ruledFits(s, m, on, row.of):
		return c, false
	}
	c, ok = row.condition(ap, s, m, on)
	if ok && row.of != "" {
		c.cel = ofEither(s, row.of, c.cel)
	}
	return c, ok
}

// ofEither is a condition on values of one JSON type if the value may be an integer or a string.
func ofEither(s *spot, jsonType string, test expr) expr {
	kind := ident("string")
	switch {
	case !s.n.isIntOrString():
		return test
	case jsonType == "number":
		kind = ident("int")
	}
	return or(compare(call("type", s.value), "!=", kind), test)
}

// notInRule reports a marker that has no equivalent in CEL.
func (ap applier) notInRule(m *markers.Marker, s *spot) diag.Diagnostic {
	where := "to some values only"
	if s.n == nil {
		where = "to the keys of a map"
	}
	return ap.reached(diag.Errorf(m.At, markerStep, "%s cannot apply %s: CEL has no equivalent", m.Def.Name, where).
		Help("write a rule with +kubebuilder:validation:XValidation"))
}

// notCorrelated reports a comparison with the value before an update if that value is ambiguous.
func (ap applier) notCorrelated(m *markers.Marker) diag.Diagnostic {
	return ap.reached(diag.Errorf(m.At, tagUncorrelated,
		"%s compares with the value before the update, which is ambiguous here: the marker applies to several values",
		m.Def.Name).
		Help("put the marker on a single value, such as the field or the item itself"))
}

// ruledFits is fits for a spot that has no node of its own, or one that only a rule reaches.
func (ap applier) ruledFits(s *spot, m *markers.Marker, on target, jsonType string) bool {
	if s.n != nil {
		return ap.fits(jsonType, s.n, m, on)
	}
	if jsonType != "string" {
		ap.wrongTag(ap.reached(diag.Errorf(m.At, markerType, "%s applies to %s; the keys of %s are strings",
			m.Def.Name, plural(jsonType), on.what()).
			Help("use MaxLength, MinLength, Pattern, Enum or a format for keys")))
		return false
	}
	return true
}

func (ap applier) patternCondition(s *spot, m *markers.Marker, _ target) (condition, bool) {
	pattern := m.Arg("").Text
	return condition{cel: s.value.call("matches", celText(pattern)), message: "must match " + pattern}, true
}

func (ap applier) maxBytes(s *spot, m *markers.Marker, _ target) (condition, bool) {
	limit := m.Arg("").Text
	return condition{cel: compare(size(call("bytes", s.value)), "<=", ident(limit)),
		message: "must be no more than " + limit + " bytes long"}, true
}

func (ap applier) formatCondition(s *spot, m *markers.Marker, _ target) (condition, bool) {
	f, ok := formatOf(m.Arg("").Text)
	if !ok {
		ap.report(unknownFormat(m.Arg(""), formatNames(formats())))
		return condition{}, false
	}
	return condition{cel: f.condition(s.value), message: "must be a valid " + f.name}, true
}

// bound is the literal of a bound, of the type that CEL compares with.
func (ap applier) bound(s *spot, m *markers.Marker) (literal expr, ok bool) {
	v := m.Arg("")
	exact := markers.Value{Kind: v.Kind, Text: schema.CanonicalNumber(v.Text)}
	if _, fits := exact.Int64(); !fits && (s.n.jsonType() == "integer" || s.n.isIntOrString()) {
		ap.wrongTag(diag.Errorf(v.At, markers.BadValue,
			"expected a 64-bit integer, which is what CEL compares here, got %s", v.Text).
			Help("write a number between -9223372036854775808 and 9223372036854775807"))
		return literal, false
	}
	return celLiteral(exact, s.n.jsonType()), true
}

func (ap applier) multipleOf(s *spot, m *markers.Marker, _ target) (c condition, ok bool) {
	bound, ok := ap.bound(s, m)
	if !ok {
		return c, false
	}
	if s.n.jsonType() != "integer" {
		ap.wrongTag(ap.notInRule(m, s))
		return c, false
	}
	test := compare(compare(s.value, "%", bound), "==", integer(0))
	return condition{cel: test, message: "must be a multiple of " + m.Arg("").Text}, true
}

func (ap applier) notEqual(s *spot, m *markers.Marker, _ target) (c condition, ok bool) {
	literals, shown, ok := ap.literals(s, m)
	if !ok {
		return c, false
	}
	return condition{cel: compare(s.value, "!=", literals[0]), message: "must not be equal to " + shown[0]}, true
}

func (ap applier) enumCondition(s *spot, m *markers.Marker, _ target) (c condition, ok bool) {
	literals, shown, ok := ap.literals(s, m)
	return oneOfLiterals(s, literals, shown), ok
}

func oneOfLiterals(s *spot, literals []expr, shown []string) condition {
	return condition{cel: compare(s.value, "in", list(literals...)),
		message: "must be one of " + strings.Join(shown, ", ")}
}

// literals are a marker's values in CEL, and as messages show them. It is not ok if the target cannot be equal to one,
// which has been reported.
func (ap applier) literals(s *spot, m *markers.Marker) (literals []expr, shown []string, ok bool) {
	jsonType := "string"
	if s.n != nil {
		jsonType = s.n.jsonType()
	}
	v := m.Arg("")
	list := []markers.Value{*v}
	if v.Kind == markers.List {
		list = v.Items
	}
	for i := range list {
		either := s.n.isIntOrString() && (list[i].Kind == markers.String || list[i].Kind == markers.Int)
		if !either && !literalFits(jsonType, list[i]) {
			ap.wrongTag(wrongLiteral(&list[i], jsonType, m.Def.Name))
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
func (ap applier) constantsCondition(s *spot, m *markers.Marker, on target) (c condition, ok bool) {
	values, ok := ap.constantValues(m, on)
	if !ok || len(values) == 0 {
		return c, false
	}
	var literals []expr
	var shown []string
	for _, v := range values {
		literals = append(literals, celText(v.Text))
		shown = append(shown, strconv.Quote(v.Text))
	}
	c = oneOfLiterals(s, literals, shown)
	c.cel = ofEither(s, "string", c.cel)
	return c, true
}

// comparesOld matches a rule that compares with the value before an update.
var comparesOld = regexp.MustCompile(`\boldSelf\b`)

// ruleCondition is a rule that is written out. A macro over a list with only the spot makes the spot its self.
func (ap applier) ruleCondition(s *spot, m *markers.Marker, _ target) (c condition, ok bool) {
	for _, arg := range m.Args {
		if slices.Contains([]string{"messageExpression", "fieldPath", "optionalOldSelf"}, arg.Name) {
			ap.wrongTag(diag.Errorf(arg.NameAt, markerStep, "a rule for keys or for some values only cannot have %s",
				arg.Name).
				Help("use only rule, message and reason, or put the rule on the field or type itself"))
			return c, false
		}
	}
	if comparesOld.MatchString(m.Arg("rule").Text) {
		ap.wrongTag(ap.notCorrelated(m))
		return c, false
	}
	rule := m.Arg("rule").Text
	c = condition{
		cel: written(rule), reason: textOf(m.Arg("reason")).V,
		message: "failed rule: " + strings.Join(strings.Fields(rule), " "),
	}
	if s.value.String() != "self" {
		if strings.Contains(rule, "//") {
			c.cel = written(rule + "\n") // so that a comment does not hide the parenthesis
		}
		c.cel = list(s.value).all("self", c.cel)
	}
	if message := m.Arg("message"); message != nil {
		c.message = message.Text
	}
	return c, true
}

// presence is the condition of a tag that makes a member required, optional or forbidden.
func (ap applier) presence(s *spot, m *markers.Marker) (c condition) {
	if m.Def.Presence == markers.MayBe {
		return c // all other tags apply only to present values
	}
	if s.member == nil {
		ap.wrongTag(presenceOfElement(m))
		return c
	}
	c = condition{cel: ap.isSet(*s.member), message: s.member.p.name + " must be specified",
		reason:   "FieldValueRequired",
		presence: true}
	if m.Def.Presence == markers.MustNotBe {
		c.cel, c.message, c.reason = not(c.cel), s.member.p.name+" may not be specified", "FieldValueForbidden"
	}
	return c
}

func presenceOfElement(m *markers.Marker) diag.Diagnostic {
	return diag.Errorf(m.At, markerStep, "%s applies to fields; this is an element of a list or a map", m.Def.Name).
		Help("put it on a field, or after +k8s:subfield")
}

// wrongLiteral reports a value to compare with that has another type than the compared value; whose names the marker or
// the key.
func wrongLiteral(v *markers.Value, jsonType, whose string) diag.Diagnostic {
	d := diag.Errorf(v.At, markerLiteral, "expected %s for %s, got %s", typePhrase(jsonType), whose, v.At.Text())
	switch {
	case jsonType == "string" && v.Text != "":
		return d.Help("put it in quotes: %q", v.Text)
	case jsonType == "integer":
		return d.Help("write a whole number, such as 5")
	case jsonType == "number":
		return d.Help("write a number, such as 0.5")
	case jsonType == "boolean":
		return d.Help("write true, or write false")
	}
	return d
}
