package harness

import (
	"slices"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/testdata/conformance/answers"
)

// testHelpers compares helpers with the API server, on a few objects of the small modules of parity and of small CRDs,
// and on a few expressions. `make conformance-helpers` does so for all modules and more of both.
func testHelpers(t *testing.T, files []File) {
	const root = "../../.."
	crds, err := answers.SmallFiles()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if f.Repeats || strings.HasPrefix(f.Name, "gateway") && !strings.Contains(f.Name, "httproutes") {
			continue // one of the Gateway API's says what there is to say in half a minute
		}
		data, _, err := Fix(f.Data)
		if err != nil {
			t.Fatal(err)
		}
		crds = append(crds, answers.File{Name: f.Case + "/" + f.Name, Package: f.Case, Data: data})
	}
	program, kinds, rejections, err := answers.Compile(t.Context(), t.TempDir(), root, crds)
	if err != nil {
		t.Fatal(err)
	}
	checkRejections(t, rejections)
	t.Run("library", func(t *testing.T) {
		r, err := answers.Run(t.Context(), program, answers.Config{Kinds: kinds, Seed: 1, Objects: 4000})
		if err != nil {
			t.Fatal(err)
		}
		checkReport(t, r)
		checkShares(t, r.Objects(), r.Accepted, r.Objects()-r.Accepted)
	})
	t.Run("bodies", func(t *testing.T) {
		r, err := answers.RunBodies(t.Context(), program, answers.Config{Kinds: kinds, Seed: 3, Objects: 8000})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r.Findings[:min(5, len(r.Findings))] {
			t.Error(f)
		}
		t.Logf("%d bodies: %d accepted, %d invalid, %d not read, %d with warnings; %d differ", r.Bodies, r.Accepted, r.Invalid,
			r.Unread, r.Warned, len(r.Findings))
		checkShares(t, r.Bodies, r.Accepted, r.Invalid)
		checkShares(t, r.Bodies, r.Warned, r.Unread)
	})
	t.Run("server", func(t *testing.T) {
		small := slices.DeleteFunc(slices.Clone(kinds),
			func(k *answers.Kind) bool { return !strings.HasPrefix(k.Name, "crds/") })
		r, err := answers.RunSample(t.Context(), start(t), program, answers.Config{Kinds: small, Seed: 2, Objects: 20})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r.Findings {
			t.Error(f)
		}
		checkShares(t, r.Objects, r.Accepted, r.Rejected)
	})
	t.Run("expressions", func(t *testing.T) {
		r, err := answers.RunExpressions(t.Context(), t.TempDir(), root,
			answers.ExpressionConfig{Seed: 1, Expressions: 200, Objects: 40})
		if err != nil {
			t.Fatal(err)
		}
		checkRejections(t, r.Rejections)
		checkReport(t, &r.Report)
		if r.Rules < 150 {
			t.Errorf("there are %d expressions, and %d that the server does not compile", r.Rules, r.Discarded)
		}
	})
}

// checkShares makes sure that a run has objects of both kinds: if nearly all are rejected, or none, the comparison
// shows little.
func checkShares(t *testing.T, objects, accepted, rejected int) {
	t.Helper()
	if accepted*10 < objects || rejected*10 < objects {
		t.Errorf("of %d objects %d are accepted, %d rejected", objects, accepted, rejected)
	}
}

func checkRejections(t *testing.T, list []answers.Rejection) {
	t.Helper()
	for _, r := range list {
		t.Errorf("no helpers for %s: %s", r.File, strings.Join(r.Reason, "\n"))
	}
}

func checkReport(t *testing.T, r *answers.Report) {
	t.Helper()
	var text strings.Builder
	r.Summary(&text)
	t.Log(text.String())
	if len(r.Findings) > 0 {
		text.Reset()
		r.Details(&text, 5)
		t.Errorf("%d objects for which the helpers' answer differs\n%s", len(r.Findings), text.String())
	}
}
