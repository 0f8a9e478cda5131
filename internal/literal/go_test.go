package literal

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
)

// TestGo decodes literals of Go and JSON, and locates parts of the text in the source.
func TestGo(t *testing.T) {
	for _, c := range []struct{ source, text, part, want string }{
		{`bare`, "bare", "ar", "ar"},
		{"`raw \\n`", `raw \n`, `\n`, `\n`},
		{`"a\tb"`, "a\tb", "\t", `\t`},
		{`"\u00e9\x41\101"`, "éAA", "é", `\u00e9`},
		{`"a\/b"`, "a/b", "/", `\/`},
		{`"\ud83d\ude00!"`, "😀!", "😀", `\ud83d\ude00`},
		{`"\ud83d!"`, "\uFFFD!", "!", "!"},
		{`"`, `"`, `"`, `"`},
	} {
		d, ok := Go(c.source)
		if !ok || d.Text != c.text {
			t.Errorf("%s is decoded as %q (%t), want %q", c.source, d.Text, ok, c.text)
			continue
		}
		at := strings.Index(c.text, c.part)
		if from, to := d.Range(at, at+len(c.part)); c.source[from:to] != c.want {
			t.Errorf("%q of %s is written as %s, want %s", c.part, c.source, c.source[from:to], c.want)
		}
	}
	if d, ok := Go(`"\q"`); ok {
		t.Errorf("an escape that does not exist is decoded as %q", d.Text)
	}
}

// FuzzGo compares with the two languages whose literals these are.
func FuzzGo(f *testing.F) {
	for _, s := range []string{`"a\n"`, "`raw\r`", `"\ud83d\ude00"`, `"\ud83d\u0041"`, `"\x41\u00e9\U0001F600\101"`,
		`"a\/b"`, "\"\xff\"", `"\'"`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		d, ok := Go(source)
		if ok {
			mustTrace(t, source, d)
		}
		if quoteOf(source) == 0 {
			return
		}
		if text, err := strconv.Unquote(source); err == nil && text != d.Text {
			t.Fatalf("%s is decoded as %q, Go says %q", source, d.Text, text)
		}
		var text string
		if json.Unmarshal([]byte(source), &text) == nil && text != d.Text {
			t.Fatalf("%s is decoded as %q, JSON says %q", source, d.Text, text)
		}
	})
}
