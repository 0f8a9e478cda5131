package markers

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
)

// All texts of this package's diagnostics stand here.

func problem(rule string, at diag.Span, message, help string) diag.Diagnostic {
	return diag.Diagnostic{Span: at, Check: rule, Message: message, HelpText: help}
}

// written is a definition's name as it is written: options of the command line have no '+'.
func written(def *Definition) string {
	if def.Category == catOption {
		return def.Name
	}
	return "+" + def.Name
}

// example returns a marker line that shows the right use.
func example(def *Definition) string {
	for line := range strings.Lines(def.Example) {
		line = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "//"))
		if strings.HasPrefix(line, written(def)) {
			return line
		}
	}
	return written(def)
}

func such(def *Definition) string { return "for example " + example(def) }

// clip shortens what is quoted from the source.
func clip(s string) string {
	const most = 40
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

func quoted(s string) string { return strconv.Quote(clip(s)) }

func kindName(k Kind) string {
	switch k {
	case Null:
		return "null"
	case Bool:
		return "true or false"
	case Int:
		return "an integer"
	case Number:
		return "a number"
	case String:
		return "a string"
	case List:
		return "a list"
	case Map:
		return "a map in braces"
	default:
		return "any value"
	}
}

func (t Target) noun() string {
	switch t {
	case Package:
		return "package"
	case Type:
		return "type"
	case Constant:
		return "constant"
	default:
		return "field"
	}
}

// a puts the indefinite article before the names of a set of targets: "a package, a type or a field".
func (t Target) a() string {
	var list []string
	for _, one := range targets(t) {
		list = append(list, "a "+one.noun())
	}
	return either(list, "or")
}

// either joins names: `"a", "b" or "c"`.
func either(names []string, last string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	n := len(names) - 1
	return strings.Join(names[:n], ", ") + " " + last + " " + names[n]
}

func paramNames(def *Definition) []string {
	names := make([]string, len(def.Params))
	for i, p := range def.Params {
		names[i] = p.Name
	}
	return names
}

func scanFailed(r *reader, start int, message string) diag.Diagnostic {
	end := r.word(min(start, len(r.text)))
	at := func() diag.Span { return r.span(start, max(end, start)) }
	rest := r.text[min(start, len(r.text)):]
	switch {
	case strings.Contains(message, "not terminated"):
		end = len(r.text)
		quote := rest[:min(1, len(rest))]
		return problem(ruleSyntax, at(), "string is not closed",
			"close it with "+quote+", or quote the whole value if the "+quote+" belongs to it")
	case strings.Contains(message, "escape"):
		end = len(r.text)
		if i := closingQuote(rest); i >= 0 {
			end = start + i
		}
		return problem(ruleSyntax, at(), "string has an escape that Go does not know",
			"write \\\\ for a backslash, or put the string in `backticks`")
	case strings.Contains(message, "UTF-8"):
		return problem(ruleSyntax, at(), "text is not valid UTF-8", "save the file as UTF-8")
	case strings.Contains(message, "NUL"):
		return problem(ruleSyntax, at(), "text contains a NUL character", "remove it")
	}
	return problem(ruleValue, at(), quoted(rest[:max(end-start, 0)])+" is not a number that Go can read",
		"write a decimal number without leading zeros, or quote it if it is a string")
}

// closingQuote returns the offset behind a string that starts the text, or -1.
func closingQuote(text string) int {
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '\\':
			i++
		case text[i] == text[0]:
			return i + 1
		}
	}
	return -1
}

func badString(at diag.Span) diag.Diagnostic {
	return problem(ruleSyntax, at, "string cannot be unquoted", "write \\\\ for a backslash, or put the string in `backticks`")
}

func tooDeep(r *reader, start int) diag.Diagnostic {
	return problem(ruleSyntax, r.span(start, start+1), fmt.Sprintf("braces are nested deeper than %d levels", maxDepth), "write a flatter value")
}

// wantName is about what stands where an argument's name should; before is the argument before it, if any.
func wantName(r *reader, start int, before string) diag.Diagnostic {
	if start >= len(r.text) {
		return problem(ruleSyntax, r.span(len(r.text), len(r.text)), "expected another argument after the comma", "remove the comma at the end")
	}
	end := r.word(start)
	if r.text[start] == '=' {
		return problem(ruleSyntax, r.span(start, end), r.def.Name+" takes named arguments, found a bare value", such(r.def))
	}
	return problem(ruleSyntax, r.span(start, end), "expected the name of an argument, found "+quoted(r.text[start:end]), quoteOr(before, such(r.def)))
}

// quoteOr is the help where an argument's value ended too soon, at a comma that was perhaps meant to belong to it.
func quoteOr(before, help string) string {
	if before == "" {
		return help
	}
	return "put the value of " + before + " in quotes if the comma belongs to it"
}

func wantEquals(r *reader, name string, start int, before string) diag.Diagnostic {
	help := quoteOr(before, "write "+name+"=value")
	if start >= len(r.text) {
		return problem(ruleSyntax, r.span(len(r.text), len(r.text)), "argument "+quoted(name)+" has no value", "write "+name+"=value")
	}
	return problem(ruleSyntax, r.span(start, start+width(r.text, start)),
		"expected = after "+quoted(name)+", found "+quoted(r.text[start:start+width(r.text, start)]), help)
}

func needsName(at diag.Span, def *Definition) diag.Diagnostic {
	return problem(ruleSyntax, at, def.Name+" takes named arguments, found a bare value", such(def))
}

func takesNothing(at diag.Span, def *Definition) diag.Diagnostic {
	return problem(ruleArgument, at, def.Name+" takes no value", "write "+written(def))
}

// unknownArgument also returns the argument that was perhaps meant.
func unknownArgument(at diag.Span, def *Definition, name string) (diag.Diagnostic, string) {
	names := paramNames(def)
	d := problem(ruleArgument, at, def.Name+" has no argument "+quoted(name), "")
	d.Notes = []string{"its arguments are " + either(names, "and")}
	guess := diag.Near(name, names)
	if d.HelpText = diag.Meant(guess); d.HelpText == "" {
		d.HelpText = such(def)
	}
	return d, guess
}

func missing(at diag.Span, def *Definition, names []string) diag.Diagnostic {
	switch len(names) {
	case 0:
		kind := Any
		if len(def.Params) > 0 {
			kind = def.Params[0].Shape.Kind
		}
		return problem(ruleMissing, at, def.Name+" needs a value: "+kindName(kind), such(def))
	case 1:
		return problem(ruleMissing, at, def.Name+" lacks the argument "+strconv.Quote(names[0]), such(def))
	}
	list := make([]string, len(names))
	for i, n := range names {
		list[i] = strconv.Quote(n)
	}
	return problem(ruleMissing, at, def.Name+" lacks the arguments "+either(list, "and"), such(def))
}

func excluded(given []Arg) diag.Diagnostic {
	first, later := given[0], given[1]
	d := problem(ruleArgument, later.NameAt, "the arguments "+quoted(first.Name)+" and "+quoted(later.Name)+" exclude each other", "remove one of them")
	d.SeeAlso = []diag.Related{{Span: first.NameAt, Message: "the other one"}}
	return d
}

func noneOf(at diag.Span, def *Definition) diag.Diagnostic {
	return problem(ruleMissing, at, def.Name+" lacks "+either(def.Either, "or")+", and no indented lines follow it",
		"write CEL below the marker, indented, without quotes:\n// +"+def.Name+":message=\"…\"\n//\n//\tself.min <= self.max")
}

func wrongValue(at diag.Span, kind Kind, found string, err error) diag.Diagnostic {
	if found == "" {
		return problem(ruleValue, at, "expected "+kindName(kind)+", found nothing", "write the value after the =")
	}
	if errors.Is(err, strconv.ErrRange) {
		return outOfRange(at, found)
	}
	d := problem(ruleValue, at, "expected "+kindName(kind)+", found "+quoted(unquoted(found)), "")
	bare := unquoted(found)
	switch {
	case bare != found && fits(bare, kind):
		d.Message = "expected " + kindName(kind) + ", found a string"
		d.HelpText = "write " + bare + " without quotes"
	case kind == Bool && fits(strings.ToLower(bare), kind):
		d.HelpText = "write " + strings.ToLower(bare)
	case kind == Map:
		d.HelpText = "write {key: value}"
	case kind == Bool:
		d.HelpText = "write true or false"
	case kind == Int:
		d.HelpText = "write nothing but digits, such as 10"
	default:
		d.HelpText = "write nothing but a number, such as 0.5"
	}
	return d
}

const helpMixedList = "write all items alike: the first one decides the type of the list"

func outOfRange(at diag.Span, literal string) diag.Diagnostic {
	return problem(ruleValue, at, quoted(literal)+" is beyond the range of numbers", "write a number that fits into 64 bits")
}

func unquoted(s string) string {
	if n := len(s); n >= 2 && s[0] == s[n-1] && strings.IndexByte("\"'`", s[0]) >= 0 {
		return s[1 : n-1]
	}
	return s
}

func fits(s string, kind Kind) bool {
	var err error
	switch kind {
	case Bool:
		return s == "true" || s == "false"
	case Int:
		_, err = strconv.Atoi(s)
	case Number:
		_, err = strconv.ParseFloat(s, 64)
	default:
		return false
	}
	return err == nil
}

func spaceBeforeSign(at diag.Span) diag.Diagnostic {
	return problem(ruleValue, at, "a space before the sign makes the number unreadable", "remove the space before the -")
}

// unexpected is about text after the end of a value.
func unexpected(r *reader, start int) diag.Diagnostic {
	end := r.word(start)
	found := r.text[start:end]
	help := "put the whole value in quotes"
	if strings.HasPrefix(found, ",") || strings.HasPrefix(found, ";") {
		if strings.TrimSpace(r.text[start+1:]) == "" {
			return problem(ruleSyntax, r.span(start, start+1), "nothing follows the "+found[:1], "remove it")
		}
		end = len(r.text)
		found = r.text[start:end]
		if r.def.anonymous() && r.def.Params[0].Shape.Kind == List && found[0] == ',' {
			help = "separate the items with ;"
		}
	} else if strings.HasPrefix(found, "}") {
		help = "remove the }, or put the whole value in quotes"
	}
	return problem(ruleSyntax, r.span(start, end), "unexpected "+quoted(found)+" after the value", help)
}

func wantSeparator(r *reader, open, start int) diag.Diagnostic {
	if start >= len(r.text) {
		return notClosed(r, open)
	}
	end := r.word(start)
	if r.text[start] == ';' {
		return problem(ruleSyntax, r.span(start, start+1), "expected , or } inside braces, found ;", "separate the items with , inside braces")
	}
	return problem(ruleSyntax, r.span(start, end), "expected , or } inside braces, found "+quoted(r.text[start:end]),
		"put the value in quotes if this belongs to it")
}

func wantColon(r *reader, name Value, start int) diag.Diagnostic {
	return problem(ruleSyntax, name.At, "key "+quoted(name.Text)+" has no value", "write "+name.Text+": value")
}

func notClosed(r *reader, open int) diag.Diagnostic {
	return problem(ruleSyntax, r.span(open, open+1), "brace is not closed", "write } after the last item")
}

func badJSON(r *reader, at int, err error) diag.Diagnostic {
	at = min(at, len(r.text))
	end := min(at+width(r.text, at), len(r.text))
	d := problem(ruleSyntax, r.span(at, end), "expected JSON: "+strings.TrimPrefix(err.Error(), "json: "), "")
	switch text := strings.TrimSpace(r.text); {
	case strings.HasPrefix(text, "{") || strings.HasPrefix(text, "["):
		d.HelpText = "quote the keys and strings with \", and write lists in []"
	case !strings.ContainsAny(text, "\"`'"):
		d.Span = r.span(strings.Index(r.text, text), len(r.text))
		d.Message = "expected JSON, found " + quoted(text)
		d.HelpText = "write +" + r.def.Name + "=" + strconv.Quote(text)
	default:
		d.HelpText = "quote strings with \""
	}
	return d
}

func repeated(at diag.Span, name string, first diag.Span) diag.Diagnostic {
	d := problem(ruleRepeated, at, quoted(name)+" is given twice, and the last one wins", "remove one of them")
	d.SeeAlso = []diag.Related{{Span: first, Message: "first given here"}}
	return d
}

func refused(at diag.Span, def *Definition) diag.Diagnostic {
	return problem(ruleRefused, at, def.Refused, "move it to the declaration of the type")
}

func extraSegment(at diag.Span, name string, p parts) diag.Diagnostic {
	return problem(ruleLoose, at, "nothing reads "+quoted(p.whole[len(name):])+" between the marker and its value",
		"write +"+name+"="+clip(p.rest))
}

func startsWithSeparator(r *reader, start int) diag.Diagnostic {
	c := r.text[start : start+1]
	return problem(ruleLoose, r.span(start, start+1), "the value begins with "+quoted(c)+", which becomes part of it",
		"write a value before the "+quoted(c)+" or remove it")
}

func lostText(r *reader, start, end int, full string) diag.Diagnostic {
	return problem(ruleLoose, r.span(start, end), quoted(r.text[start:end])+" is lost, because a space stands between it and the separator",
		"remove the space, or write "+quoted(full))
}

// width is the size of the character at an offset.
func width(text string, at int) int {
	for i := range text[min(at, len(text)):] {
		if i > 0 {
			return i
		}
	}
	return len(text) - min(at, len(text))
}

func unknownName(at diag.Span, name string, meant []string) diag.Diagnostic {
	d := problem(ruleUnknown, at, "no marker is called "+quoted(name), "")
	switch len(meant) {
	case 0:
		d.HelpText = "remove it: no tool reads it"
	case 1:
		d.HelpText = "did you mean +" + meant[0] + "?"
	default:
		list := make([]string, len(meant))
		for i, m := range meant {
			list[i] = "+" + m
		}
		d.HelpText = "did you mean " + either(list, "or") + "?"
	}
	return d
}

func spaceAfterPlus(at diag.Span, rest string) diag.Diagnostic {
	return problem(ruleUnknown, at, "a space after the + hides the marker", "write +"+clip(rest))
}

func textAfterName(at diag.Span, name string) diag.Diagnostic {
	return problem(ruleUnknown, at, "text after "+quoted(name)+" on the same line hides the marker", "write +"+name+" on a line of its own")
}

// wrongTarget says where a marker belongs; right are all targets that know its name.
func wrongTarget(at diag.Span, name string, right, target Target) diag.Diagnostic {
	d := problem(ruleTarget, at, name+" stands on "+target.a()+"; it belongs on "+right.a(), "")
	switch {
	case target == Package:
		d.Notes = []string{"a marker binds to the declaration that its comment stands directly above"}
		d.HelpText = "move it directly above the " + targets(right)[0].noun() + " that it is for"
	case right&Type != 0:
		d.HelpText = "move it to the declaration of the type"
	case right&Field != 0 && target == Type:
		d.HelpText = "move it to the fields that have this type"
	case right&Field != 0:
		d.HelpText = "move it to a field"
	case right&Constant != 0:
		d.HelpText = "move it to the constants that it is for"
	default:
		d.HelpText = "move it into the comment of the package clause, for example in doc.go"
	}
	return d
}
