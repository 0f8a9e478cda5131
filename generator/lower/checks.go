package lower

import (
	"slices"
	"strconv"
	"strings"

	kubecel "k8s.io/apiserver/pkg/cel"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/markers"
)

// checkBounds reports bounds on one node that no value can satisfy.
func (fl flattener) checkBounds(s *schema.Schema) {
	for _, m := range schema.Measures() {
		low, high := m.Min.Bound(s), m.Max.Bound(s)
		if low != nil && high != nil && schema.CompareNumbers(low.V, high.V) > 0 {
			fl.mistake(emptyRange(m.Min.Name, low.V, low.At, m.Max.Name, high.V, high.At))
		}
	}
	if len(s.AllOf) == 0 { // under compat a limit may stand there
		fl.checkExclusive(s)
	}
}

// checkExclusive reports an exclusiveness without a limit.
func (fl flattener) checkExclusive(s *schema.Schema) {
	for _, limit := range []string{"Minimum", "Maximum"} {
		exclusive := schema.KeywordOf("exclusive" + limit)
		if exclusive.IsSet(s) && !schema.KeywordOf(strings.ToLower(limit)).IsSet(s) {
			fl.mistake(diag.Errorf(exclusive.At(s), contradictory, "Exclusive%s has no %s to exclude", limit, limit).
				Help("add +kubebuilder:validation:%s=<number>", limit))
		}
	}
}

// checkUnknown reports a type of which nothing is known, unless the markers of the field give it a schema that can
// stand on its own: what the type would add is missing.
func (fl flattener) checkUnknown(unknown *diag.Diagnostic, s *schema.Schema) {
	open := s.PreserveUnknownFields != nil || s.IntOrString != nil
	stated := s.Type.At.IsValid()
	if s.Type.V == "array" || (s.Type.V == "" || s.Type.V == "object" && !stated) && !open {
		fl.mistake(*unknown)
	} else if s.Type.V == "object" && !open && unknown.Check == "type-marshaler" {
		fl.warn(diag.Errorf(s.At, typeEmpty,
			"this is an object of which no property is known: the API server drops all that is in it").
			Help("put +kubebuilder:pruning:PreserveUnknownFields on the type, or on the field"))
	}
}

// checkEnum reports values of an Enum marker that no value of the type can have, and values that stand twice.
func (ap applier) checkEnum(n *node, m *markers.Marker, on target) {
	got := n.jsonType()
	if got == "array" && m.Def.ItemsOf == "" {
		ap.mistake(diag.Errorf(m.At, enumType, "%s is an array: Enum would list whole arrays", on.what()).
			Help("to list the permitted items, write +%s", itemsName(m.Def.Name)))
		return
	}
	for i, v := range n.s.Enum {
		if kind := jsonKind(v); got != "" && !n.isIntOrString() && kind != got &&
			!(kind == "integer" && got == "number") &&
			v.Kind != schema.Null {
			d := diag.Errorf(v.At, enumType, "enum value %s is %s, but %s is %s", valueText(v), typePhrase(kind),
				on.what(), typePhrase(got)).Help("write a value of that type")
			if got == "string" && v.Text != "" {
				d = d.Help("write it in quotes: %q", v.Text)
			}
			ap.mistake(d)
		}
		for _, first := range n.s.Enum[:i] {
			if first.Equal(v) {
				ap.mistake(diag.Errorf(v.At, enumTwice, "duplicate enum value %s", valueText(v)).
					Help("remove it").See(first.At, "first listed here"))
				break
			}
		}
	}
}

// checkInline reports fields that cannot be part of the struct around them: those that are no objects, and those that
// are said to be required. It returns false for the former.
func (d describer) checkInline(f *field, child *node, required bool) bool {
	if t := child.jsonType(); t != "" && t != "object" {
		d.report(d.reached(diag.Errorf(f.at, fieldInline,
			"a field whose json tag has no name is part of the struct around it, but this one is %s", typePhrase(t)).
			Help("name it in the tag: `json:%q`", jsonName(f)+",omitempty")))
		return false
	}
	if required {
		at := f.at
		for _, name := range []string{markKBRequired, "required", "k8s:required"} {
			if m := find(f.marks, name); m != nil {
				at = m.At
			}
		}
		d.mistake(diag.Errorf(at, markers.WrongTarget,
			"a field that is part of the struct around it cannot be required itself").
			Help("put +required on its fields"))
	}
	return true
}

// checkOneOf reports OneOf markers on what has no fields, and members that are no field of the type.
func (d describer) checkOneOf(t *typ, marks []markers.Marker) {
	for i := range marks {
		if !d.meaning(&marks[i]).oneOf {
			continue
		}
		if t.node.jsonType() != "object" {
			d.mistake(d.applier().wrongType("object", t.node, &marks[i], target{decl: t.decl}))
			continue
		}
		names, complete := t.node.fieldNames()
		for _, item := range marks[i].Arg("").Items {
			switch name := d.member(item.Text); {
			case strings.Contains(item.Text, "."):
			case complete && !slices.Contains(names, name):
				unknown := diag.Errorf(item.At, oneOfUnknown, "%s has no field %q", t.name, item.Text).
					Help("name fields as they are called in JSON")
				if len(names) > 0 {
					unknown = unknown.Note("its fields are %s", strings.Join(names, ", "))
				}
				if near := diag.Near(item.Text, names); near != "" {
					unknown = unknown.Help("%s", diag.Meant(near))
				}
				d.mistake(unknown)
			case name == item.Text && inCEL(name) != name:
				d.mistake(diag.Errorf(item.At, oneOfEscape,
					"the marker becomes a rule in CEL, which does not read %q as one name", item.Text).
					Help("write %s", inCEL(name)))
			}
		}
	}
}

// inCEL is how a field is written in CEL. Names that are merely reserved words are left to the compiler, which knows
// since which version they need no escape.
func inCEL(name string) string {
	escaped, ok := kubecel.Escape(name)
	if _, isWord := kubecel.Unescape("__" + name + "__"); !ok || isWord &&
		!slices.Contains([]string{"true", "false", "null", "in"}, name) {
		return name
	}
	return escaped
}

// fieldNames returns the names of an object's properties, those of embedded structs included; complete is false where
// there may be more.
func (n *node) fieldNames() (names []string, complete bool) {
	if n == nil || n.cut {
		return nil, false
	}
	complete = n.additional == nil && !n.s.AdditionalAllowed && n.s.PreserveUnknownFields == nil
	for _, p := range n.properties {
		if !p.narrows {
			names = append(names, p.name)
		}
	}
	for _, part := range n.inside() {
		more, all := part.fieldNames()
		names, complete = append(names, more...), complete && all
	}
	return names, complete
}

// jsonKind is the schema type that a value has.
func jsonKind(v schema.Value) string {
	if v.Kind == schema.Integer || v.Kind == schema.NumberKind && !strings.ContainsAny(v.Text, ".eE") {
		return "integer"
	}
	return [...]string{
		schema.Null: "null", schema.Bool: "boolean", schema.NumberKind: "number", schema.String: "string",
		schema.Array: "array", schema.Object: "object",
	}[v.Kind]
}

// textFormats are the formats of strings that the API server checks
// (k8s.io/apiextensions-apiserver/pkg/apiserver/validation/formats.go).
var textFormats = [...]string{
	"bsonobjectid", "byte", "cidr", "creditcard", "date", "date-time", "datetime", "duration", "email", "hexcolor",
	"hostname", "ipv4", "ipv6", "isbn", "isbn10", "isbn13", "k8s-long-name", "k8s-short-name", "mac", "password",
	"rgbcolor", "ssn", "uri", "uuid", "uuid3", "uuid4", "uuid5",
}

func emptyRange(
	minName, minValue string, minAt diag.Span, maxName, maxValue string, maxAt diag.Span,
) diag.Diagnostic {
	return diag.Errorf(minAt, contradictory, "%s %s is above %s %s: no value is valid", minName, minValue, maxName,
		maxValue).
		Help("swap or change the bounds").See(maxAt, "%s is set here", maxName)
}

func valueText(v schema.Value) string {
	if v.Kind == schema.String {
		return strconv.Quote(v.Text)
	}
	return v.Text
}

func intText(i *schema.Int) string { return strconv.FormatInt(i.V, 10) }
