package apply

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/lower/internal/checks"
	"github.com/crdproof/crdproof/generator/lower/internal/node"
	"github.com/crdproof/crdproof/generator/lower/internal/options"
	"github.com/crdproof/crdproof/generator/lower/internal/read"
	"github.com/crdproof/crdproof/generator/lower/internal/report"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/schema"
)

// setRule adds a rule in CEL.
func (ap Applier) setRule(n *node.Node, m *markers.Marker, _ node.Target) {
	ap.addRule(n, read.WithArguments(schema.Rule{At: m.At}, m))
}

// setNamedRule adds a rule in CEL that is written over several lines or has a name.
func (ap Applier) setNamedRule(n *node.Node, m *markers.Marker, on node.Target) {
	ap.Marks.At(ap.Reporter).RulesOf(on.Decl.Pkg) // which reports mistakes in names there
	r := schema.Rule{At: m.At}
	if use := m.Arg("use"); use != nil {
		named := ap.Marks.At(ap.Reporter).FindRule(use, on.Decl)
		if named == nil {
			return
		}
		r = *named
		r.At, r.Declared = m.At, r.At
		if m.Arg("message") != nil {
			r.MessageExpression = schema.Text{} // would be preferred to the message
		}
	}
	ap.addRule(n, read.WithArguments(r, m))
}

func (ap Applier) addRule(n *node.Node, r schema.Rule) {
	if ap.Marks.At(ap.Reporter).KnownReason(r) {
		n.Own.Rules = append(n.Own.Rules, r)
	}
}

// checkEnum reports an Enum marker on a list. The checks of CRDs find values that do not fit the type.
func (ap Applier) checkEnum(n *node.Node, m *markers.Marker, on node.Target) {
	if n.JSONType() == "array" && m.Def.ItemsOf == "" {
		ap.Mistake(diag.Errorf(m.At, checks.MarkerType, "%s applies to single values; %s is an array", m.Def.Name,
			on.What()).
			Write(renamed(m, itemsName(m.Def.Name))).Changes(diag.AcceptsOther, "lists of the values"))
	}
}

// checkJoined reports an Enum such as A|B|C, whose separators are part of its only value. It returns true if that
// cannot be meant, since the value does not fit the type. For any other string the value may be meant: a warning,
// which quotes around the value silence.
func (ap Applier) checkJoined(n *node.Node, m *markers.Marker, on node.Target) bool {
	v := m.Arg("")
	meant := markers.Joined(v)
	if meant == "" || !ap.Program.Owns(v.At) {
		return false
	}
	d := diag.Errorf(v.At, markers.LooseValue, "expected items separated by ;, got %s", v.At.Text()).
		Write(meant)
	got := n.JSONType()
	if n.IsIntOrString() || got == "" {
		got = "string"
	}
	var constants []string
	decl := on.Decl
	if on.Field != nil {
		decl = nil
		if n.Ref != nil {
			decl = n.Ref.Decl
		}
	}
	if decl != nil {
		for _, c := range decl.Constants() {
			if value := constantValue(c.Value); value.Kind == schema.String {
				constants = append(constants, value.Text)
			}
		}
	}
	if got != "string" || len(constants) > 0 && !slices.Contains(constants, v.Items[0].Text) {
		ap.Mistake(d)
		return true
	}
	text := report.ValueText(v.Items[0])
	ap.Mistake(diag.Warningf(v.At, markers.LooseValue, "%s is one value; items are separated by ;", text).
		Help("write %s, or write %s", meant, text))
	return false
}

// roundedNumber returns what controller-gen makes of numbers that it reads as float64: bounds, and all of +default.
func roundedNumber(v *schema.Value) string { return schema.RoundedNumber(v.Text) }

// guessedNumber returns what controller-gen makes of numbers in values of any type: an int64 if it looks like an
// integer.
func guessedNumber(v *schema.Value) string {
	if i, ok := v.Int64(); ok && v.Kind == schema.Integer {
		return strconv.FormatInt(i, 10)
	}
	return roundedNumber(v)
}

// value returns the value of an argument; theirs is how controller-gen writes numbers.
func (ap Applier) value(v *schema.Value, theirs func(*schema.Value) string) schema.Value {
	if !ap.Opts.With(options.NumbersExact) {
		return v.WithNumbers(theirs)
	}
	exact := v.Canonical()
	if !exact.Equal(v.WithNumbers(theirs)) {
		ap.Differs(v.At, options.NumbersExact, v.At)
	}
	return exact
}

// jsonString returns the JSON literal of a string. controller-gen sorts constants by it.
func jsonString(s string) string {
	data, err := json.Marshal(s)
	if err != nil {
		return s
	}
	return string(data)
}
