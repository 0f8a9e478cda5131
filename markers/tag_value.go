package markers

import (
	"errors"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/diag"
)

// literal reads a value: a string in quotes, a word, true or false, or a number. want is the expected kind.
func (r *tagReader) literal(want Kind) Value {
	start, text := r.pos, r.text[r.pos:]
	switch first := text[0]; {
	case first == '"' || first == '`':
		return r.quoted()
	case isWordStart(text):
		r.pos = len(r.text) - len(strings.TrimLeftFunc(text, inWord))
		v := Value{Kind: String, At: r.span(start, r.pos), Text: r.text[start:r.pos]}
		if v.Text == "true" || v.Text == "false" {
			v.Kind = Bool
		}
		return v
	case first == '+' && isWordStart(text[1:]):
		r.fail(diag.Errorf(r.span(r.pos, len(r.text)), BadValue, "expected %s, got a marker", phrase(want)).
			Help("%s", exampleHelp(r.def)))
		return Value{}
	}
	r.pos = max(r.until(",()#"), start+1)
	v := Value{Kind: Int, At: r.span(start, r.pos), Text: r.text[start:r.pos]}
	digits := strings.TrimLeft(v.Text, "+-")
	i, err := strconv.ParseInt(v.Text, 0, 64)
	switch {
	case len(digits) > 1 && digits[0] == '0' && strings.Trim(digits, "0123456789") == "":
		r.fail(leadingZero(v.At, v.Text))
	case err == nil && !strings.Contains(v.Text, "_") &&
		(len(digits) < 2 || !strings.ContainsRune("XOB", rune(digits[1]))):
		v.Text = strconv.FormatInt(i, 10)
	case want == Number && fits(v.Text, Number) && !strings.ContainsAny(v.Text, "nN"):
		v.Kind, v.Text = Number, strings.TrimPrefix(v.Text, "+")
	default:
		r.fail(unreadable(v.At, r.def, want, v.Text, err))
	}
	return v
}

func leadingZero(at diag.Span, text string) diag.Diagnostic {
	sign, digits := "", text
	if strings.HasPrefix(text, "-") || strings.HasPrefix(text, "+") {
		sign, digits = strings.TrimSuffix(text[:1], "+"), text[1:]
	}
	plain := strings.TrimLeft(digits[:len(digits)-1], "0") + digits[len(digits)-1:]
	return diag.Errorf(at, BadValue, "ambiguous leading zeros in %s: octal to some tools, decimal to others", text).
		Help("write %s%s", sign, plain)
}

// unreadable reports a word that is not a number and does not start like a string.
func unreadable(at diag.Span, def *Definition, want Kind, text string, err error) diag.Diagnostic {
	expected := phrase(want)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return outOfRange(at, text, want)
	case want == Any:
		expected = "a string, an integer, true or false"
		fallthrough
	case want == String:
		return diag.Errorf(at, BadValue, "expected %s, got %s", expected, quoted(text)).Write(strconv.Quote(text))
	}
	return wrongValue(at, def, want, text, err)
}

// quoted reads a string in quotes. In both kinds of quotes a backslash is allowed only before a quote or another
// backslash.
func (r *tagReader) quoted() Value {
	start, quote := r.pos, r.text[r.pos]
	var text strings.Builder
	for i := start + 1; i < len(r.text); i++ {
		switch c := r.text[i]; {
		case c == quote:
			r.pos = i + 1
			return Value{Kind: String, At: r.span(start, r.pos), Text: text.String()}
		case c == '\\' && i+1 < len(r.text):
			if i++; r.text[i] != quote && r.text[i] != '\\' {
				at := r.span(i-1, i+width(r.text, i))
				r.fail(diag.Errorf(at, BadSyntax, "in a tag a backslash is allowed only before %c or another "+
					"backslash",
					quote).
					Help("write \\\\ for a backslash"))
				return Value{}
			}
			text.WriteByte(r.text[i])
		default:
			text.WriteByte(c)
		}
	}
	r.fail(diag.Errorf(r.span(start, len(r.text)), BadSyntax, "missing closing %c", quote).
		Help("write %c at the end of the string", quote))
	return Value{}
}
