package harness

import (
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/testdata/circle/source"
)

// announcer knows what crdproof warned of in one kind.
type announcer struct {
	file  *source.File
	rules map[string]map[string]bool // JSON key to rules of warnings at its field
}

func newAnnouncer(file *source.File, warnings []diag.Diagnostic) *announcer {
	a := &announcer{file: file, rules: map[string]map[string]bool{}}
	for _, d := range warnings {
		if !excuses(d.Rule) {
			continue
		}
		for _, key := range file.At(int(d.Span.Start)).Keys {
			if a.rules[key] == nil {
				a.rules[key] = map[string]bool{}
			}
			a.rules[key][d.Rule] = true
		}
	}
	return a
}

// excuses reports whether a warning of that rule can announce anything: what is wrong with a marker says nothing of the
// JSON of its field.
func excuses(rule string) bool { return !strings.HasPrefix(rule, "marker-") }

// key is the last of the path's elements that is a field's own key: a warning has to stand at that very field. Elements
// behind it are keys of maps, indices, and fields of library types.
func (a *announcer) key(path []string) string {
	for i := len(path) - 1; i > 0; i-- {
		if a.file.IsKey(path[i], path[:i]) {
			return path[i]
		}
	}
	return ""
}

// announced returns the rule of a warning at the field that the path leads to; "" for none.
func (a *announcer) announced(path []string) string {
	first := ""
	for rule := range a.rules[a.key(path)] {
		if first == "" || rule < first {
			first = rule
		}
	}
	return first
}

// split turns a path of the server, such as spec.f1[0].f2, into its elements. Keys of maps may fall apart by it, which does
// no harm: none of their parts looks like a field's key.
func split(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return r == '.' || r == '[' || r == ']' })
}
