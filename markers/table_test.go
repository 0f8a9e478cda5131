package markers

import (
	"flag"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/checkdoc"
)

var update = flag.Bool("update", false, "rewrite the expected files")

// validate returns what is wrong with a list of definitions.
func validate(defs []Definition) []string {
	var faults []string
	seen := map[key]bool{}
	for _, d := range defs {
		fault := func(what string) { faults = append(faults, d.Name+": "+what) }
		if d.Name == "" || strings.ContainsAny(d.Name, "+= ") {
			fault("invalid name")
		}
		if d.Targets == 0 || d.Targets&^anywhere != 0 {
			fault("no target")
		}
		for _, target := range targets(d.Targets) {
			if seen[key{target, d.Name}] {
				fault("duplicate for a " + target.noun())
			}
			seen[key{target, d.Name}] = true
		}
		if !isProse(d.Doc) {
			fault("doc is not a sentence: " + d.Doc)
		}
		if !slices.Contains(Phases(), d.Phase) {
			fault("no phase")
		}
		for _, other := range []string{d.ItemsOf, d.Beside, d.SameAs} {
			if other != "" && !slices.ContainsFunc(defs, func(o Definition) bool { return o.Name == other }) {
				fault("unknown marker " + other)
			}
		}
		if d.Category == "" || d.Example == "" {
			fault("no category or no example")
		}
		var names []string
		for _, p := range d.Params {
			if slices.Contains(names, p.Name) && !d.IsCondition() ||
				p.Name == "" && len(d.Params) > 1 && d.Grammar != Tag {
				fault("argument " + p.Name + " is not unique")
			}
			if p.Name != "" && p.Doc == "" || (p.Shape.Kind == List || p.Shape.Kind == Map) != (p.Shape.Elem != nil) {
				fault("argument " + p.Name + " is incomplete")
			}
			names = append(names, p.Name)
		}
	}
	return faults
}

// isProse reports whether a text is one sentence, or two: a capital at the start, and a full stop at the end.
func isProse(s string) bool {
	return s != "" && unicode.IsUpper([]rune(s)[0]) && strings.HasSuffix(s, ".") && strings.Count(s, ". ") < 2
}

func TestDefinitionsAreComplete(t *testing.T) {
	for _, table := range []*Table{Known(), ControllerGen()} {
		for _, fault := range validate(table.Definitions()) {
			t.Error(fault)
		}
	}
	for _, r := range Checks() {
		if doc := checkdoc.Pages()[r.ID].Doc; !isProse(doc) {
			t.Errorf("%s: %s", r.ID, doc)
		}
	}
	// The test finds a row without a name, a duplicate, one whose documentation is a fragment, and one without a phase
	// that names a marker that does not exist.
	good := Definition{Name: "a", Targets: Field, Category: "x", Doc: "Does a thing.", Example: "+a"}
	nameless, fragment, alone := good, good, good
	nameless.Name = ""
	fragment.Name, fragment.Doc = "b", "the thing"
	alone.Name, alone.SameAs, alone.Phase = "c", "d", 100
	if faults := validate([]Definition{good, good, nameless, fragment, alone}); len(faults) != 5 {
		t.Errorf("found %q", faults)
	}
}

// TestExamplesWork parses the example of every row on each of the row's targets.
func TestExamplesWork(t *testing.T) {
	table := Known()
	for _, def := range table.Definitions() {
		text := "+" + strings.TrimPrefix(def.Example, "+")
		for _, target := range targets(def.Targets) {
			m, ok, diags := table.Parse(Comment{Text: text, At: diag.Span{Source: &diag.Source{}}}, target)
			found := table.Lookup(text, target) // of a chain Parse returns the last one's row
			if want := def.Forbidden == ""; ok != want || want && len(diags) > 0 || found.Name != def.Name ||
				len(m.Steps) == 0 && m.Def != found {
				t.Errorf("%s on a %s: %v %v", text, target.noun(), ok, diags)
			}
		}
	}
}
