package diag

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"
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
			Span: at(t, src, "replica", 0), Check: "cel-compile", Message: `undefined field "replica"`,
			Notes: []string{"in scope on spec: maxReplicas, paused, replicas"}, HelpText: `did you mean "replicas"?`,
		},
		{
			Span: at(t, src, "Replicas", 1), Check: "go-json", Severity: Warning, Message: "a\nb",
			SeeAlso:  []Related{{Span: at(t, src, "Spec", 0), Message: "declared here"}, {Message: "nowhere"}},
			HelpText: "write\nthis",
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
			equal(t, strings.TrimPrefix(lines[1], "   2 |  ")+"\n"+strings.TrimPrefix(lines[2], "     |  "),
				test.excerpt)
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

// TestTextLines shows several lines with their indentation, underlines their text, and omits all but the first few.
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
		span := At(&Source{Path: "a.go", Data: []byte(source)}, strings.Index(source, "(a"),
			strings.Index(source, "b)")+2)
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
			t.Errorf("the mark is at %q in %q", got, string(shown))
		}
	}
}

func TestTextMax(t *testing.T) {
	list := []Diagnostic{
		{Severity: Warning, Message: "w1"}, {Severity: Warning, Message: "w2"}, {Message: "e1"}, {Message: "e2"},
	}
	equal(t, text(t, list, TextOptions{Max: 3}),
		"warning: w1\n\nerror: e1\n\nerror: e2\n\n… and 1 more finding\n2 errors, 2 warnings\n")
	equal(t, text(t, list, TextOptions{Max: 1}), "error: e1\n\n… and 3 more findings\n2 errors, 2 warnings\n")
	equal(t, text(t, nil, TextOptions{}), "")
}

func TestTextColor(t *testing.T) {
	src := widget()
	got := text(t, []Diagnostic{{Span: at(t, src, "Spec", 0), Check: "r", Message: "m", HelpText: "h"}},
		TextOptions{Color: true})
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
			Span: at(t, src, "replica", 0), Check: "cel-compile", Message: "a < b", Notes: []string{"n"}, HelpText: "h",
			SeeAlso: []Related{{Span: at(t, src, "Spec", 0), Message: "here"}},
		},
		{Severity: Warning, Message: "w"},
	}
	if err := JSON(&out, list, 0, "/src"); err != nil {
		t.Fatal(err)
	}
	equal(t, out.String(), `{
  "findings": [
    {
      "file": "api/v1/widget_types.go",
      "line": 4,
      "column": 52,
      "endLine": 4,
      "endColumn": 59,
      "severity": "error",
      "check": "cel-compile",
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
	if err := JSON(&out, nil, 0, ""); err != nil {
		t.Fatal(err)
	}
	equal(t, out.String(), "{\n  \"findings\": [],\n  \"errors\": 0,\n  \"warnings\": 0\n}\n")
}

func TestGitHub(t *testing.T) {
	src := widget()
	odd := &Source{Path: "/src/a,b:c.go", Data: []byte("ab\ncd\n")}
	wide := &Source{Path: "/src/wide.yaml", Data: []byte("größe: 😀 x\n")}
	var out bytes.Buffer
	list := []Diagnostic{
		{Span: at(t, src, "replica", 0), Check: "cel-compile", Message: "100 % wrong: yes, really", HelpText: "h"},
		{Span: At(odd, 0, 4), Severity: Warning, Message: "m"},
		{Span: at(t, wide, "x", 0), Severity: Note, Message: "m"},
		{Span: At(wide, 0, 0), Severity: Note, Message: "m"},
		{Message: "no packages"},
	}
	if err := GitHub(&out, list, "/src"); err != nil {
		t.Fatal(err)
	}
	equal(t, out.String(), `::error file=api/v1/widget_types.go,line=4,col=52,endColumn=59,title=cel-compile::api/v1/widget_types.go:4:52: 100 %25 wrong: yes, really%0Ahelp: h
::warning file=a%2Cb%3Ac.go,line=1,endLine=2::a,b:c.go:1: m
::notice file=wide.yaml,line=1,col=11,endColumn=12::wide.yaml:1:11: m
::notice file=wide.yaml,line=1,col=1,endColumn=2::wide.yaml:1:1: m
::error::no packages
`)
	list = nil
	for range 11 {
		list = append(list, Diagnostic{Severity: Warning, Message: "m"})
	}
	out.Reset()
	if err := GitHub(&out, list, "/src"); err != nil {
		t.Fatal(err)
	}
	equal(t, out.String(), strings.Repeat("::warning::m\n", 11)+
		"0 errors, 11 warnings, 0 notes: GitHub annotates only the first 10 of each; the log has all of them\n")
}

func TestSARIF(t *testing.T) {
	src := widget()
	umlaut := &Source{Path: "/elsewhere/ä b.go", Data: []byte("größe 😀 x")}
	var out bytes.Buffer
	list := []Diagnostic{
		{
			Span: at(t, src, "replica", 0), Check: "cel-compile", Message: "m", HelpText: "h",
			SeeAlso: []Related{{Span: at(t, src, "Spec", 0), Message: "here [0]"}, {Message: "nowhere"}},
		},
		{Span: at(t, umlaut, "x", 0), Check: "b", Severity: Warning, Message: "m"},
		{Span: at(t, umlaut, "x", 0), Check: "b", Severity: Warning, Message: "n"},
		{Span: At(&Source{Path: "/src/gone"}, 5, 6), Message: "m"},
		{Check: "load", Message: "no packages"},
	}
	describe := func(rule string) CheckDoc {
		return CheckDoc{Short: "s " + rule, Long: "l", Markdown: "m", URI: "https://example.com/" + rule}
	}
	if err := SARIF(&out, list, SARIFOptions{Root: "/src", Version: "v1.2.3", Describe: describe}); err != nil {
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
	equal(t, run.Tool.Driver.Rules[1].ShortDescription.Text, "s cel-compile")
	if len(run.Results) != 4 || run.Results[1].Level != "warning" {
		t.Fatalf("results: %+v", run.Results)
	}
	first, second, gone := run.Results[0], run.Results[1].Locations[0].PhysicalLocation,
		run.Results[3].Locations[0].PhysicalLocation
	if got, want := first.Locations[0].PhysicalLocation.Region, (sarifRegion{4, 52, 4, 59}); got != want {
		t.Errorf("region %v, want %v", got, want)
	}
	equal(t, first.Message.Text, "m\nhelp: h\n[here \\[0\\]](1)\nnowhere")
	equal(t, first.RelatedLocations[0].Message.Text, "here [0]")
	if got, want := first.Locations[0].PhysicalLocation.ArtifactLocation,
		(sarifArtifact{"api/v1/widget_types.go", sarifRoot}); got != want {
		t.Errorf("file %v, want %v", got, want)
	}
	if got, want := second.ArtifactLocation, (sarifArtifact{URI: "file:///elsewhere/%C3%A4%20b.go"}); got != want {
		t.Errorf("file %v, want %v", got, want)
	}
	if second.Region.StartColumn != 10 {
		t.Errorf("column %d, want that of 9 UTF-16 code units", second.Region.StartColumn)
	}
	if gone.Region != (sarifRegion{StartLine: 1}) {
		t.Errorf("region %v of a file that is gone", gone.Region)
	}
	same, again := run.Results[1].Fingerprints["crdproof/v1"], run.Results[2].Fingerprints["crdproof/v1"]
	if a, b := strings.TrimSuffix(same, ":1"), strings.TrimSuffix(again, ":2"); a != b || a == same || b == again {
		t.Errorf("fingerprints %s and %s", same, again)
	}
	notes := run.Invocations[0]
	if notes.ExecutionSuccessful || len(notes.Notifications) != 1 ||
		notes.Notifications[0].Message.Text != "no packages" {
		t.Errorf("invocation: %+v", notes)
	}
}

// TestFromRoot finds the names of files in a checkout, also through symbolic links.
func TestFromRoot(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(dir, "root")
	for _, d := range []string{"root/api", "elsewhere"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.FromSlash(d)), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for name, file := range map[string]string{"root/api/a.go": "", "elsewhere/b.go": ""} {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(file), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for from, to := range map[string]string{"link": "root", "root/inner": "api", "root/out": "../elsewhere"} {
		if err := os.Symlink(filepath.FromSlash(to), filepath.Join(dir, filepath.FromSlash(from))); err != nil {
			t.Skip(err)
		}
	}
	for _, test := range []struct{ root, file, want string }{
		{"root", "root/api/a.go", "api/a.go"},
		{"root", "link/api/a.go", "api/a.go"},   // the working directory is a link
		{"link", "root/api/a.go", "api/a.go"},   // the root was found through a link
		{"root", "root/inner/a.go", "api/a.go"}, // git does not track files behind links
		{"root", "root/out/b.go", "out/b.go"},   // but has no better name for this one
		{"root", "elsewhere/b.go", filepath.ToSlash(dir) + "/elsewhere/b.go"},
		{"root", "root/api/none.go", "api/none.go"},
	} {
		src := &Source{Path: filepath.Join(dir, filepath.FromSlash(test.file))}
		p, _ := locateFrom(At(src, 0, 0), filepath.Join(root, "..", test.root))
		equal(t, p.file, test.want)
	}
}

// FuzzUTF16Column compares columns with the encoder of the standard library.
func FuzzUTF16Column(f *testing.F) {
	f.Add("größe: 😀 x", 13)
	f.Add("\xff\xfe\r", 2)
	f.Fuzz(func(t *testing.T, line string, n int) {
		if strings.Contains(line, "\n") || n < 0 || n > len(strings.TrimSuffix(line, "\r")) {
			return
		}
		src := &Source{Data: []byte(line)}
		if got, want := utf16Column(src, 1, n+1), len(utf16.Encode([]rune(line[:n])))+1; got != want {
			t.Errorf("column %d, want %d, behind %q", got, want, line[:n])
		}
	})
}
