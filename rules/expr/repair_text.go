package expr

import (
	"fmt"
	"strings"

	kubecel "k8s.io/apiserver/pkg/cel"

	"github.com/crdproof/crdproof/rules/internal/slips"
)

// slipOf returns the edit to another text, with the words about it.
func slipOf(words string, start, end int, text string) slips.Edit {
	return slips.Edit{Slip: &slips.Slip{Words: words, Become: []string{text}}, Start: start, End: end, Text: text}
}

// quotes are what editors and gofmt make of quotation marks.
var quotes = []*strings.Replacer{
	strings.NewReplacer("”", "''", "“", "''", "’", "'", "‘", "'"),
	strings.NewReplacer("”", "'", "“", "'", "’", "'", "‘", "'"),
	strings.NewReplacer("”", `"`, "“", `"`, "’", "'", "‘", "'"),
}

// textEdits are edits of a text that does not parse: of its quotation marks, brackets and reserved words.
func textEdits(at attempt) (out []slips.Edit) {
	text := at.text
	start := len(text)
	if len(at.issues) > 0 {
		start = offset(text, at.issues[0].Location)
	}
	add := func(words, changed string) {
		if changed != text {
			end := start + len(token(text[start:]))
			out = append(out, slipOf(words, start, end, changed))
		}
	}
	for _, q := range quotes {
		add("typographic quotation marks, which gofmt makes of '' in comments, are not CEL", q.Replace(text))
	}
	if badEscape(text[start:]) {
		add("a backslash begins an escape in a string: a raw string, which begins with r, has none",
			text[:start]+"r"+text[start:])
	}
	for _, quote := range []string{"'", `"`} {
		add("the string has no closing quotation mark", text+quote)
	}
	if open := strings.Count(text, "(") - strings.Count(text, ")"); open > 0 {
		const words = "a parenthesis is not closed"
		add(words, text+strings.Repeat(")", open))
		for _, operator := range []string{" && ", " || ", " ? "} {
			if i := strings.LastIndex(text, operator); i > 0 && open == 1 {
				add(words, text[:i]+")"+text[i:])
			}
		}
	} else if open < 0 && start < len(text) && text[start] == ')' {
		add("a parenthesis is closed that was not opened", text[:start]+text[start+1:])
	}
	word := strings.TrimPrefix(token(text[start:]), ".")
	if escaped, ok := kubecel.Escape(word); ok && escaped != word && keywordHelp(text, start) != "" {
		i := start + strings.Index(text[start:], word)
		add(fmt.Sprintf("%q is a reserved word of CEL", word), text[:i]+escaped+text[i+len(word):])
	}
	return out
}
