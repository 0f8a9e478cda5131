package markers

import (
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
)

// Unmarked says what is wrong with a line comment, with its slashes, that no tool takes for a marker although one was
// certainly meant: the + is missing, there is a third slash, or the marker follows a sentence. It returns nil for all
// other comments.
func (t *Table) Unmarked(c Comment) *diag.Diagnostic {
	line := strings.TrimPrefix(c.Text, "//")
	text := strings.TrimSpace(line)
	if rest, ok := strings.CutPrefix(line, "/"); ok {
		if text = strings.TrimSpace(rest); strings.HasPrefix(text, "+") && t.isMarker(text) {
			d := t.Revived(diag.Warningf(c.At, UnknownMarker, "expected two slashes before a marker, got three").
				Write("// "+text), text, c)
			return &d
		}
		return nil
	}
	if plain := "+" + strings.TrimLeft(text, "@-"); startsLikeMarker(plain) && t.isMarker(plain) {
		name, _, _ := strings.Cut(plain, "=")
		d := diag.Warningf(c.At, UnknownMarker, "expected + before %s; the marker is not recognized", quoted(name[1:])).
			Write("// " + plain)
		d = t.Revived(d, plain, c)
		return &d
	}
	for _, end := range []string{". +", "! +", "? +", ". // +", ". //+"} {
		i := strings.LastIndex(c.Text, end)
		if i < 0 {
			continue
		}
		marker := strings.TrimSpace(c.Text[i+len(end)-1:])
		if !t.isMarker(marker) {
			continue
		}
		d := diag.Warningf(c.At.Sub(i+2, i+len(end)-1+len(marker)), UnknownMarker,
			"unexpected text before %s; the marker is not recognized", clip(marker)).
			Help("move %s to its own line", marker)
		d = t.Revived(d, marker, c)
		return &d
	}
	return nil
}

// startsLikeMarker reports whether a text starts as a marker does that is no word of English: with the prefix of a
// tool, or with the name of a marker that has a value.
func startsLikeMarker(text string) bool {
	return slices.ContainsFunc([]string{
		"kubebuilder:", "k8s:", ownPrefix, "genclient:", "listType=", "listMapKey=", "mapType=", "structType=",
		"groupName=", "versionName=",
	}, func(start string) bool { return strings.HasPrefix(text[1:], start) })
}

// isMarker reports whether a text is a known marker from its + to its end: one of the table, or of another generator,
// without mistakes and without words behind it.
func (t *Table) isMarker(text string) bool {
	p := split(text)
	if strings.ContainsAny(p.whole, " \t") && p.tag == p.whole || strings.HasSuffix(text, ".") {
		return false
	}
	if isBare := !strings.ContainsAny(p.rest, "\"`'"); isBare && strings.ContainsAny(text, " \t") {
		return false
	}
	for _, target := range targets(anywhere) {
		if t.find(p, target) != nil {
			_, ok, problems := t.Parse(Comment{Text: text, At: diag.At(&diag.Source{}, 0, len(text))}, target)
			return ok && len(problems) == 0
		}
	}
	isName := func(name string) bool { return p.whole == name || p.stem == name && p.given }
	return slices.ContainsFunc(slices.Concat(otherGenerators(), kubernetesNames()), isName) &&
		strings.Contains(p.whole, ":")
}
