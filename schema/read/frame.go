package read

import (
	"maps"
	"slices"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/schema"
)

// frameFields returns the fields of a CRD's object that no Go type decides, in one table.
func frameFields() fields[schema.CRD] {
	out := fields[schema.CRD]{}
	for _, from := range []struct {
		known fields[schema.CRD]
		names []string
	}{
		{metadataFields(), []string{"labels", "annotations"}},
		{specFields(), []string{"conversion", "preserveUnknownFields"}},
		{namesFields(), []string{"shortNames", "categories"}},
	} {
		for _, name := range from.names {
			out[name] = from.known[name]
		}
	}
	return out
}

// FrameKeys returns the keys that Frame reads, sorted.
func FrameKeys() []string { return slices.Sorted(maps.Keys(frameFields())) }

// Frame reads a mapping with fields of a CRD's object side by side, wherever they are in the object: labels,
// annotations, conversion, preserveUnknownFields, shortNames and categories. The findings are values that no API server
// can decode, as errors, and unknown fields, as warnings.
func Frame(n *schema.Value) (*schema.CRD, []diag.Diagnostic) {
	r := &reader{src: n.At.Source}
	c := &schema.CRD{At: n.Start()}
	readObject(r, n, c, frameFields())
	return c, r.found
}
