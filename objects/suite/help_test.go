package suite_test

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/objects/sample"
	"github.com/crdproof/crdproof/objects/suite"
	"github.com/crdproof/crdproof/schema/read"
)

// The forms of a help that can be followed literally in YAML. A help joins alternatives by ", or ".
var (
	// The text replaces what is underlined.
	replaceBy = regexp.MustCompile(`^(?:did you mean "([^"]+)"\?|write ([^ ]+)|(?:put|write) it in quotes: (".*"))$`)
	// The text replaces the line of the key.
	writeLine = regexp.MustCompile(`^write (\w+: \S+)$`)
	// The text is added above the line.
	addLine = regexp.MustCompile(`^add (\w+: \S+)$`)
	// The text is added after the underlined key.
	addAfter = regexp.MustCompile(`^add (\S+) after \w+:$`)
	// The underlined key is removed with its value.
	removeKey = regexp.MustCompile(`^remove it(?:$|[:,])`)
)

// onlyAfter is the note of errors that hide others.
const onlyAfter = "the API server checks some rules only after this is fixed"

// follow returns the text after one alternative of a help, and false for a help that leaves a choice.
func follow(at diag.Span, help string) (string, bool) {
	text, start, end := string(at.Source.Data), int(at.Start), int(at.End)
	replaced := func(start, end int, by string) (string, bool) { return text[:start] + by + text[end:], true }
	line := strings.LastIndexByte(text[:start], '\n') + 1
	indent := func(line string) int { return len(line) - len(strings.TrimLeft(line, " -")) }
	if m := writeLine.FindStringSubmatch(help); m != nil {
		key, _, _ := strings.Cut(m[1], " ")
		from := strings.LastIndex("\n"+text[:end], "\n"+key)
		return replaced(from, from+strings.IndexByte(text[from:], '\n'), m[1])
	}
	if m := replaceBy.FindStringSubmatch(help); m != nil {
		return replaced(start, end, m[1]+m[2]+m[3])
	}
	if m := addLine.FindStringSubmatch(help); m != nil {
		return replaced(line, line, strings.Repeat(" ", start-line)+m[1]+"\n")
	}
	if m := addAfter.FindStringSubmatch(help); m != nil {
		return replaced(end+1, end+1, " "+m[1])
	}
	if removeKey.MatchString(help) {
		last := line
		for i, l := range strings.SplitAfter(text[line:], "\n") {
			if i > 0 && (l == "---\n" || indent(l) <= indent(text[line:])) {
				break
			}
			last += len(l)
		}
		return replaced(line, last, "")
	}
	return "", false
}

// TestHelp follows each help of the cases that shows what to write. The finding must then be gone, without a new one.
func TestHelp(t *testing.T) {
	followed, left := 0, map[string]int{}
	check := func(name string, src *diag.Source, find func(*diag.Source) []diag.Diagnostic) {
		first := find(src)
		before := count(first)
		for _, d := range first {
			if d.Span.Source != src {
				continue
			}
			any := false
			for help := range strings.SplitSeq(d.HelpText, ", or ") {
				text, ok := follow(d.Span, help)
				if !ok {
					continue
				}
				any = true
				after := count(find(&diag.Source{Path: src.Path, Data: []byte(text)}))
				if key := d.Check + ": " + d.Message; after[key] >= before[key] {
					t.Errorf("%s: %s\nhelp: %s\nit is still there", name, key, help)
				}
				for key, n := range after {
					isCheck := !strings.Contains(key, " ") // messages may change with the value
					if isCheck && n > before[key] && !slices.Contains(d.Notes, onlyAfter) {
						t.Errorf("%s: %s: %s\nhelp: %s\nnew: %s", name, d.Check, d.Message, help, key)
					}
				}
			}
			switch {
			case any:
				followed++
			case d.HelpText != "":
				left[d.HelpText]++
			}
		}
	}
	paths, err := filepath.Glob("../sample/testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		files := parseArchive(t, path)
		list, _ := crds.Read(t.Context(), []*diag.Source{files["crd.yaml"]}, nil)
		check(path, files["objects.yaml"], func(src *diag.Source) []diag.Diagnostic { return answer(t, list, src) })
	}
	files := parseArchive(t, "../../testdata/script/test_errors.txtar")
	dir := folder(t, map[string]string{"widgets.yaml": string(files["widgets.yaml"].Data)})
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if filepath.Dir(name) != "suites" && !bytes.HasPrefix(files[name].Data, []byte("crdName:")) {
			continue
		}
		check(name, files[name], func(src *diag.Source) []diag.Diagnostic {
			s, found := suite.Parse(src)
			if s == nil || diag.HasErrors(found) {
				return found
			}
			where := crds.Where{Files: []string{filepath.Join(dir, "widgets.yaml")}}
			return append(found, suite.Run(t.Context(), []*suite.Suite{s}, suite.Options{Where: where}).Findings()...)
		})
	}
	t.Logf("%d helps were followed; these leave a choice:", followed)
	for _, h := range slices.Sorted(maps.Keys(left)) {
		t.Logf("%d %s", left[h], h)
	}
}

// answer returns the findings about the objects of a file.
func answer(t *testing.T, list []crds.CRD, src *diag.Source) (found []diag.Diagnostic) {
	catalog := sample.NewCatalog(list)
	objects, found := read.Objects(src)
	for i := range objects {
		answer, err := catalog.Validate(t.Context(), &objects[i], sample.Options{Validation: sample.Strict})
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, answer.Found...)
	}
	return found
}

func parseArchive(t *testing.T, path string) map[string]*diag.Source {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]*diag.Source{}
	for _, f := range txtar.Parse(data).Files {
		out[f.Name] = &diag.Source{Path: f.Name, Data: f.Data}
	}
	return out
}

// count counts findings by their check, and by their check and message.
func count(list []diag.Diagnostic) map[string]int {
	out := map[string]int{}
	for _, d := range list {
		out[d.Check]++
		out[d.Check+": "+d.Message]++
	}
	return out
}
