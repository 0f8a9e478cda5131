package suite

import (
	"cmp"
	"fmt"
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
		causes = append(causes, wordings(e))
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
	for i, wordings := range causes {
		for _, w := range wordings {
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

// wordings are the messages of a cause in all versions of Kubernetes since 1.25.
func wordings(e *field.Error) (out []string) {
	for _, body := range bodies(e) {
		out = append(out, e.Field+": "+body)
		below, inStatus := strings.CutPrefix(e.Field, "status.")
		switch {
		// Before 1.31 a status was validated as if it were the whole object, and before 1.29 as a part of it.
		case e.Field == "status":
			out = append(out, "<nil>: "+body, "<nil>: "+strings.Replace(body, `: "": "`, `: "": "status.`, 1))
		case inStatus:
			out = append(out, below+": "+body,
				e.Field+": "+strings.Replace(body, below+" in body ", e.Field+" in body ", 1))
		}
	}
	return out
}

// bodies are the messages of a cause without the field.
func bodies(e *field.Error) []string {
	out := []string{e.ErrorBody()}
	for _, older := range write.Older(e) {
		out = append(out, older.ErrorBody())
	}
	add := func(format string, args ...any) {
		out = append(out, e.Type.String()+": "+fmt.Sprintf(format, args...))
	}
	switch e.Type {
	case field.ErrorTypeInvalid, field.ErrorTypeDuplicate:
		if strings.Contains(e.Detail, " in body ") {
			break // this is not about a rule
		}
		// Before 1.35 the errors of rules had the type of the value instead of the value.
		for _, name := range typeNames(e.BadValue) {
			if e.Detail == "" {
				add("%q", name)
			} else {
				add("%q: %s", name, e.Detail)
			}
		}
	case field.ErrorTypeTypeInvalid:
		// Before 1.36 formats of numbers were ignored.
		field, types, ok := strings.Cut(e.Detail, " in body must be of type ")
		types = strings.NewReplacer("int32", "integer", "int64", "integer",
			"float64", "number", "float32", "number", "float", "number", "double", "number").Replace(types)
		if _, got, isPair := strings.Cut(types, ": "); ok && isPair {
			add("%s: %s in body must be of type %s", got, field, types)
		}
	}
	return out
}

// typeNames are the types that a schema may have for a value.
func typeNames(value any) []string {
	switch value.(type) {
	case nil:
		return []string{"null"}
	case string:
		return []string{"string", ""} // or no type, with x-kubernetes-int-or-string
	case bool:
		return []string{"boolean"}
	case int64:
		return []string{"integer", "number", ""}
	case float64:
		return []string{"number"}
	}
	return []string{"object", "array"}
}

// sentences are the server's reasons for a rejection, one for each cause, in the order of the fields.
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

// causes are those of a rejection in the order of the fields, since the server's order is random.
func causes(answer write.Answer) field.ErrorList {
	list := slices.Clone(answer.Errors)
	slices.SortStableFunc(list, func(a, b *field.Error) int { return cmp.Compare(rank(a), rank(b)) })
	return list
}

// rank is the sort key of a cause: its field. Causes without a field come last.
func rank(e *field.Error) string {
	if e.Field == "<nil>" {
		return "\U0010FFFF"
	}
	return e.Field
}

// withoutName is a message of the server without its beginning, which names the object.
func withoutName(message string) string {
	if _, causes, ok := strings.Cut(message, `" is invalid: `); ok {
		return causes
	}
	return message
}

// common is the length of the common prefix of two texts in bytes, up to a whole word.
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

// excerpt is the beginning of a text.
func excerpt(text string) string {
	const most = 40
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// quoted are lines after a label.
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
