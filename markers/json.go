package markers

import (
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/crdproof/crdproof/generator/diag"
)

// jsonArgument reads the rest as one JSON value. `ref(...)`, which names a Go constant, yields no argument:
// controller-gen skips it too (controller-tools, pkg/crd/markers/validation.go, KubernetesDefault).
func (r *reader) jsonArgument(p parts) []Arg {
	r.base, r.text = len(r.comment.Text)-len(p.rest), p.rest
	if strings.HasPrefix(strings.TrimSpace(p.rest), "ref(") {
		return nil
	}
	if strings.TrimSpace(p.rest) == "" {
		r.fail(r.noValue())
		return nil
	}
	var decoded any
	if err := json.Unmarshal([]byte(p.rest), &decoded); err != nil {
		var syntax *json.SyntaxError
		var number *json.UnmarshalTypeError
		switch {
		case errors.As(err, &number):
			end := min(int(number.Offset), len(r.text))
			start := max(end-(len(number.Value)-len("number ")), 0)
			r.fail(outOfRange(r.span(start, end), r.text[start:end]))
		case errors.As(err, &syntax):
			r.fail(r.badJSON(max(int(syntax.Offset)-1, 0), err))
		default:
			r.fail(r.badJSON(0, err))
		}
		return nil
	}
	j := jsonReader{reader: r}
	v := j.value()
	return []Arg{{NameAt: r.span(0, 0), Value: v}}
}

// badJSON is about text that encoding/json does not accept.
func (r *reader) badJSON(at int, err error) diag.Diagnostic {
	at = min(at, len(r.text))
	end := min(at+width(r.text, at), len(r.text))
	d := diag.Errorf(r.span(at, end), BadSyntax, "expected JSON: %s", strings.TrimPrefix(err.Error(), "json: "))
	switch text := strings.TrimSpace(r.text); {
	case strings.HasPrefix(text, "{") || strings.HasPrefix(text, "["):
		return d.Help("quote the keys and strings with \", and write lists in []")
	case !strings.ContainsAny(text, "\"`'"):
		whole := r.span(strings.Index(r.text, text), len(r.text))
		return diag.Errorf(whole, BadSyntax, "expected JSON, found %s", quoted(text)).Help("write +%s=%q", r.def.Name, text)
	}
	return d.Help("quote strings with \"")
}

// A jsonReader turns text that encoding/json has accepted into a Value; it checks nothing again.
type jsonReader struct {
	*reader
	pos int
}

// next returns the next character that is no white space, without reading it.
func (j *jsonReader) next() byte {
	for j.pos < len(j.text) && strings.IndexByte(" \t\r\n", j.text[j.pos]) >= 0 {
		j.pos++
	}
	if j.pos == len(j.text) {
		return 0
	}
	return j.text[j.pos]
}

func (j *jsonReader) value() Value {
	c, start := j.next(), j.pos
	switch c {
	case '"':
		return j.str()
	case '[':
		v := Value{Kind: List}
		for j.pos++; j.next() != ']'; {
			v.Items = append(v.Items, j.value())
			j.comma()
		}
		j.pos++
		v.At = j.span(start, j.pos)
		return v
	case '{':
		v := Value{Kind: Map}
		for j.pos++; j.next() != '}'; {
			name := j.str()
			j.next()
			j.pos++ // the colon
			j.addMember(&v, Member{Key: name.Text, KeyAt: name.At, Value: j.value()})
			j.comma()
		}
		j.pos++
		v.At = j.span(start, j.pos)
		return v
	}
	for j.pos < len(j.text) && strings.IndexByte(" \t\r\n,]}", j.text[j.pos]) < 0 {
		j.pos++
	}
	text, at := j.text[start:j.pos], j.span(start, j.pos)
	switch {
	case text == "null":
		return Value{Kind: Null, At: at}
	case text == "true" || text == "false":
		return Value{Kind: Bool, At: at, Text: text}
	case strings.ContainsAny(text, ".eE"):
		return Value{Kind: Number, At: at, Text: text}
	}
	return Value{Kind: Int, At: at, Text: text}
}

// comma reads the comma behind an item, if there is one.
func (j *jsonReader) comma() {
	if j.next() == ',' {
		j.pos++
	}
}

func (j *jsonReader) str() Value {
	j.next()
	start := j.pos
	for j.pos++; j.text[j.pos] != '"'; j.pos++ {
		if j.text[j.pos] == '\\' {
			j.pos++
		}
	}
	j.pos++
	literal := j.text[start:j.pos]
	v := Value{Kind: String, At: j.span(start, j.pos)}
	if err := json.Unmarshal([]byte(literal), &v.Text); err != nil {
		v.Text = strings.ToValidUTF8(literal[1:len(literal)-1], string(utf8.RuneError))
	}
	return v
}
