package expr

import (
	"fmt"
	"strings"

	"github.com/google/cel-go/common"
	kubecel "k8s.io/apiserver/pkg/cel"

	"github.com/crdproof/crdproof/diag"
)

// syntaxError restates the parser's first error, without the list of all expected tokens.
func syntaxError(e *expression, issue *common.Error) diag.Diagnostic {
	message, _, _ := strings.Cut(strings.TrimPrefix(issue.Message, "Syntax error: "), " expecting ")
	d := diag.Errorf(e.tokenAt(issue), compileFault, "syntax error: %s", message)
	start := offset(e.text.V, issue.Location)
	switch {
	case strings.Contains(message, "'<EOF>'"):
		d.Message = "syntax error: the " + e.part + " ends too early"
	case strings.HasPrefix(issue.Message, "invalid argument to has() macro"):
		d.Message = message
		d.HelpText = "use a field, as in has(self.field), or, for a map, 'key' in self.map"
	}
	if d.HelpText == "" {
		d.HelpText = keywordHelp(e.text.V, start)
	}
	return d
}

// badEscape reports whether a text begins with a string that has an unknown escape.
func badEscape(text string) bool {
	if text == "" || text[0] != '\'' && text[0] != '"' {
		return false
	}
	for i := 1; i+1 < len(text) && text[i] != text[0]; i++ {
		if text[i] == '\\' {
			if !strings.ContainsRune(`abfnrtv\\?"'`+"`"+`xXuU01234567`, rune(text[i+1])) {
				return true
			}
			i++
		}
	}
	return false
}

// keywordHelp shows how to write a field whose name is a reserved word of CEL.
func keywordHelp(text string, start int) string {
	word := strings.TrimPrefix(token(text[start:]), ".")
	escaped, ok := kubecel.Escape(word)
	if !ok || escaped == word || start == 0 || text[start] != '.' && text[start-1] != '.' {
		return ""
	}
	return fmt.Sprintf("%q is a reserved word of CEL: the field is called %s", word, escaped)
}
