package markers

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"text/scanner"

	"github.com/crdproof/crdproof/generator/diag"
)

// maxDepth bounds the nesting of braces. Real defaults nest a handful of levels.
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
			// items of one list may differ, which controller-gen would take for what the first is
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
		r.fail(diag.Errorf(r.span(start, start+1), BadSyntax, "braces are nested deeper than %d levels", maxDepth).
			Help("write a flatter value"))
		return Value{}
	}
	v := read(r, shape)
	r.depth--
	return v
}

// word returns the end of the run of characters from start to the next separator: what a reader of the source takes
// for one value, however many tokens it has.
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

// wrong fails with the word at an offset, where a value of another kind was expected.
func (r *reader) wrong(start int, kind Kind, err error) Value {
	end := r.word(start)
	d := wrongValue(r.span(start, end), kind, r.text[start:end], err)
	if r.guessed {
		d.HelpText = "write all items alike: the first one decides the type of the list"
	}
	r.fail(d)
	return Value{}
}

// wrongValue is about a text that is no value of a kind.
func wrongValue(at diag.Span, kind Kind, found string, err error) diag.Diagnostic {
	if found == "" {
		return diag.Errorf(at, BadValue, "expected %s, found nothing", phrase(kind)).Help("write the value after the =")
	}
	if errors.Is(err, strconv.ErrRange) {
		return outOfRange(at, found)
	}
	bare := unquoted(found)
	d := diag.Errorf(at, BadValue, "expected %s, found %s", phrase(kind), quoted(bare))
	switch {
	case bare != found && fits(bare, kind):
		return diag.Errorf(at, BadValue, "expected %s, found a string", phrase(kind)).
			Help("write %s without quotes", bare)
	case kind == Bool && fits(strings.ToLower(bare), kind):
		return d.Help("write %s", strings.ToLower(bare))
	case kind == Map:
		return d.Help("write {key: value}")
	case kind == Bool:
		return d.Help("write true or false")
	case kind == Int:
		return d.Help("write nothing but digits, such as 10")
	}
	return d.Help("write nothing but a number, such as 0.5")
}

func outOfRange(at diag.Span, literal string) diag.Diagnostic {
	return diag.Errorf(at, BadValue, "%s is beyond the range of numbers", quoted(literal)).
		Help("write a number that fits into 64 bits")
}

// fits reports whether a text is a value of a kind.
func fits(s string, kind Kind) bool {
	switch kind {
	case Bool:
		return s == "true" || s == "false"
	case Int, Number:
		return misread(s, kind) == nil
	}
	return false
}

// misread is what Go has against a text as an Int, or as a Number.
func misread(s string, kind Kind) (err error) {
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

// numberValue reads an Int (strconv.Atoi) or a Number (strconv.ParseFloat). The sign must stand where the value
// begins: white space before it makes controller-gen see a number that starts with a dash. Our own markers read it.
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
			r.fail(diag.Errorf(r.span(at, at+1), BadValue, "a space before the sign makes the number unreadable").
				Help("remove the space before the -"))
			return Value{}
		}
		return r.wrong(start, kind, nil)
	}
	text := sign + r.sc.TokenText()
	if err := misread(text, kind); err != nil {
		return r.wrong(start, kind, err)
	}
	end := at + len(r.sc.TokenText())
	if end < len(r.text) && !strings.ContainsRune(",;} \t\r\n", rune(r.text[end])) {
		return r.wrong(start, kind, nil) // 5Mi: a number with something that sticks to it
	}
	return Value{Kind: kind, At: r.span(start, end), Text: text}
}

// stringValue reads a "quoted" or `raw` string, or bare words up to a separator; in the key of a map a colon is one.
// Digits are no numbers here: 2024-01-15 and 08 are good bare words.
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
			r.fail(diag.Errorf(at, BadSyntax, "string cannot be unquoted").
				Help("write \\\\ for a backslash, or put the string in `backticks`"))
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
		r.note(diag.Errorf(r.span(start, start+1), LooseValue, "the value begins with %s, which becomes part of it", c).
			Help("write a value before the %s or remove it", c))
	}
	// controller-gen takes the text up to the end of the last token, and the last token is empty once white space
	// behind it has been skipped. So the last word is lost, which nobody wants: say so.
	end := r.sc.Position.Offset + len(r.sc.TokenText())
	text := r.text[start:end]
	const spaces = " \t\r\n"
	full := strings.TrimRight(r.text[start:max(r.sc.Pos().Offset, end)], spaces)
	if full != strings.TrimRight(text, spaces) {
		lost := start + len(text)
		end = start + len(full)
		r.note(diag.Errorf(r.span(lost, end), LooseValue, "%s is lost, because a space stands between it and the "+
			"separator",
			quoted(r.text[lost:end])).
			Help("remove the space, or write %s", quoted(full)))
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
			r.fail(r.unexpected(r.sc.Position.Offset))
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
			r.fail(diag.Errorf(name.At, BadSyntax, "key %s has no value", quoted(name.Text)).
				Help("write %s: value", name.Text))
			return
		}
		if item := r.value(*shape.Elem, false); !r.broken {
			r.addMember(&v, Member{Key: name.Text, KeyAt: name.At, Value: item})
		}
	})
	return v
}

// braced reads what stands in braces with commas between, and returns where, from one brace to the other.
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

// addMember appends a map's entry; of two with the same key the last is kept.
func (r *reader) addMember(v *Value, m Member) {
	if i := slices.IndexFunc(v.Members, func(o Member) bool { return o.Key == m.Key }); i >= 0 {
		r.note(repeated(m.KeyAt, m.Key, v.Members[i].KeyAt))
		v.Members = slices.Delete(v.Members, i, i+1)
	}
	v.Members = append(v.Members, m)
}

// wantSeparator is about what stands where a comma or the closing brace should.
func (r *reader) wantSeparator(open, start int) diag.Diagnostic {
	if start >= len(r.text) {
		return r.notClosed(open)
	}
	end := r.word(start)
	if r.text[start] == ';' {
		return diag.Errorf(r.span(start, start+1), BadSyntax, "expected , or } inside braces, found ;").
			Help("separate the items with , inside braces")
	}
	return diag.Errorf(r.span(start, end), BadSyntax, "expected , or } inside braces, found %s",
		quoted(r.text[start:end])).
		Help("put the value in quotes if this belongs to it")
}

func (r *reader) notClosed(open int) diag.Diagnostic {
	return diag.Errorf(r.span(open, open+1), BadSyntax, "brace is not closed").Help("write } after the last item")
}

// repeated is about an argument or a key that was given before.
func repeated(at diag.Span, name string, first diag.Span) diag.Diagnostic {
	return diag.Errorf(at, RepeatedArgument, "%s is given twice, and the last one wins", quoted(name)).
		Help("remove one of them").See(first, "first given here")
}
