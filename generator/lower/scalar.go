package lower

import (
	"cmp"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/schema"
)

// A bound is the minimum or the maximum that a marker sets.
type bound struct {
	text schema.Text
	// comparison is the operator between the value and its bound, message the message of the rule.
	comparison, message string
}

// boundsOf are the bounds of a marker, the minimum first. It is not ok if they cannot be parsed, which has been
// reported; kind names what they are, such as "a duration".
func boundsOf[T any](ap applier, m *markers.Marker, kind, example string, parse func(string) (T, error),
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
			ap.report(badBound(v, kind, example))
			return nil, false
		}
		values = append(values, value)
		bounds = append(bounds, bound{textOf(v), comparison, message + v.Text})
	}
	if len(values) == 2 && compare(values[0], values[1]) > 0 {
		least, greatest := bounds[0].text, bounds[1].text
		ap.report(emptyRange("minimum", least.V, least.At, "maximum", greatest.V, greatest.At))
		return nil, false
	}
	return bounds, true
}

// addScalarRule adds the rule of a marker, or of one of its arguments.
func addScalarRule(n *node, m *markers.Marker, from schema.Text, rule expr, message string) {
	n.s.Rules = append(n.s.Rules, schema.Rule{
		At: m.At, Rule: schema.Text{V: rule.String(), At: from.At}, Message: schema.Text{V: message, At: from.At},
	})
}

// setDuration bounds a duration. CEL parses durations with time.ParseDuration, and its error rejects the value as well,
// so that only a marker without bounds needs a rule for the form alone.
func (ap applier) setDuration(n *node, m *markers.Marker, on target) {
	if n.isIntOrString() {
		ap.report(ap.reached(diag.Errorf(m.At, markerType, "%s applies to strings; %s is an integer or a string",
			m.Def.Name, on.what()).
			Help("remove the marker")))
		return
	}
	bounds, ok := boundsOf(ap, m, "a duration", "1h30m", time.ParseDuration, cmp.Compare[time.Duration])
	if !ok {
		return
	}
	bounded := func(comparison, limit string) expr {
		return compare(call("duration", self()), comparison, call("duration", celText(limit)))
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
func (ap applier) setQuantity(n *node, m *markers.Marker, _ target) {
	order := func(x, y resource.Quantity) int { return x.Cmp(y) }
	bounds, ok := boundsOf(ap, m, "a quantity", "100Mi", resource.ParseQuantity, order)
	if !ok {
		return
	}
	if n.maxLength() == nil {
		n.s.MaxLength = &schema.Int{V: maxQuantity, At: m.At}
	}
	quantityOf := func(text string) expr { return call("quantity", celText(text)) }
	value, valid := call("quantity", self()), call("isQuantity", self())
	if n.isIntOrString() {
		isInt := compare(call("type", self()), "==", ident("int"))
		value, valid = group(choice(isInt, quantityOf("0").call("add", self()), value)), or(isInt, valid)
	}
	for _, bound := range bounds {
		rule := compare(value.call("compareTo", quantityOf(bound.text.V)), bound.comparison, integer(0))
		addScalarRule(n, m, bound.text, rule, bound.message)
	}
	if len(m.Args) == 0 {
		addScalarRule(n, m, schema.Text{At: m.At}, valid, "must be a quantity, such as 500m, 100Mi or 2")
	}
}

// maxLength is the node's bound, or that of its named type.
func (n *node) maxLength() *schema.Int {
	return nearest(n, func(n *node) *schema.Int { return n.s.MaxLength })
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
func (ap applier) setPercent(n *node, m *markers.Marker, _ target) {
	limits := [2]int64{0, 100}
	at := [2]*markers.Value{m.Arg("minimum"), m.Arg("maximum")}
	for i, v := range at {
		if v == nil {
			at[i] = &markers.Value{}
			continue
		}
		if limits[i], _ = v.Int64(); limits[i] < 0 || limits[i] > maxPercent {
			ap.report(badBound(v, "a whole number from 0 to 1000000", "50"))
			return
		}
	}
	least, greatest := strconv.FormatInt(limits[0], 10), strconv.FormatInt(limits[1], 10)
	if limits[0] > limits[1] {
		ap.report(emptyRange("minimum", least, at[0].At, "maximum", greatest, at[1].At))
		return
	}
	addPattern(&n.s, schema.Text{V: `^(` + strings.Join(between(limits[0], limits[1]), "|") + `)%$`, At: m.At})
}

// between are patterns that match the integers of a range, without leading zeros: each integer matches one of them.
func between(least, greatest int64) []string {
	var out []string
	for first := int64(1); first <= greatest || first == 1; first *= 10 {
		low, high := max(least, first), min(greatest, 10*first-1)
		if first == 1 {
			low = max(least, 0)
		}
		if low <= high {
			out = append(out, sameLength(strconv.FormatInt(low, 10), strconv.FormatInt(high, 10))...)
		}
	}
	return out
}

// sameLength are patterns of the numbers of a range whose ends have as many digits.
func sameLength(low, high string) []string {
	if low == "" {
		return []string{""}
	}
	behind := func(digit byte, rest []string) []string {
		for i := range rest {
			rest[i] = string(digit) + rest[i]
		}
		return rest
	}
	first, last, rest := low[0], high[0], len(low)-1
	if first == last {
		return behind(first, sameLength(low[1:], high[1:]))
	}
	zeros, nines := strings.Repeat("0", rest), strings.Repeat("9", rest)
	var below, above []string
	if low[1:] != zeros {
		below = behind(first, sameLength(low[1:], nines))
		first++
	}
	if high[1:] != nines {
		above = behind(last, sameLength(zeros, high[1:]))
		last--
	}
	if first <= last {
		below = append(below, class(first, last)+digits(rest, false))
	}
	return append(below, above...)
}
