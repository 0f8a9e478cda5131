package diff_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/objects/diff"
	"github.com/crdproof/crdproof/objects/write"
	"github.com/crdproof/crdproof/rules/kube"
)

var update = flag.Bool("update", false, "rewrite what the cases expect")

// frame is the CRD around a schema of spec. A case may have a whole CRD instead.
const frame = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec:
  group: example.com
  names: {kind: Thing, listKind: ThingList, plural: things, singular: thing}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
`

// TestCases compares the CRDs of each case. A case is a txtar file with old, new and want.
func TestCases(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			parts := map[string]string{}
			for _, f := range archive.Files {
				parts[f.Name] = string(f.Data)
			}
			old, now := crd(t, parts["old"]), crd(t, parts["new"])
			c, err := diff.Compare(context.Background(), old, now, kube.Range{})
			if err != nil {
				t.Fatal(err)
			}
			diff.RunSuites(t, c, now)
			got := describe(c)
			for i := range archive.Files {
				if f := &archive.Files[i]; f.Name == "want" && string(f.Data) != got {
					if !*update {
						t.Errorf("got\n%s\nwant\n%s", got, f.Data)
						continue
					}
					f.Data = []byte(got)
					if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
						t.Fatal(err)
					}
				}
			}
		})
	}
}

// crd reads a CRD, or the schema of its spec, which must be valid.
func crd(t *testing.T, text string) crds.CRD {
	t.Helper()
	if !strings.HasPrefix(text, "apiVersion:") {
		var out strings.Builder
		out.WriteString(frame)
		for line := range strings.Lines(text) {
			out.WriteString("            " + line)
		}
		text = out.String()
	}
	src := &diag.Source{Path: "crd.yaml", Data: []byte(text), Syntax: diag.YAML}
	list, found := crds.Read(context.Background(), []*diag.Source{src}, nil)
	if len(list) != 1 {
		t.Fatal(found)
	}
	if _, err := write.New(context.Background(), list[0].Object); err != nil {
		t.Fatalf("%v: %+v", err, err.(*write.Rejected).Reasons)
	}
	return list[0]
}

// describe is a comparison as text.
func describe(c *diff.Comparison) string {
	var out strings.Builder
	for _, q := range diff.Questions() {
		fmt.Fprintf(&out, "%s: %s\n", q, c.Answer(q))
	}
	text := func(object map[string]any, part string) string {
		data, err := json.Marshal(object[part])
		if err != nil {
			return err.Error()
		}
		return string(data)
	}
	for _, change := range c.Changes {
		fmt.Fprintf(&out, "\n%s: %s\n", change.Path, change.Message)
		part := "spec"
		if strings.HasPrefix(change.Path, "metadata.") {
			part = "metadata"
		}
		for _, f := range change.Findings {
			fmt.Fprintf(&out, "  %s: %s (%s) %s\n", f.Question, f.Answer, f.Class, f.Reason)
			if w := f.Witness; w != nil {
				fmt.Fprintf(&out, "    create %s\n", text(w.Object, part))
				if w.Update != nil {
					fmt.Fprintf(&out, "    update %s\n", text(w.Update, part))
				}
				fmt.Fprintf(&out, "    old: %s\n    new: %s\n", w.Old, w.New)
			}
		}
		if change.Help != "" {
			fmt.Fprintf(&out, "  help: %s\n", change.Help)
		}
	}
	for _, a := range c.Additions {
		fmt.Fprintf(&out, "\n+ %s: %s\n", a.Path, a.Message)
	}
	return out.String()
}
