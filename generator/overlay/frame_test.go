package overlay_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/overlay"
	"github.com/crdproof/crdproof/schema"
)

// An entry gives a label to some kinds, or to all; "null" removes it.
type entry struct{ kinds, value string }

func (e entry) String() string {
	if e.kinds == "" {
		return "- labels: {team: " + e.value + "}\n"
	}
	return "- {kind: [" + e.kinds + "], labels: {team: " + e.value + "}}\n"
}

// TestPrecedence applies random entries, one for all kinds and others for some kinds. The labels are those that the
// entries give one after the other. Without the entries that are reported, they are the same, and none of the rest can
// be removed.
func TestPrecedence(t *testing.T) {
	values := []string{"null", "red", "blue"}
	for seed := range uint64(3000) {
		random := rand.New(rand.NewPCG(seed, 1))
		value := func() string { return values[random.IntN(len(values))] }
		base := [3]string{value(), value(), value()}
		entries := []entry{{"A", value()}, {"", value()}, {"B, C", value()}}
		random.Shuffle(3, func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
		entries = entries[:1+random.IntN(3)]
		want := plain(base, entries)
		for {
			got, reported := carried(t, base, entries)
			if got != want {
				t.Fatalf("seed %d: %v becomes %v instead of %v with %v", seed, base, got, want, entries)
			}
			if len(reported) == 0 {
				break
			}
			entries = slices.DeleteFunc(entries, func(e entry) bool { return slices.Contains(reported, e) })
		}
		for i, e := range entries {
			if others := slices.Delete(slices.Clone(entries), i, i+1); plain(base, others) == want {
				t.Fatalf("seed %d: not reported: %s, from %v with %v", seed, e, base, entries)
			}
		}
	}
}

// plain is what the entries mean: those for all kinds first.
func plain(labels [3]string, entries []entry) [3]string {
	for _, isForAll := range []bool{true, false} {
		for _, e := range entries {
			for i, kind := range []string{"A", "B", "C"} {
				if (e.kinds == "") == isForAll && (isForAll || strings.Contains(e.kinds, kind)) {
					labels[i] = e.value
				}
			}
		}
	}
	return labels
}

// carried returns the labels of the three kinds with the entries of a file, and the entries that are reported.
func carried(t *testing.T, labels [3]string, entries []entry) (_ [3]string, reported []entry) {
	text := "crds:\n"
	for _, e := range entries {
		text += fmt.Sprint(e)
	}
	var files []*diag.Source
	if len(entries) > 0 {
		files = append(files, &diag.Source{Path: "overlay.yaml", Data: []byte(text)})
	}
	set, found := overlay.Read(files)
	if len(found) > 0 {
		t.Fatalf("%s:\n%s", found[0].Message, text)
	}
	run := set.Start("", nil)
	for i, kind := range []string{"A", "B", "C"} {
		c := &schema.CRD{Kind: schema.Text{V: kind}}
		if labels[i] != "null" {
			c.Labels = []schema.KeyValue{{Key: "team", Value: labels[i]}}
		}
		labels[i] = "null"
		if out := run.Apply(c, nil, true); len(out.Labels) > 0 {
			labels[i] = out.Labels[0].Value
		}
	}
	for _, d := range run.Findings() {
		line, _ := d.Span.Source.Position(int(d.Span.Start))
		reported = append(reported, entries[line-2])
	}
	return labels, reported
}

// FuzzRead reads any text as an overlay file. Every mistake has a place in it.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		"", "crds:", "crds: [a, {}, {kind: [], labels: {a: null}}]", "crds: [{conversion: {webhook: 1}}]",
		"a: 1\n---\n",
		"crds: [{kind: A, annotations: &a {b: c}}, {labels: *a}]", "{{ x }}", "crds:\n- shortNames: [1, a]\n  kind:\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		src := &diag.Source{Path: "overlay.yaml", Data: []byte(text)}
		set, found := overlay.Read([]*diag.Source{src})
		run := set.Start("b", nil)
		run.Apply(&schema.CRD{Kind: schema.Text{V: "A"}}, nil, true)
		for _, d := range append(found, run.Findings()...) {
			if d.Span.Source != src || d.Span.Start < 0 || int(d.Span.End) > len(text) {
				t.Errorf("no position in the file: %s", d.Message)
			}
		}
	})
}
