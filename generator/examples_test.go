package generator_test

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/checkdoc"
	"github.com/crdproof/crdproof/rules/cost"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/rules/structural"
)

// named are the declarations of what examples name without declaring it.
var named = map[string]string{
	"Port":   "type Port struct {\n\tName string `json:\"name\"`\n}",
	"Base":   "type Base struct {\n\tA int32 `json:\"a\"`\n}",
	"File":   "type File struct {\n\tName string `json:\"name\"`\n}",
	"Kind":   "type Kind string\n\nconst KindFile Kind = \"File\"",
	"Policy": "// +enum\ntype Policy string\n\nconst (\n\tAlways Policy = \"Always\"\n\tNever  Policy = \"Never\"\n)",
}

var (
	fieldExample = regexp.MustCompile("(?m)^\\*?(?:\\w+ )?[^/\\s][^\n]*`json:")
	typeExample  = regexp.MustCompile(`(?m)^type (\w+) (?:struct|string|metav1)`)
	withRemark   = regexp.MustCompile(`\(with |\(of |// with|\(and no|= metav1|\[T any\]|Agent|batchv1|{$`)
)

// sourceOf returns the Go source of an example, "" for one that is not complete: a marker alone, a command, or one with
// a remark on what is around it.
func sourceOf(example string) string {
	var out strings.Builder
	switch m := typeExample.FindStringSubmatch(example); {
	case withRemark.MatchString(example), strings.Contains(example, "func "), strings.Contains(example, "type Widget"):
		return ""
	case m != nil && m[1] == "Spec":
		out.WriteString(example + "\n")
	case m != nil:
		out.WriteString(example + "\n\ntype Spec struct {\n\tX " + m[1] + " `json:\"x\"`\n}\n")
	case fieldExample.MatchString(example):
		out.WriteString("type Spec struct {\n" + example + "\n}\n")
	default:
		return ""
	}
	for _, name := range slices.Sorted(maps.Keys(named)) {
		isNamed := regexp.MustCompile(`\b` + name + `\b`).MatchString(example)
		if isNamed && !strings.Contains(example, "type "+name) {
			out.WriteString("\n" + named[name] + "\n")
		}
	}
	return out.String()
}

// TestExamples makes sure that a check finds the bad example of the documentation, and nothing in the good one. Those of
// rules/structural and rules/cost have tests of their own.
func TestExamples(t *testing.T) {
	others := map[string]bool{}
	for _, c := range slices.Concat(cost.Checks(), session.Checks(structural.Rows())) {
		others[c.ID] = true
	}
	var ids, bad, good []string
	pages := checkdoc.Pages()
	for _, id := range slices.Sorted(maps.Keys(pages)) {
		if b, g := sourceOf(pages[id].Bad), sourceOf(pages[id].Good); !others[id] && b != "" && g != "" {
			ids, bad, good = append(ids, id), append(bad, b), append(good, g)
		}
	}
	for i, found := range findings(t, good...) {
		for _, d := range found {
			t.Errorf("%s: in the good example there is %s: %s", ids[i], d.Check, d.Message)
		}
	}
	for i, found := range findings(t, bad...) {
		id := ids[i]
		if !slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Check == id }) {
			t.Errorf("%s is not found in its bad example, but %v", id, found)
		}
	}
	if len(ids) < 40 {
		t.Errorf("only %d examples are complete", len(ids))
	}
}
