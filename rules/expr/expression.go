package expr

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
)

// The parts of a rule that are expressions.
const (
	partRule    = "rule"
	partMessage = "messageExpression"
)

// An expression is a rule or a messageExpression that is to be compiled for a range of versions.
type expression struct {
	text schema.Text
	// part is partRule or partMessage.
	part string
	// path is the rule's entry in the API server's notation.
	path     string
	want     *cel.Type
	versions kube.Range
	// known are the functions of the oldest version.
	known map[string]bool
	// optional is set if oldSelf is optional.
	optional bool
	envs     *environments
	trace    func(Compilation)
	// done is what the text has been compiled to, by the version of the environment.
	done map[kube.Minor]result
}

// A result is a text compiled in an environment, or its errors.
type result struct {
	env     *cel.Env
	checked *cel.Ast
	issues  []*common.Error
}

// compile compiles the expression in the environments of the newest and the oldest version of the range. What both
// accept, the versions between them accept: functions are added from one version to the next, and never removed
// (environment/base.go). The environment and the AST are those of the newest version.
func (e *expression) compile() (*cel.Env, *cel.Ast, []diag.Diagnostic) {
	r := e.rejected()
	switch {
	case r.issues != nil:
		return nil, nil, e.explain(r)
	case r.checked.OutputType() != e.want:
		return nil, nil, []diag.Diagnostic{e.mistyped(r)}
	}
	return r.env, r.checked, nil
}

// rejected returns the result with the issues of a version that does not compile the text; that of the newest version
// if all compile it.
func (e *expression) rejected() result {
	newest := e.compiledIn(e.versions.Last)
	isDropped := e.optional && !e.versions.First.Has(kube.OptionalOldSelf)
	if newest.issues != nil || isDropped || !portable(newest.checked.NativeRep(), e.versions.First, e.known) {
		for _, minor := range []kube.Minor{e.versions.First, e.versions.Last} {
			if r := e.compiledIn(minor); r.issues != nil {
				return r
			}
		}
	}
	return newest
}

// mistyped reports a result of the wrong type.
func (e *expression) mistyped(r result) diag.Diagnostic {
	got := r.checked.OutputType()
	at := e.text.Range(0, len(e.text.V))
	text := strings.TrimSpace(e.text.V)
	isQuoted := len(text) > 1 && text[0] == '\'' && text[len(text)-1] == '\''
	switch {
	case e.part == partMessage:
		return diag.Errorf(at, wrongType, "the messageExpression must return a string, got %s", typeName(got)).
			Help("format the value as a string, as in '%%d'.format([self])")
	case isQuoted:
		return diag.Errorf(at, wrongType, "the rule is a string, not a condition").
			Help("use double quotes or backquotes around the rule: single quotes are part of the CEL")
	}
	d := diag.Errorf(at, wrongType, "the rule must return a bool, got %s", typeName(got)).
		Help("write a condition that is true for valid values")
	fix := e.repaired(r)
	fix.help(e, &d)
	return d
}

// compiledIn compiles the text in the environment of a version, once.
func (e *expression) compiledIn(minor kube.Minor) result {
	known, ok := e.done[minor]
	if !ok {
		if e.trace != nil {
			e.trace(Compilation{Path: e.path + "." + e.part, Kube: minor, Text: e.text.V})
		}
		known.env = e.envs.envFor(minor, e.optional && minor.Has(kube.OptionalOldSelf))
		known.checked, known.issues = compileIn(minor, known.env, e.text.V)
		if e.done == nil {
			e.done = map[kube.Minor]result{}
		}
		e.done[minor] = known
	}
	return known
}

// compileIn compiles a text as a server of a version does. The result is nil if there are issues. There are texts on
// which CEL's own checks crash, such as [?dyn(self.a)]; the API server rejects them for that.
func compileIn(minor kube.Minor, env *cel.Env, text string) (checked *cel.Ast, errors []*common.Error) {
	defer func() {
		if p := recover(); p != nil {
			crash := &common.Error{Location: common.NewLocation(1, 0), Message: fmt.Sprintf("%s%v", crashes, p)}
			checked, errors = nil, []*common.Error{crash}
		}
	}()
	parsed, issues := env.Parse(text)
	if issues.Err() != nil {
		return nil, issues.Errors()
	}
	restore := func() {}
	if !minor.Has(kube.FormatChecks) {
		restore = neutralize(parsed)
	}
	checked, issues = env.Check(parsed)
	restore()
	if issues.Err() == nil {
		issues = olderIssues(minor, env, checked)
	}
	if issues.Err() != nil {
		return nil, issues.Errors()
	}
	return checked, nil
}

// Instead compiles another text in place of the rule, as a server of the newest version does; nil if it would not
// compile it.
func (r *Rule) Instead(text string) *cel.Ast {
	checked, _ := compileIn(r.Kube.Last, r.Env, text)
	return checked
}

// maxReported is how many errors of one expression are reported.
const maxReported = 20

// explain turns the compiler's issues into diagnostics. Of several that follow from a syntax error, it reports only the
// first.
func (e *expression) explain(r result) (out []diag.Diagnostic) {
	parsed, syntax := r.env.Parse(e.text.V)
	if syntax.Err() != nil {
		d, ok := e.introducedLater(r.issues[0])
		if !ok {
			d = syntaxError(e, r.issues[0])
			fix := e.repaired(r)
			fix.explainTo(e, &d, r.issues[0])
			fix.help(e, &d)
		}
		return []diag.Diagnostic{d}
	}
	fix := e.repaired(r)
	seen := inspect(r.env, e.envs.decl, parsed)
	read := 0                    // the end of a name of which CEL has read only a part
	optional := false            // whether optionalOldSelf is missing, which is reported once
	lacking := map[string]bool{} // only the first issue of each version is reported: the rest follows from it
	for i, issue := range r.issues {
		if len(out) == maxReported {
			out[0] = out[0].Note("the rule has up to %s", diag.Counted(len(r.issues)-i, "more error"))
			break
		}
		if d, ok := e.introducedLater(issue); ok {
			if !lacking[d.HelpText] {
				out = append(out, d)
			}
			lacking[d.HelpText] = true
		} else if !seen.follows(issue) && offset(e.text.V, issue.Location) >= read {
			if isOptional := lacksOptional(e, seen, issue); !isOptional || !optional {
				d := compileError(e, seen, issue)
				fix.explainTo(e, &d, issue)
				out = append(out, d)
				optional = optional || isOptional
			}
			read = max(read, nameEnd(e, seen, issue))
		}
	}
	if fix.text != "" { // the others follow from the slips
		out = out[:min(len(out), len(fix.applied))]
		fix.help(e, &out[0])
	}
	return out
}

// beyond is how many versions after the library's are asked for a function: the environments know what the next version
// allows.
const beyond = 1

// introducedLater looks for the first version whose environment has no such issue at the same place. An issue that the
// newest environment has is in all of them: no version removes a function.
func (e *expression) introducedLater(issue *common.Error) (diag.Diagnostic, bool) {
	isSame := func(other *common.Error) bool {
		return issue.Location.Line() == other.Location.Line() && issue.Location.Column() == other.Location.Column()
	}
	if newest := kube.Latest() + beyond; slices.ContainsFunc(e.compiledIn(newest).issues, isSame) {
		return diag.Diagnostic{}, false
	}
	v := e.versions.First + 1
	for slices.ContainsFunc(e.compiledIn(v).issues, isSame) {
		v++
	}
	return lacking(e, issue, v), true
}

// offset returns the byte offset in the text of a place that CEL names by a line from 1 and a column from 0, in
// characters.
func offset(text string, at common.Location) int {
	start := 0
	for line := 1; line < at.Line(); line++ {
		i := strings.IndexByte(text[start:], '\n')
		if i < 0 {
			return len(text)
		}
		start += i + 1
	}
	for column := 0; column < at.Column() && start < len(text); column++ {
		_, size := utf8.DecodeRuneInString(text[start:])
		start += size
	}
	return start
}

// tokenAt returns the source of the token that begins at an issue's place, without the dot before a name.
func (e *expression) tokenAt(issue *common.Error) diag.Span {
	start := offset(e.text.V, issue.Location)
	word := token(e.text.V[start:])
	if name := strings.TrimLeft(word, ".?"); name != "" && word[0] == '.' {
		return e.text.Range(start+len(word)-len(name), start+len(word))
	}
	return e.text.Range(start, start+len(word))
}

// atFunction returns the source of the function's name before the parenthesis at an issue's place.
func (e *expression) atFunction(issue *common.Error, name string) diag.Span {
	before := strings.TrimRight(e.text.V[:offset(e.text.V, issue.Location)], " \t\r\n")
	if !strings.HasSuffix(before, name) {
		return e.tokenAt(issue)
	}
	return e.text.Range(len(before)-len(name), len(before))
}

// token returns the token that a text begins with. A dot is part of the name after it, and a parenthesis reaches to the
// one that closes it.
func token(text string) string {
	if strings.HasPrefix(text, "(") {
		return enclosed(text, '(', ')')
	}
	return tokens.FindString(text)
}

var tokens = regexp.MustCompile(`^(?s:\.[.?]*\w*|\w+|[=!<>]=|&&|\|\||.)`)

// enclosed returns the part of a text up to the bracket that closes the first one.
func enclosed(text string, open, closing byte) string {
	depth, quote := 0, byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0:
			if c == '\\' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == open:
			depth++
		case c == closing:
			if depth--; depth == 0 {
				return text[:i+1]
			}
		}
	}
	return text[:1]
}
