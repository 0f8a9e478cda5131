package gojson

import (
	"strconv"
	"strings"
	"unicode"
)

// IsTag reports whether a tag consists only of key:"value" pairs (reflect.StructTag).
func IsTag(tag string) bool {
	for tag = strings.TrimLeft(tag, " "); tag != ""; tag = strings.TrimLeft(tag, " ") {
		key, rest, ok := strings.Cut(tag, ":")
		if !ok || key == "" || strings.ContainsAny(key, " \"") {
			return false
		}
		value, err := strconv.QuotedPrefix(rest)
		if err != nil || rest[0] != '"' {
			return false
		}
		tag = rest[len(value):]
	}
	return true
}

// IsName reports whether Go takes a name from a tag (encoding/json, isValidTag).
func IsName(name string) bool {
	for _, r := range name {
		if !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return false
		}
	}
	return true
}
