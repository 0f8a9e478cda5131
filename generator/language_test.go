package generator_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A word is one that plain English does without, and what to write instead.
type word struct{ pattern, instead string }

// avoided are words of translations and of our own, for which the field has others.
var avoided = []word{
	{`(is|are|was|were|be|been) told|sa(y|ys|id) of\b`, "reported; says about"},
	{`mend(s|ed|ing)?`, "fix"},
	{`stands?|stood`, "is, appears"},
	{`(somebody|someone) else's|other people's`, "imported; of other modules"},
	{`the house`, "architecture"},
	{`(is|are|was|were) (no|none)|there (is|are) none`, "is not a; invalid"},
	{`that there (is|are) not|knows? no`, "undeclared; unknown"},
	{`speaks? of|spoke[n]? of`, "refers to; names"},
	{`shall`, "must; should"},
	{`dear(er|est)?`, "expensive"},
	{`h[oe]lds? (it |them |[A-Za-z']+ ){0,4}against`, "compare, check"},
	{`puts? to (the|an) API server`, "validated by the API server's code"},
	{`from (below|above)`, "bottom-up; top-down"},
	{`refus(e|es|ed|ing|al|als)`, "reject"},
	{`pass(es|ed|ing)? over`, "skip; ignore"},
	{`prove[sdn]?|proving|proofs?`, "validate; validation"},
	{`the repairs?`, "the fix"},
	{`small letters?`, "lowercase letters"},
	{`word for word|to the letter`, "verbatim; identical"},
	{`as (many|few) [a-z]+ as it takes`, "until"},
	{`permitted by no`, "not an enum value"},
	{`kept (from|by)`, "drops; retains"},
	{`nobody|somebody`, "say who or what"},
	{`of which`, "use two sentences"},
	{`who comes? from`, "if you come from"},
	{`nothing but`, "only"},
	{`all the same`, "anyway"},
	{`misspelt`, "misspelled"},
	{`rule ids?|diagnostic codes?`, "check"},
}

// ordinary are the replacements of rows that are plain in comments, such as "nil if there is none" or "0 stands for
// 50".
var ordinary = []string{"is, appears", "is not a; invalid", "use two sentences"}

// compiledWords is one expression for all words except those whose row has one of the given replacements.
func compiledWords(except ...string) *regexp.Regexp {
	var all []string
	for _, w := range avoided {
		if !slices.Contains(except, w.instead) {
			all = append(all, w.pattern)
		}
	}
	return regexp.MustCompile(`(?i)\b(` + strings.Join(all, "|") + `)\b`)
}

// TestLanguage looks for these words in the texts and the comments of the code, and in the documentation.
func TestLanguage(t *testing.T) {
	inTexts, inComments := compiledWords(), compiledWords(ordinary...)
	counts := map[string]int{}
	report := func(re *regexp.Regexp, where, text string) {
		for _, m := range re.FindAllString(text, -1) {
			counts[strings.ToLower(m)]++
			t.Errorf("%s: %q in %q", where, m, shorten(text, m))
		}
	}
	root := ".."
	for _, dir := range append(layers(), "server") {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.Name() == "testdata" {
				return filepath.SkipDir
			}
			if filepath.Ext(path) != ".go" || path == filepath.Join(root, "generator", "language_test.go") {
				return nil
			}
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, path, nil, parser.ParseComments)
			if err != nil {
				return err
			}
			for _, c := range file.Comments {
				report(inComments, fset.Position(c.Pos()).String(), quoted.ReplaceAllString(c.Text(), ""))
			}
			if file.Doc != nil {
				report(inTexts, path, file.Doc.Text())
			}
			if strings.HasSuffix(path, "_test.go") {
				return nil // the strings of tests are data: sources, objects, and the server's messages
			}
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.ImportSpec:
					return false
				case *ast.BasicLit:
					if n.Kind == token.STRING {
						text, err := strconv.Unquote(n.Value)
						if err == nil && !id.MatchString(text) {
							report(inTexts, fset.Position(n.Pos()).String(), text)
						}
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	pages, err := filepath.Glob("../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	helps, err := filepath.Glob("../cmd/crdproof/texts/*.txt")
	if err != nil || len(helps) == 0 {
		t.Fatal("no help of commands", err)
	}
	pages = append(append(pages, helps...), "../README.md", "../CHANGELOG.md", "../CONTRIBUTING.md", "../SECURITY.md")
	for _, page := range pages {
		data, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(code.ReplaceAllStringFunc(string(data), blank), "\n") {
			report(inTexts, page+":"+strconv.Itoa(i+1), line)
		}
	}
	t.Log(counts)
}

// quoted is what a comment quotes, such as a value in the files of cases, or the name of a file.
var quoted = regexp.MustCompile(`"[^"\n]*"|\S+\.yaml`)

// id matches ids of checks, keys of JSON and names of files, which do not change.
var id = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)+$|^json:"|^[a-z/]+\.yaml$`)

// code is what a page shows and links to: tools and types that have names of their own, and output, whose words come
// from the code.
var code = regexp.MustCompile("(?sm)^## [a-z-]+$|```.*?\n```|`[^`\n]*`|\\]\\([^)]*\\)|<!--.*?-->")

// blank leaves the line breaks of a text.
func blank(text string) string { return strings.Repeat("\n", strings.Count(text, "\n")) }

func shorten(text, word string) string {
	i := strings.Index(text, word)
	return text[max(0, i-40):min(len(text), i+len(word)+40)]
}
