package suite

import (
	"cmp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdproof/crdproof/objects/write"
)

// matches reports whether a rejection is the expected one: the server's message contains the text. Two differences are
// ignored. The order of several causes is random in API servers
// (k8s.io/kube-openapi/pkg/validation/validate/object_validator.go), so any order matches. The text of some causes
// differs between versions of Kubernetes, so that of older versions matches too.
func matches(answer write.Answer, expected string) bool {
	message := answer.Rejection.ErrStatus.Message
	if strings.Contains(message, expected) {
		return true
	}
	text := withoutPreamble(strings.TrimSpace(expected), message)
	if strings.HasPrefix(text, "[") {
		text = strings.TrimSuffix(text[1:], "]")
	}
	var causes [][]string
	for _, e := range answer.Errors {
		causes = append(causes, write.Texts(e))
	}
	return slices.ContainsFunc(slices.Concat(causes...), func(w string) bool { return strings.Contains(w, text) }) ||
		consistsOf(text, causes)
}

// withoutPreamble removes from a text what it repeats of the message before the causes, such as `"a" is invalid: `.
func withoutPreamble(text, message string) string {
	const verdict = " is invalid: "
	preamble, _, ok := strings.Cut(message, verdict)
	if !ok {
		return text
	}
	preamble += verdict
	for i := range preamble {
		if rest, ok := strings.CutPrefix(text, preamble[i:]); ok {
			return strings.TrimSpace(rest)
		}
	}
	return text
}

// consistsOf reports whether a text is a sequence of causes, each at most once and in any order. The last one may be
// incomplete.
func consistsOf(text string, causes [][]string) bool {
	for i, texts := range causes {
		for _, w := range texts {
			if strings.HasPrefix(w, text) {
				return true
			}
			if rest, ok := strings.CutPrefix(text, w+", "); ok &&
				consistsOf(rest, slices.Concat(causes[:i], causes[i+1:])) {
				return true
			}
		}
	}
	return false
}

// sentences returns the server's reasons for a rejection, one for each cause, in the order of the fields.
func sentences(answer write.Answer) (out []string) {
	if len(answer.Errors) == 0 {
		return []string{withoutName(answer.Rejection.ErrStatus.Message)}
	}
	for _, e := range causes(answer) {
		if text := e.Error(); !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// causes returns those of a rejection in the order of the fields, since the server's order is random.
func causes(answer write.Answer) field.ErrorList {
	list := slices.Clone(answer.Errors)
	slices.SortStableFunc(list, func(a, b *field.Error) int { return cmp.Compare(rank(a), rank(b)) })
	return list
}

// rank returns the sort key of a cause: its field. Causes without a field come last.
func rank(e *field.Error) string {
	if e.Field == "<nil>" {
		return "\U0010FFFF"
	}
	return e.Field
}

// withoutName returns a message of the server without its beginning, which names the object.
func withoutName(message string) string {
	if _, causes, ok := strings.Cut(message, `" is invalid: `); ok {
		return causes
	}
	return message
}

// common returns the length of the common prefix of two texts in bytes, up to a whole word.
func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	if n == len(a) || n == len(b) {
		return n
	}
	return strings.LastIndexByte(a[:n], ' ') + 1
}

// excerpt returns the beginning of a text.
func excerpt(text string) string {
	const most = 40
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// quoted returns lines after a label.
func quoted(label string, lines []string) (out []string) {
	for i, line := range lines {
		if i > 0 {
			label = strings.Repeat(" ", len(label)+1)
		} else {
			label += ":"
		}
		pad := strings.Repeat(" ", len("expected: ")-len(label))
		out = append(out, label+pad+line)
	}
	return out
}
