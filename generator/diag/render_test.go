package diag

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// at returns the span of the n-th (from 0) occurrence of what in the source.
func at(t *testing.T, src *Source, what string, n int) Span {
	t.Helper()
	from := 0
	for range n {
		from += strings.Index(string(src.Data[from:]), what) + len(what)
	}
	i := strings.Index(string(src.Data[from:]), what)
	if i < 0 {
		t.Fatalf("%q is not in the source", what)
	}
	return At(src, from+i, from+i+len(what))
}

func text(t *testing.T, list []Diagnostic, opts TextOptions) string {
	t.Helper()
	var out bytes.Buffer
	if err := Text(&out, list, opts); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func equal(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func widget() *Source {
	return &Source{Path: "/src/api/v1/widget_types.go", Data: []byte("package v1\n\n" +
		"type Spec struct {\n" +
		"\t// +kubebuilder:validation:XValidation:rule=\"self.replica <= self.maxReplicas\"\n" +
		"\tReplicas int32 `json:\"replicas\"`\n}\n")}
}

func TestText(t *testing.T) {
	src := widget()
	got := text(t, []Diagnostic{
		{
			Span: at(t, src, "replica", 0), Rule: "cel-compile", Message: `undefined field "replica"`,
			Notes: []string{"in scope on spec: maxReplicas, paused, replicas"}, Help: `did you mean "replicas"?`,
		},
		{
			Span: at(t, src, "Replicas", 1), Rule: "go-json", Severity: Warning, Message: "a\nb",
			Related: []Related{{Span: at(t, src, "Spec", 0), Message: "declared here"}, {Message: "nowhere"}},
			Help:    "write\nthis",
		},
		{Message: "no packages"},
	}, TextOptions{Dir: "/src"})
	equal(t, got, `api/v1/widget_types.go:4:52: error: undefined field "replica" [cel-compile]
   4 |  // +kubebuilder:validation:XValidation:rule="self.replica <= self.maxReplicas"
     |                                                    ^^^^^^^
   in scope on spec: maxReplicas, paused, replicas
   help: did you mean "replicas"?

api/v1/widget_types.go:5:2: warning: a b [go-json]
   5 |  Replicas int32 `+"`json:\"replicas\"`"+`
     |  ^^^^^^^^
   note: api/v1/widget_types.go:3:6: declared here
   note: nowhere
   help: write
     this

error: no packages

2 errors, 1 warning
`)
}

func TestTextColumns(t *testing.T) {
	for _, test := range []struct{ name, line, what, excerpt string }{
		{"tabs", "\t\ta\tb: c", "b", "a   b: c\n    ^"},
		{"multi-byte", `	x := "größe"; y`, "y", "x := \"größe\"; y\n              ^"},
		{"multi-byte span", `größe`, "öß", "größe\n  ^^"},
		{"escape", "a \x1b[31m b", "b", "a �[31m b\n        ^"},
		{"invalid", "\xff\xfe b", "b", "�� b\n   ^"},
		{"windows", "ab: c\r", "c", "ab: c\n    ^"},
	} {
		t.Run(test.name, func(t *testing.T) {
			src := &Source{Path: "a.go", Data: []byte("package a\n" + test.line + "\nend\n")}
			span := at(t, src, test.what, 0)
			if test.what == "b" || test.what == "c" {
				span.Start = int32(bytes.LastIndexByte(src.Data[:len(src.Data)-4], test.what[0]))
				span.End = span.Start + 1
			}
			got := text(t, []Diagnostic{{Span: span, Message: "m"}}, TextOptions{})
			lines := strings.Split(got, "\n")
			equal(t, strings.TrimPrefix(lines[1], "   2 |  ")+"\n"+strings.TrimPrefix(lines[2], "     |  "), test.excerpt)
		})
	}
}

func TestTextPoint(t *testing.T) {
	src := &Source{Path: "a.go", Data: []byte("abc\ndef")}
	for _, test := range []struct {
		start, end int
		want       string
	}{
		{1, 1, "a.go:1:2: error: m\n   1 |  abc\n     |   ^\n\n1 error\n"},
		{3, 3, "a.go:1:4: error: m\n   1 |  abc\n     |     ^\n\n1 error\n"},
		{1, 4, "a.go:1:2: error: m\n   1 |  abc\n     |   ^^\n\n1 error\n"},
		{1, 6, "a.go:1:2: error: m\n   1 |  abc\n     |   ^^\n   2 |  def\n     |  ^^\n\n1 error\n"},
		{7, 7, "a.go:2:4: error: m\n   2 |  def\n     |     ^\n\n1 error\n"},
		{99, 100, "a.go: error: m\n\n1 error\n"},
	} {
		span := At(src, test.start, test.end)
		equal(t, text(t, []Diagnostic{{Span: span, Message: "m"}}, TextOptions{}), test.want)
	}
}

// TestTextLines shows several lines as they are indented, what they say underlined, and no more than a few of them.
func TestTextLines(t *testing.T) {
	for source, want := range map[string]string{
		"type T struct {\n\t// +rule\n\t//\t(a &&\n\t//\n\t//\t  b)\n\tF int": `a.go:3:5: error: m
   3 |  //  (a &&
     |      ^^^^^
   4 |  //
   5 |  //    b)
     |        ^^

1 error
`,
		"rule: |-\n  (a &&\n    b &&\n\n  c &&\n  d &&\n  b)\n": `a.go:2:3: error: m
   2 |  (a &&
     |  ^^^^^
   3 |    b &&
     |    ^^^^
   4 |
   5 |  c &&
     |  ^^^^
     |  …

1 error
`,
	} {
		span := At(&Source{Path: "a.go", Data: []byte(source)}, strings.Index(source, "(a"), strings.Index(source, "b)")+2)
		equal(t, text(t, []Diagnostic{{Span: span, Message: "m"}}, TextOptions{}), want)
	}
}

func TestTextLongLine(t *testing.T) {
	long := strings.Repeat("x", 300)
	for _, line := range []string{"bad" + long, long + "bad" + long, long + "bad", long + strings.Repeat("bad", 90)} {
		src := &Source{Path: "a.go", Data: []byte(line)}
		span := At(src, strings.Index(line, "bad"), strings.LastIndex(line, "bad")+3)
		lines := strings.Split(text(t, []Diagnostic{{Span: span, Message: "m"}}, TextOptions{}), "\n")
		shown := []rune(strings.TrimPrefix(lines[1], "   1 |  "))
		marks := strings.TrimPrefix(lines[2], "     |  ")
		from := strings.Index(marks, "^")
		if len(shown) != excerptWidth || len(marks) > excerptWidth {
			t.Errorf("excerpt of %d characters, marks of %d", len(shown), len(marks))
		}
		if got := string(shown[from : from+3]); got != "bad" {
			t.Errorf("the mark stands at %q in %q", got, string(shown))
		}
	}
}

func TestTextMax(t *testing.T) {
	list := []Diagnostic{
		{Severity: Warning, Message: "w1"}, {Severity: Warning, Message: "w2"}, {Message: "e1"}, {Message: "e2"},
	}
	equal(t, text(t, list, TextOptions{Max: 3}),
		"warning: w1\n\nerror: e1\n\nerror: e2\n\n… and 1 more\n2 errors, 2 warnings\n")
	equal(t, text(t, list, TextOptions{Max: 1}), "error: e1\n\n… and 3 more\n2 errors, 2 warnings\n")
	equal(t, text(t, nil, TextOptions{}), "")
}

func TestTextColor(t *testing.T) {
	src := widget()
	got := text(t, []Diagnostic{{Span: at(t, src, "Spec", 0), Rule: "r", Message: "m", Help: "h"}}, TextOptions{Color: true})
	for _, want := range []string{"\x1b[1;31merror:\x1b[0m", "\x1b[1;31m^^^^\x1b[0m", "\x1b[32mhelp:\x1b[0m"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in %q", want, got)
		}
	}
}

func TestJSON(t *testing.T) {
	src := widget()
	var out bytes.Buffer
	list := []Diagnostic{
		{
			Span: at(t, src, "replica", 0), Rule: "cel-compile", Message: "a < b", Notes: []string{"n"}, Help: "h",
			Related: []Related{{Span: at(t, src, "Spec", 0), Message: "here"}},
		},
		{Severity: Warning, Message: "w"},
	}
	if err := JSON(&out, list, "/src"); err != nil {
		t.Fatal(err)
	}
	equal(t, out.String(), `{
  "diagnostics": [
    {
      "file": "api/v1/widget_types.go",
      "line": 4,
      "column": 52,
      "endLine": 4,
      "endColumn": 59,
      "severity": "error",
      "rule": "cel-compile",
      "message": "a < b",
      "notes": [
        "n"
      ],
      "help": "h",
      "related": [
        {
          "file": "api/v1/widget_types.go",
          "line": 3,
          "column": 6,
          "endLine": 3,
          "endColumn": 10,
          "message": "here"
        }
      ]
    },
    {
      "severity": "warning",
      "message": "w"
    }
  ],
  "errors": 1,
  "warnings": 1
}
`)
	out.Reset()
	if err := JSON(&out, nil, ""); err != nil {
		t.Fatal(err)
	}
	equal(t, out.String(), "{\n  \"diagnostics\": [],\n  \"errors\": 0,\n  \"warnings\": 0\n}\n")
}

func TestGitHub(t *testing.T) {
	src := widget()
	odd := &Source{Path: "/src/a,b:c.go", Data: []byte("ab\ncd\n")}
	var out bytes.Buffer
	list := []Diagnostic{
		{Span: at(t, src, "replica", 0), Rule: "cel-compile", Message: "100 % wrong: yes, really", Help: "h"},
		{Span: At(odd, 0, 4), Severity: Warning, Message: "m"},
		{Message: "no packages"},
	}
	if err := GitHub(&out, list, "/src"); err != nil {
		t.Fatal(err)
	}
	equal(t, out.String(), `::error file=api/v1/widget_types.go,line=4,col=52,endColumn=59,title=cel-compile::100 %25 wrong: yes, really%0Ahelp: h
::warning file=a%2Cb%3Ac.go,line=1,endLine=2::m
::error::no packages
`)
}

func TestSARIF(t *testing.T) {
	src := widget()
	umlaut := &Source{Path: "/elsewhere/ä b.go", Data: []byte("größe x")}
	var out bytes.Buffer
	list := []Diagnostic{
		{Span: at(t, src, "replica", 0), Rule: "cel-compile", Message: "m", Help: "h",
			Related: []Related{{Span: at(t, src, "Spec", 0), Message: "here"}}},
		{Span: at(t, umlaut, "x", 0), Rule: "b", Severity: Warning, Message: "m"},
		{Rule: "b", Message: "m"},
	}
	if err := SARIF(&out, list, "/src", "v1.2.3"); err != nil {
		t.Fatal(err)
	}
	var log sarifLog
	if err := json.Unmarshal(out.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	if len(run.Tool.Driver.Rules) != 2 || run.Tool.Driver.Rules[0].ID != "b" || run.Tool.Driver.Version != "v1.2.3" {
		t.Errorf("driver: %+v", run.Tool.Driver)
	}
	first, second := run.Results[0], run.Results[1].Locations[0].PhysicalLocation
	if got, want := *first.Locations[0].PhysicalLocation.Region, (sarifRegion{4, 52, 4, 59}); got != want {
		t.Errorf("region %v, want %v", got, want)
	}
	equal(t, first.Message.Text, "m\nhelp: h")
	equal(t, first.RelatedLocations[0].Message.Text, "here")
	equal(t, first.Locations[0].PhysicalLocation.ArtifactLocation.URI, "api/v1/widget_types.go")
	equal(t, second.ArtifactLocation.URI, "file:///elsewhere/%C3%A4%20b.go")
	if second.Region.StartColumn != 7 {
		t.Errorf("column %d, want 7 code points", second.Region.StartColumn)
	}
	if run.Results[2].Locations != nil || run.Results[1].Level != "warning" {
		t.Errorf("results: %+v", run.Results)
	}
}
