package size

import (
	"strings"

	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/rules/kube"
)

// rounding is by how many bytes defaults, examples and enums get longer because kubectl reads their numbers as ones
// of 64 bits: the CRD holds them as they were written, with all of their digits.
type rounding map[*schema.Schema]int

func (r rounding) ofCRD(c *schema.CRD) int {
	n := 0
	for i := range c.Versions {
		if root := c.Versions[i].Schema; root != nil {
			n += r.of(root)
		}
	}
	return n
}

func (r rounding) of(s *schema.Schema) int {
	if known, ok := r[s]; ok {
		return known
	}
	n := 0
	if s.Default != nil {
		n += rounded(*s.Default)
	}
	if s.Example != nil {
		n += rounded(*s.Example)
	}
	for _, e := range s.Enum {
		n += rounded(e)
	}
	for _, child := range (&schema.Place{Schema: s}).Children() {
		n += r.of(child.Schema)
	}
	r[s] = n
	return n
}

// maxExact is how long a number without an exponent may be that is surely written as it is.
const maxExact = 15

func rounded(v schema.Value) int {
	n := 0
	if v.Kind == schema.NumberKind && (len(v.Text) > maxExact || strings.Contains(v.Text, "e")) {
		n = len(encoded(decoded(kube.AppendJSON(nil, v)))) - len(v.Text)
	}
	for _, item := range v.Items {
		n += rounded(item)
	}
	for _, m := range v.Members {
		n += rounded(m.Value)
	}
	return n
}
