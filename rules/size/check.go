package size

import (
	"bytes"
	"slices"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
)

// Checks is the table of this package's checks.
func Checks() []*diag.Check {
	return []*diag.Check{
		{
			ID: idSize, Severity: diag.Warning,
			Doc: "The CRD is too large for kubectl apply, which keeps all of it in an annotation: an API server accepts 262,144 bytes of annotations. " +
				"A file that is longer is warned of as well, though as JSON it may fit. The option maxSize of crd leaves out descriptions, and kubectl apply --server-side keeps no annotation.",
			Bad:  "Template corev1.PodTemplateSpec `json:\"template\"` // with crd",
			Good: "Template corev1.PodTemplateSpec `json:\"template\"` // with crd:maxSize=apply",
		},
		{
			ID: idStorage, Severity: diag.Error,
			Doc: "The CRD is larger than what etcd stores unless it is told otherwise (1,572,864 bytes), or than what an API server reads (3,145,728 bytes). " +
				"However it is applied, it is refused.",
			Bad:  "Agents [2]Agent `json:\"agents\"` // each with all that a Pod can have, in several versions",
			Good: "// +kubebuilder:pruning:PreserveUnknownFields\n// +kubebuilder:validation:Schemaless\n// +kubebuilder:validation:Type=object\nAgents [2]Agent `json:\"agents\"`",
		},
	}
}

// MayBeLarge reports whether a CRD may be too large for anybody, judged by the text that holds it, as YAML or JSON. It costs next
// to nothing, while to measure takes time.
func MayBeLarge(c *schema.CRD, text []byte) bool {
	// What JSON needs around a key or an item is no more than what YAML needs, but for those few that are hardly indented. An empty
	// line of a text takes two bytes in JSON, and what YAML escapes up to six.
	bound := len(text) + 4096
	for _, longer := range []struct {
		text string
		by   int
	}{{"\n", 1}, {"<", 5}, {">", 5}, {"&", 5}, {`"`, 1}, {`\`, 4}, {"\u2028", 3}, {"\u2029", 3}} {
		bound += longer.by * bytes.Count(text, []byte(longer.text))
	}
	for i := range c.Annotations {
		bound += len(c.Annotations[i].Key) + len(c.Annotations[i].Value) // which count once more, beside the JSON
	}
	return bound > AnnotationLimit
}

// CheckJSON looks at a CRD of a file of that length, with the JSON that a client sends; the length is 0 where the file holds
// more than it.
func CheckJSON(c *schema.CRD, file int, sent []byte) []diag.Diagnostic {
	if file <= AnnotationLimit && !MayBeLarge(c, sent) {
		return nil
	}
	sizes, err := OfJSON(sent, file)
	if err != nil {
		return nil // which is said where the file is read
	}
	return Check(c, sizes)
}

// Check says where a CRD is too large.
func Check(c *schema.CRD, s Sizes) []diag.Diagnostic {
	var out []diag.Diagnostic
	if stored := s.JSON - repeated(c, s); stored > StorageLimit || s.JSON > requestLimit {
		out = append(out, aboveStorage(c, s, stored))
	}
	switch {
	case s.Annotations > AnnotationLimit:
		out = append(out, aboveAnnotations(c, s))
	case s.File > AnnotationLimit:
		out = append(out, longFile(c, s))
	}
	return out
}

// repeated is what etcd need not hold: CRDs are stored as v1beta1, in which versions with the same schema share one
// (k8s.io/apiextensions-apiserver/pkg/cmd/server/options).
func repeated(c *schema.CRD, s Sizes) int {
	if s.JSON <= StorageLimit || len(c.Versions) < 2 {
		return 0
	}
	first := c.Versions[0].Schema
	if first == nil || slices.ContainsFunc(c.Versions, func(v schema.Version) bool { return !schema.Same(v.Schema, first) }) {
		return 0
	}
	return newWeights().of(first).Bytes * (len(c.Versions) - 1)
}
