package apply

import (
	"cmp"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/lower/internal/cel"
	"github.com/crdproof/crdproof/generator/lower/internal/checks"
	"github.com/crdproof/crdproof/generator/lower/internal/node"
	"github.com/crdproof/crdproof/generator/lower/internal/pattern"
	"github.com/crdproof/crdproof/generator/lower/internal/read"
	"github.com/crdproof/crdproof/generator/lower/internal/report"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/schema"
)

// setFormat adds a format whose name is the marker's value.
func (ap Applier) setFormat(n *node.Node, m *markers.Marker, on node.Target) {
	f, ok := ap.formatOf(m)
	if !ok {
		return
	}
	if on.Field != nil && len(m.Steps) == 0 && n.Sort == node.ScalarSort &&
		read.Find(on.Field.Marks, read.MarkK8sOptional) != nil {
		f = f.OrEmpty() // an empty text counts as unset, and Kubernetes does not check the format of that
	}
	ap.require(n, m, f.Schema(m.Arg("").At))
}

// formatOf returns the format that a marker names, which is one of Kubernetes or of the project. It reports any other.
func (ap Applier) formatOf(m *markers.Marker) (*pattern.Format, bool) {
	v := m.Arg("")
	for _, own := range ap.Opts.Formats {
		if own.Name == v.Text {
			f := pattern.Declared(own.Name, own.Pattern, own.Message)
			return &f, true
		}
	}
	f, ok := pattern.FormatOf(v.Text)
	if !ok {
		ap.Report(unknownFormat(v, pattern.FormatNames(pattern.Formats())))
	}
	return f, ok
}

func unknownFormat(v *markers.Value, names []string) diag.Diagnostic {
	return diag.Errorf(v.At, markers.BadValue, "unknown format %q", v.Text).
		Help("%s", report.OneOfThese(v.Text, names))
}

// A bound is the minimum or the maximum that a marker sets.
type bound struct {
	text schema.Text
	// comparison is the operator between the value and its bound, message the message of the rule.
	comparison, message string
}

// boundsOf returns the bounds of a marker, the minimum first. It is not ok if they cannot be parsed, which has been
// reported; kind names what they are, such as "a duration".
func boundsOf[T any](ap Applier, m *markers.Marker, kind, example string, parse func(string) (T, error),
	compare func(x, y T) int) (bounds []bound, ok bool) {
	var values []T
	for _, arg := range []string{"minimum", "maximum"} {
		v := m.Arg(arg)
		if v == nil {
			continue
		}
		comparison, message := ">=", "must be at least "
		if arg == "maximum" {
			comparison, message = "<=", "must be at most "
		}
		value, err := parse(v.Text)
		if err != nil {
			ap.Report(badBound(v, kind, example))
			return nil, false
		}
		values = append(values, value)
		bounds = append(bounds, bound{read.TextOf(v), comparison, message + v.Text})
	}
	if len(values) == 2 && compare(values[0], values[1]) > 0 {
		least, greatest := bounds[0].text, bounds[1].text
		ap.Report(report.EmptyRange("minimum", least.V, least.At, "maximum", greatest.V, greatest.At))
		return nil, false
	}
	return bounds, true
}

// addScalarRule adds the rule of a marker, or of one of its arguments.
func addScalarRule(n *node.Node, m *markers.Marker, from schema.Text, rule cel.Expr, message string) {
	n.Own.Rules = append(n.Own.Rules, schema.Rule{
		Made: true, At: m.At, Rule: schema.Text{V: rule.String(), At: from.At},
		Message: schema.Text{V: message, At: from.At},
	})
}

// setDuration bounds a duration. CEL parses durations with time.ParseDuration, and its error rejects the value as well,
// so that only a marker without bounds needs a rule for the form alone.
func (ap Applier) setDuration(n *node.Node, m *markers.Marker, on node.Target) {
	if n.IsIntOrString() {
		ap.Report(ap.Reached(diag.Errorf(m.At, checks.MarkerType,
			"%s applies to strings; %s is an integer or a string", m.Def.Name, on.What()).
			Help("remove the marker")))
		return
	}
	bounds, ok := boundsOf(ap, m, "a duration", "1h30m", time.ParseDuration, cmp.Compare[time.Duration])
	if !ok {
		return
	}
	bounded := func(comparison, limit string) cel.Expr {
		return cel.Compare(cel.Call("duration", cel.Self()), comparison, cel.Call("duration", cel.Text(limit)))
	}
	for _, bound := range bounds {
		addScalarRule(n, m, bound.text, bounded(bound.comparison, bound.text.V), bound.message)
	}
	if len(m.Args) == 0 {
		longest := time.Duration(math.MaxInt64).String()
		addScalarRule(n, m, schema.Text{At: m.At}, bounded("<=", longest),
			"must be a duration that Go reads, of 292 years at most")
	}
}

// maxQuantity is the maximum length of a quantity without another bound. resource.Quantity writes at most 30
// characters, and a rule on unbounded strings would be too expensive for the items of any list.
const maxQuantity = 64

// setQuantity bounds a quantity, which CEL parses with resource.ParseQuantity. An integer is added to the quantity 0:
// as a string it would have an unknown length in the estimate of costs.
func (ap Applier) setQuantity(n *node.Node, m *markers.Marker, _ node.Target) {
	order := func(x, y resource.Quantity) int { return x.Cmp(y) }
	bounds, ok := boundsOf(ap, m, "a quantity", "100Mi", resource.ParseQuantity, order)
	if !ok {
		return
	}
	if n.MaxLength() == nil {
		n.Own.MaxLength = &schema.Int{V: maxQuantity, At: m.At}
	}
	value, valid := quantityIn(n, cel.Self())
	for _, bound := range bounds {
		addScalarRule(n, m, bound.text, bound.quantity(value), bound.message)
	}
	if len(m.Args) == 0 {
		addScalarRule(n, m, schema.Text{At: m.At}, valid, "must be a quantity, such as 500m, 100Mi or 2")
	}
}

// quantityIn returns the quantity of a value of a node, and whether it is one.
func quantityIn(n *node.Node, value cel.Expr) (quantity, valid cel.Expr) {
	quantity, valid = cel.Call("quantity", value), cel.Call("isQuantity", value)
	if n.IsIntOrString() {
		isInt := cel.Compare(cel.Call("type", value), "==", cel.Ident("int"))
		zero := cel.Call("quantity", cel.Text("0"))
		quantity, valid = cel.Group(cel.Choice(isInt, zero.Call("add", value), quantity)), cel.Or(isInt, valid)
	}
	return quantity, valid
}

// quantity returns the comparison of a quantity with the bound.
func (b bound) quantity(value cel.Expr) cel.Expr {
	limit := cel.Call("quantity", cel.Text(b.text.V))
	return cel.Compare(value.Call("compareTo", limit), b.comparison, cel.Int(0))
}

// ofQuantity returns the meaning of the tags k8s:minimum and k8s:maximum on a quantity, where their value is one.
func ofQuantity(argument string) meaning {
	named := func(m *markers.Marker) *markers.Marker {
		out := *m
		out.Args = []markers.Arg{{Name: argument, Value: *m.Arg("")}}
		return &out
	}
	return meaning{
		apply: func(ap Applier, n *node.Node, m *markers.Marker, on node.Target) { ap.setQuantity(n, named(m), on) },
		condition: func(ap Applier, s *spot, m *markers.Marker, _ node.Target) (c condition, ok bool) {
			order := func(x, y resource.Quantity) int { return x.Cmp(y) }
			bounds, ok := boundsOf(ap, named(m), "a quantity", "100Mi", resource.ParseQuantity, order)
			if !ok {
				return c, false
			}
			value, _ := quantityIn(s.n, s.value)
			return condition{cel: bounds[0].quantity(value), message: bounds[0].message}, true
		},
	}
}

// days matches a duration in days, which Go does not have.
var days = regexp.MustCompile(`^([0-9]{1,6})d$`)

// badBound reports a bound that cannot be parsed; kind names what was expected.
func badBound(v *markers.Value, kind, example string) diag.Diagnostic {
	d := diag.Errorf(v.At, markers.BadValue, "expected %s, got %q", kind, v.Text).
		Help("write %s, such as %s", kind, example)
	if in := days.FindStringSubmatch(v.Text); in != nil && kind == "a duration" {
		n, _ := strconv.Atoi(in[1])
		d = d.Note("Go durations have no days").Help("write %dh", 24*n)
	}
	return d
}

// maxPercent is the greatest percentage that a bound may be.
const maxPercent = 1_000_000

// setPercent requires the string form of a value to be a percentage. Its range is a pattern, which costs nothing.
func (ap Applier) setPercent(n *node.Node, m *markers.Marker, _ node.Target) {
	limits := [2]int64{0, 100}
	at := [2]*markers.Value{m.Arg("minimum"), m.Arg("maximum")}
	for i, v := range at {
		if v == nil {
			at[i] = &markers.Value{}
			continue
		}
		if limits[i], _ = v.Int64(); limits[i] < 0 || limits[i] > maxPercent {
			ap.Report(badBound(v, "a whole number from 0 to 1000000", "50"))
			return
		}
	}
	least, greatest := strconv.FormatInt(limits[0], 10), strconv.FormatInt(limits[1], 10)
	if limits[0] > limits[1] {
		ap.Report(report.EmptyRange("minimum", least, at[0].At, "maximum", greatest, at[1].At))
		return
	}
	form := `^(` + strings.Join(pattern.Between(limits[0], limits[1]), "|") + `)%$`
	ap.require(n, m, &schema.Schema{Pattern: schema.Text{V: form, At: m.At}})
}
