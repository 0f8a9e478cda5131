package markers

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/crdproof/crdproof/diag"
)

// This file finds out what a value was meant to be that is written in the notation of JSON, YAML or another tool, and
// writes it in the grammar of markers.

// rewrittenList writes a list such as [a, b], "a","b", a|b or 'a';'b' as a;b. It returns "" if the text is not a list
// of simple values.
func rewrittenList(text string) string {
	text = strings.TrimSpace(text)
	for _, pair := range []string{"[]", "()", "{}"} {
		if n := len(text); n >= 2 && text[0] == pair[0] && text[n-1] == pair[1] {
			text = strings.TrimSpace(text[1 : n-1])
			break
		}
	}
	var items []string
	for _, item := range splitOutside(text, ",;|") {
		item = strings.TrimSpace(item)
		if plain := unquoted(item); plain != item && !strings.ContainsAny(plain, "\"`\\") {
			item = strconv.Quote(plain)
		} else if strings.ContainsAny(item, "[]{}()\"'`= \t") {
			return ""
		}
		if item != "" {
			items = append(items, item)
		}
	}
	return strings.Join(items, ";")
}

// splitOutside splits a text at the characters of a set that are not in quotes.
func splitOutside(text, set string) []string {
	var out []string
	start := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"' || c == '\'' || c == '`':
			if n := closingQuote(text[i:]); n > 0 {
				i += n - 1
			}
		case strings.IndexByte(set, c) >= 0:
			out = append(out, text[start:i])
			start = i + 1
		}
	}
	return append(out, text[start:])
}

// Joined returns the list that was perhaps meant by a value of an enum in which a bare A|B|C or A B C is one item, and
// "" for all others: a value in quotes is what it seems.
func Joined(v *Value) string {
	if len(v.Items) != 1 || v.Items[0].Kind != String {
		return ""
	}
	text := v.Items[0].Text
	if v.At.Text() != text {
		return ""
	}
	parts := strings.FieldsFunc(text, func(c rune) bool { return c == '|' || c == ' ' || c == '\t' })
	isWord := func(s string) bool {
		return strings.IndexFunc(s, func(c rune) bool { return !inWord(c) && c != '/' }) < 0
	}
	if len(parts) < 2 || slices.ContainsFunc(parts, func(s string) bool { return !isWord(s) }) {
		return ""
	}
	return strings.Join(parts, ";")
}

// valueEnd returns the offset behind what a reader of the source takes for the value that starts at an offset: up to
// the next name=value, or to the end.
func (r *reader) valueEnd(start int) int {
	end := len(r.text)
	if !r.def.anonymous() {
		for i := start; i < len(r.text); i++ {
			if r.text[i] == ',' && startsArgument(r.text[i+1:]) {
				end = i
				break
			}
		}
	}
	return start + len(strings.TrimRight(r.text[start:end], " \t"))
}

// startsArgument reports whether a text starts with name=value.
func startsArgument(text string) bool {
	text = strings.TrimLeft(text, " \t")
	rest := strings.TrimLeftFunc(text, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) })
	after := strings.TrimLeft(rest, " \t")
	return len(rest) < len(text) && strings.HasPrefix(after, "=") && !strings.HasPrefix(after, "==")
}

// misread reports a value that ends earlier in the grammar of markers than its author thought: a list in another
// notation, or a text with quotes or commas in it. ok is false if what was meant is not known.
func (r *reader) misread() (d diag.Diagnostic, ok bool) {
	start := r.valueAt
	if r.depth > 0 || start < 0 || start >= len(r.text) {
		return d, false
	}
	end := r.valueEnd(start)
	text := r.text[start:end]
	at := r.span(start, end)
	if r.param == nil || text == "" {
		return d, false
	}
	switch kind := r.param.Shape.Kind; {
	case kind == List && requiredNames(text) != nil:
		return diag.Errorf(at, BadSyntax, "expected the names of fields separated by ;, got %s", clip(text)).
			Help("%s", ofFields(r.def.Name, requiredNames(text))), true
	case kind == List:
		list := rewrittenList(text)
		if list == "" || list == text {
			return d, false
		}
		return diag.Errorf(at, BadSyntax, "expected items separated by ;, got %s", clip(text)).
			Write(list), true
	case kind == Any && r.listMeant(text) != "":
		return diag.Errorf(at, BadSyntax, "expected a list in braces, got %s", clip(text)).
			Write(r.listMeant(text)), true
	case (kind == String || kind == Any) && text[0] == '"' && len(text) > 1 && text[len(text)-1] == '"':
		return diag.Errorf(at, BadSyntax, "unescaped \" inside a quoted string").
			Write(r.requoted(text[1:len(text)-1], start, end)), true
	case kind == String && text[0] == '"' && strings.Count(text, `"`) == 1 && !strings.Contains(text, `\`):
		return diag.Errorf(at, BadSyntax, "missing closing \"").Help("write %s\"", text), true
	case (kind == String || kind == Any) && text[0] != '"' && text[0] != '`' && text[0] != '{' &&
		strings.Contains(text, ","):
		what := "the value"
		if r.param.Name != "" {
			what += " of " + r.param.Name
		}
		return diag.Errorf(at, BadSyntax, "unquoted comma in %s", what).
			Write(r.requoted(text, start, end)), true
	}
	return d, false
}

// listMeant writes a list in brackets, a list without braces on a field that is a list, and JSON, in braces. It returns
// "" for other texts.
func (r *reader) listMeant(text string) string {
	isInBrackets := text[0] == '[' && text[len(text)-1] == ']'
	isList := isInBrackets && strings.TrimLeft(r.comment.Type, "*") != "string" ||
		strings.HasPrefix(strings.TrimLeft(r.comment.Type, "*"), "[]") && text[0] != '{'
	flat := rewrittenList(text)
	switch {
	case isList && flat != "" && !strings.ContainsAny(flat, `"`):
		items := strings.Split(flat, ";")
		for i, item := range items {
			if elementType(r.comment.Type) == "string" {
				items[i] = (&Value{Kind: String, Text: item}).Literal()
			}
		}
		return "{" + strings.Join(items, ", ") + "}"
	case json.Valid([]byte(text)) || isList && isInBrackets && strings.Count(text, `"`)%2 == 0:
		return bracesForBrackets(text)
	}
	return ""
}

// bracesForBrackets writes the lists of a JSON text in braces.
func bracesForBrackets(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '"':
			n := max(closingQuote(text[i:]), 1)
			b.WriteString(text[i : i+n])
			i += n - 1
		case '[':
			b.WriteByte('{')
		case ']':
			b.WriteByte('}')
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// requoted writes a text as a string that replaces the value between two offsets: with single quotes in it if it is
// for people or CEL; otherwise the whole marker with the text in backticks, or escaped if it has some.
func (r *reader) requoted(inner string, start, end int) string {
	forPeople := slices.Contains([]string{"rule", "message", "messageExpression", "description", "warning", "reason"},
		r.param.Name)
	inner = strings.ReplaceAll(inner, `\"`, `"`)
	switch {
	case !strings.ContainsAny(inner, "\"\\"):
		return `"` + inner + `"`
	case forPeople && !strings.ContainsAny(inner, `'\`):
		return `"` + strings.ReplaceAll(inner, `"`, "'") + `"`
	case !strings.Contains(inner, "`"):
		return r.withValue(start, end, "`"+inner+"`")
	}
	return strconv.Quote(inner)
}

// withValue returns the whole marker with another text between two offsets.
func (r *reader) withValue(start, end int, value string) string {
	text := r.comment.Text
	return text[:r.base+start] + value + text[r.base+end:]
}

// lookAlikes notes values that are accepted but are not what they look like: brackets around a list and single quotes
// become part of the value.
func (r *reader) lookAlikes(v *Value) {
	if r.broken || r.param == nil || r.valueAt < 0 {
		return
	}
	start := r.valueAt
	text := strings.TrimSpace(r.text[start:min(r.sc.Pos().Offset, len(r.text))])
	text = strings.TrimSpace(strings.TrimSuffix(text, ","))
	n := len(text)
	if n < 2 {
		return
	}
	at := r.span(start, start+n)
	switch isList := r.param.Shape.Kind == List; {
	case isList && (r.param.Name == "shortName" || r.param.Name == "categories") && text[0] == '"' &&
		len(v.Items) == 1 && strings.Contains(text, ",") && rewrittenList(unquoted(text)) != "":
		r.note(diag.Errorf(at, LooseValue, "expected items separated by ;, got %s", clip(text)).
			Write(rewrittenList(unquoted(text))))
	case isList && (text[0] == '[' && text[n-1] == ']' || text[0] == '(' && text[n-1] == ')'):
		if list := rewrittenList(text); list != "" {
			r.note(diag.Errorf(at, LooseValue, "brackets become part of the values: %s", clip(text)).
				Write(list))
		}
	case text[0] == '\'' && text[n-1] == '\'' && r.param.Name != "rule" && r.param.Name != "messageExpression":
		// of CEL, the compiler reports them
		meant := strconv.Quote(text[1 : n-1])
		if isList {
			meant = rewrittenList(text)
		}
		if meant != "" && !strings.Contains(meant, `\`) {
			r.note(diag.Warningf(at, LooseValue, "single quotes become part of the value: %s", clip(text)).
				Write(meant))
		}
	}
}

// rewritten returns the marker that a comment was perhaps meant to be whose value is written behind a space, a colon
// or a space and an equals sign, as in Maximum = 9, Maximum: 9 and Maximum:9.
func (t *Table) rewritten(c Comment, target Target) (def *Definition, head, marker string) {
	text := c.Text[1:]
	for i, char := range text {
		if char != ':' && char != ' ' && char != '\t' && char != '=' {
			continue
		}
		head = text[:i]
		if def = t.find(split("+"+head), target); def == nil {
			def = t.elsewhere(split("+" + head))
		}
		if def != nil && !strings.ContainsAny(head, "=(") && def.Grammar != Tag && def.Forbidden == "" {
			sep := text[i : len(text)-len(strings.TrimLeft(text[i:], ":= \t"))]
			value := strings.TrimSpace(text[i+len(sep):])
			if word, rest, ok := strings.Cut(value, ":="); ok && def.anonymous() && isLetters(word) {
				value = strings.TrimSpace(rest) // +default:value:=2
			}
			if marker = rewrittenMarker(def, head, sep, value); marker != "" {
				return def, head, marker
			}
		}
		if char == '=' {
			break
		}
	}
	return nil, "", ""
}

func isLetters(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) }) < 0
}

// rewrittenMarker writes a marker with a value that is separated from its name by a mix of colons, equals signs and
// white space; "" if the value does not look like one.
func rewrittenMarker(def *Definition, head, sep, value string) string {
	isSign := strings.ContainsAny(sep, "=:")
	switch {
	case strings.TrimLeft(sep, ":") == "=" || value == "":
		return "" // this is what the grammar reads, or nothing
	case len(def.Params) == 0:
		if isSign && value == "true" {
			return "+" + head
		}
		return ""
	case !def.anonymous():
		if startsArgument(value) {
			return "+" + head + ":" + value
		}
		return ""
	case def.Instead != "" && value == "true":
		return "+" + def.Instead
	case !isSign && (!ours(head) || strings.ContainsAny(value, " \t")):
		return ""
	}
	if list := rewrittenList(value); def.Params[0].Shape.Kind == List && list != "" {
		value = list
	}
	return "+" + head + "=" + value
}
