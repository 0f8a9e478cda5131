package markers

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/schema"
)

// jsonArgument reads the rest as one JSON value. For `ref(...)`, which names a Go constant, there is no argument:
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
			r.fail(outOfRange(r.span(start, end), r.text[start:end], Number))
		case errors.As(err, &syntax):
			r.fail(r.badJSON(max(int(syntax.Offset)-1, 0), err))
		default:
			r.fail(r.badJSON(0, err))
		}
		return nil
	}
	tree := schema.JSONReader{
		Number: func(literal string, _ diag.Span) (Kind, string) {
			if strings.ContainsAny(literal, ".eE") {
				return Number, literal
			}
			return Int, literal
		},
		Again: func(key string, at, first diag.Span) { r.note(repeated(at, "key", key, first)) },
	}
	v := tree.Read([]byte(r.text), r.span(0, len(r.text)))
	return []Arg{{NameAt: r.span(0, 0), Value: v}}
}

// badJSON reports a text that encoding/json rejects.
func (r *reader) badJSON(at int, err error) diag.Diagnostic {
	at = min(at, len(r.text))
	end := min(at+width(r.text, at), len(r.text))
	d := diag.Errorf(r.span(at, end), BadSyntax, "expected JSON: %s", strings.TrimPrefix(err.Error(), "json: "))
	switch text := strings.TrimSpace(r.text); {
	case strings.HasPrefix(text, "{") || strings.HasPrefix(text, "["):
		return d.Help("put keys and strings in double quotes, and lists in []")
	case !strings.ContainsAny(text, "\"`'"):
		whole := r.span(strings.Index(r.text, text), len(r.text))
		return diag.Errorf(whole, BadSyntax, "expected JSON, got %s", quoted(text)).
			Help("write +%s=%q", r.def.Name, text)
	case text[0] == '\'' && text[len(text)-1] == '\'' && !strings.ContainsAny(text, "\"\\"):
		whole := r.span(strings.Index(r.text, text), strings.Index(r.text, text)+len(text))
		return diag.Errorf(whole, BadSyntax, "expected JSON, got a string in single quotes").
			Write(strconv.Quote(unquoted(text)))
	}
	return d.Help("put strings in double quotes")
}
