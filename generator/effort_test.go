package generator_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator"
	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/rules"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema/read"
)

// A hostile input grows with a number, and so would the work on it, without a limit.
type hostile struct {
	name string
	// goTypes or crd makes the input: the declarations around a Go type Spec, or the schema of a CRD's spec.
	goTypes, crd func(n int) string
	n            int
	limit        *effort.Limit
	// ends is how the work for ten times the input is limited.
	ends ending
}

// An ending is a way in which work ends.
type ending uint8

const (
	// linear work is at most twelve times as much for ten times the input.
	linear ending = iota
	// reported is a limit that a finding names.
	reported
	// silent is a limit after which only helps are left out.
	silent
)

func each(n int, format string) string {
	var out strings.Builder
	for i := range n {
		fmt.Fprintf(&out, strings.ReplaceAll(format, "%d", "%[1]d"), i)
	}
	return out.String()
}

func levels(n int, format, last string) string {
	var out strings.Builder
	for i := range n {
		fmt.Fprintf(&out, format, i, i+1)
	}
	return "type Spec struct {\n\tA T0 `json:\"a\"`\n}\n" + out.String() + fmt.Sprintf("type T%d %s\n", n, last)
}

// doubling declares constants, each twice as long as the one before.
func doubling(n int) string {
	var out strings.Builder
	for i := range n {
		fmt.Fprintf(&out, "const C%d = C%d + C%d\n", i+1, i, i)
	}
	return out.String()
}

func hostiles() []hostile {
	const object = "{type: object, properties: {a: {type: integer}}, x-kubernetes-validations: [%s]}"
	return []hostile{
		{"types that double", func(n int) string {
			return levels(n, "type T%[1]d struct {\n\tA *T%[2]d `json:\"a\"`\n\tB []T%[2]d `json:\"b\"`\n}\n", "string")
		}, nil, 3, effort.SchemaNodes, reported},
		{"values that double", func(n int) string {
			return levels(n, "type T%[1]d struct {\n\tA T%[2]d `json:\"a\"`\n\tB T%[2]d `json:\"b\"`\n}\n", "string")
		}, nil, 3, effort.TypeContents, reported},
		{"type arguments that double", func(n int) string {
			return levels(n, "type G%[1]d[T any] struct {\n\tA *G%[2]d[P[T, T]] `json:\"a\"`\n}\n"+
				"type T%[1]d struct {\n\tA T%[2]d `json:\"a\"`\n}\n", "*G0[string]") +
				"type P[T, U any] struct {\n\tA *T `json:\"a\"`\n\tB *U `json:\"b\"`\n}\n" +
				fmt.Sprintf("type G%d[T any] struct {\n\tA T `json:\"a\"`\n}\n", n)
		}, nil, 3, effort.TypeArguments, reported},
		{"deep types", func(n int) string {
			return levels(n, "type T%[1]d struct {\n\tA *T%[2]d `json:\"a\"`\n}\n", "string")
		}, nil, 200, effort.SchemaDepth, reported},
		{"constants that double", func(n int) string {
			return "type Spec struct {\n\tA E `json:\"a\"`\n}\n\n// +enum\ntype E string\n\n" +
				"const C0 E = \"abcdefgh\"\n" + doubling(n)
		}, nil, 3, effort.ConstantBytes, reported},
		{"embedded structs that double", func(n int) string {
			return levels(n, "type T%[1]d struct {\n\t*L%[1]d\n\t*R%[1]d\n}\ntype L%[1]d struct {\n\t*T%[2]d\n}\n"+
				"type R%[1]d struct {\n\t*T%[2]d\n}\n", "struct {\n\tA string `json:\"a\"`\n}")
		}, nil, 2, effort.EmbeddedStructs, reported},
		{"long arrays", func(n int) string {
			return fmt.Sprintf("type Spec struct {\n\tA [%d]string `json:\"a\"`\n}\n", n)
		}, nil, 1_000, effort.ZeroValues, linear},
		{"unknown markers", func(n int) string {
			return "type Spec struct {\n" + each(n, "\t// +kubebuilder:validation:Foo%d=1\n") + "\tA string `json:\"a\"`\n}\n"
		}, nil, 50, effort.UnknownMarkers, linear},

		{"many fields", nil, func(n int) string {
			return "{type: object, properties: {" + each(n, "f%d: {type: string},") + "}}"
		}, 14_000, effort.SchemaNodes, reported},
		{"deep lists", nil, func(n int) string {
			return strings.Repeat("{type: array, items: ", n) + "{type: string}" + strings.Repeat("}", n)
		}, 200, effort.SchemaDepth, reported},
		{"aliases of a long text", nil, func(n int) string {
			return "{type: string, enum: [&a '" + strings.Repeat("x", 100_000) + "'" + strings.Repeat(", *a", n) + "]}"
		}, 50, effort.AliasBytes, reported},
		{"a large default", nil, func(n int) string {
			return "{type: object, properties: {a: {type: array, items: {type: integer}, default: [" + each(n, "x%d,") + "]}}}"
		}, 1_100, effort.DefaultValues, reported},
		{"many mistakes", nil, func(n int) string {
			return "{type: object, properties: {" + each(n, "f%d: {},") + "}}"
		}, 110, effort.Rejections, reported},
		{"rules on one field", nil, func(n int) string {
			return fmt.Sprintf(object, each(n, "{rule: 'self.a > %d'},"))
		}, 100, effort.AbsenceFormulas, reported},
		{"loops in loops", nil, func(n int) string {
			rule := "true"
			for i := range n {
				rule = fmt.Sprintf("self.l.all(i%[1]d, self.l[%[2]d] == i%[1]d && %[3]s)", i, i%4, rule)
			}
			return "{type: object, properties: {l: {type: array, maxItems: 2, items: {type: integer}}}, " +
				"x-kubernetes-validations: [{rule: '" + rule + "'}]}"
		}, 1, effort.AbsenceSteps, reported},
		{"loops in loops, whatever the object is", nil, func(n int) string {
			rule := "self.a > 1"
			for i := range n {
				rule = fmt.Sprintf("self.l.exists(i%[1]d, self.l[%[2]d] == i%[1]d || %[3]s)", i, i%4, rule)
			}
			return "{type: object, properties: {a: {type: integer}, l: {type: array, maxItems: 2, items: {type: integer}}}, " +
				"x-kubernetes-validations: [" + strings.Repeat("{rule: '"+rule+"'},", n) + "]}"
		}, 1, effort.VacuousSteps, reported},
		{"patterns that contradict each other", nil, func(n int) string {
			return "{type: object, properties: {" + each(n, "f%d: {type: string, "+
				"pattern: '^[ab]*a[ab]{15}$|^x%d$', allOf: [{pattern: '^[ab]*b[ab]{15}$|^y%d$'}]},") + "}}"
		}, 5, effort.PatternTexts, reported},
		{"expensive rules", nil, func(n int) string {
			return "{type: object, properties: {" + each(n, "f%d: {type: array, items: {type: string}, "+
				"x-kubernetes-validations: [{rule: 'self.all(x, self.exists_one(y, y == x))'}]},") + "}}"
		}, 50, effort.CostSteps, silent},
	}
}

// long are the hostiles whose work takes a second, up to a limit: short tests skip them.
func long() []string {
	return []string{"values that double", "many fields", "a large default", "loops in loops", "expensive rules",
		"loops in loops, whatever the object is", "patterns that contradict each other"}
}

// TestEffort makes sure that the work for ten times a hostile input is at most twelve times as much, or limited.
func TestEffort(t *testing.T) {
	p := newPipeline(t)
	for _, h := range hostiles() {
		t.Run(h.name, func(t *testing.T) {
			if testing.Short() && slices.Contains(long(), h.name) {
				t.Skip("its work takes a second")
			}
			before, found := h.measure(t, p, h.n)
			if names(found, h.limit) {
				t.Fatalf("%d are too many: %v", h.n, found)
			}
			after, found := h.measure(t, p, 10*h.n)
			t.Logf("%d and %d %s", before, after, h.limit.Steps)
			switch {
			case h.ends == reported && !names(found, h.limit):
				t.Errorf("the limit is not reported: %v", found[:min(len(found), 5)])
			case h.ends != reported && before == 0:
				t.Error("no steps were counted")
			case h.ends == linear && after > 12*before:
				t.Errorf("ten times the input takes %d times the steps", after/before)
			case h.ends == silent && after > h.limit.Most+h.limit.Most/2:
				t.Errorf("%d steps were tried, %d are allowed", after, h.limit.Most)
			}
		})
	}
}

// names reports whether a finding is about the limit. Two limits have findings of other checks.
func names(found []diag.Diagnostic, limit *effort.Limit) bool {
	return slices.ContainsFunc(found, func(d diag.Diagnostic) bool {
		return d.Check == effort.Check.ID && strings.Contains(strings.Join(d.Notes, "\n"), "("+limit.Name+" in ") ||
			limit == effort.TypeArguments && strings.Contains(d.Message, "which expands endlessly") ||
			limit == effort.ConstantBytes && strings.Contains(d.Message, "it is too long")
	})
}

// measure validates an input and returns the steps that were counted against the limit.
func (h *hostile) measure(t *testing.T, p *pipeline, n int) (steps int64, found []diag.Diagnostic) {
	t.Helper()
	var m effort.Meter
	ctx := effort.Measured(t.Context(), &m)
	if h.goTypes != nil {
		found = p.run(t, ctx, h.goTypes(n))
	} else {
		found = checkCRD(ctx, h.crd(n))
	}
	return m.Steps(h.limit), found
}

// run generates the CRD of a kind with the type Spec.
func (p *pipeline) run(t *testing.T, ctx context.Context, src string) []diag.Diagnostic {
	t.Helper()
	const head = "package v1\n\nimport metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\ntype Hostile struct {\n" +
		"\tmetav1.TypeMeta `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n" +
		"\tSpec Spec `json:\"spec\"`\n}\n\n"
	writeFile(t, p.file, []byte(head+src))
	return generator.RunMeasured(ctx, p.listing, p.config).Diagnostics
}

// checkCRD validates a CRD with a schema of its spec.
func checkCRD(ctx context.Context, schema string) []diag.Diagnostic {
	text := "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n" +
		"metadata: {name: widgets.example.com}\nspec:\n  group: example.com\n  scope: Namespaced\n" +
		"  names: {kind: Widget, listKind: WidgetList, plural: widgets, singular: widget}\n" +
		"  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n" +
		"      openAPIV3Schema: {type: object, properties: {spec: " + schema + "}}\n"
	docs, found := read.Documents(&diag.Source{Path: "crd.yaml", Data: []byte(text)})
	for _, doc := range docs {
		found = append(found, rules.Check(ctx, session.New(doc.CRD, nil, session.Options{}))...)
	}
	return found
}
