package diff_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/objects/diff"
	"github.com/crdproof/crdproof/rules/kube"
)

// A hostile is a pair of schemas of spec whose size is about n, made to take much work.
type hostile struct {
	name string
	n    int
	// limits are those that the work must be counted against.
	limits   []*effort.Limit
	old, new func(n int) string
}

// list repeats a text, with %d for a number from 0 on, and with commas between.
func list(n int, format string) string {
	var out []string
	for i := range n {
		out = append(out, strings.ReplaceAll(format, "%d", fmt.Sprint(i)))
	}
	return strings.Join(out, ", ")
}

// spec is a schema of spec with a property a.
func spec(a string) string { return "properties: {a: {" + a + "}}\n" }

// nested is a text around itself n times, with % for the inner one.
func nested(n int, outer, inner string) string {
	before, after, _ := strings.Cut(outer, "%")
	return strings.Repeat(before, n) + inner + strings.Repeat(after, n)
}

// hostiles are shapes of schemas, each for a loop, a recursion or a search that could take very long.
func hostiles() []hostile {
	constant := func(text string) func(int) string { return func(int) string { return text } }
	return []hostile{
		{"oneOf of patterns", 30, []*effort.Limit{effort.DiffSchemas, effort.DiffPlans},
			func(n int) string { return spec("type: string, oneOf: [" + list(n, "{pattern: '^a%d'}") + "]") },
			func(n int) string { return spec("type: string, oneOf: [" + list(n, "{pattern: '^b%d'}") + "]") }},
		{"anyOf of patterns", 10, []*effort.Limit{effort.DiffSchemas, effort.DiffTexts},
			func(n int) string { return spec("type: string, anyOf: [" + list(n, "{pattern: '^a%d'}") + "]") },
			func(n int) string { return spec("type: string, anyOf: [" + list(n, "{pattern: '^b%d'}") + "]") }},
		{"allOf of patterns", 30, []*effort.Limit{effort.DiffSchemas, effort.DiffTexts},
			func(n int) string { return spec("type: string, allOf: [" + list(n, "{pattern: 'a%d'}") + "]") },
			func(n int) string { return spec("type: string, allOf: [" + list(n, "{pattern: 'b%d'}") + "]") }},
		{"allOf of multiples", 20, []*effort.Limit{effort.DiffValues},
			func(n int) string { return spec("type: integer, allOf: [" + list(n, "{multipleOf: 10%d1}") + "]") },
			func(n int) string { return spec("type: integer, allOf: [" + list(n, "{multipleOf: 10%d3}") + "]") }},
		{"enum of texts", 1000, []*effort.Limit{effort.DiffSchemas, effort.DiffValues},
			func(n int) string { return spec("type: string, enum: [" + list(n, "a%d") + "]") },
			func(n int) string { return spec("type: string, enum: [" + list(n, "b%d") + "]") }},
		{"enum of numbers", 1000, []*effort.Limit{effort.DiffSchemas, effort.DiffValues},
			func(n int) string { return spec("type: integer, enum: [" + list(n, "%d") + "]") },
			func(n int) string { return spec("type: integer, enum: [" + list(n-1, "1%d") + "]") }},
		{"removed fields", 30, []*effort.Limit{effort.DiffSchemas, effort.DiffValues, effort.DiffWritten},
			func(n int) string { return "properties: {" + list(n, "a%d: {type: string}") + "}\n" },
			func(n int) string { return "properties: {" + list(n, "b%d: {type: string}") + "}\n" }},
		{"tighter fields", 100, []*effort.Limit{effort.DiffSchemas, effort.DiffValues, effort.DiffWritten},
			func(n int) string { return "properties: {" + list(n, "a%d: {type: string}") + "}\n" },
			func(n int) string { return "properties: {" + list(n, "a%d: {type: string, maxLength: 5}") + "}\n" }},
		{"required fields", 20, []*effort.Limit{effort.DiffSchemas, effort.DiffValues, effort.DiffWritten},
			func(n int) string { return "properties: {" + list(n, "a%d: {type: string}") + "}\n" },
			func(n int) string {
				return "required: [" + list(n, "a%d") + "]\nproperties: {" + list(n, "a%d: {type: string}") + "}\n"
			}},
		{"rules", 8, []*effort.Limit{effort.DiffRules, effort.DiffWritten},
			func(n int) string {
				return spec("type: integer, x-kubernetes-validations: [" + list(n, "{rule: 'self > %d || self < -1%d'}") + "]")
			},
			func(n int) string {
				return spec("type: integer, x-kubernetes-validations: [" + list(n, "{rule: 'self > %d || self < -2%d'}") + "]")
			}},
		{"a rule that reads enums", 200, []*effort.Limit{effort.DiffRules},
			constant(enums),
			func(n int) string {
				return enums + "x-kubernetes-validations: [{rule: '" + strings.Repeat("self.a == self.b || ", n) + "false'}]\n"
			}},
		{"a rule of equations", 5, []*effort.Limit{effort.DiffRules, effort.DiffPlans},
			constant("required: [a]\nproperties: {a: {type: integer}}\n"),
			func(n int) string {
				return "required: [a]\nproperties: {a: {type: integer}}\nx-kubernetes-validations: [{rule: '" +
					nested(n, "(% == (self.a > 1))", "self.a > 2") + "'}]\n"
			}},
		{"nested objects", 30, []*effort.Limit{effort.DiffSchemas, effort.DiffValues},
			func(n int) string {
				return nested(n, "required: [a], properties: {a: {type: object, %}}", "")[len("required: [a], "):] + "\n"
			},
			func(n int) string {
				return nested(n, "properties: {a: {type: object, %}}", "maxProperties: 3") + "\n"
			}},
		{"nested oneOf", 60, []*effort.Limit{effort.DiffPlans},
			constant(spec("type: string")),
			func(n int) string {
				return spec("type: string, " + nested(n, "oneOf: [{%}, {pattern: a}, {pattern: b}]", "pattern: c"))
			}},
		{"nested lists with many items", 1, []*effort.Limit{effort.DiffValues},
			constant(spec("x-kubernetes-preserve-unknown-fields: true")),
			func(n int) string {
				return spec(nested(n+1, "type: array, minItems: 100, items: {%}", "type: string"))
			}},
		{"a long pattern", 1000, []*effort.Limit{effort.DiffTexts},
			constant(spec("type: string")),
			func(n int) string { return spec("type: string, pattern: '^" + strings.Repeat("(a|aa)", n) + "$'") }},
		{"a pattern with exponential states", 6, []*effort.Limit{effort.DiffTexts},
			func(n int) string { return spec(fmt.Sprintf("type: string, pattern: '^[ab]*a[ab]{%d}$'", n)) },
			func(n int) string { return spec(fmt.Sprintf("type: string, pattern: '^[ab]*b[ab]{%d}$'", n+1)) }},
		{"a large default", 100, []*effort.Limit{effort.DiffWritten},
			func(n int) string {
				return "properties: {a: {type: array, items: {type: string}, default: [" + list(n, "x%d") + "]}, b: {type: string}}\n"
			},
			func(n int) string {
				return "properties: {a: {type: array, items: {type: string}, default: [" + list(n, "x%d") +
					"]}, b: {type: string, maxLength: 3}}\n"
			}},
	}
}

const enums = "required: [a, b]\nproperties: {a: {type: string, enum: [x, y, z]}, b: {type: string, enum: [x, y, z]}}\n"

// long are the hostiles whose work takes a second, up to a limit: short tests skip them.
func long() []string {
	return []string{"tighter fields", "required fields", "rules", "a rule that reads enums", "a rule of equations"}
}

// TestEffort compares the work for schemas of two sizes. Ten times the input takes at most twelve times the work, or
// the answer is that a limit is exceeded.
func TestEffort(t *testing.T) {
	for _, h := range hostiles() {
		t.Run(strings.ReplaceAll(h.name, " ", "-"), func(t *testing.T) {
			if testing.Short() && slices.Contains(long(), h.name) {
				t.Skip("its work takes a second")
			}
			t.Parallel()
			small, _ := h.measure(t, h.n)
			large, reasons := h.measure(t, 10*h.n)
			isReported := strings.Contains(reasons, "not decided: too large: ")
			for _, limit := range h.limits {
				a, b := small.Steps(limit), large.Steps(limit)
				t.Logf("%s: %d, %d, %t", limit.Name, a, b, isReported)
				switch {
				case a == 0 || b <= a && !isReported:
					t.Errorf("%s does not count the work: %d steps, then %d", limit.Name, a, b)
				case b > 12*a && !isReported:
					t.Errorf("%s: ten times the input takes %d steps in place of %d", limit.Name, b, a)
				}
			}
		})
	}
}

// measure compares the schemas, and returns the steps and the reasons of unknown answers.
func (h *hostile) measure(t *testing.T, n int) (*effort.Meter, string) {
	t.Helper()
	var m effort.Meter
	c, err := diff.Compare(effort.Measured(t.Context(), &m), crd(t, h.old(n)), crd(t, h.new(n)), kube.Range{})
	if err != nil {
		t.Fatal(err)
	}
	var reasons strings.Builder
	for _, change := range c.Changes {
		for _, f := range change.Findings {
			if f.Answer == diff.Unknown {
				reasons.WriteString(f.Reason + "\n")
			}
		}
	}
	return &m, reasons.String()
}

// TestCanceled ends a comparison with its context.
func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var m effort.Meter
	fields := hostiles()[7]
	_, err := diff.Compare(effort.Measured(ctx, &m), crd(t, fields.old(1000)), crd(t, fields.new(1000)), kube.Range{})
	if err != nil || m.Steps(effort.DiffWrites) > 1 || m.Steps(effort.DiffSchemas) > 100 {
		t.Errorf("after cancellation: error %v, %d writes, %d comparisons of schemas", err, m.Steps(effort.DiffWrites),
			m.Steps(effort.DiffSchemas))
	}
}
