package lower

import (
	"slices"
	"strconv"
	"strings"

	kubecel "k8s.io/apiserver/pkg/cel"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/schema"
)

// checkBounds reports bounds on one node that contradict each other.
func (fl flattener) checkBounds(s *schema.Schema) {
	for _, m := range schema.Measures() {
		low, high := m.Min.Bound(s), m.Max.Bound(s)
		if low != nil && high != nil && schema.CompareNumbers(low.V, high.V) > 0 {
			fl.mistake(emptyRange(m.Min.Name, low.V, low.At, m.Max.Name, high.V, high.At))
		}
	}
	if len(s.AllOf) == 0 { // under compat the limit may be in allOf
		fl.checkExclusive(s)
	}
}

// checkExclusive reports an exclusiveness without a limit.
func (fl flattener) checkExclusive(s *schema.Schema) {
	for _, limit := range []string{"Minimum", "Maximum"} {
		exclusive := schema.KeywordOf("exclusive" + limit)
		if exclusive.IsSet(s) && !schema.KeywordOf(strings.ToLower(limit)).IsSet(s) {
			d := diag.Errorf(exclusive.At(s), contradictory, "Exclusive%s has no effect without %s", limit,
				limit).Help("remove the marker")
			if s.Type.V == "integer" || s.Type.V == "number" {
				d = d.Help("add +kubebuilder:validation:%s=%s to the field, or remove the marker", limit,
					map[string]string{"Minimum": "0", "Maximum": "100"}[limit])
			}
			fl.mistake(d)
		}
	}
}

// checkUnknown reports a type with an unknown schema, unless the markers of the field give it a complete one without
// the type.
func (fl flattener) checkUnknown(unknown *diag.Diagnostic, s *schema.Schema) {
	open := s.PreserveUnknownFields != nil || s.IntOrString != nil
	stated := s.Type.At.IsValid()
	if s.Type.V == "array" || (s.Type.V == "" || s.Type.V == "object" && !stated) && !open {
		fl.mistake(*unknown)
	} else if s.Type.V == "object" && !open &&
		slices.Contains([]string{"type-marshaler", "type-recursive"}, unknown.Check) {
		fl.warn(diag.Errorf(s.At, typeEmpty,
			"this object has no known properties: the API server prunes everything in it").
			Help("add +kubebuilder:pruning:PreserveUnknownFields to the type or to the field"))
	}
}

// checkEnum reports an Enum marker on a list. The checks of CRDs find values that do not fit the type.
func (ap applier) checkEnum(n *node, m *markers.Marker, on target) {
	if n.jsonType() == "array" && m.Def.ItemsOf == "" {
		ap.mistake(diag.Errorf(m.At, markerType, "%s applies to single values; %s is an array", m.Def.Name, on.what()).
			Help("write %s", renamed(m, itemsName(m.Def.Name))))
	}
}

// checkInline reports fields that cannot be part of the struct around them: those that are not objects, and those that
// a marker makes required. It returns false for the former.
func (d describer) checkInline(f *field, child *node, required bool) bool {
	if t := child.jsonType(); t != "" && t != "object" {
		d.report(d.reached(diag.Errorf(f.at, fieldInline,
			"a field without a name in its json tag must be a struct; this one is %s", typePhrase(t)).
			Help("write `json:%q`", jsonName(f)+",omitempty")))
		return false
	}
	if required {
		at, help := f.at, "make the fields of the embedded struct required instead"
		for _, name := range []string{markKBRequired, "required", "k8s:required"} {
			if m := find(f.marks, name); m != nil {
				at, help = m.At, "remove the marker, or make the fields of the embedded struct required"
			}
		}
		d.mistake(diag.Errorf(at, markers.WrongTarget,
			"an embedded struct cannot be required: its fields are part of the struct around it").
			Help("%s", help))
	}
	return true
}

// checkOneOf reports OneOf markers on types without fields, and members that are not fields of the type.
func (d describer) checkOneOf(t *typ, marks []markers.Marker) {
	var names []string
	var complete bool
	known := map[string]bool{}
	for i := range marks {
		if !d.ap.isOneOf(&marks[i]) {
			continue
		}
		if t.node.jsonType() != "object" {
			d.mistake(d.applier().wrongType("object", t.node, &marks[i], target{decl: t.decl}))
			continue
		}
		if len(names) == 0 {
			names, complete = t.node.fieldNames()
			for _, name := range names {
				known[name] = true
			}
		}
		for _, item := range marks[i].Arg("").Items {
			switch name := d.member(item.Text); {
			case strings.Contains(item.Text, "."):
			case complete && !known[name]:
				unknown := diag.Errorf(item.At, oneOfUnknown, "%s has no field %q", t.name, item.Text).
					Help("use the JSON names of fields")
				if 0 < len(names) && len(names) <= maxShownFields {
					unknown = unknown.Note("its fields are %s", strings.Join(names, ", "))
				}
				if near := diag.Near(item.Text, names); near != "" {
					unknown = unknown.Help("%s", diag.Meant(near))
				}
				d.mistake(unknown)
			}
		}
	}
}

// maxShownFields is how many fields of a type are listed in a message.
const maxShownFields = 200

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

// fieldNames returns the names of an object's properties, those of embedded structs included; complete is false if
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

// textFormats are the formats of strings that the API server validates
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
