package baseline_test

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/cli/baseline"
	"github.com/crdproof/crdproof/rules/check"
)

// table has a check that can be ignored, and one that cannot.
var table = check.Table{
	{ID: "soft", Severity: diag.Warning}, {ID: "hard", Verdict: true},
}

func read(text string) (*baseline.File, []diag.Diagnostic) {
	return baseline.Read(&diag.Source{Path: "/x/" + baseline.Name, Data: []byte(text)}, table)
}

// TestLineEnds keeps the line ends of a file, and reads both.
func TestLineEnds(t *testing.T) {
	const text = "soft a/b T.F x2 // +marker\r\nsoft a/b U\r\n"
	file, found := read(text)
	if len(found) > 0 || len(file.Entries) != 2 || file.Entries[0].Text != "+marker" || file.Entries[1].Place.Name != "U" {
		t.Fatal(file.Entries, found)
	}
	out := string(baseline.Format(file.Entries, []byte(text)))
	if lines := strings.Count(out, "\r\n"); lines != strings.Count(out, "\n") || !strings.HasSuffix(out, text) {
		t.Errorf("%q", out)
	}
}

// goSource is a file with a finding at each X.
const goSource = `// Package p, aX.
package p

import "bX"

// T is cX.
//
//+marker  dX

// T again.
type T struct { // eX
	// +marker fX
	A, B int ` + "`json:\"gX\"`" + ` // hX
	/* iX
	   second   line jX */
	Inner struct {
		*other.Embedded[int] // kX
		// lX
	}
	// mX
}

type (
	// nX
	U = []struct{ Deep map[string]struct{ V int /* oX */ } }
	I interface {
		M(pX int)
	}
)

// qX
const C, D = 1, 2 // rX

func (t *T[int]) F() { _ = "sX" }
// tX
`

// TestDeclarations names positions in Go by their declarations: each belongs to the declaration behind it, unless it is
// in one.
func TestDeclarations(t *testing.T) {
	want := strings.Split(`aX: package // Package p, aX.
bX: package
cX: T // T is cX.
dX: T // +marker dX
eX: T.A,B // eX
fX: T.A,B // +marker fX
gX: T.A,B
hX: T.A,B // hX
iX: T.Inner // iX
jX: T.Inner // second line jX
kX: T.Inner.Embedded // kX
lX: T.Inner // lX
mX: T // mX
nX: U // nX
oX: U.Deep // oX
pX: I.M
qX: C,D // qX
rX: C,D // rX
sX: T.F
tX: package // tX`, "\n")
	src := &diag.Source{Path: "/x/p.go", Data: []byte(goSource), Package: "example.com/p"}
	for _, line := range want {
		mark, name, _ := strings.Cut(line, ": ")
		at := strings.Index(goSource, mark)
		got := recorded("/x", diag.Warningf(diag.At(src, at, at+1), table[0], "m"))
		if len(got) != 1 || got[0].String() != "soft example.com/p "+name {
			t.Errorf("%s: got %v, want %s", mark, got, name)
		}
	}
}

// recorded returns the entries of findings.
func recorded(dir string, found ...diag.Diagnostic) []baseline.Entry {
	r := baseline.NewRecord(dir)
	r.Settle(found, func(string, string) bool { return true })
	return r.Written(nil)
}

// TestCounts knows as many findings of a kind as an entry counts, by their order, and the use of a declaration in
// another one by both.
func TestCounts(t *testing.T) {
	src := &diag.Source{Path: "/x/a.yaml", Data: []byte("metadata: {name: w}\nspec: {a: 1}\n")}
	at := func(start int) diag.Diagnostic { return diag.Warningf(diag.At(src, start, start+1), table[0], "m") }
	user := at(28)
	user.For = diag.At(src, 0, 1)
	entries := recorded("/x", at(28), at(29), user)
	if len(entries) != 2 || entries[0].Count != 2 || entries[1].String() != "soft a.yaml w.spec.a for a.yaml w.metadata" {
		t.Fatal(entries)
	}
	file, _ := read(string(baseline.Format(entries, nil)))
	fresh, known := baseline.NewKnown(file, "/x").Split([]diag.Diagnostic{at(28), at(29), at(30), user})
	if len(known) != 3 || len(fresh) != 1 || fresh[0].Span.Start != 30 {
		t.Error(fresh, known)
	}
}

// FuzzBaseline reads files, which must not panic: every mistake is a finding with a position. What is read is what is
// written.
func FuzzBaseline(f *testing.F) {
	for _, text := range []string{
		"", "# nothing\n", "soft a/b T.F\n", "soft a/b T for c U x12 // +a=\"b\"\r\n", "hard a b\n", "sofd a b\n", "soft",
		"soft a b x0", "soft a b x99999999999", "soft \"a b\" \"\\x00\" // // x", "soft \"a b", "soft a b for", "\ufeffsoft a b\n",
		"<<<<<<< a\nsoft a b\n||||||| c\n=======\n>>>>>>> d\n", "soft a b y", "soft a b x2\nsoft a b x3\n", "\xff\xfe s",
		"soft a b // \x1b[31m \xff", "\tsoft\ta\tb\tx2\t//\tt\t\n", "soft a b for x x2 x3 //",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		file, found := read(text)
		for _, d := range found {
			at := d.Span
			if at.Source != file.Source || at.Start < 0 || at.End < at.Start || int(at.End) > len(text) {
				t.Errorf("no position in the file: %s", d.Message)
			}
		}
		var out bytes.Buffer
		if err := diag.Text(&out, found, diag.TextOptions{Dir: filepath.Dir(file.Source.Path)}); err != nil {
			t.Error(err)
		}
		written := baseline.Format(file.Entries, nil)
		again, found := read(string(written))
		same := func(a, b baseline.Entry) bool { return a.Key == b.Key && a.Count == b.Count }
		if len(found) > 0 || !slices.EqualFunc(file.Entries, again.Entries, same) {
			t.Errorf("%v became %v: %v\n%s", file.Entries, again.Entries, found, written)
		}
	})
}
