package adopt

import (
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/internal/effort"
)

// A definition is an assignment to a variable of a Makefile or of a script.
type definition struct {
	operator, value string
	// isUncertain is set if the assignment is in a condition, or for one target.
	isUncertain bool
}

// variables are those of a file and of the files that it includes.
type variables struct {
	defined map[string][]definition
	// isShell is set for scripts: an unknown variable comes from the environment. In Makefiles it is empty.
	isShell bool
	budget  *effort.Budget
}

// here stands for the directory of the main Makefile in expanded texts.
const here = "\x00"

// maxDepth is how deep variables may refer to each other.
const maxDepth = 50

func newVariables(ctx context.Context, isShell bool) *variables {
	return &variables{defined: map[string][]definition{}, isShell: isShell,
		budget: effort.New(ctx, effort.AdoptExpansion)}
}

// define adds an assignment.
func (v *variables) define(name string, d definition) { v.defined[name] = append(v.defined[name], d) }

// An unknownError says why a text with variables is not known.
type unknownError struct{ why string }

// Error implements error.
func (e *unknownError) Error() string { return e.why }

func unknown(format string, args ...any) error { return &unknownError{fmt.Sprintf(format, args...)} }

// reference matches the beginning of a variable or a function.
var reference = regexp.MustCompile(`\$\$?[({]?|\{\{`)

// expand returns a text with the values of its variables. The error says which one is not known.
func (v *variables) expand(text string) (string, error) { return v.expandIn(text, 0) }

func (v *variables) expandIn(text string, depth int) (string, error) {
	if depth > maxDepth {
		return "", unknown("its variables refer to themselves")
	}
	var out strings.Builder
	for {
		at := reference.FindStringIndex(text)
		if at == nil {
			at = []int{len(text), len(text)}
		}
		if !v.budget.Spend(at[0] + 1) {
			return "", unknown("its variables are too long")
		}
		out.WriteString(text[:at[0]])
		if at[0] == len(text) {
			return out.String(), nil
		}
		inner, rest, err := v.name(text, at[0], at[1])
		if err != nil {
			return "", err
		}
		value, err := v.value(inner, depth)
		if err != nil {
			return "", err
		}
		if !v.budget.Spend(len(value)) {
			return "", unknown("its variables are too long")
		}
		out.WriteString(value)
		text = rest
	}
}

// name returns what is between the signs of a reference in a text, and the text behind it.
func (v *variables) name(text string, start, end int) (inner, rest string, err error) {
	switch sign := text[start:end]; {
	case sign == "{{":
		return "", "", unknown("it has a template")
	case strings.HasPrefix(sign, "$$"):
		return "", "", unknown("it has a variable of the shell")
	case sign == "$(" && v.isShell:
		return "", "", unknown("it has the output of another command")
	case sign == "$(" || sign == "${":
		open, shut := byte('('), byte(')')
		if sign == "${" {
			open, shut = '{', '}'
		}
		n := closed(text[start+1:], open, shut, 1)
		if n == 0 {
			return "", "", unknown("a parenthesis is not closed")
		}
		return text[end : start+n-1], text[start+n:], nil
	}
	n := end
	for n < len(text) && (isLetter(text[n]) || text[n] >= '0' && text[n] <= '9') {
		if n++; !v.isShell {
			break
		}
	}
	if n == end {
		return "", "", unknown("it has a special variable")
	}
	return text[end:n], text[n:], nil
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }

// value returns the value of a variable or a function.
func (v *variables) value(inner string, depth int) (string, error) {
	name, argument, isFunction := strings.Cut(inner, " ")
	if !v.isShell && isFunction {
		return v.call(name, strings.TrimSpace(argument), depth)
	}
	list := v.defined[inner]
	if len(list) == 0 {
		switch {
		case inner == "CURDIR" || inner == "PWD":
			return here, nil
		case v.isShell || slices.Contains([]string{"HOME", "GOPATH", "GOBIN", "PATH", "USER", "MAKEFILE_LIST"}, inner),
			!isName(inner):
			return "", unknown("the value of %s is not in the repository", inner)
		}
		return "", nil // as in make
	}
	out := ""
	for i, d := range list {
		switch {
		case d.isUncertain:
			return "", unknown("the value of %s depends on a condition", inner)
		case d.operator == "!=":
			return "", unknown("the value of %s is the output of a command", inner)
		case d.operator == "?=" && i > 0:
			continue
		}
		text, err := v.expandIn(d.value, depth+1)
		if err != nil {
			return "", err
		}
		if d.operator == "+=" && out != "" {
			text = out + " " + text
		}
		out = text
	}
	return out, nil
}

// isName reports whether a reference is to a plain variable.
func isName(text string) bool {
	return plainName.MatchString(text)
}

var plainName = regexp.MustCompile(`^[\w.-]+$`)

// call returns the result of a function of make: of those that Makefiles use in the options of controller-gen.
func (v *variables) call(name, argument string, depth int) (string, error) {
	switch {
	case name == "shell" && (argument == "pwd"):
		return here, nil
	case name == "or":
		for choice := range strings.SplitSeq(argument, ",") {
			if text, err := v.expandIn(strings.TrimSpace(choice), depth+1); err != nil || text != "" {
				return text, err
			}
		}
		return "", nil
	case name == "abspath" || name == "realpath":
		text, err := v.expandIn(argument, depth+1)
		if err != nil || text == "" || path.IsAbs(text) || strings.HasPrefix(text, here) {
			return text, err
		}
		return here + "/" + path.Clean(text), nil
	}
	return "", unknown("it has the function %s of make", name)
}
