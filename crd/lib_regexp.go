// Code generated from internal/support of crdproof. DO NOT EDIT.

package crd

import "regexp"

// Regular expressions of CEL (cel-go's matches, and k8s.io/apiserver/pkg/cel/library/regex.go). A constant one is
// compiled once, so that the functions whose names end in Compiled cannot fail.

// Matches reports whether the expression is found anywhere in the string.
func Matches(s, expression string) Result[bool] {
	compiled, err := regexp.Compile(expression)
	if err != nil {
		return failWith[bool](err.Error())
	}
	return OK(compiled.MatchString(s))
}

// MatchesCompiled is Matches for a constant expression.
func MatchesCompiled(s string, expression *regexp.Regexp) bool { return expression.MatchString(s) }

// FindMatch is the first match, or nothing.
func FindMatch(s, expression string) Result[string] {
	compiled, err := regexp.Compile(expression)
	if err != nil {
		return failWith[string](illegalRegexp + err.Error())
	}
	return OK(compiled.FindString(s))
}

// FindMatchCompiled is FindMatch for a constant expression.
func FindMatchCompiled(s string, expression *regexp.Regexp) string {
	return expression.FindString(s)
}

// FindMatches is all matches.
func FindMatches(s, expression string) Result[List] {
	return FindMatchesN(s, expression, -1)
}

// FindMatchesCompiled is FindMatches for a constant expression.
func FindMatchesCompiled(s string, expression *regexp.Regexp) List {
	return FindMatchesNCompiled(s, expression, -1)
}

// FindMatchesN is the first matches up to the limit, or all if it is negative.
func FindMatchesN(s, expression string, limit int64) Result[List] {
	compiled, err := regexp.Compile(expression)
	if err != nil {
		return failWith[List](illegalRegexp + err.Error())
	}
	return OK(FindMatchesNCompiled(s, compiled, limit))
}

// FindMatchesNCompiled is FindMatchesN for a constant expression.
func FindMatchesNCompiled(s string, expression *regexp.Regexp, limit int64) List {
	return stringList(expression.FindAllString(s, int(limit)))
}

const illegalRegexp = "Illegal regex: "
