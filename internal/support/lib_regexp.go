package support

import "regexp"

// Regular expressions of CEL (cel-go's matches, and k8s.io/apiserver/pkg/cel/library/regex.go). A constant one is
// compiled once, so that the functions whose names end in Compiled cannot fail.

// crdMatches reports whether the expression is found anywhere in the string.
func crdMatches(s, expression string) crdResult[bool] {
	compiled, err := regexp.Compile(expression)
	if err != nil {
		return crdFailed[bool](err.Error())
	}
	return crdOK(compiled.MatchString(s))
}

func crdMatchesCompiled(s string, expression *regexp.Regexp) bool { return expression.MatchString(s) }

// crdFindMatch is the first match, or nothing.
func crdFindMatch(s, expression string) crdResult[string] {
	compiled, err := regexp.Compile(expression)
	if err != nil {
		return crdFailed[string](crdIllegalRegexp + err.Error())
	}
	return crdOK(compiled.FindString(s))
}

func crdFindMatchCompiled(s string, expression *regexp.Regexp) string {
	return expression.FindString(s)
}

// crdFindMatches is all matches.
func crdFindMatches(s, expression string) crdResult[crdList] {
	return crdFindMatchesN(s, expression, -1)
}

func crdFindMatchesCompiled(s string, expression *regexp.Regexp) crdList {
	return crdFindMatchesNCompiled(s, expression, -1)
}

// crdFindMatchesN is the first matches up to the limit, or all if it is negative.
func crdFindMatchesN(s, expression string, limit int64) crdResult[crdList] {
	compiled, err := regexp.Compile(expression)
	if err != nil {
		return crdFailed[crdList](crdIllegalRegexp + err.Error())
	}
	return crdOK(crdFindMatchesNCompiled(s, compiled, limit))
}

func crdFindMatchesNCompiled(s string, expression *regexp.Regexp, limit int64) crdList {
	return crdStrings(expression.FindAllString(s, int(limit)))
}

const crdIllegalRegexp = "Illegal regex: "
