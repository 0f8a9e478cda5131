package lower

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/schema"
)

// This file compares markers and values with the JSON type of their target.

// fits reports whether a marker for a JSON type applies to a node, with a diagnostic if not.
func (ap applier) fits(jsonType string, n *node, m *markers.Marker, on target) bool {
	got := n.jsonType()
	either := n.isIntOrString() && (jsonType == "string" || jsonType == "number" && !ap.opts.Compat)
	ok := got == jsonType || jsonType == "number" && got == "integer" || either
	if !ok && (n.unknown == nil || got != "") { // an unknown type is reported anyway
		ap.report(ap.wrongType(jsonType, n, m, on))
	}
	if ok && jsonType == "number" && n.knownName() == "Quantity" {
		ap.warn(ap.numberOfQuantity(n, m, on))
	}
	return ok
}

func (ap applier) wrongType(want string, n *node, m *markers.Marker, on target) diag.Diagnostic {
	got, whose := n.jsonType(), on.what()
	if m.Def.ItemsOf != "" {
		whose = "each item of " + whose
	}
	d := diag.Errorf(m.At, markerType, "%s applies to %s; %s is %s", m.Def.Name, plural(want), whose,
		typePhrase(got)).
		Help("remove the marker")
	forItems := itemsName(m.Def.Name)
	switch side := numericBound(m); {
	case n.knownName() == "Duration" && side != "" && !ap.opts.Compat:
		d.Message = fmt.Sprintf("%s applies to numbers; %s is a duration, which is a string in JSON", m.Def.Name, whose)
		d = d.Help("%s", ap.scalarBound(m, "duration", m.Arg("").Text+"s", on))
	case n.knownName() == "Quantity" && side != "" && !ap.opts.Compat:
		d = d.Help("%s", ap.scalarBound(m, "quantity", m.Arg("").Text, on))
	case n.knownName() == "Time" || n.knownName() == "MicroTime":
	case got == "" && want != "object":
		d = d.Help("add +kubebuilder:validation:Type=%s", want)
	case got == "array" && m.Def.ItemsOf == "" && ap.marks.table.Lookup("+"+forItems, markers.Field) != nil &&
		n.items.jsonType() == want:
		d = d.Help("write %s", renamed(m, forItems))
	case m.Def.Name == "mapType" && got == "array" && m.Arg("").Text == "atomic":
		d = d.Help("write %s", renamed(m, "listType"))
	case m.Def.Name == "listType" && got == "object" && m.Arg("").Text == "atomic":
		d = d.Help("write %s", renamed(m, "mapType"))
	case boundLike(m, got) != "":
		d = d.Help("write %s", renamed(m, boundLike(m, got)))
	}
	return ap.reached(d)
}

// numericBound is minimum or maximum for a marker that bounds numbers, and "" for any other.
func numericBound(m *markers.Marker) string {
	switch cmp.Or(m.Def.ItemsOf, m.Def.Name) {
	case markMinimum, "k8s:minimum":
		return "minimum"
	case markMaximum, "k8s:maximum":
		return "maximum"
	}
	return ""
}

// numberOfQuantity reports a bound of numbers on a quantity: API servers compare only values that are integers with it.
func (ap applier) numberOfQuantity(n *node, m *markers.Marker, on target) diag.Diagnostic {
	d := diag.Errorf(m.At, markerType, "%s applies to numbers; API servers do not apply it to quantities in strings, "+
		"such as \"500m\"", m.Def.Name).Help("check the value with a rule")
	if numericBound(m) != "" {
		d = d.Help("%s", ap.scalarBound(m, "quantity", m.Arg("").Text, on))
	}
	return ap.reached(d)
}

// scalarBound is the help to bound a duration or a quantity by its own marker, together with the other bound that the
// field has.
func (ap applier) scalarBound(m *markers.Marker, kind, value string, on target) string {
	if len(m.Steps) > 0 || m.Def.ItemsOf != "" {
		return "write a rule with +kubebuilder:validation:XValidation"
	}
	side := numericBound(m)
	var marks []markers.Marker
	if on.field != nil {
		marks = on.field.marks
	} else {
		marks = ap.marks.at(ap.reporter).typeMarkers(on.decl)
	}
	if own := find(marks, "crdproof:"+kind); own != nil {
		if own.Arg(side) != nil {
			return "remove the marker"
		}
		return "remove the marker, and add " + side + "=" + value + " to " + own.At.Text()
	}
	other := map[string]string{"minimum": markMaximum, "maximum": markMinimum}[side]
	bounds := []string{side + "=" + value}
	if o := find(marks, other); o != nil {
		unit := strings.TrimPrefix(value, m.Arg("").Text)
		bounds = append(bounds, numericBound(o)+"="+o.Arg("").Text+unit)
		slices.Sort(bounds)
		slices.Reverse(bounds)
	}
	return "write +crdproof:" + kind + ":" + strings.Join(bounds, ",")
}

// knownName is the name of the known type of metav1 or resource that a node is of, "" for any other.
func (n *node) knownName() string {
	return nearest(n, func(n *node) string {
		if n.ref == nil || n.ref.known == nil || n.ref.known.pkg != pkgMeta && n.ref.known.pkg != pkgResource {
			return ""
		}
		return n.ref.known.name
	})
}

// renamed is the text of a marker under another name.
func renamed(m *markers.Marker, name string) string {
	text, start, end := m.At.Text(), m.Name.Start-m.At.Start, m.Name.End-m.At.Start
	if start < 0 || int(end) > len(text) {
		return "+" + name
	}
	return text[:start] + name + text[end:]
}

// notAList reports a marker for items on a target that has no items, or whose items it cannot reach.
func (ap applier) notAList(m *markers.Marker, n *node, on target) diag.Diagnostic {
	d := diag.Errorf(m.At, markerType, "%s applies to arrays; %s is %s", m.Def.Name, on.what(),
		typePhrase(n.jsonType())).
		Help("remove the marker")
	switch of := ap.meaning(m).of; {
	case n.jsonType() == "array" && n.ref != nil:
		d = diag.Errorf(m.At, markerType, "%s cannot reach the items of the named type %s from %s", m.Def.Name,
			n.ref.name, on.what()).
			Help("move the marker to the declaration of %s", n.ref.name)
	case of == "" || of == n.jsonType() || of == "number" && n.jsonType() == "integer":
		d = d.Help("write %s", renamed(m, m.Def.ItemsOf))
	}
	return ap.reached(d)
}

func itemsName(name string) string {
	return itemsPrefix + strings.TrimPrefix(name, validationPrefix)
}

// boundLike returns the marker that bounds another JSON type with the same value, or "".
func boundLike(m *markers.Marker, jsonType string) string {
	rest, ok := strings.CutPrefix(m.Def.Name, validationPrefix)
	if !ok || len(rest) < 3 {
		return ""
	}
	side := rest[:3]
	isSize := jsonType == "string" || jsonType == "array" || jsonType == "object"
	if v := m.Arg(""); v == nil || isSize && (!schema.IsWholeNumber(v.Text) || strings.HasPrefix(v.Text, "-")) {
		return ""
	}
	if bound := boundOf(side, jsonType); bound != "" && (side == "Max" || side == "Min") {
		return validationPrefix + bound
	}
	return ""
}

// boundOf is the keyword of a JSON type for its bound on one side, max or min.
func boundOf(side, jsonType string) string {
	switch jsonType {
	case "string":
		return side + "Length"
	case "array":
		return side + "Items"
	case "object":
		return side + "Properties"
	case "integer", "number":
		return side + "imum"
	}
	return ""
}

// plural names the values of a JSON type.
func plural(jsonType string) string {
	if jsonType == "" {
		return ""
	}
	return jsonType + "s"
}

// typePhrase names a JSON type in a sentence.
func typePhrase(jsonType string) string {
	switch jsonType {
	case "":
		return "of unknown type"
	case "array", "object", "integer":
		return "an " + jsonType
	}
	return "a " + jsonType
}
