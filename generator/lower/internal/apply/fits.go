package apply

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/lower/internal/checks"
	"github.com/crdproof/crdproof/generator/lower/internal/node"
	"github.com/crdproof/crdproof/generator/lower/internal/read"
	"github.com/crdproof/crdproof/generator/lower/internal/report"
	"github.com/crdproof/crdproof/markers"
)

// This file compares markers and values with the JSON type of their target.

// fits reports whether a marker for a JSON type applies to a node, with a diagnostic if not.
func (ap Applier) fits(jsonType string, n *node.Node, m *markers.Marker, on node.Target) bool {
	got := n.JSONType()
	either := n.IsIntOrString() && (jsonType == "string" || jsonType == "number" && !ap.Opts.Compat)
	ok := got == jsonType || jsonType == "number" && got == "integer" || either
	isReported := got == "" && (n.Unknown != nil || n.IsUndefined() || ap.Doubts() != 0)
	if !ok && !isReported {
		ap.Report(ap.WrongType(jsonType, n, m, on))
	}
	if ok && jsonType == "number" && n.KnownName() == "Quantity" {
		ap.Warn(ap.numberOfQuantity(n, m, on))
	}
	return ok
}

// WrongType reports a marker for one JSON type on a node of another.
func (ap Applier) WrongType(want string, n *node.Node, m *markers.Marker, on node.Target) diag.Diagnostic {
	got, whose := n.JSONType(), on.What()
	if m.Def.ItemsOf != "" {
		whose = "each item of " + whose
	}
	d := diag.Errorf(m.At, checks.MarkerType, "%s applies to %s; %s is %s", m.Def.Name, report.Plural(want), whose,
		report.TypePhrase(got)).
		Help("remove the marker")
	forItems := itemsName(m.Def.Name)
	switch side := numericBound(m); {
	case m.Of != nil && m.Of.Foreign: // the dialect has other names
	case n.KnownName() == "Duration" && side != "" && !ap.Opts.Compat:
		d.Message = fmt.Sprintf("%s applies to numbers; %s is a duration, which is a string in JSON", m.Def.Name,
			whose)
		d = d.Help("%s", ap.scalarBound(m, "duration", m.Arg("").Text+"s", on))
	case n.KnownName() == "Quantity" && side != "" && !ap.Opts.Compat:
		d = d.Help("%s", ap.scalarBound(m, "quantity", m.Arg("").Text, on))
	case n.KnownName() == "Time" || n.KnownName() == "MicroTime":
	case got == "" && want != "object":
		d = d.Help("add +kubebuilder:validation:Type=%s", want)
	case got == "array" && m.Def.ItemsOf == "" && ap.Marks.Table.Lookup("+"+forItems, markers.Field) != nil &&
		n.Items.JSONType() == want:
		d = d.Write(renamed(m, forItems))
	case m.Def.Name == "mapType" && got == "array" && m.Arg("").Text == "atomic":
		d = d.Write(renamed(m, "listType"))
	case m.Def.Name == "listType" && got == "object" && m.Arg("").Text == "atomic":
		d = d.Write(renamed(m, "mapType"))
	case boundLike(m, got) != "":
		d = d.Write(renamed(m, boundLike(m, got)))
	}
	return ap.Reached(d)
}

// numericBound returns minimum or maximum for a marker that bounds numbers, and "" for any other.
func numericBound(m *markers.Marker) string {
	switch cmp.Or(m.Def.ItemsOf, m.Def.Name) {
	case read.MarkMinimum, "k8s:minimum":
		return "minimum"
	case read.MarkMaximum, "k8s:maximum":
		return "maximum"
	}
	return ""
}

// numeral returns the value of a marker that bounds numbers. A bound of a time.Duration may be a duration in quotes,
// which is a number of nanoseconds. It is not ok for any other text, which has been reported.
func (ap Applier) numeral(n *node.Node, m *markers.Marker) (*markers.Value, bool) {
	v := m.Arg("")
	if v.Kind != markers.String {
		return v, true
	}
	if !n.IsTimeDuration() {
		ap.WrongTag(diag.Errorf(v.At, markers.BadValue, "expected a number, got the string %q", v.Text).
			Help("write a number without quotes, such as 1"))
		return nil, false
	}
	d, err := time.ParseDuration(v.Text)
	if err != nil {
		ap.WrongTag(badBound(v, "a duration", "1h30m"))
		return nil, false
	}
	return &markers.Value{Kind: markers.Int, Text: strconv.FormatInt(int64(d), 10), At: v.At}, true
}

// numberOfQuantity reports a bound of numbers on a quantity: API servers compare only values that are integers with
// it.
func (ap Applier) numberOfQuantity(n *node.Node, m *markers.Marker, on node.Target) diag.Diagnostic {
	d := diag.Errorf(m.At, checks.MarkerType, "%s applies to numbers; API servers do not apply it to quantities in "+
		"strings, such as \"500m\"", m.Def.Name).Help("check the value with a rule")
	if numericBound(m) != "" {
		d = d.Help("%s", ap.scalarBound(m, "quantity", m.Arg("").Text, on)).
			Changes(diag.AcceptsOther, "the bound applies to strings, too")
	}
	return ap.Reached(d)
}

// scalarBound returns the help to bound a duration or a quantity by its own marker, together with the other bound that
// the field has.
func (ap Applier) scalarBound(m *markers.Marker, kind, value string, on node.Target) string {
	if len(m.Steps) > 0 || m.Def.ItemsOf != "" {
		return "write a rule with +kubebuilder:validation:XValidation"
	}
	side := numericBound(m)
	var marks []markers.Marker
	if on.Field != nil {
		marks = on.Field.Marks
	} else {
		marks = ap.Marks.At(ap.Reporter).TypeMarkers(on.Decl)
	}
	if own := read.Find(marks, "crdproof:"+kind); own != nil {
		if own.Arg(side) != nil {
			return "remove the marker"
		}
		return "remove the marker, and add " + side + "=" + value + " to " + own.At.Text()
	}
	other := map[string]string{"minimum": read.MarkMaximum, "maximum": read.MarkMinimum}[side]
	bounds := []string{side + "=" + value}
	if o := read.Find(marks, other); o != nil {
		unit := strings.TrimPrefix(value, m.Arg("").Text)
		bounds = append(bounds, numericBound(o)+"="+o.Arg("").Text+unit)
		slices.Sort(bounds)
		slices.Reverse(bounds)
	}
	return "write +crdproof:" + kind + ":" + strings.Join(bounds, ",")
}

// renamed returns the text of a marker under another name.
func renamed(m *markers.Marker, name string) string {
	text, start, end := m.At.Text(), m.Name.Start-m.At.Start, m.Name.End-m.At.Start
	if start < 0 || int(end) > len(text) {
		return "+" + name
	}
	return text[:start] + name + text[end:]
}

// notAList reports a marker for items on a target that has no items, or whose items it cannot reach.
func (ap Applier) notAList(m *markers.Marker, n *node.Node, on node.Target) diag.Diagnostic {
	d := diag.Errorf(m.At, checks.MarkerType, "%s applies to arrays; %s is %s", m.Def.Name, on.What(),
		report.TypePhrase(n.JSONType())).
		Help("remove the marker")
	switch jsonType := ap.meaning(m).jsonType; {
	case n.JSONType() == "array" && n.Ref != nil:
		d = diag.Errorf(m.At, checks.MarkerType, "%s cannot reach the items of the named type %s from %s", m.Def.Name,
			n.Ref.Name, on.What()).
			Help("move the marker to the declaration of %s", n.Ref.Name)
	case jsonType == "" || jsonType == n.JSONType() || jsonType == "number" && n.JSONType() == "integer":
		d = d.Write(renamed(m, m.Def.ItemsOf))
	}
	return ap.Reached(d)
}

func itemsName(name string) string {
	return read.ItemsPrefix + strings.TrimPrefix(name, read.ValidationPrefix)
}

// boundLike returns the marker that bounds the size of another JSON type with the same value, or "". The size of a text
// is no bound of a number, nor the other way round.
func boundLike(m *markers.Marker, jsonType string) string {
	rest, ok := strings.CutPrefix(m.Def.Name, read.ValidationPrefix)
	if !ok || len(rest) < 3 {
		return ""
	}
	side := rest[:3]
	if bound := boundOf(side, jsonType); sameMeasure(rest, bound) && (side == "Max" || side == "Min") {
		return read.ValidationPrefix + bound
	}
	return ""
}

// sameMeasure reports whether two bounds both count what a value contains.
func sameMeasure(a, b string) bool {
	counts := func(bound string) bool { return len(bound) > 3 && !strings.HasSuffix(bound, "imum") }
	return counts(a) && counts(b)
}

// boundOf returns the keyword of a JSON type for its bound on one side, max or min.
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
