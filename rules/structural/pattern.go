package structural

import (
	"errors"
	"regexp"
	"regexp/syntax"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/rules/session"
)

// patternRows are the checks of regular expressions.
func patternRows() []session.Row {
	return []session.Row{
		explained(diag.Check{
			ID: "pattern-invalid",
			Doc: "A pattern is a regular expression of RE2, which has no lookaround, no backreferences and no " +
				"possessive quantifiers, and repeats at most 1000 times.",
			Bad: "// +kubebuilder:validation:Pattern=`^(?!kube-)[a-z-]+$`\nName string `json:\"name,omitempty\"`",
			Good: "// +kubebuilder:validation:Pattern=`^[a-z-]+$`\n" +
				"// +kubebuilder:validation:XValidation:rule=\"!self.startsWith('kube-')\"\nName string " +
				"`json:\"name,omitempty\"`",
		}, reason{"pattern", invalid, "must be a valid regular expression*", explainPattern}),
	}
}

func explainPattern(r *rejection) {
	p := r.Schema.Pattern
	_, err := regexp.Compile(p.V)
	var fault *syntax.Error
	if !errors.As(err, &fault) {
		r.errorf(p.At, "the pattern cannot be read: %v", err)
		return
	}
	at := p.At
	if i := strings.Index(p.V, fault.Expr); i >= 0 && fault.Expr != "" {
		at = p.Range(i, i+len(fault.Expr))
	}
	why, help := patternFault(fault)
	r.errorf(at, "the pattern cannot be read: %s", why).Help("%s", help)
}

// patternFault says why RE2 cannot read a pattern, and what to write instead.
func patternFault(fault *syntax.Error) (why, help string) {
	expr := fault.Expr
	switch {
	case strings.HasPrefix(expr, "(?=") || strings.HasPrefix(expr, "(?!"):
		return "RE2 cannot look ahead", "check it with a rule besides, such as !self.startsWith('…') or " +
			"self.matches('…')"
	case strings.HasPrefix(expr, "(?<=") || strings.HasPrefix(expr, "(?<!"):
		return "RE2 cannot look behind", "check it with a rule besides, such as !self.endsWith('…') or " +
			"self.matches('…')"
	case strings.HasPrefix(expr, "(?>"):
		return "RE2 has no atomic groups", "write (?:…): RE2 never backtracks"
	case fault.Code == syntax.ErrInvalidEscape && len(expr) == 2 && '1' <= expr[1] && expr[1] <= '9' ||
		strings.HasPrefix(expr, `\k`):
		return "RE2 has no backreferences such as " + expr, "write out what is to be repeated, or check it with a rule"
	case fault.Code == syntax.ErrInvalidEscape && expr == `\Z`:
		return `RE2 has no \Z`, `write $ or \z, which are the end of the text`
	case fault.Code == syntax.ErrInvalidRepeatOp && strings.HasSuffix(expr, "+"):
		return "RE2 has no possessive quantifiers such as " + expr, "write " + expr[:len(expr)-1] +
			": RE2 never backtracks"
	case fault.Code == syntax.ErrInvalidRepeatOp:
		return "there are two quantifiers in a row: " + expr, "keep one of them"
	case fault.Code == syntax.ErrInvalidRepeatSize:
		return "RE2 repeats at most 1000 times, also in sum, and " + expr + " is more",
			"limit the length with maxLength instead"
	case fault.Code == syntax.ErrMissingParen, fault.Code == syntax.ErrUnexpectedParen:
		return "the parentheses do not match", `write \( and \) for the characters themselves`
	case fault.Code == syntax.ErrMissingBracket:
		return "a bracket is not closed", `write \[ for the character itself`
	case fault.Code == syntax.ErrMissingRepeatArgument:
		return "there is nothing to repeat before " + expr, `write \` + expr + " for the character itself"
	}
	return strings.TrimSuffix(fault.Code.String()+": "+expr, ": "), ""
}
