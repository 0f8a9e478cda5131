package apply

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/lower/internal/checks"
	"github.com/crdproof/crdproof/generator/lower/internal/node"
	"github.com/crdproof/crdproof/generator/lower/internal/read"
	"github.com/crdproof/crdproof/generator/lower/internal/report"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/schema"
)

// junctorOf returns the meaning of a marker that adds value validations under a junctor, which has the marker's name.
// Markers of one name make one junctor.
func junctorOf(name string) meaning {
	return meaning{apply: func(ap Applier, n *node.Node, m *markers.Marker, on node.Target) {
		j := junctor{ap: ap, name: name}
		j.add(&n.Own, j.list(m.Arg(""), place{n, on.What()}))
	}}
}

// add puts value validations under the junctor.
func (j *junctor) add(s *schema.Schema, validations []*schema.Schema) {
	if lists, ok := schema.KeywordOf(j.name).Field.(schema.Many[*schema.Schema]); ok {
		*lists(s) = append(slices.Clip(*lists(s)), validations...)
		return
	}
	for _, v := range validations {
		s.Not = schema.Either(s.Not, v)
	}
}

// A junctor reads the argument of one marker: value validations as KEP-2335 defines them (NestedValueValidation). They
// have no types and no structure (rule 3-i of structural schemas), and all fields that they name exist (rule 3-ii).
type junctor struct {
	ap   Applier
	name string
}

// A place is what a value validation applies to: a node, which is nil if it is unknown, with its name for messages.
type place struct {
	n    *node.Node
	what string
}

// list reads one value validation, or several in braces.
func (j *junctor) list(v *markers.Value, p place) []*schema.Schema {
	values := []markers.Value{*v}
	if v.Kind == markers.List {
		values = v.Items
	}
	out := make([]*schema.Schema, len(values))
	for i := range values {
		out[i] = j.validation(&values[i], p)
	}
	return out
}

// validation reads {keyword: value, keyword: value}.
func (j *junctor) validation(v *markers.Value, p place) *schema.Schema {
	const help = "write keywords in braces, such as {minimum: 1}"
	s := &schema.Schema{At: v.At}
	switch {
	case v.Kind != markers.Map:
		j.ap.Report(diag.Errorf(v.At, markers.BadValue, "expected a value validation, got %s", valuePhrase(v)).
			Help(help))
	case len(v.Members) == 0:
		j.ap.Report(diag.Errorf(v.At, markers.BadValue, "a value validation without keywords accepts every value").
			Help(help))
	}
	for i := range v.Members {
		j.keyword(s, &v.Members[i], p)
	}
	return s
}

// validationKeywords returns the keywords of value validations, sorted.
func validationKeywords() []string {
	var out []string
	for _, k := range schema.Keywords() {
		if k.Validates {
			out = append(out, k.Name)
		}
	}
	slices.Sort(out)
	return out
}

// keyword reads one keyword of a value validation, by the type of its value.
func (j *junctor) keyword(s *schema.Schema, m *markers.Member, p place) {
	k := schema.KeywordOf(m.Key)
	if k == nil || !k.Validates {
		j.ap.Report(j.noKeyword(m, p))
		return
	}
	switch at := k.Field.(type) {
	case schema.One[schema.Number]:
		if j.fits(k.Of, m, p) && j.hasKind(m, "a number", markers.Int, markers.Number) {
			literal := schema.CanonicalNumber(m.Value.Text)
			if p.n.JSONType() == "integer" && !schema.IsWholeNumber(literal) {
				j.ap.Report(wrongKeywordValue(m, "an integer"))
			}
			*at(s) = &schema.Number{V: literal, At: m.Value.At}
		}
	case schema.One[schema.Flag]:
		if j.fits(k.Of, m, p) && j.hasKind(m, "true or false", markers.Bool) {
			*at(s) = &schema.Flag{V: m.Value.Text == "true", At: m.Value.At}
		}
	case schema.One[schema.Int]:
		if j.fits(k.Of, m, p) && j.hasKind(m, "an integer", markers.Int, markers.Number) {
			i, ok := m.Value.Int64()
			if !ok || i < 0 {
				j.ap.Report(wrongKeywordValue(m, "an integer of 0 or more"))
			}
			*at(s) = &schema.Int{V: i, At: m.Value.At}
		}
	case schema.TextField:
		if k.Of == "" || j.fits(k.Of, m, p) {
			*at(s) = j.text(m)
		}
	case schema.Many[schema.Value]:
		for _, v := range j.values(m) {
			*at(s) = append(*at(s), v.Canonical())
		}
	case schema.Many[schema.Text]:
		*at(s) = j.required(m, p)
	case schema.Many[schema.Property]:
		*at(s) = j.properties(m, p)
	case schema.ItemsField:
		if j.fits("array", m, p) {
			*at.One(s) = j.validation(&m.Value, place{p.n.Element(), "each item of " + p.what})
		}
	case schema.Many[*schema.Schema]:
		*at(s) = j.list(&m.Value, p)
	case schema.One[schema.Schema]:
		*at(s) = j.validation(&m.Value, p)
	default:
		panic("the keyword " + k.Name + " has a value that markers cannot state")
	}
}

// fits reports whether a keyword for a JSON type applies to a place, with a diagnostic if not. It applies to an unknown
// type.
func (j *junctor) fits(jsonType string, m *markers.Member, p place) bool {
	got := p.n.JSONType()
	ok := got == "" || got == jsonType || jsonType == "number" && got == "integer"
	if p.n.IsIntOrString() {
		ok = jsonType == "string" || jsonType == "number"
	}
	if !ok {
		j.ap.Report(j.ap.Reached(wrongKeyword(jsonType, got, m, p)))
	}
	return ok
}

// hasKind reports whether a keyword's value is of one of the kinds, with a diagnostic if not.
func (j *junctor) hasKind(m *markers.Member, expected string, kinds ...markers.Kind) bool {
	ok := slices.Contains(kinds, m.Value.Kind)
	if !ok {
		j.ap.Report(wrongKeywordValue(m, expected))
	}
	return ok
}

// text reads a string, which may look like a number or a boolean.
func (j *junctor) text(m *markers.Member) schema.Text {
	if j.hasKind(m, "a string", markers.String, markers.Bool, markers.Int, markers.Number) && m.Value.Text == "" {
		j.ap.Report(wrongKeywordValue(m, "a string"))
	}
	return read.TextOf(&m.Value)
}

// values reads a list that is not empty.
func (j *junctor) values(m *markers.Member) []markers.Value {
	if j.hasKind(m, "a list", markers.List) && len(m.Value.Items) == 0 {
		j.ap.Report(wrongKeywordValue(m, "a list"))
	}
	return m.Value.Items
}

func (j *junctor) required(m *markers.Member, p place) []schema.Text {
	if !j.fits("object", m, p) {
		return nil
	}
	var out []schema.Text
	for _, v := range j.values(m) {
		if v.Text == "" {
			j.ap.Report(diag.Errorf(v.At, markers.BadValue, "expected the name of a field, got %s", valuePhrase(&v)).
				Help("write the names of fields in braces, such as {a, b}"))
		} else if j.hasField(read.TextOf(&v), p) {
			out = append(out, read.TextOf(&v))
		}
	}
	return out
}

func (j *junctor) properties(m *markers.Member, p place) []schema.Property {
	if !j.fits("object", m, p) || !j.hasKind(m, "a map in braces", markers.Map) {
		return nil
	}
	var out []schema.Property
	for i := range m.Value.Members {
		field := &m.Value.Members[i]
		if j.hasField(schema.Text{V: field.Key, At: field.KeyAt}, p) {
			s := j.validation(&field.Value, place{p.n.OfField(field.Key), field.Key + " of " + p.what})
			s.At = field.KeyAt
			out = append(out, schema.Property{Name: field.Key, Schema: s})
		}
	}
	return out
}

// hasField reports whether a place may have a field, with a diagnostic if not (KEP-2335, rule 3-ii). An open schema may
// have any field, and every object has apiVersion, kind and metadata.
func (j *junctor) hasField(name schema.Text, p place) bool {
	if field := p.n.Member(name.V); field != nil && !field.Narrows {
		return true
	}
	names, complete := p.n.FieldNames()
	isMeta := p.n.IsResource() && slices.Contains([]string{"apiVersion", "kind", "metadata"}, name.V)
	if !complete || isMeta || slices.Contains(names, name.V) {
		return true
	}
	d := diag.Errorf(name.At, checks.NestedUnknown, "%s has no field %q, which %s names", p.what, name.V, j.name).
		Help("remove it: the API server prunes fields that are not in the schema").Do(diag.Remove, "")
	if near := diag.Near(name.V, names); near != "" {
		d = d.Meant(near)
	} else if len(names) > 0 {
		d = d.Note("its fields are %s", strings.Join(slices.Compact(slices.Sorted(slices.Values(names))), ", "))
	}
	j.ap.Report(j.ap.Reached(d))
	return false
}

// valuePhrase names a marker's value in a sentence.
func valuePhrase(v *markers.Value) string {
	switch v.Kind {
	case markers.List:
		return "a list"
	case markers.Map:
		return "a map"
	case markers.String:
		return strconv.Quote(v.Text)
	}
	return v.Text
}

func wrongKeywordValue(m *markers.Member, expected string) diag.Diagnostic {
	d := diag.Errorf(m.Value.At, markers.BadValue, "expected %s for %s, got %s", expected, m.Key,
		valuePhrase(&m.Value))
	switch {
	case expected == "a list" && m.Value.Kind != markers.List && m.Value.Text != "":
		return d.Help("write {%s}", m.Value.Text)
	case expected == "a list":
		return d.Help("write the items in braces, such as {a, b}")
	case expected == "a map in braces":
		return d.Help("write keywords for each field in braces, such as {name: {maxLength: 63}}")
	case expected == "a string":
		return d.Help("write a text in quotes")
	case expected == "true or false":
		return d.Help("write true, or write false")
	case expected != "a number":
		return d.Help("write a whole number, such as 10")
	}
	return d.Help("write a number, such as 5")
}

func wrongKeyword(want, got string, m *markers.Member, p place) diag.Diagnostic {
	what := report.TypePhrase(got)
	if p.n.IsIntOrString() {
		what = "an integer or a string"
	}
	d := diag.Errorf(m.KeyAt, checks.MarkerType, "%s applies to %s; %s is %s", m.Key, report.Plural(want), p.what,
		what)
	side := m.Key[:min(3, len(m.Key))]
	switch {
	case p.n.IsIntOrString():
	case got == "array" && p.n.Element().JSONType() == want:
		return d.Help("move it to the items: items: {%s: %s}", m.Key, m.Value.At.Text())
	case (side == "max" || side == "min") && sameMeasure(m.Key, boundOf(side, got)):
		return d.Meant(boundOf(side, got))
	}
	return d.Help("remove the keyword, or the marker if it has no other keyword")
}

// noKeyword reports a keyword that value validations do not have.
func (j *junctor) noKeyword(m *markers.Member, p place) diag.Diagnostic {
	if cure := misplaced(m); cure != "" {
		if m.Key == "type" && p.n.IsIntOrString() {
			cure = "remove the keyword: a validation of strings accepts every integer and the other way round, " +
				"so one validation can have both"
		}
		return diag.Errorf(m.KeyAt, checks.NestedKeyword,
			"%s cannot be in %s, which validates values and does not describe structure", m.Key, j.name).
			Help("%s", cure)
	}
	known := validationKeywords()
	help := cmp.Or(diag.Meant(diag.Near(m.Key, known)), "write one of "+strings.Join(known, ", "))
	return diag.Errorf(m.KeyAt, markers.BadArgument, "unknown keyword %q of a value validation", m.Key).
		Help("%s", help)
}

// misplaced returns the help for a keyword that cannot be inside junctors; "" for all others. These are the keywords of
// structure and documentation (KEP-2335, rule 3-i), and those that a CRD cannot have at all.
func misplaced(m *markers.Member) string {
	switch m.Key {
	case "type":
		return "remove the keyword: the Go type determines the type; intstr.IntOrString is an integer or a string"
	case "additionalProperties":
		if m.Value.Kind == markers.Bool {
			return "remove the keyword: the API server prunes fields that are not in the schema"
		}
		return "constrain the values of the map outside junctors, or write a rule"
	case "title", "description", "example", "externalDocs":
		return "move it to the comment of the type or field"
	case "nullable":
		return "remove the keyword, and put +nullable on the field"
	case "default":
		return "remove the keyword, and put +kubebuilder:default on the field"
	case "uniqueItems":
		return "remove the keyword, and put +listType=set on the field"
	case "x-kubernetes-validations":
		return "remove the keyword, and put +kubebuilder:validation:XValidation on the type or field"
	case "$ref", "definitions":
		return "describe the structure with a Go type, and the values here"
	case "patternProperties":
		return "write a rule, such as self.all(key, key.matches('^[a-z]+$'))"
	case "dependencies":
		return "write a rule, such as !has(self.a) || has(self.b)"
	}
	if strings.HasPrefix(m.Key, "x-kubernetes-") {
		return "put the marker for it on the type or the field"
	}
	return ""
}
