package diag

import (
	"fmt"
	"strings"
	"testing"
)

// TestMarkdown writes a list with all parts of a finding.
func TestMarkdown(t *testing.T) {
	src := &Source{Path: "/repo/a.go", Data: []byte("one\n\ttwo\nthree\n")}
	fixed := Errorf(At(src, 5, 8), &Check{ID: "number"}, "wrong `number`").Note("it is 2").Help("write 3")
	fixed.Edits = []Edit{{At(src, 5, 8), "drei"}}
	further := fixed
	further.Span, further.Edits = At(src, 0, 3), []Edit{{At(src, 0, 3), "eins"}}
	fixed.Places = []Diagnostic{further}
	list := []Diagnostic{fixed, Errorf(Span{}, &Check{ID: "run"}, "nothing to do")}
	opts := MarkdownOptions{Root: "/repo", Page: func(check string) string { return "https://x/" + check }}
	for most, want := range map[int]string{
		0: `2 errors at 3 places

### error at ~a.go:2:2~

~wrong 'number'~ [number](https://x/number)

- ~it is 2~
- ~help: write 3~

~a.go#L2~:

~~~suggestion
	drei
~~~

Also at ~a.go:1:1~

~a.go#L1~:

~~~suggestion
eins
~~~

### error

~nothing to do~ [run](https://x/run)

`,
		50: `2 errors at 3 places

… and 2 more findings
`,
	} {
		opts.Max = most
		var out strings.Builder
		if err := Markdown(&out, list, opts); err != nil {
			t.Fatal(err)
		}
		if got := out.String(); got != strings.ReplaceAll(want, "~", "`") {
			t.Errorf("at most %d bytes: got\n%s", most, got)
		}
	}
}

// TestSuggestion makes suggestions of edits in lines, between lines and of whole lines.
func TestSuggestion(t *testing.T) {
	src := &Source{Path: "a.go", Data: []byte("one\n\ttwo\nthree\nfour")}
	windows := &Source{Path: "b.go", Data: []byte("one\r\ntwo\r\n")}
	for name, test := range map[string]struct {
		edits []Edit
		want  string // lines, and their text
	}{
		"in a line":            {[]Edit{{At(src, 5, 8), "2"}}, "2-2 \"\\t2\\n\""},
		"a line above another": {[]Edit{{At(src, 4, 4), "\tnew\n"}}, "2-2 \"\\tnew\\n\\ttwo\\n\""},
		"without a line":       {[]Edit{{At(src, 4, 9), ""}}, "2-2 \"\""},
		"in consecutive lines": {[]Edit{{At(src, 0, 3), "1"}, {At(src, 5, 8), "2"}}, "1-2 \"1\\n\\t2\\n\""},
		"in the last line":     {[]Edit{{At(src, 15, 19), "4"}}, "4-4 \"4\\n\""},
		"across lines":         {[]Edit{{At(src, 6, 12), ""}}, "2-3 \"\\ttee\\n\""},
		"apart":                {[]Edit{{At(src, 0, 3), "1"}, {At(src, 9, 14), "3"}}, ""},
		"in two files":         {[]Edit{{At(src, 0, 3), "1"}, {At(windows, 0, 3), "3"}}, ""},
		"a command for a log":  {[]Edit{{At(src, 0, 3), "::stop-commands::x"}}, ""},
		"other line ends":      {[]Edit{{At(windows, 0, 3), "1"}}, ""},
		"beyond the file":      {[]Edit{{At(src, 15, 99), "4"}}, ""},
		"no edits":             {},
	} {
		got := ""
		if lines, text, ok := suggestion(test.edits); ok {
			first, _ := lines.Source.Position(int(lines.Start))
			last, _ := lines.Source.Position(int(lines.End) - 1)
			got = fmt.Sprintf("%d-%d %q", first, last, text)
		}
		if got != test.want {
			t.Errorf("%s: got %s, want %s", name, got, test.want)
		}
	}
}
