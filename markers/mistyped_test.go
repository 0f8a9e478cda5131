package markers

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/crdproof/crdproof/diag"
)

// damaged returns the texts that differ from a marker by one edit of its name: a letter that is missing, doubled,
// swapped with the next, replaced or in the wrong case, a space, or a missing segment.
func damaged(name, tail string) (out []string) {
	for i := range len(name) {
		c := name[i]
		out = append(out, name[:i]+name[i+1:], name[:i]+string(c)+name[i:], name[:i]+"q"+name[i+1:])
		if i+1 < len(name) && name[i+1] != c {
			out = append(out, name[:i]+string(name[i+1])+string(c)+name[i+2:])
		}
		if other := unicode.ToUpper(rune(c)); other != rune(c) {
			out = append(out, name[:i]+string(other)+name[i+1:])
		} else if other := unicode.ToLower(rune(c)); other != rune(c) {
			out = append(out, name[:i]+string(other)+name[i+1:])
		}
		if c == ':' {
			out = append(out, name[:i]+" "+name[i:], name[:i+1]+" "+name[i+1:])
		}
	}
	for i := range strings.Count(name, ":") + 1 {
		segments := strings.Split(name, ":")
		out = append(out, strings.Join(slices.Delete(segments, i, i+1), ":"))
	}
	out = append(out, " "+name)
	for i := range out {
		out[i] = "+" + out[i] + tail
	}
	return append(out, "+"+strings.ToUpper(name)+tail, "+"+strings.ToLower(name)+tail)
}

// isUncertain says why a damaged name is not reported, "" if it must be.
func isUncertain(r knownName, text string) string {
	bare, _, _ := strings.Cut(strings.TrimLeft(text, "+ "), "=")
	bare, arguments, _ := strings.Cut(bare, "(")
	segments := strings.Count(bare, ":")
	if strings.HasPrefix(r.tail, ":") {
		segments--
	}
	last := r.name[strings.LastIndexByte(r.name, ':')+1:]
	isWord, isCut := !strings.Contains(bare, ":"), segments < strings.Count(r.name, ":")
	switch {
	case len(r.name) < 6 || len(strings.Trim(bare, ":")) < 6:
		return "the name is short, so that too many words are near it"
	case isCut && !strings.Contains(strings.ToLower(bare), strings.ToLower(last)):
		return "without the last segment, the name does not say which marker was meant"
	case isWord && strings.Contains(r.name, ":") && arguments == "" && !strings.Contains(text, "="):
		return "the name without a segment is a single word without a value, as in prose"
	case isCut && r.isForeign:
		return "without its prefix, the marker of another tool may be that of a third one"
	case strings.HasPrefix(text, "+ ") && isWord:
		return "after a space, the name of another tool's marker is a single word, as in prose"
	case Foreign(strings.SplitN(bare, " ", 2)[0]):
		return "the name before the space is that of another tool's marker"
	case strings.HasPrefix(bare, "kubebuilde:rac:"):
		return "kubebuilder:rbac is as near as kubebuilder:ac"
	}
	return ""
}

// TestMistyped damages the name of each known marker by one edit. What is not another known marker must be reported
// with a help that leads back to the marker, or to one that is as near.
func TestMistyped(t *testing.T) {
	table := Known()
	excused := map[string]int{}
	for _, r := range knownNames(table) {
		for _, text := range damaged(r.name, r.tail) {
			p := split(text)
			if table.elsewhere(p) != nil || Foreign(strings.TrimRight(p.whole, " :")) || Foreign(p.stem) {
				continue
			}
			if why := isUncertain(r, text); why != "" {
				excused[why]++
				continue
			}
			d := table.Unknown(Comment{Text: text, At: diag.Span{Source: &diag.Source{}}}, r.target)
			switch {
			case d == nil:
				t.Errorf("%s on a %s is not reported (%s)", text, r.target.noun(), r.name)
			case !slices.ContainsFunc(d.Helps(), func(h diag.Help) bool { return leadsBack(h.Text, r.name, p) }):
				t.Errorf("%s on a %s: %s (%s)", text, r.target.noun(), d.HelpText, r.name)
			}
		}
	}
	if len(excused) != 7 {
		t.Errorf("some reasons do not occur: %v", excused)
	}
}

// A knownName is the name of a marker, what may follow it, and where the marker may be.
type knownName struct {
	name, tail string
	target     Target
	isForeign  bool
}

func knownNames(table *Table) (out []knownName) {
	for i := range table.Definitions() {
		def := &table.Definitions()[i]
		if def.Forbidden == "" {
			tail := strings.TrimPrefix(example(def), "+"+def.Name)
			out = append(out, knownName{def.Name, tail, targets(def.Targets)[0], false})
		}
	}
	for _, name := range slices.Concat(otherGenerators(), kubernetesNames(), otherPrefixes()) {
		tail := "=true"
		if strings.HasSuffix(name, ":*") {
			tail = ":x=true"
		}
		if name = strings.TrimRight(name, "*:/"); table.elsewhere(split("+"+name)) == nil {
			out = append(out, knownName{name, tail, Type, true})
		}
	}
	return out
}

// leadsBack reports whether a help names a marker, or another one from which the damaged name differs by one edit.
func leadsBack(help, name string, p parts) bool {
	if strings.Contains(help, name) {
		return true
	}
	meant := strings.TrimSuffix(strings.TrimPrefix(help, "did you mean +"), "?")
	isSame := strings.EqualFold(meant[strings.LastIndexByte(meant, ':')+1:], name[strings.LastIndexByte(name, ':')+1:])
	return isSame || isMistyped(p.whole, meant) || isMiscased(p.whole, meant)
}
