package translate

import (
	"bytes"
	"slices"

	"github.com/crdproof/crdproof/emit/crd"
	"github.com/crdproof/crdproof/schema"
)

// A Comparison is how what is generated compares with what ships.
type Comparison struct {
	// Files counts the CRDs that ship and are generated. Of these, Same have the same content, and Identical the same
	// bytes.
	Files, Same, Identical int
	// Layout are the names of the CRDs with the same content in another layout, Different those with another content.
	Layout, Different []string
}

// Compare compares generated CRDs with those that ship, apart from the version of the tool in an annotation.
func Compare(generated []Generated, shipped []Shipped) (out Comparison) {
	for _, g := range generated {
		s := shippedOf(g.CRD, shipped)
		if s == nil {
			continue
		}
		out.Files++
		opts := crd.Options{Header: g.Header}
		opts.VersionAnnotation, opts.ToolVersion = version(s.CRD)
		name := s.CRD.ObjectName()
		switch {
		case !bytes.Equal(content(g.CRD), content(s.CRD)):
			out.Different = append(out.Different, name)
			continue
		case s.has(crd.Encode(g.CRD, opts)):
			out.Identical++
		default:
			out.Layout = append(out.Layout, name)
		}
		out.Same++
	}
	return out
}

// has reports whether the file of a CRD is what is written, or has it as one of its documents.
func (s *Shipped) has(written []byte) bool {
	if s.IsAlone {
		return bytes.Equal(s.Source.Data, written)
	}
	return bytes.Contains(s.Source.Data, bytes.TrimPrefix(written, []byte("---\n")))
}

// content returns a CRD in the layout of the generator, without the version of a tool.
func content(c *schema.CRD) []byte {
	out := *c
	out.Annotations = slices.DeleteFunc(slices.Clone(c.Annotations), isVersion)
	return crd.Encode(&out, crd.Options{})
}

// isVersion reports whether an annotation has the version of a tool.
func isVersion(kv schema.KeyValue) bool {
	return kv.Key == crd.VersionAnnotation || kv.Key == crd.ControllerGenAnnotation
}

// version returns the annotation with the version of the tool, "" without one.
func version(c *schema.CRD) (key, value string) {
	i := slices.IndexFunc(c.Annotations, isVersion)
	if i < 0 {
		return "", ""
	}
	return c.Annotations[i].Key, c.Annotations[i].Value
}
