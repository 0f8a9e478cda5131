package schema

import (
	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/literal"
)

// Range returns the position of the bytes from start to end (exclusive) of the text in its literal, through quotes and
// escapes; an empty range is a point. If the text is derived from the literal and differs from it, the position is the
// whole literal.
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

// decode traces the text back to its source. It returns false if the source has another text.
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
