package markers

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"text/scanner"

	"github.com/crdproof/crdproof/diag"
)

// maxDepth bounds the nesting of braces. Real defaults have a few levels.
const maxDepth = 200

// value reads a value of the given shape from the scanner. inList is set for items of a list: there an Any is never
// guessed to be a semicolon list.
func (r *reader) value(shape Shape, inList bool) Value {
	if r.broken {
		return Value{}
	}
	if shape.Kind == Any {
		outer := r.guessed
		defer func() { r.guessed = outer }()
		shape = guess(r.text[r.sc.Pos().Offset:], !inList, 0)
		r.guessed = shape.Kind == List
		if r.guessed && r.def.Own && r.depth > 0 {
			// Items of one list may differ; controller-gen would read all as the type of the first.
			shape.Elem = &Shape{Kind: Any}
		}
	}
	switch shape.Kind {
	case Bool:
		return r.boolValue()
	case Int, Number:
		return r.numberValue(shape.Kind)
	case List:
		return r.nested(shape, (*reader).listValue)
	case Map:
		return r.nested(shape, (*reader).mapValue)
	default:
		return r.stringValue(false)
	}
}

func (r *reader) nested(shape Shape, read func(*reader, Shape) Value) Value {
	if r.depth++; r.depth > maxDepth {
		start := r.sc.Pos().Offset
		r.fail(diag.Errorf(r.span(start, start+1), BadSyntax, "braces are nested more than %d levels deep", maxDepth).
			Help("reduce the nesting"))
		return Value{}
	}
	v := read(r, shape)
	r.depth--
	return v
}

// word returns the end of the characters from start to the next separator: what a reader of the source takes for one
// value, however many tokens it has.
func (r *reader) word(start int) int {
	if start < len(r.text) && (r.text[start] == '"' || r.text[start] == '`') {
		if i := strings.IndexByte(r.text[start+1:], r.text[start]); i >= 0 {
			return start + 1 + i + 1
		}
	}
	if i := strings.IndexAny(r.text[start:], ",;} \t"); i > 0 {
		return start + i
	} else if i == 0 {
		return start + 1
	}
	return len(r.text)
}

// wrong fails at the word at an offset: a value of another kind is expected there.
func (r *reader) wrong(start int, kind Kind, err error) Value {
	end := r.word(start)
	text := r.text[start:end]
	d := wrongValue(r.span(start, end), r.def, kind, text, err)
	switch isGuess := r.param != nil && r.param.Shape.isGuessed(); {
	case isGuess && elementType(r.comment.Type) == "string" && unquoted(text) == text:
		d = d.Write(strconv.Quote(text))
	case r.guessed:
		d = diag.Errorf(r.span(start, end), BadValue, "expected %s, got %s", phrase(kind), quoted(unquoted(text))).
			Help("write all items as the same type: the first item decides")
	case isGuess && !isScalar(elementType(r.comment.Type)) && unquoted(text) == text:
		d = d.Help("put it in quotes if it is a string, or %s", d.HelpText)
	}
	if kind == Bool && r.def.Instead != "" && meansBool(unquoted(r.text[start:end])) != "false" {
		d = d.Help("%s", instead(r.def, r.comment.Type))
	}
	r.fail(d)
	return Value{}
}

// elementType returns the type of the values in lists and maps of a Go type as it is written, or that type.
func elementType(goType string) string {
	for _, prefix := range []string{"*", "[]", "map[string]"} {
		if rest, ok := strings.CutPrefix(goType, prefix); ok {
			return elementType(rest)
		}
	}
	return goType
}

// wrongValue reports a text that is not a value of a kind.
func wrongValue(at diag.Span, def *Definition, kind Kind, got string, err error) diag.Diagnostic {
	if got == "" {
		return diag.Errorf(at, BadValue, "missing value: expected %s", phrase(kind)).Help("write the value after =")
	}
	if errors.Is(err, strconv.ErrRange) {
		return outOfRange(at, got, kind)
	}
	if i := strings.IndexAny(got, " \t,;"); i > 0 && fits(got[:i], kind) {
		rest := strings.TrimLeft(got[i:], " \t")
		return diag.Errorf(at.Sub(len(got)-len(rest), len(got)), BadSyntax, "unexpected %s after the value",
			quoted(rest)).
			Help("remove the text after %s", got[:i])
	}
	plain := unquoted(got)
	d := diag.Errorf(at, BadValue, "expected %s, got %s", phrase(kind), quoted(plain))
	switch {
	case plain != got && fits(plain, kind):
		return diag.Errorf(at, BadValue, "expected %s, got a string", phrase(kind)).Write(plain)
	case kind == Bool && meansBool(plain) != "":
		return d.Write(meansBool(plain))
	case kind == Map:
		return d.Help("write key: value pairs in braces, such as {name: web}")
	case kind == Bool:
		return d.Help("write true, or false")
	case kind == Int:
		return d.Help("write a whole number, such as %s", exampleOf(def, kind))
	}
	return d.Help("write a number, such as %s", exampleOf(def, kind))
}

// meansBool returns the boolean that a word of another notation means, "" if it means none.
func meansBool(word string) string {
	switch strings.ToLower(word) {
	case "true", "yes", "on", "1", "y":
		return "true"
	case "false", "no", "off", "0", "n":
		return "false"
	}
	return ""
}

// outOfRange reports a number that Go's types cannot hold.
func outOfRange(at diag.Span, literal string, kind Kind) diag.Diagnostic {
	what, limit := "an integer of 64 bits", "9223372036854775807"
	if kind == Number {
		what, limit = "a 64-bit floating-point number", "1e308"
	}
	if strings.HasPrefix(literal, "-") {
		limit = "-" + limit
	}
	return diag.Errorf(at, BadValue, "%s does not fit %s", clip(literal), what).Help("write a number up to %s", limit)
}

// fits reports whether a text is a value of a kind.
func fits(s string, kind Kind) bool {
	switch kind {
	case Bool:
		return s == "true" || s == "false"
	case Int, Number:
		return parseNumber(s, kind) == nil
	}
	return false
}

// parseNumber returns the error of reading a text as an Int or a Number.
func parseNumber(s string, kind Kind) (err error) {
	if kind == Int {
		_, err = strconv.Atoi(s)
	} else {
		_, err = strconv.ParseFloat(s, 64)
	}
	return err
}

func (r *reader) boolValue() Value {
	tok := r.sc.Scan()
	start, text := r.sc.Position.Offset, r.sc.TokenText()
	if tok != scanner.Ident || text != "true" && text != "false" {
		return r.wrong(start, Bool, nil)
	}
	return Value{Kind: Bool, At: r.span(start, start+len(text)), Text: text}
}

// numberValue reads an Int (strconv.Atoi) or a Number (strconv.ParseFloat). White space before the sign makes
// controller-gen reject the number; our own markers accept it.
func (r *reader) numberValue(kind Kind) Value {
	sign, start := "", -1
	first := r.sc.Peek()
	if r.def.Own {
		first = peek(r.sc)
	}
	if first == '-' {
		r.sc.Scan()
		sign, start = "-", r.sc.Position.Offset
	}
	tok := r.sc.Scan()
	at := r.sc.Position.Offset
	if start < 0 {
		start = at
	}
	if r.broken {
		return Value{}
	}
	if tok != scanner.Int && (kind == Int || tok != scanner.Float) {
		if tok == '-' && sign == "" {
			d := diag.Errorf(r.span(at, at+1), BadValue, "unexpected space before the sign of a number").
				Help("remove the space before -")
			if elementType(r.comment.Type) == "string" {
				d.Span = r.span(at, r.word(at))
				d = d.Write(strconv.Quote(d.Span.Text()))
			}
			r.fail(d)
			return Value{}
		}
		return r.wrong(start, kind, nil)
	}
	text := sign + r.sc.TokenText()
	if err := parseNumber(text, kind); err != nil {
		return r.wrong(start, kind, err)
	}
	end := at + len(r.sc.TokenText())
	if end < len(r.text) && !strings.ContainsRune(",;} \t\r\n", rune(r.text[end])) {
		return r.wrong(start, kind, nil) // 5Mi: a number with a suffix
	}
	return Value{Kind: kind, At: r.span(start, end), Text: text}
}

// stringValue reads a "quoted" or `raw` string, or bare words up to a separator, which in the key of a map can be a
// colon. Digits are not read as numbers: 2024-01-15 and 08 are valid bare words.
func (r *reader) stringValue(inKey bool) Value {
	mode := r.sc.Mode
	r.sc.Mode = mode &^ (scanner.ScanInts | scanner.ScanFloats)
	defer func() { r.sc.Mode = mode }()

	tok := r.sc.Scan()
	start := r.sc.Position.Offset
	if tok == scanner.String || tok == scanner.RawString {
		literal := r.sc.TokenText()
		at := r.span(start, start+len(literal))
		text, err := strconv.Unquote(literal)
		if err != nil && !r.broken {
			r.fail(r.badEscape(start, start+len(literal)))
		}
		return Value{Kind: String, At: at, Text: text}
	}
	separator := func(c rune) bool {
		return c == ',' || c == ';' || c == '}' || c == scanner.EOF || inKey && c == ':'
	}
	for !separator(peek(r.sc)) {
		r.sc.Scan()
	}
	if tok != scanner.EOF && separator(tok) {
		r.swallowed = len(r.diags)
		c := quoted(r.text[start : start+1])
		r.note(diag.Errorf(r.span(start, start+1), LooseValue,
			"the value starts with the separator %s, which becomes part of it", c).
			Help("remove it").Do(diag.Remove, ""))
	}
	// controller-gen takes the text up to the end of the last token, which is empty if white space follows it. So the
	// last word is lost, which is never intended.
	end := r.sc.Position.Offset + len(r.sc.TokenText())
	text := r.text[start:end]
	const spaces = " \t\r\n"
	full := strings.TrimRight(r.text[start:max(r.sc.Pos().Offset, end)], spaces)
	if full != strings.TrimRight(text, spaces) {
		lost := start + len(text)
		end = start + len(full)
		at, help := r.span(lost, end), "remove the space after "+quoted(full)
		if !strings.ContainsAny(full, "\"\\") && len(full) < 100 {
			at, help = r.span(start, end), "write "+strconv.Quote(full)
		}
		r.note(diag.Errorf(at, LooseValue, "%s is dropped because of the space before the separator",
			quoted(r.text[lost:end])).Help("%s", help))
	}
	return Value{Kind: String, At: r.span(start, end), Text: text}
}

// listValue reads {a, b} or a;b.
func (r *reader) listValue(shape Shape) Value {
	v := Value{Kind: List}
	if peek(r.sc) == '{' {
		v.At = r.braced(func() { v.Items = append(v.Items, r.value(*shape.Elem, true)) })
		return v
	}
	start := r.sc.Pos().Offset
	v.At = r.span(start, start)
	for c := peek(r.sc); c != ',' && c != '}' && c != scanner.EOF; c = peek(r.sc) {
		item := r.value(*shape.Elem, true)
		if r.broken {
			return v
		}
		if len(v.Items) == 0 {
			v.At = item.At
		}
		v.At.End = item.At.End
		v.Items = append(v.Items, item)
		if c = peek(r.sc); c == ',' || c == '}' || c == scanner.EOF {
			break
		}
		if r.sc.Scan() != ';' {
			at := r.sc.Position.Offset
			r.depth-- // the list itself is not in braces
			r.fail(r.unexpected(at))
			r.depth++
			return v
		}
	}
	return v
}

// mapValue reads {key: value, "key": value}.
func (r *reader) mapValue(shape Shape) Value {
	v := Value{Kind: Map}
	if peek(r.sc) != '{' {
		r.sc.Scan()
		return r.wrong(r.sc.Position.Offset, Map, nil)
	}
	v.At = r.braced(func() {
		name := r.stringValue(true)
		if r.broken {
			return
		}
		if r.sc.Scan() != ':' {
			r.fail(diag.Errorf(name.At, BadSyntax, "missing value for key %s", quoted(name.Text)).
				Help("write a colon and a value after the key"))
			return
		}
		if item := r.value(*shape.Elem, false); !r.broken {
			r.addMember(&v, Member{Key: name.Text, KeyAt: name.At, Value: item})
		}
	})
	return v
}

// braced reads items in braces that are separated by commas, and returns the span from one brace to the other.
func (r *reader) braced(item func()) (at diag.Span) {
	r.sc.Scan()
	start := r.sc.Position.Offset
	for c := peek(r.sc); c != '}' && c != scanner.EOF; c = peek(r.sc) {
		item()
		if r.broken {
			return at
		}
		if peek(r.sc) == '}' {
			break
		}
		if r.sc.Scan() != ',' {
			r.fail(r.wantSeparator(start, r.sc.Position.Offset))
			return at
		}
	}
	if r.sc.Scan() != '}' {
		r.fail(r.notClosed(start))
		return at
	}
	return r.span(start, r.sc.Position.Offset+1)
}

// addMember appends an entry to a map; of two entries with the same key it keeps the last.
func (r *reader) addMember(v *Value, m Member) {
	if i := slices.IndexFunc(v.Members, func(o Member) bool { return o.Key == m.Key }); i >= 0 {
		r.note(repeated(m.KeyAt, "key", m.Key, v.Members[i].KeyAt))
		v.Members = slices.Delete(v.Members, i, i+1)
	}
	v.Members = append(v.Members, m)
}

// wantSeparator reports a text in the place of a comma or the closing brace.
func (r *reader) wantSeparator(open, start int) diag.Diagnostic {
	if start >= len(r.text) {
		return r.notClosed(open)
	}
	end := r.word(start)
	if r.text[start] == ';' {
		d := diag.Errorf(r.span(start, start+1), BadSyntax, "expected , or } inside braces, got ;").
			Help("separate items in braces with ,")
		closing := strings.IndexByte(r.text[start:], '}')
		if inner := r.text[open+1 : start+max(closing, 0)]; closing > 0 && !strings.ContainsAny(inner, "{\"`'") {
			d.Span = r.span(open, start+closing+1)
			d = d.Help("write {%s}", strings.Join(strings.Split(inner, ";"), ","))
		}
		return d
	}
	return diag.Errorf(r.span(start, end), BadSyntax, "expected , or } inside braces, got %s",
		quoted(r.text[start:end])).
		Help("put the whole value in quotes if this is part of it")
}

func (r *reader) notClosed(open int) diag.Diagnostic {
	return diag.Errorf(r.span(open, open+1), BadSyntax, "missing } for this {").Help("write } after the last item")
}

// repeated reports an argument, or a key of a map, that was given before.
func repeated(at diag.Span, what, name string, first diag.Span) diag.Diagnostic {
	return diag.Errorf(at, RepeatedArgument, "duplicate %s %s; the last one is used", what, quoted(name)).
		Help("remove one of them").See(first, "first given here")
}
