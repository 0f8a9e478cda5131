package answers

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/testdata/conformance/exchange"
)

// TestDifferences shows that every kind of difference is found, and that another order of a map is not a difference.
func TestDifferences(t *testing.T) {
	e := func(field, detail string) exchange.Error {
		return exchange.Error{Text: field + ": " + detail, Type: "FieldValueInvalid", Field: field, Detail: detail,
			Value: "int64 1"}
	}
	whole := func() exchange.Answer {
		return exchange.Answer{
			Object: exchange.Read{Unknown: []string{"x"}, Pruned: json.RawMessage(`{"a":1}`),
				Defaulted: json.RawMessage(`{"a":1,"b":2}`)},
			Errors:   []exchange.Error{e("a", "one"), e("a", "two"), e("b", "three"), e("c", "rule")},
			Phases:   []int{3, 0, 0, 0, 1},
			Warnings: []string{"w", "v"},
		}
	}
	for _, c := range []struct {
		name   string
		change func(a *exchange.Answer)
		says   string
	}{
		{"same", func(*exchange.Answer) {}, ""},
		{"order of fields", func(a *exchange.Answer) {
			a.Errors[0], a.Errors[1], a.Errors[2] = a.Errors[2], a.Errors[0], a.Errors[1]
		}, ""},
		{"order of warnings", func(a *exchange.Answer) { a.Warnings = []string{"v", "w"} }, ""},
		{"order at a field", func(a *exchange.Answer) { a.Errors[0], a.Errors[1] = a.Errors[1], a.Errors[0] }, "order"},
		{"phase", func(a *exchange.Answer) { a.Errors[2], a.Errors[3] = a.Errors[3], a.Errors[2] },
			"among the errors of values"},
		{"missing", func(a *exchange.Answer) { a.Errors = a.Errors[1:] }, "error missing: a: one"},
		{"twice", func(a *exchange.Answer) { a.Errors = append(a.Errors, a.Errors[3]) }, "error too much: c: rule"},
		{"text", func(a *exchange.Answer) { a.Errors[3].Text += "." }, "error missing: c: rule"},
		{"value", func(a *exchange.Answer) { a.Errors[3].Value = "float64 1.0" }, "error missing: c: rule"},
		{"type", func(a *exchange.Answer) { a.Errors[3].Type = "FieldValueForbidden" }, "error missing: c: rule"},
		{"warning", func(a *exchange.Answer) { a.Warnings = a.Warnings[1:] }, "warning missing: w"},
		{"unknown", func(a *exchange.Answer) { a.Object.Unknown = nil }, "unknown fields"},
		{"pruned", func(a *exchange.Answer) { a.Object.Pruned = json.RawMessage(`{"a":1.0}`) }, "pruned"},
		{"defaulted", func(a *exchange.Answer) { a.Object.Defaulted = json.RawMessage(`{"a":1}`) }, "defaulted"},
		{"changed", func(a *exchange.Answer) { a.Changed = true }, "the objects are changed"},
		{"panic", func(a *exchange.Answer) { a.Panic = "nil" }, "panic"},
	} {
		ours := whole()
		c.change(&ours)
		found := strings.Join(Differences(whole(), ours), "\n")
		if c.says == "" && found != "" || !strings.HasPrefix(found, c.says) {
			t.Errorf("%s: %q, want %q", c.name, found, c.says)
		}
	}
}
