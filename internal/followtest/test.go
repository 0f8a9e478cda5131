package followtest

import (
	"iter"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/edit"
)

// An Exception is a help that shows what to write but cannot be followed literally in a case, and why.
type Exception struct {
	// Case begins the names of the cases, and Help the help; "" is any.
	Case, Check, Help string
	Why               string
}

// A Test follows the helps of many files.
type Test struct {
	Find       func(*diag.Source) []diag.Diagnostic
	Exceptions []Exception
	// Effect says what is wrong with the effect that a help declares, nil if nothing checks it.
	Effect func(before, after *diag.Source, d *diag.Diagnostic, declared diag.Effect) string

	used     map[int]bool
	followed int
	left     map[string]int
}

// showsCode is a help that shows what to write: a key with its value, an expression, or a name in quotes.
var showsCode = regexp.MustCompile(`[\w-]: \S|"|\bself\b|\bx-kubernetes-|such as|for example`)

// onlyAfter is the note of findings that hide others.
const onlyAfter = "the API server checks some rules only after this is fixed"

// File does what each help about a file says, if it shows what to write. Then the finding must be gone, and there must
// be no new one.
func (h *Test) File(t *testing.T, name string, src *diag.Source) {
	t.Helper()
	if h.left == nil {
		h.left = map[string]int{}
	}
	first := h.Find(src)
	before := count(first)
	for i := range first {
		d := &first[i]
		if d.HelpText == "" || d.Span.Source != src {
			continue
		}
		any := false
		for help, effect := range Alternatives(d) {
			text, ok := Follow(d, help)
			wrong := ""
			switch {
			case ok:
				any = true
				after := &diag.Source{Path: src.Path, Data: []byte(text)}
				wrong = compare(d, before, count(h.Find(after)))
				if wrong == "" && h.Effect != nil {
					wrong = h.Effect(src, after, d, effect)
				}
			case showsCode.MatchString(help):
				wrong = "it shows what to write, but cannot be followed literally"
			}
			if wrong != "" && !h.Excepts(name, d, help) {
				t.Errorf("%s: %s: %s\nhelp: %s\n%s\n%s", name, d.Check, d.Message, help, wrong, text)
			}
		}
		if any {
			h.followed++
		} else {
			h.left[d.HelpText]++
		}
	}
}

// Follow returns the text of a file after a help: after its edits, if it has some, or else after what its text says.
func Follow(d *diag.Diagnostic, help string) (string, bool) {
	for _, h := range d.Helps() {
		if edits := edit.NewResolver().Edits(d.Span, h.Steps); h.Text == help && edits != nil {
			return string(diag.Apply(d.Span.Source.Data, edits)), true
		}
	}
	return Help(d.Span, help)
}

// Alternatives are the helps of a finding, one by one. A help without edits joins those with the same effect by
// ", or ".
func Alternatives(d *diag.Diagnostic) iter.Seq2[string, diag.Effect] {
	return func(yield func(string, diag.Effect) bool) {
		for _, h := range d.Helps() {
			if edit.NewResolver().Edits(d.Span, h.Steps) != nil {
				if !yield(h.Text, h.Effect) {
					return
				}
				continue
			}
			for text := range strings.SplitSeq(h.Text, ", or ") {
				if !yield(text, h.Effect) {
					return
				}
			}
		}
	}
}

// Excepts reports whether a help of a case is one of the exceptions.
func (h *Test) Excepts(name string, d *diag.Diagnostic, help string) (ok bool) {
	if h.used == nil {
		h.used = map[int]bool{}
	}
	for i, e := range h.Exceptions {
		if strings.HasPrefix(name, e.Case) && e.Check == d.Check && strings.HasPrefix(help, e.Help) {
			h.used[i], ok = true, true
		}
	}
	return ok
}

// Unused reports the exceptions that nothing needs.
func (h *Test) Unused(t *testing.T) {
	t.Helper()
	for i, e := range h.Exceptions {
		if !h.used[i] {
			t.Errorf("nothing needs the exception %+v", e)
		}
	}
}

// End reports the exceptions that nothing needs, and the helps that leave a choice.
func (h *Test) End(t *testing.T) {
	t.Helper()
	h.Unused(t)
	if h.followed == 0 {
		t.Error("no help was followed")
	}
	t.Logf("%d helps were followed; these leave a choice:", h.followed)
	for _, help := range slices.Sorted(maps.Keys(h.left)) {
		t.Logf("%d %s", h.left[help], help)
	}
}

// compare says what is wrong with the findings after a help was followed, "" if nothing is. A finding about a value
// may name another value then, so others are compared by their checks.
func compare(d *diag.Diagnostic, before, after map[string]int) string {
	var wrong []string
	if key := d.Check + ": " + d.Message; after[key] >= before[key] {
		wrong = append(wrong, "it is still there")
	}
	for _, key := range slices.Sorted(maps.Keys(after)) {
		isCheck := !strings.Contains(key, " ")
		if isCheck && after[key] > before[key] && !slices.Contains(d.Notes, onlyAfter) {
			wrong = append(wrong, "new: "+key)
		}
	}
	return strings.Join(wrong, "\n")
}

// count counts findings by their check, and by their check and message.
func count(list []diag.Diagnostic) map[string]int {
	out := map[string]int{}
	for i := range list {
		out[list[i].Check]++
		out[list[i].Check+": "+list[i].Message]++
	}
	return out
}
