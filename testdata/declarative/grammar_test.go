package main

import (
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/markers"
)

// A tagDoc is validation-gen's description of one of its tags.
type tagDoc struct {
	Tag    string
	Scopes []string
	Args   []struct {
		Name     string
		Type     string
		Required bool
	}
	Payloads           []struct{ Description string }
	PayloadsType       string
	PayloadsRequired   bool
	AcceptsUnknownArgs bool
}

func tagDocs(t *testing.T) []tagDoc {
	t.Helper()
	out, err := exec.Command("go", "tool", "validation-gen", "--docs").Output()
	if err != nil {
		t.Fatal(err)
	}
	var docs []tagDoc
	if err := json.Unmarshal(out, &docs); err != nil {
		t.Fatal(err)
	}
	if len(docs) < 40 {
		t.Fatalf("validation-gen has but %d tags", len(docs))
	}
	return docs
}

// row returns the row of a tag on a target, or nil.
func row(name string, target markers.Target) *markers.Definition {
	defs := markers.Known().Definitions()
	for i := range defs {
		if d := &defs[i]; d.Name == name && d.Targets&target != 0 {
			return d
		}
	}
	return nil
}

// TestTableHasEveryTag compares the table of markers with validation-gen: it has exactly the same tags, on the same
// targets.
func TestTableHasEveryTag(t *testing.T) {
	scopes := []struct {
		name   string
		target markers.Target
	}{{"struct fields", markers.Field}, {"type definitions", markers.Type}, {"constant values", markers.Constant}}
	var names []string
	for _, doc := range tagDocs(t) {
		names = append(names, doc.Tag)
		for _, scope := range scopes {
			d := row(doc.Tag, scope.target)
			if has := d != nil && d.Forbidden == ""; has != slices.Contains(doc.Scopes, scope.name) {
				t.Errorf("%s on %s: table %t, validation-gen %t", doc.Tag, scope.name, has, !has)
			}
		}
	}
	for _, d := range markers.Known().Definitions() {
		if strings.HasPrefix(d.Name, "k8s:") && !slices.Contains(names, d.Name) && !isLater(d.Name) {
			t.Errorf("validation-gen has no tag %s", d.Name)
		}
	}
}

// isLater reports whether a tag or a format is one of validation-gen 0.38, and not yet of the version that is linked.
func isLater(name string) bool { return name == "k8s:eq" || name == "k8s-condition-reason" }

// TestRowsAcceptTagGrammar compares arguments, values and payloads with those that validation-gen accepts.
func TestRowsAcceptTagGrammar(t *testing.T) {
	for _, doc := range tagDocs(t) {
		var d *markers.Definition
		for _, target := range []markers.Target{markers.Type, markers.Field, markers.Constant} {
			if d == nil || d.Forbidden != "" {
				d = row(doc.Tag, target)
			}
		}
		if d == nil {
			t.Errorf("no row for %s", doc.Tag)
			continue
		}
		var want, got []string
		for _, a := range doc.Args {
			want = append(want, describe(a.Name, a.Type, a.Required, true))
		}
		if doc.PayloadsType != "" && doc.PayloadsType != "tag" {
			// For k8s:update it does not say that the value is required, but fails without one.
			want = append(want, describe("", doc.PayloadsType, doc.PayloadsRequired || doc.Tag == "k8s:update", false))
		}
		kinds := map[markers.Kind]string{markers.String: "string", markers.Int: "int", markers.Number: "int",
			markers.Any: "raw"}
		for _, p := range d.Params {
			got = append(got, describe(p.Name, kinds[p.Shape.Kind], !p.Optional, p.Positional || p.Name != ""))
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s takes %q, validation-gen's %q", doc.Tag, got, want)
		}
		if has := d.Step != markers.NoStep; has != (doc.PayloadsType == "tag") {
			t.Errorf("%s: a step is %t, validation-gen takes a payload of type %q", doc.Tag, has, doc.PayloadsType)
		}
		if doc.Tag == "k8s:format" {
			var formats []string
			for _, p := range doc.Payloads {
				formats = append(formats, p.Description)
			}
			known := slices.DeleteFunc(slices.Clone(d.Params[0].Values), isLater)
			if !slices.Equal(known, formats) {
				t.Errorf("k8s:format has %q, validation-gen's %q", known, formats)
			}
		}
	}
}

func describe(name, kind string, required, inParentheses bool) string {
	text := name + " " + kind
	if required {
		text += " required"
	}
	if inParentheses {
		text = "(" + text + ")"
	}
	return text
}
