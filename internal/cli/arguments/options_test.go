package arguments

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/markers"
)

// TestOptionsAreComplete makes sure that each option has a name of its own, a sentence, a setter, and a standard value
// that it may have.
func TestOptionsAreComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, o := range options() {
		if seen[o.Name] || o.set == nil || !o.Optional {
			t.Errorf("%s is a duplicate, required, or has no meaning", o.Name)
		}
		seen[o.Name] = true
		if !unicode.IsUpper([]rune(o.Doc)[0]) || !strings.HasSuffix(o.Doc, ".") {
			t.Errorf("%s: not a sentence: %s", o.Name, o.Doc)
		}
		for _, value := range []string{o.standard, o.underCompat} {
			if value != "" && len(o.Values) > 0 && !slices.Contains(o.Values, value) {
				t.Errorf("%s: %s is not one of %v", o.Name, value, o.Values)
			}
		}
	}
}

// TestTable parses options with the grammar of markers, among them the example of each row.
func TestTable(t *testing.T) {
	parse := func(text string) string {
		at := diag.At(&diag.Source{Data: []byte(text)}, 0, len(text))
		m, ok, problems := Table().Parse(markers.Comment{Text: text, At: at}, markers.Package)
		var out strings.Builder
		for _, d := range problems {
			fmt.Fprintf(&out, "%s: %s %v %s", d.Span.Text(), d.Message, d.Notes, d.HelpText)
		}
		if ok {
			out.WriteString(m.Def.Name)
		}
		for i := range m.Args {
			fmt.Fprintf(&out, " %s=%s", m.Args[i].Name, quoted(m.Args[i].Value))
		}
		return out.String()
	}
	for _, c := range [][2]string{
		{"+crd", "crd"},
		{"+crd:maxDescLen=0,generateEmbeddedObjectMeta=true,crdVersions=v1",
			`crd maxDescLen=0 generateEmbeddedObjectMeta=true crdVersions={"v1"}`},
		{"+paths=./api/...;./pkg/v1/...", `paths ={"./api/...","./pkg/v1/..."}`},
		{"+output:crd:artifacts:config=config/crd", `output:crd:artifacts config="config/crd"`},
		{"+crd:maxDescLength=0", `maxDescLength: unknown argument "maxDescLength" of crd [the arguments are ` +
			"crdVersions, maxDescLen, deprecatedV1beta1CompatibilityPreserveUnknownFields, omitToolVersion, " +
			"versionAnnotation, dropDescriptions, descDepth, maxSize, headerFile, year, allowDangerousTypes, " +
			"ignoreUnexportedFields, generateEmbeddedObjectMeta, compat, without, with, declarative, " +
			`declarativePrefix, declarativeFormats, overlay, mistakes, kube, unproved, ignore, fail and costShare] did you mean "maxDescLen"?`},
	} {
		if got := parse(c[0]); got != c[1] {
			t.Errorf("%s: got %s, want %s", c[0], got, c[1])
		}
	}
	for _, def := range Table().Definitions() {
		if got := parse("+" + def.Example); !strings.HasPrefix(got, def.Name) {
			t.Errorf("example %s: %s", def.Example, got)
		}
	}
}
