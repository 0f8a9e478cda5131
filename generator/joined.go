package generator

import "github.com/crdproof/crdproof/diag"

// joinKinds reports once what several kinds have in common because a project does it so. What else is at the places of
// the others is left out.
func joinKinds(found []diag.Diagnostic) []diag.Diagnostic {
	firsts := map[string]int{}
	out := found[:0]
	for _, d := range found {
		if d.Check != "status-missing" && d.Check != "status-writable" {
			out = append(out, d)
			continue
		}
		if i, ok := firsts[d.Check]; ok {
			if out[i].Span != d.Span {
				out[i] = out[i].See(d.Span, "another kind")
			}
			continue
		}
		firsts[d.Check] = len(out)
		out = append(out, d)
	}
	return out
}
