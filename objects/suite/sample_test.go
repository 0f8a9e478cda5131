package suite_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/objects/sample"
	"github.com/crdproof/crdproof/schema/read"
)

// TestSampleCases runs the cases of objects/sample. Each is a txtar file whose comment says what it shows, with CRDs
// (crd.yaml), objects (objects.yaml), the stored objects for updates (old.yaml), and the expected answers (want). The
// comment may have a line such as "validation: Warn". testdata/conformance sends the same to a real API server.
func TestSampleCases(t *testing.T) {
	paths, err := filepath.Glob("../sample/testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) { runSampleCase(t, path) })
	}
}

func runSampleCase(t *testing.T, path string) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	opts := sample.Options{Validation: sample.Strict}
	if said := regexp.MustCompile(`(?m)^validation: (\w+)$`).FindSubmatch(archive.Comment); said != nil {
		opts.Validation = sample.Validation(said[1])
	}
	file := func(name string) *diag.Source {
		for i := range archive.Files {
			if archive.Files[i].Name == name {
				return &diag.Source{Path: name, Data: archive.Files[i].Data}
			}
		}
		return &diag.Source{Path: name, Data: []byte{}}
	}
	list, problems := crds.Read(t.Context(), []*diag.Source{file("crd.yaml")}, nil)
	objects, more := read.Objects(file("objects.yaml"))
	old, most := read.Objects(file("old.yaml"))
	if len(problems)+len(more)+len(most) > 0 {
		t.Fatal(problems, more, most)
	}
	catalog := sample.NewCatalog(list)
	var got bytes.Buffer
	for i := range objects {
		o, opts := &objects[i], opts
		for k := range old {
			if old[k].Name == o.Name {
				stored, problem := catalog.Stored(t.Context(), &old[k])
				if problem != nil {
					t.Fatal(problem)
				}
				opts.Old = stored
			}
		}
		answer, err := catalog.Validate(t.Context(), o, opts)
		if err != nil {
			t.Fatal(err)
		}
		outcome := [...]string{"ignored", "accepted", "rejected", "not validated"}[answer.Outcome]
		if answer.Webhook {
			outcome += " before the webhook"
		}
		fmt.Fprintf(&got, "%s %s\n", answer.Name, outcome)
		if err := diag.Text(&got, answer.Found, diag.TextOptions{Part: true}); err != nil {
			t.Fatal(err)
		}
	}
	if *update {
		archive.Files = without(archive.Files, "want")
		archive.Files = append(archive.Files, txtar.File{Name: "want", Data: got.Bytes()})
		if err := os.WriteFile(path, txtar.Format(archive), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want := file("want"); !bytes.Equal(want.Data, got.Bytes()) {
		t.Errorf("got\n%s", got.Bytes())
	}
}

func without(files []txtar.File, name string) (out []txtar.File) {
	for _, f := range files {
		if f.Name != name {
			out = append(out, f)
		}
	}
	return out
}
