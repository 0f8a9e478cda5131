package diff_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/objects/diff"
	"github.com/crdproof/crdproof/rules/kube"
)

// A question is a pair of rules about n fields, made to take much work to decide whether the second one follows.
type question struct {
	name     string
	fields   string
	n        int
	old, now func(n int) string
}

// joined repeats a text with % for numbers of fields: i, and one that is given by i.
func joined(n int, operator string, text func(i, j int) string) string {
	var out []string
	for i := range n {
		out = append(out, text(i, (7*i+1)%n))
	}
	return strings.Join(out, operator)
}

// questions have rules whose decision diagrams, orders, automata or products of values could be exponentially large.
func questions() []question {
	has := func(i, j int) string { return fmt.Sprintf("has(self.a%d) == has(self.a%d)", i, j) }
	return []question{
		{"presence", "a%d: {type: integer}", 16,
			func(n int) string { return joined(n, " && ", has) },
			func(n int) string {
				return joined(n, " != ", func(i, j int) string { return fmt.Sprintf("has(self.a%d)", j) })
			}},
		{"alternatives", "a%d: {type: integer}", 16,
			func(n int) string {
				return joined(n, " && ", func(i, j int) string { return fmt.Sprintf("(has(self.a%d) || has(self.a%d))", i, j) })
			},
			func(n int) string {
				return joined(n, " || ", func(i, j int) string { return fmt.Sprintf("(!has(self.a%d) && has(self.a%d))", i, j) })
			}},
		{"orders", "a%d: {type: integer}", 12,
			func(n int) string {
				return joined(n, " && ", func(i, j int) string { return fmt.Sprintf("self.a%d + %d < self.a%d - %d", i, i, j, j) })
			},
			func(n int) string {
				return joined(n, " || ", func(i, j int) string { return fmt.Sprintf("self.a%d - %d == self.a%d + 7", j, i, i) })
			}},
		{"all orders", "a%d: {type: integer}", 10,
			func(n int) string {
				return joined(n*n, " && ", func(i, j int) string { return fmt.Sprintf("self.a%d <= self.a%d", i/n, i%n) })
			},
			func(n int) string {
				return joined(n*n, " || ", func(i, j int) string { return fmt.Sprintf("self.a%d != self.a%d", i%n, i/n) })
			}},
		{"remainders", "a%d: {type: integer}", 1,
			func(int) string {
				return joined(60, " || ", func(i, j int) string { return fmt.Sprintf("self.a0 %% %d == %d", i+2, (i+2)/2) })
			},
			func(int) string {
				return joined(60, " && ", func(i, j int) string { return fmt.Sprintf("self.a0 %% %d != %d", 2*i+4, i+2) })
			}},
		{"values", "a%d: {type: string, maxLength: 20}", 1,
			func(int) string { return "self.a0.lowerAscii() in [" + list(400, "'a%d'") + "]" },
			func(int) string { return "self.a0.trim().upperAscii() in [" + list(400, "'A%d'") + "]" }},
		{"patterns", "a%d: {type: string, maxLength: 20}", 1,
			func(int) string {
				return joined(30, " || ", func(i, j int) string { return fmt.Sprintf("self.a0.matches('^a%d.*[bc]{3,9}%d')", i, j) })
			},
			func(int) string {
				return joined(30, " || ", func(i, j int) string { return fmt.Sprintf("self.a0.matches('^a%d.*[ab]{3,9}')", i) })
			}},
		{"a pattern with exponential states", "a%d: {type: string, maxLength: 40}", 1,
			func(int) string { return "self.a0.matches('^[ab]*a[ab]{18}$')" },
			func(int) string { return "self.a0.matches('^[ab]*b[ab]{17}$')" }},
		{"quantifiers", "a%d: {type: array, maxItems: 5, items: {type: string, maxLength: 9}}", 6,
			func(n int) string {
				return joined(n, " && ", func(i, j int) string {
					return fmt.Sprintf("self.a%d.all(x, self.a%d.exists(y, x == y))", i, (i+1)%n)
				})
			},
			func(n int) string {
				return joined(n, " && ", func(i, j int) string {
					return fmt.Sprintf("self.a%d.all(x, self.a%d.exists(y, x != y))", i, (i+2)%n)
				})
			}},
		{"sums", "a%d: {type: integer}", 20,
			func(n int) string {
				return joined(n, " + ", func(i, j int) string { return fmt.Sprintf("(has(self.a%d) ? %d : 0)", i, 1<<i) }) + " > 1000"
			},
			func(n int) string {
				return joined(n, " + ", func(i, j int) string { return fmt.Sprintf("(has(self.a%d) ? %d : 1)", i, 3*i*i*i) }) + " < 9000"
			}},
	}
}

// TestBounded asks questions of which each could take much more work than its limit. A search spends what it needs
// before it looks at its budget, so that a question may take a little more than the limit, and all of them together.
func TestBounded(t *testing.T) {
	for i, q := range questions() {
		if testing.Short() && i%3 > 0 {
			continue // all of them take ten seconds
		}
		t.Run(strings.ReplaceAll(q.name, " ", "-"), func(t *testing.T) {
			t.Parallel()
			side := func(rule string) string {
				var out strings.Builder
				out.WriteString("properties:\n")
				for i := range q.n {
					out.WriteString("  " + strings.ReplaceAll(q.fields, "%d", fmt.Sprint(i)) + "\n")
				}
				return out.String() + fmt.Sprintf("x-kubernetes-validations: [{rule: %q}]\n", rule)
			}
			var m effort.Meter
			c, err := diff.Compare(effort.Measured(t.Context(), &m), crd(t, side(q.old(q.n))), crd(t, side(q.now(q.n))),
				kube.Range{})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("create %s, %d steps", c.Answer(diff.Create), m.Steps(effort.DiffClaims))
			const questions = 4 // about a rule: whether it follows and whether it fails, in both directions
			if steps := m.Steps(effort.DiffClaim); steps == 0 || steps > questions*effort.DiffClaim.Most*11/10 {
				t.Errorf("%d steps for %d questions of at most %d", steps, questions, effort.DiffClaim.Most)
			}
		})
	}
}
