// Code generated from internal/support of crdproof. DO NOT EDIT.

package crd

import (
	"encoding/hex"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Format fills the clauses of a format string with the items of a list (cel-go, ext/formatting.go, version 2 of
// its string functions, for the locale en_US).
func Format(format string, args List) Result[string] {
	var out strings.Builder
	for next := 0; format != ""; {
		literal, rest, found := strings.Cut(format, "%")
		out.WriteString(literal)
		switch {
		case !found:
			return OK(out.String())
		case strings.HasPrefix(rest, "%"):
			out.WriteByte('%')
			format = rest[1:]
			continue
		case next >= args.size():
			return failWith[string]("index " + strconv.Itoa(next) + " out of range")
		case rest == "":
			return failWith[string]("unexpected end of string")
		}
		clause, length, problem := readClause(rest)
		if problem != "" {
			return failWith[string]("could not parse formatting clause: " + problem)
		}
		text, problem := clause.text(args.at(next))
		if problem == unknownKey {
			return failWith[string](problem)
		}
		if problem != "" {
			return failWith[string]("error during formatting: " + problem)
		}
		out.WriteString(text)
		format = rest[length:]
		next++
	}
	return OK(out.String())
}

// A formatClause is a clause of a format string.
type formatClause struct {
	verb      byte
	precision int
}

// readClause reads a clause after the percent sign and returns its length, or an error.
func readClause(s string) (clause formatClause, length int, problem string) {
	clause.precision = 6
	if s[0] == '.' {
		rest := strings.TrimLeft(s[1:], "0123456789")
		if rest == "" {
			return clause, 0, "error while parsing precision: could not find end of precision specifier"
		}
		length = len(s) - len(rest)
		precision, err := strconv.Atoi(s[1:length])
		if err != nil {
			return clause, 0, "error while parsing precision: error while converting precision to integer: " +
				err.Error()
		}
		clause.precision = precision
	}
	clause.verb = s[length]
	if strings.IndexByte("sdfebxXo", clause.verb) < 0 {
		return clause, 0, `unrecognized formatting clause "` + string(rune(clause.verb)) + `"`
	}
	return clause, length + 1, ""
}

// text is a value formatted by the clause, or an error.
func (c formatClause) text(value any) (text, problem string) {
	switch c.verb {
	case 's':
		return formatString(value)
	case 'd':
		return formatInt(value, 10, "decimal clause can only be used on integers")
	case 'o':
		return formatInt(value, 8, "octal clause can only be used on integers")
	case 'b':
		if value, ok := value.(bool); ok {
			if value {
				return "1", ""
			}
			return "0", ""
		}
		return formatInt(value, 2, "only integers and bools can be formatted as binary")
	case 'f':
		return c.number(value, formatFixed, "fixed-point clause can only be used on doubles")
	case 'e':
		return c.number(value, formatScientific, "scientific clause can only be used on doubles")
	}
	switch v := value.(type) {
	case string:
		text = hex.EncodeToString([]byte(v))
	case []byte:
		text = hex.EncodeToString(v)
	default:
		text, problem = formatInt(value, 16, "only integers, byte buffers, and strings can be formatted as hex")
	}
	if c.verb == 'X' {
		text = strings.ToUpper(text)
	}
	return text, problem
}

// number formats a double, or a string that names NaN or an infinity.
func (c formatClause) number(value any, format func(float64, int) string, wrong string) (text, problem string) {
	number, ok := value.(float64)
	switch value {
	case "NaN":
		number, ok = math.NaN(), true
	case "Infinity":
		number, ok = math.Inf(1), true
	case "-Infinity":
		number, ok = math.Inf(-1), true
	}
	if !ok {
		return "", wrong + ", was given " + nameOf(value)
	}
	return format(number, c.precision), ""
}

// formatString formats an argument. A string is not quoted.
func formatString(value any) (text, problem string) {
	switch v := value.(type) {
	case nil:
		return "null", ""
	case TypeName:
		return string(v), ""
	case List:
		return formatList(v)
	case schemaObject, *celMap:
		return formatMap(value)
	case bool, int64, uint64, float64, string, []byte, time.Time, time.Duration:
		text := As[string](ConvertString(value))
		if text.err != nil {
			return "", "could not convert argument " + strconv.Quote(text.err.text) + " to string"
		}
		return text.val, ""
	}
	return "", "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, " +
		"durations, and timestamps, was given " + nameOf(value)
}

// formatItem formats a value inside a list or a map as a CEL literal.
func formatItem(value any) (text, problem string) {
	switch v := value.(type) {
	case float64:
		text := strconv.FormatFloat(v, 'f', 6, 64)
		if math.IsInf(v, 0) || math.IsNaN(v) {
			text = strconv.Quote(text)
		}
		return text, ""
	case time.Time, time.Duration:
		function := "timestamp("
		if _, ok := v.(time.Duration); ok {
			function = "duration("
		}
		text, problem := formatString(value)
		return function + strconv.Quote(text) + ")", problem
	case Optional, opaque, unknownData, *Failure:
		return "", "no formatting function for " + nameOf(value)
	}
	text, problem = formatString(value)
	switch value.(type) {
	case string:
		text = strconv.Quote(text)
	case []byte:
		text = "b" + strconv.Quote(text)
	}
	return text, problem
}

func formatList(list List) (text, problem string) {
	var out strings.Builder
	out.WriteByte('[')
	for i := range list.size() {
		text, problem := formatItem(list.at(i))
		if problem != "" {
			return "", problem
		}
		if i > 0 {
			out.WriteString(", ")
		}
		out.WriteString(text)
	}
	out.WriteByte(']')
	return out.String(), ""
}

// formatMap formats the entries of a map, sorted by their formatted keys.
func formatMap(value any) (text, problem string) {
	keys, _ := keysOf(value)
	entries := make([][2]string, 0, len(keys))
	for _, key := range keys {
		switch key.(type) {
		case string, bool, int64, uint64:
		default:
			if _, ok := value.(schemaObject); ok {
				return "", unknownKey
			}
			return "", "no formatting function for map key of type " + nameOf(key)
		}
		name, _ := formatItem(key)
		item, found := find(value, key)
		if !found {
			return "", "could not find key: " + name
		}
		text, problem := formatItem(item)
		if problem != "" {
			return "", problem
		}
		entries = append(entries, [2]string{name, text})
	}
	slices.SortStableFunc(entries, func(a, b [2]string) int { return strings.Compare(a[0], b[0]) })
	var out strings.Builder
	out.WriteByte('{')
	for i, entry := range entries {
		if i > 0 {
			out.WriteString(", ")
		}
		out.WriteString(entry[0] + ":" + entry[1])
	}
	out.WriteByte('}')
	return out.String(), ""
}

// unknownKey is the result of formatting an object with an unknown field: the server panics, and its interpreter
// recovers.
const unknownKey = "internal error: runtime error: invalid memory address or nil pointer dereference"

func formatInt(value any, base int, wrong string) (text, problem string) {
	switch value := value.(type) {
	case int64:
		return strconv.FormatInt(value, base), ""
	case uint64:
		return strconv.FormatUint(value, base), ""
	}
	return "", wrong + ", was given " + nameOf(value)
}

// formatFixed formats a number with a number of digits after the point, and commas between thousands. The server's
// library (golang.org/x/text/message) keeps the number of digits in a few bits; so does this function.
func formatFixed(number float64, digits int) string {
	if digits/10 > 1e6 {
		return noVerb
	}
	if text := formatNoNumber(number); text != "" {
		return text
	}
	precision := int(int16(digits))
	if precision < 0 {
		precision = -1
	}
	whole, fraction, _ := strings.Cut(strconv.FormatFloat(math.Abs(number), 'f', precision, 64), ".")
	fraction = strings.TrimRight(fraction, "0")
	if missing := int(uint8(digits)) - len(fraction); missing > 0 {
		fraction += strings.Repeat("0", missing)
	}
	var out strings.Builder
	if number < 0 {
		out.WriteByte('-')
	}
	for i, digit := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			out.WriteByte(',')
		}
		out.WriteRune(digit)
	}
	if fraction != "" {
		out.WriteByte('.')
		out.WriteString(fraction)
	}
	return out.String()
}

// formatScientific formats a number with six digits after the point and a power of ten. The precision of the
// clause is the minimum width.
func formatScientific(number float64, width int) string {
	if width/10 > 1e6 {
		return noVerb
	}
	text := formatNoNumber(number)
	if text == "" {
		mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(math.Abs(number), 'e', 6, 64), "e")
		if number < 0 {
			mantissa = "-" + mantissa
		}
		text = mantissa + "×10" + strings.NewReplacer("+", "", "-", "⁻", "0", "⁰", "1", "¹", "2", "²", "3", "³", "4",
			"⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹").Replace(exponent)
	}
	if missing := int(uint16(width)) - utf8.RuneCountInString(text); missing > 0 {
		return strings.Repeat(" ", missing) + text
	}
	return text
}

// noVerb is the text for a precision with so many digits that the clause is not read completely.
const noVerb = "%!(NOVERB)"

// formatNoNumber formats NaN and infinities; it is empty for numbers.
func formatNoNumber(number float64) string {
	switch {
	case math.IsNaN(number):
		return "NaN"
	case math.IsInf(number, 1):
		return "∞"
	case math.IsInf(number, -1):
		return "-∞"
	}
	return ""
}
