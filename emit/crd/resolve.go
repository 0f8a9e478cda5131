package crd

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// resolves reports whether a plain scalar of that text would be read as something other than a string, by the rules
// of YAML 1.1 as go.yaml.in/yaml/v2 knows them (resolve.go, and isBase60Float in encode.go). It starts with the first
// byte, which decides for nearly all strings.
func resolves(s string) bool {
	if s == "" {
		return true
	}
	switch c := s[0]; {
	case c == '.':
		_, err := strconv.ParseFloat(s, 64)
		return err == nil || isWord(s)
	case c == '~' || 'a' <= c|0x20 && c|0x20 <= 'z':
		return isWord(s)
	case c == '+' || c == '-' || isDigit(c):
		return isWord(s) || couldBeNumber(s) && (isTimestamp(s) || isNumber(s) || base60Float.MatchString(s))
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

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// couldBeNumber is a fast check for prose that begins with a digit or a dash: whether all bytes can occur in numbers
// or timestamps.
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

// yamlStyleFloat is the library's own. base60Float is one of YAML 1.1, such as 1:30:00, which the library does not
// read, but quotes for other readers.
var (
	yamlStyleFloat = regexp.MustCompile(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)
	base60Float    = regexp.MustCompile(`^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$`)
)

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
	if yamlStyleFloat.MatchString(s) {
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
