package crd

import (
	"strconv"
	"strings"
	"time"
)

// resolves reports whether a plain scalar of that text would be read as something other than a string, by the rules
// of YAML 1.1 as go.yaml.in/yaml/v2 knows them (resolve.go, and isBase60Float in encode.go). It asks by the first
// byte, since nearly all strings are done with it.
func resolves(s string) bool {
	if s == "" {
		return true
	}
	switch c := s[0]; {
	case c == '~' || c == '.' || 'a' <= c|0x20 && c|0x20 <= 'z':
		return isWord(s) || c == '.' && isDotFloat(s)
	case c == '+' || c == '-' || isDigit(c):
		return isWord(s) || couldBeNumber(s) && (isTimestamp(s) || isNumber(s) || isBase60(s))
	}
	return false
}

// isWord reports whether s is one of the words for booleans, null, infinity and not-a-number.
func isWord(s string) bool {
	switch s {
	case "~", "null", "Null", "NULL",
		"y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "true", "True", "TRUE",
		"n", "N", "no", "No", "NO", "off", "Off", "OFF", "false", "False", "FALSE",
		".nan", ".NaN", ".NAN",
		".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF":
		return true
	}
	return false
}

func isDotFloat(s string) bool {
	if len(s) == 1 || !isDigit(s[1]) {
		return false
	}
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// couldBeNumber is the quick answer for prose that begins with a digit or a dash: whether all bytes occur in numbers
// or timestamps at all.
func couldBeNumber(s string) bool {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case isDigit(c), 'a' <= c|0x20 && c|0x20 <= 'f':
		case strings.IndexByte("+-._:, xXoOtTzZ", c) >= 0:
		default:
			return false
		}
	}
	return true
}

// isTimestamp tries the four layouts that the library knows.
func isTimestamp(s string) bool {
	const year = 4
	if len(s) <= year || s[year] != '-' {
		return false
	}
	for i := 0; i < year; i++ {
		if !isDigit(s[i]) {
			return false
		}
	}
	for _, layout := range [...]string{
		"2006-1-2T15:4:5.999999999Z07:00",
		"2006-1-2t15:4:5.999999999Z07:00",
		"2006-1-2 15:4:5.999999999",
		"2006-1-2",
	} {
		if _, err := time.Parse(layout, s); err == nil {
			return true
		}
	}
	return false
}

// isNumber reports whether s is an integer of 64 bits in any base of Go's, or a decimal float in range; underscores
// do not count.
func isNumber(s string) bool {
	s = strings.ReplaceAll(s, "_", "")
	if _, err := strconv.ParseInt(s, 0, 64); err == nil {
		return true
	}
	if _, err := strconv.ParseUint(s, 0, 64); err == nil {
		return true
	}
	if isDecimal(s) {
		if _, err := strconv.ParseFloat(s, 64); err == nil {
			return true
		}
	}
	// The library's own attempt at binary numbers lets a sign follow the prefix.
	if digits, ok := strings.CutPrefix(s, "0b"); ok {
		_, err := strconv.ParseInt(digits, 2, 64)
		return err == nil
	}
	return false
}

// isDecimal reports whether s is [-+]?(.digits | digits[.digits])([eE][-+]?digits)?, with digits after the dot
// optional where there are some before.
func isDecimal(s string) bool {
	s = skipSign(s)
	whole := countDigits(s)
	s = s[whole:]
	if s != "" && s[0] == '.' {
		fraction := countDigits(s[1:])
		if whole+fraction == 0 {
			return false
		}
		s = s[1+fraction:]
	} else if whole == 0 {
		return false
	}
	if s == "" {
		return true
	}
	if s[0]|0x20 != 'e' {
		return false
	}
	s = skipSign(s[1:])
	return s != "" && countDigits(s) == len(s)
}

func skipSign(s string) string {
	if s != "" && (s[0] == '+' || s[0] == '-') {
		return s[1:]
	}
	return s
}

func countDigits(s string) int {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}

// isBase60 reports whether s is a number such as 1:30:00, which the library does not read but quotes for those who
// do: digits and underscores, then one or more groups of a colon and a number below 60, then perhaps a fraction.
func isBase60(s string) bool {
	s = skipSign(s)
	if s == "" || !isDigit(s[0]) {
		return false
	}
	s = s[countDigitsAndUnderscores(s):]
	groups := 0
	for s != "" && s[0] == ':' {
		n := countDigits(s[1:])
		if n == 0 || n > 2 || n == 2 && s[1] > '5' {
			return false
		}
		s = s[1+n:]
		groups++
	}
	if groups == 0 {
		return false
	}
	return s == "" || s[0] == '.' && countDigitsAndUnderscores(s[1:]) == len(s)-1
}

func countDigitsAndUnderscores(s string) int {
	n := 0
	for n < len(s) && (isDigit(s[n]) || s[n] == '_') {
		n++
	}
	return n
}
