package markers

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"text/scanner"
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
			shape.Elem = &Shape{Kind: Any} // items of one list may differ, which controller-gen would take for what the first is
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
		r.fail(tooDeep(r, r.sc.Pos().Offset))
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
		d.HelpText = helpMixedList
	}
	r.fail(d)
	return Value{}
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
			r.fail(spaceBeforeSign(r.span(at, at+1)))
			return Value{}
		}
		return r.wrong(start, kind, nil)
	}
	text := sign + r.sc.TokenText()
	var err error
	if kind == Int {
		_, err = strconv.Atoi(text)
	} else {
		_, err = strconv.ParseFloat(text, 64)
	}
	if err != nil {
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
			r.fail(badString(at))
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
		r.note(startsWithSeparator(r, start))
	}
	// controller-gen takes the text up to the end of the last token, and the last token is empty once white space
	// behind it has been skipped. So the last word is lost, which nobody wants: say so.
	end := r.sc.Position.Offset + len(r.sc.TokenText())
	text := r.text[start:end]
	const spaces = " \t\r\n"
	full := strings.TrimRight(r.text[start:max(r.sc.Pos().Offset, end)], spaces)
	if full != strings.TrimRight(text, spaces) {
		r.note(lostText(r, start+len(text), start+len(full), full))
		end = start + len(full)
	}
	return Value{Kind: String, At: r.span(start, end), Text: text}
}

// listValue reads {a, b} or a;b.
func (r *reader) listValue(shape Shape) Value {
	v := Value{Kind: List}
	if peek(r.sc) == '{' {
		r.sc.Scan()
		start := r.sc.Position.Offset
		for c := peek(r.sc); c != '}' && c != scanner.EOF; c = peek(r.sc) {
			v.Items = append(v.Items, r.value(*shape.Elem, true))
			if r.broken {
				return v
			}
			if peek(r.sc) == '}' {
				break
			}
			if r.sc.Scan() != ',' {
				r.fail(wantSeparator(r, start, r.sc.Position.Offset))
				return v
			}
		}
		r.close(&v, start)
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
			r.fail(unexpected(r, r.sc.Position.Offset))
			return v
		}
	}
	return v
}

// mapValue reads {key: value, "key": value}.
func (r *reader) mapValue(shape Shape) Value {
	v := Value{Kind: Map}
	tok := r.sc.Scan()
	start := r.sc.Position.Offset
	if tok != '{' {
		return r.wrong(start, Map, nil)
	}
	for c := peek(r.sc); c != '}' && c != scanner.EOF; c = peek(r.sc) {
		name := r.stringValue(true)
		if r.broken {
			return v
		}
		if r.sc.Scan() != ':' {
			r.fail(wantColon(r, name, r.sc.Position.Offset))
			return v
		}
		item := r.value(*shape.Elem, false)
		if r.broken {
			return v
		}
		r.addMember(&v, Member{Key: name.Text, KeyAt: name.At, Value: item})
		if peek(r.sc) == '}' {
			break
		}
		if r.sc.Scan() != ',' {
			r.fail(wantSeparator(r, start, r.sc.Position.Offset))
			return v
		}
	}
	r.close(&v, start)
	return v
}

// addMember appends a map's entry; of two with the same key the last is kept.
func (r *reader) addMember(v *Value, m Member) {
	if i := slices.IndexFunc(v.Members, func(o Member) bool { return o.Key == m.Key }); i >= 0 {
		r.note(repeated(m.KeyAt, m.Key, v.Members[i].KeyAt))
		v.Members = slices.Delete(v.Members, i, i+1)
	}
	v.Members = append(v.Members, m)
}

// close reads the brace that ends what began at start.
func (r *reader) close(v *Value, start int) {
	if r.sc.Scan() != '}' {
		r.fail(notClosed(r, start))
		return
	}
	v.At = r.span(start, r.sc.Position.Offset+1)
}

// Int64 returns the value of an Int, or of a Number that is a whole number and fits.
func (v Value) Int64() (int64, bool) {
	if v.Kind != Int && v.Kind != Number {
		return 0, false
	}
	if i, err := strconv.ParseInt(v.Text, 10, 64); err == nil {
		return i, true
	}
	// 1e3 and 5.0; beyond 2^53 a float64 does not know its last digits.
	f, ok := v.Float64()
	const exact = 1 << 53
	if !ok || v.Kind == Int || f < -exact || f > exact || f != float64(int64(f)) {
		return 0, false
	}
	return int64(f), true
}

// Float64 returns the float64 nearest to an Int or a Number, which is what controller-gen reads for a Number; not ok
// is a value beyond the range of float64.
func (v Value) Float64() (float64, bool) {
	if v.Kind != Int && v.Kind != Number {
		return 0, false
	}
	f, err := strconv.ParseFloat(v.Text, 64)
	if err != nil && errors.Is(err, strconv.ErrRange) {
		return 0, false
	}
	return f, err == nil
}
