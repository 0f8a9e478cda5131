package rules_test

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema/read"
)

// TestRecordedMinors compares the verdict for each version of Kubernetes, and the cost of each rule, with what the API
// server's code of that version answers to the same CRD. The answers were recorded by make minors ARGS='-record …'.
func TestRecordedMinors(t *testing.T) {
	files, err := filepath.Glob("../testdata/minors/recorded/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			want := answersOf(t, string(archive.Files[1].Data))
			var minors []kube.Minor
			for minor := range want {
				minors = append(minors, minor)
			}
			slices.Sort(minors)
			all := kube.Range{First: minors[0], Last: minors[len(minors)-1]}
			inRange := judge(t, archive.Files[0].Data, all, minors)
			for _, minor := range minors {
				one := judge(t, archive.Files[0].Data, kube.Range{First: minor, Last: minor}, []kube.Minor{minor})
				compareAnswers(t, minor.String(), one[minor], want[minor])
				for _, what := range slices.Sorted(maps.Keys(inRange[minor])) {
					// What some version of a range does not compile has no cost in any.
					if got := inRange[minor][what]; what != "verdict" && got != "-" && want[minor][what] != "" &&
						got != want[minor][what] {
						t.Errorf("%s of %s: %s: got %s, want %s", minor, all, what, got, want[minor][what])
					}
				}
			}
		})
	}
}

// compareAnswers reports what is not as recorded.
func compareAnswers(t *testing.T, of string, got, want map[string]string) {
	t.Helper()
	for _, what := range slices.Sorted(maps.Keys(want)) {
		if what != "verdict" && got[what] != want[what] {
			t.Errorf("%s: %s: got %q, want %q", of, what, got[what], want[what])
		}
	}
	if (got["verdict"] == accepts) != (want["verdict"] == accepts) {
		t.Errorf("%s: got %s, want %s", of, got["verdict"], want["verdict"])
	}
	for field := range strings.SplitSeq(want["verdict"], ",") { // crdproof explains more than a server says
		if !slices.Contains(strings.Split(got["verdict"], ","), field) {
			t.Errorf("%s: %s is not reported, but %s", of, field, got["verdict"])
		}
	}
}

// accepts is the verdict if there is no error.
const accepts = "accepts"

// answersOf reads lines such as "verdict 1.30..1.31=accepts 1.32..1.37=spec.names.plural" by version.
func answersOf(t *testing.T, text string) map[kube.Minor]map[string]string {
	t.Helper()
	out := map[kube.Minor]map[string]string{}
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		for _, field := range fields[1:] {
			versions, answer, _ := strings.Cut(field, "=")
			r, err := kube.ParseRange(versions)
			if err != nil {
				t.Fatal(err)
			}
			for minor := r.First; minor <= r.Last; minor++ {
				if out[minor] == nil {
					out[minor] = map[string]string{}
				}
				out[minor][fields[0]] = answer
			}
		}
	}
	return out
}

// judge is what crdproof answers for some versions of a range.
func judge(t *testing.T, crd []byte, versions kube.Range, minors []kube.Minor) map[kube.Minor]map[string]string {
	t.Helper()
	docs, found := read.Documents(&diag.Source{Path: "crd.yaml", Data: crd})
	if len(docs) != 1 {
		t.Fatal(found)
	}
	object, err := kube.Decode(docs[0].JSON)
	if err != nil {
		t.Fatal(err)
	}
	s := session.New(docs[0].CRD, object, session.Options{Kube: versions, ByVerdict: true})
	var fields []string
	for _, d := range append(found, rules.Check(t.Context(), s)...) {
		for _, path := range append([]string{d.Path}, d.AlsoPaths...) {
			if d.Severity == diag.Error && !slices.Contains(fields, path) {
				fields = append(fields, path)
			}
		}
	}
	slices.Sort(fields)
	out := map[kube.Minor]map[string]string{}
	for _, minor := range minors {
		out[minor] = map[string]string{"verdict": cmp.Or(strings.Join(fields, ","), accepts)}
		for _, v := range s.Versions {
			for _, r := range v.Rules() {
				out[minor][r.Path()+".rule"] = "-"
				if r.Source.MessageExpression.V != "" {
					out[minor][r.Path()+".messageExpression"] = "-"
				}
			}
			for _, e := range v.Estimates() {
				out[minor][e.Path()] = strconv.FormatUint(e.At(minor), 10)
			}
		}
	}
	return out
}
