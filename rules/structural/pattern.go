package structural

import (
	"errors"
	"regexp"
	"regexp/syntax"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/session"
)

// patternRows returns the checks of regular expressions.
func patternRows() []session.Row {
	return []session.Row{
		explained(diag.Check{
			ID: "pattern-invalid",
			Doc: "A pattern must be an RE2 regular expression. RE2 has no lookaround, no backreferences and no " +
				"possessive quantifiers, and repeats at most 1000 times.",
		}, reason{"pattern", invalid, "must be a valid regular expression*", explainPattern}),
	}
}

func explainPattern(r *rejection) {
	p := r.Schema.Pattern
	_, err := regexp.Compile(p.V)
	var fault *syntax.Error
	if !errors.As(err, &fault) {
		r.errorf(p.At, "invalid pattern: %v", err)
		return
	}
	at := p.At
	if i := strings.Index(p.V, fault.Expr); i >= 0 && fault.Expr != "" {
		at = p.Range(i, i+len(fault.Expr))
	}
	why, help := patternFault(fault)
	r.errorf(at, "invalid pattern: %s", why).Help("%s", help)
}

// patternFault explains why RE2 rejects a pattern, and what to write instead.
func patternFault(fault *syntax.Error) (why, help string) {
	expr := fault.Expr
	switch {
	case strings.HasPrefix(expr, "(?=") || strings.HasPrefix(expr, "(?!"):
		return "RE2 has no lookahead", "check that part with a rule, such as !self.startsWith('kube-')"
	case strings.HasPrefix(expr, "(?<=") || strings.HasPrefix(expr, "(?<!"):
		return "RE2 has no lookbehind", "check that part with a rule, such as !self.endsWith('-test')"
	case strings.HasPrefix(expr, "(?>"):
		return "RE2 has no atomic groups", "write (?:"
	case fault.Code == syntax.ErrInvalidEscape && len(expr) == 2 && '1' <= expr[1] && expr[1] <= '9' ||
		strings.HasPrefix(expr, `\k`):
		return "RE2 has no backreferences such as " + expr, "repeat the group itself, or check it with a rule"
	case fault.Code == syntax.ErrInvalidEscape && expr == `\Z`:
		return `RE2 has no \Z`, `write \z`
	case fault.Code == syntax.ErrInvalidRepeatOp && strings.HasSuffix(expr, "+"):
		return "RE2 has no possessive quantifiers such as " + expr, "write " + expr[:len(expr)-1]
	case fault.Code == syntax.ErrInvalidRepeatOp:
		return "two quantifiers in a row: " + expr, "remove one of them"
	case fault.Code == syntax.ErrInvalidRepeatSize:
		return "RE2 repeats at most 1000 times in total; " + expr + " exceeds that",
			"limit the length with maxLength instead"
	case fault.Code == syntax.ErrMissingParen, fault.Code == syntax.ErrUnexpectedParen:
		return "the parentheses do not match", `write \( or \) for a literal parenthesis`
	case fault.Code == syntax.ErrMissingBracket:
		return "missing closing ]", `write \[ for a literal bracket`
	case fault.Code == syntax.ErrMissingRepeatArgument:
		return "nothing to repeat before " + expr, `write \` + expr + " for the literal character"
	}
	return strings.TrimSuffix(fault.Code.String()+": "+expr, ": "), ""
}
