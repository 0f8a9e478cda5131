package diff

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/objects/internal/witness"
	"github.com/crdproof/crdproof/objects/write"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
)

// TestMinimal leaves out each part of each witness in turn: of those of the cases, and of random pairs. A smaller object
// must not be accepted by the old CRD and rejected by the new one with the same errors.
func TestMinimal(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	total := 0
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var sides []crds.CRD
		for _, f := range archive.Files {
			if f.Name == "old" || f.Name == "new" {
				sides = append(sides, caseCRD(t, string(f.Data)))
			}
		}
		total += checkMinimal(t, filepath.Base(file), sides[0], sides[1])
	}
	g := &pairMaker{Rand: rand.New(rand.NewPCG(*randomSeed, 11))}
	for n := 0; n < min(*randomPairs, 1000) && !(testing.Short() && n == 30); n++ {
		if before, after := g.pair(); isValid(t, before) && isValid(t, after) {
			total += checkMinimal(t, string(before.IR.At.Source.Data)+"---\n"+string(after.IR.At.Source.Data), before, after)
		}
	}
	if t.Logf("%d witnesses", total); total < 50 {
		t.Errorf("only %d witnesses", total)
	}
}

// caseCRD reads the CRD of a case, or the schema of its spec.
func caseCRD(t *testing.T, text string) crds.CRD {
	t.Helper()
	if !strings.HasPrefix(text, "apiVersion:") {
		text = specFrame + "            " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n            ") + "\n"
	}
	src := &diag.Source{Path: "crd.yaml", Data: []byte(text), Syntax: diag.YAML}
	list, found := crds.Read(context.Background(), []*diag.Source{src}, nil)
	if len(list) != 1 {
		t.Fatal(found)
	}
	return list[0]
}

const specFrame = `apiVersion: apiextensions.k8s.io/v1
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

// checkMinimal compares two CRDs, and checks the witnesses of rejected objects and updates.
func checkMinimal(t *testing.T, name string, before, after crds.CRD) (checked int) {
	t.Helper()
	c, err := Compare(t.Context(), before, after, kube.Range{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range c.Changes {
		for _, f := range c.Changes[i].Findings {
			w := f.Witness
			if w == nil || w.isRead || f.Question != Create && f.Question != Stored || f.Servers != (kube.Range{}) {
				continue
			}
			versions := func(crd crds.CRD) *witness.Side {
				return &witness.Side{CRD: crd, Version: versionsOf(crd.IR)[w.Version], Minor: kube.Latest()}
			}
			p := prober{witness.NewSearch(versions(before), witness.NewBuilder(witness.NewWork(t.Context()),
				versions(before).Version.Schema, versions(after).Version.Schema)), versions(after)}
			all, ok := p.errors(w.Object, w.Update, w.Status, nil)
			first, _ := p.errors(w.Object, nil, false, nil)
			if !ok {
				t.Errorf("%s: %s: the witness shows nothing: %s", name, c.Changes[i].Message, witness.JSON(w.Object))
				continue
			}
			checked++
			for _, at := range partsOf(w.Object) {
				if c.Changes[i].Path == fieldOf(at) { // what is shown
					continue
				}
				object, update := witness.Removed(w.Object, at), w.Update
				if value, has := at.In(update); has {
					if was, _ := at.In(w.Object); witness.JSON(was) != witness.JSON(value) {
						continue // it is what is updated
					}
					update = witness.Removed(update, at)
				}
				if smaller, ok := p.errors(object, update, w.Status, first); ok && len(smaller) == len(all) && hasAll(smaller, all) {
					t.Errorf("%s\n%s: %s: %s can be left out of %s, %s", name, c.Changes[i].Message, f.Question, at,
						witness.JSON(w.Object), witness.JSON(w.Update))
				}
			}
		}
	}
	return checked
}

// fieldOf returns a path without the indexes of items.
func fieldOf(at schema.Path) string {
	return regexp.MustCompile(`\[\d+\]`).ReplaceAllString(at.String(), "[]")
}

// hasAll reports whether errors are the same ones as others.
func hasAll(errs, others field.ErrorList) bool {
	return !slices.ContainsFunc(others, func(err *field.Error) bool {
		return !slices.ContainsFunc(errs, func(e *field.Error) bool {
			return e.Type == err.Type && e.Field == err.Field && e.Detail == err.Detail
		})
	})
}

// A prober writes objects to both CRDs.
type prober struct {
	*witness.Search
	now *witness.Side
}

// errors returns the errors of the new CRD about an object, or about its update, that the old one accepts. The first
// errors are those that the new one must have about the object that is updated.
func (p prober) errors(object, update map[string]any, isStatus bool, first field.ErrorList) (field.ErrorList, bool) {
	created := p.Write(p.Accept, object, true)
	if created.Rejection != nil {
		return nil, false
	}
	if update == nil {
		answer := p.Write(p.now, object, false)
		return answer.Errors, answer.Rejection != nil
	}
	if !hasAll(p.Write(p.now, object, false).Errors, first) {
		return nil, false // the update is what violates the new CRD
	}
	req := write.Request{Old: created.Stored, Status: isStatus}
	if p.Send(p.Accept, update, req).Rejection != nil {
		return nil, false
	}
	answer := p.Send(p.now, update, req)
	return answer.Errors, answer.Rejection != nil
}

// partsOf are the paths of all parts of an object but what every object has.
func partsOf(object map[string]any) (out []schema.Path) {
	var visit func(value any, at schema.Path)
	visit = func(value any, at schema.Path) {
		switch value := value.(type) {
		case map[string]any:
			for _, name := range keysOf(value) {
				path := at.Then(schema.Key(name))
				if len(at) > 0 || !slices.Contains(metaFields, name) {
					out = append(out, path)
					visit(value[name], path)
				}
			}
		case []any:
			for i := range value {
				out = append(out, at.Then(schema.Item(i)))
				visit(value[i], at.Then(schema.Item(i)))
			}
		}
	}
	visit(object, nil)
	return out
}
