package structural

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"

	"github.com/crdproof/crdproof/rules/kube"
	ir "github.com/crdproof/crdproof/schema"
)

// TestLost compares what is reported as lost with what the API server's code prunes from an object that has all fields
// of one version, for random pairs of schemas.
func TestLost(t *testing.T) {
	pruned := 0
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 1))
		from, to := &ir.Schema{}, &ir.Schema{}
		describeRandomly(r, []*ir.Schema{from, to}, 0)
		s, err := kube.Structural(to)
		if err != nil {
			t.Fatal(err)
		}
		want := pruning.PruneWithOptions(everything(from), s, true,
			schema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
		var got []string
		for _, p := range lost(&ir.Place{Schema: from}, to) {
			got = append(got, strings.NewReplacer("[]", "[0]", "[*]", ".x").Replace(p.Field()))
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("seed %d: reported %v, but the API server prunes %v", seed, got, want)
		}
		pruned += len(want)
	}
	if pruned < 1000 {
		t.Errorf("only %d fields were pruned", pruned)
	}
}

// describeRandomly makes schemas of the same types that differ in their fields.
func describeRandomly(r *rand.Rand, both []*ir.Schema, depth int) {
	kind := r.IntN(6)
	if depth == 0 {
		kind = 0
	} else if depth > 3 {
		kind = 5
	}
	setType := func(name string) {
		for _, s := range both {
			s.Type.V = name
		}
	}
	switch kind {
	case 0, 1, 2:
		setType("object")
		for i := range 3 {
			below := []*ir.Schema{{}, {}}
			describeRandomly(r, below, depth+1)
			for j, s := range both {
				if r.IntN(4) > 0 {
					s.Properties = append(s.Properties, ir.Property{Name: "f" + strconv.Itoa(i), Schema: below[j]})
				}
			}
		}
		for _, s := range both {
			if r.IntN(8) == 0 {
				s.PreserveUnknownFields = &ir.Flag{V: true}
			}
			if r.IntN(8) == 0 && depth > 0 && len(s.Properties) > 0 {
				s.EmbeddedResource = &ir.Flag{V: true}
				s.Properties = append(s.Properties, ir.Property{Name: "kind", Schema: &ir.Schema{Type: ir.Text{V: "string"}}})
			}
		}
	case 3:
		setType("object")
		both[0].AdditionalProperties, both[1].AdditionalProperties = &ir.Schema{}, &ir.Schema{}
		describeRandomly(r, []*ir.Schema{both[0].AdditionalProperties, both[1].AdditionalProperties}, depth+1)
	case 4:
		setType("array")
		both[0].Items, both[1].Items = &ir.Schema{}, &ir.Schema{}
		describeRandomly(r, []*ir.Schema{both[0].Items, both[1].Items}, depth+1)
	default:
		setType("string")
	}
}

// everything is a value with all parts that a schema describes.
func everything(s *ir.Schema) any {
	switch s.Type.V {
	case "object":
		out := map[string]any{}
		for _, p := range s.Properties {
			out[p.Name] = everything(p.Schema)
		}
		if s.AdditionalProperties != nil {
			out["x"] = everything(s.AdditionalProperties)
		}
		return out
	case "array":
		return []any{everything(s.Items)}
	}
	return "text"
}
