package markers

import (
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
)

// A validation marker can have any number of prefixes that lead to a part of the value:
// kubebuilder:validation:values:items:MaxLength applies to the items of the lists in a map. The markers that can are
// those with a row for the prefix items:, which controller-gen has; with that prefix alone a marker is one of these
// rows.

// prefixes returns the names of the prefixes, each at the index of its step.
func prefixes() []string {
	return []string{Items: "items", Values: "values", Keys: "keys"}
}

// findNested finds a marker behind prefixes by the name after them.
func (t *Table) findNested(p parts, target Target) *Definition {
	if !t.nests {
		return nil
	}
	for _, name := range []string{p.whole, p.stem} {
		rest, _ := strings.CutPrefix(name, validationPrefix)
		run := prefixRun(rest)
		if inner := rest[len(run):]; rest != name && run != "" && t.index[key{target, itemsPrefix + inner}] != nil {
			return t.index[key{target, validationPrefix + inner}]
		}
	}
	return nil
}

// prefixRun returns the prefixes at the start of a text, each with its colon.
func prefixRun(text string) string {
	end := 0
	for {
		word, _, found := strings.Cut(text[end:], ":")
		if !found || word == "" || !slices.Contains(prefixes(), word) {
			return text[:end]
		}
		end += len(word) + 1
	}
}

// steps returns the prefixes with which a definition's name is written, and the name as it is written.
func (p parts) steps(c Comment, def *Definition) (steps []Step, name string) {
	if strings.HasPrefix(p.whole, def.Name) {
		return nil, def.Name
	}
	run := prefixRun(strings.TrimPrefix(p.whole, validationPrefix))
	at := 1 + len(validationPrefix)
	for word := range strings.SplitSeq(strings.TrimSuffix(run, ":"), ":") {
		steps = append(steps, Step{Kind: StepKind(slices.Index(prefixes(), word)), At: c.At.Sub(at, at+len(word))})
		at += len(word) + 1
	}
	return steps, validationPrefix + run + strings.TrimPrefix(def.Name, validationPrefix)
}

// nearNested returns the known name nearest to one with prefixes, or "".
func (t *Table) nearNested(name string, target Target) string {
	if !t.nests {
		return ""
	}
	segments := strings.Split(name, ":")
	for len(segments) > 0 && diag.Near(segments[0], []string{"kubebuilder", "validation"}) != "" {
		segments = segments[1:]
	}
	words := prefixes()[Items:]
	n := 0
	for n < len(segments)-1 {
		word := diag.Near(segments[n], words)
		if word == "" {
			break
		}
		segments[n] = word
		n++
	}
	if n == 0 {
		return ""
	}
	var plain []string
	for _, full := range t.names(target, func(name string) bool { return strings.HasPrefix(name, itemsPrefix) }) {
		plain = append(plain, strings.TrimPrefix(full, itemsPrefix))
	}
	meant := diag.Near(segments[n], plain)
	if meant == "" {
		return ""
	}
	segments[n] = meant
	return validationPrefix + strings.Join(segments, ":")
}
