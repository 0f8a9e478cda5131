package diag

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestColumns states how wide characters are: the figures are those of wcwidth in a terminal.
func TestColumns(t *testing.T) {
	for text, want := range map[string]int{
		"größe": 5, "名前": 4, "ﾊﾝｶｸ": 4, "Ｆ": 2, "😀": 2, "e\u0301": 1, "한글": 4, "\u1112\u1161\u11ab": 2, "…–": 2, "กำ": 2,
	} {
		if got := columnsOf(text); got != want {
			t.Errorf("%q takes %d columns, want %d", text, got, want)
		}
	}
}

// TestWideExcerpt underlines what follows characters that do not take one column.
func TestWideExcerpt(t *testing.T) {
	for line, want := range map[string]string{
		"名前: bad":                "名前: bad\n      ^^^",
		"e\u0301e\u0301: bad":    "e\u0301e\u0301: bad\n    ^^^",
		"\u0301bad":              " \u0301bad\n ^^^",
		"❤\ufe0f bad":            "❤ bad\n  ^^^",
		"😀\tbad":                 "😀  bad\n    ^^^",
		"\u202e\x1b[31m bad":     "��[31m bad\n       ^^^",
		"x: bad 名前":              "x: bad 名前\n   ^^^",
		"\u1112\u1161\u11ab bad": "\u1112\u1161\u11ab bad\n   ^^^",
	} {
		src := &Source{Path: "a.go", Data: []byte(line)}
		got := text(t, []Diagnostic{{Span: at(t, src, "bad", 0), Message: "m"}}, TextOptions{Width: 80})
		lines := strings.Split(got, "\n")
		equal(t, strings.TrimPrefix(lines[1], "   1 |  ")+"\n"+strings.TrimPrefix(lines[2], "     |  "), want)
	}
}

// TestUnits takes texts apart: a "¦" is where a line may be broken.
func TestUnits(t *testing.T) {
	for _, want := range []string{
		`the¦API¦server¦rejects¦it`,
		`undefined¦field¦"max replica"`,
		`change¦the¦rule¦to¦!has(self.a) || self.a.b(x, y)¦(accepts¦more¦objects)`,
		`has(self.b) && (self.a == 1 || self.b)¦is¦true`,
		`('a' in self.labels)¦and¦'a' in self.labels`,
		`write¦size(self) > 0 ? 'a b' : 'c'¦instead`,
		`don't¦break¦what¦isn't¦code`,
		"write¦`json:\"a b\" yaml:\"b\"`,¦or¦nothing",
		`add¦+kubebuilder:validation:XValidation:rule="a \" b",message="c d"¦to¦it`,
		`run go mod tidy,¦then¦retry`,
		`run git rev-list a | git fetch¦(once)`,
		`add¦x-kubernetes-int-or-string: true¦to¦it`,
		`a.go:31:2:¦spec.users¦has¦no¦bound`,
		`put // +versionName=v1¦above¦it`,
		`such¦as¦x-kubernetes-validations: [{rule: "a b"}]¦(may¦change)`,
		`open¦"¦and¦(¦stay¦plain`,
	} {
		var got []string
		for _, u := range units(strings.ReplaceAll(want, "¦", " ")) {
			got = append(got, u.text)
		}
		equal(t, strings.Join(got, "¦"), want)
	}
}

// TestWidths prints one finding for narrow and wide terminals.
func TestWidths(t *testing.T) {
	src := &Source{Path: "/src/api/v1/widget_types.go", Data: []byte("package v1\n\n" +
		"// +kubebuilder:validation:XValidation:rule=\"self.replica <= self.maxReplicas\",message=\"too many\"\n" +
		"type Spec struct{}\n")}
	list := []Diagnostic{{
		Span: at(t, src, "replica", 0), Check: "cel-compile", Message: `undefined field "replica"`,
		Path:     "spec.versions[0].schema.openAPIV3Schema.properties[spec]",
		Notes:    []string{"fields of self: maxReplicas, paused, replicas, selector, strategy, template, updated"},
		HelpText: "change the rule to !has(self.replicas) || self.replicas <= self.maxReplicas, which compiles",
		Effect:   Effect{AcceptsOther, "it compares values"},
	}}
	for width, want := range map[int]string{
		40: `api/v1/widget_types.go:3:51: error:
     undefined field "replica"
     [cel-compile]
   3 |  …:rule="self.replica <= self.…
     |               ^^^^^^^
   at spec.versions[0].schema
     .openAPIV3Schema.properties[spec]
   fields of self: maxReplicas, paused,
     replicas, selector, strategy,
     template, updated
   help: change the rule to
     !has(self.replicas) || self.replicas <= self.maxReplicas,
     which compiles (may accept other
     objects: it compares values)
`,
		80: `api/v1/widget_types.go:3:51: error: undefined field "replica" [cel-compile]
   3 |  …:XValidation:rule="self.replica <= self.maxReplicas",message="too many"
     |                           ^^^^^^^
   at spec.versions[0].schema.openAPIV3Schema.properties[spec]
   fields of self: maxReplicas, paused, replicas, selector, strategy, template,
     updated
   help: change the rule to
     !has(self.replicas) || self.replicas <= self.maxReplicas, which compiles
     (may accept other objects: it compares values)
`,
		120: `api/v1/widget_types.go:3:51: error: undefined field "replica" [cel-compile]
   3 |  // +kubebuilder:validation:XValidation:rule="self.replica <= self.maxReplicas",message="too many"
     |                                                    ^^^^^^^
   at spec.versions[0].schema.openAPIV3Schema.properties[spec]
   fields of self: maxReplicas, paused, replicas, selector, strategy, template, updated
   help: change the rule to !has(self.replicas) || self.replicas <= self.maxReplicas, which compiles (may accept other
     objects: it compares values)
`,
	} {
		equal(t, text(t, list, TextOptions{Dir: "/src", Width: width, Part: true}), want+"\n")
	}
}

// FuzzWidth prints random findings for random widths: no line is wider than the terminal, except for what is not
// broken, and the excerpt has the beginning of the span above the first mark.
func FuzzWidth(f *testing.F) {
	alphabet := []string{"a", "word", " ", " ", "\t", "ü", "名", "😀", "e\u0301", "\"", "'", "(", ")", "[", "||", "x.y",
		"+k:v=", "\x1b", "\xff", "\n", "❤\ufe0f"}
	f.Add(uint64(1), 40)
	f.Fuzz(func(t *testing.T, seed uint64, width int) {
		for i := range uint64(200) {
			checkWidth(t, rand.New(rand.NewPCG(seed, i)), alphabet, minWidth+max(width, 0)%130)
		}
	})
}

func checkWidth(t *testing.T, random *rand.Rand, alphabet []string, width int) {
	words := func(n int) string {
		var out strings.Builder
		for range random.IntN(n) {
			out.WriteString(alphabet[random.IntN(len(alphabet))])
		}
		return out.String()
	}
	before, span := strings.ReplaceAll(words(80), "\n", ""), "Z"+words(40)
	src := &Source{Path: "a.go", Data: []byte(words(20) + "\n" + before + span + words(60))}
	start := strings.LastIndex(string(src.Data), "Z")
	d := Diagnostic{Span: At(src, start, start+len(span)), Check: "id", Message: words(60), Notes: []string{words(60)},
		Path: "spec" + strings.Repeat("[0].x", random.IntN(30)), HelpText: strings.ReplaceAll(words(60), "\n", "")}
	got := text(t, []Diagnostic{d}, TextOptions{Width: width, Part: true})
	lines := strings.Split(got, "\n")
	var whole []string
	for _, text := range []string{Printable(oneLine(d.Message)), expanded(d.Notes[0]), expanded(d.HelpText)} {
		for _, u := range units(text) {
			whole = append(whole, Printable(u.text))
		}
	}
	for _, line := range lines {
		if columnsOf(line) > width && !slices.Contains(whole, strings.TrimLeft(line, " ")) {
			t.Fatalf("%d columns instead of %d: %q", columnsOf(line), width, line)
		}
	}
	for i, line := range lines {
		mark := strings.Index(line, "^")
		if isMarks := strings.Trim(line, " |^") == "" && mark >= 0; !isMarks {
			continue
		}
		var above string
		for column := 0; column <= mark; {
			r, size := utf8.DecodeRuneInString(lines[i-1])
			above, lines[i-1] = lines[i-1][:size], lines[i-1][size:]
			column += columns(r)
		}
		if above != "Z" {
			t.Fatalf("the mark is under %q:\n%s", above, got)
		}
		return
	}
	t.Fatalf("no mark in\n%s", got)
}
