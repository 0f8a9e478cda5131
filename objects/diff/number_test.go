package diff

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/crdproof/crdproof/objects/internal/witness"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
)

// bounds are numbers near which API servers change what they do: fractions, zero, and the limits of formats, of
// float64 and of int64.
var bounds = []string{"0", "-0", "0.5", "-0.5", "1", "-1", "1.5", "2", "3", "0.1", "0.2", "0.3", "1e-7", "2147483647",
	"2147483648", "4294967295", "-2147483648", "-2147483649", "9007199254740991", "9007199254740992",
	"9007199254740993", "9223372036854774784", "9223372036854775807", "-9223372036854775808", "1e19", "-1e19", "3e38",
	"3.5e38", "1e300"}

// numbers are the bounds, and what is close to them.
func numbers() (out []any) {
	for _, text := range bounds {
		n := witness.Rat(text)
		for _, offset := range []string{"0", "1", "-1", "0.5", "-0.5", "0.1", "-0.1"} {
			near := witness.Rat(offset)
			out = append(out, witness.Number(near.Add(near, n)))
		}
	}
	return out
}

// TestNumbers compares random schemas of numbers. If no gap is found, the API server's validation accepts each number
// under the second schema that it accepts under the first one.
func TestNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(*randomSeed, 2))
	samples := numbers()
	same, differ := 0, 0
	for range 1500 {
		accept, reject := randomNumber(r), randomNumber(r)
		if r.IntN(2) == 0 { // schemas that are close to each other
			copied := *accept
			reject = &copied
			changeNumber(r, reject)
		}
		w := walk{Builder: witness.NewBuilder(witness.NewWork(t.Context()), accept, reject)}
		n := &node{at: schema.Path{schema.Key("a")}, accept: accept, reject: reject, field: "a"}
		w.types(n)
		w.scalars(n)
		w.junctorGaps(n)
		if len(w.gaps) > 0 {
			differ++
			continue
		}
		same++
		for _, value := range samples {
			if f, ok := value.(float64); ok && f != math.Trunc(f) && accept.IntOrString.True() {
				continue // see interval
			}
			if w.Accepts(accept, value) && !w.Accepts(reject, value) {
				t.Fatalf("no gap, but %s is valid under\n%s\nand not under\n%s", witness.JSON(value),
					witness.JSON(kube.Props(accept)), witness.JSON(kube.Props(reject)))
			}
		}
	}
	t.Logf("%d pairs without a gap, %d with one", same, differ)
	if same < 300 || differ < 300 {
		t.Errorf("only %d pairs without a gap, and %d with one", same, differ)
	}
}

// randomNumber is a schema of numbers.
func randomNumber(r *rand.Rand) *schema.Schema {
	out := &schema.Schema{}
	switch r.IntN(5) {
	case 0:
		out.IntOrString = &schema.Flag{V: true}
	case 1, 2:
		out.Type.V = witness.NumberType
		out.Format.V = []string{"", "", "float", "double"}[r.IntN(4)]
	default:
		out.Type.V = witness.IntegerType
		out.Format.V = []string{"", "", "int32", "int64"}[r.IntN(4)]
	}
	for range r.IntN(3) {
		changeNumber(r, out)
	}
	return out
}

// changeNumber sets a keyword, in the schema or in a part of its allOf.
func changeNumber(r *rand.Rand, s *schema.Schema) {
	to := s
	if r.IntN(3) == 0 {
		to = &schema.Schema{}
		s.AllOf = append(s.AllOf[:len(s.AllOf):len(s.AllOf)], to)
	}
	bound := &schema.Number{V: bounds[r.IntN(len(bounds))]}
	exclusive := &schema.Flag{V: r.IntN(2) == 0}
	switch r.IntN(8) {
	case 0, 1:
		to.Minimum, to.ExclusiveMinimum = bound, exclusive
	case 2, 3:
		to.Maximum, to.ExclusiveMaximum = bound, exclusive
	case 4:
		to.MultipleOf = bound
	case 5:
		to.Format.V = []string{"int32", "int64", "float", "double", ""}[r.IntN(5)]
	case 6:
		if n := witness.Rat(bound.V); n.IsInt() && n.Cmp(witness.Rat("-9007199254740991")) < 0 {
			return // any number beyond int64 may be converted to it
		}
		to.Enum = []schema.Value{{Kind: schema.NumberKind, Text: bound.V}, {Kind: schema.NumberKind, Text: "1"}}
	default:
		to.Not = &schema.Schema{Minimum: bound, Maximum: &schema.Number{V: strconv.Itoa(r.IntN(5000))}}
	}
}
