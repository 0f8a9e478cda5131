package overlay_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit/crd"
	"github.com/crdproof/crdproof/generator/overlay"
	"github.com/crdproof/crdproof/schema"
	"github.com/crdproof/crdproof/schema/read"
)

// TestTranslate changes random CRDs at random, as scripts do. The file that Translate finds makes the same bytes, and
// has no finding.
func TestTranslate(t *testing.T) {
	rounds := uint64(2000)
	if testing.Short() {
		rounds = 150
	}
	places, entries := 0, 0
	for seed := range rounds {
		r := &randomCRDs{Rand: rand.New(rand.NewPCG(seed, 7))}
		var pairs []overlay.Pair
		for _, c := range r.crds() {
			pairs = append(pairs, overlay.Pair{Generated: c, Shipped: c})
		}
		for range 1 + r.IntN(6) {
			r.edit(pairs)
		}
		for i := range pairs {
			pairs[i].Shipped = reread(t, pairs[i].Shipped)
		}
		made := overlay.Translate(t.Context(), pairs)
		if len(made.Left) > 0 {
			t.Fatalf("seed %d: not expressed: %v\n%s", seed, made.Left, made.Data)
		}
		checkTranslation(t, fmt.Sprint("seed ", seed), pairs, made.Data)
		places, entries = places+made.Places, entries+made.Entries
	}
	t.Logf("%d entries for %d places", entries, places)
}

// checkTranslation compares what a file makes of the generated CRDs with what ships.
func checkTranslation(t *testing.T, name string, pairs []overlay.Pair, data []byte) {
	t.Helper()
	var files []*diag.Source
	if data != nil {
		files = append(files, &diag.Source{Path: "overlay.yaml", Data: data})
	}
	set, found := overlay.Read(files)
	run := set.Start("", nil)
	for _, p := range pairs {
		got := crd.Encode(run.Apply(p.Generated, nil, true), crd.Options{})
		if want := crd.Encode(p.Shipped, crd.Options{}); !bytes.Equal(got, want) {
			t.Errorf("%s: %s\nbecomes\n%s\ninstead of\n%s", name, data, got, want)
		}
	}
	for _, d := range append(found, run.Findings()...) {
		t.Errorf("%s: %s\n%s", name, d.Message, data)
	}
	if t.Failed() {
		t.FailNow()
	}
}

// reread returns a CRD as it is in a file.
func reread(t *testing.T, c *schema.CRD) *schema.CRD {
	t.Helper()
	documents, found := read.Documents(&diag.Source{Path: "crd.yaml", Data: crd.Encode(c, crd.Options{})})
	if len(found) > 0 || len(documents) != 1 {
		t.Fatal(found)
	}
	return documents[0].CRD
}

// randomCRDs makes CRDs whose schemas have Go types in common, and edits them.
type randomCRDs struct {
	*rand.Rand
	types []*schema.Schema
}

func (r *randomCRDs) crds() (out []*schema.CRD) {
	names := []string{"name", "size", "mode", "labels", "x.y"}
	for i := range 5 {
		s := &schema.Schema{GoType: &schema.GoType{Package: "example.com/api", Name: fmt.Sprint("T", i)}}
		s.Type.V, s.Description.V = "object", fmt.Sprintf("T%d is a type.\nIt has fields.", i)
		for _, name := range names {
			if r.IntN(2) > 0 {
				s.Properties = append(s.Properties, schema.Property{Name: name, Schema: r.field(i)})
				if r.IntN(3) == 0 {
					s.Required = append(s.Required, schema.Text{V: name})
				}
			}
		}
		slices.SortFunc(s.Required, func(a, b schema.Text) int { return bytes.Compare([]byte(a.V), []byte(b.V)) })
		r.types = append(r.types, s)
	}
	for i := range 1 + r.IntN(3) {
		c := &schema.CRD{Group: schema.Text{V: "example.com"}, Kind: schema.Text{V: fmt.Sprint("Kind", i)},
			Plural: schema.Text{V: fmt.Sprint("kinds", i)}, Scope: schema.Text{V: "Namespaced"}}
		c.ListKind.V, c.Singular.V, c.Name.V = c.Kind.V+"List", fmt.Sprint("kind", i), c.ObjectName()
		for _, version := range []string{"v1", "v2"}[r.IntN(2):] {
			root := &schema.Schema{Type: schema.Text{V: "object"}}
			root.Properties = []schema.Property{{Name: "spec", Schema: r.types[2+r.IntN(3)]},
				{Name: "status", Schema: r.types[1+r.IntN(3)]}}
			c.Versions = append(c.Versions, schema.Version{Name: schema.Text{V: version}, Served: true,
				Storage: version == "v2", Schema: root})
		}
		out = append(out, c)
	}
	return out
}

// field returns the schema of a field of the type with a number, which uses types with smaller ones.
func (r *randomCRDs) field(of int) *schema.Schema {
	s := &schema.Schema{Type: schema.Text{V: "string"}, Description: schema.Text{V: "It is a field."}}
	if of > 0 && r.IntN(2) == 0 {
		s = r.types[r.IntN(of)]
	} else if r.IntN(3) == 0 {
		s.MaxLength = &schema.Int{V: int64(10 * r.IntN(5))}
	}
	list := &schema.Schema{Type: schema.Text{V: "array"}, Items: s}
	switch r.IntN(4) {
	case 0:
		return list
	case 1:
		return &schema.Schema{Type: schema.Text{V: "object"}, AdditionalProperties: s}
	}
	return s
}

// edit edits what ships: one place, all places of a Go type, or all below a field.
func (r *randomCRDs) edit(pairs []overlay.Pair) {
	var places []*schema.Place
	for _, p := range pairs {
		for _, v := range p.Shipped.Versions {
			schema.Walk(v.Schema, func(p *schema.Place) { places = append(places, p) })
		}
	}
	chosen := places[r.IntN(len(places))]
	isChosen := func(_ int, p *schema.Place) bool { return p.Path() == chosen.Path() }
	switch pair := r.IntN(len(pairs)); r.IntN(5) {
	case 0:
		isChosen = func(i int, p *schema.Place) bool { return i == pair && p.Path() == chosen.Path() }
	case 1:
		isChosen = func(_ int, p *schema.Place) bool { return p.Name == chosen.Name && p.Step == chosen.Step }
	case 2:
		isChosen = func(i int, p *schema.Place) bool { return i == pair }
	case 3:
		isChosen = func(_ int, p *schema.Place) bool {
			return chosen.Above != nil && p.Above != nil && p.Above.Schema.GoType == chosen.Above.Schema.GoType &&
				p.Name == chosen.Name
		}
	}
	change := edits[r.IntN(len(edits))]
	number := r.IntN(1000)
	for i, pair := range pairs {
		c := *pair.Shipped
		c.Versions = slices.Clone(c.Versions)
		for j := range c.Versions {
			c.Versions[j].Schema = schema.Map(c.Versions[j].Schema, func(p *schema.Place) *schema.Schema {
				if !isChosen(i, p) || p.Above == nil || p.Nested {
					return p.Schema
				}
				out := *p.Schema
				change(&out, number)
				return &out
			})
		}
		if r.IntN(20) == 0 {
			c.Labels = []schema.KeyValue{{Key: "app", Value: fmt.Sprint(r.IntN(2))}}
			c.ShortNames = []schema.Text{{V: "k"}}
		}
		pairs[i].Shipped = &c
	}
}

// edits are what scripts do to a schema.
var edits = []func(s *schema.Schema, n int){
	func(s *schema.Schema, n int) { s.MaxLength = &schema.Int{V: int64(n % 50)} },
	func(s *schema.Schema, _ int) { s.MaxLength = nil },
	func(s *schema.Schema, n int) { s.Pattern.V = fmt.Sprint(`^[a-z]{`, n%3, `}\.x, y$`) },
	func(s *schema.Schema, n int) {
		s.Enum = []schema.Value{{Kind: schema.String, Text: "on"}, {Kind: schema.String}}
	},
	func(s *schema.Schema, n int) {
		s.Default = &schema.Value{Kind: schema.Object, Members: []schema.Member{
			{Key: "a", Value: schema.Value{Kind: schema.NumberKind, Text: fmt.Sprint(n)}}}}
	},
	func(s *schema.Schema, _ int) { s.Nullable = &schema.Flag{V: true} },
	func(s *schema.Schema, n int) {
		s.Rules = append(slices.Clip(s.Rules), schema.Rule{Rule: schema.Text{V: fmt.Sprint("self != ", n)},
			Message: schema.Text{V: "not # that: one"}})
	},
	func(s *schema.Schema, _ int) { s.Rules = s.Rules[:len(s.Rules)/2] },
	func(s *schema.Schema, n int) {
		s.Rules = slices.Clone(s.Rules)
		for i := range s.Rules {
			s.Rules[i].Message.V = fmt.Sprint("other ", n)
		}
	},
	func(s *schema.Schema, _ int) { s.Required = nil },
	func(s *schema.Schema, n int) { s.Required = append(slices.Clip(s.Required), schema.Text{V: "size"}) },
	func(s *schema.Schema, n int) {
		drop := func(name string) bool { return len(name)%3 == n%3 }
		s.Properties = slices.DeleteFunc(slices.Clone(s.Properties),
			func(p schema.Property) bool { return drop(p.Name) })
		s.Required = slices.DeleteFunc(slices.Clone(s.Required), func(t schema.Text) bool { return drop(t.V) })
	},
	func(s *schema.Schema, n int) {
		if len(s.Properties) > 0 && s.Property("new") == nil {
			s.Properties = append(slices.Clip(s.Properties), schema.Property{Name: "new",
				Schema: &schema.Schema{Type: schema.Text{V: "string"}}})
		}
	},
	func(s *schema.Schema, _ int) { s.Description.V = "" },
	func(s *schema.Schema, n int) { s.Description.V += fmt.Sprint("\nMore:\n  - ", n) },
	func(s *schema.Schema, n int) { s.Description.V = fmt.Sprint("Another one: ", n) },
	func(s *schema.Schema, _ int) {
		*s = schema.Schema{Type: s.Type, Description: s.Description, PreserveUnknownFields: &schema.Flag{V: true}}
	},
	func(s *schema.Schema, _ int) { *s = schema.Schema{} },
	func(s *schema.Schema, _ int) { s.Items, s.AdditionalProperties = nil, nil },
	func(s *schema.Schema, _ int) { s.AdditionalProperties, s.AdditionalAllowed = nil, true },
	func(s *schema.Schema, n int) {
		s.AnyOf = []*schema.Schema{{Type: schema.Text{V: "integer"}}, {Pattern: schema.Text{V: "^x"}}}
	},
}

// TestTranslateNothing finds no difference in a real CRD.
func TestTranslateNothing(t *testing.T) {
	data, err := os.ReadFile("../../emit/gocode/testdata/crds/processing.yaml")
	if err != nil {
		t.Fatal(err)
	}
	documents, _ := read.Documents(&diag.Source{Path: "crd.yaml", Data: data})
	for _, d := range documents {
		pairs := []overlay.Pair{{Generated: d.CRD, Shipped: reread(t, d.CRD)}}
		if made := overlay.Translate(t.Context(), pairs); made.Data != nil {
			t.Errorf("%s %v", made.Data, made.Left)
		}
	}
}
