package regular

import (
	"errors"
	"regexp"
	"regexp/syntax"
	"strings"
)

// A Fault is the reason for which RE2 rejects a pattern.
type Fault struct {
	// Start and End are the part of the pattern that is wrong.
	Start, End int
	// Why names the mistake, and Help says what to write instead; it may be "".
	Why, Help string
}

// FaultOf returns what is wrong with a pattern, nil if it is valid.
func FaultOf(pattern string) *Fault {
	_, err := regexp.Compile(pattern)
	if err == nil {
		return nil
	}
	out := &Fault{End: len(pattern), Why: err.Error()}
	var fault *syntax.Error
	if !errors.As(err, &fault) {
		return out
	}
	if i := strings.Index(pattern, fault.Expr); i >= 0 && fault.Expr != "" {
		out.Start, out.End = i, i+len(fault.Expr)
	}
	out.Why, out.Help = explain(fault)
	return out
}

// explain returns why RE2 rejects an expression, and what to write instead.
func explain(fault *syntax.Error) (why, help string) {
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
