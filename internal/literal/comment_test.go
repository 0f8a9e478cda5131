package literal

import (
	"strings"
	"testing"
)

// TestComment decodes lines of comments, and locates parts of the text in the source.
func TestComment(t *testing.T) {
	for _, c := range []struct{ source, text, part, want string }{
		{"a && b", "a && b", "&&", "&&"},
		{`"é" == "é"`, `"é" == "é"`, "é", "é"},
		{"a &&\n\t//\tb", "a &&\nb", "b", "b"},
		{"a &&\n\t//\t  b", "a &&\n  b", "  b", "  b"},
		{"  a &&\r\n//   \n//  b", "  a &&\n\nb", "&&\n\nb", "&&\r\n//   \n//  b"},
		{"a\n//\tb", "a\nb", "\n", "\n"},
	} {
		d, ok := Comment(c.source, c.text)
		if !ok || d.Text != c.text {
			t.Errorf("%q is decoded as %q (%t), want %q", c.source, d.Text, ok, c.text)
			continue
		}
		at := strings.Index(c.text, c.part)
		if from, to := d.Range(at, at+len(c.part)); c.source[from:to] != c.want {
			t.Errorf("%q of %q is written as %q, want %q", c.part, c.source, c.source[from:to], c.want)
		}
	}
	for source, text := range map[string]string{
		"a": "a\nb", "b": "a", "a b": "a", "a\n//\tb": "a", "a\nb": "a\nb", "a //\tb": "a\nb", "a\n//\tb c": "a\nb",
	} {
		if _, ok := Comment(source, text); ok {
			t.Errorf("%q is said to be decoded as %q", source, text)
		}
	}
}

// FuzzComment writes texts as comments and traces them back.
func FuzzComment(f *testing.F) {
	f.Add("self.min <= self.max &&\n  self.max < 10", "\t")
	f.Add("a\n\n \tb", "  ")
	f.Add("é\n// b", " \t ")
	f.Fuzz(func(t *testing.T, text, indentation string) {
		var lines []string
		for line := range strings.SplitSeq(text, "\n") {
			lines = append(lines, strings.TrimRight(line, " \t\r"))
		}
		text = strings.Join(lines, "\n")
		if strings.Trim(indentation, " \t") != "" || text == "" || lines[len(lines)-1] == "" {
			return
		}
		source := strings.Join(lines, "\r\n\t//"+indentation)
		d, ok := Comment(source, text)
		if !ok || d.Text != text {
			t.Fatalf("%q is decoded as %q (%t), want %q", source, d.Text, ok, text)
		}
		mustTrace(t, source, d)
	})
}
