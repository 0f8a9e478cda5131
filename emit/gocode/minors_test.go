package gocode_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crdproof/crdproof/internal/writetest"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
)

// TestMinors compares the errors of helpers for each minor with the recorded ones of the API server of that minor.
func TestMinors(t *testing.T) {
	all, err := writetest.ReadMinors("../../objects/write/testdata/minors.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	all = slices.DeleteFunc(all, func(m writetest.Minors) bool {
		crd := &apiext.CustomResourceDefinition{}
		return json.Unmarshal(m.CRD, crd) != nil || len(crd.Spec.Versions) > 1 // helpers do not convert
	})
	minors := []kube.Minor{}
	for minor := kube.Oldest; minor <= kube.Newest; minor++ {
		minors = append(minors, minor)
	}
	if testing.Short() {
		minors = []kube.Minor{kube.Oldest, kube.Newest} // they have all other texts
	}
	for _, minor := range minors {
		t.Run(minor.String(), func(t *testing.T) { compareMinor(t, all, minor) })
	}
}

// compareMinor compares the errors of helpers for a minor.
func compareMinor(t *testing.T, all []writetest.Minors, minor kube.Minor) {
	var crds []*schema.CRD
	for i, m := range all {
		crd := &apiext.CustomResourceDefinition{}
		if err := json.Unmarshal(m.CRD, crd); err != nil {
			t.Fatal(err)
		}
		crd.Spec.Names.Kind = fmt.Sprintf("Kind%d", i)
		data, err := json.Marshal(crd)
		if err != nil {
			t.Fatal(err)
		}
		crds = append(crds, parseCRDs(t, crd.Name, data)...)
	}
	p := start(t, crds, minor)
	compared := 0
	for i, m := range all {
		for _, w := range m.Writes {
			want, ok := answerOf(t, w, minor)
			if !ok {
				continue
			}
			kind := fmt.Sprintf("Kind%d", i)
			object, old := p.stored(t, kind, w.Object), p.stored(t, kind, w.Old)
			helper := kind + ".Validate"
			switch {
			case w.Status:
				helper += "StatusUpdate"
			case old != nil:
				helper += "Update"
			}
			got := slices.Compact(sorted(p.ask(t, helper, object, old).Errors))
			if compared++; !slices.Equal(got, sorted(want)) {
				t.Errorf("%s\nobject: %s\nold:    %s\ngot:\n\t%s\nwant:\n\t%s", crds[i].ObjectName(), object, old,
					strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
			}
		}
	}
	if compared < 80 {
		t.Errorf("only %d objects were compared", compared)
	}
}

// answerOf is what the server of a minor reports. It is false for an object that the server cannot read, or whose own
// metadata is invalid: helpers do not validate these.
func answerOf(t *testing.T, w writetest.MinorsWrite, minor kube.Minor) (errs []string, isOurs bool) {
	t.Helper()
	for _, a := range w.Answers {
		versions, err := kube.ParseRange(a.Kube)
		if err != nil {
			t.Fatal(err)
		}
		if minor < versions.First || minor > versions.Last {
			continue
		}
		for _, text := range a.Errors {
			typ, path, _ := strings.Cut(text, " ")
			if !strings.HasPrefix(typ, "FieldValue") || strings.HasPrefix(path, "metadata") {
				return nil, false
			}
		}
		return a.Errors, true
	}
	return nil, false
}

// stored is an object as it is before validation: pruned, and with defaults.
func (p *program) stored(t *testing.T, kind string, object json.RawMessage) []byte {
	t.Helper()
	if object == nil {
		return nil
	}
	pruned := p.ask(t, kind+".Prune", object, nil).Object
	return p.ask(t, kind+".Default", pruned, nil).Object
}
