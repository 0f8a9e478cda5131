package markers

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/schema"
)

// TestCases runs the cases of testdata/markers. A file of an archive is one case: its first line is a target and a
// marker, and the rest is the result. Run with -update to rewrite the results.
func TestCases(t *testing.T) {
	paths, err := filepath.Glob("../testdata/markers/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no cases", err)
	}
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i := range archive.Files {
			file := &archive.Files[i]
			t.Run(filepath.Base(path)+"/"+file.Name, func(t *testing.T) {
				line, _, _ := strings.Cut(string(file.Data), "\n")
				got := line + "\n" + report(t, line)
				if *update {
					file.Data = []byte(got)
				} else if got != string(file.Data) {
					t.Errorf("got:\n%s\nwant:\n%s", got, file.Data)
				}
			})
		}
		if *update {
			if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// report parses "<target> <text>" and returns the values, then each diagnostic under the text it points to.
func report(t *testing.T, line string) string {
	word, text, _ := strings.Cut(line, " ")
	table, target := Known(), map[string]Target{"package": Package, "type": Type, "field": Field,
		"constant": Constant}[word]
	if target == 0 {
		t.Fatalf("no target in %q", line)
	}
	at := diag.At(&diag.Source{Data: []byte(text)}, 0, len(text))
	c := Comment{Text: text, At: at}
	m, ok, diags := table.Parse(c, target)
	if m.Def == nil {
		if d := table.Unknown(c, target); d != nil {
			diags = append(diags, *d)
		}
	}
	var b strings.Builder
	switch {
	case m.Def == nil && len(diags) == 0:
		b.WriteString("not ours\n")
	case ok:
		for _, step := range m.Steps {
			fmt.Fprintf(&b, "%s %s", prefixOrTag(step.Kind), step.At.Text())
			printArguments(&b, step.Args, "")
		}
		if len(m.Steps) > 0 {
			fmt.Fprintf(&b, "then %s", m.Name.Text())
		}
		printArguments(&b, m.Args, "no arguments")
	}
	for _, d := range diags {
		severity := "error"
		if Tolerated(d.Check) {
			severity = "tolerated"
		}
		fmt.Fprintf(&b, "%s\n", text)
		pad := len([]rune(text[:d.Span.Start]))
		fmt.Fprintf(&b, "%s%s\n", strings.Repeat(" ", pad),
			strings.Repeat("^", max(len([]rune(text[d.Span.Start:d.Span.End])), 1)))
		fmt.Fprintf(&b, "%s: %s [%s]\n", severity, d.Message, d.Check)
		for _, n := range d.Notes {
			b.WriteString("note: " + n + "\n")
		}
		if d.HelpText != "" {
			b.WriteString("help: " + d.HelpText + "\n")
		}
	}
	return b.String()
}

// prefixOrTag names a kind of step.
func prefixOrTag(kind StepKind) string {
	return []string{"nothing", "items", "values", "keys", "each", "subfield", "item", "mode", "level", "option"}[kind]
}

// printArguments prints arguments, and makes sure that their positions are right.
func printArguments(b *strings.Builder, args []Arg, none string) {
	if b.Len() > 0 && !strings.HasSuffix(b.String(), "\n") {
		b.WriteString("\n")
	}
	for _, a := range args {
		if a.Name != a.NameAt.Text() {
			fmt.Fprintf(b, "%s is at %q: ", a.Name, a.NameAt.Text())
		}
		if a.Name != "" {
			b.WriteString(a.Name + " = ")
		}
		b.WriteString(show(a.Value))
		if text := a.Value.At.Text(); a.Value.Kind == Int && text != a.Value.Text {
			b.WriteString(" written " + text)
		}
		b.WriteString("\n")
	}
	if len(args) == 0 && none != "" {
		b.WriteString(none + "\n")
	}
}

// show prints a value with its kinds.
func show(v Value) string {
	var list []string
	switch v.Kind {
	case Null:
		return "null"
	case String:
		return fmt.Sprintf("%q", v.Text)
	case Int:
		return "int " + v.Text
	case Number:
		return "number " + v.Text
	case List:
		for _, item := range v.Items {
			list = append(list, show(item))
		}
		return "[" + strings.Join(list, ", ") + "]"
	case Map:
		for _, member := range v.Members {
			list = append(list, fmt.Sprintf("%q: %s", member.Key, show(member.Value)))
		}
		return "{" + strings.Join(list, ", ") + "}"
	}
	return v.Text
}

// textAt follows a byte of a decoded string back to where it was written.
func textAt(v Value, offset int) diag.Span {
	return schema.Text{V: v.Text, At: v.At}.Range(offset, offset+1)
}

// TestStringAt follows single bytes of a decoded string back to where they were written.
func TestStringAt(t *testing.T) {
	for _, c := range []struct {
		about, marker string
		offset        int
		source        string
	}{
		{"backticks are what they seem", "+kubebuilder:validation:Pattern=`a\\d`", 1, `\`},
		{"a bare word too", "+kubebuilder:validation:Pattern=abc", 2, "c"},
		{"an escaped quote is two characters", `+kubebuilder:validation:Pattern="a\"bc"`, 1, `\"`},
		{"and moves all that follows", `+kubebuilder:validation:Pattern="a\"bc"`, 3, "c"},
		{"a code point in hexadecimal", `+kubebuilder:validation:Pattern="\u00e4b"`, 1, `\u00e4`},
		{"the text after it", `+kubebuilder:validation:Pattern="\u00e4b"`, 2, "b"},
		{"a long code point", `+kubebuilder:validation:Pattern="\U0001F600b"`, 4, "b"},
		{"a byte in hexadecimal", `+kubebuilder:validation:Pattern="\x41\101c"`, 1, `\101`},
		{"the second byte of a letter", `+kubebuilder:validation:Pattern="äb"`, 1, "ä"},
		{"the end", `+kubebuilder:validation:Pattern="ab"`, 2, ""},
		{"beyond the end there is nothing", `+kubebuilder:validation:Pattern="ab"`, 3, ""},
		{"JSON: a pair of surrogates", `+default="\ud83d\ude00b"`, 3, `\ud83d\ude00`},
		{"JSON: behind the pair", `+default="\ud83d\ude00b"`, 4, "b"},
		{"JSON: half a pair becomes a replacement", `+default="\ud83db"`, 3, "b"},
		{"JSON: a slash", `+default="\/b"`, 1, "b"},
	} {
		src := &diag.Source{Data: []byte("// " + c.marker)}
		m, ok, diags := Known().Parse(Comment{Text: c.marker, At: diag.At(src, 3, 3+len(c.marker))}, Field)
		if !ok {
			t.Errorf("%s: %v", c.about, diags)
			continue
		}
		at := textAt(m.Args[0].Value, c.offset)
		if got := string(src.Data[at.Start:at.End]); got != c.source {
			t.Errorf("%s: byte %d of %s is at %q, want %q", c.about, c.offset, c.marker, got, c.source)
		}
	}
	src := &diag.Source{Data: []byte(`+kubebuilder:validation:Pattern="a\tb\"c"`)}
	m, _, _ := Known().Parse(Comment{Text: string(src.Data), At: diag.At(src, 0, len(src.Data))}, Field)
	at := schema.Text{V: m.Arg("").Text, At: m.Arg("").At}.Range(1, 4)
	if got := string(src.Data[at.Start:at.End]); got != `\tb\"` {
		t.Errorf("range is at %q", got)
	}
}

// TestNumbers reads literals as numbers: exactly if that is possible, and otherwise not at all.
func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		literal string
		whole   int64
		ok      bool
	}{
		{"7", 7, true}, {"-7", -7, true}, {"5.0", 5, true}, {"1e3", 1000, true}, {"0.5", 0, false},
		{"9223372036854775807", 9223372036854775807, true}, {"9223372036854775808", 0, false},
		{"9007199254740993.0", 9007199254740992, true}, {"1e400", 0, false},
	} {
		v := Value{Kind: Number, Text: c.literal}
		if i, ok := v.Int64(); ok != c.ok || ok && i != c.whole {
			t.Errorf("%s is %d, %v", c.literal, i, ok)
		}
	}
	if _, ok := (Value{Kind: String, Text: "3"}).Int64(); ok {
		t.Error("a string is not a number")
	}
}

// TestDeepBraces shows that no input exhausts the stack.
func TestDeepBraces(t *testing.T) {
	for _, open := range []string{"{", "{a:", "{{a:"} {
		text := "+kubebuilder:default=" + strings.Repeat(open, 20_000)
		if _, ok, diags := Known().Parse(Comment{Text: text, At: diag.Span{Source: &diag.Source{}}}, Field); ok ||
			len(diags) != 1 {
			t.Errorf("%s…: %v, %d diagnostics", open, ok, len(diags))
		}
	}
}

// TestForeign names markers that other tools read, from the API packages of published operators.
func TestForeign(t *testing.T) {
	for _, text := range []string{
		"+genclient", "+genclient:nonNamespaced", "+k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object",
		"+k8s:openapi-gen=true", "+k8s:prerelease-lifecycle-gen:introduced=1.19", "+k8s:validation-gen=*",
		"+k8s:isSubresource=/status", "+k8s:validation:cel[0]:rule>self", "+k8s:pattern=x", "+k8s:made-up-gen=true",
		"+protobuf.options.marshal=false", "+protobuf=true", "+patchStrategy=merge", "+patchMergeKey=name", "+enum",
		"+featureGate=X", "+union", "+unionDiscriminator", "+oneOf=a", "+listKey=name", "+build !ignore_autogenerated",
		"+gencrdrefdocs:force=true", "+kubebuilder:object:root=true", "+kubebuilder:object:generate:=false",
		"+kubebuilder:rbac:groups=apps,resources=pods,verbs=get",
		"+kubebuilder:webhook:path=/x", "+kubebuilder:scaffold:imports", "+kubebuilder:docs-gen:collapse=Imports",
		"+kubebuilder:ac:generate=true",
		"+openshift:compatibility-gen:level=1", "+deprecated", "+skip_license_check", "+metrics:conditions:path=x",
		// Prose and arithmetic.
		"+1 foo", "+---+---+", "+", "+ zero", "+ size(list) * 2", "+optional fields come last", "+Inf", "+07:00",
		"+ \"text\"", "+=", "+ string -> []byte", "+foo=bar", "+:",
	} {
		for _, target := range []Target{Package, Type, Field} {
			c := Comment{Text: text, At: diag.Span{Source: &diag.Source{}}}
			for _, table := range []*Table{Known(), ControllerGen()} {
				if d := table.Unknown(c, target); d != nil {
					t.Errorf("%s on a %s: %s", text, target.noun(), d.Message)
				}
			}
			if ControllerGen().Lookup(text, target) != nil {
				t.Errorf("%s on a %s is known", text, target.noun())
			}
		}
	}
}

// TestTagsAreForeignToControllerGen makes sure that with its table no tag of declarative validation is reported as a
// typo.
func TestTagsAreForeignToControllerGen(t *testing.T) {
	theirs := ControllerGen()
	for _, def := range Known().Definitions() {
		if def.Category != catTag {
			continue
		}
		for _, text := range []string{"+" + def.Name, def.Example, "+" + def.Name + "(x)",
			"+" + def.Name + "(a: \"b\")=+k8s:required # x"} {
			for _, target := range targets(Package | Type | Field) {
				c := Comment{Text: text, At: diag.Span{Source: &diag.Source{}}}
				if d := theirs.Unknown(c, target); d != nil {
					t.Errorf("%s on a %s: %s", text, target.noun(), d.Message)
				}
			}
		}
	}
}
