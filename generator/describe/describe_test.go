package describe

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit/crd"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/size"
	"github.com/crdproof/crdproof/schema"
)

var (
	own     = &diag.Source{Path: "own.go", Package: "example.com/own"}
	foreign = &diag.Source{Path: "foreign.go", Package: "k8s.io/api/core/v1"}
)

func source() Source {
	return Source{
		Owns: func(at diag.Span) bool { return at.Source == own },
		Measure: func(c *schema.CRD) size.Sizes {
			return size.NewWeights().OfCRD(c, kube.Object(c), len(crd.Encode(c, crd.Options{})))
		},
	}
}

func text(s string, in *diag.Source) schema.Text { return schema.Text{V: s, At: diag.At(in, 0, 1)} }

// sample is a CRD of two versions that share a type, whose descriptions need every way of writing a text: folded,
// quoted, in a block, with escapes. One is the only keyword of its schema.
func sample() *schema.CRD {
	leaf := &schema.Schema{Description: text(strings.Repeat("a long word or two ", 12)+"end", foreign),
		Type: schema.Text{V: "string"}}
	shared := &schema.Schema{
		Type: schema.Text{V: "object"}, Description: text("- lines\nof <text>\n", foreign),
		Properties: []schema.Property{
			{Name: "leaf", Schema: leaf},
			{Name: "alone", Schema: &schema.Schema{Description: text("alone: in its \"schema\"", foreign)}},
			{Name: "list", Schema: &schema.Schema{Type: schema.Text{V: "array"}, Description: text("null", own),
				Items: leaf}},
			{Name: "map", Schema: &schema.Schema{Type: schema.Text{V: "object"}, Description: text("two\nlines", own),
				AdditionalProperties: leaf}},
		},
	}
	root := func(name string) *schema.Schema {
		return &schema.Schema{Type: schema.Text{V: "object"}, Description: text("Widget "+name+" is a widget.", own),
			Properties: []schema.Property{
				{Name: "spec", Schema: shared},
				{Name: "status", Schema: &schema.Schema{Type: schema.Text{V: "object"},
					Description: text("Status\u0085of it.", own)}},
			}}
	}
	return &schema.CRD{
		Group: schema.Text{V: "example.com"}, Kind: schema.Text{V: "Widget"}, Plural: schema.Text{V: "widgets"},
		Scope: schema.Text{V: "Namespaced"},
		Versions: []schema.Version{
			{Name: schema.Text{V: "v1"}, Served: true, Storage: true, Schema: root("v1")},
			{Name: schema.Text{V: "v2"}, Served: true, Schema: root("v2")},
		},
	}
}

// descriptions are the texts that are left, in the order of the walk.
func descriptions(c *schema.CRD) []string {
	var out []string
	for i := range c.Versions {
		schema.Walk(c.Versions[i].Schema, func(p *schema.Place) {
			if v := p.Schema.Description.V; v != "" {
				out = append(out, p.Field()+": "+v)
			}
		})
	}
	return out
}

// TestBudget tries every budget in bytes: the CRD fits, and would not fit with one description more. A larger budget
// keeps all that a smaller one keeps. The original CRD is unchanged.
func TestBudget(t *testing.T) {
	c, src := sample(), source()
	before := descriptions(c)
	whole := src.Measure(c)
	bare := src.Measure(without(c, func(*description) bool { return true }))
	all := candidates(c, src.Owns)
	last := -1
	for limit := bare.File - 1; limit <= whole.File; limit++ {
		out, found := fit(c, Budget{File: limit, Annotations: limit}, src)
		kept := descriptions(out)
		s := src.Measure(out)
		if limit < max(bare.File, bare.Annotations) {
			if !diag.HasErrors(found) || len(kept) > 0 {
				t.Errorf("%d bytes: %v, though even the bare CRD has %+v", limit, found, bare)
			}
			continue
		}
		if s.File > limit || s.Annotations > limit || diag.HasErrors(found) || len(kept) < last {
			t.Errorf("%d bytes: %+v with %d descriptions, %d with less: %v", limit, s, len(kept), last, found)
		}
		last = len(kept)
		if n := len(all) - len(kept); n > 0 {
			ranks := map[int]bool{}
			for _, each := range all[:n-1] {
				ranks[each.index] = true
			}
			more := src.Measure(without(c, func(d *description) bool { return ranks[d.index] }))
			if more.File <= limit && more.Annotations <= limit {
				t.Errorf("%d bytes: %d descriptions are left out, and one less would do: %+v", limit, n, more)
			}
		}
	}
	if last != len(before) || !slices.Equal(descriptions(c), before) {
		t.Errorf("the CRD itself has changed, or is not left as it is where it fits: %d of %d", last, len(before))
	}
}

// TestDescriptionBytes compares the computed bytes of each description with a measurement without it. They differ only
// if a schema has nothing else.
func TestDescriptionBytes(t *testing.T) {
	c, src := sample(), source()
	whole := src.Measure(c)
	for _, each := range candidates(c, src.Owns) {
		s := src.Measure(without(c, func(d *description) bool { return d.index == each.index }))
		file, json := whole.File-s.File-each.file, whole.JSON-s.JSON-each.json
		if alone := file == -len(" {}") && json == -len(","); (file != 0 || json != 0) && !alone {
			t.Errorf("description %d: the file is off by %d bytes, the JSON by %d", each.index, file, json)
		}
	}
}

// TestOrder shows which descriptions go first, and that the kind's own is the last to go.
func TestOrder(t *testing.T) {
	c, src := sample(), source()
	texts := descriptions(c)
	var got []string
	for _, each := range candidates(c, src.Owns)[:10] {
		got = append(got, fmt.Sprintf("%d %t %.12s", each.depth, each.own, texts[each.index]))
	}
	want := []string{
		"2 false spec.leaf: a", "2 false spec.list[]:", "2 false spec.map[*]:", "2 false spec.leaf: a",
		"2 false spec.list[]:", "2 false spec.map[*]:",
		"2 false spec.alone: ", "2 false spec.alone: ", "1 false spec: - line", "1 false spec: - line",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the order is\n%s", strings.Join(got, "\n"))
	}
	all := candidates(c, src.Owns)
	for _, each := range all[len(all)-2:] {
		if each.depth != 0 {
			t.Errorf("%q goes after the description of the kind", texts[each.index])
		}
	}
}

// TestUnchanged makes sure that schemas in which nothing is left out are shared.
func TestUnchanged(t *testing.T) {
	c := sample()
	out, _ := Reduce(c, Options{Packages: []string{"example.org/..."}}, source())
	if out.Versions[0].Schema != c.Versions[0].Schema {
		t.Error("a schema has been copied though nothing has been left out")
	}
}

// TestPatterns shows what patterns match, as with the go command.
func TestPatterns(t *testing.T) {
	for _, c := range []struct{ pattern, paths string }{
		{"k8s.io/api/...", "k8s.io/api/core/v1 k8s.io/api"},
		{"k8s.io/api", "k8s.io/api"},
		{"k8s.io/...", "k8s.io/api/core/v1 k8s.io/api k8s.io/apimachinery"},
		{".../v1", "k8s.io/api/core/v1"},
		{"...", "k8s.io/api/core/v1 k8s.io/api k8s.io/apimachinery xk8s.io/api"},
		{"k8s.io/apim...", "k8s.io/apimachinery"},
	} {
		var got []string
		for _, path := range []string{"k8s.io/api/core/v1", "k8s.io/api", "k8s.io/apimachinery", "xk8s.io/api", ""} {
			if compile([]string{c.pattern}).match(path, map[string]bool{}) {
				got = append(got, path)
			}
		}
		if strings.Join(got, " ") != c.paths {
			t.Errorf("%s matches %v", c.pattern, got)
		}
	}
	opts := Options{Packages: []string{"k8s.io/api", "k8s.io/api/core/v2", "example.com/own"}}
	_, report := Reduce(sample(), opts, source())
	if packages := slices.Sorted(maps.Keys(report.packages)); len(packages) != 2 {
		t.Errorf("the descriptions come from %v", packages)
	}
	var helps []string
	for _, d := range Findings(opts, []Report{report}) {
		helps = append(helps, d.HelpText)
	}
	want := []string{`did you mean "k8s.io/api/..."?`, `did you mean "k8s.io/api/core/v1"?`}
	if !slices.Equal(helps, want) {
		t.Errorf("the help is %q", helps)
	}
}
