package lower

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	kubecel "k8s.io/apiserver/pkg/cel"

	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/markers"
)

// A condition is what a marker demands, as CEL, with what a user reads where it does not hold.
type condition struct {
	cel, message, reason string
	// presence is set where the condition asks whether the value is there.
	presence bool
}

// operand makes a condition one that any operator can stand beside.
func operand(cel string) string {
	if strings.Contains(cel, " ") {
		return "(" + cel + ")"
	}
	return cel
}

// operandOfAnd makes a condition one that can stand beside "&&".
func operandOfAnd(cel string) string {
	if strings.Contains(cel, " || ") || strings.Contains(cel, " ? ") {
		return "(" + cel + ")"
	}
	return cel
}

// not is the contrary of a condition.
func not(cel string) string {
	for _, pair := range [][2]string{{" == ", " != "}, {" != ", " == "}, {" > ", " <= "}} {
		if strings.Contains(cel, pair[0]) && strings.Count(cel, " ") == 2 {
			return strings.Replace(cel, pair[0], pair[1], 1)
		}
	}
	return "!" + operand(cel)
}

// operandOfOr makes a condition one that can stand behind "||".
func operandOfOr(cel string) string {
	if strings.Contains(cel, " ? ") || strings.Contains(cel, " && ") {
		return "(" + cel + ")"
	}
	return cel
}

// celText is a string literal of CEL.
func celText(s string) string {
	quoted := strconv.Quote(s)
	inner := strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
	return "'" + strings.ReplaceAll(inner, "'", `\'`) + "'"
}

// celLiteral is the literal of a scalar, as the type that a node has.
func celLiteral(v markers.Value, jsonType string) string {
	switch {
	case v.Kind == markers.String:
		return celText(v.Text)
	case jsonType == "string":
		return celText(v.Text)
	case jsonType == "number" && !strings.ContainsAny(v.Text, ".eE"):
		return v.Text + ".0"
	}
	return v.Text
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

// isSet is the CEL for a member that is set, as Kubernetes' declarative validation has it: a pointer that is not nil, a
// list or a map that is not empty, a scalar that is not its zero value.
func (b *builder) isSet(m member) string {
	has := "has(" + m.value() + ")"
	if differs := b.notZero(m.p.node, m.value()); differs != "" {
		return has + " && " + differs
	}
	return has
}

// notZero is the CEL for a value that is there not being the zero value of its Go type, "" where being there is enough.
func (b *builder) notZero(n *node, value string) string {
	format := n.format()
	for n.over != nil {
		n = n.over
		format = cmp.Or(format, n.format())
	}
	zero := b.flattener().zeroOf(n)
	switch t := n.jsonType(); {
	case t == "string" && format == "byte":
		return "size(" + value + ") > 0"
	case t == "string" && slices.Contains([]string{"date", "date-time", "datetime", "duration"}, format):
		return "" // an empty text is none of these
	case n.sort == sliceSort && (t == "array" || t == "object" || t == "string"):
		return "size(" + value + ") > 0"
	case n.sort != scalar || zero == nil || n.isIntOrString():
		return ""
	case zero.Kind == schema.Bool:
		return value
	case zero.Kind == schema.String:
		return value + " != " + celText(zero.Text)
	case zero.Kind == schema.NumberKind && t == "integer":
		return value + " != " + zero.Text
	case zero.Kind == schema.NumberKind:
		return value + " != 0.0"
	}
	return ""
}

// isInCEL reports whether CEL can name a member and see it, and says so if not: of what may be anything it sees nothing.
func (b *builder) isInCEL(m *markers.Marker, name string, p *property) bool {
	_, canBeNamed := kubecel.Escape(name)
	switch {
	case !canBeNamed:
		b.wrongTag(notNamedInCEL(m, name))
	case p != nil && p.node.jsonType() == "" && !p.node.isIntOrString() && !p.node.isUnknown():
		b.wrongTag(notSeenByCEL(m, name))
	default:
		return true
	}
	return false
}

// hasZero reports whether a value that is there can still be as good as absent.
func (b *builder) hasZero(n *node) bool { return b.notZero(n, "self") != "" }

// equals is the CEL for a member having a value, where one that is absent has the zero value of its Go type.
func (b *builder) equals(m member, v markers.Value) string {
	same := m.value() + " == " + celLiteral(v, m.p.node.jsonType())
	if v.Kind == markers.Bool {
		same = m.value()
		if v.Text == "false" {
			same = "!" + same
		}
	}
	isZero := v.Kind == markers.String && v.Text == "" || v.Kind == markers.Int && v.Text == "0" || v.Kind == markers.Bool && v.Text == "false"
	switch {
	case m.p.required.V != "":
		return same
	case isZero && m.p.node.sort == scalar:
		return "!has(" + m.value() + ") || " + same
	}
	return "has(" + m.value() + ") && " + same
}

// condition is what a marker demands of a spot that keywords cannot reach. It is empty for a marker that demands nothing
// there, and not ok where the marker cannot stand there, which has been reported.
func (b *builder) condition(s *spot, m *markers.Marker, on target) (c condition, ok bool) {
	if c, isPresence := b.presence(s, m); isPresence {
		return c, true
	}
	if c, isUpdate, ok := b.transition(s, m, on); isUpdate {
		return c, ok
	}
	name := strings.TrimPrefix(strings.TrimPrefix(m.Def.Name, validationPrefix), "k8s:")
	c, ok = b.keywordCondition(name, s, m, on)
	if ok && s.n.isIntOrString() && name != "neq" && name != "Enum" && name != "XValidation" {
		kind := "string"
		if strings.HasSuffix(strings.ToLower(name), "imum") || name == "MultipleOf" {
			kind = "int"
		}
		c.cel = "type(" + s.value + ") != " + kind + " || " + c.cel
	}
	return c, ok
}

// keywordCondition is the condition that a keyword would be.
func (b *builder) keywordCondition(name string, s *spot, m *markers.Marker, on target) (c condition, ok bool) {
	v := m.Arg("")
	switch name {
	case "MaxLength", "maxLength", "MinLength", "minLength", "maxBytes", "Pattern", "format":
		if !b.ruledFits(s, m, on, "string") {
			return c, false
		}
		return b.textCondition(name, s.value, v), true
	case "MaxItems", "maxItems", "MinItems", "minItems":
		if !b.ruledFits(s, m, on, "array") {
			return c, false
		}
		return sizeCondition(name, s.value, v, "items"), true
	case "MaxProperties", "maxProperties", "MinProperties", "minProperties":
		if !b.ruledFits(s, m, on, "object") {
			return c, false
		}
		return sizeCondition(name, s.value, v, "entries"), true
	case "Maximum", "maximum", "Minimum", "minimum", "MultipleOf":
		if !b.ruledFits(s, m, on, "number") {
			return c, false
		}
		return b.numberCondition(name, s, m)
	case "enum":
		return b.constantsCondition(s, m, on)
	case "Enum", "neq":
		return b.valueCondition(name, s, m, on)
	case "XValidation":
		return b.ruleCondition(s.value, m)
	}
	b.wrongTag(b.notInRule(m, s))
	return c, false
}

// ruledFits is fits for a spot that has no node of its own, or one that only a rule reaches.
func (b *builder) ruledFits(s *spot, m *markers.Marker, on target, jsonType string) bool {
	if s.n != nil {
		return b.fits(jsonType, s.n, m, on)
	}
	if jsonType != "string" {
		b.wrongTag(b.notForKeys(m, jsonType, on))
		return false
	}
	return true
}

func (b *builder) textCondition(name, value string, v *markers.Value) condition {
	switch name {
	case "Pattern":
		return condition{cel: value + ".matches(" + celText(v.Text) + ")", message: "must match " + v.Text}
	case "maxBytes":
		return condition{
			cel:     "size(bytes(" + value + ")) <= " + v.Text,
			message: "must be no more than " + v.Text + " bytes long",
		}
	case "format":
		f, ok := formatOf(v.Text)
		if !ok {
			panic("crdproof: format " + v.Text + " is in the table but has no meaning")
		}
		return condition{cel: f.condition(value), message: "must be a valid " + f.name}
	}
	return sizeCondition(name, value, v, "characters")
}

func sizeCondition(name, value string, v *markers.Value, unit string) condition {
	if strings.HasPrefix(strings.ToLower(name), "max") {
		return condition{cel: "size(" + value + ") <= " + v.Text, message: "must have no more than " + v.Text + " " + unit}
	}
	return condition{cel: "size(" + value + ") >= " + v.Text, message: "must have at least " + v.Text + " " + unit}
}

func (b *builder) numberCondition(name string, s *spot, m *markers.Marker) (condition, bool) {
	v := m.Arg("")
	literal := markers.Value{Kind: v.Kind, Text: exactNumber(*v)}
	bound := celLiteral(literal, s.n.jsonType())
	if _, fits := literal.Int64(); !fits && (s.n.jsonType() == "integer" || s.n.isIntOrString()) {
		b.wrongTag(beyondCEL(v))
		return condition{}, false
	}
	switch strings.ToLower(name) {
	case "maximum":
		return condition{cel: s.value + " <= " + bound, message: "must be no more than " + v.Text}, true
	case "minimum":
		return condition{cel: s.value + " >= " + bound, message: "must be at least " + v.Text}, true
	}
	if s.n.jsonType() != "integer" {
		b.wrongTag(b.notInRule(m, s))
		return condition{}, false
	}
	return condition{cel: s.value + " % " + bound + " == 0", message: "must be a multiple of " + v.Text}, true
}

// valueCondition compares with literals.
func (b *builder) valueCondition(name string, s *spot, m *markers.Marker, on target) (c condition, ok bool) {
	jsonType := "string"
	if s.n != nil {
		jsonType = s.n.jsonType()
	}
	v := m.Arg("")
	list := []markers.Value{*v}
	if v.Kind == markers.List {
		list = v.Items
	}
	var literals, shown []string
	for i := range list {
		either := s.n.isIntOrString() && (list[i].Kind == markers.String || list[i].Kind == markers.Int)
		if !either && !literalFits(jsonType, list[i]) {
			b.wrongTag(wrongLiteral(&list[i], jsonType, "marker "+m.Def.Name))
			return c, false
		}
		literals = append(literals, celLiteral(list[i], jsonType))
		text := list[i].Text
		if list[i].Kind == markers.String {
			text = strconv.Quote(text)
		}
		shown = append(shown, text)
	}
	if name == "neq" {
		return condition{cel: s.value + " != " + literals[0], message: "must not be equal to " + shown[0]}, true
	}
	return condition{
		cel:     s.value + " in [" + strings.Join(literals, ", ") + "]",
		message: "must be one of " + strings.Join(shown, ", "),
	}, true
}

// constantsCondition compares with the constants of the type that k8s:enum stands on.
func (b *builder) constantsCondition(s *spot, m *markers.Marker, on target) (c condition, ok bool) {
	values, ok := b.constantValues(m, on)
	if !ok || len(values) == 0 {
		return c, false
	}
	var literals, shown []string
	for _, v := range values {
		literals = append(literals, celText(v.Value.Text))
		shown = append(shown, strconv.Quote(v.Value.Text))
	}
	return condition{cel: s.value + " in [" + strings.Join(literals, ", ") + "]", message: "must be one of " + strings.Join(shown, ", ")}, true
}

// oldSelf matches a rule that compares with the value before an update.
var oldSelf = regexp.MustCompile(`\boldSelf\b`)

// ruleCondition is a rule that is written out. Its self is the spot, which a macro over a list of it alone makes so.
func (b *builder) ruleCondition(value string, m *markers.Marker) (c condition, ok bool) {
	for _, arg := range m.Args {
		if slices.Contains([]string{"messageExpression", "fieldPath", "optionalOldSelf"}, arg.Name) {
			b.wrongTag(notOfElement(&arg))
			return c, false
		}
	}
	if oldSelf.MatchString(m.Arg("rule").Text) {
		b.wrongTag(b.notCorrelated(m, nil))
		return c, false
	}
	c = condition{cel: m.Arg("rule").Text, message: "failed rule: " + strings.Join(strings.Fields(m.Arg("rule").Text), " ")}
	if value != "self" {
		end := ""
		if strings.Contains(c.cel, "//") {
			end = "\n" // lest a comment swallow the parenthesis
		}
		c.cel = fmt.Sprintf("[%s].all(self, %s%s)", value, c.cel, end)
	}
	if message := m.Arg("message"); message != nil {
		c.message = message.Text
	}
	if reason := m.Arg("reason"); reason != nil {
		c.reason = reason.Text
	}
	return c, true
}

// A saidPresence is what a marker says of a field's being there.
type saidPresence uint8

const (
	unsaid saidPresence = iota
	mayBe
	mustBe
	mustNotBe
)

// presenceOf returns what a marker of a name says of a field's being there.
func presenceOf(name string) saidPresence {
	switch name {
	case markK8sOptional, "optional", markKBOptional:
		return mayBe
	case markK8sRequired, "required", markKBRequired:
		return mustBe
	case markK8sForbidden:
		return mustNotBe
	}
	return unsaid
}

// presence is the condition of a tag that says whether a member has to be there.
func (b *builder) presence(s *spot, m *markers.Marker) (c condition, isPresence bool) {
	said := presenceOf(m.Def.Name)
	switch said {
	case unsaid:
		return c, false
	case mayBe:
		return c, true // what else the tags say holds only for what is there
	}
	if s.member == nil {
		b.wrongTag(presenceOfElement(m))
		return condition{}, true
	}
	c = condition{cel: b.isSet(*s.member), message: s.member.p.name + " must be specified", reason: "FieldValueRequired", presence: true}
	if said == mustNotBe {
		c.cel, c.message, c.reason = not(c.cel), s.member.p.name+" may not be specified", "FieldValueForbidden"
	}
	return c, true
}
