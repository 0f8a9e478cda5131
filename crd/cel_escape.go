// Code generated from internal/support of crdproof. DO NOT EDIT.

package crd

import "strings"

// unescape is the name of a property with a given CEL name (apiserver, pkg/cel/escaping.go); ok is false if no
// property has it.
func unescape(escaped string) (name string, ok bool) {
	if !strings.Contains(escaped, "__") {
		return escaped, true
	}
	var out strings.Builder
	for rest := escaped; ; {
		start, end := nextEscape(rest)
		if start < 0 {
			out.WriteString(rest)
			return out.String(), true
		}
		word := rest[start+2 : end-2]
		switch word {
		case "underscores":
			word = "__"
		case "dot":
			word = "."
		case "dash":
			word = "-"
		case "slash":
			word = "/"
		default:
			if !isReserved(word) || end-start != len(escaped) {
				return "", false
			}
		}
		out.WriteString(rest[:start] + word)
		rest = rest[end:]
	}
}

// nextEscape finds the next word between two pairs of underscores.
func nextEscape(text string) (start, end int) {
	for start = 0; ; start++ {
		next := strings.Index(text[start:], "__")
		if next < 0 {
			return -1, -1
		}
		start += next
		word := strings.IndexByte(text[start+2:], '_')
		if end = start + 2 + word; word > 0 && strings.HasPrefix(text[end:], "__") {
			return start, end + 2
		}
	}
}

// escape is the CEL name of a property; ok is false if it cannot have one.
func escape(name string) (escaped string, ok bool) {
	if name == "" || '0' <= name[0] && name[0] <= '9' {
		return "", false
	}
	if isReserved(name) {
		return "__" + name + "__", true
	}
	var out strings.Builder
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c == '_' && strings.HasPrefix(name[i:], "__"):
			out.WriteString("__underscores__")
			i++
		case c == '.':
			out.WriteString("__dot__")
		case c == '-':
			out.WriteString("__dash__")
		case c == '/':
			out.WriteString("__slash__")
		case c == '_', '0' <= c && c <= '9', 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
			out.WriteByte(c)
		default:
			return "", false
		}
	}
	return out.String(), true
}

// isReserved reports whether a word is reserved in CEL.
func isReserved(word string) bool {
	switch word {
	case "true", "false", "null", "in", "as", "break", "const", "continue", "else", "for", "function", "if",
		"import", "let",
		"loop", "package", "namespace", "return", "var", "void", "while":
		return true
	}
	return false
}
