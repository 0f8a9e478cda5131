package fix_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/cli/fix"
)

// word is a mistake: the help of "+wrong" removes the marker. That of "+stays" does, too, but the finding remains, that
// of "+leads" leads to another finding. In "+letters:abc", each letter is a mistake, and its help writes it without.
var word = regexp.MustCompile(`\+(wrong|stays|leads|letters:\w+)`)

// runs validates a file, and counts how often.
type runs struct {
	text  string
	count int
}

func (r *runs) run(_ context.Context, overlay map[string][]byte) (out fix.State, err error) {
	r.count++
	check := &diag.Check{ID: "wrong", Severity: diag.Warning}
	src := &diag.Source{Path: "a.go", Data: []byte(r.text), Syntax: diag.Go}
	if data, ok := overlay["a.go"]; ok {
		src.Data = data
	}
	for _, m := range word.FindAllIndex(src.Data, -1) {
		found := string(src.Data[m[0]+1 : m[1]])
		at := diag.At(src, m[0]+1, m[1])
		_, letters, ok := strings.Cut(found, ":")
		if !ok {
			out.Found = append(out.Found, diag.Warningf(at, check, "a %s marker", found).
				Help("remove it").Do(diag.RemoveMarker, ""))
		}
		for i, letter := range letters {
			out.Found = append(out.Found, diag.Warningf(at, check, "the letter %c", letter).
				Help("less").Do(diag.Replace, "letters:"+letters[:i]+letters[i+1:]))
		}
	}
	for n := range strings.Count(r.text, "+stays") - strings.Count(string(src.Data), "+stays") {
		out.Found = append(out.Found, diag.Warningf(diag.At(src, n, n+1), check, "a stays marker"))
	}
	if strings.Contains(r.text, "+leads") && !strings.Contains(string(src.Data), "+leads") {
		out.Found = append(out.Found, diag.Warningf(diag.At(src, 0, 1), check, "something else"))
	}
	return out, nil
}

func (r *runs) fix(t *testing.T) (fix.Result, string) {
	t.Helper()
	result, err := fix.Files(t.Context(), fix.Options{
		Run: r.run, Covers: func(*diag.Diagnostic) bool { return true }, Keeps: func(string) string { return "" },
	})
	if err != nil || result.Failed != nil || len(result.Files) != 1 {
		t.Fatal(err, result.Failed, len(result.Files))
	}
	return result, string(result.Files[0].Data)
}

// TestAtFault leaves the fixes that are not as promised, wherever they are, and makes all others.
func TestAtFault(t *testing.T) {
	var b strings.Builder
	b.WriteString("package v1\n\ntype T struct {\n")
	for i := range 40 {
		marker := map[int]string{3: "stays", 17: "leads", 18: "stays"}[i]
		if marker == "" {
			marker = "wrong"
		}
		fmt.Fprintf(&b, "\t// +%s\n\tF%d string\n", marker, i)
	}
	r := &runs{text: b.String() + "}\n"}
	result, text := r.fix(t)
	if strings.Count(text, "+stays") != 2 || strings.Count(text, "+leads") != 1 || strings.Contains(text, "+wrong") {
		t.Errorf("the file has become\n%s", text)
	}
	if len(result.Made) != 37 || len(result.Left) != 3 {
		t.Errorf("%d fixes are made, and %d left", len(result.Made), len(result.Left))
	}
	if r.count > 30 {
		t.Errorf("%d runs are too many", r.count)
	}
}

// TestRounds makes edits that overlap one after another, but not forever.
func TestRounds(t *testing.T) {
	r := &runs{text: "package v1\n\ntype T struct {\n\t// +letters:abcdefghijklmnop\n\tA string\n}\n"}
	result, text := r.fix(t)
	if !strings.Contains(text, "+letters:klmnop\n") {
		t.Errorf("the file has become\n%s", text)
	}
	if len(result.Left) != 1 || !strings.Contains(result.Left[0].Why, "run --fix again") {
		t.Errorf("nothing is said of what is left: %v", result.Left)
	}
}
