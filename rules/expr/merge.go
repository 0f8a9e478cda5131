package expr

import (
	"slices"

	"github.com/crdproof/crdproof/generator/diag"
)

// Merge adds a finding about a rule to a list. If the same was found in the rule at another place of its schema, the
// list has it once, with the paths of all places.
func Merge(list []diag.Diagnostic, d diag.Diagnostic) []diag.Diagnostic {
	i := slices.IndexFunc(list, func(e diag.Diagnostic) bool {
		return e.Span == d.Span && e.For == d.For && e.Check == d.Check && e.Message == d.Message &&
			e.HelpText == d.HelpText && len(e.SeeAlso) == len(d.SeeAlso)
	})
	if i < 0 {
		return append(list, d)
	}
	list[i].AlsoPaths = append(list[i].AlsoPaths, d.Path)
	return list
}
