package lower

import (
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/markers"
)

// This file holds markers and values against the JSON type that they speak of.

// fits reports whether a marker for a JSON type can stand on a node, and says so if not.
func (ap applier) fits(jsonType string, n *node, m *markers.Marker, on target) bool {
	got := n.jsonType()
	either := n.isIntOrString() && (jsonType == "string" || jsonType == "number" && !ap.opts.Compat)
	ok := got == jsonType || jsonType == "number" && got == "integer" || either
	if !ok && (n.unknown == nil || got != "") { // that nothing is known of the type is said anyway
		ap.report(ap.wrongType(jsonType, n, m, on))
	}
	return ok
}

func (ap applier) wrongType(want string, n *node, m *markers.Marker, on target) diag.Diagnostic {
	got, whose := n.jsonType(), on.what()
	if m.Def.ItemsOf != "" {
		whose = "each item of " + whose
	}
	d := diag.Errorf(m.At, markerType, "marker %s applies to %s, but %s is %s", m.Def.Name, plural(want), whose,
		typePhrase(got)).
		Help("remove the marker")
	forItems := itemsName(m.Def.Name)
	switch {
	case got == "" && want != "object":
		d = d.Help("state the type with +kubebuilder:validation:Type=%s", want)
	case got == "array" && m.Def.ItemsOf == "" && ap.table.Lookup("+"+forItems, markers.Field) != nil &&
		n.items.jsonType() == want:
		d = d.Help("to constrain the items, write +%s", forItems)
	case m.Def.Name == "mapType" && got == "array":
		d = d.Help("did you mean +listType?")
	case m.Def.Name == "listType" && got == "object":
		d = d.Help("did you mean +mapType?")
	case boundLike(m.Def.Name, got) != "":
		d = d.Help("did you mean +%s?", boundLike(m.Def.Name, got))
	}
	return ap.reached(d)
}

// notAList is about a marker for the items of what has none, or none that it could speak of.
func (ap applier) notAList(m *markers.Marker, n *node, on target) diag.Diagnostic {
	d := diag.Errorf(m.At, markerType, "marker %s applies to arrays, but %s is %s", m.Def.Name, on.what(),
		typePhrase(n.jsonType())).
		Help("write +%s to constrain the value itself", m.Def.ItemsOf)
	if n.jsonType() == "array" && n.ref != nil {
		d = diag.Errorf(m.At, markerType, "marker %s cannot reach the items of the named type %s from %s", m.Def.Name,
			n.ref.name, on.what()).
			Help("put the marker on the declaration of %s", n.ref.name)
	}
	return ap.reached(d)
}

func itemsName(name string) string {
	return itemsPrefix + strings.TrimPrefix(name, validationPrefix)
}

// boundLike returns the marker that says of another JSON type what a bound says of its own, or "".
func boundLike(name, jsonType string) string {
	rest, ok := strings.CutPrefix(name, validationPrefix)
	if !ok || len(rest) < 3 {
		return ""
	}
	side := rest[:3]
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
		return "of no known type"
	case "array", "object", "integer":
		return "an " + jsonType
	}
	return "a " + jsonType
}
