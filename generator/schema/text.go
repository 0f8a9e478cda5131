package schema

import (
	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/literal"
)

// Range returns where the bytes from start to end (exclusive) of the text were written, through the quotes and escapes
// of its literal; an empty range is a point. Where the text is not what the literal says, because it was made from it,
// the place is the whole literal.
func (t Text) Range(start, end int) diag.Span {
	source := t.At.Text()
	if source == "" {
		return t.At
	}
	decoded, ok := t.decode(source)
	if !ok {
		return t.At
	}
	return t.At.Sub(decoded.Range(start, end))
}

// decode traces the text back to its source, if that says the text.
func (t Text) decode(source string) (literal.Decoded, bool) {
	if t.At.Source.Syntax == diag.YAML {
		decoded, ok := literal.YAML(source, t.V)
		return decoded, ok && decoded.Text == t.V
	}
	if decoded, ok := literal.Go(source); ok && decoded.Text == t.V {
		return decoded, true
	}
	return literal.Comment(source, t.V)
}
