package apply

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/generator/lower/internal/flatten"
	"github.com/crdproof/crdproof/generator/lower/internal/node"
	"github.com/crdproof/crdproof/generator/lower/internal/options"
	"github.com/crdproof/crdproof/generator/lower/internal/read"
	"github.com/crdproof/crdproof/generator/lower/internal/report"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/schema"
)

// TestOwnMarkersNeverLoosen applies each marker of our own together with controller-gen's marker for the same keyword,
// which is tighter or looser, in both orders. The result must satisfy both.
func TestOwnMarkersNeverLoosen(t *testing.T) {
	ap := newTestApplier(t)
	ap.meanings["crdproof:port"] = meaning{jsonType: "number",
		apply: func(ap Applier, n *node.Node, m *markers.Marker, _ node.Target) {
			ap.require(n, m, &schema.Schema{Minimum: &schema.Number{V: "1"}, Maximum: &schema.Number{V: "65535"}})
		}}
	rows := []markers.Marker{{Def: &markers.Definition{Name: "crdproof:port", Own: true}}}
	for _, d := range markers.Known().Definitions() {
		isRow := d.Own && d.Forbidden == "" && d.Constants == markers.NoConstants && ap.meanings[d.Name].apply != nil
		if isRow && strings.HasPrefix(d.Example, "+") {
			rows = append(rows, parseMarker(t, d.Example, d.Targets)...)
		}
	}
	tried := map[string]bool{}
	for i := range rows {
		own := &rows[i]
		for _, name := range ap.applied(own).Tightened {
			k := schema.KeywordOf(name)
			for _, other := range ap.others(t, k, own) {
				tried[own.Def.Name+" "+name] = true
				ap.checkOrders(t, k, own, &other)
			}
		}
	}
	want := []string{
		"crdproof:percent pattern", "crdproof:port maximum", "crdproof:port minimum", "k8s:format maxLength",
		"k8s:format pattern", "k8s:maxBytes maxLength", "k8s:maxItems maxItems", "k8s:maxLength maxLength",
		"k8s:maxProperties maxProperties", "k8s:maximum maximum", "k8s:minItems minItems", "k8s:minLength minLength",
		"k8s:minProperties minProperties", "k8s:minimum minimum",
	}
	if got := slices.Sorted(maps.Keys(tried)); !slices.Equal(got, want) {
		t.Errorf("tried %q, want %q", got, want)
	}
}

// newTestApplier returns an applier of a program without declarations.
func newTestApplier(t *testing.T) Applier {
	t.Helper()
	r := report.New(t.Context(), &load.Program{}, options.Options{})
	return New(r, read.New(r), flatten.New(r))
}

// parseMarker returns the marker that a line is, or none if the line is for another target.
func parseMarker(t *testing.T, line string, target markers.Target) []markers.Marker {
	t.Helper()
	for _, one := range []markers.Target{markers.Type, markers.Field} {
		if target&one == 0 {
			continue
		}
		at := diag.Span{Source: &diag.Source{Path: "api.go", Data: []byte(line)}, End: int32(len(line))}
		m, ok, diags := markers.Known().Parse(markers.Comment{Text: line, At: at}, one)
		if !ok || len(diags) > 0 {
			t.Fatalf("%s: %v", line, diags)
		}
		return []markers.Marker{m}
	}
	return nil
}

// applied returns a node with markers, which are for one JSON type.
func (ap Applier) applied(marks ...*markers.Marker) *node.Node {
	jsonType := ""
	for _, m := range marks {
		if own := ap.meaning(m).jsonType; own != "" {
			jsonType = own
		}
	}
	n := node.OfType(jsonType)
	var list []markers.Marker
	for _, m := range marks {
		list = append(list, *m)
	}
	ap.Apply(n, list, node.Target{Decl: &load.TypeDecl{Name: "T", Pkg: &load.Package{}}})
	return n
}

// others are controller-gen's markers for a keyword, with values that are tighter and looser than that of a marker.
func (ap Applier) others(t *testing.T, k *schema.Keyword, own *markers.Marker) []markers.Marker {
	t.Helper()
	var values []string
	if bound := k.Bound(&ap.applied(own).Own); bound != nil {
		n, err := strconv.Atoi(bound.V)
		if err != nil {
			t.Fatal(err)
		}
		values = []string{strconv.Itoa(n + 1), strconv.Itoa(max(n-1, 0))}
	} else if k.Name == "pattern" {
		values = []string{"`^[a-f]+%?$`"}
	}
	var out []markers.Marker
	for _, v := range values {
		out = append(out, parseMarker(t, "+"+k.Marker+"="+v, markers.Field)...)
	}
	return out
}

// checkOrders applies two markers in both orders, and one of them on both sides of the other.
func (ap Applier) checkOrders(t *testing.T, k *schema.Keyword, own, other *markers.Marker) {
	t.Helper()
	orders := [][]*markers.Marker{{own, other}, {other, own}, {other, own, other}}
	for i, order := range orders {
		for _, eachAlone := range []bool{false, true} { // which leaves the order of the phases aside
			n := ap.applied(order...)
			if eachAlone {
				n = ap.applied(order[0])
				for _, m := range order[1:] {
					ap.Apply(n, []markers.Marker{*m}, node.Target{Decl: &load.TypeDecl{Name: "T",
						Pkg: &load.Package{}}})
				}
			}
			for _, m := range []*markers.Marker{own, other} {
				if alone := ap.applied(m); !demands(k, &n.Own, &alone.Own) {
					t.Errorf("%s and %s, order %d: %s does not satisfy %s", own.Def.Name, other.At.Text(), i, k.Name,
						m.Def.Name)
				}
			}
		}
	}
}

// demands reports whether a schema requires a keyword at least as tight as another one, in itself or in allOf.
func demands(k *schema.Keyword, s, least *schema.Schema) bool {
	if a, b := k.Bound(s), k.Bound(least); a != nil && b != nil {
		order := schema.CompareNumbers(a.V, b.V)
		return order == 0 || (order > 0) == (k.Merge == schema.MergeLargest)
	}
	text := func(s *schema.Schema) string { return fmt.Sprint(s.Pattern.V) }
	return text(s) == text(least) ||
		slices.ContainsFunc(s.AllOf, func(s *schema.Schema) bool { return text(s) == text(least) })
}
