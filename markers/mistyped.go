package markers

import (
	"cmp"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
)

// mistyped returns the known name from which a comment's name differs by the case of letters, or else by one letter:
// that of a marker of the table, of another generator, or of another tool. The name has that of the first argument
// behind it, if the comment has. It returns "" for all others.
func (t *Table) mistyped(p parts, name string, target Target) string {
	for _, isNear := range []func(name, known string) bool{isMiscased, isMistyped, lacksSegment} {
		elsewhere := ""
		for i := range t.defs {
			def := &t.defs[i]
			known := def.spelled(p)
			if def.Forbidden != "" || !isNear(name, known) || known != def.Name && def.lacksArguments(p) {
				continue
			}
			if def.Targets&target != 0 {
				return known
			}
			elsewhere = cmp.Or(elsewhere, known)
		}
		if elsewhere = cmp.Or(elsewhere, mistypedForeign(name, isNear)); elsewhere != "" {
			return elsewhere
		}
	}
	return ""
}

// Near returns the definition of the marker that a comment was probably meant to be: its name differs by the case of
// letters, or by one letter. It returns nil for all others.
func (t *Table) Near(c Comment, target Target) *Definition {
	p := split(c.Text)
	return t.index[key{target, t.mistyped(p, strings.TrimRight(p.whole, " \t:"), target)}]
}

// isMiscased reports whether a name of some length differs from a known one by the case of letters only.
func isMiscased(name, known string) bool {
	return name != known && len(known) >= 6 && strings.EqualFold(name, known)
}

// isMistyped reports whether a name is one edit from a known one of some length, apart from upper and lower case.
func isMistyped(name, known string) bool {
	gap := len(name) - len(known)
	return name != known && len(known) >= 6 && -1 <= gap && gap <= 1 &&
		oneSlip(strings.ToLower(name), strings.ToLower(known))
}

// lacksSegment reports whether a name lacks one of the inner segments of a known one, as in kubebuilder:root.
func lacksSegment(name, known string) bool {
	segments := strings.Split(known, ":")
	for i := 1; i < len(segments)-1; i++ {
		if name == strings.Join(append(slices.Clone(segments[:i]), segments[i+1:]...), ":") {
			return true
		}
	}
	return false
}

// mistypedForeign returns the name of another tool that is near a name, or near its first segments; the remaining
// segments are kept.
func mistypedForeign(name string, isNear func(name, known string) bool) string {
	all := slices.Concat(otherGenerators(), kubernetesNames(), otherPrefixes())
	for n := strings.Count(name, ":") + 1; n > 0; n-- {
		head, tail := cutSegments(name, n)
		for _, known := range all {
			if known = strings.TrimRight(known, ":*"); isNear(head, known) {
				return known + tail
			}
		}
	}
	return ""
}

// cutSegments splits a name behind its first n segments.
func cutSegments(name string, n int) (head, tail string) {
	for i := range len(name) {
		if name[i] == ':' {
			if n--; n == 0 {
				return name[:i], name[i:]
			}
		}
	}
	return name, ""
}

// spelled returns the definition's name as a comment has it: with the last segment of the comment's name, if that is
// one of the arguments.
func (d *Definition) spelled(p parts) string {
	if argument := p.whole[len(p.stem):]; p.given && len(argument) > 1 && d.param(argument[1:], true) != nil {
		return d.Name + argument
	}
	return d.Name
}

// shortened returns the marker whose name lacks its first segments, as in +resource:path=widgets, +Maximum=5 or
// +rbac:groups=apps; "" for all others. A single word without a value must be long.
func (t *Table) shortened(c Comment, p parts, name string, target Target) string {
	if strings.ContainsAny(name, " \t.") {
		return ""
	}
	for i := range t.defs {
		def := &t.defs[i]
		if def.Targets&target == 0 || def.Forbidden != "" || !hasKnownPrefix(def.Name) {
			continue
		}
		known := def.spelled(p)
		for tail := known; strings.Contains(tail, ":"); {
			_, tail, _ = strings.Cut(tail, ":")
			if isShortened(name, tail) && t.isSure(c, name, tail, known, target) {
				return known
			}
		}
	}
	for _, known := range otherGenerators() {
		_, tail, _ := strings.Cut(known, ":")
		isMethod := p.given && strings.EqualFold(name, tail) && strings.Contains(tail, ":")
		if rest, ok := strings.CutPrefix(name, tail+":"); isMethod || ok && strings.Contains(rest+p.rest, "verbs") {
			return known + name[len(tail):]
		}
	}
	return ""
}

// lacksArguments reports whether a comment gives arguments, but not all that the marker requires.
func (d *Definition) lacksArguments(p parts) bool {
	given := p.whole[len(p.stem):] + "=" + p.rest
	return slices.ContainsFunc(d.Params, func(param Param) bool {
		return !param.Optional && !strings.Contains(given, param.Name+"=")
	})
}

func hasKnownPrefix(name string) bool {
	prefix, _, _ := strings.Cut(name, ":")
	return slices.Contains([]string{"kubebuilder", "k8s", "crdproof"}, prefix)
}

// isShortened reports whether a name is the end of a known one: with one edit if it has segments, and in any case.
func isShortened(name, tail string) bool {
	return strings.EqualFold(name, tail) || strings.Contains(tail, ":") && isMistyped(name, tail)
}

// isSure reports whether a comment whose name is the end of a known one is a marker: the end has segments, or it is a
// word with a value or an argument that the marker has.
func (t *Table) isSure(c Comment, name, tail, known string, target Target) bool {
	if strings.Contains(tail, ":") {
		return true
	}
	rest := c.Text[1+len(name):]
	if rest == "" {
		return len(tail) >= 10
	}
	text := "+" + known + rest
	_, ok, problems := t.Parse(Comment{Text: text, At: diag.At(c.At.Source, 0, len(text))}, target)
	return ok && len(problems) == 0
}

// respaced returns the known name that a name with other characters in the place of its colons was meant to be, as in
// kubebuilder.validation.Maximum and kubebuilder :validation:Maximum; "" for all others.
func (t *Table) respaced(p parts, name string) string {
	others := "./: \t"
	if strings.HasPrefix(name, "kubebuilder") {
		others += "-_"
	}
	isOther := func(r rune) bool { return strings.ContainsRune(others, r) }
	meant := strings.Join(strings.FieldsFunc(name, isOther), ":")
	if prefix, _, ok := strings.Cut(meant, ":"); !ok || meant == name ||
		!hasKnownPrefix(meant) && prefix != "genclient" {
		return ""
	}
	text := "+" + meant
	if p.given {
		text += "=" + p.rest
	}
	if t.elsewhere(split(text)) == nil && !Foreign(meant) {
		return ""
	}
	return meant
}
