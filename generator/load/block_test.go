package load

import (
	"go/ast"
	"go/doc/comment"
	"go/format"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/markers"
)

// ruleMarkers is a table of one marker, which takes a block.
func ruleMarkers() *markers.Table {
	return markers.NewTable([]markers.Definition{{
		Name: "rule", Targets: markers.Package | markers.Type | markers.Field, Either: []string{"is"},
		Params: []markers.Param{{Name: "is", Shape: markers.Shape{Kind: markers.String}, Optional: true},
			{Name: "n", Shape: markers.Shape{Kind: markers.Int}, Optional: true}},
	}})
}

// blocks binds the comments of a file and returns the blocks of its +rule markers, in order.
func blocks(t testing.TB, src string) []markers.Comment {
	t.Helper()
	p := &Program{Fset: token.NewFileSet(), policy: Policy{Markers: ruleMarkers()}}
	syntax, err := parser.ParseFile(p.Fset, "x.go", src, parser.ParseComments)
	if err != nil {
		t.Fatalf("%v in\n%s", err, src)
	}
	f := &file{source: &diag.Source{Data: []byte(src)}, syntax: syntax}
	f.readImports()
	p.bind(&Package{}, f)
	out := slices.Clone(f.comments)
	for _, d := range f.decls {
		out = append(out, d.Comments...)
		EachStruct(d.Spec.Type, func(s *ast.StructType) {
			for _, field := range s.Fields.List {
				out = append(out, f.fields[field]...)
			}
		})
	}
	return slices.DeleteFunc(out, func(c markers.Comment) bool { return !strings.HasPrefix(c.Text, "+rule") })
}

// typed is a file with blocks as they are before gofmt.
const typed = `// Package p has a rule.
// +rule:n=0
//   self.a <
//     self.b
// +other
package p

// T is a type.
// +rule:n=1
//	self.a <= self.b &&
//	  (self.b < 10 ||
//
//	   self.c != '')
//
//
// It is documented.
// +rule:n=2
//
// 	self.a
//	  + self.b > 0
// +other
type T struct {
	// +rule:n=3
	//   self
	//   - 1 > 0
	A int
	// B is a field.
	//
	// +rule:n=4
	//	self != '' && self.size() == 0
	//
	// No rule is:
	//	code
	//
	// +rule:n=5
	// +other
	//
	//	more code
	B int
	// +rule:n=6
	//
	// C is a field.
	//	code
	C int // +rule:n=7
	// +rule:n=8
	//
	//	self > 0
	//
	//
	D int
	// +rule:n=9
	//	{'a': [
	//	1]}
	//	 .b
	E int
}
`

// TestBlocksAndGofmt makes sure that a block has the same text before and after gofmt, that gofmt does not change its
// own output, and that the position of the text is right.
func TestBlocksAndGofmt(t *testing.T) {
	want := []string{
		"self.a <\n  self.b", "self.a <= self.b &&\n  (self.b < 10 ||\n\n   self.c != '')", "self.a\n  + self.b > 0",
		"self\n- 1 > 0",
		"self != '' && self.size() == 0", "", "", "self > 0", "{'a': [\n1]}\n .b",
	}
	formatted := gofmt(t, typed)
	for name, src := range map[string]string{"as typed": typed, "by gofmt": formatted,
		"with CRLF": strings.ReplaceAll(formatted, "\n", "\r\n")} {
		var got []string
		for _, c := range blocks(t, src) {
			got = append(got, c.Block)
			if c.Block == "" {
				continue
			}
			first, _, _ := strings.Cut(c.Block, "\n")
			if at := c.BlockAt.Text(); !strings.HasPrefix(at, first) ||
				!strings.HasSuffix(c.Block, at[strings.LastIndexAny(at, "\n\t ")+1:]) {
				t.Errorf("%s, the position of %q has the text %q", name, c.Block, at)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if again := gofmt(t, formatted); again != formatted {
		t.Errorf("gofmt makes\n%sof\n%s", again, formatted)
	}
	if !strings.Contains(formatted,
		"// +rule:n=1\n//\n//\tself.a <= self.b &&\n//\t  (self.b < 10 ||\n//\n//\t   self.c != '')\n//\n// It") {
		t.Errorf("gofmt makes\n%s", formatted)
	}
}

func gofmt(t testing.TB, src string) string {
	t.Helper()
	out, err := format.Source([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// FuzzBlock compares the blocks of formatted comments with the code that Go's own parser of documentation finds after a
// marker.
func FuzzBlock(f *testing.F) {
	f.Add("+rule\n\n\ta &&\n\t  b\n\nText.\n\n\tcode")
	f.Add("Text.\n+rule\n  a\n  + b\n+other\n+rule\n\n\n\tc")
	f.Add("+rule\n\t+other\n+rule\n \t \n\ta")
	indentedMarker := regexp.MustCompile(`(?m)^[ \t]+\+rule`)
	emptyLines := regexp.MustCompile(`\n{3,}`)
	f.Fuzz(func(t *testing.T, doc string) {
		src := "package p\n\n"
		for line := range strings.SplitSeq(doc, "\n") {
			src += strings.TrimRight("// "+line, " ") + "\n"
		}
		src += "type T int\n"
		if strings.ContainsAny(doc, "\r\x00\ufeff") || !utf8.ValidString(doc) || indentedMarker.MatchString(doc) {
			return
		}
		src = gofmt(t, src)
		var got []string
		for _, c := range blocks(t, src) {
			if c.Block != "" {
				got = append(got, emptyLines.ReplaceAllString(c.Block, "\n\n")) // as CommentGroup.Text does
			}
		}
		syntax, err := parser.ParseFile(token.NewFileSet(), "x.go", src, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if want, ok := codeOfMarkers(syntax.Decls[0].(*ast.GenDecl).Doc.Text()); ok && !slices.Equal(got, want) {
			t.Errorf("%q, want %q, of\n%s", got, want, src)
		}
	})
}

// codeOfMarkers returns the code directly after a paragraph that ends with a marker. It is not ok if there are lists:
// to Go, text that begins with a number and a dot is not code.
func codeOfMarkers(doc string) (out []string, ok bool) {
	marker := false
	for _, b := range new(comment.Parser).Parse(doc).Content {
		switch b := b.(type) {
		case *comment.Paragraph:
			var text strings.Builder
			for _, part := range b.Text {
				if plain, ok := part.(comment.Plain); ok {
					text.WriteString(string(plain))
				}
			}
			last := text.String()[strings.LastIndexByte(text.String(), '\n')+1:]
			marker = strings.HasPrefix(last, "+rule") && ruleMarkers().TakesBlock(last)
		case *comment.Code:
			if code := strings.TrimSuffix(b.Text, "\n"); marker && strings.TrimLeft(code, " \t")[0] != '+' {
				out = append(out, code)
			}
			marker = false
		case *comment.List:
			return nil, false
		default:
			marker = false
		}
	}
	return out, true
}
