// Package difftest compares what an edit of CRDs changes with the effect that a help declares for it. Only tests use
// it. The package carries no promise, and may change in any release: see docs/stability.md.
package difftest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/objects/diff"
	"github.com/crdproof/crdproof/objects/internal/witness"
	"github.com/crdproof/crdproof/objects/internal/witnesstest"
	"github.com/crdproof/crdproof/objects/write"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
)

// randomObjects is how many random objects each version of both CRDs is asked about.
const randomObjects = 40

// Read reads the CRDs of a file.
func Read(t testing.TB, src *diag.Source) []crds.CRD {
	t.Helper()
	list, _ := crds.Read(t.Context(), []*diag.Source{src}, nil)
	return list
}

// Compare says what is wrong with the effect that is declared for an edit, "" if nothing is. Only CRDs that are valid
// before and after it, under one name, are compared. An answer that is not known counts as a change, unless the edit is
// one of a rule: the package that suggests rules compares those, and here only random objects do.
func Compare(t testing.TB, before, after []crds.CRD, check string, declared diag.Effect) string {
	t.Helper()
	ofRule := slices.Contains([]string{"cel-absent", "cel-never", "cel-overload", "cel-text", "cel-unequal"}, check)
	var wrong []string
	changed := false
	for _, old := range before {
		i := slices.IndexFunc(after, func(c crds.CRD) bool { return c.Object.Name == old.Object.Name })
		if i < 0 || !isValid(t, old) || !isValid(t, after[i]) || sameJSON(old, after[i]) {
			continue
		}
		changed = true
		e := found{T: t, ofRule: ofRule}
		e.decide(old, after[i])
		e.attack(old, after[i])
		wrong = append(wrong, e.against(declared.Kind)...)
	}
	isCertain := declared.Kind != diag.NoEffect && declared.Kind != diag.AcceptsOther
	if !changed && isCertain && len(before) > 0 && isValid(t, before[0]) && len(after) > 0 {
		wrong = append(wrong, "it is declared that it "+declared.Kind.String()+", but the CRDs are the same")
	}
	return strings.Join(wrong, "\n")
}

func isValid(t testing.TB, crd crds.CRD) bool {
	t.Helper()
	reasons, err := kube.Verdict(t.Context(), crd.Object)
	return err == nil && len(reasons) == 0
}

func sameJSON(a, b crds.CRD) bool {
	x, errX := json.Marshal(a.Object)
	y, errY := json.Marshal(b.Object)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

// found is what differs between two CRDs.
type found struct {
	T      testing.TB
	ofRule bool
	diff.Shift
}

// decide asks the comparison of CRDs, in both directions.
func (f *found) decide(before, after crds.CRD) {
	var err error
	if f.Shift, err = diff.Observe(f.T.Context(), before, after, f.ofRule); err != nil {
		f.T.Fatal(err)
	}
}

// attack writes random objects to both CRDs.
func (f *found) attack(before, after crds.CRD) {
	ctx := f.T.Context()
	old, err := write.Accepted(before.Object)
	if err != nil {
		f.T.Fatal(err)
	}
	now, err := write.Accepted(after.Object)
	if err != nil {
		f.T.Fatal(err)
	}
	objects := witnesstest.New(rand.New(rand.NewPCG(1, 1)))
	for i := range before.IR.Versions {
		v := &before.IR.Versions[i]
		j := slices.IndexFunc(after.IR.Versions, func(w schema.Version) bool { return w.Name.V == v.Name.V })
		if j < 0 || !v.Served || v.Schema == nil || v.Schema.Property("spec") == nil {
			continue
		}
		w := witness.NewWork(ctx)
		first, second := v.Schema, after.IR.Versions[j].Schema
		builders := []*witness.Builder{witness.NewBuilder(w, first, second), witness.NewBuilder(w, second, first)}
		if second.Property("spec") == nil {
			continue
		}
		for n := range randomObjects {
			spec, ok := objects.Spec(builders[n%2], builders[1-n%2])
			if !ok {
				continue
			}
			object := map[string]any{"apiVersion": before.Object.Spec.Group + "/" + v.Name.V,
				"kind": before.Object.Spec.Names.Kind, "metadata": map[string]any{"name": "a"}, "spec": spec}
			f.send(old, now, witness.JSON(object))
		}
	}
}

// send writes an object to both CRDs.
func (f *found) send(old, now *write.Resource, object string) {
	var answers [2]write.Answer
	for i, r := range []*write.Resource{old, now} {
		var err error
		if answers[i], err = r.Write(f.T.Context(), write.Request{Object: []byte(object)}); err != nil {
			f.T.Fatal(err)
		}
	}
	switch x, y := answers[0].Rejection, answers[1].Rejection; {
	case x != nil && y == nil:
		f.More = object + " is accepted"
	case x == nil && y != nil:
		f.Less = fmt.Sprintf("%s is rejected: %v", object, y)
	case x == nil && witness.JSON(spec(answers[0])) != witness.JSON(spec(answers[1])):
		f.Other = fmt.Sprintf("%s is stored as %v", object, spec(answers[1]))
	}
}

func spec(a write.Answer) map[string]any {
	out, _ := a.Object["spec"].(map[string]any)
	return out
}

// against lists what contradicts an effect.
func (f *found) against(kind diag.EffectKind) (wrong []string) {
	for _, beyond := range f.Beyond(kind) {
		wrong = append(wrong, fmt.Sprintf("it is declared that it %s, but it %s", kind, beyond))
	}
	demand := func(what, why string) {
		if why == "" && !f.ofRule {
			wrong = append(wrong, fmt.Sprintf("it is declared that it %s, but it does not %s", kind, what))
		}
	}
	switch kind {
	case diag.AcceptsMore:
		demand("accept more", f.More)
	case diag.AcceptsLess:
		demand("accept less", f.Less)
	}
	return wrong
}
