package structural

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/rules/kube"
)

// This file holds the texts of findings about defaults, bounds, enums and rules.

func valueText(v schema.Value) string {
	text := string(kube.AppendJSON(nil, v))
	const most = 60
	if len(text) > most {
		return text[:most] + "…"
	}
	return text
}

func (n *node) forbiddenDefault(field string, isRoot bool) finding {
	f := finding{
		at: n.at(n.s.Default.At), path: n.key("default"), message: "there are no defaults in " + field + " of an object", help: "remove " + n.write().Name("default"),
	}
	if !isRoot {
		f.message = "there are no defaults in the values of maps in " + field
	}
	return f
}

// inMap is what follows from a bad default in the value of a map.
const inMap = "; API servers fill it in without looking, and then refuse the object"

// finding says what is wrong with a default.
func (b *badDefault) finding(consequence string) finding {
	f := finding{at: b.at(b.s.Default.At), path: b.err.Field, also: b.also}
	subject := "default " + valueText(b.s.Default.Value)
	if in := strings.TrimPrefix(b.inside, "."); in != "" {
		subject = in + " of the default"
	}
	switch err, rule := b.err, b.failedRule(); {
	case rule != nil:
		f.message, f.related = subject+" fails a rule: "+strings.TrimPrefix(err.Detail, failedRule), related(nearestRule(rule), "the rule")
		f.help = "give a default that the rule permits, or let the rule permit this one"
	case strings.HasPrefix(err.Detail, compileError):
		f.message, f.help = subject+" cannot be held against the rules, since one of them does not compile", "correct the rule"
	case err.Type == field.ErrorTypeRequired:
		f.message, f.help = b.lacksRequired()
	case err.Detail == hasUnknownFields:
		f.message, f.help = b.hasUnknown()
	case err.Type == field.ErrorTypeNotSupported:
		f.message, f.help = subject+" is not a value of the enum", b.nearEnum()
	case err.Type == field.ErrorTypeTypeInvalid || b.isTypeError():
		f.message, f.help = b.wrongType()
		f.message = subject + f.message
	case err.Type == field.ErrorTypeTooLong && b.schemaInside() != nil && b.schemaInside().MaxLength != nil:
		f.message, f.help = fmt.Sprintf("%s has more than %s characters", subject, intText(b.schemaInside().MaxLength)), "give a shorter one"
	case err.Type == field.ErrorTypeTooLong, err.Type == field.ErrorTypeTooMany:
		f.message, f.help = subject+" is refused: "+lowerFirst(err.ErrorBody()), "give a shorter one"
	default:
		f.message, f.help = subject+" is refused: it "+inBody(err), "give a value that the schema permits"
	}
	f.message += consequence
	return f
}

func nearestRule(r *schema.Rule) diag.Span {
	if r.Rule.At.IsValid() {
		return r.Rule.At
	}
	return r.At
}

// wrongType speaks of a value that has another type than its schema, or not the format of it, which the API server tells in
// the same words.
func (b *badDefault) wrongType() (message, help string) {
	s, v := b.schemaInside(), b.valueInside()
	switch {
	case s == nil || v == nil:
		return fmt.Sprintf(" is not %s, but %s", b.wantedType(), kindPhrase(b.err)), "give a value of the type"
	case v.Kind == schema.String && s.Format.V != "" && (s.Type.V == "string" || s.Type.V == ""):
		return " does not have the format " + s.Format.V, formatHelp(s.Format.V)
	case s.Type.V == "integer" && isBeyond(*v):
		return " is beyond the integers of 64 bits", "give a smaller number, or use a string"
	case s.Type.V == "integer" && kindOf(*v) == "integer":
		return " is beyond the 32 bits of int32", "give a smaller number, or use the format int64"
	case s.Type.V == "number" && v.Kind == schema.NumberKind:
		return " is beyond the 32 bits of float", "give a smaller number, or use the format double"
	}
	message = fmt.Sprintf(" is not %s, but %s", typePhrase(s.Type.V), typePhrase(kindOf(*v)))
	switch {
	case b.inside == "" && s.Type.V == "string" && (v.Kind == schema.Bool || v.Kind == schema.NumberKind):
		return message, "write it in quotes: " + strconv.Quote(v.Text)
	case s.Type.V == "integer" && v.Kind == schema.NumberKind:
		return message, "give a whole number, or use the type number"
	}
	return message, "give a value of the type"
}

// formatHelp gives an example of a format of strings (k8s.io/kube-openapi/pkg/validation/strfmt).
func formatHelp(format string) string {
	example := map[string]string{
		"bsonobjectid": "507f1f77bcf86cd799439011", "byte": "aGVsbG8=", "cidr": "192.0.2.0/24", "creditcard": "4111111111111111",
		"date": "2006-01-02", "date-time": "2006-01-02T15:04:05Z", "datetime": "2006-01-02T15:04:05Z", "duration": "1h30m",
		"email": "me@example.com", "hexcolor": "#ff8800", "hostname": "www.example.com", "ipv4": "192.0.2.1", "ipv6": "2001:db8::1",
		"isbn": "0306406152", "isbn10": "0306406152", "isbn13": "9780306406157", "mac": "00:00:5e:00:53:01",
		"k8s-long-name": "www.example.com", "k8s-short-name": "my-name", "rgbcolor": "rgb(255,136,0)", "ssn": "111-11-1111",
		"uri": "https://example.com", "uuid": "6ba7b810-9dad-41d1-80b4-00c04fd430c8", "uuid3": "6ba7b810-9dad-31d1-80b4-00c04fd430c8",
		"uuid4": "6ba7b810-9dad-41d1-80b4-00c04fd430c8", "uuid5": "6ba7b810-9dad-51d1-80b4-00c04fd430c8",
	}[format]
	switch {
	case example == "":
		return "give a value of the format"
	case format == "byte":
		return "give bytes in base64, such as " + example
	}
	return "give one such as " + example
}

func intText(i *schema.Int) string { return strconv.FormatInt(i.V, 10) }

func lowerFirst(text string) string { return strings.ToLower(text[:1]) + text[1:] }

// wantedType is the type that a value inside a default should have by the API server's words.
func (b *badDefault) wantedType() string {
	if _, want, ok := strings.Cut(b.err.Detail, "must be of type "); ok {
		want, _, _ = strings.Cut(want, ":")
		return typePhrase(strings.TrimSpace(want))
	}
	return "of the schema's type"
}

// kindPhrase names the type that the API server's error found.
func kindPhrase(err *field.Error) string {
	if i := strings.LastIndex(err.Detail, ": \""); i >= 0 {
		return typePhrase(strings.Trim(err.Detail[i+2:], "\""))
	}
	return "another"
}

func (b *badDefault) nearEnum() string {
	s := b.schemaInside()
	if s == nil {
		return "give one of its values"
	}
	var list []string
	for _, v := range s.Enum {
		list = append(list, v.Value.Text)
	}
	is := fmt.Sprint(b.err.BadValue)
	return near(is, list, useOneOf(list))
}

// lacksRequired speaks of a required field that a default does not have, and of the field's own default, which comes later.
func (b *badDefault) lacksRequired() (message, help string) {
	name := strings.TrimPrefix(b.inside, ".")
	message = fmt.Sprintf("default %s lacks %q, which is required", valueText(b.s.Default.Value), name)
	help = "give all required fields in the default"
	if s := b.schemaInside(); s != nil && s.Default != nil {
		message += ": the field's own default is filled in only later"
		if whole, ok := b.completed(); ok {
			help = "write it out: " + b.write().Set("default", string(kube.AppendJSON(nil, whole)))
		} else {
			help = "write it out in the default"
		}
	}
	return message, help
}

// completed is the default with the own defaults of the required fields that it lacks itself.
func (b *badDefault) completed() (schema.Value, bool) {
	whole := b.s.Default.Value
	if whole.Kind != schema.Object || strings.Count(b.inside, ".") != 1 {
		return whole, false
	}
	whole.Members = slices.Clone(whole.Members)
	for _, r := range b.s.Required {
		if slices.ContainsFunc(whole.Members, func(m schema.Member) bool { return m.Key == r.V }) {
			continue
		}
		p := b.s.Property(r.V)
		if p == nil || p.Default == nil {
			return whole, false
		}
		whole.Members = append(whole.Members, schema.Member{Key: r.V, Value: p.Default.Value})
	}
	slices.SortFunc(whole.Members, func(a, b schema.Member) int { return strings.Compare(a.Key, b.Key) })
	return whole, true
}

func (b *badDefault) hasUnknown() (message, help string) {
	unknown := b.unknownFields()
	if len(unknown) == 0 {
		return "the default has fields that the schema does not know", "remove them"
	}
	first := unknown[0]
	message = fmt.Sprintf("the default has the field %q, which the schema does not have", first)
	help = "remove it, or add it to the schema"
	if !strings.ContainsAny(first, ".[") {
		help = near(first, names(b.s), help)
	}
	return message, help
}

func (n *node) duplicateInDefault(err *field.Error) finding {
	twice, _ := json.Marshal(err.BadValue) // it was JSON
	return finding{
		at: n.at(n.s.Default.At), path: err.Field,
		message: fmt.Sprintf("the default has %s twice: an object that leaves %s out is refused", twice, n.what()), help: "remove one of them",
	}
}

func (n *node) emptyBounds(b span) finding {
	low, high := b.low, b.high
	f := finding{
		at: n.at(low.at, high.at), path: n.key(high.keyword), message: fmt.Sprintf("%s %s is above %s %s: no value is valid", low.keyword, low.text, high.keyword, high.text),
		help: "swap or change the bounds", related: related(high.at, high.keyword+" is set here"),
	}
	switch {
	case low.keyword == "":
		f.message, f.related, f.help = fmt.Sprintf("%s is %s: no value is valid", high.keyword, high.text), nil, "write 0 or more"
	case low.value.Cmp(high.value) <= 0:
		f.message = fmt.Sprintf("nothing lies between %s %s and %s %s: no value is valid", low.keyword, low.text, high.keyword, high.text)
		f.help = "change the bounds, or do without exclusiveness"
	}
	return f
}

func (n *node) unreadableBound(keyword string, b *schema.Number) finding {
	f := finding{
		at: n.at(b.At), path: n.key(keyword),
		message: "the API server reads " + b.V + " as a floating-point number beyond 64 bits, and then refuses every value",
		help:    "remove the marker, since the type says as much, or keep away from the end by 1024",
	}
	f.help = n.write().Choose(f.help, "remove it, since the type says as much, or keep away from the end by 1024")
	switch {
	case !schema.IsWholeNumber(b.V):
		f.message, f.help = b.V+" is no integer to the API server, which then refuses every value", "write a whole number"
	case n.s.Format.V == "int32" || n.s.Format.V == "float":
		f.message = fmt.Sprintf("%s is beyond the format %s, and the API server then refuses every value", b.V, n.s.Format.V)
		f.help = "remove it, since the format says as much, or give a value that the format holds"
	}
	return f
}

func (n *node) roundedBound(keyword string, b *schema.Number, read string) finding {
	return finding{
		at: n.at(b.At), path: n.key(keyword), message: fmt.Sprintf("the API server reads %s as %s", b.V, read), help: "write " + read,
	}
}

func (n *node) cutBound(b numeric, whole int64, isAccepted bool) finding {
	does := "refuses"
	if isAccepted {
		does = "accepts"
	}
	return finding{
		at: n.at(b.value.At), path: n.key(b.keyword),
		message: fmt.Sprintf("the API server holds whole numbers against the integer part of %s %s: it %s %d", b.keyword, b.value.V, does, whole),
		help:    "write a whole number of 64 bits, or check the value with a rule",
	}
}

func (n *node) boundBeyond(b numeric) finding {
	does := "refuse"
	if b.keyword == "minimum" {
		does = "accept"
	}
	return finding{
		at: n.at(b.value.At), path: n.key(b.keyword),
		message: fmt.Sprintf("%s %s is beyond 64 bits: on most machines API servers then %s every whole number", b.keyword, b.value.V, does),
		help:    "remove it, or give a bound below 9223372036854775808",
	}
}

func (n *node) multipleOfNothing() finding {
	return finding{
		at: n.at(n.s.MultipleOf.At), path: n.key("multipleOf"), message: "multipleOf " + n.s.MultipleOf.V + " is not above 0, and the API server then refuses every value",
		help: "write a number above 0",
	}
}

func (n *node) idleBound(low *limit) finding {
	return finding{at: n.at(low.at), path: n.key(low.keyword), message: low.keyword + " " + low.text + " forbids nothing", help: "write 0 or more, or remove it"}
}

func (n *node) excludesNothing(limit string, f *schema.Flag) finding {
	keyword := "exclusive" + strings.ToUpper(limit[:1]) + limit[1:]
	return finding{
		at: n.at(f.At), path: n.key(keyword), message: keyword + " has no " + limit + " to exclude", help: "add " + n.write().Set(limit, "<number>"),
	}
}

func (n *node) idleKeyword(k keyword, want, is string) finding {
	return finding{
		at: n.at(k.at), path: n.key(k.name), message: fmt.Sprintf("%s constrains %ss, but %s is %s: it does nothing", k.name, want, n.what(), typePhrase(is)),
		help: "remove it, or change the type",
	}
}

func wrongKind(kind, what string, s *schema.Schema) string {
	want := typePhrase(s.Type.V)
	if kind == beyond {
		return "it is beyond the integers of 64 bits"
	}
	if isSet(s.IntOrString) {
		want = "an integer or a string"
	}
	return fmt.Sprintf("it is %s, but %s is %s", typePhrase(kind), what, want)
}

func (n *node) enumImpossible(refused []refusedValue) finding {
	first := refused[0]
	return finding{
		at: n.at(first.At), path: n.key("enum"),
		message: fmt.Sprintf("none of the enum's values can be written: %s is refused, since %s", valueText(first.Value), first.why), help: n.enumHelp(first),
	}
}

func (n *node) enumValue(v refusedValue) finding {
	return finding{
		at: n.at(v.At), path: n.key("enum"), message: fmt.Sprintf("enum value %s can never be written, since %s", valueText(v.Value), v.why), help: n.enumHelp(v),
	}
}

func (n *node) enumHelp(v refusedValue) string {
	s := n.s
	if n.Nested {
		s, _ = structure(n.Place)
	}
	if s != nil && s.Type.V == "string" && v.Value.Kind != schema.String && v.Value.Text != "" {
		return "write it in quotes: " + strconv.Quote(v.Value.Text)
	}
	return "remove it, or write a value that is permitted"
}

func (n *node) enumTwice(v, first schema.EnumValue) finding {
	return finding{
		at: n.at(v.At), path: n.key("enum"), message: "enum value " + valueText(v.Value) + " is listed twice", help: "remove one of them",
		related: related(first.At, "first listed here"),
	}
}

func (n *node) enumNull() finding {
	return finding{
		at: n.at(n.s.Nullable.At), path: n.key("nullable"), message: n.what() + " is nullable, but null is permitted by no enum, not even by one that lists it",
		help: "check the values with a rule instead of the enum, such as " + n.write().Choose(
			"+kubebuilder:validation:XValidation:rule=\"self in […]\"", "x-kubernetes-validations: [{rule: \"self in […]\"}]") + ", or remove " + n.write().Name("nullable"),
		related: related(n.s.Enum[0].At, "the enum"),
	}
}

func (n *node) ruleKey(i int, key string) string {
	return n.key(fmt.Sprintf("x-kubernetes-validations[%d].%s", i, key))
}

func (n *node) emptyRule(i int, r schema.Rule) finding {
	return finding{at: n.at(r.Rule.At, r.At), path: n.ruleKey(i, "rule"), message: "the rule is empty", help: "write an expression, such as self.size() > 0"}
}

func (n *node) emptyMessageExpression(i int, r schema.Rule) finding {
	return finding{
		at: n.at(r.MessageExpression.At, r.At), path: n.ruleKey(i, "messageExpression"), message: "the messageExpression is blank", help: "remove it, or write an expression",
	}
}

func (n *node) blankMessage(i int, r schema.Rule) finding {
	return finding{at: n.at(r.Message.At, r.At), path: n.ruleKey(i, "message"), message: "the message is blank", help: "remove it, or say what is wrong where the rule does not hold"}
}

func (n *node) brokenMessage(i int, r schema.Rule) finding {
	start := strings.IndexAny(r.Message.V, "\n\r")
	return finding{at: n.at(r.Message.Range(start, start+1), r.At), path: n.ruleKey(i, "message"), message: "the message has a line break", help: "write it in one line"}
}

func (n *node) noMessage(i int, r schema.Rule) finding {
	at := n.at(r.Rule.At, r.At)
	if at.Source != nil && at.Source.Syntax == diag.Go && !r.At.Contains(at) {
		at = n.at(r.At) // of lines below a marker, or of a rule that it uses
	}
	return finding{
		at: at, path: n.ruleKey(i, "message"), message: "a rule of several lines needs a message",
		help: "add " + n.write().Choose("message=\"…\"", "message: …") + ", or write the rule in one line",
	}
}

func (n *node) badReason(i int, reason schema.Text) finding {
	return finding{
		at: n.at(reason.At), path: n.ruleKey(i, "reason"), message: "reason " + strconv.Quote(reason.V) + " is not known",
		help: near(reason.V, reasons(), useOneOf(reasons())),
	}
}

func (n *node) badFieldPath(i int, path schema.Text, err error) finding {
	f := finding{at: n.at(path.At), path: n.ruleKey(i, "fieldPath"), help: "name a field below self, such as .spec.ports"}
	t := follow(n.s, path.V)
	switch {
	case isBlank(path.V):
		f.message, f.help = "the fieldPath is blank", "remove it, or name a field"
	case hasBreak(path.V):
		f.message = "the fieldPath has a line break"
	case path.V[0] != '.' && path.V[0] != '[':
		f.message, f.help = fmt.Sprintf("fieldPath %q does not begin with a dot", path.V), "write ."+path.V
	case t.missing != nil:
		f.at = n.at(path.Range(t.missing.start, t.missing.end))
		f.message, f.help = "the fieldPath leads nowhere: "+nowhere(t, "self"), near(t.missing.name, names(t.in), f.help)
	case namesItem(path.V):
		f.message, f.help = fmt.Sprintf("fieldPath %q is refused: %v", path.V, err), "items of lists cannot be named; name the list"
	default:
		f.message = fmt.Sprintf("fieldPath %q is refused: %v", path.V, err)
	}
	return f
}

// namesItem reports whether a path leads to items of a list.
func namesItem(path string) bool {
	steps, _ := readPath(path)
	return slices.ContainsFunc(steps, func(s step) bool { return s.name == "" })
}

func (n *node) formatTooNew() finding {
	c := n.in.of
	return finding{
		at: n.at(n.s.Format.At), path: n.key("format"), message: c.tooNew("the format "+n.s.Format.V, kube.NameFormats),
		help: "use a pattern, or support Kubernetes " + kube.NameFormats.Since().String() + " and later only",
	}
}

func (n *node) ruleTooNew(i int, keyword string, at diag.Span, f kube.Feature) finding {
	c := n.in.of
	return finding{at: n.at(at), path: n.ruleKey(i, keyword), message: c.tooNew("the "+keyword+" of a rule", f), help: c.newer(f)}
}
