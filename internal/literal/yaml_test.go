package literal

import (
	"strings"
	"testing"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// TestYAML decodes scalars, and locates parts of the text in the source.
func TestYAML(t *testing.T) {
	for _, c := range []struct{ source, text, part, want string }{
		{"plain", "plain", "ai", "ai"},
		{"self.a  > 1", "self.a  > 1", "a  >", "a  >"},
		{"several\n    lines\n  of text", "several lines of text", "lines of", "lines\n  of"},
		{"a\n\n\n  b", "a\n\nb", "\n\n", "\n\n"},
		{"a \r\n\tb", "a b", " ", " \r\n\t"},
		{"''", "", "", ""},
		{"'it''s'", "it's", "'", "''"},
		{"'a\n\n  b'", "a\nb", "\n", "\n"},
		{`"\"\x41\u00e9\U0001F600\t"`, "\"Aé😀\t", "é", `\u00e9`},
		{`"a\/b\ud83d\ude00"`, "a/b😀", "/b😀", `\/b\ud83d\ude00`},
		{"\"a \\\n  \\ b\"", "a  b", "b", "b"},
		{"\"a\\\n\n  b\"", "a\nb", "\n", "\n"},
		{"|\n  one\n   two\n", "one\n two\n", "two", "rejected"},
		{"|\n  one\n   two", "one\n two\n", "two", "two"},
		{"|-  # why\n one\n\n two", "one\n\ntwo", "\ntwo", "\n two"},
		{"|+\n  one", "one\n\n\n", "\n\n\n", ""},
		{"|2\n     one\n    two", " one\ntwo\n", "one", "one"},
		{"|1-\n   all\n   indented", "  all\n  indented", "  indented", "  indented"},
		{"|", "", "", ""},
		{"|+", "\n\n", "\n", ""},
		{">-\n  one\n  two\n\n  three\n   kept\n  four", "one two\nthree\n kept\nfour", "two\nthree", "two\n\n  three"},
		{">\n\n  one\n  two", "\none two\n", "e t", "e\n  t"},
		{"é\u0085 è", "é è", "è", "è"},
		{"a\u2028 b", "a\u2028b", "\u2028", "\u2028"},
		{"plain", "other", "", "rejected"},
		{"plain text", "plain", "", "rejected"},
		{`"open`, "open", "", "rejected"},
		{`"`, "", "", "rejected"},
		{`"\`, "", "", "rejected"},
		{`"\u12`, "", "", "rejected"},
		{"", "", "", ""},
		{"", "x", "", "rejected"},
		{"|\n x\n", "y", "", "rejected"},
		{">9\n x", "y", "", "rejected"},
	} {
		got := "rejected"
		if d, ok := YAML(c.source, c.text); ok {
			if d.Text != c.text {
				t.Errorf("%q is decoded as %q, want %q", c.source, d.Text, c.text)
			}
			at := strings.Index(c.text, c.part)
			from, to := d.Range(at, at+len(c.part))
			got = c.source[from:to]
		}
		if got != c.want {
			t.Errorf("%q of %q is written as %q, want %q", c.part, c.source, got, c.want)
		}
	}
}

// TestYAMLSize finds the end of a scalar by its text.
func TestYAMLSize(t *testing.T) {
	for _, c := range []struct{ source, text, rest string }{
		{"a: b", "a", ": b"},
		{"a b # c", "a b", " # c"},
		{"'it''s': b", "it's", ": b"},
		{`"a" , b]`, "a", " , b]"},
		{"|\n  a\n\n  b\n\nnext: 1", "a\n\nb\n", "\n\nnext: 1"},
		{"|+ # why\n  a\n\nnext: 1", "a\n\n", "\n\nnext: 1"},
		{"|\nnext: 1", "", "\nnext: 1"},
		{"", "", ""},
	} {
		n, ok := YAMLSize(c.source, c.text)
		if !ok || c.source[n:] != c.rest {
			t.Errorf("after %q in %q: %q (%t), want %q", c.text, c.source, c.source[n:], ok, c.rest)
		}
	}
}

// FuzzYAML compares the result with that of the YAML library.
func FuzzYAML(f *testing.F) {
	for _, s := range []string{
		"plain", "two\n  lines # comment", "'it''s\n   ok'", `"\x41\u00e9\n"`, "\"a\\\n  b\\\n\n c\"",
		"|\n  a\n   b\n\n", "|2-\n   a\n  b\n",
		">+\n\n  a\n  b\n   c\n\n  d\n\n", "a\u0085\u0085 b\u2028 c", ">1\n  a\n b", "|\n\n\n    a\n\tb",
		"\" \t\n \t x \"", "'\n'", "- # a\n b",
		"a\r\n b\r c", ">\n a\u2028 b\n\u2028 c", "|\n  \n a", ">-\n \ta\n b\n \tc",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		var doc yaml.Node
		if yaml.Unmarshal([]byte("k: "+source), &doc) != nil || len(doc.Content) != 1 ||
			len(doc.Content[0].Content) != 2 {
			return
		}
		v := doc.Content[0].Content[1]
		if v.Kind != yaml.ScalarNode || v.Line != 1 || v.Column != 4 ||
			strings.ContainsAny(source[:min(1, len(source))], "&! \t") {
			return
		}
		n, ok := YAMLSize(source, v.Value)
		if !ok {
			t.Fatalf("%q does not begin with %q", source, v.Value)
		}
		isPlain := v.Style&^yaml.TaggedStyle == 0
		if rest := source[n:]; rest != "" && isPlain && !isBlank(rest[0]) && YAMLBreak(rest) == 0 {
			t.Fatalf("%q goes on behind %q", source, source[:n])
		}
		d, ok := YAML(source[:n], v.Value)
		if !ok || d.Text != v.Value {
			t.Fatalf("%q is decoded as %q, want %q", source[:n], d.Text, v.Value)
		}
		mustTrace(t, source[:n], d)
	})
}

// mustTrace makes sure that the bytes of a text have positions in the source, in the same order. If a byte differs from
// the source, it comes from white space, an escape or a doubled quote.
func mustTrace(t *testing.T, source string, d Decoded) {
	t.Helper()
	last := 0
	for i := range len(d.Text) {
		from, to := d.Range(i, i+1)
		if from < last || to < from || to > len(source) {
			t.Fatalf("byte %d of %q has the position %d to %d in %q", i, d.Text, from, to, source)
		}
		last = from
		written := source[from:to]
		if !strings.Contains(written, d.Text[i:i+1]) && isOther(written) {
			t.Fatalf("byte %d of %q is said to be written %q", i, d.Text, written)
		}
	}
}

// isOther reports whether a piece of source can only represent itself.
func isOther(written string) bool {
	return strings.Trim(written, " \t\r\n\u0085") != "" && !strings.HasPrefix(written, `\`) && utf8.ValidString(written)
}
